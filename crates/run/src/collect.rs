//! Contacts and changes of a run, collected until they are asked for, as arrays of one entry each.

use jostle_core::observe::{Change, ChangeKind, Clock, Contact, Outcome, Partner, Party};
use jostle_core::output::LogLevel;

/// What is collected while steps are done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Collect {
    /// Which contacts: none, those at which something happens, or all.
    pub contacts: LogLevel,
    /// Whether changes of the population are.
    pub changes: bool,
}

impl Default for Collect {
    fn default() -> Self {
        Self { contacts: LogLevel::None, changes: false }
    }
}

/// Contacts and changes since the last call.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Collected {
    /// In the order of time.
    pub contacts: ContactColumns,
    /// In the order of time.
    pub changes: ChangeColumns,
}

/// Contacts, one entry each in every array.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContactColumns {
    /// How many components places and normals have.
    pub dimension: usize,
    /// The step it happened in, counted from 0.
    pub step: Vec<u64>,
    /// \[µs\]
    pub time_us: Vec<f64>,
    /// The identity of the one particle; of two, the lower one.
    pub a: Vec<u64>,
    /// The identity of the other; -1 where it is a face of the box or a surface.
    pub b: Vec<i64>,
    /// Index into the model's species.
    pub species_a: Vec<u16>,
    /// The same; -1 where there is no other particle.
    pub species_b: Vec<i32>,
    /// Which face or surface: 0 to 5 are x-, x+, y-, y+, z-, z+, 6 is the round wall of a cylinder,
    /// from 7 on come the surfaces of the model; -1 where two particles met.
    pub face: Vec<i32>,
    /// What came of it: a place in [`Outcome::ALL`].
    pub outcome: Vec<u8>,
    /// The rule that decided, by its number; -1 where none did.
    pub rule: Vec<i32>,
    /// Where the surfaces touched. \[contact × dimension\], \[nm\]
    pub place: Vec<f64>,
    /// From the centre of `a` to that of `b`, or out of the face. \[contact × dimension\]
    pub normal: Vec<f64>,
    /// How fast the surfaces approached each other along the normal. \[nm/µs\]
    pub approach: Vec<f64>,
}

/// Changes of the population, one entry each in every array.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChangeColumns {
    /// How many components places have.
    pub dimension: usize,
    /// The step it happened in, counted from 0.
    pub step: Vec<u64>,
    /// \[µs\]
    pub time_us: Vec<f64>,
    /// What happened: a place in [`ChangeKind::ALL`].
    pub kind: Vec<u8>,
    /// What made it so: a place in [`super::Simulation::causes`].
    pub cause: Vec<u16>,
    /// \[change × dimension\], \[nm\]
    pub place: Vec<f64>,
    /// The particles that it happened to, as they were.
    pub reactants: PartyColumns,
    /// What became of them, and new particles.
    pub products: PartyColumns,
    /// Pairs of identities.
    pub bonds_broken: Lists<[u64; 2]>,
    /// Pairs of identities.
    pub bonds_made: Lists<[u64; 2]>,
    /// The clusters concerned as they were, by identity.
    pub clusters_before: Lists<u64>,
    /// What they are now.
    pub clusters_after: Lists<u64>,
}

/// A list for each change.
#[derive(Clone, Debug, PartialEq)]
pub struct Lists<T> {
    /// Where each list begins among the values, and, as the last entry, where the last one ends.
    pub offsets: Vec<i32>,
    /// The lists, one after the other.
    pub values: Vec<T>,
}

impl<T> Default for Lists<T> {
    fn default() -> Self {
        Self { offsets: vec![0], values: Vec::new() }
    }
}

impl<T> Lists<T> {
    fn push(&mut self, list: impl IntoIterator<Item = T>) {
        self.values.extend(list);
        self.offsets.push(self.values.len() as i32);
    }
}

/// The particles of each change.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PartyColumns {
    /// Their identities.
    pub id: Lists<u64>,
    /// Indices into the model's species, in lists as long.
    pub species: Lists<u16>,
    /// \[nm\]
    pub radius: Lists<f64>,
    /// How many particles each is, those inside it counted one by one.
    pub size: Lists<u32>,
}

