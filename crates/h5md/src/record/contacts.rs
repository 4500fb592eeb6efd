//! The log of contacts: optional, compact, and indexed by time.

use hdf5::Group;

use super::error::RecordError;
use super::growing::{DatasetLayout, Growing, Table};
use super::header::{Header, text_attribute, write_texts};
use super::schema::{
    BlockRow, ContactRow, ImpactRow, LAST_WALL, NO_RULE, NO_SPECIES, NORMAL_SCALE, SIDE, WALL,
};
use jostle_core::observe::{Contact, Outcome, Partner};
use jostle_core::output::LogLevel;

/// Rows to a chunk where every contact is logged: 180 kB.
const CHUNK_ALL: usize = 4096;
/// Rows to a chunk where only reactions are: 45 kB.
const CHUNK_REACTIONS: usize = 1024;
/// Blocks to a chunk.
const CHUNK_BLOCKS: usize = 1024;

pub(super) struct Contacts {
    level: LogLevel,
    /// By species: whether contacts that involve it are kept.
    kept: Vec<bool>,
    walls: bool,
    /// Whether pairs that come to an edge of a shell are kept.
    shells: bool,
    /// From nm per step to nm/ns.
    per_nanosecond: f64,
    contacts: Growing<ContactRow>,
    blocks: Growing<BlockRow>,
    /// In files of granular runs that have a log.
    impacts: Option<Growing<ImpactRow>>,
    /// The step of the last block.
    step: Option<u64>,
}

impl Contacts {
    /// Creates the tables and their codes under `/events`.
    ///
    /// # Errors
    /// If there are more rules than a row can tell apart, or the HDF5 library fails.
    pub(super) fn create(events: &Group, codes: &Group, header: &Header) -> hdf5::Result<Self> {
        write_texts(codes, "outcomes", &Outcome::ALL.map(Outcome::name))?;
        let faces = ["x-", "x+", "y-", "y+", "z-", "z+", "side"].map(str::to_owned);
        let faces: Vec<_> = faces.iter().chain(&header.surfaces).collect();
        write_texts(codes, "faces", &faces)?;
        let chunk = if header.output.log == LogLevel::All { CHUNK_ALL } else { CHUNK_REACTIONS };
        let contacts =
            Growing::create(events, "contacts", DatasetLayout::column(chunk, NO_CONTACT))?
                .mending(ContactRow::mend);
        let about = "place: nm; approach: nm ns-1; normal: 1/32767; time: fraction of the step; \
                     b: an id, or 4294967295 less the number of a face; rule: 65535 for none";
        text_attribute(contacts.dataset(), "units", about)?;
        let no_block = BlockRow { step: -1, first: 0 };
        let layout = DatasetLayout::column(CHUNK_BLOCKS, no_block);
        let only = &header.output.log_species;
        let has_impacts = header.grains.is_some() && header.output.log == LogLevel::All;
        let impacts = has_impacts.then(|| create_impacts(events)).transpose()?;
        let kept = |s: usize| only.is_empty() || only.contains(&(s as u16));
        Ok(Self {
            level: header.output.log,
            kept: (0..header.species.len()).map(kept).collect(),
            walls: header.output.log_walls,
            shells: header.output.log_shells,
            per_nanosecond: 1.0 / (header.timestep * 1e3),
            contacts,
            blocks: Growing::create(events, "contacts_index", layout)?,
            impacts,
            step: None,
        })
    }

    /// Everything that grows.
    pub(super) fn tables(&mut self) -> Vec<&mut dyn Table> {
        let mut tables: Vec<&mut dyn Table> = vec![&mut self.contacts, &mut self.blocks];
        tables.extend(self.impacts.iter_mut().map(|impacts| impacts as &mut dyn Table));
        tables
    }

    /// How many contacts and blocks of them there are.
    pub(super) fn rows(&self) -> [usize; 2] {
        [self.contacts.rows(), self.blocks.rows()]
    }

    /// The step of the last contact.
    pub(super) fn step(&self) -> Option<u64> {
        self.step
    }

    /// Continues in this step: if there are more contacts in it, they are in the same block.
    pub(super) fn resume_in(&mut self, step: Option<u64>) {
        self.step = step;
    }

    /// Whether many contacts wait to be written.
    pub(super) fn has_much(&self) -> bool {
        self.contacts.has_much()
    }

