//! The worked examples: numbers that Johnson & Whalley (2002) print to the last digit.

use super::ReproduceError;
use jostle_brownian::{Brownian, Seed, Setup};
use jostle_core::observe::{Contact, Observer, ObserverError};
use jostle_core::space::{Domain, Vector};
use jostle_core::species::Species;

/// How exact they are: some rounding of a coordinate.
pub(crate) const TOLERANCE: f64 = 1e-12;

/// A number that is printed, and ours.
#[derive(Clone, Debug, PartialEq)]
pub struct Example {
    /// What is claimed, in words.
    pub what: String,
    /// As printed, or as follows from what is printed.
    pub printed: f64,
    /// Ours.
    pub ours: f64,
}

/// When contacts were. \[steps\]
#[derive(Default)]
struct ContactTimes(Vec<f64>);

impl<const D: usize> Observer<D> for ContactTimes {
    fn wants_contacts(&self) -> bool {
        true
    }
    fn contact(&mut self, contact: &Contact<D>) -> Result<(), ObserverError> {
        self.0.push(contact.time);
        Ok(())
    }
}

/// Section 3.3: A from (0,0,0) to (1,1,0), B from (1,0,0) to (0,1,0), radii 0.2, touch at 0.3.
/// Section 4.1: A from 0 to 3 pushes B at 2, and B then C at 3.5, in one step.
///
/// # Errors
/// If a step fails.
pub fn examples() -> Result<Vec<Example>, ReproduceError> {
    let paths = [[[4.0, 4.0, 4.0], [1.0, 1.0, 0.0]], [[5.0, 4.0, 4.0], [-1.0, 1.0, 0.0]]];
    let (times, _) = go::<3>(0.2, &paths)?;
    let (chain, ends) = go::<1>(0.5, &[[[4.0], [3.0]], [[6.0], [0.0]], [[7.5], [0.0]]])?;
    let example = |what: &str, printed, ours: Option<&f64>| Example {
        what: what.into(),
        printed,
        ours: ours.copied().unwrap_or(f64::NAN),
    };
    let end = |n: usize| ends.get(n).map(|place| place[0] - 4.0);
    Ok(vec![
        example("section 3.3, Figure 3: time of contact", 0.3, times.first()),
        example("section 3.3: number of contacts", 1.0, Some(&(times.len() as f64))),
        example("section 4.1: first contact of the chain", 1.0 / 3.0, chain.first()),
        example("section 4.1: second contact of the chain", 0.5, chain.get(1)),
        example("section 4.1: where A ends", 1.0, end(0).as_ref()),
        example("section 4.1: where B ends", 2.5, end(1).as_ref()),
        example("section 4.1: where C ends", 5.0, end(2).as_ref()),
    ])
}

/// Particles that are alike go along these ways, each from a place by a displacement, for one step.
/// When they touch, and where they end.
fn go<const D: usize>(
    radius: f64,
    ways: &[[[f64; D]; 2]],
) -> Result<(Vec<f64>, Vec<Vector<D>>), ReproduceError> {
    let species = Species::sphere("A", radius, 1.0);
    let setup = Setup::new(Domain::new([20.0; D], [true; D]), 1.0, vec![species]);
    let particles: Vec<_> =
        ways.iter().map(|way| Seed { species: 0, position: Vector(way[0]) }).collect();
    let mut engine = Brownian::new(setup, &particles)?;
    let mut times = ContactTimes::default();
    engine.step_along(|id| Vector(ways[id as usize][1]), &mut times)?;
    let particles = engine.particles();
    let ends = particles.slots_by_id().into_iter().map(|slot| particles.position[slot as usize]);
    Ok((times.0, ends.collect()))
}
