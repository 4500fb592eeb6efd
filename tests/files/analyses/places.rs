//! How many there are, and where.

use jostle::analysis::{self, Along, Scope};
use serde_json::json;

use super::worlds::{CHAINS, checked_by_python, everything, ideal, made};

#[test]
fn numbers_sizes_and_densities_are_those_of_numpy() {
    let (_dir, path) = made(CHAINS, &[]);
    let reading = analysis::open(&path).unwrap();
    let counts = analysis::counts(&reading, &everything()).unwrap();
    let sizes = analysis::cluster_sizes(&reading, &everything()).unwrap();
    let shares = sizes.distribution().unwrap();
    let density = |along: Along| {
        let found = analysis::density(&reading, &everything(), along, 6).unwrap();
        let species = found.species.iter().map(|one| {
            let bins = one.bins.iter().map(|bin| json!([bin.at[0], bin.at[1], bin.density.mean]));
            json!([one.species, bins.collect::<Vec<_>>()])
        });
        json!(species.collect::<Vec<_>>())
    };
    let reported = json!({
        "counts": counts.species.iter().map(|one| json!([one.species, one.counts, one.mean.mean])).collect::<Vec<_>>(),
        "sizes": shares.sizes.iter().map(|s| json!([s.size, s.clusters.mean, s.of_clusters.mean, s.of_bodies.mean])).collect::<Vec<_>>(),
        "means": [shares.mean.mean, shares.mean_by_particle.mean],
        "x": density(Along::Axis(0)), "radius": density(Along::Radius), "map": density(Along::Map),
    });
    checked_by_python("numbers", &path, &reported);
}

#[test]
fn pair_distances_are_those_of_freud_and_mdanalysis() {
    for (dimension, edges) in
        [(3, "[\"40 nm\", \"50 nm\", \"60 nm\"]"), (2, "[\"80 nm\", \"100 nm\"]")]
    {
        let (_dir, path) = ideal(dimension, edges, "\"periodic\"", &[("run.steps", "400")]);
        let reading = analysis::open(&path).unwrap();
        let found =
            analysis::radial_distribution(&reading, &everything(), Some(19), Some(19.0)).unwrap();
        assert_eq!(found.frames, 21);
        let pairs = found.pairs.iter().map(|pair| {
            let points = pair.points.iter().map(|p| json!([p.distance, p.g, p.pairs]));
            json!([pair.species, points.collect::<Vec<_>>()])
        });
        checked_by_python("rdf", &path, &json!(pairs.collect::<Vec<_>>()));
    }
}

/// 400 and 60 particles, 41 frames, 8 shells of 3 pairs in each of 9 boxes: 216 values, each within
/// 5 of its errors, which 41 frames tell to 11 % (chance fails once in a thousand seeds).
#[test]
fn an_ideal_gas_has_a_pair_distribution_of_one_whatever_the_walls() {
    let boxes = [
        (1, "\"60 nm\"", ["\"periodic\"", "\"reflecting\"", "[\"reflecting\"]"]),
        (
            2,
            "[\"60 nm\", \"90 nm\"]",
            ["\"periodic\"", "\"reflecting\"", "[\"reflecting\", \"periodic\"]"],
        ),
        (
            3,
            "[\"40 nm\", \"50 nm\", \"60 nm\"]",
            ["\"periodic\"", "\"reflecting\"", "[\"periodic\", \"reflecting\", \"reflecting\"]"],
        ),
    ];
    // From frame to frame particles get as far as the box is wide, so that frames are independent.
    let fast = [
        ("run.steps", "4000"),
        ("run.timestep", "0.3 us"),
        ("output.frame_every", "100"),
        ("species.A.diffusion", "20 um^2/s"),
        ("species.B.diffusion", "20 um^2/s"),
    ];
    for (dimension, edges, boundaries) in boxes {
        for boundary in boundaries {
            let (_dir, path) = ideal(dimension, edges, boundary, &fast);
            let reading = analysis::open(&path).unwrap();
            let found = analysis::radial_distribution(&reading, &everything(), Some(8), Some(20.0))
                .unwrap();
            for point in found.pairs.iter().flat_map(|pair| &pair.points) {
                let error = point.error.max(1.0 / (point.pairs as f64).sqrt());
                assert!((point.g - 1.0).abs() < 5.0 * error, "{dimension} {boundary} {point:?}");
                assert!(error < 0.5, "{dimension} {boundary} {point:?}");
            }
        }
    }
}

/// Posts, which never bind, do not count; nor do ligands, which bind to one particle each.
#[test]
fn sizes_of_some_species_leave_out_the_others() {
    let posts = "[[species]]\nname = \"Post\"\nradius = \"2 nm\"\ndiffusion = \"0 um^2/s\"\ncount = 40\n[output]";
    let (_dir, path) = made(&CHAINS.replace("[output]", posts), &[("run.steps", "2000")]);
    let reading = analysis::open(&path).unwrap();
    let all = analysis::cluster_sizes(&reading, &everything()).unwrap();
    let receptors = Scope { species: vec!["R".into()], ..Scope::default() };
    let chosen = analysis::cluster_sizes(&reading, &receptors).unwrap();
    assert_eq!((&all.single, &chosen.single), (&vec!["Post".to_owned()], &vec![]));
    assert!(all.frames.iter().any(|at| at.largest() > 1));
    for (all, chosen) in all.frames.iter().zip(&chosen.frames) {
        let mut expected = all.clusters.clone();
        *expected.get_mut(&1).unwrap() -= 40;
        assert_eq!(chosen.clusters, expected);
    }
    let together = |scope: &Scope| {
        let lives = analysis::lifetimes(&reading, scope, None).unwrap().sizes;
        let lives: Vec<_> = lives.into_iter().filter(|one| one.size > 1).collect();
        let moves = analysis::transitions(&reading, scope).unwrap().entries;
        let moves: Vec<_> = moves.into_iter().filter(|one| one.from > 1).collect();
        format!("{lives:?} {moves:?}")
    };
    assert_eq!(together(&receptors), together(&everything()));
    assert!(together(&receptors).contains("Transition {"));

    let ligand = "[[species]]\nname = \"L\"\nradius = \"2 nm\"\ndiffusion = \"1 um^2/s\"\ncount = 60\n[[rule]]\nname = \"join\"";
    let text = CHAINS.split("[[rule]]\nname = \"switch_on\"").next().unwrap();
    let text = text.replace("[[rule]]\nname = \"join\"", ligand);
    let text = text
        .replace("on = [\"R\", \"R\"]", "on = [\"R\", \"L\"]")
        .replace("max_bonds = 2", "max_bonds = 1");
    let (_dir, path) = made(&(text + "[output]\nframe_every = 40\n"), &[("run.steps", "2000")]);
    let reading = analysis::open(&path).unwrap();
    let pairs = analysis::lifetimes(&reading, &everything(), None).unwrap();
    assert!(pairs.sizes.iter().any(|one| one.size == 2 && one.curve.rate.events > 0));
    let alone = analysis::lifetimes(&reading, &receptors, None).unwrap();
    assert_eq!(alone.sizes.len(), 1);
    let one = &alone.sizes[0];
    assert_eq!((one.size, one.curve.lives, one.curve.rate.events), (1, 120, 0));
    assert_eq!(analysis::transitions(&reading, &receptors).unwrap().entries, []);
}
