//! Two particles touch: what comes of it, and how they rebound.
//!
//! One pure function says so ([`System::touch`]), on what no particle changes meanwhile and on the
//! two paths, so that the queue, which keeps paths where the particles are, and islands, which keep
//! theirs to themselves until the stretch is settled, cannot differ by a bit.

use super::sites::Molecules;
use super::system::{System, share};
use jostle_core::docking::Torsion;
use jostle_core::narrow::first_contact_on;
use jostle_core::planted::{Fault, planted};
use jostle_core::random::Purpose;
use jostle_core::rules::{Decision, Partners, Region, Standing, TouchingPair};
use jostle_core::sites::SitePattern;
use jostle_core::space::{Path, Vector};

/// Two particles that are to touch, the one with the lower identity first, and their paths until
/// then.
#[derive(Clone, Copy, Debug)]
pub(super) struct Approach<const D: usize> {
    pub ids: [u64; 2],
    pub slots: [u32; 2],
    pub paths: [Path<D>; 2],
}

/// Two particles at the moment they touch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touch<const D: usize> {
    /// The particle with the lower identity, and the other.
    pub slots: [u32; 2],
    pub ids: [u64; 2],
    pub time: f64,
    /// From the first particle's centre to the second's touching image. \[nm\]
    pub separation: Vector<D>,
}

impl<const D: usize> Touch<D> {
    /// What makes this contact different from all others: a key for its random numbers. The bits of
    /// its time do as well as a count of how often the pair has met, and nothing has to be counted.
    pub(super) fn key(&self, step: u64) -> [u64; 4] {
        [step, self.ids[0], self.ids[1], self.time.to_bits()]
    }

    /// The unit vector from the first centre to the second.
    pub(super) fn normal(&self) -> Vector<D> {
        self.separation * (1.0 / self.separation.norm())
    }
}

/// What a contact comes to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touched<const D: usize> {
    pub touch: Touch<D>,
    /// The paths that end here.
    pub paths: [Path<D>; 2],
    pub decision: Decision,
    /// With which the two set off if they rebound, along the surfaces that they are confined to.
    /// \[nm per step\]
    pub velocities: [Vector<D>; 2],
    /// By how much a rebound changes the velocity at which they part along the normal, over that
    /// which a unit push gives them: see [`Encounters::virial`](super::shells::Encounters::virial).
    pub impulse: f64,
}

impl<const D: usize> System<D> {
    /// Settles the contact of two particles on these paths, as a function of them and of the
    /// physics alone: the caller only decides where the new paths are kept. None if they do not
    /// touch, which no planned contact is.
    pub(super) fn touch(&self, pair: &Approach<D>, time: f64) -> Option<Touched<D>> {
        let Approach { ids, slots, paths: [a, b] } = *pair;
        let places = [a.at(time), b.at(time)];
        // What rules say is asked once the moment has come, and not when the contact is planned:
        // most planned contacts never happen, and the two may be others by then.
        let decision = self.decide(time, ids, slots, places);
        let [species, other] = slots.map(|slot| self.particles.species[slot as usize]);
        // Found a second time, and to the same bits, since it depends on the two paths alone. To
        // carry the separation along would nearly double the size of what is planned.
        let contact = first_contact_on(&self.domain, &a, &b, 1.0, !self.book.pass(species, other))?;
        let touch = Touch { slots, ids, time, separation: contact.separation };
        let normal = touch.normal();
        let gives = self.gives(slots, places, normal);
        let mobility = slots.map(|slot| self.mobility_of(slot));
        let after =
            rebound([a.velocity, b.velocity], normal, gives, mobility, time, [a.since, b.since]);
        let velocities = [0, 1].map(|n| self.along_surfaces(slots[n], places[n], after[n], time));
        let response = response(mobility, gives.unwrap_or([normal; 2]));
        let parting = (b.velocity - a.velocity).dot(normal);
        let impulse = if response > 0.0 { -2.0 * parting / response } else { 0.0 };
        Some(Touched { touch, paths: [a, b], decision, velocities, impulse })
    }

    /// What a contact at `time` of two particles at these `places` is to lead to.
    fn decide(
        &self,
        time: f64,
        ids: [u64; 2],
        slots: [u32; 2],
        places: [Vector<D>; 2],
    ) -> Decision {
        let [i, j] = slots.map(|slot| slot as usize);
        let p = &self.particles;
        // From behind, a particle on a membrane is an obstacle and no partner.
        if self.environment.has_anchors() && !self.face_each_other(slots, places) {
            return Decision::BOUNCE;
        }
        let distance = p.radius[i] + p.radius[j];
        let diffusion = [p.diffusion_coefficient[i], p.diffusion_coefficient[j]];
        let key = [self.clock.step, ids[0], ids[1], time.to_bits()];
        let meeting = TouchingPair { species: [p.species[i], p.species[j]], distance, diffusion };
        let fate = || self.random.uniform(Purpose::Fate, key);
        self.book.decide(&meeting, &Touching { system: self, slots, places }, fate)
    }

