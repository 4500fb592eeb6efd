//! Counts contacts by what they have in common.

use std::collections::HashMap;
use std::ops::ControlFlow;

use smallvec::SmallVec;

use super::super::statistics::blocked;
use super::super::tables::{Cell, Table};
use super::Words;
use super::filter::is_particle;
use super::query::{Met, Query};
use jostle_core::words::time_text;
use jostle_h5md::reading::ReadError;
use jostle_h5md::record::schema::{ContactRow, NO_RULE};

/// The most bins of time, lest rates of nothing fill the memory.
const MOST_BINS: u64 = 10_000;

/// Of each bin of time, so many parts are counted on their own, to tell how much counts scatter.
const PARTS: usize = 256;

/// What stands for the wall of a contact of two particles.
const NO_WALL: u64 = u64::MAX;

/// What contacts may have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// The two species.
    Species,
    /// What came of it.
    Outcome,
    /// The rule that decided the outcome.
    Rule,
    /// A particle; each contact counts for both.
    Particle,
    /// The two particles.
    Pair,
    /// The cluster of a particle; each contact counts for both.
    Cluster,
    /// The face of the box or the surface that a particle touched; none of two particles.
    Wall,
    /// The time; see [`Grouping::every`].
    Time,
}

/// How contacts are counted.
#[derive(Clone, Debug, PartialEq)]
pub struct Grouping {
    /// What the contacts of a group have in common.
    pub keys: Vec<Key>,
    /// The length of a bin of time; a twentieth of the whole if not given. \[µs\]
    pub every: Option<f64>,
}

/// Contacts that have something in common.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// What they have in common, a cell for each of [`Groups::heads`].
    pub common: Vec<Cell>,
    /// How many they are.
    pub contacts: u64,
    /// How many per time. \[/µs\]
    pub rate: f64,
    /// Its standard error, by blocking over 256 parts of the time, so that contacts that come in
    /// bursts are not taken for independent ones; NaN where particles or clusters are
    /// distinguished. \[/µs\]
    pub error: f64,
    /// Whether the error is a lower bound, since contacts come in bursts about as long as the time
    /// that they are counted over.
    pub is_lower_bound: bool,
    /// When the first was, and the last. \[µs\] NaN if there is none
    pub span: [f64; 2],
    /// Of a pair that bound: how often it had met before, that time not included. Only where groups
    /// are pairs and no contact was left out.
    pub before_bound: Option<u64>,
}

/// All groups.
#[derive(Clone, Debug, PartialEq)]
pub struct Groups {
    /// The heads of the keys' columns.
    pub heads: Vec<&'static str>,
    /// In the order of their keys.
    pub groups: Vec<Group>,
    /// Whether particles are distinguished by pairs.
    pairs: bool,
    /// Whether groups are all contacts of a pair, so that it can be told how often these met before
    /// they bound.
    whole: bool,
}

/// Parts of a key: codes of species, outcomes and rules, identities, the number of a bin.
type Code = SmallVec<[u64; 4]>;

#[derive(Default)]
struct GroupTally {
    contacts: u64,
    parts: Vec<u32>,
    span: Option<[f64; 2]>,
    before_bound: Option<u64>,
}

/// How time is cut up.
#[derive(Clone, Copy)]
struct Clock {
    span: [f64; 2],
    every: f64,
}

impl Clock {
    fn bins(&self) -> u64 {
        // A bin that is nothing but rounding is none.
        (((self.span[1] - self.span[0]) / self.every - 1e-9).ceil() as u64).max(1)
    }

    fn bin(&self, time: f64) -> u64 {
        (((time - self.span[0]) / self.every) as u64).min(self.bins() - 1)
    }

    /// The beginning and the end of a bin.
    fn ends(&self, bin: u64) -> [f64; 2] {
        let begin = self.span[0] + bin as f64 * self.every;
        let end = if bin + 1 == self.bins() { self.span[1] } else { begin + self.every };
        [begin, end]
    }
}

