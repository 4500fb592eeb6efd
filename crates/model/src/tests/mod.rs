//! Model files mean what they say; `--set` goes on top; the resolved text gives the same model.

mod amounts;
mod directions;
mod polygons;
mod potentials;
mod rules;
mod schema;
mod sites;
mod states;
mod templates;
mod tethers;

use super::*;
use jostle_core::rules::{Action, Case, Chance, Cut, TimedAction};
use jostle_core::search;
use jostle_core::search::{Kind, Listing, Relink, Resize};
use jostle_core::species::Drift;
use jostle_core::species::MobilityLaw;

const RICH: &str = r#"
title = "a bit of \"everything\""
[units]
length = "um"
time = "ms"
[space]
dimension = 2
edges = [2, "1500 nm"]
boundary = ["periodic", "reflecting"]
[run]
timestep = "1 us"
until = 0.05
seed = 42
threads = 2
scheduler = "rescan"
[search]
kind = "slices"
axis = "y"
relink = "move"
listing = "touch"
pruning = true
cell_size = "20 nm"
resize = 250
[[species]]
name = "A"
radius = "2.5 nm"
diffusion = "0.05 um^2/s"
count = 10
drift = { velocity = ["1 um/s", "-0.1 nm/us"] }
[[species]]
name = "B"
radius = 0.003
diffusion = 1e-5
placement = { lattice = 7 }
drift = { shear = { rate = "10 /s", along = "x", across = "y" } }
[[species]]
name = "C"
radius = "3 nm"
diffusion = "0.02 um^2/s"
placement = { positions = [["100 nm", "0.1 um"], [1.2345678901234567, 0.7]] }
drift = { well = { centre = [1, 0.75], relaxation = "1 ms" } }
[[species]]
name = "AB"
[clusters]
mobility = { table = [1.0, 0.6, 0.4] }
[[rule]]
name = "apart"
do = "unbind"
of = "pair"
rate = "0.3 /s"
[[rule]]
name = "join"
on = ["A", "B"]
do = "bind"
merge = "coalesce"
product = "AB"
probability = "5 %"
unbind = "2 /min"
[[rule]]
name = "pair"
on = ["C", "C"]
do = "bind"
merge = "bond"
rate = "0.0056 um^2/s"
[[rule]]
name = "ghosts"
on = ["C", "A"]
do = "pass"
[output]
every = "5 ms"
log = "all"
log_species = ["C", "AB"]
log_walls = false
precision = "double"
compress = true
"#;

fn pairs(list: &[(&str, &str)]) -> Vec<(String, String)> {
    list.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect()
}

fn read(text: &str, overrides: &[(&str, &str)]) -> Model {
    parse(text, "test.toml", &pairs(overrides)).unwrap_or_else(|faults| panic!("{faults}"))
}

#[test]
fn every_section_is_read_in_nanometres_and_microseconds() {
    let model = read(RICH, &[]);
    assert_eq!(model.title, "a bit of \"everything\"");
    assert_eq!(model.space.edges[..2], [2000.0, 1500.0]);
    assert_eq!(model.space.periodic[..2], [true, false]);
    assert_eq!((model.run.timestep, model.run.steps, model.run.seed), (1.0, 50, 42));
    assert_eq!(
        (model.run.threads, model.brownian().unwrap().scheduler),
        (Some(2), Scheduler::Rescan)
    );
    let search = &model.brownian().unwrap().search;
    assert_eq!((search.kind, search.axis, search.relink), (Kind::Slices, 1, Relink::Move));
    assert_eq!((search.listing, search.pruning), (Listing::Touch, true));
    assert_eq!((search.cell_size, search.resize), (Some(20.0), Resize::Every(250)));
    let [a, b, c, ab] = model.species.as_slice() else {
        panic!("four species");
    };
    assert_eq!((a.radius, a.diffusion_coefficient), (Some(2.5), Some(0.05)));
    assert_eq!((b.radius, b.diffusion_coefficient), (Some(3.0), Some(0.01)));
    assert_eq!((ab.radius, ab.diffusion_coefficient), (None, None));
    assert_eq!(a.drift, Drift::Constant([1e-3, -0.1, 0.0]));
    assert!(matches!(b.drift, Drift::Shear { rate: 1e-5, along: 0, across: 1 }));
    assert!(matches!(c.drift, Drift::Well { relaxation: 1000.0, centre: [1000.0, 750.0, 0.0] }));
    assert_eq!(model.placement[0].how, PlacementMethod::Random { count: 10 });
    assert_eq!(model.placement[1].how, PlacementMethod::Lattice { count: 7 });
    assert_eq!(model.placement[2].count(), 2);
    assert_eq!(model.brownian().unwrap().mobility, MobilityLaw::Table(vec![1.0, 0.6, 0.4]));
    assert_eq!(model.output.frame_every, 5000);
    assert_eq!((model.output.log, model.output.log_walls), (LogLevel::All, false));
    assert_eq!(model.output.log_species, [2, 3]);
    assert!(!model.output.single_precision && model.output.compress);
}

