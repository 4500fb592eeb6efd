//! What a sweep measures of each run: as `jostle analyse` and `jostle contacts`, with their options.

use std::io;
use std::path::Path;

use clap::Parser;

use super::super::Failure;
use super::super::analyse::{Answer, Measure, Options, What, WhatParser};
use super::super::contacts::LogTable;
use crate::analysis::{self, ReadError, Reading};
use jostle_sweep::{Given, MeasureTable, NamedTable};

/// What asks the contact log, instead of the name of an analysis.
const LOG: &str = "contact-log";

/// Tables whose bins depend on the data of each run, so that they cannot be merged over runs.
const NOT_COMMON: [&str; 2] = ["jumps", "impact_spectrum"];

/// A `[[measure]]` as the command line of an analysis.
#[derive(Parser)]
#[command(no_binary_name = true, disable_help_flag = true)]
struct AnalysisLine {
    #[arg(value_parser = WhatParser)]
    what: What,
    #[command(flatten)]
    options: Options,
}

/// A `[[measure]]` as the command line of a query of the log.
#[derive(Parser)]
#[command(no_binary_name = true, disable_help_flag = true)]
struct LogLine {
    #[command(flatten)]
    query: LogTable,
}

/// What is to be measured, understood.
pub(super) enum Measurement {
    Analysis(What, Box<Measure>),
    Log(Box<LogTable>),
}

impl Measurement {
    pub(super) fn of(table: &MeasureTable) -> Result<Self, String> {
        if let Some(name) = &table.name
            && (name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'))
        {
            return Err(format!("name = \"{name}\": use letters, digits and _ only"));
        }
        let is_log = table.what == LOG;
        let options = table.options.iter().flat_map(|option| as_arguments(option, is_log));
        if is_log {
            let LogLine { query } = LogLine::try_parse_from(options).map_err(in_short)?;
            query.check()?;
            return Ok(Self::Log(Box::new(query)));
        }
        // First alone: options that it does not have would be told instead.
        AnalysisLine::try_parse_from([&table.what]).map_err(|error| {
            format!("{}; or {LOG}, with the options of jostle contacts", in_short(error))
        })?;
        let words = std::iter::once(table.what.clone()).chain(options);
        let AnalysisLine { what, options } =
            AnalysisLine::try_parse_from(words).map_err(in_short)?;
        options.check(&[what])?;
        Ok(Self::Analysis(what, Box::new(options.meant())))
    }

    /// What an analysis calls its tables, the main one first.
    fn kinds(&self) -> Vec<&'static str> {
        match self {
            Self::Analysis(what, _) => {
                what.tables().iter().copied().filter(|kind| !NOT_COMMON.contains(kind)).collect()
            }
            Self::Log(query) => vec![query.kind()],
        }
    }

    /// The tables that it gives of a file.
    fn tables(&self, reading: &Reading, prefix: &str) -> Result<Vec<NamedTable>, Failure> {
        match self {
            Self::Analysis(what, measure) => Ok(Answer::of(*what, reading, measure)?
                .tables()
                .filter(|(kind, _)| !NOT_COMMON.contains(kind))
                .map(|(kind, table)| NamedTable::new(prefix, kind, table))
                .collect()),
            Self::Log(query) => {
                Ok(vec![NamedTable::new(prefix, query.kind(), &query.of(reading)?)])
            }
        }
    }
}

/// An option as a command line has it.
fn as_arguments((key, given): &(String, Given), is_log: bool) -> Vec<String> {
    let flag = format!("--{key}");
    match given {
        Given::Flag(false) => vec![],
        Given::Flag(true) => vec![flag],
        Given::Text(text) => vec![flag, text.clone()],
        // These take several values at once; others are repeated.
        Given::List(list) if key == "species" && !is_log => vec![flag, list.join(",")],
        Given::List(list) if key == "between" => {
            std::iter::once(flag).chain(list.iter().cloned()).collect()
        }
        Given::List(list) => list.iter().flat_map(|text| [flag.clone(), text.clone()]).collect(),
    }
}

