//! Faults planted into states, each of which has to be seen; and states without faults, in which
//! nothing is.

use std::sync::atomic::AtomicBool;

use super::super::drive::{AnyDrive, Controls, Drive, Plan};
use super::super::error::RunError;
use super::*;
use crate::{domain, engine};
use jostle_core::clusters::Clusters;
use jostle_core::observe::{ChangeKind, Clock, EnergyBalance, Observer, ObserverError, Party};
use jostle_core::particles::{Particle, Particles};
use jostle_core::random::{Purpose, Random};
use jostle_core::space::{Domain, Groups, Vector};
use jostle_model as model;

/// A model of `count` spheres of radius 1 and D = 2 in a box of edge 20, to which `more` is added.
fn model(boundary: &str, count: usize, more: &str) -> model::Model {
    let text = format!(
        "[space]\ndimension = 3\nedges = 20\nboundary = '{boundary}'\n[run]\ntimestep = 0.01\nsteps = 1000\n\
         [[species]]\nname = 'A'\nradius = 1\ndiffusion = '2 nm^2/us'\ncount = {count}\n{more}"
    );
    model::parse(&text, "model", &[]).unwrap_or_else(|faults| panic!("{faults}"))
}

const GHOSTS: &str = "[[rule]]\nname = 'free'\non = ['A', 'A']\ndo = 'ignore'\n";

/// A state of which everything can be changed.
struct State {
    domain: Domain<3>,
    particles: Particles<3>,
    clusters: Clusters,
    step: u64,
    balance: Option<EnergyBalance>,
}

impl State {
    /// Spheres of radius 1 on a lattice with 0.5 between them, and velocities of D = 2, dt = 0.01.
    fn of(model: &model::Model) -> Self {
        let mut particles = Particles::default();
        for id in 0..512 {
            let at = |k: u32| 1.25 + 2.5 * ((id / 8u64.pow(k)) % 8) as f64;
            particles.push(Particle {
                sites: 0,
                position: Vector([at(0), at(1), at(2)]),
                velocity: Vector::ZERO,
                since: 0.0,
                radius: 1.0,
                diffusion_coefficient: 2.0,
                species: 0,
                id,
                image: [0; 3],
            });
        }
        let clusters = Clusters::default();
        let mut state = Self { domain: domain(model), particles, clusters, step: 0, balance: None };
        state.draw(1.0);
        state
    }

    /// Velocities of a step, as long as `scale` says.
    fn draw(&mut self, scale: f64) {
        let width = scale * (2.0f64 * 2.0 * 0.01).sqrt();
        let random = Random::new(9);
        for i in 0..self.particles.len() {
            self.particles.velocity[i] =
                random.normal::<3>(self.step, self.particles.id[i]) * width;
        }
    }

    fn view(&self) -> View<'_, 3> {
        let clock = Clock { step: self.step, timestep: 0.01 };
        let view = View::new(clock, &self.domain, &self.particles, &self.clusters);
        View { balance: self.balance, ..view }
    }

    /// What a check that has begun with this state says after `meddle`.
    fn after(
        &mut self,
        model: &model::Model,
        meddle: impl FnOnce(&mut Self),
    ) -> Result<(), SelfCheckFault> {
        let mut check = SelfCheck::new(Subject::brownian(model));
        check.step(&self.view())?;
        self.step += 1;
        meddle(self);
        check.finish(&self.view())
    }
}

fn fault(boundary: &str, meddle: impl FnOnce(&mut State)) -> SelfCheckFault {
    let model = model(boundary, 10, "");
    State::of(&model).after(&model, meddle).unwrap_err()
}

#[test]
fn a_state_without_faults_passes() {
    for boundary in ["periodic", "reflecting"] {
        let model = model(boundary, 10, "");
        State::of(&model).after(&model, |_| ()).unwrap();
    }
}

