//! `[[molecule]]`: molecules of several spheres.

use crate::units::Wanted;

use super::species::CONCENTRATION;
use super::types::{ANGLE, COUNT, Key, LENGTH, NUMBER, PLACE, Table, Type, positive};

pub(super) static MOLECULE: Table = Table::new(
    "molecule",
    &[
        Key::new(
            "name",
            Type::Text,
            "\"Antibody\"",
            "one word; its bonds appear under this name in the log and in reports",
        )
        .needed(),
        Key::new(
            "spheres",
            Type::List(&Type::Table(&MEMBER)),
            "[{ species = \"A\", at = [\"0 nm\", \"0 nm\", \"0 nm\"] }, { species = \"A\", at = [\"6 nm\", \"0 nm\", \"0 nm\"] }]",
            "its spheres, two or more",
        )
        .without("one of `spheres`, `chain` and `complex` is needed"),
        Key::new(
            "chain",
            Type::Table(&CHAIN),
            "{ species = \"A\", length = 50 }",
            "a chain of alike spheres, laid out at random; it needs a `tether`",
        ),
        Key::new(
            "complex",
            Type::Text,
            "\"A(b!1).B(a!1)\"",
            "a complex that rules could have formed, in their notation: its bonds are those of the rules, and break like \
             all others",
        )
        .see("Complexes at the start"),
        Key::new(
            "tether",
            positive(LENGTH),
            "\"8 nm\"",
            "makes the molecule flexible: its spheres move by themselves, and neighbours never get farther apart than this",
        )
        .without("the molecule is rigid"),
        Key::new(
            "count",
            Type::Either(&[COUNT, Type::InSpace(Wanted::amount), Type::Table(&CONCENTRATION)]),
            "10",
            "the number of molecules, placed and turned at random without overlap; or a concentration",
        )
        .usually("0")
        .see("Concentrations"),
    ],
);

/// Longer chains would not be placed.
const CHAIN_LENGTH: Type = Type::UpTo(2, 10_000, "; a chain has at most 10000 spheres");

static CHAIN: Table = Table::new(
    "chain",
    &[
        Key::new("species", Type::Text, "\"A\"", "the species of the spheres").needed(),
        Key::new("length", CHAIN_LENGTH, "50", "the number of spheres").needed(),
    ],
);

static MEMBER: Table = Table::new(
    "member",
    &[
        Key::new(
            "species",
            Type::Text,
            "\"Fab\"",
            "its species; with states of its own, `\"Fab{bound}\"` or `\"Fab(y~p)\"`",
        )
        .needed(),
        Key::new(
            "at",
            PLACE,
            "[\"4 nm\", \"3 nm\", \"0 nm\"]",
            "its position relative to the other spheres",
        )
        .needed(),
        Key::new(
            "bond",
            Type::Text,
            "\"bind\"",
            "the bind rule whose bond joins it to the sphere before it that is nearest and that it touches, at the \
             sites that the rule joins: it breaks like bonds that form by this rule",
        )
        .without("a bond of the molecule itself, which does not break"),
        Key::new(
            "turn",
            Type::Either(&[ANGLE, Type::Table(&TURN)]),
            "\"90 deg\"",
            "how sites that point somewhere are turned: an angle about the *z* axis, or `{ axis = [0, 1, 0], \
             angle = \"90 deg\" }`",
        )
        .without("not turned"),
    ],
);

static TURN: Table = Table::new(
    "turn",
    &[
        Key::new("axis", Type::PerAxis(&NUMBER), "[0, 1, 0]", "the axis of the turn, in 3D")
            .needed(),
        Key::new("angle", ANGLE, "\"90 deg\"", "the angle, right handed").needed(),
    ],
);
