//! What is on which side of a surface: numbers of particles, and contacts.

use jostle::analysis::contacts::{Filter, Grouping, Key, Query};
use jostle::analysis::{self, Along, Beside, Cell, Goal, Reading, Which};

use super::worlds::{everything, made};
use crate::program::jostle;

/// Particles in a sphere, out of it, on it, and such as ignore it; a plane that all ignore.
const CELL: &str = r#"
[space]
dimension = 3
edges = "80 nm"
boundary = ["periodic", "periodic", "reflecting"]
[run]
timestep = "20 ns"
steps = 400
seed = 4
[[surface]]
name = "cell"
sphere = { centre = ["40 nm", "40 nm", "40 nm"], radius = "25 nm" }
species = { ghost = "ignore" }
[[surface]]
name = "floor"
plane = { axis = "z", at = "30 nm" }
meets = "ignore"
[[species]]
name = "inner"
radius = "2 nm"
diffusion = "20 um^2/s"
count = 20
inside = "cell"
[[species]]
name = "outer"
radius = "2 nm"
diffusion = "20 um^2/s"
count = 30
outside = "cell"
[[species]]
name = "receptor"
radius = "1 nm"
diffusion = "2 um^2/s"
count = 15
on = "cell"
[[species]]
name = "ghost"
radius = "1 nm"
diffusion = "20 um^2/s"
count = 40
[output]
frame_every = 20
log = "all"
precision = "double"
"#;

fn beside(which: Which, surface: &str) -> Beside {
    Beside { which, surface: surface.into() }
}

/// The numbers of a species in each frame, on all of some sides.
fn counted(reading: &Reading, species: &str, sides: &[Beside]) -> Vec<i64> {
    let found = analysis::counts_beside(reading, &everything(), sides).unwrap();
    found.species.into_iter().find(|one| one.species == species).unwrap().counts
}

/// The numbers of a species in each frame, at places that are told by hand.
fn by_hand(reading: &Reading, species: i32, within: impl Fn([f64; 3]) -> bool) -> Vec<i64> {
    let species_of = reading.slot_species().unwrap();
    let frame = |frame: usize| {
        let places = reading.positions(frame..frame + 1, 0..reading.slots()).unwrap();
        let of = |slot: &usize| {
            species_of[*slot] == species && within([0, 1, 2].map(|k| places[[0, *slot, k]]))
        };
        (0..reading.slots()).filter(of).count() as i64
    };
    (0..reading.frames()).map(frame).collect()
}

#[test]
fn particles_are_counted_on_the_side_where_they_are() {
    let (_dir, path) = made(CELL, &[]);
    let reading = analysis::open(&path).unwrap();
    let [inside, outside] = [Which::Inside, Which::Outside].map(|which| beside(which, "cell"));
    let [above, below] = [Which::Above, Which::Below].map(|which| beside(which, "floor"));
    let each =
        |species: &str, side: &Beside| counted(&reading, species, std::slice::from_ref(side));
    let frames = reading.frames();
    assert_eq!(
        (each("inner", &inside), each("inner", &outside)),
        (vec![20; frames], vec![0; frames])
    );
    assert_eq!(
        (each("outer", &inside), each("outer", &outside)),
        (vec![0; frames], vec![30; frames])
    );
    assert_eq!(
        (each("receptor", &inside), each("receptor", &outside)),
        (vec![0; frames], vec![0; frames])
    );
    let in_cell = |x: [f64; 3]| x.iter().map(|x| (x - 40.0).powi(2)).sum::<f64>() <= 625.0;
    assert_eq!(each("ghost", &inside), by_hand(&reading, 3, in_cell));
    assert_eq!(each("receptor", &below), by_hand(&reading, 2, |x| x[2] < 30.0));
    let both = counted(&reading, "ghost", &[inside.clone(), above.clone()]);
    assert_eq!(both, by_hand(&reading, 3, |x| in_cell(x) && x[2] >= 30.0));
    assert!(both.iter().any(|&count| count > 0));
    // All of them are somewhere.
    let total = |a: &Beside, b: &Beside| -> Vec<i64> {
        each("ghost", a).iter().zip(each("ghost", b)).map(|(a, b)| a + b).collect()
    };
    assert_eq!(
        (total(&inside, &outside), total(&above, &below)),
        (vec![40; frames], vec![40; frames])
    );
}

