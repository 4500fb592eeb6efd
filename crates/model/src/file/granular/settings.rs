//! `[space]`, `[run]`, `[search]` and `[output]` of a granular model.

use crate::granular::Enclosure;
use crate::walker::{Item, Section, listed};
use crate::{Output, Run, Space};
use jostle_core::parameters::granular::{KineticKind, Trajectory};
use jostle_core::search::Kind;

use super::super::keys::Keys;
use super::super::settings as common;
use super::Context;

/// How many frames a run writes if the file does not say.
const FRAMES: u64 = 100;

pub(super) fn space(root: &Section<'_>) -> (Space, Enclosure) {
    let section = root.table("space");
    let space = common::read_space(&section);
    let shape = section.setting("shape");
    section.finish();
    (space, shape)
}

/// `[run]`, from event to event: until when \[µs\], and when paths are renewed. How often it is
/// written stands under `[output]`.
pub(super) fn run(root: &Section<'_>) -> (Run, f64, Option<Trajectory>) {
    let section = root.table("run");
    section.get("engine");
    let every: Option<f64> = section.setting("trajectory_every");
    let clock = section.setting("trajectory_clock");
    if every.is_none() {
        let why = "there is no clock without `trajectory_every`, for example `trajectory_every = \"5 ms\"`";
        section.refuse("trajectory_clock", why);
    }
    let (run, until) = (Run::read(&section), section.setting("until"));
    section.finish();
    (run, until, every.map(|every| Trajectory { every, clock }))
}

/// The structure; none if the program is to choose.
pub(in super::super) fn search(section: Section<'_>) -> Option<KineticKind> {
    let kind = section.get("kind").and_then(|item| {
        let is_auto = |word: &str| (word == Kind::Auto.name()).then_some(None);
        let known = |word: &str| is_auto(word).or_else(|| KineticKind::parse(word).map(Some));
        let stepped = Kind::ALL.into_iter().find(|kind| item.is_word(kind.name()));
        if let Some(stepped) = stepped.filter(|kind| known(kind.name()).is_none()) {
            let kinetic = item.words().filter(|word| known(word).is_some());
            item.fault(format!(
                "found \"{}\", which works with the time steps of a Brownian model; a granular model has none \
                 and needs one of {}",
                stepped.name(),
                listed(kinetic)
            ));
            return None;
        }
        item.word_by(known).flatten()
    });
    section.finish();
    kind
}

/// How often a run is written.
pub(super) struct OutputInterval {
    /// \[µs\]
    pub(super) every: f64,
    pub(super) count: u64,
}

pub(super) fn output(
    root: &Section<'_>,
    context: &Context<'_>,
    until: f64,
) -> (Output, OutputInterval) {
    let section = root.table("output");
    let found = (common::read_output(&section, context), output_interval(&section, until));
    section.finish();
    found
}

/// The frames' cadence, from a time or a number of frames; a remainder of the time takes a whole
/// one.
fn output_interval(section: &Section<'_>, until: f64) -> OutputInterval {
    let (every, frames) = (section.get("every"), section.get("frames"));
    if every.is_some() && frames.is_some() {
        section.fault("`every` and `frames` say the same thing: keep one");
    }
    let most = |item: Item<'_>| {
        let count = item.whole(1)?;
        if count > 1 << 50 {
            item.fault(format!("found {count} frames, more than can be counted (1e15)"));
        }
        Some(count.min(1 << 50))
    };
    let count = frames.and_then(most).unwrap_or(FRAMES);
    let even = OutputInterval { every: until / count as f64, count };
    let Some(item) = every else {
        return even;
    };
    let Some(every) = item.quantity() else {
        return even;
    };
    let count = until / every;
    if count < 1.0 - 1e-12 {
        item.fault(format!("the first frame would come after the end: `until` is {until:?} us"));
    } else if count > 9e15 {
        item.fault(format!("this gives {count:.3e} frames, more than can be counted (9e15)"));
    }
    // Rounding may leave a little more than a whole number, which must not make another frame.
    OutputInterval { every, count: (count * (1.0 - 1e-12)).ceil().clamp(1.0, 9e15) as u64 }
}
