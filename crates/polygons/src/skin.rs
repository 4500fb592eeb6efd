//! Padded boxes: a body is sorted anew only when its tight box leaves its padded one, so that what
//! rests costs no sorting at all.
//!
//! The padding is what the body's boundary covers in [`STEPS_AHEAD`] steps at its present speed,
//! but at least [`LEAST`] and at most [`MOST`] of its size: a wider box is sorted more rarely, but
//! is next to more others. Even the tight box is looked at only once the boundary has moved by what
//! there was left.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::rows::{Make, Row};
use crate::boxes::{Boxes, KeptBoxes};
use jostle_core::space::{Domain, Outline};

/// The padding, as time. \[steps\]
const STEPS_AHEAD: f64 = 50.0;
/// The least padding. \[largest distance of the boundary from the centroid\]
const LEAST: f64 = 0.02;
const MOST: f64 = 0.25;
/// What is left of a distance that rounding may have made too large.
pub(super) const SURE: f64 = 0.999;
/// Of the width of a box. \[width\]
const ROUNDING: f64 = 1e-6;

/// The boxes of all rows, and which are near which.
#[derive(Debug)]
pub(super) struct Skin {
    boxes: Boxes,
    /// \[row\]\[axis\]\[begin, end\], \[nm\]
    padded: Vec<[[f64; 2]; 2]>,
    /// Until a row has travelled so far, its tight box lies in the padded one. \[row\], \[nm\]
    sound: Vec<f64>,
    /// The corners that reach furthest, for [`Outline::bounds`]. \[row\]
    extremes: Vec<[u32; 4]>,
    /// A particle that has left its padded box.
    moved: Vec<u32>,
    /// Pairs whose boxes have come to overlap.
    pub(super) gained: Vec<[u32; 2]>,
    /// Pairs whose boxes have ceased to.
    pub(super) lost: Vec<[u32; 2]>,
    /// How many rows were sorted anew since the start.
    pub(super) resorted: u64,
}

/// What is kept of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct KeptSkin<'a> {
    boxes: KeptBoxes<'a>,
    padded: Cow<'a, [[[f64; 2]; 2]]>,
    sound: Cow<'a, [f64]>,
    extremes: Cow<'a, [[u32; 4]]>,
    resorted: u64,
}

impl Skin {
    /// What is to be kept of it.
    pub(super) fn kept(&self) -> KeptSkin<'_> {
        KeptSkin {
            boxes: self.boxes.kept(),
            padded: Cow::Borrowed(&self.padded),
            sound: Cow::Borrowed(&self.sound),
            extremes: Cow::Borrowed(&self.extremes),
            resorted: self.resorted,
        }
    }

    /// As it was when something was `kept` of it; `gained` are all pairs. Nothing if rows and boxes
    /// do not agree.
    pub(super) fn resume(
        domain: &Domain<2>,
        rows: &[Row],
        makes: &[Make],
        kept: KeptSkin<'_>,
    ) -> Option<Self> {
        let KeptSkin { boxes, padded, sound, extremes, resorted } = kept;
        let agree = [padded.len(), sound.len(), extremes.len()] == [rows.len(); 3]
            && sound.iter().all(|sound| sound.is_finite())
            && padded
                .iter()
                .zip(rows)
                .zip(makes)
                .all(|((sides, row), make)| holds(sides, row, make));
        if !agree {
            return None;
        }
        let (boxes, gained) = Boxes::resume(domain, &padded, boxes)?;
        let (padded, sound, extremes) =
            (padded.into_owned(), sound.into_owned(), extremes.into_owned());
        Some(Self { boxes, padded, sound, extremes, gained, resorted, ..Self::new(domain) })
    }

    /// No boxes yet.
    pub(super) fn new(domain: &Domain<2>) -> Self {
        Self {
            boxes: Boxes::new(domain),
            padded: Vec::new(),
            sound: Vec::new(),
            extremes: Vec::new(),
            moved: Vec::new(),
            gained: Vec::new(),
            lost: Vec::new(),
            resorted: 0,
        }
    }

    /// Boxes of all rows; `gained` are all pairs.
    pub(super) fn build(&mut self, outlines: &[Outline], rows: &[Row], makes: &[Make], dt: f64) {
        self.padded = vec![[[0.0; 2]; 2]; rows.len()];
        self.sound = vec![0.0; rows.len()];
        self.extremes = vec![[0; 4]; rows.len()];
        for (i, (row, make)) in rows.iter().zip(makes).enumerate() {
            let tight = outlines[make.outline as usize].bounds(&row.pose, &mut self.extremes[i]);
            self.pad(i, tight, row, make, dt);
        }
        self.boxes.build(&self.padded, &mut self.gained);
    }

    /// Sorts those anew that have left their boxes. Whether there were any.
    ///
    /// # Errors
    /// The first row whose place is no number, or that goes farther than its own size in a step.
    pub(super) fn renew(
        &mut self,
        outlines: &[Outline],
        rows: &[Row],
        makes: &[Make],
        dt: f64,
    ) -> Result<bool, usize> {
        self.moved.clear();
        for (i, row) in rows.iter().enumerate() {
            if row.travelled < self.sound[i] {
                continue;
            }
            let make = &makes[i];
            let is_hasty =
                row.velocity.norm() * dt > make.reach || row.angular_velocity.abs() * dt > 1.0;
            if is_hasty || !row.travelled.is_finite() {
                return Err(i);
            }
            let tight = outlines[make.outline as usize].bounds(&row.pose, &mut self.extremes[i]);
            let room = room(&tight, &self.padded[i]);
            if room > 0.5 * LEAST * make.reach {
                self.sound[i] = row.travelled + SURE * room;
            } else {
                self.pad(i, tight, row, make, dt);
                self.moved.push(i as u32);
            }
        }
        if self.moved.is_empty() {
            return Ok(false);
        }
        self.resorted += self.moved.len() as u64;
        self.boxes.update(&self.moved, &self.padded, &mut self.gained, &mut self.lost);
        Ok(true)
    }

    fn pad(&mut self, i: usize, tight: [[f64; 2]; 2], row: &Row, make: &Make, dt: f64) {
        let speed = row.velocity.norm() + make.reach * row.angular_velocity.abs();
        let padding = (STEPS_AHEAD * dt * speed).clamp(LEAST * make.reach, MOST * make.reach);
        self.padded[i] = tight.map(|[begin, end]| [begin - padding, end + padding]);
        self.sound[i] = row.travelled + SURE * padding;
    }

    /// Exchanges of endpoints since the start, along each axis.
    pub(super) fn exchanges(&self) -> [u64; 2] {
        self.boxes.exchanges()
    }
}

/// Whether a row's centroid is in its padded box, and that is no wider than it can be.
fn holds(padded: &[[f64; 2]; 2], row: &Row, make: &Make) -> bool {
    let widest = 2.0 * (1.0 + MOST) * make.reach * (1.0 + ROUNDING);
    let mut along = padded.iter().zip(row.pose.position.0);
    along.all(|(&[begin, end], x)| begin <= x && x <= end && end - begin <= widest)
}

/// How far the tight box is from the sides of the padded one. \[nm\]
fn room(tight: &[[f64; 2]; 2], padded: &[[f64; 2]; 2]) -> f64 {
    let along = |axis: usize| {
        let ([begin, end], [first, last]) = (tight[axis], padded[axis]);
        (begin - first).min(last - end)
    };
    along(0).min(along(1))
}
