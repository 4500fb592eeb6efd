//! One A and one B, bound and free in turn.

use std::f64::consts::PI;

use jostle::brownian::Seed;
use jostle::observe::{Nobody, Observer, ObserverError, View};
use jostle::rules::Chance;
use jostle::space::Vector;

use crate::support::*;
use crate::{COALESCE, reacting};

/// The volume that is left to the centre of B in a periodic box with one A.
fn free_volume<const D: usize>(edge: f64) -> f64 {
    edge.powi(D as i32) - [2.0, PI, 4.0 * PI / 3.0][D - 1]
}

/// One A and one B, unequal in size and speed, bind and unbind `cycles` times in a periodic box of
/// 2.2 contact distances (1D: 5), with the k_a that `p` stands for and the k_d that makes them
/// spend 0.2 of the free time bound: K = k_a/k_d. Waiting times in the bound state are exponential
/// with k_d p V_c/(k_a dt). Of all contacts, the share p binds.
fn lone_pair<const D: usize>(action: Bind, p: f64, s: f64, cycles: u64) {
    let (pair, timestep) = reacting(D, s);
    let edge = if D == 1 { 5.0 } else { 2.2 };
    let k_a = pair.intrinsic_rate(p, timestep).expect("a probability");
    let expected = 0.2;
    let k_d = k_a / (expected * free_volume::<D>(edge));
    let species = vec![body("A", 0.4, 0.3), body("B", 0.6, 0.7), product("C")];
    let places = [Vector::ZERO, Vector([edge / 2.0; D])];
    let bodies = [0, 1].map(|n| Seed { species: n as u16, position: places[n] });
    let rules = binding(action, Chance::Intrinsic(k_a), k_d);
    let mut engine = periodic(edge, timestep, species, rules, 1000 * D as u64 + cycles, &bodies);
    let mut ledger = Ledger::default();
    while engine.tally().unbound <= cycles {
        engine.step(&mut ledger).expect("a step");
    }
    let rows = ledger.cycles();
    let what = format!("{D}D {action:?} p {p} s {s}");
    let (found, error) = ratio(&rows);
    hold(&what, found, error, expected, 0.0);
    let rate = k_d * p * pair.contact_volume(timestep) / k_a;
    let distance = kolmogorov(rows.iter().map(|(bound, _)| -(-rate * bound).exp_m1()).collect());
    assert!(distance < KOLMOGOROV, "{what}: waiting times are not exponential: {distance}");
    let (bound, contacts) = (engine.tally().bound as f64, engine.tally().contacts as f64);
    assert!(
        (bound - p * contacts).abs() <= Z * (contacts * p * (1.0 - p)).sqrt() + 1.0,
        "{what}: {bound} of {contacts}"
    );
}

/// K = k_a/k_d for one pair, for p = 1, 0.5 and 0.05 at time steps a hundred (0.05: eleven) times
/// apart, by coalescence and by bonds, in 1, 2 and 3 dimensions, and exponential waiting times.
/// 20 000 cycles of binding and unbinding each: relative standard errors 0.8 to 1.3 %, from the
/// scatter of the cycles, which are independent. 28 times 3 tests, false alarms 5e-4 in all.
#[test]
fn a_lone_pair_has_the_equilibrium_of_its_rate_constants_at_any_time_step() {
    for action in [COALESCE, Bind::Bond] {
        timed(&format!("lone pair, {action:?}"), || {
            for (p, s) in [(1.0, 1.0), (1.0, 0.1), (0.5, 1.0), (0.5, 0.1), (0.05, 1.0), (0.05, 0.3)] {
                lone_pair::<3>(action, p, s, 20_000);
                lone_pair::<2>(action, p, s, 20_000);
            }
            lone_pair::<1>(action, 1.0, 0.3, 20_000);
            lone_pair::<1>(action, 0.3, 1.0, 20_000);
        });
    }
}

/// Distances of a pair at whole steps: before the step in which it binds, and after the step in
/// which it parts.
#[derive(Default)]
struct Boundary {
    last: Option<f64>,
    before_binding: Vec<f64>,
    after_parting: Vec<f64>,
}

impl<const D: usize> Observer<D> for Boundary {
    fn step(&mut self, view: &View<'_, D>) -> Result<(), ObserverError> {
        let p = view.particles;
        let places: Vec<_> = p.slots_by_id().iter().map(|&slot| p.position[slot as usize]).collect();
        let distance = match places[..] {
            [a, b] => Some(view.domain.nearest_image(b - a).norm()),
            _ => None,
        };
        match (self.last, distance) {
            (Some(before), None) => self.before_binding.push(before),
            (None, Some(after)) => self.after_parting.push(after),
            _ => {}
        }
        self.last = distance;
        Ok(())
    }
}

/// Unbinding is binding played backwards: pairs that part are as far apart at the end of the step
/// as pairs that bind were at its start. 20 000 of each, Kolmogorov-Smirnov at p = 1 and 0.3 (which
/// outgoing speeds wrong by a tenth would fail); false alarms 1e-5.
#[test]
fn unbinding_is_the_reverse_of_binding() {
    timed("reversal", || {
        let edge: f64 = 5.0;
        for p in [1.0, 0.3] {
            let (pair, timestep) = reacting(3, 1.0);
            let species = vec![body("A", 0.4, 0.3), body("B", 0.6, 0.7), product("C")];
            let bodies = [0, 1].map(|n| Seed { species: n as u16, position: Vector([1.5 * n as f64; 3]) });
            let rate = 0.5 * p * pair.contact_rate(timestep) / edge.powi(3);
            let rules = binding(COALESCE, Chance::Probability(p), 4.0 * rate);
            let mut engine = periodic(edge, timestep, species, rules, 77, &bodies);
            let mut boundary = Boundary::default();
            while boundary.after_parting.len() < 20_000 {
                engine.step(&mut boundary).expect("a step");
            }
            let distance = kolmogorov_of_two(boundary.before_binding, boundary.after_parting);
            println!("  p = {p}: {distance:.2}");
            assert!(distance < KOLMOGOROV, "p = {p}: {distance}");
        }
    });
}

/// The place of C is that of A and B weighted with the mobility of the other, both ways: an A that
/// does not diffuse stays where it is to the last bit, whatever binds to it and leaves.
#[test]
fn a_body_at_rest_stays_where_it_is_through_bindings() {
    let (pair, timestep) = reacting(3, 0.5);
    let rate = pair.contact_rate(timestep) / 10.0;
    let place = Vector([0.3, 2.9, 1.7]);
    for action in [COALESCE, Bind::Bond] {
        let species = vec![body("A", 0.4, 0.0), body("B", 0.6, 1.0), product("C")];
        let bodies = [place, Vector([1.5; 3])];
        let bodies = [0, 1].map(|n| Seed { species: n as u16, position: bodies[n] });
        let rules = binding(action, Chance::Probability(1.0), rate);
        let mut engine = periodic(3.0, timestep, species, rules, 13, &bodies);
        while engine.tally().unbound < 1000 {
            engine.step(&mut Nobody).expect("a step");
            let p = engine.particles();
            let first = p.slots_by_id()[0] as usize;
            // A, or C while there is one.
            assert_eq!(p.position[first], place, "{action:?}");
        }
    }
}
