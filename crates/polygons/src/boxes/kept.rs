//! What of the boxes does not follow from their sides.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::wide::Wide;
use super::{Boxes, Sides};
use jostle_core::search::endpoints::Places;
use jostle_core::space::Domain;

/// Where endpoints lie along periodic axes, to the last bit: boxes that nearly touch there are to
/// be sorted as they were, and a circle may be cut open anywhere. And what has been counted.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct KeptBoxes<'a> {
    /// \[axis\]\[endpoint\]; nothing along the other axes, where endpoints lie at the sides.
    places: [Cow<'a, [f64]>; 2],
    exchanges: [u64; 2],
    sorts: u64,
}

/// Places differ from sides by whole periods, but for so much of a period.
const ROUNDING: f64 = 1e-6;

impl Boxes {
    /// What is to be kept besides the sides.
    pub fn kept(&self) -> KeptBoxes<'_> {
        let places = |axis: usize| match self.periods[axis] {
            Some(_) => Cow::Borrowed(self.axes[axis].places().all()),
            None => Cow::default(),
        };
        KeptBoxes { places: [places(0), places(1)], exchanges: self.exchanges(), sorts: self.sorts }
    }

    /// Boxes with these sides, sorted as they were when something was `kept` of them, and their
    /// pairs as [`Boxes::build`] lists them. Nothing if places and sides do not agree.
    pub fn resume(
        domain: &Domain<2>,
        sides: &[Sides],
        kept: KeptBoxes<'_>,
    ) -> Option<(Self, Vec<[u32; 2]>)> {
        let mut boxes = Self::new(domain);
        boxes.wide = Wide::among(sides, boxes.periods);
        let mut places = boxes.places_at(sides);
        for (axis, found) in kept.places.into_iter().enumerate() {
            match boxes.periods[axis] {
                Some(period) if boxes.agree(&found, sides, axis, period) => {
                    places[axis] = Places::at(found.into_owned(), period);
                }
                None if found.is_empty() => {}
                _ => return None,
            }
        }
        boxes.take_up(sides, places);
        boxes.sorts = kept.sorts;
        for (axis, exchanges) in boxes.axes.iter_mut().zip(kept.exchanges) {
            axis.count_from(exchanges);
        }
        let mut pairs = Vec::new();
        boxes.list(&mut pairs);
        Some((boxes, pairs))
    }

    /// Whether places on a circle are those of the sides, and all within one lap.
    fn agree(&self, places: &[f64], sides: &[Sides], axis: usize, period: f64) -> bool {
        let narrow = |body: &usize| !self.wide.has(*body as u32);
        let is_there = |place: f64, side: f64| {
            let laps = (place - side) / period;
            // Nothing that is not finite is near anything.
            (laps - laps.round()).abs() <= ROUNDING
        };
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        places.len() == 2 * sides.len()
            && (0..sides.len()).filter(narrow).all(|body| {
                (0..2).all(|end| {
                    let place = places[2 * body + end];
                    (least, most) = (least.min(place), most.max(place));
                    is_there(place, sides[body][axis][end])
                })
            })
            && (least > most || most - least <= period * (1.0 + ROUNDING))
    }
}
