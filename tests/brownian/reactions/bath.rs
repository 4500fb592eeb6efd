//! Concentrations that are held by creation and removal at once.

use jostle::brownian::Seed;
use jostle::rules::{Region, RuleSet, TimedAction, TimedRule};
use jostle::space::Domain;

use super::world::*;
use crate::kinetics::*;

/// The slab from one place along the first axis to another, in a box of this edge.
fn slab(from: f64, to: f64, edge: f64) -> Region {
    Region {
        from: [from, 0.0, 0.0],
        to: [to, edge, edge],
        sides: Vec::new(),
        volume: (to - from) * edge * edge,
    }
}

/// Particles that pass through each other, held at 0.5 and at 0.125 nm^-3 in two slabs of 2 nm at the ends
/// of a box of 10 nm, each of them replaced after 1 µs on average: a depth of l = 1 nm at D = 1 nm²/µs. The
/// current between them is D (c1 - c2)/(L + 2 l coth(w/l)), and the numbers in the slabs are short of c1 V, and
/// above c2 V, by the current times 1 µs. 50 000 steps: relative standard error 1.9 % of the current; a depth of
/// none would fail by 9 of those in `make test`. 4 tests, false alarms 3e-5. 1.5·10^7 particle steps.
#[test]
fn the_current_between_two_baths_is_that_of_their_distance_and_depth() {
    let (edge, width, held) = (10.0, 2.0, [0.5, 0.125]);
    let timestep = 0.02;
    let slabs = [slab(0.0, width, edge), slab(edge - width, edge, edge)];
    let rule = |name: &str, action: TimedAction, rate: f64, region: &Region| TimedRule {
        region: Some(region.clone()),
        ..TimedRule::new(name, action, rate)
    };
    let create = || TimedAction::Create { species: 0, sites: 0 };
    let remove = || TimedRule::convert("remove", 0, &[], 1.0).action;
    let timed_rules = slabs.iter().zip(held).flat_map(|(slab, concentration)| {
        [rule("create", create(), concentration, slab), rule("remove", remove(), 1.0, slab)]
    });
    let rules =
        RuleSet { contact: strangers(1), timed: timed_rules.collect(), ..RuleSet::default() };
    let first = rules.first_timed();
    let distance = edge - 2.0 * width + 2.0 / width.tanh();
    let current = (held[0] - held[1]) * edge * edge / distance;
    timed("two baths", || {
        let mut dice = Dice::new(9);
        let count = (0.5 * (held[0] + held[1]) * edge.powi(3)) as usize;
        let place = |_| Seed { species: 0, position: dice.place::<3>(edge) };
        let particles: Vec<_> = (0..count).map(place).collect();
        let domain = Domain::new([edge; 3], [false, true, true]);
        let mut engine =
            start(world(domain, timestep, vec![particle("A", 1e-3, 1.0)], rules), &particles);
        // The profile is there after some L²/D.
        let mut log = Log::default();
        for _ in 0..5000 {
            engine.step(&mut log).expect("a step");
        }
        let (blocks, steps) = (25, samples(50_000) / 25);
        let (mut through, mut inside) = ([vec![], vec![]], [vec![], vec![]]);
        for _ in 0..blocks {
            let mut log = Log::default();
            let mut seen = [0_usize; 2];
            for _ in 0..steps {
                engine.step(&mut log).expect("a step");
                let p = engine.particles();
                for slot in (0..p.len()).filter(|&slot| p.alive[slot]) {
                    let x = p.position[slot][0];
                    seen[0] += usize::from(x <= width);
                    seen[1] += usize::from(x >= edge - width);
                }
            }
            let happened =
                |rule: u16| log.0.iter().filter(|event| event.rule == first + rule).count() as f64;
            let span = steps as f64 * timestep;
            through[0].push((happened(0) - happened(1)) / span);
            through[1].push((happened(3) - happened(2)) / span);
            (0..2).for_each(|n| inside[n].push(seen[n] as f64 / steps as f64));
        }
        let volume = slabs[0].volume;
        for (n, sign) in [(0, -1.0), (1, 1.0)] {
            let (found, error) = mean(&through[n]);
            hold(&format!("current at bath {n}"), found, error, current, 0.0);
            let (found, error) = mean(&inside[n]);
            hold(
                &format!("number in bath {n}"),
                found,
                error,
                held[n] * volume + sign * current,
                0.0,
            );
        }
    });
}
