//! How fast bodies bind and unbind: the rate constants that were asked for, at any time step.
//!
//! The whole takes half a minute on one idle core. Bounds are 4.5 standard errors, or of like
//! rareness; seeds are fixed.

#[path = "../support_kinetics/mod.rs"]
mod support;

mod capture;
mod population;
