//! The program and its manual, and what it measures of itself.

#[path = "../shared/program.rs"]
mod program;

mod bench;
mod cli;
mod converge;
mod import;
mod manual;
mod movie;
mod places;
mod planted;
mod reproduce;
mod validate;
