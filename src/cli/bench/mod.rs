//! `jostle bench`.

mod speed;

use std::path::PathBuf;

use super::Failure;
use super::measured::{print, say_written};
use jostle_lab::bench::{Plan, PolygonPlan, contact_log, events, polygons, search};

/// The command line of `jostle bench`.
#[derive(clap::Args)]
pub(super) struct BenchArguments {
    #[command(subcommand)]
    what: Benchmark,
}

#[derive(clap::Subcommand)]
enum Benchmark {
    /// Compare the search structures: time per step against the number of particles, by density,
    /// cell size, pruning and scheduler, and in a disk gas.
    Search(SearchArguments),
    /// Measure the speed of the Brownian engine: particle steps per second, whole runs,
    /// several threads against one, cost per particle as a function of their number, the cost of
    /// `auto`, and memory.
    Speed(speed::SpeedArguments),
    /// Measure the speed of the event-driven engine: collisions per second.
    Events(EventArguments),
    /// Measure the speed of the polygon engine: pair distance as a function of the number of
    /// corners, time per contact in a pile, two threads against one.
    Polygons(PolygonArguments),
    /// Measure the speed of queries of the contact log.
    Log(LogArguments),
    /// Measure the memory that this process needs for a given number of particles (used by
    /// `speed`).
    #[command(hide = true)]
    Memory(speed::MemoryArguments),
}

#[derive(clap::Args)]
struct SearchArguments {
    /// Use few particles: takes seconds instead of minutes.
    #[arg(long)]
    quick: bool,
    /// Only this study; can be repeated.
    #[arg(long, value_name = "STUDY", value_parser = Plan::STUDIES)]
    only: Vec<String>,
    /// Write tables (CSV), pictures (SVG, PNG) and the text into this folder (created if missing).
    #[arg(short, long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Print all figures as JSON instead of tables.
    #[arg(long)]
    json: bool,
    /// The number of threads.
    #[arg(long, default_value_t = 1)]
    threads: usize,
}

#[derive(clap::Args)]
struct EventArguments {
    /// Use a fraction of the particles.
    #[arg(long)]
    quick: bool,
    /// Print all figures as JSON instead of tables.
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
struct PolygonArguments {
    /// Use a small pile: takes seconds instead of minutes.
    #[arg(long)]
    quick: bool,
    /// The number of hexagons in the pile [default: 10000, or 400 if quick].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(4..))]
    bodies: Option<u32>,
    /// Print all figures as JSON instead of tables.
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
struct LogArguments {
    /// The number of contacts; each takes 41 bytes on disk.
    #[arg(long, value_name = "N", default_value_t = 10_000_000)]
    contacts: u64,
    /// The folder in which the log is written and then deleted [default: the system's temporary
    /// folder].
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// Print all figures as JSON instead of tables.
    #[arg(long)]
    json: bool,
}

pub(super) fn execute(arguments: BenchArguments) -> Result<(), Failure> {
    if cfg!(debug_assertions) {
        log::warn!("this is not a release build (cargo build --release): times are longer");
    }
    match arguments.what {
        Benchmark::Search(arguments) => compare(arguments),
        Benchmark::Speed(arguments) => speed::measure(arguments),
        Benchmark::Events(EventArguments { quick, json }) => {
            let speed = events(quick, &mut |what| eprintln!("{what}"))?;
            print(json, &speed.to_json(), &speed)
        }
        Benchmark::Polygons(PolygonArguments { quick, bodies, json }) => {
            let plan = if quick { PolygonPlan::quick() } else { PolygonPlan::full() };
            let bodies = bodies.map_or(plan.bodies, |bodies| bodies as usize);
            let speed = polygons(&PolygonPlan { bodies, ..plan }, &mut |what| eprintln!("{what}"))?;
            print(json, &speed.to_json(), &speed)
        }
        Benchmark::Log(LogArguments { contacts, folder, json }) => {
            let folder = folder.unwrap_or_else(std::env::temp_dir);
            let speed = contact_log(contacts, &folder, &mut |what| eprintln!("{what}"))?;
            print(json, &speed.to_json(), &speed)
        }
        Benchmark::Memory(arguments) => speed::measure_memory(&arguments),
    }
}

fn compare(arguments: SearchArguments) -> Result<(), Failure> {
    let mut plan = if arguments.quick { Plan::quick() } else { Plan::full() };
    if !arguments.only.is_empty() {
        plan.studies.retain(|study| arguments.only.iter().any(|only| only == study));
    }
    let report = search(&plan, arguments.threads, &mut |what| eprintln!("{what}"))?;
    print(arguments.json, &report.to_json(), &report)?;
    if let Some(folder) = &arguments.out {
        say_written(&report.write(folder)?, folder);
    }
    Ok(())
}
