//! Exact mechanics: images, clocks and output intervals; the round wall.

use jostle::granular::Granular;
use jostle::granular::container::Container;
use jostle::observe::{Contact, NoObserver, Partner};
use jostle::space::{Domain, Vector};

use super::worlds::{GranularWorld, Hear, Start, ball, energy, gas, heat, overlap, run, scattered};

/// The unwrapped displacement is the integral of the velocity.
#[test]
fn images_count_the_periods_travelled() {
    let (mut grains, edge) = gas::<2>(10, 0.3, 35);
    grains.iter_mut().for_each(|grain| grain.velocity += Vector([20.0, -7.0]));
    let mut engine = GranularWorld::periodic([edge; 2]).output_interval(0.01).engine(&grains);
    let mut sum = vec![Vector::<2>::ZERO; grains.len()];
    let mut before = engine.view().particles.position.clone();
    for _ in 0..1000 {
        engine.step(&mut NoObserver).unwrap();
        let view = engine.view();
        for (i, x) in view.particles.position.iter().enumerate() {
            sum[i] += view.domain.nearest_image(*x - before[i]);
        }
        before.clone_from(&view.particles.position);
    }
    let view = engine.view();
    for i in 0..grains.len() {
        let image = view.particles.image[i];
        let unwrapped =
            view.particles.position[i] + Vector::from_fn(|k| f64::from(image[k]) * edge);
        assert!((unwrapped - grains[i].position - sum[i]).norm() < 1e-9);
    }
    // Of all together: momentum times time.
    let drift = sum.iter().fold(Vector::<2>::ZERO, |a, b| a + *b) * (1.0 / grains.len() as f64);
    assert!((drift - Vector([200.0, -70.0])).norm() < 1e-9, "{drift:?}");
}

/// Under gravity without a floor the energy is that of the fall, however often the box is crossed.
#[test]
fn falling_through_a_periodic_box_keeps_the_energy() {
    let (grains, edge) = gas::<2>(10, 0.3, 36);
    let mut engine = GranularWorld::periodic([edge; 2]).falling(0.5).engine(&grains);
    let start = energy(&engine);
    run(&mut engine, 40.0);
    let balance = engine.balance();
    assert!((balance.kinetic + balance.potential - start).abs() < 1e-10 * balance.kinetic);
    assert!((balance.momentum[1] + 0.5 * 40.0 * 100.0).abs() < 1e-9);
}

/// Times of contacts add up: output interval and share of the output interval, whether the run goes
/// by output intervals or not.
#[test]
fn contacts_tell_their_time_by_output_intervals() {
    let grains = [ball([5.0, 5.0], [1.0, 0.0])];
    let expected: Vec<f64> = (0..6).map(|n| 4.5 + 9.0 * f64::from(n)).collect();
    let check = |times: &[(u64, f64)], output_interval: f64| {
        assert_eq!(times.len(), 6);
        for (&(step, share), expected) in times.iter().zip(&expected) {
            assert!((0.0..=1.0).contains(&share), "{times:?}");
            assert!(((step as f64 + share) * output_interval - expected).abs() < 1e-9, "{times:?}");
        }
    };
    for output_interval in [0.1, 0.7, 4.5, 9.0, 1000.0] {
        let world = GranularWorld::closed([10.0; 2]).output_interval(output_interval);
        let mut engine = world.engine(&grains);
        let mut times = Vec::new();
        engine.advance(50.0, &mut Hear(|c: &Contact<2>| times.push((c.step, c.time)))).unwrap();
        check(&times, output_interval);
        let (mut engine, mut times) = (world.engine(&grains), Vec::new());
        while engine.now() < 50.0 {
            let step = engine.clock().step;
            let mut hear = Hear(|c: &Contact<2>| {
                assert_eq!(c.step, step);
                times.push((c.step, c.time));
            });
            engine.step(&mut hear).unwrap();
        }
        times.truncate(6);
        check(&times, output_interval);
    }
}

/// Output intervals look, and change nothing; time never goes back.
#[test]
fn output_intervals_do_not_change_the_course() {
    let (grains, edge) = gas::<2>(8, 0.4, 37);
    let course = |output_interval: f64, by_steps: bool| {
        let mut engine =
            GranularWorld::periodic([edge; 2]).output_interval(output_interval).engine(&grains);
        while engine.now() < 20.0 {
            let before = engine.now();
            match by_steps {
                true => engine.step(&mut NoObserver).unwrap(),
                false => run(&mut engine, before + 0.37),
            }
            assert!(engine.now() > before);
        }
        run(&mut engine, 25.0);
        let before = engine.now();
        engine.step(&mut NoObserver).unwrap();
        assert!(engine.now() > before, "{} after {before}", engine.now());
        run(&mut engine, 1.0);
        assert!(engine.now() > 25.0);
        run(&mut engine, 60.0);
        engine.flights().all.to_vec()
    };
    let reference = course(1.0, true);
    assert_eq!(course(0.013, true), reference);
    assert_eq!(course(3.0, false), reference);
}

fn cylinder() -> GranularWorld<3> {
    let domain = Domain::new([12.0, 12.0, 15.0], [false; 3]);
    GranularWorld::of(Container::cylinder(domain, 2, None).unwrap())
}

/// Without friction the round wall takes no angular momentum about the axis; nor does any
/// collision.
#[test]
fn a_cylinder_keeps_angular_momentum_about_its_axis() {
    let world = cylinder();
    let mut grains = scattered(&world, &[0.5; 300], 38);
    heat(&mut grains, 1.0, 39);
    for grain in &mut grains {
        // All turn about the axis as well.
        let across = grain.position - Vector([6.0, 6.0, 0.0]);
        grain.velocity += Vector([-across[1], across[0], 0.0]) * 0.2;
    }
    let mut engine = world.engine(&grains);
    let spin = |engine: &Granular<3>| -> f64 {
        let flights = engine.flights();
        (0..flights.len() as u32)
            .map(|i| {
                let (x, v) = (flights.at(i, engine.now()), flights.velocity_at(i, engine.now()));
                (x[0] - 6.0) * v[1] - (x[1] - 6.0) * v[0]
            })
            .sum()
    };
    let (start, energy_then) = (spin(&engine), energy(&engine));
    assert!(start > 100.0);
    let mut on_side = 0u64;
    for _ in 0..200 {
        let end = engine.now() + 0.5;
        let mut hear = Hear(|c: &Contact<3>| on_side += u64::from(c.partner == Partner::Side));
        engine.advance(end, &mut hear).unwrap();
        assert!((spin(&engine) / start - 1.0).abs() < 1e-11);
        assert!((energy(&engine) / energy_then - 1.0).abs() < 1e-11);
        assert!(overlap(&world, &engine) < 1e-12);
    }
    assert!(on_side > 5000, "{on_side}");
}

/// Grazing flights along the round wall: many small bounces, never outside.
#[test]
fn a_particle_that_flies_along_the_round_wall_stays_inside() {
    let world = cylinder();
    for slope in [0.1, 1e-3, 1e-5] {
        let grain = ball([11.5 - 1e-9, 6.0, 7.0], [slope, 1.0, 0.1]);
        let mut engine = world.engine(&[grain]);
        for _ in 0..100 {
            let end = engine.now() + 0.1;
            run(&mut engine, end);
            assert!(overlap(&world, &engine) < 1e-10);
        }
        assert!(
            (engine.balance().kinetic / (0.5 * grain.velocity.norm_squared()) - 1.0).abs() < 1e-10
        );
    }
}
