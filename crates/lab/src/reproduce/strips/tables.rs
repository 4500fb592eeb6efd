//! The findings as tables.

use super::counting::{atmosphere, between_walls, even, expected};
use super::scene::{DIAMETER, DISKS, EDGES};
use super::times::Times;
use super::{ARRANGEMENTS, Rate, StripsFindings};
use crate::reproduce::report::digits;
use crate::reproduce::shaker::PrintedVerdict;
use crate::reproduce::{ReportSection, Sample};
use jostle_analysis::Table;
use jostle_model::gas::Contact;

/// What the web page prints.
const NAIVE: f64 = 4_498_500.0;
const VERTICAL: f64 = 91_100.0;
const HORIZONTAL: [f64; 2] = [70_000.0, 80_000.0];
/// \[ms\]
const TIMES: [f64; 3] = [28.0, 3.4, 2.0];
/// So many of the atmospheres are those in which points give the web page's numbers.
const IDEAL: usize = 3;
/// Strips are to be so much faster than all pairs.
const FASTER: f64 = 5.0;

pub(super) fn sections(findings: &StripsFindings) -> Vec<ReportSection> {
    let mut all = vec![counts(findings), times(findings), contacts(findings)];
    all.push(rates(findings));
    all
}

fn verdict(reproduced: bool) -> String {
    if reproduced { PrintedVerdict::Reproduced } else { PrintedVerdict::Differs }.name().to_owned()
}

fn whole(value: f64) -> String {
    format!("{value:.0}")
}

/// A row: what, as printed, as expected, ours with its deviation, verdict.
fn row(
    what: &str,
    printed: &str,
    [mean, deviation]: [f64; 2],
    ours: &Sample,
    verdict: String,
) -> Vec<String> {
    let expected =
        if mean.is_nan() { "-".to_owned() } else { format!("{mean:.0} +- {deviation:.0}") };
    vec![
        what.to_owned(),
        printed.to_owned(),
        expected,
        whole(ours.mean),
        whole(ours.deviation),
        verdict,
    ]
}

fn counts(findings: &StripsFindings) -> ReportSection {
    let columns = ["comparisons per step", "printed", "expected", "ours", "sd", "verdict"];
    let mut table = Table::new(&columns);
    let strips = (EDGES[0] / DIAMETER) as usize;
    let exactly = findings.naive as f64;
    let naive = Sample { mean: exactly, deviation: 0.0, runs: 1 };
    table.push_texts(row(
        "all pairs",
        &whole(NAIVE),
        [NAIVE, 0.0],
        &naive,
        verdict(exactly == NAIVE),
    ));
    let shares = [even(strips), between_walls(strips)];
    let anywhere = expected(DISKS, &shares[0]);
    let inside = expected(DISKS, &shares[1]);
    let without = VERTICAL - DISKS as f64;
    let near = |ours: &Sample, [mean, deviation]: [f64; 2]| {
        verdict((ours.mean - mean).abs() < 3.0 * deviation)
    };
    let vertical = [
        ("vertical strips, centres anywhere", &findings.anywhere, anywhere),
        ("vertical strips, disks between walls", &findings.inside, inside),
        ("vertical strips, the moving gas", &findings.moving, inside),
    ];
    for (what, ours, expected) in vertical {
        table.push_texts(row(what, &whole(without), expected, ours, near(ours, expected)));
    }
    let placed = |s: &Sample| Sample { mean: s.mean + DISKS as f64, ..*s };
    let ([mean, deviation], ours) = (anywhere, placed(&findings.anywhere));
    let with_placements = [mean + DISKS as f64, deviation];
    let what = "the same (centres anywhere) with the placements";
    table.push_texts(row(
        what,
        &whole(VERTICAL),
        with_placements,
        &ours,
        near(&ours, with_placements),
    ));
    let printed = format!("{:.0} to {:.0}", HORIZONTAL[0], HORIZONTAL[1]);
    let within = |ours: &Sample| verdict((HORIZONTAL[0]..=HORIZONTAL[1]).contains(&ours.mean));
    for one in findings.atmospheres.iter().take(IDEAL) {
        let what = format!("horizontal strips, H = {}, points", one.height);
        let expected = expected(DISKS, &atmosphere(one.height));
        table.push_texts(row(&what, &printed, expected, &one.points, within(&one.points)));
    }
    for one in &findings.atmospheres {
        let what = format!("horizontal strips, H = {}, disks", one.height);
        table.push_texts(row(&what, &printed, [f64::NAN; 2], &one.disks, within(&one.disks)));
    }
    let warm =
        findings.atmospheres.iter().map(|one| format!("{:.3} at H = {}", one.warmth, one.height));
    ReportSection::new("comparisons", "Comparisons of 3000 disks of diameter 4 in a box of 600 x 6000", table).remarks(vec![
        format!(
            "The page's sum, 28500 + 59600, is {without:.0}; the {VERTICAL:.0} that it prints hold the 3000 \
             placements besides. It multiplies mean occupations, 20 x 19 / 2 and 20 x 20, where the mean of the \
             product counts. Vertical strips are held to three standard deviations of a single state, {} \
             of them."
        , findings.anywhere.runs),
        "Disks keep a radius off the walls, so that the strips at the ends are half empty and the others hold \
         more: some 500 comparisons more than for centres anywhere."
            .to_owned(),
        format!(
            "Points in gravity need about 3 N^2 w / (4 H) comparisons in horizontal strips of width w, H = \
             kT/mg: the web page's {printed} are 385 >= H >= 335. Disks fill a sixth of the area at the bottom, \
             push each other up, and need fewer; they reach the web page's numbers at smaller H. H is that \
             of the start; rising takes energy, so that the temperature at the end is so many times that of \
             the start: {}. The sd of moving gases is that of one step among others, which are not independent.",
            warm.collect::<Vec<_>>().join(", ")
        ),
    ])
}

