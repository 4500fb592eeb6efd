//! Surfaces in the box: what comes of touching one, and how those move that are confined to one.
//!
//! A particle that is confined gives way to a push along its surface only: its mobility is D times
//! the projection onto the surface. Collisions stay elastic with these mobilities, so that within a
//! step all move on a Hamiltonian flow with constraints, and the equilibrium is sampled exactly, on
//! planes at any time step. On spheres and rods paths are made of chords ([`AnchorSurface`]), which is
//! exact as these get short.

use rayon::prelude::*;

use super::confined::{Sorbed, bounced_along};
use super::diffusion::Diffusion;
use super::fields::Walls;
use super::ground::Ground;
use super::reaction::{Reaction, Refusal};
use super::report::ChangeRecord;
use super::sites_of_surfaces::TakenSites;
use super::sorb::Sorption;
use super::system::System;
use super::{Brownian, StepError};
use jostle_core::environment::{AnchorSurface, Environment, Manner, Wall};
use jostle_core::motion::CHUNK;
use jostle_core::narrow::SurfaceMeeting;
use jostle_core::observe::{ChangeKind, Contact, Observer, Outcome};
use jostle_core::particles::ALONE;
use jostle_core::planted::{Fault, planted};
use jostle_core::random::Purpose;
use jostle_core::space::{Path, Vector};

/// How far rounding moves a particle off its surface within a step, at most. \[nm\]
pub(super) const OFF_SURFACE: f64 = 1e-6;

/// What the random numbers of getting onto surfaces are known by.
const ADSORBS: u64 = u64::MAX;

/// How a particle leaves a wall that it has touched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Departure<const D: usize> {
    /// Where its centre is, as far from the wall as it has to be. \[nm\]
    pub place: Vector<D>,
    /// \[nm per step\]
    pub velocity: Vector<D>,
    /// From the wall to where it came from.
    pub normal: Vector<D>,
    /// How far the wall is from its centre. \[nm\]
    pub margin: f64,
}

impl<const D: usize> Ground<'_, D> {
    /// Whether there is anything to touch but particles.
    #[inline]
    pub(super) fn has_walls(&self) -> bool {
        self.domain.has_walls() || !self.environment.is_empty()
    }

    /// Whether a particle is within the box but for `slack`; one that is confined to a plane may
    /// stick out of the face that this lies in.
    fn is_within(&self, species: u16, centre: Vector<D>, radius: f64, slack: f64) -> bool {
        let edges = self.domain.edges();
        (0..D).filter(|&k| !self.domain.is_periodic(k)).all(|k| {
            let radius = match self.environment.anchor(species) {
                Some(AnchorSurface::Plane { axis, .. }) if *axis == k => 0.0,
                _ => radius,
            };
            centre[k] >= radius - slack && centre[k] <= edges[k] - radius + slack
        })
    }

    /// Whether a particle is within the box, except for rounding.
    pub(super) fn is_in_box(&self, species: u16, centre: Vector<D>, radius: f64) -> bool {
        let edges = self.domain.edges();
        let periodic =
            |k: usize| !self.domain.is_periodic(k) || (0.0..=edges[k]).contains(&centre[k]);
        (0..D).all(periodic) && self.is_within(species, centre, radius, self.domain.rounding())
    }

    /// Whether a particle sticks neither out of the box nor in a surface.
    pub(super) fn is_clear(&self, species: u16, centre: Vector<D>, radius: f64) -> bool {
        self.is_within(species, centre, radius, 0.0)
            && self.environment.in_the_way(self.domain, species, centre, radius).is_none()
    }

    /// D of a lone particle of `species` at `place`, which may lie in a region where it is another;
    /// else as given. \[nm²/µs\]
    pub(super) fn diffusion_at(&self, species: u16, place: Vector<D>, otherwise: f64) -> f64 {
        self.environment.diffusion_at(self.domain, species, place, None).unwrap_or(otherwise)
    }
}

impl<const D: usize> System<D> {
    /// Lets those that are confined begin the step along their surfaces.
    pub(super) fn confine(&mut self) {
        if !self.environment.has_anchors() {
            return;
        }
        let Self { environment, domain, motion, particles, .. } = self;
        particles.stretches(CHUNK).for_each(|stretch| {
            for (i, &species) in stretch.species.iter().enumerate() {
                let Some(anchor) = environment.anchor(species) else { continue };
                let (place, width) =
                    (stretch.position[i], motion.step_length(stretch.diffusion_coefficient[i]));
                // Damped as well: an arc as long as the free displacement would carry it too far
                // round the sphere.
                let flat =
                    anchor.tangential(domain, place, stretch.velocity[i]) * anchor.damping(width);
                stretch.velocity[i] = anchor.steer(domain, place, flat, 0.0);
            }
        });
    }

