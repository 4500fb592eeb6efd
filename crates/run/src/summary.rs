//! What a run has done, for people.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::gas::{GasAccount, GasEngine};
use super::granular::Account;
use super::ledger::Deeds;
use super::polygons::PolygonAccount;
use jostle_brownian::{Brownian, Phases, Tally};
use jostle_core::clusters::{size_class, size_class_name};
use jostle_core::observe::Clock;
use jostle_core::particles::Particles;
use jostle_core::rules::{Deed, Scheduled};
use jostle_core::search::Counters;
use jostle_core::words::{bytes_text, column_width, counted, digits, paragraph, time_text, wall_text};
use jostle_events::granular::Granular;
use jostle_model::Model;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// All steps were done.
    Finished,
    /// Somebody stopped it.
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
    /// The length of a step. \[µs\]
    pub timestep: f64,
    /// Bodies of each species: name, at the start, at the end.
    pub population: Vec<(String, usize, usize)>,
    /// How many clusters of each size there are at the end; bodies inside coalesced ones are counted
    /// one by one, and a lone body is a cluster of one.
    pub clusters: BTreeMap<u64, u64>,
    /// What happened.
    pub tally: Tally,
    /// What each rule that changes bodies has done, by name.
    pub deeds: Vec<(String, Deeds)>,
    /// Whether the box has reflecting faces.
    pub walls: bool,
    /// What the search structure did.
    pub counters: Counters,
    /// The search structure, in its own words.
    pub search: String,
    /// Where the time went.
    pub phases: Phases,
    /// Wall time to place the bodies, and to do the steps.
    pub elapsed: [Duration; 2],
    /// Steps times bodies.
    pub body_steps: f64,
    /// What only a granular run has to tell.
    pub granular: Option<Account>,
    /// What only a run of polygons has to tell.
    pub polygons: Option<PolygonAccount>,
    /// What only a run of a disk gas has to tell.
    pub gas: Option<GasAccount>,
    /// What the self-check looked at, if it did.
    pub checked: Option<String>,
    /// What was written.
    pub written: Option<Written>,
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

/// How many bodies there are of each species.
pub(super) fn population<const D: usize>(model: &Model, engine: &Brownian<D>) -> Vec<usize> {
    population_of(model, engine.particles())
}

/// How many of these bodies there are of each species.
pub(super) fn population_of<const D: usize>(model: &Model, particles: &Particles<D>) -> Vec<usize> {
    let mut count = vec![0; model.species.len()];
    for i in (0..particles.len()).filter(|&i| particles.alive[i]) {
        count[particles.species[i] as usize] += 1;
    }
    count
}

fn clusters<const D: usize>(engine: &Brownian<D>) -> BTreeMap<u64, u64> {
    let (particles, clusters) = (engine.particles(), engine.clusters());
    let mut found = BTreeMap::new();
    for slot in particles.slots_by_id() {
        // A unit is counted once, at its first member.
        if clusters.unit_of(particles, slot).is_none_or(|unit| unit.members[0] == slot) {
            *found.entry(u64::from(clusters.size_of(particles, slot))).or_default() += 1;
        }
    }
    found
}

/// What a run leaves for its summary.
pub(super) struct Course {
    pub(super) ending: Ending,
    pub(super) first: Vec<usize>,
    pub(super) deeds: Vec<Deeds>,
    pub(super) elapsed: [Duration; 2],
    pub(super) written: Option<Written>,
    pub(super) checked: Option<String>,
}

