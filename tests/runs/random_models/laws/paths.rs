//! Whether unwrapped paths are continuous, through every kind of event.
//!
//! From one frame to the next a centre gets at most as far as nine standard deviations of the
//! fastest (one in 10^17 free steps gets farther), drift, and what each event moves it by: the
//! radii of those that it is about. A particle that turns with a cluster gets as far again. Of a
//! particle within another, the place that counts is that of its host, in the image that is nearest
//! to where it was. Where a file leaves open which of several particles is its host, all their places
//! count.

use std::collections::{BTreeMap, BTreeSet};

use super::super::file::{Change, Frame};
use super::super::sketch::Sketch;
use super::population::Population;
use super::{Findings, Law};

pub(super) struct Paths<'a> {
    sketch: &'a Sketch,
    /// Where every particle that is alive or within another can be; none, if anywhere. \[nm\]
    last: BTreeMap<i64, Vec<Vec<f64>>>,
    /// To which something happened since the last frame, and how far that may have moved it. \[nm\]
    touched: BTreeMap<i64, f64>,
    /// Of which those came that are new since the last frame.
    parents: BTreeMap<i64, BTreeSet<i64>>,
    /// Where they came to be.
    places: BTreeMap<i64, Vec<f64>>,
}

/// A particle that may be in more places than this is taken to be anywhere. Without a limit, the
/// places of many particles in a small box would multiply from frame to frame.
const MOST_PLACES: usize = 64;

/// In standard deviations of the fastest, along three axes together.
const FARTHEST: f64 = 9.0;

impl<'a> Paths<'a> {
    pub(super) fn of(sketch: &'a Sketch, frame: &Frame) -> Self {
        let last = frame
            .particles
            .iter()
            .map(|particle| (particle.id, vec![particle.unwrapped.clone()]))
            .collect();
        let (touched, parents, places) = Default::default();
        Self { sketch, last, touched, parents, places }
    }

    pub(super) fn touched(&self) -> &BTreeMap<i64, f64> {
        &self.touched
    }

    /// Takes down what a change was about.
    pub(super) fn note(&mut self, change: &Change, concerned: BTreeSet<i64>) {
        let radii = |parties: &[jostle::record::schema::PartyRow]| -> f64 {
            parties.iter().map(|party| party.radius).sum()
        };
        let moved = 1.2 * radii(&change.reactants).max(radii(&change.products));
        // A particle that is new comes from where the reactants are by now.
        let before = change.reactants.iter().filter_map(|party| self.touched.get(&party.id));
        let before = before.copied().fold(0.0, f64::max);
        for party in change.products.iter().filter(|party| !self.last.contains_key(&party.id)) {
            self.touched.entry(party.id).or_insert(before);
        }
        for id in &concerned {
            *self.touched.entry(*id).or_default() += moved;
        }
        let mut came_of = BTreeSet::new();
        for party in &change.reactants {
            let own = BTreeSet::from([party.id]);
            came_of.extend(self.parents.get(&party.id).unwrap_or(&own));
        }
        for party in &change.products {
            if !self.last.contains_key(&party.id) {
                self.parents.entry(party.id).or_insert_with(|| came_of.clone());
                self.places.entry(party.id).or_insert_with(|| change.place.clone());
            }
        }
    }

    /// Begins a new stretch between frames.
    pub(super) fn rest(&mut self) {
        self.touched.clear();
        self.parents.clear();
        self.places.clear();
    }

