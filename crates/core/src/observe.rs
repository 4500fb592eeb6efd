//! Observers are told what happens. Engines do no I/O; recorders and tests are observers.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::clusters::{Bond, Clusters};
use crate::named;
use crate::particles::Particles;
use crate::space::{Domain, Face, Vector};

/// Where a run stands.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Clock {
    /// Whole steps done.
    pub step: u64,
    /// The length of a step. \[µs\]
    pub timestep: f64,
}

impl Clock {
    /// The time of the last whole step. \[µs\]
    pub fn time(&self) -> f64 {
        self.step as f64 * self.timestep
    }
}

/// What a particle touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Partner {
    /// Another particle.
    Particle {
        /// Its identity.
        id: u64,
        /// Its species.
        species: u16,
    },
    /// A face of the box.
    Wall(Face),
    /// The round wall of a cylinder.
    Side,
    /// A surface in the box, by its number.
    Surface(u16),
}

named! {
    /// What a contact led to.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[repr(u8)]
    pub enum Outcome {
        /// An elastic collision, with another particle or with a wall.
        Bounced = 0 => "bounced",
        /// Nothing: the two pass through each other.
        Passed = 1 => "passed",
        /// The two became one particle or one cluster.
        Bound = 2 => "bound",
        /// A rule would have applied, but its product would not fit: a bounce.
        Refused = 3 => "refused",
        /// The two became the products of a conversion, or nothing.
        Converted = 4 => "converted",
        /// The one cut the cluster of the other, and bounced off.
        Cut = 5 => "cut",
        /// The particle ended at the surface.
        Absorbed = 6 => "absorbed",
        /// The two came nearer, over the edge of a shell of their potential.
        Entered = 7 => "entered",
        /// They moved apart over such an edge.
        Left = 8 => "left",
        /// They turned round at such an edge, or at the end of a tether.
        Reflected = 9 => "reflected",
    }
}

impl Outcome {
    /// Whether this is no contact: two particles came to an edge of a shell, or a tether became taut.
    pub fn is_at_distance(self) -> bool {
        matches!(self, Self::Entered | Self::Left | Self::Reflected)
    }
}

/// A first contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact<const D: usize> {
    /// The step it happened in, counted from 0.
    pub step: u64,
    /// When within the step. \[0..=1 of the step\]
    pub time: f64,
    /// How many events of this step were settled before it.
    pub subdivision: u32,
    /// The identity of the one particle (of two particles, the lower one).
    pub id: u64,
    /// The species of that particle.
    pub species: u16,
    /// The other.
    pub partner: Partner,
    /// Where the surfaces touched, wrapped into the box. \[nm\]
    pub place: Vector<D>,
    /// The unit vector from the particle's centre to its partner's, or out of the wall's face.
    pub normal: Vector<D>,
    /// The speed at which the surfaces approached each other along the normal; negative where they
    /// moved apart. \[nm per step\]
    pub approach: f64,
    /// Its outcome.
    pub outcome: Outcome,
    /// The rule that decided, if one did.
    pub rule: Option<u16>,
    /// What the impact did to what the two are made of, where that is known: in granular runs.
    pub impact: Option<Impact>,
}

impl<const D: usize> Contact<D> {
    /// A bounce off `partner`, by no rule; who, when and where is for the caller to say.
    pub fn bounce(partner: Partner) -> Self {
        Self {
            step: 0,
            time: 0.0,
            subdivision: 0,
            id: 0,
            species: 0,
            partner,
            place: Vector::ZERO,
            normal: Vector::ZERO,
            approach: 0.0,
            outcome: Outcome::Bounced,
            rule: None,
            impact: None,
        }
    }
}

/// What an impact did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact {
    /// Kinetic energy that became heat. \[J\]
    pub energy_lost: f64,
    /// What took up the heat. \[m³\]
    pub heated_volume: f64,
    /// How much warmer it became for a moment. \[K\]
    pub temperature_rise: f64,
}

/// Where the energy of a run is, was, and came from; since the start, where it is a sum.
/// Energies in kg nm²/µs² (1e-6 J).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EnergyBalance {
    /// Of motion, now.
    pub kinetic: f64,
    /// In constant gravity, now.
    pub potential: f64,
    /// Stored in contacts that give way, now; 0 where particles are hard.
    pub elastic: f64,
    /// Lost in collisions and by friction.
    pub dissipated: f64,
    /// Given by moving walls.
    pub wall_work: f64,
    /// Given by forces taken in at trajectory events; drag makes it negative.
    pub force_work: f64,
    /// Of all particles; the first components of as many as there are axes. \[kg nm/µs\]
    pub momentum: [f64; 3],
}

