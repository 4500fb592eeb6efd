//! How long particles need until they first meet a particle, as the log of contacts shows it.

use std::collections::HashMap;
use std::ops::{Range, RangeInclusive};

use super::super::super::contacts::{is_of, visit_contacts};
use super::super::super::replay;
use super::super::super::scope::{Scope, too_little};
use super::super::survival_curve::Observed;
use jostle_files::with_room;
use jostle_h5md::reading::ReadError;
use jostle_h5md::reading::Reading;
use jostle_h5md::record::schema::{LAST_WALL, NO_SPECIES, PartyRow, WALL};

/// What the box is called.
pub(super) const WALL_NAME: &str = "wall";

/// A step, and a time within it as the log of contacts rounds it.
type Moment = (u64, f32);

/// A particle of the first frame.
struct Waiting {
    species: usize,
    /// When a change ends it, or makes something else of it.
    ended: Option<Moment>,
    met: Option<Moment>,
}

impl Waiting {
    /// It meets a particle, being of this species. What comes of it later may meet what it likes.
    fn meet(&mut self, species: u16, moment: Moment) {
        // The contact that leads to a change comes before it.
        let lives = self.ended.is_none_or(|end| moment <= end);
        if lives && usize::from(species) == self.species {
            self.met.get_or_insert(moment);
        }
    }
}

/// How long each particle of the first frame waits, by species.
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
    let walls = walls_named(reading, partner)?;
    if walls.is_some() && !logs_walls(reading)? {
        let needed = "the run kept no contacts with walls (log = \"all\" and log_walls = true do)";
        return Err(too_little(reading, needed.into()));
    }
    let named = partner.filter(|_| walls.is_none()).map(str::to_owned);
    let partners =
        Scope { species: named.into_iter().collect(), ..Scope::default() }.species(reading)?;
    let is_partner =
        |species: u16| species != NO_SPECIES && partners.get(species as usize) == Some(&true);
    let mut waiting = present_at_first(reading, scope, frames.start)?;
    let (begin, end) = (times[0], times[times.len() - 1]);
    let steps = steps[0] as u64..steps[steps.len() - 1] as u64;
    follow_changes(reading, steps.clone(), &mut waiting)?;
    let timestep = reading.timestep();
    visit_contacts(reading, steps, |step, row| {
        if row.is_at_distance() {
            return;
        }
        let moment = (step, row.time);
        let sides = [(row.a, row.species_a, row.species_b), (row.b, row.species_b, row.species_a)];
        for (id, own, other) in sides {
            let meets = match &walls {
                Some(walls) => walls.contains(&row.b),
                None => row.b < LAST_WALL && is_partner(other),
            };
            if let Some(particle) = waiting.get_mut(&i64::from(id)).filter(|_| meets) {
                particle.meet(own, moment);
            }
        }
    })?;
    let mut lives = vec![Vec::new(); reading.species().len()];
    for particle in waiting.into_values() {
        let time = |(step, within): Moment| (step as f64 + f64::from(within)) * timestep;
        let exit = particle.met.or(particle.ended).map_or(end, time).min(end) - begin;
        lives[particle.species].push(Observed { entry: 0.0, exit, ended: particle.met.is_some() });
    }
    Ok(lives)
}

/// What a partner that is no species stands for in [`jostle_h5md::record::schema::ContactRow::b`]:
/// `wall` is all walls, surfaces included, other names are one of them.
fn walls_named(
    reading: &Reading,
    partner: Option<&str>,
) -> Result<Option<RangeInclusive<u32>>, ReadError> {
    let Some(name) =
        partner.filter(|name| !reading.species().iter().any(|species| is_of(species, name)))
    else {
        return Ok(None);
    };
    if name == WALL_NAME {
        return Ok(Some(LAST_WALL..=WALL));
    }
    let face = reading.texts("events/codes/faces")?.iter().position(|face| face == name);
    Ok(face.map(|face| WALL - face as u32).map(|code| code..=code))
}

fn logs_walls(reading: &Reading) -> Result<bool, ReadError> {
    let (_, resolved) = reading.model()?;
    let of_model = || {
        toml::from_str::<toml::Table>(&resolved).ok()?.get("output")?.get("log_walls")?.as_bool()
    };
    let walls = with_room(of_model).ok().flatten();
    Ok(reading.text("parameters/log")? == "all" && walls != Some(false))
}

/// Notes which particles a change ends, or makes something else of, in some steps.
fn follow_changes(
    reading: &Reading,
    steps: Range<u64>,
    waiting: &mut HashMap<i64, Waiting>,
) -> Result<(), ReadError> {
    let mut state = replay::first(reading)?;
    replay::follow(reading, &mut state, steps.end, |_, event| {
        if (event.row.step as u64) < steps.start {
            return;
        }
        for party in event.reactants {
            let stays =
                |product: &PartyRow| (product.id, product.species) == (party.id, party.species);
            if let Some(particle) =
                waiting.get_mut(&party.id).filter(|_| !event.products.iter().any(stays))
            {
                particle.ended.get_or_insert((event.row.step as u64, event.row.time as f32));
            }
        }
    })
}

/// The particles that are looked at, as one frame shows them.
fn present_at_first(
    reading: &Reading,
    scope: &Scope,
    frame: usize,
) -> Result<HashMap<i64, Waiting>, ReadError> {
    let wanted = scope.species(reading)?;
    let species = reading.named_species()?;
    let data = reading.frame_data(frame..frame + 1, 0..reading.slots())?;
    let here = species.into_iter().zip(data.id).filter(|(_, id)| *id >= 0);
    let looked_at = here.filter_map(|(species, id)| Some((id, species.filter(|&s| wanted[s])?)));
    Ok(looked_at.map(|(id, species)| (id, Waiting { species, ended: None, met: None })).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_particle_meets_while_it_is_itself_counts() {
        let particle = || Waiting { species: 2, ended: Some((7, 0.5)), met: None };
        // Another species, as after a conversion; later than its end; its last contact; an earlier
        // one.
        let cases = [
            ((3, (6, 0.0)), false),
            ((2, (7, 0.75)), false),
            ((2, (7, 0.5)), true),
            ((2, (6, 0.9)), true),
        ];
        for ((species, moment), counts) in cases {
            let mut particle = particle();
            particle.meet(species, moment);
            assert_eq!(particle.met, counts.then_some(moment), "{species} {moment:?}");
        }
        let mut particle = particle();
        particle.meet(2, (1, 0.0));
        particle.meet(2, (3, 0.0));
        assert_eq!(particle.met, Some((1, 0.0)), "the first counts");
    }
}
