//! The structures that the two texts compare, and ours beside them.

use jostle_events::kinetic::{Kinetic, KineticKind, KineticSettings};

/// How a structure is called in the tables of the papers; none if it is not in them.
pub(super) fn name_in_the_text(kind: KineticKind) -> Option<&'static str> {
    match kind.name() {
        "direct" => Some("Direct"),
        "cubic" => Some("Regular sub."),
        "tree" => Some("Spatial tree"),
        "segments" => Some("Segment trees"),
        "laguerre" => Some("Dynamic DT"),
        _ => None,
    }
}

/// The structures that can serve a box with walls in so many dimensions: those of the papers first,
/// in our order, then ours that are not in them.
pub(super) fn contestants(dimension: usize) -> Vec<KineticKind> {
    let mut all: Vec<_> =
        KineticKind::ALL.into_iter().filter(|kind| kind.serves(dimension)).collect();
    all.sort_by_key(|&kind| name_in_the_text(kind).is_none());
    all
}

/// The structure, or none in these dimensions; `cell_size` \[nm\] as in [`KineticSettings`].
pub(super) fn build<const D: usize>(
    kind: KineticKind,
    cell_size: Option<f64>,
) -> Option<Box<dyn Kinetic<D>>> {
    KineticSettings { kind, cell_size }.build()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_of_the_texts_come_first_and_direct_before_all() {
        let all = contestants(2);
        assert_eq!(all[0], KineticKind::Direct);
        let known: Vec<bool> = all.iter().map(|&kind| name_in_the_text(kind).is_some()).collect();
        assert!(known.is_sorted_by(|a, b| a >= b), "{all:?}");
        assert!(known.iter().filter(|&&known| known).count() >= 4);
    }
}