    /// Whether contacts that change nothing are to be reported at all.
    pub(super) fn wants_all(&self) -> bool {
        self.level == LogLevel::All
    }

    /// Whether pairs that come to an edge of a shell are to be reported, too.
    pub(super) fn wants_edges(&self) -> bool {
        self.wants_all() && self.shells
    }

    /// Takes in a contact, if it is one of those that are logged.
    ///
    /// # Errors
    /// If an identity does not fit into a row.
    pub(super) fn push<const D: usize>(&mut self, contact: &Contact<D>) -> Result<(), RecordError> {
        if !self.keeps(contact) {
            return Ok(());
        }
        let (b, species_b) = match contact.partner {
            Partner::Particle { id, species } => (fitting(id)?, species),
            Partner::Wall(face) => (WALL - face.index() as u32, NO_SPECIES),
            Partner::Side => (WALL - SIDE, NO_SPECIES),
            Partner::Surface(surface) => (WALL - SIDE - 1 - u32::from(surface), NO_SPECIES),
        };
        let a = fitting(contact.id)?;
        if self.step != Some(contact.step) {
            self.step = Some(contact.step);
            let first = self.contacts.rows() as u64;
            self.blocks.append(&[BlockRow { step: contact.step as i64, first }]);
        }
        if let Some(impacts) = &mut self.impacts {
            impacts.append(&[contact.impact.map_or(NO_IMPACT, |impact| ImpactRow {
                energy_lost: impact.energy_lost as f32,
                temperature_rise: impact.temperature_rise as f32,
                heated_volume: impact.heated_volume as f32,
            })]);
        }
        let in_space = |k: usize, v: &[f64]| v.get(k).copied().unwrap_or(0.0);
        let scaled = |k| (in_space(k, &contact.normal.0) * NORMAL_SCALE).round() as i16;
        self.contacts.append(&[ContactRow {
            time: contact.time as f32,
            a,
            b,
            place: std::array::from_fn(|k| in_space(k, &contact.place.0) as f32),
            approach: (contact.approach * self.per_nanosecond) as f32,
            normal: std::array::from_fn(scaled),
            species_a: contact.species,
            species_b,
            outcome: contact.outcome as u8,
            rule: contact.rule.unwrap_or(NO_RULE),
        }]);
        Ok(())
    }

    fn keeps<const D: usize>(&self, contact: &Contact<D>) -> bool {
        if contact.outcome.is_at_distance() && !self.wants_edges() {
            return false;
        }
        let reaction = !matches!(contact.outcome, Outcome::Bounced | Outcome::Passed);
        let level = match self.level {
            LogLevel::None => false,
            LogLevel::Reactions => reaction,
            LogLevel::All => true,
        };
        let kept = |species: u16| self.kept.get(species as usize).is_some_and(|&kept| kept);
        level
            && match contact.partner {
                Partner::Wall(_) | Partner::Side | Partner::Surface(_) => {
                    self.walls && kept(contact.species)
                }
                Partner::Particle { species, .. } => kept(contact.species) || kept(species),
            }
    }
}

/// The table beside the contacts, row by row.
fn create_impacts(events: &Group) -> hdf5::Result<Growing<ImpactRow>> {
    let impacts = Growing::create(events, "impacts", DatasetLayout::column(CHUNK_ALL, NO_IMPACT))?;
    let about = "energy_lost: J; temperature_rise: K; heated_volume: m3; the row of a contact is that of the \
                 same number in contacts";
    text_attribute(impacts.dataset(), "units", about)?;
    Ok(impacts)
}

/// An identity as a row stores it.
fn fitting(id: u64) -> Result<u32, RecordError> {
    if id < LAST_WALL as u64 {
        return Ok(id as u32);
    }
    Err(RecordError::TooMany {
        what: "identities in the contact log",
        most: LAST_WALL as u64,
        found: id,
    })
}

/// What is not known of an impact.
const NO_IMPACT: ImpactRow =
    ImpactRow { energy_lost: f32::NAN, temperature_rise: f32::NAN, heated_volume: f32::NAN };

/// What fills the rest of a chunk.
const NO_CONTACT: ContactRow = ContactRow {
    time: 0.0,
    a: 0,
    b: 0,
    place: [0.0; 3],
    approach: 0.0,
    normal: [0; 3],
    species_a: NO_SPECIES,
    species_b: NO_SPECIES,
    outcome: u8::MAX,
    rule: NO_RULE,
};
