//! An imported model beside BioNetGen: both are run several times, and what they observe is compared.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::super::signals::heed_signals;
use super::super::{Failure, printed, say};
use crate::analysis::{self, Scope};
use crate::model::bngl::{Method, with_runs};
use crate::model::{self, Model};
use crate::run::{Options, run};

/// At how many times numbers are compared.
const TIMES: u32 = 4;
/// Means that are farther apart than so many standard errors differ.
const FAR: f64 = 5.0;
/// A network that takes longer to write is left to NFsim.
const PATIENCE: Duration = Duration::from_secs(60);

const MISSING: &str = "BioNetGen is not found: `pip install bionetgen`, or let BNGPATH name the folder of BNG2.pl; \
                       `--check` runs it beside the model";

/// Numbers of one observable, \[time\]\[run\].
type Numbers = Vec<Vec<f64>>;

/// Runs a model and its BNGL file, given with its geometry file, and prints both beside each other.
pub(super) fn compare(
    [bngl, geometry]: [&str; 2],
    text: &str,
    name: &str,
    runs: u32,
) -> Result<(), Failure> {
    let script = script().ok_or(MISSING.to_owned())?;
    let model = with_seed(text, name, 1)?;
    if model.rules().observables.is_empty() {
        return Err("nothing can be compared: the model observes nothing".to_owned().into());
    }
    let until = model.run.steps as f64 * model.run.timestep;
    let folder = tempfile::tempdir()?;
    say(&format!("{runs} runs of the model ..."));
    let mut own: Vec<(String, Numbers)> = Vec::new();
    for seed in 1..=runs {
        let model = with_seed(text, name, seed)?;
        for (n, (observable, counts)) in
            observed(&model, &folder.path().join("run.h5md"))?.into_iter().enumerate()
        {
            if own.len() == n {
                own.push((observable, vec![Vec::new(); TIMES as usize]));
            }
            own[n].1.iter_mut().zip(counts).for_each(|(all, count)| all.push(count));
        }
    }
    say(&format!("{runs} runs of BioNetGen ..."));
    let write = |method| with_runs(bngl, geometry, until, [runs, TIMES], method);
    let network = Command::new("perl");
    let is_finite = perl(network, &script, folder.path(), &write(Method::Network), Some(PATIENCE))?;
    let method = if is_finite { Method::OneByOne } else { Method::ByRules };
    if !perl(Command::new("perl"), &script, folder.path(), &write(method), None)? {
        let log = std::fs::read_to_string(folder.path().join("log.txt")).unwrap_or_default();
        let why = log.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
        return Err(format!("BioNetGen could not run this file: {why}").into());
    }
    let theirs = (1..=runs).map(|run| gdat(&folder.path().join(format!("model_run{run}.gdat"))));
    let theirs: Vec<Gdat> = theirs.collect::<Result<_, _>>()?;
    print(&own, &theirs, until, method)
}

/// BNG2.pl.
fn script() -> Option<PathBuf> {
    let named = std::env::var_os("BNGPATH").map(|folder| Path::new(&folder).join("BNG2.pl"));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let on_path = std::env::split_paths(&path).map(|folder| folder.join("BNG2.pl"));
    let known = named.into_iter().chain(on_path).find(|script| script.is_file());
    known.or_else(|| {
        let find = "import importlib.util as u; print(u.find_spec('bionetgen').submodule_search_locations[0])";
        let found = Command::new("python3").args(["-c", find]).stderr(Stdio::null()).output().ok()?;
        let folder = PathBuf::from(String::from_utf8(found.stdout).ok()?.trim());
        let system = if cfg!(target_os = "macos") { "bng-mac" } else { "bng-linux" };
        Some(folder.join(system).join("BNG2.pl")).filter(|script| script.is_file())
    })
}

/// The model with a seed, and with the frames that are compared.
fn with_seed(text: &str, name: &str, seed: u32) -> Result<Model, Failure> {
    let plain = model::parse(text, name, &[])?;
    let every = plain.run.steps.div_ceil(u64::from(TIMES)) as f64 * plain.run.timestep;
    let set = |key: &str, value: String| (key.to_owned(), value);
    let changes = [set("run.seed", seed.to_string()), set("output.every", format!("{every:?} us"))];
    Ok(model::parse(text, name, &changes)?)
}

