use jostle::brownian::*;
use jostle::observe::*;
use jostle::rules::*;
use jostle::search::Naive;
use jostle::space::*;
use jostle::species::*;
struct Count {
    n: u64,
    by: Vec<(u64, u64, u64)>,
    changes: u64,
}
impl<const D: usize> Observer<D> for Count {
    fn wants_contacts(&self) -> bool {
        true
    }
    fn contact(&mut self, c: &Contact<D>) -> Result<(), ObserverError> {
        self.n += 1;
        let o = match c.partner {
            Partner::Body { id, .. } => id,
            _ => u64::MAX,
        };
        self.by.push((c.id, o, c.time.to_bits()));
        Ok(())
    }
    fn change(&mut self, c: &Change<'_, D>) -> Result<(), ObserverError> {
        self.changes += 1;
        if self.changes < 5 {
            println!("{c:?}");
        }
        Ok(())
    }
}
fn run(sched: Scheduler, periodic: bool, action: Action) -> (Vec<(u64, [u64; 3])>, Count) {
    let l = 12.0;
    let mut seeds = vec![];
    for i in 0..6 {
        for j in 0..6 {
            for k in 0..6 {
                seeds.push(Seed {
                    species: ((i + j + k) % 2) as u16,
                    position: Vector([1.0 + 2.0 * i as f64, 1.0 + 2.0 * j as f64, 1.0 + 2.0 * k as f64]),
                });
            }
        }
    }
    let sp = |n: &str, r: Option<f64>, d: Option<f64>| Species {
        name: n.into(),
        radius: r,
        diffusion_coefficient: d,
        drift: Drift::Still,
    };
    let rules = RuleSet {
        contact: vec![ContactRule {
            name: "x".into(),
            species: [0, 1],
            action,
            chance: Chance::Probability(0.2),
        }],
        timed: vec![TimedRule { name: "y".into(), action: TimedAction::Unbind { of: 0 }, rate: 0.3 }],
    };
    let setup = Setup {
        domain: Domain::new([l; 3], [periodic; 3]),
        timestep: 1.0,
        species: vec![sp("A", Some(0.7), Some(0.02)), sp("B", Some(0.7), Some(0.05)), sp("C", None, None)],
        rules,
        mobility: MobilityLaw::Stokes,
        search: Box::new(Naive::new()),
        scheduler: sched,
        seed: 3,
    };
    let mut e = Brownian::<3>::new(setup, &seeds).unwrap();
    let mut c = Count { n: 0, by: vec![], changes: 0 };
    let mut worst: f64 = 0.0;
    for _ in 0..60 {
        e.step(&mut c).unwrap();
        e.clusters().assert_well_formed(e.particles());
        let p = e.particles();
        let d = Domain::<3>::new([l; 3], [periodic; 3]);
        for i in 0..p.len() {
            if !p.alive[i] {
                continue;
            }
            for j in 0..i {
                if !p.alive[j] {
                    continue;
                }
                let g = d.nearest_image(p.position[j] - p.position[i]).norm() - p.radius[i] - p.radius[j];
                worst = worst.min(g);
            }
        }
    }
    println!("{:?} contacts {} worst {:e} {:?}", sched, c.n, worst, e.tally());
    assert!(worst > -1e-12);
    let p = e.particles();
    (
        p.slots_by_id()
            .iter()
            .map(|&s| (p.id[s as usize], p.position[s as usize].0.map(f64::to_bits)))
            .collect(),
        c,
    )
}
#[test]
fn same() {
    for action in [Action::Bounce, Action::Pass, Action::Bond, Action::Coalesce { product: 2 }] {
        for per in [true, false] {
            if action == Action::Pass {
                continue;
            }
            let a = run(Scheduler::Queue, per, action);
            let b = run(Scheduler::Rescan, per, action);
            assert_eq!(a.1.by.len(), b.1.by.len());
            assert_eq!(a.0, b.0);
            assert_eq!(a.1.by, b.1.by);
        }
    }
}