named! {
    /// What kind of change of the population an event was.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[repr(u8)]
    pub enum ChangeKind {
        /// Two particles became one sphere.
        Coalesced = 0 => "coalesced",
        /// A bond was made.
        Bonded = 1 => "bonded",
        /// A coalesced particle fell apart into the particles it was made of.
        Split = 2 => "split",
        /// A bond broke.
        Unbonded = 3 => "unbonded",
        /// Something fell due in time, but its products would not fit: everything stays.
        Refused = 4 => "refused",
        /// Particles became others.
        Converted = 5 => "converted",
        /// A particle came to be out of nothing.
        Created = 6 => "created",
        /// Particles ceased to be: they decayed, or annihilated each other.
        Vanished = 7 => "vanished",
        /// A cluster was cut.
        Fragmented = 8 => "fragmented",
        /// The cell was divided, and a cluster went with the other daughter.
        Divided = 9 => "divided",
    }
}

/// A particle that a change takes or gives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Party {
    /// Its identity.
    pub id: u64,
    /// Its species.
    pub species: u16,
    /// Its site code.
    pub sites: u64,
    /// Its radius. \[nm\]
    pub radius: f64,
    /// How many particles it is, those inside it counted one by one.
    pub size: u32,
    /// Where it is without periodic wrap; the first components of as many as there are axes. \[nm\]
    pub unwrapped: [f64; 3],
}

/// A change of identity, number, species or bonds. Replaying these from the initial state gives
/// every later membership. One law holds for all kinds: the particles concerned fall into
/// components under the bonds that are left, and these are the clusters afterwards.
#[derive(Clone, Debug, PartialEq)]
pub struct Change<'a, const D: usize> {
    /// The step it happened in, counted from 0.
    pub step: u64,
    /// When within the step. \[0..=1 of the step\]
    pub time: f64,
    /// How many events of this step were settled before it.
    pub subdivision: u32,
    /// What happened.
    pub kind: ChangeKind,
    /// The rule that made it so.
    pub rule: u16,
    /// Where, wrapped into the box. \[nm\]
    pub place: Vector<D>,
    /// The particles that it happened to, as they were.
    pub reactants: &'a [Party],
    /// What became of them, and which particles are new; a particle that continues another has its
    /// identity. Reactants that are not among the products ceased to be.
    pub products: &'a [Party],
    /// The bonds that broke.
    pub bonds_broken: &'a [Bond],
    /// The bonds that were made.
    pub bonds_made: &'a [Bond],
    /// The clusters concerned as they were, by identity; a lone particle is its own cluster.
    pub clusters_before: &'a [u64],
    /// What they and the products are now, the cluster that holds the lowest identity first.
    pub clusters_after: &'a [u64],
}

/// The state at the end of a step.
#[derive(Clone, Copy)]
pub struct View<'a, const D: usize> {
    /// Where the run stands.
    pub clock: Clock,
    /// The box.
    pub domain: &'a Domain<D>,
    /// The particles; slots of the dead may not be closed yet. All paths start now (`since` = 0).
    pub particles: &'a Particles<D>,
    /// Which of them belong together.
    pub clusters: &'a Clusters,
    /// Where the energy is; in runs of particles that have masses.
    pub balance: Option<EnergyBalance>,
    /// The sum, over all contacts of particles and edges of potentials since the start, of the momentum
    /// passed on times the distance of the centres along it; in Brownian runs. \[kT steps\]
    pub virial: Option<f64>,
    /// Data that only particles with outlines have.
    pub outlines: Option<Outlines<'a>>,
}

impl<'a, const D: usize> View<'a, D> {
    /// A state of which no more is known.
    pub fn new(
        clock: Clock,
        domain: &'a Domain<D>,
        particles: &'a Particles<D>,
        clusters: &'a Clusters,
    ) -> Self {
        Self { clock, domain, particles, clusters, balance: None, virial: None, outlines: None }
    }

    /// Where the particle in a slot would be without periodic wrap. \[nm\]
    pub fn unwrapped(&self, slot: usize) -> Vector<D> {
        let (p, edges) = (self.particles, self.domain.edges());
        Vector::from_fn(|k| p.position[slot][k] + f64::from(p.image[slot][k]) * edges[k])
    }
}

/// Particles that are not round, and what presses on them.
#[derive(Clone, Copy, Debug)]
pub struct Outlines<'a> {
    /// By how much each particle is turned, counter-clockwise; whole turns are kept. \[slot\],
    /// \[rad\]
    pub angle: &'a [f64],
    /// \[slot\], \[rad/µs\]
    pub angular_velocity: &'a [f64],
    /// Where the walls are, in the order of their numbers.
    pub walls: &'a [Placed],
    /// The contacts that carry a force now, in the order of their particles.
    pub forces: &'a [ContactForce],
}

/// Where a wall is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placed {
    /// Of its centroid. \[nm\]
    pub position: Vector<2>,
    /// Counter-clockwise. \[rad\]
    pub angle: f64,
    /// Whether it is there at all: gates open.
    pub present: bool,
}

/// What a particle presses on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Against {
    /// The particle of this identity.
    Body(u64),
    /// The wall of this number.
    Wall(u32),
}

