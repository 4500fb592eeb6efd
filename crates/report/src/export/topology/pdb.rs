//! The Protein Data Bank's old format (version 3.3,
//! <https://www.wwpdb.org/documentation/file-format>), in Angstrom: the occupancy is 1 where a slot
//! holds a particle and 0 where it is empty, the temperature factor is the radius.

use std::io::{self, Write};

use super::{Atom, fitted};
use jostle_h5md::reading::BoxVectors;

const ANGSTROM: f64 = 10.0;
/// Numbers begin anew when their columns are full.
const ATOMS: usize = 100_000;
const RESIDUES: usize = 10_000;
/// The longest remark that fits into a line.
const REMARK: usize = 68;

/// Writes a frame, with a remark for each note.
pub(super) fn write(
    out: &mut impl Write,
    notes: &[String],
    atoms: &[Atom],
    vectors: &BoxVectors,
) -> io::Result<()> {
    for note in notes {
        writeln!(out, "REMARK   1 {}", note.chars().take(REMARK).collect::<String>())?;
    }
    let lengths = vectors.lengths();
    if lengths.iter().all(|edge| *edge > 0.0) {
        let [a, b, c] = lengths.map(|edge| fitted(edge * ANGSTROM, 9, 3));
        let [alpha, beta, gamma] = vectors.angles();
        writeln!(out, "CRYST1{a}{b}{c}{alpha:7.2}{beta:7.2}{gamma:7.2} P 1           1")?;
    }
    for (n, atom) in atoms.iter().enumerate() {
        let (serial, number) = ((n + 1) % ATOMS, (n + 1) % RESIDUES);
        let [x, y, z] = atom.position.map(|x| fitted(x * ANGSTROM, 8, 3));
        // Names of four letters begin a column earlier.
        let name =
            if atom.name.len() < 4 { format!(" {:<3}", atom.name) } else { atom.name.clone() };
        let residue = &atom.residue;
        let occupancy = if atom.there { "  1.00" } else { "  0.00" };
        let radius = fitted(atom.radius * ANGSTROM, 6, 2);
        writeln!(
            out,
            "ATOM  {serial:>5} {name} {residue:<4} {number:>4}    {x}{y}{z}{occupancy}{radius}      {residue:<4}"
        )?;
    }
    writeln!(out, "END")
}