#[test]
fn two_that_overlap_are_detected_wherever_they_are() {
    for (first, second) in [(0, 1), (0, 7), (100, 108), (511, 447), (0, 448)] {
        let found = fault("periodic", |state| {
            let to = state
                .domain
                .nearest_image(state.particles.position[first] - state.particles.position[second]);
            let place = state.particles.position[second] + to * (0.5001 / 2.5);
            state.particles.position[second] = state.domain.wrap(place).0;
        });
        let SelfCheckFault::Overlap { step, ids, by, .. } = &found else { panic!("{found}") };
        assert_eq!((*step, *ids), (1, [first.min(second) as u64, first.max(second) as u64]));
        assert!((by - 0.0001).abs() < 1e-9, "{by}");
        let said = found.to_string();
        assert!(
            said.contains(&format!("particles {} and {} overlap by", ids[0], ids[1])),
            "{said}"
        );
        assert!(said.starts_with("self-check: after step 1, "), "{said}");
    }
}

#[test]
fn one_much_larger_than_the_others_is_not_forgotten() {
    let found = fault("periodic", |state| state.particles.radius[77] = 6.0);
    let SelfCheckFault::Overlap { ids, .. } = &found else { panic!("{found}") };
    assert!(ids.contains(&77), "{found}");
}

#[test]
fn those_that_may_pass_may_overlap() {
    let model = model("periodic", 10, GHOSTS);
    State::of(&model)
        .after(&model, |state| state.particles.position[3] = state.particles.position[9])
        .unwrap();
    let pass =
        self::model("periodic", 10, "[[rule]]\nname = 'pass'\non = ['A', 'A']\ndo = 'pass'\n");
    State::of(&pass)
        .after(&pass, |state| state.particles.position[3] = state.particles.position[9])
        .unwrap();
}

#[test]
fn one_that_leaves_the_box_is_detected() {
    let found = fault("reflecting", |state| state.particles.position[511][1] = 19.01);
    let SelfCheckFault::Outside { id: 511, axis: "y", by, .. } = &found else { panic!("{found}") };
    assert!((by - 0.01).abs() < 1e-9, "{found}");
    let found = fault("periodic", |state| state.particles.position[0][2] = -0.1);
    assert!(matches!(found, SelfCheckFault::Outside { id: 0, axis: "z", .. }), "{found}");
    let found = fault("periodic", |state| state.particles.position[5][0] = f64::NAN);
    assert_eq!(found, SelfCheckFault::Nowhere { step: 1, id: 5 });
}

#[test]
fn one_that_is_lost_doubled_or_changed_is_detected() {
    let found = fault("periodic", |state| state.particles.alive[300] = false);
    assert!(found.to_string().contains("particle 300 is gone"), "{found}");
    let found = fault("periodic", |state| state.particles.id[300] = 7);
    assert!(found.to_string().contains("two particles 7"), "{found}");
    let found = fault("periodic", |state| state.particles.id[300] = 7000);
    assert!(found.to_string().contains("particle 7000, but no change created it"), "{found}");
    let found = fault("periodic", |state| state.particles.species[300] = 1);
    assert!(found.to_string().contains("particle 300 is of species 1"), "{found}");
}

#[test]
fn changes_account_for_those_that_come_and_go() {
    let model = model("periodic", 10, "");
    let mut state = State::of(&model);
    let mut check = SelfCheck::new(Subject::brownian(&model));
    check.step(&state.view()).unwrap();
    let party =
        |id, species| Party { id, species, sites: 0, radius: 1.0, size: 1, unwrapped: [0.0; 3] };
    let gone = [party(8, 0), party(9, 0)];
    let new = [party(600, 0)];
    let change = Change {
        step: 0,
        time: 0.5,
        subdivision: 0,
        kind: ChangeKind::Coalesced,
        rule: 0,
        place: Vector::ZERO,
        reactants: &gone,
        products: &new,
        bonds_broken: &[],
        bonds_made: &[],
        clusters_before: &[8, 9],
        clusters_after: &[600],
    };
    check.change(&change).unwrap();
    let refused = Change { kind: ChangeKind::Refused, ..change.clone() };
    check.change(&refused).unwrap();
    state.particles.alive[8] = false;
    state.particles.id[9] = 600;
    state.step = 1;
    check.finish(&state.view()).unwrap();
    // The same once more takes particles away that are not there any longer.
    let found = check.change(&change).unwrap_err();
    assert!(found.to_string().contains("particle 8 changes although it does not exist"), "{found}");
}

