//! The log of contact forces: flat columns, and where the forces of each frame begin.

use hdf5::Group;

use super::growing::{CHUNK_ROWS, DatasetLayout, Growing, Row, Table};
use super::header::text_attribute;
use jostle_core::observe::{Against, ContactForce};

/// Rows to a chunk.
const CHUNK: usize = 4096;
/// One newton. \[kg nm/µs²\]
const NEWTON: f64 = 1e-3;
/// One square metre. \[nm²\]
const SQUARE_METRE: f64 = 1e18;

/// Writes the forces of frames.
pub(super) struct Forces {
    first: Growing<i64>,
    body: Growing<i64>,
    against: Growing<i64>,
    arm: Growing<f32>,
    force: Growing<f32>,
    normal: Growing<f32>,
    overlap: Growing<f64>,
    sliding: Growing<u8>,
}

impl Forces {
    /// Creates the columns in `/events/forces`.
    pub(super) fn create(events: &Group, compress: bool) -> hdf5::Result<Self> {
        let at = &events.create_group("forces")?;
        let mut first = Growing::create(at, "first", DatasetLayout::column(CHUNK_ROWS, -1))?;
        first.append(&[0]);
        Ok(Self {
            first,
            body: column(at, "body", -1, compress, "")?,
            against: column(at, "against", i64::MIN, compress, "")?,
            arm: pairs(at, "arm", compress, "nm")?,
            force: pairs(at, "force", compress, "N")?,
            normal: pairs(at, "normal", compress, "")?,
            overlap: column(at, "overlap", f64::NAN, compress, "m2")?,
            sliding: column(at, "sliding", 0, compress, "")?,
        })
    }

    /// Everything that grows.
    pub(super) fn tables(&mut self) -> Vec<&mut dyn Table> {
        let Self { first, body, against, arm, force, normal, overlap, sliding } = self;
        vec![first, body, against, arm, force, normal, overlap, sliding]
    }

    /// Takes in the forces of the present frame.
    pub(super) fn push(&mut self, forces: &[ContactForce]) {
        let numbers =
            |of: fn(&ContactForce) -> i64| -> Vec<i64> { forces.iter().map(of).collect() };
        let vectors = |of: fn(&ContactForce) -> [f64; 2]| -> Vec<f32> {
            forces.iter().flat_map(|force| of(force).map(|x| x as f32)).collect()
        };
        self.body.append(&numbers(|force| force.body as i64));
        self.against.append(&numbers(|force| number_of(force.against)));
        self.arm.append(&vectors(|force| force.arm.0));
        self.force.append(&vectors(|force| force.force.0.map(|f| f / NEWTON)));
        self.normal.append(&vectors(|force| force.normal.0));
        let overlaps: Vec<f64> = forces.iter().map(|force| force.overlap / SQUARE_METRE).collect();
        self.overlap.append(&overlaps);
        let sliding: Vec<u8> = forces.iter().map(|force| u8::from(force.sliding)).collect();
        self.sliding.append(&sliding);
        self.first.append(&[self.body.rows() as i64]);
    }
}

/// A body by its identity, the first wall as -1, the next as -2.
fn number_of(against: Against) -> i64 {
    match against {
        Against::Body(id) => id as i64,
        Against::Wall(number) => -1 - i64::from(number),
    }
}

fn column<T: Row>(
    at: &Group,
    name: &str,
    fill: T,
    compress: bool,
    unit: &str,
) -> hdf5::Result<Growing<T>> {
    made(at, name, DatasetLayout::column(CHUNK, fill), compress, unit)
}

fn pairs(at: &Group, name: &str, compress: bool, unit: &str) -> hdf5::Result<Growing<f32>> {
    made(at, name, DatasetLayout::rows(CHUNK, &[2], f32::NAN), compress, unit)
}

fn made<T: Row>(
    at: &Group,
    name: &str,
    layout: DatasetLayout<T>,
    compress: bool,
    unit: &str,
) -> hdf5::Result<Growing<T>> {
    let values = Growing::create(at, name, layout.compressed(compress))?;
    if !unit.is_empty() {
        text_attribute(values.dataset(), "unit", unit)?;
    }
    Ok(values)
}
