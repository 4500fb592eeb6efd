//! `[[potential]]`: attraction and repulsion.

use super::types::{ENERGY, Key, LENGTH, Table, Type};

const PARTNER: Type = Type::Either(&[Type::Text, Type::List(&Type::Text)]);

pub(crate) static POTENTIAL: Table = Table::new(
    "potential",
    &[
        Key::new("name", Type::Text, "\"attract\"", "one word, different for each").needed(),
        Key::new(
            "between",
            Type::List(&PARTNER),
            "[\"A\", \"B\"]",
            "the two partners, each a species, a pattern or a list of them",
        )
        .needed(),
        Key::new(
            "steps",
            Type::List(&Type::Table(&STEP)),
            "[{ to = \"7 nm\", energy = \"-1.5 kT\" }]",
            "the energy in shells around contact, from the inside out",
        )
        .without(
            "exactly one of these is needed: `steps`, `square_well`, `square_shoulder`, `yukawa`, \
             `lennard_jones`, `table`",
        ),
        Key::new(
            "square_well",
            Type::Table(&SQUARE_WELL),
            "{ to = \"7 nm\", depth = \"1.5 kT\" }",
            "attraction in a single shell around contact",
        )
        .written_as(&["steps"]),
        Key::new(
            "square_shoulder",
            Type::Table(&SQUARE_SHOULDER),
            "{ to = \"7 nm\", height = \"2 kT\" }",
            "repulsion in a single shell around contact",
        )
        .written_as(&["steps"]),
        Key::new(
            "yukawa",
            Type::Table(&YUKAWA),
            "{ strength = \"4 kT\", length = \"1 nm\" }",
            "screened charges: strength (*c*/*r*) exp(−(*r* − *c*)/length), *c* being the distance at contact",
        ),
        Key::new(
            "lennard_jones",
            Type::Table(&LENNARD_JONES),
            "{ depth = \"1 kT\", diameter = \"5 nm\" }",
            "4 depth ((diameter/*r*)¹² − (diameter/*r*)⁶), outside of contact",
        ),
        Key::new(
            "table",
            Type::Either(&[Type::Text, Type::List(&Type::Table(&POINT))]),
            "[{ at = \"5 nm\", energy = \"-2 kT\" }, { at = \"8 nm\", energy = \"0 kT\" }]",
            "straight lines between points; or a CSV file whose first two columns are the distance in nm and the \
             energy in kT",
        ),
        Key::new(
            "cutoff",
            LENGTH,
            "\"8 nm\"",
            "beyond this distance of the centres there is no energy",
        )
        .without("needed by `yukawa` and `lennard_jones`; with `table`, the last distance"),
        Key::new(
            "shells",
            Type::Whole(1),
            "8",
            "into how many shells a smooth potential is divided",
        )
        .usually("16"),
    ],
);

static STEP: Table = Table::new(
    "step",
    &[
        Key::new("to", LENGTH, "\"7 nm\"", "the distance of the centres at which the shell ends")
            .needed(),
        Key::new("energy", ENERGY, "\"-1.5 kT\"", "the energy of a pair in it").needed(),
    ],
);

static SQUARE_WELL: Table = Table::new(
    "square_well",
    &[
        Key::new("to", LENGTH, "\"7 nm\"", "the distance of the centres at which the well ends")
            .needed()
            .written_as(&["potential.steps"]),
        Key::new("depth", ENERGY, "\"1.5 kT\"", "how much energy a pair in it gains")
            .needed()
            .written_as(&["potential.steps"]),
    ],
);

static SQUARE_SHOULDER: Table = Table::new(
    "square_shoulder",
    &[
        Key::new(
            "to",
            LENGTH,
            "\"7 nm\"",
            "the distance of the centres at which the shoulder ends",
        )
        .needed()
        .written_as(&["potential.steps"]),
        Key::new("height", ENERGY, "\"2 kT\"", "how much energy it costs a pair to be in it")
            .needed()
            .written_as(&["potential.steps"]),
    ],
);

static POINT: Table = Table::new(
    "point",
    &[
        Key::new("at", LENGTH, "\"5 nm\"", "a distance of the centres").needed(),
        Key::new("energy", ENERGY, "\"-2 kT\"", "the energy of a pair there").needed(),
    ],
);

static YUKAWA: Table = Table::new(
    "yukawa",
    &[
        Key::new("strength", ENERGY, "\"4 kT\"", "the energy at contact, positive if it repels")
            .needed(),
        Key::new("length", LENGTH, "\"1 nm\"", "the screening length (Debye length)").needed(),
    ],
);

static LENNARD_JONES: Table = Table::new(
    "lennard_jones",
    &[
        Key::new("depth", ENERGY, "\"1 kT\"", "how deep the minimum is").needed(),
        Key::new("diameter", LENGTH, "\"5 nm\"", "the distance at which the energy is 0")
            .without("that at contact"),
    ],
);
