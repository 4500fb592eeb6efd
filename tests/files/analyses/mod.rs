//! Analyses against independent ones (numpy, scipy, MDAnalysis, freud) and against theory.
//!
//! A statistical test states its sample size and fails at 4 standard errors (once in 16 000 times
//! by chance). Seeds are fixed.

mod attraction;
mod command_line;
mod fields;
mod granular;
mod kinetics;
mod motion;
mod places;
mod surfaces;
mod worlds;
