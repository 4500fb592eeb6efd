//! A run that is advanced step by step, looked at in between, and changed by hand.

mod by_hand;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::checkpoint::{Cadence, Checkpoint};
use super::collect::{Collect, Collected};
use super::drive::{AnyDrive, Controls, Over, Plan};
use super::error::RunError;
use super::ledger::RuleCounts;
use super::memory_guard::{MemoryLimits, PAUSE};
use super::snapshot::Snapshot;
use super::start::start;
use super::summary::{Ending, Summary};
use super::threads::alone;
use jostle_core::observe::{Clock, EnergyBalance};
use jostle_h5md::record::schema::BY_HAND;
use jostle_model::Model;

/// How a simulation is set up. By default it writes nothing and collects nothing.
#[derive(Default)]
pub struct SimulationOptions {
    /// The file to write; none writes nothing.
    pub out: Option<PathBuf>,
    /// Whether an existing file may be replaced.
    pub force: bool,
    /// Whether to look at the state now and then, and to stop at what cannot be. No result depends
    /// on it.
    pub self_check: bool,
    /// Set to stop: after the present step, or within it if it takes long.
    pub stop: Arc<AtomicBool>,
    /// How often the state is kept to resume from; none: never. Whether the last one stays when all
    /// steps are done is said by the model.
    pub keep: Option<Cadence>,
    /// A state to resume from; none: from the start.
    pub from: Option<Checkpoint>,
    /// What is handed over between steps.
    pub collect: Collect,
}

/// A run that is advanced step by step.
///
/// All of it happens on the calling thread, or on threads of its own if the model asks for more
/// than one. Its results, and its file, are those of [`run`](super::run), in whatever portions it
/// is advanced. Dropped, it leaves its file as a stopped run does.
///
/// ```
/// use jostle_run::{Simulation, SimulationOptions};
///
/// let model = "space = { dimension = 2, edges = '100 nm', boundary = 'periodic' }\n\
///              run = { timestep = '1 us', steps = 1000 }\n\
///              [[species]]\nname = 'A'\nradius = '2 nm'\ndiffusion = '1 nm^2/us'\ncount = 20\n";
/// let model = jostle_model::parse(model, "discs", &[])?;
/// let mut simulation = Simulation::new(model, SimulationOptions::default())?;
/// simulation.step(10)?;
/// simulation.run_until(50.0)?;
/// let state = simulation.state()?;
/// assert_eq!((state.step, state.position.len()), (50, 40));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Simulation {
    model: Arc<Model>,
    stop: Arc<AtomicBool>,
    memory: MemoryLimits,
    /// When to look at memory next.
    next_look: Instant,
    clock: Clock,
    /// None once it has ended.
    drive: Option<Box<dyn AnyDrive>>,
    /// What it did, if it ended by being broken off.
    summary: Option<Summary>,
    /// The process that it was created in, to which its threads and its file belong.
    process: u32,
}

impl Simulation {
    /// A simulation at the start of its run, or where the state that it resumes from had come.
    ///
    /// # Errors
    /// If the model cannot be set up, or the file cannot be written.
    pub fn new(model: impl Into<Arc<Model>>, options: SimulationOptions) -> Result<Self, RunError> {
        let model = model.into();
        let SimulationOptions { out, force, self_check, stop, keep, from, collect } = options;
        let (out, by_hand) = (out.as_deref(), model.brownian().is_some());
        let stays = model.run.keep_checkpoint;
        let plan = Plan { out, force, self_check, every: keep, from, stays, collect, by_hand };
        let drive = alone(|| start(&model, plan))??;
        let clock = drive.clock();
        let (drive, process) = (Some(drive), std::process::id());
        let memory = MemoryLimits::new(model.run.memory);
        let (next_look, summary) = (Instant::now(), None);
        let mut simulation =
            Self { model, stop, memory, next_look, clock, drive, summary, process };
        // What went wrong when the start was shown is said at once.
        simulation.step(0)?;
        Ok(simulation)
    }

    /// What it simulates.
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// Set to stop it: after the present step, or within it if it takes long. It is not unset by
    /// itself.
    pub fn stop(&self) -> &Arc<AtomicBool> {
        &self.stop
    }

    /// Where it stands.
    pub fn clock(&self) -> Clock {
        self.clock
    }

