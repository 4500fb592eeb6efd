//! The Brownian engine: reactions, surfaces, crowds, and the same bits whatever one chooses.

#[path = "../shared/everything.rs"]
mod everything;
#[path = "../shared/kinetics.rs"]
mod kinetics;
#[path = "../shared/program.rs"]
mod program;
#[path = "../shared/trace.rs"]
mod trace;

mod binding;
mod community;
mod crowding;
mod first_contact;
mod islands;
mod potentials;
mod reactions;
mod sites;
mod surfaces;
mod traces;
