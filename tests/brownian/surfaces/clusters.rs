//! Rigid clusters at surfaces that let their members through.

use jostle::brownian::{Brownian, Seed};
use jostle::clusters::Bond;
use jostle::environment::{Environment, Manner, Shape, Surface};
use jostle::observe::NoObserver;
use jostle::space::{Domain, Vector};

use super::worlds::{setup, species, strangers};

/// The box, the radius of the particles, and how far apart the two of a pair are.
const EDGE: f64 = 11.2;
const RADIUS: f64 = 0.5;
const APART: f64 = 1.0;
const DIFFUSION: f64 = 2.0;

/// How many of the pairs that started on the left have their left member there, and how many their right
/// one, beside the diffusion equation with two barriers of the same permeability, one for each member.
/// 4000 pairs at three permeabilities and two times, five standard errors (7 10^-6 in all).
#[test]
fn members_go_through_one_by_one() {
    for (n, permeability) in [0.05, 0.3, 1.0].into_iter().enumerate() {
        let count = 4000;
        let (start, room) = (EDGE / 2.0 - 2.0 * RADIUS - APART, EDGE - 2.0 * RADIUS - APART);
        let lefts = (0..count).map(|n| RADIUS + start * (n as f64 + 0.5) / count as f64);
        let seeds = lefts.flat_map(|x| [x, x + APART]);
        let seeds: Vec<_> = seeds.map(|x| Seed { species: 0, position: Vector([x]) }).collect();
        let bonds: Vec<_> = (0..count).map(|n| Bond::new([2 * n, 2 * n + 1], 0)).collect();
        let shape = Shape::Plane { axis: 0, at: EDGE / 2.0 };
        let surfaces = vec![Surface { name: "fence".into(), shape }];
        let manners = vec![vec![Manner::permeable(permeability)]];
        let environment = Environment::new(surfaces, manners, vec![None]);
        let kinds = vec![species("A", RADIUS, DIFFUSION)];
        let domain = Domain::new([EDGE], [false]);
        let setup = setup(domain, environment, kinds, strangers(1), 0.01, 5 + n as u64);
        let mut engine = Brownian::bonded(setup, seeds, &bonds).expect("a good start");
        // They are half as fast as one alone.
        let mut pairs = Pairs::new(start, room, 0.5 * DIFFUSION, permeability);
        for _ in 0..2 {
            (0..600).for_each(|_| engine.step(&mut NoObserver).unwrap());
            pairs.advance(6.0);
            let p = engine.particles();
            for (member, below) in [(0, EDGE / 2.0), (1, EDGE / 2.0 - APART)] {
                let is_left = |i: &usize| p.id[*i] % 2 == member && p.position[*i][0] < EDGE / 2.0;
                let left = (0..p.len()).filter(is_left).count() as f64 / count as f64;
                let share = pairs.share(below - RADIUS);
                let z = (left - share) / (share * (1.0 - share) / count as f64).sqrt();
                println!("P {permeability}, member {member}: {left} against {share}, z {z}");
                assert!(z.abs() < 5.0, "P {permeability}, member {member}: {left}, {share}");
            }
        }
        assert_eq!(engine.tally().too_permeable, 0);
    }
}

/// The distribution of the left members' places in cells, from the wall on.
struct Pairs {
    cells: Vec<f64>,
    /// Exchange between a cell and the next, per time. \[interface\]
    rates: Vec<f64>,
    width: f64,
}

impl Pairs {
    fn new(start: f64, room: f64, diffusion: f64, permeability: f64) -> Self {
        let count = 184;
        let width = room / f64::from(count);
        let first = (start / width).round() as usize;
        let cells = (0..count as usize).map(|n| if n < first { 1.0 / first as f64 } else { 0.0 });
        let barriers = [EDGE / 2.0 - APART, EDGE / 2.0];
        let barriers = barriers.map(|at| ((at - RADIUS) / width).round() as usize);
        let rate = |n: usize| {
            let resistance = if barriers.contains(&n) { 1.0 / permeability } else { 0.0 };
            1.0 / (width * (width / diffusion + resistance))
        };
        Self { cells: cells.collect(), rates: (1..count as usize).map(rate).collect(), width }
    }

    fn advance(&mut self, time: f64) {
        let steps = (time * self.rates.iter().copied().fold(0.0, f64::max) * 4.0).ceil();
        for _ in 0..steps as usize {
            let flows: Vec<f64> = (self.rates.iter().zip(self.cells.windows(2)))
                .map(|(rate, pair)| rate * (pair[0] - pair[1]) * time / steps)
                .collect();
            for (n, flow) in flows.into_iter().enumerate() {
                self.cells[n] -= flow;
                self.cells[n + 1] += flow;
            }
        }
    }

    /// How many are below this place.
    fn share(&self, place: f64) -> f64 {
        self.cells[..(place / self.width).round() as usize].iter().sum()
    }
}
