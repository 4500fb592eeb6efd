//! `jostle run`.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::progress::Progress;
use super::signals::{heed_requests, heed_signals};
use super::{Failure, ModelArguments, Why, is_h5md, once, say};
use crate::files::paragraph;
use crate::model::Model;
use crate::record::RecordError;
use crate::run::checkpoint::{Cadence, Checkpoint, Checkpoints, checkpoints_of};
use crate::run::{Ending, Options, RunError, Summary, Written, run_within_memory};
use crate::words::{abridged, memory_size, time_text};

/// What Ctrl-C does, and how a run ends.
const ENDS: &str = "Ctrl-C, SIGTERM and SIGHUP (a closed terminal) end the run after the current step: the file is closed properly and \
the state is kept, so that `jostle resume` can resume the run. A second Ctrl-C ends the program at once; the \
file then contains what was written before, and the run can be resumed from the last checkpoint. SIGUSR1 requests \
a checkpoint, and the run continues.

Exit codes:
    0  the run is finished (with --resume: also if it was before)
    1  an error in the run, such as an impossible state; the message says what
    2  the command line or the model is refused; nothing has been written
   74  the file could not be written to its end, as where the disk is full; with more room, jostle resume or
       the same line with --resume does the rest
   75  stopped by Ctrl-C or SIGTERM; jostle resume, or the same line with --resume, resumes it
  130  ended at once by a second Ctrl-C, or stopped with no checkpoint to resume from";

/// The command line of `jostle run`.
#[derive(clap::Args)]
#[command(after_help = ENDS)]
pub(super) struct RunArguments {
    #[command(flatten)]
    model: ModelArguments,
    /// The file to write; its name ends in .h5md [default: the model's name, in the current
    /// folder].
    #[arg(short, long, value_name = "FILE", display_order = 0)]
    out: Option<PathBuf>,
    /// Replace the file if it exists.
    #[arg(long, display_order = 0)]
    force: bool,
    /// Start the run if the file does not exist, resume it if it was stopped or killed, make it longer
    /// if the model now has a later end, and do nothing otherwise: the same command can be submitted
    /// again and again.
    #[arg(long, conflicts_with = "force", display_order = 0)]
    resume: bool,
    /// Run the model this many times, each with a seed of its own, as a sweep without axes (see
    /// `jostle sweep`): --out names a folder, in which all output files are kept.
    #[arg(
        long,
        value_name = "N",
        display_order = 0,
        value_parser = clap::value_parser!(u32).range(1..=1_000_000),
        conflicts_with_all = ["force", "self_check", "checkpoint", "as_member"]
    )]
    replicas: Option<u32>,
    /// With --replicas: how many runs at a time [default: as many as there are cores].
    #[arg(long, value_name = "N", display_order = 0, requires = "replicas", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// Stop when the process that started this one ends, as `jostle sweep` wants it, and end with
    /// code 75 if an earlier process is still writing the file.
    #[arg(long, hide = true)]
    as_member: bool,
    #[command(flatten)]
    options: RunOptions,
}

/// How a run behaves, new or resumed; results do not depend on it.
#[derive(clap::Args, Clone, Copy)]
pub(super) struct RunOptions {
    /// How often to write a checkpoint, from which `jostle resume` can continue: "10 min" (the
    /// first after 15 s, then less and less often), "1000 steps", "stops" (only when the
    /// run is stopped), "never".
    #[arg(long, value_name = "CADENCE", default_value = "10 min", display_order = 0)]
    checkpoint: Cadence,
    /// Check the state from time to time (overlap, containment, conservation, displacements), and
    /// stop if something is impossible. Takes a few per cent of the time; results do not depend on
    /// it.
    #[arg(long, display_order = 0)]
    self_check: bool,
    /// Stop the run once it takes this much memory: "4 GB" [default: `memory` under `[run]`, or four fifths
    /// of what there is].
    #[arg(long, value_name = "SIZE", value_parser = memory_size, display_order = 0)]
    memory: Option<f64>,
    /// Print nothing but errors.
    #[arg(long, short, display_order = 0)]
    pub(super) quiet: bool,
    /// A finished run of a sweep leaves no checkpoint: what is measured of it is all that counts.
    #[arg(skip)]
    of_sweep: bool,
}

