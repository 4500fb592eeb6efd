//! The parts of the page below the player, each a heading with figures and tables.

mod clusters;
mod contacts;
mod forces;
mod mill;
mod motion;
mod population;
mod rules;
mod run;

use super::super::plot::Plot;
use super::super::time_unit::TimeUnit;
use super::film::Film;
use super::html::Piece;
use jostle_analysis::{Info, ReadError, Reading, Scope, UnitSystem, is_brownian};
use jostle_core::words::{counted, digits, length_in_unit, time_text};

/// The most series in one figure: as many as there are colours.
const MOST_SERIES: usize = 8;

/// What the page is about.
pub(super) struct Subject<'a> {
    pub(super) reading: &'a Reading,
    /// Absent in files of other programs.
    pub(super) info: Option<Info>,
    /// The species that it is about; all if it is empty.
    pub(super) species: &'a [String],
}

/// A part of the page.
pub(super) struct Part {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) pieces: Vec<Piece>,
}

impl<'a> Subject<'a> {
    pub(super) fn new(reading: &'a Reading, info: Option<Info>, species: &'a [String]) -> Self {
        Self { reading, info, species }
    }

    /// What analyses look at.
    pub(super) fn scope(&self) -> Scope {
        Scope { species: self.species.to_vec(), ..Scope::default() }
    }

    /// The model's title, or the file's name.
    pub(super) fn title(&self) -> String {
        let title = self.info.as_ref().map(|info| info.title.clone());
        title.filter(|title| !title.is_empty()).unwrap_or_else(|| self.file_name())
    }

    pub(super) fn file_name(&self) -> String {
        let name = self.reading.path().file_name().unwrap_or(self.reading.path().as_os_str());
        name.to_string_lossy().into_owned()
    }

    /// Which file, and what made it.
    pub(super) fn subtitle(&self) -> String {
        match &self.info {
            Some(info) if !info.creator.is_empty() => {
                format!("{}, written by {}", self.file_name(), info.creator)
            }
            _ => self.file_name(),
        }
    }

    /// How many steps the file tells of.
    fn steps(&self) -> u64 {
        let frames = self.reading.steps().ok().and_then(|steps| steps.last().copied());
        let runs = self.info.iter().flat_map(|info| &info.runs).map(|run| run.step);
        runs.chain(frames).max().unwrap_or(0).max(0) as u64
    }

    /// How long a time the file tells of. \[µs\]
    fn span(&self) -> f64 {
        let last = self.reading.times().ok().and_then(|times| times.last().copied());
        let steps = self.steps() as f64 * self.reading.timestep();
        [steps, last.unwrap_or(0.0)].into_iter().filter(|time| time.is_finite()).fold(0.0, f64::max)
    }

    /// The unit of time that suits the run.
    fn time_unit(&self) -> TimeUnit {
        TimeUnit::for_all([self.span()].into_iter())
    }

    /// A figure of the library as the page shows it: its title stands in the caption, and names are
    /// as short as they can be.
    fn adapted(&self, plot: Plot) -> Plot {
        let mut plot = plot.in_units(UnitSystem::of(self.reading));
        plot.title.clear();
        for series in &mut plot.series {
            for species in self.reading.species() {
                series.name = series.name.replace(species, &self.short_name(species));
            }
        }
        plot
    }

    /// A species' name in a figure: only its state if all species are states of the same one.
    fn short_name(&self, name: &str) -> String {
        let of = |name: &str| {
            let (species, state) = name.split_once('{')?;
            Some((species.to_owned(), state.strip_suffix('}')?.to_owned()))
        };
        let mut all =
            self.reading.species().iter().map(|name| of(name).map(|(species, _)| species));
        let first = all.next().flatten();
        match of(name) {
            Some((_, state)) if first.is_some() && all.all(|species| species == first) => state,
            _ => name.to_owned(),
        }
    }

    /// The edges of the box, in words.
    fn box_text(&self) -> String {
        if let Some(text) = self.info.as_ref().and_then(|info| info.odd_box.clone()) {
            return text;
        }
        let edges = self.reading.edges();
        let edges = &edges[..self.reading.dimension()];
        let longest = edges.iter().copied().fold(0.0, f64::max);
        let (_, unit) = length_in_unit(longest, longest);
        let edges = edges.iter().map(|&edge| digits(length_in_unit(edge, longest).0, 6));
        let edges = format!("{} {unit}", edges.collect::<Vec<_>>().join(" × "));
        let Some(info) = &self.info else { return edges };
        let closed = &info.periodic[..info.dimension];
        match (closed.iter().all(|p| *p), closed.iter().any(|p| *p)) {
            (true, _) => format!("{edges}, periodic"),
            (false, false) => format!("{edges}, with walls"),
            _ => {
                let axes =
                    closed.iter().zip(["x", "y", "z"]).filter(|(p, _)| **p).map(|(_, axis)| axis);
                format!("{edges}, periodic along {}", axes.collect::<Vec<_>>().join(" and "))
            }
        }
    }
}

/// What matters most, at the head of the page.
pub(super) fn glance(subject: &Subject<'_>, film: &Film) -> Piece {
    let mut pairs =
        vec![("particles".to_owned(), particles(film)), ("box".into(), subject.box_text())];
    pairs.extend(simulated(subject).map(|text| ("simulated".to_owned(), text)));
    pairs.push(("frames".into(), film.of.to_string()));
    let contacts = subject.info.as_ref().and_then(|info| info.contacts);
    if let Some(contacts) = contacts.filter(|_| !subject.reading.has_outlines()) {
        pairs.push(("contacts in the log".into(), contacts.to_string()));
    }
    pairs.extend(run::speed(subject).map(|(speed, _)| ("speed".to_owned(), speed)));
    Piece::Facts(pairs)
}