    /// What is left of a free displacement for one that may be confined.
    pub(super) fn confined(
        &self,
        species: u16,
        diffusion: f64,
        place: Vector<D>,
        velocity: Vector<D>,
    ) -> Vector<D> {
        match self.environment.anchor(species) {
            None => velocity,
            Some(anchor) => {
                anchor.tangential(&self.domain, place, velocity)
                    * anchor.damping(self.motion.step_length(diffusion))
            }
        }
    }

    /// What of a vector is along all planes that members of a unit are confined to.
    pub(super) fn along_planes(&self, members: &[u32], mut vector: Vector<D>) -> Vector<D> {
        if self.environment.has_anchors() {
            for &member in members {
                let species = self.particles.species[member as usize];
                if let Some(AnchorSurface::Plane { axis, .. }) = self.environment.anchor(species) {
                    vector[*axis] = 0.0;
                }
            }
        }
        vector
    }

    /// Lets a unit with members that are confined to a plane turn about the plane's normal only;
    /// whether it can turn at all.
    pub(super) fn stay_in_plane(&self, members: &[u32], angles: &mut [f64; 3]) -> bool {
        if !self.environment.has_anchors() {
            return true;
        }
        let across = self.along_planes(members, Vector::from_fn(|_| 1.0));
        if (0..D).all(|k| across[k] == 1.0) {
            return true;
        }
        // In two dimensions the plane is a line, in which nothing turns; a second plane leaves no
        // axis either.
        (0..D).filter(|&k| across[k] == 1.0).for_each(|k| angles[k] = 0.0);
        D == 3 && (0..D).filter(|&k| across[k] == 0.0).count() == 1
    }

    /// The velocity with which the particle in `slot`, which is at `place`, and all that move with
    /// it set off at `time` that are to go with `velocity`.
    pub(super) fn along_surfaces(
        &self,
        slot: u32,
        place: Vector<D>,
        velocity: Vector<D>,
        time: f64,
    ) -> Vector<D> {
        if !self.environment.has_anchors() {
            return velocity;
        }
        match self.clusters.rigid_unit_of(&self.particles, slot) {
            Some(unit) => self.along_planes(&unit.members, velocity),
            None => {
                let species = self.particles.species[slot as usize];
                self.environment.steer(&self.domain, species, place, velocity, time)
            }
        }
    }

    /// Whether the particle in `slot` moves on a round surface.
    pub(super) fn goes_in_chords(&self, slot: u32) -> bool {
        let species = self.particles.species[slot as usize];
        self.environment.anchor(species).is_some_and(AnchorSurface::is_round)
    }

    /// In which directions two particles at these places give way to a push along `normal`, if one
    /// of them is confined.
    pub(super) fn gives(
        &self,
        slots: [u32; 2],
        places: [Vector<D>; 2],
        normal: Vector<D>,
    ) -> Option<[Vector<D>; 2]> {
        if !self.environment.has_anchors() {
            return None;
        }
        let gives = [0, 1].map(|n| self.free_way(slots[n], places[n], normal));
        (gives != [normal; 2]).then_some(gives)
    }

    /// How the particle in `slot` on a path comes off a wall that it comes upon at `time`, if it
    /// simply does.
    pub(super) fn off_wall(
        &self,
        slot: u32,
        path: &Path<D>,
        time: f64,
        wall: Wall,
    ) -> Option<Departure<D>> {
        let (mut place, mut velocity) = (path.at(time), path.velocity);
        let mut normal = Vector::ZERO;
        let species = self.particles.species[slot as usize];
        match wall {
            Wall::Face(face) => {
                let k = face.axis as usize;
                normal[k] = if face.upper { -1.0 } else { 1.0 };
                match self.environment.anchor(species) {
                    Some(anchor) => {
                        velocity =
                            bounced_along((&self.domain, anchor), place, velocity, normal, time);
                    }
                    None => velocity[k] = -velocity[k],
                }
                place[k] =
                    if face.upper { self.domain.edges()[k] - path.radius } else { path.radius };
                Some(Departure { place, velocity, normal, margin: path.radius })
            }
            // A particle that takes up a new path is steered along its surface.
            Wall::Turn => Some(Departure { place, velocity, normal, margin: 0.0 }),
            Wall::Field(field) => Some(Walls(self).off_field(slot, path, time, field)),
            Wall::Surface(surface) => match self.environment.manner(species, surface) {
                Manner::Reflect => self.off_surface(species, path, surface),
                _ => None,
            },
        }
    }

