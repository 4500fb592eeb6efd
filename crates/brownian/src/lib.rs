//! The Brownian engine: draw a displacement for each particle, find which particles might touch,
//! settle what is due in order of time, arrive.
//!
//! Within a step time runs from 0 to 1 and velocities are displacements per step, as in Johnson &
//! Whalley (2002, sections 3.3 and 4.1). Particles may instead keep their velocities and collide
//! with their masses ([`Brownian::ballistic`]): all else of a step is the same.

mod arrive;
mod balance;
mod bind;
mod by_hand;
mod calendar;
mod clocks;
mod compiled;
mod composed;
mod confined;
mod convert;
mod cut;
mod diffusion;
mod dock;
mod face;
mod fields;
mod ground;
mod islands;
mod made;
mod order;
mod others;
mod part;
mod phases;
mod plan;
mod reaction;
mod report;
mod rescan;
mod rings;
mod rotate;
mod scheduled;
mod settle;
mod setup;
mod shells;
mod sites;
mod sites_of_surfaces;
mod sorb;
mod state;
mod surfaces;
mod system;
mod tether;
mod timers;
mod touch;
mod tumble;
mod unbind;
mod virial;
mod world;

use compiled::compiled;
use jostle_core::clusters::{Clusters, Unit};
use jostle_core::motion::CHUNK;
use jostle_core::observe::{Brake, Clock, Observer, ObserverError, Outcome, View};
pub use jostle_core::parameters::Scheduler;
use jostle_core::particles::{ALONE, Particles};
use jostle_core::rules::BookError;
use jostle_core::search::{Broad, Finder, Pair, Search};
use jostle_core::space::{Vector, Window};
use jostle_core::stopwatch::Stopwatch;
pub use phases::Phases;
use plan::Plans;
use rayon::prelude::*;
pub use setup::{Launch, Seed, Setup, SetupError};
pub use state::State;
use system::System;
pub use world::SphereWorld;

/// Why a step could not be done. What observers have been told so far stands.
#[derive(Debug, thiserror::Error)]
pub enum StepError {
    /// Particles chatter without end.
    #[error(
        "step {step}: particle {id} had more than {budget} contacts in one step; it is wedged in. \
         {remedy}"
    )]
    Wedged {
        /// The step.
        step: u64,
        /// The particle.
        id: u64,
        /// How many contacts a particle may have in one step.
        budget: u32,
        /// What would let it out.
        remedy: &'static str,
    },
    /// Rules in time apply without end.
    #[error(
        "step {step}: rules in time applied {events} times to {particles} particles within one step, more than {budget} \
         times each: a shorter time step, or lower rates, would do"
    )]
    Restless {
        /// The step.
        step: u64,
        /// How often rules in time have applied in this step.
        events: u64,
        /// How many particles there are.
        particles: usize,
        /// How often they may apply to each in one step.
        budget: u64,
    },
    /// The step was stopped before its end, on request.
    #[error("stopped within step {step}, after {events} events of it")]
    Stopped {
        /// The step.
        step: u64,
        /// How many of its events have been settled.
        events: u32,
    },
    /// A coordinate is not a number any more.
    #[error("step {step}: particle {id} got lost: its position is not a finite number")]
    Lost {
        /// The step.
        step: u64,
        /// The particle.
        id: u64,
    },
    /// The counts of periods have 32 bits.
    #[error(
        "step {step}: particle {id} is more than {} periods of the box from where it began, and they cannot be \
         counted any longer; a larger box would do, or less drift",
        jostle_core::space::MOST_PERIODS
    )]
    TooFar {
        /// The step.
        step: u64,
        /// The particle.
        id: u64,
    },
    /// The schedule sets a rate that cannot be had.
    #[error("step {step}: the schedule sets a rate that cannot be had: {source}")]
    Rules {
        /// The step.
        step: u64,
        /// The underlying error.
        source: BookError,
    },
    /// The factor of a rate comes to something that no rate can be.
    #[error(
        "step {step}: the factor {factor:?} of the rate of rule \"{rule}\" is {value}: a rate of zero or more is needed, or a \
         probability of at most 1"
    )]
    Factor {
        /// The step.
        step: u64,
        /// The rule's name.
        rule: String,
        /// As it is written.
        factor: String,
        /// What it comes to.
        value: f64,
    },
    /// An observer could not continue.
    #[error("step {step}: {source}")]
    Observer {
        /// The step.
        step: u64,
        /// The underlying error.
        source: ObserverError,
    },
}

