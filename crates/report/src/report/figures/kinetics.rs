//! Rates, lifetimes, survival, first passages, transitions.

use super::{MOST_SERIES, TimeUnit, largest, typeset};
use crate::report::{Axis, HeatMap, Panels, Plot, Series, Style};
use jostle_analysis::{
    Lifetimes, Passages, Rate, Rates, SurvivalCurve, Survivals, Transitions, poisson_interval,
};
use jostle_core::words::{counted, digits};

/// Steps of a curve that are drawn at most.
const MOST_STEPS: usize = 500;
/// A map shows no larger clusters.
const LARGEST_ON_MAP: u64 = 60;
/// A figure of rates has at most so many panels.
const MOST_PANELS: usize = 6;
/// Rates of fewer events are not drawn over time.
const FEWEST_EVENTS: u64 = 10;
/// Error bars on a curve.
const BARS: usize = 8;

/// The rate constants over time, a panel for each rule and species with its own unit, with exact 95
/// % intervals; dashed, the average. Of many, those with most events.
pub fn rates(rates: &Rates) -> Panels {
    let times = || rates.entries.iter().flat_map(|one| &one.bins).map(|bin| bin.time);
    let unit = TimeUnit::for_all(times());
    let most = rates.entries.iter().map(|one| one.rate.events).max().unwrap_or(0);
    let shown = largest(rates.entries.iter().map(|one| one.rate.events as f64), MOST_PANELS);
    // A handful of events tells nothing over time.
    let shown =
        shown.into_iter().filter(|&n| rates.entries[n].rate.events >= FEWEST_EVENTS.min(most));
    let plots = shown.map(|n| rate(&rates.entries[n], unit)).collect();
    Panels { title: "Rate constants over time".into(), plots }
}

/// One rate constant over time.
fn rate(one: &Rate, unit: TimeUnit) -> Plot {
    let (factor, name) = one.unit();
    let name = typeset(name);
    let points = one.bins.iter().map(|bin| [unit.of(bin.time), bin.rate.rate() * factor]);
    let intervals = one.bins.iter().map(|bin| bin.rate.interval().map(|k| k * factor));
    let measured = Series::new("95 % intervals", points.collect(), Style::LinePoints)
        .intervals(intervals.collect());
    let all = one.rate.rate() * factor;
    let ends = [one.bins.first(), one.bins.last()]
        .into_iter()
        .flatten()
        .map(|bin| [unit.of(bin.time), all]);
    let average =
        Series::new(&format!("all: {} {name}", digits(all, 3)), ends.collect(), Style::Dashed);
    Plot {
        title: format!("{}: {} ({})", one.rule, one.of, counted(one.rate.events, "event")),
        x: Axis::linear(&unit.label("time")),
        y: Axis::linear(&format!("rate constant [{name}]")),
        series: vec![measured, average],
    }
}

/// How long clusters keep their size: the share that lasts longer, with Greenwood's errors.
pub fn lifetimes(lifetimes: &Lifetimes) -> Plot {
    let name =
        |size: u64| if size == 1 { "alone".to_owned() } else { format!("cluster of {size}") };
    let curves: Vec<(String, &SurvivalCurve)> =
        lifetimes.sizes.iter().map(|one| (name(one.size), &one.curve)).collect();
    survival_curves("How long clusters keep their size", "time since it has this size", &curves)
}

/// The mean life of clusters by their size, with exact 95 % intervals.
pub fn mean_life_by_size(lifetimes: &Lifetimes) -> Plot {
    let ended = || lifetimes.sizes.iter().filter(|one| one.curve.rate.events > 0);
    let unit = TimeUnit::for_all(ended().map(|one| 1.0 / one.curve.rate.rate()));
    let points =
        ended().map(|one| [one.size as f64, unit.of(1.0 / one.curve.rate.rate())]).collect();
    let intervals = ended().map(|one| {
        let [low, high] = one.curve.rate.interval();
        [1.0 / high, 1.0 / low].map(|life| unit.of(life))
    });
    let series = Series::points("with 95 % interval", points).intervals(intervals.collect());
    let wide = ended().any(|one| one.size > 30);
    let label = "particles in the cluster";
    Plot {
        title: "Mean life of clusters by size".into(),
        x: if wide { Axis::log(label) } else { Axis::linear(label) },
        y: Axis::log(&unit.label("mean life")),
        series: vec![series],
    }
}

/// How long particles stay what they are and bonds hold: the share that lasts longer, with
/// Greenwood's errors.
pub fn survival(survivals: &Survivals) -> Plot {
    let curves: Vec<(String, &SurvivalCurve)> =
        survivals.entries.iter().map(|one| (one.of.clone(), &one.curve)).collect();
    survival_curves("How long particles stay what they are, and bonds hold", "age", &curves)
}

