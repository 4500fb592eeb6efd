//! The program `jostle`.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(jostle::cli::main(std::env::args_os()))
}
