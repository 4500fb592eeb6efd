//! Options given by name, as they stand in a file or in a call, read as a command line is.

use clap::Parser;
use jostle_sweep::Given;

use super::super::analyse::{Measure, Options, What, WhatParser};

/// An analysis and its options.
#[derive(Parser)]
#[command(no_binary_name = true, disable_help_flag = true)]
struct AnalysisLine {
    #[arg(value_parser = WhatParser)]
    what: What,
    #[command(flatten)]
    options: Options,
}

/// Options alone.
#[derive(Parser)]
#[command(no_binary_name = true, disable_help_flag = true)]
struct Line<T: clap::Args> {
    #[command(flatten)]
    options: T,
}

/// Which analysis is meant by a word.
///
/// # Errors
/// What is wrong with it.
pub(in crate::cli) fn what_of(word: &str) -> Result<What, String> {
    Ok(AnalysisLine::try_parse_from([word]).map_err(in_short)?.what)
}

/// What is to be measured by an analysis with these options.
///
/// # Errors
/// What is wrong with them.
pub(in crate::cli) fn measure_of(
    what: What,
    options: &[(String, Given)],
) -> Result<Measure, String> {
    let options: Options = options_of(options.iter().flat_map(|option| match option {
        // This one takes several values at once; others are repeated.
        (key, Given::List(list)) if key == "species" => vec![with(key, &list.join(","))],
        option => as_arguments(option),
    }))?;
    options.check(&[what])?;
    Ok(options.meant())
}

/// Options that are read as those of a command.
///
/// # Errors
/// What is wrong with them.
pub(in crate::cli) fn given<T: clap::Args>(options: &[(String, Given)]) -> Result<T, String> {
    options_of(options.iter().flat_map(as_arguments))
}

fn options_of<T: clap::Args>(words: impl Iterator<Item = String>) -> Result<T, String> {
    Ok(Line::<T>::try_parse_from(words).map_err(in_short)?.options)
}

/// An option as a command line has it.
fn as_arguments((key, given): &(String, Given)) -> Vec<String> {
    match given {
        Given::Flag(false) => vec![],
        Given::Flag(true) => vec![format!("--{key}")],
        Given::Text(text) => vec![with(key, text)],
        Given::List(list) if key == "between" => {
            std::iter::once(format!("--{key}")).chain(list.iter().cloned()).collect()
        }
        Given::List(list) => list.iter().map(|text| with(key, text)).collect(),
    }
}

/// In one word, so that a value may begin with a dash.
fn with(key: &str, value: &str) -> String {
    format!("--{key}={value}")
}

/// What is wrong with a command line, without how it would be written.
fn in_short(error: clap::Error) -> String {
    let text = error.to_string();
    let lines = text.lines().map(str::trim).take_while(|line| !line.starts_with("Usage"));
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with("For more"));
    let text = lines.collect::<Vec<_>>().join("; ").replace(":; ", ": ");
    text.trim_start_matches("error: ").to_owned()
}
