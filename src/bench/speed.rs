//! How fast the engine is by itself: one thread, some standard populations, and the floors below
//! which it should not fall.

use std::time::Instant;

use super::report::rows;
use super::scene::nobody_overlaps;
use super::study::{digits, percent};
use super::{BenchError, Machine, Memory, Progress, crowd, free, rested};
use crate::analysis::Table;
use crate::observe::Nobody;
use crate::run::{engine, in_pool};
use crate::search::{Kind, Settings};

/// At least so many million body-steps per second, on one thread: spheres at 10 %, and bodies that
/// take no notice of each other.
const FLOOR_AT_10_PERCENT: f64 = 3.0;
const FLOOR_FREE: f64 = 40.0;

/// At most so many bytes for a body, of a million at 10 %.
const MOST_MEMORY: f64 = 250.0;

/// Steps before anything is timed.
const WARM_UP: u64 = 3;

/// How fast the engine is.
#[derive(Clone, Debug)]
pub struct Speed {
    /// When and where.
    pub machine: Machine,
    /// One row for each population.
    pub table: Table,
    /// How much memory a million bodies take, if that could be measured.
    pub memory: Option<Memory>,
}

/// A population.
struct Case {
    dimension: usize,
    bodies: usize,
    /// None: they take no notice of each other.
    packing: Option<f64>,
    floor: Option<f64>,
}

const fn crowded(dimension: usize, bodies: usize, packing: f64) -> Case {
    Case { dimension, bodies, packing: Some(packing), floor: None }
}

const fn loners(bodies: usize) -> Case {
    Case { dimension: 3, bodies, packing: None, floor: Some(FLOOR_FREE) }
}

/// What is measured; all of 1/100 of the size if `quick`.
const CASES: [Case; 8] = [
    crowded(3, 100_000, 0.01),
    Case { floor: Some(FLOOR_AT_10_PERCENT), ..crowded(3, 100_000, 0.1) },
    crowded(3, 100_000, 0.3),
    crowded(2, 100_000, 0.1),
    crowded(2, 100_000, 0.4),
    crowded(3, 1_000_000, 0.1),
    loners(100_000),
    loners(1_000_000),
];

/// Measures the speed on one thread, with cells and the event queue; `quick` takes a hundredth of
/// the bodies.
///
/// # Errors
/// If a model cannot be set up or a step fails.
pub fn speed(quick: bool, progress: Progress<'_>) -> Result<Speed, BenchError> {
    let machine = Machine::look(1);
    let mut table = Table::new(&["population", "bodies", "least [ms/step]", "median [ms/step]"]);
    table
        .columns
        .extend(["million body-steps/s", "floor", "contacts per body-step", "overlaps"].map(str::to_owned));
    in_pool(1, || -> Result<(), BenchError> {
        // So many bodies are moved in a turn.
        let turn = if quick { 20_000 } else { 1_000_000 };
        for case in CASES {
            let bodies = if quick { case.bodies / 100 } else { case.bodies };
            let case = Case { bodies, ..case };
            progress(&format!("speed: {}, {}", name(&case), case.bodies));
            table.push_texts(match case.dimension {
                2 => measured::<2>(&case, turn)?,
                _ => measured::<3>(&case, turn)?,
            });
        }
        Ok(())
    })??;
    Ok(Speed { machine, table, memory: None })
}

fn name(case: &Case) -> String {
    let bodies = if case.dimension == 2 { "disks" } else { "spheres" };
    match case.packing {
        Some(packing) => format!("{bodies} at {}", percent(packing)),
        None => "free diffusion".to_owned(),
    }
}

fn measured<const D: usize>(case: &Case, turn: usize) -> Result<Vec<String>, BenchError> {
    let mut model = match case.packing {
        Some(packing) => rested::<D>(crowd(D, case.bodies, packing)?)?,
        None => free(D, case.bodies)?,
    };
    model.search = Settings { kind: Kind::Cubic, ..Settings::default() };
    let mut engine = engine::<D>(&model)?;
    for _ in 0..WARM_UP {
        engine.step(&mut Nobody)?;
    }
    let before = engine.tally();
    let steps = (turn / case.bodies).max(1);
    let mut turns = Vec::new();
    for _ in 0..9 {
        let begun = Instant::now();
        for _ in 0..steps {
            engine.step(&mut Nobody)?;
        }
        turns.push(begun.elapsed().as_secs_f64() / steps as f64);
    }
    turns.sort_unstable_by(f64::total_cmp);
    let (least, median) = (turns[0], turns[turns.len() / 2]);
    let contacts = (engine.tally().contacts - before.contacts) as f64;
    let body_steps = (turns.len() * steps * case.bodies) as f64;
    let overlaps = match case.packing {
        Some(_) if nobody_overlaps::<D>(&model, &engine)? => "none",
        Some(_) => "SOME",
        None => "-",
    };
    Ok(vec![
        name(case),
        case.bodies.to_string(),
        digits(1e3 * least),
        digits(1e3 * median),
        digits(case.bodies as f64 / least / 1e6),
        case.floor.map_or("-".into(), |floor| floor.to_string()),
        digits(contacts / body_steps),
        overlaps.into(),
    ])
}

impl Speed {
    /// All figures.
    pub fn to_json(&self) -> serde_json::Value {
        let memory = self.memory.map(|memory| {
            serde_json::json!({
                "bodies": memory.bodies,
                "bytes_per_body": memory.per_body(),
                "bytes_per_body_at_most": memory.peak_per_body(),
                "floor": MOST_MEMORY,
            })
        });
        serde_json::json!({ "machine": self.machine, "speed": rows(&self.table), "memory": memory })
    }
}

impl std::fmt::Display for Speed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "{}\n\n{}", self.machine, self.table)?;
        if let Some(memory) = self.memory {
            writeln!(
                f,
                "memory: {} spheres at 10 % take {:.0} bytes each, and {:.0} at most while they are placed (floor {MOST_MEMORY})",
                memory.bodies,
                memory.per_body(),
                memory.peak_per_body()
            )?;
        }
        Ok(())
    }
}
