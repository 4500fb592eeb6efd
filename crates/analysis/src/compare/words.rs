//! What differs, in words.

use std::collections::BTreeMap;

use super::rows::{block_of, range};
use super::{CHANGES, FLAT};
use crate::contacts::word;
use jostle_core::words::{counted, time_text};
use jostle_h5md::reading::Reading;
use jostle_h5md::reading::{Column, ReadError};
use jostle_h5md::record::schema::{ChangeRow, LAST_WALL, NO_RULE, PartyRow, WALL};

/// What the two files are called.
const SIDES: [&str; 2] = ["first", "second"];

/// One line for each file.
fn sides(says: [String; 2]) -> Vec<String> {
    SIDES.into_iter().zip(says).map(|(side, text)| format!("{side}: {text}")).collect()
}

/// What differs in a frame: when it is, then which particles are elsewhere, missing or in another
/// cluster. If it is none of these, the datasets that differ are named.
pub(super) fn frame(
    pair: [&Reading; 2],
    frame: usize,
    differing: &[String],
) -> Result<Vec<String>, ReadError> {
    let moment = |reading: &Reading| -> Result<String, ReadError> {
        let time =
            reading.times().map_or(String::new(), |times| format!(", {}", time_text(times[frame])));
        Ok(format!("step {}{time}", reading.steps()?[frame]))
    };
    let [a, b] = [moment(pair[0])?, moment(pair[1])?];
    let mut says = vec![if a == b { a } else { format!("{a} in the first, {b} in the second") }];
    let hash = |reading: &Reading| reading.state_hashes().ok()?.get(frame).copied();
    if hash(pair[0]).is_some() && hash(pair[0]) == hash(pair[1]) {
        says.push("the state hashes agree: the difference did not come from the run".into());
    }
    let [a, b] = [particles(pair[0], frame)?, particles(pair[1], frame)?];
    let which = differing_particles(&a, &b);
    if which.is_empty() {
        says.push(format!("what differs is /{}", differing.join(", /")));
    }
    says.extend(which);
    Ok(says)
}

/// Which particles are in one frame only, elsewhere, or in another cluster; a line for each that is
/// the case.
fn differing_particles(a: &BTreeMap<i64, Particle>, b: &BTreeMap<i64, Particle>) -> Vec<String> {
    let mut says = Vec::new();
    for (side, (ours, theirs)) in SIDES.into_iter().zip([(a, b), (b, a)]) {
        let only: Vec<i64> = ours.keys().filter(|id| !theirs.contains_key(id)).copied().collect();
        if let Some(id) = only.first() {
            says.push(format!(
                "{} only in the {side}, of which one is particle {id}",
                particles_text(only.len())
            ));
        }
    }
    let both: Vec<(i64, &Particle, &Particle)> =
        a.iter().filter_map(|(id, particle)| Some((*id, particle, b.get(id)?))).collect();
    let all = particles_text(both.len());
    let moved: Vec<_> = both.iter().filter(|(_, a, b)| a.place != b.place).collect();
    if let Some((id, a, b)) = moved.first() {
        let (count, [a, b]) = (moved.len(), [a, b].map(|particle| place_text(particle.place)));
        says.push(format!("{count} of {all} elsewhere, the first is particle {id}: {a} | {b}"));
    }
    let regrouped: Vec<_> = both.iter().filter(|(_, a, b)| a.cluster != b.cluster).collect();
    if let Some((id, a, b)) = regrouped.first() {
        let (count, a, b) = (regrouped.len(), a.cluster, b.cluster);
        says.push(format!(
            "{count} of {all} in another cluster, the first is particle {id}: {a} | {b}"
        ));
    }
    says
}

fn particles_text(count: usize) -> String {
    counted(count as u64, "particle")
}

/// Where a particle is, in bits, and its cluster.
struct Particle {
    place: [u64; 3],
    cluster: i64,
}

