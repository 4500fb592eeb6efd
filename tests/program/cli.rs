//! The program as a user meets it: what it prints, what it writes, how it ends.

use std::path::Path;

use jostle::analysis;

use crate::program::{Done, folder, jostle, manual, repository, shell};

fn hashes(path: &Path) -> Vec<u64> {
    analysis::open(path).unwrap().state_hashes().unwrap()
}

#[test]
fn shells_and_man_know_all_commands() {
    let dir = folder();
    for shell in ["bash", "zsh", "fish"] {
        let script = jostle(dir.path(), &["completions", shell]).succeeds().out;
        assert!(script.contains("self-check") && script.contains("genealogy"), "{shell}");
    }
    jostle(dir.path(), &["man", "new/man1"]).succeeds();
    let page =
        |name: &str| std::fs::read_to_string(dir.path().join("new/man1").join(name)).unwrap();
    assert!(page("jostle.1").contains("jostle\\-genealogy"));
    assert!(page("jostle-run.1").contains("\\-\\-self\\-check"));
}

#[test]
fn every_command_explains_itself() {
    let dir = folder();
    let help = jostle(dir.path(), &["--help"]).succeeds();
    for command in ["run", "check", "list", "info", "analyse", "snapshot", "recover"] {
        assert!(
            help.out.contains(&format!("\n  {command} ")),
            "{command} is missing in\n{}",
            help.out
        );
        let own = jostle(dir.path(), &[command, "--help"]).succeeds();
        assert!(own.out.contains("Usage: jostle"), "{}", own.out);
    }
    let options = jostle(dir.path(), &["run", "--help"]).succeeds().out;
    for option in [
        "--out",
        "--seed",
        "--threads",
        "--set",
        "--steps",
        "--until",
        "--quiet",
        "--force",
        "--verbose",
    ] {
        assert!(options.contains(option), "{option} is missing in\n{options}");
    }
    assert_eq!(jostle(dir.path(), &["--version"]).succeeds().out, "jostle 0.1.0\n");
    assert_eq!(jostle(dir.path(), &["fly"]).code, Some(2));
}

#[test]
fn a_run_tells_what_happened_and_leaves_its_file() {
    let dir = folder();
    let done = jostle(dir.path(), &["run", "model.toml"]).succeeds();
    for said in [
        "Receptors: finished\n",
        "  simulated     400 µs: 400 steps of 1 µs\n",
        "  particles     A  40\n",
        "  contacts      ",
        "  reactions     pair         ",
        "pair_unbind",
        " particles alone",
        "million particle steps per second",
        "  search        auto: ",
        "  written       model.h5md, 41 frames, ",
        "Next: jostle analyse model.h5md",
    ] {
        assert!(done.out.contains(said), "{said:?} is missing in\n{}", done.out);
    }
    assert!(done.out.lines().all(|line| line.chars().count() <= 100), "{}", done.out);
    assert_eq!(done.err, "");
    assert_eq!(analysis::open(&dir.path().join("model.h5md")).unwrap().frames(), 41);
}

#[test]
fn options_do_what_they_say() {
    let dir = folder();
    let run = |out: &str, options: &[&str]| {
        let done = jostle(
            dir.path(),
            &[&["run", "model.toml", "--quiet", "--out", out], options].concat(),
        );
        let Done { out: said, err, .. } = done.succeeds();
        assert_eq!((said.as_str(), err.as_str()), ("", ""), "a quiet run says nothing");
        let reading = analysis::open(&dir.path().join(out)).unwrap();
        (analysis::info(&reading).unwrap(), reading.state_hashes().unwrap())
    };
    let (usual, hashes) = run("usual.h5md", &[]);
    assert_eq!(usual.seed, Some(7));
    let (seeded, others) = run("seeded.h5md", &["--seed", "8"]);
    assert_eq!(seeded.seed, Some(8));
    assert_ne!(hashes, others);
    assert_eq!(run("threads.h5md", &["--threads", "3"]).1, hashes);
    let (set, same) =
        run("set.h5md", &["--set", "search.kind=naive", "--set", "run.scheduler=rescan"]);
    assert!(set.search.unwrap().starts_with("naive"));
    assert_eq!(same, hashes);
    let (steps, _) = run("steps.h5md", &["--steps", "30", "--set", "output.frame_every=10"]);
    assert_eq!((steps.frames, steps.runs[1].step), (4, 30));
    let (until, _) = run("until.h5md", &["--until", "0.05 ms", "--set", "output.frame_every=10"]);
    assert_eq!((until.frames, until.runs[1].step), (6, 50));
}

