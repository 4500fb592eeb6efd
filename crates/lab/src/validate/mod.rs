//! `jostle validate`: theory in one command. Runs the engines on cases whose answers are known, and
//! says of each number how far it is from theory and how likely chance alone would set them so far
//! apart.
//!
//! A [`Check`] states a law and its source and gives back [`Findings`]: numbers, each with its
//! sample size, its statistic and its z, and pictures of theory and measurement. Chance alone makes
//! one finding fail once in a million runs ([`FALSE_ALARM_RATE`]), and there are fewer than a
//! thousand of them, so that a build that does physics right fails once in more than a thousand
//! seeds. Standard errors come from theory or from the scatter of independent blocks, judged by
//! Student's t; a formula that is only approximate states how far it may be off, which is then no
//! deviation.
//!
//! Every check draws its seeds from the one of the run and its own name: what it finds depends
//! neither on the other checks nor on the number of threads.

mod brownian;
mod finding;
pub mod granular;
mod panics;
pub mod paths;
pub mod polygons;
pub mod random;
mod reactions;
pub mod statistics;
mod suite;
mod surfaces;
mod texts;
mod timestep;
pub mod world;
mod write;

pub use finding::{
    BOUND, Curve, FALSE_ALARM_RATE, Finding, Findings, MOST_FINDINGS, Picture, Statistic,
};
pub use suite::{Outcome, Suite, Verdict};
pub use write::{ValidationReport, listed, page};

use jostle_core::random::{Purpose, Random};

/// Why a check could not be carried out; it then counts as failed.
pub type CheckError = Box<dyn std::error::Error + Send + Sync>;

/// A law, and how it is put to the test.
#[derive(Clone, Copy, Debug)]
pub struct Check {
    /// The word for it: `free-motion`.
    pub name: &'static str,
    /// Which engine it is about.
    pub group: Group,
    /// What is tested, in a few words.
    pub title: &'static str,
    /// The law, as a formula or a sentence.
    pub theory: &'static str,
    /// Who published it, or where it is derived.
    pub source: &'static str,
    /// How many seconds the quick form takes on one core, roughly: the longest go first.
    pub seconds: f64,
    /// Whether it belongs to the quick suite; else only to the full one.
    pub quick: bool,
    /// Carries it out.
    pub run: fn(&Context) -> Result<Findings, CheckError>,
}

/// What a check is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Spheres in Brownian motion.
    Brownian,
    /// Balls that fly and collide.
    Granular,
    /// Polygons that press on each other.
    Polygons,
    /// What the papers print.
    Texts,
}

impl Group {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Brownian => "brownian",
            Self::Granular => "granular",
            Self::Polygons => "polygons",
            Self::Texts => "texts",
        }
    }
}

/// How much is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// All of the quick suite in two minutes on two cores.
    Quick,
    /// Everything, in less than half an hour.
    Full,
}

/// What a check is given.
#[derive(Clone, Copy, Debug)]
pub struct Context {
    /// How much to measure.
    pub effort: Effort,
    random: Random,
    key: u64,
}

impl Context {
    /// For the check of this name.
    pub fn new(name: &str, effort: Effort, seed: u64) -> Self {
        let key = name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        Self { effort, random: Random::new(seed), key }
    }

    /// Seed `number` of this check: another one for every number, check and seed of the run.
    pub fn seed(&self, number: u64) -> u64 {
        let bits = self.random.uniform(Purpose::Placement, [self.key, number, 0, 0]);
        (bits * (1_u64 << 53) as f64) as u64
    }

    /// The one or the other, by how much is measured.
    pub fn either<T>(&self, quick: T, full: T) -> T {
        match self.effort {
            Effort::Quick => quick,
            Effort::Full => full,
        }
    }
}

/// All checks, in the order in which they are shown.
pub fn checks() -> Vec<Check> {
    [
        brownian::CHECKS,
        timestep::CHECKS,
        reactions::CHECKS,
        random::CHECKS,
        surfaces::CHECKS,
        granular::CHECKS,
        polygons::CHECKS,
        texts::CHECKS,
    ]
    .concat()
}
