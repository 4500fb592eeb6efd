//! Same bits, whatever you choose: the state hash of every step, every contact and every change are
//! the same for every search structure, pruning, scheduler, number of threads and level of logging,
//! in 2D and 3D, with walls, binding and unbinding.

use jostle::brownian::{Brownian, Scheduler, Seed, Setup};
use jostle::observe::{Change, Contact, Observer, ObserverError, Partner, View};
use jostle::rules::{Action, Chance, ContactRule, RuleSet, TimedAction, TimedRule};
use jostle::search::{Kind, Listing, Relink, Settings};
use jostle::space::{Domain, Vector};
use jostle::species::{Drift, MobilityLaw, Species};
use jostle::state_hash::state_hash;

const STEPS: usize = 25;

/// All that an observer can hear, in words of 64 bits.
#[derive(Clone, Debug, Default, PartialEq)]
struct Trace {
    listens: bool,
    hashes: Vec<u64>,
    contacts: Vec<Vec<u64>>,
    changes: Vec<Vec<u64>>,
}

impl<const D: usize> Observer<D> for Trace {
    fn wants_contacts(&self) -> bool {
        self.listens
    }

    fn contact(&mut self, c: &Contact<D>) -> Result<(), ObserverError> {
        let partner = match c.partner {
            Partner::Body { id, species } => [id, u64::from(species)],
            Partner::Wall(face) => [u64::MAX, face.index() as u64],
        };
        let mut row = vec![c.step, c.time.to_bits(), u64::from(c.subdivision), c.id, partner[0], partner[1]];
        row.extend(c.place.0.iter().chain(&c.normal.0).map(|x| x.to_bits()));
        row.extend([c.approach.to_bits(), c.outcome as u64, c.rule.map_or(u64::MAX, u64::from)]);
        self.contacts.push(row);
        Ok(())
    }

    fn change(&mut self, c: &Change<'_, D>) -> Result<(), ObserverError> {
        let mut row =
            vec![c.step, c.time.to_bits(), u64::from(c.subdivision), c.kind as u64, u64::from(c.rule)];
        row.extend(c.place.0.iter().map(|x| x.to_bits()));
        for party in c.reactants.iter().chain(c.products) {
            row.extend([party.id, u64::from(party.species), party.radius.to_bits()]);
        }
        row.extend(c.clusters_before.iter().chain(c.clusters_after));
        self.changes.push(row);
        Ok(())
    }

    fn step(&mut self, view: &View<'_, D>) -> Result<(), ObserverError> {
        view.clusters.assert_well_formed(view.particles);
        self.hashes.push(state_hash(view.particles, view.clusters));
        Ok(())
    }
}

#[derive(Clone, Debug)]
struct Choice {
    search: Settings,
    scheduler: Scheduler,
    threads: usize,
    listens: bool,
}

/// Monomers that coalesce (and come apart), others that form bonded chains, and one large body.
fn setup<const D: usize>(choice: &Choice, periodic: [bool; D], edge: f64) -> Setup<D> {
    let species = |name: &str, radius: Option<f64>, d: Option<f64>, drift: Drift| Species {
        name: name.into(),
        radius,
        diffusion_coefficient: d,
        drift,
    };
    let contact = |name: &str, species, action, p| ContactRule {
        name: name.into(),
        species,
        action,
        chance: Chance::Probability(p),
    };
    let undo =
        |name: &str, of, rate| TimedRule { name: name.into(), action: TimedAction::Unbind { of }, rate };
    Setup {
        domain: Domain::new([edge; D], periodic),
        timestep: 0.5,
        species: vec![
            species("A", Some(0.8), Some(0.05), Drift::Still),
            species("B", Some(0.6), Some(0.15), Drift::Constant([0.05, 0.0, 0.0])),
            species("AB", None, None, Drift::Still),
            species("link", Some(0.7), Some(0.08), Drift::Shear { rate: 0.02, along: 0, across: D - 1 }),
            species("large", Some(2.2), Some(0.01), Drift::Still),
            species("ghost", Some(0.5), Some(0.4), Drift::Still),
        ],
        rules: RuleSet {
            contact: vec![
                contact("join", [0, 1], Action::Coalesce { product: 2 }, 0.3),
                contact("chain", [3, 3], Action::Bond, 0.4),
                contact("through", [5, 0], Action::Pass, 1.0),
                contact("unseen", [5, 5], Action::Ignore, 1.0),
            ],
            timed: vec![undo("part", 0, 0.2), undo("break", 1, 0.15)],
        },
        mobility: MobilityLaw::Stokes,
        search: choice.search.build(),
        scheduler: choice.scheduler,
        seed: 20_020_626,
    }
}

