//! Same bits, whatever you choose: the state hash of every step, every contact and every change are
//! the same for every search structure, pruning, scheduler, number of threads and level of logging,
//! in 2D and 3D, with walls and with all rules in play.

use jostle::brownian::{Brownian, Launch, Scheduler, Setup};
use jostle::observe::ChangeKind;
use jostle::random::Random;
use jostle::rules::RuleSet;
use jostle::search::{Kind, Listing, Relink, Resize, Settings};
use jostle::space::Vector;

use crate::everything::{Large, particles, setup};
use crate::program::nightly;
use crate::trace::Trace;

const STEPS: usize = 25;

#[derive(Clone, Debug)]
struct Choice {
    search: Settings,
    scheduler: Scheduler,
    threads: usize,
    listens: bool,
}

fn trace<const D: usize>(
    choice: &Choice,
    periodic: [bool; D],
    per_axis: usize,
    large: Large,
) -> Trace {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(choice.threads).build().unwrap();
    pool.install(|| {
        let spacing = 1.75;
        let setup = setup(&choice.search, choice.scheduler, periodic, per_axis as f64 * spacing);
        let mut engine = Brownian::new(setup, particles::<D>(per_axis, spacing, large)).unwrap();
        if choice.search.kind == Kind::Levels {
            let lattices = engine.search().describe().matches("cells of").count();
            assert_eq!(lattices, if large == Large::Many { 2 } else { 1 }, "{choice:?}");
        }
        let mut trace = Trace { listens: choice.listens, ..Trace::default() };
        for _ in 0..STEPS {
            engine.step(&mut trace).unwrap_or_else(|error| panic!("{choice:?}: {error}"));
        }
        assert_eq!(
            engine.tally().late,
            0,
            "no contact may be found later than it is due: {choice:?}"
        );
        trace
    })
}

/// Particles that keep their velocities, of several sizes and masses, under gravity.
fn flown(choice: &Choice, periodic: [bool; 2]) -> Trace {
    let (per_axis, spacing) = (18, 1.75);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(choice.threads).build().unwrap();
    pool.install(|| {
        let whole = setup(&choice.search, choice.scheduler, periodic, per_axis as f64 * spacing);
        let setup = Setup { rules: RuleSet::default(), ..whole };
        let random = Random::new(3);
        let launched = particles::<2>(per_axis, spacing, Large::Many).into_iter().zip(0..);
        let launched = launched.map(|(seed, n)| Launch {
            species: seed.species,
            position: seed.position,
            velocity: random.normal(0, n) * 0.6,
        });
        let masses = [1.0, 0.4, 1.0, 0.7, 9.0, 0.2, 1.0, 0.1, 1.0];
        let gravity = Vector([0.01, -0.05]);
        let launched: Vec<_> = launched.collect();
        let mut engine = Brownian::ballistic(setup, &masses, gravity, &launched).unwrap();
        let mut trace = Trace { listens: choice.listens, ..Trace::default() };
        for _ in 0..STEPS {
            engine.step(&mut trace).unwrap_or_else(|error| panic!("{choice:?}: {error}"));
        }
        assert_eq!(
            engine.tally().late,
            0,
            "no contact may be found later than it is due: {choice:?}"
        );
        trace
    })
}

fn structures(dimension: usize) -> Vec<Settings> {
    let plain = Settings { kind: Kind::Naive, ..Settings::default() };
    let mut all = [Kind::Naive, Kind::Auto, Kind::Endpoints, Kind::LongStep, Kind::Verlet]
        .map(|kind| Settings { kind, ..plain.clone() })
        .to_vec();
    for pruning in [false, true] {
        for listing in [Listing::Centre, Listing::Touch] {
            for relink in [Relink::Move, Relink::Step] {
                all.push(Settings { kind: Kind::Cubic, pruning, listing, relink, ..plain.clone() });
            }
        }
        for axis in 0..dimension {
            all.push(Settings { kind: Kind::Slices, pruning, axis, ..plain.clone() });
        }
    }
    for resize in [Resize::Auto, Resize::Never, Resize::Every(1), Resize::Every(4)] {
        all.push(Settings { kind: Kind::Levels, resize, ..plain.clone() });
        all.push(Settings { kind: Kind::Cubic, resize, ..plain.clone() });
    }
    let moved =
        Settings { kind: Kind::Levels, relink: Relink::Move, pruning: true, ..plain.clone() };
    all.push(Settings { cell_size: Some(2.0), ..moved.clone() });
    all.push(moved);
    let wide = Settings { kind: Kind::Cubic, cell_size: Some(6.5), pruning: true, ..plain };
    all.push(wide);
    all
}

