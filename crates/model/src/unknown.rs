//! What to say of a key that a table does not have, or has in models of another engine only.

use super::hints;
use super::nearest::nearest;
use super::schema::{Engine, Table};

/// Words that belong to force fields: in a Brownian model, particles attract and repel each other by a
/// `[[potential]]`.
const FORCES: [&str; 11] = [
    "charge",
    "charges",
    "electrostatics",
    "force",
    "forces",
    "interaction",
    "interactions",
    "interaction_range",
    "potentials",
    "spring",
    "springs",
];

/// A key that the table has in models of other engines than this.
pub(super) fn elsewhere(table: &Table, key: &str, engine: Engine) -> String {
    let mut said = table.named(key).flat_map(|key| key.elsewhere);
    if let Some((_, why)) = said.find(|(of, _)| *of == engine) {
        return (*why).to_owned();
    }
    let owners: Vec<Engine> =
        Engine::ALL.into_iter().filter(|owner| table.key(key, *owner).is_some()).collect();
    let listed = |of: fn(&Engine) -> String, last: &str| {
        let words: Vec<_> = owners.iter().map(of).collect();
        match words.split_last() {
            Some((end, [])) => end.clone(),
            Some((end, rest)) => format!("{} {last} {end}", rest.join(", ")),
            None => String::new(),
        }
    };
    let models = listed(|owner| owner.models().to_owned(), "and");
    if owners.contains(&Engine::Brownian) {
        return format!("this belongs to {models}");
    }
    let words = listed(|owner| format!("`engine = \"{}\"`", owner.name()), "or");
    format!("this belongs to {models}, which have {words} under `[run]`")
}

/// A key that the table does not have.
pub(super) fn unknown(key: &str, known: &[&'static str]) -> String {
    if let Some(hint) = hints::of_key(key, known) {
        return hint;
    }
    if FORCES.contains(&key) {
        return "pairs attract or repel each other by a `[[potential]]`, for example `yukawa` of screened charges; \
                molecules on springs are nearest to a `[[molecule]]` with a `tether`; see `drift` for motion in a field"
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
