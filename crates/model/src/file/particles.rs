//! The `[[species]]` tables: what kinds of particles there are, and where they are at the start.

use std::collections::BTreeSet;

use crate::Placement;
use crate::granular::Motion;
use crate::walker::{Item, Section};
use jostle_core::species::{Drift, MOST_SPECIES, Species};
use jostle_files::shortened;

use super::surfaces::{self, Habits};
use super::{Context, patterns, places, sites, states};

/// The species, each state being one of its own, and their particles.
pub(super) fn species(
    root: &Section<'_>,
    context: &mut Context<'_>,
    habits: &mut Habits,
) -> (Vec<Species>, Vec<Placement>) {
    let (sections, declared) = tables(root);
    if sections.is_empty() {
        root.fault("there is no species: `[[species]]` with name, radius, diffusion and count");
    }
    let mut species = Vec::new();
    let mut placement = Vec::new();
    for section in sections {
        let (declared, fixed) = species_name(&section, context);
        let combinations = match &fixed {
            Some(states) => {
                section.refuse("states", "the name already contains the state of this species");
                vec![states.clone()]
            }
            None => states::combinations(&section),
        };
        let first = context.kinds.len() as u16;
        combinations.iter().for_each(|states| context.kinds.add(&declared, states));
        let sites = sites::sites(&section, context.dimension);
        // To one species alone: with `sites` there are no `states`, which would make several.
        context.kinds.set_sites(&sites);
        let whole = Species {
            name: declared.clone(),
            radius: states::radius(&section),
            diffusion_coefficient: states::diffusion(&section),
            drift: drift(&section, context.dimension),
            sites,
        };
        species.extend(states::expand(&section, &whole, &combinations));
        habits.read(&section, &context.surfaces, combinations.len());
        // Before its particles are counted: on a surface their concentration is one per area.
        context.anchors = habits.anchors.iter().map(|anchor| anchor.map(|l| l.surface)).collect();
        let name = patterns::name_in(&declared, fixed.as_deref().unwrap_or_default());
        placement.extend(places::placements(&section, context, &name, first));
        section.finish();
    }
    context.surfaces.habits.clone_from(&habits.sides);
    // Of too many tables only the first have been read, and each may stand for several species.
    check_number(root, declared.max(species.len()));
    (species, placement)
}

/// The `[[species]]` tables, and how many there are: of too many only so many as to show it.
pub(super) fn tables<'a>(root: &Section<'a>) -> (Vec<Section<'a>>, usize) {
    let mut sections = root.tables("species");
    let declared = sections.len();
    sections.truncate(MOST_SPECIES + 1);
    (sections, declared)
}

/// There are no more species than can be distinguished.
pub(super) fn check_number(root: &Section<'_>, count: usize) {
    if count > MOST_SPECIES
        && let Some(item) = root.get("species")
    {
        item.fault(format!(
            "there are {count} species, counting each state of a species as one; at most {} are possible",
            MOST_SPECIES
        ));
    }
}

/// What a table of a species without states says: how far its particles reach \[nm\], what else they
/// are like, and where they are.
pub(super) type Plain<T> = (f64, T, Vec<Placement>);

/// The species of models whose particles have momentum. `read` is told the name and the number of
/// each; `needed` are the keys without which there is none.
pub(super) fn plain<T>(
    root: &Section<'_>,
    context: &mut Context<'_>,
    needed: &str,
    read: impl Fn(&Section<'_>, &Context<'_>, &str, u16) -> Plain<T>,
) -> (Vec<Species>, Vec<Placement>, Vec<T>) {
    let (sections, declared) = tables(root);
    if sections.is_empty() {
        root.fault(format!("there is no species: `[[species]]` with {needed}"));
    }
    let (mut species, mut placement, mut all) = (Vec::new(), Vec::new(), Vec::new());
    for section in sections {
        let name = plain_name(&section, context);
        let number = context.kinds.len() as u16;
        context.kinds.add(&name, &[]);
        let (radius, like, places) = read(&section, context, &name, number);
        section.finish();
        let (radius, drift, sites) = (Some(radius), Drift::Still, Default::default());
        species.push(Species { name, radius, diffusion_coefficient: None, drift, sites });
        placement.extend(places);
        all.push(like);
    }
    check_number(root, declared.max(species.len()));
    (species, placement, all)
}

