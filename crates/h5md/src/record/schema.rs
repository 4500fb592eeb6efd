//! The rows of the tables in a file, as they lie on disk. Readers use the same types.

use hdf5::types::TypeDescriptor;
use hdf5::{Dataset, H5Type};
use jostle_core::named;
use jostle_core::observe::Outcome;

/// A contact, 41 bytes in the file. Its step is found through [`BlockRow`].
#[derive(H5Type, Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct ContactRow {
    /// When within the step. \[0..=1 of the step\]
    pub time: f32,
    /// The identity of the one particle; of two particles, the lower one.
    pub a: u32,
    /// The identity of the other, or [`WALL`] less the number of a face (x-, x+, y-, ..., side).
    pub b: u32,
    /// Where the surfaces touched. \[nm\], z = 0 in 2D
    pub place: [f32; 3],
    /// How fast the surfaces approached each other along the normal. \[nm/ns\]
    pub approach: f32,
    /// The unit vector from the centre of `a` to that of `b`, or out of the face, times
    /// [`NORMAL_SCALE`].
    pub normal: [i16; 3],
    /// The species of `a`.
    pub species_a: u16,
    /// The species of `b`, or [`NO_SPECIES`] for a face.
    pub species_b: u16,
    /// What came of it, a code of `/events/codes/outcomes`.
    pub outcome: u8,
    /// The rule that decided, a number in `/parameters/rules`, or [`NO_RULE`].
    pub rule: u16,
}

/// Puts rows right that were read from a dataset of another version of the format.
pub(crate) type Mend<T> = fn(&Dataset, &mut [T]) -> hdf5::Result<()>;

impl ContactRow {
    /// Whether this is no contact: two particles came to an edge of a shell, or a tether became taut.
    pub fn is_at_distance(&self) -> bool {
        Outcome::ALL.get(usize::from(self.outcome)).is_some_and(|outcome| outcome.is_at_distance())
    }

    /// Gives rows that were read from `dataset` the number for no rule, where that has another: a
    /// rule used to be one byte, and 255 meant none.
    pub fn mend(dataset: &Dataset, rows: &mut [Self]) -> hdf5::Result<()> {
        if has_short_rules(&dataset.dtype()?.to_descriptor()?) {
            let none = rows.iter_mut().filter(|row| row.rule == OLD_NO_RULE);
            none.for_each(|row| row.rule = NO_RULE);
        }
        Ok(())
    }
}

/// Whether contacts in a file are rows of the kind in which a rule is one byte.
fn has_short_rules(kind: &TypeDescriptor) -> bool {
    let TypeDescriptor::Compound(kind) = kind else { return false };
    kind.fields.iter().any(|field| field.name == "rule" && field.ty == u8::type_descriptor())
}

/// In [`ContactRow::b`]: the first face of the box; the following ones count downwards.
pub const WALL: u32 = u32::MAX;
/// The lowest value of [`ContactRow::b`] that means a wall: a box has at most six faces, a cylinder
/// its round one, and there are so many surfaces at most.
pub const LAST_WALL: u32 = WALL - SIDE - MOST_SURFACES;
/// The most surfaces that a log can tell apart.
pub const MOST_SURFACES: u32 = 128;
/// The number of the round wall of a cylinder among the faces.
pub const SIDE: u32 = 6;
/// What the impact of a contact did, 12 bytes: the row of the same number in `/events/impacts`.
#[derive(H5Type, Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct ImpactRow {
    /// Kinetic energy that became heat. \[J\]
    pub energy_lost: f32,
    /// How much warmer what took up the heat became. \[K\]
    pub temperature_rise: f32,
    /// What took up the heat. \[m³\]
    pub heated_volume: f32,
}

/// In [`ContactRow::species_b`]: a face of the box.
pub const NO_SPECIES: u16 = u16::MAX;
/// In [`ContactRow::rule`]: no rule applied.
pub const NO_RULE: u16 = u16::MAX;
/// The same where a rule is one byte.
const OLD_NO_RULE: u16 = u8::MAX as u16;
/// What unit vectors are multiplied by to be stored as integers.
pub const NORMAL_SCALE: f64 = 32767.0;

/// The beginning of the contacts of one step. Steps without a contact have no block.
#[derive(H5Type, Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct BlockRow {
    /// The step, counted from 0; it lasts from `step` to `step + 1` time steps.
    pub step: i64,
    /// The row of its first contact.
    pub first: u64,
}