fn times(findings: &StripsFindings) -> ReportSection {
    let mut columns = vec!["least time per step"];
    columns.extend(ARRANGEMENTS);
    columns.extend(["naive / vertical", "naive / horizontal", "verdict"]);
    let mut table = Table::new(&columns);
    let row = |what: &str, each: [f64; 3], verdict: String| {
        let mut row = vec![what.to_owned()];
        row.extend(each.map(|ms| format!("{} ms", digits(ms))));
        row.extend([each[0] / each[1], each[0] / each[2]].map(digits));
        row.push(verdict);
        row
    };
    table.push_texts(row("the web page, collisions", TIMES, "-".to_owned()));
    for Times { contact, each } in findings.times {
        let [naive, vertical, horizontal] = each;
        let ok = naive > FASTER * vertical && naive > FASTER * horizontal;
        let what = match contact {
            Contact::AfterMove => "after_move, collisions",
            _ => "exact, whole steps",
        };
        table.push_texts(row(what, each, verdict(ok)));
    }
    ReportSection::new("times", "Times, in the atmosphere of scale height 360", table).remarks(vec![format!(
        "Reproduced means: either way of laying strips is more than {FASTER} times faster than all pairs \
         (the web page: 8.2 and 14). The exact engine tests the ways that disks go in a step, not their places."
    )])
}

fn contacts(findings: &StripsFindings) -> ReportSection {
    let mut columns = vec!["in the same states"];
    columns.extend(ARRANGEMENTS);
    columns.push("verdict");
    let mut table = Table::new(&columns);
    let same = &findings.same;
    for (what, counts) in [("overlapping pairs", same.overlaps), ("collisions", same.collisions)] {
        let mut row = vec![what.to_owned()];
        row.extend(counts.map(|count| count.to_string()));
        row.push(verdict(counts.iter().all(|&count| count == counts[0])));
        table.push_texts(row);
    }
    let all = same.collisions[1].max(1);
    ReportSection::new("contacts", "Do all arrangements find the same?", table).remarks(vec![format!(
        "From each of {} states, one step. Overlapping pairs are the same in all, always (a difference is an \
         error). {} of {all} collisions happened in one order of the pairs only: there a third disk overlapped, \
         and whoever comes first changes the velocities that the next one sees. The exact engine ended in the \
         same state with all arrangements, bit for bit.",
        same.steps, same.differ
    )])
}

