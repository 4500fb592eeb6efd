//! Whether displacements have the variance of diffusion.
//!
//! Of particles that ignore anything, the displacement over a step less its drift is Gaussian with
//! variance 2 D dt along each axis. Of particles that bounce it is not; but elastic bounces with
//! masses 1/D, and walls, leave the sum of v²/D of all that can meet each other as it was drawn,
//! and v²/(2 D dt) summed over them and the axes follows chi squared, exactly, in equilibrium or
//! not. Reactions draw velocities anew: each particle that takes part is given leave to change the
//! sum by as much as it never does.
//!
//! The bound is that of Chernoff, which holds for any number of samples: chi squared of n degrees
//! of freedom is beyond n x, on x's side of 1, with a probability below exp(-n/2 (x - 1 - ln x)).

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::places::CHUNK;
use super::subject::Diffusion;
use super::{SelfCheckFault, Subject, short};
use jostle_core::motion::Motion;
use jostle_core::observe::{Change, ChangeKind, View};
use jostle_core::particles::ALONE;
use jostle_core::space::Vector;

/// Chance raises an alarm in fewer runs than one in so many.
const RUNS: f64 = 1e9;

/// The sums are judged when the number of looks has doubled, at most so often in any run, to either
/// side.
const JUDGEMENTS: f64 = 2.0 * 64.0;

/// By how much a particle that takes part in a reaction may change the sum, and all of them once.
/// It takes or brings a velocity, chi squared of 3 degrees of freedom, or 4 of one that has just
/// touched another, and as many samples. That m of them are above 15 m + 100 together has a
/// probability below 1e-20 for any m.
const LEAVE: [f64; 2] = [15.0, 100.0];

/// What was found of the particles of a group.
#[derive(Clone, Debug, Default)]
struct Sum {
    /// Of the squares, over 2 D dt.
    squares: f64,
    /// How many squares there are.
    samples: u64,
    /// How many particles took part in changes within the steps that were looked at.
    changed: u64,
}

#[derive(Clone, Debug)]
pub(super) struct Spread<const D: usize> {
    way: Diffusion<D>,
    /// The group of each species, and its name.
    groups: Vec<usize>,
    names: BTreeMap<usize, String>,
    sums: BTreeMap<usize, Sum>,
    changes: Changes,
    /// Where every particle was a step ago.
    before: Option<Before<D>>,
    /// How often the sums have been added to.
    looks: u64,
}

/// Which particles took part in changes of one step.
#[derive(Clone, Debug, Default)]
struct Changes {
    /// Which step, counted from 0.
    step: u64,
    /// How many, by group.
    counts: BTreeMap<usize, u64>,
    ids: Vec<u64>,
}

#[derive(Clone, Debug)]
struct Before<const D: usize> {
    step: u64,
    id: Vec<u64>,
    species: Vec<u16>,
    place: Vec<Vector<D>>,
}

impl<const D: usize> Spread<D> {
    pub(super) fn new(subject: &Subject<D>) -> Self {
        let mut names: BTreeMap<usize, String> = BTreeMap::new();
        for (name, &group) in subject.names.iter().zip(&subject.groups) {
            if !subject.unlawful[group] {
                let all = names.entry(group).or_default();
                all.push_str(if all.is_empty() { "" } else { ", " });
                all.push_str(name);
            }
        }
        Self {
            way: subject.diffusion.clone(),
            groups: subject.groups.clone(),
            names,
            sums: BTreeMap::new(),
            changes: Changes::default(),
            before: None,
            looks: 0,
        }
    }

    fn group(&self, species: u16) -> Option<usize> {
        self.groups.get(species as usize).copied().filter(|group| self.names.contains_key(group))
    }

    /// Whether the state now has to be known to look at the next one.
    pub(super) fn waits_for(&self, view: &View<'_, D>) -> bool {
        let last = view.clock.step.checked_sub(1);
        matches!(self.way, Diffusion::Free(_))
            && self.before.as_ref().map(|before| before.step) != last
    }

    /// Takes down where every particle is.
    pub(super) fn remember(&mut self, view: &View<'_, D>) {
        let p = view.particles;
        let place = (0..p.len()).into_par_iter().with_min_len(CHUNK).map(|i| view.unwrapped(i));
        self.before = Some(Before {
            step: view.clock.step,
            id: p.id.clone(),
            species: p.species.clone(),
            place: place.collect(),
        });
    }

    /// Follows a change.
    pub(super) fn change(&mut self, change: &Change<'_, D>) {
        if matches!(self.way, Diffusion::None) || change.kind == ChangeKind::Refused {
            return;
        }
        if self.changes.step != change.step {
            self.changes.step = change.step;
            self.changes.counts.clear();
            self.changes.ids.clear();
        }
        for party in change.reactants.iter().chain(change.products) {
            if let Some(group) = self.group(party.species) {
                *self.changes.counts.entry(group).or_default() +=
                    1 + change.clusters_after.len() as u64;
            }
            self.changes.ids.push(party.id);
        }
    }

    /// Adds what the step that is over tells.
    pub(super) fn look(&mut self, view: &View<'_, D>) -> Result<(), SelfCheckFault> {
        let found = match (&self.way, self.before.take()) {
            (Diffusion::Free(motion), Some(before)) if before.step + 1 == view.clock.step => {
                self.displacements(view, motion, &before)
            }
            (Diffusion::Bouncing, _) if view.clock.step > 0 => self.velocities(view),
            _ => return Ok(()),
        };
        for (group, (squares, samples)) in found {
            let sum = self.sums.entry(group).or_default();
            sum.squares += squares;
            sum.samples += samples;
            if matches!(self.way, Diffusion::Bouncing) && self.changes.step + 1 == view.clock.step {
                sum.changed += self.changes.counts.get(&group).copied().unwrap_or(0);
            }
        }
        self.looks += 1;
        if self.looks.is_power_of_two() { self.judge(view.clock.step) } else { Ok(()) }
    }

