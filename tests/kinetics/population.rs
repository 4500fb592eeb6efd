//! Twenty A and twenty B that bind and unbind: fluctuations, and what goes in comes out.

use std::f64::consts::PI;

use jostle::brownian::{Brownian, Seed};
use jostle::observe::{Change, ChangeKind, Contact, Observer, ObserverError, Partner};
use jostle::rules::Chance;
use jostle::rules::rates::ReactingPair;
use jostle::space::Vector;
use jostle::theory::contact_value_mixture_3d;

use crate::support::*;

const TWENTY: usize = 20;
/// The periodic box: 0.5 % of it is filled.
const EDGE: f64 = 16.0;
const VOLUME: f64 = EDGE * EDGE * EDGE;
/// The diameter of C, that of A and B being 1. 2^(1/3)
const WHOLE: f64 = 1.259_921_049_894_873;

/// What happens to the population.
#[derive(Default)]
struct Population {
    bound: usize,
    since: f64,
    /// The time integral of the number of C, and that of the number of pairs of a free A and a free
    /// B. \[steps\]
    whole: f64,
    pairs: f64,
    /// Contacts of A and B.
    meetings: usize,
    /// Unbindings that fell due, but did not fit.
    refused: usize,
    /// When within the step C arise and fall apart.
    bindings: Vec<f64>,
    partings: Vec<f64>,
}

impl Observer<3> for Population {
    fn wants_contacts(&self) -> bool {
        true
    }

    fn contact(&mut self, contact: &Contact<3>) -> Result<(), ObserverError> {
        if let Partner::Body { species, .. } = contact.partner {
            self.meetings +=
                usize::from([contact.species, species].iter().all(|&s| s < 2) && contact.species != species);
        }
        Ok(())
    }

    fn change(&mut self, change: &Change<'_, 3>) -> Result<(), ObserverError> {
        let now = change.step as f64 + change.time;
        let free = (TWENTY - self.bound) as f64;
        self.whole += self.bound as f64 * (now - self.since);
        self.pairs += free * free * (now - self.since);
        self.since = now;
        match change.kind {
            ChangeKind::Coalesced => {
                self.bound += 1;
                self.bindings.push(change.time);
            }
            ChangeKind::Split => {
                self.bound -= 1;
                self.partings.push(change.time);
            }
            kind => {
                assert_eq!(kind, ChangeKind::Refused);
                self.refused += 1;
            }
        }
        Ok(())
    }
}

/// How likely it is that `c` are bound: (K/V)^c / [(20-c)!² c!], corrected for the volume from which
/// bodies exclude each other in pairs. (In threes: less than 1e-4 of the ratio of neighbours.)
fn likelihood(k: f64) -> Vec<f64> {
    let excluded = |distance: f64| 4.0 * PI / 3.0 * distance.powi(3) / VOLUME;
    let factorial = |n: usize| (1..=n).map(|i| i as f64).product::<f64>();
    let weights: Vec<f64> = (0..=TWENTY)
        .map(|c| {
            let (whole, free) = (c as f64, 2.0 * (TWENTY - c) as f64);
            let pairs = 0.5 * free * (free - 1.0) * excluded(1.0)
                + free * whole * excluded(0.5 + 0.5 * WHOLE)
                + 0.5 * whole * (whole - 1.0) * excluded(WHOLE);
            (k / VOLUME).powi(c as i32) / (factorial(TWENTY - c).powi(2) * factorial(c)) * (-pairs).exp()
        })
        .collect();
    let sum: f64 = weights.iter().sum();
    weights.iter().map(|weight| weight / sum).collect()
}

/// Forty places: pairs far from each other, or in touch.
fn start(touching: bool) -> Vec<Seed<3>> {
    let cell = |n: usize| Vector([n % 4, n / 4 % 4, n / 16].map(|k| 4.0 * k as f64 + 1.0));
    let partner = Vector([1.0, 0.0, 0.0]);
    let place = |n: usize| match (touching, n % 2) {
        (true, 0) => cell(n / 2),
        (true, _) => cell(n / 2) + partner,
        (false, _) => cell(n),
    };
    (0..2 * TWENTY).map(|n| Seed { species: (n % 2) as u16, position: place(n) }).collect()
}