fn rates(findings: &StripsFindings) -> ReportSection {
    let columns = [
        "packing",
        "contacts",
        "way per step / diameter",
        "rate",
        "std. error",
        "above events",
        "std. error of it",
    ];
    let mut table = Table::new(&columns);
    let percent = |share: f64| format!("{:+.2} %", 100.0 * share);
    let mut remarks = Vec::new();
    for rates in &findings.rates {
        let Some(events) = rates.first() else { continue };
        for rate in rates {
            let [above, error] = rate.above(events);
            let is_events = rate.contact == Contact::Events;
            let or_dash = |text: String| if is_events { "-".to_owned() } else { text };
            table.push_texts(vec![
                format!("{} %", 100.0 * rate.packing),
                rate.contact.name().to_owned(),
                or_dash(format!("{}", rate.travel)),
                format!("{:.5}", rate.rate.mean),
                format!("{:.5}", rate.error()),
                or_dash(percent(above)),
                or_dash(percent(error)),
            ]);
        }
        remarks.extend(trend(rates, events));
    }
    remarks.insert(
        0,
        "Collisions per disk in the time that a disk takes for its own diameter at the mean speed; errors are \
         standard errors, from 20 stretches of time. `exact` and `events` are the same gas, so that they agree \
         within errors at any step."
            .to_owned(),
    );
    ReportSection::new("rates", "Collision rates without gravity, by step", table).remarks(remarks)
}

/// How far the web page's algorithm and the exact one are off, in a sentence.
fn trend(rates: &[Rate], events: &Rate) -> Option<String> {
    let of = |contact| rates.iter().filter(move |rate| rate.contact == contact);
    let apart = |rate: &Rate| {
        let [above, error] = rate.above(events);
        above.abs() / error
    };
    let worst = of(Contact::Exact).map(apart).fold(0.0, f64::max);
    let pages: Vec<[f64; 3]> = of(Contact::AfterMove)
        .map(|rate| {
            let [above, error] = rate.above(events);
            [rate.travel, above, error]
        })
        .collect();
    let [[first, first_error], [second, second_error]] = parabola(&pages)?;
    Some(format!(
        "At {} %: `exact` is at most {worst:.1} standard errors off. With x, the way per step over the diameter, \
         `after_move` is off by ({first:+.3} +- {first_error:.3}) x + ({second:+.2} +- {second_error:.2}) x^2 (least squares).",
        100.0 * events.packing,
    ))
}

/// The parabola through the origin that fits points (place, value, error of the value) best: its
/// two coefficients with their standard errors. None of fewer than two places.
fn parabola(points: &[[f64; 3]]) -> Option<[[f64; 2]; 2]> {
    let sum = |term: fn(f64, f64) -> f64| -> f64 {
        points.iter().map(|&[x, y, error]| term(x, y) / (error * error)).sum()
    };
    let (xx, xxx, xxxx) = (sum(|x, _| x * x), sum(|x, _| x * x * x), sum(|x, _| (x * x) * (x * x)));
    let (xy, xxy) = (sum(|x, y| x * y), sum(|x, y| x * x * y));
    let determinant = xx * xxxx - xxx * xxx;
    (points.len() > 1 && determinant > 0.0).then(|| {
        let first = (xxxx * xy - xxx * xxy) / determinant;
        let second = (xx * xxy - xxx * xy) / determinant;
        [[first, (xxxx / determinant).sqrt()], [second, (xx / determinant).sqrt()]]
    })
}

#[cfg(test)]
mod tests {
    use super::parabola;

    #[test]
    fn points_on_a_parabola_give_it_back() {
        let points = [0.1, 0.3, 0.4].map(|x| [x, -0.5 * x + 2.0 * x * x, 0.01]);
        let [[first, _], [second, _]] = parabola(&points).unwrap();
        assert!((first + 0.5).abs() < 1e-9 && (second - 2.0).abs() < 1e-9, "{first} {second}");
        assert!(parabola(&points[..1]).is_none());
    }
}
