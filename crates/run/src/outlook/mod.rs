//! How the numbers of a run develop, were everything well mixed: for what `jostle check` says of
//! events, growth, time and memory. An estimate, of which nothing in a run depends.

mod channels;
mod solve;
mod sparse;
#[cfg(test)]
mod tests;

use channels::{Channel, Channels, Law};

use std::collections::BTreeSet;

use jostle_core::rules::{Chance, Division, Observable, RuleSet, ScheduledAction};
use jostle_core::space::ball_volume;
use jostle_core::species::Species;
use jostle_model::{Model, measure};

/// How the numbers of a run develop.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outlook {
    /// How often each rule applies, by its number, and then how often each surface takes a particle on.
    pub events: Vec<f64>,
    /// Particles of each species at the end.
    pub last: Vec<f64>,
    /// When there are more particles than memory has room for; never, if there is none. \[µs\]
    pub outgrows: Option<f64>,
    /// From time to time.
    pub(super) record: Vec<Moment>,
}

/// How things stand at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Moment {
    /// \[µs\]
    pub(super) time: f64,
    pub(super) particles: f64,
    pub(super) bonds: f64,
    /// How many slots particles take in a file, which are kept for each species.
    pub(super) slots: f64,
}

impl Outlook {
    /// The most particles at any time.
    pub fn most(&self) -> f64 {
        self.record.iter().map(|moment| moment.particles).fold(0.0, f64::max)
    }

    /// How far the outlook reaches: to the end, or until memory is full. \[µs\]
    pub(super) fn until(&self) -> f64 {
        self.record.last().map_or(0.0, |last| last.time)
    }

    /// The mean over time of what follows from how things stand.
    pub(super) fn mean(&self, of: impl Fn(&Moment) -> f64) -> f64 {
        let whole = self.until();
        let parts =
            self.record.windows(2).map(|w| (w[1].time - w[0].time) * 0.5 * (of(&w[0]) + of(&w[1])));
        if whole > 0.0 { parts.sum::<f64>() / whole } else { self.record.first().map_or(0.0, of) }
    }
}

/// Particles that crowd each other out grow no denser than this, as a share of their room.
const FULL: f64 = 0.5;

/// How the numbers develop from these, if there is memory for so many particles.
pub(super) fn outlook(model: &Model, count: &[usize], most: f64) -> Outlook {
    let mut run = Run::of(model, count);
    run.note();
    let end = model.run.duration();
    for (time, entry) in stops(model, end) {
        run.advance(time, most);
        if run.out.outgrows.is_some() {
            break;
        }
        if let Some(entry) = entry {
            run.execute(entry);
            run.note();
        }
    }
    Outlook { last: run.numbers[..count.len()].to_vec(), ..run.out }
}

/// An entry that recurs more often than this is taken for one that does not recur after.
const MOST_TIMES: u32 = 10_000;
/// How often the rates that depend on numbers are worked out.
const MOST_SCALED: f64 = 200.0;

/// When windows open and close, when entries of the schedule (by their place) are due, and the end.
/// \[µs\]
fn stops(model: &Model, end: f64) -> Vec<(f64, Option<usize>)> {
    let RuleSet { contact, timed, schedule, .. } = model.rules();
    let windows =
        contact.iter().map(|rule| &rule.windows).chain(timed.iter().map(|rule| &rule.windows));
    let mut stops: Vec<_> = windows.flatten().flatten().map(|&time| (time, None)).collect();
    for (n, entry) in schedule.iter().enumerate() {
        let scales = matches!(entry.action, ScheduledAction::Scale { .. });
        let (times, every) = match entry.every {
            // Rates follow the numbers closely enough like this.
            Some(every) if scales => (MOST_TIMES, every.max(end / MOST_SCALED)),
            Some(every) => (MOST_TIMES, every),
            None => (1, 0.0),
        };
        let due =
            (0..times).map(|k| entry.at + every * f64::from(k)).take_while(|time| *time < end);
        stops.extend(due.map(|time| (time, Some(n))));
    }
    stops.retain(|(time, _)| *time < end);
    stops.push((end, None));
    stops.sort_by(|a, b| a.0.total_cmp(&b.0));
    stops
}