    /// Does this many steps. Returns [`Ending::Finished`] if it has, [`Ending::Interrupted`] if it
    /// was stopped before, and [`Ending::BrokenOff`] if it was stopped within a step, after which
    /// it has ended.
    ///
    /// # Errors
    /// If a step fails or the file cannot be written, after which it has ended; or if it had ended
    /// before, or belongs to another process. [`RunError::GrownTooLarge`] if the process takes more
    /// memory than the model's `run.memory`, or four fifths of what the system allows: the simulation
    /// then stands at the end of a step, and [`finish`](Simulation::finish) keeps its file.
    pub fn step(&mut self, steps: u64) -> Result<Ending, RunError> {
        self.advance(self.clock.step.saturating_add(steps), None)
    }

    /// Does all steps up to a time \[µs\]; none if it has passed. Returns as
    /// [`step`](Simulation::step).
    ///
    /// # Errors
    /// As [`step`](Simulation::step), or if the time is not a number.
    pub fn run_until(&mut self, time_us: f64) -> Result<Ending, RunError> {
        self.advance(self.steps_until(time_us)?, None)
    }

    /// The same, and calls `attend` on this thread about every `every` in between, which may set
    /// the flag that stops it.
    ///
    /// # Errors
    /// As [`run_until`](Simulation::run_until).
    pub fn run_until_attended(
        &mut self,
        time_us: f64,
        every: Duration,
        attend: &mut dyn FnMut(Clock),
    ) -> Result<Ending, RunError> {
        self.advance(self.steps_until(time_us)?, Some((every, attend)))
    }

    /// As [`step`](Simulation::step), and calls `attend` on this thread about every `every` in
    /// between, which may set the flag that stops it.
    ///
    /// # Errors
    /// As [`step`](Simulation::step).
    pub fn step_attended(
        &mut self,
        steps: u64,
        every: Duration,
        attend: &mut dyn FnMut(Clock),
    ) -> Result<Ending, RunError> {
        self.advance(self.clock.step.saturating_add(steps), Some((every, attend)))
    }

    fn advance(
        &mut self,
        until: u64,
        attended: Option<(Duration, &mut dyn FnMut(Clock))>,
    ) -> Result<Ending, RunError> {
        let mut attended = attended.map(|(every, attend)| (every, Instant::now() + every, attend));
        loop {
            self.look_at_memory()?;
            let (stop, progress) = (self.stop.clone(), &mut |_| ());
            let next = attended.as_ref().map(|(_, next, _)| *next);
            let pause = Some(next.map_or(self.next_look, |next| next.min(self.next_look)));
            let mut controls = Controls { stop: &stop, keep: None, pause, progress };
            let advanced = self.with(|drive| drive.advance(until, &mut controls))?;
            match advanced {
                Ok(true) => return Ok(Ending::Finished),
                Ok(false) if stop.load(Ordering::Relaxed) => return Ok(Ending::Interrupted),
                Ok(false) => {
                    if let Some((every, next, attend)) = &mut attended
                        && Instant::now() >= *next
                    {
                        attend(self.clock);
                        *next = Instant::now() + *every;
                    }
                }
                Err(Over) => {
                    self.summary = self.end()?;
                    return Ok(Ending::BrokenOff);
                }
            }
        }
    }

    /// Looks now and then at how much memory the process takes.
    fn look_at_memory(&mut self) -> Result<(), RunError> {
        if Instant::now() < self.next_look {
            return Ok(());
        }
        if let Some(reached) = self.memory.reached(self.clock.step > 0) {
            let (causes, counts) = (self.causes(), self.rule_counts()?);
            let rules = causes.iter().map(String::as_str).zip(&counts);
            return Err(RunError::GrownTooLarge(reached.text("", rules)));
        }
        self.next_look = Instant::now() + PAUSE;
        Ok(())
    }

    /// How many steps there are up to a time. One that ends there but for rounding is the last.
    fn steps_until(&self, time_us: f64) -> Result<u64, RunError> {
        if time_us.is_nan() {
            return Err(RunError::setup("the time to run until is not a number"));
        }
        let steps = time_us / self.clock.timestep;
        let nearest = steps.round();
        let is_whole = (steps - nearest).abs() <= ROUNDING * nearest.abs().max(1.0);
        Ok(if is_whole { nearest } else { steps.ceil() } as u64)
    }

    /// The state. The arrays are the caller's.
    ///
    /// # Errors
    /// If it has ended, or belongs to another process.
    pub fn state(&mut self) -> Result<Snapshot, RunError> {
        self.with(|drive| drive.snapshot())
    }

    /// Where the particles are: [`Snapshot::position`], without the rest of the state.
    ///
    /// # Errors
    /// If it has ended, or belongs to another process.
    pub fn positions(&mut self) -> Result<Vec<f64>, RunError> {
        self.with(|drive| drive.positions())
    }

