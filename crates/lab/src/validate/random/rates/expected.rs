//! What theory says of a system: how long its two partners take on average until they react.

use std::f64::consts::PI;

use super::chamber::{Around, Chamber, Layer, MeanTime, reach};
use super::system::{ReactivePair, Setting, SlowRegion, Typed};
use crate::validate::CheckError;
use jostle_core::rules::rates::ReactingPair;

/// The mean time until a pair reacts, and how far theory may be off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Expected {
    /// \[µs\]
    pub(super) time: f64,
    /// \[µs\]
    pub(super) bias: f64,
}

/// What the calibration of probabilities is off at most, as a share of the time that the reaction takes: see
/// [`jostle_core::rules::rates`].
const CALIBRATION: f64 = 0.011;

impl ReactivePair {
    /// For steps of this length.
    pub(super) fn expected(&self, timestep: f64) -> Result<Expected, CheckError> {
        let MeanTime { room, diffusion } = self.mean_time(timestep);
        let reaction = room / (self.intrinsic(timestep)? * if self.half { 0.5 } else { 1.0 });
        let detour = 0.5 * room * self.obstruction();
        // Where in its step a reaction falls is worth half a step at most.
        let bias = detour + CALIBRATION * reaction + 0.5 * timestep;
        Ok(Expected { time: reaction + diffusion + detour, bias })
    }

    /// The intrinsic rate constant of all reactions together. \[nm^d/µs\]
    fn intrinsic(&self, timestep: f64) -> Result<f64, CheckError> {
        let pair = ReactingPair::new(self.meeting(), self.contact(), self.together())?;
        let exposed = if self.setting == Setting::Floor {
            0.5 * (1.0 - self.radii[1] / self.contact())
        } else {
            1.0
        };
        let limit = exposed * 4.0 * PI * self.together() * self.contact();
        let sum: f64 = match self.typed {
            Typed::Rate => self.rates.iter().sum(),
            Typed::KOn => self.rates.iter().map(|k_on| 1.0 / (1.0 / k_on - 1.0 / limit)).sum(),
            Typed::Probability => {
                exposed
                    * pair.intrinsic_rate(self.ways() * self.rates.iter().sum::<f64>(), timestep)?
            }
        };
        Ok(if self.typed == Typed::Probability { sum } else { self.ways() * sum })
    }

    /// The share of all orientations in which the two can react.
    pub(super) fn share(&self) -> f64 {
        let of = |opening: f64| match self.meeting() {
            2 => opening / 180.0,
            _ => 0.5 * (1.0 - libm::cos(opening.to_radians())),
        };
        self.openings.iter().flatten().map(|opening| of(*opening)).product()
    }

    /// How much longer, at most, diffusion to the part of the first partner that reacts takes than to one that reacts
    /// all around, as a resistance beside 1/k_a. \[µs/nm^d\]
    ///
    /// A patch of the radius a on a sphere takes up 4 D a, and those that turn take up more: 1/(4 pi D R) over the root
    /// of the share of orientations is more than it lacks in wide space, and half of that again for the way round the
    /// first partner in a narrow box. Above a floor that something moves along, nothing is exact.
    fn obstruction(&self) -> f64 {
        let share = self.share();
        let times = match self.setting {
            _ if share < 1.0 => 1.5 / share.sqrt(),
            _ if self.half => 2.0,
            Setting::Floor if self.diffusion[0] > 0.0 => 0.5,
            Setting::Floor => 0.1,
            _ => 0.0,
        };
        times / self.speed()
    }

    /// The rate constant at which diffusion and reaction take about as long. \[nm^d/µs\]
    pub(super) fn speed(&self) -> f64 {
        let (d, contact) = (self.together(), self.contact());
        match self.meeting() {
            1 => 2.0 * d / contact,
            2 => 2.0 * PI * d,
            _ => 4.0 * PI * d * contact,
        }
    }

