//! Molecules with sites: states that change independently of each other, bonds between sites, and
//! the same results whatever does the search.

use jostle::brownian::{Brownian, Scheduler, Seed, Setup};
use jostle::clusters::Unit;
use jostle::observe::NoObserver;
use jostle::rules::{Case, Chance, ContactRule, Cut, RuleSet, SiteCase, TimedAction, TimedRule};
use jostle::search::{Kind, Settings};
use jostle::sites::{Attached, Site, SiteChange, SitePattern, Sites};
use jostle::space::{Domain, Vector};
use jostle::species::{MobilityLaw, Species};
use jostle::state_hash::state_hash;

use crate::kinetics::{Dice, particle, periodic};

mod binding;
mod directed;
mod independence;
mod membrane;

/// A species with these sites, each with the states that follow its name.
fn molecule(name: &str, radius: f64, diffusion: f64, sites: &[(&str, &[&str])]) -> Species {
    let site = |(name, states): &(&str, &[&str])| Site {
        name: (*name).to_owned(),
        states: states.iter().map(|state| (*state).to_owned()).collect(),
        direction: None,
    };
    let sites = Sites::new(sites.iter().map(site).collect()).expect("they fit into a code");
    Species { sites, ..particle(name, radius, diffusion) }
}

/// A site that is free.
fn free(species: &Species, site: u8) -> SitePattern {
    SitePattern { mask: species.sites.bound(site), ..SitePattern::default() }
}

/// A site in a state.
fn state(species: &Species, site: u8, state: usize) -> SitePattern {
    let sites = &species.sites;
    SitePattern {
        mask: sites.state_mask(site),
        value: sites.in_state(site, state),
        attached: Vec::new(),
    }
}

/// A site changes from one state to another in time.
fn turns(
    name: &str,
    (number, species): (u16, &Species),
    site: u8,
    from: usize,
    rate: f64,
) -> TimedRule {
    let sites = &species.sites;
    let to = sites.in_state(site, 1 - from);
    let change = SiteChange { mask: sites.state_mask(site), value: to };
    let case = changing([number], [state(species, site, from)], vec![change]);
    TimedRule::new(name, TimedAction::Convert { cases: vec![case] }, rate)
}

/// Site `joins[0]` of the first species binds site `joins[1]` of the second, where both are free.
fn bind_case(all: &[Species], species: [u16; 2], joins: [u8; 2]) -> Case<2> {
    let pattern = |n: usize| free(&all[species[n] as usize], joins[n]);
    let sites = SiteCase { joins: Some(joins), ..SiteCase::new([pattern(0), pattern(1)]) };
    Case::new(species, &[]).with_sites(sites)
}

/// Molecules that are like this change their sites.
fn changing<const N: usize>(
    species: [u16; N],
    patterns: [SitePattern; N],
    changes: Vec<SiteChange>,
) -> Case<N> {
    Case::new(species, &species).with_sites(SiteCase { changes, ..SiteCase::new(patterns) })
}

fn bind(name: &str, cases: Vec<Case<2>>, k_a: f64) -> ContactRule {
    ContactRule { cases, ..ContactRule::bond(name, [0, 0], Chance::Intrinsic(k_a)) }
}

/// Every kind of rule that there is for sites, in a crowd.
fn everything() -> (Vec<Species>, RuleSet) {
    let all = vec![
        molecule("R", 1.0, 4.0, &[("l", &[]), ("y", &["u", "p"]), ("d", &[])]),
        molecule("L", 0.7, 8.0, &[("r#1", &[]), ("r#2", &[])]),
        particle("C", 0.8, 6.0),
    ];
    let (r, l) = (&all[0], &all[1]);
    let attached = SitePattern {
        mask: r.sites.bound(0),
        value: r.sites.bound(0),
        attached: vec![Attached { site: 0, species: 1, at: 0, pattern: free(l, 1) }],
    };
    let set =
        |to: usize| SiteChange { mask: r.sites.state_mask(1), value: r.sites.in_state(1, to) };
    let in_complex = changing([0], [attached], vec![set(1)]);
    let unchanged = SiteChange::default();
    let kinase = changing([0, 0], [state(r, 1, 1), state(r, 1, 0)], vec![unchanged, set(1)]);
    let catalysed = changing([0, 2], Default::default(), vec![set(0)]);
    let ends = SiteCase {
        joins: Some([2, 2]),
        changes: vec![set(0), unchanged],
        ..SiteCase::new([state(r, 1, 1), SitePattern::default()])
    };
    let ends = Case::new([0, 0], &[]).with_sites(ends);
    let marked = SiteCase {
        joins: Some([2, 2]),
        changes: vec![unchanged, set(1)],
        ..SiteCase::new([free(r, 2), free(r, 2)])
    };
    let convert = |name: &str, case: Case<2>, k: f64| ContactRule {
        cases: vec![case],
        ..ContactRule::convert(name, [0, 0], &[], Chance::Intrinsic(k))
    };
    let contact = vec![
        bind(
            "ligand",
            vec![bind_case(&all, [0, 1], [0, 0]), bind_case(&all, [0, 1], [0, 1])],
            60.0,
        ),
        bind("dimer", vec![bind_case(&all, [0, 0], [2, 2])], 80.0),
        convert("kinase", kinase, 20.0),
        convert("catalysed", catalysed, 40.0),
        bind("marked", vec![Case::new([0, 0], &[]).with_sites(marked)], 10.0),
    ];
    let timed = vec![
        TimedRule::unbind("let_go", 0, 0.3),
        TimedRule::new(
            "part",
            TimedAction::Unbind { of: vec![1, 4], cut: Cut::Any, ends: vec![ends] },
            0.6,
        ),
        TimedRule::new("in_complex", TimedAction::Convert { cases: vec![in_complex] }, 0.5),
        turns("back", (0, r), 1, 1, 0.1),
        TimedRule::new("decay", TimedAction::Convert { cases: vec![Case::new([0], &[])] }, 0.005),
        TimedRule::new("make", TimedAction::Create { species: 0, sites: set(1).value }, 1e-4),
    ];
    (all, RuleSet { contact, timed, ..RuleSet::default() })
}