/// The share of particles that still wait for something, with Greenwood's errors.
pub fn first_passage(passages: &Passages) -> Plot {
    let curves: Vec<(String, &SurvivalCurve)> =
        passages.entries.iter().map(|one| (one.species.clone(), &one.curve)).collect();
    survival_curves(&format!("First passage: {}", passages.goal), "time", &curves)
}

/// How often clusters grow and shrink, by their size, with exact 95 % intervals.
pub fn transitions(transitions: &Transitions) -> Plot {
    let series = |name: &str, counts: &dyn Fn(u64, u64) -> bool| {
        let mut rows: Vec<(u64, u64, f64)> = Vec::new();
        for one in transitions.entries.iter().filter(|one| one.from > 0 && counts(one.from, one.to))
        {
            match rows.last_mut().filter(|row| row.0 == one.from) {
                Some(row) => row.1 += one.rate.events,
                None => rows.push((one.from, one.rate.events, one.rate.exposure)),
            }
        }
        // Per second.
        let rate = |events: f64, exposure: f64| events / exposure * 1e6;
        let points =
            rows.iter().map(|&(size, n, exposure)| [size as f64, rate(n as f64, exposure)]);
        let interval = |n, exposure| poisson_interval(n).map(|events| rate(events, exposure));
        let intervals = rows.iter().map(|&(_, n, exposure)| interval(n, exposure));
        Series::points(name, points.collect()).intervals(intervals.collect())
    };
    let wide = transitions.entries.last().is_some_and(|one| one.from > 30);
    let label = "particles in the cluster";
    Plot {
        title: "Transitions to other sizes, with 95 % intervals".into(),
        x: if wide { Axis::log(label) } else { Axis::linear(label) },
        y: Axis::log("transitions per cluster and second"),
        series: vec![
            series("to larger", &|from, to| to > from),
            series("to smaller", &|from, to| to < from),
        ],
    }
}

/// The size-transition matrix: of all transitions from a size, the share that leads to each, for
/// clusters of at most 60 particles.
pub fn transition_map(transitions: &Transitions) -> HeatMap {
    let seen = || transitions.entries.iter().filter(|one| one.from > 0);
    let sizes =
        seen().map(|one| one.from.max(one.to)).max().unwrap_or(1).min(LARGEST_ON_MAP) as usize;
    let mut rows = vec![vec![f64::NAN; sizes]; sizes + 1];
    for one in seen() {
        let all: u64 =
            seen().filter(|other| other.from == one.from).map(|other| other.rate.events).sum();
        let row = rows.get_mut(one.to as usize);
        if let Some(cell) = row.and_then(|row| row.get_mut(one.from as usize - 1)) {
            *cell = one.rate.events as f64 / all as f64;
        }
    }
    let far = sizes as f64 + 0.5;
    HeatMap {
        title: "Transitions between cluster sizes".into(),
        x: Axis::linear("from a cluster of so many particles"),
        y: Axis::linear("to one of so many (0: nothing)"),
        value: Axis::linear("share of the transitions from this size"),
        from_zero: true,
        span: [[0.5, far], [-0.5, far]],
        marks: [vec![], vec![]],
        rows,
    }
}

fn survival_curves(title: &str, what: &str, curves: &[(String, &SurvivalCurve)]) -> Plot {
    let chosen = largest(curves.iter().map(|(_, curve)| curve.rate.events as f64), MOST_SERIES);
    let ends = curves.iter().any(|(_, curve)| curve.rate.events > 0);
    // What never ends says little.
    let says = |curve: &SurvivalCurve| curve.lives > 0 && (curve.rate.events > 0 || !ends);
    let chosen = || chosen.iter().map(|&n| &curves[n]).filter(|(_, curve)| says(curve));
    let unit = TimeUnit::for_all(chosen().map(|(_, curve)| curve.longest));
    let series = chosen().map(|(name, curve)| steps(name, curve, unit)).collect();
    Plot {
        title: title.into(),
        x: Axis::linear(&unit.label(what)),
        y: Axis::linear("share left"),
        series,
    }
}

/// A curve that goes down in steps, with some error bars.
fn steps(name: &str, curve: &SurvivalCurve, unit: TimeUnit) -> Series {
    let (mut points, mut errors) = (vec![[0.0, 1.0]], vec![0.0]);
    let each = curve.points.len().div_ceil(MOST_STEPS).max(1);
    let shown: Vec<_> = curve.points.iter().step_by(each).collect();
    let with_bar = shown.len().div_ceil(BARS).max(1);
    for (n, point) in shown.into_iter().enumerate() {
        points.push([unit.of(point.time), point.fraction]);
        errors.push(if n % with_bar == with_bar / 2 { point.error } else { 0.0 });
    }
    let last = points[points.len() - 1][1];
    points.push([unit.of(curve.longest), last]);
    errors.push(0.0);
    Series::new(name, points, Style::Stairs).errors(errors)
}
