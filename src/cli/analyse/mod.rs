//! `jostle analyse`.

mod write;

use std::io::Write;
use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::options::Typed;
use super::tables::Destination;
use super::{Failure, inputs_of};
use crate::analysis::ask::{ANALYSES, Analysis, AnalysisOptions};
use crate::analysis::{self, ReadError, UnitSystem};
use crate::report::figures::of_answer;

/// The command line of `jostle analyse`.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct AnalyseArguments {
    /// A file that a run wrote, or is writing; or the folder of a sweep, whose runs have been
    /// measured already.
    file: PathBuf,
    /// What to measure, one or more [default: a quick overview].
    #[arg(value_name = "WHAT", value_parser = AnalysisParser)]
    what: Vec<&'static Analysis>,
    #[command(flatten)]
    options: Typed<AnalysisOptions>,
    /// Write all tables in full as CSV files into this folder (created if missing).
    #[arg(long, value_name = "FOLDER")]
    csv: Option<PathBuf>,
    #[command(flatten)]
    destination: Destination,
}

/// Reads what is to be measured, by its name or one that it has elsewhere.
#[derive(Clone)]
struct AnalysisParser;

impl TypedValueParser for AnalysisParser {
    type Value = &'static Analysis;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &std::ffi::OsStr,
    ) -> Result<&'static Analysis, clap::Error> {
        match Analysis::named(&value.to_string_lossy()) {
            Ok(found) => Ok(found),
            // It knows how to say that, with what may have been meant.
            Err(_) => Err(analyses().parse_ref(command, arg, value).map_or_else(
                |error| error,
                |_| clap::Error::new(clap::error::ErrorKind::InvalidValue),
            )),
        }
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let values: Vec<PossibleValue> = analyses().possible_values()?.collect();
        Some(Box::new(values.into_iter()))
    }
}

fn analyses() -> PossibleValuesParser {
    let value = |row: &Analysis| PossibleValue::new(row.name).help(row.about);
    PossibleValuesParser::new(ANALYSES.iter().map(value))
}

const EXAMPLES: &str = "Examples:
  everything that is quick, and pictures of it
    jostle analyse run.h5md --plot glance.png
  how fast receptors diffuse, alone and in clusters
    jostle analyse run.h5md displacement --species EGFR --plot msd.svg
  rate constants with intervals, without the first 10 ms
    jostle analyse run.h5md rates --from \"10 ms\"
  the radial distribution function, as a table for pandas
    jostle analyse run.h5md rdf --max \"40 nm\" --out rdf.parquet
  how long particles take to get to a wall
    jostle analyse run.h5md first-passage --place \"x=0 nm..5 nm\" --plot arrival.svg";

pub(super) fn execute(arguments: AnalyseArguments) -> Result<(), Failure> {
    let AnalyseArguments { file, what, options, csv, mut destination } = arguments;
    destination.check(inputs_of(&file))?;
    if file.is_dir() {
        if csv.is_some() || options.is_given {
            return Err("a sweep has been measured as its [[measure]] say; of the options only --out, --format, \
                        --plot and --force are of use here"
                .into());
        }
        return super::sweep::analyse(&file, &what, &mut destination);
    }
    let asked = !what.is_empty();
    let mut all = Vec::new();
    let wanted = if asked { what } else { Analysis::at_a_glance(&analysis::open(&file)?) };
    for what in wanted {
        if !all.contains(&what) {
            all.push(what);
        }
    }
    let options = options.options;
    options.check(&all)?;
    if let Some(folder) = &csv {
        write::check(folder, &all, &destination)?;
    }
    let reading = analysis::open(&file)?;
    let units = UnitSystem::of(&reading);
    if !destination.is_screen() {
        let (true, &[what]) = (asked, &all[..]) else {
            return Err(
                "--out and --format need exactly one WHAT; --csv FOLDER writes the tables of several"
                    .into(),
            );
        };
        let answer = what.answer(&reading, &options)?;
        destination.write(&answer.tables.in_units(units).main)?;
        let figures = match &destination.plot {
            Some(_) => of_answer(&answer.found, &reading)?,
            None => Vec::new(),
        };
        return write::figures(&destination, &figures);
    }
    let mut out = crate::cli::printed();
    let mut failed = None;
    let mut figures = Vec::new();
    for &what in &all {
        let answer = match what.answer(&reading, &options) {
            Ok(answer) => answer,
            // One thing that a file cannot answer does not keep the others from being told.
            Err(why @ (ReadError::TooLittle { .. } | ReadError::Foreign { .. }))
                if all.len() > 1 =>
            {
                writeln!(out, "{}\n  none: {why}\n", what.title)?;
                failed = failed.or(asked.then_some(why));
                continue;
            }
            Err(why) => return Err(why.into()),
        };
        let tables = answer.tables.in_units(units);
        write::print(&mut out, what, &tables)?;
        if let Some(folder) = &csv {
            write::csv(&mut out, folder, &tables, &destination)?;
        }
        if destination.plot.is_some() {
            figures.extend(of_answer(&answer.found, &reading)?);
        }
        writeln!(out)?;
    }
    if !asked {
        let name = file.display();
        let more =
            if reading.has_outlines() { "displacement density rdf" } else { "rates survival rdf" };
        writeln!(
            out,
            "More: jostle analyse {name} {more} --plot picture.png, and others (--help)"
        )?;
    }
    drop(out);
    write::figures(&destination, &figures)?;
    failed.map_or(Ok(()), |why| Err(why.into()))
}
