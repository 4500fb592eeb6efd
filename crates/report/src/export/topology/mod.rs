//! Topologies: one frame with an atom for each slot of the file, so that the file itself is the
//! trajectory that goes with it. Programs for molecules learn from it what the particles are
//! called.
//!
//! A particle is an atom, named after its species, in a residue of its own, named after the species
//! without its states and numbered after its slot. Slots that are empty in the frame are there too,
//! at the origin.

mod gro;
mod names;
mod pdb;

use std::io::{self, Write};

use super::Sink;
use super::names::Name;
use super::scene::{Moment, Scene};
use jostle_h5md::reading::BoxVectors;
use names::short;

/// What can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// GROMACS's format, in nm.
    Gro,
    /// The Protein Data Bank's old format, in Angstrom.
    Pdb,
}

impl Kind {
    /// The most letters of a name of an atom or a residue.
    fn letters(self) -> usize {
        match self {
            Self::Gro => 5,
            Self::Pdb => 4,
        }
    }
}

struct Atom {
    name: String,
    residue: String,
    /// \[nm\]
    position: [f64; 3],
    /// \[nm\]; 0 where it is not known.
    radius: f64,
    /// Whether there is a particle in its slot.
    there: bool,
}

/// What the species are called in a topology: atoms, and residues.
fn called(scene: &Scene<'_>, kind: Kind) -> [Vec<String>; 2] {
    let all = |name: &dyn Fn(&Name) -> String| {
        short(&scene.species.iter().map(name).collect::<Vec<_>>(), kind.letters())
    };
    [all(&|name| name.base.clone() + &name.state("")), all(&|name| name.base.clone())]
}

/// The species whose atoms are called otherwise, and how these are called.
pub(super) fn renamed(scene: &Scene<'_>, kind: Kind) -> Vec<[String; 2]> {
    let [atoms, _] = called(scene, kind);
    let pairs = scene.species.iter().map(|name| name.whole.clone()).zip(atoms);
    pairs.filter(|(whole, short)| whole != short).map(|(whole, short)| [whole, short]).collect()
}

/// Writes a frame as a topology.
pub(super) struct Topology<'a, W> {
    out: W,
    scene: &'a Scene<'a>,
    kind: Kind,
    /// Of atoms and of residues, by species.
    names: [Vec<String>; 2],
}

impl<'a, W: Write> Topology<'a, W> {
    pub(super) fn new(out: W, scene: &'a Scene<'a>, kind: Kind) -> Self {
        Self { out, scene, kind, names: called(scene, kind) }
    }

    /// An atom of a species, in a slot without a particle.
    fn atom(&self, species: Option<usize>) -> Atom {
        let [name, residue] = [0, 1].map(|k| {
            species.and_then(|s| self.names[k].get(s)).map_or("X", String::as_str).to_owned()
        });
        Atom { name, residue, position: [0.0; 3], radius: 0.0, there: false }
    }

    fn atoms(&self, moment: &Moment) -> Vec<Atom> {
        let mut atoms: Vec<Atom> =
            self.scene.slot_species().map(|species| self.atom(species)).collect();
        for particle in &moment.particles {
            if let Some(atom) = atoms.get_mut(particle.slot) {
                atom.position = particle.position;
                atom.radius = if particle.radius.is_finite() { particle.radius } else { 0.0 };
                atom.there = true;
            }
        }
        atoms
    }
}

impl<W: Write> Sink for Topology<'_, W> {
    fn frame(&mut self, moment: &Moment) -> io::Result<()> {
        let atoms = self.atoms(moment);
        let vectors = moment.vectors.unwrap_or(BoxVectors::upright([0.0; 3]));
        let title =
            format!("{}, frame {}", self.scene.title.replace(char::is_control, " "), moment.frame);
        match self.kind {
            Kind::Gro => gro::write(&mut self.out, &title, moment.time, &atoms, &vectors),
            Kind::Pdb => {
                let renamed = renamed(self.scene, self.kind);
                let names = renamed.iter().map(|[whole, short]| format!("{short} is {whole}"));
                let notes: Vec<String> = std::iter::once(title).chain(names).collect();
                pdb::write(&mut self.out, &notes, &atoms, &vectors)
            }
        }
    }

    fn end(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// A number in a column of so many characters, with as many decimals as there is room for, at most
/// `decimals`.
fn fitted(x: f64, width: usize, decimals: usize) -> String {
    let tries = (0..=decimals).rev().map(|n| format!("{x:width$.n$}"));
    tries.into_iter().find(|text| text.len() <= width).unwrap_or_else(|| "*".repeat(width))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_to_their_columns() {
        assert_eq!(fitted(12.3456, 8, 3), "  12.346");
        assert_eq!(fitted(20_000.0, 8, 3), "20000.00");
        assert_eq!(fitted(-1_234_567.8, 8, 3), "-1234568");
        assert_eq!(fitted(1e9, 8, 3), "********");
    }
}
