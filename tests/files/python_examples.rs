//! The scripts in examples/python give the numbers that the library gives.

use std::collections::BTreeMap;
use std::path::Path;

use jostle::analysis::contacts::{Filter, Grouping, Key, Query};
use jostle::analysis::{self, LagOptions, Scope};

use crate::program::{self, Apart, Done, MODEL, folder, jostle, repository};

/// A run in which particles bind, come apart and bounce, with every contact in its log.
fn with_run() -> tempfile::TempDir {
    let dir = folder();
    let changes = [("200 nm", "70 nm"), ("0.05 um^2/s", "1 um^2/s"), ("5 /s", "0.01 /us")];
    let text = changes.iter().fold(MODEL.to_owned(), |text, (from, to)| text.replace(from, to));
    let other = "[[species]]\nname = 'B'\nradius = '1 nm'\ndiffusion = '3 um^2/s'\ncount = 15\n";
    let decay = "[[rule]]\nname = 'decay'\non = 'B'\ndo = 'decay'\nrate = '0.003 /us'\n";
    let text = text.replace("[output]", &format!("{decay}{other}[output]\nlog = 'all'"));
    std::fs::write(dir.path().join("model.toml"), text).unwrap();
    jostle(dir.path(), &["run", "model.toml", "-q"]).succeeds();
    dir
}

/// What a script prints about the run, as rows of cells by their heads; it draws a picture as well.
/// None if there is no pandas.
fn rows(folder: &Path, script: &str, more: &[&str]) -> Option<Vec<BTreeMap<String, String>>> {
    let script = repository().join("examples/python").join(script);
    let mut python = program::python_with_readers(folder)?;
    python
        .arg(script)
        .args(["model.h5md", "--plot", "picture.png"])
        .args(more)
        .env("MPLBACKEND", "agg");
    let done = Done::from(python.output_apart()).succeeds();
    let picture = std::fs::read(folder.join("picture.png")).unwrap();
    assert!(
        picture.starts_with(b"\x89PNG") && picture.len() > 5000,
        "a picture of {} bytes",
        picture.len()
    );
    let mut table = csv::Reader::from_reader(done.out.as_bytes());
    Some(table.deserialize().map(|row| row.unwrap()).collect())
}

fn number(row: &BTreeMap<String, String>, head: &str) -> f64 {
    row[head].parse().unwrap_or_else(|_| panic!("{head}: {row:?}"))
}

/// Equal but for rounding.
fn close(found: f64, expected: f64) {
    let size = found.abs().max(expected.abs());
    assert!((found - expected).abs() <= 1e-5 * size, "{found}, but {expected} is expected");
}

#[test]
fn populations_are_those_of_the_frames() {
    let dir = with_run();
    let Some(table) = rows(dir.path(), "populations.py", &[]) else { return };
    jostle(dir.path(), &["export", "model.h5md", "--to", "csv"]).succeeds();
    let mut counted: BTreeMap<(String, String), u64> = BTreeMap::new();
    for row in csv::Reader::from_path(dir.path().join("model.csv")).unwrap().deserialize() {
        let row: BTreeMap<String, String> = row.unwrap();
        *counted.entry((row["step"].clone(), row["species"].clone())).or_default() += 1;
    }
    assert_eq!(table.len(), 41);
    for row in &table {
        // A step is a microsecond.
        let step = number(row, "time_us").to_string();
        for species in ["A", "B"] {
            let expected = counted.get(&(step.clone(), species.to_owned())).copied().unwrap_or(0);
            assert_eq!(number(row, species), expected as f64, "{row:?}");
        }
    }
    assert!(number(&table[40], "B") < number(&table[0], "B"), "some have decayed");
}

#[test]
fn cluster_sizes_are_those_of_the_library() {
    let dir = with_run();
    let Some(table) = rows(dir.path(), "cluster_sizes.py", &[]) else { return };
    let reading = analysis::open(&dir.path().join("model.h5md")).unwrap();
    let sizes = analysis::cluster_sizes(&reading, &Scope::default()).unwrap();
    let expected = sizes.frames.iter().flat_map(|at| {
        at.clusters.iter().map(|(size, count)| [at.time, *size as f64, *count as f64])
    });
    let found =
        table.iter().map(|row| ["time_us", "size", "clusters"].map(|head| number(row, head)));
    let (found, expected): (Vec<_>, Vec<_>) = (found.collect(), expected.collect());
    assert_eq!(found, expected);
    assert!(found.iter().any(|row| row[1] > 2.0), "there are clusters");
}

