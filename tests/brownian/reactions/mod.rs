//! Reactions: whatever happens, no particles overlap, clusters are what bonds make them, and the
//! changes that observers are told of give the membership, the species and the bonds at every step.
//! What happens does so at the rates asked for, at any time step.
//!
//! The whole takes a quarter of a minute on one core; with the feature `long` ten times as much is
//! drawn. Bounds are 4.5 standard errors, or of like rareness; seeds are fixed.

mod bath;
mod chains;
mod composed;
mod contacts;
mod hosts;
mod limits;
mod moieties;
mod paths;
mod population;
mod rigid;
mod strangers;
pub(crate) mod world;