#[test]
fn nothing_is_replaced_unless_it_may_be() {
    let dir = folder();
    let out = dir.path().join("mine.h5md");
    std::fs::write(&out, "precious").unwrap();
    let done = jostle(dir.path(), &["run", "model.toml", "--out", "mine.h5md"]);
    assert!(done.fails().contains("mine.h5md already exists"), "{}", done.err);
    assert_eq!(std::fs::read_to_string(&out).unwrap(), "precious");
    jostle(dir.path(), &["run", "model.toml", "--out", "mine.h5md", "--force", "-q"]).succeeds();
    assert_eq!(hashes(&out).len(), 41);
    let picture = ["snapshot", "mine.h5md", "--out", "mine.png"];
    std::fs::write(dir.path().join("mine.png"), "precious").unwrap();
    assert!(jostle(dir.path(), &picture).fails().contains("already exists"));
}

#[test]
fn a_file_runs_itself_again() {
    let dir = folder();
    jostle(dir.path(), &["run", "model.toml", "-q", "--seed", "3", "--set", "species.A.count=25"])
        .succeeds();
    jostle(dir.path(), &["run", "model.h5md", "-q"]).succeeds();
    let again = dir.path().join("model_again.h5md");
    assert_eq!(hashes(&again), hashes(&dir.path().join("model.h5md")));
    // And again, from the second; what is set goes on top.
    jostle(dir.path(), &["run", "model_again.h5md", "-q", "--out", "third.h5md", "--seed", "4"])
        .succeeds();
    assert_ne!(hashes(&dir.path().join("third.h5md")), hashes(&again));
    assert!(jostle(dir.path(), &["check", "model.h5md"]).succeeds().out.contains("25 A"));
    // It does not eat itself.
    let eaten = jostle(dir.path(), &["run", "model.h5md", "--out", "model.h5md", "--force"]);
    assert!(eaten.fails().contains("is a file that this run reads"), "{}", eaten.err);
    assert_eq!(hashes(&dir.path().join("model.h5md")), hashes(&again));
}

#[test]
fn check_foretells_a_run() {
    let dir = folder();
    let said = jostle(dir.path(), &["check", "model.toml"]).succeeds().out;
    for part in [
        "  box           200 nm periodic x 200 nm periodic\n",
        "  time          400 µs: 400 steps of 1 µs\n",
        "  step length   0.316 nm (rms per axis, A), 0.13 of the smallest radius, 2.5 nm\n",
        "  packing       particles that exclude each other fill 1.96 % of the area\n",
        "auto: ",
        "log = \"all\"",
        "per second of running",
        "  run time      about ",
        "  memory        about ",
        "  file          about ",
        "  rule pair\n",
        "k_a = 0.28 µm²/s",
        "probability 0.04868 at each contact",
        "k_d'/k_d = 0.9745",
        "calibrated up to",
        "time step of 817 µs",
        "Nothing looks wrong.",
    ] {
        assert!(said.contains(part), "{part:?} is missing in\n{said}");
    }
    assert!(!said.contains("measuring ()"), "{said}");
    assert!(!dir.path().join("model.h5md").exists(), "checking writes nothing");

    let bare = ["--set", "rule.pair.probability=0.1", "--set", "run.timestep=30 us"];
    let said = jostle(dir.path(), &[&["check", "model.toml"], &bare[..]].concat()).succeeds().out;
    assert!(said.contains("tied to the time step") && said.contains("amounts to k_a ="), "{said}");
    assert!(said.contains("WARNING") && !said.contains("Nothing looks wrong"), "{said}");

    let fixed = ["check", "model.toml", "--set", "search=cubic", "--set", "search.cell_size=20 nm"];
    let said = jostle(dir.path(), &fixed).succeeds().out;
    assert!(said.contains("search        cubic: 10 x 10 cells of 20 x 20"), "{said}");

    let out_of_reach = ["check", "model.toml", "--set", "rule.pair.rate=80 um^2/s"];
    let said = jostle(dir.path(), &out_of_reach);
    assert!(said.fails().contains("the time step can be at most"), "{}", said.err);
}

