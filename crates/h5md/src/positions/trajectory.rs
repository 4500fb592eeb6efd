//! Positions from the last frame of an H5MD trajectory.

use std::path::Path;

use super::{FileError, Positions, bonds};
use crate::reading::{self, ReadError, last_frame};

pub(super) fn read(path: &Path, dimension: usize) -> Result<Positions, FileError> {
    let in_words = |error: ReadError| FileError::Whole(error.to_string());
    let reading = reading::open(path).map_err(in_words)?;
    let start = last_frame(&reading, dimension).map_err(in_words)?;
    let bonds = bonds::of_frame(&reading, start.frame, &start.ids).map_err(in_words)?;
    // A killed run may leave a particle without a place.
    let there = |slot: &usize| {
        start.ids[*slot] >= 0 && start.places[*slot][..dimension].iter().all(|x| x.is_finite())
    };
    let slots: Vec<usize> = (0..start.places.len()).filter(there).collect();
    let place = |&slot: &usize| {
        let place = start.places[slot];
        std::array::from_fn(|k| if k < dimension { place[k] } else { 0.0 })
    };
    Ok(Positions {
        unit: start.in_nm.then(|| "nm".to_owned()),
        places: slots.iter().map(place).collect(),
        species: start.species.map(|all| slots.iter().map(|&slot| all[slot].clone()).collect()),
        numbered: start.numbered,
        angles: start.angles.map(|angles| slots.iter().map(|&slot| angles[slot]).collect()),
        source: slots.iter().map(|&slot| slot as u64).collect(),
        periods: start.periods,
        bonds,
        counted: "slot",
    })
}

#[cfg(test)]
mod tests {
    use hdf5::File;
    use hdf5::types::VarLenUnicode;
    use ndarray::{Array1, Array3};
    use std::str::FromStr;

    use super::read;

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
        assert!(error.contains("some.h5 is an HDF5 file, but not an H5MD trajectory"), "{error}");
    }
}
