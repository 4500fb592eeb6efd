//! What frames hold besides, if bodies have outlines: how they are turned, walls, and forces.

use std::collections::HashMap;

use super::super::super::snapshot::{drawn_corners, wall_corners};
use super::deflated_text;
use super::pack::{push, push_signed};
use jostle_analysis::{ReadError, Reading};
use jostle_core::observe::Against;
use jostle_h5md::record::{ShapeKind, Shapes};

/// A force's byte is so many times the force over the mean of its frame.
const PER_MEAN: f64 = 32.0;
/// The corners of what is round.
const ROUND: usize = 32;

/// The outlines of a film.
#[derive(Clone)]
pub(in crate::report::page) struct FilmOutlines {
    shapes: Shapes,
    /// Whether forces were logged.
    pub(in crate::report::page) forces: bool,
}

impl FilmOutlines {
    /// Those of a file, if it has any.
    pub(super) fn of(reading: &Reading) -> Result<Option<Self>, ReadError> {
        let forces = reading.has_forces();
        Ok(reading.shapes()?.map(|shapes| Self { shapes, forces }))
    }

    /// By how much each body is turned in a frame, in 65536ths of a turn. \[slot\]
    pub(super) fn angles(reading: &Reading, frame: usize) -> Result<Vec<u16>, ReadError> {
        let quantum = std::f64::consts::TAU / 65536.0;
        // Whole turns drop out: only the low bits stay.
        let quantised = |angle: f64| (angle / quantum).round() as i64 as u16;
        Ok(reading.orientations(frame)?.into_iter().map(quantised).collect())
    }

    /// Walls and forces of a frame as bytes; the layout is that of [`super::pack`].
    pub(super) fn rest(
        &self,
        reading: &Reading,
        frame: usize,
        ids: &[i64],
    ) -> Result<Vec<u8>, ReadError> {
        let mut bytes = Vec::new();
        for wall in reading.walls(frame)? {
            bytes.push(u8::from(wall.present));
            let numbers = [wall.position[0], wall.position[1], wall.angle].map(|x| x as f32);
            bytes.extend(numbers.iter().flat_map(|x| x.to_le_bytes()));
        }
        if self.forces {
            self.push_forces(reading, frame, ids, &mut bytes)?;
        }
        Ok(bytes)
    }

    fn push_forces(
        &self,
        reading: &Reading,
        frame: usize,
        ids: &[i64],
        bytes: &mut Vec<u8>,
    ) -> Result<(), ReadError> {
        let slot_of: HashMap<i64, i64> =
            ids.iter().enumerate().map(|(slot, &id)| (id, slot as i64)).collect();
        let radii = reading.slot_radii()?;
        let forces = reading.forces(frame)?;
        let mean = forces.iter().map(|force| force.pressing()).sum::<f64>() / forces.len() as f64;
        let strength = |pressing: f64| (PER_MEAN * pressing / mean).round().clamp(0.0, 255.0) as u8;
        let seen = forces.iter().filter(|force| strength(force.pressing()) > 0);
        let known: Vec<_> =
            seen.filter_map(|force| Some((force, *slot_of.get(&force.body)?))).collect();
        push(known.len() as u64, bytes);
        let mut last = 0;
        for (force, slot) in known {
            push_signed(slot - last, bytes);
            last = slot;
            let other = match force.against {
                Against::Body(id) => slot_of.get(&(id as i64)).map_or(0, |other| other - slot),
                Against::Wall(_) => 0,
            };
            push_signed(other, bytes);
            if other == 0 {
                let share =
                    |x: f64| (127.0 * x / radii[slot as usize]).round().clamp(-127.0, 127.0) as i8;
                bytes.extend(force.arm.map(|x| share(x) as u8));
            }
            bytes.push(strength(force.pressing()));
        }
        Ok(())
    }

    /// What the player has to know of them before the first frame.
    pub(in crate::report::page) fn head(&self) -> serde_json::Value {
        let shapes = &self.shapes.shapes;
        let mut first = vec![0u32];
        let mut corners: Vec<f32> = Vec::new();
        for shape in shapes {
            let mut drawn = drawn_corners(shape, ROUND);
            if shape.kind == ShapeKind::Disk {
                drawn = wall_corners(shape, ROUND);
            }
            corners.extend(drawn.as_flattened().iter().map(|&x| x as f32));
            first.push(corners.len() as u32 / 2);
        }
        let bytes = |numbers: &[u32]| {
            deflated_text(&numbers.iter().flat_map(|n| n.to_le_bytes()).collect::<Vec<_>>())
        };
        serde_json::json!({
            "first": bytes(&first),
            "corners": deflated_text(&corners.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<_>>()),
            "shapeOf": bytes(&self.shapes.shape_of),
            "kinds": shapes.iter().map(|shape| kind(shape.kind, shape.corners.len())).collect::<Vec<_>>(),
            "walls": self.shapes.walls.iter().map(|wall| wall.shape).collect::<Vec<_>>(),
            "forces": self.forces,
        })
    }
}

/// What a shape is called in the legend.
fn kind(kind: ShapeKind, corners: usize) -> String {
    match kind {
        ShapeKind::Polygon => format!("polygon of {corners} corners"),
        other => other.name().to_owned(),
    }
}
