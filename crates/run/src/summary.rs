//! What a run has done, for people.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::header::population;
use super::ledger::RuleCounts;
use jostle_core::engine::Engine;
use jostle_core::observe::EnergyBalance;
use jostle_core::rules::{Scheduled, ScheduledAction};
use jostle_core::words::{
    abridged, bytes_text, column_width, counted, digits, time_text, wall_text,
};
use jostle_events::granular::units::JOULE;
use jostle_files::paragraph;
use jostle_h5md::record::WarningRow;
use jostle_model::Model;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// All steps were done.
    Finished,
    /// It was stopped on request.
    Interrupted,
    /// It was stopped within a step that took long: the state within a step cannot be kept.
    BrokenOff,
}

/// What a run has done.
#[derive(Clone, Debug)]
pub struct Summary {
    /// The model's title.
    pub title: String,
    /// How it ended.
    pub ending: Ending,
    /// Steps done, of those asked for.
    pub steps: [u64; 2],
    /// What steps are called: output intervals where they say no more than when to look.
    pub called: &'static str,
    /// The length of a step. \[µs\]
    pub timestep: f64,
    /// Particles of each species: name, at the start, at the end.
    pub population: Vec<(String, usize, usize)>,
    /// What each rule that changes particles has done, by name.
    pub rule_counts: Vec<(String, RuleCounts)>,
    /// What the engine has to tell.
    pub account: Account,
    /// What its user should know of the results; the file has it, too.
    pub warnings: Vec<String>,
    /// The search structure, in its own words.
    pub search: String,
    /// Wall time to place the particles, and to do the steps.
    pub elapsed: [Duration; 2],
    /// What the self-check looked at, if it did.
    pub checked: Option<String>,
    /// What was written.
    pub written: Option<Written>,
}

/// What an engine has to tell of a run.
#[derive(Clone, Debug)]
pub struct Account {
    /// Label and text, line by line.
    pub lines: Vec<(&'static str, String)>,
    /// Contacts of two particles; of particles that press on each other, those that there are at
    /// the end.
    pub contacts: u64,
    /// How much was done, and what it is counted in.
    pub work: (f64, &'static str),
    /// Where the time went, for those that ask.
    pub costs: Vec<String>,
    /// All that was counted, for those that ask for everything.
    pub counts: String,
}

/// What is known at the end of a run, apart from the state of its engine.
pub(super) struct RunTotals<'a> {
    /// Where the energy was at the start, and is at the end.
    pub(super) balance: [EnergyBalance; 2],
    /// How many particles there were at the start and at the end, on average.
    pub(super) particles: f64,
    /// What each rule has done.
    pub(super) rule_counts: &'a [(String, RuleCounts)],
}

/// A file that a run has written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The file.
    pub path: PathBuf,
    /// How many frames are in it.
    pub frames: u64,
    /// Its size. \[bytes\]
    pub bytes: u64,
}

impl Written {
    pub(super) fn new(path: &Path, frames: u64) -> Self {
        let bytes = std::fs::metadata(path).map_or(0, |meta| meta.len());
        Self { path: path.to_owned(), frames, bytes }
    }
}

/// An energy in words.
pub(super) fn joule(energy: f64) -> String {
    format!("{} J", digits(energy / JOULE, 4))
}

/// What the energy balance at the start and at the end leaves unexplained, over the energy that was
/// turned over. 0 but for rounding and, where forces are followed in steps, the error of the
/// integration.
pub(super) fn imbalance([first, last]: &[EnergyBalance; 2]) -> f64 {
    let sum = |balance: &EnergyBalance| {
        balance.kinetic + balance.potential + balance.elastic + balance.dissipated
    };
    let given = last.wall_work + last.force_work;
    let turned = first.kinetic + last.kinetic + last.dissipated + last.wall_work.abs();
    (sum(last) - sum(first) - given).abs() / turned.max(f64::MIN_POSITIVE)
}

/// What a run leaves for its summary.
pub(super) struct RunRecord {
    pub(super) ending: Ending,
    pub(super) first: Vec<usize>,
    pub(super) rule_counts: Vec<RuleCounts>,
    pub(super) elapsed: [Duration; 2],
    pub(super) warnings: Vec<WarningRow>,
    pub(super) written: Option<Written>,
    pub(super) checked: Option<String>,
    /// Where the energy was at the start, and is at the end.
    pub(super) balance: [EnergyBalance; 2],
}

