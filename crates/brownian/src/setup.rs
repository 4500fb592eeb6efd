//! What the engine is made of, and its first population.

use super::calendar::Calendar;
use super::compiled::compiled;
use super::composed::compose_first;
use super::plan::Plans;
use super::shells::Shells;
use super::system::System;
use super::tumble::Tumblings;
use super::{Brownian, Phases, Scheduler, Scratch, Tally};
use jostle_core::agenda::cover_with_zeros;
use jostle_core::clusters::{Bond, Clusters};
use jostle_core::environment::Environment;
use jostle_core::motion::Motion;
use jostle_core::observe::Clock;
use jostle_core::particles::{Particle, Particles};
use jostle_core::potentials::Potentials;
use jostle_core::random::Random;
use jostle_core::rules::{RuleBook, RuleSet};
use jostle_core::search::{Finder, Pair, Settings, Unasked};
use jostle_core::space::{Domain, Groups, Orientation, Vector};
use jostle_core::species::{MOST_SPECIES, MobilityLaw, Species};

/// Everything the engine needs but the particles.
///
/// ```
/// use jostle_brownian::{Brownian, Seed, Setup};
/// use jostle_core::observe::NoObserver;
/// use jostle_core::rules::{RuleSet, TimedRule};
/// use jostle_core::space::{Domain, Vector};
/// use jostle_core::species::Species;
///
/// // 400 particles that decay at 0.5 per µs, for two µs.
/// let timed = vec![TimedRule::convert("decay", 0, &[], 0.5)];
/// let setup = Setup {
///     rules: RuleSet { timed, ..RuleSet::default() },
///     seed: 5,
///     ..Setup::new(Domain::new([90.0; 2], [true; 2]), 0.1, vec![Species::sphere("A", 1.0, 0.2)])
/// };
/// let place = |n: usize| Vector([n % 20, n / 20].map(|k| 4.5 * k as f64 + 2.0));
/// let starts: Vec<_> = (0..400).map(|n| Seed { species: 0, position: place(n) }).collect();
/// let mut engine = Brownian::<2>::new(setup, &starts)?;
/// for _ in 0..20 {
///     engine.step(&mut NoObserver)?;
/// }
/// // exp(-1) of them are left, with a standard deviation of 9.6.
/// let left = 400.0 - engine.tally().converted as f64;
/// assert!((left - 400.0 * (-1.0_f64).exp()).abs() < 45.0, "{left}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Setup<const D: usize> {
    /// The box. \[nm\]
    pub domain: Domain<D>,
    /// The surfaces within the box.
    pub environment: Environment<D>,
    /// The length of a step. \[µs\]
    pub timestep: f64,
    /// The kinds of particles.
    pub species: Vec<Species>,
    /// What happens at contacts and in time.
    pub rules: RuleSet,
    /// How pairs of particles attract or repel each other at a distance.
    pub potentials: Potentials,
    /// How fast clusters diffuse.
    pub mobility: MobilityLaw,
    /// Which particles might touch.
    pub search: Finder<D>,
    /// How contacts inside a step are put in order.
    pub scheduler: Scheduler,
    /// Everything random follows from it.
    pub seed: u64,
}

/// A particle at the start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seed<const D: usize> {
    /// Index into the species.
    pub species: u16,
    /// \[nm\], within the box
    pub position: Vector<D>,
}

/// A particle at the start that flies by itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Launch<const D: usize> {
    /// Index into the species.
    pub species: u16,
    /// \[nm\], within the box
    pub position: Vector<D>,
    /// \[nm/µs\]
    pub velocity: Vector<D>,
}

/// Why the engine cannot be set up.
///
/// ```
/// use jostle_brownian::{Seed, SetupError, SphereWorld};
/// use jostle_core::space::Vector;
///
/// let disks = [2.0, 3.5].map(|x| Seed { species: 0, position: Vector([x, 5.0]) });
/// let refused = SphereWorld::<2>::periodic(10.0).species(1.0, 0.5).with(&disks);
/// assert_eq!(refused.err(), Some(SetupError::Overlap { first: 0, second: 1, by: 0.5 }));
/// ```
#[derive(Debug, thiserror::Error, PartialEq)]
pub enum SetupError {
    /// A species that only arises by coalescence cannot be placed.
    #[error(
        "species \"{species}\" has no radius or diffusion coefficient of its own and cannot be placed"
    )]
    NoSize {
        /// Its name.
        species: String,
    },
    /// The rules cannot be used.
    #[error(transparent)]
    Rules(#[from] jostle_core::rules::BookError),
    /// Two particles overlap at the start.
    #[error("particles {first} and {second} (counted from 0) overlap at the start by {by} nm")]
    Overlap {
        /// The one.
        first: usize,
        /// The other.
        second: usize,
        /// How deep. \[nm\]
        by: f64,
    },
    /// A particle is outside the box.
    #[error("particle {particle} (counted from 0) is outside the box at the start")]
    Outside {
        /// Index of the particle.
        particle: usize,
    },
    /// A particle sticks in a surface.
    #[error(
        "particle {particle} (counted from 0) sticks in the surface \"{surface}\" at the start"
    )]
    InSurface {
        /// Index of the particle.
        particle: usize,
        /// The name of the surface.
        surface: String,
    },
    /// A state that was kept is not of this engine.
    #[error("the state that was kept is damaged, or not of this model: {0}")]
    State(&'static str),
    /// There are more species than there is room for in tables over their pairs.
    #[error("{count} species; at most {MOST_SPECIES} are possible")]
    TooManySpecies {
        /// Number of particles.
        count: usize,
    },
}