/// How long a time, in how many steps; of a file of another program, the time of the last frame.
fn simulated(subject: &Subject<'_>) -> Option<String> {
    let timestep = subject.reading.timestep();
    if timestep > 0.0 {
        let steps = counted(subject.steps(), "step");
        return Some(format!(
            "{} in {steps} of {}",
            time_text(subject.span()),
            time_text(timestep)
        ));
    }
    (subject.span() > 0.0).then(|| time_text(subject.span()))
}

/// How many particles there are, at the start and at the end.
fn particles(film: &Film) -> String {
    match film.particles {
        [first, last] if first == last => last.to_string(),
        [first, last] => format!("{first} at the start, {last} at the end"),
    }
}

/// All parts. What the file cannot tell is said in its part and among the notes.
pub(super) fn all(subject: &Subject<'_>, notes: &mut Vec<String>) -> Vec<Part> {
    type Make = fn(&Subject<'_>, &mut Vec<String>) -> Result<Vec<Piece>, ReadError>;
    let mut makers: Vec<(&'static str, &'static str, Make)> = vec![
        ("populations", "Populations", population::html),
        ("clusters", "Clusters", clusters::html),
        ("contacts", "Contacts", contacts::html),
        ("rules", "Rules", rules::html),
        ("run", "The run", run::html),
        ("model", "The model", run::model),
    ];
    if is_brownian(subject.reading) && subject.reading.frames() > 1 {
        makers.insert(1, ("motion", "Motion", motion::html));
        if subject.reading.rules().is_ok_and(|rules| rules.is_empty()) {
            // Nothing changes: there are clusters, and changes in the log, only if there are some at first.
            let bounces = subject.info.as_ref().and_then(|info| info.contacts).unwrap_or(0) > 0;
            let empty = |id: &str| match id {
                "rules" => true,
                "contacts" => !bounces,
                "clusters" => is_apart(subject.reading),
                _ => false,
            };
            makers.retain(|(id, ..)| !empty(id));
            makers.insert(2, ("structure", "Structure", motion::structure));
        }
    }
    if subject.reading.is_granular() || subject.reading.is_gas() {
        // Balls neither change nor join.
        makers.retain(|(id, ..)| !["clusters", "rules"].contains(id));
        makers.insert(0, ("mill", "Energy and impacts", mill::html));
    }
    if subject.reading.has_outlines() {
        // Particles neither change nor join, and what they do lasts: there are no single contacts.
        makers.retain(|(id, ..)| !["clusters", "rules", "contacts"].contains(id));
        makers.insert(0, ("energy", "Energy", forces::energies));
        makers.insert(0, ("forces", "Forces and stress", forces::html));
    }
    let part = |(id, title, make): (&'static str, &'static str, Make)| {
        let pieces = make(subject, notes).unwrap_or_else(|why| {
            notes.push(format!("{title}: {}", reason(&why)));
            vec![Piece::Missing(reason(&why))]
        });
        Part { id: id.to_owned(), title: title.to_owned(), pieces }
    };
    makers.into_iter().map(part).collect()
}

/// Whether every particle is alone in the first frame.
fn is_apart(reading: &Reading) -> bool {
    let data = reading.frame_data(0..1, 0..reading.slots());
    data.is_ok_and(|data| {
        let mut there = data.id.iter().zip(&data.cluster).filter(|(id, _)| **id >= 0);
        let mut known = std::collections::HashSet::new();
        there.all(|(_, cluster)| known.insert(*cluster))
    })
}

/// Why a part is missing, in a sentence.
fn reason(why: &ReadError) -> String {
    match why {
        ReadError::Foreign { missing, .. } => format!("the file has no {missing}."),
        ReadError::TooLittle { reason, .. } => format!("{reason}."),
        other => format!("{other}."),
    }
}

/// As many as a figure can show, those that count most, in the order that they had; if some were
/// left out, that is returned in words.
fn foremost<T>(items: Vec<T>, weight: impl Fn(&T) -> f64, what: &str) -> (Vec<T>, String) {
    let count = items.len();
    if count <= MOST_SERIES {
        return (items, String::new());
    }
    let mut weights: Vec<f64> = items.iter().map(&weight).collect();
    weights.sort_by(|a, b| b.total_cmp(a));
    let least = weights[MOST_SERIES - 1];
    let chosen = items.into_iter().filter(|item| weight(item) >= least).take(MOST_SERIES);
    (chosen.collect(), format!(" The {MOST_SERIES} most frequent of {count} {what} are shown."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_counts_most_is_shown_in_its_old_order() {
        let (all, said) = foremost(vec![1, 2, 3], |n| f64::from(*n), "pairs");
        assert_eq!((all, said.as_str()), (vec![1, 2, 3], ""));
        let many = vec![5, 1, 9, 2, 8, 3, 7, 4, 6, 0];
        let (some, said) = foremost(many, |n| f64::from(*n), "pairs");
        assert_eq!(some, [5, 9, 2, 8, 3, 7, 4, 6]);
        assert_eq!(said, " The 8 most frequent of 10 pairs are shown.");
        // Equals are not too many.
        assert_eq!(foremost(vec![1; 20], |_| 1.0, "pairs").0.len(), MOST_SERIES);
    }
}
