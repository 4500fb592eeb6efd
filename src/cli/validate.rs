//! `jostle validate`.

use std::io::Write;
use std::path::PathBuf;

use super::measured::print;
use super::signals::heed_signals;
use super::{Failure, Why, may_write, say};
use crate::files::{Inputs, fresh};
use crate::model::nearest;
use jostle_lab::bench::Machine;
use jostle_lab::validate::{Check, Effort, Outcome, Suite, ValidationReport, checks, listed, page};

/// The command line of `jostle validate`.
#[derive(clap::Args)]
pub(super) struct ValidateArguments {
    /// Take about ten times as many samples and run the long checks as well: less than half an
    /// hour instead of a minute or two on two idle cores.
    #[arg(long)]
    full: bool,
    /// Run only this check, or only the checks of this engine (brownian, granular, polygons) or of
    /// papers (texts), and show every number; separate several with commas, or repeat. --list names
    /// them.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    only: Vec<String>,
    /// The seed of all random numbers; any is valid.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The number of checks that run at the same time [default: the number of cores].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Also write a page (HTML) with plots of theory and measurement.
    #[arg(long, value_name = "PAGE")]
    html: Option<PathBuf>,
    /// Replace the page if it exists.
    #[arg(long, requires = "html")]
    force: bool,
    /// Print everything as JSON instead of tables.
    #[arg(long)]
    json: bool,
    /// List the checks, with their laws and sources, without running them.
    #[arg(long, conflicts_with_all = ["full", "seed", "threads", "html", "json"])]
    list: bool,
    /// Plant a known fault, to see which checks detect it. The program that users install has none.
    #[cfg(debug_assertions)]
    #[arg(long, value_name = "FAULT", hide = true)]
    plant: Option<String>,
}

pub(super) fn execute(arguments: ValidateArguments) -> Result<(), Failure> {
    #[cfg(debug_assertions)]
    plant(arguments.plant.as_deref())?;
    let ValidateArguments { full, only, seed, threads, html, force, json, list, .. } = arguments;
    let chosen = chosen(&only, full || list)?;
    if list {
        write!(crate::cli::printed(), "{}", listed(&chosen))?;
        return Ok(());
    }
    let effort = if full { Effort::Full } else { Effort::Quick };
    let cores = || std::thread::available_parallelism().map_or(1, Into::into);
    let threads = threads.map_or_else(cores, usize::from);
    let measure = || measure(&chosen, effort, seed, threads, !only.is_empty(), json);
    let Some(html) = html else { return verdict(&measure()?) };
    may_write(&html, force, &Inputs::default())?;
    // The place is seen to be one that can be written before anything is measured.
    let document = fresh(&html, |file| {
        let document = measure()?;
        file.write_all(page(&document).as_bytes())?;
        Ok(document)
    });
    let document = document.map_err(|failure| match failure {
        Failure::Error(Why::Io(why)) => format!("cannot write {}: {why}", html.display()).into(),
        other => other,
    })?;
    say(&format!("{} written", html.display()));
    verdict(&document)
}

/// Carries out checks and prints what they found.
fn measure(
    chosen: &[Check],
    effort: Effort,
    seed: u64,
    threads: usize,
    details: bool,
    json: bool,
) -> Result<ValidationReport, Failure> {
    if cfg!(debug_assertions) {
        log::warn!("this is not a release build (cargo build --release): it takes longer");
    }
    let machine = Machine::look(threads);
    let stop = heed_signals()?;
    let suite = Suite::run_until(&stop, chosen, effort, seed, threads, &|outcome: &Outcome| {
        say(&format!(
            "{} {} ({:.1} s)",
            outcome.check.name,
            outcome.verdict().name(),
            outcome.seconds
        ));
    });
    let document = ValidationReport { machine, suite, details };
    print(json, &document.to_json(), &document)?;
    Ok(document)
}

/// How the program ends.
fn verdict(document: &ValidationReport) -> Result<(), Failure> {
    match &document.suite {
        suite if !suite.missing.is_empty() => {
            say(&format!("interrupted before {}", suite.missing.join(", ")));
            Err(Failure::Interrupted)
        }
        suite if suite.holds() => Ok(()),
        _ => Err(Failure::Different),
    }
}

/// The checks of these names and groups; without any, the suite.
fn chosen(only: &[String], full: bool) -> Result<Vec<Check>, Failure> {
    let all = checks();
    if only.is_empty() {
        return Ok(all.into_iter().filter(|check| full || check.quick).collect());
    }
    let is = |check: &Check, word: &str| check.name == word || check.group.name() == word;
    let only: Vec<&str> =
        only.iter().map(|word| word.trim()).filter(|word| !word.is_empty()).collect();
    if only.is_empty() {
        return Err("--only: give the name of a check or of an engine; --list names them".into());
    }
    for word in only.iter().copied() {
        if !all.iter().any(|check| is(check, word)) {
            let known = || all.iter().flat_map(|check| [check.name, check.group.name()]);
            let nearest = nearest(word, known())
                .map_or(String::new(), |near| format!("; did you mean {near}?"));
            return Err(format!("--only {word}: no such check{nearest}; --list names them").into());
        }
    }
    Ok(all.into_iter().filter(|check| only.iter().any(|word| is(check, word))).collect())
}

/// Plants the fault of this name for the rest of the run.
#[cfg(debug_assertions)]
fn plant(name: Option<&str>) -> Result<(), Failure> {
    use crate::planted::{Fault, plant};
    let Some(name) = name else { return Ok(()) };
    let Some(fault) = Fault::ALL.into_iter().find(|fault| fault.name() == name) else {
        let known = Fault::ALL.map(Fault::name).join(", ");
        return Err(format!("--plant {name}: no such fault; known faults: {known}").into());
    };
    plant(fault);
    Ok(())
}