/// A lattice with one large body in a corner of its own.
fn bodies<const D: usize>(per_axis: usize, spacing: f64) -> Vec<Seed<D>> {
    let mut bodies = vec![Seed { species: 4, position: Vector([2.4; D]) }];
    for n in 0..per_axis.pow(D as u32) {
        let cell: [usize; D] = std::array::from_fn(|k| n / per_axis.pow(k as u32) % per_axis);
        let position = Vector(cell.map(|c| (c as f64 + 0.5) * spacing));
        if cell.iter().all(|&c| c < 3) {
            continue;
        }
        let species = [0, 1, 3, 0, 1, 3, 5][(n * 5 + cell[0]) % 7];
        bodies.push(Seed { species, position });
    }
    bodies
}

fn trace<const D: usize>(choice: &Choice, periodic: [bool; D], per_axis: usize) -> Trace {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(choice.threads).build().unwrap();
    pool.install(|| {
        let spacing = 1.75;
        let setup = setup(choice, periodic, per_axis as f64 * spacing);
        let mut engine = Brownian::new(setup, &bodies::<D>(per_axis, spacing)).unwrap();
        let mut trace = Trace { listens: choice.listens, ..Trace::default() };
        for _ in 0..STEPS {
            engine.step(&mut trace).unwrap_or_else(|error| panic!("{choice:?}: {error}"));
        }
        assert_eq!(engine.tally().late, 0, "no contact may be found later than it is due: {choice:?}");
        trace
    })
}

fn structures(dimension: usize) -> Vec<Settings> {
    let plain = Settings { kind: Kind::Naive, ..Settings::default() };
    let mut all = vec![plain.clone(), Settings { kind: Kind::Auto, ..plain.clone() }];
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
    let wide = Settings { kind: Kind::Cubic, cell_size: Some(6.5), pruning: true, ..plain };
    all.push(wide);
    all
}

/// Holds every choice to the reference: naive, queue, one thread, everything logged.
fn hold<const D: usize>(periodic: [bool; D], per_axis: usize) {
    let begun = std::time::Instant::now();
    let naive = Settings { kind: Kind::Naive, ..Settings::default() };
    let reference = Choice { search: naive, scheduler: Scheduler::Queue, threads: 1, listens: true };
    let expected = trace(&reference, periodic, per_axis);
    let bound = expected.changes.iter().filter(|row| row[3] < 2).count();
    let unbound = expected.changes.iter().filter(|row| row[3] == 2 || row[3] == 3).count();
    assert!(bound > 20 && unbound > 10, "too little happens to prove anything: {bound}, {unbound}");
    assert!(expected.contacts.len() > 500, "too few contacts: {}", expected.contacts.len());
    let mut compared = 0;
    // Every structure with every scheduler; threads and logging take turns, so that all pairs of
    // options meet.
    let turns = [[(1, true), (2, false)], [(5, true), (1, false)], [(2, true), (5, false)]];
    for (n, search) in structures(D).into_iter().enumerate() {
        for (m, scheduler) in [Scheduler::Queue, Scheduler::Rescan].into_iter().enumerate() {
            for (threads, listens) in turns[(n + m) % turns.len()] {
                let choice = Choice { search: search.clone(), scheduler, threads, listens };
                let found = trace(&choice, periodic, per_axis);
                assert_eq!(found.hashes, expected.hashes, "{choice:?}");
                assert_eq!(found.changes, expected.changes, "{choice:?}");
                assert!(!listens || found.contacts == expected.contacts, "{choice:?}");
                compared += 1;
            }
        }
    }
    println!(
        "{compared} runs in {D}D equal the reference: {} contacts, {bound} bound, {unbound} unbound; {:.1} s",
        expected.contacts.len(),
        begun.elapsed().as_secs_f64()
    );
}

#[test]
fn the_same_bits_in_a_periodic_plane() {
    hold([true, true], 12);
}

#[test]
fn the_same_bits_in_a_plane_with_walls() {
    hold([false, true], 12);
}

#[test]
fn the_same_bits_in_periodic_space() {
    hold([true; 3], 6);
}

#[test]
fn the_same_bits_in_space_with_walls() {
    hold([true, false, true], 6);
}