/// How particles with momentum move at the start.
pub(super) fn motion(section: &Section<'_>, dimension: usize) -> Motion {
    let (speed, velocity) = (section.get("speed"), section.get("velocity"));
    if let (Some(item), true) = (&speed, velocity.is_some()) {
        item.fault(
            "particles start with random velocities of a mean `speed`, or all with the same `velocity`: keep one",
        );
    }
    let speed = speed.and_then(|item| item.quantity()).map(Motion::Maxwell);
    let alike = || velocity?.components(dimension).map(Motion::Alike);
    speed.or_else(alike).unwrap_or(Motion::Rest)
}

/// The name of a species that has no states.
fn plain_name(section: &Section<'_>, context: &Context<'_>) -> String {
    let Some(item) = section.require("name") else {
        return String::new();
    };
    let name = item.text().unwrap_or_default();
    if !states::is_word(name) {
        not_a_word(&item, name);
    } else if context.kinds.is_taken(name) {
        item.fault(format!("\"{name}\" is already taken: names must differ"));
    }
    name.to_owned()
}

/// What stands for all species in questions to results.
const ANY: &str = "any";

/// The declared name of a species and, if it is given as `EGFR{bound}`, the states in its name.
fn species_name(section: &Section<'_>, context: &Context<'_>) -> (String, Option<Vec<String>>) {
    let Some(item) = section.require("name") else {
        return (String::new(), None);
    };
    let name = item.text().unwrap_or_default();
    let parts = name.strip_suffix('}').and_then(|name| name.split_once('{'));
    let (declared, states) = match parts {
        Some((declared, states)) => {
            (declared, Some(states.split(',').map(str::to_owned).collect()))
        }
        None => (name, None),
    };
    let words: &Vec<String> = states.as_ref().unwrap_or(const { &Vec::new() });
    if !states::is_word(declared) || words.iter().any(|word| !states::is_word(word)) {
        not_a_word(&item, name);
    } else if surfaces::TAKEN.contains(&declared) || declared == ANY {
        item.fault(format!(
            "the faces of the box are called {}, and \"{ANY}\" means every species, where results are \
             analysed; choose another name",
            surfaces::TAKEN.join(", ")
        ));
    } else if context.kinds.is_taken(name) {
        item.fault(format!("\"{name}\" is already taken: names must differ"));
    // `EGFR{free}` and `EGFR{bound}` may be declared one by one, but patterns go by the number of
    // sites.
    } else if context.kinds.sites(declared).is_some_and(|sites| sites != words.len()) {
        item.fault(format!("\"{declared}\" already exists, with a different number of states"));
    }
    (declared.to_owned(), states)
}

/// The name of a rule: one word, used once.
pub(super) fn name(item: &Item<'_>, used: &BTreeSet<String>) -> String {
    let name = item.text().unwrap_or_default();
    if used.contains(name) {
        item.fault(format!("\"{name}\" is already taken: names must differ"));
    }
    if !states::is_word(name) {
        not_a_word(item, name);
    }
    name.to_owned()
}

fn not_a_word(item: &Item<'_>, found: &str) {
    item.fault(format!(
        "found \"{}\", but a word is needed, of at most {} bytes, without spaces or any of . / [ ] {{ }} , | \" =, \
         not beginning with + - @ and not a bare number, for example {}",
        shortened(found, states::LONGEST),
        states::LONGEST,
        item.row.example
    ));
}

fn drift(section: &Section<'_>, dimension: usize) -> Drift {
    let read = |item: Item<'_>| {
        let section = item.section()?;
        let drift = match section.only(["velocity", "shear", "well"]) {
            Some(("velocity", item)) => item.components(dimension).map(Drift::Constant),
            Some(("shear", item)) => shear_of(item.section()?),
            Some(("well", item)) => well_of(item.section()?, dimension),
            _ => {
                item.fault(
                    "exactly one of `velocity = [..]`, `shear = {rate, along, across}` and \
                     `well = {centre, relaxation}` is needed",
                );
                None
            }
        };
        section.finish();
        drift
    };
    section.get("drift").and_then(read).unwrap_or(Drift::Still)
}

fn shear_of(section: Section<'_>) -> Option<Drift> {
    let rate: Option<f64> = section.setting("rate");
    let axis = |key| -> Option<usize> { section.setting(key) };
    let (along, across) = (axis("along"), axis("across"));
    if along.is_some() && along == across {
        section.fault("`along` and `across` must be two different axes");
    }
    section.finish();
    Some(Drift::Shear { rate: rate?, along: along?, across: across? })
}

fn well_of(section: Section<'_>, dimension: usize) -> Option<Drift> {
    let centre = section.require("centre").and_then(|item| item.components(dimension));
    let relaxation: Option<f64> = section.setting("relaxation");
    section.finish();
    Some(Drift::Well { centre: centre?, relaxation: relaxation? })
}
