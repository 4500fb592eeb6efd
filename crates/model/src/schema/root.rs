//! The sections of the model file.

use super::describe::any_of;
use super::engine::{BROWNIAN, Engine, GRANULAR, INERTIAL, POLYGONS};
use super::granular::{COLLISIONS, DRAG, FIELD, GRAVITY, MATERIAL, SHAKING};
use super::molecules::MOLECULE;
use super::polygons::{CONTACT, WALL};
use super::potentials::POTENTIAL;
use super::rules::{CLUSTERS, OBSERVABLE, RULE, SCHEDULE};
use super::settings::{ANY_SEARCH, OUTPUT, RUN, SEARCH, SPACE, UNITS};
use super::species::SPECIES;
use super::surfaces::SURFACE;
use super::types::{Key, NUMBER, Table, Type};

/// What particles with momentum do instead of reacting.
const COLLIDE: &[(Engine, &str)] = &[
    (
        Engine::Granular,
        "this belongs to Brownian models: the balls of a granular run only collide, as set under \
         `[collisions]`",
    ),
    (
        Engine::Polygons,
        "this belongs to Brownian models: polygons only exert contact forces on each other, as set under `[contact]`",
    ),
    (
        Engine::Gas,
        "this belongs to Brownian models: the disks of a gas only collide, without loss of energy",
    ),
];

/// What holds for polygons and gases in place of what balls do.
const LOSE: &[(Engine, &str)] = &[
    (
        Engine::Polygons,
        "this belongs to granular models; the forces between polygons are set under `[contact]`, and a \
         `[[wall]]` can move (`drive`)",
    ),
    (
        Engine::Gas,
        "this belongs to granular models (`engine = \"granular\"`): the disks of a gas lose no energy, their \
         walls do not move, and the only force on them is `[gravity]`",
    ),
];

const fn section(name: &'static str, table: &'static Table, doc: &'static str) -> Key {
    Key::new(name, Type::Table(table), "{}", doc)
}

const fn several(name: &'static str, tables: &'static Type, doc: &'static str) -> Key {
    Key::new(name, Type::List(tables), "[]", doc)
}

/// The whole model file.
pub static ROOT: Table = Table::new(
    "model",
    &[
        Key::new("title", Type::Text, "\"receptors\"", "appears in reports and in the file")
            .usually("\"\"")
            .beside_results(),
        Key::new(
            "parameters",
            Type::Named(&Type::Either(&[NUMBER, Type::Text, Type::Boolean])),
            "{ D = \"10 um^2/s\" }",
            "values that are used in several places, as `\"$D\"` or in products such as `\"2*$D\"`",
        )
        .without("none")
        .see("Parameters")
        .written_as(&["space.edges"]),
        section("units", &UNITS, "the units of numbers without a unit"),
        section("space", &SPACE, "the box"),
        section("run", &RUN, "how long to run, and how"),
        several("species", &Type::Table(&SPECIES), "the kinds of particles, one table for each")
            .without("at least one is needed"),
        several(
            "molecule",
            &Type::Table(&MOLECULE),
            "molecules of several spheres, one table for each",
        )
        .without("none")
        .see("Molecules of several spheres")
        .only(BROWNIAN)
        .elsewhere(COLLIDE),
        several("surface", &Type::Table(&SURFACE), "surfaces in the box, one table for each")
            .without("only the box itself")
            .see("Surfaces")
            .only(BROWNIAN),
        several("rule", &Type::Table(&RULE), "what can happen, one table for each rule")
            .without("pairs without a rule bounce")
            .see("Rules")
            .only(BROWNIAN)
            .elsewhere(COLLIDE),
        several(
            "schedule",
            &Type::Table(&SCHEDULE),
            "what happens at given times, one table for each entry",
        )
        .see("The schedule")
        .only(BROWNIAN)
        .elsewhere(COLLIDE),
        several(
            "observable",
            &Type::Table(&OBSERVABLE),
            "what is counted by a name of its own, one table for each",
        )
        .without("none")
        .see("Observables")
        .only(BROWNIAN)
        .elsewhere(COLLIDE),
        several(
            "potential",
            &Type::Table(&POTENTIAL),
            "attraction and repulsion, one table for each",
        )
        .without("particles interact at contact only")
        .see("Attraction and repulsion")
        .only(BROWNIAN)
        .elsewhere(COLLIDE),
        section("clusters", &CLUSTERS, "clusters of bonded particles")
            .only(BROWNIAN)
            .elsewhere(COLLIDE),
        section("gravity", &GRAVITY, "a force on all particles").only(INERTIAL),
        section(
            "shaking",
            &SHAKING,
            "the container, or one of its walls, oscillates; where it is at time 0 follows from the phase",
        )
        .without("at rest")
        .only(GRANULAR)
        .elsewhere(LOSE),
        section("drag", &DRAG, "slows balls down").only(GRANULAR).elsewhere(LOSE),
        section("field", &FIELD, "a harmonic well: the acceleration is −rate² (*x* − centre)")
            .without("none")
            .only(GRANULAR)
            .elsewhere(LOSE),
        section("collisions", &COLLISIONS, "how much velocity remains after a collision")
            .only(GRANULAR)
            .elsewhere(LOSE),
        section("material", &MATERIAL, "the material of balls and walls")
            .without("steel")
            .only(GRANULAR)
            .elsewhere(LOSE),
        section("contact", &CONTACT, "the forces between two particles that overlap")
            .only(POLYGONS),
        several("wall", &Type::Table(&WALL), "walls, one table for each").only(POLYGONS),
        Key::new(
            "search",
            Type::Either(&[Type::Table(&SEARCH), Type::Word(ANY_SEARCH)]),
            "{}",
            "the search structure: a table, or only its `kind` as a word",
        )
        .beside_results(),
        section("output", &OUTPUT, "what is written").beside_results(),
    ],
);