impl<const D: usize> Setup<D> {
    /// Particles that only collide, in a box with nothing else in it. What else there is goes on top
    /// of it: `Setup { rules, seed: 7, ..Setup::new(domain, timestep, species) }`.
    pub fn new(domain: Domain<D>, timestep: f64, species: Vec<Species>) -> Self {
        Self {
            domain,
            environment: Environment::default(),
            timestep,
            species,
            rules: RuleSet::default(),
            potentials: Potentials::default(),
            mobility: MobilityLaw::Stokes,
            search: Settings::default().build(),
            scheduler: Scheduler::Islands,
            seed: 1,
        }
    }

    /// An engine at step 0 as [`Brownian::bonded`], whose particles have these site codes. The bits
    /// of bonds in them do not count, since they follow from `bonds`; if there are no codes, all
    /// sites are in their first states. If sites point somewhere, those of the particles at the
    /// indices in `turned` are turned as is said there, and all others at random.
    ///
    /// # Errors
    /// As [`Brownian::new`].
    ///
    /// # Panics
    /// As [`Brownian::bonded`], or if an index in `turned` is not that of a particle.
    pub fn start(
        self,
        starts: impl AsRef<[Seed<D>]>,
        sites: &[u64],
        turned: &[(usize, Orientation)],
        bonds: &[Bond],
    ) -> Result<Brownian<D>, SetupError> {
        let motion = Motion::new(&self.species, &self.domain, self.timestep);
        let mut particles = first_population(&self.species, starts.as_ref())?;
        // Codes, identities and bonds are given in the order of the particles, which is that of the
        // slots until the engine sorts them.
        particles.sites.iter_mut().zip(sites).for_each(|(own, first)| *own = *first);
        if self.species.iter().any(|species| species.sites.are_directed()) {
            particles.orient();
            turned.iter().for_each(|&(n, how)| particles.orientation[n] = how);
        }
        // If they were given away, their room is free from here on.
        drop(starts);
        (compiled().start)(motion, self, particles, bonds)
    }
}

impl<const D: usize> Brownian<D> {
    /// An engine at step 0 with `system`, which get the identities 0, 1, 2, ... in their order.
    ///
    /// # Errors
    /// If particles overlap (that may not), are outside the box, or a species cannot be placed.
    pub fn new(setup: Setup<D>, starts: impl AsRef<[Seed<D>]>) -> Result<Self, SetupError> {
        Self::bonded(setup, starts, &[])
    }

    /// The same, of particles some of which are joined by `bonds` from the start: between particles
    /// that touch, or that are as near each other as their tether allows, without rings. How long ago they were made does not matter, since bonds do not
    /// age.
    ///
    /// # Errors
    /// As [`Brownian::new`].
    ///
    /// # Panics
    /// If a bond names a particle that is not there.
    pub fn bonded(
        setup: Setup<D>,
        starts: impl AsRef<[Seed<D>]>,
        bonds: &[Bond],
    ) -> Result<Self, SetupError> {
        setup.start(starts, &[], &[], bonds)
    }