/// 8 at 19 and 9 at -19 touch in a box of edge 20, since they have gone round it twice in opposite
/// ways. 9 takes in 8, and sets it free when it has come to 1 itself.
#[test]
fn a_path_that_jumps_by_an_edge_is_detected() {
    let model = model("periodic", 10, "");
    let party =
        |id, x| Party { id, species: 0, sites: 0, radius: 1.0, size: 1, unwrapped: [x, 5.0, 5.0] };
    let change = |check: &mut SelfCheck<3>, kind, reactants: &[Party], products: &[Party]| {
        check.change(&Change {
            step: 0,
            time: 0.5,
            subdivision: 0,
            kind,
            rule: 0,
            place: Vector::ZERO,
            reactants,
            products,
            bonds_broken: &[],
            bonds_made: &[],
            clusters_before: &[],
            clusters_after: &[],
        })
    };
    let set_free = |host: f64, guest: f64| {
        let mut check = SelfCheck::new(Subject::brownian(&model));
        check.step(&State::of(&model).view()).unwrap();
        let (coalesced, split) = (ChangeKind::Coalesced, ChangeKind::Split);
        change(&mut check, coalesced, &[party(8, 19.0), party(9, -19.0)], &[party(9, -19.0)])
            .unwrap();
        change(&mut check, split, &[party(9, 1.0)], &[party(8, guest), party(9, host)])
    };
    set_free(1.0, 39.0).unwrap();
    let found = set_free(1.0, -1.0).unwrap_err();
    assert_eq!(found, SelfCheckFault::Jump { step: 0, id: 8, axis: "x", by: -42.0 });
    assert!(matches!(set_free(21.0, 39.0), Err(SelfCheckFault::Jump { id: 9, .. })));
}

/// Long before the next full check, for which all other particles have to wait.
#[test]
fn a_particle_that_a_change_concerned_is_looked_at_at_once() {
    let model = model("reflecting", 10, "");
    let seen = |concerned: &[u64], meddle: &dyn Fn(&mut State)| {
        let mut state = State::of(&model);
        let mut check = SelfCheck::new(Subject::brownian(&model));
        check.step(&state.view()).unwrap();
        meddle(&mut state);
        let party = |&id: &u64| Party {
            id,
            species: 0,
            sites: 0,
            radius: 1.0,
            size: 1,
            unwrapped: [0.0; 3],
        };
        let parties: Vec<Party> = concerned.iter().map(party).collect();
        let change = Change {
            step: 0,
            time: 0.5,
            subdivision: 0,
            kind: ChangeKind::Converted,
            rule: 0,
            place: Vector::ZERO,
            reactants: &parties,
            products: &parties,
            bonds_broken: &[],
            bonds_made: &[],
            clusters_before: concerned,
            clusters_after: concerned,
        };
        check.change(&change).unwrap();
        state.step = 1;
        check.step(&state.view())
    };
    let many: Vec<u64> = (0..100).collect();
    let overlap = |state: &mut State| state.particles.position[9] = state.particles.position[10];
    assert_eq!(seen(&[300], &overlap), Ok(()));
    for concerned in [&[9][..], &[10, 300], &many] {
        let found = seen(concerned, &overlap).unwrap_err();
        assert!(matches!(found, SelfCheckFault::Overlap { step: 1, ids: [9, 10], .. }), "{found}");
    }
    let outside = |state: &mut State| state.particles.position[511][1] = 19.01;
    assert_eq!(seen(&[300], &outside), Ok(()));
    let found = seen(&[511], &outside).unwrap_err();
    assert!(matches!(found, SelfCheckFault::Outside { step: 1, id: 511, .. }), "{found}");
}

#[test]
fn velocities_of_the_wrong_variance_are_detected() {
    let found = fault("periodic", |state| state.draw(1.2));
    let SelfCheckFault::Spread { species, ratio, samples, .. } = &found else { panic!("{found}") };
    assert_eq!((species.as_str(), *samples), ("A", 1536));
    assert!((ratio - 1.44).abs() < 0.15, "{found}");
    assert!(matches!(fault("periodic", |state| state.draw(0.8)), SelfCheckFault::Spread { .. }));
}

