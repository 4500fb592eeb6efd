//! What to say of a key that no section knows.

use super::hints;
use super::nearest::nearest;

/// Words that belong to forces at a distance, which no body of jostle feels.
const FORCES: [&str; 12] = [
    "charge",
    "charges",
    "electrostatics",
    "force",
    "forces",
    "interaction",
    "interactions",
    "interaction_range",
    "potential",
    "potentials",
    "spring",
    "springs",
];

pub(super) fn unknown(key: &str, known: &[&'static str]) -> String {
    if let Some(hint) = hints::of_key(key, known) {
        return hint;
    }
    if FORCES.contains(&key) {
        return "long-range forces are out of scope: bodies act on each other at contact only; see \
                `[[rule]]` for what a contact can do and `drift` for motion besides diffusion"
            .to_owned();
    }
    let mut sorted = known.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    match nearest(key, sorted.iter().copied()) {
        Some(near) => format!("this key is not known; did you mean `{near}`?"),
        None => format!("this key is not known; known here: {}", sorted.join(", ")),
    }
}