impl Summary {
    pub(super) fn new<const D: usize>(model: &Model, engine: &Brownian<D>, course: Course) -> Self {
        let Course { ending, first, deeds, elapsed, written, checked } = course;
        let last = population(model, engine);
        let names = model.species.iter().map(|s| s.name.clone());
        let clock = engine.clock();
        let mean = (first.iter().sum::<usize>() + last.iter().sum::<usize>()) as f64 / 2.0;
        // Setting and switching changes no body.
        let changes = |entry: &Scheduled| matches!(entry.deed, Deed::Add { .. } | Deed::Divide(_));
        let first_scheduled = model.rules.first_scheduled() as usize;
        let reacts = |number: &usize| match number.checked_sub(first_scheduled) {
            Some(n) => model.rules.schedule.get(n).is_some_and(changes),
            None => model.rules.reacts(*number as u16),
        };
        let rules = model.causes().into_iter().zip(deeds).enumerate();
        Self {
            title: model.title.clone(),
            ending,
            steps: [clock.step, model.steps],
            timestep: model.timestep,
            population: names.zip(first).zip(last).map(|((name, first), last)| (name, first, last)).collect(),
            clusters: clusters(engine),
            tally: engine.tally(),
            deeds: rules.filter(|(number, _)| reacts(number)).map(|(_, deeds)| deeds).collect(),
            walls: model.periodic[..model.dimension].contains(&false) || !model.surroundings.is_empty(),
            counters: engine.search().counters(),
            search: super::search_in_words(model, engine),
            phases: engine.phases(),
            elapsed,
            body_steps: clock.step as f64 * mean,
            granular: None,
            polygons: None,
            gas: None,
            checked,
            written,
        }
    }

    /// Of a granular run.
    pub(super) fn of_granular<const D: usize>(
        model: &Model,
        engine: &Granular<D>,
        account: Account,
        course: Course,
    ) -> Self {
        let (clock, search) = (engine.clock(), engine.search().describe());
        Self { granular: Some(account), ..Self::of_steady(model, clock, search, course) }
    }

    /// Of a run of polygons.
    pub(super) fn of_polygons(
        model: &Model,
        clock: Clock,
        search: &str,
        account: PolygonAccount,
        course: Course,
    ) -> Self {
        let body_steps = account.body_steps;
        let all = Self::of_steady(model, clock, search.to_owned(), course);
        Self { polygons: Some(account), body_steps, ..all }
    }

    /// Of a run in which nobody comes or goes.
    fn of_steady(model: &Model, clock: Clock, search: String, course: Course) -> Self {
        let names = model.species.iter().map(|s| s.name.clone());
        Self {
            title: model.title.clone(),
            ending: course.ending,
            steps: [clock.step, model.steps],
            timestep: model.timestep,
            population: names.zip(course.first).map(|(name, count)| (name, count, count)).collect(),
            clusters: BTreeMap::new(),
            tally: Tally::default(),
            deeds: Vec::new(),
            walls: model.periodic[..model.dimension].contains(&false) || !model.surroundings.is_empty(),
            counters: Counters::default(),
            search,
            phases: Phases::default(),
            elapsed: course.elapsed,
            body_steps: 0.0,
            granular: None,
            polygons: None,
            gas: None,
            checked: course.checked,
            written: course.written,
        }
    }

    /// Of a disk gas.
    pub(super) fn of_gas(model: &Model, engine: &GasEngine, account: GasAccount, course: Course) -> Self {
        let body_steps = account.disk_steps;
        let all = Self::of_steady(model, engine.clock(), engine.search_in_words(), course);
        Self { gas: Some(account), body_steps, ..all }
    }

    /// The time that was simulated. \[µs\]
    pub fn time(&self) -> f64 {
        self.steps[0] as f64 * self.timestep
    }

    fn bodies_in_words(&self) -> String {
        let width = column_width(self.population.iter().map(|(name, ..)| name));
        let line = |(name, first, last): &(String, usize, usize)| match first == last {
            true => format!("{name:<width$}  {first}"),
            false => format!("{name:<width$}  {first} at the start, {last} at the end"),
        };
        self.population.iter().map(line).collect::<Vec<_>>().join("\n")
    }

    fn speed_in_words(&self, seconds: f64) -> String {
        let (work, what) = match &self.granular {
            Some(account) => (account.events() as f64, "events"),
            None => (self.body_steps, "body-steps"),
        };
        format!("{} million {what} per second", digits(work / seconds.max(1e-9) / 1e6, 3))
    }

    fn contacts_in_words(&self) -> String {
        let Tally { contacts, wall_contacts, .. } = self.tally;
        let walls = if self.walls { format!(", {wall_contacts} with walls") } else { String::new() };
        format!("{contacts} between bodies{walls}")
    }