fn particles(reading: &Reading, frame: usize) -> Result<BTreeMap<i64, Particle>, ReadError> {
    let slots = 0..reading.slots();
    let data = reading.frame_data(frame..frame + 1, slots.clone())?;
    let places = reading.positions(frame..frame + 1, slots.clone())?;
    let living = slots.filter(|&slot| data.id[[0, slot]] >= 0);
    let particle = |slot: usize| {
        let place = [0, 1, 2].map(|axis| places[[0, slot, axis]].to_bits());
        (data.id[[0, slot]], Particle { place, cluster: data.cluster[[0, slot]] })
    };
    Ok(living.map(particle).collect())
}

fn place_text(bits: [u64; 3]) -> String {
    // Of what was stored in single precision, no more digits than that has.
    let short =
        |x: f64| if f64::from(x as f32) == x { (x as f32).to_string() } else { x.to_string() };
    let [x, y, z] = bits.map(|bits| short(f64::from_bits(bits)));
    format!("({x}, {y}, {z}) nm")
}

/// A change as each file has it.
pub(super) fn change(pair: [&Reading; 2], row: usize) -> Result<Vec<String>, ReadError> {
    Ok(sides([change_text(pair[0], row)?, change_text(pair[1], row)?]))
}

fn change_text(reading: &Reading, row: usize) -> Result<String, ReadError> {
    let rows: Vec<ChangeRow> = reading.column(CHANGES, row..row + 1)?;
    let Some(change) = rows.first() else { return Ok(String::new()) };
    let mut lists = [String::new(), String::new()];
    for (table, list) in lists.iter_mut().enumerate() {
        let (first, count) = range(change, table);
        let rows = first as usize..(first as usize).saturating_add(count as usize);
        let parties: Vec<PartyRow> = reading.column(FLAT[table], rows)?;
        let names = parties.iter().map(|party| {
            let name = reading.species_name(i64::from(party.species));
            format!("{name} {}", party.id)
        });
        *list = names.collect::<Vec<_>>().join(" + ");
    }
    let kind = word(&reading.texts("events/codes/kinds")?, usize::from(change.kind));
    let rule = reading.rules()?.get(usize::from(change.rule)).cloned();
    let rule = rule.map_or(String::new(), |rule| format!(" ({rule})"));
    let when = moment(reading, change.step, change.time);
    let [before, after] = lists;
    Ok(format!("{when}: {kind}{rule}: {before} -> {after}"))
}

/// A contact as each file has it.
pub(super) fn contact(pair: [&Reading; 2], row: usize) -> Result<Vec<String>, ReadError> {
    Ok(sides([contact_text(pair[0], row)?, contact_text(pair[1], row)?]))
}

fn contact_text(reading: &Reading, row: usize) -> Result<String, ReadError> {
    let rows = Column::of_contacts(reading)?.read(row..row + 1)?;
    let Some(contact) = rows.first() else { return Ok(String::new()) };
    let step = block_of(reading, row)?.map_or(0, |block| block.step);
    let partner = match contact.b {
        LAST_WALL..=WALL => {
            let faces = reading.texts("events/codes/faces")?;
            format!("the face {}", word(&faces, (WALL - contact.b) as usize))
        }
        id => format!("{} {id}", reading.species_name(i64::from(contact.species_b))),
    };
    let outcome = word(&reading.texts("events/codes/outcomes")?, usize::from(contact.outcome));
    let rule = if contact.rule == NO_RULE {
        None
    } else {
        reading.rules()?.get(usize::from(contact.rule)).cloned()
    };
    let rule = rule.map_or(String::new(), |rule| format!(" ({rule})"));
    let when = moment(reading, step, f64::from(contact.time));
    let first = reading.species_name(i64::from(contact.species_a));
    Ok(format!("{when}: {first} {} and {partner}: {outcome}{rule}", contact.a))
}

/// A moment within a step.
fn moment(reading: &Reading, step: i64, within: f64) -> String {
    format!("step {step}, {}", time_text((step as f64 + within) * reading.timestep()))
}
