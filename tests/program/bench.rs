//! `jostle bench search` and `speed` on few particles: every table, file and picture is there, and
//! all contestants end in the same state; and the scripts that set jostle beside other programs.

use std::path::Path;
use std::process::Command;

use jostle::search::Kind;
use jostle_lab::bench::{Plan, SpeedPlan, search};

use crate::program::{self, Apart, Done, repository};

/// Smaller than `--quick`.
fn tiny() -> Plan {
    Plan {
        sizes: vec![20, 40],
        few_sizes: vec![30, 60],
        particles: 60,
        particles_for_rescan: 30,
        rounds: 2,
        particle_steps: 200,
        ..Plan::quick()
    }
}

#[test]
fn every_study_has_its_tables_files_and_one_state_for_each_contest() {
    let mut reported = Vec::new();
    let report = search(&tiny(), 2, &mut |what| reported.push(what.to_owned())).unwrap();
    let names: Vec<_> = report.studies.iter().map(|study| study.name).collect();
    assert_eq!(names, ["figure6", "structures", "cell_size", "schedulers", "mixtures", "gas"]);
    assert_eq!(reported.len(), 2 + 4 * 2 + 3 + 4 + 8 + 2, "{reported:?}");

    for study in &report.studies {
        assert!(!study.sections.is_empty() && !study.pictures.is_empty());
        for section in &study.sections {
            assert!(!section.table.rows.is_empty(), "{}", section.caption);
        }
        for a in &study.entries {
            let same = |b: &&jostle_lab::bench::Entry| {
                (&b.scene, b.particles, b.packing, b.state.1)
                    == (&a.scene, a.particles, a.packing, a.state.1)
            };
            for b in study.entries.iter().filter(same) {
                assert_eq!(a.state, b.state, "{} and {}", a.contestant.name, b.contestant.name);
            }
        }
    }
    let figure6 = &report.studies[0].entries;
    let which: Vec<_> =
        figure6.iter().take(7).map(|entry| entry.contestant.name.as_str()).collect();
    assert_eq!(
        which,
        [
            "naive",
            "section 3",
            "A (cubes)",
            "B (cubes)",
            "C (slices)",
            "cubes, queue",
            "auto, queue"
        ]
    );

    let folder = tempfile::tempdir().unwrap();
    let written = report.write(&folder.path().join("new/folder")).unwrap();
    for path in &written {
        assert!(std::fs::metadata(path).unwrap().len() > 200, "{}", path.display());
    }
    let mut files: Vec<_> =
        written.iter().map(|path| path.file_name().unwrap().to_str().unwrap()).collect();
    files.sort_unstable();
    assert_eq!(
        files,
        [
            "cell_size.csv",
            "cell_size.png",
            "cell_size.svg",
            "figure6.csv",
            "figure6.png",
            "figure6.svg",
            "gas.csv",
            "gas.png",
            "gas.svg",
            "mixtures.csv",
            "mixtures.png",
            "mixtures.svg",
            "pruning.png",
            "pruning.svg",
            "report.txt",
            "schedulers.csv",
            "schedulers.png",
            "schedulers.svg",
            "slices.png",
            "slices.svg",
            "structures.csv",
        ]
    );
    let csv = std::fs::read_to_string(written[0].parent().unwrap().join("figure6.csv")).unwrap();
    assert_eq!(csv.lines().count(), 1 + figure6.len());

    let json = report.to_json();
    let rows = json["studies"]["figure6"].as_array().unwrap();
    assert_eq!(rows.len(), figure6.len());
    assert_eq!(rows[0]["contestant"], "naive");
    assert_eq!(rows[0]["bodies"], 20.0);
    assert!(rows[0]["state hash"].is_string());
    assert!(json["machine"]["processor"].is_string());
}

fn jostle(arguments: &[&str], folder: &Path) -> String {
    program::jostle(folder, arguments).succeeds().out
}

#[test]
fn the_program_compares_and_measures() {
    let folder = tempfile::tempdir().unwrap();
    let text = jostle(&["bench", "search", "--quick", "--out", "here"], folder.path());
    for words in
        ["Figure 6", "Least time per step", "Does pruning pay?", "Slices against cubes", "queue"]
    {
        assert!(text.contains(words), "{words} is not in\n{text}");
    }
    assert_eq!(text, std::fs::read_to_string(folder.path().join("here/report.txt")).unwrap());
}

