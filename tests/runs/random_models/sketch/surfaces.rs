//! Surfaces of a random model, and how far a place is from each.

use std::fmt::Write;

use super::{AXES, Sketch};
use jostle_lab::validate::random::Draws;

#[derive(Clone, Debug)]
pub(crate) enum Shape {
    Plane {
        axis: usize,
        at: f64,
    },
    /// A sphere, or a circle in a plane.
    Ball {
        centre: Vec<f64>,
        radius: f64,
    },
    /// A rod with half that length between its ends, which are flat, or between the centres of
    /// round ones.
    Rod {
        axis: usize,
        centre: Vec<f64>,
        radius: f64,
        half: f64,
        round: bool,
    },
    /// A box: a mesh of twelve triangles, or a polygon of four corners.
    Block {
        low: Vec<f64>,
        high: Vec<f64>,
    },
}

/// What a species does at a surface.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Manner {
    Reflect,
    Ignore,
    Absorb,
    AbsorbAt(f64),
    /// With that speed as this species, which lives there.
    Onto(f64, &'static str),
    Permeable(f64),
    Inside {
        diffusion: f64,
        affinity: f64,
    },
}

#[derive(Clone, Debug)]
pub(crate) struct Surface {
    pub(crate) name: &'static str,
    pub(crate) shape: Shape,
    meets: Manner,
    /// By species.
    pub(crate) manners: Vec<(usize, Manner)>,
    /// For the text: the names of those.
    names: Vec<&'static str>,
    /// How many sites it has for those that get onto it.
    sites: Option<usize>,
}

impl Manner {
    fn text(self) -> String {
        match self {
            Self::Reflect => "\"reflect\"".into(),
            Self::Ignore => "\"ignore\"".into(),
            Self::Absorb => "\"absorb\"".into(),
            Self::AbsorbAt(speed) => format!("{{ absorb = {speed:?} }}"),
            Self::Onto(speed, name) => format!("{{ absorb = {speed:?}, becomes = \"{name}\" }}"),
            Self::Permeable(speed) => format!("{{ permeability = {speed:?} }}"),
            Self::Inside { diffusion, affinity } => {
                format!("{{ diffusion_inside = {diffusion:?}, affinity = {affinity:?} }}")
            }
        }
    }
}

fn norm(of: impl Iterator<Item = f64>) -> f64 {
    of.map(|x| x * x).sum::<f64>().sqrt()
}

/// The distance from a box of two or three half widths; below 0 inside.
fn from_box(beyond: &[f64]) -> f64 {
    let outside = norm(beyond.iter().map(|&x| x.max(0.0)));
    outside + beyond.iter().fold(f64::NEG_INFINITY, |a, &b| a.max(b)).min(0.0)
}

impl Surface {
    /// How far a place is from the surface; below 0 inside, of a plane above. \[nm\]
    pub(crate) fn distance(&self, at: &[f64]) -> f64 {
        match &self.shape {
            Shape::Plane { axis, at: height } => height - at[*axis],
            Shape::Ball { centre, radius } => {
                norm(at.iter().zip(centre).map(|(x, c)| x - c)) - radius
            }
            Shape::Rod { axis, centre, radius, half, round } => {
                let along = (at[*axis] - centre[*axis]).abs() - half;
                let across = norm((0..at.len()).filter(|k| k != axis).map(|k| at[k] - centre[k]));
                match round {
                    true => norm([along.max(0.0), across].into_iter()) - radius,
                    false => from_box(&[along, across - radius]),
                }
            }
            Shape::Block { low, high } => {
                let beyond: Vec<f64> = at
                    .iter()
                    .zip(low.iter().zip(high))
                    .map(|(x, (l, h))| (l - x).max(x - h))
                    .collect();
                from_box(&beyond)
            }
        }
    }

    pub(crate) fn manner(&self, species: usize) -> Manner {
        let own = self.manners.iter().find(|(of, _)| *of == species);
        own.map_or(self.meets, |(_, manner)| *manner)
    }

    pub(crate) fn is_anchor(&self) -> bool {
        self.is_plane() || self.radius().is_some()
    }

    pub(crate) fn is_plane(&self) -> bool {
        matches!(self.shape, Shape::Plane { .. })
    }

    /// Of a closed surface on which particles can live, or less than that of a sphere with its area; of no polygon, since
    /// two on one cannot be joined.
    pub(super) fn radius(&self) -> Option<f64> {
        match &self.shape {
            Shape::Ball { radius, .. } | Shape::Rod { radius, round: true, .. } => Some(*radius),
            Shape::Block { low, high } if low.len() == 3 => Some(0.6 * (high[0] - low[0])),
            _ => None,
        }
    }

