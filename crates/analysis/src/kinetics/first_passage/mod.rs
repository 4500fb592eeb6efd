//! The time until something first happens to a particle.

mod meeting;
mod moving;

use super::super::scope::{Scope, too_little};
use super::super::tables::{Cell, Table};
use super::survival_curve::{Observed, SurvivalCurve, ages, curves, summaries};
use crate::surfaces::Beside;
use jostle_core::words::{length_in_unit, length_text};
use jostle_h5md::reading::ReadError;
use jostle_h5md::reading::Reading;

/// A part of the box.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Place {
    /// From where to where along each axis; the whole axis if it says nothing. \[nm\]
    pub ranges: [Option<[f64; 2]>; 3],
}

impl Place {
    /// Whether a point lies in it.
    pub fn holds(&self, point: [f64; 3]) -> bool {
        let within = |(range, x): (&Option<[f64; 2]>, f64)| {
            range.is_none_or(|[low, high]| (low..=high).contains(&x))
        };
        self.ranges.iter().zip(point).all(within)
    }

    fn in_words(&self) -> String {
        let ranges = self.ranges.iter().zip(["x", "y", "z"]);
        let ranges = ranges.filter_map(|(range, axis)| Some((axis, (*range)?)));
        let words = ranges.map(|(axis, [low, high])| {
            let typical = if high.is_finite() { high } else { low };
            let (high, unit) = length_in_unit(high, typical);
            format!("{axis} = {}..{high} {unit}", length_in_unit(low, typical).0)
        });
        words.collect::<Vec<_>>().join(", ")
    }
}

/// What is waited for.
#[derive(Clone, Debug, PartialEq)]
pub enum Goal {
    /// A particle is so far from where it was first seen, or farther, in some frame. \[nm\] Its
    /// path between frames is not seen: the times are as if the distance were longer by 0.58 (2 D
    /// Δt)^½, Δt being the time between frames.
    Distance(f64),
    /// A particle is in this place in some frame; those that are there when first seen are left
    /// out.
    Place(Place),
    /// A particle is out of this place in some frame; those that are out of it when first seen are
    /// left out.
    Left(Place),
    /// A particle is on all of these sides of surfaces in some frame; those that are when first seen
    /// are left out.
    Beside(Vec<Beside>),
    /// A particle has its first logged contact with one of this species, with this face of the box
    /// or surface, with any `wall`, or with any particle. Only particles of the first frame count,
    /// from then until they end or become something else.
    Meeting(Option<String>),
}

/// How long the particles of a species need.
#[derive(Clone, Debug, PartialEq)]
pub struct FirstPassage {
    /// The species that they are of at first.
    pub species: String,
    /// The share that still waits; times in µs. The mean is the area under the curve.
    pub curve: SurvivalCurve,
    /// The mean that a lone particle that diffuses freely would have: L²/(2 d D) for a distance L.
    /// \[µs\]
    pub free: Option<f64>,
}

/// First-passage times by species.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Passages {
    /// What is waited for, in words.
    pub goal: String,
    /// In the order of the species.
    pub entries: Vec<FirstPassage>,
}

impl Passages {
    fn curves(&self) -> impl Iterator<Item = (Cell, &SurvivalCurve)> {
        self.entries.iter().map(|one| (Cell::from(one.species.as_str()), &one.curve))
    }

    /// One row per species.
    pub fn to_table(&self) -> Table {
        let mut table = summaries("species", self.curves());
        table.columns.push("free mean (µs)".into());
        for (row, one) in table.rows.iter_mut().zip(&self.entries) {
            row.push(one.free.into());
        }
        table
    }

    /// One row per species and time at which a particle got there.
    pub fn curves_to_table(&self) -> Table {
        curves("species", self.curves())
    }

    /// One row per species and time at which one was first seen, got there, or was last seen.
    pub fn ages_to_table(&self) -> Table {
        ages("species", self.curves())
    }
}

