//! What is too large is refused before it starts: limit, file, line and key in one message.

use std::fmt::Write;

use crate::program::{jostle, shell};

const HEAD: &str =
    "[space]\ndimension = 2\nedges = \"1 um\"\n[run]\ntimestep = \"1 us\"\nsteps = 10\n";
const SPECIES: &str =
    "[[species]]\nname = \"A\"\nradius = \"2 nm\"\ndiffusion = \"0.1 um^2/s\"\ncount = 10\n";

/// So many tables of one kind, of which each is `table(n)`.
fn tables(count: usize, table: impl Fn(usize, &mut String) -> std::fmt::Result) -> String {
    let mut text = String::new();
    (0..count).for_each(|n| table(n, &mut text).expect("a text grows"));
    text
}

/// The one thing that the program says of a model that it refuses.
pub(crate) fn said(model: &str) -> String {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("model.toml"), model).unwrap();
    let done = jostle(dir.path(), &["run", "model.toml"]);
    let said = done.fails();
    assert_eq!(said.trim_end().lines().count(), 1, "{said}");
    assert!(!dir.path().join("model.h5md").exists());
    said.trim_end().to_owned()
}

#[test]
fn ten_thousand_species_are_refused() {
    let species = tables(10_000, |n, text| {
        writeln!(
            text,
            "[[species]]\nname = \"S{n}\"\nradius = \"2 nm\"\ndiffusion = \"0.1 um^2/s\"\ncount = 1"
        )
    });
    let limit = "model.toml:7: species: there are 10000 species, counting each state of a species as one; at most \
                 4096 are possible";
    assert_eq!(said(&format!("{HEAD}{species}")), format!("error: {limit}"));
    // Rules over them are not judged then.
    let rule = "[[rule]]\nname = \"r\"\non = [\"S9000\", \"S9001\"]\ndo = \"ignore\"\n";
    assert_eq!(said(&format!("{HEAD}{species}{rule}")), format!("error: {limit}"));
}

#[test]
fn ten_thousand_species_of_other_engines_are_refused() {
    let heads = [
        ("granular", "until = \"1 ms\"", "", "radius = \"1 mm\""),
        ("polygons", "timestep = \"1 us\"\nsteps = 5", "[contact]\nstiffness = \"1e6 N/m\"\n", {
            "shape = { disk = \"1 mm\" }\ndensity = \"5000 kg/m^2\""
        }),
    ];
    for (engine, time, more, what) in heads {
        let species = tables(10_000, |n, text| {
            writeln!(text, "[[species]]\nname = \"S{n}\"\n{what}\ncount = 1")
        });
        let head = format!(
            "[space]\ndimension = 2\nedges = \"1 m\"\n[run]\nengine = \"{engine}\"\n{time}\n{more}"
        );
        let said = said(&format!("{head}{species}"));
        assert!(said.contains("species: there are 10000 species"), "{engine}: {said}");
    }
}

#[test]
fn a_hundred_thousand_states_are_refused() {
    let states = tables(100_000, |n, text| write!(text, "\"s{n}\", "));
    let species = SPECIES.replace("count = 10", &format!("states = [{states}]"));
    let said = said(&format!("{HEAD}{species}"));
    assert!(
        said.contains(
            "model.toml:11: species.A.states: 100000 states are more than the 16384 that are read"
        ),
        "{said}"
    );
}

