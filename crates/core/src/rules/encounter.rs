//! Where two species meet, as far as rate constants go: anywhere in space, both on one surface, or
//! the one in space and the other on a surface that hides part of it.

use std::f64::consts::PI;

use super::rates::{RateError, ReactingPair};
use crate::space::ball_volume;

/// How two species meet.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Encounter {
    /// Both move in space, and see all of each other.
    #[default]
    Free,
    /// Both are confined to one surface: they meet in one dimension less.
    Within {
        /// 1/R of a sphere; 0 of a plane, and of a rod, which is flat along its axis. \[1/nm\]
        curvature: f64,
    },
    /// One is confined to a surface with its centre and moves along it; the other comes from one
    /// side.
    Target {
        /// Which one is confined: the first or the second.
        confined: usize,
        /// How near the other's centre comes to the surface; none if it goes through. \[nm\]
        clearance: Option<f64>,
        /// How the surface bends away from the other: 1/R of a sphere that it is outside of, -1/R
        /// of one that it is in. On a rod it is that of the places that show most of what is there:
        /// where less shows, fewer come and fewer leave. \[1/nm\]
        curvature: f64,
    },
}

/// Two species that react at contact, where they meet.
///
/// A target on a surface shows only the part of the contact sphere that the surface leaves free, a
/// share f of it (one half of what is met by points), and all that comes to it comes through that
/// part. By symmetry it takes up what a free target of the rate constant k_a/f would, times f. So
/// with a rate constant k_a of the pair, as it is measured, k_a/f stands where a free pair has k_a;
/// the flux by diffusion then is f 4 π D R.
///
/// The one moves along the surface only, so that the mean step towards each other depends on the
/// direction n: D(n) = D_free + D_confined (1 - n_z²). What counts is the mean of its root over the
/// part that shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeetingPair {
    /// As if free.
    pub pair: ReactingPair,
    /// The share of the contact sphere that shows, or of all orientations in which two sites face each
    /// other.
    pub exposed: f64,
    /// How fast diffusion brings the two together.
    limit: Limit,
}

/// The rate constant of two that react whenever they meet.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Limit {
    /// 4 π D R times what is exposed.
    OfExposed,
    /// \[nm³/µs\]
    Known(f64),
    Unknown,
}

impl Encounter {
    /// In how many dimensions the two meet, in a box of so many.
    pub fn dimension(self, dimension: usize) -> usize {
        dimension - usize::from(matches!(self, Self::Within { .. }))
    }

    /// The share of the contact sphere that shows: all of it, unless one of the two is a target. Of two on
    /// a sphere of radius R, how long the circle is on which they touch, over 2 π d of a plane: the
    /// cosine √(1 - d²/4R²) of half the angle between them, as they are the distance d apart along
    /// a chord.
    pub fn shown(self, dimension: usize, distance: f64) -> f64 {
        match self {
            Self::Within { curvature } if dimension == 3 => {
                (1.0 - (0.5 * distance * curvature).powi(2)).max(0.0).sqrt()
            }
            Self::Free | Self::Within { .. } => 1.0,
            Self::Target { clearance, curvature, .. } => {
                part(dimension, widest_angle(clearance, curvature, distance), 0.0, 0.0).0
            }
        }
    }

    /// Two that meet so, in `dimension` dimensions, at contact `distance` \[nm\], with these
    /// diffusion coefficients \[nm²/µs\].
    ///
    /// # Errors
    /// As [`ReactingPair::new`].
    pub fn pair(
        self,
        dimension: usize,
        distance: f64,
        diffusion: [f64; 2],
    ) -> Result<MeetingPair, RateError> {
        let sum = diffusion[0] + diffusion[1];
        let (pair, exposed) = match self {
            Self::Free => (ReactingPair::new(dimension, distance, sum)?, 1.0),
            Self::Within { .. } => {
                let pair = ReactingPair::new(self.dimension(dimension), distance, sum)?;
                (pair, self.shown(dimension, distance))
            }
            Self::Target { confined, clearance, curvature } => {
                let widest = widest_angle(clearance, curvature, distance);
                let (exposed, mean) =
                    part(dimension, widest, diffusion[1 - confined], diffusion[confined]);
                (ReactingPair::new(dimension, distance, mean)?, exposed)
            }
        };
        Ok(MeetingPair { pair, exposed, limit: Limit::OfExposed })
    }

