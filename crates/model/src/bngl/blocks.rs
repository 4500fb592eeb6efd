//! The blocks of a BNGL file.

/// The name of the block that is read before all others.
pub(super) const COMPARTMENTS: &str = "compartments";

/// The blocks whose lines are read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Block {
    Parameters,
    Types,
    Seeds,
    Rules,
    Functions,
    Observables,
    Actions,
    /// One that has been refused or left out as a whole.
    Skipped,
}

/// By their names.
pub(super) const BLOCKS: [(&str, Block); 10] = [
    ("parameters", Block::Parameters),
    ("molecule types", Block::Types),
    ("molecule type", Block::Types),
    ("molecules", Block::Types),
    ("seed species", Block::Seeds),
    ("species", Block::Seeds),
    ("reaction rules", Block::Rules),
    ("functions", Block::Functions),
    ("observables", Block::Observables),
    ("actions", Block::Actions),
];

/// Blocks for which there is no place, and why.
pub(super) const REFUSED_BLOCKS: [(&str, &str); 4] = [
    (
        "energy patterns",
        "energies of patterns are not taken over: write the rate constants of the rules",
    ),
    (
        "population types",
        "populations that are only counted are not possible: every particle is followed",
    ),
    (
        "population maps",
        "populations that are only counted are not possible: every particle is followed",
    ),
    (
        "reactions",
        "a network of reactions is not taken over: import the file with the rules that it was made from",
    ),
];

/// Blocks that change nothing in the model.
pub(super) const IDLE_BLOCKS: [&str; 3] = ["anchors", "protocol", "groups"];
