//! What a step of a simulation takes beyond the engine's own, with 1000 particles: `cargo run
//! --release -p jostle-run --example cost_of_a_step`.

use std::time::Instant;

use jostle_core::observe::NoObserver;
use jostle_run::{RunError, Simulation, SimulationOptions, engine};

/// Steps are timed in blocks of so many, by turns; the fastest block of all counts.
const STEPS: u32 = 200;
const ROUNDS: usize = 100;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = "space = { dimension = 3, edges = '200 nm', boundary = 'periodic' }\n\
                run = { timestep = '10 ns', steps = 1, threads = 1 }\n\
                search = { kind = 'verlet' }\n\
                [[species]]\nname = 'A'\nradius = '2.5 nm'\ndiffusion = '10 um^2/s'\n\
                count = 1000\n";
    let model = jostle_model::parse(text, "a thousand spheres", &[])?;
    let mut plain = engine::<3>(&model)?;
    let mut simulation = Simulation::new(model, SimulationOptions::default())?;
    let [mut bare, mut stepped, mut called] = [f64::INFINITY; 3];
    for _ in 0..ROUNDS {
        let step = || plain.step(&mut NoObserver).map_err(|error| RunError::Setup(error.into()));
        bare = bare.min(microseconds(step)?);
        stepped = stepped.min(microseconds(|| simulation.step(1).map(drop))?);
        called = called.min(microseconds(|| simulation.step(0).map(drop))?);
    }
    println!("the engine's step: {bare:.2} us; step(1): {stepped:.2} us; step(0): {called:.2} us");
    Ok(())
}

/// What one call takes. \[µs\]
fn microseconds(mut call: impl FnMut() -> Result<(), RunError>) -> Result<f64, RunError> {
    let begun = Instant::now();
    for _ in 0..STEPS {
        call()?;
    }
    Ok(1e6 * begun.elapsed().as_secs_f64() / f64::from(STEPS))
}
