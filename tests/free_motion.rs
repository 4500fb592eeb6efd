//! Bodies that meet nobody: free diffusion, drift, and reflection at walls, against exact laws that
//! hold at any time step (Berg 1993, Random walks in biology, chapter 1).

mod common;

use std::f64::consts::{FRAC_PI_2, PI};

use common::{
    Measured, World, advance, follows, is_uniform, mean_of, normal_distribution, on_lattice, prove, unwrapped,
};
use jostle::brownian::{Brownian, Seed};
use jostle::observe::{Contact, Observer, ObserverError, Partner};
use jostle::space::Vector;
use jostle::species::Drift;

/// So small that bodies would hardly ever meet, even if they took notice of each other.
const SPECK: f64 = 1e-3;

/// <r^2> = 2 d D t at every time, for each species in one run.
fn mean_squared_displacement<const D: usize>() {
    let (bodies, steps) = (1000, 2000);
    let diffusion = [0.5, 8.0];
    let world =
        World::<D>::periodic(1000.0).timestep(0.25).species(SPECK, diffusion[0]).species(SPECK, diffusion[1]);
    let mut engine = world.ghosts().with(&on_lattice(1000.0, bodies, 2));
    let mut path = vec![unwrapped(&engine)];
    for _ in 0..steps {
        advance(&mut engine, 1);
        path.push(unwrapped(&engine));
    }
    for (species, diffusion) in diffusion.into_iter().enumerate() {
        for interval in [1, 10, 100] {
            let time = 0.25 * interval as f64;
            let squared: Vec<f64> = (0..steps / interval)
                .flat_map(|k| (species..bodies).step_by(2).map(move |i| (k * interval, i)))
                .flat_map(|(k, i)| (path[k + interval][i] - path[k][i]).0)
                .map(|x| x * x / (2.0 * time))
                .collect();
            // The square of a Gaussian has standard deviation sqrt 2 times its mean.
            mean_of(&squared, 2f64.sqrt() * diffusion)
                .agrees(&format!("D from the displacement along an axis, {D}D, {interval} steps"), diffusion);
        }
    }
}

#[test]
fn the_mean_squared_displacement_grows_as_2ddt_in_one_two_and_three_dimensions() {
    prove("mean squared displacement", || {
        mean_squared_displacement::<1>();
        mean_squared_displacement::<2>();
        mean_squared_displacement::<3>();
    });
}

/// All displacements of a free run in units of their width, \[step\]\[body\].
fn displacements<const D: usize>(bodies: usize, steps: usize) -> Vec<Vec<Vector<D>>> {
    let world = World::<D>::periodic(1000.0).timestep(2.0).species(SPECK, 0.25);
    let mut engine = world.ghosts().with(&on_lattice(1000.0, bodies, 1));
    let mut last = unwrapped(&engine);
    let mut step = || {
        advance(&mut engine, 1);
        let now = unwrapped(&engine);
        let moved = now.iter().zip(&last).map(|(now, last)| *now - *last).collect();
        last = now;
        moved
    };
    (0..steps).map(|_| step()).collect()
}

#[test]
fn displacements_are_gaussian_and_independent() {
    prove("Gaussian displacements", || {
        let steps = displacements::<3>(500, 700);
        let all: Vec<f64> = steps.iter().flatten().flat_map(|x| x.0).collect();
        let moment = |power: i32| all.iter().map(|x| x.powi(power)).collect::<Vec<_>>();
        mean_of(&moment(1), 1.0).agrees("mean", 0.0);
        mean_of(&moment(2), 2f64.sqrt()).agrees("variance", 1.0);
        mean_of(&moment(3), 15f64.sqrt()).agrees("third moment (skewness)", 0.0);
        mean_of(&moment(4), 96f64.sqrt()).agrees("fourth moment (kurtosis)", 3.0);

        let product =
            |pairs: Vec<(f64, f64)>| mean_of(&pairs.iter().map(|(a, b)| a * b).collect::<Vec<_>>(), 1.0);
        let in_time = |lag: usize| {
            let pairs = steps.iter().zip(&steps[lag..]).flat_map(|(a, b)| a.iter().zip(b));
            pairs.flat_map(|(a, b)| (0..3).map(|k| (a[k], b[k]))).collect()
        };
        product(in_time(1)).agrees("correlation with the next step", 0.0);
        product(in_time(2)).agrees("correlation with the step after", 0.0);
        let axes = steps.iter().flatten().flat_map(|x| [(x[0], x[1]), (x[1], x[2]), (x[2], x[0])]).collect();
        product(axes).agrees("correlation of the axes", 0.0);
        let neighbours =
            steps.iter().flat_map(|s| s.windows(2)).flat_map(|w| (0..3).map(|k| (w[0][k], w[1][k])));
        product(neighbours.collect()).agrees("correlation of one body with the next", 0.0);
        follows("displacement along an axis", all, normal_distribution);
    });
}