/// From a start with everybody free and from one with most bound.
///
/// - The number of C is distributed as statistical mechanics says: chi² of 2500 samples each, 80
///   steps, about five relaxation times, apart.
/// - Both starts lead to the same mean.
/// - A and B meet V_c g N_A N_B/V times a step (g of a mixture; about 60 000 contacts each).
/// - Unbindings fall due at k_d per C (as many; one of a hundred is refused).
/// - Both happen at any time within the step (Kolmogorov-Smirnov).
///
/// Standard errors of the fluxes 0.4 to 0.6 %, from 50 blocks; 11 tests, false alarms 7e-5.
#[test]
fn a_population_has_the_distribution_and_the_fluxes_of_equilibrium() {
    let pair = ReactingPair::new(3, 1.0, 1.0).expect("positive numbers");
    let (timestep, k) = (0.5, 0.02 * VOLUME);
    let k_d = pair.contact_rate(timestep) / k;
    let likelihood = likelihood(k);
    let expected: f64 = likelihood.iter().enumerate().map(|(c, p)| c as f64 * p).sum();
    let means = [false, true].map(|touching| {
        timed("population", || {
            let species = vec![body("A", 0.5, 0.5), body("B", 0.5, 0.5), product("C")];
            let rules = binding(Bind::Into(2), Chance::Probability(1.0), k_d);
            let seed = if touching { 5 } else { 3 };
            let mut engine = periodic(EDGE, timestep, species, rules, seed, &start(touching));
            let first = run(&mut engine, &mut Population::default(), 1);
            assert!(if touching { first > 10 } else { first < 2 }, "{first} bound at the start");
            observe(&mut engine, first, &likelihood, k_d * timestep)
        })
    });
    let [free, touching] = means;
    for (mean, error) in means {
        hold("mean number of C", mean, error, expected, 0.0);
    }
    hold("difference of the starts", touching.0 - free.0, touching.1.hypot(free.1), 0.0, 0.0);
}

/// Goes on for `steps` and returns how many are bound.
fn run(engine: &mut Brownian<3>, population: &mut Population, steps: usize) -> usize {
    for _ in 0..steps {
        engine.step(population).expect("a step");
    }
    population.bound
}

/// Lets the population relax, then holds it to the laws of equilibrium. Returns the mean number of
/// C and its standard error.
fn observe(engine: &mut Brownian<3>, bound: usize, likelihood: &[f64], rate: f64) -> (f64, f64) {
    let since = engine.clock().step as f64;
    let bound = run(engine, &mut Population { bound, since, ..Population::default() }, 1000);
    let mut counts = vec![0.0; TWENTY + 1];
    let mut rows = Vec::new();
    let mut population = Population { bound, ..Population::default() };
    for _ in 0..50 {
        let since = engine.clock().step as f64;
        let bindings = std::mem::take(&mut population.bindings);
        let partings = std::mem::take(&mut population.partings);
        population =
            Population { bound: population.bound, since, bindings, partings, ..Population::default() };
        let partings = population.partings.len();
        for _ in 0..50 {
            counts[run(engine, &mut population, 80)] += 1.0;
        }
        let partings = (population.partings.len() - partings + population.refused) as f64;
        rows.push([population.meetings as f64, population.pairs, partings, population.whole]);
    }
    let column =
        |above: usize, below: usize| -> Vec<_> { rows.iter().map(|row| (row[above], row[below])).collect() };
    let samples: f64 = counts.iter().sum();
    let expected: Vec<f64> = likelihood.iter().map(|p| p * samples).collect();
    let deviation = chi_squared(&counts, &expected);
    println!("  chi²: {deviation:.2} standard deviations");
    assert!(deviation < Z, "{counts:?} instead of {expected:?}");
    let whole: Vec<f64> = rows.iter().map(|row| row[3] / 4000.0).collect();
    let (found, error) = ratio(&column(0, 1));
    hold("meetings per pair and step", found, error, meetings_per_pair(mean(&whole).0), 0.0);
    let (found, error) = ratio(&column(2, 3));
    hold("unbindings per C and step", found, error, rate, 0.0);
    for moments in [population.bindings, population.partings] {
        let distance = kolmogorov(moments);
        assert!(distance < KOLMOGOROV, "not uniform within the step: {distance}");
    }
    mean(&whole)
}

/// V_c g/V at the mean composition. The relative step per axis is one contact distance.
fn meetings_per_pair(whole: f64) -> f64 {
    let pair = ReactingPair::new(3, 1.0, 1.0).expect("positive numbers");
    let free = 2.0 * (TWENTY as f64 - whole);
    let kinds = [(free / VOLUME, 1.0), (whole / VOLUME, WHOLE)];
    pair.contact_volume(0.5) * contact_value_mixture_3d(&kinds, 0, 0) / VOLUME
}
