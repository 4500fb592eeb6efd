//! With what velocities particles continue after they have bound, or parted.

use jostle::brownian::Seed;
use jostle::observe::{Change, ChangeKind, Contact, Observer, ObserverError, View};
use jostle::rules::Chance;
use jostle::space::Vector;

use super::{COALESCE, reacting};
use crate::kinetics::*;

const RADII: [f64; 2] = [0.4, 0.6];
/// Their sum is 1, so that each is a weight as well; and D of the sphere that the two become.
const DIFFUSION: [f64; 2] = [0.3, 0.7];
const OF_SPHERE: f64 = 0.5;

/// How far the centre of the pair gets from where a change happened to the end of that step, per
/// step: the sphere or the dimer after binding, the mean of A and B weighted with the mobility of
/// the other after parting.
#[derive(Default)]
struct Centre {
    changes: Vec<(f64, ChangeKind, Vector<3>)>,
    bound: Vec<Vector<3>>,
    parted: Vec<Vector<3>>,
    /// From A to B at the last whole step; zero while they are one.
    to_second: Vector<3>,
    /// From A to B when they bound.
    normal: Vector<3>,
}

impl Observer<3> for Centre {
    fn change(&mut self, change: &Change<'_, 3>) -> Result<(), ObserverError> {
        self.changes.push((change.time, change.kind, change.place));
        Ok(())
    }

    fn contact(&mut self, contact: &Contact<3>) -> Result<(), ObserverError> {
        self.normal = contact.normal;
        Ok(())
    }

    fn step(&mut self, view: &View<'_, 3>) -> Result<(), ObserverError> {
        let p = view.particles;
        let slots = p.slots_by_id();
        let first = p.position[slots[0] as usize];
        let to_second =
            slots.last().map(|&slot| p.position[slot as usize]).unwrap_or(first) - first;
        let to_second = view.domain.nearest_image(to_second);
        if let [(time, kind, place)] = self.changes[..] {
            // A bond is reported where the surfaces touch; it keeps its direction until it breaks.
            let (from, to) = match kind {
                // The dimer turns about that centre at the end of the step.
                ChangeKind::Bonded => (
                    place + self.normal * (DIFFUSION[0] - RADII[0]),
                    first + to_second * DIFFUSION[0],
                ),
                ChangeKind::Unbonded => (
                    place + self.to_second * (DIFFUSION[0] - RADII[0]),
                    first + to_second * DIFFUSION[0],
                ),
                _ => (place, first + to_second * DIFFUSION[0]),
            };
            let velocity = view.domain.nearest_image(to - from) * (1.0 / (1.0 - time));
            match kind {
                ChangeKind::Coalesced | ChangeKind::Bonded => self.bound.push(velocity),
                ChangeKind::Split | ChangeKind::Unbonded => self.parted.push(velocity),
                _ => {}
            }
        }
        self.to_second = to_second;
        self.changes.clear();
        Ok(())
    }
}

/// All have the Maxwell distribution of what moves on: 2 D dt per axis, with the D of the sphere or
/// dimer, and with D_A D_B/(D_A + D_B) for the centre of A and B. Mean square (standard error 1.2
/// %) and Kolmogorov-Smirnov of the components of 5000 velocities each; false alarms 5e-5.
#[test]
fn what_binds_or_parts_moves_on_with_fresh_maxwell_velocities() {
    let (pair, timestep) = reacting(3, 0.4);
    for action in [COALESCE, Bind::Bond] {
        let species = vec![
            particle("A", RADII[0], DIFFUSION[0]),
            particle("B", RADII[1], DIFFUSION[1]),
            particle("C", 0.7, OF_SPHERE),
        ];
        let particles =
            [0, 1].map(|n| Seed { species: n as u16, position: Vector([3.0 * n as f64; 3]) });
        let rules = binding(action, Chance::Probability(1.0), pair.contact_rate(timestep) / 10.0);
        let mut engine = periodic(6.0, timestep, species, rules, 31, &particles);
        let mut centre = Centre::default();
        while centre.bound.len() < samples(5000) {
            engine.step(&mut centre).expect("a step");
        }
        // Free draining: 1/D of a dimer is 1/D_A + 1/D_B, as of the centre of the two apart.
        let of_centre = DIFFUSION[0] * DIFFUSION[1];
        let of_bound = if action == COALESCE { OF_SPHERE } else { of_centre };
        for (velocities, diffusion) in [(centre.bound, of_bound), (centre.parted, of_centre)] {
            let width = (2.0 * diffusion * timestep).sqrt();
            assert!(velocities.len() > samples(4900));
            let components: Vec<f64> = velocities.iter().flat_map(|v| v.0).collect();
            let (square, error) =
                mean(&components.iter().map(|x| x * x / (width * width)).collect::<Vec<_>>());
            hold(&format!("{action:?}, mean square"), square, error, 1.0, 0.0);
            let ranks =
                components.iter().map(|x| 0.5 * libm::erfc(-x / (width * 2_f64.sqrt()))).collect();
            let distance = kolmogorov(ranks);
            println!("  {action:?}: {distance:.2}");
            assert!(distance < KOLMOGOROV, "{action:?}: {distance}");
        }
    }
}