/// How an engine's steps are called, and what it has to tell of a run.
pub(super) struct Teller<E> {
    pub(super) called: &'static str,
    pub(super) warnings: fn(&Model, &E, &[RuleCounts]) -> Vec<WarningRow>,
    pub(super) account: fn(&Model, &mut E, RunTotals<'_>) -> Account,
}

impl Summary {
    pub(super) fn new<E: Engine<D>, const D: usize>(
        model: &Model,
        engine: &mut E,
        teller: &Teller<E>,
        record: RunRecord,
    ) -> Self {
        let RunRecord { ending, first, rule_counts, elapsed, warnings, written, checked, balance } =
            record;
        let last = population(model, engine.view().particles);
        let particles = (first.iter().sum::<usize>() + last.iter().sum::<usize>()) as f64 / 2.0;
        let rule_counts = of_those_that_react(model, rule_counts);
        let totals = RunTotals { balance, particles, rule_counts: &rule_counts };
        let account = (teller.account)(model, engine, totals);
        let names = model.species.iter().map(|s| s.name.clone());
        Self {
            title: model.title.clone(),
            ending,
            steps: [engine.clock().step, model.run.steps],
            called: teller.called,
            timestep: model.run.timestep,
            population: names
                .zip(first)
                .zip(last)
                .map(|((name, first), last)| (name, first, last))
                .collect(),
            rule_counts,
            account,
            warnings: in_words(model, &warnings),
            search: engine.search_in_words(),
            elapsed,
            checked,
            written,
        }
    }

    /// The time that was simulated. \[µs\]
    pub fn time(&self) -> f64 {
        self.steps[0] as f64 * self.timestep
    }

    fn particles_in_words(&self) -> String {
        let width = column_width(self.population.iter().map(|(name, ..)| name));
        let line = |(name, first, last): &(String, usize, usize)| match first == last {
            true => format!("{name:<width$}  {first}"),
            false => format!("{name:<width$}  {first} at the start, {last} at the end"),
        };
        abridged(self.population.iter().map(line), "species").join("\n")
    }

    fn speed_in_words(&self, seconds: f64) -> String {
        let (work, what) = self.account.work;
        format!("{} million {what} per second", digits(work / seconds.max(1e-9) / 1e6, 3))
    }
}

/// What a run of this model warns of, in words.
pub(super) fn in_words(model: &Model, warnings: &[WarningRow]) -> Vec<String> {
    let names = model.causes();
    warnings.iter().filter_map(|warning| warning.text(&names)).collect()
}

/// Whether a rule, by its number, changes particles.
pub(super) fn reacts(model: &Model, number: usize) -> bool {
    // Setting and switching changes no particle.
    let changes = |entry: &Scheduled| {
        matches!(entry.action, ScheduledAction::Add { .. } | ScheduledAction::Divide(_))
    };
    match number.checked_sub(model.rules().first_scheduled() as usize) {
        Some(n) => model.rules().schedule.get(n).is_some_and(changes),
        None => model.rules().reacts(number as u16),
    }
}

/// What each rule has done, by name, but for those that change no particle.
fn of_those_that_react(model: &Model, rule_counts: Vec<RuleCounts>) -> Vec<(String, RuleCounts)> {
    let rules = model.causes().into_iter().zip(rule_counts).enumerate();
    let those = rules.filter(|(number, _)| reacts(model, *number));
    those.map(|(_, rule_counts)| rule_counts).collect()
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [done, asked] = self.steps;
        let (ending, of) = match self.ending {
            Ending::Finished => ("finished", String::new()),
            Ending::Interrupted | Ending::BrokenOff => ("interrupted", format!(" of {asked}")),
        };
        writeln!(f, "{}: {ending}\n", self.title)?;
        let mut line =
            |label: &str, text: &str| f.write_str(&paragraph(&format!("  {label:<14}"), text));
        let (time, step) = (time_text(self.time()), time_text(self.timestep));
        line("simulated", &format!("{time}: {done}{of} {} of {step}", self.called))?;
        line("particles", &self.particles_in_words())?;
        for (label, text) in &self.account.lines {
            line(label, text)?;
        }
        for text in &self.warnings {
            line("WARNING", text)?;
        }
        if let Some(checked) = &self.checked {
            line("self-check", checked)?;
        }
        let seconds = self.elapsed[1].as_secs_f64();
        line("took", &format!("{}, {}", wall_text(seconds), self.speed_in_words(seconds)))?;
        line("search", &self.search)?;
        if let Some(Written { path, frames, bytes }) = &self.written {
            let (path, size) = (path.display(), bytes_text(*bytes as f64));
            line("written", &format!("{path}, {}, {size}", counted(*frames, "frame")))?;
        }
        Ok(())
    }
}
