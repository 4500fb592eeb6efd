//! Checks can fail: each known fault, planted into the engines, is noticed, by checks that are
//! meant for it.
//!
//! A fault is planted for a whole process: the program carries out the checks, and this one has
//! none.

use jostle::planted::Fault;
use jostle_lab::validate::checks;
use serde_json::Value;

use crate::program::{folder, jostle, nightly};

/// Carries out checks with a fault planted: the first must notice it, and in `make nightly` at least so
/// many of all.
/// A check breaks off at the first number that is not that of theory, or where an engine leaves
/// particles from which no other may start. That all of them hold where nothing is planted, with the same
/// seed, is seen where the whole quick suite is carried out.
fn noticed(fault: Fault, least: usize, names: &[&str]) {
    let known = checks();
    let quick = |name: &&&str| known.iter().any(|check| check.name == **name && check.quick);
    assert_eq!(
        names.iter().filter(quick).count(),
        names.len(),
        "not in the quick suite: {names:?}"
    );
    let (names, least) = if nightly() { (names, least) } else { (&names[..1], 1) };
    let only = names.join(",");
    let line = ["validate", "--only", &only, "--plant", fault.name(), "--threads", "1", "--json"];
    let done = jostle(folder().path(), &line);
    let said: Value =
        serde_json::from_str(&done.out).unwrap_or_else(|why| panic!("{why}: {done:?}"));
    let outcomes = said["checks"].as_array().unwrap();
    for outcome in outcomes {
        println!("{}: {}; {}", outcome["name"], outcome["verdict"], outcome["error"]);
    }
    let noticed: Vec<_> = outcomes.iter().filter(|outcome| outcome["verdict"] != "holds").collect();
    assert!(noticed.len() >= least, "noticed by {} of {names:?}", noticed.len());
    assert!(
        noticed.iter().any(|outcome| outcome["name"] == names[0]),
        "not noticed by {}",
        names[0]
    );
    assert_eq!(done.code, Some(1), "{}", done.err);
}

/// A test for each fault, and the list of those that have one.
macro_rules! faults {
    ($($test:ident: $fault:ident, $least:literal, $names:expr;)*) => {
        $(
            #[test]
            fn $test() {
                noticed(Fault::$fault, $least, &$names);
            }
        )*

        const ASKED: &[Fault] = &[$(Fault::$fault),*];
    };
}

faults! {
    noise_of_the_wrong_power: NoisePower, 3, ["free-motion", "drift", "mixtures"];
    a_cell_that_is_missing: MissingCell, 1, ["no-overlap"];
    restitution_twice: RestitutionTwice, 3, ["haff", "pair-response", "restitution-laws"];
    rates_twice: RateTwice, 4, ["waiting-times", "isomers", "birth-and-death", "tethers", "random-equilibria"];
    binding_twice: BindingTwice, 3, ["capture-3d", "capture-2d", "lone-pair", "random-equilibria", "random-rates"];
    rejection_in_place_of_a_bounce: BounceRejects, 2, ["spheres", "rods", "single-file"];
    equal_masses: EqualMasses, 2, ["mixtures", "potentials"];
    friction_twice: FrictionTwice, 1, ["polygon-incline"];
    surfaces_that_stop: SurfaceStops, 2, ["containers", "exit-times"];
    surfaces_that_take_twice: SurfaceTwice, 2, ["permeable-wall", "exit-times"];
    one_opening_of_two: OpeningOnce, 1, ["docking", "random-rates"];
    parting_in_line: PartInLine, 1, ["docking"];
    energy_steps_of_the_wrong_sign: StepSign, 3, ["binding-in-a-well", "potentials", "random-equilibria"];
    pairs_that_are_set_free_and_lost: ReleasedPairs, 2, ["lone-pair", "random-equilibria"];
    climbs_that_are_kept: ClimbKept, 1, ["bounces"];
    third_particles_that_do_not_count: ThirdParticles, 1, ["random-equilibria"];
}

#[test]
fn every_known_fault_is_asked_about() {
    assert!(Fault::ALL.iter().all(|fault| ASKED.contains(fault)));
}
