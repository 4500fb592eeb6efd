//! What happens by the clock: rates set, rules and potentials switched, particles added, the cell divided.

use super::observable::Factor;
use super::region::Region;

/// An entry of the schedule.
#[derive(Clone, Debug, PartialEq)]
pub struct Scheduled {
    /// Appears in the log and in reports.
    pub name: String,
    /// When it happens first. \[µs\]
    pub at: f64,
    /// After what time it happens again, and again. \[µs\]
    pub every: Option<f64>,
    /// What happens.
    pub action: ScheduledAction,
}

/// What an entry of the schedule does.
#[derive(Clone, Debug, PartialEq)]
pub enum ScheduledAction {
    /// Gives a rule another rate, of the kind that it has. \[as the rule's own\]
    SetRate {
        /// The rule's number.
        rule: u16,
        /// Its new rate, probability or rate constant.
        rate: f64,
    },
    /// Gives a rule a rate that depends on what there is then, or on the time.
    Scale {
        /// The rule's number.
        rule: u16,
        /// The rate, probability or rate constant where the factor is 1.
        rate: f64,
        /// By what it is multiplied.
        factor: Factor,
    },
    /// Puts a rule in force, or out of it.
    Switch {
        /// The rule's number.
        rule: u16,
        /// Whether it is in force from now on.
        on: bool,
    },
    /// Switches a potential on or off.
    SwitchPotential {
        /// The potential's number.
        potential: u16,
        /// Whether particles feel it from now on.
        on: bool,
    },
    /// Adds particles at random, without overlap.
    Add {
        /// What they are.
        species: u16,
        /// Their site code.
        sites: u64,
        /// Number of particles.
        count: u32,
        /// Where; in all of the box, if there is none.
        region: Option<Region>,
    },
    /// Divides the cell, of which one daughter is followed: the rest is gone.
    Divide(Division),
}

/// Which stays when the cell divides. Clusters stay or go as a whole.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Division {
    /// Each cluster stays with this probability, whatever the others do.
    Keep(f64),
    /// The box is cut across `axis`: clusters stay whose place (that of their oldest particle) is
    /// in the first `fraction` of its length.
    Volume {
        /// 0..=1
        fraction: f64,
        /// `0..D`
        axis: usize,
    },
}

impl ScheduledAction {
    /// The species that it adds, if it does.
    pub fn adds(&self) -> Option<u16> {
        match self {
            Self::Add { species, .. } => Some(*species),
            Self::SetRate { .. }
            | Self::Scale { .. }
            | Self::Switch { .. }
            | Self::SwitchPotential { .. }
            | Self::Divide(_) => None,
        }
    }
}
