//! Sweeps that are planned: what their author should know before hours are spent on runs.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::measure::{self, Trial};
use super::{RESULTS, SweepError};
use crate::{Keep, MeasureTable, Plan, Point, SweepFault, SweepFile};
use jostle_core::words::{bytes_text, wall_text};
use jostle_files::{is_endless, is_unseen, plain_line};
use jostle_model::Model;
use jostle_run::checkpoint::Checkpoints;
use jostle_run::{Ending, Options, forecast, in_pool, run};

/// How long a trial of what is measured runs at most.
const TRIAL: Duration = Duration::from_secs(1);

/// Shorter tasks cost a job scheduler more than they are worth. \[s\]
const SHORT: f64 = 300.0;

/// Plans a sweep in a folder: checks the model at every point, measures a trial, and freezes what was
/// found right. What its author should know comes with the plan.
///
/// # Errors
/// What is wrong with the sweep file, the model at a point or a measure, or if the folder cannot be
/// written or is in use.
pub fn plan(file: &Path, out: &Path) -> Result<(Plan, Vec<SweepFault>), SweepError> {
    let sweep = crate::read(file)?;
    check_folder(out)?;
    let model = file.parent().unwrap_or(Path::new("")).join(&sweep.model);
    if is_endless(&model) {
        let text = "sweep.model names no regular file; give the model file";
        return Err(SweepError::Other(format!("{}: {text}", model.display())));
    }
    check_measures(file, &sweep)?;
    if model.extension().is_some_and(|ending| ending == "h5md") {
        let text = "sweep.model is an output file; name the model file that it was made from";
        return Err(SweepError::Other(format!("{}: {text}", model.display())));
    }
    let notes = try_measures(file, &sweep, &model)?;
    Ok((freeze(&sweep, &model, out)?, notes))
}

/// Refuses names with control characters: in scripts for schedulers a line feed ends the line, and
/// what follows would be a command.
pub(super) fn check_folder(folder: &Path) -> Result<(), SweepError> {
    match folder.to_string_lossy().contains(is_unseen) {
        false => Ok(()),
        true => {
            let text = "the name has a line feed or another character that is not seen; choose another name";
            let name = plain_line(&folder.to_string_lossy());
            Err(SweepError::Refused(format!("{name}: {text}")))
        }
    }
}

/// Checks the model at every point, and freezes the sweep in a folder.
///
/// # Errors
/// If the model is refused at a point, or the folder cannot be written.
pub fn freeze(sweep: &SweepFile, model: &Path, out: &Path) -> Result<Plan, SweepError> {
    check_folder(out)?;
    let first = check_points(model, sweep)?;
    let files: BTreeSet<_> = first.source.files.iter().cloned().collect();
    let files: Vec<_> = files.into_iter().collect();
    let mut sweep = sweep.clone();
    let threads = ("run.threads".to_owned(), sweep.threads.to_string());
    let with_threads = [&sweep.points[0].values[..], &[threads]].concat();
    match jostle_model::load(model, &with_threads) {
        Ok(_) => {}
        // Some engines have no choice of threads.
        Err(_) if sweep.threads == 1 => sweep.threads = 0,
        Err(faults) => return Err(faults.into()),
    }
    let program = (env!("CARGO_PKG_VERSION"), RESULTS);
    Ok(Plan::freeze(&sweep, model, &files, program, out)?)
}

/// Runs the first point for a moment, and measures that: what cannot be measured is refused before
/// hours have been spent on runs. What a trial has too little for is told.
fn try_measures(
    file: &Path,
    sweep: &SweepFile,
    path: &Path,
) -> Result<Vec<SweepFault>, SweepError> {
    // Faults of the model, and particles that cannot be placed, are told later.
    let Ok(model) = jostle_model::load(path, &sweep.points[0].values) else {
        return Ok(Vec::new());
    };
    let folder = tempfile::tempdir()?;
    let out = folder.path().join("trial.h5md");
    let (stop, begun) = (AtomicBool::new(false), Instant::now());
    let mut progress = |_| {
        if begun.elapsed() > TRIAL {
            stop.store(true, Ordering::Relaxed);
        }
    };
    let options = Options {
        out: Some(&out),
        force: false,
        self_check: false,
        stop: &stop,
        progress: &mut progress,
        checkpoints: Checkpoints::default(),
    };
    let Ok(summary) = run(&model, options) else { return Ok(Vec::new()) };
    let is_whole = matches!(summary.ending, Ending::Finished);
    let reading = jostle_analysis::open(&out)?;
    let mut notes = Vec::new();
    for table in &sweep.measures {
        let fault = |why: String| SweepFault {
            name: file.display().to_string(),
            line: Some(table.line),
            message: format!("{}: {why}", table.what),
        };
        match measure::try_out(table, &reading) {
            Trial::Works => {}
            Trial::Refused(why) => return Err(fault(why).into()),
            // A part of a run says nothing about the whole.
            Trial::TooLittle(_) if !is_whole => {}
            Trial::TooLittle(why) => {
                notes.push(fault(format!("a run of point 0 has nothing to measure: {why}")));
            }
        }
    }
    Ok(notes)
}

