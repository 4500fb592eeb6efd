//! Receptors on surfaces and those that find them: in balance, and one by one.

use std::f64::consts::PI;

use super::super::reactions::dice::Dice;
use super::super::reactions::ledger::Ledger;
use super::super::statistics::mean_of_blocks;
use super::super::world::World;
use super::super::{CheckError, Context, Findings, Picture};
use super::scene::with_anchor;
use jostle_brownian::{Brownian, Seed};
use jostle_core::environment::{Manner, Shape};
use jostle_core::observe::{ChangeKind, NoObserver};
use jostle_core::rules::rates::absorbing_radius;
use jostle_core::rules::{Action, Chance, ContactRule, RuleSet, TimedRule};
use jostle_core::search::Kind;
use jostle_core::space::{Domain, Vector};
use jostle_core::species::MobilityLaw;
use jostle_core::theory::{mean_absorption_time, mean_capture_time};

/// Of the box in which one receptor binds and unbinds; it is closed below and above.
const EDGE: f64 = 8.0;
/// The radius of the receptor; the D of ligands is 1.
const RECEPTOR: f64 = 1.0;
/// Of a sphere on which it lives, in the middle of the box.
const SPHERE: f64 = 2.5;
/// nm^3/us (nm^2/us), and per us.
const K_A: f64 = 20.0;
const K_D: f64 = 1.0;
/// Blocks, each long beside the time for which the receptor is bound.
const BLOCKS: usize = 40;

/// Where the receptor is, and what it binds.
#[derive(Clone, Copy)]
struct Site {
    name: &'static str,
    at: At,
    ligand: f64,
    ligands: usize,
    /// D of the receptor.
    mobile: f64,
    timestep: f64,
}

#[derive(Clone, Copy, PartialEq)]
enum At {
    /// On the floor of the box.
    Floor,
    /// In a plane that ligands ignore.
    Sheet,
    /// On a sphere, which ligands are outside of.
    Sphere,
    /// On the floor, as ligands are.
    Together,
}

const SITES: [Site; 5] = [
    Site {
        name: "points above a floor",
        at: At::Floor,
        ligand: 0.0,
        ligands: 20,
        mobile: 0.0,
        timestep: 0.02,
    },
    Site {
        name: "balls above a floor",
        at: At::Floor,
        ligand: 0.4,
        ligands: 20,
        mobile: 0.6,
        timestep: 0.05,
    },
    Site {
        name: "points through a sheet",
        at: At::Sheet,
        ligand: 0.0,
        ligands: 20,
        mobile: 0.6,
        timestep: 0.05,
    },
    Site {
        name: "balls outside a sphere",
        at: At::Sphere,
        ligand: 0.4,
        ligands: 20,
        mobile: 0.6,
        timestep: 0.02,
    },
    Site {
        name: "disks on a floor",
        at: At::Together,
        ligand: 0.4,
        ligands: 3,
        mobile: 0.6,
        timestep: 0.02,
    },
];

impl Site {
    fn shape(&self) -> Shape<3> {
        match self.at {
            At::Sphere => Shape::Ball { centre: Vector([0.5 * EDGE; 3]), radius: SPHERE },
            At::Sheet => Shape::Plane { axis: 2, at: 0.5 * EDGE },
            At::Floor | At::Together => Shape::Plane { axis: 2, at: 0.0 },
        }
    }

    /// Where a ligand can be: the volume, or the area, and what the contact with a free receptor
    /// takes of it.
    fn room(&self) -> [f64; 2] {
        let (a, reach) = (self.ligand, RECEPTOR + self.ligand);
        let whole = EDGE * EDGE * (EDGE - 2.0 * a);
        match self.at {
            // Of the ball of contact what is higher than they come to the floor.
            At::Floor => [whole, PI * (reach - a) * (reach - a) * (2.0 * reach + a) / 3.0],
            At::Sheet => [whole, 4.0 / 3.0 * PI * reach.powi(3)],
            At::Sphere => {
                let around = whole - 4.0 / 3.0 * PI * (SPHERE + a).powi(3);
                [around, beyond(reach, SPHERE + a)]
            }
            At::Together => [EDGE * EDGE, PI * reach * reach],
        }
    }

    /// The share of the time for which the receptor is bound. Those that are not bound to it can be
    /// anywhere then.
    fn law(&self) -> f64 {
        let [whole, taken] = self.room();
        let free = whole - taken;
        let others = (whole / free).powi(self.ligands as i32 - 1);
        let weight = self.ligands as f64 * K_A / K_D / free * others;
        weight / (1.0 + weight)
    }

