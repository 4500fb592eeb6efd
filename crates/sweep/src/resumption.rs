//! A run that was stopped or killed, and is resumed.

use std::path::{Path, PathBuf};

use crate::{SweepError, again};
use jostle_analysis::{ReadError, Reading};
use jostle_core::words::time_text;
use jostle_files::plain;
use jostle_h5md::record::{self, Manner, RecordError, Recovery};
use jostle_model::Model;
use jostle_model::schema::{changes_results, settable};
use jostle_run::RunError;
use jostle_run::checkpoint::{Checkpoint, PHYSICS, Preamble, checkpoints_of};

/// A run that was stopped or killed, and how it is to be resumed.
pub struct Resumption {
    /// The model of the run, with what is set now.
    pub model: Model,
    /// The file to write: that of the run, or another one.
    pub out: PathBuf,
    /// The file of the run.
    file: PathBuf,
    /// Its checkpoints, the latest first.
    kept: Vec<PathBuf>,
    /// Whether something is set on which results depend, and whether that is allowed.
    changes: bool,
    changed: bool,
    /// Whether the run is given another end.
    other_end: bool,
}

impl Resumption {
    /// For the run that wrote `file`, which may also be the name of its checkpoint. A file that a
    /// killed run has left is made readable first, which `note` is told.
    ///
    /// # Errors
    /// If there is nothing to resume from, or `overrides` would make another run of it without
    /// being allowed to (`changed`).
    pub fn of(
        file: PathBuf,
        out: Option<PathBuf>,
        overrides: &[(String, String)],
        changed: bool,
        note: &mut dyn FnMut(&str),
    ) -> Result<Self, SweepError> {
        let file = output_of(file);
        let kept: Vec<PathBuf> =
            checkpoints_of(&file).into_iter().filter(|path| path.exists()).collect();
        // What cannot be resumed is left as it is.
        if kept.is_empty() {
            return Err(nothing_kept(&file)?.into());
        }
        mend(&file, note)?;
        let model = model_of(&file, overrides)?;
        let changes = check_changes(overrides, &model, changed)?;
        let reading = jostle_analysis::open(&file)?;
        check_end(&reading, &model)?;
        let unlike = jostle_analysis::settings_unlike(&reading, &model.source.resolved)?;
        let other_end = unlike.iter().any(|setting| is_length(&setting.name));
        let out = out.unwrap_or_else(|| file.clone());
        Ok(Self { model, out, file, kept, changes, changed, other_end })
    }

    /// From where it goes on, and to which end if that is another one.
    pub fn beginning(&self, from: &Preamble) -> String {
        let Preamble { step, time, .. } = from;
        let run = &self.model.run;
        let to = match self.other_end {
            true => {
                let every = run.timestep * self.model.output.frame_every as f64;
                let (until, every) = (time_text(run.duration()), time_text(every));
                format!(", now until {until}; frames are written every {every}, as before")
            }
            false => String::new(),
        };
        format!("resuming from step {step}, at {}{to}", time_text(*time))
    }

    /// Calls `carry` with the latest checkpoint; if that turns out to be damaged, with the one
    /// before.
    ///
    /// # Errors
    /// Those of `carry`, or if no checkpoint serves.
    pub fn attempt<T>(
        &self,
        note: &mut dyn FnMut(&str),
        mut carry: impl FnMut(Checkpoint) -> Result<T, SweepError>,
    ) -> Result<T, SweepError> {
        let mut attempt = |path: &Path| carry(self.checkpoint(path)?);
        match (attempt(&self.kept[0]), self.kept.get(1)) {
            (Err(SweepError::Run(error)), Some(before)) if is_about_the_checkpoint(&error) => {
                note(&plain(&format!("{error}; trying the previous checkpoint")));
                attempt(before)
            }
            (done, _) => done,
        }
    }

