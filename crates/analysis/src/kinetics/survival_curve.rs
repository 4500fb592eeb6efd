//! How long things last, of which some were still there when one looked away.

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
}

impl SurvivalCurve {
    /// The curve of some lives; those longer than `longest` \[µs\] are looked at up to then.
    pub fn of(lives: &[Observed], longest: Option<f64>) -> Self {
        let limit = longest.unwrap_or(f64::INFINITY);
        let seen = || lives.iter().filter(|life| life.entry < limit);
        let mut entries: Vec<f64> = seen().map(|life| life.entry).collect();
        let mut exits: Vec<(f64, bool)> =
            seen().map(|life| (life.exit.min(limit), life.ended && life.exit <= limit)).collect();
        entries.sort_unstable_by(f64::total_cmp);
        exits.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let exposure = exits.iter().map(|exit| exit.0).sum::<f64>() - entries.iter().sum::<f64>();
        let events = exits.iter().filter(|exit| exit.1).count() as u64;
        let points = points(&entries, &exits);
        let longest = exits.last().map_or(0.0, |exit| exit.0);
        let (mean, mean_error) = area(&points, longest);
        Self {
            lives: entries.len() as u64,
            rate: PoissonRate { events, exposure },
            points,
            mean,
            mean_error,
            longest,
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

/// Entries and exits are in the order of age.
fn points(entries: &[f64], exits: &[(f64, bool)]) -> Vec<SurvivalPoint> {
    let (mut fraction, mut greenwood) = (1.0, 0.0);
    let (mut points, mut entered, mut left) = (Vec::new(), 0, 0);
    for together in exits.chunk_by(|a, b| a.0 == b.0) {
        let time = together[0].0;
        // A particle that ends at the very moment of entry has been at risk as well.
        while entries.get(entered).is_some_and(|&entry| entry <= time) {
            entered += 1;
        }
        let at_risk = (entered - left) as f64;
        left += together.len();
        let ended = together.iter().filter(|exit| exit.1).count() as u64;
        if ended == 0 {
            continue;
        }
        let gone = ended as f64;
        fraction *= 1.0 - gone / at_risk;
        greenwood += gone / (at_risk * (at_risk - gone));
        let error = if fraction > 0.0 { fraction * greenwood.sqrt() } else { f64::NAN };
        points.push(SurvivalPoint { time, at_risk: at_risk as u64, ended, fraction, error });
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
