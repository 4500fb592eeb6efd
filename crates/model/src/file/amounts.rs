//! Numbers of particles: as such, or as a concentration, which is multiplied with the room that
//! they have once that is known.

use rand_distr::{Distribution, Poisson};

use crate::units::{Quantity, Wanted};
use crate::walker::{Item, Reader};
use crate::{Asked, Model, PlacementMethod, measure};
use jostle_core::random::{Purpose, Random};

/// How many particles.
#[derive(Clone, Copy)]
pub(super) enum Amount {
    Number(usize),
    PerRoom(Asked),
}

/// An amount of particles that move in `dimension` dimensions; None if there are none.
pub(super) fn amount(item: &Item<'_>, dimension: usize) -> Option<Amount> {
    if is_concentration_table(item) {
        let section = item.section()?;
        let given = section.require("concentration");
        let poisson = section.get("poisson").map(|item| item.boolean());
        section.finish();
        let per_room = given.and_then(|item| concentration(&item, dimension))?;
        let poisson = poisson.unwrap_or(Some(false))?;
        return Some(Amount::PerRoom(Asked { per_room, poisson }));
    }
    if item.is_text() {
        let per_room = concentration(item, dimension)?;
        return Some(Amount::PerRoom(Asked { per_room, poisson: false }));
    }
    number(item).map(Amount::Number)
}

/// `{ concentration = "100 nM", poisson = true }`
pub(super) fn is_concentration_table(item: &Item<'_>) -> bool {
    item.is_table() && item.has("concentration")
}

/// How many particles there are per volume, area or length. \[nm^-d\]
fn concentration(item: &Item<'_>, dimension: usize) -> Option<f64> {
    let bare = |text| Quantity::parse(text).is_ok_and(|quantity| quantity.unit.is_none());
    if !item.is_text() || item.text().is_some_and(bare) {
        let example = Wanted::amount(dimension).example;
        item.fault(format!(
            "a concentration needs quotes and a unit, for example \"{example}\"; a number of particles needs neither, \
             for example 100"
        ));
        return None;
    }
    item.not_negative_as(&Wanted::amount(dimension))
}

/// How many particles; None if there are none.
pub(super) fn number(item: &Item<'_>) -> Option<usize> {
    let count = item.whole(0)?;
    if too_many(count as f64) {
        item.fault(format!("{count} particles are more than can be numbered"));
        return None;
    }
    (count > 0).then_some(count as usize)
}

fn too_many(count: f64) -> bool {
    count >= f64::from(u32::MAX)
}

impl Amount {
    /// The number, 0 as long as that is not known, and what was asked for instead.
    pub(super) fn parts(self) -> (usize, Option<Asked>) {
        match self {
            Self::Number(count) => (count, None),
            Self::PerRoom(asked) => (0, Some(asked)),
        }
    }
}

/// Turns concentrations into numbers, now that all is known of the room that particles have.
pub(super) fn settle(model: &mut Model, reader: &Reader<'_>) {
    for n in 0..model.placement.len() {
        let placement = &model.placement[n];
        let Some(asked) = placement.asked else { continue };
        let mean = asked.per_room * measure::room_of(model, placement.species);
        let key = &placement.origin.key;
        if too_many(mean) {
            reader
                .fault_at(key, format!("this is {mean:.3e} particles, more than can be numbered"));
            continue;
        }
        let count = match asked.poisson {
            true => {
                let molecule = model.molecules().iter().position(|m| m.placement == n);
                let key = molecule.map_or([u64::from(placement.species), 0], |m| [m as u64, 1]);
                drawn(mean, model.run.seed, key)
            }
            // The nearest number, so that one model means one system; with `poisson` it differs
            // from seed to seed, as in samples of a solution.
            false => mean.round(),
        };
        if let PlacementMethod::Random { count: settled }
        | PlacementMethod::Lattice { count: settled }
        | PlacementMethod::Packed { count: settled }
        | PlacementMethod::Equilibrium { count: settled }
        | PlacementMethod::InMolecules { count: settled } = &mut model.placement[n].how
        {
            *settled = count as usize;
        }
    }
}

/// A number from the Poisson distribution of this mean, a function of the seed and of what is
/// counted: a species, or a molecule of several spheres.
fn drawn(mean: f64, seed: u64, [number, kind]: [u64; 2]) -> f64 {
    let mut random = Random::new(seed).generator(Purpose::Placement, [number, kind, 0, 0]);
    // Of a mean of 0 there is no distribution, nor of NaN.
    Poisson::new(mean).map_or(0.0, |poisson| poisson.sample(&mut random))
}
