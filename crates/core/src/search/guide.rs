//! Which structure when: the table that the program prints.

use super::Kind;

/// What is known about one structure. Costs are for n particles in the window of one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Advice {
    /// The structure.
    pub kind: Kind,
    /// To take up all new paths.
    pub build: &'static str,
    /// To name all pairs that may touch.
    pub query: &'static str,
    /// What it keeps in memory.
    pub memory: &'static str,
    /// Take it when.
    pub good_when: &'static str,
    /// Leave it when.
    pub bad_when: &'static str,
    /// Where it comes from.
    pub source: &'static str,
}

/// One row for each structure.
pub fn which_when() -> &'static [Advice] {
    &TABLE
}

const TABLE: [Advice; 8] = [
    Advice {
        kind: Kind::Naive,
        build: "none",
        query: "O(n^2)",
        memory: "none",
        good_when: "up to some hundred particles; as a reference for the others",
        bad_when: "more particles",
        source: "Johnson & Whalley 2002, section 3",
    },
    Advice {
        kind: Kind::Cubic,
        build: "O(n), little if few particles change cells",
        query: "O(n)",
        memory: "at most 2 cells a particle, some 70 bytes a particle",
        good_when: "particles of similar size, any density; some large or fast ones among them",
        bad_when: "sizes spread evenly over a wide range; most of a large box empty",
        source: "Johnson & Whalley 2002, sections 3, 4.2 and 4.3 (Algorithms A and B)",
    },
    Advice {
        kind: Kind::Slices,
        build: "O(n), very little if few particles change slices",
        query: "O(n^2 / slices): O(n) in a tube, O(n^(5/3)) in a cube",
        memory: "some 20 bytes a particle",
        good_when: "few or dilute particles; long, thin boxes; one dimension",
        bad_when: "many or dense particles in a cube",
        source: "Johnson & Whalley 2002, section 4.4 (Algorithm C)",
    },
    Advice {
        kind: Kind::Levels,
        build: "O(n), for each lattice",
        query: "O(n)",
        memory: "some 16 bytes a particle and lattice, and the cells",
        good_when: "sizes or travels of many particles differ by much: some hundred large among many small",
        bad_when: "particles of similar size; few large ones, which cubes have on their short list",
        source: "Johnson & Whalley 2002, section 5 (several lattices)",
    },
    Advice {
        kind: Kind::Endpoints,
        build: "O(n), and one for each two endpoints that change places; else sorted afresh",
        query: "O(n)",
        memory: "some 140 bytes a particle in 3D, less in 2D",
        good_when: "sizes spread evenly over a wide range (1 : 100); little motion per step, or most at rest",
        bad_when: "many particles of similar size that move past each other in each step",
        source: "Schinner 1999, section 3.3 (incremental sort-and-update)",
    },
    Advice {
        kind: Kind::LongStep,
        build: "O(n)",
        query: "O(n): those whose swept boxes overlap",
        memory: "some 80 bytes a particle in 3D",
        good_when: "steps longer than radii; few interact with many that ignore each other",
        bad_when: "steps short against radii; dense particles",
        source: "swept boxes sorted by cells; the groups in a vertex cover of all interactions ask",
    },
    Advice {
        kind: Kind::Verlet,
        build: "little while lists last; that of cells or levels when they are rebuilt",
        query: "O(n): those on the lists",
        memory: "some 80 bytes a particle, and 8 for each pair on the lists",
        good_when: "steps short against radii and gaps: lists last for many steps; contacts on several threads",
        bad_when: "steps as long as radii; memory is short",
        source: "Verlet 1967",
    },
    Advice {
        kind: Kind::Auto,
        build: "as what it picks",
        query: "as what it picks, after some fifty steps of measuring",
        memory: "as what it picks",
        good_when: "in doubt, and runs of more than some hundred steps",
        bad_when: "very short runs; comparisons of time",
        source: "measured on the model at hand",
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_structure_has_its_row() {
        let kinds: Vec<_> = which_when().iter().map(|row| row.kind).collect();
        assert_eq!(kinds, Kind::ALL);
    }
}
