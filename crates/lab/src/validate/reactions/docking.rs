//! One A and one B that bind at sites which point somewhere: the equilibrium is that of k_a/k_d
//! whatever the openings, the torsion and the time step are, also where both live on a membrane; free ones
//! point anywhere; and six in a plane close rings.

use std::f64::consts::PI;

use super::super::statistics::{mean_of_blocks, ratio_of_blocks};
use super::super::world::World;
use super::super::{CheckError, Context, Findings, Picture};
use super::ledger::{Ledger, blocks};
use jostle_brownian::Seed;
use jostle_core::docking::{SiteDirection, Torsion};
use jostle_core::environment::{AnchorSurface, Confinement, Environment, Manner, Shape, Surface};
use jostle_core::observe::NoObserver;
use jostle_core::rules::{
    BondGeometry, Case, Chance, Closure, ContactRule, RuleSet, SiteCase, TimedRule,
};
use jostle_core::search::Kind;
use jostle_core::sites::{Site, SitePattern, Sites};
use jostle_core::space::{Orientation, Vector};
use jostle_core::species::MobilityLaw;

/// The time bound over the time free.
const SHARE: f64 = 0.2;

/// Sites in a plane, each at an angle and with an opening, in degrees.
fn sites(list: &[(f64, f64)]) -> Result<Sites, CheckError> {
    let normal = Vector([0.0, 0.0, 1.0]);
    let site = |(n, &(angle, opening)): (usize, &(f64, f64))| {
        let turn = Orientation::about(normal, angle.to_radians());
        let axis = turn.apply(Vector([1.0, 0.0, 0.0]));
        let direction = SiteDirection { axis, normal, opening: opening.to_radians() };
        Site { name: format!("s{n}"), states: Vec::new(), direction: Some(direction) }
    };
    Ok(Sites::new(list.iter().enumerate().map(site).collect())?)
}

/// Two species bind at these sites, if both are free.
fn bind(species: [u16; 2], joins: [u8; 2], k_a: f64, geometry: BondGeometry) -> ContactRule {
    // A site is bound if its bit is set; without states, the bits come in the order of the sites.
    let free = joins.map(|site| SitePattern { mask: 1 << site, ..SitePattern::default() });
    let case =
        Case::new(species, &[]).with_sites(SiteCase { joins: Some(joins), ..SiteCase::new(free) });
    let rule = ContactRule::bond("bind", species, Chance::Intrinsic(k_a));
    ContactRule { cases: vec![case], geometry, ..rule }
}

pub(super) fn equilibrium(context: &Context) -> Result<Findings, CheckError> {
    let mut findings = Findings::default();
    let axes = ["rms step over contact distance", "K over k_a/k_d"];
    let mut picture = Picture::new("Equilibrium of a pair that docks", axes[0], axes[1]);
    picture = picture.log(true, false).theory("k_a/k_d", vec![[0.2, 1.0], [1.0, 1.0]]);
    let twisted = Some(Torsion { angle: 1.0, opening: 0.5 * PI });
    for (n, (openings, torsion)) in
        [([60.0, 90.0], None), ([120.0, 60.0], None), ([120.0, 120.0], twisted)]
            .into_iter()
            .enumerate()
    {
        let mut points: [Vec<[f64; 3]>; 3] = Default::default();
        for s in [0.2, 0.5, 1.0] {
            let geometry = BondGeometry { torsion, ..BondGeometry::default() };
            let key = 100 * n as u64 + (10.0 * s) as u64;
            let how = (openings, geometry);
            if torsion.is_none() {
                points[0].push(pair::<2>(context, &mut findings, how, (s, false), key)?);
                points[2].push(pair::<3>(context, &mut findings, how, (s, true), key + 30)?);
            }
            points[1].push(pair::<3>(context, &mut findings, how, (s, false), key + 50)?);
        }
        for (dimension, points) in ["2D", "3D", "on a membrane"].into_iter().zip(points) {
            if points.is_empty() {
                continue;
            }
            let errors = points.iter().map(|point| point[2]).collect();
            let points = points.into_iter().map(|[s, ratio, _]| [s, ratio]).collect();
            let name = format!("{dimension}, openings {} and {} deg", openings[0], openings[1]);
            picture = picture.measured(&name, points, errors);
        }
    }
    findings.show(picture);
    free_directions(context, &mut findings)?;
    rings(context, &mut findings)?;
    Ok(findings)
}