#[test]
fn contacts_are_asked_for_by_wall_and_by_side() {
    let (_dir, path) = made(CELL, &[]);
    let reading = analysis::open(&path).unwrap();
    let count = |filter: Filter| Query::new(&reading, &filter).unwrap().count().unwrap();
    let with_wall = |wall: &str, species: &str, sides: Vec<Beside>| {
        count(Filter {
            walls: vec![wall.into()],
            species: vec![species.into()],
            sides,
            ..Filter::default()
        })
    };
    let inside = vec![beside(Which::Inside, "cell")];
    let outside = vec![beside(Which::Outside, "cell")];
    // Whoever bounces off the sphere does so on its own side.
    let [inner, outer] = ["inner", "outer"].map(|species| with_wall("cell", species, vec![]));
    assert!(inner > 50 && outer > 50, "{inner} {outer}");
    assert_eq!(
        [with_wall("cell", "inner", inside.clone()), with_wall("cell", "outer", outside.clone())],
        [inner, outer]
    );
    assert_eq!(
        [with_wall("cell", "inner", outside.clone()), with_wall("cell", "outer", inside.clone())],
        [0, 0]
    );
    // Walls by name are all the walls that there are.
    let walls = count(Filter { species: vec!["wall".into()], ..Filter::default() });
    let named = |wall: &str| count(Filter { walls: vec![wall.into()], ..Filter::default() });
    assert_eq!(walls, ["z-", "z+", "cell"].map(named).iter().sum::<u64>());
    assert_eq!((named("floor"), named("x-")), (0, 0));
    // Who lives on the sphere meets nobody on a side of it.
    let met = |sides: &[Beside]| {
        count(Filter {
            species: vec!["receptor".into()],
            sides: sides.to_vec(),
            ..Filter::default()
        })
    };
    assert!(met(&[]) > 0);
    assert_eq!((met(&inside), met(&outside)), (0, 0));
}

/// Whoever touches a surface that absorbs ends there: the log of contacts, that of changes, and the
/// time until then tell the same.
#[test]
fn what_a_surface_absorbs_is_reported_as_such() {
    let absorbing = CELL.replace("ghost = \"ignore\"", "ghost = \"absorb\"");
    let (_dir, path) = made(&absorbing, &[]);
    let reading = analysis::open(&path).unwrap();
    let applied = analysis::rules_applied(&reading, 400, 1).unwrap();
    let [one] = &applied[..] else { panic!("{applied:?}") };
    let gone = one.counts[0];
    assert!(one.rule == "at cell" && gone > 5, "{one:?}");
    let grouping = Grouping { keys: vec![Key::Wall, Key::Outcome, Key::Rule], every: None };
    let found = Query::new(&reading, &Filter::default()).unwrap().group(&grouping).unwrap();
    let text = |word: &str| Cell::Text(word.into());
    let count = |wall: Cell, outcome: &str, rule: Cell| {
        let common = [wall, text(outcome), rule];
        found.groups.iter().find(|group| group.common == common).map_or(0, |group| group.contacts)
    };
    assert_eq!(count(text("cell"), "absorbed", text("at cell")), gone);
    let bounced = ["z-", "z+", "cell"].map(|wall| count(text(wall), "bounced", Cell::Missing));
    let among_particles = count(Cell::Missing, "bounced", Cell::Missing);
    let all = Query::new(&reading, &Filter::default()).unwrap().count().unwrap();
    assert!(bounced.iter().all(|&count| count > 0), "{bounced:?}");
    assert_eq!(all, gone + bounced.iter().sum::<u64>() + among_particles, "{:?}", found.groups);
    let goal = Goal::Meeting(Some("cell".into()));
    let passages = analysis::first_passage(&reading, &everything(), &goal, None).unwrap();
    let ghosts = passages.entries.iter().find(|entry| entry.species == "ghost").unwrap();
    assert_eq!(ghosts.curve.rate.events, gone);
}

