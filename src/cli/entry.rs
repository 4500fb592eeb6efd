//! The way in from a command line: sets up the log, prints an error chain and picks the exit code.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::Write as _;

use clap::error::{ContextKind, ContextValue};
use clap::{CommandFactory, Parser};
use log::LevelFilter;

use super::{Failure, Program, Why};
use crate::analysis::ask::Analysis;
use crate::files::plain;

/// Carries out a command line, the name of the program first, and returns the exit code.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let given: Vec<OsString> = arguments.into_iter().collect();
    let program = match Program::try_parse_from(&given) {
        Ok(program) => program,
        Err(help) => {
            if let Some(name) = left_out(&help) {
                tell(&Why::from(not_built(name)));
                return 2;
            }
            let help = with_usage(help, &given);
            // A reader that has gone away is no error of ours.
            let _ = help.print();
            return u8::try_from(help.exit_code()).unwrap_or(2);
        }
    };
    let level = ["warn", "info", "debug"][usize::from(program.verbose.min(2))];
    let environment = env_logger::Env::default().default_filter_or(level);
    let started = env_logger::Builder::from_env(environment)
        // It warns of every bar without height.
        .filter_module("tiny_skia", LevelFilter::Off)
        .format_timestamp(None)
        .format_target(false)
        .try_init();
    // Within another program there may be a log already, which then gets the messages.
    drop(started);
    let done = program.execute();
    if let Some(why) = done.as_ref().err().and_then(Failure::why) {
        tell(why);
    }
    done.map_or_else(|failure| failure.exit_code(), |()| 0)
}

/// The commands of the laboratory, which a build may leave out.
const LABORATORY: [&str; 4] = ["bench", "converge", "reproduce", "validate"];

/// The command that is missing, if it is one that this build leaves out.
fn left_out(error: &clap::Error) -> Option<&'static str> {
    match error.get(ContextKind::InvalidSubcommand) {
        Some(ContextValue::String(name)) => LABORATORY.into_iter().find(|one| one == name),
        _ => None,
    }
}

/// How one gets it.
fn not_built(name: &str) -> String {
    format!(
        "`jostle {name}` is not in this build, which `make demo` makes: `cargo build` makes one with {}, and so do \
         `cargo install` and `pip install`",
        LABORATORY.join(", ")
    )
}

/// An error of the command line with the whole usage of the command that was given, and without the advice
/// to put what looks like an option behind `--`, which helps only with names that begin with a hyphen.
fn with_usage(mut error: clap::Error, given: &[OsString]) -> clap::Error {
    let mut program = Program::command();
    program.build();
    let mut command = &mut program;
    for word in given.iter().skip(1).filter_map(|word| word.to_str()) {
        if command.find_subcommand(word).is_none() {
            break;
        }
        command = command.find_subcommand_mut(word).expect("it has just been found");
    }
    if let Some(ContextValue::StyledStrs(tips)) = error.get(ContextKind::Suggested) {
        let others = tips.iter().filter(|tip| !tip.to_string().contains("as a value"));
        let others: Vec<_> = others.cloned().collect();
        // An empty list would leave an empty line.
        match others.is_empty() {
            true => error.remove(ContextKind::Suggested),
            false => error.insert(ContextKind::Suggested, ContextValue::StyledStrs(others)),
        };
    }
    // `jostle msd` is meant to measure.
    let named = match error.get(ContextKind::InvalidSubcommand) {
        Some(ContextValue::String(word)) => Analysis::named(word).ok(),
        _ => None,
    };
    if let Some(analysis) = named {
        let tip = format!("to measure this, say: jostle analyse FILE {}", analysis.name);
        error.remove(ContextKind::SuggestedSubcommand);
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
    if error.get(ContextKind::Usage).is_some() {
        error.insert(ContextKind::Usage, ContextValue::StyledStr(command.render_usage()));
    }
    error
}

/// Prints an error, if standard error can still be written to.
fn tell(why: &Why) {
    // Names in the message may come from a file: nothing in it steers the terminal.
    let _ = std::io::stderr().write_all(plain(&message(why)).as_bytes());
}

/// The error and its causes. Several faults of a model begin below a headline. Only they are
/// counted: a line feed may also come from the name of a file.
fn message(why: &Why) -> String {
    let said = why.to_string();
    let mut text = match why.count() {
        0 | 1 => format!("error: {said}\n"),
        count => format!("error: {count} faults\n  {}\n", said.replace('\n', "\n  ")),
    };
    let mut cause = std::error::Error::source(why);
    while let Some(error) = cause {
        let _ = writeln!(text, "  because {error}");
        cause = error.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_build_leaves_out_is_named() {
        let whole = Program::command();
        let is_there = |name: &str| whole.find_subcommand(name).is_some();
        for name in LABORATORY {
            assert_eq!(is_there(name), cfg!(feature = "lab"), "{name}");
            // As a build without these has it.
            let mut without = clap::Command::new("jostle").subcommand(clap::Command::new("run"));
            for arguments in [vec!["jostle", name, "--full"], vec!["jostle", "help", name]] {
                let error = without.try_get_matches_from_mut(arguments).unwrap_err();
                assert_eq!(left_out(&error), Some(name));
                assert!(not_built(name).contains(&format!("`jostle {name}` is not in this build")));
            }
            let error = without.try_get_matches_from_mut(["jostle", "fly"]).unwrap_err();
            assert_eq!(left_out(&error), None);
        }
    }
}