/// While the two are free, any direction of A is as likely as any other, seen from B: the mean cosine
/// of the angle between its site and the line to B is 0. It would not be if they parted in line. They
/// turn slowly, so that they remember how they parted.
fn free_directions(context: &Context, findings: &mut Findings) -> Result<(), CheckError> {
    const EDGE: f64 = 2.2;
    let (k_a, timestep) = (2.5 * PI, 0.05);
    let mut world =
        World::<3>::periodic(EDGE).timestep(timestep).seed(context.seed(998)).search(Kind::Naive);
    world = world.species(0.4, 0.3).species(0.6, 0.7);
    for (species, opening) in world.species.iter_mut().zip([90.0, 120.0]) {
        species.sites = sites(&[(0.0, opening)])?.turning_at(Some(0.1));
    }
    world = world.rules(RuleSet {
        contact: vec![bind([0, 1], [0, 0], k_a, BondGeometry::default())],
        timed: vec![TimedRule::unbind("unbind", 0, 20.0)],
        ..RuleSet::default()
    });
    let places = [Vector::ZERO, Vector([EDGE / 2.0; 3])];
    let mut engine =
        world.with(&[0, 1].map(|n| Seed { species: n as u16, position: places[n] }))?;
    let count = context.either(50, 400);
    let mut blocks = Vec::with_capacity(count + 1);
    for _ in 0..=count {
        let mut sum = 0.0;
        for _ in 0..10_000 {
            engine.step(&mut NoObserver)?;
            if engine.clusters().unit_count() == 0 {
                let (p, slots) = (engine.particles(), engine.particles().slots_by_id());
                let [a, b] = [slots[0], slots[1]].map(|slot| slot as usize);
                let line = world.domain.nearest_image(p.position[b] - p.position[a]);
                let axis = p.orientation[a].apply(Vector([1.0, 0.0, 0.0]));
                sum += axis.dot(line) / line.norm();
            }
        }
        blocks.push(sum / 10_000.0);
    }
    let name = "mean cosine between a site of a free particle and the line to the other, by time";
    findings.add(mean_of_blocks(name, &blocks[1..], 0.0));
    Ok(())
}

/// The edge of the box of a pair, in contact distances.
const WIDTH: f64 = 2.2;

/// The same world with a plane across its first axis on which all of its species live.
fn on_membrane<const D: usize>(world: World<D>) -> World<D> {
    let at = 0.5 * WIDTH;
    let shape = AnchorSurface::Plane { axis: 0, at };
    let anchor = Some(Confinement { surface: 0, shape, faces: None });
    let count = world.species.len();
    let membrane = Surface { name: "membrane".into(), shape: Shape::Plane { axis: 0, at } };
    let manners = vec![vec![Manner::Ignore]; count];
    let environment = Environment::new(vec![membrane], manners, vec![anchor; count]);
    World { environment, ..world }
}

