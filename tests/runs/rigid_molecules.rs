//! Molecules of several spheres stay as they are through a run, in its files, and when it is taken
//! up again.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use jostle::analysis::{self, Reading};
use jostle::model::{self, Model};
use jostle::observe::NoObserver;
use jostle::run::{Options, engine, forecast, run};
use jostle::space::{Domain, Orientation, Vector};

use crate::bonded_start::parsed;

/// A Y with sites that point outwards, and a dumbbell with a gap, among particles that bind to the
/// Y; `more` is added.
fn text(counts: [usize; 2], more: &str) -> String {
    let [y, dumbbells] = counts;
    format!(
        "[space]\ndimension = 3\nedges = '40 nm'\nboundary = 'periodic'\n[run]\ntimestep = '5 ns'\nsteps = 400\nseed = 3\n\
         [[species]]\nname = 'A'\nradius = '2 nm'\ndiffusion = '40 um^2/s'\n@A@\n\
         [[species]]\nname = 'B'\nradius = '1.5 nm'\ndiffusion = '60 um^2/s'\n@B@\n\
         sites = [{{ name = 's', direction = [0.6, 0.8, 0], opening = '80 deg' }}]\n\
         [[species]]\nname = 'L'\nradius = '1 nm'\ndiffusion = '90 um^2/s'\n@L@\nsites = [{{ name = 'l' }}]\n\
         [[molecule]]\nname = 'Y'\ncount = {y}\nspheres = [{{ species = 'A', at = [0, 0, 0] }},\n\
         {{ species = 'B', at = [2.1, 2.8, 0] }},\n\
         {{ species = 'B', at = [-2.1, 2.8, 0], turn = {{ axis = [0, 1, 0], angle = '180 deg' }} }}]\n\
         [[molecule]]\nname = 'Dumbbell'\ncount = {dumbbells}\n\
         spheres = [{{ species = 'A', at = [0, 0, 0] }}, {{ species = 'A', at = [0, 0, 7] }}]\n\
         [[rule]]\nname = 'bind'\ndo = 'bind'\nmerge = 'bond'\non = ['B(s)', 'L(l)']\nat = ['s', 'l']\n\
         rate = '60 nm^3/us'\nunbind = '200000 /s'\n{more}\n[output]\nframes = 8\nprecision = 'double'\n"
    )
}

fn placed(counts: [usize; 2], more: &str) -> String {
    text(counts, more).replace("@A@", "").replace("@B@", "").replace("@L@", "count = 150")
}

fn execute(model: &Model, out: &Path) -> Reading {
    let options = Options {
        out: Some(out),
        force: false,
        self_check: true,
        stop: &AtomicBool::new(false),
        progress: &mut |_| (),
        checkpoints: Default::default(),
    };
    run(model, options).unwrap_or_else(|error| panic!("{error}"));
    analysis::open(out).unwrap()
}

/// What each molecule is made of, by identities, with the kind of it.
fn molecules(model: &Model) -> Vec<(usize, Vec<usize>)> {
    let count = |s: u16| {
        let own = model.placement.iter().filter(|p| p.species < s);
        own.map(|placement| placement.count()).sum::<usize>()
    };
    let mut found = Vec::new();
    model.each_molecule(|kind, spheres| {
        found.push((kind, spheres.iter().map(|(s, number)| count(*s) + number).collect()));
    });
    found
}

#[test]
fn a_run_leaves_molecules_as_they_are() {
    let model = parsed(&placed([40, 20], ""), Path::new("."));
    let mut engine = engine::<3>(&model).unwrap();
    let domain = Domain::<3>::new([40.0; 3], [true; 3]);
    let all = molecules(&model);
    assert_eq!(all.len(), 60);
    let mut far = 0.0_f64;
    let first = engine.particles().position.clone();
    for step in 0..=2000 {
        if step % 200 == 0 {
            let slots = engine.particles().slots_by_id();
            for (kind, ids) in &all {
                let spheres = &model.molecules()[*kind].spheres;
                let slot = |n: usize| slots[ids[n]] as usize;
                let particles = engine.particles();
                let apart = |a: usize, b: usize| {
                    domain.nearest_image(particles.position[slot(b)] - particles.position[slot(a)])
                };
                for b in 0..ids.len() {
                    for a in 0..b {
                        let should = spheres[b].beside(&spheres[a]).norm();
                        assert!((apart(a, b).norm() - should).abs() < 1e-9, "step {step}");
                    }
                }
                if let [_, _, _] = ids[..] {
                    // The site of each arm points from the centre outwards.
                    for n in [1, 2] {
                        let how: Orientation = particles.orientation[slot(n)];
                        let points = how.apply(Vector([0.6, 0.8, 0.0]));
                        let outwards = apart(0, n) * (1.0 / 3.5);
                        assert!((points - outwards).norm() < 1e-9, "step {step}: {points:?}");
                    }
                }
                far = far.max((particles.position[slot(0)] - first[ids[0]]).norm());
            }
        }
        engine.step(&mut NoObserver).unwrap();
    }
    assert!(far > 10.0, "they hardly moved: {far}");
    let bonds = engine.clusters().bonds().filter(|bond| bond.rule == 1 || bond.rule == 2).count();
    assert_eq!(bonds, 40 * 2 + 20);
    assert!(engine.clusters().bonds().count() > bonds, "nothing is bound to the arms");
}