#[test]
fn the_list_is_complete_and_its_models_can_be_taken_from_it() {
    let dir = folder();
    let list = jostle(dir.path(), &["list"]).succeeds().out;
    let structures = jostle(dir.path(), &["list", "structures"]).succeeds().out;
    for word in ["naive", "cubic", "slices", "levels", "sweep", "auto", "direct", "laguerre"] {
        assert!(structures.contains(&format!("\n  {word:<8} ")), "{word}: {structures}");
    }
    assert!(structures.lines().all(|line| line.chars().count() <= 100), "{structures}");
    for word in ["bounce", "pass", "ignore", "bind", "unbind"] {
        assert!(list.contains(&format!("\n  {word:<8} ")), "{word} is missing in\n{list}");
    }
    assert!(list.lines().all(|line| line.chars().count() <= 100), "{list}");
    for entry in std::fs::read_dir(repository().join("models")).unwrap() {
        let path = entry.unwrap().path();
        // Models of rules, which are imported.
        if path.is_dir() {
            continue;
        }
        let name = path.file_stem().unwrap().to_str().unwrap();
        assert!(list.contains(&format!("\n    {name} ")), "{name} is missing in\n{list}");
        let text = jostle(dir.path(), &["list", "--model", name]).succeeds().out;
        assert_eq!(text, std::fs::read_to_string(&path).unwrap());
    }
    let unknown = jostle(dir.path(), &["list", "--model", "nothing"]);
    assert!(
        unknown.fails().contains("there is no model \"nothing\" (there are: "),
        "{}",
        unknown.err
    );
}

#[test]
fn the_keys_of_model_files_are_listed_by_section_and_engine() {
    let dir = folder();
    let keys = |arguments: &[&str]| jostle(dir.path(), &[&["list", "keys"], arguments].concat());
    let all = keys(&[]).succeeds().out;
    assert!(all.lines().all(|line| line.chars().count() <= 100), "{all}");
    for section in ["[run]", "[[species]]", "species.drift.shear", "[[wall]]", "[collisions]"] {
        assert!(all.lines().any(|line| line.starts_with(&format!("{section}  "))), "{section}");
    }
    let run = keys(&["run", "--engine", "granular"]).succeeds().out;
    assert!(run.starts_with("[run]  ") && run.contains("\n  trajectory_every "), "{run}");
    assert!(!run.contains("timestep ") && !run.contains("[space]"), "{run}");
    let drift = keys(&["drift"]).succeeds().out;
    assert!(drift.contains("a rate per time, for example \"10 /s\"; needed"), "{drift}");
    let said = keys(&["specie"]);
    assert!(said.fails().contains("did you mean \"species\"?"), "{}", said.err);
    let schema = jostle(dir.path(), &["list", "schema"]).succeeds().out;
    let schema: serde_json::Value = serde_json::from_str(&schema).unwrap();
    assert_eq!(schema["definitions"]["run"]["properties"]["seed"]["default"], 1);
}

