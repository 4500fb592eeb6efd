//! `[run]`, `[gravity]`, `[search]` and `[output]` of a disk gas.

use crate::gas::Contact;
use crate::granular::Gravity;
use crate::walker::{Item, Section};
use crate::{Run, Scheduler};
use jostle_core::parameters::granular::KineticKind;
use jostle_core::search::{Kind, Settings};

use super::super::granular::{forces, settings as granular};
use super::super::settings as common;

pub(super) fn run(root: &Section<'_>) -> (Run, Scheduler, Contact) {
    let section = root.table("run");
    section.get("engine");
    let contact = section.setting("contact");
    if contact != Contact::Exact {
        let why = "there is nothing to choose: only `contact = \"exact\"` runs on several threads and orders \
                   contacts within a step";
        section.refuse("threads", why);
        section.refuse("scheduler", why);
    }
    let (run, scheduler) = common::read_run(&section);
    section.finish();
    (run, scheduler, contact)
}

/// What pulls, and whether disks begin as an atmosphere.
pub(super) fn gravity(root: &Section<'_>, dimension: usize) -> (Gravity, bool) {
    let section = root.table("gravity");
    let gravity = forces::constant_gravity(&section, dimension);
    let pulls = gravity.strength() > 0.0;
    let start = section.get("start");
    if let (Some(item), false) = (&start, pulls || gravity.strength().is_nan()) {
        item.fault(
            "without an `acceleration` there is no atmosphere: all positions are equivalent",
        );
    }
    let words = [("atmosphere", true), ("uniform", false)];
    let atmosphere = start.and_then(|item| item.word(&words)).unwrap_or(true);
    section.finish();
    // Without gravity every height is as likely, and the two starts are one.
    (gravity, atmosphere && pulls)
}

/// The structure for steps, and the one for events: each is for its own way of finding contacts.
pub(super) fn search(root: &Section<'_>, contact: Contact) -> (Settings, Option<KineticKind>) {
    match contact {
        Contact::Exact => (common::search(root), None),
        Contact::AfterMove => (strips(root), None),
        Contact::Events => (Settings::default(), of_events(root)),
    }
}

/// The structure that follows disks from event to event.
fn of_events(root: &Section<'_>) -> Option<KineticKind> {
    let section = root.table("search");
    for key in ["relink", "listing", "axis", "pruning", "cell_size", "resize"] {
        section.refuse(
            key,
            "with `contact = \"events\"` the search structures of granular models have no settings except `kind`",
        );
    }
    granular::search(section)
}

/// The page's strips: `slices`, which `auto` stands for too, or `naive`.
fn strips(root: &Section<'_>) -> Settings {
    let section = root.table("search");
    for key in ["relink", "listing", "pruning", "resize"] {
        section.refuse(
            key,
            "with `contact = \"after_move\"` strips have no settings except `axis` and `cell_size`, their width",
        );
    }
    let kind = |item: Item<'_>| {
        let known = [Kind::Auto, Kind::Slices, Kind::Naive];
        let found = known.into_iter().find(|kind| item.is_word(kind.name()));
        if found.is_none() {
            let text = item.text()?;
            item.fault(format!(
                "found \"{text}\", but overlaps after the move are searched for in strips, \"slices\", or among all \
                 pairs, \"naive\"; `contact = \"exact\"` can use any structure that works with a time step"
            ));
        }
        found
    };
    let kind = match section.get("kind").and_then(kind) {
        Some(Kind::Naive) => Kind::Naive,
        _ => Kind::Slices,
    };
    let (axis, cell_size) = (section.setting("axis"), section.setting("cell_size"));
    section.finish();
    Settings { kind, axis, cell_size, ..Settings::default() }
}
