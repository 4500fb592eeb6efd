//! `jostle run MODEL --replicas N`: a sweep without axes.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::super::{Failure, ModelArguments, is_h5md};
use super::{merge, run};
use crate::model::{EngineModel, Model};
use crate::sweep::{
    Keep, MeasureTable, Noise, Point, SweepFile, SweepOptions, first_table, freeze, open,
};

/// Plans so many replicas in a folder and runs them, so many at a time; with `resume`, those that are
/// left of a plan.
pub(in crate::cli) fn run_replicas(
    given: &ModelArguments,
    (replicas, jobs): (u32, Option<usize>),
    folder: &Path,
    resume: bool,
    quiet: bool,
) -> Result<(), Failure> {
    if is_h5md(&given.model) {
        let text = "--replicas needs a model file; name the one that this file was made from";
        return Err(format!("{}: {text}", given.model.display()).into());
    }
    let model = given.load()?;
    let sweep = sweep_of(given, replicas, &model)?;
    if resume && folder.exists() {
        let plan = open(folder)?;
        if !plan.is_of(&sweep, &given.model, folder) {
            let text = "a plan of different runs; choose another folder with --out";
            return Err(format!("{}: {text}", folder.display()).into());
        }
    } else {
        freeze(&sweep, &given.model, folder)?;
    }
    run::execute(folder, &SweepOptions::new(jobs, false), quiet)?;
    if quiet {
        return Ok(());
    }
    let plan = open(folder)?;
    let name = first_table(&plan.measures)?;
    let table = crate::sweep::merge(&plan, folder, &name, None)?;
    writeln!(crate::cli::printed(), "\n{}", table.to_short_table(&plan))?;
    merge::say_what_is_left_out(&plan, &table);
    Ok(())
}

/// The sweep of one point: what the command line sets.
fn sweep_of(given: &ModelArguments, replicas: u32, model: &Model) -> Result<SweepFile, Failure> {
    if let Some((key, _)) =
        given.set.iter().find(|(key, _)| key == "run.seed" || key == "run.threads")
    {
        let option = if key == "run.seed" { "--seed" } else { "--threads" };
        return Err(format!("--set {key}: with --replicas, use {option}").into());
    }
    let mut values = given.set.clone();
    values.extend(given.steps.map(|steps| ("run.steps".to_owned(), steps.to_string())));
    values.extend(given.until.clone().map(|until| ("run.until".to_owned(), until)));
    let measures = usual(model).iter().map(|what| MeasureTable {
        what: (*what).to_owned(),
        name: None,
        options: Vec::new(),
        line: 0,
    });
    Ok(SweepFile {
        model: PathBuf::from(given.model.file_name().unwrap_or_default()),
        seed: model.run.seed,
        replicas,
        noise: Noise::Independent,
        points: vec![Point { values }],
        measures: measures.collect(),
        keep: Keep::All,
        members_per_task: Some(1),
        threads: given.threads.unwrap_or(1).max(1),
        precision: None,
        text: String::new(),
    })
}

/// What is measured where nobody says what.
fn usual(model: &Model) -> &'static [&'static str] {
    match model.engine {
        EngineModel::Brownian(_) => &["counts", "rates", "sizes", "displacement"],
        EngineModel::Granular(_) => &["impacts", "energy"],
        EngineModel::Polygons(_) => &["energy", "forces", "stress"],
        EngineModel::Gas(_) => &["counts"],
    }
}