/// Whether what happens in a run depends on a setting, called as `--set` calls it. It does on
/// settings that are not known here.
pub fn changes_results(setting: &str) -> bool {
    rows_to(setting).all(|key| key.changes_results)
}

/// Why a setting, called as `--set` calls it, cannot be an axis of a sweep, if it cannot.
pub fn no_axis(setting: &str) -> Option<&'static str> {
    rows_to(setting).find_map(|key| key.no_axis)
}

/// The settings, other than those of the output, on which what happens in a run does not depend, as
/// a list in a sentence.
pub fn settable() -> String {
    let mut found: Vec<String> = Vec::new();
    for section in ROOT.keys.iter().filter(|key| key.name != "output") {
        let Some(table) = section.takes.table_within() else { continue };
        if !section.changes_results {
            found.push(format!("{}.*", section.name));
            continue;
        }
        for key in table.keys.iter().filter(|key| !key.changes_results) {
            let name = format!("{}.{}", section.name, key.name);
            if !found.contains(&name) {
                found.push(name);
            }
        }
    }
    any_of(found.into_iter(), " and ")
}

/// The rows of the schema that lead to a setting, as far as it is known here.
fn rows_to(setting: &str) -> impl Iterator<Item = &'static Key> {
    let mut table = Some(&ROOT);
    setting.split('.').map_while(move |name| {
        let key = table?.named(name).next()?;
        table = key.takes.table_within();
        Some(key)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_depend_on_the_model_and_not_on_how_it_is_run() {
        let model =
            ["run.seed", "run.timestep", "species.A.count", "space.edges", "searching", "version"];
        assert!(model.into_iter().all(changes_results));
        let other =
            ["search", "search.kind", "run.threads", "run.memory", "run.steps", "output.log"];
        assert!(!other.into_iter().any(changes_results));
        assert_eq!(
            settable(),
            "run.until, run.steps, run.threads, run.memory, run.keep_checkpoint, run.scheduler and search.*"
        );
    }

    #[test]
    fn settings_without_effect_are_no_axes_of_sweeps() {
        assert!(
            ["run.seed", "run.threads", "run.memory"].into_iter().all(|key| no_axis(key).is_some())
        );
        assert!(
            ["run.steps", "search.kind", "rule.a.rate"]
                .into_iter()
                .all(|key| no_axis(key).is_none())
        );
    }
}