    pub(super) fn some_side(&self, dice: &mut Draws) -> &'static str {
        match (&self.shape, self.is_at_face()) {
            (Shape::Plane { .. }, true) => "above",
            (Shape::Plane { .. }, false) => dice.pick(&["above", "below"]),
            _ => dice.pick(&["inside", "outside", "outside"]),
        }
    }

    pub(super) fn is_at_face(&self) -> bool {
        matches!(self.shape, Shape::Plane { at, .. } if at == 0.0)
    }

    /// How much of it there is to live on, one dimension less than the box. \[nm², nm\]
    pub(super) fn area(&self, edges: &[f64]) -> f64 {
        match &self.shape {
            Shape::Plane { axis, .. } => {
                (0..edges.len()).filter(|k| k != axis).map(|k| edges[k]).product()
            }
            Shape::Ball { radius, .. } if edges.len() == 3 => 12.5 * radius * radius,
            Shape::Ball { radius, .. } => 6.3 * radius,
            Shape::Rod { radius, half, .. } => 12.5 * radius * (radius + half),
            // A cube.
            Shape::Block { low, high } => 6.0 * (high[0] - low[0]).powi(2),
        }
    }

    pub(super) fn write(&self, dimension: usize, text: &mut String) {
        writeln!(text, "[[surface]]\nname = \"{}\"", self.name).unwrap();
        match &self.shape {
            Shape::Plane { axis, at } => {
                writeln!(text, "plane = {{ axis = \"{}\", at = {at:?} }}", AXES[*axis])
            }
            Shape::Ball { centre, radius } => {
                let word = if dimension == 2 { "circle" } else { "sphere" };
                writeln!(text, "{word} = {{ centre = {centre:?}, radius = {radius:?} }}")
            }
            Shape::Rod { axis, centre, radius, half, round } => {
                let (length, ends) =
                    if *round { (2.0 * (half + radius), "round") } else { (2.0 * half, "flat") };
                writeln!(
                    text,
                    "cylinder = {{ axis = \"{}\", centre = {centre:?}, radius = {radius:?}, \
                     length = {length:?}, ends = \"{ends}\" }}",
                    AXES[*axis]
                )
            }
            Shape::Block { low, high } if dimension == 2 => writeln!(
                text,
                "polygon = [[{0:?}, {1:?}], [{2:?}, {1:?}], [{2:?}, {3:?}], [{0:?}, {3:?}]]",
                low[0], low[1], high[0], high[1]
            ),
            Shape::Block { low, high } => writeln!(text, "mesh = {}", mesh(low, high)),
        }
        .unwrap();
        writeln!(text, "meets = {}", self.meets.text()).unwrap();
        let own = self.manners.iter().zip(&self.names);
        let own: Vec<String> =
            own.map(|((_, manner), name)| format!("{name} = {}", manner.text())).collect();
        if !own.is_empty() {
            writeln!(text, "species = {{ {} }}", own.join(", ")).unwrap();
        }
        if let Some(sites) = self.sites {
            writeln!(text, "sites = {sites}").unwrap();
        }
    }
}

/// A box of twelve triangles, counter-clockwise from outside.
fn mesh(low: &[f64], high: &[f64]) -> String {
    let corner = |n: usize| -> Vec<f64> {
        (0..3).map(|k| if n >> k & 1 == 1 { high[k] } else { low[k] }).collect()
    };
    let vertices: Vec<Vec<f64>> = (0..8).map(corner).collect();
    let facets = "[[0, 2, 3], [0, 3, 1], [4, 5, 7], [4, 7, 6], [0, 1, 5], [0, 5, 4], [2, 6, 7], [2, 7, 3], \
                  [0, 4, 6], [0, 6, 2], [1, 3, 7], [1, 7, 5]]";
    format!("{{ vertices = {vertices:?}, facets = {facets} }}")
}

impl Sketch {
    pub(super) fn draw_surfaces(&mut self, dice: &mut Draws) {
        if !dice.chance([0.1, 0.4, 0.6][self.dimension - 1]) {
            return;
        }
        let plane = self.dimension == 1 || dice.chance(0.55);
        if plane {
            let axis = self.dimension - 1;
            self.periodic[axis] = false;
            let middle = (self.edges[axis] * 500.0).round() / 1000.0;
            let at = if self.dimension > 1 && dice.chance(0.5) { 0.0 } else { middle };
            self.add_surface(dice, "plane", Shape::Plane { axis, at });
        }
        let is_free = self.surfaces.first().is_none_or(Surface::is_at_face);
        if self.dimension > 1 && is_free && (!plane || dice.chance(0.2)) {
            let closed = self.closed_surface(dice);
            self.add_surface(dice, "closed", closed);
        }
    }

