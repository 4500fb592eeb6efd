//! The program: one file per subcommand.

mod analyse;
#[cfg(feature = "lab")]
mod bench;
mod check;
mod contacts;
#[cfg(feature = "lab")]
mod converge;
mod diff;
mod entry;
mod export;
mod failure;
mod genealogy;
mod import;
mod info;
mod list;
#[cfg(feature = "lab")]
mod measured;
mod movie;
mod once;
mod options;
mod progress;
mod report;
#[cfg(feature = "lab")]
mod reproduce;
mod rerun;
mod resume;
mod run;
mod shell;
mod signals;
mod snapshot;
mod sweep;
mod tables;
#[cfg(feature = "lab")]
mod validate;

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, Parser, Subcommand};

use crate::analysis::ask::QuestionError;
use crate::files::{Inputs, check_place, plain};
use crate::model::{self, Model};
use crate::run::RunError;
use crate::sweep::{files_of, model_of};
use crate::words::time_text;
pub use entry::main;
use failure::{Failure, Why, typed};

/// Brownian particle simulator for biology: spheres never overlap, they collide at the exact
/// moment when their paths meet, and every contact can be recorded.
#[derive(Parser)]
#[command(version, arg_required_else_help = true)]
pub struct Program {
    /// Print more about what is being done (twice: everything).
    #[arg(short, long, action = clap::ArgAction::Count, global = true, display_order = 900)]
    pub verbose: u8,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run a model; write trajectory and contact log to an H5MD file.
    Run(run::RunArguments),
    /// Resume a run that was stopped or killed, as if it had never stopped.
    Resume(Box<resume::ResumeArguments>),
    /// Check a model and predict what a run will be like, without running it.
    Check(check::CheckArguments),
    /// Run a model at several time steps with the same noise; report order of convergence and
    /// limit.
    #[cfg(feature = "lab")]
    Converge(Box<converge::ConvergeArguments>),
    /// Run a model many times with different values and seeds, and combine what is measured.
    Sweep(sweep::SweepArguments),
    /// List the models that come with jostle, search structures (and when to use which), rules, and
    /// the keys of model files.
    List(list::ListArguments),
    /// Make a model of a BNGL file (BioNetGen, NFsim) and a file with the box and the molecules' sizes.
    Import(import::ImportArguments),
    /// Show the contents of an output file.
    Info(info::InfoArguments),
    /// Analyse a file: particle numbers, clusters, diffusion, rates, lifetimes, structure.
    #[command(alias = "analyze")]
    Analyse(Box<analyse::AnalyseArguments>),
    /// Query the contact log: list, count, group and make histograms, by time, particle,
    /// species, rule, place.
    Contacts(Box<contacts::ContactsArguments>),
    /// Show how clusters merged and fell apart; write the tree as a graph.
    Genealogy(genealogy::GenealogyArguments),
    /// Draw a frame of a file as a PNG or SVG picture.
    Snapshot(snapshot::SnapshotArguments),
    /// Make a film of the frames of a file.
    Movie(movie::MovieArguments),
    /// Convert a file to the format of another program (OVITO, Simularium, ParaView) or to a table.
    Export(export::ExportArguments),
    /// Compare the results of two files, and show where they first differ.
    Diff(diff::DiffArguments),
    /// Run a file's own model again and compare the results.
    Rerun(rerun::RerunArguments),
    /// Write one page (HTML) with the model, the run, its figures and a player for its frames.
    Report(report::ReportArguments),
    /// Measure performance: search structures, speed, memory.
    #[cfg(feature = "lab")]
    Bench(bench::BenchArguments),
    /// Reproduce published results: tables of the shaker ball mill, complexities, the
    /// triangulation, cells and slices, the strips of the disk gas, polygons.
    #[cfg(feature = "lab")]
    Reproduce(reproduce::ReproduceArguments),
    /// Check that this build gets the physics right on this machine: measurement against theory.
    #[cfg(feature = "lab")]
    Validate(validate::ValidateArguments),
    /// Clear the mark that a killed run leaves in its file, so that any program can open it.
    Recover(info::RecoverArguments),
    /// Print a script that makes a shell complete the commands and options of jostle.
    Completions(shell::CompletionsArguments),
    /// Write man pages.
    Man(shell::ManArguments),
}

impl Program {
    /// Executes the command line.
    fn execute(self) -> Result<(), Failure> {
        match self.command {
            Command::Run(arguments) => run::execute(arguments, self.verbose > 0),
            Command::Resume(arguments) => resume::execute(*arguments, self.verbose > 0),
            Command::Check(arguments) => check::execute(arguments),
            #[cfg(feature = "lab")]
            Command::Converge(arguments) => converge::execute(*arguments),
            Command::Sweep(arguments) => sweep::execute(arguments),
            Command::List(arguments) => list::execute(arguments),
            Command::Import(arguments) => import::execute(arguments),
            Command::Info(arguments) => info::execute(arguments),
            Command::Analyse(arguments) => analyse::execute(*arguments),
            Command::Contacts(arguments) => contacts::execute(*arguments),
            Command::Genealogy(arguments) => genealogy::execute(arguments),
            Command::Snapshot(arguments) => snapshot::execute(arguments),
            Command::Movie(arguments) => movie::execute(arguments),
            Command::Export(arguments) => export::execute(arguments),
            Command::Diff(arguments) => diff::execute(arguments),
            Command::Rerun(arguments) => rerun::execute(arguments, self.verbose > 0),
            Command::Report(arguments) => report::execute(arguments),
            #[cfg(feature = "lab")]
            Command::Bench(arguments) => bench::execute(arguments),
            #[cfg(feature = "lab")]
            Command::Reproduce(arguments) => reproduce::execute(arguments),
            #[cfg(feature = "lab")]
            Command::Validate(arguments) => validate::execute(arguments),
            Command::Recover(arguments) => info::recover(arguments),
            Command::Completions(arguments) => shell::completions(&arguments),
            Command::Man(arguments) => shell::man(&arguments),
        }
    }
}