/// A run on its way.
struct Run<'a> {
    model: &'a Model,
    channels: Vec<Channel>,
    /// Which numbers are those of bonds.
    bonds: Vec<usize>,
    /// By how much the schedule has changed the rate of each rule, and whether it has switched it.
    /// \[rule\]
    factor: Vec<f64>,
    switched: Vec<Option<bool>>,
    /// \[species\], \[nm^d\]
    room: Vec<f64>,
    exclusive: Vec<bool>,
    /// In how many dimensions particles live, and what one of them takes up. \[species\]
    dimension: Vec<usize>,
    size: Vec<f64>,
    /// \[µs\]
    now: f64,
    numbers: Vec<f64>,
    /// The most particles of each species so far.
    peak: Vec<f64>,
    out: Outlook,
}

impl<'a> Run<'a> {
    /// From these numbers of particles on.
    fn of(model: &'a Model, count: &[usize]) -> Self {
        let channels = Channels::of(model, count);
        let mut numbers = vec![0.0; channels.numbers];
        numbers.iter_mut().zip(count).for_each(|(number, &count)| *number = count as f64);
        for bond in model.bonds().iter().copied().chain(model.molecule_bonds()) {
            let pair = bond.ends.map(|(species, _)| usize::from(species));
            if let Some(made) = bond.rule.and_then(|rule| channels.bonds_by(rule, pair)) {
                numbers[made] += 1.0;
            }
        }
        for (surface, taken) in model.surroundings().surfaces.iter().zip(&channels.taken) {
            if let Some((sites, taken)) = surface.sites.as_ref().zip(*taken) {
                let held = sites.held.iter().zip(count);
                numbers[taken] = held.map(|(&each, &count)| each as f64 * count as f64).sum();
            }
        }
        let peak = numbers[..count.len()].to_vec();
        // Surfaces come after the rules.
        let causes = model.rules().len() + model.surroundings().surfaces.len();
        let events = vec![0.0; causes];
        let (all, apart) = (0..model.species.len() as u16, measure::apart(model));
        let dimension: Vec<usize> = all.clone().map(|s| model.dimension_of([s; 2])).collect();
        let size =
            |(species, &d): (&Species, &usize)| ball_volume(d, species.radius.unwrap_or(0.0));
        Self {
            model,
            channels: channels.list,
            bonds: channels.bonds,
            factor: vec![1.0; causes],
            switched: vec![None; causes],
            room: all.clone().map(|s| measure::room_of(model, s)).collect(),
            exclusive: all.map(|s| apart.interact(s, s)).collect(),
            size: model.species.iter().zip(&dimension).map(size).collect(),
            dimension,
            now: 0.0,
            numbers,
            peak,
            out: Outlook { events, last: Vec::new(), outgrows: None, record: Vec::new() },
        }
    }

    fn particles(&self) -> f64 {
        self.numbers[..self.room.len()].iter().sum()
    }

    fn note(&mut self) {
        self.peak
            .iter_mut()
            .zip(&self.numbers)
            .for_each(|(peak, number)| *peak = peak.max(*number));
        let bonds = self.bonds.iter().map(|&n| self.numbers[n]).sum();
        let (particles, slots) = (self.particles(), self.peak.iter().sum());
        self.out.record.push(Moment { time: self.now, particles, bonds, slots });
    }

    /// How often each channel fires with these numbers. \[1/µs\]
    fn rates(&self, numbers: &[f64]) -> Vec<f64> {
        let mut free = vec![f64::NAN; self.room.len()];
        let rates = self.channels.iter().map(|channel| {
            let rate = rate(channel, numbers) * self.factor[channel.rule as usize];
            let grows = channel
                .change
                .iter()
                .filter(|(n, _)| *n < self.room.len())
                .map(|(_, by)| by)
                .sum::<f64>();
            match channel
                .change
                .iter()
                .find(|(n, by)| *n < self.room.len() && *by > 0.0 && grows > 0.0)
            {
                _ if !self.is_in_force(channel.rule) => 0.0,
                Some(&(species, _)) => {
                    if free[species].is_nan() {
                        free[species] = self.free(species, numbers);
                    }
                    rate * free[species]
                }
                None => rate,
            }
        });
        rates.collect()
    }

    /// Which share of new particles of a species find room.
    fn free(&self, species: usize, numbers: &[f64]) -> f64 {
        if !self.exclusive[species] {
            return 1.0;
        }
        let own = self.dimension[species];
        let alike = |&s: &usize| self.dimension[s] == own && self.exclusive[s];
        let filled = (0..self.room.len())
            .filter(alike)
            .map(|s| numbers[s] * self.size[s] / self.room[s].max(self.room[species]));
        (1.0 - filled.sum::<f64>() / FULL).clamp(0.0, 1.0)
    }

