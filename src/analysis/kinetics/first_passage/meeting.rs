//! How long bodies need until they first meet somebody, as the log of contacts shows it.

use std::collections::HashMap;

use super::super::super::contacts::visit_contacts;
use super::super::super::error::ReadError;
use super::super::super::reading::Reading;
use super::super::super::scope::{Scope, too_little};
use super::super::survival_curve::Observed;
use crate::record::schema::{LAST_WALL, NO_SPECIES};

/// A body of the first frame.
struct Waiting {
    species: usize,
    /// The last frame, counted from the first, up to which it is seen without a gap.
    last: usize,
    met: Option<f64>,
}

/// How long each body of the first frame waits, by species.
pub(super) fn waits(
    reading: &Reading,
    scope: &Scope,
    partner: Option<&str>,
) -> Result<Vec<Vec<Observed>>, ReadError> {
    let frames = scope.frames(reading, 2)?;
    let times = &reading.times()?[frames.clone()];
    let steps = &reading.steps()?[frames.clone()];
    if reading.text("parameters/log")? == "none" {
        return Err(too_little(reading, "the run kept no contacts (log = \"none\")".into()));
    }
    let partners = Scope { species: partner.map(str::to_owned).into_iter().collect(), ..Scope::default() };
    let partners = partners.species(reading)?;
    let is_partner = |species: u16| species != NO_SPECIES && partners.get(species as usize) == Some(&true);
    let mut waiting = present_from_the_first(reading, scope, frames)?;
    let (begin, end) = (times[0], times[times.len() - 1]);
    let timestep = reading.timestep();
    visit_contacts(reading, steps[0] as u64..steps[steps.len() - 1] as u64, |step, row| {
        if row.b >= LAST_WALL {
            return;
        }
        let time = (step as f64 + f64::from(row.time)) * timestep;
        for (id, other) in [(row.a, row.species_b), (row.b, row.species_a)] {
            if let Some(body) = waiting.get_mut(&i64::from(id)).filter(|_| is_partner(other)) {
                body.met.get_or_insert(time);
            }
        }
    })?;
    let mut lives = vec![Vec::new(); reading.species().len()];
    for body in waiting.into_values() {
        let exit = body.met.unwrap_or(times[body.last]).min(end) - begin;
        lives[body.species].push(Observed { entry: 0.0, exit, ended: body.met.is_some() });
    }
    Ok(lives)
}

fn present_from_the_first(
    reading: &Reading,
    scope: &Scope,
    frames: std::ops::Range<usize>,
) -> Result<HashMap<i64, Waiting>, ReadError> {
    let wanted = scope.species(reading)?;
    let species = reading.named_species()?;
    let mut waiting = HashMap::new();
    for slots in reading.blocks_of_slots(frames.len()) {
        let data = reading.frame_data(frames.clone(), slots.clone())?;
        for (k, slot) in slots.enumerate() {
            let id = data.id[[0, k]];
            if let Some(species) = species[slot].filter(|&s| wanted[s] && id >= 0) {
                let seen = (0..frames.len()).take_while(|&frame| data.id[[frame, k]] == id);
                waiting.insert(id, Waiting { species, last: seen.count() - 1, met: None });
            }
        }
    }
    Ok(waiting)
}
