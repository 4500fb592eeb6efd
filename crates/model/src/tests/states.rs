//! States: each combination is a species, patterns reach them, particles and files name them.

use super::read;
use crate::{Model, PlacementMethod, load, parse};
use jostle_core::rules::Case;

const HEAD: &str =
    "[space]\ndimension = 2\nedges = '200 nm'\n[run]\ntimestep = '1 us'\nsteps = 10\n";

const EGFR: &str = r#"
[[species]]
name = "EGF"
radius = "1 nm"
diffusion = "1 um^2/s"
[[species]]
name = "EGFR"
states = [["free", "bound"], ["bare", "phosphorylated"]]
radius = "2.5 nm"
diffusion = "0.05 um^2/s"
drift = { velocity = ["1 um/s", 0] }
state = { bound = { radius = "3 nm" }, phosphorylated = { diffusion = "0.01 um^2/s" } }
"#;

fn model(more: &str, rules: &str) -> Model {
    read(&format!("{HEAD}{EGFR}{more}\n{rules}"), &[])
}

fn names(model: &Model) -> Vec<&str> {
    model.species.iter().map(|s| s.name.as_str()).collect()
}

#[test]
fn every_combination_of_states_is_a_species() {
    let model = model("", "");
    let expected = [
        ("EGF", 1.0, 1.0),
        ("EGFR{free,bare}", 2.5, 0.05),
        ("EGFR{free,phosphorylated}", 2.5, 0.01),
        ("EGFR{bound,bare}", 3.0, 0.05),
        ("EGFR{bound,phosphorylated}", 3.0, 0.01),
    ];
    let size = |n: usize| (model.species[n].radius, model.species[n].diffusion_coefficient);
    for (n, (name, radius, diffusion)) in expected.into_iter().enumerate() {
        assert_eq!(names(&model)[n], name);
        assert_eq!(size(n), (Some(radius), Some(diffusion)));
        assert_eq!(model.species[n].drift == model.species[4].drift, n > 0);
    }
    assert_eq!(names(&read(&model.source.resolved, &[])), names(&model));
}

#[test]
fn particles_are_in_their_first_state_unless_it_is_said() {
    let at = |model: &Model| {
        let placements = model.placement.iter();
        placements.map(|p| (p.species, p.count())).collect::<Vec<_>>()
    };
    assert_eq!(at(&model("count = 7", "")), [(1, 7)]);
    assert_eq!(
        at(&model("count = { bound = 3, 'free,phosphorylated' = 2 }", "")),
        [(2, 2), (3, 3)]
    );
    assert_eq!(at(&model("placement = { lattice = 4, state = 'bound' }", "")), [(3, 4)]);
    let twice =
        parse(&format!("{HEAD}{EGFR}count = {{ bound = 3, 'bound,bare' = 2 }}"), "test", &[]);
    assert!(twice.unwrap_err().to_string().contains("EGFR{bound,bare} already has a number"));
}

#[test]
fn files_of_positions_name_states() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.toml");
    let csv =
        "x_nm,y_nm,species\n10,20,EGFR\n30,20,EGF\n50,60,EGFR{bound}\n70,60,\"EGFR{free,bare}\"\n";
    std::fs::write(folder.path().join("some.csv"), csv).unwrap();
    let found = |placement: &str| {
        std::fs::write(&path, format!("{HEAD}{EGFR}placement = {placement}")).unwrap();
        let model = load(&path, &[]).unwrap_or_else(|faults| panic!("{faults}"));
        let xs = |how: &PlacementMethod| match how {
            PlacementMethod::Positions(places) => places.iter().map(|x| x[0]).collect(),
            _ => Vec::new(),
        };
        model.placement.iter().map(|p| (p.species, xs(&p.how))).collect::<Vec<(u16, Vec<f64>)>>()
    };
    assert_eq!(found("{ file = 'some.csv' }"), [(1, vec![10.0, 70.0]), (3, vec![50.0])]);
    // All that is said to be bound, and all that is said to be nothing.
    assert_eq!(found("{ file = 'some.csv', state = 'bound' }"), [(3, vec![10.0, 50.0])]);
}

#[test]
fn output_and_rules_take_patterns() {
    let rules = "[[rule]]\nname = 'apart'\ndo = 'ignore'\non = ['EGFR{free}', 'EGFR{bare}']\n\
                 [output]\nlog_species = ['EGF', 'EGFR{bound}', 'EGFR{phosphorylated}']\n";
    let model = model("", rules);
    assert_eq!(model.output.log_species, [0, 3, 4, 2]);
    let cases: Vec<_> = model.rules().contact[0].cases.iter().map(|case| case.species).collect();
    // Each pair once, whichever way round it fits.
    assert_eq!(cases, [[1, 1], [1, 3], [2, 1], [2, 3]]);
}

#[test]
fn products_keep_the_states_that_are_not_named() {
    let rules = "[[rule]]\nname = 'grab'\ndo = 'convert'\non = ['EGF', 'EGFR{free}']\n\
                 products = ['EGFR{bound}']\nrate = '0.1 um^2/s'\n\
                 [[rule]]\nname = 'mark'\ndo = 'convert'\non = 'EGFR'\nproducts = ['EGFR{phosphorylated}']\n\
                 rate = '1 /s'\n";
    let model = model("count = 1", rules);
    let grab = &model.rules().contact[0].cases;
    let made: Vec<_> = grab.iter().map(|case| (case.species, case.products.clone())).collect();
    assert_eq!(made, [([0, 1], vec![3]), ([0, 2], vec![4])]);
    // Those that are phosphorylated already stay out of it.
    let jostle_core::rules::TimedAction::Convert { cases } = &model.rules().timed[0].action else {
        panic!("a conversion");
    };
    assert_eq!(*cases, [Case::new([1], &[2]), Case::new([3], &[4])]);
    let again = read(&model.source.resolved, &[]);
    assert_eq!(again.rules(), model.rules());
}