    fn closed_surface(&self, dice: &mut Draws) -> Shape {
        let shortest = self.edges.iter().copied().fold(f64::INFINITY, f64::min);
        let centre: Vec<f64> =
            self.edges.iter().map(|edge| (edge * 500.0).round() / 1000.0).collect();
        let radius = dice.between(0.2, 0.27) * shortest;
        let radius = (radius * 1000.0).round() / 1000.0;
        let axis = dice.below(self.dimension);
        match dice.below(8) {
            0 | 1 if self.dimension == 3 => Shape::Rod {
                axis,
                centre,
                radius,
                half: dice.between(1.0, 2.0),
                round: dice.chance(0.6),
            },
            2 => {
                let corner = |sign: f64| {
                    centre.iter().map(|c| ((c + sign * radius) * 1000.0).round() / 1000.0).collect()
                };
                Shape::Block { low: corner(-1.0), high: corner(1.0) }
            }
            _ => Shape::Ball { centre, radius },
        }
    }

    fn add_surface(&mut self, dice: &mut Draws, name: &'static str, shape: Shape) {
        let meets = match &shape {
            Shape::Plane { at, .. } if *at == 0.0 => Manner::Reflect,
            _ => dice.weighed(&[(4, Manner::Ignore), (4, Manner::Reflect), (1, Manner::Absorb)]),
        };
        let (manners, names) = (Vec::new(), Vec::new());
        self.surfaces.push(Surface { name, shape, meets, manners, names, sites: None });
    }

    /// Parts of rigid units reflect from surfaces or ignore them.
    pub(super) fn restrain_bonded(&mut self) {
        let bonded: Vec<usize> = (0..self.species.len())
            .filter(|&n| self.rules.iter().any(|rule| rule.bonds(n)))
            .collect();
        for surface in &mut self.surfaces {
            let simple = |manner: Manner| matches!(manner, Manner::Reflect | Manner::Ignore);
            if !bonded.is_empty() && !simple(surface.meets) {
                surface.meets = Manner::Reflect;
            }
            for (species, manner) in &mut surface.manners {
                if bonded.contains(species) && !simple(*manner) {
                    *manner = Manner::Ignore;
                }
            }
        }
    }

    /// Lets some that a surface absorbs live there, if one lives there that they can become: without a draw, so that
    /// seeds keep their models.
    pub(super) fn keep_absorbed(&mut self) {
        let is_plain = |n: usize| {
            let species = &self.species[n];
            let is_made = self.rules.iter().any(|rule| rule.coalesces_into(n));
            !species.has_states() && !species.has_sites && !species.is_grown() && !is_made
        };
        let plain: Vec<bool> = (0..self.species.len()).map(is_plain).collect();
        for (n, surface) in self.surfaces.iter_mut().enumerate() {
            let mut dwellers =
                (0..self.species.len()).filter(|&s| self.species[s].anchor == Some(n));
            let Some(dweller) = dwellers.find(|&s| plain[s]) else { continue };
            for (species, manner) in &mut surface.manners {
                if let (Manner::AbsorbAt(speed), true) = (*manner, plain[*species]) {
                    *manner = Manner::Onto(speed, self.species[dweller].name);
                    // A few more than are taken at the start, of every other species.
                    let count = self.species[dweller].count;
                    surface.sites = count.is_multiple_of(2).then_some(count + 3);
                }
            }
        }
    }

    /// What some species do at a surface instead of what others do.
    pub(super) fn draw_manners(&mut self, dice: &mut Draws) {
        let speed =
            |diffusion: f64, timestep: f64| (100.0 * (diffusion / timestep).sqrt()).round() * 1e-3;
        for n in 0..self.surfaces.len() {
            if self.surfaces[n].is_at_face() {
                continue;
            }
            for kind in self.kinds().into_iter().filter(|kind| kind.state == 0) {
                let species = &self.species[kind.species];
                let Some(diffusion) = kind.diffusion.filter(|_| species.moves()) else { continue };
                if kind.anchor.is_some() || !dice.chance(0.3) {
                    continue;
                }
                let slowest = if species.has_states() { 1.0 } else { diffusion };
                let manner = match dice.below(6) {
                    0 => Manner::Ignore,
                    1 => Manner::Reflect,
                    2 => Manner::AbsorbAt(speed(slowest, self.timestep)),
                    3 | 4 => Manner::Permeable(speed(slowest, self.timestep)),
                    _ if species.has_states() => Manner::Reflect,
                    _ => Manner::Inside {
                        diffusion: 0.5 * diffusion,
                        affinity: dice.between(0.5, 3.0),
                    },
                };
                let name = species.name;
                self.surfaces[n].manners.push((kind.species, manner));
                self.surfaces[n].names.push(name);
            }
        }
    }
}
