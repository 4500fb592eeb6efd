//! Within a step the energy is kept, and a step whose end velocities are reversed leads back.

use jostle::brownian::{Brownian, Seed};
use jostle::observe::NoObserver;
use jostle::potentials::{Potentials, StepPotential};
use jostle::random::Random;
use jostle::space::{Domain, Vector};

use super::engine;
use crate::kinetics::{Dice, particle, samples};
use crate::reactions::world::lattice;

const RADII: [f64; 2] = [1.0, 0.7];
const DIFFUSION: [f64; 2] = [0.3, 1.1];

fn wells() -> [StepPotential; 3] {
    [
        StepPotential::new(vec![2.3, 2.8, 3.3], vec![-1.5, 0.7, -0.4]),
        StepPotential::new(vec![2.2, 3.0], vec![1.0, -0.6]),
        StepPotential::new(vec![2.0], vec![-0.9]),
    ]
}

/// 216 particles of two kinds in a box half of whose faces are walls.
fn crowd() -> Brownian<3> {
    let domain = Domain::new([18.0; 3], [true, false, true]);
    let mut dice = Dice::new(7);
    let mut seeds: Vec<Seed<3>> = lattice(216, 0, 18.0, 0.2, &mut dice);
    seeds.iter_mut().step_by(2).for_each(|seed| seed.species = 1);
    let species = (0..2).map(|n| particle(["A", "B"][n], RADII[n], DIFFUSION[n])).collect();
    let [aa, ab, bb] = wells();
    let potentials = [([0, 0], &aa), ([0, 1], &ab), ([1, 1], &bb)];
    engine(domain, 1.0, species, &potentials, &seeds, 3)
}

/// Kinetic energy of these velocities plus the energy of all pairs. \[kT\]
fn energy(engine: &Brownian<3>, velocity: &[Vector<3>]) -> f64 {
    let (p, domain) = (engine.particles(), engine.view().domain);
    let [aa, ab, bb] = wells();
    let potentials =
        Potentials::new(&RADII.map(Some), [([0, 0], &aa), ([0, 1], &ab), ([1, 1], &bb)]);
    let kinetic = velocity.iter().zip(&p.species);
    let kinetic: f64 =
        kinetic.map(|(v, &s)| v.norm_squared() / (4.0 * DIFFUSION[usize::from(s)])).sum();
    let pairs = (0..p.len()).flat_map(|j| (0..j).map(move |i| [i, j]));
    let pair = |[i, j]: [usize; 2]| {
        let apart = domain.nearest_image(p.position[j] - p.position[i]).norm();
        potentials.of(p.species[i], p.species[j]).map_or(0.0, |potential| potential.at(apart))
    };
    kinetic + pairs.map(pair).sum::<f64>()
}

#[test]
fn a_step_keeps_the_energy_and_leads_back_when_reversed() {
    let mut engine = crowd();
    let random = Random::new(8);
    for round in 0..samples(40) as u64 {
        // So few particles keep their slots.
        let p = engine.particles();
        let draw = |n: usize| {
            let width = (2.0 * DIFFUSION[usize::from(p.species[n])]).sqrt();
            random.normal::<3>(round, n as u64) * width
        };
        let velocity: Vec<Vector<3>> = (0..p.len()).map(draw).collect();
        let (start, before) = (p.position.clone(), energy(&engine, &velocity));
        engine.step_along(|id| velocity[id as usize], &mut NoObserver).unwrap();
        let last = engine.particles().velocity.clone();
        let after = energy(&engine, &last);
        assert!((after - before).abs() < 1e-11 * before.abs(), "{before} {after}");
        engine.step_along(|id| last[id as usize] * -1.0, &mut NoObserver).unwrap();
        let (back, domain) = (engine.particles(), engine.view().domain);
        for (slot, position) in start.iter().enumerate() {
            let off = domain.nearest_image(back.position[slot] - *position).norm();
            assert!(off < 1e-6, "particle {slot} came back {off} nm from where it began");
        }
        // Onwards from somewhere else.
        for _ in 0..3 {
            engine.step(&mut NoObserver).unwrap();
        }
    }
    assert!(engine.tally().edges > samples(20_000) as u64, "{}", engine.tally().edges);
    assert_eq!(engine.tally().late, 0);
}
