//! Chains of tethered particles among others: no tether is ever longer than it may be, and all
//! choices give the same bits.

use jostle::brownian::{Brownian, Scheduler, Setup};
use jostle::clusters::Bond;
use jostle::observe::NoObserver;
use jostle::potentials::{Potentials, StepPotential};
use jostle::rules::{Chance, ContactRule, RuleSet, TimedRule};
use jostle::search::{Kind, Settings};
use jostle::space::Domain;
use jostle::state_hash::state_hash;

use crate::kinetics::{Dice, particle, samples};
use crate::reactions::world::{lattice, world};

const EDGE: f64 = 18.0;
/// Of the tethers of chains, and of those that form and break.
const LENGTHS: [f64; 2] = [3.4, 3.0];

/// 24 chains of six beads on a lattice, and others that stick together in rigid clusters for a while;
/// all attract each other. Beads become tethered to beads nearby for a while, too.
fn chains(kind: Kind, scheduler: Scheduler) -> Brownian<3> {
    let mut dice = Dice::new(9);
    let mut seeds = lattice::<3>(216, 0, EDGE, 0.1, &mut dice);
    seeds[144..].iter_mut().for_each(|seed| seed.species = 1);
    let bonds: Vec<Bond> =
        (0..144).filter(|n| n % 6 != 5).map(|n| Bond::new([n, n + 1], 0)).collect();
    let well = StepPotential::new(vec![2.6], vec![-0.6]);
    let pairs = [[0, 0], [0, 1], [1, 1]].map(|pair| (pair, &well));
    let rules = RuleSet {
        contact: vec![
            ContactRule::tether("chain", [0, 0], LENGTHS[0], 0.0),
            ContactRule::tether("link", [0, 0], LENGTHS[1], 3.0),
            ContactRule::bond("bind", [1, 1], Chance::Probability(0.1)),
        ],
        timed: vec![TimedRule::unbind("unlink", 1, 0.1), TimedRule::unbind("unbind", 2, 0.05)],
        ..RuleSet::default()
    };
    let domain = Domain::new([EDGE; 3], [true, true, false]);
    let species = vec![particle("A", 0.9, 0.2), particle("B", 0.9, 0.2)];
    let setup = Setup {
        potentials: Potentials::new(&[Some(0.9); 2], pairs),
        search: Settings { kind, ..Settings::default() }.build(),
        scheduler,
        ..world(domain, 1.0, species, rules)
    };
    Brownian::bonded(setup, seeds, &bonds).expect("a start without overlap")
}

#[test]
fn tethers_hold_among_clusters_and_all_choices_give_the_same_bits() {
    let run = |kind, scheduler, threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut engine = chains(kind, scheduler);
            let mut hashes = Vec::new();
            let mut linked = 0_u64;
            for _ in 0..samples(80) {
                engine.step(&mut NoObserver).unwrap();
                let (p, domain) = (engine.particles(), engine.view().domain);
                let slots = p.slots_by_id();
                let place = |id: u64| p.position[slots[id as usize] as usize];
                for bond in engine.clusters().bonds().filter(|bond| bond.rule < 2) {
                    let [a, b] = bond.ids.map(place);
                    let apart = domain.nearest_image(b - a).norm();
                    let most = LENGTHS[usize::from(bond.rule)];
                    assert!(apart < most + 1e-9, "{:?} are {apart} nm apart", bond.ids);
                    linked += u64::from(bond.rule);
                }
                hashes.push(state_hash(p, engine.clusters()));
            }
            let tally = engine.tally();
            let many = samples(100) as u64;
            assert!(tally.rotations[1] > many && tally.edges > 5 * many, "{tally:?}");
            assert!(tally.bound > many && tally.unbound > many, "{tally:?}");
            assert!(linked > 10 * many && tally.late == 0, "{linked} {tally:?}");
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
