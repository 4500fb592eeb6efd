//! The membrane of a system that is being drawn, what is on it, and how particles get there.

use std::f64::consts::PI;

use super::super::draws::typed;
use super::draft::Draft;
use super::system::{Membrane, Onto, ReversibleReaction, Sides, Sort, Space, System};
use jostle_core::space::ball_volume;

impl Draft<'_> {
    /// A plane, a sphere, a rod or a cube on which some are.
    pub(super) fn lay_membrane(&mut self, may_be_round: bool, may_be_rod: bool, may_be_cube: bool) {
        let Space { edge, is_periodic, .. } = self.system.space;
        let sides = match self.draws.below(4) {
            0 => Sides::Through,
            _ => Sides::Outside,
        };
        let membrane = if may_be_round && self.draws.chance(0.5) {
            // What is on it keeps off the walls.
            match self.draws.chance(0.4) {
                true => (Membrane::Sphere(0.5 * edge - 0.6), Sides::Inside),
                false => (Membrane::Sphere(self.draws.between(0.25 * edge, 0.32 * edge)), sides),
            }
        } else if is_periodic {
            (Membrane::Plane(self.draws.between(0.2 * edge, 0.8 * edge)), sides)
        } else {
            (Membrane::Plane(0.0), Sides::Outside)
        };
        self.system.space.membrane = Some(match membrane {
            // Some of these are rods as long, where there is room around them: without a draw, so that seeds keep
            // their systems.
            (Membrane::Sphere(radius), sides)
                if may_be_rod
                    && (is_periodic || sides == Sides::Inside)
                    && ((edge * 1024.0) as u64).is_multiple_of(3) =>
            {
                (Membrane::Rod(typed(0.8 * radius), typed(0.2 * radius)), sides)
            }
            (Membrane::Sphere(radius), sides)
                if may_be_cube
                    && (is_periodic || sides == Sides::Inside)
                    && (edge * 1024.0) as u64 % 3 == 1 =>
            {
                (Membrane::Cube(typed(0.8 * radius)), sides)
            }
            other => other,
        });
    }

    /// Keeps the centres of these on the membrane.
    pub(super) fn confine(&mut self, sorts: &[usize]) {
        sorts.iter().for_each(|&sort| self.system.sorts[sort].is_confined = true);
    }

    /// Lets the sites of a species on the membrane point up, and accept what such a guest touches there.
    pub(super) fn point_up(&mut self, sort: usize, guest: usize) {
        let [own, guest] = [sort, guest].map(|n| self.system.sorts[n].radius);
        let widest = libm::acos(guest / (own + guest)).to_degrees();
        let opening = self.draws.between(0.5, 1.0) * widest;
        let sort = &mut self.system.sorts[sort];
        (sort.points_up, sort.opening) = (true, Some(opening.floor()));
    }

    /// Lets particles of a sort get onto the membrane, or off it, as those of another one that is like it but for
    /// its sites.
    pub(super) fn sorb(&mut self, sort: usize) -> usize {
        let is_confined = self.system.sorts[sort].is_confined;
        let other = self.sort(if is_confined { "F" } else { "N" }, &[], 0);
        self.system.sorts[other].is_confined = !is_confined;
        let [free, bound] = if is_confined { [other, sort] } else { [sort, other] };
        let Space { membrane, is_periodic, .. } = self.system.space;
        let Some((membrane, sides)) = membrane else { return other };
        let Sort { radius, diffusion, .. } = self.system.sorts[free];
        let through = sides == Sides::Through;
        // How many sides there are, and how much larger than the membrane what is touched from each is.
        let touched = match (membrane, sides) {
            (_, Sides::Through) => 2.0,
            (Membrane::Plane(_), _) if is_periodic => 2.0,
            (Membrane::Plane(_), _) => 1.0,
            (Membrane::Cube(_), _) => 1.0,
            (Membrane::Sphere(r), Sides::Inside) => (1.0 - radius / r).powi(2),
            (Membrane::Sphere(r), _) => (1.0 + radius / r).powi(2),
            (Membrane::Rod(r, half), sides) => {
                let r_there = if sides == Sides::Inside { r - radius } else { r + radius };
                r_there * (r_there + half) / (r * (r + half))
            }
        };
        let rate = typed(diffusion / self.draws.between(0.2, 0.8));
        let permeability = if through { typed(rate * self.draws.between(0.1, 0.8)) } else { 0.0 };
        let [volume, area] = [free, bound].map(|n| self.system.space.room(&self.system.sorts[n]));
        let wanted = self.draws.between(0.3, 1.5) * volume / area;
        let k_d = typed(rate * touched / wanted);
        self.system.sorts[free].onto = Some(Onto { becomes: bound, rate, permeability });
        let names = [bound, free].map(|n| &self.system.sorts[n].name);
        let number = self.system.rules.len();
        let rule = format!(
            "name = \"off{number}\"\nreaction = \"{} -> {}\"\nrate = {k_d:?}\n",
            names[0], names[1]
        );
        self.system.rules.push(rule);
        // What is bound stays.
        let constants = [rate / k_d * touched, 0.0];
        self.system.reactions.push(ReversibleReaction::Switch { from: free, to: bound, constants });
        other
    }
}

