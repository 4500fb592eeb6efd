//! States of the disk gas: kept, damaged, resumed.

use super::*;
use crate::gas::{Arrangement, Disk};
use jostle_core::observe::{Contact, NoObserver, Observer, ObserverError};
use jostle_core::random::{Purpose, Random};
use jostle_core::space::{Domain, Vector};
use jostle_core::state_hash::state_hash;

fn setup(arrangement: Arrangement) -> GasSetup {
    let gravity = Vector([0.0, -0.01]);
    GasSetup { domain: Domain::new([60.0, 80.0], [false; 2]), timestep: 0.5, gravity, arrangement }
}

fn start(arrangement: Arrangement) -> Gas {
    let random = Random::new(5);
    let draw = |n: u64, k: u64| random.uniform(Purpose::Placement, [n, k, 0, 0]);
    let disk = |n: u64| Disk {
        position: Vector([2.0 + 56.0 * draw(n, 0), 2.0 + 76.0 * draw(n, 1)]),
        velocity: random.normal(0, n) * 0.8,
        radius: 1.0 + draw(n, 2),
        mass: 1.0 + draw(n, 3),
        species: (n % 2) as u16,
    };
    Gas::new(setup(arrangement), &(0..150).map(disk).collect::<Vec<_>>()).unwrap()
}

/// All contacts, by their bits.
#[derive(Default)]
struct EventLog(Vec<u64>);

impl Observer<2> for EventLog {
    fn wants_contacts(&self) -> bool {
        true
    }

    fn contact(&mut self, contact: &Contact<2>) -> Result<(), ObserverError> {
        self.0.extend([contact.step, contact.id, u64::from(contact.subdivision)]);
        self.0.extend([contact.place[0], contact.place[1], contact.approach].map(f64::to_bits));
        Ok(())
    }
}

/// Takes so many steps, and tells what each led to.
fn resume(gas: &mut Gas, steps: usize, tale: &mut EventLog) {
    for _ in 0..steps {
        gas.step(tale).unwrap();
        tale.0.push(state_hash(&gas.particles, &gas.clusters));
    }
}

#[test]
fn a_gas_continues_from_its_state_as_if_nothing_had_happened() {
    let strips = |axis| Arrangement::Strips { axis, width: 4.0 };
    for arrangement in [Arrangement::Naive, strips(0), strips(1)] {
        let (mut whole, mut all) = (start(arrangement), EventLog::default());
        resume(&mut whole, 200, &mut all);
        assert!(
            whole.tally().collisions > 200 && whole.tally().wall_collisions > 100,
            "{:?}",
            whole.tally()
        );
        for cut in [0, 1, 57, 120, 199] {
            let (mut first, mut parts) = (start(arrangement), EventLog::default());
            resume(&mut first, cut, &mut parts);
            let kept = postcard::to_stdvec(&first.state()).unwrap();
            let state: GasState<'_> = postcard::from_bytes(&kept).unwrap();
            assert!(state.is_of_species(2) && !state.is_of_species(1));
            let mut second = Gas::resume(setup(arrangement), state).unwrap();
            resume(&mut second, 200 - cut, &mut parts);
            assert!(parts.0 == all.0, "{arrangement:?}, cut at {cut}");
            assert_eq!(second.tally(), whole.tally());
            assert_eq!(second.clock(), whole.clock());
            assert_eq!(second.masses(), whole.masses());
        }
    }
}

/// Every byte of a state in turn is another; none leads to a panic, there or in the next steps.
#[test]
fn a_damaged_state_is_refused_or_harmless() {
    let arrangement = Arrangement::Strips { axis: 0, width: 4.0 };
    let mut gas = start(arrangement);
    resume(&mut gas, 20, &mut EventLog::default());
    let kept = postcard::to_stdvec(&gas.state()).unwrap();
    let mut refused = 0;
    for at in 0..kept.len() {
        let mut damaged = kept.clone();
        damaged[at] ^= 1 << (at * 5 % 8);
        let Ok(state) = postcard::from_bytes::<GasState<'_>>(&damaged) else {
            refused += 1;
            continue;
        };
        match Gas::resume(setup(arrangement), state) {
            Ok(mut gas) => _ = (0..2).try_for_each(|_| gas.step(&mut NoObserver)),
            Err(_) => refused += 1,
        }
    }
    assert!(refused > kept.len() / 20, "{refused} of {}", kept.len());
}

#[test]
fn a_state_of_another_box_is_refused_with_a_reason() {
    let gas = start(Arrangement::Naive);
    let small =
        GasSetup { domain: Domain::new([20.0, 20.0], [false; 2]), ..setup(Arrangement::Naive) };
    let error = Gas::resume(small, gas.state()).err().unwrap().to_string();
    assert!(error.contains("not in its box"), "{error}");
    let narrow = setup(Arrangement::Strips { axis: 0, width: 1.0 });
    assert!(matches!(Gas::resume(narrow, gas.state()), Err(GasSetupError::Narrow { .. })));
}
