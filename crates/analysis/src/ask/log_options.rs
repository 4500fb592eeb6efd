//! The options of questions to the log of contacts: which contacts, and what of them.

use super::rows::{Named, QuestionError, Row, Takes, add, set, whole};
use super::sides::{self, HasSides};
use super::spans::{Span, energy_span, length_span, range, time, time_span};
use crate::contacts::{Apart, Filter, Grouping, Key};
use crate::surfaces::Beside;

/// What is asked of the log; the contacts are listed where nothing else is.
#[derive(Clone, Debug, Default)]
pub struct LogOptions {
    /// Which contacts; without pair, species and place, which are checked first.
    filter: Filter,
    pair: Vec<u32>,
    between: Vec<String>,
    place: Vec<(usize, Span)>,
    /// Whether they are only counted.
    pub count: bool,
    /// By what they are counted in groups.
    pub(super) group_by: Vec<Key>,
    /// The length of a bin of time. \[µs\]
    every: Option<f64>,
    /// Columns of groups, and in which range they are.
    pub(super) having: Vec<(String, Span)>,
    /// The column by which groups are sorted.
    pub(super) sort: Option<String>,
    /// Of what there is a histogram.
    pub(super) histogram: Option<LogHistogram>,
    /// Between which contacts times are measured.
    pub(super) apart: Option<Apart>,
    axes: Vec<usize>,
    pub(super) bins: Option<usize>,
    /// The most rows.
    pub limit: Option<usize>,
}

/// Of what the log has a histogram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogHistogram {
    /// The times between contacts.
    Interval,
    /// The times until a separated pair binds again.
    Rebinding,
    /// The positions of contacts.
    Place,
    /// How often pairs meet before they bind.
    Meetings,
    /// How many contacts each pair has.
    Pair,
}

impl HasSides for LogOptions {
    fn sides(&mut self) -> &mut Vec<Beside> {
        &mut self.filter.sides
    }
}

const BY: &[(&str, &str)] = &[
    ("species", "The two species"),
    ("outcome", "The outcome"),
    ("rule", "The rule that decided the outcome"),
    ("id", "Each particle"),
    ("pair", "Each pair of particles; shows how often they met before they bound"),
    ("cluster", "The cluster that a particle belongs to when it touches another"),
    ("wall", "The face of the box, or the surface in it, that a particle touched"),
    ("time", "Bins of time (--every)"),
];

const HISTOGRAMS: &[(&str, &str)] = &[
    ("interval", "The time between contacts"),
    ("rebinding", "The time until a separated pair binds again"),
    ("place", "The positions of contacts"),
    ("meetings", "How often a pair meets before it binds; counting starts again at each release"),
    ("pair", "The number of contacts of each pair"),
];

const OF: &[(&str, &str)] = &[
    ("pair", "The same two particles"),
    ("particle", "The same particle"),
    ("any", "Any contact"),
];

const AXES: &[(&str, &str)] = &[("x", "The first axis"), ("y", "The second"), ("z", "The third")];

type LogRow = Row<LogOptions>;