impl Query<'_> {
    /// Counts the contacts asked for, by groups.
    ///
    /// # Errors
    /// If the file cannot be read, or bins of this length would be too many, or none.
    pub fn group(&self, grouping: &Grouping) -> Result<Groups, ReadError> {
        let keys = &grouping.keys;
        let span = self.span()?;
        let by_time = keys.contains(&Key::Time);
        let whole = span[1] - span[0];
        let every = if by_time { grouping.every.unwrap_or(whole / 20.0) } else { whole };
        let clock = Clock { span, every };
        if by_time && !(every > 0.0 && clock.bins() <= MOST_BINS) {
            let reason = format!(
                "bins of {} do not cut up {} into 1 to {MOST_BINS} parts",
                time_text(every),
                time_text(whole)
            );
            return Err(ReadError::TooLittle { path: self.reading.path().to_owned(), reason });
        }
        let distinguished =
            [Key::Particle, Key::Pair, Key::Cluster].iter().any(|key| keys.contains(key));
        let bound =
            self.words.outcomes.iter().position(|word| word == "bound").map(|code| code as u8);
        let mut found: HashMap<Code, GroupTally> = HashMap::new();
        self.visit(keys.contains(&Key::Cluster), |met| {
            each_code(keys, &met, &clock, |code| {
                let tally = found.entry(code).or_default();
                tally.take(&met, bound);
                if !distinguished {
                    tally.part(met.time, &clock);
                }
            });
            Ok(ControlFlow::Continue(()))
        })?;
        if by_time && !distinguished {
            fill_gaps(&mut found, keys, &clock);
        }
        let merged = self.words.merge(found, keys, &clock);
        Ok(Groups {
            heads: heads(keys),
            groups: merged,
            pairs: keys.contains(&Key::Pair),
            whole: *keys == [Key::Pair] && self.has_whole_pairs(),
        })
    }
}

/// Calls `take` for the key of a contact; for both keys if it counts for both particles or
/// clusters.
fn each_code(keys: &[Key], met: &Met<'_>, clock: &Clock, mut take: impl FnMut(Code)) {
    let single = |key: &Key| matches!(key, Key::Particle | Key::Cluster);
    if !keys.iter().any(single) {
        return take(code(keys, met, clock, 0));
    }
    for side in 0..met.particles().count() {
        let twice =
            side == 1 && !keys.contains(&Key::Particle) && met.clusters[0] == met.clusters[1];
        if !twice {
            take(code(keys, met, clock, side));
        }
    }
}

fn code(keys: &[Key], met: &Met<'_>, clock: &Clock, side: usize) -> Code {
    let ContactRow { a, b, species_a, species_b, outcome, rule, .. } = *met.row;
    let mut code = Code::new();
    for key in keys {
        match key {
            // In a fixed order; the names are sorted later on.
            Key::Species => {
                code.extend([species_a.min(species_b), species_a.max(species_b)].map(u64::from))
            }
            Key::Outcome => code.push(outcome.into()),
            Key::Rule => code.push(rule.into()),
            Key::Particle => code.push([a, b][side].into()),
            Key::Pair => code.extend([a, b].map(u64::from)),
            Key::Cluster => code.push(met.clusters[side].unwrap_or(u64::MAX)),
            Key::Wall => code.push(if is_particle(b) { NO_WALL } else { b.into() }),
            Key::Time => code.push(clock.bin(met.time)),
        }
    }
    code
}

impl GroupTally {
    fn take(&mut self, met: &Met<'_>, bound: Option<u8>) {
        if self.before_bound.is_none() && Some(met.row.outcome) == bound {
            self.before_bound = Some(self.contacts);
        }
        self.contacts += 1;
        let first = self.span.map_or(met.time, |[first, _]| first);
        self.span = Some([first, met.time]);
    }

    fn part(&mut self, time: f64, clock: &Clock) {
        self.parts.resize(PARTS, 0);
        let [begin, _] = clock.ends(clock.bin(time));
        let part = ((time - begin) / clock.every * PARTS as f64) as usize;
        self.parts[part.min(PARTS - 1)] += 1;
    }

    /// The standard error of the rate in a bin that lasts so long \[/µs\], and whether it is only a
    /// lower bound.
    fn error(&self, lasted: f64, clock: &Clock) -> (f64, bool) {
        let width = clock.every / PARTS as f64;
        let parts = ((lasted / width).round() as usize).min(self.parts.len());
        let counts: Vec<f64> = self.parts[..parts].iter().map(|&n| n.into()).collect();
        let found = blocked(&counts);
        (found.error / width, found.is_of_few())
    }
}

/// A rate of zero is a rate: every kind of contact gets every bin.
fn fill_gaps(found: &mut HashMap<Code, GroupTally>, keys: &[Key], clock: &Clock) {
    let at = place_of_time(keys);
    let mut kinds: Vec<Code> = found.keys().cloned().collect();
    kinds.iter_mut().for_each(|code| code[at] = 0);
    kinds.sort();
    kinds.dedup();
    for mut code in kinds {
        for bin in 0..clock.bins() {
            code[at] = bin;
            let tally = found.entry(code.clone()).or_default();
            tally.parts.resize(PARTS, 0);
        }
    }
}

/// Where in a code the number of the bin stands.
fn place_of_time(keys: &[Key]) -> usize {
    let width = |key: &Key| if matches!(key, Key::Species | Key::Pair) { 2 } else { 1 };
    keys.iter().take_while(|key| **key != Key::Time).map(width).sum()
}