#[test]
fn distances_follow_the_radial_laws() {
    prove("radial laws", || {
        let in_plane =
            displacements::<2>(500, 300).iter().flatten().map(|x| x.norm_squared() / 2.0).collect();
        follows("r^2/4Dt in the plane: exponential", in_plane, |x| -libm::expm1(-x));
        let in_space = displacements::<3>(500, 300).iter().flatten().map(|x| x.norm()).collect();
        let maxwell =
            |r: f64| 2.0 * normal_distribution(r) - 1.0 - (2.0 / PI).sqrt() * r * libm::exp(-r * r / 2.0);
        follows("r in space: Maxwell", in_space, maxwell);
    });
}

/// Bodies cross a small periodic box again and again; periods must be counted without a slip.
fn across_the_box<const D: usize>() {
    let (bodies, interval, intervals) = (100, 100, 30);
    let step = 0.3;
    let world = World::<D>::periodic(1.0).species(SPECK, step * step / 2.0);
    let mut engine = world.ghosts().with(&on_lattice(1.0, bodies, 1));
    let mut last = unwrapped(&engine);
    let mut squared = Vec::new();
    for _ in 0..intervals {
        advance(&mut engine, interval);
        let now = unwrapped(&engine);
        squared.extend(now.iter().zip(&last).flat_map(|(now, last)| (*now - *last).0).map(|x| x * x));
        last = now;
    }
    let expected = step * step * interval as f64;
    mean_of(&squared, 2f64.sqrt() * expected)
        .agrees(&format!("MSD over {D} small periods, in edges squared"), expected);
}

#[test]
fn displacements_across_the_periodic_box_add_up() {
    prove("periodic box", || {
        across_the_box::<1>();
        across_the_box::<2>();
        across_the_box::<3>();
    });
}

#[test]
fn a_constant_drift_moves_the_mean_and_leaves_the_width() {
    prove("constant drift", || {
        let (bodies, steps, timestep, diffusion) = (500, 100, 0.1, 0.7);
        let velocity = [3.0, -1.0, 0.25];
        let world = World::<3>::periodic(500.0).timestep(timestep);
        let mut engine = world
            .drifting(SPECK, diffusion, Drift::Constant(velocity))
            .ghosts()
            .with(&on_lattice(500.0, bodies, 1));
        let start = unwrapped(&engine);
        advance(&mut engine, steps);
        let moved: Vec<_> = unwrapped(&engine).iter().zip(&start).map(|(now, then)| *now - *then).collect();
        let time = steps as f64 * timestep;
        let variance = 2.0 * diffusion * time;
        for k in 0..3 {
            let along: Vec<f64> = moved.iter().map(|x| x[k]).collect();
            mean_of(&along, variance.sqrt()).agrees("<x> = v t", velocity[k] * time);
            let squared: Vec<f64> = along.iter().map(|x| (x - velocity[k] * time).powi(2)).collect();
            mean_of(&squared, 2f64.sqrt() * variance).agrees("variance 2 D t", variance);
        }
    });
}

