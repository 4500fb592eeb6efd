//! Particles far larger than the box, as a damaged file or `--magnify` has them: pictures show the part on the paper.

use std::path::Path;

use crate::program::{folder, jostle, shell};

fn are_drawn(folder: &Path, lines: &[&[&str]]) {
    for line in lines {
        jostle(folder, line).succeeds();
    }
}

fn set_radius(file: &Path, radius: f64) {
    let file = hdf5::File::open_rw(file).unwrap();
    let radii = file.dataset("particles/trajectory/radius").unwrap();
    let mut all = radii.read_1d::<f64>().unwrap();
    all[0] = radius;
    radii.write(&all).unwrap();
}

#[test]
fn pictures_of_huge_particles_are_drawn() {
    let dir = folder();
    let text = std::fs::read_to_string(dir.path().join("model.toml")).unwrap();
    let text = text.replace("steps = 400", "steps = 10");
    std::fs::write(dir.path().join("model.toml"), &text).unwrap();
    let text = text.replace("dimension = 2", "dimension = 3");
    let text = text.replace("rate = \"0.28 um^2/s\"", "probability = 0.1");
    std::fs::write(dir.path().join("space.toml"), text).unwrap();
    for model in ["model.toml", "space.toml"] {
        jostle(dir.path(), &["run", model, "--quiet", "--out", "a.h5md", "--force"]).succeeds();
        let picture = ["snapshot", "a.h5md", "--out", "x.png", "--force"];
        let magnified = [&picture[..], &["--magnify", "1e9"]].concat();
        are_drawn(dir.path(), &[&magnified, &[&picture[..], &["--magnify", "1e300"]].concat()]);
        for radius in [1e9, 1e30, f64::INFINITY] {
            set_radius(&dir.path().join("a.h5md"), radius);
            for line in [
                &picture[..],
                &["report", "a.h5md", "--out", "x.html", "--force"],
                &["movie", "a.h5md", "--out", "m.png", "--force"],
            ] {
                let done = jostle(dir.path(), line);
                assert!(matches!(done.code, Some(0..=2)), "{radius}: {line:?}: {done:?}");
                assert!(!done.err.contains("panicked"), "{radius}: {line:?}: {}", done.err);
                assert!(radius > 1e10 || done.code == Some(0), "{line:?}: {}", done.err);
            }
        }
    }
}

/// Names of files are shown on standard output as on standard error.
#[test]
fn names_of_files_do_not_reach_the_terminal_as_they_are() {
    let dir = folder();
    let lines = "F=$(printf 'y\\033[31m.h5md'); export F; jostle run model.toml --out \"$F\"; jostle info \"$F\"; \
                 jostle recover \"$F\"; jostle analyse \"$F\"; jostle contacts \"$F\"; \
                 jostle export \"$F\" --to xyz --out \"$F.xyz\"; jostle snapshot \"$F\" --out \"$F.svg\"; \
                 jostle report \"$F\" --out \"$F.html\"; jostle movie \"$F\" --out \"$F.png\"; \
                 jostle diff \"$F\" \"$F\"; jostle rerun \"$F\"; jostle run model.toml --out \"$F\" --resume; \
                 jostle run model.toml --out \"$F\" --force --quiet";
    let done = shell(dir.path(), lines).succeeds();
    for said in [&done.out, &done.err] {
        assert!(!said.contains('\u{1b}'), "{said}");
    }
    assert!(done.out.contains("y\u{fffd}[31m.h5md"), "{}", done.out);
}
