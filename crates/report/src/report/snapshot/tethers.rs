//! Lines between particles that are bonded but do not touch: tethers.

use super::super::Colour;
use super::super::sheet::Stroke;
use super::Snapshot;
use super::outlines::line;
use super::page::PictureSheet;
use super::view::View;
use jostle_analysis::{ReadError, Reading};

/// How they are drawn; in space, those far away are paler.
pub(super) const STROKE: Stroke = Stroke::solid(Colour(90, 90, 90), 1.6);

/// Particles that are apart by less than this share of their distance at contact touch.
const GAP: f64 = 0.01;

/// The tethers of a frame.
///
/// # Errors
/// If the file cannot be read.
pub(super) fn of_frame(reading: &Reading, frame: usize) -> Result<Vec<[[f64; 3]; 2]>, ReadError> {
    if !reading.has("connectivity/bonds/value") || !reading.has_bonds()? {
        return Ok(Vec::new());
    }
    let (radii, edges) = (reading.slot_radii()?, reading.edges());
    let boundary = reading.boundary()?;
    let periodic = |k: usize| boundary.get(k).is_some_and(|word| word == "periodic");
    let places = reading.positions(frame..frame + 1, 0..reading.slots())?;
    let mut tethers = Vec::new();
    for ends in reading.bonds(frame)? {
        let slots = ends.map(|slot| usize::try_from(slot).unwrap_or(usize::MAX));
        if slots.iter().any(|slot| *slot >= radii.len()) {
            return Err(
                reading.damaged("connectivity/bonds", "a bond names a particle that is not there")
            );
        }
        let [a, b] = slots.map(|slot| [0, 1, 2].map(|k| places[[0, slot, k]]));
        let way: [f64; 3] = std::array::from_fn(|k| {
            let straight = b[k] - a[k];
            match k < reading.dimension() && periodic(k) {
                true => straight - edges[k] * (straight / edges[k]).round(),
                false => straight,
            }
        });
        let [r_a, r_b] = slots.map(|slot| radii[slot]);
        let apart = way.iter().map(|x| x * x).sum::<f64>().sqrt();
        if apart <= (r_a + r_b) * (1.0 + GAP) {
            continue;
        }
        // Between the surfaces; on a sphere, a line would seem to be in front of it.
        let [low, high] = [r_a / apart, 1.0 - r_b / apart];
        let along = |end: [f64; 3], shares: [f64; 2]| {
            shares.map(|share| std::array::from_fn(|k| end[k] + share * way[k]))
        };
        let is_direct = (0..3).all(|k| (b[k] - a[k] - way[k]).abs() < 1e-6 * edges[k].abs());
        let middle = 0.5 * (low + high);
        match is_direct {
            true => tethers.push(along(a, [low, high])),
            false => {
                tethers.extend([along(a, [low, middle]), along(b, [high - 1.0, middle - 1.0])]);
            }
        }
    }
    Ok(tethers)
}

impl Snapshot {
    /// Draws tethers in one and two dimensions; in one, along the line at this `height` \[nm\].
    pub(super) fn flat_tethers(&self, page: &mut PictureSheet, view: &View, height: f64) {
        for ends in &self.tethers {
            let points = ends.map(|[x, y, _]| {
                page.within(view.place([x, if self.dimension == 1 { height } else { y }]))
            });
            line(page, &points, STROKE);
        }
    }
}