#[test]
fn a_shear_flow_spreads_bodies_along_it() {
    prove("shear", || {
        let (bodies, steps, timestep, diffusion, rate) = (500, 200, 0.01, 1.0, 3.0);
        let world = World::<2>::periodic(1000.0).timestep(timestep);
        let shear = Drift::Shear { rate, along: 0, across: 1 };
        let in_the_middle: Vec<_> =
            (0..bodies).map(|n| Seed { species: 0, position: Vector([n as f64 + 250.0, 500.0]) }).collect();
        let mut engine = world.drifting(SPECK, diffusion, shear).ghosts().with(&in_the_middle);
        let start = unwrapped(&engine);
        advance(&mut engine, steps);
        let moved: Vec<_> = unwrapped(&engine).iter().zip(&start).map(|(now, then)| *now - *then).collect();
        // The flow that a step follows is that at its start, so that step m before the last adds m rate dt
        // times its own displacement across the flow. As dt -> 0 this is 2 D t (1 + (rate t)^2 / 3).
        let s2 = 2.0 * diffusion * timestep;
        let weights = (0..steps).map(|m| (rate * timestep * m as f64).powi(2));
        let along = s2 * (steps as f64 + weights.sum::<f64>());
        let across = s2 * steps as f64;
        let squared = |k: usize| moved.iter().map(|x| x[k] * x[k]).collect::<Vec<_>>();
        mean_of(&squared(0), 2f64.sqrt() * along).agrees("<x^2> along the flow", along);
        mean_of(&squared(1), 2f64.sqrt() * across).agrees("<y^2> across it", across);
        let joint: f64 = s2 * rate * timestep * (0..steps).sum::<usize>() as f64;
        let products: Vec<f64> = moved.iter().map(|x| x[0] * x[1]).collect();
        mean_of(&products, (along * across + joint * joint).sqrt()).agrees("<x y>", joint);
    });
}

#[test]
fn a_harmonic_well_holds_bodies_within_the_exact_width_at_any_time_step() {
    prove("harmonic well", || {
        let (bodies, steps, diffusion, relaxation) = (300, 400, 2.0, 5.0);
        for timestep in [0.5, 2.5, 20.0] {
            let world = World::<2>::periodic(200.0).timestep(timestep);
            let centre = [90.0, 110.0, 0.0];
            let place = Seed { species: 0, position: Vector([90.0, 110.0]) };
            let well = Drift::Well { centre, relaxation };
            let mut engine = world.drifting(SPECK, diffusion, well).ghosts().with(&vec![place; bodies]);
            advance(&mut engine, (10.0 * relaxation / timestep) as usize + 5);
            let mut last = unwrapped(&engine);
            let (mut squares, mut products) = (vec![0.0; bodies], vec![0.0; bodies]);
            let from_centre = |x: Vector<2>| x - Vector([centre[0], centre[1]]);
            for _ in 0..steps {
                advance(&mut engine, 1);
                let now = unwrapped(&engine);
                for i in 0..bodies {
                    let (then, now) = (from_centre(last[i]), from_centre(now[i]));
                    squares[i] += now.norm_squared() / (2 * steps) as f64;
                    products[i] += then.dot(now) / (2 * steps) as f64;
                }
                last = now;
            }
            let variance = diffusion * relaxation;
            let name = format!("dt = {timestep}: ");
            // Bodies are independent of each other: each is a block.
            Measured::of_blocks(&squares).agrees(&(name.clone() + "variance D relaxation"), variance);
            let memory = libm::exp(-timestep / relaxation);
            Measured::of_blocks(&products).agrees(&(name + "correlation over a step"), variance * memory);
        }
    });
}

/// Bodies between walls, anywhere; lengths in units of what is accessible to their centres.
fn between_walls(bodies: usize, step: f64) -> Brownian<3> {
    let edge = 1.0 + 2.0 * SPECK;
    let world = |step: f64| World::<3>::closed(edge).species(SPECK, step * step / 2.0).ghosts();
    // With steps of the size of the box the start is soon forgotten.
    let mut mixing = world(1.0).seed(2).with(&on_lattice(edge, bodies, 1));
    advance(&mut mixing, 20);
    let places = mixing.particles().position.iter().map(|&position| Seed { species: 0, position });
    world(step).seed(3).with(&places.collect::<Vec<_>>())
}