/// What the engine has done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Tally {
    /// Pairs of paths examined for a first contact.
    pub narrow_tests: u64,
    /// Contacts between particles.
    pub contacts: u64,
    /// How often pairs came to an edge of their potential.
    pub edges: u64,
    /// The sum of the virial over contacts and edges, in parts of a kT step: see `virial.rs`.
    pub virial: i64,
    /// Contacts with walls and other surfaces.
    pub wall_contacts: u64,
    /// Particles that ended at a surface that absorbs them.
    pub absorbed: u64,
    /// Particles that went through a surface.
    pub crossed: u64,
    /// Bonds made and pairs coalesced.
    pub bound: u64,
    /// Unbindings.
    pub unbound: u64,
    /// Conversions, at contacts and in time, of which some leave nothing.
    pub converted: u64,
    /// Clusters cut.
    pub cut: u64,
    /// Particles that came to be out of nothing.
    pub created: u64,
    /// Clusters that went with the other daughter when the cell divided.
    pub divided: u64,
    /// How many events were refused since a product would not fit.
    pub refused: u64,
    /// Contacts at which no probability could give the rate that the rule asks for.
    pub short_of_rate: u64,
    /// Rotations of rigid units that were proposed, and how many of them overlapped no particle.
    pub rotations: [u64; 2],
    /// Rotations not proposed since the unit spans half the box or more, so that it might meet
    /// itself.
    pub too_wide_to_turn: u64,
    /// How many contacts with permeable surfaces were too likely to let through: all of them did.
    pub too_permeable: u64,
    /// Contacts found earlier than the moment already reached; always zero.
    pub late: u64,
}

impl Tally {
    /// Counts what came of a contact of two particles, as far as that is not counted where it happens.
    fn count(&mut self, outcome: Outcome) {
        self.bound += u64::from(outcome == Outcome::Bound);
        self.refused += u64::from(outcome == Outcome::Refused);
    }
}

/// How many events are settled between two looks at the request to stop.
const EVENTS_BETWEEN_LOOKS: u64 = 64;

/// Scratch space, kept from step to step.
#[derive(Default)]
struct Scratch {
    candidates: Vec<Pair>,
    near: Vec<u32>,
    /// Slots whose path changed in the event being settled.
    changed: Vec<u32>,
    /// Pairs that passed through each other in this step, for the rescan scheduler.
    passed: Vec<([u64; 2], u64)>,
    /// How often each slot's path changed in this step. \[slot\]
    busy: Vec<u32>,
    /// The event in which each slot's path changed last. \[slot\]
    marked: Vec<u64>,
    event: u64,
}