/// Tells what a sweep will take, line by line, from the first steps of runs at a few of its points.
///
/// # Errors
/// If the model cannot be read.
pub fn foretell(plan: &Plan, folder: &Path) -> Result<Vec<String>, SweepError> {
    let mut lines = Vec::new();
    let last = plan.points().len() - 1;
    let tried = BTreeSet::from([0, last / 2, last]);
    let (mut times, mut memory, mut disk) = (Vec::new(), 0.0_f64, 0.0_f64);
    for &n in &tried {
        let point = &plan.points()[n];
        let member = plan.member(n * plan.replicas() as usize);
        let mut model = jostle_model::load(&plan.model(folder), &point.values)?.seeded(member.seed);
        if plan.threads > 0 {
            model.run.threads = Some(plan.threads);
        }
        match forecast(&model) {
            Ok(forecast) => {
                times.extend(forecast.run_time);
                memory = memory.max(forecast.memory);
                disk = disk.max(forecast.file.map_or(0.0, |parts| parts.iter().sum()));
            }
            Err(why) => {
                lines.push(format!("warning: point {n} ({}): {why}", point.as_options()));
            }
        }
    }
    if times.is_empty() {
        return Ok(lines);
    }
    let mean = times.iter().sum::<f64>() / times.len() as f64;
    let [least, most] = [
        times.iter().copied().fold(f64::INFINITY, f64::min),
        times.iter().copied().fold(0.0, f64::max),
    ];
    let range = match most > 1.2 * least {
        true => format!(" ({} to {} at the points tried)", wall_text(least), wall_text(most)),
        false => String::new(),
    };
    let all = mean * plan.member_count() as f64;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let at_once = (cores / plan.threads.max(1)).max(1);
    lines.push(format!(
        "a run takes about {}{range}, {} of memory and {} of disk; all runs take {}, {at_once} at a time {}",
        wall_text(mean),
        bytes_text(memory),
        bytes_text(disk),
        wall_text(all),
        wall_text(all / at_once as f64)
    ));
    let kept = match plan.keep {
        Keep::None | Keep::Failed => 0,
        Keep::First => plan.points().len(),
        Keep::All => plan.member_count(),
    };
    if kept > 0 {
        lines.push(format!("files that are kept take {}", bytes_text(disk * kept as f64)));
    }
    let of_task = mean * plan.members_of(0).len() as f64;
    if plan.task_count() > 1 && of_task < SHORT {
        let members = (SHORT / mean).ceil().min(plan.member_count() as f64);
        lines.push(format!(
            "note: a task takes about {}; for a cluster, tasks of five minutes or more are better: set \
             task.replicas = {members} or so",
            wall_text(of_task)
        ));
    }
    Ok(lines)
}

fn check_measures(file: &Path, sweep: &SweepFile) -> Result<(), SweepError> {
    let fault = |line, message: String| {
        SweepError::File(SweepFault { name: file.display().to_string(), line: Some(line), message })
    };
    for (n, table) in sweep.measures.iter().enumerate() {
        let name = measure::main_table(table).map_err(|message| fault(table.line, message))?;
        let same = |other: &&MeasureTable| measure::main_table(other).as_ref() == Ok(&name);
        if let Some(other) = sweep.measures[..n].iter().find(same) {
            let message = format!(
                "{name} is measured twice (line {}); give one of them a name of its own, name = \"late\"",
                other.line
            );
            return Err(fault(table.line, message));
        }
    }
    let Some(precision) = &sweep.precision else { return Ok(()) };
    // Tables of analyses are known; their columns are not before something has been measured.
    let tables: Vec<String> = sweep
        .measures
        .iter()
        .flat_map(|table| measure::tables_of(table).unwrap_or_default())
        .collect();
    if !tables.contains(&precision.table) {
        let message = format!(
            "precision.of: no [[measure]] gives a table `{}`; there are {}",
            precision.table,
            tables.join(", ")
        );
        return Err(fault(precision.line, message));
    }
    Ok(())
}

/// Checks the model of every point; that of the first is returned.
fn check_points(model: &Path, sweep: &SweepFile) -> Result<Model, SweepError> {
    let of = |(n, point): (usize, &Point)| match jostle_model::load(model, &point.values) {
        Ok(model) => Ok((n, model)),
        Err(faults) => Err((n, faults)),
    };
    // A key that the model does not know is told once, not for every point.
    let first = of((0, &sweep.points[0]));
    let rest = || {
        let points = sweep.points.par_iter().enumerate().skip(1);
        points.map(|point| of(point).map(drop)).find_first(Result::is_err)
    };
    let found = match first {
        Ok((_, model)) => match in_pool(0, rest)? {
            None | Some(Ok(())) => return Ok(model),
            Some(Err(found)) => found,
        },
        Err(found) => found,
    };
    let (n, faults) = found;
    let options = sweep.points[n].as_options();
    let told = faults.to_string();
    let lines = told.lines().map(|line| match line.starts_with("--set") || options.is_empty() {
        true => format!("point {n}: {line}"),
        false => format!("point {n} ({options}): {line}"),
    });
    let lines: Vec<String> = lines.collect();
    Err(SweepError::Refused(lines.join("\n")))
}