    fn reactions_in_words(&self) -> String {
        let width = column_width(self.deeds.iter().map(|(name, _)| name));
        let most = self.deeds.iter().map(|(_, deeds)| deeds.done).max().unwrap_or(0).to_string().len();
        let line = |(name, deeds): &(String, Deeds)| {
            let refused = match deeds.refused {
                0 => String::new(),
                n => format!("  ({n} more found no room)"),
            };
            format!("{name:<width$}  {:>most$}{refused}", deeds.done)
        };
        self.deeds.iter().map(line).collect::<Vec<_>>().join("\n")
    }

    /// By classes of size, and all together.
    fn clusters_in_words(&self) -> String {
        let mut classes: BTreeMap<usize, u64> = BTreeMap::new();
        for (&size, count) in &self.clusters {
            *classes.entry(size_class(size)).or_default() += count;
        }
        let named = classes.iter().map(|(&class, count)| match class {
            0 => format!("{} alone", counted(*count, "body")),
            n => format!("{} of {}", counted(*count, "cluster"), size_class_name(n)),
        });
        let bodies: u64 = self.clusters.iter().map(|(size, count)| size * count).sum();
        let count: u64 = self.clusters.values().sum();
        let largest = self.clusters.last_key_value().map_or(0, |(&size, _)| size);
        let mean = digits(bodies as f64 / count.max(1) as f64, 3);
        let named = named.collect::<Vec<_>>().join(", ");
        format!("{named}\nthe largest holds {largest}; {mean} on average, bodies alone counted in")
    }
}

/// What is said of a rule that often found no room.
fn short_of_room(name: &str, deeds: &Deeds) -> String {
    let share = 100.0 * deeds.refused as f64 / (deeds.done + deeds.refused) as f64;
    format!(
        "\"{name}\" found no room in {} % of the cases in which it was due, and so is that much slower than it should be: \
         where only reactions count, let the bodies pass each other (interactions = \"reactive\"); else take fewer or \
         smaller ones, a larger box, or a product no larger than what it is made of",
        digits(share, 2)
    )
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [done, asked] = self.steps;
        let (ending, of) = match self.ending {
            Ending::Finished => ("finished", String::new()),
            Ending::Interrupted | Ending::BrokenOff => ("interrupted", format!(" of {asked}")),
        };
        writeln!(f, "{}: {ending}\n", self.title)?;
        let mut line = |label: &str, text: &str| f.write_str(&paragraph(&format!("  {label:<14}"), text));
        let time = time_text(self.time());
        let what = if self.granular.is_some() { "beats" } else { "steps" };
        line("simulated", &format!("{time}: {done}{of} {what} of {}", time_text(self.timestep)))?;
        line("bodies", &self.bodies_in_words())?;
        let account = self.granular.map(|account| account.lines());
        let account = account.or_else(|| self.polygons.map(|account| account.lines()));
        match account.or_else(|| self.gas.as_ref().map(|account| account.lines(done))) {
            Some(lines) => lines.iter().try_for_each(|(label, text)| line(label, text))?,
            None => line("contacts", &self.contacts_in_words())?,
        }
        if !self.deeds.is_empty() {
            line("reactions", &self.reactions_in_words())?;
            line("at the end", &self.clusters_in_words())?;
        }
        let [proposed, done] = self.tally.rotations;
        if proposed > 0 {
            let share = digits(100.0 * done as f64 / proposed as f64, 3);
            line("rotations", &format!("{proposed} of clusters proposed, {share} % of them had room"))?;
        }
        if self.tally.too_wide_to_turn > 0 {
            let text = format!(
                "{} times a cluster that spans half of a periodic box, or more, did not turn: it might \
                 have met itself around the box",
                self.tally.too_wide_to_turn
            );
            line("NOTE", &text)?;
        }
        if self.tally.short_of_rate > 0 {
            let text = format!(
                "at {} contacts not even a certain reaction could give the rate that the rule asks \
                 for, as clusters have become larger or slower: take a shorter time step",
                self.tally.short_of_rate
            );
            line("WARNING", &text)?;
        }
        for (name, deeds) in self.deeds.iter().filter(|(_, deeds)| deeds.is_short_of_room()) {
            line("WARNING", &short_of_room(name, deeds))?;
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