    /// An engine at step 0 whose `system` fly on by themselves, under `gravity` \[nm/µs²\], and
    /// collide with these `masses` (by species) \[kg\]: a gas instead of a suspension. Diffusion
    /// coefficients do not matter, and rules that ask for them make no sense.
    ///
    /// ```
    /// use jostle_brownian::{Brownian, Launch, Setup};
    /// use jostle_core::observe::NoObserver;
    /// use jostle_core::space::{Domain, Vector};
    /// use jostle_core::species::Species;
    ///
    /// // A heavy ball runs into a light one at rest: 4/3 of its speed for the light one, 1/3 is left.
    /// let species = vec![Species::sphere("heavy", 1.0, 1.0), Species::sphere("light", 1.0, 1.0)];
    /// let setup = Setup::new(Domain::new([50.0; 2], [false; 2]), 1.0, species);
    /// let launch = |species, x, speed| Launch {
    ///     species,
    ///     position: Vector([x, 25.0]),
    ///     velocity: Vector([speed, 0.0]),
    /// };
    /// let balls = [launch(0, 10.0, 1.0), launch(1, 15.0, 0.0)];
    /// let mut engine = Brownian::<2>::ballistic(setup, &[2.0, 1.0], Vector::ZERO, &balls)?;
    /// for _ in 0..10 {
    ///     engine.step(&mut NoObserver)?;
    /// }
    /// let speeds: Vec<f64> = engine.particles().velocity.iter().map(|v| v[0]).collect();
    /// assert!((speeds[0] - 1.0 / 3.0).abs() < 1e-12 && (speeds[1] - 4.0 / 3.0).abs() < 1e-12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Brownian::new`].
    pub fn ballistic(
        setup: Setup<D>,
        masses: &[f64],
        gravity: Vector<D>,
        starts: &[Launch<D>],
    ) -> Result<Self, SetupError> {
        let timestep = setup.timestep;
        let motion =
            Motion::new(&setup.species, &setup.domain, timestep).ballistic(masses, gravity);
        let seeds =
            starts.iter().map(|&Launch { species, position, .. }| Seed { species, position });
        let particles = first_population(&setup.species, &seeds.collect::<Vec<_>>())?;
        let mut engine = (compiled().start)(motion, setup, particles, &[])?;
        let Particles { velocity, id, .. } = &mut engine.system.particles;
        velocity
            .iter_mut()
            .zip(id)
            // By identity: the slots may have been sorted already.
            .for_each(|(v, id)| *v = starts[*id as usize].velocity * timestep);
        Ok(engine)
    }

    /// The same, at step 0, with the noise of each step made of the draws of `draws` steps of an
    /// engine whose time step is so many times shorter: what the two do to freely moving particles
    /// then differs by what longer steps do wrong, and by nothing else. The displacements that
    /// units make and the angles by which they turn are made so too. Whatever is drawn at an event
    /// within a step is keyed by the event, and is not: fates of contacts, velocities with which
    /// products set off.
    #[must_use]
    pub fn drawing_finer(mut self, draws: u64) -> Self {
        self.system.motion = self.system.motion.drawing_finer(draws);
        self
    }

    pub(super) fn moved_by(
        motion: Motion<D>,
        setup: Setup<D>,
        particles: Particles<D>,
        bonds: &[Bond],
    ) -> Result<Self, SetupError> {
        let mut engine = Self::assembled(motion, setup, particles)?;
        engine.cover_slots();
        let System { tumblings, particles, environment, random, .. } = &mut engine.system;
        tumblings.orient(particles, environment, *random);
        // Particles that live on a surface are put onto it before units are made, which keep their
        // shape from then on; how far particles reach is known once there are tethers; and slots
        // are sorted last, since bonds name particles by their places so far.
        engine.system.settle_in();
        compose_first(&mut engine.system);
        engine.system.join_first(bonds);
        Shells::reach_tethers(&mut engine.system);
        engine.refuse_overlap()?;
        engine.plans.start_clocks(&engine.system, 0.0);
        engine.tidy_slots();
        Ok(engine)
    }

    /// All parts put together, at step 0, and nothing begun.
    pub(super) fn assembled(
        motion: Motion<D>,
        setup: Setup<D>,
        particles: Particles<D>,
    ) -> Result<Self, SetupError> {
        let Setup {
            domain,
            environment,
            timestep,
            species,
            rules,
            potentials,
            mobility,
            search,
            scheduler,
            seed,
        } = setup;
        let count = particles.len();
        let groups = Groups::except(species.len(), rules.ignoring());
        let unnoticed = groups.is_none();
        let calendar = Calendar::new(&rules, timestep);
        let book = RuleBook::of_encounters(rules, &species, timestep, |a, b| {
            let radii = [a, b].map(|s| species[s as usize].radius.unwrap_or(0.0));
            environment.encounter(a, b, radii)
        })?;
        let tumblings = Tumblings::of(&species, &environment, timestep);
        let system = System {
            domain,
            environment,
            groups,
            species,
            mobility,
            particles,
            clusters: Clusters::default(),
            unit_velocity: Vec::new(),
            book,
            motion,
            shells: Shells::new(potentials),
            random: Random::new(seed),
            clock: Clock { step: 0, timestep },
            now: 0.0,
            tumblings,
            next_id: count as u64,
            taken_sites: None,
        };
        Ok(Self {
            system,
            plans: Plans { calendar, ..Plans::default() },
            // Wrapped, so that it is never built: no pair will be asked for.
            search: if unnoticed { Finder::any(Unasked(search)) } else { search },
            scheduler,
            islands: Default::default(),
            scratch: Scratch::default(),
            turns: Default::default(),
            subdivision: 0,
            rings: 0,
            dead: 0,
            sort_from: super::order::LEAST,
            tally: Tally::default(),
            phases: Phases::default(),
        })
    }

