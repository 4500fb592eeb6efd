//! GROMACS's format (<https://manual.gromacs.org/current/reference-manual/file-formats.html#gro>),
//! in nm and ps.

use std::io::{self, Write};

use super::Atom;
use jostle_h5md::reading::BoxVectors;

/// Coordinates stand in eight columns with three decimals, from which readers take where the
/// columns are.
const FARTHEST: f64 = 9999.999;
/// Numbers of residues and atoms have five digits, and begin anew after them.
const NUMBERS: usize = 100_000;

/// Writes a frame; `time` is in µs.
pub(super) fn write(
    out: &mut impl Write,
    title: &str,
    time: Option<f64>,
    atoms: &[Atom],
    vectors: &BoxVectors,
) -> io::Result<()> {
    let far = |x: &f64| !(-0.1 * FARTHEST..=FARTHEST).contains(x);
    if atoms.iter().flat_map(|atom| &atom.position).any(far) {
        let text = "GRO has no space for coordinates beyond 10 µm; PDB does";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
    }
    // Some readers want a decimal point there.
    let time = time.map(|time| (time * 1e6).to_string());
    let time = time.map(|time| if time.contains('.') { time } else { time + ".0" });
    let time = time.map_or_else(String::new, |time| format!(", t= {time}"));
    writeln!(out, "{title}{time}")?;
    writeln!(out, "{}", atoms.len())?;
    for (n, atom) in atoms.iter().enumerate() {
        let number = (n + 1) % NUMBERS;
        let [x, y, z] = atom.position;
        let (residue, name) = (&atom.residue, &atom.name);
        writeln!(out, "{number:>5}{residue:<5}{name:>5}{number:>5}{x:8.3}{y:8.3}{z:8.3}")?;
    }
    let [a, b, c] = vectors.0;
    write!(out, "{:10.5}{:10.5}{:10.5}", a[0], b[1], c[2])?;
    if vectors.edges().is_none() {
        let others = [a[1], a[2], b[0], b[2], c[0], c[1]];
        others.iter().try_for_each(|x| write!(out, "{x:10.5}"))?;
    }
    writeln!(out)
}