/// Particles on a cubic lattice, shuffled.
fn crowd(edge: f64, counts: &[(u16, usize)]) -> Vec<Seed<3>> {
    let total: usize = counts.iter().map(|(_, count)| count).sum();
    let side = (total as f64).cbrt().ceil() as usize;
    let mut places: Vec<Vector<3>> = (0..side.pow(3))
        .map(|n| {
            let cell = [n % side, n / side % side, n / side / side];
            Vector(cell.map(|k| (k as f64 + 0.5) * edge / side as f64))
        })
        .collect();
    let mut dice = Dice::new(5);
    for n in (1..places.len()).rev() {
        places.swap(n, (dice.uniform() * (n + 1) as f64) as usize);
    }
    let kinds = counts.iter().flat_map(|&(species, count)| std::iter::repeat_n(species, count));
    kinds.zip(places).map(|(species, position)| Seed { species, position }).collect()
}

fn hash_after(steps: u64, kind: Kind, scheduler: Scheduler, threads: usize) -> (u64, [usize; 3]) {
    let (species, rules) = everything();
    let setup = Setup {
        rules,
        mobility: MobilityLaw::Rouse,
        search: Settings { kind, ..Settings::default() }.build::<3>(),
        scheduler,
        seed: 9,
        ..Setup::new(Domain::new([24.0; 3], [true; 3]), 0.02, species)
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    pool.install(|| {
        let mut engine =
            Brownian::new(setup, crowd(24.0, &[(0, 120), (1, 120), (2, 40)])).expect("a start");
        for _ in 0..steps {
            engine.step(&mut NoObserver).expect("a step");
        }
        assert_well_formed(&engine);
        let p = engine.particles();
        let bonds = engine.clusters().bonds().count();
        let bound = p.sites.iter().zip(&p.alive).filter(|(code, alive)| **alive && **code != 0);
        (state_hash(p, engine.clusters()), [p.len(), bonds, bound.count()])
    })
}

/// Bound bits are those of the bonds.
fn assert_well_formed(engine: &Brownian<3>) {
    let (all, _) = everything();
    let (p, clusters) = (engine.particles(), engine.clusters());
    clusters.assert_well_formed(p);
    for i in (0..p.len()).filter(|&i| p.alive[i]) {
        let sites = &all[p.species[i] as usize].sites;
        let unit: Option<&Unit> = clusters.unit_of(p, i as u32);
        let bonds = unit.into_iter().flat_map(|unit| &unit.bonds);
        let ends = bonds.flat_map(|bond| bond.ids.into_iter().zip(bond.sites));
        let own = ends.filter(|(id, _)| *id == p.id[i]);
        let bound = own.fold(0, |bits, (_, site)| bits | sites.bound(site));
        assert_eq!(p.sites[i] & sites.all_bound(), bound, "of particle {}", p.id[i]);
    }
}

#[test]
fn search_scheduler_and_threads_change_no_bit() {
    let (expected, [particles, bonds, marked]) = hash_after(400, Kind::Naive, Scheduler::Queue, 1);
    assert!(particles > 200 && bonds > 30 && marked > 60, "{particles} {bonds} {marked}");
    for (kind, scheduler, threads) in [
        (Kind::Verlet, Scheduler::Queue, 1),
        (Kind::Verlet, Scheduler::Queue, 2),
        (Kind::Cubic, Scheduler::Rescan, 1),
        (Kind::Slices, Scheduler::Queue, 2),
    ] {
        let (hash, _) = hash_after(400, kind, scheduler, threads);
        assert_eq!(hash, expected, "{kind:?} {scheduler:?} on {threads}");
    }
}

#[test]
fn molecules_that_become_others_or_vanish_leave_no_bond_behind() {
    // The partner of a receptor that decays is free again, which the bits of all say.
    let (species, mut rules) = everything();
    rules.timed[4].rate = 0.5;
    let mut engine = periodic(24.0, 0.02, species, rules, 3, &crowd(24.0, &[(0, 120), (1, 160)]));
    for _ in 0..300 {
        engine.step(&mut NoObserver).expect("a step");
        assert_well_formed(&engine);
    }
    assert!(engine.particles().len() < 200);
}
