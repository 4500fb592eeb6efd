//! Schinner 1999, section 3: the rules of exchange, the worked example, and the two bad cases.

use crate::reproduce::{PrintedVerdict, ReportSection};
use jostle_analysis::Table;
use jostle_core::search::{ListChange, SortStep, sort_step_by_step};
use jostle_core::space::Domain;
use jostle_polygons::boxes::Boxes;

pub(super) fn sections() -> Vec<ReportSection> {
    vec![rules(), example(), cases()]
}

type Interval = [f64; 2];

/// An exchange, the intervals of m and n before it and after it, and what Table 3 says of it for
/// intervals that are apart and that overlap on the other axis. The latter is Table 1 too.
type Rule = (&'static str, [Interval; 2], [Interval; 2], [&'static str; 2]);

const RULES: [Rule; 4] = [
    ("bm bn => bn bm", [[0.0, 3.0], [1.0, 4.0]], [[1.5, 3.0], [1.0, 4.0]], ["unchanged"; 2]),
    ("em en => en em", [[0.0, 3.0], [1.0, 4.0]], [[0.0, 5.0], [1.0, 4.0]], ["unchanged"; 2]),
    (
        "bm en => en bm",
        [[2.0, 4.0], [0.0, 3.0]],
        [[3.5, 4.0], [0.0, 3.0]],
        ["unchanged", "removed"],
    ),
    ("em bn => bn em", [[0.0, 2.0], [3.0, 4.0]], [[0.0, 3.5], [3.0, 4.0]], ["unchanged", "added"]),
];

/// On the other axis.
const OTHERS: [(&str, [Interval; 2]); 2] =
    [("apart", [[0.0, 1.0], [2.0, 3.0]]), ("overlap", [[0.0, 1.0], [0.5, 1.5]])];

fn rules() -> ReportSection {
    let mut table =
        Table::new(&["exchange", "along", "on the other axis", "printed", "ours", "verdict"]);
    for (exchange, before, after, printed) in RULES {
        for ((other, across), printed) in OTHERS.into_iter().zip(printed) {
            for along in [0, 1] {
                let found = change(along, [before, after], across);
                table.push_texts(vec![
                    exchange.to_owned(),
                    ["x", "y"][along].to_owned(),
                    other.to_owned(),
                    printed.to_owned(),
                    found.to_owned(),
                    PrintedVerdict::of(found == printed).name().to_owned(),
                ]);
            }
        }
    }
    ReportSection::new("tables_1_3", "Tables 1 and 3: what an exchange does to the list of collisions", table).remarks(
        vec![
            "Table 1 is the column of intervals that overlap. Where both axes change in one step the paper does \
             not say which order of the other axis is meant: it has to be the new one on both, or a pair that \
             comes to overlap along both at once is missed."
                .to_owned(),
        ],
    )
}

/// What a single exchange along one axis does.
fn change(along: usize, times: [[Interval; 2]; 2], across: [Interval; 2]) -> &'static str {
    let sides = |of: [Interval; 2]| {
        [0, 1].map(
            |body: usize| {
                if along == 0 { [of[body], across[body]] } else { [across[body], of[body]] }
            },
        )
    };
    let mut boxes = Boxes::new(&Domain::new([10.0; 2], [false; 2]));
    let (mut gained, mut lost) = (Vec::new(), Vec::new());
    boxes.build(&sides(times[0]), &mut gained);
    boxes.update(&[0, 1], &sides(times[1]), &mut gained, &mut lost);
    match (boxes.exchanges()[along], gained.len(), lost.len()) {
        (1, 0, 0) => "unchanged",
        (1, 1, 0) => "added",
        (1, 0, 1) => "removed",
        _ => "something else",
    }
}

/// The rows of Table 2: sorted, actual, unsorted, exchanges, changes of the list.
const TABLE_2: [[&str; 5]; 5] = [
    ["b1", "b2", "e1 e2 b3 e3", "b1 <-> b2", "none"],
    ["b2 b1", "e1", "e2 b3 e3", "-", "-"],
    ["b2 b1 e1", "e2", "b3 e3", "-", "-"],
    ["b2 b1 e1 e2", "b3", "e3", "e2 <-> b3", "add collision (2;3)"],
    ["b2 b1 e1 b3 e2", "e3", "", "-", "-"],
];

fn example() -> ReportSection {
    // Figure 4: intervals with the printed orders of ends.
    let (before, after) =
        ([[0.0, 2.0], [1.0, 3.0], [4.0, 5.0]], [[1.0, 2.0], [0.0, 4.0], [3.0, 5.0]]);
    let steps = sort_step_by_step(&before, &after);
    let mut table =
        Table::new(&["step", "", "sorted", "actual", "unsorted", "exchange", "change", "verdict"]);
    for (n, (printed, step)) in TABLE_2.into_iter().zip(&steps).enumerate() {
        let printed = printed.map(str::to_owned);
        let ours = reported(step);
        let verdict = PrintedVerdict::of(ours == printed).name();
        for (which, words, verdict) in [("printed", &printed, ""), ("ours", &ours, verdict)] {
            let step = if which == "printed" { (n + 1).to_string() } else { String::new() };
            let cells = [step, which.to_owned()].into_iter().chain(words.iter().cloned());
            table.push_texts(cells.chain([verdict.to_owned()]).collect());
        }
    }
    ReportSection::new("table_2", "Table 2: the worked example, row by row", table)
        .remarks(vec![format!("{} rows are printed, {} are ours.", TABLE_2.len(), steps.len())])
}