const FILTER: &[LogRow] = &[
    LogRow::new(
        "time",
        (Takes::One, "FROM..TO"),
        "In this range of time: \"1 ms..2 ms\"; either end can be left out",
        |to, text| set(&mut to.filter.time, time_span(text).map(ends)),
    ),
    LogRow::new(
        "id",
        (Takes::Commas, "ID"),
        "Of these particles, by id; separate several with commas",
        |to, text| {
            to.filter.particles.push(whole(text, 0..=u64::MAX)?);
            Ok(())
        },
    ),
    LogRow::new("pair", (Takes::Commas, "ID,ID"), "Between these two particles", |to, text| {
        to.pair.push(whole(text, 0..=u64::MAX)?);
        Ok(())
    }),
    LogRow::new(
        "energy-lost",
        (Takes::One, "FROM..TO"),
        "Granular runs: impacts that lose so much kinetic energy: \"1e-4 J..1e-3 J\"; either end can be left out",
        |to, text| set(&mut to.filter.energy_lost, energy_span(text).map(ends)),
    ),
    LogRow::new(
        "species",
        (Takes::Many, "SPECIES"),
        "That involve this species; `EGFR` means any state, `EGFR{bound}` every state with it, `wall` the box; can be \
         repeated",
        |to, text| add(&mut to.filter.species, text),
    ),
    LogRow::new(
        "between",
        (Takes::Two, "SPECIES"),
        "Between two species: `--between EGF EGFR`",
        |to, text| add(&mut to.between, text),
    ),
    LogRow::new(
        "outcome",
        (Takes::Commas, "OUTCOME"),
        "With this outcome (bounced, bound, refused, ...); separate several with commas",
        |to, text| add(&mut to.filter.outcomes, text),
    ),
    LogRow::new(
        "rule",
        (Takes::Commas, "RULE"),
        "Decided by this rule; separate several with commas",
        |to, text| add(&mut to.filter.rules, text),
    ),
    LogRow::new(
        "place",
        (Takes::Many, "AXIS=FROM..TO"),
        "In this range along an axis: \"x=0 nm..100 nm\"; repeat for several axes",
        |to, text| {
            to.place.push(axis_and_span(text)?);
            Ok(())
        },
    ),
    LogRow::new(
        "wall",
        (Takes::Commas, "NAME"),
        "With this face of the box (x-, x+, ...) or this surface, by name; separate several with commas",
        |to, text| add(&mut to.filter.walls, text),
    ),
];

const BESIDE: &[LogRow] = &sides::rows();

const QUESTION: &[LogRow] = &[
    LogRow::new(
        "cluster",
        (Takes::One, "ID"),
        "Of particles that belong to this cluster when they touch, by the cluster's id",
        |to, text| set(&mut to.filter.cluster, whole(text, 0..=u64::MAX)),
    ),
    LogRow::new("count", (Takes::Nothing, ""), "Only print the number of contacts", |to, _| {
        to.count = true;
        Ok(())
    })
    .not_with(&["group-by", "histogram"]),
    LogRow::new(
        "group-by",
        (Takes::Commas, "KEYS"),
        "Count contacts in groups; separate several criteria with commas",
        |to, text| {
            let key = key(text)?;
            if !to.group_by.contains(&key) {
                to.group_by.push(key);
            }
            Ok(())
        },
    )
    .words(BY)
    .not_with(&["histogram"]),
    LogRow::new(
        "every",
        (Takes::One, "TIME"),
        "With --group-by time: the length of a bin (\"1 ms\") [default: a twentieth of the total]",
        |to, text| set(&mut to.every, time(text)),
    )
    .needs("group-by"),
    LogRow::new(
        "having",
        (Takes::Many, "COLUMN=RANGE"),
        "Only groups whose column is in a range, such as before_bound=51.. or contacts=..9",
        |to, text| {
            to.having.push(column_and_range(text)?);
            Ok(())
        },
    )
    .needs("group-by"),
    LogRow::new(
        "sort",
        (Takes::One, "COLUMN"),
        "Sort groups by a column, largest first",
        |to, text| set(&mut to.sort, Ok(text.to_owned())),
    )
    .needs("group-by"),
    LogRow::new(
        "histogram",
        (Takes::One, "HISTOGRAM"),
        "A histogram of the time between contacts, of the time until a separated pair binds again, of positions, or of the \
         number of times that pairs meet",
        |to, text| set(&mut to.histogram, histogram(text)),
    )
    .words(HISTOGRAMS),
    LogRow::new(
        "of",
        (Takes::One, "OF"),
        "With --histogram interval: between contacts of the same pair, of the same particle, or any [default: pair]",
        |to, text| set(&mut to.apart, apart(text)),
    )
    .words(OF)
    .needs("histogram"),
    LogRow::new(
        "axes",
        (Takes::Commas, "AXES"),
        "With --histogram place: along these one or two axes [default: x,y, or x in one dimension]",
        |to, text| {
            to.axes.push(axis(text).ok_or("write x, y or z")?);
            Ok(())
        },
    )
    .words(AXES)
    .needs("histogram"),
    LogRow::new(
        "bins",
        (Takes::One, "N"),
        "The number of bins along each axis [default: 40, or 25 along each of two axes]",
        |to, text| set(&mut to.bins, whole(text, 1..=1000)),
    )
    .needs("histogram"),
    LogRow::new(
        "limit",
        (Takes::One, "ROWS"),
        "The maximum number of rows to show [default: 50 on the screen, all in a file]",
        |to, text| set(&mut to.limit, whole(text, 0..=u64::MAX)),
    ),
];

