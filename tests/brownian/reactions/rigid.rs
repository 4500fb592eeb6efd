//! Rigid clusters have the equilibrium of hard particles. (How they turn, and how fast they move,
//! are checks of `jostle validate`.)

use jostle::brownian::Brownian;
use jostle::observe::NoObserver;
use jostle::rules::{Chance, Condition, ContactRule, RuleSet};
use jostle::space::{Domain, Vector};

use super::world::*;
use crate::kinetics::*;

/// Two dimers and four single particles, all of diameter 1.
const SINGLES: usize = 4;

/// What is compared: means over both dimers, and over all that they meet.
fn measures<const D: usize>(domain: &Domain<D>, places: &[Vector<D>; 8]) -> [f64; 5] {
    let apart = |a: usize, b: usize| domain.nearest_image(places[b] - places[a]);
    let (wall, height) = (D - 1, domain.edges()[D - 1]);
    let mut found = [0.0; 5];
    for dimer in [0, 2] {
        found[0] += 0.5 * apart(dimer, dimer + 1)[wall].powi(2);
        for member in [dimer, dimer + 1] {
            let z = places[member][wall];
            found[1] += f64::from(z.min(height - z) < 0.6) / 4.0;
            let close = |other: &usize| apart(member, *other).norm() < 1.15;
            found[2] += (4..8).filter(close).count() as f64;
            found[3] += (2 - dimer..4 - dimer).filter(close).count() as f64;
        }
    }
    let centre = |dimer: usize| places[dimer] + apart(dimer, dimer + 1) * 0.5;
    found[4] = domain.nearest_image(centre(2) - centre(0)).norm();
    found
}

/// The same ensemble by Metropolis moves.
struct Reference<const D: usize> {
    domain: Domain<D>,
    places: [Vector<D>; 8],
    dice: Dice,
}

impl<const D: usize> Reference<D> {
    fn direction(&mut self) -> Vector<D> {
        loop {
            let v: Vector<D> = Vector::from_fn(|_| 2.0 * self.dice.uniform() - 1.0);
            if v.norm() > 0.1 && v.norm() < 1.0 {
                return v * (1.0 / v.norm());
            }
        }
    }

    fn sweep(&mut self) {
        for particle in [0, 2, 4, 5, 6, 7] {
            let first =
                self.places[particle] + Vector::from_fn(|_| 0.8 * (self.dice.uniform() - 0.5));
            if particle >= 4 {
                self.try_places(&[(particle, first)]);
                continue;
            }
            let turned = self.direction();
            self.try_places(&[(particle, first), (particle + 1, first + turned)]);
            // A move of its own for the dimer as it stands.
            let along =
                self.domain.nearest_image(self.places[particle + 1] - self.places[particle]);
            let first =
                self.places[particle] + Vector::from_fn(|_| 0.8 * (self.dice.uniform() - 0.5));
            self.try_places(&[(particle, first), (particle + 1, first + along)]);
        }
    }

    fn try_places(&mut self, moved: &[(usize, Vector<D>)]) {
        let height = self.domain.edges()[D - 1];
        let free = moved.iter().all(|(particle, place)| {
            let far =
                |other: usize| self.domain.nearest_image(self.places[other] - *place).norm() >= 1.0;
            let stays = |other: &usize| moved.iter().all(|(particle, _)| particle != other);
            place[D - 1] >= 0.5
                && place[D - 1] <= height - 0.5
                && (0..8).filter(stays).all(|other| other == *particle || far(other))
        });
        if free {
            for (particle, place) in moved {
                self.places[*particle] = self.domain.wrap(*place).0;
            }
        }
    }
}

/// Means and standard errors of [`measures`], from 100 blocks.
fn averages<const D: usize>(mut next: impl FnMut() -> [f64; 5], samples: usize) -> [(f64, f64); 5] {
    let blocks: Vec<[f64; 5]> = (0..100)
        .map(|_| {
            let mut sum = [0.0; 5];
            for _ in 0..samples {
                let found = next();
                (0..5).for_each(|k| sum[k] += found[k] / samples as f64);
            }
            sum
        })
        .collect();
    std::array::from_fn(|k| mean(&blocks.iter().map(|block| block[k]).collect::<Vec<_>>()))
}

fn same_equilibrium<const D: usize>(edge: f64, timestep: f64) {
    let mut periodic = [true; D];
    periodic[D - 1] = false;
    let domain = Domain::new([edge; D], periodic);
    let mut bond = ContactRule::bond("bind", [0, 0], Chance::Probability(1.0));
    bond.conditions = [(); 2].map(|()| Condition { valence: Some(1), ..Condition::default() });
    let rules = RuleSet { contact: vec![bond], ..RuleSet::default() };
    let mut particles = lattice::<D>(4 + SINGLES, 0, edge, 0.0, &mut Dice::new(1));
    particles[4..].iter_mut().for_each(|seed| seed.species = 1);
    let species = vec![particle("A", 0.5, 0.5), particle("B", 0.5, 0.5)];
    let mut engine = start(world(domain.clone(), timestep, species, rules), &particles);
    let joined = |engine: &Brownian<D>| {
        let mut ids: Vec<u64> = engine.clusters().bonds().flat_map(|bond| bond.ids).collect();
        ids.extend(4..8);
        ids
    };
    while engine.tally().bound < 2 {
        engine.step(&mut NoObserver).expect("a step");
    }
    // Dimers first, then the others.
    let ids = joined(&engine);
    let places = |engine: &Brownian<D>| -> [Vector<D>; 8] {
        let p = engine.particles();
        let slots = p.slots_by_id();
        std::array::from_fn(|n| p.position[slots[ids[n] as usize] as usize])
    };
    let mut reference =
        Reference { domain: domain.clone(), places: places(&engine), dice: Dice::new(2) };
    (0..1000).for_each(|_| engine.step(&mut NoObserver).expect("a step"));
    let found = averages::<D>(
        || {
            (0..4).for_each(|_| engine.step(&mut NoObserver).expect("a step"));
            measures(&domain, &places(&engine))
        },
        samples(500),
    );
    let expected = averages::<D>(
        || {
            (0..2).for_each(|_| reference.sweep());
            measures(&domain, &reference.places)
        },
        samples(2000),
    );
    let [proposed, turned] = engine.tally().rotations;
    println!("  {D}D step {timestep}: {:.2} of {proposed} turns", turned as f64 / proposed as f64);
    assert!(turned < proposed * 9 / 10, "crowded");
    let names =
        ["axis across the walls", "at a wall", "near a single", "near the other", "distance"];
    for (k, name) in names.into_iter().enumerate() {
        let error = found[k].1.hypot(expected[k].1);
        hold(&format!("{D}D step {timestep}, {name}"), found[k].0, error, expected[k].0, 0.0);
    }
}

/// Two dimers and four single particles between two walls, at a packing of a quarter (2D) and a
/// sixth (3D), at rms steps of a tenth and a half of a diameter: orientation across the walls, how
/// often particles of dimers are at a wall, near single ones and near each other, and the distance
/// of the dimers are those of Metropolis Monte Carlo, however long the step. 200 000 steps in 100
/// blocks, 200 000 samples of the reference: standard errors 0.3 to 3 %. 20 tests, false alarms
/// 1.4e-4. 6·10^6 particle steps.
#[test]
fn rigid_dimers_between_walls_have_the_equilibrium_of_hard_particles() {
    for timestep in [0.05, 0.25] {
        timed("dimers between walls", || {
            same_equilibrium::<2>(5.0, timestep);
            same_equilibrium::<3>(3.0, timestep);
        });
    }
}
