//! Particles to measure with: equal spheres (disks, rods) of radius 1 nm that move 0.1 nm per step
//! (rms along each axis) in a periodic box.

use super::BenchError;
use jostle_brownian::Brownian;
use jostle_core::observe::NoObserver;
use jostle_core::rules::{Action, ContactRule};
use jostle_core::search::{Kind, Settings};
use jostle_model::{Model, PlacementMethod, measure, parse};
use jostle_run::{RunError, engine};

/// Above this packing fraction particles start on a lattice, which they must forget.
const RANDOM_FITS: f64 = 0.15;

/// Below this one, particles placed at random are as good as in equilibrium.
const DILUTE: f64 = 0.02;

/// To reach equilibrium: so many steps, each so many times longer than those that are measured.
/// Particles get 0.3 * 60^(1/2) = 2.3 radii away (rms along each axis).
const RESTING: (u64, f64) = (60, 9.0);

/// The radius of all particles. \[nm\]
pub(super) const RADIUS: f64 = 1.0;

/// `particles` particles in `dimension` dimensions that fill the fraction `packing` of a cube:
/// placed at random or, where that would not do, on a lattice.
///
/// # Errors
/// If so many do not fit.
pub fn crowd(dimension: usize, particles: usize, packing: f64) -> Result<Model, BenchError> {
    let volume = particles as f64 * jostle_core::space::ball_volume(dimension, RADIUS) / packing;
    let edge = libm::pow(volume, 1.0 / dimension as f64);
    let how = if packing > RANDOM_FITS { "lattice" } else { "random" };
    Ok(parse(
        &format!(
            r#"
            title = "{particles} particles, packing fraction {packing}"
            [space]
            dimension = {dimension}
            edges = "{edge} nm"
            [run]
            timestep = "1 ns"
            steps = 1
            [[species]]
            name = "body"
            radius = "{RADIUS} nm"
            diffusion = "5 um^2/s"
            placement = {{ {how} = {particles} }}
            [output]
            log = "none"
            "#
        ),
        "bench",
        &[],
    )?)
}

/// Particles of `sizes` sizes, from radius 1 nm up to `ratio` times that in equal factors, each of
/// which fills an equal share of the fraction `packing` of a cube; about `particles` of them,
/// placed at random. *D* is as 1/*R*.
///
/// # Errors
/// As [`crowd`].
pub fn mixture(
    dimension: usize,
    particles: usize,
    [sizes, ratio]: [usize; 2],
    packing: f64,
) -> Result<Model, BenchError> {
    // The largest first: they find no room among the others.
    let steps = (sizes - 1).max(1) as f64;
    let size = |n: usize| libm::pow(ratio as f64, (sizes - 1 - n) as f64 / steps);
    let share = |n: usize| 1.0 / libm::pow(size(n), dimension as f64);
    let all: f64 = (0..sizes).map(share).sum();
    let count = |n: usize| ((particles as f64 * share(n) / all).round() as usize).max(1);
    let filled: f64 = (0..sizes)
        .map(|n| count(n) as f64 * jostle_core::space::ball_volume(dimension, size(n)))
        .sum();
    let edge = libm::pow(filled / packing, 1.0 / dimension as f64);
    let species = |n: usize| {
        let (radius, count) = (size(n), count(n));
        let diffusion = 5.0 / radius;
        format!(
            r#"
            [[species]]
            name = "size{n}"
            radius = "{radius} nm"
            diffusion = "{diffusion} um^2/s"
            placement = {{ random = {count} }}
            "#
        )
    };
    let species: String = (0..sizes).map(species).collect();
    Ok(parse(
        &format!(
            r#"
            title = "{sizes} sizes, 1 : {ratio}"
            [space]
            dimension = {dimension}
            edges = "{edge} nm"
            [run]
            timestep = "1 ns"
            steps = 1
            {species}
            [output]
            log = "none"
            "#
        ),
        "bench",
        &[],
    )?)
}

/// The same as [`crowd`], but they ignore each other.
///
/// # Errors
/// As [`crowd`].
pub fn free(dimension: usize, particles: usize) -> Result<Model, BenchError> {
    let mut model = crowd(dimension, particles, 0.1)?;
    if let Some(brownian) = model.brownian_mut() {
        brownian.rules.contact.push(ContactRule::plain("free", [0, 0], Action::Ignore));
    }
    Ok(model)
}

