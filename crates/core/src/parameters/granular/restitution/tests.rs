//! The laws of restitution against printed numbers, limits and the integrated contact.

use std::f64::consts::PI;

use super::*;
use crate::units::{METRE, SECOND};

const M_PER_S: f64 = METRE / SECOND;
const MM: f64 = 1e-3 * METRE;

fn steel_balls(radius: f64) -> (Material, EffectiveBall) {
    let steel = Material::default();
    (steel, EffectiveBall::of_two([radius; 2], [steel.ball_mass(radius); 2]))
}

fn close(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found} instead of {expected}");
}

fn as_chosen() -> Restitution {
    Restitution::viscoelastic_through(&Material::default(), 0.93, M_PER_S, 5.0 * MM).unwrap()
}

#[test]
fn viscoelastic_steel_loses_more_when_faster_and_smaller() {
    let law = as_chosen();
    let Restitution::Viscoelastic { relaxation } = law else { panic!("{law:?}") };
    close(relaxation / SECOND, 3.99e-7, 0.005e-7);
    let speeds = [0.01, 0.1, 1.0, 3.0, 10.0];
    for (radius, printed) in [
        (1.0, [0.867, 0.801, 0.710, 0.658, 0.595]),
        (2.5, [0.944, 0.913, 0.867, 0.838, 0.800]),
        (5.0, [0.971, 0.955, 0.930, 0.914, 0.892]),
        (10.0, [0.986, 0.977, 0.964, 0.956, 0.944]),
    ] {
        let (steel, pair) = steel_balls(radius * MM);
        for (v, e) in speeds.into_iter().zip(printed) {
            close(law.of(&steel, &pair, v * M_PER_S), e, 0.00051);
        }
    }
}

#[test]
fn the_pade_form_is_the_integrated_contact() {
    // Restitution from integrating the equation of motion, by b.
    for (b, exact, tolerance) in [
        (0.01, 0.988547, 5e-5),
        (0.05, 0.944397, 5e-5),
        (0.1, 0.892859, 5e-5),
        (0.3, 0.722085, 6.7e-4),
        (1.0, 0.393931, 4.9e-3),
    ] {
        close(pade(f64::sqrt(b)), exact, tolerance);
    }
    for b in [1e-4, 1e-3] {
        close(pade(f64::sqrt(b)), 1.0 - 1.153449 * b + 0.798267 * b * b, 3e-6);
    }
}

#[test]
fn the_law_goes_through_its_point_of_reference() {
    for e in [1e-3, 0.3, 0.5, 0.93, 0.99, 1.0 - 1e-12] {
        for radius in [0.4 * MM, 5.0 * MM, 50.0 * MM] {
            let (steel, pair) = steel_balls(radius);
            let law = Restitution::viscoelastic_through(&steel, e, 2.0 * M_PER_S, radius).unwrap();
            close(law.of(&steel, &pair, 2.0 * M_PER_S), e, 1e-14);
        }
    }
    let steel = Material::default();
    let elastic = Restitution::viscoelastic_through(&steel, 1.0, 1.0, 1.0).unwrap();
    close(elastic.of(&steel, &EffectiveBall::at_wall(MM, 1e-3), 1e4), 1.0, 1e-14);
    for (e, v, r) in
        [(0.0, 1.0, 1.0), (1.1, 1.0, 1.0), (f64::NAN, 1.0, 1.0), (0.9, 0.0, 1.0), (0.9, 1.0, -1.0)]
    {
        assert_eq!(Restitution::viscoelastic_through(&steel, e, v, r), None);
    }
}

#[test]
fn plastic_steel_yields_and_then_loses_more_and_more() {
    // The printed yield speed and restitutions belong to a yield pressure of 1.96 GPa.
    let steel = Material::from_si(206e9, 0.3, 7850.0, 1.96e9, 460.0);
    let pair = EffectiveBall::of_two([5.0 * MM; 2], [steel.ball_mass(5.0 * MM); 2]);
    close(steel.yield_speed(&pair) / M_PER_S, 0.117, 0.0005);
    for (v, e) in [(0.1, 1.0), (0.5, 0.801), (1.0, 0.683), (3.0, 0.524), (10.0, 0.389)] {
        close(Restitution::Plastic.of(&steel, &pair, v * M_PER_S), e, 0.00051);
    }
    // At 2 GPa it is (2/1.96)^(5/2) times that.
    let (steel, pair) = steel_balls(5.0 * MM);
    close(steel.yield_speed(&pair) / M_PER_S, 0.12297, 1e-5);
    let (_, small) = steel_balls(0.4 * MM);
    close(steel.yield_speed(&small) / steel.yield_speed(&pair), 1.0, 1e-14);
}

