//! Balls never overlap, nor stick in walls; sizes and speeds are those asked for.

use super::*;
use crate::parse;

fn model(space: &str, species: &str, more: &str) -> Model {
    let text = format!(
        "[space]\n{space}\n[run]\nengine = 'granular'\nuntil = '1 s'\n{more}\n[[species]]\nname = 'ball'\n{species}"
    );
    parse(&text, "test", &[]).unwrap_or_else(|faults| panic!("{faults}"))
}

fn balls<const D: usize>(model: &Model) -> Vec<Ball<D>> {
    place_balls(model, model.granular().unwrap()).unwrap_or_else(|error| panic!("{error}"))
}

/// The smallest gap between two balls, or a ball and a wall. \[nm\]
fn smallest_gap<const D: usize>(model: &Model, balls: &[Ball<D>]) -> f64 {
    let domain = Domain::<D>::new(
        std::array::from_fn(|k| model.space.edges[k]),
        std::array::from_fn(|k| model.space.periodic[k]),
    );
    let crowd = Crowd::new(model, model.granular().unwrap(), &domain);
    let mut least = f64::INFINITY;
    for (n, a) in balls.iter().enumerate() {
        least = least.min(crowd.to_wall(a.position) - a.radius);
        for b in &balls[..n] {
            let apart = domain.nearest_image(a.position - b.position).norm();
            least = least.min(apart - a.radius - b.radius);
        }
    }
    least
}

const PLANE: &str = "dimension = 2\nedges = '200 mm'\nboundary = 'reflecting'";

#[test]
fn balls_of_all_sizes_find_room_and_the_largest_come_first() {
    let model = model(PLANE, "radius = ['2 mm', '10 mm']\ncount = 60", "");
    let found = balls::<2>(&model);
    assert_eq!(found.len(), 60);
    assert!(smallest_gap(&model, &found) > 0.0);
    assert!(found.windows(2).all(|two| two[0].radius >= two[1].radius));
    assert!(found.iter().all(|ball| (2e6..=10e6).contains(&ball.radius)));
    // Uniform on [2, 10]: mean 6, sd 2.31 / sqrt(60) = 0.30; 4.5 sigma.
    let mean = found.iter().map(|ball| ball.radius).sum::<f64>() / 60e6;
    assert!((mean - 6.0).abs() < 4.5 * 0.3, "{mean}");
    assert_eq!(found, balls::<2>(&model));
}

/// The packings of the tables: 16.4 % (sd 1) at 40 balls of 5 to 10 mm and 33.2 % (sd 1.3) at 90.
#[test]
fn room_gives_the_packings_of_the_ball_mill_tables() {
    for (count, percent) in [(40, 16.4), (90, 33.2)] {
        let species = format!("radius = ['5 mm', '10 mm']\nplacement = {{ room = {count} }}");
        let seeds = 1..=10;
        let mut sum = 0.0;
        for seed in seeds.clone() {
            let model = model(PLANE, &species, &format!("seed = {seed}"));
            let found = balls::<2>(&model);
            assert!(smallest_gap(&model, &found) > 0.0);
            sum += found
                .iter()
                .map(|ball| jostle_core::space::ball_volume(2, ball.radius))
                .sum::<f64>()
                / 4e16;
        }
        let mean = 100.0 * sum / seeds.count() as f64;
        assert!((mean - percent).abs() < 4.5 * 1.3 / 10f64.sqrt(), "{count} balls: {mean} %");
    }
}

#[test]
fn a_cylinder_keeps_balls_off_its_round_wall() {
    let space = "dimension = 3\nedges = ['50 mm', '50 mm', '80 mm']\nboundary = 'reflecting'\nshape = 'cylinder'";
    for how in ["count = 100", "placement = { lattice = 100 }", "placement = { room = 100 }"] {
        let model = model(space, &format!("radius = '3 mm'\n{how}"), "");
        let found = balls::<3>(&model);
        assert_eq!(found.len(), 100);
        assert!(smallest_gap(&model, &found) >= 0.0, "{how}");
    }
}

#[test]
fn a_container_that_is_shaken_out_of_phase_starts_where_its_walls_are() {
    let shaken =
        "[shaking]\namplitude = '5 mm'\nfrequency = '20 Hz'\nphase = '1.5707963267948966 rad'";
    let at = |y: &str| format!("radius = '3 mm'\nplacement = {{ positions = [['20 mm', '{y}']] }}");
    let found = balls::<2>(&model(PLANE, &at("8 mm"), shaken));
    assert_eq!(found[0].position, Vector([20e6, 8e6]));
    let low = model(PLANE, &at("7 mm"), shaken);
    let error = place_balls::<2>(&low, low.granular().unwrap()).unwrap_err();
    assert!(error.to_string().contains("1 mm through a wall"), "{error}");
    let anywhere = balls::<2>(&model(PLANE, "radius = '3 mm'\ncount = 100", shaken));
    assert!(anywhere.iter().all(|ball| (8e6..=202e6).contains(&ball.position[1])));
}

#[test]
fn speeds_follow_maxwell_and_a_free_gas_rests_as_a_whole() {
    let space = "dimension = 3\nedges = '200 mm'\nboundary = 'periodic'";
    let mut model =
        model(space, "radius = ['0.5 mm', '1.5 mm']\ncount = 8000\nspeed = '10 mm/s'", "");
    let granular = model.granular().unwrap().clone();
    let found = balls::<3>(&model);
    let velocity = velocities(&model, &granular, &found);
    let law = &granular.balls[0];
    let scaled = |(ball, v): (&Ball<3>, &Vector<3>)| {
        v.norm() * (law.mass_of(ball.radius) / law.mass_of(1e6)).sqrt()
    };
    let mean = found.iter().zip(&velocity).map(scaled).sum::<f64>() / 8000.0;
    // The standard deviation of a speed is 0.422 of the mean: 0.0047 of it for 8000.
    assert!((mean - 10.0).abs() < 4.5 * 0.047, "{mean}");
    let momentum = |velocity: &[Vector<3>]| {
        let all = found.iter().zip(velocity).map(|(ball, v)| *v * law.mass_of(ball.radius));
        all.fold(Vector::ZERO, |sum: Vector<3>, p| sum + p).norm()
    };
    let scale = 8000.0 * law.mass_of(1e6) * 10.0;
    assert!(momentum(&velocity) < 1e-12 * scale);
    model.space.periodic = [false; 3];
    assert!(momentum(&velocities(&model, &granular, &found)) > 1e-4 * scale);
}

#[test]
fn what_does_not_fit_is_reported_with_its_numbers() {
    let refused = |species: &str| {
        let model = model(PLANE, species, "");
        place_balls::<2>(&model, model.granular().unwrap()).unwrap_err().to_string()
    };
    let error = refused("radius = ['9 mm', '10 mm']\nplacement = { room = 110 }");
    assert!(error.contains("of 110 ball") && error.contains("9 mm"), "{error}");
    let error = refused("radius = '9.5 mm'\ncount = 100");
    assert!(error.contains("0.7088 was requested"), "{error}");
    let error = refused(
        "radius = '6 mm'\nplacement = { positions = [['10 mm', '10 mm'], ['20 mm', '10 mm']] }",
    );
    assert!(error.contains("10 mm apart, their radii add up to 12 mm"), "{error}");
}