impl Named for LogOptions {
    const HEADING: Option<&'static str> = Some("Which contacts");

    fn rows() -> &'static [&'static [Row<Self>]] {
        &[FILTER, BESIDE, QUESTION]
    }
}

fn ends(span: Span) -> [f64; 2] {
    [span.low, span.high]
}

fn axis(text: &str) -> Option<usize> {
    ["x", "y", "z"].iter().position(|name| *name == text.trim())
}

fn axis_and_span(text: &str) -> Result<(usize, Span), String> {
    let wanted = "write AXIS=FROM..TO, e.g. x=0 nm..100 nm";
    let (name, span) = text.split_once('=').ok_or(wanted)?;
    Ok((axis(name).ok_or(wanted)?, length_span(span)?))
}

fn column_and_range(text: &str) -> Result<(String, Span), String> {
    let (column, text) =
        text.split_once('=').ok_or("write COLUMN=RANGE, e.g. before_bound=51..")?;
    Ok((column.trim().to_owned(), range(text)?))
}

fn key(word: &str) -> Result<Key, String> {
    Ok(match word {
        "species" => Key::Species,
        "outcome" => Key::Outcome,
        "rule" => Key::Rule,
        "id" => Key::Particle,
        "pair" => Key::Pair,
        "cluster" => Key::Cluster,
        "wall" => Key::Wall,
        "time" => Key::Time,
        _ => return Err("this is no key of groups".into()),
    })
}

fn histogram(word: &str) -> Result<LogHistogram, String> {
    Ok(match word {
        "interval" => LogHistogram::Interval,
        "rebinding" => LogHistogram::Rebinding,
        "place" => LogHistogram::Place,
        "meetings" => LogHistogram::Meetings,
        "pair" => LogHistogram::Pair,
        _ => return Err("there is no such histogram".into()),
    })
}

fn apart(word: &str) -> Result<Apart, String> {
    Ok(match word {
        "pair" => Apart::Pair,
        "particle" => Apart::Particle,
        "any" => Apart::Any,
        _ => return Err("write pair, particle or any".into()),
    })
}

impl LogOptions {
    /// Which contacts.
    ///
    /// # Errors
    /// If a pair is not of two particles, or an axis is given twice.
    pub fn filter(&self) -> Result<Filter, QuestionError> {
        let pair = match self.pair[..] {
            [] => None,
            [a, b] if a != b => Some([a, b]),
            _ => {
                return Err(QuestionError::about("pair", "give two different ids, such as 12,417"));
            }
        };
        let between = match &self.between[..] {
            [a, b] => Some([a.clone(), b.clone()]),
            _ => None,
        };
        let mut region = [[f64::NEG_INFINITY, f64::INFINITY]; 3];
        for (axis, span) in &self.place {
            if region[*axis] != [f64::NEG_INFINITY, f64::INFINITY] {
                let name = ["x", "y", "z"][*axis];
                return Err(QuestionError::about("place", format!("{name} is given twice")));
            }
            region[*axis] = ends(*span);
        }
        let region = (!self.place.is_empty()).then_some(region);
        Ok(Filter { pair, between, region, ..self.filter.clone() })
    }

