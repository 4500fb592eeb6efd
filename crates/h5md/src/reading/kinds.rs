//! The species of the particles in the files of others: numbers, an enumeration or texts, fixed or
//! for every frame, and what they are called.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

use hdf5::types::{EnumType, IntSize, TypeDescriptor};
use ndarray::Array2;

use super::error::ReadError;
use super::foreign::check_steps;
use super::layout::{Element, are_numbers};
use super::{AT_A_TIME, Reading};
use crate::claims;
use crate::texts::texts;
use jostle_core::species::MOST_SPECIES;

/// In an empty slot, some programs write a number that is none.
const NONE: i64 = i64::MIN;

/// How species are known.
#[derive(Clone, Debug)]
pub(super) enum Kinds {
    /// Those of our files: the numbers are places in the list of species.
    Ours,
    /// Every slot keeps its species, by its place in the list of species (-1 for none). \[slot\]
    Kept(Vec<i32>),
    /// They change in time. The numbers in the file, in the order of the list of species.
    Changing(Vec<i64>),
}

/// The species of a file.
pub(super) struct Surveyed {
    pub(super) names: Vec<String>,
    /// Whether the file has names for them, and they are not numbers only.
    pub(super) named: bool,
    pub(super) kinds: Kinds,
}

/// Finds out which species there are in another program's file, and whether they change.
///
/// # Errors
/// If they are in a form that is not read.
pub(super) fn survey(reading: &Reading) -> Result<Surveyed, ReadError> {
    let name = match reading.layout.species {
        Element::Absent => {
            let kinds = Kinds::Kept(vec![0; reading.slots()]);
            return Ok(Surveyed { names: vec!["species 0".into()], named: false, kinds });
        }
        Element::Fixed => reading.in_frames("species"),
        Element::Changing => reading.in_frames("species/value"),
    };
    let dataset = reading.dataset(&name)?;
    let expected = match reading.layout.species {
        Element::Changing => {
            check_steps(reading, "species")?;
            2
        }
        _ => 1,
    };
    let shape = dataset.shape();
    if shape.len() != expected || shape[expected - 1] != reading.slots() {
        let reason = format!(
            "its shape, {shape:?}, does not match the positions of {} particles",
            reading.slots()
        );
        return Err(reading.refused(&name, &reason));
    }
    if !are_numbers(&dataset) {
        return of_texts(reading, &name, expected);
    }
    let (codes, kept) = match reading.layout.species {
        Element::Fixed => {
            let row = numbers(reading, &name, 0..1)?.into_iter().collect::<Vec<i64>>();
            (row.iter().copied().collect::<BTreeSet<i64>>(), Some(row))
        }
        _ => over_time(reading, &name)?,
    };
    let codes: Vec<i64> = codes.into_iter().filter(|&code| code != NONE).collect();
    check_count(reading, &name, codes.len())?;
    let known = match reading.kind(&name) {
        Ok(TypeDescriptor::Enum(kind)) => members(&kind),
        _ => table_of_names(reading),
    };
    let called = |code: &i64| known.get(code).cloned().unwrap_or_else(|| format!("species {code}"));
    Ok(Surveyed {
        names: codes.iter().map(called).collect(),
        named: codes.iter().any(|code| known.contains_key(code)),
        kinds: match kept {
            Some(row) => Kinds::Kept(row.into_iter().map(|code| place(&codes, code)).collect()),
            None => Kinds::Changing(codes),
        },
    })
}

/// The place of a number in the list of species, or -1.
fn place(codes: &[i64], code: i64) -> i32 {
    codes.binary_search(&code).map_or(-1, |place| place as i32)
}

/// Pairs of species are counted; more than these take more memory than any answer is worth.
fn check_count(reading: &Reading, name: &str, count: usize) -> Result<(), ReadError> {
    match count <= MOST_SPECIES {
        true => Ok(()),
        false => Err(reading.refused(
            name,
            &format!("there are {count} species, but at most {MOST_SPECIES} are read"),
        )),
    }
}

