//! What follows from a model: packing fraction, step lengths, extreme radii.

use std::f64::consts::PI;

use super::granular::Shape;
use super::words::length_text;
use super::{EngineModel, How, Model, Placement};

impl Placement {
    /// How many bodies.
    pub fn count(&self) -> usize {
        match &self.how {
            How::Random { count } | How::Lattice { count } | How::Room { count } => *count,
            How::Positions(places) => places.len(),
        }
    }
}

/// The volume (3D), area (2D) or length (1D) of a body.
pub fn ball(dimension: usize, radius: f64) -> f64 {
    match dimension {
        1 => 2.0 * radius,
        2 => PI * radius * radius,
        _ => 4.0 / 3.0 * PI * radius * radius * radius,
    }
}

/// The root mean square displacement along one axis in one step. \[nm\]
pub fn rms_step(diffusion_coefficient: f64, timestep: f64) -> f64 {
    (2.0 * diffusion_coefficient * timestep).sqrt()
}

/// The root mean square displacement of the fastest species in one step, all axes together. \[nm\]
pub fn longest_step(model: &Model) -> f64 {
    let all = model.species.iter().filter_map(|s| s.diffusion_coefficient);
    let fastest = all.fold(0.0, f64::max);
    rms_step(fastest * model.dimension as f64, model.timestep)
}

/// The smallest radius that the model gives. \[nm\]
pub fn smallest_radius(model: &Model) -> Option<f64> {
    let radii = model.species.iter().filter_map(|s| s.radius);
    radii.reduce(f64::min)
}

/// The largest radius that the model gives. \[nm\]
pub fn largest_radius(model: &Model) -> Option<f64> {
    let radii = model.species.iter().filter_map(|s| s.radius);
    radii.reduce(f64::max)
}

/// Whether bodies of a species keep anybody out: whether there is one that they do not pass.
pub fn is_exclusive(model: &Model, species: u16) -> bool {
    (0..model.species.len() as u16).any(|other| !model.rules.pass(species, other))
}

/// Whether what is to be said of a species has been said of an earlier state of it: one of the same
/// size and motion.
pub(super) fn repeats(model: &Model, species: u16) -> bool {
    let this = &model.species[species as usize];
    let same = |n: u16| {
        let other = &model.species[n as usize];
        other.declared_name() == this.declared_name()
            && other.radius == this.radius
            && other.diffusion_coefficient == this.diffusion_coefficient
            && other.drift == this.drift
            && is_exclusive(model, n) == is_exclusive(model, species)
    };
    (0..species).any(same)
}

/// The part of the box that bodies fill at the start. Species that may overlap with others are not
/// added up: the largest fraction that has to be filled without overlap counts. Of balls of different
/// sizes, the least size counts.
pub fn packing_fraction(model: &Model) -> f64 {
    let box_volume = volume(model);
    let all = model.species.len() as u16;
    let fills = |species: u16| -> f64 {
        let of_species = model.placement.iter().filter(|p| p.species == species);
        let count: usize = of_species.map(Placement::count).sum();
        let radius = match model.granular() {
            Some(granular) => granular.balls[species as usize].radius[0],
            None => model.species[species as usize].radius.unwrap_or(0.0),
        };
        count as f64 * ball(model.dimension, radius) / box_volume
    };
    let solid = |&s: &u16| (0..all).all(|other| !model.rules.pass(s, other));
    let together: f64 = (0..all).filter(solid).map(fills).sum();
    let alone = (0..all).filter(|&s| !model.rules.pass(s, s)).map(fills);
    alone.fold(together.max(0.0), f64::max)
}

/// The volume (3D), area (2D) or length (1D) that bodies have.
pub fn volume(model: &Model) -> f64 {
    let cylinder = model.granular().is_some_and(|granular| granular.shape == Shape::Cylinder);
    let share = if cylinder { PI / 4.0 } else { 1.0 };
    share * model.edges[..model.dimension].iter().product::<f64>()
}

/// The box in words.
pub(super) fn enclosed(model: &Model) -> String {
    if !matches!(model.engine, EngineModel::Brownian) {
        let edges: Vec<_> = model.edges[..model.dimension].iter().map(|&edge| length_text(edge)).collect();
        return edges.join(" x ");
    }
    let edges: Vec<_> = model.edges[..model.dimension].iter().map(|edge| format!("{edge:?}")).collect();
    format!("{} nm", edges.join(" x "))
}

/// A time in a handy unit, rounded down to two digits.
pub(super) fn time(microseconds: f64) -> String {
    let (factor, unit) = match microseconds {
        x if x >= 1e6 => (1e-6, "s"),
        x if x >= 1e3 => (1e-3, "ms"),
        x if x >= 1.0 => (1.0, "us"),
        _ => (1e3, "ns"),
    };
    let x = microseconds * factor;
    let digit = libm::pow(10.0, libm::floor(libm::log10(x)) - 1.0);
    let rounded: f64 = format!("{:.3e}", libm::floor(x / digit) * digit).parse().unwrap_or(x);
    format!("{rounded} {unit}")
}

/// A length rounded up to four digits, so that it still does.
pub(super) fn round_up(length: f64) -> f64 {
    let digit = libm::pow(10.0, libm::floor(libm::log10(length)) - 3.0);
    let rounded = libm::ceil(length / digit) * digit;
    format!("{rounded:.6e}").parse().unwrap_or(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_is_rounded_to_the_safe_side() {
        assert_eq!(time(1234.0), "1.2 ms");
        assert_eq!(time(0.0429), "42 ns");
        assert_eq!(time(9.99), "9.9 us");
        assert_eq!(round_up(12.3401), 12.35);
        assert_eq!(round_up(8.0), 8.0);
    }

    #[test]
    fn bodies_have_the_volume_of_their_dimension() {
        assert_eq!(ball(1, 2.0), 4.0);
        assert_eq!(ball(2, 2.0), 4.0 * PI);
        assert!((ball(3, 2.0) - 32.0 / 3.0 * PI).abs() < 1e-12);
        assert_eq!(rms_step(0.05, 10.0), 1.0);
    }
}