    /// Whether contacts are listed: nothing else is asked.
    pub fn is_list(&self) -> bool {
        !self.count && self.histogram.is_none() && self.group_by.is_empty()
    }

    /// What the answer is called.
    pub fn kind(&self) -> &'static str {
        match self.histogram {
            Some(LogHistogram::Rebinding) => "rebinding_times",
            Some(LogHistogram::Interval) => "contact_intervals",
            Some(LogHistogram::Place) => "contact_places",
            Some(LogHistogram::Meetings) => "meetings_before_bound",
            Some(LogHistogram::Pair) => "contacts_per_pair",
            None if self.count => "contact_count",
            None if self.is_list() => "contacts",
            None => "contact_groups",
        }
    }

    /// What the answer is about, in words.
    pub fn title(&self) -> &'static str {
        match self.histogram {
            Some(LogHistogram::Rebinding) => "Times until a separated pair binds again",
            Some(LogHistogram::Interval) => "Times between contacts",
            Some(LogHistogram::Place) => "Places of contacts",
            Some(LogHistogram::Meetings) => "How often pairs meet before they bind",
            Some(LogHistogram::Pair) => "How often pairs meet",
            None if self.count => "Number of contacts in the log",
            None if self.is_list() => "Contacts in the log",
            None => "Contacts in the log by group (error by blocking)",
        }
    }

    /// Refuses what has no table that can be merged over several runs.
    ///
    /// # Errors
    /// Which option it is, and why it is refused.
    pub fn check_common(&self, per_decade: usize) -> Result<(), QuestionError> {
        if self.is_list() {
            let why = "give group-by, histogram, or count = true; contacts of several runs are not listed";
            return Err(QuestionError::Other(format!("contact-log: {why}")));
        }
        if self.group_by.iter().any(|key| matches!(key, Key::Particle | Key::Pair | Key::Cluster)) {
            let why = "identities differ between runs; group by species, outcome, rule, wall or time, or use histogram = \
                 \"pair\" (contacts of each pair) or \"meetings\" (before each binding)";
            return Err(QuestionError::about("group-by", why));
        }
        if self.sort.is_some() {
            let why = "groups of several runs are in the order of their keys";
            return Err(QuestionError::about("sort", why));
        }
        if self.limit.is_some() {
            return Err(QuestionError::about(
                "limit",
                "tables of several runs are merged as a whole",
            ));
        }
        if self.bins.is_some() && self.histogram != Some(LogHistogram::Place) {
            let why = format!(
                "histograms of times have {per_decade} bins to a factor of ten, the same in all runs"
            );
            return Err(QuestionError::about("bins", why));
        }
        Ok(())
    }

    /// The axes of a map, checked against the dimension of the model.
    pub(super) fn axes(&self, dimension: usize) -> Result<Vec<usize>, QuestionError> {
        let axes = match self.axes.is_empty() {
            true => (0..dimension.min(2)).collect(),
            false => self.axes.clone(),
        };
        let twice = axes.len() == 2 && axes[0] == axes[1];
        if axes.len() > 2 || twice || axes.iter().any(|axis| *axis >= dimension) {
            let text = "give one axis, or two different ones, out of";
            let known = &"x, y, z"[..3 * dimension - 2];
            return Err(QuestionError::about("axes", format!("{text} {known}")));
        }
        Ok(axes)
    }

    /// How contacts are grouped.
    pub(super) fn grouping(&self) -> Result<Grouping, QuestionError> {
        if self.every.is_some() && !self.group_by.contains(&Key::Time) {
            return Err(QuestionError::about("every", "only groups by time have it"));
        }
        Ok(Grouping { keys: self.group_by.clone(), every: self.every })
    }
}