/// The force that a contact carries.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactForce {
    /// The identity of the one particle (of two particles, the lower one).
    pub body: u64,
    /// The other.
    pub against: Against,
    /// Where the force acts, relative to the centroid of `body`. \[nm\]
    pub arm: Vector<2>,
    /// On `body`; the other has the opposite. \[kg nm/µs²\]
    pub force: Vector<2>,
    /// The unit normal of the contact, out of `body`: the force's part along it is the normal
    /// force.
    pub normal: Vector<2>,
    /// The area in which the two overlap. \[nm²\]
    pub overlap: f64,
    /// Whether friction has reached its limit.
    pub sliding: bool,
}

/// Why an observer could not do its work; the run stops, and what has been written is kept.
pub type ObserverError = Box<dyn std::error::Error + Send + Sync>;

/// Ends a step that takes too long after a stop was requested.
///
/// ```
/// use jostle_core::observe::Brake;
/// use std::sync::atomic::{AtomicBool, Ordering};
/// use std::time::Duration;
///
/// // Set by a handler of signals, or another thread.
/// let stop = AtomicBool::new(false);
/// let brake = Brake::new(&stop, Duration::ZERO);
/// assert!(!brake.holds());
/// stop.store(true, Ordering::Relaxed);
/// assert!(brake.holds());
/// ```
#[derive(Debug)]
pub struct Brake<'a> {
    stop: &'a AtomicBool,
    grace: Duration,
    noticed: OnceLock<Instant>,
}

impl<'a> Brake<'a> {
    /// Once `stop` is set, a step still has the time `grace` to finish.
    pub fn new(stop: &'a AtomicBool, grace: Duration) -> Self {
        Self { stop, grace, noticed: OnceLock::new() }
    }

    /// Whether the step is to be broken off.
    pub fn holds(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
            && self.noticed.get_or_init(Instant::now).elapsed() >= self.grace
    }
}

/// Hears of what happens; every method has a default that ignores it.
///
/// ```
/// use jostle_core::observe::{Contact, Observer, ObserverError, Outcome, Partner};
///
/// /// Counts what bounces, and stops the run after ten of them.
/// struct Bounces(u64);
///
/// impl<const D: usize> Observer<D> for Bounces {
///     fn wants_contacts(&self) -> bool {
///         true
///     }
///
///     fn contact(&mut self, contact: &Contact<D>) -> Result<(), ObserverError> {
///         self.0 += u64::from(contact.outcome == Outcome::Bounced);
///         if self.0 < 10 { Ok(()) } else { Err("enough".into()) }
///     }
/// }
///
/// // As an engine does it, whose step fails when the observer does.
/// let partner = Partner::Particle { id: 1, species: 0 };
/// let (mut bounces, contact) = (Bounces(0), Contact::<3>::bounce(partner));
/// let told = (0..20).take_while(|_| bounces.contact(&contact).is_ok()).count();
/// assert_eq!((told, bounces.0), (9, 10));
/// ```
pub trait Observer<const D: usize> {
    /// What may break off a step before its end: asked every few events.
    fn brake(&self) -> Option<&Brake<'_>> {
        None
    }

    /// Whether contacts that change nothing (bounces, passes, walls) are to be reported.
    fn wants_contacts(&self) -> bool {
        false
    }

    /// Whether it is to be reported as well where pairs come to an edge of a shell of their potential,
    /// and where tethers become taut; only asked if all contacts are wanted.
    fn wants_edges(&self) -> bool {
        false
    }

    /// A contact was settled. Contacts come in the order of time.
    fn contact(&mut self, _: &Contact<D>) -> Result<(), ObserverError> {
        Ok(())
    }

    /// The population changed. Changes come in the order of time.
    fn change(&mut self, _: &Change<'_, D>) -> Result<(), ObserverError> {
        Ok(())
    }

    /// Whether it wants to see the state of this moment: asked by engines for which it is work to
    /// show it.
    fn wants_step(&self, _: Clock) -> bool {
        true
    }

    /// A step is done. Also called once before the first step.
    fn step(&mut self, _: &View<'_, D>) -> Result<(), ObserverError> {
        Ok(())
    }
}

/// An observer that hears nothing.
pub struct NoObserver;

impl<const D: usize> Observer<D> for NoObserver {}

/// An observer that hears nothing, and may break steps off.
impl<const D: usize> Observer<D> for Brake<'_> {
    fn brake(&self) -> Option<&Brake<'_>> {
        Some(self)
    }

    fn wants_step(&self, _: Clock) -> bool {
        false
    }
}

impl<const D: usize, T: Observer<D> + ?Sized> Observer<D> for &mut T {
    fn brake(&self) -> Option<&Brake<'_>> {
        (**self).brake()
    }
    fn wants_contacts(&self) -> bool {
        (**self).wants_contacts()
    }
    fn wants_edges(&self) -> bool {
        (**self).wants_edges()
    }
    fn contact(&mut self, contact: &Contact<D>) -> Result<(), ObserverError> {
        (**self).contact(contact)
    }
    fn change(&mut self, change: &Change<'_, D>) -> Result<(), ObserverError> {
        (**self).change(change)
    }
    fn wants_step(&self, clock: Clock) -> bool {
        (**self).wants_step(clock)
    }
    fn step(&mut self, view: &View<'_, D>) -> Result<(), ObserverError> {
        (**self).step(view)
    }
}
