//! The state between two steps: all that the rest of a run follows from, besides what the engine is
//! made of.
//!
//! Not in it are search structures, queues and scratch space: no result depends on them, and a run
//! may resume others than it began with.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::calendar::Calendar;
use super::compiled::compiled;
use super::shells::Shells;
use super::timers::{Subject, Timers};
use super::{Brownian, Setup, SetupError, Tally};
use jostle_core::clusters::{Bond, Clusters, NO_SITE, Part, Unit, Whole};
use jostle_core::motion::Motion;
use jostle_core::particles::{ALONE, Particles};
use jostle_core::rules::Standings;
use jostle_core::space::{Orientation, Vector, holds};

/// All that changes from step to step and is not made anew.
///
/// ```
/// use jostle_brownian::{Brownian, Seed, Setup};
/// use jostle_core::observe::NoObserver;
/// use jostle_core::space::{Domain, Vector};
/// use jostle_core::species::Species;
/// use jostle_core::state_hash::state_hash;
///
/// let setup = || {
///     let species = vec![Species::sphere("A", 1.0, 0.5)];
///     Setup::<2>::new(Domain::new([12.0; 2], [true; 2]), 0.1, species)
/// };
/// let place = |n: usize| Vector([3.0 * (n % 4) as f64 + 1.0, 3.0 * (n / 4) as f64 + 1.0]);
/// let starts: Vec<_> = (0..16).map(|n| Seed { species: 0, position: place(n) }).collect();
/// let mut engine = Brownian::new(setup(), &starts)?;
/// engine.step(&mut NoObserver)?;
/// // Another engine that resumes from there does the same, to the last bit.
/// let mut other = Brownian::resume(setup(), engine.state())?;
/// for one in [&mut engine, &mut other] {
///     (0..50).try_for_each(|_| one.step(&mut NoObserver))?;
/// }
/// let hash = |one: &Brownian<2>| state_hash(one.particles(), one.clusters());
/// assert_eq!(hash(&engine), hash(&other));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct State<'a, const D: usize> {
    step: u64,
    next_id: u64,
    particles: Cow<'a, Particles<D>>,
    clusters: Cow<'a, Clusters>,
    timers: Cow<'a, Timers>,
    calendar: Cow<'a, Calendar>,
    rules: Standings,
    /// The numbers of the potentials that are switched off.
    potentials_off: Vec<u16>,
    tally: Tally,
}

impl<const D: usize> Brownian<D> {
    /// The state, between steps.
    pub fn state(&self) -> State<'_, D> {
        State {
            step: self.system.clock.step,
            next_id: self.system.next_id,
            particles: Cow::Borrowed(&self.system.particles),
            clusters: Cow::Borrowed(&self.system.clusters),
            timers: Cow::Borrowed(&self.plans.timers),
            calendar: Cow::Borrowed(&self.plans.calendar),
            rules: self.system.book.standings(),
            potentials_off: self.system.shells.potentials.switched_off().collect(),
            tally: self.tally,
        }
    }

    /// An engine that resumes from `state` as the one that it was taken from would have. Search
    /// structure and scheduler may be others.
    ///
    /// # Errors
    /// If the state is not one of an engine that is set up so.
    pub fn resume(setup: Setup<D>, state: State<'_, D>) -> Result<Self, SetupError> {
        let motion = Motion::new(&setup.species, &setup.domain, setup.timestep);
        (compiled().resume)(motion, setup, state)
    }

    /// The same for one that was [`Brownian::ballistic`].
    ///
    /// # Errors
    /// As [`Brownian::resume`].
    pub fn resume_ballistic(
        setup: Setup<D>,
        masses: &[f64],
        gravity: Vector<D>,
        state: State<'_, D>,
    ) -> Result<Self, SetupError> {
        let motion =
            Motion::new(&setup.species, &setup.domain, setup.timestep).ballistic(masses, gravity);
        (compiled().resume)(motion, setup, state)
    }

    pub(super) fn resumed(
        motion: Motion<D>,
        setup: Setup<D>,
        state: State<'_, D>,
    ) -> Result<Self, SetupError> {
        state.check(&setup).map_err(SetupError::State)?;
        let State { step, next_id, particles, clusters, timers, calendar, rules, .. } = state;
        let State { potentials_off, tally, .. } = state;
        let mut engine = Self::assembled(motion, setup, particles.into_owned())?;
        engine.system.book.stand(&rules)?;
        engine.system.clock.step = step;
        engine.system.next_id = next_id;
        engine.system.clusters = clusters.into_owned();
        // What follows from the rest is not in the state, so it cannot contradict it.
        engine.system.clusters.complete(&engine.system.particles);
        Shells::reach_tethers(&mut engine.system);
        for number in potentials_off {
            engine.system.shells.potentials.switch(number, false);
        }
        // Waiting times go on. To draw them again would be as likely a course of things, but
        // another one.
        engine.plans.timers = timers.into_owned();
        engine.plans.calendar = calendar.into_owned();
        engine.tally = tally;
        engine.dead = engine.system.particles.alive.iter().filter(|alive| !**alive).count();
        engine.cover_slots();
        Ok(engine)
    }
}