    /// How much room the centre of the one has that is at least at contact `distance` \[nm\] from
    /// that of the other and at most `length` \[nm\] away. \[nm^d, d being the number of dimensions that
    /// they meet in\]
    ///
    /// Within a sphere, as within a plane, it is π (length² - distance²): a cap of a sphere whose rim is
    /// a chord r away has the area π r².
    pub fn shell_volume(self, dimension: usize, distance: f64, length: f64) -> f64 {
        let shell = |dimension, [from, to]: [f64; 2]| {
            ball_volume(dimension, to) - ball_volume(dimension, from)
        };
        match self {
            Self::Free => shell(dimension, [distance, length]),
            Self::Within { .. } => shell(self.dimension(dimension), [distance, length]),
            Self::Target { clearance, curvature, .. } => {
                /// Layers in each of which the share that the surface leaves free is that in its middle.
                const LAYERS: u32 = 1000;
                let width = (length - distance) / f64::from(LAYERS);
                let layer = |n: u32| {
                    let [from, middle, to] =
                        [0.0, 0.5, 1.0].map(|part| distance + width * (f64::from(n) + part));
                    let widest = widest_angle(clearance, curvature, middle);
                    shell(dimension, [from, to]) * part(dimension, widest, 0.0, 0.0).0
                };
                (0..LAYERS).map(layer).sum()
            }
        }
    }
}

impl MeetingPair {
    /// How often two touch where that happens least often, over the mean of all that shows, if `free` \[nm²/µs\] is
    /// the diffusion coefficient of what comes to a target: straight from above, since the target does not
    /// move that way.
    pub fn least_often(&self, free: f64) -> f64 {
        (free / self.pair.diffusion()).sqrt()
    }

    /// The same two if they react in a `share` of all orientations only, in which their sites face each
    /// other. A rate constant is the mean over all of them. `limit` is how fast diffusion brings the two
    /// sites face to face, if that is known. \[nm³/µs\]
    ///
    /// Where they face each other, the two react as two do all around with k_a over the share. This holds
    /// while steps are short beside the width of the openings.
    #[must_use]
    pub fn facing(self, share: f64, limit: Option<f64>) -> Self {
        let limit = limit.map_or(Limit::Unknown, Limit::Known);
        Self { exposed: self.exposed * share, limit, ..self }
    }

    /// As [`ReactingPair::probability`].
    ///
    /// # Errors
    /// As there.
    pub fn probability(&self, k_a: f64, timestep: f64) -> Result<f64, RateError> {
        self.pair.probability(k_a / self.exposed, timestep)
    }

    /// As [`ReactingPair::probability_at_any_step`].
    ///
    /// # Errors
    /// As there.
    pub fn probability_at_any_step(&self, k_a: f64, timestep: f64) -> Result<f64, RateError> {
        self.pair.probability_at_any_step(k_a / self.exposed, timestep)
    }

    /// As [`ReactingPair::contact_rate`]. \[nm^d/µs\]
    pub fn contact_rate(&self, timestep: f64) -> f64 {
        self.exposed * self.pair.contact_rate(timestep)
    }

    /// As [`ReactingPair::contact_volume`]. \[nm^d\]
    pub fn contact_volume(&self, timestep: f64) -> f64 {
        self.exposed * self.pair.contact_volume(timestep)
    }

    /// As [`ReactingPair::step_width`]. \[nm\]
    pub fn step_width(&self, timestep: f64) -> f64 {
        self.pair.step_width(timestep)
    }

    /// As [`ReactingPair::intrinsic_rate`]. \[nm^d/µs\]
    ///
    /// # Errors
    /// As there.
    pub fn intrinsic_rate(&self, probability: f64, timestep: f64) -> Result<f64, RateError> {
        Ok(self.exposed * self.pair.intrinsic_rate(probability, timestep)?)
    }