    /// A checkpoint, if the run can be resumed from it.
    fn checkpoint(&self, path: &Path) -> Result<Checkpoint, SweepError> {
        let mut from = Checkpoint::open(path, &self.file)?;
        let kept = from.preamble();
        check_physics(path, kept, self.changed)?;
        let (asked, done) = (self.model.run.steps, kept.step);
        if asked < done {
            let path = path.display();
            return Err(format!("{path}: {}", too_early([asked, done], &self.model)).into());
        }
        let other = self.changes || kept.physics != PHYSICS;
        from.manner = if other { Manner::Changed } else { Manner::Exact };
        Ok(from)
    }
}

/// Whether a key says how long the run is.
pub fn is_length(key: &str) -> bool {
    ["run.steps", "run.until"].contains(&key)
}

/// Refuses to resume a finished run that is not to become longer.
fn check_end(reading: &Reading, model: &Model) -> Result<(), SweepError> {
    let info = jostle_analysis::info(reading)?;
    let done = info.runs.last().and_then(|run| u64::try_from(run.step).ok()).unwrap_or(0);
    let asked = model.run.steps;
    if info.status() != "finished" || asked > done {
        return Ok(());
    }
    let time = |steps: u64| time_text(model.run.timestep * steps as f64);
    let text = match asked == done {
        true => format!(
            "the run is finished, at step {done} ({}), and nothing is left to do; a later end makes it longer: --until \
             \"{}\"",
            time(done),
            time(done.saturating_mul(2))
        ),
        false => too_early([asked, done], model),
    };
    Err(format!("{}: {text}", reading.path().display()).into())
}

/// The end that is asked for has passed.
fn too_early(steps: [u64; 2], model: &Model) -> String {
    let [asked, done] =
        steps.map(|n| format!("step {n} ({})", time_text(model.run.timestep * n as f64)));
    format!(
        "the run has already reached {done}, but is to end at {asked}; an end that has passed cannot be set, only a \
         later one"
    )
}

/// Whether a setting changes what is written.
pub fn results_change(key: &str, model: &Model) -> bool {
    let by_search = model.engine.depends_on_search();
    changes_results(key) || key.starts_with("output") || (by_search && key.starts_with("search"))
}

/// Whether what is set makes another run of it; that has to be allowed.
fn check_changes(
    set: &[(String, String)],
    model: &Model,
    changed: bool,
) -> Result<bool, SweepError> {
    let changes = |key: &str| results_change(key, model);
    let Some((key, _)) = set.iter().find(|(key, _)| changes(key)) else { return Ok(false) };
    if !changed {
        let text = "with it the rest would belong to another run; only these can be set here";
        return Err(SweepError::Changed(format!("{key}: {text}: {}", settable())));
    }
    let is_in_state = |key: &str| {
        let may = ["rule.", "gravity", "collisions", "field", "shaking", "search", "output.frame"];
        let allowed = key == "run.seed" || may.iter().any(|start| key.starts_with(start));
        !allowed || key.ends_with(".during")
    };
    if let Some((key, _)) = set.iter().find(|(key, _)| changes(key) && is_in_state(key)) {
        let text = "the checkpoint depends on its old value; only these can be changed: the rates of rules, run.seed, \
                    gravity, collisions, field, shaking and output.frame_every";
        return Err(format!("{key}: {text}").into());
    }
    Ok(true)
}

/// Refuses what another version of the physics has kept, unless that is allowed.
fn check_physics(path: &Path, kept: &Preamble, changed: bool) -> Result<(), SweepError> {
    if kept.physics == PHYSICS || changed {
        return Ok(());
    }
    let text = "results might not be the same to the bit";
    let (its, version, path) = (kept.physics, &kept.version, path.display());
    let by = format!(
        "written by version {version} with physics {its}, but this program has physics {PHYSICS}"
    );
    Err(SweepError::Changed(format!("{path}: {by}: {text}")))
}

/// The output of a run of which perhaps a checkpoint was named.
fn output_of(file: PathBuf) -> PathBuf {
    let name = file.to_string_lossy();
    let stem = name.strip_suffix(".checkpoint").or(name.strip_suffix(".checkpoint.old"));
    match stem {
        Some(stem) if !has_ending(&file, "h5md") => PathBuf::from(format!("{stem}.h5md")),
        _ => file,
    }
}