/// A run of so many steps in which displacements are `scale` times as long as they should be.
fn drifting_run(scale: f64, steps: u64) -> Result<String, SelfCheckFault> {
    let model = model("periodic", 10, GHOSTS);
    let mut state = State::of(&model);
    let mut check = SelfCheck::new(Subject::brownian(&model));
    check.step(&state.view())?;
    for step in 0..steps {
        state.step = step;
        state.draw(scale);
        let p = &mut state.particles;
        for i in 0..p.len() {
            let (place, periods) = state.domain.wrap(p.position[i] + p.velocity[i]);
            p.position[i] = place;
            (0..3).for_each(|k| p.image[i][k] += periods[k]);
        }
        // Slots are in another order now and then.
        if step % 3 == 0 {
            p.position.swap(4, 5);
            p.image.swap(4, 5);
            p.id.swap(4, 5);
        }
        // What is in `velocity` is not what particles did.
        p.velocity.iter_mut().for_each(|v| *v = Vector::ZERO);
        state.step = step + 1;
        check.step(&state.view())?;
    }
    check.finish(&state.view())?;
    Ok(check.account())
}

#[test]
fn displacements_of_the_wrong_variance_are_seen_where_no_particle_bounces() {
    let said = drifting_run(1.0, 400).unwrap();
    assert!(said.contains("displacements of A: variance "), "{said}");
    assert!(matches!(drifting_run(1.1, 400).unwrap_err(), SelfCheckFault::Spread { .. }));
}

#[test]
fn an_energy_that_does_not_balance_are_detected() {
    let model = model("periodic", 10, GHOSTS);
    let subject = || Subject {
        imbalance: Some(1e-8),
        isolated: [true; 3],
        mass: 2.0,
        ..Subject::brownian(&model)
    };
    let first =
        EnergyBalance { kinetic: 3.0, momentum: [1.0, 0.0, 0.0], ..EnergyBalance::default() };
    let said = |now: EnergyBalance| {
        let mut state = State { balance: Some(first), ..State::of(&model) };
        let mut check = SelfCheck::new(subject());
        check.step(&state.view()).unwrap();
        (state.balance, state.step) = (Some(now), 1);
        check.finish(&state.view())
    };
    said(EnergyBalance { kinetic: 1.0, dissipated: 2.5, wall_work: 0.5, ..first }).unwrap();
    let found = said(EnergyBalance { kinetic: 3.001, ..first }).unwrap_err();
    assert!(matches!(found, SelfCheckFault::Energy { step: 1, .. }), "{found}");
    let found = said(EnergyBalance { momentum: [1.0, 0.0, 0.1], ..first }).unwrap_err();
    assert!(matches!(found, SelfCheckFault::Momentum { step: 1, axis: "z", .. }), "{found}");
    assert!(said(EnergyBalance { kinetic: f64::NAN, ..first }).is_err());
}

/// Every pair that overlaps is found among particles of all sizes, and none that does not: compared
/// with all pairs.
#[test]
fn the_grid_finds_the_deepest_overlap_of_any_mixture() {
    for case in 0..60 {
        let random = |n: u64, k: u64| Random::new(case).uniform(Purpose::Placement, [n, k, 0, 0]);
        let periodic = [case % 2 == 0, case % 3 == 0, true];
        let mut state = State::of(&model("periodic", 10, ""));
        state.domain = Domain::new([20.0, 7.0, 11.0], periodic);
        let count = 30 + 10 * case as usize;
        let p = &mut state.particles;
        (0..512 - count.min(400)).for_each(|_| p.pop());
        for i in 0..p.len() {
            let edges = state.domain.edges();
            p.position[i] = Vector::from_fn(|k| edges[k] * random(i as u64, k as u64));
            p.radius[i] =
                0.1 + if case % 5 == 0 { 2.0 * random(i as u64, 9).powi(6) } else { 0.05 };
        }
        let p = &state.particles;
        let mut deepest = (0.0, [0, 0]);
        for j in 0..p.len() {
            for i in 0..j {
                let apart = state.domain.nearest_image(p.position[j] - p.position[i]).norm();
                let by = p.radius[i] + p.radius[j] - apart;
                if by > deepest.0 {
                    deepest = (by, [i as u64, j as u64]);
                }
            }
        }
        let subject = Subject::brownian(&model("periodic", 10, ""));
        match Cells::default().check(&state.view(), &subject) {
            Err(SelfCheckFault::Overlap { ids, by, .. }) => {
                assert_eq!((by, ids), deepest, "case {case}")
            }
            other => {
                assert!(other.is_ok() && deepest.0 == 0.0, "case {case}: {other:?}, {deepest:?}")
            }
        }
    }
}