    /// By group, the sum and the number of squares.
    fn displacements(
        &self,
        view: &View<'_, D>,
        motion: &Motion<D>,
        before: &Before<D>,
    ) -> BTreeMap<usize, (f64, u64)> {
        let p = view.particles;
        let mut slots: Vec<Option<u32>> = Vec::new();
        if p.id != before.id {
            // Some came or went, or slots were put in order.
            let by_id = p.slots_by_id();
            let find = |id: &u64| by_id.binary_search_by_key(id, |&slot| p.id[slot as usize]).ok();
            slots = before.id.iter().map(|id| find(id).map(|n| by_id[n])).collect();
        }
        let mut changed = match self.changes.step == before.step {
            true => self.changes.ids.clone(),
            false => Vec::new(),
        };
        changed.sort_unstable();
        let one = |n: usize| {
            let slot = if slots.is_empty() { Some(n as u32) } else { slots[n] };
            let i = slot.filter(|&slot| p.alive[slot as usize])? as usize;
            let (species, d) = (p.species[i], p.diffusion_coefficient[i]);
            let group = self.group(species).filter(|_| d > 0.0)?;
            let same = species == before.species[n]
                && (changed.is_empty() || changed.binary_search(&p.id[i]).is_err());
            let drift = motion.drift(species, view.domain.wrap(before.place[n]).0);
            // Not by the code that draws: that would find its own faults right.
            let width = (2.0 * d * view.clock.timestep).sqrt() * motion.damping(species);
            let way = view.unwrapped(i) - before.place[n] - drift;
            let square = (0..D).map(|k| (way[k] / width).powi(2)).sum::<f64>();
            same.then_some((group, square))
        };
        summed::<D>(before.id.len(), one)
    }

    fn velocities(&self, view: &View<'_, D>) -> BTreeMap<usize, (f64, u64)> {
        let (p, dt) = (view.particles, view.clock.timestep);
        let one = |i: usize| {
            let d = p.diffusion_coefficient[i];
            let group = self.group(p.species[i]).filter(|_| p.alive[i] && d > 0.0)?;
            // A unit moves as one, and counts once.
            let first = |unit: u32| view.clusters.unit(unit).members[0];
            let counts = p.unit[i] == ALONE || first(p.unit[i]) as usize == i;
            counts.then(|| (group, p.velocity[i].norm_squared() / (2.0 * d * dt)))
        };
        summed::<D>(p.len(), one)
    }

    fn judge(&self, step: u64) -> Result<(), SelfCheckFault> {
        let improbable = (RUNS * JUDGEMENTS * self.names.len() as f64).ln();
        for (group, Sum { squares, samples, changed }) in &self.sums {
            let n = *samples as f64;
            let leave = if *changed > 0 { *changed as f64 * LEAVE[0] + LEAVE[1] } else { 0.0 };
            let beyond = (squares - n).abs() - leave;
            let x = 1.0 + beyond.max(0.0).copysign(squares - n) / n.max(1.0);
            let surprise = 0.5 * n * (x - 1.0 - x.max(f64::MIN_POSITIVE).ln());
            if surprise.is_nan() || surprise > improbable {
                let species = self.names.get(group).cloned().unwrap_or_default();
                return Err(SelfCheckFault::Spread {
                    step,
                    species,
                    ratio: squares / n,
                    samples: *samples,
                });
            }
        }
        Ok(())
    }

    /// The last judgement.
    pub(super) fn finish(&self, step: u64) -> Result<(), SelfCheckFault> {
        self.judge(step)
    }

    /// What was found, a line for each group.
    pub(super) fn account(&self) -> Vec<String> {
        let line = |(group, sum): (&usize, &Sum)| {
            let name = &self.names[group];
            let (ratio, n) = (sum.squares / sum.samples.max(1) as f64, sum.samples as f64);
            format!(
                "displacements of {name}: variance {} ± {} of 2 D dt",
                short(ratio),
                short((2.0 / n).sqrt())
            )
        };
        self.sums.iter().filter(|(_, sum)| sum.samples > 0).map(line).collect()
    }
}

/// Adds up squares by group, and counts them along all axes, in an order that no number of threads
/// changes.
fn summed<const D: usize>(
    count: usize,
    one: impl Fn(usize) -> Option<(usize, f64)> + Sync,
) -> BTreeMap<usize, (f64, u64)> {
    let chunk = |n: usize| {
        // Most chunks are of one group, and most runs have few.
        let mut sums: Vec<(usize, (f64, u64))> = Vec::new();
        for (group, square) in (n * CHUNK..((n + 1) * CHUNK).min(count)).filter_map(&one) {
            match sums.iter_mut().find(|(of, _)| *of == group) {
                Some((_, (sum, samples))) => {
                    (*sum, *samples) = (*sum + square, *samples + D as u64)
                }
                None => sums.push((group, (square, D as u64))),
            }
        }
        sums
    };
    let chunks: Vec<_> = (0..count.div_ceil(CHUNK)).into_par_iter().map(chunk).collect();
    let mut all = BTreeMap::new();
    for (group, (square, samples)) in chunks.into_iter().flatten() {
        let sum: &mut (f64, u64) = all.entry(group).or_default();
        *sum = (sum.0 + square, sum.1 + samples);
    }
    all
}
