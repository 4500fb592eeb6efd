//! Well-mixed networks against exact distributions and against BioNetGen.

use jostle_model::bngl::{Network, read};

use super::WellMixed;

fn network(body: &str) -> Network {
    read(body, "test.bngl").unwrap_or_else(|faults| panic!("{faults}"))
}

/// A block of a file.
fn block(name: &str, lines: &str) -> String {
    format!("begin {name}\n{lines}\nend {name}\n")
}

fn model(types: &str, seeds: &str, rules: &str, observables: &str) -> Network {
    network(
        &(block("molecule types", types)
            + &block("seed species", seeds)
            + &block("reaction rules", rules)
            + &block("observables", observables)),
    )
}

/// The mean and the variance of the first observable at times so far apart that they are
/// independent.
fn moments(network: &Network, count: usize, apart: f64) -> [f64; 2] {
    let mut cell = WellMixed::new(network, 1);
    let mut values = Vec::new();
    for n in 0..count {
        cell.advance(apart * (n + 2) as f64);
        values.push(cell.observed(0) as f64);
    }
    assert!(cell.is_consistent());
    let mean = values.iter().sum::<f64>() / count as f64;
    let variance = values.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / count as f64;
    [mean, variance]
}

/// The mean and the variance of a number with these weights, from 0.
fn exact(weights: impl Iterator<Item = f64>) -> [f64; 2] {
    let weights: Vec<f64> = weights.collect();
    let of = |power: i32| -> f64 {
        weights.iter().enumerate().map(|(n, w)| w * (n as f64).powi(power)).sum()
    };
    let mean = of(1) / of(0);
    [mean, of(2) / of(0) - mean * mean]
}

/// Weights of a number that goes up and down one by one: each is the one before times the ratio.
fn chain(most: usize, ratio: impl Fn(f64) -> f64) -> impl Iterator<Item = f64> {
    (0..=most).scan(1.0, move |weight, n| {
        let own = *weight;
        *weight *= ratio(n as f64);
        Some(own)
    })
}

fn assert_like([mean, variance]: [f64; 2], [expected, spread]: [f64; 2], count: usize) {
    let z = (mean - expected) / (spread / count as f64).sqrt();
    assert!(z.abs() < 4.5, "mean {mean}, expected {expected}, z = {z}");
    // Of a distribution that is nearly Gaussian.
    let z = (variance / spread - 1.0) / (2.0 / count as f64).sqrt();
    assert!(z.abs() < 5.0, "variance {variance}, expected {spread}, z = {z}");
}

const COUNT: usize = 2000;

#[test]
fn molecules_that_come_and_go_are_poisson_distributed() {
    let net = model("A(s~u~p)", "A(s~u) 0", "0 -> A(s~u) 20\nA() -> 0 0.5", "Molecules A A()");
    assert_like(moments(&net, COUNT, 12.0), [40.0, 40.0], COUNT);
}

#[test]
fn pairs_form_and_part_in_equilibrium() {
    let rules = "A(b) + B(a) <-> A(b!1).B(a!1) 0.01, 0.2";
    let net = model("A(b)\nB(a)", "A(b) 30\nB(a) 20", rules, "Molecules AB A(b!1).B(a!1)");
    let expected = exact(chain(20, |n| 0.05 * (30.0 - n) * (20.0 - n) / (n + 1.0)));
    assert_like(moments(&net, COUNT, 20.0), expected, COUNT);
}

/// Each pair of like molecules counts once, and each dimer.
#[test]
fn like_molecules_pair_up_once() {
    let rules = "A(b) + A(b) <-> A(b!1).A(b!1) 0.02, 0.2";
    let net = model("A(b)", "A(b) 40", rules, "Species AA A(b!1).A(b!1)");
    let pairs = |n: f64| (40.0 - 2.0 * n) * (39.0 - 2.0 * n) / 2.0;
    let expected = exact(chain(20, |n| 0.1 * pairs(n) / (n + 1.0)));
    assert_like(moments(&net, COUNT, 20.0), expected, COUNT);
    // Two ends of each dimer fit.
    let twice = model("A(b)", "A(b!1).A(b!1) 3", rules, "Molecules AA A(b!1).A(b!1)");
    assert_eq!(WellMixed::new(&twice, 1).observed(0), 6);
}

#[test]
fn sites_of_one_name_are_independent() {
    let rules = "L(r~u) -> L(r~p) 2\nL(r~p) -> L(r~u) 3";
    let net = model("L(r~u~p,r~u~p,r~u~p)", "L(r~u,r~u,r~u) 20", rules, "Molecules P L(r~p)");
    assert_like(moments(&net, COUNT, 3.0), [24.0, 60.0 * 0.4 * 0.6], COUNT);
}

