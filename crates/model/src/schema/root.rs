//! The sections of the model file.

use super::engine::{BROWNIAN, Engine, GRANULAR, INERTIAL, POLYGONS};
use super::granular::{COLLISIONS, DRAG, FIELD, GRAVITY, MATERIAL, SHAKING};
use super::polygons::{CONTACT, WALL};
use super::rules::{CLUSTERS, RULE, SCHEDULE};
use super::settings::{ANY_SEARCH, OUTPUT, RUN, SEARCH, SPACE, UNITS};
use super::species::SPECIES;
use super::surfaces::SURFACE;
use super::types::{Key, Table, Type};

/// What particles with momentum do instead of reacting.
const COLLIDE: &[(Engine, &str)] = &[
    (
        Engine::Granular,
        "this belongs to Brownian models: the balls of a granular run do nothing but collide, as \
         `[collisions]` says",
    ),
    (
        Engine::Polygons,
        "this belongs to Brownian models: polygons do nothing but press on each other, as `[contact]` says",
    ),
    (
        Engine::Gas,
        "this belongs to Brownian models: the disks of a gas do nothing but collide, without loss",
    ),
];

/// What holds for polygons and gases in place of what balls do.
const LOSE: &[(Engine, &str)] = &[
    (
        Engine::Polygons,
        "this belongs to granular models; what polygons do to each other stands under `[contact]`, and a \
         `[[wall]]` can move (`drive`)",
    ),
    (
        Engine::Gas,
        "this belongs to granular models (`engine = \"granular\"`): the disks of a gas lose nothing, between \
         walls that rest, and only `[gravity]` pulls at them",
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
            .usually("\"\""),
        section("units", &UNITS, "what bare numbers are in"),
        section("space", &SPACE, "the box"),
        section("run", &RUN, "how long, and how"),
        several("species", &Type::Table(&SPECIES), "the kinds of particles, one table for each")
            .without("at least one is needed"),
        several("surface", &Type::Table(&SURFACE), "what there is in the box, one table for each")
            .without("there is only the box")
            .see("Surfaces")
            .only(BROWNIAN),
        several("rule", &Type::Table(&RULE), "what happens, one table for each")
            .without("pairs without a rule bounce")
            .see("Rules")
            .only(BROWNIAN)
            .elsewhere(COLLIDE),
        several(
            "schedule",
            &Type::Table(&SCHEDULE),
            "what happens by the clock, one table for each",
        )
        .see("The schedule")
        .only(BROWNIAN)
        .elsewhere(COLLIDE),
        section("clusters", &CLUSTERS, "particles that are bonded to each other")
            .only(BROWNIAN)
            .elsewhere(COLLIDE),
        section("gravity", &GRAVITY, "what pulls at particles").only(INERTIAL),
        section(
            "shaking",
            &SHAKING,
            "the whole container oscillates; its place at time 0 is that of the phase",
        )
        .without("at rest")
        .only(GRANULAR)
        .elsewhere(LOSE),
        section("drag", &DRAG, "what slows balls down").only(GRANULAR).elsewhere(LOSE),
        section("field", &FIELD, "a harmonic well: the acceleration is −rate² (*x* − centre)")
            .without("none")
            .only(GRANULAR)
            .elsewhere(LOSE),
        section("collisions", &COLLISIONS, "what a collision leaves of the velocities")
            .only(GRANULAR)
            .elsewhere(LOSE),
        section("material", &MATERIAL, "what balls and walls are made of")
            .without("steel")
            .only(GRANULAR)
            .elsewhere(LOSE),
        section("contact", &CONTACT, "the forces between two that overlap").only(POLYGONS),
        several("wall", &Type::Table(&WALL), "walls, one table for each").only(POLYGONS),
        Key::new(
            "search",
            Type::Either(&[Type::Table(&SEARCH), Type::Word(ANY_SEARCH)]),
            "{}",
            "the search structure; `search = \"slices\"` is short for the table with this `kind`",
        ),
        section("output", &OUTPUT, "what is written"),
    ],
);
