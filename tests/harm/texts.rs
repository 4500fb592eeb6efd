//! Hostile text: models, quantities, tables of positions.

use jostle::files::meshes::read_mesh;
use jostle::h5md::positions;
use jostle::model::units::{Quantity, Unit};
use jostle::model::{self, Model};
use jostle::narrow::mesh_contact;

use jostle::space::{Mesh, Path, Vector};

use super::place;

/// Reads a model, and does with it what `jostle check` does before particles are placed. Faults are
/// told, each with the name of the file, in lines without anything that steers a terminal; what is
/// accepted can be read again from what it was understood to mean.
pub fn model(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    match model::parse(&text, "hostile.toml", &[]) {
        Ok(model) => accepted(&model),
        Err(faults) => {
            let said = faults.to_string();
            assert!(!faults.list.is_empty() && said.contains("hostile.toml"), "{said}");
            assert!(!said.contains(|c: char| c.is_control() && c != '\n'), "{said:?}");
            assert!(
                faults.list.len() <= 1001 && said.len() < 8_000_000,
                "{} faults",
                faults.list.len()
            );
        }
    }
}

fn accepted(model: &Model) {
    model.warnings();
    let resolved = &model.source.resolved;
    let again = model::parse(resolved, "resolved.toml", &[]);
    let again = again.unwrap_or_else(|faults| panic!("{faults}\n{resolved}"));
    assert_eq!(again.source.resolved, *resolved);
}

pub fn quantity(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let _ = Unit::parse(&text);
    if let Ok(quantity) = Quantity::parse(&text) {
        quantity.unit.map(|unit| unit.to_internal(quantity.number));
    }
}

/// The first byte chooses the dimension.
pub fn positions(bytes: &[u8]) {
    let (first, table) = bytes.split_first().unwrap_or((&0, &[]));
    let dimension = 1 + usize::from(*first) % 3;
    let dir = place();
    let path = dir.path().join("hostile.csv");
    std::fs::write(&path, table).expect("the folder can be written to");
    match positions::read(&path, dimension) {
        Ok(read) => {
            assert!(read.places.iter().flatten().all(|x| x.is_finite()));
            (0..read.places.len()).for_each(|n| assert!(!read.row(n).is_empty()));
        }
        Err(error) => assert!(error.to_string().contains("hostile.csv"), "{error}"),
    }
}

/// The first byte chooses the kind of file. What is a closed mesh is asked for the inside and for a
/// contact.
pub fn mesh(bytes: &[u8]) {
    let (first, contents) = bytes.split_first().unwrap_or((&0, &[]));
    let dir = place();
    let path = dir.path().join(["hostile.stl", "hostile.obj"][usize::from(*first) % 2]);
    std::fs::write(&path, contents).expect("the folder can be written to");
    let ((vertices, facets), _) = match read_mesh(&path, [1.0; 3]) {
        Ok(parts) => parts,
        Err(error) => return assert!(error.to_string().contains("hostile."), "{error}"),
    };
    match Mesh::new(vertices, facets) {
        Ok(mesh) => {
            let [low, high] = mesh.bounds();
            assert!(low.is_finite() && high.is_finite() && mesh.volume().is_finite());
            let middle = (low + high) * 0.5;
            mesh.contains(middle);
            let path = Path {
                position: low - (high - low),
                velocity: (high - low) * 2.0,
                since: 0.0,
                radius: 0.0,
            };
            if let Some(contact) = mesh_contact(&mesh, &path, 1e-3 * (high - low).norm(), 1.0) {
                assert!((0.0..=1.0).contains(&contact.time) && contact.normal.is_finite());
            }
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
