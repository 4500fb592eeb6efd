//! What the replicas of a sweep say together: means and intervals, rates and lives that are pooled,
//! differences, and replicas that are added until enough is known.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::program::{folder, jostle, shell};
use crate::sweep::planned;

/// Two points of six runs each.
const SWEEP: &str = r#"[sweep]
model = "model.toml"
seed = 11
replicas = 6

[axes]
"rule.pair.rate" = ["0.3 um^2/s", "1 um^2/s"]

[[measure]]
what = "rates"

[task]
replicas = 4
"#;

/// Further sections of a sweep.
fn sweep_with(more: &str) -> String {
    format!("{SWEEP}\n{more}")
}

/// A folder with a sweep that is done.
fn done(text: &str) -> TempDir {
    let dir = planned(text);
    jostle(dir.path(), &["sweep", "run", "sweep", "--quiet"]).succeeds();
    dir
}

/// A merged table as CSV.
fn merged(dir: &Path, arguments: &[&str]) -> String {
    let merge = ["sweep", "merge", "sweep", "--format", "csv"];
    jostle(dir, &[&merge[..], arguments].concat()).succeeds().out
}

/// The rows of a table by the heads of its columns.
fn rows(csv: &str) -> Vec<HashMap<String, String>> {
    let mut rows = csv::Reader::from_reader(csv.as_bytes());
    let heads = rows.headers().unwrap().clone();
    let row = |row: csv::StringRecord| {
        heads.iter().zip(row.iter()).map(|(head, cell)| (head.into(), cell.into())).collect()
    };
    rows.records().map(|found| row(found.unwrap())).collect()
}

fn number(row: &HashMap<String, String>, head: &str) -> f64 {
    row[head].parse().unwrap_or(f64::NAN)
}