/// Measures how long particles need until something first happens to them. A particle that has not
/// got there when last seen is censored. Times above `longest` \[µs\] are not looked at.
///
/// # Errors
/// If there are fewer than two frames, the distance is not above 0, the place is not in the box, a
/// species is unknown, or the file cannot be read.
pub fn first_passage(
    reading: &Reading,
    scope: &Scope,
    goal: &Goal,
    longest: Option<f64>,
) -> Result<Passages, ReadError> {
    goal.check(reading)?;
    let lives: Vec<Vec<Observed>> = match goal {
        Goal::Meeting(partner) => meeting::waits(reading, scope, partner.as_deref())?,
        _ => moving::waits(reading, scope, goal)?,
    };
    let diffusion = reading.diffusion_coefficients().unwrap_or_default();
    let free = |species: usize| match goal {
        Goal::Distance(length) => {
            let d = diffusion.get(species).copied().flatten().filter(|&d| d > 0.0)?;
            Some(length * length / (2.0 * reading.dimension() as f64 * d))
        }
        _ => None,
    };
    let seen = lives.into_iter().enumerate().filter(|(_, lives)| !lives.is_empty());
    let entry = |(species, lives): (usize, Vec<Observed>)| FirstPassage {
        species: reading.species_name(species as i64),
        curve: SurvivalCurve::of(&lives, longest),
        free: free(species),
    };
    Ok(Passages { goal: goal.in_words(), entries: seen.map(entry).collect() })
}

impl Goal {
    /// A distance that many of the particles get to: what the fastest of them moves in a tenth of
    /// the time, or a tenth of the shortest edge if the model gives no D, to two digits.
    ///
    /// # Errors
    /// If there are fewer than two frames, a species is unknown, or the file cannot be read.
    pub fn handy_distance(reading: &Reading, scope: &Scope) -> Result<Self, ReadError> {
        let [from, to] = scope.window(reading)?;
        let wanted = scope.species(reading)?;
        let diffusion = reading.diffusion_coefficients().unwrap_or_default();
        let known = diffusion.iter().zip(wanted).filter_map(|(d, wanted)| d.filter(|_| wanted));
        let fastest = known.fold(0.0, f64::max);
        let edges = &reading.box_edges()?[..reading.dimension()];
        let shortest = edges.iter().copied().fold(f64::INFINITY, f64::min);
        let length = match fastest > 0.0 {
            true => (2.0 * reading.dimension() as f64 * fastest * 0.1 * (to - from)).sqrt(),
            false => 0.1 * shortest,
        };
        let unit = libm::pow(10.0, libm::floor(libm::log10(length)) - 1.0);
        Ok(Self::Distance((length / unit).round() * unit))
    }

    /// Refuses what no particle can be waited for to do.
    fn check(&self, reading: &Reading) -> Result<(), ReadError> {
        let reason = match self {
            Self::Distance(length) if length.is_nan() || *length <= 0.0 => {
                "a distance above 0 is needed".into()
            }
            Self::Place(place) | Self::Left(place) => {
                let edges = reading.box_edges().unwrap_or([f64::INFINITY; 3]);
                let edge =
                    |axis: usize| if axis < reading.dimension() { edges[axis] } else { -1.0 };
                let outside = |axis: usize| {
                    let [low, high] = place.ranges[axis].unwrap_or([0.0, f64::INFINITY]);
                    place.ranges[axis].is_some() && (low > edge(axis) || high < 0.0)
                };
                if !(0..3).any(outside) {
                    return Ok(());
                }
                let edges = edges[..reading.dimension()].iter().map(|edge| length_text(*edge));
                let edges = edges.collect::<Vec<_>>().join(" by ");
                format!("the place ({}) is outside the box, which is {edges}", self.in_words())
            }
            _ => return Ok(()),
        };
        Err(too_little(reading, reason))
    }

    fn in_words(&self) -> String {
        match self {
            Self::Distance(length) => format!("{} from its start", length_text(*length)),
            Self::Place(place) => format!("in {}", place.in_words()),
            Self::Left(place) => format!("out of {}", place.in_words()),
            Self::Beside(sides) => {
                let words =
                    sides.iter().map(|side| format!("{} {}", side.which.name(), side.surface));
                words.collect::<Vec<_>>().join(", ")
            }
            Self::Meeting(partner) => {
                let partner = partner.as_deref().unwrap_or("any particle");
                format!(
                    "first logged contact with {}{partner}",
                    if partner == meeting::WALL_NAME { "the " } else { "" }
                )
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_holds_what_is_within_all_its_ranges() {
        let place = Place { ranges: [Some([0.0, 10.0]), None, Some([5.0, 6.0])] };
        assert!(place.holds([10.0, 99.0, 5.5]));
        assert!(!place.holds([10.1, 0.0, 5.5]) && !place.holds([1.0, 0.0, 4.9]));
        assert!(Place::default().holds([1e9, -1e9, 0.0]));
        assert_eq!(Goal::Place(place).in_words(), "in x = 0..10 nm, z = 5..6 nm");
    }
}
