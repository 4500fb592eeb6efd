//! What a sweep measures of each run: as `jostle analyse` and `jostle contacts`, with their options.

use std::io;

use crate::{MeasureTable, NamedTable};
use jostle_analysis::ask::{Analysis, AnalysisOptions, AskError, LogOptions, read};
use jostle_analysis::contacts::LogBins;
use jostle_analysis::{ReadError, Reading, UnitSystem};
use jostle_run::in_pool;

/// What asks the contact log, instead of the name of an analysis.
const LOG: &str = "contact-log";

/// Bins to a factor of ten: the same for all runs of a sweep, whatever their times are.
const PER_DECADE: usize = 10;

/// Tables whose bins depend on the data of each run, so that they cannot be merged over runs.
const NOT_COMMON: [&str; 2] = ["jumps", "impact_spectrum"];

/// What is to be measured, understood.
pub(super) enum Measurement {
    Analysis(&'static Analysis, Box<AnalysisOptions>),
    Log(Box<LogOptions>),
}

impl Measurement {
    pub(super) fn of(table: &MeasureTable) -> Result<Self, String> {
        if let Some(name) = &table.name
            && (name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'))
        {
            return Err(format!("name = \"{name}\": use letters, digits and _ only"));
        }
        if table.what == LOG {
            let query: LogOptions = read(&table.options).map_err(|why| why.to_string())?;
            query.check_common(PER_DECADE).map_err(|why| why.to_string())?;
            return Ok(Self::Log(Box::new(query)));
        }
        let analysis = Analysis::named(&table.what)
            .map_err(|why| format!("{why}; or {LOG}, with the options of jostle contacts"))?;
        let options: AnalysisOptions = read(&table.options).map_err(|why| why.to_string())?;
        options.check(&[analysis]).map_err(|why| why.to_string())?;
        Ok(Self::Analysis(analysis, Box::new(options)))
    }

    /// What an analysis calls its tables, the main one first.
    fn kinds(&self) -> Vec<&'static str> {
        match self {
            Self::Analysis(analysis, options) => analysis
                .tables_with(options)
                .iter()
                .copied()
                .filter(|kind| !NOT_COMMON.contains(kind))
                .collect(),
            Self::Log(query) => vec![query.kind()],
        }
    }

    /// The tables that it gives of a file.
    fn tables(&self, reading: &Reading, prefix: &str) -> Result<Vec<NamedTable>, AskError> {
        match self {
            Self::Analysis(analysis, options) => Ok(analysis
                .answer(reading, options)?
                .tables
                .all()
                .filter(|(kind, _)| !NOT_COMMON.contains(kind))
                .map(|(kind, table)| NamedTable::new(prefix, kind, table))
                .collect()),
            Self::Log(query) => {
                // As in the file: the tables of all runs are put together.
                let units = UnitSystem::Molecules;
                let found = query.find(reading, LogBins::PerDecade(PER_DECADE), units)?;
                Ok(vec![NamedTable::new(prefix, query.kind(), &found.to_table(units))])
            }
        }
    }
}

/// The main table of what is measured first.
///
/// # Errors
/// If nothing is measured.
pub fn first_table(measures: &[MeasureTable]) -> Result<String, String> {
    let first = measures.first().ok_or("the sweep measures nothing: it has no [[measure]]")?;
    main_table(first)
}

/// The main table of a `[[measure]]`.
///
/// # Errors
/// What is wrong with it.
pub fn main_table(table: &MeasureTable) -> Result<String, String> {
    Ok(tables_of(table)?.swap_remove(0))
}

/// What an analysis calls the main table of a `[[measure]]`.
///
/// # Errors
/// What is wrong with it.
pub fn kind_of(table: &MeasureTable) -> Result<&'static str, String> {
    Ok(Measurement::of(table)?.kinds()[0])
}

/// All tables that a `[[measure]]` may give, the main one first.
pub(super) fn tables_of(table: &MeasureTable) -> Result<Vec<String>, String> {
    let prefix = table.name.as_ref().map_or(String::new(), |name| format!("{name}_"));
    Ok(Measurement::of(table)?.kinds().iter().map(|kind| format!("{prefix}{kind}")).collect())
}

/// All tables that are measured of a file, on this many threads.
///
/// # Errors
/// If there are no threads, which says nothing about the model. If a measure fails, that is told instead
/// of the tables.
pub(super) fn tables(
    reading: &Reading,
    measures: &[MeasureTable],
    threads: usize,
) -> io::Result<Result<Vec<NamedTable>, String>> {
    in_pool(threads.max(1), || all_of(reading, measures)).map_err(io::Error::other)
}

fn all_of(reading: &Reading, measures: &[MeasureTable]) -> Result<Vec<NamedTable>, String> {
    let mut tables = Vec::new();
    for table in measures {
        let prefix = table.name.as_deref().unwrap_or_default();
        match Measurement::of(table)?.tables(reading, prefix) {
            Ok(found) => tables.extend(found),
            // What a run cannot answer has no table.
            Err(AskError::Read(ReadError::TooLittle { .. })) => {}
            Err(why) => return Err(format!("{}: {why}", table.what)),
        }
    }
    Ok(tables)
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
        Err(AskError::Read(ReadError::TooLittle { reason, .. })) => Trial::TooLittle(reason),
        Err(why) => Trial::Refused(why.to_string()),
    }
}