    fn mean_time(&self, timestep: f64) -> MeanTime {
        let contact = self.contact();
        let (around, wall, cubic) = self.bounds(timestep);
        let chamber = Chamber {
            around,
            contact: self.contact_along(),
            layers: self.layers(wall),
            overlap: self.overlap(),
            cubic,
        };
        let whole = chamber.mean_time();
        if self.setting != Setting::Floor {
            return whole;
        }
        // Mirrored in the floor, half a box is a whole one. What a sphere of the second's size does not reach of it is
        // a slice, and of the sphere of contact only a cap is left.
        let (edge, above) = (self.edge(timestep), self.radii[1]);
        let cap = PI * (contact - above).powi(2) * (2.0 * contact + above) / 3.0;
        let room = edge * edge * (0.5 * edge - above) - if self.overlap() { 0.0 } else { cap };
        MeanTime { room, ..whole }
    }

    /// Where they are around each other, how far the wall is, and whether it is that of a cube.
    fn bounds(&self, timestep: f64) -> (Around, f64, bool) {
        let edge = self.edge(timestep);
        let cube = |dimension: usize, edge: f64| {
            (Around::Flat(dimension), reach(dimension, edge.powi(dimension as i32)), true)
        };
        match self.setting {
            Setting::Periodic | Setting::Walls | Setting::Floor => cube(self.dimension, edge),
            Setting::Sheet => cube(self.dimension - 1, edge),
            Setting::Ball => (Around::Flat(self.dimension), self.ball(timestep), false),
            Setting::Round => {
                let around =
                    if self.dimension == 3 { Around::Sphere(self.round()) } else { Around::Circle };
                (around, PI * self.round(), false)
            }
        }
    }

    /// The contact distance as they go. \[nm\]
    fn contact_along(&self) -> f64 {
        match self.setting {
            Setting::Round => 2.0 * self.round() * libm::asin(0.5 * self.contact() / self.round()),
            _ => self.contact(),
        }
    }

    /// Energies and diffusion coefficients from the first partner outwards.
    fn layers(&self, wall: f64) -> Vec<Layer> {
        let diffusion = self.together();
        let mut layers: Vec<Layer> = Vec::new();
        for [to, energy] in &self.shells {
            layers.push(Layer { to: to * self.contact(), weight: libm::exp(-energy), diffusion });
        }
        if let Some(SlowRegion { to, slower, affinity }) = self.slow {
            let diffusion = self.diffusion[0] + slower * self.diffusion[1];
            layers.push(Layer { to: to * self.contact(), weight: affinity, diffusion });
        }
        layers.push(Layer { to: wall, weight: 1.0, diffusion });
        layers
    }
}

#[cfg(test)]
mod tests {
    use super::super::draw::draw;
    use super::super::system::{Event, Interactions};
    use super::*;
    use jostle_core::space::ball_volume;
    use jostle_core::theory::mean_capture_time;

    /// A free pair in a periodic box is what the theory of captures says.
    #[test]
    fn a_free_pair() {
        let system = ReactivePair {
            setting: Setting::Periodic,
            shells: Vec::new(),
            slow: None,
            half: false,
            openings: [None; 2],
            dimension: 3,
            typed: Typed::KOn,
            interactions: Interactions::Hard,
            event: Event::Conversion,
            radii: [0.4, 0.6],
            diffusion: [1.0, 0.0],
            rates: vec![2.0 * PI],
            ..draw(1)
        };
        let edge = system.edge(0.02);
        let due = mean_capture_time::<3>(edge, 4.0 * PI, 1.0, 1.0);
        let found = system.expected(0.02).unwrap().time;
        assert!((found / due - 1.0).abs() < 1e-3, "{found} for {due}");
        let ball = ball_volume(3, 1.0);
        assert!((system.mean_time(0.02).room - edge.powi(3) + ball).abs() < 1e-9);
    }
}