/// A population of spheres in Brownian motion.
///
/// ```
/// use jostle_brownian::{Seed, SphereWorld};
/// use jostle_core::observe::NoObserver;
/// use jostle_core::space::Vector;
/// use jostle_core::theory::contacts_per_particle_and_step;
///
/// // 216 spheres of radius 1 at 12 %, in steps of 0.2 per axis.
/// let world = SphereWorld::<3>::periodic(19.6).timestep(0.02).species(1.0, 1.0).seed(3);
/// let place = |n: usize| Vector([n % 6, n / 6 % 6, n / 36].map(|k| 3.2 * k as f64 + 1.0));
/// let particles: Vec<_> = (0..216).map(|n| Seed { species: 0, position: place(n) }).collect();
/// let mut engine = world.with(&particles)?;
/// for _ in 0..200 {
///     engine.step(&mut NoObserver)?;
/// }
/// // Each contact is one of two particles. Theory has 0.1; the scatter is about 2 %.
/// let found = 2.0 * engine.tally().contacts as f64 / (216.0 * 200.0);
/// let density = 216.0 / world.domain.volume();
/// let theory = contacts_per_particle_and_step::<3>(density, 2.0, (2.0_f64 * 0.02).sqrt());
/// assert!((found / theory - 1.0).abs() < 0.1, "{found} {theory}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Brownian<const D: usize> {
    system: System<D>,
    plans: Plans,
    search: Finder<D>,
    scheduler: Scheduler,
    islands: islands::Islands<D>,
    scratch: Scratch,
    turns: rotate::Turns<D>,
    /// How many events of this step have been settled.
    subdivision: u32,
    /// How often a clock has rung in this step.
    rings: u64,
    dead: usize,
    /// From so many slots on, they are kept in the order of space.
    sort_from: usize,
    tally: Tally,
    phases: Phases,
}

impl<const D: usize> Brownian<D> {
    /// What it holds of each particle, without its search structure: the arrays, how often and when
    /// its path changed. \[bytes\]
    pub const EACH: usize = Particles::<D>::EACH + size_of::<[u32; 2]>() + size_of::<u64>();

    /// Advances by one step and tells `observer`. Results do not depend on the search structure,
    /// the scheduler, the number of threads of the rayon pool it runs in, or the observer.
    pub fn step(&mut self, observer: &mut dyn Observer<D>) -> Result<(), StepError> {
        (compiled().step)(self, observer)
    }

    fn advance_one_step(&mut self, observer: &mut dyn Observer<D>) -> Result<(), StepError> {
        let mut watch = Stopwatch::start();
        // Drawn and moved block by block, while a block is in the cache. A draw is a function of
        // its key, so the bits are those of two passes.
        if self.is_free() {
            self.system.diffuse()?;
            watch.split(&mut self.phases.draw);
            return self.end_step(watch, observer);
        }
        self.system.draw();
        self.follow_paths(watch, observer)
    }