    /// As [`ReactingPair::unbinding_correction`].
    ///
    /// # Errors
    /// As there.
    pub fn unbinding_correction(&self, k_a: f64, timestep: f64) -> Result<f64, RateError> {
        self.pair.unbinding_correction(k_a / self.exposed, timestep)
    }

    /// As [`ReactingPair::largest_timestep`]. \[µs\]
    ///
    /// # Errors
    /// As there.
    pub fn largest_timestep(&self, k_a: f64) -> Result<f64, RateError> {
        self.pair.largest_timestep(k_a / self.exposed)
    }

    /// In how many dimensions they meet.
    pub fn dimension(&self) -> usize {
        self.pair.dimension()
    }

    /// As [`ReactingPair::intrinsic_from_macroscopic`].
    ///
    /// # Errors
    /// As there.
    pub fn intrinsic_from_macroscopic(&self, k_on: f64) -> Result<f64, RateError> {
        match self.limit {
            Limit::OfExposed => {
                Ok(self.exposed * self.pair.intrinsic_from_macroscopic(k_on / self.exposed)?)
            }
            Limit::Known(limit) if k_on < limit => Ok(k_on / (1.0 - k_on / limit)),
            Limit::Known(limit) => Err(RateError::FasterThanDiffusion { k_on, limit }),
            Limit::Unknown => Err(RateError::NoMacroscopicOfSites),
        }
    }

    /// How fast diffusion brings the two together: the rate constant of two that react whenever they
    /// meet. None but in 3D, or where it is not known. \[nm³/µs\]
    pub fn diffusion_limit(&self) -> Option<f64> {
        match self.limit {
            Limit::OfExposed => {
                (self.dimension() == 3).then(|| self.exposed * self.pair.diffusion_limit())
            }
            Limit::Known(limit) => Some(limit),
            Limit::Unknown => None,
        }
    }

    /// As [`ReactingPair::macroscopic_from_intrinsic`].
    pub fn macroscopic_from_intrinsic(&self, k_a: f64) -> Option<f64> {
        self.diffusion_limit().map(|limit| k_a / (1.0 + k_a / limit))
    }
}

/// How far from the normal of the surface the other can be at contact: where its centre is
/// `clearance` away.
fn widest_angle(clearance: Option<f64>, curvature: f64, distance: f64) -> f64 {
    clearance.map_or(PI, |clearance| {
        let bent = 0.5 * curvature * (clearance * clearance - distance * distance);
        libm::acos(((clearance + bent) / distance).clamp(-1.0, 1.0))
    })
}