#[test]
fn contact_rates_and_their_errors_are_those_of_the_library() {
    let dir = with_run();
    let Some(table) = rows(dir.path(), "contact_rates.py", &["--bins", "5"]) else { return };
    let reading = analysis::open(&dir.path().join("model.h5md")).unwrap();
    let query = Query::new(&reading, &Filter::default()).unwrap();
    let grouping = Grouping { keys: vec![Key::Species, Key::Time], every: Some(80.0) };
    let expected = query.group(&grouping).unwrap().groups;
    assert_eq!(table.len(), expected.len());
    assert_eq!(table.len(), 3 * 5, "three pairs of species");
    for (row, group) in table.iter().zip(expected) {
        assert_eq!(row["species"], group.common[0].to_string());
        assert_eq!(row["partner"], group.common[1].to_string());
        assert_eq!(number(row, "contacts"), group.contacts as f64);
        close(number(row, "rate_per_us"), group.rate);
        close(number(row, "std_error_per_us"), group.error);
    }
}

#[test]
fn displacements_are_those_of_the_library() {
    let dir = with_run();
    let Some(table) = rows(dir.path(), "displacement.py", &[]) else { return };
    let reading = analysis::open(&dir.path().join("model.h5md")).unwrap();
    let found =
        analysis::mean_squared_displacement(&reading, &Scope::default(), &LagOptions::default())
            .unwrap()
            .by_species;
    let expected =
        found.iter().flat_map(|of| of.points.iter().map(|point| (of.of.to_string(), point)));
    assert_eq!(table.len(), expected.clone().count());
    for (row, (species, entry)) in table.iter().zip(expected) {
        assert_eq!(row["species"], species);
        assert_eq!(number(row, "samples"), entry.samples as f64);
        close(number(row, "lag_us"), entry.lag);
        close(number(row, "msd_nm2"), entry.value);
        // The script takes each particle for itself, the library groups of particles: both estimate
        // the same.
        let ratio = number(row, "std_error_nm2") / entry.error;
        assert!((0.4..2.5).contains(&ratio), "{ratio}: {row:?}");
    }
}

#[test]
fn pairs_nearby_are_those_that_are_counted_by_hand() {
    let dir = with_run();
    let Some(table) = rows(dir.path(), "neighbours.py", &["--within", "12"]) else { return };
    jostle(dir.path(), &["export", "model.h5md", "--to", "csv"]).succeeds();
    let mut frames: BTreeMap<u64, Vec<(String, [f64; 2])>> = BTreeMap::new();
    for row in csv::Reader::from_path(dir.path().join("model.csv")).unwrap().deserialize() {
        let row: BTreeMap<String, String> = row.unwrap();
        let place = [number(&row, "x_nm"), number(&row, "y_nm")];
        frames
            .entry(row["step"].parse().unwrap())
            .or_default()
            .push((row["species"].clone(), place));
    }
    let nearest = |d: f64| d - 70.0 * (d / 70.0).round();
    let near = |a: [f64; 2], b: [f64; 2]| nearest(a[0] - b[0]).hypot(nearest(a[1] - b[1])) < 12.0;
    assert_eq!(table.len(), 3 * frames.len());
    let mut seen = 0.0;
    for row in &table {
        let particles = &frames[&(number(row, "time_us").round() as u64)];
        let mut expected = 0;
        for (n, (one, a)) in particles.iter().enumerate() {
            let asked = [&row["species"], &row["partner"]];
            let others = particles[..n]
                .iter()
                .filter(|(other, _)| [[one, other], [other, one]].contains(&asked));
            expected += others.filter(|(_, b)| near(*a, *b)).count();
        }
        assert_eq!(number(row, "pairs"), expected as f64, "{row:?}");
        seen += number(row, "pairs");
    }
    assert!(seen > 100.0, "there are pairs");
}