#[test]
fn density_is_uniform_up_to_the_walls() {
    prove("density between walls", || {
        // Samples are taken when all but 0.7 % of a density wave has decayed: exp(-pi^2 D t / l^2).
        for (step, every, samples) in [(1.0, 1, 700), (0.05, 400, 60)] {
            let mut engine = between_walls(500, step);
            advance(&mut engine, 2 * every);
            let mut counts = [[0; 50]; 3];
            for _ in 0..samples {
                advance(&mut engine, every);
                for x in &engine.particles().position {
                    for k in 0..3 {
                        counts[k][(((x[k] - SPECK) * 50.0) as usize).min(49)] += 1;
                    }
                }
            }
            for (counts, axis) in counts.iter().zip(["x", "y", "z"]) {
                is_uniform(&format!("s = {step}: density along {axis}"), counts);
            }
        }
    });
}

/// The mean squared displacement along one axis between walls at a distance of 1, from a uniform
/// start, at D t = `spread`.
fn confined(spread: f64) -> f64 {
    let term = |n: i32| libm::exp(-f64::from(n * n) * PI * PI * spread) / f64::from(n).powi(4);
    1.0 / 6.0 - 16.0 / PI.powi(4) * (1..100).step_by(2).map(term).sum::<f64>()
}

#[test]
fn displacements_between_walls_follow_the_exact_series() {
    prove("displacements between walls", || {
        let (bodies, step, steps) = (400, 0.1, 3000);
        let mut engine = between_walls(bodies, step);
        advance(&mut engine, 200);
        let mut path = vec![unwrapped(&engine)];
        for _ in 0..steps {
            advance(&mut engine, 1);
            path.push(unwrapped(&engine));
        }
        for interval in [1, 5, 20, 60, 200] {
            let of_body = |i: usize| {
                let squared = (interval..=steps).map(|k| (path[k][i] - path[k - interval][i]).norm_squared());
                squared.sum::<f64>() / (3 * (steps + 1 - interval)) as f64
            };
            let blocks: Vec<f64> = (0..bodies).map(of_body).collect();
            Measured::of_blocks(&blocks)
                .agrees(&format!("MSD over {interval} steps"), confined(step * step / 2.0 * interval as f64));
        }
    });
}

/// What bodies have to do with the six faces.
struct WallLog {
    /// \[face\]\[body\]
    contacts: [Vec<f64>; 6],
    approach: Vec<f64>,
}

impl Observer<3> for WallLog {
    fn wants_contacts(&self) -> bool {
        true
    }
    fn contact(&mut self, contact: &Contact<3>) -> Result<(), ObserverError> {
        if let Partner::Wall(face) = contact.partner {
            self.contacts[face.index()][contact.id as usize] += 1.0;
            self.approach.push(contact.approach);
        }
        Ok(())
    }
}

#[test]
fn walls_are_met_as_often_and_as_fast_as_the_flux_says() {
    prove("wall contacts", || {
        let bodies = 500;
        for (step, steps) in [(0.5, 500), (0.02, 8000)] {
            let mut engine = between_walls(bodies, step);
            let mut log =
                WallLog { contacts: std::array::from_fn(|_| vec![0.0; bodies]), approach: Vec::new() };
            for _ in 0..steps {
                engine.step(&mut log).unwrap();
            }
            for (face, contacts) in log.contacts.iter().enumerate() {
                let per_step: Vec<f64> = contacts.iter().map(|n| n / steps as f64).collect();
                let name =
                    format!("s = {step}: contacts per body and step with face {face}, n A s / sqrt(2 pi)");
                Measured::of_blocks(&per_step).agrees(&name, step / (2.0 * PI).sqrt());
            }
        }
    });
}

/// Faster bodies meet walls more often, in proportion: Rayleigh, if no body meets two walls in a step.
#[test]
fn walls_are_approached_with_a_rayleigh_distribution() {
    prove("approach to walls", || {
        let step = 0.02;
        let mut engine = between_walls(500, step);
        let mut log = WallLog { contacts: std::array::from_fn(|_| vec![0.0; 500]), approach: Vec::new() };
        for _ in 0..4000 {
            engine.step(&mut log).unwrap();
        }
        let speeds: Vec<f64> = log.approach.iter().map(|v| v / step).collect();
        mean_of(&speeds, (2.0 - FRAC_PI_2).sqrt()).agrees("mean approach to a wall", FRAC_PI_2.sqrt());
        follows("approach to a wall: Rayleigh", speeds, |v| -libm::expm1(-v * v / 2.0));
    });
}