#[test]
fn rules_are_numbered_contacts_first() {
    let rules = read(RICH, &[]).rules().clone();
    assert_eq!(rules.names(), ["join", "pair", "ghosts", "apart", "join_unbind"]);
    assert_eq!(rules.contact[0].action, Action::Coalesce);
    assert_eq!(rules.contact[0].cases, [Case::new([0, 1], &[3])]);
    assert_eq!(rules.contact[0].chance, Chance::Probability(0.05));
    assert_eq!(rules.contact[1].chance, Chance::Intrinsic(0.0056));
    assert_eq!(rules.contact[2].action, Action::Pass);
    assert_eq!(rules.timed[0].action, TimedAction::unbind(&[1], Cut::Any));
    assert_eq!(rules.timed[0].rate, 3e-7);
    assert_eq!(rules.timed[1].action, TimedAction::unbind(&[0], Cut::Any));
    assert!((rules.timed[1].rate - 2.0 / 60e6).abs() < 1e-20);
}

#[test]
fn the_resolved_text_gives_the_same_model() {
    let model = read(RICH, &[("run.seed", "7")]);
    let mut again = read(&model.source.resolved, &[]);
    assert_eq!(again.source.resolved, model.source.resolved);
    again.source = model.source.clone();
    assert_eq!(again, model);
}

#[test]
fn a_short_model_has_sensible_defaults() {
    let text = "[space]\ndimension=3\nedges='1 um'\n[run]\ntimestep='10 ns'\nsteps=500\n\
                [[species]]\nname='A'\nradius='5 nm'\ndiffusion='10 um^2/s'\ncount=5\n";
    let model = read(text, &[]);
    assert_eq!((model.space.edges, model.space.periodic), ([1000.0; 3], [true; 3]));
    assert_eq!(model.brownian().unwrap().search, search::Settings::default());
    assert_eq!(
        (model.run.seed, model.run.threads, model.brownian().unwrap().scheduler),
        (1, None, Scheduler::Islands)
    );
    assert_eq!((model.output.frame_every, model.output.log), (5, LogLevel::Reactions));
    assert_eq!(model.brownian().unwrap().mobility, MobilityLaw::Stokes);
    assert!(model.warnings().is_empty(), "{:?}", model.warnings());
}

#[test]
fn overrides_go_by_name_or_number_and_take_units() {
    let model = read(
        RICH,
        &[
            ("species.A.radius", "3 nm"),
            ("species[1].diffusion", "0.02"),
            ("species.2.placement", "{ random = 4 }"),
            ("run.steps", "10"),
            ("search", "naive"),
            ("search.pruning", "false"),
            ("rule.join.rate", "1 nm^2/us"),
            ("clusters.mobility", "immobile"),
            ("output.frames", "5"),
        ],
    );
    assert_eq!(model.species[0].radius, Some(3.0));
    // Bare: in the file's um²/ms.
    assert_eq!(model.species[1].diffusion_coefficient, Some(20.0));
    assert_eq!(model.placement[2].how, PlacementMethod::Random { count: 4 });
    assert_eq!((model.run.steps, model.output.frame_every), (10, 2));
    assert_eq!(
        (model.brownian().unwrap().search.kind, model.brownian().unwrap().search.cell_size),
        (Kind::Naive, None)
    );
    assert_eq!(model.rules().contact[0].chance, Chance::Intrinsic(1.0));
    assert_eq!(model.brownian().unwrap().mobility, MobilityLaw::Immobile);
    assert_eq!(model.source.overrides.len(), 9);
}

#[test]
fn a_key_without_a_value_is_taken_away() {
    let model = read(RICH, &[("run.threads", ""), ("search.cell_size", ""), ("rule.ghosts", "")]);
    assert_eq!(model.run.threads, None);
    assert_eq!(model.brownian().unwrap().search.cell_size, None);
    assert!(!model.causes().contains(&"ghosts".to_owned()));
    for (key, expected) in [
        ("run.memory", "--set run.memory=: there is no `memory` to be taken away"),
        ("species.Z", "--set species.Z=: there is no `Z` to be taken away"),
        ("title.x", "--set title.x=: `x` is inside a value that is not a table"),
        ("run.timestep", "`timestep` is missing"),
    ] {
        let faults = parse(RICH, "test.toml", &pairs(&[(key, "")])).unwrap_err().to_string();
        assert!(faults.contains(expected), "{faults}");
    }
}