#[test]
fn replicas_are_added_until_a_mean_is_known_well_enough() {
    let precision = "[precision]\nof = \"rates.events\"\nonly = { rule = \"pair\" }\nrelative = 0.1\nmost = 24\n";
    let sweep = planned(&sweep_with(precision));
    let dir = sweep.path();
    let more = |expected: &str| {
        let done = jostle(dir, &["sweep", "more", "sweep"]);
        let said = format!("{}{}", done.out, done.err);
        assert!(said.contains(expected), "{expected}: {said}");
    };
    more("3 of 3 tasks have not been done");
    jostle(dir, &["sweep", "run", "sweep", "--quiet"]).succeeds();
    more("2 of 2 points get more replicas: ");
    more("tasks have not been done; whether more replicas are needed is decided when all are");
    jostle(dir, &["sweep", "run", "sweep", "--more", "--quiet"]).succeeds();
    more("no point gets more replicas");
    let csv = merged(dir, &["rates"]);
    let counts: Vec<usize> = rows(&csv)
        .iter()
        .filter(|row| row["rule"] == "pair")
        .map(|row| {
            let replicas = number(row, "replicas");
            let share = number(row, "events_error_between_replicas") / number(row, "events");
            assert!(share <= 0.1 || replicas == 24.0, "{row:?}");
            replicas as usize
        })
        .collect();
    assert!(counts.iter().all(|&n| n > 6) && counts[0] > counts[1], "{counts:?}");
    // Runs that were added are those that a larger sweep has from the start.
    let at_once = done(&SWEEP.replace("replicas = 6", &format!("replicas = {}", counts[0])));
    let first = |csv: &str| {
        csv.lines().filter(|line| line.starts_with("0,")).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(first(&csv), first(&merged(at_once.path(), &["rates"])));
    // Whatever is known, more can be asked for.
    let asked = jostle(dir, &["sweep", "more", "sweep", "--replicas", "2"]).succeeds().out;
    assert!(asked.contains("2 of 2 points get more replicas: 4 runs in 1 task\n"), "{asked}");
    let status = jostle(dir, &["sweep", "status", "sweep"]).succeeds().out;
    let runs: usize = counts.iter().sum();
    assert!(status.contains(&format!("runs    {runs} of {} done", runs + 4)), "{status}");
}

#[test]
fn a_rate_is_that_of_all_events_in_all_runs() {
    let sweep = done(&sweep_with("[keep]\nfiles = \"all\"\n"));
    let dir = sweep.path();
    // The exact interval of one run is events over exposure: so the exposure of each follows.
    let (mut events, mut exposure) = (0.0, 0.0);
    for replica in 0..6 {
        let file = format!("sweep/kept/p00001_r{replica:04}.h5md");
        let table = jostle(dir, &["analyse", &file, "rates", "--format", "csv"]).succeeds().out;
        let rows = rows(&table);
        let row = rows.iter().find(|row| row["rule"] == "pair").unwrap();
        events += number(row, "events");
        exposure += number(row, "events") / number(row, "k");
    }
    let table = rows(&merged(dir, &["rates"]));
    let row = table.iter().find(|row| row["point"] == "1" && row["rule"] == "pair").unwrap();
    let found = number(row, "k");
    assert!((found / (events / exposure) - 1.0).abs() < 1e-9, "{row:?}");
    assert!((number(row, "events") - events / 6.0).abs() < 1e-9, "{row:?}");
    let [low, high] = ["k_low", "k_high"].map(|head| number(row, head));
    assert!(low < found && found < high, "{row:?}");
}

#[test]
fn lives_of_all_runs_are_pooled() {
    let measure = "[[measure]]\nwhat = \"survival\"\n[keep]\nfiles = \"all\"\n";
    let text = sweep_with(measure)
        .replace("\"rule.pair.rate\"", "\"rule.pair.unbind\"")
        .replace("[\"0.3 um^2/s\", \"1 um^2/s\"]", "[\"5000 /s\", \"10000 /s\"]");
    let sweep = done(&text);
    let dir = sweep.path();
    // All ages of all runs of a point, in one table.
    let (mut seen, mut ended) = (0.0, 0.0);
    for replica in 0..6 {
        let file = format!("sweep/kept/p00000_r{replica:04}.h5md");
        let out = format!("tables{replica}");
        jostle(dir, &["analyse", &file, "survival", "--csv", &out]).succeeds();
        let ages = rows(&fs::read_to_string(dir.join(out).join("survival_ages.csv")).unwrap());
        for row in ages.iter().filter(|row| row["of"] == "bond A-A") {
            seen += number(row, "entered");
            ended += number(row, "ended");
        }
    }
    let table = rows(&merged(dir, &["survival"]));
    let row = table.iter().find(|row| row["point"] == "0" && row["of"] == "bond A-A").unwrap();
    assert_eq!([number(row, "seen"), number(row, "ended")], [seen, ended]);
    let curve = rows(&merged(dir, &["survival_curves"]));
    let steps = curve.iter().filter(|row| row["point"] == "0" && row["of"] == "bond A-A");
    let shares: Vec<f64> = steps.map(|row| number(row, "share_left")).collect();
    assert_eq!(shares.len() as f64, ended);
    assert!(shares.windows(2).all(|two| two[1] < two[0]), "{shares:?}");
}

#[test]
fn a_sweep_asks_the_contact_log() {
    let measures = "[[measure]]\nwhat = \"contact-log\"\ncount = true\noutcome = [\"bounced\", \"bound\"]\n\
                    [[measure]]\nwhat = \"contact-log\"\nname = \"by\"\ngroup-by = [\"species\", \"outcome\"]\n\
                    [[measure]]\nwhat = \"contact-log\"\nhistogram = \"interval\"\nof = \"any\"\n\
                    [keep]\nfiles = \"all\"\n";
    let sweep = done(&sweep_with(measures));
    let dir = sweep.path();
    let all: f64 = (0..6)
        .map(|replica| {
            let file = format!("sweep/kept/p00000_r{replica:04}.h5md");
            let done = jostle(dir, &["contacts", &file, "--count", "--outcome", "bounced,bound"]);
            done.succeeds().out.trim().parse::<f64>().unwrap()
        })
        .sum();
    let mean = number(&rows(&merged(dir, &["contact_count"]))[0], "contacts");
    assert!((mean - all / 6.0).abs() < 1e-9, "{mean} {all}");
    let groups = rows(&merged(dir, &["by_contact_groups"]));
    let of_point = groups.iter().filter(|row| row["point"] == "0");
    let sum: f64 = of_point.map(|row| number(row, "contacts")).sum();
    assert!((sum - mean).abs() < 1e-9, "{groups:?}");
    // All but the first contact of each run that has any, in bins that all runs share.
    let histogram = rows(&merged(dir, &["contact_intervals"]));
    let sum: f64 =
        histogram.iter().filter(|row| row["point"] == "0").map(|row| number(row, "count")).sum();
    assert!(sum >= mean - 1.0 - 1e-9 && sum < mean, "{sum} {mean}");
}

#[test]
fn common_seeds_make_differences_sharper() {
    let differences = |seeds: &str| {
        let text = SWEEP
            .replace("replicas = 6", &format!("replicas = 20\nseeds = \"{seeds}\""))
            .replace("what = \"rates\"", "what = \"displacement\"")
            .replace("\"rule.pair.rate\"", "\"species.A.diffusion\"")
            .replace("\"1 um^2/s\"", "\"0.33 um^2/s\"");
        let sweep = done(&text);
        let means = rows(&merged(sweep.path(), &["diffusion"]));
        let table = rows(&merged(sweep.path(), &["diffusion", "--against", "0"]));
        let row = table.iter().find(|row| row["whose"] == "A").unwrap();
        let head = "d_um2_per_s";
        let of = |point: &str| {
            let row = means.iter().find(|row| row["point"] == point && row["whose"] == "A");
            number(row.unwrap(), head)
        };
        let difference = number(row, head);
        assert!((difference - (of("1") - of("0"))).abs() < 1e-9, "{row:?}");
        number(row, "d_error_between_replicas_um2_per_s")
    };
    let [common, independent] = ["common", "independent"].map(differences);
    assert!(common < 0.6 * independent, "{common} {independent}");
}

#[test]
fn a_sweep_is_drawn_and_has_a_page() {
    let text = sweep_with("[[measure]]\nwhat = \"counts\"\n[keep]\nfiles = \"first\"\n")
        .replace("1 um^2/s\"]", "1 um^2/s\", \"0.6 um^2/s\"]")
        .replace(
            "\"rule.pair.rate\" = ",
            "\"space.edges\" = [\"30.5 nm\", \"200 nm\"]\n\"rule.pair.rate\" = ",
        );
    let sweep = planned(&text);
    let dir = sweep.path();
    let early = jostle(dir, &["report", "sweep"]).succeeds();
    assert!(early.err.contains("have not been done"), "{}", early.err);
    // Particles cannot be placed in the small box.
    assert!(jostle(dir, &["sweep", "run", "sweep"]).fails().contains("18 of 36 runs failed"));
    jostle(dir, &["report", "sweep", "--force"]).succeeds();
    let page = fs::read_to_string(dir.join("sweep.html")).unwrap();
    for expected in [
        "Receptors",
        "<svg role=\"img\"",
        "rule.pair.rate",
        "18 of 36 runs failed",
        "href=\"sweep/kept/p00003_r0000.h5md\"",
        "timestep = &quot;1 us&quot;",
    ] {
        assert!(page.contains(expected), "{expected}");
    }
    assert!(["<script", "src=\"http", "href=\"http"].iter().all(|word| !page.contains(word)));
    let plot = jostle(dir, &["analyse", "sweep", "rates", "--plot", "rates.svg"]).succeeds();
    assert!(plot.out.contains("-> rates.svg") && plot.out.contains("k low"), "{}", plot.out);
    let svg = fs::read_to_string(dir.join("rates.svg")).unwrap();
    assert!(svg.contains("k [") && svg.contains("rule.pair.rate"), "{svg}");
    jostle(dir, &["sweep", "merge", "sweep", "rates", "--against", "3", "--plot", "d.png"])
        .succeeds();
    let png = fs::read(dir.join("d.png")).unwrap();
    assert!(png.starts_with(b"\x89PNG"));
    let frames = jostle(dir, &["report", "sweep", "--frames", "3"]);
    assert!(frames.fails().contains("no player") || frames.err.contains("already exists"));
    let options = jostle(dir, &["analyse", "sweep", "rates", "--from", "1 us"]);
    assert!(options.fails().contains("measured as its [[measure]] say"), "{}", options.err);
    let absent = jostle(dir, &["analyse", "sweep", "rdf"]);
    assert!(
        absent.fails().contains("has not been measured; the sweep has rates, counts"),
        "{}",
        absent.err
    );
}

#[test]
fn a_model_is_run_in_replicas_by_one_command() {
    let folder = folder();
    let dir = folder.path();
    let run = ["run", "model.toml", "--replicas", "3", "--steps", "200", "--out", "three"];
    let done = jostle(dir, &run).succeeds();
    assert!(done.out.contains("3 runs are done"), "{}", done.out);
    assert!(
        done.out.contains("Next: jostle sweep merge three counts, jostle report three"),
        "{}",
        done.out
    );
    let files = fs::read_dir(dir.join("three/kept")).unwrap().count();
    assert_eq!(files, 3);
    let info = jostle(dir, &["info", "three/kept/p00000_r0002.h5md"]).succeeds().out;
    assert!(info.contains("200"), "{info}");
    // A second time only if that is asked for, and only of the same runs.
    let again = jostle(dir, &run);
    assert!(again.fails().contains("there is a plan already"), "{}", again.err);
    jostle(dir, &[&run[..], &["--resume"]].concat()).succeeds();
    let other = jostle(dir, &[&run[..5], &["300", "--out", "three", "--resume"]].concat());
    assert!(other.fails().contains("a plan of different runs"), "{}", other.err);
    let refused = jostle(dir, &["run", "three/kept/p00000_r0000.h5md", "--replicas", "3"]);
    assert!(refused.fails().contains("--replicas needs a model file"), "{}", refused.err);
    let twice = jostle(dir, &["run", "model.toml", "--replicas", "3", "--force"]);
    assert!(twice.fails().contains("cannot be used with"), "{}", twice.err);
}

#[test]
fn a_full_disk_is_no_failure_of_a_run() {
    let sweep = planned(&SWEEP.replace("[task]", "[[measure]]\nwhat = \"counts\"\n[task]"));
    let dir = sweep.path();
    // A limit on the size of files stands in for a full disk.
    let full = shell(dir, "ulimit -f 20; jostle sweep run sweep --quiet");
    assert!(
        full.fails().contains("replica ") && full.err.contains("file too large"),
        "{}",
        full.err
    );
    let status = jostle(dir, &["sweep", "status", "sweep"]).succeeds().out;
    assert!(status.contains("runs    0 of 12 done, 0 failed"), "{status}");
    jostle(dir, &["sweep", "run", "sweep", "--quiet"]).succeeds();
    let never_full = done(&SWEEP.replace("[task]", "[[measure]]\nwhat = \"counts\"\n[task]"));
    assert_eq!(merged(dir, &["rates"]), merged(never_full.path(), &["rates"]));
}

#[test]
fn what_cannot_be_measured_or_added_is_refused() {
    let refused = |more: &str, expected: &str| {
        let dir = folder();
        fs::write(dir.path().join("a.sweep.toml"), sweep_with(more)).unwrap();
        let done = jostle(dir.path(), &["sweep", "plan", "a.sweep.toml", "--out", "sweep"]);
        assert!(done.fails().contains(expected), "{more}: {}", done.err);
    };
    refused(
        "[[measure]]\nwhat = \"contact-log\"\n",
        ":15: contact-log: give group-by, histogram, or count",
    );
    refused(
        "[[measure]]\nwhat = \"contact-lgo\"\n",
        ":15: there is no analysis 'contact-lgo'; there are counts",
    );
    refused(
        "[[measure]]\nwhat = \"contact-log\"\nhistogram = \"interval\"\nbins = 3\n",
        ":15: bins: ",
    );
    refused("[[measure]]\nwhat = \"counts\"\nname = \"a b\"\n", ":15: name = \"a b\"");
    refused("[[measure]]\nwhat = \"counts\"\nname = \"\"\n", ":15: name = \"\"");
    let by_id = "[[measure]]\nwhat = \"contact-log\"\ngroup-by = [\"species\", \"id\"]\n";
    refused(by_id, ":15: group-by: identities differ between runs");
    refused("[[measure]]\nwhat = \"counts\"\nspecies = \"Q\"\n", ":15: counts: ");
    refused(
        "[[measure]]\nwhat = \"contact-log\"\ncount = true\nrule = \"nope\"\n",
        ":15: contact-log: ",
    );
    let later = planned(&sweep_with("[[measure]]\nwhat = \"counts\"\nfrom = \"1 s\"\n"));
    let again = jostle(later.path(), &["sweep", "plan", "a.sweep.toml", "--out", "again"]);
    let warning = "warning: a.sweep.toml:15: counts: a run of point 0 has nothing to measure: ";
    assert!(again.succeeds().out.contains(warning));
    refused(
        "[precision]\nof = \"counts.mean\"\nrelative = 0.1\nmost = 20\n",
        ":16: precision.of: no [[measure]] gives a table `counts`; there are rates",
    );
    refused("[precision]\nof = \"rates.k\"\nrelative = 0.1\n", "missing field `most`");
    let wrong = "[precision]\nof = \"rates.evnts\"\nrelative = 0.1\nmost = 20\n";
    let sweep = done(&sweep_with(wrong));
    let more = jostle(sweep.path(), &["sweep", "more", "sweep"]);
    assert!(
        more.fails().contains("has no column `evnts` that is measured; there are events"),
        "{}",
        more.err
    );
    let against = jostle(sweep.path(), &["sweep", "merge", "sweep", "--against", "2"]);
    assert!(against.fails().contains("there is no point 2; there are 0 to 1"), "{}", against.err);
    let without = done(SWEEP);
    let more = jostle(without.path(), &["sweep", "more", "sweep"]);
    assert!(more.fails().contains("has no [precision]"), "{}", more.err);
}

#[test]
fn models_of_other_engines_are_run_in_replicas() {
    let folder = folder();
    let dir = folder.path();
    for (model, until) in [("bouncing_ball", "0.3 s"), ("disk_gas", "20 ms")] {
        let path = crate::program::repository().join(format!("models/{model}.toml"));
        fs::copy(path, dir.join(format!("{model}.toml"))).unwrap();
        let file = format!("{model}.toml");
        let done = jostle(dir, &["run", &file, "--replicas", "2", "--until", until]);
        assert!(done.succeeds().out.contains("2 runs are done"), "{model}");
    }
}

#[test]
fn differences_from_a_point_without_an_event_are_those_from_none() {
    let text =
        SWEEP.replace("[\"0.3 um^2/s\", \"1 um^2/s\"]", "[\"0.00001 um^2/s\", \"1 um^2/s\"]");
    let sweep = done(&text);
    let means = rows(&merged(sweep.path(), &["rates"]));
    // Where nothing happened, the rate is 0, and how large it may be is known.
    let none = means.iter().find(|row| row["point"] == "0" && row["rule"] == "pair").unwrap();
    assert_eq!(
        [number(none, "events"), number(none, "k"), number(none, "replicas")],
        [0.0, 0.0, 6.0]
    );
    assert!(number(none, "k_high") > 0.0 && none["k_95_to"].is_empty(), "{none:?}");
    let means: Vec<_> = means.into_iter().filter(|row| row["point"] == "1").collect();
    let table = rows(&merged(sweep.path(), &["rates", "--against", "0"]));
    let of = |rows: &[HashMap<String, String>]| {
        number(rows.iter().find(|row| row["rule"] == "pair").unwrap(), "events")
    };
    assert!(of(&means) > 0.0 && of(&table) == of(&means), "{table:?}");
}

#[test]
fn what_happens_to_the_folder_is_no_failure_of_a_run() {
    let sweep = planned(SWEEP);
    let dir = sweep.path();
    let model = dir.join("sweep/model/model.toml");
    let text = fs::read(&model).unwrap();
    fs::remove_file(&model).unwrap();
    let without = jostle(dir, &["sweep", "task", "sweep", "0"]);
    assert!(without.fails().contains("nothing is recorded"), "{}", without.err);
    fs::write(&model, text).unwrap();
    // What a killed run may leave behind.
    let work = dir.join("sweep/work/000000");
    fs::create_dir_all(&work).unwrap();
    fs::write(work.join("p00000_r0000.h5md"), "not a file of HDF5").unwrap();
    jostle(dir, &["sweep", "run", "sweep", "--quiet"]).succeeds();
    let undisturbed = done(SWEEP);
    let expected = merged(undisturbed.path(), &["rates"]);
    assert_eq!(merged(dir, &["rates"]), expected);
    // Results that are damaged, or of another plan.
    let result = dir.join("sweep/results/000/000001.json");
    let text = fs::read_to_string(&result).unwrap();
    let refused = |damaged: &str, expected: &str| {
        fs::write(&result, damaged).unwrap();
        let merge = jostle(dir, &["sweep", "merge", "sweep"]);
        assert!(merge.fails().contains(expected), "{}", merge.err);
    };
    refused(&text[..text.len() / 2], "000001.json: damaged (");
    refused(&text.replacen("\"seed\":", "\"seed\":1", 1), "not a result of this plan");
    refused(&text.replacen("[\"pair\",", "[", 1), "a row has too few cells");
    fs::remove_file(&result).unwrap();
    jostle(dir, &["sweep", "task", "sweep", "1"]).succeeds();
    assert_eq!(merged(dir, &["rates"]), expected);
    let plan = dir.join("sweep/plan.json");
    let text = fs::read_to_string(&plan).unwrap();
    fs::write(&plan, text.replace("\"members_per_task\": 4", "\"members_per_task\": 0")).unwrap();
    let status = jostle(dir, &["sweep", "status", "sweep"]);
    assert!(status.fails().contains("damaged: it has no runs"), "{}", status.err);
}

/// Decay has known answers: N e^(-k t) that are left, the rate k, and lives of 1/k on average. 1000
/// sweeps of ten replicas each, as one with an axis on which nothing depends. Were the intervals
/// exact, the share that holds would be outside 93 to 97 % in one of 260 such tests.
#[cfg(feature = "long")]
#[test]
fn intervals_hold_as_often_as_they_say() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let model = "title = \"Decay\"\n[space]\ndimension = 3\nedges = \"1 um\"\n[run]\ntimestep = \"10 us\"\n\
                 steps = 100\ninteractions = \"reactive\"\n[[species]]\nname = \"A\"\nradius = \"1 nm\"\n\
                 diffusion = \"1 um^2/s\"\ncount = 100\n[[rule]]\nname = \"decay\"\nreaction = \"A -> 0\"\n\
                 rate = \"700 /s\"\n";
    fs::write(dir.join("model.toml"), model).unwrap();
    let sweep = "[sweep]\nmodel = \"model.toml\"\nseed = 5\nreplicas = 10\n[axes]\n\
                 \"species.A.radius\" = { from = \"1 nm\", to = \"2 nm\", points = 1000 }\n\
                 [[measure]]\nwhat = \"counts\"\n[[measure]]\nwhat = \"rates\"\n[[measure]]\nwhat = \"survival\"\n";
    fs::write(dir.join("a.sweep.toml"), sweep).unwrap();
    jostle(dir, &["sweep", "plan", "a.sweep.toml", "--out", "sweep"]).succeeds();
    jostle(dir, &["sweep", "run", "sweep", "--quiet"]).succeeds();
    for (table, column, unit, known) in [
        ("counts", "last", "", 100.0 * (-0.7_f64).exp()),
        ("rates", "k", "", 700.0),
        ("survival", "mean_life", "_us", 1e6 / 700.0),
    ] {
        let rows = rows(&merged(dir, &[table]));
        assert_eq!(rows.len(), 1000);
        let holds = |row: &&HashMap<String, String>| {
            let end = |end: &str| number(row, &format!("{column}_95_{end}{unit}"));
            (end("from")..=end("to")).contains(&known)
        };
        let held = rows.iter().filter(holds).count();
        println!("{table}.{column}: {held} of 1000 intervals hold");
        assert!((930..=970).contains(&held), "{table}.{column}: {held}");
    }
}
