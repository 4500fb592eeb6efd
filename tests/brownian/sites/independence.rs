//! Sites that change independently of each other have the product of their distributions.

use super::{molecule, turns};
use jostle::brownian::{Brownian, Seed};
use jostle::observe::NoObserver;
use jostle::rules::{Action, Case, ContactRule, RuleSet, TimedAction, TimedRule};
use jostle::space::Vector;
use jostle::species::Species;

use crate::kinetics::{chi_squared, particle, periodic};

/// \[µs\]
const TIMESTEP: f64 = 0.05;
const RECEPTORS: usize = 8000;
/// chi² may be so many standard deviations above what is likely: 3 false alarms in 10 million.
const BOUND: f64 = 5.0;

/// Receptors that ignore each other, after some steps.
fn receptors(species: Vec<Species>, rules: RuleSet, steps: u64) -> Brownian<3> {
    let seeds = vec![Seed { species: 0, position: Vector([5.0; 3]) }; RECEPTORS];
    let mut engine = periodic(10.0, TIMESTEP, species, rules, 11, &seeds);
    (0..steps).for_each(|_| engine.step(&mut NoObserver).expect("a step"));
    engine
}

fn ignoring(species: u16) -> Vec<ContactRule> {
    let pairs = (0..species).flat_map(|a| (a..species).map(move |b| Case::new([a, b], &[])));
    let rule = ContactRule::plain("ignore", [0, 0], Action::Ignore);
    vec![ContactRule { cases: pairs.collect(), ..rule }]
}

/// The share of each combination of states, if site n is in its second state with `p[n]`.
fn product(p: &[f64]) -> Vec<f64> {
    let share = |code: usize| {
        let of = |n: usize| if code >> n & 1 == 1 { p[n] } else { 1.0 - p[n] };
        (0..p.len()).map(of).product::<f64>()
    };
    (0..1 << p.len()).map(|code| RECEPTORS as f64 * share(code)).collect()
}

/// 8000 receptors with seven sites, each with rates of its own: all 128 combinations as often as
/// the product of the seven equilibria says. Nothing is listed by combination anywhere.
#[test]
fn seven_sites_have_the_product_of_their_equilibria() {
    let names = ["a", "b", "c", "d", "e", "f", "g"];
    let sites: Vec<(&str, &[&str])> = names.map(|name| (name, ["u", "p"].as_slice())).to_vec();
    let receptor = molecule("R", 1.0, 1.0, &sites);
    let rates: Vec<[f64; 2]> = (0..7).map(|n| [0.3 + 0.1 * n as f64, 0.7]).collect();
    let timed = (0u8..).zip(&rates).flat_map(|(site, rate)| {
        let of = (0, &receptor);
        [turns("up", of, site, 0, rate[0]), turns("down", of, site, 1, rate[1])]
    });
    let rules = RuleSet { contact: ignoring(1), timed: timed.collect(), ..RuleSet::default() };
    let engine = receptors(vec![receptor.clone()], rules, 400);
    let mut found = vec![0.0; 128];
    for &code in &engine.particles().sites {
        let states = (0..7).map(|n| receptor.sites.state_of(code, n) << n).sum::<usize>();
        found[states] += 1.0;
    }
    let p: Vec<f64> = rates.iter().map(|[up, down]| up / (up + down)).collect();
    let z = chi_squared(&found, &product(&p));
    assert!(z < BOUND, "chi² is {z:.1} standard deviations too large");
}

/// Three sites, on the way to equilibrium, by sites and as eight species: both as p (1 - exp(-k t))
/// says, 8000 receptors each.
#[test]
fn states_of_sites_and_species_for_each_combination_give_the_same() {
    let rates = [[0.8, 0.2], [0.3, 0.6], [0.5, 0.5]];
    let steps = 16;
    let time = steps as f64 * TIMESTEP;
    let p =
        rates.map(|[up, down]: [f64; 2]| up / (up + down) * (1.0 - (-(up + down) * time).exp()));
    let expected = product(&p);

    let sites: Vec<(&str, &[&str])> = ["a", "b", "c"].map(|n| (n, ["u", "p"].as_slice())).to_vec();
    let receptor = molecule("R", 1.0, 1.0, &sites);
    let timed = (0u8..).zip(rates).flat_map(|(site, rate)| {
        let of = (0, &receptor);
        [turns("up", of, site, 0, rate[0]), turns("down", of, site, 1, rate[1])]
    });
    let rules = RuleSet { contact: ignoring(1), timed: timed.collect(), ..RuleSet::default() };
    let engine = receptors(vec![receptor.clone()], rules, steps);
    let mut by_sites = vec![0.0; 8];
    for &code in &engine.particles().sites {
        let states = (0..3).map(|n| receptor.sites.state_of(code, n) << n).sum::<usize>();
        by_sites[states] += 1.0;
    }

    let species: Vec<Species> = (0..8).map(|n| particle(&format!("R{{{n}}}"), 1.0, 1.0)).collect();
    let timed = rates.iter().enumerate().flat_map(|(site, rate)| {
        [0, 1].map(|from| {
            let those = (0u16..8).filter(|code| usize::from(code >> site & 1) == from);
            let cases = those.map(|code| Case::new([code], &[code ^ 1 << site])).collect();
            TimedRule::new("turn", TimedAction::Convert { cases }, rate[from])
        })
    });
    let rules = RuleSet { contact: ignoring(8), timed: timed.collect(), ..RuleSet::default() };
    let engine = receptors(species, rules, steps);
    let mut by_species = vec![0.0; 8];
    engine.particles().species.iter().for_each(|&s| by_species[s as usize] += 1.0);

    for (what, found) in [("sites", by_sites), ("species", by_species)] {
        let z = chi_squared(&found, &expected);
        println!("{what}: chi² {z:.2} standard deviations above its mean");
        assert!(z < BOUND, "by {what}, chi² is {z:.1} standard deviations too large");
    }
}