#[test]
fn faults_of_overrides_name_the_override() {
    let wrong = [
        ("species.Z.radius", "1 nm"),
        ("species.A.radius", "-3 nm"),
        ("search.kind", "slice"),
        ("run.speed", "3"),
        ("title.x", "3"),
    ];
    let faults = parse(RICH, "test.toml", &pairs(&wrong)).unwrap_err().to_string();
    for expected in [
        "--set species.Z.radius=1 nm: there is no `Z`; the model has A, B, C, AB",
        "--set species.A.radius=-3 nm: species.A.radius: found \"-3 nm\", which is not above zero",
        "--set search.kind=slice: search.kind: found \"slice\"",
        "did you mean \"slices\"?",
        "--set run.speed=3: run.speed: this key is not known; did you mean `seed`?",
        "--set title.x=3: ",
    ] {
        assert!(faults.contains(expected), "{expected}\nnot in\n{faults}");
    }
    assert_eq!(faults.lines().count(), 5, "{faults}");
}

#[test]
fn cells_are_resized_as_the_file_says() {
    for (value, resize) in [
        ("\"auto\"", Resize::Auto),
        ("\"never\"", Resize::Never),
        ("1", Resize::Every(1)),
        ("1e3", Resize::Every(1000)),
    ] {
        let model = read(&RICH.replace("resize = 250", &format!("resize = {value}")), &[]);
        assert_eq!(model.brownian().unwrap().search.resize, resize);
        assert_eq!(
            read(&model.source.resolved, &[]).brownian().unwrap().search,
            model.brownian().unwrap().search
        );
    }
    for (value, expected) in [
        ("0", "found 0, but \"auto\", \"never\" or a whole number of at least 1 (steps) is needed"),
        (
            "2.5",
            "found 2.5, but \"auto\", \"never\" or a whole number of at least 1 (steps) is needed",
        ),
        (
            "newer",
            "found \"newer\", but one of \"auto\", \"never\" is needed; did you mean \"never\"?",
        ),
    ] {
        let set = [("search.resize".to_owned(), value.to_owned())];
        let faults = parse(RICH, "test.toml", &set).unwrap_err().to_string();
        assert!(faults.contains(expected), "{expected}\nnot in\n{faults}");
    }
}

#[test]
fn levels_may_have_cells_too_small_for_the_largest() {
    let fine = [("search.cell_size", "5.5 nm")];
    let refused = parse(RICH, "test.toml", &pairs(&fine)).unwrap_err().to_string();
    assert!(refused.contains("search.cell_size: half a cell"), "{refused}");
    let model = read(RICH, &[&fine[..], &[("search.kind", "levels")]].concat());
    assert_eq!(
        (model.brownian().unwrap().search.kind, model.brownian().unwrap().search.cell_size),
        (Kind::Levels, Some(5.5))
    );
    assert_eq!(
        read(&model.source.resolved, &[]).brownian().unwrap().search,
        model.brownian().unwrap().search
    );
}

#[test]
fn position_files_are_read_from_the_folder_of_the_model() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.toml");
    let csv = "x_um,y_um,species\n0.1,0.2,A\n1.5,1.25,B\n0.3,0.4,A\n";
    std::fs::write(folder.path().join("some.csv"), csv).unwrap();
    let text = RICH.replace("count = 10", "placement = { file = 'some.csv' }");
    std::fs::write(&path, text).unwrap();
    let model = load(&path, &[]).unwrap_or_else(|faults| panic!("{faults}"));
    let places = vec![[100.0, 200.0, 0.0], [300.0, 400.0, 0.0]];
    assert_eq!(model.placement[0].how, PlacementMethod::Positions(places));
    assert_eq!(model.source.path, Some(path.clone()));
    // The resolved text needs the file no longer.
    let again = read(&model.source.resolved, &[]);
    assert_eq!(again.placement, model.placement);
    std::fs::write(folder.path().join("some.csv"), "x,y\n2.5,0.1\n").unwrap();
    let faults = load(&path, &[]).unwrap_err().to_string();
    assert!(faults.contains("line 2: x = 2500.0 nm is outside the box"), "{faults}");
    let faults = load(Path::new("no/such.toml"), &[]).unwrap_err().to_string();
    assert!(faults.starts_with("no/such.toml: cannot be read"), "{faults}");
}

