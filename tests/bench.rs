//! `jostle bench search` on few bodies: every table, file and picture is there, and all contestants
//! end in the same state.

use std::path::Path;
use std::process::Command;

use jostle::bench::{Plan, search};

/// Smaller than `--quick`.
fn tiny() -> Plan {
    Plan {
        sizes: vec![20, 40],
        few_sizes: vec![30, 60],
        bodies: 60,
        bodies_for_rescan: 30,
        rounds: 2,
        body_steps: 200,
        ..Plan::quick()
    }
}

#[test]
fn every_study_has_its_tables_files_and_one_state_for_each_contest() {
    let mut told = Vec::new();
    let report = search(&tiny(), 2, &mut |what| told.push(what.to_owned())).unwrap();
    let names: Vec<_> = report.studies.iter().map(|study| study.name).collect();
    assert_eq!(names, ["figure6", "structures", "cell_size", "schedulers", "mixtures", "gas"]);
    assert_eq!(told.len(), 2 + 4 * 2 + 3 + 4 + 8 + 2, "{told:?}");

    for study in &report.studies {
        assert!(!study.sections.is_empty() && !study.pictures.is_empty());
        for section in &study.sections {
            assert!(!section.table.rows.is_empty(), "{}", section.caption);
        }
        for a in &study.entries {
            let same = |b: &&jostle::bench::Entry| {
                (&b.scene, b.bodies, b.packing, b.state.1) == (&a.scene, a.bodies, a.packing, a.state.1)
            };
            for b in study.entries.iter().filter(same) {
                assert_eq!(a.state, b.state, "{} and {}", a.contestant.name, b.contestant.name);
            }
        }
    }
    let figure6 = &report.studies[0].entries;
    let who: Vec<_> = figure6.iter().take(7).map(|entry| entry.contestant.name.as_str()).collect();
    assert_eq!(
        who,
        ["naive", "section 3", "A (cubes)", "B (cubes)", "C (slices)", "cubes, queue", "auto, queue"]
    );

    let folder = tempfile::tempdir().unwrap();
    let written = report.write(&folder.path().join("new/folder")).unwrap();
    for path in &written {
        assert!(std::fs::metadata(path).unwrap().len() > 200, "{}", path.display());
    }
    let mut files: Vec<_> = written.iter().map(|path| path.file_name().unwrap().to_str().unwrap()).collect();
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
    let program = env!("CARGO_BIN_EXE_jostle");
    let done = Command::new(program).args(arguments).current_dir(folder).output().unwrap();
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(done.status.success(), "{arguments:?}: {said}");
    String::from_utf8(done.stdout).unwrap()
}

#[test]
fn the_program_compares_and_measures() {
    let folder = tempfile::tempdir().unwrap();
    let text = jostle(&["bench", "search", "--quick", "--out", "here"], folder.path());
    for words in ["Figure 6", "Least time per step", "Does pruning pay?", "Slices against cubes", "queue"] {
        assert!(text.contains(words), "{words} is not in\n{text}");
    }
    assert_eq!(text, std::fs::read_to_string(folder.path().join("here/report.txt")).unwrap());

    let json: serde_json::Value =
        serde_json::from_str(&jostle(&["bench", "speed", "--quick", "--json"], folder.path())).unwrap();
    let rows = json["speed"].as_array().unwrap();
    assert_eq!(rows.len(), 8);
    for row in rows {
        assert!(row["million body-steps/s"].as_f64().unwrap() > 0.0, "{row}");
        assert_ne!(row["overlaps"], "SOME");
    }
    let bytes = json["memory"]["bytes_per_body"].as_f64().unwrap();
    assert!(bytes > 50.0, "{bytes}");
}
