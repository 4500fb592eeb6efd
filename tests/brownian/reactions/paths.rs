//! Particles that change resume from where they were: their unwrapped paths have no break, and
//! their identities are theirs alone.

use jostle::brownian::{Brownian, Scheduler, Seed};
use jostle::observe::{Change, ChangeKind, NoObserver, Observer, ObserverError};
use jostle::rules::{Chance, ContactRule, RuleSet, TimedRule};
use jostle::search::{Kind, Settings};
use jostle::space::{Domain, Vector};
use jostle_lab::validate::paths::Paths;

use super::world::{start, world};
use crate::everything::{Large, particles, setup};
use crate::kinetics::particle;

/// Identities, and where they are without periodic wrap. \[nm\]
type Ends = Vec<(u64, f64)>;

/// Where a change found its reactants and left its products.
#[derive(Default)]
struct Places(Vec<(ChangeKind, Ends, Ends)>);

impl Observer<1> for Places {
    fn change(&mut self, change: &Change<'_, 1>) -> Result<(), ObserverError> {
        let [before, after] = [change.reactants, change.products]
            .map(|parties| parties.iter().map(|party| (party.id, party.unwrapped[0])).collect());
        self.0.push((change.kind, before, after));
        Ok(())
    }
}

/// A at 1.2 and B at 98.9 on a ring of 100 coalesce across its seam. Both have D = 0.1, so that C
/// is in the middle between them, and they are set free 1 to either side of it, whatever C has done
/// in between. C resumes from A.
#[test]
fn a_guest_comes_back_on_its_own_side_of_a_periodic_face() {
    let rules = RuleSet {
        contact: vec![ContactRule::coalesce("bind", [0, 1], 2, Chance::Probability(1.0))],
        timed: vec![TimedRule::unbind("part", 0, 1.0)],
        ..RuleSet::default()
    };
    let species = vec![particle("A", 1.0, 0.1), particle("B", 1.0, 0.1), particle("C", 1.0, 0.05)];
    let setup = world::<1>(Domain::new([100.0], [true]), 1e-3, species, rules);
    let particles =
        [(0, 1.2), (1, 98.9)].map(|(species, x)| Seed { species, position: Vector([x]) });
    let mut engine = start(setup, &particles);
    let mut places = Places::default();
    while places.0.len() < 20 {
        engine.step(&mut places).unwrap();
    }
    let mut far = 0.0;
    for pair in places.0.chunks_exact(2) {
        let [(ChangeKind::Coalesced, apart, joined), (ChangeKind::Split, from, to)] = pair else {
            panic!("{pair:?}")
        };
        // B has gone round the ring once more than A if it is below it.
        assert_eq!([apart[0].0, apart[1].0, to[0].0, to[1].0], [0, 1, 0, 1]);
        let middle = |ends: &[(u64, f64)]| 0.5 * (ends[0].1 + ends[1].1 - 100.0);
        assert!((middle(apart) - joined[0].1).abs() < 1e-9, "{pair:?}");
        assert!((middle(to) - from[0].1).abs() < 1e-9, "{pair:?}");
        assert!((to[0].1 - from[0].1).abs() < 1.0 + 1e-9, "{pair:?}");
        far = f64::max(far, (to[1].1 - 98.9).abs());
    }
    assert!(far > 0.5 && far < 10.0, "{far}");
}

fn follow<const D: usize>(periodic: [bool; D], per_axis: usize, steps: usize) {
    let search = Settings { kind: Kind::Cubic, ..Settings::default() };
    let setup = setup(&search, Scheduler::Queue, periodic, 1.75 * per_axis as f64);
    let mut engine = Brownian::new(setup, particles::<D>(per_axis, 1.75, Large::One)).unwrap();
    let mut paths = Paths::default();
    paths.follow(&engine.view());
    for _ in 0..steps {
        engine.step(&mut NoObserver).unwrap();
        paths.follow(&engine.view());
        assert_eq!(
            paths.first,
            None,
            "{D}D: its path is broken after step {}",
            engine.clock().step
        );
    }
    assert!(paths.returns > 20 && paths.across > 3, "{paths:?}");
}

/// With every rule that there is, in boxes of ten to twenty radii.
#[test]
fn unwrapped_paths_continue_through_every_kind_of_change() {
    follow([true, true], 12, 300);
    follow([true, false, true], 6, 300);
}

/// A + B -> B by coalescence, then B -> B + B: B is one of the parts of the larger B.
#[test]
fn one_that_has_grown_divides_into_two_of_different_identities() {
    let rules = RuleSet {
        contact: vec![ContactRule::coalesce("eat", [0, 1], 1, Chance::Probability(0.5))],
        timed: vec![TimedRule::convert("divide", 1, &[1, 1], 0.5)],
        ..RuleSet::default()
    };
    let species = vec![particle("A", 1.5, 20.0), particle("B", 2.0, 20.0)];
    let setup = world::<2>(Domain::new([60.0; 2], [true; 2]), 0.01, species, rules);
    let place = |n: u16| Vector([f64::from(n % 8), f64::from(n / 8)].map(|x| 7.5 * x + 3.0));
    let particles: Vec<_> =
        (0..48).map(|n| Seed { species: u16::from(n % 16 == 0), position: place(n) }).collect();
    let mut engine = start(setup, &particles);
    while engine.tally().converted < 30 {
        engine.step(&mut NoObserver).unwrap();
        let p = engine.particles();
        let ids: Vec<u64> = p.slots_by_id().iter().map(|&slot| p.id[slot as usize]).collect();
        assert!(ids.is_sorted_by(|a, b| a < b), "{ids:?}");
        assert!(engine.clock().step < 100_000);
    }
    assert!(engine.tally().bound > 5);
}