/// The schedulers that make a difference with a structure.
fn schedulers(kind: Kind) -> &'static [Scheduler] {
    match kind {
        Kind::Verlet => &[Scheduler::Islands, Scheduler::Queue, Scheduler::Rescan],
        Kind::Auto => &[Scheduler::Islands, Scheduler::Rescan],
        _ => &[Scheduler::Queue, Scheduler::Rescan],
    }
}

/// Every structure with every scheduler. Looking at all candidates again at each subdivision takes
/// several times as long as all else, so by day one setting of each structure is rescanned.
fn searches(dimension: usize) -> Vec<(Settings, Scheduler)> {
    let mut kinds = Vec::new();
    let mut all = Vec::new();
    for search in structures(dimension) {
        let first = !kinds.contains(&search.kind);
        kinds.push(search.kind);
        let now = |s: &&Scheduler| **s != Scheduler::Rescan || first || nightly();
        let chosen = schedulers(search.kind).iter().filter(now);
        all.extend(chosen.map(|&scheduler| (search.clone(), scheduler)));
    }
    all
}

/// Holds every choice to the reference: naive, queue, one thread, everything logged.
fn hold<const D: usize>(periodic: [bool; D], per_axis: usize, large: Large) {
    let begun = std::time::Instant::now();
    let naive = Settings { kind: Kind::Naive, ..Settings::default() };
    let reference =
        Choice { search: naive, scheduler: Scheduler::Queue, threads: 1, listens: true };
    let expected = trace(&reference, periodic, per_axis, large);
    let happened: Vec<(&str, usize)> = ChangeKind::ALL
        .map(|kind| {
            (kind.name(), expected.changes.iter().filter(|row| row[3] == kind as u64).count())
        })
        .into_iter()
        .collect();
    for (kind, times) in &happened {
        assert!(
            *times > 1 || *kind == "refused",
            "too little happens to prove anything: {happened:?}"
        );
    }
    assert!(expected.contacts.len() > 500, "too few contacts: {}", expected.contacts.len());
    let mut compared = 0;
    // Threads and logging take turns, so that all pairs of options meet in `make nightly`, and most
    // of them in `make test`.
    let turns = [[(1, true), (2, false)], [(5, true), (1, false)], [(2, true), (5, false)]];
    for (n, (search, scheduler)) in searches(D).into_iter().enumerate() {
        let turns = &turns[n % turns.len()];
        let turns = match nightly() {
            true => &turns[usize::from(scheduler == Scheduler::Rescan)..],
            false => std::slice::from_ref(&turns[n % 2]),
        };
        for &(threads, listens) in turns {
            let choice = Choice { search: search.clone(), scheduler, threads, listens };
            let found = trace(&choice, periodic, per_axis, large);
            assert_eq!(found.hashes, expected.hashes, "{choice:?}");
            assert_eq!(found.virial, expected.virial, "{choice:?}");
            assert_eq!(found.changes, expected.changes, "{choice:?}");
            assert!(!listens || found.contacts == expected.contacts, "{choice:?}");
            compared += 1;
        }
    }
    println!(
        "{compared} runs in {D}D equal the reference: {} contacts, {happened:?}; {:.1} s",
        expected.contacts.len(),
        begun.elapsed().as_secs_f64()
    );
}

#[test]
fn the_same_bits_in_a_periodic_plane() {
    hold([true, true], 12, Large::One);
}

#[test]
fn the_same_bits_in_a_plane_with_walls() {
    hold([false, true], 12, Large::One);
}

#[test]
fn the_same_bits_in_periodic_space() {
    hold([true; 3], 6, Large::One);
}

#[test]
fn the_same_bits_in_space_with_walls() {
    hold([true, false, true], 6, Large::One);
}

#[test]
fn the_same_bits_among_particles_of_many_sizes() {
    hold([true, false], 18, Large::Many);
}

#[test]
fn the_same_bits_among_particles_that_fly() {
    let naive = Settings { kind: Kind::Naive, ..Settings::default() };
    for periodic in [[true, false], [false, false]] {
        let reference = Choice {
            search: naive.clone(),
            scheduler: Scheduler::Queue,
            threads: 1,
            listens: true,
        };
        let expected = flown(&reference, periodic);
        assert!(expected.contacts.len() > 500, "too few contacts: {}", expected.contacts.len());
        let turns = [(1, true), (2, false), (5, true)];
        for (n, (search, scheduler)) in searches(2).into_iter().enumerate() {
            let (threads, listens) = turns[n % turns.len()];
            let choice = Choice { search, scheduler, threads, listens };
            let found = flown(&choice, periodic);
            assert_eq!(found.hashes, expected.hashes, "{choice:?}");
            assert_eq!(found.virial, expected.virial, "{choice:?}");
            assert!(!listens || found.contacts == expected.contacts, "{choice:?}");
        }
    }
}