#[test]
fn particles_fill_the_room_that_surfaces_leave_them() {
    let text = r#"
space = { dimension = 3, edges = "100 nm", boundary = "reflecting" }
run = { timestep = "1 ns", steps = 1 }
[[surface]]
name = "cell"
sphere = { radius = "40 nm" }
[[surface]]
name = "core"
sphere = { radius = "20 nm" }
[[surface]]
name = "sheet"
plane = { axis = "z", at = "25 nm" }
[[species]]
name = "A"
radius = "1 nm"
diffusion = "1 um^2/s"
count = 10
"#;
    let cell = |radius: f64| 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3);
    let cases = [
        ("", 1e6),
        ("inside = 'cell'", cell(40.0)),
        ("inside = 'cell'\noutside = 'core'", cell(40.0) - cell(20.0)),
        ("outside = ['cell']", 1e6 - cell(40.0)),
        ("below = 'sheet'", 2.5e5),
        ("above = 'sheet'\noutside = 'core'", 7.5e5 - cell(20.0)),
    ];
    for (line, room) in cases {
        let model = read(&format!("{text}{line}\n"), &[]);
        let found = measure::room_of(&model, 0);
        assert!((found / room - 1.0).abs() < 1e-9, "{line}: {found} instead of {room}");
        assert!((measure::packing_fraction(&model) * room / (10.0 * cell(1.0)) - 1.0).abs() < 1e-9);
    }
    // Where surfaces cut each other: the half of the core above, the cap of the cell below, and all
    // but half of the core.
    let cap = std::f64::consts::PI * 225.0 * (40.0 - 5.0);
    let at = |z: &'static str| [("surface.sheet.plane.at", z)];
    for (line, z, room) in [
        ("inside = 'core'\nabove = 'sheet'", "50 nm", 0.5 * cell(20.0)),
        ("inside = 'cell'\nbelow = 'sheet'", "25 nm", cap),
        ("below = 'sheet'\noutside = 'core'", "50 nm", 5e5 - 0.5 * cell(20.0)),
        (
            "inside = 'cell'\noutside = 'core'\nabove = 'sheet'",
            "50 nm",
            0.5 * (cell(40.0) - cell(20.0)),
        ),
    ] {
        let model = read(&format!("{text}{line}\n"), &at(z));
        let found = measure::room_of(&model, 0);
        assert!((found / room - 1.0).abs() < 1e-4, "{line}: {found} instead of {room}");
        // Numbers follow from concentrations.
        let counted = [("species.A.count", "1e-3 /nm^3"), ("surface.sheet.plane.at", z)];
        let count = read(&format!("{text}{line}\n"), &counted).placement[0].count();
        assert!((count as f64 - 1e-3 * room).abs() <= 1.0 + 1e-7 * room, "{line}: {count}");
    }
    let model = read(&format!("{text}on = 'cell'\n"), &[]);
    assert!(
        (measure::packing_fraction(&model) - 10.0 / (4.0 * 1600.0)).abs() < 1e-9,
        "disks on a sphere"
    );
}

#[test]
fn what_looks_wrong_is_said() {
    // So many that their encounters count.
    let warnings =
        read(RICH, &[("run.timestep", "40 us"), ("species.A.count", "2000")]).warnings().join("\n");
    for expected in ["A drifts", "rule \"join\" has a probability per contact", "rms per axis"] {
        assert!(warnings.contains(expected), "{expected}\nnot in\n{warnings}");
    }
}

#[test]
fn no_damage_to_a_model_makes_it_panic() {
    let odd = [
        "0",
        "-1",
        "1e308",
        "nan",
        "''",
        "'nm'",
        "'1e999 nm'",
        "[]",
        "[1]",
        "['A']",
        "{}",
        "true",
        "9223372036854775807",
        "'1 /'",
        "1979-05-27",
        "{ table = [] }",
        "{ file = '' }",
        "{ rule = 'cut', rate = 1 }",
        "[['A', 'B'], ['C']]",
        "['Sup35{prion}', 'Sup35{x|y}']",
        "[[1, 0], [2, 3]]",
        "'..'",
    ];
    for (text, least) in [(RICH, 300), (rules::ALL, 1000)] {
        let lines: Vec<&str> = text.lines().collect();
        let mut refused = 0;
        for n in 0..lines.len() {
            let key = lines[n].split_once(" = ").map(|(key, _)| key);
            let changed = odd.iter().filter_map(|odd| Some(format!("{} = {odd}", key?)));
            for line in changed.chain([String::new()]) {
                let mut damaged = lines.clone();
                damaged[n] = &line;
                if let Err(faults) = parse(&damaged.join("\n"), "damaged", &[]) {
                    assert!(!faults.list.is_empty());
                    refused += 1;
                }
            }
        }
        assert!(refused > least, "{refused}");
    }
    for key in ["", ".", "species", "species[", "species.9.radius", "rule.pair.on.0", "a.b.c"] {
        for odd in odd {
            let _ = parse(RICH, "damaged", &pairs(&[(key, odd)]));
        }
    }
}

