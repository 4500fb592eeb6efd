//! Rules in time: events at exponential times inside the step.

use std::ops::RangeInclusive;

use super::case::Case;
use super::region::Region;

/// A rule in time.
#[derive(Clone, Debug, PartialEq)]
pub struct TimedRule {
    /// Appears in the log and in reports.
    pub name: String,
    /// What happens.
    pub action: TimedAction,
    /// How often. \[1/µs\] of each particle or bond; for [`TimedAction::Create`] per volume as
    /// well, \[1/(nm³ µs)\] in 3D, \[1/(nm² µs)\] in 2D, \[1/(nm µs)\] in 1D. For an unbinding it
    /// is the intrinsic k_d if the binding is given by an intrinsic rate, and the macroscopic k_off
    /// if it is given by a macroscopic k_on. jostle corrects it so that K = k_a/k_d = k_on/k_off
    /// holds at any time step.
    pub rate: f64,
    /// How many particles the cluster may hold that it happens to.
    pub size: RangeInclusive<u32>,
    /// When it is in force \[µs\]: from the first up to the second. Always, if there is none.
    pub windows: Vec<[f64; 2]>,
    /// Where it happens, by the place of the particle, or of the bond that breaks; anywhere, if
    /// there is none.
    pub region: Option<Region>,
    /// Whether a conversion is one way of a reaction there and back: like binding and its reverse, it
    /// is weighed with the energies that potentials and affinities give what it changes.
    pub reversible: bool,
}

/// What happens in time.
#[derive(Clone, Debug, PartialEq)]
pub enum TimedAction {
    /// Undoes what contact rules have bound: the coalesced pair, or a bond.
    Unbind {
        /// The contact rules' numbers.
        of: Vec<u16>,
        /// Which bonds.
        cut: Cut,
        /// What the two that are bound must be like, and how their sites change when they part;
        /// anything, and not at all, if there is no case.
        ends: Vec<Case<2>>,
    },
    /// A particle of a species becomes others, or none.
    Convert {
        /// For each species that it is for, the products.
        cases: Vec<Case<1>>,
    },
    /// Particles come to be, as a Poisson process.
    Create {
        /// What they are.
        species: u16,
        /// Their site code.
        sites: u64,
    },
    /// Clusters of these species break, at this rate per bond.
    Fragment {
        /// Particles that are cut: coalesced ones, and bonds of which either end is one of these.
        species: Vec<u16>,
        /// How.
        how: Fragmentation,
    },
}

/// Which of a cluster's bonds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// Any of them, each as likely.
    Any,
    /// One that holds an end of the chain: a particle with no other bond.
    End,
    /// All at once.
    All,
}

/// How a cluster is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fragmentation {
    /// Where the cluster is cut.
    pub cut: Cut,
    /// Pieces of fewer particles fall apart into single ones.
    pub minimum: u32,
    /// What those single particles become; if there is none, they become what they were.
    pub dissolved: Option<u16>,
}

impl Default for Fragmentation {
    fn default() -> Self {
        Self { cut: Cut::Any, minimum: 1, dissolved: None }
    }
}

impl TimedAction {
    /// Undoes contact rules: whichever bonds `cut` says.
    pub fn unbind(of: &[u16], cut: Cut) -> Self {
        Self::Unbind { of: of.to_vec(), cut, ends: Vec::new() }
    }
}

impl TimedRule {
    /// A rule without conditions.
    pub fn new(name: &str, action: TimedAction, rate: f64) -> Self {
        Self {
            name: name.to_owned(),
            action,
            rate,
            size: 1..=u32::MAX,
            windows: Vec::new(),
            region: None,
            reversible: false,
        }
    }

    /// Undoes contact rule number `of` at k_d = `rate`.
    pub fn unbind(name: &str, of: u16, rate: f64) -> Self {
        Self::new(name, TimedAction::unbind(&[of], Cut::Any), rate)
    }

    /// Particles of a species become `products`, or vanish if there are none.
    pub fn convert(name: &str, species: u16, products: &[u16], rate: f64) -> Self {
        Self::new(name, TimedAction::Convert { cases: vec![Case::new([species], products)] }, rate)
    }

    /// Particles of a species come to be anywhere in the box.
    pub fn create(name: &str, species: u16, rate: f64) -> Self {
        Self::new(name, TimedAction::Create { species, sites: 0 }, rate)
    }

    /// Whether it undoes contact rule number `of`.
    pub fn undoes(&self, of: u16) -> bool {
        matches!(&self.action, TimedAction::Unbind { of: undone, .. } if undone.contains(&of))
    }

    /// The species that it makes.
    pub fn products(&self) -> Vec<u16> {
        match &self.action {
            TimedAction::Unbind { .. } => Vec::new(),
            TimedAction::Convert { cases } => {
                cases.iter().flat_map(|case| &case.products).copied().collect()
            }
            TimedAction::Create { species, .. } => vec![*species],
            TimedAction::Fragment { how, .. } => how.dissolved.into_iter().collect(),
        }
    }
}