/// The numbers of species that there are in any frame, and those of the slots if these keep them.
type OverTime = (BTreeSet<i64>, Option<Vec<i64>>);

/// Goes through all frames. What an empty slot says does not count, but whether it is empty is only
/// asked where it matters: most programs write the same species over and over.
fn over_time(reading: &Reading, name: &str) -> Result<OverTime, ReadError> {
    let slots = reading.slots();
    let at_once = (AT_A_TIME / slots.max(1)).max(1);
    let blocks = || (0..reading.frames()).step_by(at_once);
    let block = |from: usize| from..reading.frames().min(from + at_once);
    let mut first: Option<Vec<i64>> = None;
    let mut same = true;
    for from in blocks() {
        let read = numbers(reading, name, block(from))?;
        let first = first.get_or_insert_with(|| read.row(0).to_vec());
        same = read.rows().into_iter().all(|row| row.iter().eq(first.iter()));
        if !same {
            break;
        }
    }
    if same {
        let first = first.unwrap_or_else(|| vec![NONE; slots]);
        return Ok((first.iter().copied().collect(), Some(first)));
    }
    let mut kept = vec![NONE; slots];
    let (mut keeps, mut codes) = (true, BTreeSet::new());
    for from in blocks() {
        let read = numbers(reading, name, block(from))?;
        let id = reading.identities(block(from), 0..slots)?;
        for ((at, &code), &id) in read.indexed_iter().zip(&id) {
            if id < 0 || code == NONE {
                continue;
            }
            if kept[at.1] == NONE {
                kept[at.1] = code;
                codes.insert(code);
            } else if kept[at.1] != code {
                keeps = false;
                codes.insert(code);
            }
        }
        check_count(reading, name, codes.len())?;
    }
    Ok((codes, keeps.then_some(kept)))
}

/// Species that are texts, which H5MD does not have, but says itself what they are called.
fn of_texts(reading: &Reading, name: &str, axes: usize) -> Result<Surveyed, ReadError> {
    let dataset = reading.dataset(name)?;
    let words = if axes == 1 { texts(&dataset) } else { None };
    let Some(words) = words else {
        let reason = "it holds neither numbers nor an enumeration, which H5MD has for species; texts are read \
                      where species do not change in time";
        return Err(reading.refused(name, reason));
    };
    let places: BTreeMap<&String, usize> =
        words.iter().collect::<BTreeSet<_>>().into_iter().zip(0..).collect();
    check_count(reading, name, places.len())?;
    let kinds = Kinds::Kept(words.iter().map(|word| places[word] as i32).collect());
    Ok(Surveyed { names: places.into_keys().cloned().collect(), named: true, kinds })
}

/// What the members of an enumeration are called.
fn members(kind: &EnumType) -> HashMap<i64, String> {
    let number = |raw: u64| match (kind.signed, kind.size) {
        (true, IntSize::U1) => i64::from(raw as i8),
        (true, IntSize::U2) => i64::from(raw as i16),
        (true, IntSize::U4) => i64::from(raw as i32),
        _ => raw as i64,
    };
    let member = |(name, raw): (&String, u64)| (number(raw), jostle_files::plain_line(name));
    kind.members.iter().map(|one| member((&one.name, one.value))).collect()
}

/// The names of species by number, where the file has a table of them, as VMD reads it.
fn table_of_names(reading: &Reading) -> HashMap<i64, String> {
    let table = || {
        let table = reading.file.group("parameters/vmd_structure").ok()?;
        let numbers = table.dataset("indexOfSpecies").ok()?;
        claims::whole::<i64>(&numbers).ok()?;
        let numbers = numbers.read_raw::<i64>().ok()?;
        // Where a number is there twice, the first counts.
        Some(numbers.into_iter().zip(texts(&*table.dataset("name").ok()?)?).rev().collect())
    };
    table().unwrap_or_default()
}

