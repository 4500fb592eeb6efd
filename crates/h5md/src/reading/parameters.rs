//! Reads what a file has besides particles: populations, the data of the species, what was
//! overridden.

use super::{ReadError, Reading};

/// A species as the model has it. What the model leaves open is absent.
#[derive(Clone, Debug, PartialEq)]
pub struct SpeciesData {
    /// Its name, with its state in braces if it has any: `EGFR{bound,bare}`.
    pub name: String,
    /// \[nm\]
    pub radius: Option<f64>,
    /// \[µm²/s\]
    pub diffusion_coefficient: Option<f64>,
}

impl Reading {
    /// What the command line set on top of the model, each `key=value`.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn model_path(&self) -> Result<Option<std::path::PathBuf>, ReadError> {
        let path = self.text("parameters/model_path")?;
        Ok((!path.is_empty()).then(|| path.into()))
    }

    /// What the command line had set on top of the model, as `key=value`.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn overrides(&self) -> Result<Vec<String>, ReadError> {
        self.texts("parameters/overrides")
    }

    /// The radii and diffusion coefficients of the species.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn species_data(&self) -> Result<Vec<SpeciesData>, ReadError> {
        let radii = self.numbers("parameters/species/radius")?;
        let diffusion = self.numbers("parameters/species/diffusion_coefficient")?;
        let known = |numbers: &[f64], k: usize| numbers.get(k).copied().filter(|x| x.is_finite());
        let of = |(k, name): (usize, &String)| SpeciesData {
            name: name.clone(),
            radius: known(&radii, k),
            diffusion_coefficient: known(&diffusion, k),
        };
        Ok(self.species().iter().enumerate().map(of).collect())
    }
}
