//! Rigid clusters: how they turn, how fast they move, and that their equilibrium is that of hard
//! bodies.

use jostle::brownian::{Brownian, Seed, Setup};
use jostle::observe::Nobody;
use jostle::rules::{Chance, Condition, ContactRule, RuleSet};
use jostle::space::{Domain, Vector};
use jostle::species::MobilityLaw;

use crate::support::*;
use crate::world::*;

/// `count` bodies of radius 0.5 and D = 1 in a row, in a periodic box, joined.
fn joined<const D: usize>(count: usize, timestep: f64, mobility: MobilityLaw, bind: Bind) -> Brownian<D> {
    let chance = Chance::Probability(1.0);
    let contact = match bind {
        Bind::Bond => vec![bind.rule([0, 0], chance)],
        Bind::Into(product) => vec![bind.rule([0, 0], chance), bind.rule([0, product], chance)],
    };
    let rules = RuleSet { contact, ..RuleSet::default() };
    let domain = Domain::new([4.0 + count as f64; D], [true; D]);
    let place = |n: usize| Vector::from_fn(|k| if k == 0 { 0.1 + 1.001 * n as f64 } else { 2.0 });
    let bodies: Vec<_> = (0..count).map(|n| Seed { species: 0, position: place(n) }).collect();
    let species = vec![body("A", 0.5, 1.0), product("whole")];
    let mut engine = start(Setup { mobility, ..world(domain, timestep, species, rules) }, &bodies);
    while engine.tally().bound + 1 < count as u64 {
        engine.step(&mut Nobody).expect("a step");
    }
    engine
}

/// From the first body to the others, the first included, by identity.
fn layout<const D: usize>(engine: &Brownian<D>) -> Vec<Vector<D>> {
    let view = engine.view();
    let p = view.particles;
    let slots = p.slots_by_id();
    let first = p.position[slots[0] as usize];
    slots.iter().map(|&slot| view.domain.nearest_image(p.position[slot as usize] - first)).collect()
}

/// A dimer on its own: after 25 steps, in which the angle spreads by one radian (3D: about each axis),
/// the direction of its axis has decayed as the steps say, which is exp(-2 D_r t) (3D) and
/// exp(-D_r t) (2D) within 0.4 %, D_r = 1 and 4/3 per µs for spheres and disks of radius 0.5 and D = 1.
/// 200 000 steps each, 100 blocks: standard errors 0.9 to 1.3 %. After one step: 0.02 %. False alarms
/// 3e-5.
#[test]
fn the_orientation_of_a_dimer_decays() {
    fn decay<const D: usize>(rate: f64, timestep: f64, per_step: f64) {
        const LAG: usize = 25;
        let mut engine = joined::<D>(2, timestep, MobilityLaw::Rouse, Bind::Bond);
        let axes: Vec<Vector<D>> = (0..200_000 * MORE)
            .map(|_| {
                engine.step(&mut Nobody).expect("a step");
                let axis = layout(&engine)[1];
                assert!((axis.norm() - 1.0).abs() < 1e-9, "rigid");
                axis
            })
            .collect();
        let time = LAG as f64 * timestep;
        assert!((per_step.powi(LAG as i32) / (-rate * time).exp() - 1.0).abs() < 4e-3);
        for lag in [1, LAG] {
            let block = |block: &[Vector<D>]| {
                let sum: f64 = block.iter().zip(&block[lag..]).map(|(a, b)| a.dot(*b)).sum();
                sum / (block.len() - lag) as f64
            };
            let blocks: Vec<f64> = axes.chunks_exact(2000 * MORE).map(block).collect();
            let (found, error) = mean(&blocks);
            hold(&format!("{D}D after {lag}"), found, error, per_step.powi(lag as i32), 0.0);
        }
        assert_eq!(engine.tally().rotations[0], engine.tally().rotations[1], "nothing in its way");
    }
    timed("orientation", || {
        // A vector of three Gaussian angles of variance v: 1/3 + 2/3 (1 - v) exp(-v/2).
        let v: f64 = 0.04;
        decay::<3>(2.0, 0.5 * v, (1.0 + 2.0 * (1.0 - v) * (-0.5 * v).exp()) / 3.0);
        decay::<2>(4.0 / 3.0, 0.03, (-0.04_f64).exp());
    });
}

/// The mean square displacement of the centre of three, in one step and in ten, is 2 d D t with the D of
/// each law: joined by bonds, and as one body. 30 000 steps: standard errors 0.5 % (one step) and 1.5 %
/// (ten, as 3000 blocks). 24 tests, false alarms 2e-4.
#[test]
fn clusters_diffuse_by_their_law() {
    fn spread<const D: usize>(what: &str, law: MobilityLaw, expected: f64) {
        for bind in [Bind::Bond, Bind::Into(1)] {
            let mut engine = joined::<D>(3, 0.01, law.clone(), bind);
            let mut before = Vector::<D>::ZERO;
            let mut moves = Vec::with_capacity(30_000);
            for step in 0..=30_000 {
                let p = engine.particles();
                let slots = p.slots_by_id();
                let first = p.position[slots[0] as usize];
                let layout = layout(&engine);
                let sum = layout.iter().fold(Vector::ZERO, |sum, offset| sum + *offset);
                let centre = first + sum * (1.0 / layout.len() as f64);
                if step > 0 {
                    moves.push(engine.view().domain.nearest_image(centre - before));
                }
                before = centre;
                engine.step(&mut Nobody).expect("a step");
            }
            let unit = 2.0 * D as f64 * expected * 0.01;
            if expected == 0.0 {
                // Up to rounding: the cluster turns about its centre, if it turns at all.
                assert!(moves.iter().all(|step| step.norm() < 1e-12), "{what}");
                continue;
            }
            for lag in [1, 10] {
                let square = |steps: &[Vector<D>]| {
                    let sum = steps.iter().fold(Vector::ZERO, |sum, step| sum + *step);
                    sum.norm_squared() / (unit * lag as f64)
                };
                let (found, error) = mean(&moves.chunks_exact(lag).map(square).collect::<Vec<_>>());
                hold(&format!("{D}D {what}, {bind:?}, {lag} steps"), found, error, 1.0, 0.0);
            }
        }
    }
    timed("mobility laws", || {
        spread::<3>("rouse", MobilityLaw::Rouse, 1.0 / 3.0);
        spread::<3>("stokes", MobilityLaw::Stokes, 3.0_f64.cbrt().recip());
        spread::<2>("stokes", MobilityLaw::Stokes, 3.0_f64.sqrt().recip());
        spread::<3>("table", MobilityLaw::Table(vec![1.0, 0.7, 0.4]), 0.4);
        spread::<3>("immobile", MobilityLaw::Immobile, 0.0);
        // ln(2/size) - 0.5772 of radii 0.5 sqrt(3) and 0.5 over the length, and the next terms below 1e-3.
        let log = |radius: f64| (2.0 * 1000.0 / radius).ln() - 0.577_215_7;
        let ratio = log(0.5 * 3.0_f64.sqrt()) / log(0.5);
        spread::<2>("membrane", MobilityLaw::SaffmanDelbruck { length: 1000.0 }, ratio);
    });
}