/// The numbers of species in some frames, as another program wrote them. \[frame\]\[slot\]
fn numbers(reading: &Reading, name: &str, frames: Range<usize>) -> Result<Array2<i64>, ReadError> {
    let slots = 0..reading.slots();
    let is_fixed = reading.layout.species == Element::Fixed;
    let floating = reading.dataset(name)?.dtype().is_ok_and(|kind| {
        kind.conv_to::<i64>().is_some() && kind.to_descriptor().map_or(true, is_floating)
    });
    if !floating {
        return match is_fixed {
            true => {
                let row: Vec<i64> = reading.column(name, slots)?;
                Ok(Array2::from_shape_fn((1, row.len()), |(_, k)| row[k]))
            }
            false => reading.slice(name, (frames, slots)),
        };
    }
    let read: Array2<f64> = match is_fixed {
        true => {
            let row: Vec<f64> = reading.column(name, slots)?;
            Array2::from_shape_fn((1, row.len()), |(_, k)| row[k])
        }
        false => reading.slice(name, (frames, slots))?,
    };
    let odd = read.iter().find(|x| !x.is_nan() && (x.fract() != 0.0 || x.abs() >= 2f64.powi(53)));
    if let Some(odd) = odd {
        let reason = format!("{odd} is not a whole number, which the number of a species is");
        return Err(reading.refused(name, &reason));
    }
    Ok(read.mapv(|x| if x.is_nan() { NONE } else { x as i64 }))
}

/// The species of the slots in a frame, in which they may be others than in the next, as places in
/// [`Reading::species`]; -1 for those without a known one. \[slot\]
///
/// # Errors
/// If they cannot be read.
pub fn species_in(reading: &Reading, frame: usize) -> Result<Vec<i32>, ReadError> {
    let Kinds::Changing(codes) = &reading.kinds else { return reading.slot_species() };
    let numbers = numbers(reading, &reading.in_frames("species/value"), frame..frame + 1)?;
    Ok(numbers.into_iter().map(|code| place(codes, code)).collect())
}

/// Whether particles do not keep their species.
pub fn species_change(reading: &Reading) -> bool {
    matches!(reading.kinds, Kinds::Changing(_))
}

/// The species of the slots in a frame, for those that have a name. \[slot\]
///
/// # Errors
/// If they cannot be read.
pub fn named_species_in(reading: &Reading, frame: usize) -> Result<Vec<Option<usize>>, ReadError> {
    Ok(named_among(reading, &species_in(reading, frame)?))
}

fn named_among(reading: &Reading, places: &[i32]) -> Vec<Option<usize>> {
    let known = reading.species().len();
    places.iter().map(|&n| usize::try_from(n).ok().filter(|&n| n < known)).collect()
}

impl Reading {
    /// The species of the slots, as places in [`Reading::species`]; -1 for those without a known
    /// one. \[slot\]
    ///
    /// # Errors
    /// If they cannot be read, or change in time.
    pub fn slot_species(&self) -> Result<Vec<i32>, ReadError> {
        match &self.kinds {
            Kinds::Ours => {
                let numbers: Vec<i32> = self.column(&self.in_frames("species"), 0..self.slots())?;
                let known = self.species().len() as i32;
                Ok(numbers.into_iter().map(|n| if n < known { n.max(-1) } else { -1 }).collect())
            }
            Kinds::Kept(places) => Ok(places.clone()),
            Kinds::Changing(_) => Err(self.too_little(
                "the species of its particles change in time, but particles that keep theirs are needed here"
                    .into(),
            )),
        }
    }

    /// The species of the slots, for those that have a name. \[slot\]
    ///
    /// # Errors
    /// If they cannot be read, or change in time.
    pub fn named_species(&self) -> Result<Vec<Option<usize>>, ReadError> {
        Ok(named_among(self, &self.slot_species()?))
    }
}

fn is_floating(kind: TypeDescriptor) -> bool {
    matches!(kind, TypeDescriptor::Float(_))
}