#[test]
fn rules_beyond_what_can_be_numbered_are_refused() {
    let limit = |count: usize| {
        format!(
            "there are {count} rules, counting the schedule, surfaces and what `unbind` is short for; at most 65000 \
             are possible (patterns and `cases` make one rule of many)"
        )
    };
    let rule = |n: usize, text: &mut String| {
        writeln!(
            text,
            "[[rule]]\nname = \"r{n}\"\non = [\"A\", \"A\"]\ndo = \"bind\"\nmerge = \"bond\"\nprobability = 1e-9"
        )
    };
    let rules = tables(70_000, rule);
    assert_eq!(
        said(&format!("{HEAD}{SPECIES}{rules}")),
        format!("error: model.toml:12: rule: {}", limit(70_000))
    );
    // Each makes another one.
    let rules = tables(40_000, |n, text| {
        rule(n, text)?;
        writeln!(text, "unbind = \"1 /s\"")
    });
    assert_eq!(
        said(&format!("{HEAD}{SPECIES}{rules}")),
        format!("error: model.toml:12: rule: {}", limit(80_000))
    );
    let rules = tables(200_000, rule);
    let most = "error: model.toml:12: rule: there are 200000 of them; at most 100000 are read";
    assert_eq!(said(&format!("{HEAD}{SPECIES}{rules}")), most);
    let entries = tables(70_000, |n, text| {
        writeln!(text, "[[schedule]]\nat = \"{n} us\"\nadd = {{ species = \"A\", count = 1 }}")
    });
    assert_eq!(
        said(&format!("{HEAD}{SPECIES}{entries}")),
        format!("error: model.toml:12: schedule: {}", limit(70_000))
    );
}

/// Cases of one rule are for different pairs; there are not so many.
#[test]
fn a_hundred_thousand_cases_are_refused_at_the_first_that_is_there_twice() {
    let cases =
        tables(100_000, |n, text| write!(text, "{{ on = [\"A\", \"A\"] }}, {}", ["", "\n"][n % 2]));
    let rule = format!("[[rule]]\nname = \"r\"\ndo = \"ignore\"\ncases = [{cases}]\n");
    let said = said(&format!("{HEAD}{SPECIES}{rule}"));
    assert_eq!(said, "error: model.toml:12: rule.r: A and A appear twice");
}

#[test]
fn more_particles_than_can_be_numbered_or_than_fit_are_refused() {
    let particles = |count: &str| {
        said(&format!("{HEAD}{}", SPECIES.replace("count = 10", &format!("count = {count}"))))
    };
    let too_many = particles("1_000_000_000_000");
    assert!(
        too_many.contains("species.A.count: 1000000000000 particles are more than can be numbered"),
        "{too_many}"
    );
    let too_dense = particles("1_000_000_000");
    assert!(too_dense.contains("species.A: the particles would fill"), "{too_dense}");
}

/// So small that they would fit into the box, and so many that they fit into no machine: none is
/// asked for.
#[test]
fn particles_that_do_not_fit_into_memory_are_refused_whatever_moves_them() {
    let disks = |radius: &str| {
        format!("[[species]]\nname = \"A\"\nradius = \"{radius}\"\ncount = 4294967294\n")
    };
    let (points, motes) = (disks("1e-9 nm"), disks("100 nm") + "speed = \"1 m/s\"\n");
    let space = "[space]\ndimension = 2\nedges = \"1 m\"\nboundary = \"reflecting\"\n";
    let gas = |contact: &str| {
        format!(
            "{space}[run]\nengine = \"gas\"\ncontact = \"{contact}\"\ntimestep = \"10 ns\"\nsteps = 5\n{motes}\
             mass = \"1 g\"\n"
        )
    };
    // Of polygons 10^7 of a species are the most.
    let models = [
        format!("{HEAD}{points}diffusion = \"1e-12 nm^2/s\"\n"),
        format!("{space}[run]\nengine = \"granular\"\nuntil = \"1 ms\"\n{motes}"),
        gas("exact"),
        gas("after_move"),
        gas("events"),
    ];
    for model in models {
        let said = said(&model);
        let (place, said) = said
            .split_once(": 4294967294 particles need about ")
            .unwrap_or_else(|| panic!("{said}"));
        assert!(
            place.starts_with("error: model.toml:") && place.contains(": species.A"),
            "{place}"
        );
        assert!(
            said.contains("GB of memory, but there is only ")
                && said.contains("most of them belong to \"A\", whose `count` should be lower"),
            "{said}"
        );
    }
}

#[test]
fn particles_that_do_not_fit_into_what_a_process_may_have_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("model.toml"), super::memory::spheres(5_000_000, 0.2, ""))
        .unwrap();
    for word in ["check", "run"] {
        let done = shell(dir.path(), &format!("ulimit -v 1000000; jostle {word} model.toml"));
        let said = done.fails();
        assert!(
            said.contains("5000000 particles need about 2.")
                && said.contains("but there is only 1.02 GB"),
            "{said}"
        );
    }
}