#[test]
fn a_file_can_be_looked_at_analysed_and_drawn() {
    let dir = folder();
    jostle(dir.path(), &["run", "model.toml", "-q", "--set", "output.log=all"]).succeeds();
    let info = jostle(dir.path(), &["info", "model.h5md"]).succeeds().out;
    for part in [
        "title",
        "Receptors",
        "jostle 0.1.0",
        "200 nm periodic",
        "41, from 0 s to 400 µs",
        "finished",
    ] {
        assert!(info.contains(part), "{part:?} is missing in\n{info}");
    }
    let tables = jostle(dir.path(), &["analyse", "model.h5md", "--csv", "tables"]).succeeds().out;
    for part in [
        "species  partner  outcome  contacts",
        "bounced",
        "largest",
        "MSD/2dDt",
        "time (µs)",
        "D (µm²/s)",
    ] {
        assert!(tables.contains(part), "{part:?} is missing in\n{tables}");
    }
    let csv = |name: &str| std::fs::read_to_string(dir.path().join("tables").join(name)).unwrap();
    assert!(csv("contacts.csv").starts_with("species,partner,outcome,contacts,"));
    assert_eq!(csv("sizes.csv").lines().count(), 42);
    assert!(csv("size_counts.csv").starts_with("time_us,size,clusters\n0,1,40\n"));
    assert!(csv("displacement.csv").starts_with("species,lag_us,msd_nm2,"));
    let only = jostle(dir.path(), &["analyse", "model.h5md", "sizes"]).succeeds().out;
    assert!(only.starts_with("Cluster sizes over time\n") && !only.contains("MSD"), "{only}");

    let draw =
        |options: &[&str]| jostle(dir.path(), &[&["snapshot", "model.h5md"], options].concat());
    draw(&["--out", "last.png"]).succeeds();
    assert_eq!(std::fs::read(dir.path().join("last.png")).unwrap()[..4], *b"\x89PNG");
    let said =
        draw(&["--out", "two.svg", "--frame", "0,40", "--part", "0,0,100,100", "--magnify", "2"]);
    assert_eq!(said.succeeds().out, "two.svg: t = 0 s, 40 particles; t = 400 µs, 40 particles\n");
    let svg = std::fs::read_to_string(dir.path().join("two.svg")).unwrap();
    assert!(
        svg.contains(">alone<") && svg.contains("t = 400 µs, particles drawn at 2 × their size"),
        "{svg}"
    );
    assert!(draw(&["--out", "far.png", "--frame", "41"]).fails().contains("no frame 41"));
    assert!(draw(&["--out", "odd.gif"]).fails().contains("must end in .svg, .pdf or .png"));
    assert!(draw(&["--out", "flat.png", "--magnify", "0"]).fails().contains("must be above 0"));
    assert!(
        draw(&["--out", "out.png", "--part", "0,0,300,100"]).fails().contains("within 0,0,200,200")
    );
}