/// Two dimers and four single bodies, all of diameter 1.
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
        for body in [0, 2, 4, 5, 6, 7] {
            let first = self.places[body] + Vector::from_fn(|_| 0.8 * (self.dice.uniform() - 0.5));
            if body >= 4 {
                self.try_places(&[(body, first)]);
                continue;
            }
            let turned = self.direction();
            self.try_places(&[(body, first), (body + 1, first + turned)]);
            // A move of its own for the dimer as it stands.
            let along = self.domain.nearest_image(self.places[body + 1] - self.places[body]);
            let first = self.places[body] + Vector::from_fn(|_| 0.8 * (self.dice.uniform() - 0.5));
            self.try_places(&[(body, first), (body + 1, first + along)]);
        }
    }

    fn try_places(&mut self, moved: &[(usize, Vector<D>)]) {
        let height = self.domain.edges()[D - 1];
        let free = moved.iter().all(|(body, place)| {
            let far = |other: usize| self.domain.nearest_image(self.places[other] - *place).norm() >= 1.0;
            let stays = |other: &usize| moved.iter().all(|(body, _)| body != other);
            place[D - 1] >= 0.5
                && place[D - 1] <= height - 0.5
                && (0..8).filter(stays).all(|other| other == *body || far(other))
        });
        if free {
            for (body, place) in moved {
                self.places[*body] = self.domain.wrap(*place).0;
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
    let mut bodies = lattice::<D>(4 + SINGLES, 0, edge, 0.0, &mut Dice::new(1));
    bodies[4..].iter_mut().for_each(|seed| seed.species = 1);
    let species = vec![body("A", 0.5, 0.5), body("B", 0.5, 0.5)];
    let mut engine = start(world(domain.clone(), timestep, species, rules), &bodies);
    let joined = |engine: &Brownian<D>| {
        let mut ids: Vec<u64> = engine.clusters().bonds().flat_map(|bond| bond.ids).collect();
        ids.extend(4..8);
        ids
    };
    while engine.tally().bound < 2 {
        engine.step(&mut Nobody).expect("a step");
    }
    // Dimers first, then the others.
    let ids = joined(&engine);
    let places = |engine: &Brownian<D>| -> [Vector<D>; 8] {
        let p = engine.particles();
        let slots = p.slots_by_id();
        std::array::from_fn(|n| p.position[slots[ids[n] as usize] as usize])
    };
    let mut reference = Reference { domain: domain.clone(), places: places(&engine), dice: Dice::new(2) };
    (0..1000).for_each(|_| engine.step(&mut Nobody).expect("a step"));
    let found = averages::<D>(
        || {
            (0..4).for_each(|_| engine.step(&mut Nobody).expect("a step"));
            measures(&domain, &places(&engine))
        },
        500 * MORE,
    );
    let expected = averages::<D>(
        || {
            (0..2).for_each(|_| reference.sweep());
            measures(&domain, &reference.places)
        },
        2000 * MORE,
    );
    let [proposed, turned] = engine.tally().rotations;
    println!("  {D}D step {timestep}: {:.2} of {proposed} turns", turned as f64 / proposed as f64);
    assert!(turned < proposed * 9 / 10, "crowded");
    let names = ["axis across the walls", "at a wall", "near a single", "near the other", "distance"];
    for (k, name) in names.into_iter().enumerate() {
        let error = found[k].1.hypot(expected[k].1);
        hold(&format!("{D}D step {timestep}, {name}"), found[k].0, error, expected[k].0, 0.0);
    }
}

/// Two dimers and four single bodies between two walls, at a packing of a quarter (2D) and a sixth (3D),
/// at rms steps of a tenth and a half of a diameter: orientation across the walls, how often bodies of
/// dimers are at a wall, near single ones and near each other, and the distance of the dimers are those
/// of Metropolis Monte Carlo, however long the step. 200 000 steps in 100 blocks, 200 000 samples of the
/// reference: standard errors 0.3 to 3 %. 20 tests, false alarms 1.4e-4. 6·10^6 body-steps.
#[test]
fn rigid_dimers_between_walls_have_the_equilibrium_of_hard_bodies() {
    for timestep in [0.05, 0.25] {
        timed("dimers between walls", || {
            same_equilibrium::<2>(5.0, timestep);
            same_equilibrium::<3>(3.0, timestep);
        });
    }
}
