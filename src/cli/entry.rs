//! The way in from a command line: sets up the log, prints an error chain and picks the exit code.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::Write as _;

use clap::error::{ContextKind, ContextValue};
use clap::{CommandFactory, Parser};
use log::LevelFilter;

use super::{Failure, Program};
use crate::files::plain;
use crate::model::Faults;

/// Carries out a command line, the name of the program first, and returns the exit code.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let given: Vec<OsString> = arguments.into_iter().collect();
    let program = match Program::try_parse_from(&given) {
        Ok(program) => program,
        Err(help) => {
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
    match program.carry_out() {
        Ok(()) | Err(Failure::Unread) => 0,
        Err(Failure::Stopped) => 75,
        Err(Failure::Interrupted) => 130,
        Err(Failure::Different) => 1,
        Err(Failure::Error(error)) => {
            tell(&*error);
            1
        }
        Err(Failure::Machine(error)) => {
            tell(&*error);
            74
        }
        Err(Failure::Trouble(error)) => {
            tell(&*error);
            2
        }
    }
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
    if error.get(ContextKind::Usage).is_some() {
        error.insert(ContextKind::Usage, ContextValue::StyledStr(command.render_usage()));
    }
    error
}

/// Prints an error, if standard error can still be written to.
fn tell(error: &(dyn std::error::Error + 'static)) {
    // Names in the message may come from a file: nothing in it steers the terminal.
    let _ = std::io::stderr().write_all(plain(&message(error)).as_bytes());
}

/// The error and its causes. Several faults of a model begin below a headline. Only they are
/// counted: a line feed may also come from the name of a file.
fn message(error: &(dyn std::error::Error + 'static)) -> String {
    let said = error.to_string();
    let mut text = match error.downcast_ref::<Faults>().map_or(1, |faults| faults.list.len()) {
        0 | 1 => format!("error: {said}\n"),
        count => format!("error: {count} faults\n  {}\n", said.replace('\n', "\n  ")),
    };
    let mut cause = error.source();
    while let Some(error) = cause {
        let _ = writeln!(text, "  because {error}");
        cause = error.source();
    }
    text
}