/// Unequal in size and speed, in a periodic box of 2.2 contact distances, or on a membrane in it. Gives s, K over
/// k_a/k_d and the error of that.
fn pair<const D: usize>(
    context: &Context,
    findings: &mut Findings,
    (openings, geometry): ([f64; 2], BondGeometry),
    (s, is_on_membrane): (f64, bool),
    key: u64,
) -> Result<[f64; 3], CheckError> {
    let timestep = 0.5 * s * s;
    let (room, k_a) = match (D, is_on_membrane) {
        (3, false) => (WIDTH.powi(3) - 4.0 * PI / 3.0, 0.2 * PI),
        _ => (WIDTH * WIDTH - PI, 0.15 * PI),
    };
    let k_d = k_a / (SHARE * room);
    let mut world =
        World::<D>::periodic(WIDTH).timestep(timestep).seed(context.seed(key)).search(Kind::Naive);
    world = world.species(0.4, 0.3).species(0.6, 0.7);
    for (species, opening) in world.species.iter_mut().zip(openings) {
        species.sites = sites(&[(30.0, opening)])?;
    }
    world = world.rules(RuleSet {
        contact: vec![bind([0, 1], [0, 0], k_a, geometry)],
        timed: vec![TimedRule::unbind("unbind", 0, k_d)],
        ..RuleSet::default()
    });
    world.mobility = MobilityLaw::Rouse;
    if is_on_membrane {
        world = on_membrane(world);
    }
    let mut places = [Vector::ZERO, Vector([WIDTH / 2.0; D])];
    if is_on_membrane {
        places[0][0] = WIDTH / 2.0;
    }
    let mut engine =
        world.with(&[0, 1].map(|n| Seed { species: n as u16, position: places[n] }))?;
    let mut ledger = Ledger::default();
    let cycles = context.either(1500, 30_000);
    while engine.tally().unbound <= cycles {
        engine.step(&mut ledger)?;
    }
    let torsion = if geometry.torsion.is_some() { ", with a torsion" } else { "" };
    let space = if is_on_membrane { "on a membrane" } else { ["2D", "3D"][D - 2] };
    let name = format!(
        "{space}, openings {} and {} deg{torsion}, s = {s} R: time bound over time free",
        openings[0], openings[1]
    );
    let rows = ledger.cycles();
    let finding = ratio_of_blocks(&name, &blocks(&rows, cycles as usize / 50), SHARE);
    let point = [s, finding.measured / SHARE, finding.error / SHARE];
    findings.add(finding);
    Ok(point)
}

/// Heads and tails at 120 degrees in a plane: a chain of six is a ring as often as its rate of
/// closing over six times that at which a bond breaks, whatever is around it.
fn rings(context: &Context, findings: &mut Findings) -> Result<(), CheckError> {
    const EDGE: f64 = 12.0;
    let (k_d, close) = (0.05, 0.45);
    let closure = Some(Closure { rate: close, tolerance: 1e-3 });
    let geometry = BondGeometry { closure, ..BondGeometry::default() };
    let mut world =
        World::<2>::periodic(EDGE).timestep(0.02).seed(context.seed(999)).search(Kind::Naive);
    world = world.species(1.0, 10.0);
    world.species[0].sites = sites(&[(0.0, 60.0), (120.0, 60.0)])?;
    world = world.rules(RuleSet {
        contact: vec![bind([0, 0], [0, 1], 20.0, geometry)],
        timed: vec![TimedRule::unbind("unbind", 0, k_d)],
        ..RuleSet::default()
    });
    let place = |n: usize| Vector([2.0 + 4.0 * (n % 3) as f64, 2.0 + 4.0 * (n / 3) as f64]);
    let seeds: Vec<Seed<2>> = (0..6).map(|n| Seed { species: 0, position: place(n) }).collect();
    let mut engine = world.with(&seeds)?;
    let blocks = context.either(50, 400);
    let mut rows = Vec::with_capacity(blocks + 1);
    for _ in 0..=blocks {
        let mut found = [0.0; 2];
        for _ in 0..10_000 {
            engine.step(&mut NoObserver)?;
            let bonds = engine.clusters().bonds().count();
            if bonds >= 5 {
                found[6 - bonds] += 1.0;
            }
        }
        rows.push(found);
    }
    let name = "six in a plane: time as a ring over time as a chain of six";
    findings.add(ratio_of_blocks(name, &rows[1..], close / (6.0 * k_d)));
    Ok(())
}
