//! Chains of tethered particles among others: no tether is ever longer than it may be, and all
//! choices give the same bits.

use jostle::brownian::{Brownian, Scheduler, Setup};
use jostle::observe::NoObserver;
use jostle::potentials::{Potentials, StepPotential, Tethers};
use jostle::rules::{Chance, ContactRule, RuleSet, TimedRule};
use jostle::search::{Kind, Settings};
use jostle::space::Domain;
use jostle::state_hash::state_hash;

use crate::kinetics::{Dice, particle};
use crate::reactions::world::{lattice, world};

const EDGE: f64 = 18.0;
const TETHER: f64 = 3.4;

/// 36 chains of six on a lattice, whose particles attract each other, and stick together in rigid
/// clusters for a while.
fn chains(kind: Kind, scheduler: Scheduler) -> Brownian<3> {
    let mut dice = Dice::new(9);
    let seeds = lattice::<3>(216, 0, EDGE, 0.1, &mut dice);
    let mut tethers = Tethers::default();
    let neighbours = (0..216).filter(|n| n % 6 != 5).map(|n| [n, n + 1]);
    neighbours.for_each(|ids| tethers.add(ids, TETHER));
    let well = StepPotential::new(vec![2.6], vec![-0.6]);
    let potentials = Potentials::new(&[Some(0.9)], [([0, 0], &well)]).with_tethers(tethers, 0.9);
    let rules = RuleSet {
        contact: vec![ContactRule::bond("bind", [0, 0], Chance::Probability(0.02))],
        timed: vec![TimedRule::unbind("unbind", 0, 0.1)],
        ..RuleSet::default()
    };
    let domain = Domain::new([EDGE; 3], [true, true, false]);
    let setup = Setup {
        potentials,
        search: Settings { kind, ..Settings::default() }.build(),
        scheduler,
        ..world(domain, 1.0, vec![particle("A", 0.9, 0.2)], rules)
    };
    Brownian::new(setup, seeds).expect("a start without overlap")
}

#[test]
fn tethers_hold_in_clusters_too_and_all_choices_give_the_same_bits() {
    let run = |kind, scheduler, threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut engine = chains(kind, scheduler);
            let mut hashes = Vec::new();
            for _ in 0..80 {
                engine.step(&mut NoObserver).unwrap();
                let (p, domain) = (engine.particles(), engine.view().domain);
                let place = |id: u64| p.position[p.id.iter().position(|x| *x == id).unwrap()];
                for id in (0..216).filter(|n| n % 6 != 5) {
                    let apart = domain.nearest_image(place(id + 1) - place(id)).norm();
                    assert!(apart < TETHER + 1e-9, "{id} and the next are {apart} nm apart");
                }
                hashes.push(state_hash(p, engine.clusters()));
            }
            let tally = engine.tally();
            assert!(tally.rotations[1] > 100 && tally.edges > 500 && tally.late == 0, "{tally:?}");
            hashes
        })
    };
    let expected = run(Kind::Naive, Scheduler::Rescan, 1);
    for kind in [Kind::Cubic, Kind::Slices, Kind::Verlet] {
        for (scheduler, threads) in
            [(Scheduler::Queue, 1), (Scheduler::Islands, 1), (Scheduler::Islands, 3)]
        {
            assert_eq!(run(kind, scheduler, threads), expected, "{kind:?} {scheduler:?} {threads}");
        }
    }
}