/// What is bound to receptors with three sites each, from so many ligands that few are taken.
#[test]
fn occupancy_counts_every_free_site() {
    let rules = "R(l) + L(r) <-> R(l!1).L(r!1) 0.002, 1";
    let net = model("R(l,l,l)\nL(r)", "R(l,l,l) 5\nL(r) 500", rules, "Molecules B L(r!+)");
    let expected = exact(chain(15, |n| 0.002 * (15.0 - n) * (500.0 - n) / (n + 1.0)));
    assert_like(moments(&net, COUNT, 6.0), expected, COUNT);
}

#[test]
fn chains_never_close_to_rings() {
    let rules = "A(a) + A(b) -> A(a!1).A(b!1) 1";
    let net = model("A(a,b)", "A(a,b) 30", rules, "Molecules bonds A(a!+)");
    let mut cell = WellMixed::new(&net, 3);
    cell.advance(1e3);
    assert_eq!((cell.observed(0), cell.sizes()), (29, vec![30]));
    assert!(cell.is_consistent());
}

#[test]
fn complexes_go_as_a_whole_unless_only_molecules_are_meant() {
    let seeds = "A(b!1).B(a!1) 10";
    let sizes = |rule: &str| {
        let net = model("A(b)\nB(a)", seeds, rule, "Molecules A A()");
        let mut cell = WellMixed::new(&net, 3);
        cell.advance(1e3);
        assert!(cell.is_consistent());
        cell.sizes()
    };
    assert!(sizes("A() -> 0 1").is_empty());
    assert_eq!(sizes("A() -> 0 1 DeleteMolecules"), [1; 10]);
    assert_eq!(sizes("A(b!1).B(a!1) -> A(b) 1"), [1; 10]);
}

#[test]
fn patterns_without_bonds_ask_for_one_complex() {
    let types = "K(s~u~p,k)\nA(k,k)";
    let seeds = "K(s~u,k!1).A(k!1,k!2).K(s~u,k!2) 7\nK(s~u,k!1).A(k!1,k) 3";
    let net = model(
        types,
        seeds,
        "K(s~u).K(s~u) -> K(s~p).K(s~u) 1",
        "Molecules P K(s~p)\nMolecules KK K().K()",
    );
    let mut cell = WellMixed::new(&net, 3);
    assert_eq!(cell.observed(1), 14);
    cell.advance(1e3);
    assert_eq!(cell.observed(0), 7);
}

/// Means and standard deviations of the observables at one time, and over how many runs.
struct Reference {
    time: f64,
    expected: &'static [[f64; 2]],
    runs: f64,
}

fn assert_like_others(text: &str, reference: &Reference, runs: u64) {
    let net = network(text);
    let mut sums = vec![0.0; reference.expected.len()];
    for seed in 0..runs {
        let mut cell = WellMixed::new(&net, seed);
        cell.advance(reference.time);
        sums.iter_mut().enumerate().for_each(|(n, sum)| *sum += cell.observed(n) as f64);
        assert!(seed > 0 || cell.is_consistent());
    }
    for (n, (sum, [mean, deviation])) in sums.into_iter().zip(reference.expected).enumerate() {
        let error = deviation * (1.0 / runs as f64 + 1.0 / reference.runs).sqrt();
        let z = (sum / runs as f64 - mean) / error;
        assert!(z.abs() < 4.5, "observable {n}: {} and not {mean}, z = {z}", sum / runs as f64);
    }
}

/// RecDim, Rec_A, Rec_K and KP by BioNetGen 2.9.3: `generate_network`, then `simulate` with the method
/// "ssa".
#[test]
fn kinases_at_receptors_are_those_of_bionetgen() {
    let text = include_str!("../../../../models/bngl/receptor_kinase.bngl");
    let expected = &[[31.070, 4.96], [37.755, 4.00], [14.270, 3.25], [0.735, 1.05]];
    assert_like_others(text, &Reference { time: 20.0, expected, runs: 400.0 }, 100);
}

/// Dimers, RP, ShcP and Sos_act in the same way.
#[test]
fn receptors_with_356_species_are_those_of_bionetgen() {
    let text = include_str!("../../../../models/bngl/egfr_net.bngl");
    let expected = &[[1286.8, 20.0], [940.3, 28.0], [1627.8, 32.0], [121.1, 13.0]];
    assert_like_others(text, &Reference { time: 10.0, expected, runs: 12.0 }, 1);
}

/// Bonds, free sites and clusters by the NFsim that comes with it, without rings (`-cb -bscb`).
#[test]
fn clusters_of_trivalent_ligands_are_those_of_nfsim() {
    let text = include_str!("../../../../models/bngl/trivalent_ligand.bngl");
    let expected = &[[408.925, 13.7], [191.075, 13.7], [10.0, 3.43]];
    assert_like_others(text, &Reference { time: 50.0, expected, runs: 40.0 }, 10);
}
