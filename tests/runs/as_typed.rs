//! The number that is typed is the number that comes out, where two features meet.

use jostle::brownian::Brownian;
use jostle::observe::NoObserver;
use jostle::{model, run};

/// The engine that a model's text describes.
fn engine(text: &str) -> Brownian<3> {
    let model = model::parse(text, "model", &[]).unwrap_or_else(|faults| panic!("{faults}"));
    run::engine(&model).expect("it starts")
}

fn count(engine: &Brownian<3>, species: u16) -> f64 {
    let p = engine.particles();
    (0..p.len()).filter(|&i| p.alive[i] && p.species[i] == species).count() as f64
}

const SPACE: &str = "[space]\ndimension = 3\nboundary = 'periodic'\nedges = ";

/// What is made at a contact overlaps others that it can react with: where only reactions matter, that
/// is no reason to refuse it. About 980 particles are converted, at the rate typed for contacts, 100, with
/// 4π·20·5 = 1257 nm³/µs for the way to the partner: together 92.6, plus what is nearer by chance at first.
/// The standard error is 3 % and a deviation of 5 of them an error: the seeds are fixed, and one in a
/// million others would be a false alarm.
#[test]
fn where_only_reactions_matter_no_product_is_refused_for_want_of_space() {
    let text = format!(
        "{SPACE}'100 nm'\n[run]\ntimestep = '10 ns'\nuntil = '100 us'\nseed = 1\ninteractions = 'reactive'\n\
         [[species]]\nname = 'S'\nstates = ['soluble', 'prion']\nradius = '2.5 nm'\ndiffusion = '10 um^2/s'\n\
         count = {{ soluble = 1000, prion = 10 }}\n[[rule]]\nname = 'template'\n\
         reaction = 'S{{soluble}} + S{{prion}} -> 2 S{{prion}}'\nrate = '100 nm^3/us'\n"
    );
    let mut engine = engine(&text);
    // Time-integrated number of pairs per volume.
    let mut exposure = 0.0;
    for _ in 0..10_000 {
        engine.step(&mut NoObserver).expect("a step");
        exposure += count(&engine, 0) * count(&engine, 1) * 0.01 / 1e6;
    }
    let tally = engine.tally();
    assert_eq!(tally.refused, 0);
    let rate = tally.converted as f64 / exposure;
    println!("{} conversions, {rate:.1} nm³/µs", tally.converted);
    assert!((rate / 92.6 - 1.0).abs() < 0.16, "{rate} nm³/µs");
}

/// A + B <-> C where only reactions matter: four of each in (20 nm)³ with K = 4000 nm³. Free particles pass
/// through each other, so all of the box is theirs, and the mean number of C is exactly 2.123, at any step.
/// Its standard error over 2 ms is 0.035; deviations of 5 of them, at fixed seeds, are an error.
#[test]
fn where_only_reactions_matter_the_equilibrium_is_that_of_points() {
    for (timestep, steps) in [(0.02, 100_000), (0.2, 10_000)] {
        let text = format!(
            "{SPACE}'20 nm'\n[run]\ntimestep = {timestep}\nsteps = {steps}\nseed = 3\ninteractions = 'reactive'\n\
             [[species]]\nname = 'A'\nradius = 2\ndiffusion = 10\ncount = 4\n[[species]]\nname = 'B'\nradius = 2\n\
             diffusion = 10\ncount = 4\n[[species]]\nname = 'C'\nradius = 2\ndiffusion = 10\n[[rule]]\n\
             reaction = 'A + B <-> C'\nrate = '800 nm^3/us'\nunbind = '0.2 /us'\n"
        );
        let mut engine = engine(&text);
        let mut sum = 0.0;
        for _ in 0..steps {
            engine.step(&mut NoObserver).expect("a step");
            sum += count(&engine, 2);
        }
        let mean = sum / f64::from(steps);
        println!("{timestep} µs: {mean:.3} of C");
        assert_eq!(engine.tally().refused, 0);
        assert!((mean - 2.123).abs() < 0.175, "{timestep} µs: {mean}");
    }
}

/// What `0 -> X` and the schedule add is placed on the sides of surfaces that the species names, at a rate
/// per volume there: about 500 in a second by the rule (5 standard deviations are 112), 300 by the schedule.
#[test]
fn new_particles_are_inside_what_their_species_is_inside() {
    let text = format!(
        "{}'2 um'\n[run]\ntimestep = '100 us'\nsteps = 10000\nseed = 1\ninteractions = 'reactive'\n\
         [[surface]]\nname = 'cell'\nsphere = {{ radius = '900 nm' }}\n[[surface]]\nname = 'nucleus'\n\
         sphere = {{ radius = '500 nm' }}\nspecies = {{ X = 'ignore' }}\n[[species]]\nname = 'X'\n\
         radius = '1 nm'\ndiffusion = '1e-9 um^2/s'\ninside = 'cell'\n[[rule]]\nreaction = '0 -> X'\n\
         rate = '329 nM/s'\nregion = {{ outside = 'nucleus' }}\n[[schedule]]\nat = '0.5 s'\n\
         add = {{ species = 'X', count = 300 }}\n",
        SPACE.replace("periodic", "reflecting")
    );
    let mut engine = engine(&text);
    for _ in 0..10_000 {
        engine.step(&mut NoObserver).expect("a step");
    }
    let places = &engine.particles().position;
    let distance = |x: &jostle::space::Vector<3>| {
        x.0.map(|c| c - 1000.0).iter().map(|c| c * c).sum::<f64>().sqrt()
    };
    assert!(places.iter().all(|x| distance(x) <= 900.0));
    let made = places.len() as f64 - 300.0;
    assert!((made - 501.3).abs() < 112.0, "{made}");
    // Of those added by the schedule a share of (5/9)³ is in the nucleus, of the others none: 51, with a
    // standard deviation of 6.5.
    let within = places.iter().filter(|x| distance(x) < 500.0).count() as f64;
    assert!((within - 51.4).abs() < 33.0, "{within}");
}
