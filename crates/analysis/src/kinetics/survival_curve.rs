//! How long things last, of which some were still there when one looked away.

use super::super::tables::{Cell, Table};
use super::poisson::PoissonRate;

/// A life that was looked at from one age to another. \[µs\]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Observed {
    /// The age at which one began to look; 0 if from the beginning.
    pub entry: f64,
    /// The age at which it ended, or one looked away.
    pub exit: f64,
    /// Whether it ended; otherwise it is censored.
    pub ended: bool,
}

impl Observed {
    /// A life that began at some moment, seen through a window. Nothing if it lies outside.
    pub(super) fn through([from, to]: [f64; 2], began: f64, ended: Option<f64>) -> Option<Self> {
        let seen_to = ended.unwrap_or(to).min(to);
        let life = Self {
            entry: (from - began).max(0.0),
            exit: seen_to - began,
            ended: ended.is_some_and(|ended| ended <= to),
        };
        (life.exit > life.entry || (life.ended && life.exit == life.entry && began >= from))
            .then_some(life)
    }
}

/// What lives that were looked at did at one age.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AtAge {
    /// The age. \[µs\]
    pub age: f64,
    /// How many one began to look at.
    pub entered: u64,
    /// How many ended.
    pub ended: u64,
    /// How many one looked away from before they ended.
    pub censored: u64,
}

/// All that a survival curve needs of lives: what happened at each age. Those of several runs can be
/// pooled.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LifeTable {
    /// In the order of age, each age once.
    ages: Vec<AtAge>,
}

impl LifeTable {
    /// Of some lives; those longer than `longest` \[µs\] are looked at up to then.
    pub fn of(lives: &[Observed], longest: Option<f64>) -> Self {
        let limit = longest.unwrap_or(f64::INFINITY);
        let seen = lives.iter().filter(|life| life.entry < limit);
        Self::pooled(seen.flat_map(|life| {
            let ended = u64::from(life.ended && life.exit <= limit);
            [
                AtAge { age: life.entry, entered: 1, ..AtAge::default() },
                AtAge { age: life.exit.min(limit), entered: 0, ended, censored: 1 - ended },
            ]
        }))
    }

    /// From ages in any order, of one run or several.
    pub fn pooled(ages: impl IntoIterator<Item = AtAge>) -> Self {
        let mut all: Vec<AtAge> = ages.into_iter().collect();
        all.sort_unstable_by(|a, b| a.age.total_cmp(&b.age));
        all.dedup_by(|next, sum| {
            let is_same = next.age == sum.age;
            if is_same {
                // In a damaged file there may be any number.
                sum.entered = sum.entered.saturating_add(next.entered);
                sum.ended = sum.ended.saturating_add(next.ended);
                sum.censored = sum.censored.saturating_add(next.censored);
            }
            is_same
        });
        Self { ages: all }
    }

    /// In the order of age, each age once.
    pub fn ages(&self) -> &[AtAge] {
        &self.ages
    }

    /// The heads of [`rows`](Self::rows).
    pub const HEADS: [&str; 4] = ["age (µs)", "entered", "ended", "censored"];

    /// Appends one row for each age.
    pub fn rows(&self, of: &Cell, table: &mut Table) {
        for AtAge { age, entered, ended, censored } in &self.ages {
            let numbers = [*entered, *ended, *censored].map(Cell::from);
            table.push([of.clone(), (*age).into()].into_iter().chain(numbers).collect());
        }
    }
}

/// A step of a survival curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurvivalPoint {
    /// The age. \[µs\]
    pub time: f64,
    /// How many had reached it and were looked at.
    pub at_risk: u64,
    /// How many of these ended at it.
    pub ended: u64,
    /// The share that lives longer.
    pub fraction: f64,
    /// Its standard error (Greenwood 1926); NaN once the share is 0.
    pub error: f64,
}

/// The share that lives longer than an age (Kaplan & Meier 1958).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SurvivalCurve {
    /// How many lives were looked at.
    pub lives: u64,
    /// Ends over the time lived: one over the mean life, if the end is as likely at any age. Its
    /// interval assumes independent ends.
    pub rate: PoissonRate,
    /// One for each age at which a life ended.
    pub points: Vec<SurvivalPoint>,
    /// The mean life up to the greatest age seen: the area under the curve. \[µs\]
    pub mean: f64,
    /// Its standard error, from Greenwood's. \[µs\]
    pub mean_error: f64,
    /// The greatest age seen. \[µs\]
    pub longest: f64,
    /// What it was made from.
    pub ages: LifeTable,
}

impl From<LifeTable> for SurvivalCurve {
    fn from(ages: LifeTable) -> Self {
        let sum = |number: &dyn Fn(&AtAge) -> f64| ages.ages.iter().map(number).sum::<f64>();
        let lives = ages.ages.iter().map(|at| at.entered).fold(0, u64::saturating_add);
        let events = ages.ages.iter().map(|at| at.ended).fold(0, u64::saturating_add);
        let exposure = sum(&|at| at.age * (at.ended + at.censored) as f64)
            - sum(&|at| at.age * at.entered as f64);
        let points = points(&ages.ages);
        let longest = ages.ages.last().map_or(0.0, |at| at.age);
        let (mean, mean_error) = area(&points, longest);
        let rate = PoissonRate { events, exposure };
        Self { lives, rate, points, mean, mean_error, longest, ages }
    }
}

