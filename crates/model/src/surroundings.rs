//! What there is in the box besides particles: surfaces, which particles live on them, and which is
//! kept on which side.

use jostle_core::environment::{
    AnchorSurface, Confinement, Environment, Form, Manner, Shape, Surface, SurfaceSites, room,
};
use jostle_core::rules::{Encounter, Side};
use jostle_core::species::Species;

use crate::potentials::SurfacePotential;

/// A surface, and what each species does there.
#[derive(Clone, Debug, PartialEq)]
pub struct SurfaceModel {
    /// Its name.
    pub name: String,
    /// Its shape.
    pub form: Form,
    /// \[species\]
    pub manners: Vec<Manner>,
    /// Its sites, if what gets onto it takes one.
    pub sites: Option<SurfaceSites>,
}

/// Where particles of a species live that are confined to a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Anchor {
    /// The number of the surface.
    pub surface: u16,
    /// The side on which others find them: the inner one, the outer one, or both.
    pub faces: Option<bool>,
}

/// All surfaces of a model, and how the species stand to them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surroundings {
    /// In the order of the file.
    pub surfaces: Vec<SurfaceModel>,
    /// Which particles are confined to a surface. \[species\]; empty if there are no surfaces
    pub anchors: Vec<Option<Anchor>>,
    /// On which sides particles of each species begin and come to be. \[species\]; empty if there
    /// are no surfaces
    pub sides: Vec<Vec<Side>>,
    /// How much room particles of each species have: the surface that they live on, or what of the
    /// box is on their sides of surfaces. \[species\], \[nm^d\]; empty if there are no surfaces
    pub rooms: Vec<f64>,
    /// Energies beside surfaces and faces of the box.
    pub fields: Vec<SurfacePotential>,
}

/// How much room there is between two corners on sides of these surfaces, each with whether it is
/// the inner one. \[nm^d\]
pub(crate) fn room_between(
    [from, to]: [[f64; 3]; 2],
    sides: Vec<(&Form, bool)>,
    dimension: usize,
    edges: &[f64; 3],
) -> f64 {
    let planes: Vec<_> = (0..dimension)
        .flat_map(|axis| [(from[axis], axis, true), (to[axis], axis, false)])
        .filter(|&(at, axis, _)| at > 0.0 && at < edges[axis])
        .map(|(at, axis, inside)| (Form::Plane { axis, at }, inside))
        .collect();
    let planes = planes.iter().map(|(form, inside)| (form, *inside));
    room(&sides.into_iter().chain(planes).collect::<Vec<_>>(), dimension, edges)
}

impl Surroundings {
    /// All of them, in a box with these edges.
    pub fn new(
        surfaces: Vec<SurfaceModel>,
        anchors: Vec<Option<Anchor>>,
        sides: Vec<Vec<Side>>,
        dimension: usize,
        edges: &[f64; 3],
    ) -> Self {
        let form = |surface: u16| &surfaces[surface as usize].form;
        // Many species are on the same sides, and to measure what is there takes a while.
        let mut known: Vec<(&[Side], f64)> = Vec::new();
        let mut rooms = Vec::with_capacity(sides.len());
        for (anchor, sides) in anchors.iter().zip(&sides) {
            let measured = known.iter().find(|(same, _)| same == sides).map(|(_, room)| *room);
            rooms.push(match (anchor, measured) {
                (Some(anchor), _) => form(anchor.surface).extent(dimension, edges),
                (None, Some(measured)) => measured,
                (None, None) => {
                    let forms = sides.iter().map(|side| (form(side.surface), side.inside));
                    let measured = room(&forms.collect::<Vec<_>>(), dimension, edges);
                    known.push((sides, measured));
                    measured
                }
            });
        }
        Self { surfaces, anchors, sides, rooms, fields: Vec::new() }
    }

    /// Whether there is nothing but the box.
    pub fn is_empty(&self) -> bool {
        self.surfaces.is_empty()
    }

    /// Where particles of a species are confined to.
    pub fn anchor(&self, species: u16) -> Option<Anchor> {
        *self.anchors.get(species as usize)?
    }

    /// The sides that particles of a species keep to.
    pub fn sides(&self, species: u16) -> &[Side] {
        self.sides.get(species as usize).map_or(&[], Vec::as_slice)
    }

    /// Where particles of a species are, in words, if surfaces have a say in that.
    pub fn whereabouts(&self, species: u16) -> Option<String> {
        let name = |surface: u16| &self.surfaces[surface as usize].name;
        if let Some(anchor) = self.anchor(species) {
            return Some(format!("on \"{}\"", name(anchor.surface)));
        }
        let word = |side: &Side| match (
            self.surfaces[side.surface as usize].form.is_closed(),
            side.inside,
        ) {
            (true, true) => "inside",
            (true, false) => "outside",
            (false, true) => "above",
            (false, false) => "below",
        };
        let sides = self.sides(species).iter();
        let words: Vec<_> =
            sides.map(|side| format!("{} \"{}\"", word(side), name(side.surface))).collect();
        (!words.is_empty()).then(|| words.join(" and "))
    }

    /// The surfaces as the engine has them.
    pub fn environment<const D: usize>(&self, species: &[Species]) -> Environment<D> {
        if self.is_empty() && self.fields.is_empty() {
            return Environment::none();
        }
        let shapes: Vec<Shape<D>> =
            self.surfaces.iter().map(|surface| surface.form.shape()).collect();
        let anchors = (0..species.len()).map(|s| {
            let Anchor { surface, faces } = self.anchor(s as u16)?;
            let least = species[s].radius.unwrap_or(0.0);
            let shape = AnchorSurface::on(&shapes[surface as usize], least)?;
            Some(Confinement { surface, shape, faces })
        });
        let anchors = anchors.collect();
        let manners = |s: usize| self.surfaces.iter().map(|surface| surface.manners[s]).collect();
        let manners = (0..species.len()).map(manners).collect();
        let named = self.surfaces.iter().map(|surface| surface.name.clone());
        let surfaces = named.zip(shapes).map(|(name, shape)| Surface { name, shape }).collect();
        let fields = self.fields.iter().flat_map(|field| field.fields(species)).collect();
        let sites = self.surfaces.iter().map(|surface| surface.sites.clone()).collect();
        Environment::new(surfaces, manners, anchors).with_fields(fields).with_sites(sites)
    }

    /// How two species meet.
    pub fn encounter(&self, dimension: usize, species: &[Species], a: u16, b: u16) -> Encounter {
        let radii = [a, b].map(|s| species[s as usize].radius.unwrap_or(0.0));
        match dimension {
            1 => self.environment::<1>(species).encounter(a, b, radii),
            2 => self.environment::<2>(species).encounter(a, b, radii),
            _ => self.environment::<3>(species).encounter(a, b, radii),
        }
    }

    /// The names under which surfaces are told of that absorb particles, in the order of their
    /// numbers.
    pub fn absorbing(&self) -> Vec<String> {
        self.surfaces.iter().map(|surface| format!("at {}", surface.name)).collect()
    }
}
