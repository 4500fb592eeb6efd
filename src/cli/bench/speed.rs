//! `jostle bench speed`.

use std::io::Write;
use std::process::Command;

use clap::builder::PossibleValuesParser;

use crate::cli::Failure;
use crate::cli::measured::print;
use crate::search::Kind;
use jostle_lab::bench::{Memory, SpeedPlan, memory, speed};

/// The command line of `jostle bench speed`.
#[derive(clap::Args)]
pub(super) struct SpeedArguments {
    /// Use a hundredth of the particles: takes seconds instead of minutes.
    #[arg(long)]
    quick: bool,
    /// Only these rows; can be repeated.
    #[arg(long, value_name = "ROW", num_args = 1.., value_parser = PossibleValuesParser::new(SpeedPlan::all_rows()))]
    only: Vec<String>,
    /// Measure the cost per particle, and memory, up to ten million particles: takes a few
    /// minutes more, and several GiB.
    #[arg(long)]
    huge: bool,
    /// The search structure of all rows except `search`.
    #[arg(long, value_name = "KIND", default_value = Kind::Auto.name(), value_parser = kinds())]
    search: String,
    /// The number of threads; the row `threads` compares it (at least 2) with one.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    threads: u16,
    /// Rounds for each row, of which the fastest and the median are reported [default: 5, or 2 with
    /// --quick].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    rounds: Option<u16>,
    /// Print all figures as JSON instead of tables.
    #[arg(long)]
    json: bool,
}

/// The command line of `jostle bench memory`, which `speed` calls as a process of its own.
#[derive(clap::Args)]
pub(super) struct MemoryArguments {
    /// The number of particles.
    #[arg(long, alias = "bodies")]
    particles: usize,
    /// The fraction of the volume filled by spheres; if absent, particles are points.
    #[arg(long)]
    packing: Option<f64>,
    /// The search structure.
    #[arg(long, default_value = Kind::Auto.name(), value_parser = kinds())]
    search: String,
}

/// The words for search structures.
fn kinds() -> clap::builder::PossibleValuesParser {
    Kind::ALL.map(Kind::name).into()
}

/// Particles whose memory is measured.
const PARTICLES: usize = 1_000_000;
const HUGE: usize = 10_000_000;

pub(super) fn measure(arguments: SpeedArguments) -> Result<(), Failure> {
    let plan = plan(&arguments);
    let mut measured = speed(&plan, &mut |what| eprintln!("{what}"))?;
    if plan.wants("memory") {
        let huge = plan.huge.then_some(HUGE);
        for particles in [PARTICLES].into_iter().chain(huge) {
            for (what, packing) in [("points", None), ("spheres at 10 %", Some(0.1))] {
                let particles = plan.particles(particles);
                eprintln!("memory: {particles} {what}");
                match in_another_process(particles, packing, plan.search) {
                    Ok(memory) => measured.memory.push((what, memory)),
                    Err(why) => log::warn!("memory was not measured: {why}"),
                }
            }
        }
    }
    print(arguments.json, &measured.to_json(), &measured)
}

fn plan(arguments: &SpeedArguments) -> SpeedPlan {
    let mut plan = if arguments.quick { SpeedPlan::quick() } else { SpeedPlan::full() };
    if !arguments.only.is_empty() {
        plan.rows.retain(|row| arguments.only.iter().any(|only| only == row));
    }
    let rounds = arguments.rounds.map_or(plan.rounds, usize::from);
    let search = Kind::parse(&arguments.search).unwrap_or(plan.search);
    SpeedPlan { threads: arguments.threads.into(), huge: arguments.huge, search, rounds, ..plan }
}

/// What this process needs for some particles.
pub(super) fn measure_memory(arguments: &MemoryArguments) -> Result<(), Failure> {
    let kind = Kind::parse(&arguments.search).unwrap_or(Kind::Auto);
    let Memory { before, resident, peak, .. } =
        memory(arguments.particles, arguments.packing, kind)?;
    writeln!(crate::cli::printed(), "{before} {resident} {peak}")?;
    Ok(())
}

/// A process that has done something else before keeps what it needed for that.
fn in_another_process(
    particles: usize,
    packing: Option<f64>,
    search: Kind,
) -> Result<Memory, Box<dyn std::error::Error>> {
    let mut program = Command::new(std::env::current_exe()?);
    program.args([
        "bench",
        "memory",
        "--search",
        search.name(),
        "--particles",
        &particles.to_string(),
    ]);
    if let Some(packing) = packing {
        program.args(["--packing", &packing.to_string()]);
    }
    let done = program.output()?;
    let text = String::from_utf8(done.stdout)?;
    let figures = text.split_whitespace().map(str::parse).collect::<Result<Vec<u64>, _>>()?;
    match figures[..] {
        [before, resident, peak] if done.status.success() => {
            Ok(Memory { particles, before, resident, peak })
        }
        _ => Err(String::from_utf8_lossy(&done.stderr).trim().to_owned().into()),
    }
}