pub(super) fn execute(arguments: RunArguments, verbose: bool) -> Result<(), Failure> {
    let RunArguments { model: given, out, force, resume, replicas, jobs, as_member, options } =
        arguments;
    let options = RunOptions { of_sweep: as_member, ..options };
    if let Some(replicas) = replicas {
        let folder = out.unwrap_or_else(|| default_folder(&given.model));
        let jobs = jobs.map(usize::from);
        return super::sweep::run_replicas(
            &given,
            (replicas, jobs),
            &folder,
            resume,
            options.quiet,
        );
    }
    #[cfg(target_os = "linux")]
    if as_member {
        rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::TERM))
            .map_err(std::io::Error::from)?;
    }
    let model = given.load()?;
    let out = out.unwrap_or_else(|| default_output(&given.model));
    for warning in abridged(model.warnings(), "warnings").iter().filter(|_| !options.quiet) {
        say(paragraph("warning: ", warning).trim_end());
    }
    if resume && out.exists() {
        let done = once::execute(&given, &model, &out, options, verbose);
        return match done {
            // A run that was killed may leave a file that cannot be read: it starts again.
            Err(Failure::Error(Why::Read(_))) if as_member => {
                std::fs::remove_file(&out)?;
                carry(&model, &out, true, None, &options, verbose).map_err(told_to_sweep)
            }
            // What is wrong with what an earlier process has left says nothing about the model.
            done if as_member => done.map_err(|failure| match told_to_sweep(failure) {
                Failure::Error(why @ (Why::Other(_) | Why::Read(_))) => Failure::Machine(why),
                other => other,
            }),
            done => done,
        };
    }
    let done = carry(&model, &out, force, None, &options, verbose);
    if as_member {
        // That particles cannot be placed is a result of the run, unlike a model that cannot be read.
        return done.map_err(|failure| match given.located(told_to_sweep(failure), &model) {
            Failure::Trouble(why) => Failure::Error(why),
            other => other,
        });
    }
    match done {
        Err(Failure::Error(why @ Why::Run(RunError::Record(RecordError::Exists { .. }))))
            if checkpoints_of(&out).iter().any(|path| path.exists()) =>
        {
            let name = out.display();
            let text = "(with --until or --steps a later end, if it is finished)";
            Err(format!("{why}; or resume it: jostle resume {name} {text}").into())
        }
        done => done.map_err(|failure| given.located(failure, &model)),
    }
}

/// What a run of a sweep tells by its exit code: that an earlier process is still busy with it, and
/// that it is not the model's fault.
fn told_to_sweep(failure: Failure) -> Failure {
    match failure {
        Failure::Error(why) if is_taken(&why) => Failure::Stopped,
        Failure::Error(why) if is_of_machine(&why) => Failure::Machine(why),
        other => other,
    }
}

/// What is wrong with the file that a run writes, if that is it.
fn of_record(why: &Why) -> Option<&RecordError> {
    match why {
        Why::Run(RunError::Record(why)) | Why::Record(why) => Some(why),
        _ => None,
    }
}

/// Whether it is not the model's fault: no room on the disk, or too little memory.
fn is_of_machine(why: &Why) -> bool {
    use RecordError::{Create, Gone, Write};
    use RunError::{Checkpoint, GrownTooLarge, Memory, Threads};
    let of_run = |why: &RunError| {
        matches!(why, Memory { .. } | GrownTooLarge(_) | Checkpoint { .. } | Threads { .. })
    };
    let of_record =
        of_record(why).is_some_and(|why| matches!(why, Write { .. } | Create { .. } | Gone { .. }));
    of_record || matches!(why, Why::Io(_)) || matches!(why, Why::Run(why) if of_run(why))
}

