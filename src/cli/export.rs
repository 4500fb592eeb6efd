//! `jostle export`.

use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use super::signals::heed_signals;
use super::{Failure, say};
use crate::analysis::{self, Reading};
use crate::export::{self, ExportError, Exported, Format, LengthUnit, Options, split_names};
use crate::files::paragraph;
use crate::words::counted;

/// The command line of `jostle export`.
#[derive(clap::Args)]
pub(super) struct ExportArguments {
    /// A file that a run wrote, or is writing.
    file: PathBuf,
    /// The file to write [default: the name of FILE with another ending, in the current folder].
    #[arg(short, long, value_name = "PATH")]
    out: Option<PathBuf>,
    #[command(flatten)]
    how: ExportHow,
}

/// What is exported, and how.
#[derive(clap::Args)]
pub(super) struct ExportHow {
    /// The format [default: by the ending of the file to write].
    #[arg(long, value_enum, value_name = "FORMAT")]
    to: Option<To>,
    /// Only these frames, counted from 0, both ends included: 10..20, 10.., ..20 or 7. A topology
    /// (gro, pdb) contains the first of them.
    #[arg(long, value_name = "A..B", value_parser = frames_of, default_value = "..", hide_default_value = true)]
    frames: Range<usize>,
    /// Only the first of these frames and every Nth after it.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    every: u64,
    /// Only these species: EGFR (in any state) or "EGFR{bound}".
    #[arg(long, value_name = "NAME,...")]
    species: Option<String>,
    /// Unwrap positions across periodic faces.
    #[arg(long)]
    unwrap: bool,
    /// For extended XYZ: the unit of lengths.
    #[arg(long, value_enum, value_name = "UNIT", default_value = "nm")]
    length_unit: Unit,
    /// Replace the file if it exists.
    #[arg(long)]
    force: bool,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum To {
    /// Extended XYZ, for OVITO.
    Xyz,
    /// JSON for Simularium.
    Simularium,
    /// Simularium's binary format: smaller, and faster to load.
    SimulariumBinary,
    /// A table with a row for each particle and frame.
    Csv,
    /// For ParaView: one file per frame, and a collection (.pvd) of them.
    Vtp,
    /// A topology: one frame with an atom for each slot of FILE, which serves as its trajectory in
    /// MDAnalysis and VMD. Atom and residue names show the species.
    Gro,
    /// The same as a PDB file; the occupancy is 0 where a slot is empty, and the temperature
    /// factor is the radius in angstroms.
    Pdb,
    /// A graph of one frame for networkx, Gephi, yEd and Cytoscape: particles joined by bonds, with
    /// the sites of each bond and the rule that made it.
    Graphml,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Unit {
    Nm,
    Angstrom,
}

impl From<To> for Format {
    fn from(to: To) -> Self {
        match to {
            To::Xyz => Self::Xyz,
            To::Simularium => Self::Simularium,
            To::SimulariumBinary => Self::SimulariumBinary,
            To::Csv => Self::Csv,
            To::Vtp => Self::Vtp,
            To::Gro => Self::Gro,
            To::Pdb => Self::Pdb,
            To::Graphml => Self::Graphml,
        }
    }
}

pub(super) fn carry_out(arguments: ExportArguments) -> Result<(), Failure> {
    let ExportArguments { file, out, how } = arguments;
    let out = out.map_or_else(|| how.out_of(&file), Ok)?;
    how.format(&out)?;
    let stop = heed_signals()?;
    let reading = analysis::open(&file)?;
    let done = match how.export(&reading, &out, &stop) {
        Err(Failure::Interrupted) => {
            say(&ExportError::Interrupted.to_string());
            return Err(Failure::Interrupted);
        }
        done => done?,
    };
    let folder = done.folder.map_or(String::new(), |folder| format!(" and {}", folder.display()));
    let frames = counted(done.frames as u64, "frame");
    let particles = counted(done.particles, "particle");
    writeln!(
        crate::cli::printed(),
        "{}{folder}: {frames}, {particles} in all",
        done.path.display()
    )?;
    let names: Vec<String> =
        done.renamed.iter().map(|[whole, short]| format!("{whole} is {short}")).collect();
    if !names.is_empty() {
        let text = format!("names are shortened in this format: {}", names.join(", "));
        writeln!(crate::cli::printed(), "{}", paragraph("", &text).trim_end())?;
    }
    if !done.missing.is_empty() {
        say(&format!("note: {} has no {}", file.display(), done.missing.join(" and no ")));
    }
    Ok(())
}

impl ExportHow {
    /// The file to write if nothing else is said.
    fn out_of(&self, file: &Path) -> Result<PathBuf, Failure> {
        let asked = self.to.map(Format::from);
        let format =
            asked.ok_or("give the format: --to FORMAT, or --out with a name that ends in it")?;
        let stem = file.file_stem().unwrap_or_default().to_string_lossy();
        Ok(PathBuf::from(format!("{stem}.{}", format.ending())))
    }

    /// The format that is asked for, or that of a file's name.
    fn format(&self, out: &Path) -> Result<Format, Failure> {
        let asked = self.to.map(Format::from);
        asked.or(Format::of_name(out)).ok_or_else(|| {
            let out = out.display();
            format!("{out}: no format has this ending (.xyz, .extxyz, .simularium, .csv, .vtp, .pvd, .gro, .pdb, \
                .graphml do): choose one with --to FORMAT")
            .into()
        })
    }

    /// Writes what is asked for to `out`.
    pub(super) fn export(
        &self,
        reading: &Reading,
        out: &Path,
        stop: &AtomicBool,
    ) -> Result<Exported, Failure> {
        let options = Options {
            frames: self.frames.clone(),
            every: self.every as usize,
            species: self.species.as_deref().map(split_names).unwrap_or_default(),
            unwrap: self.unwrap,
            length_unit: match self.length_unit {
                Unit::Nm => LengthUnit::Nanometre,
                Unit::Angstrom => LengthUnit::Angstrom,
            },
            force: self.force,
            stop,
        };
        match export::export(reading, out, self.format(out)?, &options) {
            Err(ExportError::Interrupted) => Err(Failure::Interrupted),
            done => Ok(done?),
        }
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