/// What stops a run keeps what was written until then.
#[test]
fn what_was_written_before_a_fault_stays() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("run.h5md");
    let model = model("periodic", 300, "[[rule]]\nname = 'pass'\non = ['A', 'A']\ndo = 'pass'\n");
    let plan = Plan { out: Some(&out), self_check: true, ..Plan::default() };
    let mut drive =
        Box::new(Drive::<_, 3>::start(&model, model.brownian().unwrap(), plan).unwrap());
    // It is told that these particles may not overlap, as they do.
    let subject = Subject { apart: Groups::all(), ..Subject::brownian(&model) };
    drive.observers.check = Some(SelfCheck::new(subject));
    let (stop, progress) = (AtomicBool::new(false), &mut |_| ());
    let mut controls = Controls { stop: &stop, keep: None, pause: None, progress };
    assert!(drive.advance(model.run.steps, &mut controls).is_err());
    let failed = drive.finish(&model).unwrap_err();
    let RunError::SelfCheck { reason: SelfCheckFault::Overlap { step, .. }, .. } = &failed else {
        panic!("{failed}")
    };
    assert!(*step > 10 && *step < 1000, "{failed}");
    assert!(failed.to_string().contains("; what was done until then is in "), "{failed}");
    let file = hdf5::File::open(&out).unwrap();
    let steps =
        file.dataset("particles/trajectory/position/step").unwrap().read_raw::<i64>().unwrap();
    assert_eq!(steps.len() as u64, *step / model.output.frame_every + 1);
}

/// A self-check without a run.
struct Watch(SelfCheck<3>);

impl Observer<3> for Watch {
    fn change(&mut self, change: &Change<'_, 3>) -> Result<(), ObserverError> {
        Ok(self.0.change(change)?)
    }

    fn step(&mut self, view: &View<'_, 3>) -> Result<(), ObserverError> {
        Ok(self.0.step(view)?)
    }
}

/// Engines that do nothing wrong, watched at every step: dense, mixed, with walls, reacting.
#[test]
fn nothing_is_seen_in_runs_of_the_engine() {
    let more = "[[species]]\nname = 'B'\nradius = 0.6\ndiffusion = '5 nm^2/us'\ncount = 100\n\
                [[rule]]\nname = 'bind'\non = ['A', 'B']\ndo = 'bind'\nmerge = 'bond'\n\
                rate = '30 nm^3/us'\nunbind = '5 /us'\n";
    for (boundary, count, more) in [
        ("periodic", 500, ""),
        ("reflecting", 300, ""),
        ("periodic", 200, more),
        ("reflecting", 200, more),
    ] {
        let model = model(boundary, count, more);
        let mut watch = Watch(SelfCheck::new(Subject::brownian(&model)));
        let mut engine = engine::<3>(&model).unwrap();
        watch.step(&engine.view()).unwrap();
        for _ in 0..300 {
            engine.step(&mut watch).unwrap_or_else(|error| panic!("{boundary}, {more}: {error}"));
            watch
                .0
                .look(&engine.view())
                .unwrap_or_else(|fault| panic!("{boundary}, {more}: {fault}"));
        }
        let Watch(mut check) = watch;
        let said = check.account();
        let found = check.finish(&engine.view());
        assert!(found.is_ok() && said.contains("variance"), "{said}");
    }
}