    /// Advances by one step in which each particle is given a displacement instead of drawing one:
    /// `displacement(id)` \[nm\] is how far it would get if nothing were in its way. Particles
    /// bonded to each other go along with the one of the lowest identity.
    ///
    /// ```
    /// use jostle_brownian::{Seed, SphereWorld};
    /// use jostle_core::observe::NoObserver;
    /// use jostle_core::space::Vector;
    ///
    /// // Three rods of length 1 on a line, of which the first runs into the second, and that into
    /// // the third: they pass the way on (Johnson & Whalley 2002, section 4.1).
    /// let rods = [1.0, 3.0, 4.5].map(|x| Seed { species: 0, position: Vector([x]) });
    /// let mut engine = SphereWorld::<1>::closed(20.0).species(0.5, 1.0).with(&rods)?;
    /// engine.step_along(|id| Vector([if id == 0 { 3.0 } else { 0.0 }]), &mut NoObserver)?;
    /// let (now, order) = (engine.particles(), engine.particles().slots_by_id());
    /// let at = order.iter().map(|&slot| now.position[slot as usize][0]);
    /// assert!(at.zip([2.0, 3.5, 6.0]).all(|(at, expected)| (at - expected).abs() < 1e-12));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn step_along(
        &mut self,
        displacement: impl Fn(u64) -> Vector<D>,
        observer: &mut dyn Observer<D>,
    ) -> Result<(), StepError> {
        let watch = Stopwatch::start();
        let Particles { velocity, id, .. } = &mut self.system.particles;
        velocity.iter_mut().zip(id).for_each(|(velocity, id)| *velocity = displacement(*id));
        // Members are in the order of their identities, so the first is the same one however slots
        // are sorted.
        let units = self.system.clusters.units.iter().flatten();
        for unit in units.filter(|unit| !unit.is_flexible) {
            let leader = self.system.particles.velocity[unit.members[0] as usize];
            unit.members
                .iter()
                .for_each(|&member| self.system.particles.velocity[member as usize] = leader);
        }
        self.system.confine();
        (compiled().follow)(self, watch, observer)
    }

    /// Lets everyone go along the paths that the step begins with, to the step's end.
    fn follow_paths(
        &mut self,
        mut watch: Stopwatch,
        observer: &mut dyn Observer<D>,
    ) -> Result<(), StepError> {
        watch.split(&mut self.phases.draw);
        if !self.system.groups.is_none() {
            self.refit();
            watch.split(&mut self.phases.relink);
        }
        // Islands leave nothing to the loop below. Where there are none (another scheduler, or a
        // search structure without lists) it settles the whole step, to the same bits.
        if !self.settle_islands(&mut watch, observer)? {
            self.list_candidates();
            watch.split(&mut self.phases.search);
            self.plan_contacts();
            watch.split(&mut self.phases.narrow);
        }
        while let Some((time, due)) = self.next_due() {
            if self.scratch.event.is_multiple_of(EVENTS_BETWEEN_LOOKS) {
                self.heed(observer)?;
            }
            self.settle(time, due, observer)?;
            self.replan(time);
        }
        // Last, when nothing is planned any more that a turn would void. The equilibrium does not
        // mind when in a step it comes: it is a Monte Carlo move that keeps it.
        self.turn_units();
        watch.split(&mut self.phases.settle);
        debug_assert!(self.system.all_end_on_their_surfaces(), "a particle is off its surface");
        self.arrive()?;
        self.system.return_to_surfaces();
        self.system.motion.end(&mut self.system.particles);
        self.end_step(watch, observer)
    }

    /// Breaks the step off if a stop was requested. The state that is left cannot be resumed.
    fn heed(&self, observer: &dyn Observer<D>) -> Result<(), StepError> {
        match observer.brake().is_some_and(Brake::holds) {
            true => Err(self.stopped()),
            false => Ok(()),
        }
    }

    fn stopped(&self) -> StepError {
        StepError::Stopped { step: self.system.clock.step, events: self.subdivision }
    }

    /// What is left to do once every particle has arrived.
    fn end_step(
        &mut self,
        mut watch: Stopwatch,
        observer: &mut dyn Observer<D>,
    ) -> Result<(), StepError> {
        // Before the clock moves on: turns belong to the step that ends, as its displacements do.
        let System { tumblings, particles, motion, random, clock, .. } = &mut self.system;
        tumblings.turn(particles, motion, *random, clock.step);
        self.system.clock.step += 1;
        // Slots may change here and at no other time: within a step, plans and islands name
        // particles by their slots.
        self.tidy_slots();
        watch.split(&mut self.phases.arrive);
        observer
            .step(&self.view())
            .map_err(|source| StepError::Observer { step: self.system.clock.step, source })
    }

    /// Lets the search structure take up the new paths.
    fn refit(&mut self) {
        let System { shells, particles, .. } = &mut self.system;
        shells.measure(particles);
        let paths = self.system.paths();
        self.search.refit(&paths, Window::STEP);
    }

    /// Asks the search structure which particles might touch.
    fn list_candidates(&mut self) {
        self.scratch.candidates.clear();
        let paths = self.system.paths();
        self.search.pairs(&paths, &mut self.scratch.candidates);
    }

    /// The state as observers see it; between steps.
    ///
    /// ```
    /// use jostle_brownian::{Seed, SphereWorld};
    /// use jostle_core::observe::NoObserver;
    /// use jostle_core::space::Vector;
    ///
    /// // 2000 particles that ignore each other, all from one place: <r²> = 2 d D t.
    /// let world = SphereWorld::<2>::periodic(10.0).timestep(0.1).species(0.1, 0.5).ghosts();
    /// let start = Vector([5.0, 5.0]);
    /// let mut engine = world.with(&vec![Seed { species: 0, position: start }; 2000])?;
    /// for _ in 0..20 {
    ///     engine.step(&mut NoObserver)?;
    /// }
    /// let view = engine.view();
    /// let square = |slot| (view.unwrapped(slot) - start).norm_squared();
    /// let mean = (0..2000).map(square).sum::<f64>() / 2000.0;
    /// // The standard error is 2.2 %.
    /// assert!((mean / (2.0 * 2.0 * 0.5 * view.clock.time()) - 1.0).abs() < 0.1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn view(&self) -> View<'_, D> {
        let System { clock, domain, particles, clusters, .. } = &self.system;
        let virial = Some(virial::in_kt_steps(self.tally.virial));
        View { virial, ..View::new(*clock, domain, particles, clusters) }
    }

    /// Where the run stands.
    pub fn clock(&self) -> Clock {
        self.system.clock
    }

    /// The particles.
    pub fn particles(&self) -> &Particles<D> {
        &self.system.particles
    }

    /// Which of them belong together.
    pub fn clusters(&self) -> &Clusters {
        &self.system.clusters
    }

    /// The search structure at work.
    pub fn search(&self) -> &dyn Search<D> {
        (compiled().search)(self)
    }

    fn finder(&self) -> &dyn Search<D> {
        self.search.search()
    }

    /// What has been done so far.
    pub fn tally(&self) -> Tally {
        self.tally
    }

    /// Where the time went.
    pub fn phases(&self) -> Phases {
        self.phases
    }
}