    fn world(&self, seed: u64) -> World<3> {
        let world = World::<3> {
            domain: Domain::new([EDGE; 3], [true, true, false]),
            mobility: MobilityLaw::Rouse,
            ..World::periodic(EDGE)
        };
        let world =
            world.timestep(self.timestep).search(Kind::Naive).seed(seed).rules(reversibly());
        let world = world.species(self.ligand, 1.0).species(RECEPTOR, self.mobile);
        let world = world.species(RECEPTOR, self.mobile);
        let guests = if self.at == At::Sheet { Manner::Ignore } else { Manner::Reflect };
        with_anchor(world, &self.shape(), &[self.at == At::Together, true, true], guests)
    }

    fn engine(&self, seed: u64) -> Result<Brownian<3>, CheckError> {
        let height = |of_anchor: bool| match (self.at, of_anchor) {
            (At::Floor, true) | (At::Together, _) => 0.0,
            (At::Floor, false) => 0.5 * EDGE,
            (At::Sheet, true) => 0.5 * EDGE,
            (At::Sphere, true) => 0.5 * EDGE + SPHERE,
            (At::Sheet | At::Sphere, false) => 1.0,
        };
        let receptor = Vector([0.5 * EDGE, 0.5 * EDGE, height(true)]);
        let ligand = |n: usize| {
            Vector([0.7 + 1.5 * (n % 5) as f64, 0.7 + 1.5 * (n / 5) as f64, height(false)])
        };
        let ligands = (0..self.ligands).map(|n| Seed { species: 0, position: ligand(n) });
        let particles: Vec<_> =
            std::iter::once(Seed { species: 1, position: receptor }).chain(ligands).collect();
        Ok(self.world(seed).with(&particles)?)
    }
}

/// The volume of a ball of radius `reach` about a point of the sphere that is farther than `keeps`
/// from its middle.
fn beyond(reach: f64, keeps: f64) -> f64 {
    const SHELLS: u32 = 20_000;
    let width = (SPHERE + reach - keeps) / f64::from(SHELLS);
    let shell = |n: u32| {
        let r = keeps + (f64::from(n) + 0.5) * width;
        let cosine =
            ((r * r + SPHERE * SPHERE - reach * reach) / (2.0 * r * SPHERE)).clamp(-1.0, 1.0);
        2.0 * PI * r * r * (1.0 - cosine) * width
    };
    (0..SHELLS).map(shell).sum()
}

/// Ligand and receptor bind, and what is bound falls apart; nothing else interacts with anything.
fn reversibly() -> RuleSet {
    let bind = ContactRule::coalesce("bind", [0, 1], 2, Chance::Intrinsic(K_A));
    let pass = [[0, 0], [0, 2], [1, 1], [1, 2], [2, 2]]
        .map(|pair| ContactRule::plain(&format!("{pair:?}"), pair, Action::Ignore));
    RuleSet {
        contact: std::iter::once(bind).chain(pass).collect(),
        timed: vec![TimedRule::unbind("unbind", 0, K_D)],
        ..RuleSet::default()
    }
}

pub(super) fn balance_and_flux(context: &Context) -> Result<Findings, CheckError> {
    let mut findings = Findings::default();
    balance(context, &mut findings)?;
    flux(context, &mut findings)?;
    Ok(findings)
}

fn balance(context: &Context, findings: &mut Findings) -> Result<(), CheckError> {
    let mut points = Vec::new();
    let mut errors = Vec::new();
    for (n, site) in (0..).zip(SITES) {
        let mut engine = site.engine(context.seed(n))?;
        let steps = (context.either(25.0, 500.0) / site.timestep) as usize;
        let mut share = |steps: usize| -> Result<f64, CheckError> {
            let mut bound = 0;
            for _ in 0..steps {
                engine.step(&mut NoObserver)?;
                let p = engine.particles();
                bound += usize::from((0..p.len()).any(|i| p.alive[i] && p.species[i] == 2));
            }
            Ok(bound as f64 / steps as f64)
        };
        share(steps)?;
        let blocks = (0..BLOCKS).map(|_| share(steps)).collect::<Result<Vec<_>, _>>()?;
        let what = format!("{}, dt = {}: share of the time bound", site.name, site.timestep);
        let finding = mean_of_blocks(&what, &blocks, site.law());
        points.push([site.law(), finding.measured]);
        errors.push(finding.error);
        findings.add(finding);
    }
    let picture =
        Picture::new("A receptor on a surface", "share of the time bound, theory", "measured");
    let picture = picture.theory("theory", vec![[0.1, 0.1], [0.8, 0.8]]);
    findings.show(picture.measured("one receptor among its ligands", points, errors));
    Ok(())
}

