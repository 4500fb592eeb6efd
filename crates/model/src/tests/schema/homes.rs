//! Where keys of the schema are set in the base models.

use crate::schema::Engine;

const B: &[Engine] = &[Engine::Brownian];
const G: &[Engine] = &[Engine::Granular];
const P: &[Engine] = &[Engine::Polygons];
const D: &[Engine] = &[Engine::Gas];

/// Which of several tables, or behind which name, keys are set.
pub(super) const HOMES: &[(&[Engine], &str, &str)] = &[
    (B, "species", "EGFR"),
    (G, "species", "ball"),
    (P, "species", "tile"),
    (D, "species", "puck"),
    (B, "species.state", "bound"),
    (B, "species.sites", "0"),
    (B, "surface", "cell"),
    (B, "surface.species", "EGFR"),
    (B, "molecule", "twin"),
    (B, "molecule.spheres", "0"),
    (B, "rule", "dimerise"),
    (B, "rule.cases", "0"),
    (B, "schedule", "stop"),
    (B, "observable", "all"),
    (B, "potential", "attract"),
    (B, "potential.steps", "0"),
    (B, "potential.table", "0"),
    (P, "wall", "gate"),
];

/// Keys that are set in another place than that.
pub(super) const ELSEWHERE: &[(&str, &str)] = &[
    ("rule.of", "rule.cut.of"),
    ("rule.which", "rule.cut.which"),
    ("molecule.spheres.bond", "molecule.twin.spheres.1.bond"),
];

/// Keys that may change nothing: those that say a default of an example in other words, or what
/// is to be done with a file.
pub(super) const SAME: &[&str] = &["species.placement.bonds"];