#[test]
fn the_file_has_their_bonds_and_another_run_can_continue_from_it() {
    let dir = tempfile::tempdir().unwrap();
    let undirected =
        |text: String| text.replace(", direction = [0.6, 0.8, 0], opening = '80 deg'", "");
    let model = parsed(&undirected(placed([40, 20], "")), dir.path());
    let before = execute(&model, &dir.path().join("before.h5md"));
    let mut bonds = before.bonds(0).unwrap();
    bonds.iter_mut().for_each(|pair| pair.sort_unstable());
    assert_eq!(bonds.len(), 100);
    for (_, ids) in molecules(&model) {
        let first = ids[0] as i32;
        for &other in &ids[1..] {
            assert!(bonds.contains(&[first, other as i32]), "{first} {other}");
        }
    }
    let sizes = analysis::cluster_sizes(&before, &analysis::Scope::default()).unwrap();
    let first: Vec<_> = sizes.frames[0].clusters.clone().into_iter().collect();
    assert_eq!(first, [(1, 150), (2, 20), (3, 40)]);
    // The same from the text that the file carries.
    let again = model::parse(&before.model().unwrap().1, "resolved", &[]).unwrap();
    let second = execute(&again, &dir.path().join("again.h5md"));
    let found = analysis::compare(&before, &second, None).unwrap();
    assert!(found.is_equal(), "{found}");
    // And on from its last frame.
    let from = "placement = { file = 'before.h5md' }";
    let on =
        ["@A@", "@B@", "@L@"].iter().fold(text([0, 0], ""), |text, key| text.replace(key, from));
    let turned = model::parse(&on, dir.path().join("model.toml").to_str().unwrap(), &[]);
    let said = turned.unwrap_err().to_string();
    assert!(said.contains("given positions do not say how they are turned"), "{said}");
    let on = parsed(&undirected(on), dir.path());
    assert!(on.warnings().iter().all(|said| !said.contains("bond")), "{:?}", on.warnings());
    let by = |rule| on.bonds().iter().filter(|bond| bond.rule == Some(rule)).count();
    assert_eq!([by(1) + by(2), by(2)], [100, 20]);
    let after = execute(&on, &dir.path().join("after.h5md"));
    let last = before.frames() - 1;
    assert_eq!(after.bonds(0).unwrap().len(), before.bonds(last).unwrap().len());
}

/// Two bonds hold a Y together, one a dumbbell; each breaks by itself at the rate of the rule.
#[test]
fn molecules_fall_apart_at_the_rate_of_their_rule() {
    let more = "[[rule]]\nname = 'apart'\ndo = 'unbind'\nof = 'Y'\nrate = '500000 /s'\n";
    let model = parsed(&placed([60, 20], more), Path::new("."));
    let mut engine = engine::<3>(&model).unwrap();
    let bonds = |engine: &jostle::brownian::Brownian<3>, rule| {
        engine.clusters().bonds().filter(|bond| bond.rule == rule).count()
    };
    assert_eq!([1, 2].map(|rule| bonds(&engine, rule)), [120, 20]);
    for _ in 0..200 {
        engine.step(&mut NoObserver).unwrap();
    }
    // After 1 us exp(-0.5) of the bonds are left, 72.8 of 120 with a standard deviation of 5.3, and
    // 4.5 of these have a probability of 7e-6; a few find no room to part.
    let left = bonds(&engine, 1) as f64;
    assert!((49.0..103.0).contains(&left), "{left}");
    assert_eq!(bonds(&engine, 2), 20);
    // Of 120, a share of 1 - exp(-1) is expected to break within the 2 us of the run.
    let apart = usize::from(model.rules().first_timed());
    let number = (0..2).map(|n| apart + n).find(|&n| model.rules().name(n as u16) == "apart");
    let expected = forecast(&model).unwrap().outlook.events[number.unwrap()];
    assert!((expected / 75.9 - 1.0).abs() < 0.1, "{expected}");
}
