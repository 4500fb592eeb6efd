//! Checkpoints: the state of a run, kept now and then, from which it continues as if it had never
//! stopped.
//!
//! What is kept lies in a file of its own beside the output, never in it: the engine's state, how
//! far the output had come ([`Bookmark`]), and what the summary needs. To continue is exact to the
//! bit, with whatever search structure, scheduler and number of threads.

mod cadence;
mod file;

use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

pub use cadence::Cadence;
use cadence::Last;
pub use file::{Preamble, places as checkpoints_of};

use super::error::RunError;
use super::ledger::{Ledger, RuleCounts};
use jostle_core::engine::{Engine, Figure};
use jostle_core::observe::{Clock, EnergyBalance, ObserverError};
use jostle_files::is_endless;
use jostle_h5md::record::{Bookmark, Manner, RecordError};

/// The version of the physics: raised by whatever changes a bit of any result. A state that was
/// kept under another one leads elsewhere.
pub const PHYSICS: u32 = 8;

/// What a run is to do about checkpoints. By default it keeps none.
#[derive(Default)]
pub struct Checkpoints<'a> {
    /// How often to keep the state; none: never.
    pub every: Option<Cadence>,
    /// Set to have the state kept now; it is then unset.
    pub now: Option<&'a AtomicBool>,
    /// Where to resume from; none: from the start.
    pub from: Option<Checkpoint>,
    /// Whether the last state of a run stays when the run is finished, so that it can be made longer.
    pub stays: bool,
}

/// A state that was kept, to resume from.
pub struct Checkpoint {
    /// The file that it lies in.
    pub path: PathBuf,
    /// The output of the run that it was kept of.
    pub out: PathBuf,
    /// How the run continues.
    pub manner: Manner,
    lock: File,
    opened: file::Opened,
}

impl Checkpoint {
    /// Opens a state that was kept of the run that wrote `out`.
    ///
    /// # Errors
    /// If it cannot be read, or another program resumes from it at this moment.
    pub fn open(path: &Path, out: &Path) -> Result<Self, RunError> {
        let said = |reason: String| RunError::Checkpoint { path: path.to_owned(), reason };
        if is_endless(path) {
            return Err(said("this is not a regular file".into()));
        }
        // Network file systems lock only what may be written.
        let lock =
            OpenOptions::new().read(true).write(true).open(path).or_else(|_| File::open(path));
        let lock = lock.map_err(|error| said(error.to_string()))?;
        if let Err(TryLockError::WouldBlock) = lock.try_lock() {
            return Err(RecordError::Busy { path: path.to_owned() }.into());
        }
        let opened = file::open(path).map_err(said)?;
        Ok(Self { lock, path: path.to_owned(), out: out.to_owned(), manner: Manner::Exact, opened })
    }

    /// What it says about itself.
    pub fn preamble(&self) -> &Preamble {
        &self.opened.preamble
    }

    /// The engine's state, and all the rest.
    pub(super) fn take<S: DeserializeOwned>(
        self,
        engine: &str,
        dimension: usize,
    ) -> Result<(S, Start), RunError> {
        let Self { path, out, manner, lock, opened } = self;
        let refuse = |reason: String| RunError::Checkpoint { path: path.clone(), reason };
        let preamble = &opened.preamble;
        if (preamble.engine.as_str(), preamble.dimension) != (engine, dimension) {
            let Preamble { engine: other, dimension: its, .. } = preamble;
            let what = format!(
                "it belongs to a {other:?} run in {its} dimensions, but this is a {engine} run in {dimension}"
            );
            return Err(refuse(what));
        }
        let clock_step = preamble.step;
        let kept: Kept<'static, S> = opened.state().map_err(refuse)?;
        let Kept { history, bookmark, state } = kept;
        log::info!("{}: step {clock_step}", path.display());
        Ok((
            state,
            Start {
                history,
                continued: Some(Continued { out, kept: path, bookmark, manner, _lock: lock }),
            },
        ))
    }
}

/// What the summary needs of the time before. The figures of a resumed run are those of its engine,
/// and what was taken before beyond what the engine's state counts.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct History {
    /// How many particles of each species there were at the start.
    pub(super) first: Vec<usize>,
    /// The energy balance at the start.
    pub(super) balance: Option<EnergyBalance>,
    /// What each rule has done.
    pub(super) rule_counts: Vec<RuleCounts>,
    /// How long the engine has worked, on the clock on the wall.
    pub(super) worked: Duration,
    /// What the run has taken, by the figures of its engine.
    took: Vec<f64>,
}

/// How a run starts: from the beginning, or where another one had come.
#[derive(Default)]
pub(super) struct Start {
    pub(super) history: History,
    pub(super) continued: Option<Continued>,
}

impl Start {
    /// From the beginning, with so many particles of each species, and this energy balance.
    pub(super) fn of(first: Vec<usize>, balance: Option<EnergyBalance>) -> Self {
        Self { history: History { first, balance, ..History::default() }, continued: None }
    }
}

/// The output that a run resumes.
pub(super) struct Continued {
    pub(super) out: PathBuf,
    /// Where the state lies that it resumes from.
    pub(super) kept: PathBuf,
    pub(super) bookmark: Bookmark<'static>,
    pub(super) manner: Manner,
    /// Until the output is in its place.
    _lock: File,
}

#[derive(Serialize, Deserialize)]
struct Kept<'a, S> {
    history: History,
    bookmark: Bookmark<'a>,
    state: S,
}

