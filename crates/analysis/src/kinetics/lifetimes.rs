//! How long clusters keep their size.

use std::collections::BTreeMap;

use super::super::scope::Scope;
use super::super::tables::{Cell, Table};
use super::sizes;
use super::survival_curve::{Observed, SurvivalCurve};
use jostle_h5md::reading::ReadError;
use jostle_h5md::reading::Reading;

/// How long clusters of one size stay as they are: until they grow, shrink, merge or fall apart.
#[derive(Clone, Debug, PartialEq)]
pub struct SizeLife {
    /// Particles in the cluster.
    pub size: u64,
    /// The share that stays so for longer; ages in µs.
    pub curve: SurvivalCurve,
}

/// Lifetimes of clusters by size.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lifetimes {
    /// By size.
    pub sizes: Vec<SizeLife>,
}

impl Lifetimes {
    /// One row per size.
    pub fn to_table(&self) -> Table {
        let mut table = Table::new(&[&["size"], &SUMMARY[..]].concat());
        for one in &self.sizes {
            table.push(summary(Cell::from(one.size), &one.curve));
        }
        table
    }

    /// One row per size and age at which a cluster ended.
    pub fn curves_to_table(&self) -> Table {
        let mut table = Table::new(&[&["size"], &CURVE[..]].concat());
        for one in &self.sizes {
            curve_rows(&mut table, &Cell::from(one.size), &one.curve);
        }
        table
    }
}

/// The heads of what [`summary`] says.
pub(super) const SUMMARY: [&str; 8] = [
    "seen",
    "ended",
    "median (µs)",
    "mean life (µs)",
    "95 % from (µs)",
    "95 % to (µs)",
    "area under curve (µs)",
    "std. error (µs)",
];

/// What is to be said of a survival curve in one row: the mean life is that of an exponential law,
/// time lived per end, with its exact interval.
pub(super) fn summary(of: Cell, curve: &SurvivalCurve) -> Vec<Cell> {
    let [low, high] = curve.rate.interval();
    let inverse = |rate: f64| (rate > 0.0).then(|| 1.0 / rate);
    vec![
        of,
        curve.lives.into(),
        curve.rate.events.into(),
        curve.median().into(),
        inverse(curve.rate.rate()).into(),
        inverse(high).into(),
        inverse(low).into(),
        curve.mean.into(),
        curve.mean_error.into(),
    ]
}

/// The heads of the rows of a curve.
pub(super) const CURVE: [&str; 5] = ["age (µs)", "at risk", "ended", "share left", "std. error"];

pub(super) fn curve_rows(table: &mut Table, of: &Cell, curve: &SurvivalCurve) {
    for point in &curve.points {
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

/// Measures how long clusters keep their size, from the log of changes. Those that are still there
/// at the end are censored; those that were there at the start count from then on. Ages above
/// `longest` \[µs\] are not looked at. 24 bytes for each life are held in memory.
///
/// # Errors
/// If there is no frame, or the file cannot be read.
pub fn lifetimes(
    reading: &Reading,
    scope: &Scope,
    longest: Option<f64>,
) -> Result<Lifetimes, ReadError> {
    let window = scope.window(reading)?;
    let mut lives: BTreeMap<u64, Vec<Observed>> = BTreeMap::new();
    let mut enter = |size: u64, since: f64, ended: Option<f64>| {
        if let Some(life) = Observed::through(window, since, ended) {
            lives.entry(size).or_default().push(life);
        }
    };
    let left = sizes::follow(
        reading,
        window[1],
        |_| (),
        |turn| {
            turn.gone
                .iter()
                .for_each(|cluster| enter(cluster.size, cluster.since, Some(turn.time)));
        },
    )?;
    left.iter().for_each(|cluster| enter(cluster.size, cluster.since, None));
    let curve = |(size, lives): (u64, Vec<Observed>)| SizeLife {
        size,
        curve: SurvivalCurve::of(&lives, longest),
    };
    Ok(Lifetimes { sizes: lives.into_iter().map(curve).collect() })
}
