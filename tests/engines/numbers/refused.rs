//! Numbers in model files that cannot be had are refused before a run, with line, key and reason.

use jostle::model::{self, placement};

/// A model in which `space` and `species` are as given, and one value is set anew.
fn model(change: [&str; 2]) -> String {
    let text = "[space]\ndimension = 2\nedges = \"100 nm\"\n[run]\ntimestep = \"1 us\"\nsteps = 10\n[[species]]\n\
                name = \"A\"\nradius = \"2 nm\"\ndiffusion = \"0.1 um^2/s\"\n\
                placement = { positions = [[\"10 nm\", \"10 nm\"], [\"50 nm\", \"50 nm\"]] }\n";
    assert!(text.contains(change[0]), "{change:?}");
    text.replace(change[0], change[1])
}

/// What is said of it, by reader or placement; None if nothing.
fn said(change: [&str; 2]) -> Option<String> {
    match model::parse(&model(change), "model.toml", &[]) {
        Err(faults) => Some(faults.to_string()),
        Ok(model) => placement::place::<2>(&model).err().map(|error| error.to_string()),
    }
}

#[test]
fn what_cannot_be_had_is_said_with_line_key_and_reason() {
    let cases = [
        (
            ["\"1 us\"", "\"0 us\""],
            "model.toml:5: run.timestep: found \"0 us\", which is not above zero",
        ),
        (["\"1 us\"", "0"], "model.toml:5: run.timestep: found 0, which is not above zero"),
        (
            ["\"1 us\"", "\"-1 us\""],
            "model.toml:5: run.timestep: found \"-1 us\", which is not above zero",
        ),
        (
            ["\"1 us\"", "nan"],
            "model.toml:5: run.timestep: found NaN, which is not a finite number",
        ),
        (
            ["\"1 us\"", "inf"],
            "model.toml:5: run.timestep: found inf, which is not a finite number",
        ),
        (["\"100 nm\"", "0"], "model.toml:3: space.edges: found 0, which is not above zero"),
        (["\"100 nm\"", "\"1e400 nm\""], "model.toml:3: space.edges: found \"1e400 nm\""),
        (
            ["\"2 nm\"", "\"0 nm\""],
            "model.toml:9: species.A.radius: found \"0 nm\", which is not above zero",
        ),
        (
            ["\"2 nm\"", "\"1e-300 nm\""],
            "found \"1e-300 nm\", which is beyond the range of such quantities, from 1e-15 nm on",
        ),
        // 1e-12 nm is a length, but steps are too long for it.
        (["\"2 nm\"", "\"1e-12 nm\""], "ten times the smallest radius, 1e-12 nm"),
        (
            ["\"100 nm\"", "\"1e308 nm\""],
            "which is beyond the range of such quantities, up to 1e9 nm",
        ),
        (
            ["\"0.1 um^2/s\"", "\"-0.1 um^2/s\""],
            "species.A.diffusion: found \"-0.1 um^2/s\", which is negative",
        ),
        (
            ["[\"50 nm\"", "[\"5e7 nm\""],
            "x = 50000000.0 nm is outside the box, which extends from 0 to 100.0 nm",
        ),
        (
            ["[\"50 nm\"", "[\"-1 nm\""],
            "x = -1.0 nm is outside the box, which extends from 0 to 100.0 nm",
        ),
        (
            ["[\"50 nm\", \"50 nm\"]", "[\"10 nm\", \"10 nm\"]"],
            "A number 1 and A number 2 (counted from 1) overlap",
        ),
        (["\"0.1 um^2/s\"", "0.1\ndrift = { velocity = [\"1e6 um/s\", 0] }"], "species.A.drift"),
    ];
    for (change, expected) in cases {
        let said = said(change).unwrap_or_else(|| panic!("{change:?} is not refused"));
        assert!(said.contains(expected), "{change:?}: {said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
}

#[test]
fn what_is_only_strange_is_not_refused() {
    let cases = [
        ["\"0.1 um^2/s\"", "0"],
        ["[\"50 nm\", \"50 nm\"]", "[\"14 nm\", \"10 nm\"]"],
        ["[\"50 nm\", \"50 nm\"]", "[\"100 nm\", \"0 nm\"]"],
        ["\"2 nm\"\ndiffusion = \"0.1 um^2/s\"", "\"1e-15 nm\"\ndiffusion = 0"],
    ];
    for change in cases {
        assert_eq!(said(change), None, "{change:?}");
    }
}

/// Rooms much longer than wide have no more cells than particles need.
#[test]
fn particles_are_placed_in_boxes_much_longer_than_wide() {
    for edges in ["[1e9, 1e-3]", "[1e-3, 1e9]"] {
        let space = format!(
            "[space]\ndimension = 2\nedges = {edges}\n[run]\ntimestep = 1e-12\nsteps = 1\n"
        );
        let species = "[[species]]\nname = \"A\"\nradius = 1e-4\ndiffusion = 1e-3\ncount = 100\n";
        let model = model::parse(&format!("{space}{species}"), "long", &[])
            .unwrap_or_else(|faults| panic!("{faults}"));
        assert_eq!(placement::place::<2>(&model).map(|particles| particles.len()), Ok(100));
    }
}
