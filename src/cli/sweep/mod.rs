//! `jostle sweep`.

mod analyse;
mod merge;
mod more;
mod plan;
mod replicas;
mod run;
mod script;
mod status;
mod task;

use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, PossibleValuesParser};

use super::tables::Destination;
use super::{Failure, say};
use crate::files::{paragraph, plain_line};
use crate::sweep::{Engine, MemberResult, Plan, PlanError, Point, ShareBy, SweepOptions, warned};
pub(super) use analyse::analyse;
pub(super) use replicas::run_replicas;

/// How a sweep goes.
const STEPS: &str = "A sweep file (crowding.sweep.toml):

    [sweep]
    model = \"crowding.toml\"      # sought from the folder of this file
    seed = 7                     # the seeds of all runs follow from it
    replicas = 10                # of each point

    [axes]                       # every combination is a point
    \"species.C.count\" = [0, 1000, 2000]
    \"rule.react.rate\" = { from = \"1 nm^3/us\", to = \"100 nm^3/us\", points = 5, spacing = \"log\" }

    [[measure]]                  # of each run; as jostle analyse, with its options
    what = \"rates\"
    from = \"2 us\"

Then:

    jostle sweep plan crowding.sweep.toml --out crowding
    jostle sweep run crowding
    jostle sweep merge crowding rates --out crowding.csv
    jostle report crowding

Also: [[together]] for keys that change together, [points] file = \"design.csv\" instead of [axes],
sweep.seeds = \"common\" for the same noise at every point, keep.files = \"none\", \"first\", \"failed\" or \"all\",
task.replicas for the number of runs in one task, task.threads for the threads of one run, [precision] for how
well a mean is to be known, which jostle sweep more uses. The manual explains all of these.";

/// The command line of `jostle sweep`.
#[derive(clap::Args)]
#[command(after_long_help = STEPS)]
pub(super) struct SweepArguments {
    #[command(subcommand)]
    command: SweepCommand,
}

#[derive(clap::Subcommand)]
enum SweepCommand {
    /// Freeze a sweep in a folder: points, seeds, the model and the files that it reads.
    Plan(PlanArguments),
    /// Run all that has not been done, here, several runs at a time. Ctrl-C stops it; the same
    /// command continues.
    Run(RunSweepArguments),
    /// Run one task, or several: what a job scheduler calls. Does nothing if it has been done.
    Task(TaskArguments),
    /// Print a job script for what has not been done.
    Script(ScriptArguments),
    /// Say how far a sweep has got.
    Status(StatusArguments),
    /// Combine what has been measured: means over replicas, with errors and intervals.
    Merge(MergeArguments),
    /// Add replicas to the points whose means are not known as well as [precision] asks.
    More(MoreArguments),
}

#[derive(clap::Args)]
struct PlanArguments {
    /// The sweep file (TOML).
    sweep: PathBuf,
    /// The folder to make.
    #[arg(short, long, value_name = "FOLDER")]
    out: PathBuf,
    /// Replace a plan in this folder of which nothing has been run.
    #[arg(long)]
    force: bool,
}

#[derive(clap::Args)]
struct RunSweepArguments {
    /// The folder of the plan.
    folder: PathBuf,
    /// How many runs at a time [default: as many as there are cores].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// Do only this process's share of the tasks: `rank`, if it is one of those that srun or
    /// mpiexec has started.
    #[arg(long, value_name = "BY", value_parser = ranks())]
    share: Option<String>,
    /// When all are done, add replicas where [precision] asks for them, as `jostle sweep more`
    /// does, and run these, until no point needs more.
    #[arg(long, conflicts_with = "share")]
    more: bool,
    /// Print nothing but errors.
    #[arg(long, short)]
    quiet: bool,
}

/// The word for how tasks are shared.
fn ranks() -> PossibleValuesParser {
    let about = "Among the processes that srun or mpiexec has started";
    PossibleValuesParser::new([PossibleValue::new("rank").help(about)])
}

