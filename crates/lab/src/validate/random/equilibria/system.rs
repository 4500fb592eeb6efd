//! A small reversible system, and the Boltzmann weights of its configurations. Lengths are in nm, times
//! in µs, energies in kT.

use std::f64::consts::PI;

use super::super::draws::Draws;
use super::membrane::{ball_in_cube, rod_volume, rounded_cube};
use jostle_core::space::ball_volume;

/// A species, or one state of a species.
#[derive(Clone, Debug)]
pub(super) struct Sort {
    /// As in the model: `A`, `G{on}`; of molecules with sites that have states, `M(y~p)`.
    pub(super) name: String,
    pub(super) radius: f64,
    pub(super) diffusion: f64,
    /// Whether radius and D are left out of the model, since they follow from what it is made of.
    pub(super) is_made: bool,
    /// The names of its binding sites; those with the same name are alike.
    pub(super) sites: Vec<&'static str>,
    /// How far from where its sites point they can be touched, unless it is anywhere. \[deg\]
    pub(super) opening: Option<f64>,
    /// Where each of its sites points in the plane, if that matters. \[deg\]
    pub(super) directions: Vec<f64>,
    /// Whether its sites point straight up from the membrane that it is on.
    pub(super) points_up: bool,
    /// Whether its centres are on the membrane.
    pub(super) is_confined: bool,
    /// What it does at the surface of the region.
    pub(super) at_region: AtRegion,
    /// How it gets onto the membrane.
    pub(super) onto: Option<Onto>,
}

/// How particles in space get onto the membrane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Onto {
    /// What they are there.
    pub(super) becomes: usize,
    pub(super) rate: f64,
    /// 0 if they do not go through it.
    pub(super) permeability: f64,
}

/// What a species does at the surface of the region.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum AtRegion {
    /// Does not notice it.
    Ignores,
    /// Passes with this permeability.
    Permeates(f64),
    /// Diffuses differently inside, and may prefer either side.
    Crosses {
        diffusion: f64,
        /// The concentration inside over that outside.
        affinity: f64,
    },
}

impl Sort {
    /// The name without the state.
    pub(super) fn base(&self) -> &str {
        self.name.split(['{', '(']).next().unwrap_or(&self.name)
    }

    /// What its forces and manners go by: each state by itself, but those of sites together.
    pub(super) fn kind(&self) -> &str {
        if self.name.contains('{') { &self.name } else { self.base() }
    }

    /// The share of all directions that its sites cover.
    pub(super) fn share_of_directions(&self, dimension: usize) -> f64 {
        let share = |opening: f64| match dimension {
            3 => 0.5 * (1.0 - libm::cos(opening.to_radians())),
            _ => opening / 180.0,
        };
        self.opening.map_or(1.0, share)
    }

    /// The concentration inside the region over that outside.
    pub(super) fn affinity(&self) -> f64 {
        match self.at_region {
            AtRegion::Crosses { affinity, .. } => affinity,
            _ => 1.0,
        }
    }
}

/// The energy of a pair between one distance and the next, from contact outwards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Shell {
    /// Where it ends.
    pub(super) to: f64,
    pub(super) energy: f64,
}

/// A barrier or a trough across the first axis: the energy beside a plane, or beside a face of the box.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ridge {
    /// Where the plane is; at 0 it is the face.
    pub(super) at: f64,
    /// The standard deviation of a Gaussian.
    pub(super) width: f64,
    /// How far from the plane it ends.
    pub(super) cutoff: f64,
}

/// How two sorts act on each other.
#[derive(Clone, Debug, Default)]
pub(super) struct Forces {
    /// Whether they may overlap.
    pub(super) overlap: bool,
    /// None if there is no potential.
    pub(super) shells: Vec<Shell>,
}

impl Forces {
    /// The energy at this distance of the centres of two that touch at `contact`; infinite where
    /// they overlap although they must not.
    fn energy(&self, distance: f64, contact: f64) -> f64 {
        if distance < contact && !self.overlap {
            return f64::INFINITY;
        }
        self.shells.iter().find(|shell| distance <= shell.to).map_or(0.0, |shell| shell.energy)
    }

    /// How far the potential reaches.
    pub(super) fn range(&self) -> f64 {
        self.shells.last().map_or(0.0, |shell| shell.to)
    }
}