    /// The fingerprint of the state, as files have it: equal for equal states.
    ///
    /// # Errors
    /// If it has ended, or belongs to another process.
    pub fn state_hash(&mut self) -> Result<u64, RunError> {
        self.with(|drive| drive.state_hash())
    }

    /// Where the energy is, in runs of particles that have masses.
    ///
    /// # Errors
    /// If it has ended, or belongs to another process.
    pub fn energy(&mut self) -> Result<Option<EnergyBalance>, RunError> {
        self.with(|drive| drive.balance())
    }

    /// Contacts and changes since the last call, as far as they are collected.
    ///
    /// # Errors
    /// If it has ended, or belongs to another process.
    pub fn collected(&mut self) -> Result<Collected, RunError> {
        self.with(|drive| drive.collected())
    }

    /// How often each cause of changes has applied, and how often it was refused, by
    /// [`causes`](Simulation::causes).
    ///
    /// # Errors
    /// If it has ended, or belongs to another process.
    pub fn rule_counts(&mut self) -> Result<Vec<RuleCounts>, RunError> {
        self.with(|drive| drive.rule_counts().to_vec())
    }

    /// What it would warn of if it ended here, in words: rules that often found no space, and the like.
    ///
    /// # Errors
    /// If it has ended, or belongs to another process.
    pub fn warnings(&mut self) -> Result<Vec<String>, RunError> {
        let model = self.model.clone();
        self.with(|drive| drive.warnings(&model))
    }

    /// The names of what changes the population: rules, entries of the schedule, surfaces that
    /// absorb, and what is done by hand.
    pub fn causes(&self) -> Vec<String> {
        let by_hand = self.model.brownian().map(|_| BY_HAND.to_owned());
        self.model.causes().into_iter().chain(by_hand).collect()
    }

    /// The names of the species, in the order of their numbers.
    pub fn species(&self) -> Vec<SpeciesName> {
        self.model.species.iter().map(|species| SpeciesName::of(&species.name)).collect()
    }

    /// Ends it where it is: as finished if all steps of its model are done, else as one that was
    /// stopped, which can be resumed if its state is kept.
    ///
    /// # Errors
    /// If the file cannot be written, the last look of the self-check sees a fault, it has ended
    /// before, or it belongs to another process.
    pub fn finish(mut self) -> Result<Summary, RunError> {
        if let Some(summary) = self.summary.take() {
            return Ok(summary);
        }
        self.check_process()?;
        self.end()?.ok_or(RunError::Ended)
    }

    /// Closes the file; what was done, unless that has been said before.
    fn end(&mut self) -> Result<Option<Summary>, RunError> {
        let Some(drive) = self.drive.take() else { return Ok(None) };
        let model = &*self.model;
        alone(|| drive.finish(model))?.map(Some)
    }

    /// Works on the run, which is whole before and after. If the work panics, it is not, and the
    /// simulation has ended.
    fn with<T: Send>(
        &mut self,
        work: impl FnOnce(&mut dyn AnyDrive) -> T + Send,
    ) -> Result<T, RunError> {
        self.check_process()?;
        let mut drive = self.drive.take().ok_or(RunError::Ended)?;
        let done = alone(|| work(&mut *drive));
        self.clock = drive.clock();
        self.drive = Some(drive);
        done
    }

    fn check_process(&self) -> Result<(), RunError> {
        match self.process == std::process::id() {
            true => Ok(()),
            false => Err(RunError::Forked { owner: self.process }),
        }
    }
}

/// A time is a whole number of steps if it differs from one by this share.
const ROUNDING: f64 = 1e-9;

impl Drop for Simulation {
    fn drop(&mut self) {
        if self.check_process().is_err() {
            // Its file and its threads are those of the process that it was copied from.
            std::mem::forget(self.drive.take());
        } else if let Err(error) = self.end() {
            log::warn!("{error}");
        }
    }
}

/// The name of a species, and what it consists of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpeciesName {
    /// As in the model and in files: `EGFR{bound}`.
    pub name: String,
    /// Without its states: `EGFR`.
    pub base: String,
    /// The state of each site, where the species has any: `bound`.
    pub states: Vec<String>,
}

impl SpeciesName {
    fn of(name: &str) -> Self {
        let parts = name.strip_suffix('}').and_then(|name| name.split_once('{'));
        let (base, states) = parts.map_or((name, Vec::new()), |(base, states)| {
            (base, states.split(',').map(str::to_owned).collect())
        });
        Self { name: name.to_owned(), base: base.to_owned(), states }
    }
}

#[cfg(test)]
mod tests;
