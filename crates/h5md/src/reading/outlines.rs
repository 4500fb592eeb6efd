//! What only files of polygon runs have: shapes, how bodies are turned, walls, and the forces of
//! contacts.

use std::ops::Range;

use ndarray::{Array2, Array3};

use super::Reading;
use super::error::ReadError;
use crate::record::{Shape, ShapeKind, Shapes, WallShape};
use jostle_core::observe::Against;

/// The log of contact forces.
const FORCES: &str = "events/forces";

/// A wall in a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WallPlace {
    /// Of its centroid. \[nm\]
    pub position: [f64; 2],
    /// Counter-clockwise. \[rad\]
    pub angle: f64,
    /// Whether it is there at all: gates open.
    pub present: bool,
}

/// The force of a contact, as the log has it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LoggedForce {
    /// The identity of the one body (of two bodies, the lower one).
    pub body: i64,
    /// The other.
    pub against: Against,
    /// Where the force acts, relative to the centroid of `body`. \[nm\]
    pub arm: [f64; 2],
    /// On `body`. \[N\]
    pub force: [f64; 2],
    /// The unit normal of the contact, out of `body`.
    pub normal: [f64; 2],
    /// \[m²\]
    pub overlap: f64,
    /// Whether friction has reached its limit.
    pub sliding: bool,
}

impl LoggedForce {
    /// The force along the normal, positive where the two press on each other. \[N\]
    pub fn pressing(&self) -> f64 {
        -(self.force[0] * self.normal[0] + self.force[1] * self.normal[1])
    }

    /// The force across the normal, without its sign. \[N\]
    pub fn tangential(&self) -> f64 {
        (self.force[0] * self.normal[1] - self.force[1] * self.normal[0]).abs()
    }
}

impl Reading {
    /// Whether it is the file of a run of bodies with outlines.
    pub fn has_outlines(&self) -> bool {
        self.has("parameters") && self.has("parameters/shapes")
    }

    /// How many frames all that belongs to outlines has; any number if the file has none.
    pub fn frames_of_outlines(&self) -> Result<usize, ReadError> {
        if !self.has_outlines() {
            return Ok(usize::MAX);
        }
        let mut frames = self.length(&self.in_frames("orientation/value"))?;
        if self.has("particles/walls") {
            frames = frames.min(self.length("particles/walls/present/value")?);
        }
        if self.has_forces() {
            frames = frames.min(self.length("events/forces/first")?.saturating_sub(1));
        }
        Ok(frames)
    }

    /// Whether the forces of contacts were logged.
    pub fn has_forces(&self) -> bool {
        self.has("events") && self.has(FORCES)
    }