/// What can happen, there and back. The constants are those of one pair of particles that can be told
/// apart: the weight of what is bound over that of the two anywhere in a unit volume each.
#[derive(Clone, Debug)]
pub(super) enum ReversibleReaction {
    /// Two become one sphere.
    Coalesce { on: [usize; 2], product: usize, constant: f64 },
    /// Two are joined at sites of these names, and become these sorts with it; with a `tether` of this
    /// length they stay free to move.
    Join {
        on: [usize; 2],
        becoming: [usize; 2],
        sites: [&'static str; 2],
        tether: Option<f64>,
        constant: f64,
    },
    /// The ends of a rigid chain of so many are joined by the sites that join it: `constant` is the weight
    /// of the ring over that of the chain.
    Close { on: usize, sites: [&'static str; 2], members: usize, constant: f64 },
    /// One changes its state: `constants` are the weights of the new state over that of the old one, of
    /// free particles and of joined ones; 0 if these do not.
    Switch { from: usize, to: usize, constants: [f64; 2] },
}

/// A surface on which the centres of some are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Membrane {
    /// Across the last axis, here.
    Plane(f64),
    /// About the middle of the box, of this radius.
    Sphere(f64),
    /// About the middle of the box along the last axis, with round ends: its radius, and half the length of its straight
    /// part.
    Rod(f64, f64),
    /// About the middle of the box, as a mesh: half its edge.
    Cube(f64),
}

impl Membrane {
    pub(super) fn is_round(self) -> bool {
        !matches!(self, Self::Plane(_))
    }
}

/// How particles in space take the membrane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sides {
    /// They do not notice it.
    Through,
    /// They keep off it: on both sides of a plane.
    Outside,
    /// They are in the sphere.
    Inside,
}

/// Where the particles are.
#[derive(Clone, Debug)]
pub(super) struct Space {
    pub(super) dimension: usize,
    /// Of the box, the same along all axes.
    pub(super) edge: f64,
    pub(super) is_periodic: bool,
    /// The radius of a sphere about the middle of the box that holds all particles.
    pub(super) vessel: Option<f64>,
    /// Centre and radius of a sphere that sorts may cross in their own ways.
    pub(super) region: Option<([f64; 3], f64)>,
    /// The membrane, and how those in space take it.
    pub(super) membrane: Option<(Membrane, Sides)>,
}

impl Space {
    /// The distance of two places, through periodic faces if that is shorter.
    pub(super) fn distance(&self, a: [f64; 3], b: [f64; 3]) -> f64 {
        let along = |k: usize| {
            let x = (a[k] - b[k]).abs();
            if self.is_periodic { x.min(self.edge - x) } else { x }
        };
        (0..self.dimension).map(|k| along(k) * along(k)).sum::<f64>().sqrt()
    }

    /// The same place within the box, if the box is periodic.
    pub(super) fn wrap(&self, place: [f64; 3]) -> [f64; 3] {
        if self.is_periodic { place.map(|x| x.rem_euclid(self.edge)) } else { place }
    }

    /// The volume that the centre of a sphere can be in, or the area of the membrane.
    pub(super) fn room(&self, sort: &Sort) -> f64 {
        let (radius, d) = (sort.radius, self.dimension);
        let width = if self.is_periodic { self.edge } else { self.edge - 2.0 * radius };
        let whole = width.powi(d as i32);
        match (self.vessel, self.membrane) {
            (_, Some((Membrane::Plane(_), _))) if sort.is_confined => width.powi(d as i32 - 1),
            (_, Some((Membrane::Sphere(r), _))) if sort.is_confined => 4.0 * PI * r * r,
            (_, Some((Membrane::Rod(r, half), _))) if sort.is_confined => 4.0 * PI * r * (r + half),
            (_, Some((Membrane::Cube(half), _))) if sort.is_confined => 24.0 * half * half,
            (_, Some((_, Sides::Through))) => whole,
            // In a box with walls, the plane is one of them.
            (_, Some((Membrane::Plane(_), _))) => {
                width.powi(d as i32 - 1) * (self.edge - 2.0 * radius)
            }
            (_, Some((Membrane::Sphere(r), Sides::Inside))) => ball_volume(d, r - radius),
            (_, Some((Membrane::Sphere(r), _))) => whole - ball_in_cube(r + radius, 0.5 * width),
            (_, Some((Membrane::Rod(r, half), Sides::Inside))) => rod_volume(r - radius, half),
            (_, Some((Membrane::Rod(r, half), _))) => whole - rod_volume(r + radius, half),
            (_, Some((Membrane::Cube(half), Sides::Inside))) => (2.0 * (half - radius)).powi(3),
            (_, Some((Membrane::Cube(half), _))) => whole - rounded_cube(half, radius),
            (Some(vessel), None) => ball_volume(d, vessel - radius),
            (None, None) => whole,
        }
    }