impl SurvivalCurve {
    /// The curve of some lives; those longer than `longest` \[µs\] are looked at up to then.
    pub fn of(lives: &[Observed], longest: Option<f64>) -> Self {
        LifeTable::of(lives, longest).into()
    }

    /// The heads of [`summary`](Self::summary).
    pub const SUMMARY: [&str; 8] = [
        "seen",
        "ended",
        "median (µs)",
        "mean life (µs)",
        "95 % from (µs)",
        "95 % to (µs)",
        "area under curve (µs)",
        "std. error (µs)",
    ];

    /// What is to be said of it in one row: the mean life is that of an exponential law, time lived
    /// per end, with its exact interval.
    pub fn summary(&self) -> [Cell; 8] {
        let [low, high] = self.rate.interval();
        let inverse = |rate: f64| (rate > 0.0).then(|| 1.0 / rate);
        [
            self.lives.into(),
            self.rate.events.into(),
            self.median().into(),
            inverse(self.rate.rate()).into(),
            inverse(high).into(),
            inverse(low).into(),
            self.mean.into(),
            self.mean_error.into(),
        ]
    }

    /// The heads of [`rows`](Self::rows).
    pub const HEADS: [&str; 5] = ["age (µs)", "at risk", "ended", "share left", "std. error"];

    /// Appends one row for each age at which a life ended.
    pub fn rows(&self, of: &Cell, table: &mut Table) {
        for point in &self.points {
            table.push(vec![
                of.clone(),
                point.time.into(),
                point.at_risk.into(),
                point.ended.into(),
                point.fraction.into(),
                point.error.into(),
            ]);
        }
    }

    /// The age that half of them reach, if it is seen. \[µs\]
    pub fn median(&self) -> Option<f64> {
        self.points.iter().find(|point| point.fraction <= 0.5).map(|point| point.time)
    }

    /// The share that lives longer than `time`. \[µs\]
    pub fn at(&self, time: f64) -> f64 {
        let after = self.points.partition_point(|point| point.time <= time);
        after.checked_sub(1).map_or(1.0, |n| self.points[n].fraction)
    }
}

/// The curve at each age at which a life ended.
fn points(ages: &[AtAge]) -> Vec<SurvivalPoint> {
    let (mut fraction, mut greenwood) = (1.0, 0.0);
    let (mut points, mut there) = (Vec::new(), 0);
    for &AtAge { age: time, entered, ended, censored } in ages {
        // A particle that ends at the very moment of entry has been at risk as well.
        let at_risk = u64::saturating_add(there, entered);
        // In a damaged file lives may end before they begin.
        there = at_risk.saturating_sub(ended.saturating_add(censored));
        if ended == 0 {
            continue;
        }
        let [all, gone] = [at_risk, ended].map(|n| n as f64);
        fraction *= 1.0 - gone / all;
        greenwood += gone / (all * (all - gone));
        let error = if fraction > 0.0 { fraction * greenwood.sqrt() } else { f64::NAN };
        points.push(SurvivalPoint { time, at_risk, ended, fraction, error });
    }
    points
}

/// The area under the curve up to an age, and its standard error.
fn area(points: &[SurvivalPoint], longest: f64) -> (f64, f64) {
    let (mut right, mut area, mut variance) = (longest, 0.0, 0.0);
    for point in points.iter().rev() {
        area += point.fraction * (right - point.time);
        right = point.time;
        let (at_risk, ended) = (point.at_risk as f64, point.ended as f64);
        if at_risk > ended {
            variance += area * area * ended / (at_risk * (at_risk - ended));
        }
    }
    (area + right, variance.sqrt())
}

/// One row for each, what it is being in the first column, `head`.
pub(super) fn summaries<'a>(
    head: &str,
    curves: impl Iterator<Item = (Cell, &'a SurvivalCurve)>,
) -> Table {
    let mut table = Table::new(&[&[head], &SurvivalCurve::SUMMARY[..]].concat());
    for (of, curve) in curves {
        table.push(std::iter::once(of).chain(curve.summary()).collect());
    }
    table
}

/// The curves, one row for each age at which one ended.
pub(super) fn curves<'a>(
    head: &str,
    curves: impl Iterator<Item = (Cell, &'a SurvivalCurve)>,
) -> Table {
    let mut table = Table::new(&[&[head], &SurvivalCurve::HEADS[..]].concat());
    curves.for_each(|(of, curve)| curve.rows(&of, &mut table));
    table
}

