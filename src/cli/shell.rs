//! What a shell and `man` need to know about the program.

use std::io::Write;
use std::path::PathBuf;

use clap::CommandFactory;

use super::{Failure, Program};

/// The command line of `jostle completions`.
#[derive(clap::Args)]
pub(super) struct CompletionsArguments {
    /// The shell.
    shell: clap_complete::Shell,
}

/// The command line of `jostle man`.
#[derive(clap::Args)]
pub(super) struct ManArguments {
    /// The folder to write the pages to (created if missing), such as ~/.local/share/man/man1.
    folder: PathBuf,
}

pub(super) fn completions(arguments: &CompletionsArguments) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Program::command(), "jostle", &mut script);
    Ok(std::io::stdout().write_all(&script)?)
}

pub(super) fn man(arguments: &ManArguments) -> Result<(), Failure> {
    std::fs::create_dir_all(&arguments.folder)?;
    clap_mangen::generate_to(Program::command().name("jostle"), &arguments.folder)?;
    Ok(writeln!(crate::cli::printed(), "man pages written to {}", arguments.folder.display())?)
}
