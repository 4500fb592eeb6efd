//! A model file becomes an engine, and an engine a file.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use super::checkpoint::{self, Checkpoints};
use super::drive::{AnyDrive, Controls, Drive, Plan};
use super::error::RunError;
use super::gas;
use super::summary::Summary;
use super::threads::in_pool;
use jostle_core::observe::Clock;
use jostle_files::Inputs;
use jostle_model::{EngineModel, Model};

/// How a model is to be run.
pub struct Options<'a> {
    /// The file to write; none writes nothing.
    pub out: Option<&'a Path>,
    /// Whether an existing file may be replaced.
    pub force: bool,
    /// Whether to look at the state now and then, and to stop at what cannot be. No result depends
    /// on it.
    pub self_check: bool,
    /// Set to stop the run: after the present step, or within it if it takes long.
    pub stop: &'a AtomicBool,
    /// Told at the start, once what is to be written has begun, and after each step.
    pub progress: &'a mut (dyn FnMut(Clock) + Send),
    /// Whether states are kept to resume from, and whether this run resumes from one.
    pub checkpoints: Checkpoints<'a>,
}

/// Runs `model` to its end, or until it is told to stop.
///
/// ```
/// use jostle_run::{Ending, Options, run};
/// use std::sync::atomic::AtomicBool;
///
/// let text = "space = { dimension = 2, edges = '100 nm' }\n\
///             run = { timestep = '1 us', steps = 100 }\n\
///             [[species]]\nname = 'A'\nradius = '2 nm'\ndiffusion = '1 nm^2/us'\ncount = 20\n\
///             [[rule]]\nname = 'decay'\nreaction = 'A -> 0'\nrate = '10 /us'\n";
/// let model = jostle_model::parse(text, "discs", &[])?;
/// let options = Options {
///     out: None, // or a file, which `jostle_analysis` reads
///     force: false,
///     self_check: true,
///     stop: &AtomicBool::new(false),
///     progress: &mut |_| (),
///     checkpoints: Default::default(),
/// };
/// let summary = run(&model, options)?;
/// assert_eq!((summary.ending, summary.steps), (Ending::Finished, [100, 100]));
/// // Name, at the start, at the end: after a thousand lives of a particle, none is left.
/// assert_eq!(summary.population, [("A".to_owned(), 20, 0)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the model cannot be set up, a step fails, or the file cannot be written.
pub fn run(model: &Model, options: Options<'_>) -> Result<Summary, RunError> {
    let Options { out, force, self_check, stop, progress, checkpoints } = options;
    let Checkpoints { every, now, from, stays } = checkpoints;
    let plan = Plan { out, force, self_check, every, from, stays, ..Plan::default() };
    in_pool(1, move || {
        let mut drive = start(model, plan)?;
        progress(drive.clock());
        let mut controls = Controls { stop, keep: now, pause: None, progress };
        // What ends it before its time is said at the end.
        drive.advance(model.run.steps, &mut controls).ok();
        drive.finish(model)
    })?
}

/// Starts a run: the engine is set up, and what is to be written has begun.
pub(super) fn start(model: &Model, plan: Plan<'_>) -> Result<Box<dyn AnyDrive>, RunError> {
    plan.out.map_or(Ok(()), |out| spare_inputs(model, out))?;
    Ok(match &model.engine {
        EngineModel::Brownian(brownian) => match model.space.dimension {
            1 => Box::new(Drive::<_, 1>::start(model, &**brownian, plan)?),
            2 => Box::new(Drive::<_, 2>::start(model, &**brownian, plan)?),
            _ => Box::new(Drive::<_, 3>::start(model, &**brownian, plan)?),
        },
        EngineModel::Granular(granular) => match model.space.dimension {
            1 => Box::new(Drive::<_, 1>::start(model, &**granular, plan)?),
            2 => Box::new(Drive::<_, 2>::start(model, &**granular, plan)?),
            _ => Box::new(Drive::<_, 3>::start(model, &**granular, plan)?),
        },
        EngineModel::Polygons(polygons) => Box::new(Drive::start(model, &**polygons, plan)?),
        EngineModel::Gas(gas) => gas::start_run(model, gas, plan)?,
    })
}

/// Refuses to write a file that the model is read from, or one whose checkpoints would replace such a
/// file.
fn spare_inputs(model: &Model, out: &Path) -> Result<(), RunError> {
    let inputs = Inputs::of(model.source.inputs());
    let written = checkpoint::checkpoints_of(out);
    match [out].into_iter().chain(written.iter().map(PathBuf::as_path)).find(|p| inputs.contain(p))
    {
        Some(input) => Err(RunError::Input { path: input.to_owned() }),
        None => Ok(()),
    }
}
