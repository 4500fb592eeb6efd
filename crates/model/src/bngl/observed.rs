//! Observables of the model file.

use super::Observable;
use crate::notation::is_tree;

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
    patterns.iter().find_map(|pattern| is_tree(pattern).err()).map(str::to_owned)
}
