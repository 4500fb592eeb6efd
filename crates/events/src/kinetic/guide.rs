//! Which kinetic structure when: the table that the program prints, and the choice that it makes.

use super::KineticKind;
use jostle_core::space::Domain;

/// What is known of one kinetic structure. Costs are for n particles of similar size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KineticAdvice {
    /// The structure.
    pub kind: KineticKind,
    /// Topological events, and what one costs.
    pub events: &'static str,
    /// Pairs looked at when a path changes.
    pub neighbours: &'static str,
    /// What it holds, the timetable apart.
    pub memory: &'static str,
    /// Take it when.
    pub good_when: &'static str,
    /// Leave it when.
    pub bad_when: &'static str,
    /// Where it comes from.
    pub source: &'static str,
}

/// One row for each structure.
pub fn which_kinetic() -> &'static [KineticAdvice] {
    &TABLE
}

/// Up to so many particles, looking at every pair costs less than any structure.
const FEW: usize = 24;

/// Above this ratio of radii cells as wide as the largest particle hold too many of the others.
const ALIKE: f64 = 3.0;

/// The structure that is likely to be the fastest for particles of these radii in this box: a rule
/// of thumb. `jostle bench events` shows on a machine how far it is from the fastest.
pub fn advise<const D: usize>(domain: &Domain<D>, radii: &[f64]) -> KineticKind {
    let largest = radii.iter().copied().fold(0.0, f64::max);
    let least = radii.iter().copied().fold(f64::INFINITY, f64::min);
    // So few cells that every particle is every particle's neighbour.
    let cells = |k: usize| domain.edges()[k] / (2.0 * largest);
    let one_crowd = (0..D).all(|k| cells(k) < 3.0);
    if radii.len() <= FEW {
        KineticKind::Direct
    } else if largest > ALIKE * least || one_crowd {
        KineticKind::Levels
    } else {
        KineticKind::Cubic
    }
}

const TABLE: [KineticAdvice; 6] = [
    KineticAdvice {
        kind: KineticKind::Direct,
        events: "none between walls",
        neighbours: "all",
        memory: "none",
        good_when: "up to some twenty particles; as a reference for the others",
        bad_when: "more particles",
        source: "Gavrilova and Rokne 2002, section 3",
    },
    KineticAdvice {
        kind: KineticKind::Cubic,
        events: "a face crossed, O(1)",
        neighbours: "O(1); grows as the ratio of sizes to the power of the dimension",
        memory: "some 60 bytes a particle",
        good_when: "particles of similar size, any number and density",
        bad_when: "sizes that differ more than threefold",
        source: "Gavrilova and Rokne 2002, section 3.2",
    },
    KineticAdvice {
        kind: KineticKind::Tree,
        events: "a face crossed, O(log n)",
        neighbours: "as cubic, each cell found in O(log n)",
        memory: "some 70 bytes a particle, whatever the box",
        good_when: "a box so large and empty that its cells would not fit into memory",
        bad_when: "otherwise: cubic does the same faster",
        source: "Gavrilova and Rokne 2002, section 3.3",
    },
    KineticAdvice {
        kind: KineticKind::Segments,
        events: "endpoints that swap, O(1) each, but O(n) for a particle that crosses the box",
        neighbours: "those whose bounding boxes overlap: O(1), whatever the sizes",
        memory: "some 90 bytes a particle",
        good_when: "some hundred dense particles, and where paths change much more often than particles move",
        bad_when: "many particles that fly far between collisions",
        source: "Gavrilova and Rokne 2002, section 3.4; Schinner 1999, section 3.3",
    },
    KineticAdvice {
        kind: KineticKind::Laguerre,
        events: "an edge flipped at the root of a quartic, in 3D a triangle at a root of degree 5, O(1)",
        neighbours: "six on average, in 3D some fourteen, whatever the sizes and the density",
        memory: "some 50 bytes a particle, in periodic boxes some 150, in 3D some 450",
        good_when: "disks of many sizes between walls, where looking at neighbours is what costs",
        bad_when: "most other cases, and in 3D always: its events cost most",
        source: "Gavrilova and Rokne 2002, section 3.1; Ferrez 2001",
    },
    KineticAdvice {
        kind: KineticKind::Levels,
        events: "a face crossed, O(1), of the lattice that the particle belongs to",
        neighbours: "O(1) for small particles, in proportion to their surroundings for large ones",
        memory: "some 90 bytes a particle",
        good_when: "sizes that differ more than threefold",
        bad_when: "particles of similar size: as cubic, a little slower",
        source: "Johnson and Whalley 2002, section 5, in continuous time",
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kinetic_structure_has_its_row() {
        let kinds: Vec<_> = which_kinetic().iter().map(|row| row.kind).collect();
        assert_eq!(kinds, KineticKind::ALL);
    }

    #[test]
    fn the_choice_goes_by_number_and_sizes() {
        let domain = Domain::new([100.0; 3], [true; 3]);
        assert_eq!(advise(&domain, &[1.0; 10]), KineticKind::Direct);
        assert_eq!(advise(&domain, &[1.0; 1000]), KineticKind::Cubic);
        let mixed: Vec<f64> = (0..1000).map(|n| if n == 0 { 10.0 } else { 1.0 }).collect();
        assert_eq!(advise(&domain, &mixed), KineticKind::Levels);
        assert_eq!(advise(&domain, &[]), KineticKind::Direct);
    }
}
