//! `[[potential]]`: attraction and repulsion.

use super::types::{ENERGY, Key, LENGTH, NUMBER, Table, Type, not_negative, positive, unless};
use crate::potentials::MOST_SHELLS;
use crate::units::Wanted;

const PARTNER: Type = Type::Either(&[Type::Text, Type::List(&Type::Text)]);

/// More would take longer than they are worth.
const SHELLS: Type = Type::UpTo(1, MOST_SHELLS as u64, "; at most 1000 shells are possible");

/// Larger energies are a slip: exp(−500) is no number of this world. \[kT\]
pub(crate) const MOST_ENERGY: f64 = 500.0;

fn no_energy(energy: f64) -> Option<String> {
    (energy.abs() > MOST_ENERGY).then(|| {
        format!(
            "found {energy} kT; energies up to {MOST_ENERGY} kT are possible: is the unit right?"
        )
    })
}

fn no_depth(depth: f64) -> Option<String> {
    no_energy(depth)
        .or_else(|| opposite(depth, "depth of a well", "square_shoulder = { to, height }"))
}

fn no_height(height: f64) -> Option<String> {
    no_energy(height)
        .or_else(|| opposite(height, "height of a shoulder", "square_well = { to, depth }"))
}

/// What is said of an energy below zero where there is another key for that.
fn opposite(energy: f64, what: &str, other: &str) -> Option<String> {
    (energy < 0.0).then(|| {
        format!(
            "found {energy} kT, but the {what} is positive: use `{other}` for the opposite sign"
        )
    })
}

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
            "exactly one of these is needed: `steps`, `square_well`, `square_shoulder`, a form (`yukawa` \
             to `linear`), `table`",
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
            "debye_hueckel",
            Type::Table(&DEBYE_HUECKEL),
            "{ charge_product = -12, salt = \"150 mM\" }",
            "charged balls in salt water: charge_product (ℓ/(1 + *c*/(2λ))²) exp(−(*r* − *c*)/λ)/*r*, ℓ being the \
             Bjerrum length, λ = (8π ℓ salt)^(−1/2), and *c* the distance at contact",
        ),
        Key::new(
            "lennard_jones",
            Type::Table(&LENNARD_JONES),
            "{ depth = \"1 kT\", diameter = \"5 nm\" }",
            "4 depth ((diameter/*r*)¹² − (diameter/*r*)⁶), outside of contact",
        ),
        Key::new(
            "wca",
            Type::Table(&WCA),
            "{ depth = \"1 kT\", diameter = \"5 nm\" }",
            "soft repulsion (Weeks, Chandler and Andersen): `lennard_jones` lifted by its depth, up to its minimum",
        ),
        Key::new(
            "morse",
            Type::Table(&MORSE),
            "{ depth = \"3 kT\", width = \"0.5 nm\", distance = \"6 nm\" }",
            "depth ((1 − exp(−(*r* − distance)/width))² − 1)",
        ),
        Key::new(
            "gaussian",
            Type::Table(&GAUSSIAN),
            "{ height = \"2 kT\", width = \"1 nm\", distance = \"7 nm\" }",
            "a barrier or a well: height exp(−(*r* − distance)²/(2 width²))",
        ),
        Key::new(
            "harmonic",
            Type::Table(&HARMONIC),
            "{ width = \"10 nm\", distance = \"0 nm\" }",
            "a spring: kT (*r* − distance)²/(2 width²), so that its constant is kT/width²",
        ),
        Key::new(
            "linear",
            Type::Table(&LINEAR),
            "{ length = \"200 nm\" }",
            "a constant force: kT *r*/length",
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
            positive(LENGTH),
            "\"8 nm\"",
            "beyond this distance of the centres there is no energy",
        )
        .without("with `table`, the last distance; with `wca`, its minimum; all other forms need it"),
        Key::new(
            "law",
            Type::Word(&["shells", "bounces"]),
            "\"bounces\"",
            "what particles do in a smooth potential: cross the edges of `shells`, or bounce where they have climbed \
             enough energy, which needs no shells",
        )
        .usually("\"shells\""),
        Key::new(
            "shells",
            SHELLS,
            "8",
            "into how many shells a smooth potential is divided",
        )
        .usually("16"),
    ],
);

static STEP: Table = Table::new(
    "step",
    &[
        Key::new(
            "to",
            positive(LENGTH),
            "\"7 nm\"",
            "the distance of the centres at which the shell ends",
        )
        .needed(),
        Key::new("energy", unless(ENERGY, no_energy), "\"-1.5 kT\"", "the energy of a pair in it")
            .needed(),
    ],
);

