//! Changes of the state between steps, by hand.

use super::Simulation;
use crate::error::RunError;
use jostle_core::engine::Alteration;

impl Simulation {
    /// Adds particles of a species between steps, at these places within the box: as many
    /// components for each as there are dimensions \[nm\]. Returns their identities, in the same
    /// order. Only models of particles in Brownian motion can be changed so. The file tells of it
    /// as of a change of the coming step, and [`causes`](Simulation::causes) has a name for it.
    ///
    /// # Errors
    /// If there is no such species or it has no size of its own, or if any of the particles would
    /// stick out of the box, in a surface, or overlap another that it may not overlap: then none is
    /// added. And as [`step`](Simulation::step).
    pub fn add(&mut self, species: &str, places: &[f64]) -> Result<Vec<u64>, RunError> {
        self.check_alterable()?;
        let found = self.model.species.iter().position(|known| known.name == species);
        let Some(species) = found else {
            let known: Vec<_> = self.model.species.iter().map(|known| &*known.name).collect();
            let known = known.join(", ");
            return Err(refused(format!("there is no species \"{species}\"; species: {known}")));
        };
        let dimension = self.model.space.dimension;
        if !places.len().is_multiple_of(dimension) {
            let (count, what) = (places.len(), "numbers are no whole number of places in");
            return Err(refused(format!("{count} {what} {dimension} dimensions")));
        }
        self.alter(Alteration::Add { species: species as u16, places })
    }

    /// Takes particles away between steps, with all that is inside them, if they are coalesced.
    /// What is left of their clusters continues as it can. As for [`add`](Simulation::add).
    ///
    /// # Errors
    /// If there is no particle of one of the identities: then none is taken away. And as
    /// [`step`](Simulation::step).
    pub fn remove(&mut self, ids: &[u64]) -> Result<(), RunError> {
        self.check_alterable()?;
        self.alter(Alteration::Remove { ids }).map(drop)
    }

    /// Gives a rule another rate from now on, of the kind that it has in the model and written as
    /// there: `"0.2 /s"`, `"1e6 /M/s"`, or `"0.5"` for a probability. As for
    /// [`add`](Simulation::add).
    ///
    /// # Errors
    /// If there is no such rule, or the rate is not one that the model could set. And as
    /// [`step`](Simulation::step).
    pub fn set_rate(&mut self, rule: &str, value: &str) -> Result<(), RunError> {
        self.check_alterable()?;
        let (rule, rate) = self.model.rate_to_set(rule, value).map_err(refused)?;
        self.alter(Alteration::SetRate { rule, rate }).map(drop)
    }

    fn alter(&mut self, alteration: Alteration<'_>) -> Result<Vec<u64>, RunError> {
        match self.with(|drive| drive.alter(alteration))? {
            Ok(altered) => altered.map_err(refused),
            Err(_) => {
                self.summary = self.end()?;
                Err(RunError::Ended)
            }
        }
    }

    fn check_alterable(&self) -> Result<(), RunError> {
        match self.model.brownian() {
            Some(_) => Ok(()),
            None => Err(refused(
                "only models of particles in Brownian motion can be changed between steps; \
                 in others particles and laws stay as they were at the start"
                    .to_owned(),
            )),
        }
    }
}

fn refused(why: String) -> RunError {
    RunError::Refused(why)
}

#[cfg(test)]
mod tests;
