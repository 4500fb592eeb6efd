//! The standard errors that analyses print are as large as the numbers scatter from seed to seed.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use jostle_analysis::ask::{ANALYSES, AnalysisOptions};
use jostle_analysis::{Cell, ReadError, Table};
use jostle_run::checkpoint::Checkpoints;
use jostle_run::{Options, run};

use crate::validate::statistics::mean_of_blocks;
use crate::validate::{CheckError, Context, Findings};

/// Disks in equilibrium that change between two states, over some 60 relaxation times of that.
const MODEL: &str = r#"
[space]
dimension = 2
edges = "60 nm"
boundary = "periodic"
[run]
timestep = "10 ns"
steps = 8000
[[species]]
name = "A"
radius = "1.5 nm"
diffusion = "10 um^2/s"
placement = { equilibrium = 40 }
[[species]]
name = "B"
radius = "1.5 nm"
diffusion = "10 um^2/s"
placement = { equilibrium = 40 }
[[rule]]
name = "on"
do = "convert"
on = "A"
products = ["B"]
rate = "400 /ms"
[[rule]]
name = "off"
do = "convert"
on = "B"
products = ["A"]
rate = "400 /ms"
[output]
frame_every = 40
log = "all"
"#;

/// By how much the mean square of z may differ from 1: its root is between 0.9 and 1.1.
const AS_GOOD: f64 = 0.2;

/// A number that every run has: which table, what its row is about, and which column.
type Number = (&'static str, Vec<String>, String);

/// z of all numbers with a standard error, by analysis: in how many runs is each as far off its mean over
/// all runs as its error says.
pub(super) fn of_analyses(context: &Context) -> Result<Findings, CheckError> {
    let runs = context.either(40, 100);
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("run.h5md");
    let mut found: BTreeMap<(&'static str, Number), Vec<Option<[f64; 2]>>> = BTreeMap::new();
    for n in 0..runs {
        let seed = ("run.seed".to_owned(), context.seed(n as u64).to_string());
        let model =
            jostle_model::parse(MODEL, "errors.toml", &[seed]).map_err(|why| why.to_string())?;
        let never = AtomicBool::new(false);
        let options = Options {
            out: Some(&path),
            force: true,
            self_check: false,
            stop: &never,
            progress: &mut |_| (),
            checkpoints: Checkpoints::default(),
        };
        run(&model, options)?;
        let reading = jostle_analysis::open(&path)?;
        for analysis in &ANALYSES {
            let answer = match analysis.answer(&reading, &AnalysisOptions::default()) {
                Ok(answer) => answer,
                Err(ReadError::TooLittle { .. }) => continue,
                Err(why) => return Err(why.into()),
            };
            for (kind, table) in answer.tables.all() {
                for (row, column, pair) in numbers(table) {
                    let all = found.entry((analysis.name, (kind, row, column))).or_default();
                    all.resize(n, None);
                    all.push(Some(pair));
                }
            }
        }
    }
    let mut findings = Findings::default();
    for analysis in &ANALYSES {
        let own = found.iter().filter(|((name, _), _)| *name == analysis.name);
        let numbers = own.filter_map(|(_, pairs)| squares(pairs, runs));
        let numbers: Vec<Vec<f64>> = numbers.collect();
        if numbers.is_empty() {
            continue;
        }
        let of_run = |n: usize| numbers.iter().map(|z| z[n]).sum::<f64>() / numbers.len() as f64;
        let blocks: Vec<f64> = (0..runs).map(of_run).collect();
        let what = format!("{}: mean square of z, {} numbers", analysis.name, numbers.len());
        findings.add(mean_of_blocks(&what, &blocks, 1.0).with_bias(AS_GOOD));
    }
    Ok(findings)
}

/// The numbers of a table that have a standard error, which stands behind them, with what their rows are
/// about: what stands before the first of them.
fn numbers(table: &Table) -> Vec<(Vec<String>, String, [f64; 2])> {
    let is_error = |head: &String| head.starts_with("std. error");
    let Some(first) = table.columns.iter().position(is_error).filter(|&first| first > 0) else {
        return Vec::new();
    };
    let value = |cell: &Cell| cell.number().unwrap_or(f64::NAN);
    let mut all = Vec::new();
    for row in &table.rows {
        let about: Vec<String> = row[..first - 1].iter().map(|cell| format!("{cell:?}")).collect();
        for k in (first..row.len()).filter(|&k| is_error(&table.columns[k])) {
            let pair = [value(&row[k - 1]), value(&row[k])];
            all.push((about.clone(), table.columns[k - 1].clone(), pair));
        }
    }
    all
}

/// The square of z in each run, of a number that every run has and that has an error in each.
fn squares(pairs: &[Option<[f64; 2]>], runs: usize) -> Option<Vec<f64>> {
    let pairs: Vec<[f64; 2]> = pairs.iter().copied().collect::<Option<_>>()?;
    let is_sound =
        |[value, error]: &[f64; 2]| value.is_finite() && error.is_finite() && *error > 0.0;
    if pairs.len() < runs || !pairs.iter().all(is_sound) {
        return None;
    }
    let n = runs as f64;
    let mean = pairs.iter().map(|pair| pair[0]).sum::<f64>() / n;
    // The mean over all runs scatters with each of them.
    let share = n / (n - 1.0);
    Some(pairs.iter().map(|[value, error]| ((value - mean) / error).powi(2) * share).collect())
}