#[test]
fn every_failure_is_one_clear_message() {
    let dir = folder();
    let here = dir.path();
    jostle(here, &["run", "model.toml", "-q"]).succeeds();
    let whole = std::fs::read(here.join("model.h5md")).unwrap();
    std::fs::write(here.join("half.h5md"), &whole[..whole.len() / 2]).unwrap();
    std::fs::write(here.join("torn.h5md"), &whole[..30]).unwrap();
    std::fs::write(here.join("empty.h5md"), "").unwrap();
    std::fs::write(here.join("text.h5md"), "not a file of ours").unwrap();
    drop(hdf5::File::create(here.join("foreign.h5md")).unwrap().create_group("theirs").unwrap());
    let run = |out: &'static str| vec!["run", "model.toml", "--out", out];
    let mut cases = vec![
        (vec!["run", "none.toml"], "none.toml: cannot be read: No such file"),
        (vec!["check", "none.toml"], "none.toml: cannot be read: No such file"),
        (vec!["run", "."], ".: cannot be read: Is a directory"),
        (run("model.txt"), "model.txt must end in .h5md"),
        (run("nowhere/x.h5md"), "cannot create nowhere/x.h5md: No such file or directory"),
        (run("model.toml/x.h5md"), "cannot create model.toml/x.h5md: Not a directory"),
        (run("model.h5md"), "model.h5md already exists"),
        (vec!["run", "model.toml", "--set", "run.sed=1"], "did you mean `seed`?"),
        (vec!["run", "model.toml", "--until", "5 nm"], "run.until: "),
        (vec!["analyse", "model.h5md", "--csv", "model.toml"], "model.toml: "),
    ];
    for command in ["info", "analyse", "recover", "run", "snapshot"] {
        let mut case = |file: &'static str, message: &'static str| {
            let mut line = vec![command, file];
            if command == "snapshot" {
                line.extend(["--out", "x.png"]);
            }
            cases.push((line, message));
        };
        case("none.h5md", "none.h5md: No such file or directory");
        case("empty.h5md", "not an HDF5 file");
        case("text.h5md", "not an HDF5 file");
        case("torn.h5md", "torn.h5md");
        case("foreign.h5md", "foreign.h5md");
        if command != "recover" {
            case("half.h5md", "half.h5md is cut short");
        }
    }
    for (line, message) in cases {
        let done = jostle(here, &line);
        let said = done.fails();
        assert!(said.starts_with("error: ") && said.contains(message), "{line:?}: {said}");
        assert_eq!(said.lines().count(), 1, "{line:?}: {said}");
    }
    assert_eq!(std::fs::read(here.join("model.h5md")).unwrap(), whole, "nothing is lost");
    let several =
        jostle(here, &["run", "model.toml", "--set", "run.seed=x", "--set", "space.edges=-1"]);
    let said = several.fails();
    assert!(said.starts_with("error: 2 faults\n  ") && said.lines().count() == 3, "{said}");
}

#[test]
fn a_reader_that_leaves_is_no_failure() {
    let dir = folder();
    for command in
        ["list", "list keys", "list --model egfr_clustering", "run --help", "check model.toml"]
    {
        let done = shell(dir.path(), &format!("(jostle {command}; echo $? >code) | head -n 1"));
        assert_eq!((done.err.as_str(), done.out.lines().count()), ("", 1), "{command}");
        assert_eq!(std::fs::read_to_string(dir.path().join("code")).unwrap(), "0\n", "{command}");
    }
    let done = shell(dir.path(), "(jostle -v run model.toml 2>&1; echo $? >code) | head -n 1");
    assert!(done.out.starts_with("[INFO ] model.toml read"), "{}", done.out);
    assert_eq!(std::fs::read_to_string(dir.path().join("code")).unwrap(), "0\n");
    assert_eq!(hashes(&dir.path().join("model.h5md")).len(), 41);
}

#[test]
fn verbose_says_what_is_being_done() {
    let dir = folder();
    let said = jostle(dir.path(), &["-v", "run", "model.toml"]).succeeds().err;
    for part in
        ["model.toml read", "40 particles placed", "model.h5md created", "was the fastest", "draw"]
    {
        assert!(said.contains(part), "{part:?} is missing in\n{said}");
    }
}

#[test]
fn the_readme_keeps_its_word() {
    let dir = folder();
    let readme = std::fs::read_to_string(repository().join("README.md")).unwrap();
    let block = |language: &str, n: usize| {
        let all: Vec<_> = readme.split("```").collect();
        let blocks = all.iter().skip(1).step_by(2).filter_map(|block| block.strip_prefix(language));
        blocks.filter_map(|block| block.strip_prefix('\n')).nth(n).unwrap().to_owned()
    };
    std::fs::write(dir.path().join("receptors.toml"), block("toml", 0)).unwrap();
    let commands = block("sh", 1);
    assert!(commands.lines().count() >= 4, "{commands}");
    for line in commands.lines() {
        let done = shell(dir.path(), line);
        // On a slow machine a run says how far it is.
        let is_fault = |said: &&str| !said.contains(" steps/s, ");
        let faults: Vec<_> = done.err.lines().filter(is_fault).collect();
        assert_eq!((done.code, faults), (Some(0), Vec::new()), "{line}");
        assert!(!done.out.contains("WARNING"), "{line}: {}", done.out);
    }
}