static SQUARE_WELL: Table = Table::new(
    "square_well",
    &[
        Key::new(
            "to",
            positive(LENGTH),
            "\"7 nm\"",
            "the distance of the centres at which the well ends",
        )
        .needed()
        .written_as(&["potential.steps"]),
        Key::new(
            "depth",
            unless(ENERGY, no_depth),
            "\"1.5 kT\"",
            "how much energy a pair in it gains",
        )
        .needed()
        .written_as(&["potential.steps"]),
    ],
);

static SQUARE_SHOULDER: Table = Table::new(
    "square_shoulder",
    &[
        Key::new(
            "to",
            positive(LENGTH),
            "\"7 nm\"",
            "the distance of the centres at which the shoulder ends",
        )
        .needed()
        .written_as(&["potential.steps"]),
        Key::new(
            "height",
            unless(ENERGY, no_height),
            "\"2 kT\"",
            "how much energy it costs a pair to be in it",
        )
        .needed()
        .written_as(&["potential.steps"]),
    ],
);

static POINT: Table = Table::new(
    "point",
    &[
        Key::new("at", positive(LENGTH), "\"5 nm\"", "a distance of the centres").needed(),
        Key::new("energy", unless(ENERGY, no_energy), "\"-2 kT\"", "the energy of a pair there")
            .needed(),
    ],
);

static YUKAWA: Table = Table::new(
    "yukawa",
    &[
        Key::new(
            "strength",
            unless(ENERGY, no_energy),
            "\"4 kT\"",
            "the energy at contact, positive if it repels",
        )
        .needed(),
        Key::new("length", positive(LENGTH), "\"1 nm\"", "the screening length (Debye length)")
            .needed(),
    ],
);

static LENNARD_JONES: Table = Table::new(
    "lennard_jones",
    &[
        Key::new("depth", unless(ENERGY, no_energy), "\"1 kT\"", "how deep the minimum is")
            .needed(),
        Key::new("diameter", positive(LENGTH), "\"5 nm\"", "the distance at which the energy is 0")
            .without("that at contact"),
    ],
);

const SALT: Type = Type::Quantity(&Wanted::concentration(3));

static DEBYE_HUECKEL: Table = Table::new(
    "debye_hueckel",
    &[
        Key::new(
            "charge_product",
            NUMBER,
            "-12",
            "the product of both charges, in squares of the elementary charge",
        )
        .needed(),
        Key::new("salt", positive(SALT), "\"150 mM\"", "the ionic strength").needed(),
        Key::new(
            "bjerrum_length",
            positive(LENGTH),
            "\"0.7 nm\"",
            "where two elementary charges have the energy kT without salt; usually that of water at 25 °C",
        )
        .usually("0.714 nm"),
    ],
);

static WCA: Table = Table::new(
    "wca",
    &[
        Key::new("depth", unless(ENERGY, no_energy), "\"1 kT\"", "the energy at `diameter`")
            .needed(),
        Key::new("diameter", positive(LENGTH), "\"5 nm\"", "the energy ends at 1.12 of it")
            .needed(),
    ],
);

static MORSE: Table = Table::new(
    "morse",
    &[
        Key::new("depth", unless(ENERGY, no_energy), "\"3 kT\"", "how deep the minimum is")
            .needed(),
        Key::new("width", positive(LENGTH), "\"0.5 nm\"", "how wide it is").needed(),
        Key::new("distance", positive(LENGTH), "\"6 nm\"", "where it is").without("at contact"),
    ],
);

static GAUSSIAN: Table = Table::new(
    "gaussian",
    &[
        Key::new(
            "height",
            unless(ENERGY, no_energy),
            "\"2 kT\"",
            "the energy at `distance`; negative for a well",
        )
        .needed(),
        Key::new("width", positive(LENGTH), "\"1 nm\"", "the standard deviation").needed(),
        Key::new(
            "distance",
            not_negative(LENGTH),
            "\"7 nm\"",
            "where the energy is highest or lowest",
        )
        .usually("0 nm"),
    ],
);

static HARMONIC: Table = Table::new(
    "harmonic",
    &[
        Key::new(
            "width",
            positive(LENGTH),
            "\"10 nm\"",
            "by how much distances scatter in it, rms along each axis",
        )
        .needed(),
        Key::new("distance", not_negative(LENGTH), "\"0 nm\"", "where the energy is lowest")
            .usually("0 nm"),
    ],
);

fn no_slope(length: f64) -> Option<String> {
    (length == 0.0)
        .then(|| "found 0 nm; the length on which the energy rises by kT is needed".to_owned())
}

static LINEAR: Table = Table::new(
    "linear",
    &[Key::new(
        "length",
        unless(LENGTH, no_slope),
        "\"200 nm\"",
        "the energy rises by kT on this length, which is kT over the force; it falls if the length is negative",
    )
    .needed()],
);
