//! The sections that set numbers: `[units]`, `[space]`, `[run]`, `[search]` and `[output]`.

use crate::schema::{Engine, Key};
use crate::units::Bare;
use crate::walker::{Item, Section, Setting, listed};
use crate::{LogLevel, Output, Run, Scheduler, Space};
use jostle_core::parameters::granular::KineticKind;
use jostle_core::search::{self, Kind, Resize};
use jostle_core::words::time_text;

use super::Context;
use super::keys::Keys;

/// How many frames a run writes if the file does not say.
const FRAMES: u64 = 100;

pub(super) fn units(root: &Section<'_>) -> Bare {
    let section = root.table("units");
    let read = |key| section.get(key).and_then(|item| super::unit(&item));
    let (length, time) = (read("length"), read("time"));
    section.finish();
    super::bare(length, time)
}

pub(super) fn space(root: &Section<'_>) -> Space {
    let section = root.table("space");
    let space = read_space(&section);
    section.finish();
    space
}

/// The box, of whatever kind of model.
pub(super) fn read_space(section: &Section<'_>) -> Space {
    let edges = section.require("edges");
    let declared: Option<usize> = section.setting("dimension");
    // Without a dimension, the edges tell what was meant.
    let dimension = declared.unwrap_or_else(|| {
        let list = edges.as_ref().filter(|item| item.is_list());
        list.and_then(Item::list).map_or(3, |list| list.len().clamp(1, 3))
    });
    section.is_in_dimension(dimension);
    Space { dimension, edges: read_edges(edges, dimension), periodic: boundary(section, dimension) }
}

/// One length for all axes, or one per axis; unused axes have length 1.
fn read_edges(item: Option<Item<'_>>, dimension: usize) -> [f64; 3] {
    // So volumes are products of all three, in any number of dimensions.
    let mut edges = [1.0; 3];
    edges[..dimension].fill(f64::NAN);
    let Some(item) = item else {
        return edges;
    };
    if !item.is_list() {
        let edge = item.quantity().unwrap_or(f64::NAN);
        edges[..dimension].fill(edge);
        return edges;
    }
    for (k, item) in item.per_axis(dimension).unwrap_or_default().iter().enumerate() {
        edges[k] = item.quantity().unwrap_or(f64::NAN);
    }
    edges
}

fn boundary(section: &Section<'_>, dimension: usize) -> [bool; 3] {
    const WORDS: [(&str, bool); 2] = [("periodic", true), ("reflecting", false)];
    let mut periodic = [true; 3];
    let Some(item) = section.get("boundary") else {
        return periodic;
    };
    if item.is_list() {
        for (k, item) in item.per_axis(dimension).unwrap_or_default().iter().enumerate() {
            periodic[k] = item.word(&WORDS).unwrap_or(true);
        }
    } else {
        periodic[..dimension].fill(item.word(&WORDS).unwrap_or(true));
    }
    periodic
}

/// The engine that `[run]` asks for. Other keys of `[run]` are left to their readers.
pub(super) fn engine(root: &Section<'_>) -> Engine {
    root.table("run").setting("engine")
}

/// `[run]` of a Brownian model, and whether pairs of species that no contact rule is for ignore each
/// other.
pub(super) fn run(root: &Section<'_>) -> (Run, Scheduler, bool) {
    let section = root.table("run");
    // Read already, by `engine`; asked for, so that it is not unknown here.
    section.get("engine");
    let words = [("hard", false), ("reactive", true)];
    let reactive = section.get("interactions").and_then(|item| item.word(&words)).unwrap_or(false);
    let (run, scheduler) = read_run(&section);
    section.finish();
    (run, scheduler, reactive)
}

/// The steps of a run and how contacts are put in order within one.
pub(super) fn read_run(section: &Section<'_>) -> (Run, Scheduler) {
    let timestep = section.setting("timestep");
    (of_steps(section, timestep), section.setting("scheduler"))
}

/// A run in steps of so much time. \[µs\]
pub(super) fn of_steps(section: &Section<'_>, timestep: f64) -> Run {
    Run { timestep, steps: steps(section, timestep), ..Run::read(section) }
}

/// How many steps of `timestep` \[µs\] to do, by `steps` or `until`; 1 if that is faulty.
fn steps(section: &Section<'_>, timestep: f64) -> u64 {
    let steps = section.get("steps").map(|item| item.whole(1));
    let until = section.get("until").map(|item| until(&item, timestep));
    let steps = match (steps, until) {
        (Some(_), Some(_)) => {
            section.fault("both `steps` and `until` say how long to run: keep one");
            None
        }
        (None, None) => {
            section.fault(
                "the length of the run is missing, for example `until = \"50 ms\"` or `steps = 50000`",
            );
            None
        }
        (steps, until) => steps.or(until).flatten(),
    };
    steps.unwrap_or(1)
}