/// Whether a figure of two parts of a run is that of both together when added up; what is held is
/// not.
fn adds_up(name: &str) -> bool {
    !name.ends_with("(bytes)")
}

/// Keeps the state of a run when it is time.
pub(super) struct Keeper<E> {
    cadence: Cadence,
    last: Last,
    history: History,
    /// What was taken before this engine began, beyond what it knows of: a figure each.
    before: Vec<f64>,
    /// When the work began that is not counted yet; none while the run pauses.
    begun: Option<Instant>,
    /// The word for what moves the particles.
    engine: &'static str,
    /// What the engine has taken, by name, when it has worked for so long.
    figures: fn(&E, Duration) -> Vec<Figure>,
}

impl<E> Keeper<E> {
    /// Of a run that starts with this engine, which is called `word`.
    pub(super) fn new<const D: usize>(
        every: Option<Cadence>,
        history: History,
        word: &'static str,
        figures: fn(&E, Duration) -> Vec<Figure>,
        engine: &E,
    ) -> Self
    where
        E: Engine<D>,
    {
        let cadence = every.unwrap_or(Cadence::Never);
        // An engine continues counting some things, and others from 0.
        let known = figures(engine, history.worked);
        let beyond =
            |(took, (name, known)): (&f64, &Figure)| if adds_up(name) { took - known } else { 0.0 };
        let before = history.took.iter().zip(&known).map(beyond).collect();
        let last = Last::at_start(engine.clock());
        Self { cadence, last, history, before, begun: None, engine: word, figures }
    }

    /// Does a part of the run, whose time counts.
    pub(super) fn work<T>(&mut self, part: impl FnOnce(&mut Self) -> T) -> T {
        self.begun = Some(Instant::now());
        let done = part(self);
        self.history.worked = self.worked();
        self.begun = None;
        done
    }

    /// What the run has taken since its start, by the figures of its engine.
    pub(super) fn took(&self, engine: &E) -> Vec<f64> {
        let figures = (self.figures)(engine, self.worked()).into_iter();
        let before = self.before.iter().copied().chain(std::iter::repeat(0.0));
        figures.zip(before).map(|((_, figure), before)| figure + before).collect()
    }

    /// How long the engine has worked since the start of the first run.
    pub(super) fn worked(&self) -> Duration {
        let present = self.begun.map_or(Duration::ZERO, |begun| begun.elapsed());
        self.history.worked.saturating_add(present)
    }

    /// What there was at the start.
    pub(super) fn into_history(self) -> History {
        self.history
    }

    /// Whether the state is to be kept now, or was asked for.
    pub(super) fn is_due(&self, clock: Clock, now: Option<&AtomicBool>) -> bool {
        let asked = now.is_some_and(|now| now.swap(false, Ordering::Relaxed));
        asked || self.last.is_long_ago(self.cadence, clock)
    }

    /// Whether the state of a run that is stopped is kept.
    pub(super) fn keeps_at_stops(&self) -> bool {
        self.cadence != Cadence::Never
    }

    /// Keeps the state, with how far the output had come, which `bookmark` tells. A run does not end
    /// because its state could not be kept, but for the output itself.
    pub(super) fn keep<'a, const D: usize>(
        &mut self,
        engine: &E,
        ledger: &Ledger,
        bookmark: impl FnOnce(Clock) -> Result<Option<(&'a Path, Bookmark<'a>)>, RecordError>,
    ) -> Result<(), ObserverError>
    where
        E: Engine<D>,
    {
        let begun = Instant::now();
        let kept = bookmark(engine.clock()).map(|output| {
            output.into_iter().for_each(|output| self.write(engine, ledger, output));
        });
        // Not from when it began: a state that takes long to write is not all that the run does.
        self.last = self.last.kept(engine.clock(), begun.elapsed());
        Ok(kept?)
    }

    fn write<const D: usize>(
        &self,
        engine: &E,
        ledger: &Ledger,
        (out, bookmark): (&Path, Bookmark<'_>),
    ) where
        E: Engine<D>,
    {
        let clock = engine.clock();
        let (rule_counts, worked, took) = (ledger.0.clone(), self.worked(), self.took(engine));
        let history = History { rule_counts, worked, took, ..self.history.clone() };
        let preamble = Preamble::new(self.engine, D, clock.step, clock.time());
        let kept = Kept { history, bookmark, state: engine.state() };
        let (step, [latest, _]) = (clock.step, file::places(out));
        match file::write(out, &preamble, &kept) {
            Ok(()) => log::info!("the state after step {step} is kept in {}", latest.display()),
            Err(error) => log::warn!(
                "the state after step {step} could not be saved in {}: {error}; the run continues",
                latest.display()
            ),
        }
    }
}

/// The run whose output was `from` continues in the file `out`, from the state in `kept`. What else
/// is kept by that name leads nowhere: it belongs to a file that was there before, or is damaged,
/// and is not to take the place of what is not.
pub(super) fn settle(out: &Path, from: &Path, kept: &Path) {
    let [latest, before] = file::places(from);
    if out != from {
        forget(out);
    } else if kept == before
        && let Err(error) = std::fs::remove_file(&latest)
        && error.kind() != std::io::ErrorKind::NotFound
    {
        log::warn!("{}: {error}", latest.display());
    }
}

/// Removes the checkpoint of the run that writes `out`, which starts again or will not be made longer.
pub(super) fn forget(out: &Path) {
    file::remove(out);
}

/// Takes away all but the last state of a run that has written `out` and is finished.
pub(super) fn leave_last(out: &Path) {
    file::remove_all_but_latest(out);
}