/// What is wrong with a command line, without how it would be written.
fn in_short(error: clap::Error) -> String {
    let text = error.to_string();
    let lines = text.lines().map(str::trim).take_while(|line| !line.starts_with("Usage"));
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with("For more"));
    lines.collect::<Vec<_>>().join("; ").trim_start_matches("error: ").to_owned()
}

/// The main table of what is measured first.
pub(super) fn first_table(measures: &[MeasureTable]) -> Result<String, String> {
    let first = measures.first().ok_or("the sweep measures nothing: it has no [[measure]]")?;
    main_table(first)
}

/// The main table of a `[[measure]]`.
pub(super) fn main_table(table: &MeasureTable) -> Result<String, String> {
    Ok(tables_of(table)?.swap_remove(0))
}

/// What an analysis calls the main table of a `[[measure]]`.
pub(super) fn kind_of(table: &MeasureTable) -> Result<&'static str, String> {
    Ok(Measurement::of(table)?.kinds()[0])
}

/// All tables that a `[[measure]]` may give, the main one first.
pub(super) fn tables_of(table: &MeasureTable) -> Result<Vec<String>, String> {
    let prefix = table.name.as_ref().map_or(String::new(), |name| format!("{name}_"));
    Ok(Measurement::of(table)?.kinds().iter().map(|kind| format!("{prefix}{kind}")).collect())
}

/// All tables that are measured of a file.
///
/// # Errors
/// If the file cannot be opened, which says nothing about the model. If a measure fails, that is told
/// instead of the tables.
pub(super) fn tables(
    file: &Path,
    measures: &[MeasureTable],
) -> io::Result<Result<Vec<NamedTable>, String>> {
    let reading = analysis::open(file).map_err(io::Error::other)?;
    Ok(all_of(&reading, measures))
}

fn all_of(reading: &Reading, measures: &[MeasureTable]) -> Result<Vec<NamedTable>, String> {
    let mut tables = Vec::new();
    for table in measures {
        let prefix = table.name.as_deref().unwrap_or_default();
        match Measurement::of(table)?.tables(reading, prefix) {
            Ok(found) => tables.extend(found),
            // What a run cannot answer has no table.
            Err(Failure::Error(why)) if is_too_little(&*why) => {}
            Err(Failure::Error(why) | Failure::Trouble(why)) => {
                return Err(format!("{}: {why}", table.what));
            }
            Err(_) => return Err(format!("{}: could not be measured", table.what)),
        }
    }
    Ok(tables)
}

/// Whether a file has too little in it for an answer.
fn is_too_little(error: &(dyn std::error::Error + Send + Sync + 'static)) -> bool {
    matches!(error.downcast_ref(), Some(ReadError::TooLittle { .. }))
}

/// What a `[[measure]]` comes to in a trial.
pub(super) enum Trial {
    /// It gives tables.
    Works,
    /// There was too little in the file; more may be in that of a whole run.
    TooLittle(String),
    /// No file would do.
    Refused(String),
}

/// Measures the file of a trial.
pub(super) fn try_out(table: &MeasureTable, reading: &Reading) -> Trial {
    let measurement = match Measurement::of(table) {
        Ok(measurement) => measurement,
        Err(why) => return Trial::Refused(why),
    };
    match measurement.tables(reading, "") {
        Ok(_) => Trial::Works,
        Err(Failure::Error(why)) if is_too_little(&*why) => match why.downcast_ref() {
            Some(ReadError::TooLittle { reason, .. }) => Trial::TooLittle(reason.clone()),
            _ => Trial::TooLittle(why.to_string()),
        },
        Err(Failure::Error(why) | Failure::Trouble(why)) => Trial::Refused(why.to_string()),
        Err(_) => Trial::Works,
    }
}