/// The edge of the box in which a receptor takes up what comes, twice its height; and how many are
/// in it at once.
const WIDE: f64 = 6.0;
const SWARM: usize = 100;

/// What reflecting planes below and above make of half of a target in half of a box is all of it in
/// all of the box: half the rate constant is that of a free one.
fn flux(context: &Context, findings: &mut Findings) -> Result<(), CheckError> {
    let mut picture = Picture::new(
        "Flux to a receptor in a plane",
        "rms step over contact distance",
        "mean time over that of theory",
    );
    picture = picture.log(true, false).theory("theory", vec![[0.1, 1.0], [1.0, 1.0]]);
    let (mut points, mut errors) = (Vec::new(), Vec::new());
    let cases = [(0.15, None), (0.5, None), (0.15, Some(4.0)), (0.3, Some(12.0))];
    for (n, (step, k_a)) in (0..).zip(cases) {
        let chance = k_a.map_or(Chance::Probability(1.0), Chance::Intrinsic);
        let mut means = Vec::new();
        for swarm in 0..context.either(24, 300) {
            means.push(capture(step, chance, context.seed(100_000 * (n + 1) + swarm))?);
        }
        let room = WIDE.powi(3) - 4.0 / 3.0 * PI;
        let (how, law, calibration) = match k_a {
            Some(k_a) => {
                let law = mean_capture_time::<3>(WIDE, 2.0 * k_a, 1.0, 1.0);
                (format!("k_a = {k_a}"), law, 0.011 * room / (2.0 * k_a))
            }
            None => {
                let seems = absorbing_radius(3, step).unwrap_or(f64::NAN);
                ("at every contact".into(), mean_absorption_time::<3>(WIDE, seems, 1.0, 1.0), 0.0)
            }
        };
        let what = format!("a receptor in a plane, {how}, s = {step} R: mean time to capture");
        // Where in its step a capture falls is worth half a step at most.
        let finding =
            mean_of_blocks(&what, &means, law).with_bias(calibration + 0.25 * step * step);
        points.push([step, finding.measured / law]);
        errors.push(finding.error / law);
        findings.add(finding);
    }
    findings.show(picture.measured("measured", points, errors));
    Ok(())
}

/// The mean time until a swarm of points that begin anywhere above the floor are taken up by a
/// receptor at rest in it.
fn capture(step: f64, chance: Chance, seed: u64) -> Result<f64, CheckError> {
    let mut dice = Dice::new(seed);
    let receptor = Vector([0.5 * WIDE, 0.5 * WIDE, 0.0]);
    let mut particles = vec![Seed { species: 1, position: receptor }];
    while particles.len() <= SWARM {
        let place = dice.place::<3>(WIDE);
        let position = Vector([place[0], place[1], 0.5 * place[2]]);
        if (position - receptor).norm() > 1.0 {
            particles.push(Seed { species: 0, position });
        }
    }
    let take = ContactRule::convert("take", [0, 1], &[1], chance);
    let rules = RuleSet {
        contact: vec![take, ContactRule::plain("pass", [0, 0], Action::Ignore)],
        ..RuleSet::default()
    };
    let domain = Domain::new([WIDE, WIDE, 0.5 * WIDE], [true, true, false]);
    let world =
        World::<3> { domain, ..World::periodic(WIDE) }.timestep(0.5 * step * step).seed(seed);
    let world = world.search(Kind::Naive).species(0.0, 1.0).species(RECEPTOR, 0.0).rules(rules);
    let floor = Shape::Plane { axis: 2, at: 0.0 };
    let mut engine =
        with_anchor(world, &floor, &[false, true], Manner::Reflect).with(&particles)?;
    let mut ledger = Ledger::<3>::default();
    while ledger.0.len() < SWARM {
        engine.step(&mut ledger)?;
    }
    let times = ledger.times(ChangeKind::Converted);
    Ok(times.iter().sum::<f64>() / times.len() as f64 * 0.5 * step * step)
}
