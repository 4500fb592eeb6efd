//! The manual says what is so: its keys, commands, options and datasets exist.

mod program;

use jostle::model;
use program::{MODEL, folder, jostle, repository};

fn manual() -> String {
    std::fs::read_to_string(repository().join("docs/manual.md")).unwrap()
}

/// The rows of the table that follows `heading`, as cells.
fn table(text: &str, heading: &str) -> Vec<Vec<String>> {
    let after = text.split_once(heading).unwrap_or_else(|| panic!("no {heading}")).1;
    let rows = after.lines().skip_while(|line| !line.starts_with("| ---")).skip(1);
    let rows = rows.take_while(|line| line.starts_with('|'));
    rows.map(|row| row.trim_matches('|').split(" | ").map(|cell| cell.trim().to_owned()).collect()).collect()
}

/// What stands between backticks.
fn quoted(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

#[test]
fn every_key_of_the_manual_is_known() {
    let mut section = String::new();
    let mut seen = 0;
    for row in table(&manual(), "## The model file") {
        if row[0].starts_with("**") {
            section = match quoted(&row[0])[0] {
                "[[species]]" => "species.A.".to_owned(),
                "[[rule]]" => "rule.pair.".to_owned(),
                other => format!("{}.", other.trim_matches(['[', ']'])),
            };
            continue;
        }
        for key in quoted(&row[0]) {
            let set = (format!("{section}{key}"), "@".to_owned());
            let said = model::parse(MODEL, "model", std::slice::from_ref(&set))
                .map_or_else(|f| f.to_string(), |_| String::new());
            assert!(!said.contains("not known"), "{}: {said}", set.0);
            seen += 1;
        }
    }
    assert!(seen >= 30, "only {seen} keys");
    let unknown = ("run.sed".to_owned(), "@".to_owned());
    assert!(model::parse(MODEL, "model", &[unknown]).unwrap_err().to_string().contains("not known"));
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
    jostle(dir.path(), &["run", "model.toml", "-q", "--set", "output.log=all"]).succeeds();
    let file = hdf5::File::open(dir.path().join("model.h5md")).unwrap();
    let mut seen = 0;
    for row in table(&manual(), "## The output file") {
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