fn heads(keys: &[Key]) -> Vec<&'static str> {
    let of = |key: &Key| -> &'static [&'static str] {
        match key {
            Key::Species => &["species", "partner"],
            Key::Outcome => &["outcome"],
            Key::Rule => &["rule"],
            Key::Particle => &["id"],
            Key::Pair => &["a", "b"],
            Key::Cluster => &["cluster"],
            Key::Wall => &["wall"],
            Key::Time => &["from (µs)", "to (µs)"],
        }
    };
    keys.iter().flat_map(of).copied().collect()
}

impl Words {
    /// Names the groups and puts them in order.
    fn merge(&self, found: HashMap<Code, GroupTally>, keys: &[Key], clock: &Clock) -> Vec<Group> {
        let at = keys.contains(&Key::Time).then(|| place_of_time(keys));
        let mut groups: Vec<(Vec<Cell>, Group)> = Vec::with_capacity(found.len());
        for (code, tally) in found {
            let [begin, end] = at.map_or(clock.span, |at| clock.ends(code[at]));
            let common = self.cells(&code, keys, clock);
            let (error, is_lower_bound) = tally.error(end - begin, clock);
            let group = Group {
                contacts: tally.contacts,
                rate: tally.contacts as f64 / (end - begin),
                error,
                is_lower_bound,
                span: tally.span.unwrap_or([f64::NAN; 2]),
                before_bound: tally.before_bound,
                common: common.clone(),
            };
            groups.push((common, group));
        }
        groups.sort_by(|(a, _), (b, _)| in_order(a, b));
        groups.into_iter().map(|(_, group)| group).collect()
    }

    fn cells(&self, code: &Code, keys: &[Key], clock: &Clock) -> Vec<Cell> {
        let mut parts = code.iter().copied();
        let mut next = || parts.next().unwrap_or_default();
        let mut cells = Vec::new();
        for key in keys {
            match key {
                Key::Species => {
                    let mut names = [next(), next()].map(|code| self.species(code as u16));
                    if names[1] != "wall" {
                        names.sort();
                    }
                    cells.extend(names.map(Cell::from));
                }
                Key::Outcome => cells.push(self.outcome(next() as u8).into()),
                Key::Rule => match next() as u16 {
                    NO_RULE => cells.push(Cell::Missing),
                    code => cells.push(self.rule(code).into()),
                },
                Key::Particle => cells.push(next().into()),
                Key::Pair => {
                    cells.push(next().into());
                    cells.push(self.partner(next() as u32));
                }
                Key::Cluster => cells.push(Some(next()).filter(|id| *id != u64::MAX).into()),
                Key::Wall => cells.push(
                    Some(next()).filter(|b| *b != NO_WALL).map(|b| self.face(b as u32)).into(),
                ),
                Key::Time => cells.extend(clock.ends(next()).map(Cell::from)),
            }
        }
        cells
    }
}

fn in_order(a: &[Cell], b: &[Cell]) -> std::cmp::Ordering {
    let one = |(a, b): (&Cell, &Cell)| match (a, b) {
        (Cell::Integer(a), Cell::Integer(b)) => a.cmp(b),
        (Cell::Number(a), Cell::Number(b)) => a.total_cmp(b),
        (Cell::Text(a), Cell::Text(b)) => a.cmp(b),
        (Cell::Missing, Cell::Missing) => std::cmp::Ordering::Equal,
        (Cell::Missing, _) => std::cmp::Ordering::Less,
        (_, Cell::Missing) => std::cmp::Ordering::Greater,
        (Cell::Text(_), _) => std::cmp::Ordering::Greater,
        _ => std::cmp::Ordering::Less,
    };
    a.iter().zip(b).map(one).find(|order| order.is_ne()).unwrap_or(std::cmp::Ordering::Equal)
}

impl Groups {
    /// One row per group.
    pub fn to_table(&self) -> Table {
        let mut columns = self.heads.clone();
        columns.extend(["contacts", "rate (/µs)"]);
        columns.extend(if self.pairs {
            ["first (µs)", "last (µs)"].as_slice()
        } else {
            &["std. error (/µs)"]
        });
        columns.extend(self.whole.then_some("before bound"));
        let mut table = Table::new(&columns);
        for group in &self.groups {
            let mut row = group.common.clone();
            row.extend([group.contacts.into(), group.rate.into()]);
            if self.pairs {
                row.extend(group.span.map(Cell::from));
            } else {
                row.push(group.error.into());
            }
            if self.whole {
                row.push(group.before_bound.into());
            }
            table.push(row);
        }
        table
    }
}