    /// How much a push moves the particle in `slot`: see [`jostle_core::motion::Motion::mobility`].
    #[inline]
    pub(super) fn mobility_of(&self, slot: u32) -> f64 {
        let (p, i) = (&self.particles, slot as usize);
        self.motion.mobility(p.species[i], p.diffusion_coefficient[i])
    }
}

/// How much a push along the normal changes the velocity at which two part that give way to it in these
/// directions.
#[inline]
pub(super) fn response<const D: usize>(mobility: [f64; 2], gives: [Vector<D>; 2]) -> f64 {
    [0, 1].map(|n| mobility[n] * gives[n].norm_squared()).iter().sum()
}

/// Two particles at these places, as rules see them.
pub(super) struct Touching<'a, const D: usize> {
    pub(super) system: &'a System<D>,
    pub(super) slots: [u32; 2],
    pub(super) places: [Vector<D>; 2],
}

impl<const D: usize> Partners for Touching<'_, D> {
    fn standing(&self) -> [Standing; 2] {
        self.slots.map(|slot| self.system.standing(slot))
    }

    fn fits(&self, which: usize, pattern: &SitePattern) -> bool {
        pattern.fits(&Molecules(self.system), self.slots[which])
    }

    fn face(&self, sites: [u8; 2], torsion: Option<Torsion>) -> bool {
        Molecules(self.system).docking(self.slots, self.places, sites, torsion).faces()
    }

    fn least_often(&self) -> f64 {
        let (system, [a, b]) = (self.system, self.places);
        let apart = system.domain.nearest_image(b - a);
        let line = apart * (1.0 / apart.norm());
        let diffusion =
            self.slots.map(|slot| system.particles.diffusion_coefficient[slot as usize]);
        let steps = |n: usize| {
            diffusion[n] * system.free_way(self.slots[n], self.places[n], line).norm_squared()
        };
        let is_free = |n: &usize| {
            let species = system.particles.species[self.slots[*n] as usize];
            system.environment.anchored_to(species).is_none()
        };
        let free = (0..2).find(is_free).map_or(0.0, |n| diffusion[n]);
        let all = steps(0) + steps(1);
        if all > 0.0 { (free / all).sqrt().min(1.0) } else { 0.0 }
    }

    fn are_in(&self, region: &Region) -> bool {
        let (system, [a, b]) = (self.system, self.places);
        let [r_a, r_b] = self.slots.map(|slot| system.particles.radius[slot as usize]);
        // By the point of contact, which the bond has as well (`System::place_of_bond`): so
        // binding and unbinding are in force in the same places, and stay each other's reverse.
        let point = a + system.domain.nearest_image(b - a) * (r_a / (r_a + r_b));
        system.ground().is_in(region, point)
    }
}

/// The velocities after an elastic collision at `time` with effective masses 1/D, of particles
/// whose paths began at `since`. Within the step they then follow a Hamiltonian flow whose
/// velocities were drawn from the matching Maxwell distribution, so that the equilibrium of hard
/// spheres is sampled exactly at any time step. Particles that fly have their real masses.
///
/// `gives` says in which direction each gives way to a push along the normal, if not along it.
fn rebound<const D: usize>(
    [v_a, v_b]: [Vector<D>; 2],
    normal: Vector<D>,
    gives: Option<[Vector<D>; 2]>,
    mobility: [f64; 2],
    time: f64,
    since: [f64; 2],
) -> [Vector<D>; 2] {
    if planted(Fault::BounceRejects) {
        let back = |v: Vector<D>, since: f64| v * (-(time - since) / (1.0 - time).max(1e-9));
        return [back(v_a, since[0]), back(v_b, since[1])];
    }
    let approach = (v_a - v_b).dot(normal);
    if let Some(gives) = gives {
        // With the mobility D times the projection onto its surface, for each of the two. This push
        // turns the relative velocity along the normal round, so that the energy is conserved here,
        // too.
        let response = response(mobility, gives);
        let push = if response > 0.0 { 2.0 * approach / response } else { 0.0 };
        return [v_a - gives[0] * (mobility[0] * push), v_b + gives[1] * (mobility[1] * push)];
    }
    let share = if planted(Fault::EqualMasses) { 0.5 } else { share(mobility) };
    [v_a - normal * (2.0 * share * approach), v_b + normal * (2.0 * (1.0 - share) * approach)]
}
