//! Concentrations in place of numbers, and models in which only reactions count.

use super::read;
use crate::{Model, PlacementMethod, parse};
use jostle_core::rules::Action;

const HEAD: &str = "[run]\ntimestep = '1 ns'\nsteps = 10\n";

fn counts(model: &Model) -> Vec<usize> {
    model.placement.iter().map(crate::Placement::count).collect()
}

fn species(name: &str, more: &str) -> String {
    format!("[[species]]\nname = '{name}'\nradius = '1 nm'\ndiffusion = '1 um^2/s'\n{more}\n")
}

#[test]
fn concentrations_are_multiplied_with_the_room_that_particles_have() {
    let cell = "[space]\ndimension = 3\nedges = '1 um'\n\
                [[surface]]\nname = 'cell'\nsphere = { radius = '400 nm' }\n";
    let text = [
        cell.to_owned() + HEAD,
        species("outside", "outside = 'cell'\ncount = '1 uM'"),
        species("inside", "inside = 'cell'\ncount = '1 uM'"),
        species("on", "on = 'cell'\ncount = '180 /um^2'"),
        species("anywhere", "placement = { lattice = '100 /um^3' }"),
        species(
            "two",
            "states = ['a', 'b']\ncount = { a = '50 /um^3', b = { concentration = '20 /um^3' } }",
        ),
    ];
    let model = read(&text.concat(), &[]);
    // 602.214 per µm³; the sphere holds 0.268083 µm³ and has 2.010619 µm².
    assert_eq!(counts(&model), [441, 161, 362, 100, 50, 20]);
    assert_eq!(model.placement[3].how, PlacementMethod::Lattice { count: 100 });
    // Written out, they are numbers.
    assert_eq!(counts(&read(&model.source.resolved, &[])), counts(&model));
    for (dimension, asked, count) in [(2, "180 /um^2", 180), (1, "20 /um", 20)] {
        let space = format!("[space]\ndimension = {dimension}\nedges = '1 um'\n");
        let flat = read(&(space + HEAD + &species("A", &format!("count = '{asked}'"))), &[]);
        assert_eq!(counts(&flat), [count]);
    }
    let none = read(&(cell.to_owned() + HEAD + &species("A", "count = '1e-6 nM'")), &[]);
    assert_eq!(counts(&none), [0]);
    assert_eq!(counts(&read(&none.source.resolved, &[])), [0_usize; 0]);
}

/// 2000 numbers with mean 100: their mean and variance are 100 within five standard errors (0.224
/// and 3.2), which fails one time in a million; the seeds are fixed.
#[test]
fn a_number_can_be_drawn_from_a_poisson_distribution() {
    let text = "[space]\ndimension = 3\nedges = '1 um'\n".to_owned()
        + HEAD
        + &species("A", "count = { concentration = '100 /um^3', poisson = true }");
    let number = |seed: u64| counts(&read(&text, &[("run.seed", &seed.to_string())]))[0] as f64;
    let all: Vec<f64> = (1..=2000).map(number).collect();
    let mean = all.iter().sum::<f64>() / 2000.0;
    let variance = all.iter().map(|n| (n - mean).powi(2)).sum::<f64>() / 1999.0;
    assert!((mean - 100.0).abs() < 1.12 && (variance - 100.0).abs() < 16.0, "{mean} {variance}");
    assert_eq!(number(7), all[6]);
}

#[test]
fn where_only_reactions_count_other_pairs_ignore_each_other() {
    let space = "[space]\ndimension = 3\nedges = '1 um'\n";
    let particles: String = ["A", "B", "C"].map(|name| species(name, "count = 5")).concat();
    let rule = "[[rule]]\nname = 'pair'\ndo = 'bind'\nmerge = 'bond'\non = ['A', 'B']\nrate = '1e7 /M/s'\nunbind = '10 /s'\n";
    let all = [[0, 0], [0, 1], [0, 2], [1, 1], [1, 2], [2, 2]];
    let ignoring = |model: &Model| all.map(|[a, b]| model.rules().ignore(a, b));
    let only = [true, false, true, true, true, true];
    let reactive = read(&format!("{space}{HEAD}interactions = 'reactive'\n{particles}{rule}"), &[]);
    assert_eq!(ignoring(&reactive), only);
    assert_eq!(ignoring(&read(&reactive.source.resolved, &[])), only);
    let hard = read(&format!("{space}{HEAD}interactions = 'hard'\n{particles}{rule}"), &[]);
    assert_eq!(ignoring(&hard), [false; 6]);
    // The same by a rule for all, which gives way to others wherever it stands.
    let wild = "[[rule]]\nname = 'others'\ndo = 'ignore'\non = ['*', '*']\n";
    let bounce = "[[rule]]\nname = 'hard'\ndo = 'bounce'\non = ['C', 'C']\n";
    let model = read(&format!("{space}{HEAD}{particles}{wild}{rule}{bounce}"), &[]);
    assert_eq!(ignoring(&model), [true, false, true, true, true, false]);
    assert_eq!(model.rules().contact[2].action, Action::Bounce);
    // A pair that may react can pass as well: passing gives way only to other rules of its kind.
    let pass = "[[rule]]\nname = 'others'\ndo = 'pass'\non = ['*', '*']\n";
    let model = read(&format!("{space}{HEAD}{particles}{pass}{rule}{bounce}"), &[]);
    assert_eq!(all.map(|[a, b]| model.rules().pass(a, b)), [true, true, true, true, true, false]);
    let granular = format!("{space}{HEAD}interactions = 'soft'\n{particles}");
    let fault = parse(&granular, "test", &[]).unwrap_err().to_string();
    assert!(fault.contains("one of \"hard\", \"reactive\" is needed"), "{fault}");
}