/// What the curves were made from, one row for each age at which something happened.
pub(super) fn ages<'a>(
    head: &str,
    curves: impl Iterator<Item = (Cell, &'a SurvivalCurve)>,
) -> Table {
    let mut table = Table::new(&[&[head], &LifeTable::HEADS[..]].concat());
    curves.for_each(|(of, curve)| curve.ages.rows(&of, &mut table));
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lives(list: &[(f64, bool)]) -> Vec<Observed> {
        list.iter().map(|&(exit, ended)| Observed { entry: 0.0, exit, ended }).collect()
    }

    /// The patients with 6-mercaptopurine of Freireich et al. (1963), the textbook case (Collett,
    /// Modelling Survival Data; Cox & Oakes, Table 1.1).
    #[test]
    fn the_textbook_case_comes_out_as_in_the_textbook() {
        let ended = [6, 6, 6, 7, 10, 13, 16, 22, 23];
        let censored = [6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35];
        let mut all: Vec<(f64, bool)> = ended.map(|t| (f64::from(t), true)).to_vec();
        all.extend(censored.map(|t| (f64::from(t), false)));
        let curve = SurvivalCurve::of(&lives(&all), None);
        let expected = [
            (6.0, 21, 0.8571, 0.0764),
            (7.0, 17, 0.8067, 0.0869),
            (10.0, 15, 0.7529, 0.0963),
            (13.0, 12, 0.6902, 0.1068),
            (16.0, 11, 0.6275, 0.1141),
            (22.0, 7, 0.5378, 0.1282),
            (23.0, 6, 0.4482, 0.1346),
        ];
        assert_eq!(curve.points.len(), expected.len());
        for (point, (time, at_risk, fraction, error)) in curve.points.iter().zip(expected) {
            assert_eq!((point.time, point.at_risk), (time, at_risk));
            assert!((point.fraction - fraction).abs() < 5e-5, "{point:?}");
            assert!((point.error - error).abs() < 5e-5, "{point:?}");
        }
        assert_eq!((curve.lives, curve.median()), (21, Some(23.0)));
        // 9 ends in 359 weeks.
        assert_eq!(curve.rate, PoissonRate { events: 9, exposure: 359.0 });
        assert_eq!([curve.at(5.9), curve.at(100.0)], [1.0, curve.points[6].fraction]);
    }

    #[test]
    fn without_censoring_the_mean_is_the_mean() {
        let curve = SurvivalCurve::of(&lives(&[(1.0, true), (2.0, true), (6.0, true)]), None);
        assert!((curve.mean - 3.0).abs() < 1e-12);
        // As that of a mean, with n instead of n - 1.
        let error = ((4.0 + 1.0 + 9.0) / 3.0 / 3.0f64).sqrt();
        assert!((curve.mean_error - error).abs() < 1e-12, "{}", curve.mean_error);
        assert!(curve.points[2].error.is_nan());
        let cut = SurvivalCurve::of(&lives(&[(1.0, true), (2.0, true), (6.0, true)]), Some(3.0));
        assert_eq!((cut.rate.events, cut.longest, cut.mean), (2, 3.0, 2.0));
    }

    #[test]
    fn one_that_comes_late_is_at_risk_from_then_on() {
        let late = Observed { entry: 3.0, exit: 5.0, ended: true };
        let curve =
            SurvivalCurve::of(&[lives(&[(2.0, true), (4.0, true)]), vec![late]].concat(), None);
        assert_eq!(curve.points.iter().map(|p| p.at_risk).collect::<Vec<_>>(), [2, 2, 1]);
        assert_eq!(curve.rate.exposure, 8.0);
    }

    #[test]
    fn lives_of_several_runs_are_pooled_as_if_they_were_of_one() {
        let [one, other] = [
            lives(&[(2.0, true), (4.0, false), (5.0, true)]),
            lives(&[(1.0, false), (4.0, true), (9.0, true)]),
        ];
        let parts = [&one, &other].map(|lives| LifeTable::of(lives, None));
        let pooled = LifeTable::pooled(parts.iter().flat_map(|part| part.ages().iter().copied()));
        let together = SurvivalCurve::of(&[one, other].concat(), None);
        assert_eq!(pooled, together.ages);
        let (curve, area) = (SurvivalCurve::from(pooled), 2.0 + 0.8 * 2.0 + 0.6 + 0.3 * 4.0);
        assert!((curve.mean - area).abs() < 1e-12 && curve.mean == together.mean);
        assert_eq!(together.points[1].at_risk, 4);
    }

    #[test]
    fn a_window_shows_a_part_of_a_life() {
        let through = |began, ended| Observed::through([10.0, 20.0], began, ended);
        let life = |entry, exit, ended| Some(Observed { entry, exit, ended });
        assert_eq!(through(12.0, Some(15.0)), life(0.0, 3.0, true));
        assert_eq!(through(4.0, Some(15.0)), life(6.0, 11.0, true));
        assert_eq!(through(12.0, Some(25.0)), life(0.0, 8.0, false));
        assert_eq!(through(12.0, None), life(0.0, 8.0, false));
        assert_eq!([through(1.0, Some(9.0)), through(21.0, None)], [None, None]);
    }
}
