//! Exports, as options ask for them.

use std::ops::Range;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use super::{ExportError, Exported, Format, LengthUnit, Options, export};
use jostle_analysis::Reading;
use jostle_analysis::ask::{Named, QuestionError, Row, Takes, set, split_names, whole};

/// What is exported, and how, as it is asked for.
#[derive(Clone, Debug)]
pub struct ExportAsked {
    /// The format, if not that of the name.
    pub to: Option<Format>,
    frames: Range<usize>,
    every: usize,
    species: Vec<String>,
    unwrap: bool,
    length_unit: LengthUnit,
    force: bool,
}

impl Default for ExportAsked {
    fn default() -> Self {
        Self {
            to: None,
            frames: 0..usize::MAX,
            every: 1,
            species: Vec::new(),
            unwrap: false,
            length_unit: LengthUnit::default(),
            force: false,
        }
    }
}

const FORMATS: &[(&str, &str)] = &[
    ("xyz", "Extended XYZ, for OVITO"),
    ("simularium", "JSON for Simularium"),
    ("simularium-binary", "Simularium's binary format: smaller, and faster to load"),
    ("csv", "A table with a row for each particle and frame"),
    ("vtp", "For ParaView: one file per frame, and a collection (.pvd) of them"),
    (
        "gro",
        "A topology: one frame with an atom for each slot of FILE, which serves as its trajectory in MDAnalysis and \
         VMD. Atom and residue names show the species",
    ),
    (
        "pdb",
        "The same as a PDB file; the occupancy is 0 where a slot is empty, and the temperature factor is the radius in \
         angstroms",
    ),
    (
        "graphml",
        "A graph of one frame for networkx, Gephi, yEd and Cytoscape: particles joined by bonds, with the sites of each \
         bond and the rule that made it",
    ),
];

type ExportRow = Row<ExportAsked>;

const ROWS: &[ExportRow] = &[
    ExportRow::new(
        "to",
        (Takes::One, "FORMAT"),
        "The format [default: by the ending of the file to write]",
        |to, word| set(&mut to.to, format_of(word)),
    )
    .words(FORMATS),
    ExportRow::new(
        "frames",
        (Takes::One, "A..B"),
        "Only these frames, counted from 0, both ends included: 10..20, 10.., ..20 or 7. A topology (gro, pdb) contains \
         the first of them",
        |to, text| {
            to.frames = frames_of(text)?;
            Ok(())
        },
    ),
    ExportRow::new(
        "every",
        (Takes::One, "N"),
        "Only the first of these frames and every Nth after it [default: 1]",
        |to, text| {
            to.every = whole(text, 1..=u64::MAX)?;
            Ok(())
        },
    ),
    ExportRow::new(
        "species",
        (Takes::Many, "NAME,..."),
        "Only these species: EGFR (in any state) or \"EGFR{bound}\"",
        |to, text| {
            to.species.extend(split_names(text));
            Ok(())
        },
    ),
    ExportRow::new(
        "unwrap",
        (Takes::Nothing, ""),
        "Unwrap positions across periodic faces",
        |to, _| {
            to.unwrap = true;
            Ok(())
        },
    ),
    ExportRow::new(
        "length-unit",
        (Takes::One, "UNIT"),
        "For extended XYZ: the unit of lengths [default: nm]",
        |to, word| {
            to.length_unit = match word {
                "angstrom" => LengthUnit::Angstrom,
                _ => LengthUnit::Nanometre,
            };
            Ok(())
        },
    )
    .words(&[("nm", "As in the file"), ("angstrom", "As MDAnalysis and VMD take them to be")]),
    ExportRow::new("force", (Takes::Nothing, ""), "Replace the file if it exists", |to, _| {
        to.force = true;
        Ok(())
    }),
];

impl Named for ExportAsked {
    fn rows() -> &'static [&'static [Row<Self>]] {
        &[ROWS]
    }
}

fn format_of(word: &str) -> Result<Format, String> {
    Ok(match word {
        "xyz" => Format::Xyz,
        "simularium" => Format::Simularium,
        "simularium-binary" => Format::SimulariumBinary,
        "csv" => Format::Csv,
        "vtp" => Format::Vtp,
        "gro" => Format::Gro,
        "pdb" => Format::Pdb,
        "graphml" => Format::Graphml,
        _ => return Err("there is no such format".into()),
    })
}

impl ExportAsked {
    /// The format that is asked for, or that of a file's name.
    ///
    /// # Errors
    /// If there is none.
    pub fn format(&self, out: &Path) -> Result<Format, ExportError> {
        self.to.or(Format::of_name(out)).ok_or_else(|| {
            let why = format!(
                "{}: no format has this ending (.xyz, .extxyz, .simularium, .csv, .vtp, .pvd, .gro, .pdb, .graphml do): \
                 choose one",
                out.display()
            );
            QuestionError::about("to", why).into()
        })
    }

    /// Writes what is asked for to `out`, until `stop` is set.
    ///
    /// # Errors
    /// If the file cannot be read or `out` not written, or if what is asked for does not fit the file.
    pub fn export(
        &self,
        reading: &Reading,
        out: &Path,
        stop: &AtomicBool,
    ) -> Result<Exported, ExportError> {
        let options = Options {
            frames: self.frames.clone(),
            every: self.every,
            species: self.species.clone(),
            unwrap: self.unwrap,
            length_unit: self.length_unit,
            force: self.force,
            stop,
        };
        export(reading, out, self.format(out)?, &options)
    }
}

/// `A..B` with both ends counted, either of which may be absent, or one number.
fn frames_of(text: &str) -> Result<Range<usize>, String> {
    let wrong = || format!("found \"{text}\"; write frames as 10..20, 10.., ..20 or 7");
    let number = |text: &str| text.trim().parse::<usize>().map_err(|_| wrong());
    if text.is_empty() {
        return Err(wrong());
    }
    let (from, to) = text.split_once("..").unwrap_or((text, text));
    let from = if from.is_empty() { 0 } else { number(from)? };
    let to = if to.is_empty() { usize::MAX } else { number(to)?.saturating_add(1) };
    if from < to { Ok(from..to) } else { Err(wrong()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ends_of_a_range_count() {
        assert_eq!(frames_of("10..20"), Ok(10..21));
        assert_eq!(frames_of("..20"), Ok(0..21));
        assert_eq!(frames_of("7"), Ok(7..8));
        assert_eq!(frames_of(".."), Ok(0..usize::MAX));
        for wrong in ["", "2..1", "a", "1..b", "-1"] {
            assert!(frames_of(wrong).is_err(), "{wrong}");
        }
    }
}
