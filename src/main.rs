//! The program `jostle`: prints an error chain and picks the exit code.

use std::process::ExitCode;

use clap::Parser;
use jostle::cli::{Failure, Program};

fn main() -> ExitCode {
    let program = Program::parse();
    let level = ["warn", "info", "debug"][usize::from(program.verbose.min(2))];
    let environment = env_logger::Env::default().default_filter_or(level);
    env_logger::Builder::from_env(environment).format_timestamp(None).format_target(false).init();
    match program.carry_out() {
        Ok(()) | Err(Failure::Unread) => ExitCode::SUCCESS,
        Err(Failure::Interrupted) => ExitCode::from(130),
        Err(Failure::Error(error)) => {
            eprintln!("error: {error}");
            let mut cause = error.source();
            while let Some(error) = cause {
                eprintln!("  because {error}");
                cause = error.source();
            }
            ExitCode::FAILURE
        }
    }
}
