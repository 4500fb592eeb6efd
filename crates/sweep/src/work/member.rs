//! One run of a sweep: a process of its own, which stops, resumes and fails by itself.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::measure;
use crate::{Keep, Member, MemberResult, Outcome, Plan};
use jostle_core::words::abridged;
use jostle_h5md::record;

/// The shortest and the longest time between two looks whether a run has ended.
const LOOKS: [Duration; 2] = [Duration::from_millis(1), Duration::from_millis(50)];

/// The exit code of a run that is to be started again.
const AGAIN: i32 = 75;

/// The exit code of a run that failed for a reason that says nothing about its model.
const OF_MACHINE: i32 = 74;

/// The exit code of a run whose model is refused, or cannot be read.
const REFUSED: i32 = 2;

/// What starts the program, if that is not the executable of this process.
static PROGRAM: OnceLock<Vec<OsString>> = OnceLock::new();

/// Says what starts the program where the executable of this process is another one, such as
/// Python: a command and its first arguments, which those of the program follow. Only the first call
/// has an effect.
pub fn set_program(command: Vec<OsString>) {
    let _ = PROGRAM.set(command);
}

/// A command that starts the program.
fn program() -> io::Result<Command> {
    let Some([first, arguments @ ..]) = PROGRAM.get().map(Vec::as_slice) else {
        return Ok(Command::new(std::env::current_exe()?));
    };
    let mut command = Command::new(first);
    command.args(arguments);
    Ok(command)
}

/// What a member came to, and a claim to its file, which no other program may replace before it is
/// where it is kept.
pub(super) type Measured = (MemberResult, Option<fs::File>);

/// Runs a member, unless it is stopped, and measures it.
pub(super) fn run(
    plan: &Plan,
    folder: &Path,
    member: Member,
    work: &Path,
    stop: &AtomicBool,
) -> io::Result<Option<Measured>> {
    let file = file_of(member, work);
    let (status, errors) = loop {
        let mut child = command(plan, folder, member, &file)?.spawn()?;
        // Not into a file: the disk may be full.
        let errors = child.stderr.take().map(|from| std::thread::spawn(|| said(from)));
        let status = wait(child, stop)?;
        let errors = errors.and_then(|errors| errors.join().ok()).unwrap_or_default();
        if status.code() != Some(AGAIN) || stop.load(Ordering::Relaxed) {
            break (status, errors);
        }
        // If we were killed, the run that we had started may need a moment to end.
        std::thread::sleep(LOOKS[1]);
    };
    let mut warnings = Vec::new();
    let claim = record::hold(&file);
    let outcome = match status.code() {
        Some(0) => {
            let reading = jostle_analysis::open(&file).map_err(io::Error::other)?;
            is_finished(&reading)?;
            warnings = abridged(
                jostle_analysis::warnings(&reading).map_err(io::Error::other)?,
                "warnings",
            );
            match measure::tables(&reading, &plan.measures, plan.threads)? {
                Ok(tables) => Outcome::Tables(tables),
                Err(why) => Outcome::Failed(why),
            }
        }
        Some(AGAIN | 130) => return Ok(None),
        // The models of all points were valid when the sweep was planned.
        Some(OF_MACHINE | REFUSED) => {
            let Member { point, replica, .. } = member;
            let text = format!(
                "point {point}, replica {replica}: {errors}; nothing is recorded, and the task can be run again \
                 (to start it from the beginning, remove {})",
                work.display()
            );
            return Err(io::Error::other(text));
        }
        Some(_) => Outcome::Failed(errors),
        None if stop.load(Ordering::Relaxed) => return Ok(None),
        // That is no property of the model: the run may succeed where there is more memory.
        None => {
            let text = format!(
                "the run of point {}, replica {} was killed ({status}); is there enough memory?",
                member.point, member.replica
            );
            return Err(io::Error::other(text));
        }
    };
    Ok(Some((MemberResult { warnings, ..MemberResult::new(member, outcome) }, claim)))
}

/// Refuses to measure a file that does not hold all of the run.
fn is_finished(reading: &jostle_analysis::Reading) -> io::Result<()> {
    let info = jostle_analysis::info(reading).map_err(io::Error::other)?;
    if info.status() == "finished" {
        return Ok(());
    }
    let text = match &info.lost {
        Some(lost) => format!("only {lost} are there"),
        None => format!("the run is over, but the file says \"{}\"", info.status()),
    };
    let path = reading.path().display();
    Err(io::Error::other(format!(
        "{path}: {text}; nothing is recorded, and the task can be run again"
    )))
}

/// The output file of a member while its task runs.
fn file_of(member: Member, work: &Path) -> PathBuf {
    work.join(member.file_name())
}

/// The command line of a member; what it prints goes nowhere.
fn command(plan: &Plan, folder: &Path, member: Member, file: &Path) -> io::Result<Command> {
    let mut command = program()?;
    command.arg("run").arg(plan.model(folder)).arg("--out").arg(file);
    command.args(["--resume", "--as-member", "--quiet", "--seed"]).arg(member.seed.to_string());
    if plan.threads > 0 {
        command.arg("--threads").arg(plan.threads.to_string());
    }
    for (key, value) in &plan.points()[member.point].values {
        command.arg("--set").arg(format!("{key}={value}"));
    }
    // Ctrl-C is for us: we ask the run to stop, once.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    Ok(command)
}

/// What a run that failed has said.
fn said(mut from: impl io::Read) -> String {
    let mut bytes = Vec::new();
    // What has been read before an error is better than nothing.
    let _ = from.read_to_end(&mut bytes);
    let text = String::from_utf8_lossy(&bytes);
    let is_warning = |line: &str| line.starts_with("warning:") || line.starts_with("[WARN");
    let lines: Vec<&str> = text.lines().filter(|line| !is_warning(line)).collect();
    lines.join("\n").trim_start_matches("error: ").to_owned()
}

/// Waits for the end of a run, which is asked to stop if we are.
fn wait(mut child: Child, stop: &AtomicBool) -> io::Result<ExitStatus> {
    let begun = Instant::now();
    let mut asked = false;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if stop.load(Ordering::Relaxed) && !asked {
            asked = true;
            #[cfg(unix)]
            if let Some(pid) = rustix::process::Pid::from_raw(child.id() as i32) {
                // It may have ended by itself in this moment.
                let _ = rustix::process::kill_process(pid, rustix::process::Signal::TERM);
            }
            #[cfg(not(unix))]
            child.kill()?;
        }
        std::thread::sleep((begun.elapsed() / 100).clamp(LOOKS[0], LOOKS[1]));
    }
}

/// Keeps the output file of a member that is done, or removes it. Done twice, it does no harm.
pub(super) fn keep(
    plan: &Plan,
    folder: &Path,
    member: Member,
    work: &Path,
    outcome: &Outcome,
) -> io::Result<()> {
    let file = file_of(member, work);
    let is_kept = match plan.keep {
        Keep::None => false,
        Keep::First => member.replica == 0,
        Keep::Failed => matches!(outcome, Outcome::Failed(_)),
        Keep::All => true,
    };
    if !file.exists() {
        return Ok(());
    }
    if !is_kept {
        return fs::remove_file(file);
    }
    let to = plan.kept_path(folder, member);
    to.parent().map_or(Ok(()), fs::create_dir_all)?;
    fs::rename(file, to)
}