/// Particles that ignore each other have the pair distances of an ideal gas: in a sphere, around
/// it, on it, and with each other. 10 pairs of species in 8 shells, 101 frames that hardly know of
/// each other: each within 5 of its errors, which are known to 7 %, and 1.5 % for the share that is
/// found by sampling.
#[test]
fn an_ideal_gas_among_surfaces_has_a_pair_distribution_of_one() {
    let names = ["inner", "outer", "receptor", "ghost"];
    let pairs = (0..4)
        .flat_map(|a| (a..4).map(move |b| format!("{{ on = ['{}', '{}'] }}", names[a], names[b])));
    let cases = pairs.collect::<Vec<_>>().join(", ");
    let text = format!("{CELL}\n[[rule]]\nname = 'nobody'\ndo = 'ignore'\ncases = [{cases}]\n");
    let longer = [("run.timestep", "1 us"), ("run.steps", "4000"), ("output.frame_every", "40")];
    let counts = names.map(|name| (format!("species.{name}.count"), "120"));
    let counts = counts.iter().map(|(key, value)| (key.as_str(), *value));
    let (_dir, path) = made(&text, &longer.into_iter().chain(counts).collect::<Vec<_>>());
    let reading = analysis::open(&path).unwrap();
    let found =
        analysis::radial_distribution(&reading, &everything(), Some(8), Some(40.0)).unwrap();
    assert_eq!((found.frames, found.pairs.len()), (101, 10));
    let mut reported = 0;
    for pair in found.pairs {
        for point in pair.points {
            let error = point.error.max(1.0 / (point.pairs as f64).sqrt());
            assert!((point.g - 1.0).abs() < 5.0 * error + 0.015, "{:?}: {point:?}", pair.species);
            reported += usize::from(error < 0.05);
        }
    }
    assert!(reported > 60, "{reported}");
}

#[test]
fn a_side_that_is_not_there_is_refused_with_those_that_are() {
    let (dir, _path) = made(CELL, &[("run.steps", "20")]);
    let refused = [
        (
            &["analyse", "run.h5md", "counts", "--inside", "cel"][..],
            "has no surface \"cel\"; it has cell, floor",
        ),
        (
            &["analyse", "run.h5md", "counts", "--inside", "floor"],
            "\"floor\" is a plane, so one can be above or below it",
        ),
        (
            &["contacts", "run.h5md", "--above", "cell"],
            "\"cell\" is closed, so one can be inside or outside it",
        ),
        (
            &["contacts", "run.h5md", "--wall", "roof"],
            "has no wall \"roof\"; it has x-, x+, y-, y+, z-, z+, side, cell, floor",
        ),
        (
            &["analyse", "run.h5md", "rdf", "--inside", "cell"],
            "--inside, --outside, --above, --below: only for counts and first-passage",
        ),
        (
            &["contacts", "run.h5md", "--between", "inner", "cell"],
            "\"cell\" is a surface, but the name of a species is needed here (of contacts, say wall \"cell\": --wall cell)",
        ),
        (
            &["analyse", "run.h5md", "first-passage", "--inside", "cell", "--place", "x=0..5 nm"],
            "one of these says what is waited for",
        ),
        (
            &["contacts", "run.h5md", "--histogram", "rebinding", "--wall", "cell"],
            "--wall: not with times of rebinding",
        ),
    ];
    for (arguments, message) in refused {
        let done = jostle(dir.path(), arguments);
        let said = done.fails().split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(said.contains(message), "{arguments:?}: {said}");
    }
    let reported = jostle(
        dir.path(),
        &["analyse", "run.h5md", "counts", "--inside", "cell", "--species", "inner"],
    );
    assert!(reported.succeeds().out.contains("20"));
}