/// Whether another process has made the file, or is writing it.
fn is_taken(why: &Why) -> bool {
    of_record(why)
        .is_some_and(|why| matches!(why, RecordError::Busy { .. } | RecordError::Exists { .. }))
}

/// Runs a model, from the start or from a state that was kept, and says how it went.
pub(super) fn carry(
    model: &Model,
    out: &Path,
    force: bool,
    from: Option<Checkpoint>,
    options: &RunOptions,
    verbose: bool,
) -> Result<(), Failure> {
    let &RunOptions { checkpoint, self_check, memory, quiet, of_sweep } = options;
    let (stop, now) = (heed_signals()?, heed_requests()?);
    let mut progress = Progress::new(model, quiet, verbose);
    let reported = &mut |clock| progress.step(clock);
    let stays = model.run.keep_checkpoint && !of_sweep;
    let checkpoints = Checkpoints { every: Some(checkpoint), now: Some(&now), from, stays };
    let options =
        Options { out: Some(out), force, self_check, stop: &stop, progress: reported, checkpoints };
    let done = run_within_memory(model, memory.or(model.run.memory), &stop, options);
    progress.end();
    if let Err(RunError::Record(gone @ RecordError::Gone { .. })) = &done {
        // Not by the usual way, on which the HDF5 library would look for what is gone, for minutes.
        say(&format!("error: {gone}"));
        signal_hook::low_level::exit(1);
    }
    let (summary, memory) = done.map_err(|error| match error {
        RunError::Record(RecordError::Write { .. }) => Failure::Machine(error.into()),
        _ => error.into(),
    })?;
    log_costs(&summary);
    if !quiet {
        write!(crate::cli::printed(), "{summary}")?;
    }
    match summary.ending {
        Ending::Finished if quiet => Ok(()),
        Ending::Finished => {
            let out = out.display();
            writeln!(
                crate::cli::printed(),
                "\nNext: jostle analyse {out}, jostle snapshot {out} --out picture.png"
            )?;
            Ok(())
        }
        Ending::Interrupted | Ending::BrokenOff => {
            say(&interrupted(&summary, out));
            // A queue that starts it again at once would come no further.
            if let Some(reached) = memory {
                return Err(RunError::GrownTooLarge(reached.describe(&summary)).into());
            }
            let can_resume = checkpoints_of(out)[0].exists();
            Err(if can_resume { Failure::Stopped } else { Failure::Interrupted })
        }
    }
}

/// The model's name with .h5md, in the current folder; a file that is run again gets another name.
fn default_output(model: &Path) -> PathBuf {
    let stem = model.file_stem().unwrap_or_default().to_string_lossy();
    PathBuf::from(if is_h5md(model) {
        format!("{stem}_again.h5md")
    } else {
        format!("{stem}.h5md")
    })
}

/// The model's name with _replicas, in the current folder.
fn default_folder(model: &Path) -> PathBuf {
    let stem = model.file_stem().unwrap_or_default().to_string_lossy();
    PathBuf::from(format!("{stem}_replicas"))
}

/// How far it came.
fn interrupted(summary: &Summary, out: &Path) -> String {
    let [done, asked] = summary.steps;
    let kept =
        summary.written.as_ref().map_or(String::new(), |Written { path, frames, .. }| {
            let s = if *frames == 1 { "" } else { "s" };
            format!("; {} is complete, with {frames} frame{s}", path.display())
        });
    let within = match summary.ending {
        Ending::BrokenOff => ", during the next step, which takes long",
        _ => "",
    };
    let next = match checkpoints_of(out)[0].exists() {
        true => format!("; jostle resume {} resumes it", out.display()),
        false => String::new(),
    };
    format!(
        "interrupted after step {done} of {asked}{within}, at {}{kept}{next}",
        time_text(summary.time())
    )
}

/// Where the time went, for those who ask.
fn log_costs(summary: &Summary) {
    for cost in &summary.account.costs {
        log::info!("{cost}");
    }
    log::debug!("{}", summary.account.counts);
}