#[derive(clap::Args)]
struct TaskArguments {
    /// The folder of the plan.
    folder: PathBuf,
    /// Which task, counted from 0: `17`, or `100..120`, the last included [default: the number in
    /// SLURM_ARRAY_TASK_ID, HQ_TASK_ID, PBS_ARRAY_INDEX or SGE_TASK_ID].
    task: Option<task::Tasks>,
}

#[derive(clap::Args)]
struct ScriptArguments {
    /// The folder of the plan.
    folder: PathBuf,
    /// What is to start the tasks.
    #[arg(long = "for", value_name = "ENGINE", value_parser = script::engines())]
    engine: Engine,
}

#[derive(clap::Args)]
struct StatusArguments {
    /// The folder of the plan.
    folder: PathBuf,
    /// Print only the numbers of the tasks that have not been done, as `sbatch --array` takes them:
    /// `3,17,40-55`.
    #[arg(long, conflicts_with = "json")]
    missing: bool,
    /// For programs.
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
struct MergeArguments {
    /// The folder of the plan.
    folder: PathBuf,
    /// Which table [default: the main one of what is measured first].
    table: Option<String>,
    /// Differences from this point, counted from 0, replica by replica: with seeds = "common",
    /// these are known much better than the means.
    #[arg(long, value_name = "POINT")]
    against: Option<usize>,
    #[command(flatten)]
    destination: Destination,
}

#[derive(clap::Args)]
struct MoreArguments {
    /// The folder of the plan.
    folder: PathBuf,
    /// Add so many replicas to every point, whatever is known.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    replicas: Option<u32>,
}

pub(super) fn execute(arguments: SweepArguments) -> Result<(), Failure> {
    match arguments.command {
        SweepCommand::Plan(PlanArguments { sweep, out, force }) => {
            plan::execute(&sweep, &out, force)
        }
        SweepCommand::Run(RunSweepArguments { folder, jobs, share, more, quiet }) => {
            let share = share.map(|_| ShareBy::Rank.share()).transpose()?;
            run::execute(&folder, &SweepOptions { jobs: jobs.map(usize::from), share, more }, quiet)
        }
        SweepCommand::Script(ScriptArguments { folder, engine }) => {
            script::execute(&folder, engine)
        }
        SweepCommand::Task(TaskArguments { folder, task }) => task::execute(&folder, task),
        SweepCommand::Status(StatusArguments { folder, missing, json }) => {
            status::execute(&folder, missing, json)
        }
        SweepCommand::Merge(MergeArguments { folder, table, against, mut destination }) => {
            merge::execute(&folder, table, against, &mut destination)
        }
        SweepCommand::More(MoreArguments { folder, replicas }) => more::execute(&folder, replicas),
    }
}

/// The options that make one run of a plan: `--set KEY=VALUE --seed N`.
fn options_of(plan: &Plan, member: &MemberResult) -> String {
    let options = plan.points().get(member.point).map(Point::as_options).unwrap_or_default();
    let seed = format!("--seed {}", member.seed);
    if options.is_empty() { seed } else { format!("{options} {seed}") }
}

/// How many runs warned of something, with the first warning; nothing if none did.
fn warnings_in_words(plan: &Plan, warned: &[MemberResult]) -> Option<String> {
    let first = warned.first()?;
    let text = plain_line(first.warnings.first()?);
    let (runs, options) = (plan.member_count(), options_of(plan, first));
    let count = warned.len();
    let have = if count == 1 { "has" } else { "have" };
    Some(format!("{count} of {runs} runs {have} warnings; the first, {options}: {text}"))
}

/// Says how many runs warned of something, if any did.
fn say_warnings(plan: &Plan, folder: &Path) -> Result<(), PlanError> {
    let said = warnings_in_words(plan, &warned(plan, folder)?);
    said.iter().for_each(|text| say(paragraph("warning: ", text).trim_end()));
    Ok(())
}
