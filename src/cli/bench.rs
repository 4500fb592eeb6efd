//! `jostle bench`.

use std::io::Write;
use std::path::PathBuf;
use std::process::Command;

use super::Failure;
use crate::bench::{Memory, Plan, PolygonPlan, contact_log, events, memory, polygons, search, speed};

/// The command line of `jostle bench`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand)]
enum What {
    /// Compare the search structures: time per step against the number of bodies, by density, cell
    /// size, pruning and scheduler, and in a disk gas.
    Search(SearchArguments),
    /// Measure how fast the engine is, and how much memory it takes.
    Speed(SpeedArguments),
    /// Measure how fast the event-driven engine is: collisions per second.
    Events(SpeedArguments),
    /// Measure how fast the polygon engine is: the distance of a pair by the number of corners, a pile by
    /// contact, two threads against one.
    Polygons(PolygonArguments),
    /// Measure how fast the contact log answers.
    Log(LogArguments),
    /// Measure how much memory this process needs for some bodies; `speed` asks another process.
    #[command(hide = true)]
    Memory {
        /// How many.
        #[arg(long)]
        bodies: usize,
    },
}

#[derive(clap::Args)]
struct SearchArguments {
    /// Few bodies: some seconds instead of some minutes.
    #[arg(long)]
    quick: bool,
    /// Only this study; may be repeated.
    #[arg(long, value_name = "STUDY", value_parser = Plan::STUDIES)]
    only: Vec<String>,
    /// Write tables (CSV), pictures (SVG, PNG) and the text into this folder (made if missing).
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Print all figures as JSON instead of tables.
    #[arg(long)]
    json: bool,
    /// The number of threads.
    #[arg(long, default_value_t = 1)]
    threads: usize,
}

#[derive(clap::Args)]
struct SpeedArguments {
    /// A fraction of the bodies.
    #[arg(long)]
    quick: bool,
    /// Print all figures as JSON instead of tables.
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
struct PolygonArguments {
    /// A small pile: some seconds instead of some minutes.
    #[arg(long)]
    quick: bool,
    /// So many hexagons in the pile [default: 10000, or 400 if quick].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(4..))]
    bodies: Option<u32>,
    /// Print all figures as JSON instead of tables.
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
struct LogArguments {
    /// How many contacts; each takes 40 bytes on the disk.
    #[arg(long, value_name = "N", default_value_t = 10_000_000)]
    contacts: u64,
    /// The folder in which the log is written, and removed again [default: the system's].
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// Print all figures as JSON instead of tables.
    #[arg(long)]
    json: bool,
}

/// Bodies whose memory is measured.
const BODIES: usize = 1_000_000;

pub(super) fn carry_out(arguments: Arguments) -> Result<(), Failure> {
    if cfg!(debug_assertions) {
        log::warn!("this is no release build (cargo build --release): times are longer");
    }
    match arguments.what {
        What::Search(arguments) => compare(arguments),
        What::Speed(arguments) => measure_speed(arguments),
        What::Events(SpeedArguments { quick, json }) => {
            let speed = events(quick, &mut |what| eprintln!("{what}"))?;
            match json {
                true => writeln!(std::io::stdout(), "{:#}", speed.to_json())?,
                false => write!(std::io::stdout(), "{speed}")?,
            }
            Ok(())
        }
        What::Polygons(PolygonArguments { quick, bodies, json }) => {
            let plan = if quick { PolygonPlan::quick() } else { PolygonPlan::full() };
            let bodies = bodies.map_or(plan.bodies, |bodies| bodies as usize);
            let speed = polygons(&PolygonPlan { bodies, ..plan }, &mut |what| eprintln!("{what}"))?;
            match json {
                true => writeln!(std::io::stdout(), "{:#}", speed.to_json())?,
                false => write!(std::io::stdout(), "{speed}")?,
            }
            Ok(())
        }
        What::Log(LogArguments { contacts, folder, json }) => {
            let folder = folder.unwrap_or_else(std::env::temp_dir);
            let speed = contact_log(contacts, &folder, &mut |what| eprintln!("{what}"))?;
            match json {
                true => writeln!(std::io::stdout(), "{:#}", speed.to_json())?,
                false => write!(std::io::stdout(), "{speed}")?,
            }
            Ok(())
        }
        What::Memory { bodies } => {
            let Memory { before, resident, peak, .. } = memory(bodies, 0.1)?;
            writeln!(std::io::stdout(), "{before} {resident} {peak}")?;
            Ok(())
        }
    }
}

fn compare(arguments: SearchArguments) -> Result<(), Failure> {
    let mut plan = if arguments.quick { Plan::quick() } else { Plan::full() };
    if !arguments.only.is_empty() {
        plan.studies.retain(|study| arguments.only.iter().any(|only| only == study));
    }
    let report = search(&plan, arguments.threads, &mut |what| eprintln!("{what}"))?;
    let mut out = std::io::stdout().lock();
    if arguments.json {
        writeln!(out, "{:#}", report.to_json())?;
    } else {
        write!(out, "{report}")?;
    }
    if let Some(folder) = &arguments.out {
        let files = report.write(folder)?;
        eprintln!("{} files written to {}", files.len(), folder.display());
    }
    Ok(())
}

fn measure_speed(arguments: SpeedArguments) -> Result<(), Failure> {
    let mut speed = speed(arguments.quick, &mut |what| eprintln!("{what}"))?;
    let bodies = if arguments.quick { BODIES / 100 } else { BODIES };
    eprintln!("memory: {bodies} bodies");
    match in_another_process(bodies) {
        Ok(memory) => speed.memory = Some(memory),
        Err(why) => log::warn!("memory was not measured: {why}"),
    }
    let mut out = std::io::stdout().lock();
    if arguments.json {
        writeln!(out, "{:#}", speed.to_json())?;
    } else {
        write!(out, "{speed}")?;
    }
    Ok(())
}

/// A process that has done something else before keeps what it needed for that.
fn in_another_process(bodies: usize) -> Result<Memory, Box<dyn std::error::Error>> {
    let program = std::env::current_exe()?;
    let done = Command::new(program).args(["bench", "memory", "--bodies", &bodies.to_string()]).output()?;
    let text = String::from_utf8(done.stdout)?;
    let figures = text.split_whitespace().map(str::parse).collect::<Result<Vec<u64>, _>>()?;
    match figures[..] {
        [before, resident, peak] if done.status.success() => Ok(Memory { bodies, before, resident, peak }),
        _ => Err(String::from_utf8_lossy(&done.stderr).trim().to_owned().into()),
    }
}