#[test]
fn info_for_programs_says_all_that_it_says_to_people() {
    let dir = folder();
    jostle(dir.path(), &["run", "model.toml", "-q"]).succeeds();
    let said = jostle(dir.path(), &["info", "model.h5md", "--json"]).succeeds().out;
    let reported: serde_json::Value = serde_json::from_str(&said).unwrap();
    let expected = serde_json::json!({
        "title": "Receptors", "file": "model.h5md", "status": "finished", "seed": 7, "dimension": 2,
        "edges_nm": [200.0, 200.0], "periodic": [true, true], "timestep_us": 1.0, "frames": 41,
        "first_time_us": 0.0, "last_time_us": 400.0, "species": [{ "name": "A", "first": 40, "last": 40, "sites": [] }],
        "log": "reactions", "missing": [], "polygons": null, "granular": false,
    });
    for (key, value) in expected.as_object().unwrap() {
        assert_eq!(&reported[key], value, "{key}");
    }
    assert_eq!(reported["runs"][1]["step"], 400);
    assert!(reported["figures"]["wall time (s)"].as_f64().unwrap() > 0.0);
    // The manual has every key.
    let manual = manual();
    for key in reported.as_object().unwrap().keys() {
        assert!(manual.contains(&format!("`{key}`")), "the manual leaves out {key}");
    }
}

#[test]
fn what_others_call_otherwise_is_understood() {
    let dir = folder();
    jostle(dir.path(), &["run", "model.toml", "-q", "-o", "model.h5md"]).succeeds();
    for (typed, title) in
        [("msd", "Diffusion"), ("g(r)", "Radial"), ("population", "Particles of each")]
    {
        let said = jostle(dir.path(), &["analyze", "model.h5md", typed]).succeeds().out;
        assert!(said.starts_with(title), "{said}");
    }
    let done = jostle(dir.path(), &["analyse", "model.h5md", "displacement", "--legs", "5"]);
    let usage = "Usage: jostle analyse [OPTIONS] <FILE> [WHAT]...";
    assert!(done.err.contains(usage) && !done.err.contains("'-- "), "{}", done.err);
    let done = jostle(dir.path(), &["analyse", "model.h5md", "weather"]);
    assert!(done.code == Some(2) && done.err.contains("possible values"), "{}", done.err);
    let done = jostle(dir.path(), &["msd", "model.h5md"]);
    assert!(done.err.contains("say: jostle analyse FILE displacement"), "{}", done.err);
}

#[test]
fn models_come_first_in_the_list_and_the_ends_of_a_file_have_names() {
    let dir = folder();
    let list = jostle(dir.path(), &["list"]).succeeds().out;
    assert!(list.starts_with("models (") && list.contains("\n  assembly"), "{list}");
    jostle(dir.path(), &["run", "model.toml", "-q"]).succeeds();
    let picture = ["snapshot", "model.h5md", "--frame", "first,last", "--out", "ends.svg"];
    let said = jostle(dir.path(), &picture).succeeds().out;
    assert!(said.contains("t = 0 s, 40 particles; t = 400 µs, 40 particles"), "{said}");
}

#[test]
fn exit_codes_are_those_of_the_help() {
    let dir = folder();
    let help = jostle(dir.path(), &["run", "--help"]).succeeds().out;
    for said in
        ["Exit codes:\n", "    0  ", "    1  ", "    2  ", "   75  ", "  130  ", "A second Ctrl-C"]
    {
        assert!(help.contains(said), "{said:?} is missing in\n{help}");
    }
    let code = |arguments: &[&str]| jostle(dir.path(), arguments).code;
    assert_eq!(code(&["run", "model.toml", "--set", "species.A.radius=many"]), Some(2));
    assert_eq!(code(&["run", "nowhere.toml"]), Some(2));
    assert_eq!(code(&["run", "model.toml", "-q", "--set", "run.steps=10"]), Some(0));
    assert_eq!(code(&["run", "model.toml", "-q"]), Some(1), "the file exists");
}
