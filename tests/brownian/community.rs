//! Cases that the community compares its simulators on, run from the models that come along. (The
//! crowding case has a program of its own, since it is run for its curve.)
//!
//! With the feature `long` more of them, for longer: some ten minutes on two cores.

use rayon::prelude::*;

use jostle::model;
use jostle::observe::NoObserver;

/// The mean number of particles of a species at some steps of a model, over seeds, with its error.
fn counts<const D: usize>(
    path: &str,
    set: &[(&str, &str)],
    species: &str,
    steps: &[u64],
    seeds: u64,
) -> Vec<(f64, f64)> {
    let run = |seed: u64| {
        let seed = seed.to_string();
        let own = [("run.seed", seed.as_str()), ("search", "cubic")];
        let set = set.iter().chain(&own).map(|(key, value)| (key.to_string(), value.to_string()));
        let set: Vec<_> = set.collect();
        let model = model::load(path.as_ref(), &set).unwrap_or_else(|faults| panic!("{faults}"));
        let number =
            model.species.iter().position(|s| s.name == species).expect("a species of the model");
        // The runs share the cores; each takes one.
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
        pool.install(|| {
            let mut engine = jostle::run::engine::<D>(&model).expect("a start");
            let mut found = Vec::new();
            for &step in steps {
                while engine.clock().step < step {
                    engine.step(&mut NoObserver).expect("a step");
                }
                let p = engine.particles();
                let living = p.slots_by_id().into_iter();
                found.push(
                    living.filter(|&slot| p.species[slot as usize] as usize == number).count()
                        as f64,
                );
            }
            found
        })
    };
    let runs: Vec<Vec<f64>> = (1..=seeds).into_par_iter().map(run).collect();
    let n = seeds as f64;
    let of_step = |k: usize| {
        let mean = runs.iter().map(|run| run[k]).sum::<f64>() / n;
        let square = runs.iter().map(|run| (run[k] - mean).powi(2)).sum::<f64>() / (n - 1.0);
        (mean, (square / n).sqrt())
    };
    (0..steps.len()).map(of_step).collect()
}

/// Fails unless `found` is `expected` within 4.5 standard errors and what that may be off itself.
fn holds(what: &str, (found, error): (f64, f64), expected: f64, bias: f64) {
    println!("{what}: {found:.2} +- {error:.2}, expected {expected:.2} (give or take {bias:.2})");
    assert!(
        (found - expected).abs() < 4.5 * error + bias,
        "{what}: {found} +- {error}, not {expected}"
    );
}

const MEMBRANE: &str = "models/reversible_binding.toml";

/// Reversible binding in 2D (Johnson et al. 2021) on a tenth of the area: A after 0.1 ms. NERDSS
/// has 761 of 1000, which may be off by 1 % itself; Smoldyn 383. 16 runs of 200 particles and 10
/// 000 steps: 3.2e7 particle steps. False alarms 7e-6.
#[test]
fn binding_on_a_membrane_is_as_fast_as_nerdss_has_it() {
    let found = counts::<2>(MEMBRANE, &[], "A", &[10_000], 16);
    holds("A in 2D after 0.1 ms", found[0], 76.1, 0.8);
}

/// The same after 1 ms, where NERDSS has 304 and mass action 247. 32 runs of 1e5 steps: 6.4e8
/// particle steps. False alarms 7e-6.
#[cfg(feature = "long")]
#[test]
fn binding_on_a_membrane_slows_down_as_nerdss_has_it() {
    let found = counts::<2>(MEMBRANE, &[], "A", &[100_000], 32);
    holds("A in 2D after 1 ms", found[0], 30.4, 0.8);
}

/// Reversible binding in 3D (Johnson et al. 2021) in a thousandth of the volume, k_a forty times
/// that of diffusion, at the largest step that can give it: A after 20 and 100 µs against the
/// partial differential equation, 93.506 of 100 at 100 µs (which leaves out that pairs are few:
/// 0.5). 24 runs of 200 particles and 250 000 steps: 1.2e9 particle steps. False alarms 7e-6.
#[cfg(feature = "long")]
#[test]
fn binding_in_space_follows_the_partial_differential_equation() {
    let set = [
        ("space.dimension", "3"),
        ("space.edges", "147.25 nm"),
        ("rule.associate.rate", "1000 nm^3/us"),
        ("rule.associate.unbind", "1 /s"),
        ("run.timestep", "0.4 ns"),
        ("run.until", "100 us"),
    ];
    let found = counts::<3>(MEMBRANE, &set, "A", &[250_000], 24);
    holds("A in 3D after 0.1 ms", found[0], 93.5, 0.5);
}