    /// The middle of the box.
    pub(super) fn middle(&self) -> [f64; 3] {
        std::array::from_fn(|k| if k < self.dimension { 0.5 * self.edge } else { 0.0 })
    }

    /// Whether a place is within the region.
    pub(super) fn is_inside(&self, place: [f64; 3]) -> bool {
        self.region.is_some_and(|(centre, radius)| self.distance(place, centre) < radius)
    }

    /// Whether a sphere is where it may be.
    pub(super) fn holds(&self, place: [f64; 3], sort: &Sort) -> bool {
        let radius = sort.radius;
        let along = if sort.is_confined { self.dimension - 1 } else { self.dimension };
        let is_off_walls = |k: usize| place[k] >= radius && place[k] <= self.edge - radius;
        let fits = |vessel: f64| self.distance(place, self.middle()) <= vessel - radius;
        (self.is_periodic || (0..along).all(is_off_walls))
            && self.vessel.is_none_or(fits)
            && (sort.is_confined || self.is_off_membrane(place, radius))
    }

    /// Whether a sphere in space is where the membrane lets it be.
    pub(super) fn is_off_membrane(&self, place: [f64; 3], radius: f64) -> bool {
        let from_middle = || self.distance(place, self.middle());
        let (middle, mut foot) = (self.middle(), place);
        match self.membrane {
            None | Some((_, Sides::Through)) => true,
            Some((Membrane::Plane(at), _)) => {
                let mut below = place;
                below[self.dimension - 1] = at;
                self.distance(place, below) >= radius
            }
            Some((Membrane::Sphere(r), Sides::Inside)) => from_middle() <= r - radius,
            Some((Membrane::Sphere(r), Sides::Outside)) => from_middle() >= r + radius,
            Some((Membrane::Rod(r, half), sides)) => {
                let last = self.dimension - 1;
                foot = middle;
                foot[last] = place[last].clamp(foot[last] - half, foot[last] + half);
                let from_axis = self.distance(place, foot);
                if sides == Sides::Inside {
                    from_axis <= r - radius
                } else {
                    from_axis >= r + radius
                }
            }
            Some((Membrane::Cube(half), Sides::Inside)) => {
                (0..3).all(|k| (place[k] - middle[k]).abs() <= half - radius)
            }
            Some((Membrane::Cube(half), Sides::Outside)) => {
                (0..3).for_each(|k| foot[k] = place[k].clamp(middle[k] - half, middle[k] + half));
                self.distance(place, foot) >= radius && place != foot
            }
        }
    }

    /// A uniform place in the box, or on the membrane.
    pub(super) fn somewhere(&self, sort: &Sort, draws: &mut Draws) -> [f64; 3] {
        let mut place = [0.0; 3];
        place[..self.dimension].iter_mut().for_each(|x| *x = self.edge * draws.unit());
        match self.membrane.filter(|_| sort.is_confined) {
            Some((Membrane::Plane(at), _)) => place[self.dimension - 1] = at,
            Some((Membrane::Sphere(r), _)) => {
                let (middle, direction) = (self.middle(), draws.direction(self.dimension));
                place = std::array::from_fn(|k| middle[k] + r * direction[k]);
            }
            Some((Membrane::Rod(r, half), _)) => {
                // A direction from an end, or one across from the straight part, as their areas are.
                let middle = self.middle();
                let is_straight = draws.unit() * (r + half) < half;
                let direction = draws.direction(if is_straight { 2 } else { 3 });
                place = std::array::from_fn(|k| middle[k] + r * direction[k]);
                place[2] += match is_straight {
                    true => half * (2.0 * draws.unit() - 1.0),
                    false => half.copysign(direction[2]),
                };
            }
            Some((Membrane::Cube(half), _)) => {
                let (middle, side) = (self.middle(), draws.below(6));
                place = middle.map(|x| x + half * (2.0 * draws.unit() - 1.0));
                place[side / 2] = middle[side / 2] + if side % 2 == 0 { half } else { -half };
            }
            None => {}
        }
        place
    }
}

/// A particle at the start.
#[derive(Clone, Copy, Debug)]
pub(super) struct Atom {
    pub(super) sort: usize,
    /// The place of one that never moves.
    pub(super) pinned: Option<[f64; 3]>,
}

/// Two spheres that belong together for ever: the first and the second particle of the system.
#[derive(Clone, Copy, Debug)]
pub(super) struct Molecule {
    pub(super) length: LinkLength,
}

/// How far apart two are that are linked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum LinkLength {
    Touching,
    /// Rigid, at this distance.
    Fixed(f64),
    /// No farther than this.
    UpTo(f64),
}

