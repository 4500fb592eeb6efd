//! The program: one file per subcommand.

mod analyse;
mod check;
mod info;
mod list;
mod progress;
mod run;

use clap::{Args, Parser, Subcommand};

/// Why the program ends with an exit code other than 0.
pub enum Failure {
    /// Something is wrong; the message says what. Exit code 1.
    Error(Box<dyn std::error::Error + Send + Sync>),
    /// Stopped by Ctrl-C; all is saved. Exit code 130.
    Interrupted,
    /// Nobody reads what is printed any more. Exit code 0.
    Unread,
}

impl<E: Into<Box<dyn std::error::Error + Send + Sync>>> From<E> for Failure {
    fn from(error: E) -> Self {
        let error = error.into();
        match error.downcast_ref::<std::io::Error>() {
            Some(io) if io.kind() == std::io::ErrorKind::BrokenPipe => Self::Unread,
            _ => Self::Error(error),
        }
    }
}

/// Brownian particle simulator for biology: spheres that never overlap, first contacts at their
/// exact times, rules at contact and in time, a complete contact log.
#[derive(Parser)]
#[command(version, arg_required_else_help = true)]
pub struct Program {
    /// Say more about what is being done (twice: everything).
    #[arg(short, long, action = clap::ArgAction::Count, global = true)]
    pub verbose: u8,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run a model; write trajectory and contact log to an H5MD file.
    Run(run::Arguments),
    /// Validate a model and tell what a run of it will be like, without running it.
    Check(check::Arguments),
    /// List search structures (and which when), rules, and the models that come along.
    List(list::Arguments),
    /// Tell what is in a file that a run wrote.
    Info(info::Arguments),
    /// Analyse a file: contacts by species and outcome, cluster sizes, mean squared displacement.
    Analyse(analyse::Arguments),
    /// Clear the mark that a killed run leaves in its file, so that every reader opens it.
    Recover(info::RecoverArguments),
}

impl Program {
    /// Does what the command line says.
    pub fn carry_out(self) -> Result<(), Failure> {
        match self.command {
            Command::Run(arguments) => run::carry_out(arguments),
            Command::Check(arguments) => check::carry_out(arguments),
            Command::List(arguments) => list::carry_out(arguments),
            Command::Info(arguments) => info::carry_out(arguments),
            Command::Analyse(arguments) => analyse::carry_out(arguments),
            Command::Recover(arguments) => info::recover(arguments),
        }
    }
}

/// A model file, and what the command line sets on top of it.
#[derive(Args)]
struct ModelArguments {
    /// The model file (TOML).
    model: std::path::PathBuf,
    /// The seed, instead of the model's.
    #[arg(long)]
    seed: Option<u64>,
    /// The number of threads; results do not depend on it.
    #[arg(long)]
    threads: Option<usize>,
    /// How many steps to do, instead of what the model says.
    #[arg(long, conflicts_with = "until")]
    steps: Option<u64>,
    /// How long to simulate, with a unit ("10 ms"), instead of what the model says.
    #[arg(long)]
    until: Option<String>,
    /// Set any value of the model, e.g. --set search.kind=slices; may be repeated.
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = key_and_value)]
    set: Vec<(String, String)>,
}

impl ModelArguments {
    /// Reads and checks the model. Warnings go to the log.
    fn load(&self) -> Result<crate::model::Model, Failure> {
        let mut overrides = self.set.clone();
        let mut set = |key: &str, value: Option<String>| {
            overrides.extend(value.map(|value| (key.to_string(), value)));
        };
        set("run.seed", self.seed.map(|n| n.to_string()));
        set("run.threads", self.threads.map(|n| n.to_string()));
        set("run.steps", self.steps.map(|n| n.to_string()));
        set("run.until", self.until.clone());
        let model = crate::model::load(&self.model, &overrides)?;
        for warning in model.warnings() {
            log::warn!("{warning}");
        }
        Ok(model)
    }
}

fn key_and_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.trim().is_empty() => Ok((key.trim().into(), value.trim().into())),
        _ => Err("write KEY=VALUE, e.g. search.kind=slices".into()),
    }
}
