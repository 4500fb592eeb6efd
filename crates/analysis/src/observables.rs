//! The observables of a model over time.

use std::collections::BTreeSet;

use super::counts::{Counts, SpeciesCounts};
use super::scope::{Scope, too_little};
use super::statistics::blocked;
use super::surfaces::model_of;
use jostle_core::rules::Observable;
use jostle_core::sites::Complex;
use jostle_h5md::reading::{Molecules, ReadError, Reading, SiteData, species_in};

/// Counts what each `[[observable]]` of the model does, in every frame of the scope. Its species do not
/// matter.
///
/// # Errors
/// If the model has no observables, there is no frame within the scope, or the file cannot be read.
pub fn observables(reading: &Reading, scope: &Scope) -> Result<Counts, ReadError> {
    let model = match reading.is_ours() {
        true => Some(model_of(reading, &reading.text("parameters/resolved")?)?),
        false => None,
    };
    let observables = model.as_ref().map_or(&[][..], |model| &model.rules().observables);
    if observables.is_empty() {
        let why = "the model has no `[[observable]]`; `jostle analyse FILE sites --pattern` counts any pattern";
        return Err(too_little(reading, why.to_owned()));
    }
    let frames = scope.frames(reading, 1)?;
    let sites = if SiteData::is_in(reading) { Some(SiteData::of(reading)?) } else { None };
    let mut counts = vec![Vec::with_capacity(frames.len()); observables.len()];
    for frame in frames.clone() {
        let slots = 0..reading.slots();
        let row = reading.frame_data(frame..frame + 1, slots)?;
        let (ids, clusters) = (row.id, row.cluster);
        let cluster_of = |slot: u32| clusters[[0, slot as usize]] as u64;
        let is_there = |slot: &u32| ids[[0, *slot as usize]] >= 0;
        let found: Vec<u64> = match &sites {
            Some(data) => {
                let molecules = Molecules::of(data, frame)?;
                observables.iter().map(|o| count(o, &molecules, is_there, cluster_of)).collect()
            }
            None => {
                let points = Points(species_in(reading, frame)?);
                observables.iter().map(|o| count(o, &points, is_there, cluster_of)).collect()
            }
        };
        counts.iter_mut().zip(found).for_each(|(counts, found)| counts.push(found as i64));
    }
    let of = |(observable, counts): (&Observable, Vec<i64>)| {
        let mean = blocked(&counts.iter().map(|&n| n as f64).collect::<Vec<_>>());
        SpeciesCounts { species: observable.name.clone(), counts, mean }
    };
    let times = reading.times()?[frames].to_vec();
    Ok(Counts { times, species: observables.iter().zip(counts).map(of).collect() })
}

fn count(
    observable: &Observable,
    frame: &impl Frame,
    is_there: impl Fn(&u32) -> bool,
    cluster_of: impl Fn(u32) -> u64,
) -> u64 {
    let wanted: BTreeSet<u16> = observable.ways.iter().map(|(species, _)| *species).collect();
    let slots = wanted.into_iter().flat_map(|species| frame.slots_of(species));
    observable.count(slots.filter(is_there), frame, cluster_of)
}

/// The particles of a frame.
trait Frame: Complex {
    fn slots_of(&self, species: u16) -> Vec<u32>;
}

impl Frame for Molecules<'_> {
    fn slots_of(&self, species: u16) -> Vec<u32> {
        self.of_species(species).collect()
    }
}

/// Particles without sites, by their species.
struct Points(Vec<i32>);

impl Complex for Points {
    fn species(&self, slot: u32) -> u16 {
        u16::try_from(self.0[slot as usize]).unwrap_or(u16::MAX)
    }

    fn code(&self, _: u32) -> u64 {
        0
    }

    fn bound_to(&self, _: u32, _: u8) -> Option<(u32, u8)> {
        None
    }
}

impl Frame for Points {
    fn slots_of(&self, species: u16) -> Vec<u32> {
        (0..self.0.len() as u32).filter(|slot| Complex::species(self, *slot) == species).collect()
    }
}
