//! The manual says what is so: its examples, commands, options and datasets exist. (Its tables of
//! keys are made from the schema, in `crates/model`.)

use jostle::model;

use crate::program::{folder, jostle, manual, repository};

/// The rows of the table that follows `heading`, as cells.
fn table(text: &str, heading: &str) -> Vec<Vec<String>> {
    let after = text.split_once(heading).unwrap_or_else(|| panic!("no {heading}")).1;
    let rows = after.lines().skip_while(|line| !line.starts_with("| ---")).skip(1);
    let rows = rows.take_while(|line| line.starts_with('|'));
    rows.map(|row| row.trim_matches('|').split(" | ").map(|cell| cell.trim().to_owned()).collect())
        .collect()
}

/// What stands between backticks.
fn quoted(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

/// All examples of the manual in the language of models, one after the other.
fn examples() -> String {
    let text = manual();
    let blocks =
        text.split("```toml\n").skip(1).map(|rest| rest.split("```").next().unwrap().to_owned());
    blocks.collect::<Vec<_>>().join("\n")
}

#[test]
fn the_examples_of_the_manual_are_a_model_that_runs() {
    let dir = folder();
    let text = examples();
    let model = model::parse(&text, "manual", &[]).unwrap_or_else(|faults| panic!("{faults}"));
    assert!(model.warnings().iter().all(|said| said.contains("quench")), "{:?}", model.warnings());
    // Each kind of rule has its example, and so has each key that says what happens by the clock.
    for row in table(&manual(), "# Rules") {
        for what in quoted(&row[0]) {
            let bounces = ["\"bounce\"", "\"pass\""].contains(&what);
            assert!(bounces || text.contains(&format!("do = {what}")), "no example does {what}");
        }
    }
    std::fs::write(dir.path().join("manual.toml"), &text).unwrap();
    let said = jostle(dir.path(), &["check", "manual.toml"]).succeeds().out;
    for rule in ["rule ligate", "rule express", "rule cut", "schedule feed"] {
        assert!(said.contains(rule), "{said}");
    }
    jostle(dir.path(), &["run", "manual.toml", "-q"]).succeeds();
}

#[test]
fn the_sweep_of_the_manual_has_as_many_runs_as_it_says() {
    let dir = folder();
    let text = manual();
    let sweep = text.split("```toml sweep\n").nth(1).unwrap().split("```").next().unwrap();
    let path = dir.path().join("crowding.sweep.toml");
    std::fs::write(&path, sweep).unwrap();
    let sweep = jostle_sweep::read(&path).unwrap();
    let (points, runs) = (sweep.points.len(), sweep.points.len() * sweep.replicas as usize);
    let tasks = runs / sweep.members_per_task.unwrap() as usize;
    let said = format!("{points} points, {runs} runs, {tasks} tasks");
    assert!(text.contains(&said), "{said}");
}

#[test]
fn every_command_and_option_of_the_manual_exists() {
    let dir = folder();
    let text = manual();
    let mut seen = 0;
    for row in table(&text, "## The program") {
        // The words in small letters name the command; FILE and MODEL are what it is given.
        let line = quoted(&row[0])[0].to_owned();
        let words: Vec<&str> =
            line.split(' ').skip(1).filter(|word| word.chars().all(char::is_lowercase)).collect();
        let command = words.join(" ");
        let help = jostle(dir.path(), &[&words[..], &["--help"]].concat()).succeeds().out;
        for option in row[1].split(['`', ' ']).filter(|word| word.starts_with("--")) {
            assert!(help.contains(option), "{command} has no {option}");
        }
        seen += 1;
    }
    assert!(seen >= 7, "only {seen} commands");
    let help = jostle(dir.path(), &["run", "--help"]).succeeds().out;
    let options = table(&text, "| option of `run`");
    assert!(options.len() >= 5);
    for row in options {
        for option in quoted(&row[0]) {
            let option = option.split(' ').next().unwrap().replace("-vv", "-v");
            assert!(help.contains(&option), "run has no {option}");
        }
    }
}

#[test]
fn every_dataset_of_the_manual_is_in_a_file() {
    let dir = folder();
    let run =
        ["run", "model.toml", "-q", "--set", "output.log=all", "--set", "output.counts_every=1"];
    jostle(dir.path(), &run).succeeds();
    let file = hdf5::File::open(dir.path().join("model.h5md")).unwrap();
    let mut seen = 0;
    for row in table(&manual(), "# The output file") {
        for path in quoted(&row[0]) {
            let path = path.replace('…', "/particles/trajectory");
            for name in expanded(&path) {
                assert!(file.link_exists(&name), "there is no {name}");
                seen += 1;
            }
        }
    }
    assert!(seen >= 25, "only {seen} datasets");
}

/// `/a/{b,c}/d` stands for `/a/b/d` and `/a/c/d`.
fn expanded(path: &str) -> Vec<String> {
    let Some((before, rest)) = path.split_once('{') else {
        return vec![path.to_owned()];
    };
    let (names, after) = rest.split_once('}').unwrap();
    names.split(',').map(|name| format!("{before}{name}{after}")).collect()
}

#[test]
fn the_first_model_of_the_readme_does_what_it_says_there() {
    let dir = folder();
    let readme = std::fs::read_to_string(repository().join("README.md")).unwrap();
    let (_, after) = readme.split_once("## A whole model").unwrap();
    let block = |kind: &str| {
        let (_, rest) = after.split_once(&format!("```{kind}\n")).unwrap();
        rest.split("```").next().unwrap().to_owned()
    };
    std::fs::write(dir.path().join("receptors.toml"), block("toml")).unwrap();
    let said = jostle(dir.path(), &["run", "receptors.toml"]).succeeds().out;
    assert!(said.contains(&block("text")), "{said}");
}
