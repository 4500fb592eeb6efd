//! The energy that particles have beside surfaces and faces of the box, by external fields.

use super::statistics::{Estimate, each};
use super::surfaces::model_with;
use jostle_core::environment::SurfaceField;
use jostle_core::space::{Domain, Vector};
use jostle_h5md::reading::{ReadError, Reading};

/// The particles of a species beside a surface at which they have a potential.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldEnergy {
    /// The species.
    pub species: String,
    /// The surface, or the face of the box.
    pub surface: String,
    /// Of all these particles together. \[kT\]
    pub energy: Estimate,
    /// The same, divided by the number of particles of all species that have a potential. \[kT\]
    pub per_particle: Estimate,
}

/// A species beside a surface, and where its numbers are in a row of numbers: the energy, then the energy per
/// particle.
pub(super) struct FieldColumns<const D: usize> {
    pub(super) species: u16,
    surface: String,
    /// Those of all potentials that it has there.
    fields: Vec<SurfaceField<D>>,
    pub(super) first: usize,
}

/// How many numbers there are of a species beside a surface.
pub(super) const WIDTH: usize = 2;

/// What the text of a model with external fields has: particles move in them by this law alone.
const BOUNCES: &str = "law = \"bounces\"";

/// The fields of the model that a file was made from, by surfaces in the order of its potentials, and by species;
/// none where it has none.
///
/// # Errors
/// If its model makes no sense, or it cannot be read.
pub(super) fn fields_of<const D: usize>(
    reading: &Reading,
) -> Result<Vec<FieldColumns<D>>, ReadError> {
    let model = model_with(reading, &[BOUNCES])?;
    let Some(model) = model.filter(|model| !model.surface_potentials().is_empty()) else {
        return Ok(Vec::new());
    };
    if model.species.len() != reading.species().len() {
        let reason = "the model's species are not those of the frames";
        return Err(reading.damaged("parameters/resolved", reason));
    }
    let mut found: Vec<FieldColumns<D>> = Vec::new();
    for potential in model.surface_potentials() {
        let fields = potential.fields::<D>(&model.species);
        for ((surface, _), field) in potential.beside.iter().zip(fields) {
            for species in potential.species.iter().copied().filter(|s| field.acts_on(*s)) {
                let known = found
                    .iter_mut()
                    .find(|known| known.species == species && known.surface == *surface);
                match known {
                    Some(known) => known.fields.push(field.clone()),
                    None => found.push(FieldColumns {
                        species,
                        surface: surface.clone(),
                        fields: vec![field.clone()],
                        first: 0,
                    }),
                }
            }
        }
    }
    Ok(found)
}

impl<const D: usize> FieldColumns<D> {
    /// Enters in a row what the particles of its species have, which are among these; `particles` are those of all
    /// species that have a potential. Returns the energy. \[kT\]
    pub(super) fn enter(
        &self,
        domain: &Domain<D>,
        species: &[u16],
        position: &[Vector<D>],
        particles: u64,
        row: &mut [f64],
    ) -> f64 {
        let of_one = |place: Vector<D>| -> f64 {
            self.fields.iter().map(|field| field.energy(domain, self.species, place)).sum()
        };
        let these = species.iter().zip(position).filter(|(species, _)| **species == self.species);
        let energy = these.fold(0.0, |sum, (_, place)| sum + of_one(*place));
        row[self.first] = energy;
        row[self.first + 1] = each(energy, particles);
        energy
    }

    /// What the averages of all rows say of it.
    pub(super) fn averaged(&self, reading: &Reading, all: &[Estimate]) -> FieldEnergy {
        FieldEnergy {
            species: reading.species_name(i64::from(self.species)),
            surface: self.surface.clone(),
            energy: all[self.first],
            per_particle: all[self.first + 1],
        }
    }
}