    /// How a particle of `species` on a path bounces off a surface.
    fn off_surface(&self, species: u16, path: &Path<D>, surface: u16) -> Option<Departure<D>> {
        let Self { environment, domain, .. } = self;
        let SurfaceMeeting { time, normal } =
            environment.meeting(domain, species, surface, path, 1.0)?;
        let margin =
            Environment::<D>::margin(domain, environment.manner(species, surface), path.radius);
        let place = path.at(time);
        let apart = environment.surfaces()[surface as usize].shape.distance(domain, place);
        let velocity = match environment.anchor(species) {
            _ if planted(Fault::SurfaceStops) => Vector::ZERO,
            None => environment.reflected(surface, path.velocity, normal),
            Some(anchor) => bounced_along((domain, anchor), place, path.velocity, normal, time),
        };
        // Exactly at its margin: where rounding has it, it would be a little nearer after one
        // bounce and the next, until it was on the other side.
        Some(Departure { place: place + normal * (margin - apart), velocity, normal, margin })
    }

    /// Lets the particle in `slot`, or the rigid unit that it is part of, diffuse with another D.
    /// \[nm²/µs\]
    fn set_diffusion(&mut self, slot: u32, diffusion: f64) {
        let i = slot as usize;
        match self.clusters.rigid_unit_of(&self.particles, slot) {
            None => self.particles.diffusion_coefficient[i] = diffusion,
            Some(_) => {
                let number = self.particles.unit[i];
                self.clusters.set_diffusion(number, diffusion, &mut self.particles);
            }
        }
    }

    /// Lets the rigid unit of this number diffuse as it does where it is at `time`, after it has turned.
    pub(super) fn diffuse_here(&mut self, number: u32, time: f64) {
        if self.environment.is_empty() {
            return;
        }
        let diffusion = Diffusion(self).of(&self.clusters.unit(number).members, time);
        self.clusters.set_diffusion(number, diffusion, &mut self.particles);
    }

    /// The number under which absorption by a surface is reported.
    fn rule_of_absorbing(&self, surface: u16) -> u16 {
        self.book.rules().first_absorbing() + surface
    }

    /// Lets the first population be where it lives, and diffuse as it does there.
    pub(super) fn settle_in(&mut self) {
        if self.environment.is_empty() {
            return;
        }
        self.return_to_surfaces();
        for i in 0..self.particles.len() {
            let p = &self.particles;
            let diffusion =
                self.ground().diffusion_at(p.species[i], p.position[i], p.diffusion_coefficient[i]);
            self.particles.diffusion_coefficient[i] = diffusion;
        }
    }

    /// Takes off what rounding has added to the places of those that are confined.
    pub(super) fn return_to_surfaces(&mut self) {
        if !self.environment.has_anchors() {
            return;
        }
        let Self { environment, domain, particles, .. } = self;
        particles.stretches(CHUNK).for_each(|stretch| {
            for (place, &species) in stretch.position.iter_mut().zip(stretch.species) {
                if let Some(anchor) = environment.anchor(species) {
                    *place = anchor.nearest(domain, *place);
                }
            }
        });
    }

    /// Whether all confined particles end the step on their surfaces, up to rounding. A particle
    /// that comes to a surface is put where there is room for it, and must not be moved afterwards.
    pub(super) fn all_end_on_their_surfaces(&self) -> bool {
        let p = &self.particles;
        !self.environment.has_anchors()
            || (0..p.len()).filter(|&i| p.alive[i]).all(|i| {
                let end = self.place_at(i as u32, 1.0);
                let off = |anchor: &AnchorSurface<D>| {
                    self.domain.nearest_image(anchor.nearest(&self.domain, end) - end)
                };
                self.environment
                    .anchor(p.species[i])
                    .is_none_or(|anchor| off(anchor).norm() <= OFF_SURFACE)
            })
    }
}

/// A particle that has come to a wall.
pub(super) struct Impact<'a, const D: usize> {
    pub engine: &'a mut Brownian<D>,
    pub observer: &'a mut dyn Observer<D>,
    pub time: f64,
    pub slot: u32,
}

