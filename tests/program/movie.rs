//! `jostle snapshot`: colours, views and titles; `jostle movie`: animated PNG by itself, everything
//! else by ffmpeg.

use std::path::Path;

use crate::program::{Apart, Done, command, folder, jostle};

/// Nine frames of a few disks.
fn run_in(folder: &Path) {
    let model = "[space]\ndimension = 2\nedges = '100 nm'\n[run]\ntimestep = '1 us'\nsteps = 8\n[[species]]\nname = 'A'\n\
                 radius = '3 nm'\ndiffusion = '1 um^2/s'\ncount = 20\n[output]\nevery = '1 us'\n";
    std::fs::write(folder.join("disks.toml"), model).unwrap();
    jostle(folder, &["run", "disks.toml", "--quiet"]).succeeds();
}

#[test]
fn a_snapshot_has_the_colours_the_view_and_the_title_that_are_asked_for() {
    let dir = folder();
    run_in(dir.path());
    let space = std::fs::read_to_string(dir.path().join("disks.toml")).unwrap();
    let space = space.replace("dimension = 2", "dimension = 3");
    std::fs::write(dir.path().join("space.toml"), space).unwrap();
    jostle(dir.path(), &["run", "space.toml", "--quiet"]).succeeds();
    let drawn = |file: &str, out: &str, more: &[&str]| {
        let line = [&["snapshot", file, "--force", "--out", out], more].concat();
        jostle(dir.path(), &line)
    };
    let svg = |file: &str, more: &[&str]| {
        drawn(file, "x.svg", more).succeeds();
        std::fs::read_to_string(dir.path().join("x.svg")).unwrap()
    };
    let flat = svg("disks.h5md", &["--colours", "A=#12f", "--title", "disks & more"]);
    assert!(flat.contains("fill=\"#1122ff\"") && flat.contains("disks &amp; more"), "{flat}");
    assert!(!flat.contains("url(#shade)"), "disks have no shadow");
    let usual = svg("space.h5md", &[]);
    assert_eq!(usual.matches("fill=\"url(#shade)\"").count(), 20);
    assert_eq!(svg("space.h5md", &["--view", "28,18"]), usual);
    assert_ne!(svg("space.h5md", &["--view=-30,18"]), usual);

    let width = |dots: &str| {
        drawn("space.h5md", "x.png", &["--dpi", dots]).succeeds();
        let bytes = std::fs::read(dir.path().join("x.png")).unwrap();
        u32::from_be_bytes(bytes[16..20].try_into().unwrap())
    };
    assert!(width("192").abs_diff(2 * width("96")) <= 1);

    for (file, more, why) in [
        ("disks.h5md", &["--view", "0,90"][..], "only for a box in three dimensions"),
        ("disks.h5md", &["--colours", "B=#123456"], "--colours: the legend has no B; it has A"),
        ("disks.h5md", &["--colours", "A=blue"], "such as EGFR=#0072b2"),
        ("space.h5md", &["--view", "0,91"], "two angles in degrees"),
        ("space.h5md", &["--dpi", "1e9"], "from 10 to 10000"),
    ] {
        let done = drawn(file, "y.png", more);
        assert!(done.fails().contains(why), "{done:?}");
    }
    assert!(!dir.path().join("y.png").exists());
}

#[test]
fn an_animated_png_needs_no_other_program() {
    let dir = folder();
    run_in(dir.path());
    let asked = ["movie", "disks.h5md", "--out", "film.png", "--every", "2", "--rate", "10"];
    let said = jostle(dir.path(), &asked).succeeds().out;
    assert!(said.contains("film.png: 5 frames, 0.5 s"), "{said}");
    let bytes = std::fs::read(dir.path().join("film.png")).unwrap();
    let control = bytes.windows(4).position(|word| word == b"acTL").expect("it is animated");
    assert_eq!(bytes[control + 4..control + 8], 5_u32.to_be_bytes());
    assert!(jostle(dir.path(), &asked).fails().contains("film.png already exists"));
    for (wrong, why) in [
        (&["--out", "film.avi"][..], "ends in .png, .mp4"),
        (&["--out", "new.png", "--from", "9"], "the last frame of the file is 8"),
        (&["--out", "new.png", "--from", "5", "--to", "2"], "comes after the last"),
    ] {
        let done = jostle(dir.path(), &[&["movie", "disks.h5md"], wrong].concat());
        assert!(done.fails().contains(why), "{done:?}");
    }
}

/// A program that is called ffmpeg, and keeps what it gets.
#[test]
#[cfg(unix)]
fn other_films_are_made_by_ffmpeg() {
    use std::os::unix::fs::PermissionsExt;
    let dir = folder();
    run_in(dir.path());
    let film = |path: &Path| {
        let mut program = command(dir.path());
        program.args(["movie", "disks.h5md", "--out", "film.mp4"]).env("PATH", path);
        Done::from(program.output_apart())
    };
    let empty = dir.path().join("empty");
    std::fs::create_dir(&empty).unwrap();
    assert!(film(&empty).fails().contains("needs the program ffmpeg"));

    let broken = "#!/bin/sh\n/bin/cat > /dev/null; echo 'no such encoder' >&2; exit 1\n";
    let keeps = "#!/bin/sh\nfor last; do :; done; echo \"$@\" > asked; exec /bin/cat > \"$last\"\n";
    let stands_in = dir.path().join("bin");
    std::fs::create_dir(&stands_in).unwrap();
    for (text, works) in [(broken, false), (keeps, true)] {
        let ffmpeg = stands_in.join("ffmpeg");
        std::fs::write(&ffmpeg, text).unwrap();
        std::fs::set_permissions(&ffmpeg, std::fs::Permissions::from_mode(0o755)).unwrap();
        let done = film(&stands_in);
        match works {
            true => drop(done.succeeds()),
            false => assert!(done.fails().contains("ffmpeg failed: no such encoder"), "{done:?}"),
        }
        assert_eq!(dir.path().join("film.mp4").exists(), works);
    }
    let asked = std::fs::read_to_string(dir.path().join("asked")).unwrap();
    let size = asked.split_whitespace().skip_while(|word| *word != "-video_size").nth(1).unwrap();
    let pixels: u64 = size.split('x').map(|side| side.parse::<u64>().unwrap()).product();
    let bytes = std::fs::metadata(dir.path().join("film.mp4")).unwrap().len();
    assert_eq!(bytes, 9 * 3 * pixels, "nine frames of {size}");
    let left = std::fs::read_dir(dir.path()).unwrap();
    let left = left.filter(|entry| {
        entry.as_ref().unwrap().file_name().to_string_lossy().starts_with(".jostle")
    });
    assert_eq!(left.count(), 0);
}
