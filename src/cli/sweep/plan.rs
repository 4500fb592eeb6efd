//! `jostle sweep plan`.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;

use rayon::prelude::*;

use super::super::{Failure, is_h5md};
use super::{RESULTS, measure};
use crate::model::{self, Model};
use jostle_sweep::{Plan, Point, SweepFault, SweepFile};

/// Fewer runs than this in a task cost a scheduler more than they are worth; more tasks than this
/// are more than many sites allow.
const MANY_TASKS: usize = 1000;

pub(super) fn carry_out(file: &Path, out: &Path) -> Result<(), Failure> {
    let sweep = jostle_sweep::read(file).map_err(refused)?;
    let model = file.parent().unwrap_or(Path::new("")).join(&sweep.model);
    check_measures(file, &sweep)?;
    if is_h5md(&model) {
        let text = "sweep.model is an output file; name the model file that it was made from";
        return Err(format!("{}: {text}", model.display()).into());
    }
    let first = check_points(&model, &sweep)?;
    let files: BTreeSet<_> = first.source.files.iter().cloned().collect();
    let files: Vec<_> = files.into_iter().collect();
    let program = (env!("CARGO_PKG_VERSION"), RESULTS);
    let plan = Plan::freeze(&sweep, &model, &files, program, out)?;
    let mut to = std::io::stdout().lock();
    let (points, members, tasks) = (plan.points().len(), plan.member_count(), plan.task_count());
    writeln!(
        to,
        "{points} {}, {} {} of each: {members} runs in {tasks} {}",
        plural("point", points),
        plan.replicas(),
        plural("replica", plan.replicas() as usize),
        plural("task", tasks)
    )?;
    writeln!(to, "-> {}", out.display())?;
    if tasks > MANY_TASKS {
        writeln!(
            to,
            "warning: many clusters allow no more than {MANY_TASKS} tasks at a time; set task.replicas"
        )?;
    }
    writeln!(to, "\nNext: jostle sweep run {}", out.display())?;
    Ok(())
}

fn plural(word: &str, count: usize) -> String {
    if count == 1 { word.to_owned() } else { format!("{word}s") }
}

/// The sweep file is refused.
fn refused(fault: SweepFault) -> Failure {
    Failure::Trouble(fault.into())
}

fn check_measures(file: &Path, sweep: &SweepFile) -> Result<(), Failure> {
    let fault = |line, message: String| {
        refused(SweepFault { name: file.display().to_string(), line: Some(line), message })
    };
    for (n, table) in sweep.measures.iter().enumerate() {
        measure::understood(table).map_err(|message| fault(table.line, message))?;
        if let Some(other) = sweep.measures[..n].iter().find(|other| other.what == table.what) {
            let message = format!("{} is measured twice (line {})", table.what, other.line);
            return Err(fault(table.line, message));
        }
    }
    Ok(())
}

/// Checks the model of every point; that of the first is returned.
fn check_points(model: &Path, sweep: &SweepFile) -> Result<Model, Failure> {
    let of = |(n, point): (usize, &Point)| match model::load(model, &point.values) {
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
        Ok((_, model)) => match rest() {
            None | Some(Ok(())) => return Ok(model),
            Some(Err(found)) => found,
        },
        Err(found) => found,
    };
    let (n, faults) = found;
    let options = sweep.points[n].as_options();
    let text = format!("point {n} ({options}) has no valid model\n{faults}");
    Err(Failure::Trouble(text.into()))
}
