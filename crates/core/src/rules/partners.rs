//! Two particles as rules see them.

use super::contact::Standing;
use super::region::Region;
use crate::docking::Torsion;
use crate::sites::SitePattern;

/// Two particles that touch, or that would touch once their bond were broken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TouchingPair {
    /// Their species.
    pub species: [u16; 2],
    /// Between their centres. \[nm\]
    pub distance: f64,
    /// Of the units that they belong to. \[nm²/µs\]
    pub diffusion: [f64; 2],
}

/// What rules may ask of them; only what a rule depends on is asked.
pub trait Partners {
    /// How they stand to others.
    fn standing(&self) -> [Standing; 2];

    /// Whether a pattern of sites, which is not empty, fits the first (0) or the second (1).
    fn fits(&self, which: usize, pattern: &SitePattern) -> bool;

    /// Whether these sites of theirs, that of the first first, face each other as two that bind
    /// must.
    fn face(&self, sites: [u8; 2], torsion: Option<Torsion>) -> bool;

    /// How often two touch where that happens least often, over how often they touch where these do, if one is a
    /// target on a surface that the other comes to.
    fn least_often(&self) -> f64 {
        1.0
    }

    /// Whether they touch in a region.
    fn are_in(&self, region: &Region) -> bool;
}
