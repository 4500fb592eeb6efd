//! `jostle run --self-check`: what it says, and that no result depends on it.

use jostle::analysis;

use crate::program::{folder, jostle, repository};

/// The state hashes of a run, and what it said.
fn run(model: &str, options: &[&str]) -> (Vec<u64>, String) {
    let dir = folder();
    let command =
        [&["run", model, "--out", "run.h5md", "--set", "output.log=all"], options].concat();
    let said = jostle(dir.path(), &command).succeeds().out;
    (analysis::open(&dir.path().join("run.h5md")).unwrap().state_hashes().unwrap(), said)
}

/// The same run with and without; what the check said.
fn checked(model: &str, options: &[&str]) -> String {
    let path = repository().join("models").join(model);
    let path = if model == "model.toml" { model.to_owned() } else { path.display().to_string() };
    let (plain, said) = run(&path, options);
    assert!(!said.contains("self-check"), "{said}");
    let (watched, said) = run(&path, &[options, &["--self-check"]].concat());
    assert_eq!(plain, watched, "{model}");
    let said = said.split_once("self-check").unwrap_or_else(|| panic!("{said}")).1;
    assert!(said.trim_start().starts_with("nothing wrong in "), "{said}");
    said.split("\n  took")
        .next()
        .unwrap_or_default()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

#[test]
fn no_result_depends_on_it_and_the_summary_tells_what_was_looked_at() {
    let said = checked("model.toml", &[]);
    for part in ["overlap (", "containment", "accounted for by", "displacements of A: variance"] {
        assert!(said.contains(part), "{part:?} is missing in {said}");
    }
    let free =
        checked("free_diffusion.toml", &["--steps", "300", "--set", "species.slow.count=400"]);
    for part in ["displacements of slow: variance", "displacements of fast: variance"] {
        assert!(free.contains(part), "{part:?} is missing in {free}");
    }
    assert!(!free.contains("overlap"), "{free}");
}

#[test]
fn the_balance_of_other_engines_are_looked_at() {
    let gas = checked("hard_sphere_gas.toml", &["--until", "5 ms", "--set", "output.log=none"]);
    assert!(gas.contains("energy (unexplained") && gas.contains("momentum"), "{gas}");
    let shaker =
        checked("shaker_monosized.toml", &["--until", "50 ms", "--set", "output.log=none"]);
    assert!(shaker.contains("energy (unexplained") && !shaker.contains("momentum"), "{shaker}");
    let options = ["--until", "2 ms", "--set", "output.log=none"];
    let pile = checked("pile_polygons.toml", &options);
    assert!(pile.contains("centres inside others") && pile.contains("energy"), "{pile}");
}

/// A + A → A + B + B, where A and B may overlap and two B may not: the third product has to leave
/// room for the second, which is still an A while a place is looked for. Without that two B overlapped after step 14.
#[test]
fn a_product_leaves_room_for_what_a_reactant_becomes() {
    let dir = folder();
    let model = "[space]\ndimension = 3\nedges = [21.747, 17.685, 20.061]\nboundary = 'periodic'\n\
                 [run]\ntimestep = 0.003458\nsteps = 257\nseed = 327278\n\
                 [[species]]\nname = 'A'\nradius = 1.0\ndiffusion = 5.0\ncount = 60\n\
                 [[species]]\nname = 'B'\nradius = 1.0\ndiffusion = 10.0\ncount = 60\n\
                 [[rule]]\nname = 'r0'\ndo = 'convert'\non = ['A', 'A']\nproducts = ['A', 'B', 'B']\nprobability = 0.177\n\
                 [[rule]]\nname = 'r1'\ndo = 'pass'\non = ['A', 'B']\n\
                 [[rule]]\nname = 'divide'\ndo = 'convert'\non = 'B'\nproducts = ['B', 'B']\nrate = 0.782\n\
                 [clusters]\nmobility = 'immobile'\n";
    std::fs::write(dir.path().join("division.toml"), model).unwrap();
    let said = jostle(dir.path(), &["run", "division.toml", "--self-check"]).succeeds().out;
    assert!(said.contains("nothing wrong in "), "{said}");
}