/// Of those that ignore the surface, the times until one is inside or outside it, frame by frame, by hand.
#[test]
fn particles_are_waited_for_on_a_side_of_a_surface() {
    let (_dir, path) = made(CELL, &[]);
    let reading = analysis::open(&path).unwrap();
    let (times, species) = (reading.times().unwrap(), reading.slot_species().unwrap());
    let ghosts: Vec<usize> = (0..reading.slots()).filter(|&slot| species[slot] == 3).collect();
    let places = reading.positions(0..times.len(), 0..reading.slots()).unwrap();
    let is_in = |frame: usize, slot: usize| {
        let apart: f64 = (0..3).map(|k| (places[[frame, slot, k]] - 40.0).powi(2)).sum();
        apart < 25.0 * 25.0
    };
    for (which, inside) in [(Which::Inside, true), (Which::Outside, false)] {
        let goal = Goal::Beside(vec![beside(which, "cell")]);
        let found = analysis::first_passage(&reading, &everything(), &goal, None).unwrap();
        assert_eq!(found.goal, format!("{} cell", which.name()));
        let curve = &found.entries.iter().find(|one| one.species == "ghost").unwrap().curve;
        let waiting: Vec<usize> =
            ghosts.iter().copied().filter(|&slot| is_in(0, slot) != inside).collect();
        let arrives = |slot: usize| (1..times.len()).find(|&frame| is_in(frame, slot) == inside);
        let arrived = waiting.iter().filter(|&&slot| arrives(slot).is_some()).count();
        assert!(arrived > 3, "{arrived} of {}", waiting.len());
        assert_eq!([curve.lives, curve.rate.events], [waiting.len(), arrived].map(|n| n as u64));
    }
    let edge = analysis::Place { ranges: [Some([0.0, 40.0]), None, None] };
    let [to, from] = [Goal::Place(edge), Goal::Left(edge)].map(|goal| {
        let found = analysis::first_passage(&reading, &everything(), &goal, None).unwrap();
        found.entries.iter().find(|one| one.species == "ghost").unwrap().curve.lives
    });
    assert_eq!(to + from, 40, "each ghost is on one side at first");
}

#[test]
fn one_that_lives_on_a_surface_is_counted_per_area_of_it() {
    let (_dir, path) = made(CELL, &[]);
    let reading = analysis::open(&path).unwrap();
    for along in [Along::Axis(2), Along::Map] {
        let found = analysis::density(&reading, &everything(), along, 8).unwrap();
        let of = |name: &str| found.species.iter().find(|one| one.species == name).unwrap();
        assert_eq!([of("receptor").unit().1, of("ghost").unit().1], ["/µm²", "µM"]);
        // Where they live there is a part of the sphere, and all of it is somewhere: 15 particles
        // on 4 pi (25 nm)².
        let receptor = of("receptor");
        assert!((receptor.particles - 15.0).abs() < 1e-9, "{}", receptor.particles);
        let sphere = 4.0 * std::f64::consts::PI * 25.0 * 25.0;
        assert!((receptor.room / sphere - 1.0).abs() < 1e-9, "{}", receptor.room);
        let rooms: Vec<f64> =
            receptor.bins.iter().map(|bin| bin.density.mean).filter(|x| !x.is_nan()).collect();
        assert!(rooms.len() < receptor.bins.len() && rooms.iter().all(|density| *density >= 0.0));
        if along == Along::Axis(2) {
            // Slices of a sphere have areas as they are thick: of 10 nm from 15 to 65 nm, 5, 10,
            // 10, 10, 10 and 5.
            let thick = [5.0, 10.0, 10.0, 10.0, 10.0, 5.0];
            let area = |n: usize| 2.0 * std::f64::consts::PI * 25.0 * thick[n];
            let particles: f64 =
                rooms.iter().enumerate().map(|(n, density)| density * area(n)).sum();
            assert!((particles - 15.0).abs() < 1e-3, "{rooms:?}");
        }
    }
    // Units that differ have a column of their own.
    let table = analysis::density(&reading, &everything(), Along::Axis(2), 8).unwrap().to_table();
    assert_eq!(table.columns, ["species", "z (nm)", "density", "std. error", "unit"]);
    let inner = analysis::Scope { species: vec!["inner".into()], ..everything() };
    let table = analysis::density(&reading, &inner, Along::Axis(2), 8).unwrap().to_table();
    assert_eq!(table.columns[2], "density (µM)");
}
