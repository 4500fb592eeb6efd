//! What a sweep measures of each run: as `jostle analyse`, with its options.

use std::path::Path;

use clap::Parser;

use super::super::analyse::{Answer, Measure, Options, What, WhatParser};
use crate::analysis::{self, ReadError};
use jostle_sweep::{MeasureTable, NamedTable};

/// A `[[measure]]` as a command line.
#[derive(Parser)]
#[command(no_binary_name = true, disable_help_flag = true)]
struct MeasureLine {
    #[arg(value_parser = WhatParser)]
    what: What,
    #[command(flatten)]
    options: Options,
}

/// What is to be measured, understood.
pub(super) fn understood(table: &MeasureTable) -> Result<(What, Measure), String> {
    let options = table.options.iter().flat_map(|(key, value)| [format!("--{key}"), value.clone()]);
    let line = MeasureLine::try_parse_from(std::iter::once(table.what.clone()).chain(options))
        .map_err(|error| {
            let text = error.to_string();
            let lines = text.lines().map(str::trim).take_while(|line| !line.starts_with("Usage"));
            let lines = lines.filter(|line| !line.is_empty() && !line.starts_with("For more"));
            lines.collect::<Vec<_>>().join("; ").trim_start_matches("error: ").to_owned()
        })?;
    line.options.check(&[line.what])?;
    Ok((line.what, line.options.meant()))
}

/// All tables that are measured of a file. What it cannot answer has none.
pub(super) fn tables(file: &Path, measures: &[MeasureTable]) -> Result<Vec<NamedTable>, String> {
    let reading = analysis::open(file).map_err(|error| error.to_string())?;
    let mut tables = Vec::new();
    for table in measures {
        let (what, measure) = understood(table)?;
        match Answer::of(what, &reading, &measure) {
            Ok(answer) => {
                tables.extend(answer.tables().map(|(name, table)| NamedTable::new(name, table)));
            }
            Err(ReadError::TooLittle { .. }) => {}
            Err(error) => return Err(format!("{}: {error}", table.what)),
        }
    }
    Ok(tables)
}