    fn is_in_force(&self, number: u16) -> bool {
        let rules = self.model.rules();
        let windows = match rules.contact.get(number as usize) {
            Some(rule) => Some(&rule.windows),
            None => rules.timed_rule(number).map(|rule| &rule.windows),
        };
        let by_clock = windows.is_none_or(|windows| {
            windows.is_empty() || windows.iter().any(|[from, to]| (*from..*to).contains(&self.now))
        });
        self.switched[number as usize].unwrap_or(by_clock)
    }

    /// What is observed, as if every particle of a species were like the pattern.
    fn counts(&self) -> Vec<f64> {
        let of = |observable: &Observable| {
            let species: BTreeSet<u16> =
                observable.ways.iter().map(|(species, _)| *species).collect();
            species.into_iter().map(|species| self.numbers[usize::from(species)]).sum()
        };
        self.model.rules().observables.iter().map(of).collect()
    }

    /// What an entry of the schedule does.
    fn execute(&mut self, entry: usize) {
        let rules = self.model.rules();
        let number = rules.first_scheduled() as usize + entry;
        match &rules.schedule[entry].action {
            ScheduledAction::SetRate { rule, rate } => {
                let given = given_rate(rules, *rule);
                self.factor[*rule as usize] = if given > 0.0 { rate / given } else { 1.0 };
            }
            ScheduledAction::Scale { rule, rate, factor } => {
                let given = given_rate(rules, *rule);
                let share = if given > 0.0 { rate / given } else { 1.0 };
                let value = factor.formula.value(&self.counts(), self.now * 1e-6);
                let value = if value.is_finite() { value.max(0.0) } else { 1.0 };
                self.factor[*rule as usize] = share * value;
            }
            ScheduledAction::Switch { rule, on } => self.switched[*rule as usize] = Some(*on),
            ScheduledAction::SwitchPotential { .. } => {}
            ScheduledAction::Add { species, count, .. } => {
                let (count, species) = (f64::from(*count), *species as usize);
                self.numbers[species] += count;
                self.out.events[number] += count;
            }
            ScheduledAction::Divide(division) => {
                let stays = match division {
                    Division::Keep(stays) => *stays,
                    Division::Volume { fraction, .. } => *fraction,
                };
                self.out.events[number] += self.particles() * (1.0 - stays);
                self.numbers.iter_mut().for_each(|number| *number *= stays);
            }
        }
    }
}

/// The rate, rate constant or probability that a rule has at first.
fn given_rate(rules: &RuleSet, number: u16) -> f64 {
    match rules.contact.get(number as usize).map(|rule| rule.chance) {
        Some(Chance::Intrinsic(x) | Chance::Macroscopic(x) | Chance::Probability(x)) => x,
        None => rules.timed_rule(number).map_or(0.0, |rule| rule.rate),
    }
}

/// How often a channel fires. \[1/µs\]
fn rate(channel: &Channel, numbers: &[f64]) -> f64 {
    let pairs = |of: [usize; 2], alike: bool, [a, b]: [f64; 2]| match of[0] == of[1] {
        true => a * (b - 1.0).max(0.0) * if alike { 0.5 } else { 1.0 },
        false => a * b,
    };
    match channel.law {
        Law::Steady(rate) => rate,
        Law::Each { rate, of, within } => rate * numbers[of].min(numbers[within]),
        Law::Pairs { rate, of, alike } => rate * pairs(of, alike, of.map(|s| numbers[s])),
        Law::Bonds { rate, of, alike, made, most } => {
            let ends = numbers[made] * if alike { 2.0 } else { 1.0 };
            let open = [0, 1].map(|n| (numbers[of[n]] - ends / most[n]).max(0.0));
            // Two that are bound to each other, and could bind more, do not bind again.
            let bound = numbers[made] * (1.0 - 1.0 / most[0]) * (1.0 - 1.0 / most[1]);
            rate * (pairs(of, alike, open) - bound).max(0.0)
        }
        Law::AtSites { rate, of, sites, way } => {
            rate * numbers[of] * sites.slowing(numbers[sites.taken], way)
        }
    }
}