/// Makes the file of a killed run readable, and says so.
///
/// # Errors
/// If it is no file of a run, or is being written.
pub fn mend(file: &Path, note: &mut dyn FnMut(&str)) -> Result<(), SweepError> {
    let found = match record::recover(file) {
        Err(RecordError::Recover { reason, .. }) => return Err(not_of_a_run(file, &reason).into()),
        found => found?,
    };
    if let Recovery::Mark | Recovery::CutShort { .. } = found {
        let what = match found {
            Recovery::CutShort { .. } => ", and the end of its file is missing",
            _ => "",
        };
        note(&format!("{}: the run was killed{what}; the file is recovered", file.display()));
    }
    Ok(())
}

/// What to name instead of a file that no run has written.
fn not_of_a_run(file: &Path, reason: &str) -> String {
    let name = file.display();
    let text = match has_ending(file, "toml") {
        true => format!(
            "start a model with: jostle run {name}; resume it from the file (.h5md) that it wrote"
        ),
        false => "resume a run from the file (.h5md) that it wrote".to_owned(),
    };
    format!("{name}: {reason}; {text}")
}

/// Why there is nothing to resume from.
fn nothing_kept(file: &Path) -> Result<String, SweepError> {
    let reading = match jostle_analysis::open(file) {
        Err(ReadError::Open { reason, .. }) => return Err(not_of_a_run(file, &reason).into()),
        Err(ReadError::NotHdf5 { .. }) => {
            return Err(not_of_a_run(file, "not an HDF5 file").into());
        }
        opened => opened?,
    };
    let info = jostle_analysis::info(&reading)?;
    let name = file.display();
    let [latest, _] = checkpoints_of(file).map(|path| path.display().to_string());
    Ok(match info.runs.last() {
        Some(run) if info.status() == "finished" => {
            let (step, time) = (run.step, time_text(info.timestep * run.step as f64));
            format!(
                "{name}: the run is finished, at step {step} ({time}), and there is no checkpoint from which it could be \
                 made longer ({latest}): runs of sweeps leave none, nor does --checkpoint never or \
                 run.keep_checkpoint = false; jostle run {name} --until TIME computes all of it again, to the same bits, \
                 for as long as you like"
            )
        }
        _ if info.lost.is_some() => {
            let lost = info.lost.unwrap_or_default();
            format!(
                "{name}: only {lost} are there, and there is no checkpoint to resume from ({latest}); jostle run {name} \
                 starts it again"
            )
        }
        _ => format!(
            "{name}: there is no checkpoint to resume from ({latest}): a run writes one after 15 s, then less and \
             less often up to every 10 min, and when it is stopped, unless it is told otherwise; jostle run \
             {name} starts it again"
        ),
    })
}

/// The model that the file was made from, with what is set now, and with its origin as it was.
fn model_of(file: &Path, overrides: &[(String, String)]) -> Result<Model, SweepError> {
    let mut model = again::model_of(file, overrides)?;
    let reading = jostle_analysis::open(file)?;
    let earlier = reading.overrides()?;
    let earlier = earlier.iter().filter_map(|set| set.split_once('='));
    let source = &mut model.source;
    source.text = reading.model()?.0;
    source.path = reading.model_path()?;
    source.overrides = earlier.map(|(key, value)| (key.into(), value.into())).collect();
    source.overrides.extend_from_slice(overrides);
    Ok(model)
}

/// Whether a run failed because of its checkpoint, so that another one might do.
pub fn is_about_the_checkpoint(error: &RunError) -> bool {
    use RunError::{Checkpoint, Record, Setup};
    matches!(error, Setup(_) | Checkpoint { .. } | Record(RecordError::Resume { .. }))
}

fn has_ending(path: &Path, wanted: &str) -> bool {
    path.extension().is_some_and(|ending| ending == wanted)
}
