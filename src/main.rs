//! The program `jostle`: prints an error chain and picks the exit code.

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::ExitCode;

use clap::Parser;
use jostle::cli::{Failure, Program};
use jostle::files::plain;
use log::LevelFilter;

fn main() -> ExitCode {
    let program = Program::parse();
    let level = ["warn", "info", "debug"][usize::from(program.verbose.min(2))];
    let environment = env_logger::Env::default().default_filter_or(level);
    env_logger::Builder::from_env(environment)
        // It warns of every bar without height.
        .filter_module("tiny_skia", LevelFilter::Off)
        .format_timestamp(None)
        .format_target(false)
        .init();
    match program.carry_out() {
        Ok(()) | Err(Failure::Unread) => ExitCode::SUCCESS,
        Err(Failure::Stopped) => ExitCode::from(75),
        Err(Failure::Interrupted) => ExitCode::from(130),
        Err(Failure::Different) => ExitCode::FAILURE,
        Err(Failure::Error(error)) => {
            tell(&*error);
            ExitCode::FAILURE
        }
        Err(Failure::Machine(error)) => {
            tell(&*error);
            ExitCode::from(74)
        }
        Err(Failure::Trouble(error)) => {
            tell(&*error);
            ExitCode::from(2)
        }
    }
}

/// Prints an error, if standard error can still be written to.
fn tell(error: &(dyn std::error::Error + 'static)) {
    // Names in the message may come from a file: nothing in it steers the terminal.
    let _ = std::io::stderr().write_all(plain(&message(error)).as_bytes());
}

/// The error and its causes. One that has several lines, such as all faults of a model, begins
/// below its headline.
fn message(error: &(dyn std::error::Error + 'static)) -> String {
    let said = error.to_string();
    let mut text = match said.lines().count() {
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
