//! What follows from a model: packing fraction, step lengths, extreme radii.

use std::collections::HashMap;
use std::f64::consts::PI;

use super::surroundings::room_between;
use super::{Model, Placement, PlacementMethod};
use jostle_core::rules::Region;
use jostle_core::space::{Groups, ball_volume};
use jostle_core::words::length_text;

impl Placement {
    /// How many particles.
    pub fn count(&self) -> usize {
        match &self.how {
            PlacementMethod::Random { count }
            | PlacementMethod::Lattice { count }
            | PlacementMethod::Packed { count }
            | PlacementMethod::Equilibrium { count }
            | PlacementMethod::Room { count }
            | PlacementMethod::InMolecules { count } => *count,
            PlacementMethod::Positions(places) => places.len(),
        }
    }
}

/// The share of their room that particles of one size fill at most, and what to call them.
/// \[dimension - 1\]
pub(super) const DENSEST: [(f64, &str); 3] =
    [(1.0, "rods on a line"), (0.9069, "disks in a plane"), (0.7405, "spheres")];

/// The root mean square displacement along one axis in one step. \[nm\]
pub fn rms_step(diffusion_coefficient: f64, timestep: f64) -> f64 {
    (2.0 * diffusion_coefficient * timestep).sqrt()
}

/// The root mean square displacement of the fastest species in one step, all axes together. \[nm\]
pub fn longest_step(model: &Model) -> f64 {
    let all = model.species.iter().filter_map(|s| s.diffusion_coefficient);
    let fastest = all.fold(0.0, f64::max);
    rms_step(fastest * model.space.dimension as f64, model.run.timestep)
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

/// Which species keep each other out.
pub fn apart(model: &Model) -> Groups {
    Groups::except(model.species.len(), model.rules().passing())
}

/// Which species do not ignore each other.
pub fn meeting(model: &Model) -> Groups {
    Groups::except(model.species.len(), model.rules().ignoring())
}

/// Whether particles of a species keep any particle out: whether there is one that they do not
/// pass. \[species\]
pub fn exclusive(model: &Model) -> Vec<bool> {
    let apart = apart(model);
    (0..model.species.len() as u16).map(|s| apart.interacts_with_any(s)).collect()
}

/// Whether what is to be said of a species has been said of an earlier state of it: one of the same
/// size and motion. \[species\]
pub(super) fn repeats(model: &Model) -> Vec<bool> {
    let exclusive = exclusive(model);
    // Those of each declared name that differ.
    let mut told: HashMap<&str, Vec<usize>> = HashMap::new();
    let repeats = |n: usize| {
        let this = &model.species[n];
        let told = told.entry(this.declared_name()).or_default();
        let same = |&other: &usize| {
            let (is_exclusive, other) = (exclusive[other], &model.species[other]);
            other.radius == this.radius
                && other.diffusion_coefficient == this.diffusion_coefficient
                && other.drift == this.drift
                && is_exclusive == exclusive[n]
        };
        let repeats = told.iter().any(same);
        if !repeats {
            told.push(n);
        }
        repeats
    };
    (0..model.species.len()).map(repeats).collect()
}

/// The part of their room that particles fill at the start, of the species where it is the most.
///
/// ```
/// use jostle_model::measure::packing_fraction;
///
/// let text = "space = { dimension = 3, edges = '50 nm' }\n\
///             run = { timestep = '1 ns', steps = 10 }\n\
///             [[species]]\nname = 'A'\nradius = '2.5 nm'\ndiffusion = '10 nm^2/us'\ncount = 191\n";
/// let model = jostle_model::parse(text, "fluid", &[])?;
/// let sphere = 4.0 / 3.0 * std::f64::consts::PI * 2.5_f64.powi(3);
/// assert!((packing_fraction(&model) - 191.0 * sphere / 50.0_f64.powi(3)).abs() < 1e-12);
/// # Ok::<(), jostle_model::Faults>(())
/// ```
pub fn packing_fraction(model: &Model) -> f64 {
    crowding(model).into_iter().fold(0.0, f64::max)
}

/// For each species, the part of its room that is filled at the start: in the volume, or on the
/// surface that it lives on. Of those that have more room, a part is there; one that keeps to the
/// other side of a surface is not. Species that may overlap with others are not added up: the
/// largest fraction that has to be filled without overlap counts. Of balls of different sizes, the
/// least size counts. \[species\]
pub fn crowding(model: &Model) -> Vec<f64> {
    let all = 0..model.species.len() as u16;
    let around = model.surroundings();
    let mut filled = vec![0.0; model.species.len()];
    for placement in &model.placement {
        let s = placement.species;
        let radius =
            model.engine.least_radius(s).or(model.species[s as usize].radius).unwrap_or(0.0);
        filled[s as usize] +=
            placement.count() as f64 * ball_volume(model.dimension_of([s; 2]), radius);
    }
    let rooms: Vec<f64> = all.clone().map(|s| room_of(model, s)).collect();
    let apart = apart(model);
    // Most of many species have no particles, and add nothing.
    let there = || all.clone().filter(|&s| filled[s as usize] != 0.0);
    let solid: Vec<u16> = there().filter(|&s| all.clone().all(|o| apart.interact(s, o))).collect();
    let hard: Vec<u16> = there().filter(|&s| apart.interact(s, s)).collect();
    let anchor = |s: u16| around.anchor(s).map(|anchor| anchor.surface);
    let opposite = |a: u16, b: u16| {
        let mut sides = around.sides(a).iter();
        sides
            .any(|a| around.sides(b).iter().any(|b| a.surface == b.surface && a.inside != b.inside))
    };
    let share = |s: u16, other: u16| match anchor(s) != anchor(other) || opposite(s, other) {
        true => 0.0,
        false => filled[other as usize] / rooms[s as usize].max(rooms[other as usize]),
    };
    let of = |s: u16| {
        let together: f64 = solid.iter().map(|&o| share(s, o)).sum();
        let alone = hard.iter().map(|&o| share(s, o));
        alone.fold(together.max(0.0), f64::max)
    };
    all.clone().map(of).collect()
}

/// The one of two species, if they are among those `meeting`, in whose room they meet: that with the more room, but of
/// one that lives on a surface and one that does not, the latter.
pub fn host(model: &Model, meeting: &Groups, a: u16, b: u16) -> Option<u16> {
    let anchor = |s: u16| model.surroundings().anchor(s).map(|anchor| anchor.surface);
    match (anchor(a), anchor(b)) {
        _ if !meeting.interact(a, b) => None,
        (None, Some(_)) => Some(a),
        (Some(_), None) => Some(b),
        (Some(first), Some(second)) if first != second => None,
        _ if room_of(model, a) < room_of(model, b) => Some(b),
        _ => Some(a),
    }
}

/// The room that particles of a species have: the surface that they live on, or what of the box is
/// on those sides of surfaces that they keep to. \[nm^d\]
pub fn room_of(model: &Model, species: u16) -> f64 {
    let rooms = &model.surroundings().rooms;
    rooms.get(species as usize).copied().unwrap_or_else(|| volume(model))
}

/// The share of the room of a species that is in a region. Of a species on a surface, it is taken to be
/// the region's share of the box.
pub fn share_in(model: &Model, species: u16, region: &Region) -> f64 {
    let around = model.surroundings();
    if around.anchor(species).is_some() {
        return region.volume / volume(model);
    }
    let sides = around.sides(species).iter().chain(&region.sides);
    let forms = sides.map(|side| (&around.surfaces[side.surface as usize].form, side.inside));
    let (forms, space) = (forms.collect(), &model.space);
    room_between([region.from, region.to], forms, space.dimension, &space.edges)
        / room_of(model, species)
}

/// The volume (3D), area (2D) or length (1D) that particles have.
pub fn volume(model: &Model) -> f64 {
    let share = if model.engine.is_cylinder() { PI / 4.0 } else { 1.0 };
    share * model.space.edges[..model.space.dimension].iter().product::<f64>()
}

/// The box in words.
pub(super) fn enclosed(model: &Model) -> String {
    if !model.engine.is_of_cells() {
        let edges: Vec<_> = model.space.edges[..model.space.dimension]
            .iter()
            .map(|&edge| length_text(edge))
            .collect();
        return edges.join(" x ");
    }
    let edges: Vec<_> =
        model.space.edges[..model.space.dimension].iter().map(|edge| format!("{edge:?}")).collect();
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

/// An angle in degrees.
pub(super) fn angle(radians: f64) -> String {
    let degrees: f64 = format!("{:.5e}", radians.to_degrees()).parse().unwrap_or(f64::NAN);
    format!("{degrees} deg")
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
    fn particles_have_the_volume_of_their_dimension() {
        assert_eq!(ball_volume(1, 2.0), 4.0);
        assert_eq!(ball_volume(2, 2.0), 4.0 * PI);
        assert!((ball_volume(3, 2.0) - 32.0 / 3.0 * PI).abs() < 1e-12);
        assert_eq!(rms_step(0.05, 10.0), 1.0);
    }
}