impl<const D: usize> Impact<'_, D> {
    pub(super) fn settle(mut self, wall: Wall) -> Result<(), StepError> {
        let Self { time, slot, .. } = self;
        let system = &self.engine.system;
        let (path, species) =
            (system.particles.path(slot), system.particles.species[slot as usize]);
        if let Some(off) = system.off_wall(slot, &path, time, wall) {
            self.leave(&off)?;
            if !wall.is_touched() {
                return Ok(());
            }
            let report = self.engine.system.wall_report(slot, wall, time, &off, path.velocity);
            return self.tell(report);
        }
        let Wall::Surface(surface) = wall else { return Ok(()) };
        let Some(off) = system.off_surface(species, &path, surface) else {
            debug_assert!(false, "a planned contact is a function of the path alone");
            return Ok(());
        };
        let report = system.wall_report(slot, wall, time, &off, path.velocity);
        let outcome = self.by_chance(surface, &off, path.velocity)?;
        self.tell_of_chance(report, surface, outcome)
    }

    /// Lets a particle that comes off a surface stay there after all.
    pub(super) fn stay(
        mut self,
        surface: u16,
        off: &Departure<D>,
        velocity: Vector<D>,
    ) -> Result<(), StepError> {
        let system = &self.engine.system;
        let report =
            system.wall_report(self.slot, Wall::Surface(surface), self.time, off, velocity);
        let outcome = self.end_at(surface, report.species)?;
        self.engine.subdivision += 1;
        self.tell_of_chance(report, surface, outcome)
    }

    fn tell_of_chance(
        self,
        report: Contact<D>,
        surface: u16,
        outcome: Outcome,
    ) -> Result<(), StepError> {
        let is_change = !matches!(outcome, Outcome::Bounced | Outcome::Passed);
        let rule = is_change.then(|| self.engine.system.rule_of_absorbing(surface));
        self.tell(Contact { outcome, rule, ..report })
    }

    fn tell(self, report: Contact<D>) -> Result<(), StepError> {
        let Self { engine, observer, .. } = self;
        engine.tally.wall_contacts += 1;
        engine.system.tell_contact(observer, Contact { subdivision: engine.subdivision, ..report })
    }

    fn leave(&mut self, off: &Departure<D>) -> Result<(), StepError> {
        self.engine.redirect(self.slot, self.time, off.velocity)?;
        self.engine.system.particles.position[self.slot as usize] = off.place;
        Ok(())
    }

    /// Lets a particle that touches a surface go through it, end there, or come off. Members of a rigid
    /// unit go through one by one, each as the unit moves: with the unit's D, and changing the unit's
    /// velocity where their own energy or D changes.
    fn by_chance(
        &mut self,
        surface: u16,
        off: &Departure<D>,
        velocity: Vector<D>,
    ) -> Result<Outcome, StepError> {
        let i = self.slot as usize;
        let species = self.engine.system.particles.species[i];
        let free_sites = TakenSites(&mut self.engine.system).share_free(surface, species, None);
        let System { particles: p, clock, random, environment, .. } = &self.engine.system;
        let diffusion = p.diffusion_coefficient[i];
        // The surface takes the place of a partner, as an identity that no particle will have.
        let key = [clock.step, p.id[i], u64::MAX - u64::from(surface), self.time.to_bits()];
        let fate = random.uniform(Purpose::Fate, key);
        let fate = if planted(Fault::SurfaceTwice) { 0.5 * fate } else { fate };
        let timestep = clock.timestep;
        let manner = environment.manner(species, surface);
        match manner {
            // One that is bonded or tethered cannot end.
            Manner::Absorb { .. } | Manner::Adsorb(_) if p.unit[i] == ALONE => {
                let is_faced =
                    |to: u16| environment.faces(&self.engine.system.domain, to, off.place);
                let from_inside = crossing_from_inside(self.engine.system.ground(), surface, off);
                let here = (off.place, off.margin, from_inside);
                let domain = &self.engine.system.domain;
                let here = environment.manner_at(domain, species, surface, here);
                let sorption = here.at_multiple(free_sites).sorption(diffusion, timestep);
                let sorption = sorption.filter(|_| manner.becomes().is_none_or(is_faced));
                let [on, through] = sorption.map_or([0.0; 2], |one| [one.on, one.through]);
                if fate < on {
                    let outcome = self.end_at(surface, species)?;
                    if !matches!(outcome, Outcome::Absorbed | Outcome::Converted) {
                        self.leave(off)?;
                    }
                    return Ok(outcome);
                }
                if fate < on + through {
                    self.go_through(off, velocity)?;
                    return Ok(Outcome::Passed);
                }
            }
            Manner::Permeate(permeability) => {
                let chances = permeability.passage(diffusion, timestep);
                let from_inside = crossing_from_inside(self.engine.system.ground(), surface, off);
                // If no probability gives so large a permeability in a step of this length, all go
                // through, and they are counted, since this falls short of what was asked for.
                let chance = chances.as_ref().map(|both| both[usize::from(from_inside)]);
                self.engine.tally.too_permeable += u64::from(chance.is_err());
                if fate < *chance.as_ref().unwrap_or(&1.0) {
                    self.go_through(off, velocity)?;
                    return Ok(Outcome::Passed);
                }
            }
            Manner::Cross(crossing) => {
                let system = &self.engine.system;
                let from_inside = crossing_from_inside(system.ground(), surface, off);
                let beyond = (surface, !from_inside);
                let there = Diffusion(system).beyond(self.slot, self.time, off.place, beyond);
                // One that is confined cannot follow the normal itself, only what of it is along
                // its own surface.
                let along = system.free_way(self.slot, off.place, off.normal);
                let normal = along * (1.0 / along.norm().max(f64::MIN_POSITIVE));
                let dimensions = Diffusion(system).dimensions(self.slot);
                let both = [diffusion, there];
                let through =
                    crossing.through(from_inside, both, velocity, normal, timestep, dimensions);
                if let Some(velocity) = through {
                    self.engine.system.set_diffusion(self.slot, there);
                    self.go_through(off, velocity)?;
                    return Ok(Outcome::Passed);
                }
            }
            _ => {}
        }
        self.leave(off)?;
        Ok(Outcome::Bounced)
    }

    /// Puts a particle on the other side of the surface that it touches.
    fn go_through(&mut self, off: &Departure<D>, velocity: Vector<D>) -> Result<(), StepError> {
        self.engine.redirect(self.slot, self.time, velocity)?;
        // As far behind the surface as it was before it, so that its place says on which side it
        // is.
        let place = off.place - off.normal * (2.0 * off.margin);
        self.engine.system.particles.position[self.slot as usize] = place;
        self.engine.tally.crossed += 1;
        Ok(())
    }

    /// Lets a particle of `species` end at a surface, or get onto it if there is room.
    fn end_at(&mut self, surface: u16, species: u16) -> Result<Outcome, StepError> {
        let system = &self.engine.system;
        let Some(becomes) = system.environment.manner(species, surface).becomes() else {
            self.absorb(surface)?;
            return Ok(Outcome::Absorbed);
        };
        let rule = system.rule_of_absorbing(surface);
        let id = system.particles.id[self.slot as usize];
        let key = [id, system.clock.step, self.time.to_bits(), ADSORBS - u64::from(surface)];
        let Self { engine, observer, time, slot } = self;
        let key = (Purpose::Product, key);
        let mut reaction = Reaction::new(engine, *time, rule, key, &mut **observer);
        Ok(match Sorption(&mut reaction).move_by_surface(*slot, becomes, Sorbed::On)? {
            Ok(_) => Outcome::Converted,
            // Chance, not a lack of room: nothing was refused, and the particle bounces as off any
            // surface.
            Err(Refusal::Declined) => Outcome::Bounced,
            Err(Refusal::NoRoom) => {
                self.engine.tally.refused += 1;
                Outcome::Refused
            }
        })
    }

    fn absorb(&mut self, surface: u16) -> Result<(), StepError> {
        let Self { engine, time, slot, .. } = self;
        let before = engine.system.clusters_of(&[*slot]);
        let (reactant, place) =
            ([engine.system.party(*slot)], engine.system.place_at(*slot, *time));
        let rule = engine.system.rule_of_absorbing(surface);
        engine.system.clusters.wholes.remove(&reactant[0].id);
        engine.kill(*slot);
        engine.void_plans(*slot);
        engine.tally.absorbed += 1;
        let gone = ChangeRecord::of(ChangeKind::Vanished, rule, *time, place, &reactant);
        engine.tell_change(self.observer, ChangeRecord { before: &before, ..gone })
    }
}

/// Whether a particle came to a surface from its inner side.
fn crossing_from_inside<const D: usize>(
    ground: Ground<'_, D>,
    surface: u16,
    off: &Departure<D>,
) -> bool {
    let shape = &ground.environment.surfaces()[surface as usize].shape;
    shape.outwards(ground.domain, off.place).dot(off.normal) < 0.0
}