/// A step in the words of Table 2.
fn reported(step: &SortStep) -> [String; 5] {
    let or_dash =
        |words: Vec<String>| if words.is_empty() { "-".to_owned() } else { words.join(", ") };
    let exchanges = step.exchanges.iter().map(|([p, q], _)| format!("{p} <-> {q}")).collect();
    let change = |change: ListChange| match change {
        ListChange::None => "none".to_owned(),
        ListChange::Added([i, j]) => format!("add collision ({i};{j})"),
        ListChange::Removed([i, j]) => format!("remove collision ({i};{j})"),
    };
    let changes = step.exchanges.iter().map(|(_, what)| change(*what)).collect();
    let [sorted, unsorted] = [&step.sorted, &step.unsorted].map(|names| names.join(" "));
    [sorted, step.actual.clone(), unsorted, or_dash(exchanges), or_dash(changes)]
}

/// Of the tower.
const BODIES: usize = 40;

fn cases() -> ReportSection {
    let mut table = Table::new(&["case", "what", "by the paper", "ours", "verdict"]);
    let mut row = |case: &str, what: &str, expected: usize, found: usize| {
        let verdict = PrintedVerdict::of(expected == found).name();
        let [expected, found] = [expected, found].map(|n| n.to_string());
        table.push_texts(vec![
            case.to_owned(),
            what.to_owned(),
            expected,
            found,
            verdict.to_owned(),
        ]);
    };
    let (neighbours, among, exchanges) = long_box();
    row("Figure 5, a long box over 100 small ones", "its neighbours", 100, neighbours);
    row("", "pairs among the small ones", 0, among);
    row("", "exchanges as all continue together", 0, exchanges);
    let tower = |reversed: bool| -> Vec<Interval> {
        let place = |i: usize| (if reversed { BODIES - 1 - i } else { i }) as f64;
        (0..BODIES).map(|i| [place(i), place(i) + 2.0 * BODIES as f64]).collect()
    };
    let all = BODIES * (BODIES - 1) / 2;
    let case = format!("Figure 6, a tower of N = {BODIES} reversed in a step");
    for (case, from, to, expected) in
        [(case.as_str(), false, true, all), ("and in the step after it", true, true, 0)]
    {
        let steps = sort_step_by_step(&tower(from), &tower(to));
        let of = |kind: char| {
            let exchanges = steps.iter().flat_map(|step| &step.exchanges);
            exchanges.filter(|(names, _)| names.iter().all(|name| name.starts_with(kind))).count()
        };
        row(case, "exchanges of beginnings", expected, of('b'));
        row("", "exchanges of ends", expected, of('e'));
    }
    ReportSection::new("figures_5_6", "Figures 5 and 6: the two worst cases, counted", table).remarks(vec![
        "N (N - 1)/2 exchanges once, then work as N. In runs, boxes are sorted afresh where exchanges would be \
         more work than that."
            .to_owned(),
    ])
}

/// Neighbours of the long one, pairs among the others, exchanges of a common motion.
fn long_box() -> (usize, usize, usize) {
    let sides = |shift: f64| -> Vec<[Interval; 2]> {
        let small = (0..100)
            .map(|i| [i % 10, i / 10].map(|k| [f64::from(k) + shift, f64::from(k) + 0.5 + shift]));
        small.chain([[[shift - 1.0, shift + 10.0]; 2]]).collect()
    };
    let mut boxes = Boxes::new(&Domain::new([20.0; 2], [false; 2]));
    let (mut gained, mut lost) = (Vec::new(), Vec::new());
    boxes.build(&sides(0.0), &mut gained);
    let all: Vec<u32> = (0..101).collect();
    boxes.update(&all, &sides(0.25), &mut gained, &mut lost);
    let of_small: usize =
        (0..100).map(|body| boxes.near(body).filter(|&other| other != 100).count()).sum();
    (boxes.near(100).count(), of_small / 2, boxes.exchanges().iter().sum::<u64>() as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_is_printed_of_the_sort_is_reproduced() {
        for section in sections() {
            let verdict = section.table.columns.len() - 1;
            for row in &section.table.rows {
                let found = row[verdict].to_string();
                assert!(
                    found.is_empty() || found == PrintedVerdict::Reproduced.name(),
                    "{}: {row:?}",
                    section.name
                );
            }
        }
    }
}
