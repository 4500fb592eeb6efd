//! The determinant and its roots.

use super::super::*;
use jostle_core::random::{Purpose, Random};
use jostle_core::space::Vector;

/// The polynomial with these roots, times a number that makes it positive at 0.
fn with_roots(roots: &[f64]) -> Polynomial {
    let mut p = [0.0; TERMS];
    p[0] = 1.0;
    for root in roots {
        for k in (0..TERMS).rev() {
            p[k] = if k > 0 { p[k - 1] } else { 0.0 } - root * p[k];
        }
    }
    let sign = p[0].signum();
    p.map(|c| c * sign)
}

#[test]
fn the_first_fall_is_the_first_root_of_odd_order() {
    for (roots, fall) in [
        (vec![], f64::INFINITY),
        (vec![2.0], 2.0),
        (vec![-2.0], f64::INFINITY),
        (vec![3.0, 1.0], 1.0),
        (vec![1.0, 1.0], f64::INFINITY),
        (vec![-1.0, 1.0, 1.0, 2.0], 2.0),
        (vec![1.0, 1.0, 1.0, 2.0], 1.0),
        (vec![1.0, 1.0, 2.0, 2.0], f64::INFINITY),
        (vec![5.0, 5.0, 5.0, 5.0], f64::INFINITY),
        (vec![-5.0, -4.0, -3.0, -2.0], f64::INFINITY),
        (vec![-1.0, 4.0, 3.0, 2.0, 7.0], 2.0),
    ] {
        let found = first_fall(&with_roots(&roots));
        // A triple root is only known to the third root of the rounding.
        assert!(found == fall || (found - fall).abs() < 1e-4 * fall, "{roots:?}: {found}");
    }
}

/// 20 000 quartics with roots of all magnitudes from 1e-6 to 1e6, some of them in close pairs.
#[test]
fn roots_of_all_magnitudes_are_found() {
    let random = Random::new(3);
    for n in 0..20_000 {
        let draw = |k| random.uniform(Purpose::Placement, [n, k, 0, 0]);
        let mut roots: Vec<f64> = (0..4)
            .map(|k| libm::exp10(12.0 * draw(k) - 6.0) * if draw(k + 4) < 0.3 { -1.0 } else { 1.0 })
            .collect();
        if draw(8) < 0.5 {
            roots[1] = roots[0] * (1.0 + libm::exp10(-1.0 - 4.0 * draw(9)));
        }
        let p = with_roots(&roots);
        roots.retain(|root| *root > 0.0);
        roots.sort_by(f64::total_cmp);
        let found = first_fall(&p);
        match roots.first() {
            None => assert_eq!(found, f64::INFINITY),
            // Two at a relative distance of 1e-5 are known to 1e-16/1e-5 each.
            Some(first) => assert!((found - first).abs() < 1e-9 * first, "{roots:?}: {found}"),
        }
    }
}

#[test]
fn a_dip_is_a_fall_and_a_near_miss_is_not() {
    for depth in [1e-3, 1e-9, 1e-13] {
        let mut p = with_roots(&[1.0, 1.0, -2.0, -3.0]);
        p[0] += depth;
        assert_eq!(first_fall(&p), f64::INFINITY);
        p[0] -= 2.0 * depth;
        let fall = first_fall(&p);
        assert!(
            fall < 1.0 && (1.0 - fall - (depth / 12.0).sqrt()).abs() < depth.sqrt() * 0.1,
            "{fall}"
        );
    }
}

#[test]
fn what_is_below_has_fallen_already() {
    assert_eq!(first_fall(&[-1.0, 5.0, 0.0, 0.0, 0.0, 0.0]), 0.0);
    assert_eq!(first_fall(&[0.0, -1.0, 5.0, 0.0, 0.0, 0.0]), 0.0);
    assert_eq!(first_fall(&[0.0, 1.0, -1.0, 0.0, 0.0, 0.0]), 1.0);
    assert_eq!(first_fall(&[0.0; TERMS]), f64::INFINITY);
}

/// The determinant of a matrix, by elimination.
fn determinant(mut rows: Vec<Vec<f64>>) -> f64 {
    let mut product = 1.0;
    for k in 0..rows.len() {
        let best =
            (k..rows.len()).max_by(|&a, &b| rows[a][k].abs().total_cmp(&rows[b][k].abs())).unwrap();
        if best != k {
            rows.swap(best, k);
            product = -product;
        }
        product *= rows[k][k];
        let pivot = rows[k].clone();
        for row in &mut rows[k + 1..] {
            let times = row[k] / pivot[k];
            row.iter_mut().zip(&pivot).for_each(|(x, y)| *x -= times * y);
        }
    }
    product
}