/// What a run observes at each time.
fn observed(model: &Model, out: &Path) -> Result<Vec<(String, Vec<f64>)>, Failure> {
    let stop = heed_signals()?;
    let options = Options {
        out: Some(out),
        force: true,
        self_check: false,
        stop: &stop,
        progress: &mut |_| (),
        checkpoints: Default::default(),
    };
    run(model, options)?;
    if stop.load(std::sync::atomic::Ordering::Relaxed) {
        return Err(Failure::Interrupted);
    }
    let file = analysis::open(out)?;
    let found = analysis::observables(&file, &Scope::default())?;
    let later = |counts: Vec<i64>| counts.into_iter().skip(1).map(|count| count as f64).collect();
    Ok(found.species.into_iter().map(|one| (one.species, later(one.counts))).collect())
}

/// Lets BioNetGen read a file, for a limited time if there is one. Whether it did all of it.
fn perl(
    mut command: Command,
    script: &Path,
    folder: &Path,
    text: &str,
    limit: Option<Duration>,
) -> Result<bool, Failure> {
    std::fs::write(folder.join("model.bngl"), text)?;
    let log = std::fs::File::create(folder.join("log.txt"))?;
    let child = command.arg(script).arg("model.bngl").current_dir(folder);
    let child = child.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log).spawn();
    let mut child = child.map_err(|why| format!("BioNetGen needs perl: {why}"))?;
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status.success());
        }
        if limit.is_some_and(|limit| start.elapsed() > limit) {
            child.kill()?;
            child.wait()?;
            return Ok(false);
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// A table of BioNetGen: its names, and the rows after the first.
struct Gdat {
    names: Vec<String>,
    rows: Vec<Vec<f64>>,
}

fn gdat(path: &Path) -> Result<Gdat, Failure> {
    let text = std::fs::read_to_string(path)
        .map_err(|why| format!("BioNetGen has not written {}: {why}", path.display()))?;
    let mut lines = text.lines();
    let heading = lines.next().unwrap_or_default().trim_start_matches('#');
    let names = heading.split_whitespace().map(str::to_owned).collect();
    let row = |line: &str| line.split_whitespace().map(|x| x.parse().unwrap_or(f64::NAN)).collect();
    Ok(Gdat { names, rows: lines.skip(1).map(row).collect() })
}

/// Mean and squared standard error.
fn mean(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|x| (x - mean).powi(2)).sum();
    (mean, squares / (n - 1.0) / n)
}

fn print(
    own: &[(String, Numbers)],
    theirs: &[Gdat],
    until: f64,
    method: Method,
) -> Result<(), Failure> {
    let (mut out, mut worst, mut compared) = (printed(), 0.0f64, 0);
    let with = if method == Method::ByRules { "NFsim" } else { "BioNetGen" };
    let width = own.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0).max(10);
    writeln!(
        out,
        "{:width$}  {:>10}  {:>20}  {with:>20}  {:>6}",
        "observable", "time (s)", "model", "z"
    )?;
    for (name, numbers) in own {
        for (n, counts) in numbers.iter().enumerate() {
            let value = |file: &Gdat| {
                let column = file.names.iter().position(|known| known == name)?;
                file.rows.get(n)?.get(column).copied()
            };
            let Some(values) = theirs.iter().map(value).collect::<Option<Vec<f64>>>() else {
                continue;
            };
            let [(a, own_square), (b, square)] = [mean(counts), mean(&values)];
            // A number that is the same in all runs may be rare: half an event stands for none.
            let least = 0.5 / counts.len() as f64;
            let z = (a - b) / (own_square + square).sqrt().max(least);
            let time = until * (n + 1) as f64 / f64::from(TIMES) / 1e6;
            let both =
                [(a, own_square), (b, square)].map(|(m, s)| format!("{m:.2} ± {:.2}", s.sqrt()));
            writeln!(
                out,
                "{name:width$}  {time:>10.4}  {:>20}  {:>20}  {z:>6.2}",
                both[0], both[1]
            )?;
            worst = worst.max(z.abs());
            compared += 1;
        }
    }
    writeln!(out, "{compared} numbers, largest |z| {worst:.2}")?;
    if worst > FAR { Err(Failure::Different) } else { Ok(()) }
}