#[test]
fn plastic_restitution_is_the_work_of_the_contact() {
    // From the work of loading and unloading, by x = v/v_y.
    for (x, exact) in
        [(1.01, 0.99998), (2.0, 0.93063), (5.0, 0.77334), (20.0, 0.55711), (100.0, 0.3743)]
    {
        close(plastic(1.0, x), exact, 1e-5);
    }
    close(plastic(1.0, 1.0 + 1e-12), 1.0, 1e-12);
    close(plastic(1.0, 1e12) / f64::powf(1e-12, 0.25), 1.18, 0.05);
    close(LARGEST_PLASTIC, (6.0 * 3f64.sqrt() / 5.0).sqrt(), 1e-15);
}

#[test]
fn restitution_falls_with_speed_and_stays_between_0_and_1_over_12_decades() {
    let (steel, pair) = steel_balls(5.0 * MM);
    let wall = EffectiveBall::at_wall(5.0 * MM, steel.ball_mass(5.0 * MM));
    for law in [as_chosen(), Restitution::Plastic] {
        for pair in [pair, wall] {
            let mut before = 1.0;
            for step in -600..=600 {
                let e = law.of(&steel, &pair, M_PER_S * libm::pow(10.0, f64::from(step) / 100.0));
                assert!(
                    (0.0..=before).contains(&e),
                    "{law:?} at 1e{} m/s: {e}",
                    f64::from(step) / 100.0
                );
                before = e;
            }
            assert!(before < 0.75);
            assert!(law.of(&steel, &pair, 1e-30) > 1.0 - 1e-6);
            assert_eq!(law.of(&steel, &pair, 0.0), 1.0);
        }
    }
    assert_eq!(Restitution::Constant(0.7).of(&steel, &pair, 1.0), 0.7);
}

#[test]
fn hertz_impacts_of_steel_are_as_printed() {
    for (radius, speed, deformation, contact_radius, duration) in [
        (2.5, 0.1, 0.816, 31.9, 24.0),
        (2.5, 1.0, 5.15, 80.2, 15.2),
        (5.0, 1.0, 10.3, 160.0, 30.3),
        (5.0, 4.0, 31.2, 279.0, 23.0),
        (9.5, 0.1, 3.1, 121.0, 91.3),
        (9.5, 1.0, 19.6, 305.0, 57.6),
    ] {
        let (steel, pair) = steel_balls(radius * MM);
        let hertz = steel.hertz(&pair, speed * M_PER_S);
        close(hertz.deformation / 1e3 / deformation, 1.0, 0.005);
        close(hertz.contact_radius / 1e3 / contact_radius, 1.0, 0.005);
        close(hertz.duration / duration, 1.0, 0.005);
        // Maurice & Courtney: this contact radius, half this deformation, half this duration.
        let softness = libm::pow(7850.0 / 206e9, 0.2);
        let metres = radius * 1e-3;
        let fast = libm::pow(speed, 0.4);
        close(hertz.contact_radius / METRE / (0.9731 * fast * softness * metres), 1.0, 0.01);
        close(
            hertz.deformation / METRE / (0.9470 * fast * fast * softness * softness * metres),
            2.0,
            0.02,
        );
        let half = 2.787 / fast.sqrt() * softness * softness * metres;
        close(hertz.duration / SECOND / half, 2.0, 0.02);
    }
}

#[test]
fn the_duration_and_the_yield_speed_are_those_of_the_contact() {
    // Integrate m x'' = -k x^(3/2) from the touch to the release.
    let (steel, pair) = steel_balls(5.0 * MM);
    let (k, v) = (steel.stiffness(&pair), M_PER_S);
    let force = |x: f64| -k / pair.mass * x.max(0.0).powf(1.5);
    let hertz = steel.hertz(&pair, v);
    let (mut x, mut u, mut t, dt) = (0.0, v, 0.0, hertz.duration / 20_000.0);
    let mut deepest = 0.0f64;
    while x >= 0.0 {
        u += 0.5 * dt * force(x);
        x += dt * u;
        u += 0.5 * dt * force(x);
        t += dt;
        deepest = deepest.max(x);
    }
    close(t / hertz.duration, 1.0, 1e-3);
    close(deepest / hertz.deformation, 1.0, 1e-4);
    // At the yield speed the largest pressure, 2 E* a/(pi R*), is the yield pressure.
    let at_yield = steel.hertz(&pair, steel.yield_speed(&pair));
    let pressure = 2.0 * steel.contact_modulus() * at_yield.contact_radius / (PI * pair.radius);
    close(pressure / steel.yield_pressure, 1.0, 1e-12);
}

#[test]
fn a_wall_is_an_infinite_ball() {
    let infinite = EffectiveBall::of_two([5.0, f64::INFINITY], [3.0, f64::INFINITY]);
    assert_eq!(infinite, EffectiveBall::at_wall(5.0, 3.0));
}
