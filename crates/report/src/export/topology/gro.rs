//! GROMACS's format (<https://manual.gromacs.org/current/reference-manual/file-formats.html#gro>),
//! in nm and ps.

use std::io::{self, Write};

use super::Atom;

/// Coordinates stand in eight columns with three decimals, from which readers take where the
/// columns are.
const FARTHEST: f64 = 9999.999;
/// Numbers of residues and atoms have five digits, and begin anew after them.
const NUMBERS: usize = 100_000;

/// Writes a frame; `time` is in µs.
pub(super) fn write(
    out: &mut impl Write,
    title: &str,
    time: f64,
    atoms: &[Atom],
    edges: [f64; 3],
) -> io::Result<()> {
    let far = |x: &f64| !(-0.1 * FARTHEST..=FARTHEST).contains(x);
    if atoms.iter().flat_map(|atom| &atom.position).any(far) {
        let text = "GRO has no space for coordinates beyond 10 µm; PDB does (--to pdb)";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
    }
    writeln!(out, "{title}, t= {}", time * 1e6)?;
    writeln!(out, "{}", atoms.len())?;
    for (n, atom) in atoms.iter().enumerate() {
        let number = (n + 1) % NUMBERS;
        let [x, y, z] = atom.position;
        let (residue, name) = (&atom.residue, &atom.name);
        writeln!(out, "{number:>5}{residue:<5}{name:>5}{number:>5}{x:8.3}{y:8.3}{z:8.3}")?;
    }
    let [a, b, c] = edges;
    writeln!(out, "{a:10.5}{b:10.5}{c:10.5}")
}