    /// The shapes, who has them, masses, and the walls; none in files of other runs.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn shapes(&self) -> Result<Option<Shapes>, ReadError> {
        if !self.has_outlines() {
            return Ok(None);
        }
        let whole = |name: &str| -> Result<Vec<usize>, ReadError> {
            let numbers: Vec<i32> = self.column(name, 0..self.length(name)?)?;
            numbers
                .iter()
                .map(|&n| usize::try_from(n).map_err(|_| self.damaged(name, "a number below 0")))
                .collect()
        };
        let (first, kinds) = (whole("parameters/shapes/first")?, whole("parameters/shapes/kind")?);
        let (corners, axes) =
            (self.pairs("parameters/shapes/corners")?, self.pairs("parameters/shapes/semi_axes")?);
        let shape = |n: usize| {
            let corners = corners.get(*first.get(n)?..*first.get(n + 1)?)?.to_vec();
            Some(Shape { kind: *ShapeKind::ALL.get(kinds[n])?, corners, semi_axes: *axes.get(n)? })
        };
        let shapes: Option<Vec<Shape>> = (0..kinds.len()).map(shape).collect();
        let shapes =
            shapes.ok_or_else(|| self.damaged("parameters/shapes", "its tables do not match"))?;
        let shape_of = whole(&self.in_frames("shape"))?;
        let walls = self.walls_shapes(&whole)?;
        if shape_of.iter().chain(walls.iter().map(|(_, shape)| shape)).any(|&n| n >= shapes.len()) {
            return Err(self
                .damaged("parameters/shapes", "a particle or a wall has a shape that is missing"));
        }
        Ok(Some(Shapes {
            shapes,
            shape_of: shape_of.into_iter().map(|n| n as u32).collect(),
            masses: self.numbers(&self.in_frames("mass"))?,
            moments_of_inertia: self.numbers(&self.in_frames("moment_of_inertia"))?,
            walls: walls
                .into_iter()
                .map(|(name, shape)| WallShape { name, shape: shape as u32 })
                .collect(),
        }))
    }

    /// Name and shape of each wall.
    fn walls_shapes(
        &self,
        whole: &dyn Fn(&str) -> Result<Vec<usize>, ReadError>,
    ) -> Result<Vec<(String, usize)>, ReadError> {
        if !self.has("particles/walls") {
            return Ok(Vec::new());
        }
        let names = self.texts("parameters/walls/name")?;
        Ok(names.into_iter().zip(whole("particles/walls/shape")?).collect())
    }

    fn pairs(&self, name: &str) -> Result<Vec<[f64; 2]>, ReadError> {
        Ok(self.numbers(name)?.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect())
    }

    /// By how much each body is turned in a frame, counter-clockwise. \[slot\], \[rad\]
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn orientations(&self, frame: usize) -> Result<Vec<f64>, ReadError> {
        let row: Array2<f64> =
            self.slice(&self.in_frames("orientation/value"), (frame..frame + 1, 0..self.slots()))?;
        Ok(row.into_raw_vec_and_offset().0)
    }

    /// The walls in a frame, in the order of their numbers.
    ///
    /// # Errors
    /// If they cannot be read, or are not those that are listed.
    pub fn walls(&self, frame: usize) -> Result<Vec<WallPlace>, ReadError> {
        if !self.has("particles/walls") {
            return Ok(Vec::new());
        }
        let name = "particles/walls/position/value";
        let count = self.dataset(name)?.shape().get(1).copied().unwrap_or(0);
        for listed in ["parameters/walls/name", "particles/walls/shape"] {
            if self.length(listed)? != count {
                return Err(self.damaged(
                    name,
                    &format!("it has {count} walls, but other datasets have {listed}"),
                ));
            }
        }
        let rows = || (frame..frame + 1, 0..count);
        let places: Array3<f64> = self.slice(name, (frame..frame + 1, 0..count, 0..2))?;
        let angles: Array2<f64> = self.slice("particles/walls/orientation/value", rows())?;
        let present: Array2<u8> = self.slice("particles/walls/present/value", rows())?;
        let wall = |k: usize| WallPlace {
            position: [places[[0, k, 0]], places[[0, k, 1]]],
            angle: angles[[0, k]],
            present: present[[0, k]] != 0,
        };
        Ok((0..count).map(wall).collect())
    }

    /// The rows of the forces of a frame in the log.
    fn rows_of_forces(&self, frame: usize) -> Result<Range<usize>, ReadError> {
        let first: Vec<i64> = self.column("events/forces/first", frame..frame + 2)?;
        let rows = first[0].max(0) as usize..first[1].max(0) as usize;
        if rows.start > rows.end || rows.end > self.length("events/forces/body")? {
            return Err(self.damaged("events/forces/first", "it points to rows that do not exist"));
        }
        Ok(rows)
    }

    /// The forces of the contacts in a frame.
    ///
    /// # Errors
    /// If none were logged, or they cannot be read.
    pub fn forces(&self, frame: usize) -> Result<Vec<LoggedForce>, ReadError> {
        if !self.has_forces() {
            return Err(self.lacks(FORCES));
        }
        let rows = self.rows_of_forces(frame)?;
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        let column = |name: &str| format!("{FORCES}/{name}");
        let body: Vec<i64> = self.column(&column("body"), rows.clone())?;
        let against: Vec<i64> = self.column(&column("against"), rows.clone())?;
        let overlap: Vec<f64> = self.column(&column("overlap"), rows.clone())?;
        let sliding: Vec<u8> = self.column(&column("sliding"), rows.clone())?;
        let vectors = |name: &str| -> Result<Array2<f32>, ReadError> {
            self.slice(&column(name), (rows.clone(), 0..2))
        };
        let (arm, force, normal) = (vectors("arm")?, vectors("force")?, vectors("normal")?);
        let pair = |of: &Array2<f32>, n: usize| [f64::from(of[[n, 0]]), f64::from(of[[n, 1]])];
        let row = |n: usize| LoggedForce {
            body: body[n],
            against: partner(against[n]),
            arm: pair(&arm, n),
            force: pair(&force, n),
            normal: pair(&normal, n),
            overlap: overlap[n],
            sliding: sliding[n] != 0,
        };
        Ok((0..body.len()).map(row).collect())
    }
}

/// A body by its identity, the first wall as -1, the next as -2.
fn partner(number: i64) -> Against {
    match number {
        0.. => Against::Body(number as u64),
        _ => Against::Wall((-1 - number) as u32),
    }
}
