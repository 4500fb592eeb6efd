//! Species that get onto surfaces and come off them.

use crate::Model;
use crate::surroundings::SurfaceModel;
use jostle_core::environment::{Form, Manner};
use jostle_core::rules::{Case, TimedRule};

/// How fast particles get onto a surface, were they well mixed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace {
    /// Of each of them, on its way by diffusion and onto the surface. \[1/µs\]
    pub rate: f64,
    /// The share of those that come off that get far away before they are back.
    pub escaping: f64,
}

impl Pace {
    /// That of a species; none if it does not get onto the surface, or cannot touch it. In a slab of depth L the way
    /// there takes L²/3D, and getting on takes L/κ.
    pub fn of(model: &Model, surface: &SurfaceModel, species: u16) -> Option<Self> {
        let Manner::Adsorb(adsorption) = surface.manners[usize::from(species)] else { return None };
        let diffusion = model.species[usize::from(species)].diffusion_coefficient?;
        let room = model.surroundings().rooms[usize::from(species)];
        let depth = room / touched(model, surface, species).iter().sum::<f64>();
        let [on, way] = [depth / adsorption.rate, depth * depth / (3.0 * diffusion)];
        let is_known = diffusion > 0.0 && depth.is_finite();
        is_known.then(|| Self { rate: 1.0 / (on + way), escaping: on / (on + way) })
    }

    /// That of what comes off a surface as one of `products`, if it gets on again as it was.
    pub fn of_coming_off(model: &Model, bound: u16, products: &[u16]) -> Option<Self> {
        let &[free] = products else { return None };
        let around = model.surroundings();
        let surface = &around.surfaces[usize::from(around.anchor(bound)?.surface)];
        let gets_back = surface.manners[usize::from(free)].becomes() == Some(bound);
        if gets_back { Self::of(model, surface, free) } else { None }
    }
}

/// The rules in time by which particles of the species `bound`, which live on a surface, become those of `free`.
pub fn coming_off(model: &Model, bound: u16, free: u16) -> impl Iterator<Item = &TimedRule> {
    let takes_off =
        move |case: &Case<1>| case.species == [bound] && case.products.as_slice() == [free];
    let rules = model.rules().timed.iter();
    rules.filter(move |rule| rule.action.conversions().iter().any(takes_off))
}

/// The area (in 2D the length) on which the centres of particles of a species are when they touch a surface from
/// its inner side, and from its outer one, as far as what they become there faces these and they are there.
/// \[nm^(d-1)\]
pub fn touched(model: &Model, surface: &SurfaceModel, species: u16) -> [f64; 2] {
    let around = model.surroundings();
    let manner = surface.manners[usize::from(species)];
    let number = around.surfaces.iter().position(|one| one.name == surface.name);
    let faces = manner.becomes().and_then(|becomes| around.anchor(becomes)?.faces);
    let kept = around.sides(species).iter();
    let kept = kept.filter(|side| Some(usize::from(side.surface)) == number);
    let is_met = |inside: bool| {
        faces.is_none_or(|faces| faces == inside) && kept.clone().all(|side| side.inside == inside)
    };
    let (dimension, edges) = (model.space.dimension, &model.space.edges);
    let own = model.species[usize::from(species)].radius.unwrap_or(0.0);
    let margin = if manner.is_by_centre() { 0.0 } else { own };
    let is_room = |inside: bool| match surface.form {
        Form::Plane { axis, at } if !model.space.periodic[axis] => {
            if inside {
                at < edges[axis]
            } else {
                at > 0.0
            }
        }
        _ => true,
    };
    [true, false].map(|inside| {
        let more = if inside { -margin } else { margin };
        let is_touched = is_met(inside) && is_room(inside);
        if is_touched { surface.form.extent_beside(dimension, edges, more) } else { 0.0 }
    })
}