    /// Holds the way from the frame before to the law.
    pub(super) fn follow(
        &mut self,
        frame: &Frame,
        before: &Frame,
        population: &Population,
        findings: &mut Findings,
    ) {
        let steps = (frame.step - before.step) as f64;
        let time = steps * self.sketch.timestep;
        let free =
            FARTHEST * (2.0 * self.sketch.fastest() * time).sqrt() + self.sketch.drift_within(time);
        let shortest = self.shortest_period();
        let in_cluster: BTreeSet<i64> =
            clustered(frame).union(&clustered(before)).copied().collect();
        let mut now = BTreeMap::new();
        for particle in &frame.particles {
            let moved = self.touched.get(&particle.id).copied().unwrap_or(0.0);
            let bound = moved + if in_cluster.contains(&particle.id) { 2.0 * free } else { free };
            let far = self.how_far(particle.id, &particle.unwrapped);
            let apart =
                self.places.get(&particle.id).map(|place| self.wrapped(place, &particle.unwrapped));
            findings.paths[0] += 1;
            findings.paths[1] += usize::from(bound < 0.9 * shortest);
            if far.into_iter().chain(apart).any(|far| far.is_nan() || far > bound) {
                findings.breach(Law::Path, || {
                    let from = self.last.get(&particle.id);
                    format!(
                        "step {}: {} gets {far:?} nm far, or {apart:?} nm from where it came to be, and {bound:.3} \
                         (of which {moved:.3} by events) is the most: from {from:?} to {particle:?}",
                        frame.step, particle.id
                    )
                });
            }
            now.insert(particle.id, vec![particle.unwrapped.clone()]);
        }
        self.carry(population, &mut now);
        self.last = now;
    }

    /// From where a particle was, or from the nearest of those of which it came.
    fn how_far(&self, id: i64, to: &[f64]) -> Option<f64> {
        let distance = |from: &Vec<f64>| -> f64 {
            from.iter().zip(to).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
        };
        self.before(id).into_iter().map(distance).min_by(f64::total_cmp)
    }

    fn before(&self, id: i64) -> Vec<&Vec<f64>> {
        match self.last.get(&id) {
            Some(own) => own.iter().collect(),
            None => {
                let parents = self.parents.get(&id).into_iter().flatten();
                let places: Vec<_> = parents.filter_map(|id| self.last.get(id)).collect();
                // If a parent can be anywhere, so can the particle that comes from it.
                match places.iter().any(|places| places.is_empty()) {
                    true => Vec::new(),
                    false => places.into_iter().flatten().collect(),
                }
            }
        }
    }

    fn wrapped(&self, a: &[f64], b: &[f64]) -> f64 {
        let along = |k: usize| {
            let (apart, edge) = (a[k] - b[k], self.sketch.edges[k]);
            if self.sketch.periodic[k] { apart - edge * (apart / edge).round() } else { apart }
        };
        (0..a.len()).map(|k| along(k) * along(k)).sum::<f64>().sqrt()
    }

    fn shortest_period(&self) -> f64 {
        let edges = self.sketch.edges.iter().zip(&self.sketch.periodic);
        edges
            .filter(|(_, periodic)| **periodic)
            .map(|(edge, _)| *edge)
            .fold(f64::INFINITY, f64::min)
    }

    /// Those within others go where these go.
    fn carry(&self, population: &Population, now: &mut BTreeMap<i64, Vec<Vec<f64>>>) {
        let mut carried: BTreeMap<i64, Vec<Vec<f64>>> = BTreeMap::new();
        for (host, inside) in population.within() {
            // A host that is in a frame is in one place.
            let Some([at]) = now.get(&host).map(Vec::as_slice) else { continue };
            for id in inside.iter().filter(|id| !population.is_alive(**id)) {
                // A particle that was created since the last frame had no place then.
                let places = carried.entry(*id).or_default();
                for from in self.before(*id) {
                    let to = self.nearest_image(at, from);
                    if places.len() <= MOST_PLACES && !places.contains(&to) {
                        places.push(to);
                    }
                }
            }
        }
        carried.values_mut().filter(|places| places.len() > MOST_PLACES).for_each(Vec::clear);
        now.extend(carried);
    }

    /// The image of `at` that is nearest to `from`.
    fn nearest_image(&self, at: &[f64], from: &[f64]) -> Vec<f64> {
        let along = |k: usize| match (self.sketch.periodic[k], self.sketch.edges[k]) {
            (true, edge) => at[k] + edge * ((from[k] - at[k]) / edge).round(),
            (false, _) => at[k],
        };
        (0..at.len()).map(along).collect()
    }
}

/// Those that are not alone in their cluster.
fn clustered(frame: &Frame) -> BTreeSet<i64> {
    let mut members: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
    for particle in &frame.particles {
        members.entry(particle.cluster).or_default().push(particle.id);
    }
    members.into_values().filter(|members| members.len() > 1).flatten().collect()
}