/// The sites of a membrane.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct MembraneSites {
    pub(super) number: u64,
    /// How many of them each sort holds.
    pub(super) held: Vec<u64>,
}

impl MembraneSites {
    /// N!/(N - n)!/Nⁿ where so many are taken.
    pub(super) fn weight(&self, taken: u64) -> f64 {
        (0..taken).map(|n| self.number.saturating_sub(n) as f64 / self.number as f64).product()
    }
}

impl System {
    /// The sites of the membrane, in every other system in which particles get onto it: without a draw, so that seeds
    /// keep their systems. What they bind there, and what they become, holds theirs.
    pub(super) fn sites(&self) -> Option<MembraneSites> {
        let bits = (self.space.edge * 512.0) as u64;
        let onto =
            self.sorts.iter().find_map(|sort| sort.onto).filter(|_| bits.is_multiple_of(2))?;
        let mut held = vec![0; self.sorts.len()];
        held[onto.becomes] = 1;
        for reaction in &self.reactions {
            match *reaction {
                ReversibleReaction::Coalesce { on, product, .. } => {
                    held[product] = on.iter().map(|&sort| held[sort]).sum();
                }
                ReversibleReaction::Join { on, becoming, .. } => {
                    on.iter().zip(becoming).for_each(|(&sort, after)| held[after] = held[sort]);
                }
                ReversibleReaction::Close { .. } | ReversibleReaction::Switch { .. } => {}
            }
        }
        let first: u64 = self.atoms.iter().map(|atom| held[atom.sort]).sum();
        Some(MembraneSites { number: first.max(1) + bits / 2 % 2, held })
    }
}

/// The volume of all places that are in a cube with this half of an edge, or as near to it as `radius`.
pub(super) fn rounded_cube(half: f64, radius: f64) -> f64 {
    let edge = 2.0 * half;
    let beside = 6.0 * edge * edge * radius + 3.0 * edge * ball_volume(2, radius);
    edge.powi(3) + beside + ball_volume(3, radius)
}

/// The volume of a rod with round ends.
pub(super) fn rod_volume(radius: f64, half: f64) -> f64 {
    ball_volume(3, radius) + 2.0 * half * ball_volume(2, radius)
}

/// The volume of a ball that is within a cube about its centre: six caps may stick out, which do not meet
/// up to a radius of √2 `half` widths.
pub(super) fn ball_in_cube(radius: f64, half: f64) -> f64 {
    assert!(radius < 2f64.sqrt() * half, "{radius} {half}");
    let height = (radius - half).max(0.0);
    ball_volume(3, radius) - 2.0 * PI * height * height * (3.0 * radius - height)
}
