//! How far particles get, and how long they need.

use jostle::analysis::{self, Goal, LagOptions, Passages, Place, Scope};
use serde_json::json;

use super::worlds::{BINDING, BOUND, CHAINS, checked_by_python, curve, everything, ideal, made};

#[test]
fn displacements_are_those_of_mdanalysis_and_numpy() {
    let (_dir, path) =
        ideal(3, "[\"40 nm\", \"50 nm\", \"60 nm\"]", "\"periodic\"", &[("run.steps", "2000")]);
    let reading = analysis::open(&path).unwrap();
    let found =
        analysis::mean_squared_displacement(&reading, &everything(), &LagOptions::default())
            .unwrap();
    let jumps = analysis::jumps(&reading, &everything(), None, 40).unwrap();
    let msd = found.by_species.iter().map(|one| {
        let points = one.points.iter().map(|p| json!([p.lag, p.value, p.error, p.samples]));
        json!({ "species": one.of.to_string(), "points": points.collect::<Vec<_>>() })
    });
    let distributions = jumps.entries.iter().map(|one| {
        let bins = one.bins.iter().map(|bin| json!([bin.displacement, bin.density]));
        json!({ "species": one.species, "lag": one.lag, "variance": one.variance, "beyond": one.beyond,
                "non_gaussian": one.non_gaussian, "samples": one.samples, "bins": bins.collect::<Vec<_>>() })
    });
    let reported =
        json!({ "msd": msd.collect::<Vec<_>>(), "jumps": distributions.collect::<Vec<_>>() });
    checked_by_python("displacement", &path, &reported);
    // 400 and 60 particles, 100 frames.
    for (one, d) in found.by_species.iter().zip([2.0, 0.5]) {
        let fit = one.fit.unwrap();
        assert!((fit.diffusion - d).abs() < BOUND * fit.diffusion_error, "{fit:?}");
        assert!(fit.diffusion_error < 0.02 * d, "{fit:?}");
    }
    for one in &jumps.entries {
        assert!(one.non_gaussian.abs() < BOUND * one.non_gaussian_error, "{one:?}");
    }
}

/// 400 particles that drift, 60 that do not; chance makes a drift of the latter in less than one of 10⁶ runs.
#[test]
fn a_drift_is_recognised_and_left_out_of_the_diffusion_coefficient() {
    let drift =
        [("run.steps", "2000"), ("species.A.drift.velocity", "['100 um/s', '0 um/s', '0 um/s']")];
    let edges = "[\"40 nm\", \"50 nm\", \"60 nm\"]";
    let (_dir, path) = ideal(3, edges, "\"periodic\"", &drift);
    let reading = analysis::open(&path).unwrap();
    let lags =
        LagOptions { per_decade: Some(10), fit: Some([100.0, 400.0]), ..LagOptions::default() };
    let found = analysis::mean_squared_displacement(&reading, &everything(), &lags).unwrap();
    let [a, b] = [0, 1].map(|n| &found.by_species[n]);
    let [velocity, error] = a.drift[0].unwrap();
    assert!((velocity - 0.1).abs() < BOUND * error && error < 0.01, "{velocity} +- {error}");
    assert_eq!((a.drift[1], a.drift[2], b.drift), (None, None, [None; 3]));
    let fit = a.fit.unwrap();
    let long = fit.long.unwrap();
    assert!((fit.diffusion - 2.0).abs() < BOUND * fit.diffusion_error, "{fit:?}");
    assert!((long.diffusion - 2.0).abs() < BOUND * long.diffusion_error, "{long:?}");
    assert!(long.between == [100.0, 400.0] && long.is_straight, "{long:?}");
    let said = found.said();
    assert!(said.len() == 1 && said[0].contains("A: it drifts, by "), "{said:?}");
    assert!(said[0].contains("µm/s along x"), "{said:?}");
    // Ten lags in a decade: 1 to 6, 8 and 10 frames.
    let first: Vec<f64> = a.points.iter().take(8).map(|point| point.lag).collect();
    assert_eq!(first, [20.0, 40.0, 60.0, 80.0, 100.0, 120.0, 160.0, 200.0]);
    let none = LagOptions { fit: Some([1e6, 2e6]), ..LagOptions::default() };
    let refused = analysis::mean_squared_displacement(&reading, &everything(), &none).unwrap_err();
    assert!(refused.to_string().contains("fewer than two lags"), "{refused}");
}

#[test]
fn confinement_is_recognised_along_the_axis_that_it_is_along() {
    let (_dir, path) =
        ideal(2, "[\"40 nm\", \"2000 nm\"]", "\"reflecting\"", &[("run.steps", "8000")]);
    let reading = analysis::open(&path).unwrap();
    let found =
        analysis::mean_squared_displacement(&reading, &everything(), &LagOptions::default())
            .unwrap();
    let one = &found.by_species[0];
    // The square of the width over 6; centres keep a radius, 1 nm, away from walls.
    let level = one.levels[0].unwrap()[0];
    let expected = 38.0 * 38.0 / 6.0;
    let error = one.points.last().unwrap().along[0].square_error;
    assert!((level - expected).abs() < BOUND * error + 0.12 * expected, "{level} for {expected}");
    assert_eq!(one.levels[1], None);
    let said = found.said();
    assert!(said[0].contains("A: the MSD along x levels off"), "{said:?}");
}