/// The steps that reach a time; a remainder takes a whole step.
fn until(item: &Item<'_>, timestep: f64) -> Option<u64> {
    let until = item.quantity()?;
    if timestep.is_nan() {
        return None;
    }
    let steps = until / timestep;
    if steps < 1.0 - 1e-9 {
        item.fault(format!(
            "{} is shorter than a time step of {}: a shorter time step or a longer run is needed",
            time_text(until),
            time_text(timestep)
        ));
        return None;
    }
    // Up to 2^53 a floating-point number counts without gaps.
    if steps > 9e15 {
        item.fault(format!("this takes {steps:.3e} steps, more than can be counted (9e15)"));
        return None;
    }
    // Rounding may leave a little more than a whole number, as of 1.1/0.1, which must not make
    // another step.
    Some((steps * (1.0 - 1e-12)).ceil().max(1.0) as u64)
}

pub(super) fn search(root: &Section<'_>) -> search::Settings {
    let section = root.table("search");
    let settings = search::Settings::read(&section);
    section.finish();
    settings
}

/// Structures, of those that answer for a whole time step.
impl Setting for Kind {
    fn read(item: &Item<'_>) -> Option<Self> {
        let kinetic = KineticKind::ALL.into_iter().find(|kind| item.is_word(kind.name()));
        if let Some(kinetic) = kinetic.filter(|kinetic| Self::parse(kinetic.name()).is_none()) {
            let stepped = item.words().filter(|word| Self::parse(word).is_some());
            item.fault(format!(
                "found \"{}\", which follows balls from event to event in granular models; a Brownian model has \
                 time steps and needs one of {}",
                kinetic.name(),
                listed(stepped)
            ));
            return None;
        }
        item.word_by(Self::parse)
    }

    fn written(&self, _: &Key) -> Option<String> {
        Some(format!("\"{}\"", self.name()))
    }
}

/// A word, or every so many steps.
impl Setting for Resize {
    fn read(item: &Item<'_>) -> Option<Self> {
        if item.is_text() {
            return item.word(&[("auto", Self::Auto), ("never", Self::Never)]);
        }
        let needed = "\"auto\", \"never\" or a whole number of at least 1 (steps) is needed";
        item.whole_as(1, needed).map(Self::Every)
    }

    fn written(&self, _: &Key) -> Option<String> {
        Some(match self {
            Self::Auto => "\"auto\"".to_owned(),
            Self::Never => "\"never\"".to_owned(),
            Self::Every(steps) => steps.to_string(),
        })
    }
}

pub(super) fn output(root: &Section<'_>, context: &Context<'_>, run: &Run) -> Output {
    let section = root.table("output");
    let output = Output {
        frame_every: frame_every(&section, run),
        counts_every: section.get("counts_every").and_then(|item| counts_every(&item, run)),
        ..read_output(&section, context)
    };
    section.finish();
    output
}

/// What models of all kinds say of the output; every step is a frame.
pub(super) fn read_output(section: &Section<'_>, context: &Context<'_>) -> Output {
    let logged = section.get("log_species").and_then(|item| item.list()).unwrap_or_default();
    let mut log_species: Vec<u16> = Vec::new();
    for species in logged.iter().filter_map(|item| context.kinds.matching(item)).flatten() {
        if !log_species.contains(&species) {
            log_species.push(species);
        }
    }
    let log = section.setting("log");
    let log_shells = section.setting("log_shells");
    if log_shells && log != LogLevel::All {
        section.refuse(
            "log_shells",
            "edges of shells are logged only beside all contacts: add `log = \"all\"`",
        );
    }
    Output {
        log,
        log_species,
        log_walls: section.setting("log_walls"),
        log_shells,
        single_precision: section
            .get("precision")
            .and_then(|item| item.word(&[("single", true), ("double", false)]))
            .unwrap_or(true),
        compress: section.setting("compress"),
        ..Output::default()
    }
}

/// How often particles are counted, from a time or a number of steps.
fn counts_every(item: &Item<'_>, run: &Run) -> Option<u64> {
    match item.is_text() {
        true => every_time(item, run, "counts"),
        false => {
            item.whole_as(1, "a time, for example \"1 us\", or a whole number of steps is needed")
        }
    }
}

/// A time between `what`, in steps.
fn every_time(item: &Item<'_>, run: &Run, what: &str) -> Option<u64> {
    let steps = item.quantity()? / run.timestep;
    if steps < 1.0 - 1e-9 {
        item.fault(format!(
            "{what} cannot be closer together than a time step, {} us",
            run.timestep
        ));
    }
    // To the nearest step: here nothing has to be reached, as it has by `until`.
    Some(steps.round().clamp(1.0, 9e15) as u64)
}

/// The frames' cadence, from a time, a number of steps or the number of frames.
fn frame_every(section: &Section<'_>, run: &Run) -> u64 {
    let every = section.get("every");
    let frame_every = section.get("frame_every");
    let frames = section.get("frames");
    let given = [&every, &frame_every, &frames];
    if given.iter().filter(|item| item.is_some()).count() > 1 {
        section.fault("`every`, `frame_every` and `frames` say the same thing: keep one");
    }
    let of_frames = |frames: u64| (run.steps / frames).max(1);
    let every = every.and_then(|item| every_time(&item, run, "frames"));
    every
        .or_else(|| frame_every.and_then(|item| item.whole(1)))
        .or_else(|| frames.and_then(|item| item.whole(1)).map(of_frames))
        .unwrap_or_else(|| of_frames(FRAMES))
}