    /// Makes room for all slots in the arrays that go with them.
    pub(super) fn cover_slots(&mut self) {
        let count = self.system.particles.len();
        self.plans.agenda.cover(count);
        cover_with_zeros(&mut self.scratch.busy, count);
        cover_with_zeros(&mut self.scratch.marked, count);
    }

    /// Refuses a start at which particles overlap or stick out of the box. Particles that overlap
    /// are among those that might touch in the first step, so the search structure itself finds
    /// them.
    fn refuse_overlap(&mut self) -> Result<(), SetupError> {
        for i in 0..self.system.particles.len() {
            let p = &self.system.particles;
            let (x, r, species) = (p.position[i], p.radius[i], p.species[i]);
            if !self.system.ground().is_in_box(species, x, r) {
                return Err(SetupError::Outside { particle: i });
            }
            if let Some(surface) =
                self.system.environment.in_the_way(&self.system.domain, species, x, r)
            {
                return Err(SetupError::InSurface { particle: i, surface: surface.name.clone() });
            }
        }
        if self.system.groups.is_none() {
            return Ok(());
        }
        // A structure is fitted to paths. So the first step's displacements are drawn, and will be
        // drawn again in that step, to the same bits.
        self.system.draw();
        self.refit();
        self.list_candidates();
        match overlap(&self.system, &self.scratch.candidates, 0) {
            Some(([first, second], by)) => Err(SetupError::Overlap { first, second, by }),
            None => Ok(()),
        }
    }
}

/// Two of these pairs that overlap though they may not, of which one is in a slot from `first`
/// on, and by how much \[nm\]; between steps.
pub(super) fn overlap<const D: usize>(
    system: &System<D>,
    pairs: &[Pair],
    first: usize,
) -> Option<([usize; 2], f64)> {
    let p = &system.particles;
    let found = pairs.iter().filter_map(|pair| {
        let [i, j] = [pair.0 as usize, pair.1 as usize];
        let distance = system.domain.nearest_image(p.position[j] - p.position[i]).norm();
        let by = p.radius[i] + p.radius[j] - distance;
        let overlaps = j >= first
            && by > system.domain.rounding()
            && !system.book.pass(p.species[i], p.species[j]);
        overlaps.then_some(([i, j], by))
    });
    // The first of all, in whatever order the structure names them.
    found.min_by_key(|([i, j], _)| [p.id[*j], p.id[*i]])
}

impl<const D: usize> System<D> {
    /// Makes units of particles that are bonded from the start, before any particle has changed its
    /// slot.
    fn join_first(&mut self, bonds: &[Bond]) {
        let mut members: Vec<u32> =
            bonds.iter().flat_map(|bond| bond.ids).map(|id| id as u32).collect();
        members.sort_unstable();
        members.dedup();
        self.regroup(members, bonds.to_vec());
    }
}

fn first_population<const D: usize>(
    species: &[Species],
    starts: &[Seed<D>],
) -> Result<Particles<D>, SetupError> {
    if species.len() > MOST_SPECIES {
        return Err(SetupError::TooManySpecies { count: species.len() });
    }
    let mut particles = Particles::with_capacity(starts.len());
    for (n, particle) in starts.iter().enumerate() {
        particles.push(first_particle(n, particle, species)?);
    }
    Ok(particles)
}

fn first_particle<const D: usize>(
    n: usize,
    particle: &Seed<D>,
    species: &[Species],
) -> Result<Particle<D>, SetupError> {
    let kind = &species[particle.species as usize];
    let (Some(radius), Some(diffusion_coefficient)) = (kind.radius, kind.diffusion_coefficient)
    else {
        return Err(SetupError::NoSize { species: kind.name.clone() });
    };
    Ok(Particle {
        sites: 0,
        position: particle.position,
        velocity: Vector::ZERO,
        since: 0.0,
        radius,
        diffusion_coefficient,
        species: particle.species,
        id: n as u64,
        image: [0; D],
    })
}
