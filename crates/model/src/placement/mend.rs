//! Given places as they were before they were rounded. Files keep positions in single precision, so
//! that particles that touched, as bonded ones do, overlap a little when they are read back. They
//! are moved apart by as little.

use std::collections::BTreeSet;

use jostle_core::space::Vector;

use super::grid::Occupied;
use super::ground::Ground;
use super::{GAP, Model, PlacementMethod, holds_touching, radius};
use crate::FirstBond;

/// How far single precision takes a number from what it was, relative to it.
const ROUNDING: f64 = f32::EPSILON as f64 / 2.0;
/// So often all pairs are gone through; where particles are wedged, that does not help.
const SWEEPS: usize = 10_000;

/// How far apart two places in the box may be by mistake if they were kept in single precision.
/// \[nm\]
fn slack<const D: usize>(edges: [f64; D]) -> f64 {
    // Each coordinate of both.
    2.0 * ROUNDING * edges.iter().map(|edge| edge * edge).sum::<f64>().sqrt()
}

/// Bonds that are longer than the contact distance by no more than this, relative to it, are as
/// they should be.
const LOOSE: f64 = 1e-7;

/// Two particles that touch or nearly do.
struct Pair {
    particles: [usize; 2],
    contact: f64,
    /// Whether a bond joins them, so that they have to touch.
    bonded: bool,
}

impl Pair {
    /// How far from right they are: by how much they overlap, or, if bonded, are apart. \[nm\]
    fn fault<const D: usize>(&self, ground: &Ground<'_, D>, places: &[(u16, Vector<D>)]) -> f64 {
        let [a, b] = self.particles.map(|n| places[n].1);
        let overlap = self.contact - ground.domain.nearest_image(b - a).norm();
        if self.bonded && overlap < -LOOSE * self.contact { -overlap } else { overlap }
    }
}

/// The given places of each placement, without overlaps that rounding has made. Whatever overlaps
/// by more, or lies outside the box, is left as it is.
pub(super) fn mended<const D: usize>(model: &Model, ground: &Ground<'_, D>) -> Vec<Vec<Vector<D>>> {
    let given = |how: &PlacementMethod| match how {
        PlacementMethod::Positions(places) => {
            places.iter().map(|place| Vector::from_fn(|k| place[k])).collect()
        }
        _ => Vec::new(),
    };
    let mut all: Vec<Vec<Vector<D>>> =
        model.placement.iter().map(|placement| given(&placement.how)).collect();
    let slack = slack(ground.domain.edges());
    let particles = || {
        model
            .placement
            .iter()
            .zip(&all)
            .flat_map(|(p, places)| places.iter().map(|x| (p.species, *x)))
    };
    let mut places: Vec<(u16, Vector<D>)> = particles().collect();
    let amiss = |(species, place): &(u16, Vector<D>)| {
        !ground.is_within(*species, *place, slack)
            || ground.holds(*species, ground.domain.wrap(*place).0).is_err()
    };
    if places.iter().any(amiss) {
        return all;
    }
    for (species, place) in &mut places {
        *place = ground.brought_back(*species, *place);
    }
    let pairs = touching(model, ground, &places, slack);
    if pairs.iter().any(|pair| pair.fault(ground, &places) > slack) {
        return all;
    }
    let least = |pair: &Pair| ground.domain.rounding().min(1e-12 * pair.contact);
    if pairs.iter().any(|pair| pair.fault(ground, &places) > least(pair)) {
        log::info!(
            "particles with given positions overlap by no more than rounding, {slack:.1e} nm, and are moved apart"
        );
        part(ground, &mut places, &pairs);
    }
    let mut next = places.into_iter().map(|(_, place)| place);
    all.iter_mut().flatten().zip(&mut next).for_each(|(place, mended)| *place = mended);
    all
}

/// All pairs that are bonded, or that rounding might have brought into contact.
fn touching<const D: usize>(
    model: &Model,
    ground: &Ground<'_, D>,
    places: &[(u16, Vector<D>)],
    slack: f64,
) -> Vec<Pair> {
    let mut occupied = Occupied::new(model, ground.domain);
    let mut numbers: Vec<Vec<usize>> = vec![Vec::new(); model.species.len()];
    let mut pairs = Vec::new();
    for (n, &(species, place)) in places.iter().enumerate() {
        occupied.each_near(species, place, 4.0 * slack, |other, number| {
            let contact = radius(model, species) + radius(model, other);
            pairs.push(Pair {
                particles: [numbers[other as usize][number], n],
                contact,
                bonded: false,
            });
        });
        occupied.add(species, place);
        numbers[species as usize].push(n);
    }
    let ends = |bond: &FirstBond| {
        let [a, b] = bond.ends.map(|(species, number)| numbers[species as usize][number]);
        [a.min(b), a.max(b)]
    };
    let kept = model.bonds().iter().filter(|bond| holds_touching(model, bond));
    let bonded: BTreeSet<[usize; 2]> = kept.map(ends).collect();
    pairs.retain(|pair| !bonded.contains(&pair.particles));
    pairs.extend(bonded.into_iter().map(|particles| {
        let [a, b] = particles.map(|n| radius(model, places[n].0));
        Pair { particles, contact: a + b, bonded: true }
    }));
    // The order of cells is not one that results may follow.
    pairs.sort_by_key(|pair| pair.particles);
    pairs
}

/// Moves particles apart, each of two by half of what they overlap, until no two do; those that a
/// bond joins are drawn together in the same way.
fn part<const D: usize>(ground: &Ground<'_, D>, places: &mut [(u16, Vector<D>)], pairs: &[Pair]) {
    for _ in 0..SWEEPS {
        let mut all_apart = true;
        for pair in pairs {
            let [a, b] = pair.particles;
            let between = ground.domain.nearest_image(places[b].1 - places[a].1);
            let distance = between.norm();
            let far = pair.bonded && distance > pair.contact * (1.0 + LOOSE);
            if (distance >= pair.contact && !far) || distance == 0.0 {
                continue;
            }
            all_apart = false;
            let push = between * ((pair.contact * (1.0 + GAP) - distance) / (2.0 * distance));
            for (n, by) in [(a, push * -1.0), (b, push)] {
                let (species, place) = places[n];
                places[n].1 = ground.brought_back(species, place + by);
            }
        }
        if all_apart {
            return;
        }
    }
}