#[test]
fn clusters_diffuse_as_numpy_says_and_more_slowly_the_larger_they_are() {
    let (_dir, path) = made(CHAINS, &[("clusters.mobility", "rouse"), ("run.steps", "8000")]);
    let reading = analysis::open(&path).unwrap();
    let lags = LagOptions { longest: Some(400.0), ..LagOptions::default() };
    let found = analysis::mean_squared_displacement(&reading, &everything(), &lags).unwrap();
    let sizes = found.by_size.iter().map(|one| {
        let points = one.points.iter().map(|p| json!([p.lag, p.value, p.samples]));
        json!({ "size": one.of.to_string(), "points": points.collect::<Vec<_>>() })
    });
    checked_by_python("units", &path, &json!(sizes.collect::<Vec<_>>()));
    // Free draining: D/n. In a crowd of 2 % a little slower, by twice the packing fraction.
    let of = |n: usize| found.by_size[n].fit.unwrap();
    for (n, size) in [(0, 1.0), (1, 2.0), (2, 3.0)] {
        let fit = of(n);
        let expected = 1.0 / size;
        let slack = BOUND * fit.diffusion_error + 0.2 * expected;
        assert!((fit.diffusion - expected).abs() < slack, "{size}: {fit:?}");
        assert!(fit.diffusion_error < 0.2 * expected, "{size}: {fit:?}");
    }
}

#[test]
fn first_passages_are_those_that_numpy_finds() {
    let (_dir, path) =
        ideal(2, "[\"80 nm\", \"100 nm\"]", "\"reflecting\"", &[("run.steps", "2000")]);
    let reading = analysis::open(&path).unwrap();
    let find = |goal: &Goal| {
        let found = analysis::first_passage(&reading, &everything(), goal, None).unwrap();
        let entries = found.entries.iter().map(|one| json!([one.species, curve(&one.curve)]));
        (json!(entries.collect::<Vec<_>>()), found)
    };
    let place = Place { ranges: [Some([0.0, 20.0]), Some([30.0, 100.0]), None] };
    let (far, _) = find(&Goal::Distance(12.0));
    let (there, _) = find(&Goal::Place(place));
    checked_by_python("passage", &path, &json!({ "distance": far, "place": there }));

    // In a box without walls, the mean is L²/(2 d D), L being longer by 0.5826 (2 D Δt)^½ for what
    // is not seen between frames (Broadie, Glasserman & Kou 1997); 400 particles.
    let (_dir, path) =
        ideal(2, "[\"80 nm\", \"100 nm\"]", "\"periodic\"", &[("run.steps", "8000")]);
    let reading = analysis::open(&path).unwrap();
    let found =
        analysis::first_passage(&reading, &everything(), &Goal::Distance(40.0), None).unwrap();
    let one = &found.entries[0];
    let seen: f64 = 40.0 + 0.5826 * (2.0 * 2.0 * 20.0f64).sqrt();
    let expected = seen * seen / (4.0 * 2.0);
    assert_eq!((one.species.as_str(), one.curve.rate.events, one.free), ("A", 400, Some(200.0)));
    assert!(
        (one.curve.mean - expected).abs() < BOUND * one.curve.mean_error,
        "{} for {expected}",
        one.curve.mean
    );
}

#[test]
fn particles_meet_when_the_log_says_so() {
    let (_dir, path) = made(BINDING, &[]);
    let reading = analysis::open(&path).unwrap();
    let goal = Goal::Meeting(Some("B".into()));
    let scope = Scope { species: vec!["A".into()], ..Scope::default() };
    let found = analysis::first_passage(&reading, &scope, &goal, None).unwrap();
    assert_eq!((found.entries.len(), found.entries[0].curve.lives), (1, 80));
    let reported = |found: &Passages, of: &str, with: &str| {
        let mut reported = curve(&found.entries[0].curve);
        (reported["of"], reported["with"]) = (of.into(), with.into());
        reported
    };
    checked_by_python("meeting", &path, &reported(&found, "A", "B"));
    let none = Scope { species: vec!["X".into()], ..Scope::default() };
    let refused = analysis::first_passage(&reading, &none, &goal, None).unwrap_err().to_string();
    assert!(refused.contains("has no species \"X\"; it has A, B, C"), "{refused}");

    // Particles that become something else keep their identity: what that meets does not count.
    let thin =
        [("space.edges", "400 nm"), ("rule.switch_on.rate", "1.5 /ms"), ("output.log", "all")];
    let (_dir, path) = made(CHAINS, &thin);
    let scope = Scope { species: vec!["R{off}".into()], ..Scope::default() };
    let goal = Goal::Meeting(Some("R{on}".into()));
    let found =
        analysis::first_passage(&analysis::open(&path).unwrap(), &scope, &goal, None).unwrap();
    checked_by_python("meeting", &path, &reported(&found, "R{off}", "R{on}"));
}