/// A model file, and what the command line sets on top of it.
#[derive(Args)]
struct ModelArguments {
    /// The model file (TOML), or an output file (.h5md), whose model is run again.
    model: PathBuf,
    /// The seed, instead of the model's.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// The number of threads; results do not depend on it.
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// The number of steps, overriding the model.
    #[arg(long, value_name = "N", conflicts_with = "until")]
    steps: Option<u64>,
    /// How long to simulate ("10 ms"), overriding the model.
    #[arg(long, value_name = "TIME")]
    until: Option<String>,
    /// Set any value of the model, e.g. --set search.kind=slices; without a value (--set rule.bind.unbind=)
    /// the key is taken away. Can be repeated.
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = key_and_value)]
    set: Vec<(String, String)>,
}

impl ModelArguments {
    /// Reads and checks the model.
    fn load(&self) -> Result<Model, Failure> {
        self.load_with(&[])
    }

    /// What is wrong with the initial particles, with the place in the model file that defines
    /// them.
    fn located(&self, failure: Failure, model: &Model) -> Failure {
        let Failure::Error(why) = failure else { return failure };
        let origin = match &why {
            Why::Run(RunError::Placement(amiss)) => amiss.origin(model),
            Why::Run(RunError::Memory { most, .. }) => model.origin_of(most),
            _ => None,
        };
        match origin.map(|origin| origin.fault(&self.model.display().to_string(), why.to_string()))
        {
            Some(fault) => fault.into(),
            None => Failure::Error(why),
        }
    }

    /// The same with some more that is set.
    fn load_with(&self, more: &[(String, String)]) -> Result<Model, Failure> {
        let mut overrides = self.set.clone();
        let mut set = |key: &str, value: Option<String>| {
            overrides.extend(value.map(|value| (key.to_string(), value)));
        };
        set("run.seed", self.seed.map(|n| n.to_string()));
        set("run.threads", self.threads.map(|n| n.to_string()));
        set("run.steps", self.steps.map(|n| n.to_string()));
        set("run.until", self.until.clone());
        overrides.extend_from_slice(more);
        let model = if is_h5md(&self.model) {
            model_of(&self.model, &overrides)?
        } else {
            model::load(&self.model, &overrides)?
        };
        log::info!(
            "{} read: \"{}\", {} species, {} rules, {} steps of {}",
            self.model.display(),
            model.title,
            model.species.len(),
            model.causes().len(),
            model.run.steps,
            time_text(model.run.timestep)
        );
        Ok(model)
    }
}

/// Refuses to write over a file that is read, to replace one unless that is allowed, and to write
/// where no file can be.
fn may_write(out: &Path, force: bool, inputs: &Inputs) -> Result<(), Failure> {
    if out.exists() && is_h5md(out) {
        // Nothing that is made from results takes the place of results, whatever is allowed.
        let text = "contains the results of a run and is never replaced by another kind of file; choose another name";
        return Err(format!("{} {text}", out.display()).into());
    }
    check_place(out, inputs).map_err(|why| format!("{}: {why}", out.display()))?;
    if out.exists() && !force {
        let text = "already exists; choose another name, or replace it with --force";
        return Err(format!("{} {text}", out.display()).into());
    }
    Ok(())
}

/// What a command reads that is given a file of results, or the folder of a sweep.
fn inputs_of(path: &Path) -> Inputs {
    match path.is_dir() {
        true => Inputs::of(files_of(path)),
        false => Inputs::of([path]),
    }
}

/// Whether a file is, by its name, one that a run wrote.
fn is_h5md(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "h5md")
}

/// What is wrong with a question, in which options are called as they are typed.
fn in_words(why: &QuestionError) -> String {
    why.in_words(typed)
}

/// Prints a line to standard error, if anybody listens.
fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "{}", plain(line));
}

/// Standard output for text that people read: nothing in it steers the terminal, be it the name of
/// a file.
struct Printed;

/// Where messages are printed. What programs read goes to standard output as it is.
fn printed() -> impl Write {
    Printed
}

impl Write for Printed {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        std::io::stdout().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        std::io::stdout().flush()
    }

    fn write_fmt(&mut self, text: std::fmt::Arguments<'_>) -> std::io::Result<()> {
        self.write_all(plain(&text.to_string()).as_bytes())
    }
}

fn key_and_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.trim().is_empty() => {
            Ok((key.trim().into(), value.trim().into()))
        }
        _ => Err("write KEY=VALUE, e.g. search.kind=slices".into()),
    }
}