/// A reversible system.
#[derive(Clone, Debug)]
pub(super) struct System {
    pub(super) space: Space,
    pub(super) sorts: Vec<Sort>,
    /// By `sorts`, twice.
    pub(super) forces: Vec<Vec<Forces>>,
    pub(super) atoms: Vec<Atom>,
    pub(super) reactions: Vec<ReversibleReaction>,
    pub(super) molecule: Option<Molecule>,
    /// Whether pairs without a reaction pass through each other.
    pub(super) only_reacts: bool,
    /// The search structure.
    pub(super) search: &'static str,
    /// The rules, as in the model.
    pub(super) rules: Vec<String>,
}

/// A sphere of a configuration.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sphere {
    pub(super) sort: usize,
    pub(super) place: [f64; 3],
}

/// Where all spheres are, and which of them are joined.
#[derive(Clone, Debug, Default)]
pub(super) struct Configuration {
    pub(super) spheres: Vec<Sphere>,
    /// Pairs of numbers of spheres.
    pub(super) links: Vec<[usize; 2]>,
}

/// What makes a macrostate: the sorts of each group of joined spheres; whether one that is alone is in
/// the region, and whether there are as many links as spheres in the group, so that there is a ring.
pub(super) type Macrostate = Vec<(Vec<usize>, bool)>;

impl System {
    /// exp(−U) of a configuration; 0 where spheres overlap or are where they may not be.
    pub(super) fn weight(&self, configuration: &Configuration) -> f64 {
        let spheres = &configuration.spheres;
        let mut weight = 1.0;
        for sphere in spheres {
            let sort = &self.sorts[sphere.sort];
            if !self.space.holds(sphere.place, sort) {
                return 0.0;
            }
            weight *= if self.space.is_inside(sphere.place) { sort.affinity() } else { 1.0 };
        }
        let beside = |sphere: &Sphere| self.energy_on_ridge(sphere);
        let mut energy: f64 = spheres.iter().map(beside).sum();
        for (i, a) in spheres.iter().enumerate() {
            for b in &spheres[i + 1..] {
                let contact = self.sorts[a.sort].radius + self.sorts[b.sort].radius;
                // Two that touch do, but for rounding.
                let distance = (1.0 + 1e-9) * self.space.distance(a.place, b.place);
                energy += self.forces[a.sort][b.sort].energy(distance, contact);
                if energy == f64::INFINITY {
                    return 0.0;
                }
            }
        }
        weight * libm::exp(-energy)
    }

    /// A ridge, in every third system: without a draw, so that seeds keep their systems.
    pub(super) fn ridge(&self) -> Option<Ridge> {
        let Space { edge, is_periodic, .. } = self.space;
        ((edge * 4096.0) as u64).is_multiple_of(3).then_some(Ridge {
            at: if is_periodic { 0.4 * edge } else { 0.0 },
            width: 0.25 * edge,
            cutoff: if is_periodic { 0.45 * edge } else { 0.8 * edge },
        })
    }

    /// The energy of a sort on the ridge, from -1.5 to 1.5; none if its paths are not straight, or if it is as large as
    /// what it is made of.
    pub(super) fn height(&self, sort: &Sort) -> Option<f64> {
        let is_curved = !matches!(self.space.membrane, None | Some((Membrane::Plane(_), _)));
        let bits = sort.kind().bytes().fold((self.space.edge * 1024.0) as u64, |sum, byte| {
            sum.wrapping_mul(31).wrapping_add(u64::from(byte))
        });
        let has_one = self.ridge().is_some() && !sort.is_made && !(is_curved && sort.is_confined);
        has_one.then_some(0.1 * (bits % 31) as f64 - 1.5)
    }

    fn energy_on_ridge(&self, sphere: &Sphere) -> f64 {
        let sort = &self.sorts[sphere.sort];
        let (Some(Ridge { at, width, cutoff }), Some(height)) = (self.ridge(), self.height(sort))
        else {
            return 0.0;
        };
        let mut foot = sphere.place;
        foot[0] = at;
        let distance = self.space.distance(sphere.place, foot);
        let reduced = distance.max(sort.radius) / width;
        if distance < cutoff { height * libm::exp(-0.5 * reduced * reduced) } else { 0.0 }
    }

