//! How long the search for contacts takes: all pairs, vertical strips, horizontal ones.

use std::time::Instant;

use super::scene::StripsScene;
use crate::reproduce::ReproduceError;
use jostle_brownian::Brownian;
use jostle_core::observe::{self, NoObserver, Observer, ObserverError, Partner};
use jostle_core::state_hash::state_hash;
use jostle_events::gas::Gas;
use jostle_model::gas::Contact;

/// All pairs, vertical strips, horizontal strips.
pub const ARRANGEMENTS: [&str; 3] = ["naive", "vertical", "horizontal"];

fn arranged(scene: &StripsScene, n: usize) -> StripsScene {
    match n {
        0 => scene.clone().set("search.kind", "naive"),
        _ => scene.clone().strips(n - 1),
    }
}

/// Times by arrangement.
#[derive(Clone, Copy, Debug)]
pub struct Times {
    /// How contacts are found.
    pub contact: Contact,
    /// Wall time of a step but for moving, in the fastest of several rounds. \[ms\]
    pub each: [f64; 3],
}

/// Times the collision work of the algorithm of "Grouping the particles": placements, comparisons,
/// collisions.
pub(super) fn after_move(
    scene: &StripsScene,
    rounds: usize,
    steps: u64,
) -> Result<Times, ReproduceError> {
    let scene = scene.clone().with(Contact::AfterMove);
    let mut each = [f64::INFINITY; 3];
    let mut gases: Vec<Gas> =
        (0..3).map(|n| arranged(&scene, n).gas()).collect::<Result<_, _>>()?;
    for _ in 0..rounds {
        for (gas, least) in gases.iter_mut().zip(&mut each) {
            let before = gas.times().colliding;
            for _ in 0..steps {
                gas.step(&mut NoObserver)?;
            }
            let time = (gas.times().colliding - before).as_secs_f64() / steps as f64;
            *least = least.min(1e3 * time);
        }
    }
    Ok(Times { contact: Contact::AfterMove, each })
}

/// Times whole steps of the exact engine.
///
/// # Errors
/// If a run fails, or the three do not end in the same state, bit for bit.
pub(super) fn exact(
    scene: &StripsScene,
    rounds: usize,
    steps: u64,
) -> Result<Times, ReproduceError> {
    let scene = scene.clone().with(Contact::Exact).set("run.threads", "1");
    let mut each = [f64::INFINITY; 3];
    let mut engines: Vec<Brownian<2>> =
        (0..3).map(|n| arranged(&scene, n).exact()).collect::<Result<_, _>>()?;
    for _ in 0..rounds {
        for (engine, least) in engines.iter_mut().zip(&mut each) {
            let begun = Instant::now();
            for _ in 0..steps {
                engine.step(&mut NoObserver)?;
            }
            *least = least.min(1e3 * begun.elapsed().as_secs_f64() / steps as f64);
        }
    }
    let state = |engine: &Brownian<2>| state_hash(engine.view().particles, engine.view().clusters);
    if engines.iter().any(|engine| state(engine) != state(&engines[0])) {
        return Err(ReproduceError::StripsDiffer {
            what: "states of the exact engine",
            steps: rounds as u64 * steps,
        });
    }
    Ok(Times { contact: Contact::Exact, each })
}

/// What the three arrangements of the algorithm of "Grouping the particles" find from the same
/// states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SameContacts {
    /// States that were looked at, one step each.
    pub steps: u64,
    /// Collisions in all of them, by arrangement.
    pub collisions: [u64; 3],
    /// Pairs that overlapped, by arrangement.
    pub overlaps: [u64; 3],
    /// Pairs that collided in one arrangement only: those whose order matters, as a third disk
    /// overlaps with one of them.
    pub differ: u64,
}

/// The pairs that collide.
#[derive(Default)]
struct Pairs(Vec<[u64; 2]>);

impl Observer<2> for Pairs {
    fn wants_contacts(&self) -> bool {
        true
    }

    fn contact(&mut self, contact: &observe::Contact<2>) -> Result<(), ObserverError> {
        if let Partner::Particle { id, .. } = contact.partner {
            self.0.push([contact.id, id]);
        }
        Ok(())
    }
}

/// Lets the three arrangements do the same step, again and again; the vertical strips' state is the
/// next one for all.
///
/// # Errors
/// If a run fails, or they do not find the same overlaps.
pub(super) fn same_contacts(
    scene: &StripsScene,
    steps: u64,
) -> Result<SameContacts, ReproduceError> {
    let scene = scene.clone().with(Contact::AfterMove);
    let mut gases: Vec<Gas> =
        (0..3).map(|n| arranged(&scene, n).gas()).collect::<Result<_, _>>()?;
    let mut found = SameContacts { steps, ..SameContacts::default() };
    for step in 0..steps {
        let mut pairs: Vec<Vec<[u64; 2]>> = Vec::new();
        let before: Vec<u64> = gases.iter().map(|gas| gas.tally().overlaps).collect();
        for gas in &mut gases {
            let mut heard = Pairs::default();
            gas.step(&mut heard)?;
            heard.0.sort_unstable();
            pairs.push(heard.0);
        }
        for n in 0..3 {
            found.collisions[n] += pairs[n].len() as u64;
            found.overlaps[n] += gases[n].tally().overlaps - before[n];
        }
        if found.overlaps.iter().any(|&count| count != found.overlaps[0]) {
            return Err(ReproduceError::StripsDiffer { what: "overlaps", steps: step + 1 });
        }
        let lone = |pair: &&[u64; 2]| pairs.iter().any(|one| one.binary_search(pair).is_err());
        let mut all = pairs.concat();
        all.sort_unstable();
        all.dedup();
        found.differ += all.iter().filter(lone).count() as u64;
        let [naive, vertical, horizontal] = gases.as_mut_slice() else {
            return Err(ReproduceError::NoGas);
        };
        naive.follow(vertical);
        horizontal.follow(vertical);
    }
    Ok(found)
}
