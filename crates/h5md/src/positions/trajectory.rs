//! Positions from the last frame of an H5MD trajectory.

use std::collections::HashMap;
use std::path::Path;

use hdf5::{Dataset, File, Group};
use ndarray::s;

use super::{FileError, Positions, bonds};
use crate::claims;
use crate::contained::{self, Refused};
use crate::locks::open_with;
use crate::texts::texts;
use jostle_files::plain_line;

pub(super) fn read(path: &Path, dimension: usize) -> Result<Positions, FileError> {
    let open = |locks| {
        let mut builder = File::with_options();
        builder.with_fapl(|access| access.file_locking(locks));
        builder.open(path)
    };
    let file = open_with(path, open).map_err(|error| FileError::Unreadable {
        path: path.to_owned(),
        error: error.to_string(),
    })?;
    contained::check(&file)
        .map_err(|Refused { what, reason, .. }| format!("{}: {reason}", plain_line(&what)))
        .and_then(|()| last_frame(&file, dimension))
        .map_err(|message| FileError::Content { path: path.to_owned(), message })
}

fn last_frame(file: &File, dimension: usize) -> Result<Positions, String> {
    let particles = file
        .group("/particles/trajectory")
        .map_err(|_| "there is no group /particles/trajectory, so this is not H5MD".to_owned())?;
    let value = particles
        .dataset("position/value")
        .map_err(|_| "there is no dataset /particles/trajectory/position/value".to_owned())?;
    let shape = value.shape();
    let &[frames, slots, components] = shape.as_slice() else {
        return Err(format!(
            "the positions have shape {shape:?}, but [frame][slot][axis] is needed"
        ));
    };
    if frames == 0 || components < dimension {
        return Err(format!(
            "the positions have shape [{frames}][{slots}][{components}], but at least one frame of \
             {dimension} components is needed"
        ));
    }
    claims::moment::<f64>(&value, &[slots, components])?;
    let frame =
        value.read_slice_2d::<f64, _>(s![frames - 1, .., ..]).map_err(|error| error.to_string())?;
    let ids = last_row::<i64>(&particles, "id", frames).filter(|ids| ids.len() == slots);
    let names = species(file, &particles, frames, slots);
    let turned =
        last_row::<f64>(&particles, "orientation", frames).filter(|angles| angles.len() == slots);
    let numbers: Vec<i64> = if ids.is_none() { (0..slots as i64).collect() } else { Vec::new() };
    let mut positions = Positions {
        unit: unit(&value),
        species: names.as_ref().map(|_| Vec::new()),
        angles: turned.as_ref().map(|_| Vec::new()),
        bonds: bonds::of_last_frame(file, frames, ids.as_deref().unwrap_or(&numbers))?,
        counted: "slot",
        ..Positions::default()
    };
    for slot in 0..slots {
        let row = frame.row(slot);
        // An empty slot has the id -1, or no position at all.
        let empty = ids.as_ref().is_some_and(|ids| ids[slot] < 0);
        if empty || row.iter().take(dimension).any(|x| !x.is_finite()) {
            continue;
        }
        let mut place = [0.0; 3];
        for k in 0..dimension {
            place[k] = row[k];
        }
        positions.places.push(place);
        positions.source.push(slot as u64);
        if let (Some(list), Some(names)) = (&mut positions.species, &names) {
            list.push(names[slot].clone());
        }
        if let (Some(list), Some(angles)) = (&mut positions.angles, &turned) {
            list.push(angles[slot]);
        }
    }
    Ok(positions)
}

/// One value per slot in the last frame: of a series (`name/value`), or fixed in time (`name`).
fn last_row<T: hdf5::H5Type + Clone>(
    particles: &Group,
    name: &str,
    frames: usize,
) -> Option<Vec<T>> {
    if let Ok(series) = particles.dataset(&format!("{name}/value")) {
        claims::moment::<T>(&series, series.shape().get(1..)?).ok()?;
        let row = series.read_slice_1d::<T, _>(s![frames - 1, ..]).ok()?;
        return Some(row.to_vec());
    }
    let list = particles.dataset(name).ok()?;
    claims::moment::<T>(&list, &list.shape()).ok()?;
    list.read_raw::<T>().ok()
}

/// The name of each slot's species: the number, unless the file has a table of names (as VMD reads
/// it, /parameters/vmd_structure).
fn species(file: &File, particles: &Group, frames: usize, slots: usize) -> Option<Vec<String>> {
    let numbers = last_row::<i64>(particles, "species", frames)?;
    if numbers.len() != slots {
        return None;
    }
    let table = file.group("/parameters/vmd_structure").ok();
    let names = table.as_ref().and_then(|table| {
        let index = table.dataset("indexOfSpecies").ok()?;
        claims::whole::<i64>(&index).ok()?;
        let index = index.read_raw::<i64>().ok()?;
        let names = texts(&*table.dataset("name").ok()?)?;
        // Where a number is there twice, the first counts.
        Some(index.into_iter().zip(names).rev().collect::<HashMap<_, _>>())
    });
    let name = |number: i64| {
        let known = names.as_ref().and_then(|names| names.get(&number));
        known.cloned().unwrap_or_else(|| number.to_string())
    };
    Some(numbers.into_iter().map(name).collect())
}

fn unit(value: &Dataset) -> Option<String> {
    let attribute = value.attr("unit").ok()?;
    texts(&attribute)?.into_iter().next()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hdf5::types::VarLenUnicode;
    use ndarray::{Array1, Array3};
    use std::str::FromStr;

    #[test]
    fn the_last_frame_is_read_without_its_empty_slots() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("some.h5md");
        let file = File::create(&path).unwrap();
        let particles = file.create_group("/particles/trajectory").unwrap();
        let mut frames =
            Array3::from_shape_fn((2, 3, 3), |(t, n, k)| (100 * t + 10 * n + k) as f64);
        frames[[1, 1, 0]] = f64::NAN;
        let value =
            particles.new_dataset_builder().with_data(&frames).create("position/value").unwrap();
        let unit = VarLenUnicode::from_str("nm").unwrap();
        let attribute = value.new_attr::<VarLenUnicode>().create("unit").unwrap();
        attribute.write_scalar(&unit).unwrap();
        let species = Array1::from_vec(vec![0i32, 0, 1]);
        particles.new_dataset_builder().with_data(&species).create("species").unwrap();
        let names = ["A", "B"].map(|name| VarLenUnicode::from_str(name).unwrap());
        let table = file.create_group("/parameters/vmd_structure").unwrap();
        let index = Array1::from_vec(vec![0i32, 1]);
        table.new_dataset_builder().with_data(&index).create("indexOfSpecies").unwrap();
        let names = Array1::from_vec(names.to_vec());
        table.new_dataset_builder().with_data(&names).create("name").unwrap();
        file.close().unwrap();

        let read = super::super::read(&path, 2).unwrap();
        assert_eq!(read.places, [[100.0, 101.0, 0.0], [120.0, 121.0, 0.0]]);
        assert_eq!(read.unit.as_deref(), Some("nm"));
        assert_eq!(read.species.as_deref().unwrap(), ["A", "B"]);
        assert_eq!(read.row(1), "slot 2");
    }

    #[test]
    fn other_hdf5_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("some.h5");
        File::create(&path).unwrap().close().unwrap();
        let error = read(&path, 3).unwrap_err().to_string();
        assert!(error.contains("not H5MD"), "{error}");
    }
}
