//! Observables of the model file.

use super::Observable;
use super::places::SITE;
use crate::notation::{Molecule, is_tree};

/// The volume in which patterns are counted, if they say so.
fn volume(patterns: &[Vec<Molecule>]) -> Option<&str> {
    let mentions = patterns.iter().flatten().flat_map(|molecule| &molecule.sites);
    let mut places = mentions.filter(|mention| mention.name == SITE);
    places.next()?.states.first().map(String::as_str)
}

/// Why an observable has no place in the model file, if it has none; `before` are those that have been
/// written.
pub(super) fn uncounted(before: &[Observable], observable: &Observable) -> Option<String> {
    let Observable { name, patterns, .. } = observable;
    if before.iter().any(|other| other.name == *name) {
        return Some("another one has this name".to_owned());
    }
    if name == "time" || name.starts_with(|c: char| c.is_ascii_digit()) {
        return Some("formulas cannot use this name".to_owned());
    }
    if patterns.is_empty() {
        return Some("it has no pattern".to_owned());
    }
    if let Some(name) = volume(patterns) {
        return Some(format!(
            "it counts in {name}: `jostle analyse FILE counts` does, with the side of a surface"
        ));
    }
    patterns.iter().find_map(|pattern| is_tree(pattern).err()).map(str::to_owned)
}
