//! Steps that would continue without end, and numbers beyond all bounds, are refused with the
//! limit; what takes long takes no longer to check.

use std::time::Instant;

use super::refused::said;
use crate::program::jostle;

const HEAD: &str =
    "[space]\ndimension = 3\nedges = \"30 nm\"\n[run]\ntimestep = \"1 ns\"\nsteps = 100\n";
const SPECIES: &str =
    "[[species]]\nname = \"A\"\nradius = \"1 nm\"\ndiffusion = \"10 um^2/s\"\ncount = 10\n";

#[test]
fn rules_in_time_that_apply_without_end_are_refused_with_the_numbers() {
    let rule = |what: &str, rate: &str| {
        format!("{HEAD}{SPECIES}[[rule]]\nname = \"r\"\n{what}\nrate = \"{rate}\"\n")
    };
    let decay = said(&rule("do = \"decay\"\non = \"A\"", "1e9 /us"));
    for part in [
        "model.toml:16: rule.r.rate",
        "1000000 times in each time step of 1 ns",
        "1000 times lower",
        "1 ps",
    ] {
        assert!(decay.contains(&part.replace("1 ps", "0.001 ns")), "{part}: {decay}");
    }
    let made = said(&rule("do = \"create\"\nproduct = \"A\"", "1e6 /nm^3/us"));
    assert!(
        made.contains("create 2.700e7 A in each time step")
            && made.contains("the maximum is 100000"),
        "{made}"
    );
    let slow = rule("do = \"decay\"\non = \"A\"", "1 /us");
    let set = said(&format!(
        "{slow}[[schedule]]\nat = \"1 ns\"\nset = {{ rule = \"r\", rate = \"1e9 /us\" }}\n"
    ));
    assert!(set.contains("schedule.schedule_1: rule \"r\" would apply 1000000 times"), "{set}");
}

#[test]
fn more_are_not_added_than_there_is_room_for() {
    let add = |count: usize| {
        format!(
            "{HEAD}{SPECIES}[[schedule]]\nat = \"1 ns\"\nadd = {{ species = \"A\", count = {count} }}\n"
        )
    };
    let refused = said(&add(1_000_000));
    assert!(
        refused.contains(
            "1000000 A are to be added at once, but even an empty box has room for 4773 at most"
        ),
        "{refused}"
    );
    // Nearly as many as there is room for if they were packed, of which some 300 find a place at
    // random.
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(
        dir.path().join("model.toml"),
        add(590).replace("steps = 100", "steps = 2").replace("30 nm", "15 nm"),
    )
    .unwrap();
    let begun = Instant::now();
    let done = jostle(dir.path(), &["run", "model.toml"]).succeeds();
    println!("{:.1} s", begun.elapsed().as_secs_f64());
    let line =
        done.out.lines().find(|line| line.contains("schedule_1 ")).unwrap_or_default().to_owned();
    let numbers: Vec<usize> =
        line.split(|c: char| !c.is_ascii_digit()).filter_map(|word| word.parse().ok()).collect();
    assert!(
        matches!(numbers[..], [1, added, refused] if added + refused == 590 && added > 200),
        "{line}"
    );
    assert!(done.out.contains("\"schedule_1\" found no space in "), "{}", done.out);
}

/// Some 10^8 events in a step.
#[test]
fn a_step_that_takes_long_takes_no_longer_to_check() {
    let there = "[[rule]]\nname = \"there\"\ndo = \"convert\"\non = \"A\"\nproducts = [\"B\"]\nrate = \"900 /ns\"\n";
    let back = there
        .replace("there", "back")
        .replace("\"B\"", "\"C\"")
        .replace("\"A\"", "\"B\"")
        .replace("\"C\"", "\"A\"");
    let model = format!("{HEAD}{SPECIES}{}{there}{back}", SPECIES.replace("\"A\"", "\"B\""))
        .replace("30 nm", "1 um")
        .replace("count = 10", "count = 50000");
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("model.toml"), model).unwrap();
    let begun = Instant::now();
    let done = jostle(dir.path(), &["check", "model.toml"]).succeeds();
    assert!(begun.elapsed().as_secs_f64() < 20.0, "{:?}", begun.elapsed());
    assert!(done.out.contains("the first step takes longer than a second"), "{}", done.out);
}

#[test]
fn numbers_beyond_all_bounds_are_refused_with_the_range() {
    let model = format!("{HEAD}{SPECIES}");
    let cases = [
        ("\"30 nm\"", "\"1e308 nm\"", ":3: space.edges", "up to 1e9 nm"),
        ("\"1 nm\"", "\"1e-300 nm\"", ":9: species.A.radius", "from 1e-15 nm on"),
        ("\"10 um^2/s\"", "\"1e200 um^2/s\"", ":10: species.A.diffusion", "up to 1e15 um^2/s"),
        ("\"1 ns\"", "\"1e100 s\"", ":5: run.timestep", "up to 1e18 us"),
    ];
    for (right, wrong, place, range) in cases {
        let said = said(&model.replace(right, wrong));
        assert!(said.contains(&format!("model.toml{place}: found {wrong}")), "{said}");
        assert!(
            said.contains("beyond the range of such quantities") && said.contains(range),
            "{said}"
        );
    }
    let gas = "[space]\ndimension = 2\nedges = \"1 m\"\n[run]\nengine = \"gas\"\ntimestep = \"1 us\"\nsteps = 5\n\
               [[species]]\nname = \"A\"\nradius = \"1 mm\"\nmass = \"1e308 g\"\nspeed = \"1 m/s\"\ncount = 3\n";
    let heavy = said(gas);
    assert!(
        heavy.contains("species.A.mass: found \"1e308 g\"") && heavy.contains("up to 1e18 g"),
        "{heavy}"
    );
}

#[test]
fn micrometres_in_the_place_of_nanometres_and_runs_shorter_than_a_step_are_reported() {
    let flat = HEAD.replace("dimension = 3", "dimension = 2").replace("30 nm", "1 um");
    let wide = format!("{flat}{SPECIES}")
        .replace("\"1 nm\"", "\"2.5 um\"")
        .replace("count = 10", "count = 178");
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("model.toml"), wide).unwrap();
    let done = jostle(dir.path(), &["check", "model.toml"]);
    let meant = "species.A.radius: the particles would fill 3500 times the area of the box (1000.0 x 1000.0 nm); is the \
                 radius of 2.5 µm meant?";
    assert!(done.fails().contains(meant), "{}", done.err);
    let short = said(&format!("{HEAD}{SPECIES}").replace("steps = 100", "until = \"0.1 ns\""));
    assert!(short.contains("run.until: 0.1 ns is shorter than a time step of 1 ns"), "{short}");
}