#[test]
fn every_row_of_the_speed_is_measured() {
    let folder = tempfile::tempdir().unwrap();
    let text = jostle(&["bench", "speed", "--quick", "--json"], folder.path());
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let count = |name: &str| json[name].as_array().map_or(0, Vec::len);
    let names = ["steady", "runs", "threads", "small-models", "sheet", "scale", "search", "memory"];
    assert_eq!(names.map(count), [11, 11, 3, 6, 1, 5, 7, 2], "{text}");
    let rows = |name: &str| json[name].as_array().unwrap().clone();
    for row in rows("steady").iter().chain(&rows("runs")) {
        assert!(row["million body-steps/s"].as_f64().unwrap() > 0.0, "{row}");
        assert!(SpeedPlan::all_rows().contains(&row["row"].as_str().unwrap()), "{row}");
        assert_ne!(row["overlaps"], "SOME");
    }
    for row in rows("threads") {
        assert_eq!(row["same state"], "yes", "{row}");
    }
    for row in rows("small-models") {
        assert!(row["chosen / fastest"].as_f64().unwrap() > 0.0, "{row}");
    }
    for row in rows("search") {
        assert!(
            row["fastest"].is_string() && row["auto / fastest"].as_f64().unwrap() > 0.0,
            "{row}"
        );
    }
    for row in rows("memory") {
        assert!(row["bytes per body"].as_f64().unwrap() > 50.0, "{row}");
    }
}

#[test]
fn rows_are_measured_alone_and_states_do_not_depend_on_the_structure() {
    let folder = tempfile::tempdir().unwrap();
    let hash = |more: &[&str]| {
        let mut all =
            vec!["bench", "speed", "--quick", "--rounds", "1", "--json", "--only", "spheres-10"];
        all.extend(more);
        let json: serde_json::Value = serde_json::from_str(&jostle(&all, folder.path())).unwrap();
        assert_eq!(json["steady"].as_array().unwrap().len(), 1);
        assert!(json["runs"].is_null() && json["memory"].is_null() && json["threads"].is_null());
        json["steady"][0]["state hash"].as_str().unwrap().to_owned()
    };
    let auto = hash(&[]);
    for kind in Kind::ALL {
        assert_eq!(hash(&["--search", kind.name()]), auto, "{}", kind.name());
    }
    assert_eq!(hash(&["--threads", "2"]), auto);
}

/// Runs a script of `benches`: what it says.
fn script(arguments: &[&str]) -> String {
    let mut python = Command::new("python3");
    python.args(arguments).env("PYTHONDONTWRITEBYTECODE", "1").current_dir(repository());
    let done = Done::from(python.output_apart()).succeeds();
    done.out + &done.err
}

#[test]
fn jostle_is_set_beside_peers_that_are_missing() {
    let folder = tempfile::tempdir().unwrap();
    let figures = folder.path().join("peers.json");
    let program = env!("CARGO_BIN_EXE_jostle");
    let own = folder.path().join("own.json");
    std::fs::write(
        &own,
        jostle(&["bench", "speed", "--quick", "--json", "--only", "memory"], folder.path()),
    )
    .unwrap();
    let mut all =
        vec!["benches/compare_peers.py", program, "--quick", "--json", figures.to_str().unwrap()];
    all.extend(["--own", own.to_str().unwrap()]);
    all.extend([
        "--python",
        "no/python",
        "--peers",
        "openmm",
        "--only",
        "free-1e5",
        "binding",
        "memory",
    ]);
    let text = script(&all);
    assert!(
        text.contains("openmm is missing") && text.contains("| free diffusion, 10^5 |"),
        "{text}"
    );
    let json: serde_json::Value = serde_json::from_slice(&std::fs::read(figures).unwrap()).unwrap();
    assert_eq!(json["table"].as_array().unwrap().len(), 3);
    assert!(json["table"][0]["of"]["jostle"].as_f64().unwrap() > 0.0);

    // The same figures as the table of a page.
    let page = folder.path().join("page.md");
    std::fs::write(&page, "Before\n<!-- speed: peers -->\nold\n<!-- speed: end -->\nafter\n")
        .unwrap();
    let arguments = [
        "benches/speed_table.py",
        page.to_str().unwrap(),
        "--figures",
        folder.path().to_str().unwrap(),
    ];
    script(&arguments);
    let page = std::fs::read_to_string(&page).unwrap();
    assert!(
        page.starts_with("Before\n<!-- speed: peers -->\n\n| ") && !page.contains("old"),
        "{page}"
    );
    assert!(page.ends_with("\n\n<!-- speed: end -->\nafter\n"), "{page}");
    script(&[&arguments[..], &["--check"]].concat());
}

#[test]
fn the_tables_of_speed_are_those_of_the_figures() {
    script(&["benches/speed_table.py", "--check"]);
}
