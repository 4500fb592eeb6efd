//! The keys of geometry files: what a model of rules does not say and a model of particles needs.

use crate::units::Wanted;

use super::types::{DIFFUSION, Key, LENGTH, NUMBER, TIME, Table, Type};

const SIZE_DOC: &str = "the radius and the diffusion coefficient";

/// A geometry file.
pub(crate) static GEOMETRY: Table = Table::new(
    "geometry",
    &[
        Key::new(
            "box",
            Type::PerAxis(&LENGTH),
            "[\"1 um\", \"1 um\", \"1 um\"]",
            "the edges of the box, one for each dimension",
        )
        .needed(),
        Key::new(
            "boundary",
            Type::Word(&["periodic", "reflecting"]),
            "\"periodic\"",
            "whether the axes are periodic or end at walls",
        )
        .usually("\"periodic\""),
        Key::new("time_step", TIME, "\"100 ns\"", "the time step").needed(),
        Key::new("until", TIME, "\"10 s\"", "the length of the run")
            .without("that of the first simulation in the BNGL file"),
        Key::new(
            "time_unit",
            Type::Unit(&Wanted::TIME),
            "\"s\"",
            "the unit of time of the rate constants",
        )
        .usually("\"s\""),
        Key::new(
            "units",
            Type::Word(&["molecules", "M", "mM", "uM", "nM", "pM"]),
            "\"molecules\"",
            "the unit of the amounts of seed species: numbers of molecules, or a concentration",
        )
        .usually("\"molecules\""),
        Key::new(
            "rates",
            Type::Word(&["per molecule", "/M/s", "/mM/s", "/uM/s", "/nM/s", "/pM/s"]),
            "\"per molecule\"",
            "the meaning of rate constants of two partners: per pair of molecules in the whole volume, or per \
             concentration",
        )
        .without("as `units` says"),
        Key::new(
            "rates_every",
            TIME,
            "\"1 ms\"",
            "how often rates that are functions of observables or of the time are worked out",
        )
        .without("10 000 times in the run, at most once per step"),
        Key::new(
            "parameters",
            Type::Named(&NUMBER),
            "{ kon = 0.01 }",
            "other values of parameters of the BNGL file, and those of numbers that a fit has found",
        )
        .without("those of the BNGL file"),
        Key::new(
            "room",
            Type::Boolean,
            "true",
            "whether molecules keep each other out where they do not react, which BNGL takes no account of",
        )
        .usually("false"),
        Key::new(
            "compartments",
            Type::Word(&["layers", "spheres"]),
            "\"layers\"",
            "the shape of several compartments: layers along z with planes between them, or spheres one within the other",
        )
        .without("spheres, or layers where molecules on membranes have bonds or spheres do not fit"),
        Key::new(
            "default",
            Type::Table(&SIZE),
            "{ radius = \"3 nm\", diffusion = \"10 um^2/s\" }",
            SIZE_DOC,
        )
        .without("each species has its own"),
        Key::new(
            "species",
            Type::Named(&Type::Table(&SIZE)),
            "{ EGFR = { radius = \"4 nm\", diffusion = \"0.1 um^2/s\" } }",
            SIZE_DOC,
        )
        .without("as `default`"),
    ],
);

static SIZE: Table = Table::new(
    "size",
    &[
        Key::new("radius", LENGTH, "\"3 nm\"", "the radius"),
        Key::new("diffusion", DIFFUSION, "\"10 um^2/s\"", "the diffusion coefficient"),
    ],
);