    /// The reaction by which a pair is bound at the start, in some systems: without a draw, so that seeds keep
    /// their systems.
    pub(super) fn first_bound(&self) -> Option<&ReversibleReaction> {
        if !((self.space.edge * 1024.0) as u64).is_multiple_of(2) || self.molecule.is_some() {
            return None;
        }
        let free = |sort: usize| {
            self.atoms.iter().filter(|atom| atom.sort == sort && atom.pinned.is_none()).count()
        };
        let are_there =
            |on: &[usize; 2]| on.iter().all(|&sort| free(sort) > usize::from(on[0] == on[1]));
        let makes = |reaction: &ReversibleReaction, made: usize| matches!(reaction, ReversibleReaction::Coalesce { product, .. } if *product == made);
        self.reactions.iter().find(|reaction| match reaction {
            ReversibleReaction::Coalesce { on, product, .. } => {
                let ways = self.reactions.iter().filter(|other| makes(other, *product)).count();
                are_there(on) && !self.sorts[*product].is_made && ways == 1
            }
            ReversibleReaction::Join { on, becoming, tether, .. } => {
                let sorts = on.map(|sort| &self.sorts[sort]);
                let across: f64 = sorts.iter().map(|sort| 2.0 * sort.radius).sum();
                are_there(on)
                    && on == becoming
                    && tether.is_none()
                    && sorts.iter().all(|sort| sort.opening.is_none() && !sort.is_confined)
                    && across < 0.5 * self.space.edge
            }
            ReversibleReaction::Close { .. } | ReversibleReaction::Switch { .. } => false,
        })
    }

    /// The macrostate of a configuration.
    pub(super) fn macrostate(&self, configuration: &Configuration) -> Macrostate {
        let Configuration { spheres, links } = configuration;
        let mut group: Vec<usize> = (0..spheres.len()).collect();
        for &[a, b] in links {
            let [from, to] = [group[a].max(group[b]), group[a].min(group[b])];
            group.iter_mut().filter(|g| **g == from).for_each(|g| *g = to);
        }
        let mut groups: Macrostate = vec![(Vec::new(), false); spheres.len()];
        spheres.iter().zip(&group).for_each(|(sphere, g)| groups[*g].0.push(sphere.sort));
        for (n, (members, mark)) in groups.iter_mut().enumerate() {
            *mark = match members[..] {
                [sort] => self.shows_side(sort) && self.space.is_inside(spheres[n].place),
                _ => links.iter().filter(|[a, _]| group[*a] == n).count() >= members.len(),
            };
            members.sort_unstable();
        }
        groups.retain(|(members, _)| !members.is_empty());
        groups.sort_unstable();
        groups
    }

    /// Whether it is told on which side of the region spheres of a sort are: of those that react.
    fn shows_side(&self, sort: usize) -> bool {
        self.reactions.iter().any(|reaction| match reaction {
            ReversibleReaction::Coalesce { on, product, .. } => {
                on.contains(&sort) || *product == sort
            }
            ReversibleReaction::Join { on, becoming, .. } => {
                on.contains(&sort) || becoming.contains(&sort)
            }
            ReversibleReaction::Close { .. } | ReversibleReaction::Switch { .. } => false,
        })
    }

    /// A macrostate in words: `A inside + B, C`.
    pub(super) fn in_words(&self, macrostate: &Macrostate) -> String {
        let one = |(members, mark): &(Vec<usize>, bool)| {
            let names: Vec<&str> = members.iter().map(|s| &*self.sorts[*s].name).collect();
            let mark = match (mark, members.len()) {
                (false, _) => "",
                (true, 1) => " inside",
                (true, _) => " in a ring",
            };
            names.join(".") + mark
        };
        macrostate.iter().map(one).collect::<Vec<_>>().join(" + ")
    }

    /// Pairs of sorts between which there is a potential, each once.
    pub(super) fn potentials(&self) -> impl Iterator<Item = [usize; 2]> {
        let pairs = (0..self.sorts.len()).flat_map(|a| (0..=a).map(move |b| [b, a]));
        pairs.filter(|&[a, b]| !self.forces[a][b].shells.is_empty())
    }

    /// How many pairs of a configuration are within the range of their potential.
    pub(super) fn attracted(&self, configuration: &Configuration) -> f64 {
        let spheres = &configuration.spheres;
        let is_near = |a: &Sphere, b: &Sphere| {
            self.space.distance(a.place, b.place) < self.forces[a.sort][b.sort].range()
        };
        let near =
            |(i, a): (usize, &Sphere)| spheres[i + 1..].iter().filter(|b| is_near(a, b)).count();
        spheres.iter().enumerate().map(near).sum::<usize>() as f64
    }
}
