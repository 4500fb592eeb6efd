//! One A and one B, bound and free in turn.

use jostle::brownian::Seed;
use jostle::observe::{NoObserver, Observer, ObserverError, View};
use jostle::rules::Chance;
use jostle::space::Vector;

use super::{COALESCE, reacting};
use crate::kinetics::*;

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
        let places: Vec<_> =
            p.slots_by_id().iter().map(|&slot| p.position[slot as usize]).collect();
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
            let species = vec![particle("A", 0.4, 0.3), particle("B", 0.6, 0.7), product("C")];
            let particles =
                [0, 1].map(|n| Seed { species: n as u16, position: Vector([1.5 * n as f64; 3]) });
            let rate = 0.5 * p * pair.contact_rate(timestep) / edge.powi(3);
            let rules = binding(COALESCE, Chance::Probability(p), 4.0 * rate);
            let mut engine = periodic(edge, timestep, species, rules, 77, &particles);
            let mut boundary = Boundary::default();
            while boundary.after_parting.len() < samples(20_000) {
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
fn a_particle_at_rest_stays_where_it_is_through_bindings() {
    let (pair, timestep) = reacting(3, 0.5);
    let rate = pair.contact_rate(timestep) / 10.0;
    let place = Vector([0.3, 2.9, 1.7]);
    for action in [COALESCE, Bind::Bond] {
        let species = vec![particle("A", 0.4, 0.0), particle("B", 0.6, 1.0), product("C")];
        let particles = [place, Vector([1.5; 3])];
        let particles = [0, 1].map(|n| Seed { species: n as u16, position: particles[n] });
        let rules = binding(action, Chance::Probability(1.0), rate);
        let mut engine = periodic(3.0, timestep, species, rules, 13, &particles);
        while engine.tally().unbound < 1000 {
            engine.step(&mut NoObserver).expect("a step");
            let p = engine.particles();
            let first = p.slots_by_id()[0] as usize;
            // A, or C while there is one.
            assert_eq!(p.position[first], place, "{action:?}");
        }
    }
}
