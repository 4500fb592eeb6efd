//! Runs of whole models: how they begin, end, are stopped and resumed, what they take, and laws
//! that all of them obey.

#[path = "../shared/program.rs"]
mod program;

mod as_typed;
mod bonded_start;
mod cases;
mod checkpoints;
mod compartments;
mod complexes;
mod endings;
mod ensembles;
mod load;
mod locks;
mod many;
mod model_files;
mod models;
mod networks;
mod polygon_runs;
mod random_models;
mod random_rates;
mod resume;
mod rigid_molecules;
mod same;
#[cfg(target_os = "linux")]
mod schedulers;
mod self_check;
mod simulation;
mod sweep;
mod together;
mod warnings;
mod workers;