/// The share of the contact sphere within `widest` of the normal, and the diffusion coefficient
/// whose root is the mean root there.
fn part(dimension: usize, widest: f64, free: f64, confined: f64) -> (f64, f64) {
    /// Simpson's rule; the integrand is smooth.
    const PANELS: usize = 16;
    let (mut surface, mut steps) = (0.0, 0.0);
    for n in 0..=PANELS {
        let angle = widest * n as f64 / PANELS as f64;
        let sine = libm::sin(angle);
        let rim = if dimension == 3 { sine } else { 1.0 };
        let weight = rim * if n == 0 || n == PANELS { 1.0 } else { 2.0 * (1 + n % 2) as f64 };
        surface += weight;
        steps += weight * (free + confined * sine * sine).sqrt();
    }
    let exposed = match dimension {
        3 => 0.5 * (1.0 - libm::cos(widest)),
        2 => widest / PI,
        // On a line it is met from one side or from both.
        _ => {
            if widest > 0.5 * PI {
                1.0
            } else {
                0.5
            }
        }
    };
    (exposed, if surface > 0.0 { (steps / surface).powi(2) } else { free })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_in_a_plane_shows_points_one_half_of_itself() {
        let target = Encounter::Target { confined: 1, clearance: Some(0.0), curvature: 0.0 };
        let met = target.pair(3, 2.0, [5.0, 0.0]).unwrap();
        assert!((met.exposed - 0.5).abs() < 1e-15);
        let free = ReactingPair::new(3, 2.0, 5.0).unwrap();
        assert!((met.contact_rate(0.01) - 0.5 * free.contact_rate(0.01)).abs() < 1e-12);
        // 1/k_on = 1/k_a + 1/(2 pi D R)
        let k_a = met.intrinsic_from_macroscopic(20.0).unwrap();
        assert!((1.0 / k_a - (1.0 / 20.0 - 1.0 / (2.0 * PI * 5.0 * 2.0))).abs() < 1e-12);
        assert_eq!(met.probability(10.0, 1e-4), free.probability(20.0, 1e-4));
    }

    #[test]
    fn the_room_within_a_tether_is_what_surfaces_leave_of_a_shell() {
        let free = Encounter::Free.shell_volume(3, 2.0, 5.0);
        assert!((free - 4.0 / 3.0 * PI * 117.0).abs() < 1e-10);
        let within = |curvature| Encounter::Within { curvature };
        assert!((within(0.0).shell_volume(3, 2.0, 5.0) - PI * 21.0).abs() < 1e-12);
        // The same on a sphere, where they touch on a shorter circle: at a right angle as seen from its
        // centre, by a factor of √2.
        assert!((within(0.1).shell_volume(3, 2.0, 5.0) - PI * 21.0).abs() < 1e-12);
        let right_angle = within(1.0).pair(3, 2.0_f64.sqrt(), [1.0, 1.0]).unwrap();
        assert!((right_angle.exposed - 0.5_f64.sqrt()).abs() < 1e-15);
        assert_eq!(within(1.0).pair(2, 1.0, [1.0, 1.0]).unwrap().exposed, 1.0);
        let flat = |clearance| Encounter::Target { confined: 1, clearance, curvature: 0.0 };
        assert!((flat(Some(0.0)).shell_volume(3, 2.0, 5.0) - 0.5 * free).abs() < 1e-10);
        assert!((flat(None).shell_volume(3, 2.0, 5.0) - free).abs() < 1e-9);
        // The caps of both spheres above a height of 1: π (r - h)² (2 r + h)/3.
        let cap = |r: f64| PI * (r - 1.0).powi(2) * (2.0 * r + 1.0) / 3.0;
        let above = flat(Some(1.0)).shell_volume(3, 2.0, 5.0);
        assert!((above / (cap(5.0) - cap(2.0)) - 1.0).abs() < 1e-6, "{above}");
    }

    #[test]
    fn steps_towards_each_other_are_averaged_over_what_shows() {
        // The mean of sqrt(a + a (1 - c²)) over c from 0 to 1 is sqrt(a) (1/2 + pi/4).
        let target = Encounter::Target { confined: 0, clearance: Some(0.0), curvature: 0.0 };
        let met = target.pair(3, 1.0, [3.0, 3.0]).unwrap();
        let mean: f64 = 3.0_f64.sqrt() * (0.5 + PI / 4.0);
        let free = ReactingPair::new(3, 1.0, mean * mean).unwrap();
        assert!((met.pair.contact_rate(1.0) / free.contact_rate(1.0) - 1.0).abs() < 1e-4);
    }

    #[test]
    fn balls_of_some_size_see_less_of_it() {
        let flat = |clearance| Encounter::Target { confined: 1, clearance, curvature: 0.0 };
        let target = flat(Some(1.0));
        assert!((target.pair(3, 4.0, [1.0, 0.0]).unwrap().exposed - 0.375).abs() < 1e-15);
        assert!((target.pair(2, 2.0, [1.0, 0.0]).unwrap().exposed - 1.0 / 3.0).abs() < 1e-12);
        let through = flat(None);
        assert_eq!(through.pair(3, 4.0, [1.0, 0.0]).unwrap().exposed, 1.0);
        // A ball of radius 0.4 about a point of a sphere of radius 2.5, from outside and from
        // inside.
        let bent = |curvature| Encounter::Target { confined: 1, clearance: Some(0.4), curvature };
        let exposed = |curvature| bent(curvature).pair(3, 1.4, [1.0, 0.0]).unwrap().exposed;
        assert!((exposed(0.4) - 0.5 * (1.0 - 0.2 / 7.0)).abs() < 1e-12);
        assert!((exposed(-0.4) - 0.5 * (1.0 - 3.8 / 7.0)).abs() < 1e-12);
        assert!(Encounter::Within { curvature: 0.0 }.pair(1, 1.0, [1.0, 1.0]).is_err());
    }
}