/// Lemma 1 as it is printed, of parabolic paths in absolute coordinates.
fn lemma<const D: usize>(sites: &[Site<D>], gravity: Vector<D>, t: f64) -> [f64; 2] {
    let at = |site: &Site<D>| site.position + site.velocity * t + gravity * (0.5 * t * t);
    let rows = |count: usize, weights: bool| {
        let row = |site: &Site<D>| {
            let x = at(site);
            let weight = x.norm_squared() - site.radius * site.radius;
            x.0.into_iter().chain(weights.then_some(weight)).chain([1.0]).collect()
        };
        sites[..count].iter().map(row).collect()
    };
    [determinant(rows(D + 2, true)), determinant(rows(D + 1, false))]
}

fn seen<const D: usize>(sites: &[Site<D>]) -> Vec<RelativeSite<D>> {
    sites[..D + 1].iter().map(|site| site.seen_from(&sites[D + 1])).collect()
}

fn random_sites<const D: usize>(n: u64) -> Vec<Site<D>> {
    let random = Random::new(8 + D as u64);
    (0..D as u64 + 2)
        .map(|i| Site {
            position: Vector::from_fn(|k| random.uniform(Purpose::Placement, [n, i, k as u64, 0])),
            velocity: Vector::from_fn(|k| {
                random.uniform(Purpose::Placement, [n, i, k as u64, 1]) - 0.5
            }),
            radius: random.uniform(Purpose::Placement, [n, i, 0, 2]),
        })
        .collect()
}

/// 300 random sets, at five times each.
fn polynomials_are_the_lemma<const D: usize>() {
    let gravity = Vector::from_fn(|k| k as f64 - 2.0);
    for n in 0..300 {
        let sites = random_sites::<D>(n);
        let seen = seen(&sites);
        let f = power_in_sphere(&seen);
        for t in [0.0, 0.3, 1.0, -0.7, 2.5] {
            let [printed, _] = lemma(&sites, gravity, t);
            assert!(
                (value(&f, t) - printed).abs() < 1e-9 * (1.0 + t.powi(4)),
                "{printed} {}",
                value(&f, t)
            );
        }
        let last = &sites[D];
        let corners = std::array::from_fn(|k| sites[k].seen_from(last));
        let [_, printed] = lemma(&sites, gravity, 0.4);
        assert!((value(&oriented_volume::<D>(&corners), 0.4) - printed).abs() < 1e-12);
    }
}

#[test]
fn the_determinant_is_that_of_lemma_1_in_the_plane_and_in_space() {
    polynomials_are_the_lemma::<1>();
    polynomials_are_the_lemma::<2>();
    polynomials_are_the_lemma::<3>();
}

/// Spheres all orthogonal to one of radius 2 at time 3, and one of them passing through that state.
fn all_are_orthogonal_to_one_sphere_at_the_root<const D: usize>() {
    let drift = Vector::from_fn(|k| 0.5 - k as f64);
    for n in 0..100 {
        let mut sites = random_sites::<D>(n);
        for site in &mut sites {
            let away = site.position - Vector::from_fn(|_| 0.5);
            let centre = away * ((4.0 + site.radius * site.radius).sqrt() / away.norm());
            site.position = centre - drift * 3.0;
            site.velocity = drift;
        }
        // The last one comes from outside, straight to the centre.
        let last = sites.last_mut().unwrap();
        let inwards = (last.position + drift * 3.0) * -0.1;
        last.position -= inwards * 3.0;
        last.velocity += inwards;
        let [_, orientation] = lemma(&sites, Vector::default(), 3.0);
        if orientation < 0.0 {
            sites.swap(0, 1);
        }
        if orientation.abs() < 1e-2 {
            continue;
        }
        let f = power_in_sphere(&seen(&sites));
        assert!(value(&f, 2.9) < 0.0 && value(&f, 3.1) > 0.0, "outside before, inside after");
        let fall = first_fall(&f.map(|c| -c));
        assert!((fall - 3.0).abs() < 1e-9, "{fall}");
        // Seen from later on the root is past.
        let later: Vec<_> = sites
            .iter()
            .map(|site| Site { position: site.position + site.velocity * 3.5, ..*site })
            .collect();
        let f = power_in_sphere(&seen(&later));
        assert!(value(&f, 0.0) > 0.0 && (value(&f, -0.5)).abs() < 1e-12);
    }
}

#[test]
fn the_root_is_where_all_are_orthogonal_to_one_sphere() {
    all_are_orthogonal_to_one_sphere_at_the_root::<2>();
    all_are_orthogonal_to_one_sphere_at_the_root::<3>();
}
