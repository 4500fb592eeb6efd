//! Runs columns with all structures over many seeds.

use super::placement::{Speeds, packing, place, set_moving};
use super::printed::{Column, Start};
use super::run::{Counts, Physics, run};
use crate::reproduce::sample::least;
use crate::reproduce::{Progress, ReproduceError, Sample};
use jostle_core::random::Random;
use jostle_events::granular::TrajectoryClock;
use jostle_events::kinetic::KineticKind;

/// What one seed gave.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The seed.
    pub seed: u64,
    /// Share of the area.
    pub packing: f64,
    /// With each structure, in the order of [`Results::kinds`].
    pub counts: Vec<Counts>,
    /// With the algorithm as printed in Gavrilova & Rokne 2002: a trajectory event at each
    /// collision.
    pub printed_algorithm: Counts,
    /// If balls of all sizes start with the same speeds: only where sizes differ.
    pub alike: Option<Counts>,
}

/// What all seeds gave for a column.
#[derive(Clone, Debug)]
pub struct Results {
    /// The column.
    pub column: Column,
    /// The structures.
    pub kinds: Vec<KineticKind>,
    /// The seeds.
    pub trials: Vec<Trial>,
}

impl Results {
    /// The structure that all others agree with.
    pub fn first_kind(&self) -> KineticKind {
        self.kinds[0]
    }

    /// What was counted with a structure, seed by seed.
    pub fn of(&self, kind: KineticKind) -> impl Iterator<Item = &Counts> {
        let at = self.kinds.iter().position(|&one| one == kind);
        self.trials.iter().filter_map(move |trial| at.and_then(|at| trial.counts.get(at)))
    }

    /// A figure of each run with a structure.
    pub fn sample(&self, kind: KineticKind, figure: impl Fn(&Counts) -> f64) -> Sample {
        Sample::of(self.of(kind).map(figure))
    }

    /// The ratio of a figure of two structures, seed by seed.
    pub fn ratio(
        &self,
        kind: KineticKind,
        other: KineticKind,
        figure: impl Fn(KineticKind, &Counts) -> f64,
    ) -> Sample {
        let pairs = self.of(kind).zip(self.of(other));
        Sample::of(pairs.map(|(a, b)| figure(kind, a) / figure(other, b)))
    }

    /// The least time of all seeds: they do nearly the same work, and other work on the machine
    /// only ever adds to it. \[s\]
    pub fn seconds(&self, kind: KineticKind) -> f64 {
        least(self.of(kind).map(|counts| counts.seconds))
    }
}

/// Runs a column with `kinds` over `seeds`.
///
/// # Errors
/// If balls cannot be placed, a run fails, or two structures give different results.
pub fn study(
    column: &Column,
    kinds: &[KineticKind],
    seeds: u64,
    progress: Progress<'_>,
) -> Result<Results, ReproduceError> {
    progress(&column.title());
    let trials = (1..=seeds).map(|seed| trial(column, kinds, seed)).collect::<Result<_, _>>()?;
    Ok(Results { column: *column, kinds: kinds.to_vec(), trials })
}

fn trial(column: &Column, kinds: &[KineticKind], seed: u64) -> Result<Trial, ReproduceError> {
    let random = Random::new(seed);
    let balls = place(column, &random)
        .ok_or_else(|| ReproduceError::NoPlacement { column: column.title(), seed })?;
    let grains = set_moving(&balls, &random, Speeds::Maxwell);
    let grid = Physics::of_the_tables(column, TrajectoryClock::Grid)?;
    let counts = alike_for_all(&column.title(), kinds, |kind| run(&grid, &grains, kind))?;
    let reset = Physics::of_the_tables(column, TrajectoryClock::Reset)?;
    let alike = (column.table == 3 && column.start == Start::Room)
        .then(|| run(&grid, &set_moving(&balls, &random, Speeds::Alike), KineticKind::Cubic))
        .transpose()?;
    Ok(Trial {
        seed,
        packing: packing(&balls),
        counts,
        printed_algorithm: run(&reset, &grains, KineticKind::Cubic)?,
        alike,
    })
}

/// Runs all structures and holds them to the same results, bit by bit.
pub(super) fn alike_for_all(
    case: &str,
    kinds: &[KineticKind],
    run: impl Fn(KineticKind) -> Result<Counts, ReproduceError>,
) -> Result<Vec<Counts>, ReproduceError> {
    let counts = kinds.iter().map(|&kind| run(kind)).collect::<Result<Vec<_>, _>>()?;
    for (&kind, one) in kinds.iter().zip(&counts) {
        if one.fingerprint != counts[0].fingerprint {
            return Err(ReproduceError::ResultsDiffer {
                case: case.to_owned(),
                kind,
                first: kinds[0],
                found: one.fingerprint,
                expected: counts[0].fingerprint,
            });
        }
    }
    Ok(counts)
}