impl<const D: usize> System<D> {
    /// Gives every particle its displacement for this step, units as one.
    fn draw(&mut self) {
        self.motion.begin(&mut self.particles, self.random, self.clock.step);
        if self.clusters.unit_count() > 0 {
            self.draw_for_units();
        }
        self.confine();
    }

    /// Gives all members of a rigid unit its displacement.
    fn draw_for_units(&mut self) {
        let mut of_unit = std::mem::take(&mut self.unit_velocity);
        of_unit.resize(self.clusters.units.len(), Vector::ZERO);
        let units = self.clusters.units.par_chunks(CHUNK).zip(of_unit.par_chunks_mut(CHUNK));
        units.for_each(|(units, velocity)| self.draw_for(units, velocity));
        let Particles { velocity, unit, .. } = &mut self.particles;
        let members = velocity.par_iter_mut().zip(&*unit).with_min_len(CHUNK);
        let units = &self.clusters.units;
        // Asked once for all. Most models have no flexible units, and then no member has to look up
        // its own, which is anywhere in memory.
        let some_bend = units.iter().flatten().any(|unit| unit.is_flexible);
        let bends = |unit: u32| units[unit as usize].as_ref().is_some_and(|unit| unit.is_flexible);
        members.filter(|(_, unit)| **unit != ALONE).for_each(|(velocity, unit)| {
            if !(some_bend && bends(*unit)) {
                *velocity = of_unit[*unit as usize];
            }
        });
        self.unit_velocity = of_unit;
    }

    /// Sets the displacements of some units.
    fn draw_for(&self, units: &[Option<Unit>], velocity: &mut [Vector<D>]) {
        let leader = |unit: &Unit| unit.members[0] as usize;
        let is_plain = self.motion.is_plain();
        if !is_plain {
            let id = |unit: &Unit| self.particles.id[leader(unit)];
            // Empty places draw as well, as identity 0, and the result is thrown away: a batch
            // without gaps goes through the vector lanes, and no number depends on what else is
            // drawn.
            let ids: Vec<u64> = units.iter().map(|unit| unit.as_ref().map_or(0, id)).collect();
            self.motion.sum_of_draws(self.clock.step, velocity, |step, normals| {
                self.random.normals(step, &ids, normals);
            });
        }
        for (unit, velocity) in units.iter().zip(velocity) {
            let Some(unit) = unit.as_ref().filter(|unit| !unit.is_flexible) else { continue };
            *velocity = match is_plain {
                // Where nothing else moves them, what the leader has drawn with D of the unit, as
                // each of its members has, is what the unit draws.
                true => self.along_planes(&unit.members, self.particles.velocity[leader(unit)]),
                false => self.unit_velocity(unit, 0.0, *velocity),
            };
        }
    }
}
