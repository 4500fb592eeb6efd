//! How long clusters keep their size.

use std::collections::BTreeMap;

use super::super::scope::Scope;
use super::super::tables::{Cell, Table};
use super::sizes;
use super::survival_curve::{Observed, SurvivalCurve, ages, curves, summaries};
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
    fn curves(&self) -> impl Iterator<Item = (Cell, &SurvivalCurve)> {
        self.sizes.iter().map(|one| (Cell::from(one.size), &one.curve))
    }

    /// One row per size.
    pub fn to_table(&self) -> Table {
        summaries("size", self.curves())
    }

    /// One row per size and age at which a cluster ended.
    pub fn curves_to_table(&self) -> Table {
        curves("size", self.curves())
    }

    /// One row per size and age at which a cluster was first seen, ended, or was last seen.
    pub fn ages_to_table(&self) -> Table {
        ages("size", self.curves())
    }
}

/// Measures how long clusters keep their size, from the log of changes. Those that are still there
/// at the end are censored; those that were there at the start count from then on. Ages above
/// `longest` \[µs\] are not looked at. If species are chosen, the size is the number of their particles. 24 bytes for each life are held in memory.
///
/// # Errors
/// If there is no frame, or the file cannot be read.
pub fn lifetimes(
    reading: &Reading,
    scope: &Scope,
    longest: Option<f64>,
) -> Result<Lifetimes, ReadError> {
    let window = scope.window(reading)?;
    let chosen = scope.chosen(reading)?;
    let mut lives: BTreeMap<u64, Vec<Observed>> = BTreeMap::new();
    let mut enter = |size: u64, since: f64, ended: Option<f64>| {
        if let Some(life) = Observed::through(window, since, ended) {
            lives.entry(size).or_default().push(life);
        }
    };
    let left = sizes::follow(
        reading,
        chosen.as_deref(),
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