impl PartyColumns {
    fn push(&mut self, parties: &[Party]) {
        self.id.push(parties.iter().map(|party| party.id));
        self.species.push(parties.iter().map(|party| party.species));
        self.radius.push(parties.iter().map(|party| party.radius));
        self.size.push(parties.iter().map(|party| party.size));
    }
}

/// The faces of a box and the round wall of a cylinder come before the surfaces.
const FACES: i32 = 7;

impl ContactColumns {
    fn push<const D: usize>(&mut self, contact: &Contact<D>, timestep: f64) {
        let (b, species_b, face) = match contact.partner {
            Partner::Particle { id, species } => (id as i64, i32::from(species), -1),
            Partner::Wall(face) => (-1, -1, face.index() as i32),
            Partner::Side => (-1, -1, FACES - 1),
            Partner::Surface(surface) => (-1, -1, FACES + i32::from(surface)),
        };
        self.step.push(contact.step);
        self.time_us.push((contact.step as f64 + contact.time) * timestep);
        self.a.push(contact.id);
        self.b.push(b);
        self.species_a.push(contact.species);
        self.species_b.push(species_b);
        self.face.push(face);
        self.outcome.push(contact.outcome as u8);
        self.rule.push(contact.rule.map_or(-1, i32::from));
        self.place.extend(contact.place.0);
        self.normal.extend(contact.normal.0);
        self.approach.push(contact.approach / timestep);
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.step.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.step.is_empty()
    }
}

impl ChangeColumns {
    fn push<const D: usize>(&mut self, change: &Change<'_, D>, timestep: f64) {
        self.step.push(change.step);
        self.time_us.push((change.step as f64 + change.time) * timestep);
        self.kind.push(change.kind as u8);
        self.cause.push(change.rule);
        self.place.extend(change.place.0);
        self.reactants.push(change.reactants);
        self.products.push(change.products);
        self.bonds_broken.push(change.bonds_broken.iter().map(|bond| bond.ids));
        self.bonds_made.push(change.bonds_made.iter().map(|bond| bond.ids));
        self.clusters_before.push(change.clusters_before.iter().copied());
        self.clusters_after.push(change.clusters_after.iter().copied());
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.step.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.step.is_empty()
    }

    /// What happened, in words.
    pub fn kinds(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.kind.iter().map(|&kind| ChangeKind::ALL[kind as usize].name())
    }
}

/// Collects until it is asked for what there is.
pub(super) struct Collector {
    collect: Collect,
    /// \[µs\]
    timestep: f64,
    dimension: usize,
    collected: Collected,
}

impl Collector {
    pub(super) fn new(collect: Collect, clock: Clock, dimension: usize) -> Self {
        let collected = Collected::default();
        let mut new = Self { collect, timestep: clock.timestep, dimension, collected };
        new.take();
        new
    }

    /// What has been collected since the last call.
    pub(super) fn take(&mut self) -> Collected {
        let mut empty = Collected::default();
        (empty.contacts.dimension, empty.changes.dimension) = (self.dimension, self.dimension);
        std::mem::replace(&mut self.collected, empty)
    }

    pub(super) fn wants_contacts(&self) -> bool {
        self.collect.contacts == LogLevel::All
    }

    fn keeps(&self, outcome: Outcome) -> bool {
        match self.collect.contacts {
            // Edges of shells are for files that ask for them.
            _ if outcome.is_at_distance() => false,
            LogLevel::None => false,
            LogLevel::Reactions => !matches!(outcome, Outcome::Bounced | Outcome::Passed),
            LogLevel::All => true,
        }
    }

    pub(super) fn contact<const D: usize>(&mut self, contact: &Contact<D>) {
        if self.keeps(contact.outcome) {
            self.collected.contacts.push(contact, self.timestep);
        }
    }

    pub(super) fn change<const D: usize>(&mut self, change: &Change<'_, D>) {
        if self.collect.changes {
            self.collected.changes.push(change, self.timestep);
        }
    }
}
