//! Figures of the contact log.

use super::super::plot::{Axis, HeatMap, Plot, Series, Style};
use super::{MOST_SERIES, TimeUnit};
use jostle_analysis::contacts::{Groups, Intervals, Meetings, PlaceMap, Rebinding};
use jostle_analysis::{Cell, Histogram};

/// Contact rates: over time, a line in a band of errors for each group; else one bar for each.
pub fn contact_rates(groups: &Groups) -> Plot {
    let time = groups.heads.iter().position(|head| *head == "from (µs)");
    match time {
        Some(at) => rates_over_time(groups, at),
        None => bars(groups),
    }
}

fn rates_over_time(groups: &Groups, at: usize) -> Plot {
    let number = |cell: &Cell| cell.number().unwrap_or(f64::NAN);
    let unit = TimeUnit::for_all(groups.groups.iter().map(|group| number(&group.common[at + 1])));
    let mut named: Vec<(String, u64, Series)> = Vec::new();
    for group in &groups.groups {
        let name = name_of(&group.common, Some(at));
        let middle = 0.5 * (number(&group.common[at]) + number(&group.common[at + 1]));
        let k = named.iter().position(|(known, ..)| *known == name).unwrap_or_else(|| {
            named.push((name.clone(), 0, Series::new(&name, Vec::new(), Style::Band)));
            named.len() - 1
        });
        named[k].1 += group.contacts;
        named[k].2.points.push([unit.of(middle), group.rate * unit.of(1.0).recip()]);
        named[k].2.errors.push(group.error * unit.of(1.0).recip());
    }
    named.sort_by_key(|(_, contacts, _)| std::cmp::Reverse(*contacts));
    named.truncate(MOST_SERIES);
    Plot {
        title: "Contacts over time".into(),
        x: Axis::linear(&unit.label("time")),
        y: Axis::linear(&format!("contacts per time [/{}]", unit.name)),
        series: named.into_iter().map(|(.., series)| series).collect(),
    }
}

/// The names of what a group has in common, those of its time left out.
fn name_of(common: &[Cell], time: Option<usize>) -> String {
    let is_time = |k: usize| time.is_some_and(|at| k == at || k == at + 1);
    let words =
        common.iter().enumerate().filter(|(k, _)| !is_time(*k)).map(|(_, cell)| cell.to_string());
    words.collect::<Vec<_>>().join(" – ")
}

/// The groups with most contacts, each with a bar as high as its number.
fn bars(groups: &Groups) -> Plot {
    let mut most: Vec<_> = groups.groups.iter().collect();
    most.sort_by_key(|group| std::cmp::Reverse(group.contacts));
    most.truncate(MOST_SERIES);
    let bar = |(k, group): (usize, &&jostle_analysis::contacts::Group)| {
        let left = k as f64 + 0.6;
        let series =
            Series::histogram(&name_of(&group.common, None), &[left, left + 0.8], &[group.rate]);
        series.errors(vec![if group.error.is_nan() { 0.0 } else { group.error }])
    };
    Plot {
        title: "Contacts by group".into(),
        x: Axis::linear("group, those with most contacts first"),
        y: Axis::linear("contacts per time [/µs]"),
        series: most.iter().enumerate().map(bar).collect(),
    }
}

/// Times between contacts.
pub fn contact_intervals(intervals: &Intervals) -> Plot {
    times("Time between contacts", "time to the next contact [µs]", &intervals.histogram)
}

/// Times that two which came apart took until they bound each other again.
pub fn rebinding_times(rebinding: &Rebinding) -> Plot {
    let title =
        format!("Rebinding: {} of {} pairs that came apart", rebinding.again, rebinding.parted);
    times(&title, "time until bound to each other again [µs]", &rebinding.histogram)
}

/// How often pairs meet. The share of those of each number, where several numbers share a bin.
pub fn meetings(meetings: &Meetings) -> Plot {
    let (title, label, of) = match meetings.until_bound {
        true => ("Meetings before binding", "meetings before binding", "bindings"),
        false => ("Contacts of each pair", "contacts", "pairs"),
    };
    let ends = meetings.bins.iter().map(|[from, to]| [*from as f64 - 0.5, *to as f64 + 0.5]);
    let ends: Vec<[f64; 2]> = ends.collect();
    let each = |k: usize| {
        let shares = meetings.shares();
        shares.iter().zip(&ends).map(|(share, [a, b])| share[k] / (b - a)).collect::<Vec<f64>>()
    };
    let edges: Vec<f64> =
        ends.iter().map(|ends| ends[0]).chain(ends.last().map(|ends| ends[1])).collect();
    Plot {
        title: title.into(),
        x: Axis::linear(label),
        y: Axis::log(&format!("share of {of} for each number")),
        series: vec![Series::histogram("", &edges, &each(0)).errors(each(1))],
    }
}

/// How dense times are, on logarithmic axes.
fn times(title: &str, label: &str, histogram: &Histogram) -> Plot {
    let [heights, errors] =
        [0, 1].map(|k| histogram.densities().iter().map(|d| d[k]).collect::<Vec<f64>>());
    let series = Series::histogram("", &histogram.edges, &heights).errors(errors);
    Plot {
        title: title.into(),
        x: Axis::log(label),
        y: Axis::log("probability density [/µs]"),
        series: vec![series],
    }
}

/// Where contacts are, if along one axis.
pub fn contact_profile(map: &PlaceMap) -> Plot {
    let even = map.even();
    let shares: Vec<f64> = map.counts.iter().map(|&n| n as f64 / even).collect();
    let errors = map.counts.iter().map(|&n| (n as f64).sqrt() / even).collect();
    let edges = map.edges(0);
    let ends = [edges[0], edges[edges.len() - 1]];
    Plot {
        title: format!("Where {} contacts are", map.total()),
        x: Axis::linear(&format!("{} [nm]", ["x", "y", "z"][map.axes[0]])),
        y: Axis::linear("contacts, against an even spread"),
        series: vec![
            Series::histogram("contacts", &edges, &shares).errors(errors),
            Series::new("even", ends.map(|x| [x, 1.0]).to_vec(), Style::Dashed),
        ],
    }
}

/// Where contacts are, if in a plane.
pub fn contact_map(map: &PlaceMap) -> HeatMap {
    let even = map.even();
    let label = |k: usize| Axis::linear(&format!("{} [nm]", ["x", "y", "z"][map.axes[k]]));
    let share = |&n: &u64| if even > 0.0 { n as f64 / even } else { 0.0 };
    HeatMap {
        title: format!("Where {} contacts are", map.total()),
        x: label(0),
        y: label(1),
        value: Axis::linear("contacts, against an even spread"),
        from_zero: true,
        span: [map.spans[0], map.spans[1]],
        marks: [vec![], vec![]],
        rows: map.counts.chunks(map.cells[0]).map(|row| row.iter().map(share).collect()).collect(),
    }
}