/// The model with its particles in equilibrium, as given places.
///
/// # Errors
/// If the particles do not fit, or a step fails.
pub fn rested<const D: usize>(mut model: Model) -> Result<Model, BenchError> {
    if measure::packing_fraction(&model) < DILUTE {
        return at_places::<D>(&model, &engine::<D>(&model)?);
    }
    let (steps, longer) = RESTING;
    let timestep = model.run.timestep;
    model.run.timestep *= longer;
    model = model.searched(Settings { kind: Kind::Cubic, ..Settings::default() });
    let mut resting = engine::<D>(&model)?;
    for _ in 0..steps {
        resting.step(&mut NoObserver)?;
    }
    model.run.timestep = timestep;
    at_places::<D>(&model, &resting)
}

/// The model with the particles where they are in `engine`.
fn at_places<const D: usize>(model: &Model, engine: &Brownian<D>) -> Result<Model, BenchError> {
    let mut model = model.clone();
    let particles = engine.particles();
    let place = |&slot: &u32| {
        let position = particles.position[slot as usize];
        std::array::from_fn(|k| if k < D { position[k] } else { 0.0 })
    };
    let slots = particles.slots_by_id();
    for placement in &mut model.placement {
        let of_species = |slot: &&u32| particles.species[**slot as usize] == placement.species;
        placement.how =
            PlacementMethod::Positions(slots.iter().filter(of_species).map(place).collect());
    }
    Ok(model)
}

/// Whether no two particles overlap. An engine refuses particles that do.
pub(super) fn none_overlaps<const D: usize>(
    model: &Model,
    now: &Brownian<D>,
) -> Result<bool, BenchError> {
    match engine::<D>(&at_places::<D>(model, now)?) {
        Ok(_) => Ok(true),
        Err(RunError::Placement(_) | RunError::Setup(_)) => Ok(false),
        Err(other) => Err(other.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crowds_are_as_dense_as_asked_for_and_move_a_tenth_of_a_radius() {
        for (dimension, packing) in [(3, 0.001), (3, 0.1), (3, 0.3), (2, 0.4)] {
            let model = crowd(dimension, 50, packing).unwrap();
            assert!((measure::packing_fraction(&model) - packing).abs() < 1e-9 * packing);
            let diffusion = model.species[0].diffusion_coefficient.unwrap();
            assert!((measure::rms_step(diffusion, model.run.timestep) - 0.1).abs() < 1e-12);
        }
    }

    #[test]
    fn sizes_of_a_mixture_fill_equal_shares_and_keep_apart_when_they_rest() {
        let model = mixture(2, 400, [3, 9], 0.3).unwrap();
        assert!((measure::packing_fraction(&model) - 0.3).abs() < 1e-9);
        let radii: Vec<f64> = model.species.iter().filter_map(|species| species.radius).collect();
        assert_eq!(radii.iter().map(|r| r.round()).collect::<Vec<_>>(), [9.0, 3.0, 1.0]);
        let counts: Vec<usize> =
            model.placement.iter().map(|placement| placement.count()).collect();
        assert_eq!(counts, [4, 40, 356]);
        let rested = rested::<2>(model).unwrap();
        let counts: Vec<usize> =
            rested.placement.iter().map(|placement| placement.count()).collect();
        assert_eq!(counts, [4, 40, 356]);
        assert!(none_overlaps(&rested, &engine::<2>(&rested).unwrap()).unwrap());
    }

    #[test]
    fn rest_moves_every_particle_and_keeps_them_apart() {
        let model = rested::<3>(crowd(3, 50, 0.3).unwrap()).unwrap();
        let placed = jostle_model::placement::place::<3>(&crowd(3, 50, 0.3).unwrap()).unwrap();
        let PlacementMethod::Positions(places) = &model.placement[0].how else {
            panic!("given places")
        };
        let moved = |n: usize| (0..3).any(|k| (places[n][k] - placed[n].1[k]).abs() > 0.01);
        assert!((0..50).all(moved));
        let engine = engine::<3>(&model).unwrap();
        assert!(none_overlaps(&model, &engine).unwrap());
        let mut piled = model.clone();
        piled.placement[0].how = PlacementMethod::Positions(vec![[1.0; 3], [1.5; 3]]);
        assert!(engine_refuses(&piled));
    }

    fn engine_refuses(model: &Model) -> bool {
        matches!(engine::<3>(model), Err(RunError::Placement(_) | RunError::Setup(_)))
    }

    #[test]
    fn the_free_are_not_looked_for() {
        let mut engine = engine::<3>(&free(3, 100).unwrap()).unwrap();
        engine.step(&mut NoObserver).unwrap();
        assert_eq!(engine.tally().narrow_tests, 0);
    }
}