/// A change of the population. Its particles and clusters stand in flat tables beside it, each
/// change with a range (`first_*`, how many).
#[derive(H5Type, Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct ChangeRow {
    /// The step it happened in, counted from 0.
    pub step: i64,
    /// When within the step. \[0..=1 of the step\]
    pub time: f64,
    /// Where. \[nm\], z = 0 in 2D
    pub place: [f64; 3],
    /// The first of its rows in `/events/reactants`.
    pub first_reactant: u64,
    /// The first of its rows in `/events/products`.
    pub first_product: u64,
    /// The first of its rows in `/events/bonds_broken`.
    pub first_broken: u64,
    /// The first of its rows in `/events/bonds_made`.
    pub first_made: u64,
    /// The first of its rows in `/events/clusters_before`.
    pub first_before: u64,
    /// The first of its rows in `/events/clusters_after`.
    pub first_after: u64,
    /// How many rows in `/events/reactants`.
    pub reactants: u32,
    /// How many rows in `/events/products`.
    pub products: u32,
    /// How many rows in `/events/bonds_broken`.
    pub broken: u32,
    /// How many rows in `/events/bonds_made`.
    pub made: u32,
    /// How many rows in `/events/clusters_before`.
    pub before: u32,
    /// How many rows in `/events/clusters_after`.
    pub after: u32,
    /// How many events of this step were settled before it.
    pub subdivision: u32,
    /// The rule, a number in `/parameters/rules`.
    pub rule: u16,
    /// What happened, a code of `/events/codes/kinds`.
    pub kind: u8,
}

/// A particle that a change took or gave.
#[derive(H5Type, Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct PartyRow {
    /// Its identity.
    pub id: i64,
    /// \[nm\]
    pub radius: f64,
    /// A number in `/parameters/species`.
    pub species: i32,
    /// How many particles it is, those inside it counted one by one.
    pub size: u32,
}

/// A bond that a change broke or made.
#[derive(H5Type, Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct BondRow {
    /// The lower identity.
    pub a: i64,
    /// The higher identity.
    pub b: i64,
}

/// A moment in the history of a file: a run began, was resumed, or ended.
#[derive(H5Type, Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct RunRow {
    /// When, by the clock on the wall. \[s since 1970\]
    pub unix_time: f64,
    /// The step the run stood at.
    pub step: i64,
    /// How many frames there were.
    pub frames: i64,
    /// A code of `/runs/codes`.
    pub code: u8,
}

/// How many rows of a file are complete: all of them were on their way to the disk when this was
/// written. What lies beyond is what a failed write or a killed run has left, and does not count.
#[derive(H5Type, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct CompleteRow {
    /// Frames.
    pub frames: u64,
    /// Rows of `/series/counts`.
    pub counts: u64,
    /// Rows of `/events/changes`.
    pub changes: u64,
    /// Rows of `/events/contacts`.
    pub contacts: u64,
    /// Rows of `/events/contacts_index`.
    pub blocks: u64,
}

/// Where it stands.
pub const COMPLETE: &str = "runs/complete";

/// The cause of changes of the population that came from outside, and what the history says of
/// them.
pub const BY_HAND: &str = "changed by hand";

/// A rate that was set by hand.
#[derive(H5Type, Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct RateRow {
    /// The step before which it was set, counted from 0.
    pub step: i64,
    /// The rate, in nm, µs and the number of dimensions that the rule is for; or a probability.
    pub rate: f64,
    /// The rule, a number in `/parameters/rules`.
    pub rule: u16,
}

named! {
    /// What a [`RunRow`] reports.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[repr(u8)]
    pub enum RunCode {
        /// A run began.
        Started = 0 => "started",
        /// A run took up where an earlier one had ended.
        Resumed = 1 => "resumed",
        /// All steps were done.
        Finished = 2 => "finished",
        /// Somebody stopped it.
        Interrupted = 3 => "interrupted",
        /// An error stopped it.
        Failed = 4 => "failed",
        /// A run took up where an earlier one had ended, with another model or another version of the
        /// physics.
        Changed = 5 => "changed and resumed",
        /// Particles were added or taken away by hand, or a rate was set.
        Altered = 6 => BY_HAND,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_contact_takes_41_bytes() {
        assert_eq!(ContactRow::type_descriptor().to_packed_repr().size(), 41);
    }

    #[test]
    fn codes_are_places_in_the_list() {
        for (n, code) in RunCode::ALL.into_iter().enumerate() {
            assert_eq!(code as usize, n);
        }
    }
}
