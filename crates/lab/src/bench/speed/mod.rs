//! How fast the Brownian engine is by itself: particle steps per second of standard populations,
//! whole runs, several threads against one, the cost of a particle by how many there are, and what
//! `auto` and the choice of a number of threads cost.
//!
//! Everything starts in disorder, is warm before it is timed (`auto` has chosen), and is told by
//! the fastest of several rounds, which other work on the machine disturbs least, with the median
//! beside it.

mod choice;
mod plan;
mod populations;
mod runs;
mod sheet;
mod small;
mod steady;
mod threads;
mod timing;

use super::report::rows;
use super::{BenchError, Machine, Memory, Progress};
use jostle_analysis::Table;
use jostle_model::Model;
pub use plan::SpeedPlan;
use steady::Known;

/// How fast the engine is.
#[derive(Clone, Debug)]
pub struct Speed {
    /// When and where.
    pub machine: Machine,
    /// What was asked for, each with the name that it has in JSON, and what it shows.
    pub tables: Vec<(&'static str, &'static str, Table)>,
    /// How much memory whole processes need, if that could be measured.
    pub memory: Vec<(&'static str, Memory)>,
}

/// Measures what `plan` says, but for memory, which only a process of its own can tell
/// ([`memory`](super::memory)).
///
/// # Errors
/// If a model cannot be set up, a step fails, or two ways to compute the same end in different
/// states.
pub fn speed(plan: &SpeedPlan, mut progress: Progress<'_>) -> Result<Speed, BenchError> {
    let machine = Machine::look(plan.threads);
    let progress = &mut progress;
    let mut known = Known::default();
    let mut tables = vec![("steady", "Populations that stay as they are", {
        steady::table(plan, &mut known, progress)?
    })];
    tables.push(("runs", "Whole runs, from the first step on", runs::table(plan, progress)?));
    if plan.wants("threads") {
        tables.push(("threads", "Several threads against one", threads::table(plan, progress)?));
    }
    if plan.wants("small-models") {
        let table = small::table(plan, progress)?;
        tables.push((
            "small-models",
            "Small models, on the number of threads that is chosen",
            table,
        ));
    }
    if plan.wants("sheet") {
        tables.push((
            "sheet",
            "Receptors on a sheet, against free particles",
            sheet::table(plan, progress)?,
        ));
    }
    if plan.wants("scale") {
        let table = steady::scale(plan, &mut known, progress)?;
        tables.push(("scale", "Spheres at 10 %: what each costs by how many there are", table));
    }
    if plan.wants("search") {
        let table = choice::table(plan, progress)?;
        tables.push(("search", "What auto costs against the fastest that could be named", table));
    }
    tables.retain(|(_, _, table)| !table.rows.is_empty());
    Ok(Speed { machine, tables, memory: Vec::new() })
}

/// Adds a row to a table and shows it at once, since the next one may take minutes.
fn add_row(table: &mut Table, progress: &mut Progress<'_>, row: Vec<String>) {
    let cells = table.columns.iter().zip(&row).map(|(column, cell)| format!("{column} {cell}"));
    progress(&format!("  {}", cells.collect::<Vec<_>>().join(", ")));
    table.push_texts(row);
}

/// Particles whose memory is measured: points, or spheres that fill the fraction `packing` of a
/// cube.
///
/// # Errors
/// If they do not fit.
pub(super) fn to_remember(particles: usize, packing: Option<f64>) -> Result<Model, BenchError> {
    match packing {
        Some(packing) => super::crowd(3, particles, packing),
        None => populations::points(particles),
    }
}

impl Speed {
    /// All figures.
    pub fn to_json(&self) -> serde_json::Value {
        let mut all = serde_json::Map::new();
        all.insert("machine".into(), serde_json::json!(self.machine));
        for (name, _, table) in &self.tables {
            all.insert((*name).into(), rows(table));
        }
        let memory = self.memory.iter().map(|(what, memory)| {
            serde_json::json!({
                "population": what,
                "bodies": memory.particles,
                "bytes per body": memory.per_particle(),
                "bytes per body at most": memory.peak_per_particle(),
                "whole process at most [MiB]": memory.peak as f64 / MEBIBYTE,
            })
        });
        if !self.memory.is_empty() {
            all.insert("memory".into(), memory.collect());
        }
        serde_json::Value::Object(all)
    }
}

const MEBIBYTE: f64 = 1_048_576.0;

impl std::fmt::Display for Speed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "{}", self.machine)?;
        for (_, caption, table) in &self.tables {
            writeln!(f, "\n{caption}\n\n{table}")?;
        }
        for (what, memory) in &self.memory {
            writeln!(
                f,
                "memory: {} {what} take {:.0} bytes each, {:.0} at most; the whole process {:.0} MiB at most",
                memory.particles,
                memory.per_particle(),
                memory.peak_per_particle(),
                memory.peak as f64 / MEBIBYTE,
            )?;
        }
        Ok(())
    }
}
