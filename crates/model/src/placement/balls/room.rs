//! Balls as large as there is room for: a centre at random, and a radius at random between the
//! least and the distance to the nearest ball or wall (found to be how the packings of the shaker
//! ball mill in Gavrilova et al. 2003 were made).

use rand::RngExt;

use super::super::random::{PATIENCE, PATIENCE_IN_ALL, somewhere};
use super::{Ball, BallGround, GAP, PlacementError, PlacementMethod};

impl<const D: usize> BallGround<'_, D> {
    pub(super) fn in_room(&mut self) -> Result<(), PlacementError> {
        for placement in &self.model.placement {
            let PlacementMethod::Room { count } = placement.how else {
                continue;
            };
            let mut left = PATIENCE + PATIENCE_IN_ALL * count as u64;
            for placed in 0..count {
                let Some(tried) = self.place_in_room(placement.species, left.min(PATIENCE)) else {
                    return Err(PlacementError::NoRoom {
                        species: self.name(placement.species),
                        wanted: count,
                        placed,
                        least: self.granular.balls[placement.species as usize].radius[0],
                        reached: self.crowd.packing_fraction(),
                    });
                };
                left -= tried;
            }
        }
        Ok(())
    }

    /// Adds one ball; how many tries it took, if it was not too many.
    fn place_in_room(&mut self, species: u16, most: u64) -> Option<u64> {
        let [least, largest] = self.granular.balls[species as usize].radius;
        for tried in 1..=most {
            let position = somewhere(&self.domain, 0.0, &mut self.generator);
            // A little farther than it needs, so that the largest ball finds room too.
            let room = self.crowd.room(position, largest * (1.0 + 4.0 * GAP)) * (1.0 - GAP);
            if room < least {
                continue;
            }
            let share: f64 = self.generator.random();
            self.crowd.add(Ball {
                species,
                position,
                radius: least + share * (room.min(largest) - least),
            });
            return Some(tried);
        }
        None
    }
}