/// Its length is read in any unit, and the resolved text says the same.
#[test]
fn a_membrane_has_a_mobility_law_of_its_own() {
    let law = [("clusters.mobility", "{ saffman_delbruck = { length = \"0.5 um\" } }")];
    let model = read(RICH, &law);
    assert_eq!(model.brownian().unwrap().mobility, MobilityLaw::SaffmanDelbruck { length: 500.0 });
    assert_eq!(
        read(&model.source.resolved, &[]).brownian().unwrap().mobility,
        model.brownian().unwrap().mobility
    );
}

/// Surfaces absorb at the rate of a plane, so at round ones the step is limited.
#[test]
fn at_round_surfaces_that_absorb_the_step_is_limited() {
    let fault = |shape: &str, side: &str, timestep: f64, absorb: &str| {
        let text = format!(
            "[space]\ndimension = 3\nedges = 12\nboundary = 'reflecting'\n[run]\ntimestep = {timestep}\nsteps = 1\n\
             interactions = 'reactive'\n[[species]]\nname = 'W'\nradius = 0.1\ndiffusion = 1\ncount = 2\n{side}\n\
             [[surface]]\nname = 's'\n{shape}\nmeets = {absorb}\n"
        );
        parse(&text, "m.toml", &[]).err().map(|faults| faults.to_string())
    };
    let (ball, one) = ("sphere = { radius = 0.9 }", "{ absorb = 1 }");
    let said = fault(ball, "outside = 's'", 0.49, one).unwrap();
    assert!(
        said.contains("surface.s: in a time step of 0.49") && said.contains("at most 60 ns"),
        "{said}"
    );
    assert_eq!(fault(ball, "outside = 's'", 0.059, one), None);
    // Slow absorption is not limited by the step, and planes are not round.
    assert_eq!(fault(ball, "outside = 's'", 0.49, "{ absorb = 0.05 }"), None);
    assert_eq!(fault("plane = { axis = 'z', at = 6 }", "", 0.49, one), None);
    // Nothing is inside of a ball that is smaller than it is.
    assert_eq!(fault("sphere = { radius = 0.09 }", "", 1e-4, one), None);
    let wide = "sphere = { radius = 1.1 }";
    assert!(fault(wide, "inside = 's'", 0.1, one).is_some_and(|said| said.contains("90 ns")));
    assert_eq!(fault(wide, "inside = 's'", 0.089, one), None);
    assert!(
        fault("cylinder = { axis = 'z', radius = 0.9, ends = 'open' }", "", 0.49, one).is_some()
    );
}

/// As much as numpy's `SeedSequence` and the option `--seed` give.
#[test]
fn a_seed_has_64_bits() {
    let with = |seed: &str| {
        let text = RICH.replace("seed = 42", &format!("seed = {seed}"));
        parse(&text, "test.toml", &[])
    };
    for seed in [0, 1, (1 << 63) - 1, 1 << 63, u64::MAX] {
        let model = with(&seed.to_string()).unwrap_or_else(|faults| panic!("{faults}"));
        assert_eq!(model.run.seed, seed);
        assert_eq!(read(RICH, &[("run.seed", &seed.to_string())]).run.seed, seed);
        // What the file of a run says is read in its turn.
        assert_eq!(read(&model.source.resolved, &[]).run.seed, seed);
        let edited =
            crate::document::edited(RICH, "a.toml", &pairs(&[("run.seed", &seed.to_string())]));
        assert_eq!(read(&edited.unwrap(), &[]).run.seed, seed);
    }
    for (wrong, found) in [
        ("18446744073709551616", "a whole number of more than 64 bits"),
        ("-1", "found -1"),
        ("1.5", "found 1.5"),
    ] {
        let faults = with(wrong).unwrap_err().to_string();
        assert!(faults.contains("run.seed") && faults.contains(found), "{faults}");
        assert!(faults.contains("from 0 to 18446744073709551615"), "{faults}");
    }
}