impl<const D: usize> State<'_, D> {
    /// Whether it hangs together, so that nothing that was read from a file can lead anywhere.
    fn check(&self, setup: &Setup<D>) -> Result<(), &'static str> {
        let species = setup.species.len();
        let p = &*self.particles;
        let slots = p.len();
        holds(p.is_even(), "its arrays differ in length")?;
        holds(slots < u32::MAX as usize, "it has too many particles")?;
        let is_directed = setup.species.iter().any(|species| species.sites.are_directed());
        holds(
            p.are_oriented == is_directed,
            "it is not as the model says whether particles are turned",
        )?;
        let turned = |one: &Orientation| {
            let square: f64 = one.quaternion().iter().map(|x| x * x).sum();
            (square - 1.0).abs() < 1e-9
        };
        holds(p.orientation.iter().all(turned), "an orientation is none")?;
        let places = p.position.iter().chain(&p.velocity);
        holds(places.into_iter().all(|v| v.is_finite()), "a place or a velocity is not finite")?;
        let sizes = p.radius.iter().chain(&p.diffusion_coefficient);
        holds(
            sizes.into_iter().all(|&x| x >= 0.0 && x.is_finite()),
            "a radius or D is not a number",
        )?;
        holds(
            (0..slots).all(|slot| self.is_near(slot, setup)),
            "a particle is too far away, too large or too fast",
        )?;
        let known = |(&kind, &group): (&u16, &u16)| (kind as usize) < species && group == kind;
        holds(
            p.species.iter().zip(&p.group).all(known),
            "a particle is of no species of the model",
        )?;
        // Else the next particle to be made would be given an identity that another has.
        holds(p.id.iter().all(|&id| id < self.next_id), "an identity has not been given yet")?;
        let living = p.slots_by_id();
        let twice = living.windows(2).any(|two| p.id[two[0] as usize] == p.id[two[1] as usize]);
        holds(!twice, "two particles have one identity")?;
        holds(self.units_hang_together(), "a unit and its members do not agree")?;
        let is_tether = |bond: &Bond| setup.rules.tether(bond.rule).is_some();
        // Bonds move their unit as one, and tethers leave it free: a mixture would have no law of
        // motion.
        let is_of_one_kind =
            |unit: &Unit| unit.bonds.iter().all(|bond| is_tether(bond) == unit.is_flexible);
        holds(
            self.clusters.units.iter().flatten().all(is_of_one_kind),
            "a unit is held together by both bonds and tethers",
        )?;
        holds(self.sites_are_bound_as_said(setup), "a site and its bond do not agree")?;
        holds(
            self.identities_are_unique(),
            "parts of a coalesced particle have an identity that is another's",
        )?;
        // Whose identity is another's, or no particle's, would not be told when that one goes.
        let is_kept = |(owner, place): (u64, Subject)| match place {
            Subject::Slot(slot) => {
                let i = slot as usize;
                i < slots && p.alive[i] && p.id[i] == owner
            }
            Subject::Unit(unit) => self
                .clusters
                .units
                .get(unit as usize)
                .is_some_and(|u| u.as_ref().is_some_and(|u| u.id == owner)),
            Subject::Rule(rule) => setup.rules.timed_rule(rule).is_some(),
        };
        let mut units = self.clusters.units.iter().flatten();
        holds(units.all(|unit| is_slow(unit.diffusion_coefficient, setup)), "a unit is too fast")?;
        let parts = || self.clusters.wholes.values().flat_map(Whole::particles);
        holds(parts().all(|part| (part.species as usize) < species), "a part is of no species")?;
        holds(
            parts().all(|part| part.id < self.next_id),
            "the identity of a part has not been given yet",
        )?;
        let is_sound = |part: &Part| {
            is_small(part.radius, setup) && is_slow(part.diffusion_coefficient, setup)
        };
        holds(parts().all(is_sound), "a part is too large or too fast")?;
        holds(self.calendar.is_of(&setup.rules), "a date is of no rule of the model")?;
        holds(self.timers.owners().all(is_kept), "a timer is no particle's")
    }

    /// Whether a particle is in the box where this has no walls, no larger, and not so fast that it
    /// could meet others in more images than can be gone through. What arrives is.
    fn is_near(&self, slot: usize, setup: &Setup<D>) -> bool {
        let (p, domain) = (&*self.particles, &setup.domain);
        let along = |k: usize| {
            let edge = domain.edges()[k];
            (0.0..=edge).contains(&p.position[slot][k])
                && p.velocity[slot][k].abs() <= FASTEST * edge
        };
        !p.alive[slot]
            || (0..D).filter(|&k| domain.is_periodic(k)).all(along)
                && is_small(p.radius[slot], setup)
                && is_slow(p.diffusion_coefficient[slot], setup)
    }

    /// Whether no particle that comes out of a coalesced one could take up the identity of another.
    fn identities_are_unique(&self) -> bool {
        let (p, wholes) = (&*self.particles, &self.clusters.wholes);
        let living = (0..p.len()).filter(|&i| p.alive[i]).map(|i| p.id[i]);
        let mut ids: Vec<u64> = living.filter(|id| !wholes.contains_key(id)).collect();
        ids.extend(wholes.values().flat_map(Whole::identities));
        ids.sort_unstable();
        ids.windows(2).all(|two| two[0] != two[1])
            && wholes.iter().all(|(&id, whole)| whole.particle().id == id)
    }

    /// Whether all sites are of their species, and those that are bound are those that bonds end at,
    /// one each.
    fn sites_are_bound_as_said(&self, setup: &Setup<D>) -> bool {
        let p = &*self.particles;
        let sites = |slot: usize| &setup.species[p.species[slot] as usize].sites;
        // Two bonds at one site would be lost as one when the first breaks; a bound site without a
        // bond would stay bound for ever.
        let mut bound = vec![0u64; p.len()];
        for unit in self.clusters.units.iter().flatten() {
            for bond in &unit.bonds {
                for (&id, &site) in bond.ids.iter().zip(&bond.sites) {
                    let slot = unit.member(p, id) as usize;
                    if site == NO_SITE {
                        continue;
                    }
                    if usize::from(site) >= sites(slot).list().len()
                        || bound[slot] & sites(slot).bound(site) != 0
                    {
                        return false;
                    }
                    bound[slot] |= sites(slot).bound(site);
                }
            }
        }
        (0..p.len()).filter(|&slot| p.alive[slot]).all(|slot| {
            let (sites, code) = (sites(slot), p.sites[slot]);
            sites.is_code(code) && code & sites.all_bound() == bound[slot]
        })
    }

    fn units_hang_together(&self) -> bool {
        let p = &*self.particles;
        let of_particle = |(&unit, &alive): (&u32, &bool)| {
            unit == ALONE
                || alive && self.clusters.units.get(unit as usize).is_some_and(Option::is_some)
        };
        self.clusters.hang_together(p) && p.unit.iter().zip(&p.alive).all(of_particle)
    }
}

/// No particle gets farther in a step, and none diffuses farther in the rms. \[edge of the box\]
const FASTEST: f64 = 100.0;
const FARTHEST: f64 = 10.0;

/// Whether a radius fits into the box where this has no walls.
fn is_small<const D: usize>(radius: f64, setup: &Setup<D>) -> bool {
    let domain = &setup.domain;
    radius >= 0.0 && (0..D).filter(|&k| domain.is_periodic(k)).all(|k| radius <= domain.edges()[k])
}

/// Whether a particle that diffuses so gets through few periods of the box in a step.
fn is_slow<const D: usize>(diffusion_coefficient: f64, setup: &Setup<D>) -> bool {
    let (domain, step) = (&setup.domain, (2.0 * diffusion_coefficient * setup.timestep).sqrt());
    step >= 0.0
        && (0..D).filter(|&k| domain.is_periodic(k)).all(|k| step <= FARTHEST * domain.edges()[k])
}

#[cfg(test)]
mod tests;
