//! One A and one B, bound and free in turn: the equilibrium is that of k_a/k_d at any time step.

use std::f64::consts::PI;

use super::super::statistics::{follows, ratio_of_blocks};
use super::super::world::World;
use super::super::{CheckError, Context, Findings, Picture};
use super::ledger::{Ledger, blocks};
use jostle_brownian::Seed;
use jostle_core::rules::rates::ReactingPair;
use jostle_core::rules::{Chance, ContactRule, RuleSet, TimedRule};
use jostle_core::search::Kind;
use jostle_core::space::Vector;
use jostle_core::species::MobilityLaw;

/// How two particles bind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bind {
    /// They become one sphere, of species 2.
    Coalesce,
    /// They are joined by a bond.
    Bond,
}

impl Bind {
    /// Species 0 and 1 bind; what is bound falls apart at `rate`.
    pub(super) fn reversibly(self, chance: Chance, rate: f64) -> RuleSet {
        let bind = match self {
            Self::Coalesce => ContactRule::coalesce("bind", [0, 1], 2, chance),
            Self::Bond => ContactRule::bond("bind", [0, 1], chance),
        };
        RuleSet {
            contact: vec![bind],
            timed: vec![TimedRule::unbind("unbind", 0, rate)],
            ..RuleSet::default()
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Coalesce => "coalescing",
            Self::Bond => "bonding",
        }
    }
}

/// The time bound over the time free.
const SHARE: f64 = 0.2;

pub(super) fn equilibrium(context: &Context) -> Result<Findings, CheckError> {
    let mut findings = Findings::default();
    for action in [Bind::Coalesce, Bind::Bond] {
        let mut points: [Vec<[f64; 3]>; 2] = Default::default();
        for s in [0.1, 0.3, 1.0] {
            points[0].push(pair::<2>(context, &mut findings, action, PI, s)?);
            points[1].push(pair::<3>(context, &mut findings, action, 4.0 * PI, s)?);
        }
        pair::<1>(context, &mut findings, action, 2.0, 0.5)?;
        let title = format!("Equilibrium of a {} pair", action.name());
        let axes = ["rms step over contact distance", "K over k_a/k_d"];
        let mut picture = Picture::new(&title, axes[0], axes[1]).log(true, false);
        picture = picture.theory("k_a/k_d", vec![[0.1, 1.0], [1.0, 1.0]]);
        for (dimension, points) in ["2D", "3D"].into_iter().zip(points) {
            let errors = points.iter().map(|point| point[2]).collect();
            let points = points.into_iter().map(|[s, ratio, _]| [s, ratio]).collect();
            picture = picture.measured(dimension, points, errors);
        }
        findings.show(picture);
    }
    Ok(findings)
}

/// Unequal in size and speed, in a periodic box of 2.2 contact distances (1D: 5). Gives s, K over
/// k_a/k_d and the error of that.
fn pair<const D: usize>(
    context: &Context,
    findings: &mut Findings,
    action: Bind,
    k_a: f64,
    s: f64,
) -> Result<[f64; 3], CheckError> {
    let timestep = 0.5 * s * s;
    let edge: f64 = if D == 1 { 5.0 } else { 2.2 };
    let room = edge.powi(D as i32) - [2.0, PI, 4.0 * PI / 3.0][D - 1];
    let k_d = k_a / (SHARE * room);
    let key = (100 * D + 10 * action as usize) as u64 + (10.0 * s) as u64;
    let mut world =
        World::<D>::periodic(edge).timestep(timestep).seed(context.seed(key)).search(Kind::Naive);
    world = world.species(0.4, 0.3).species(0.6, 0.7).product();
    world = world.rules(action.reversibly(Chance::Intrinsic(k_a), k_d));
    world.mobility = MobilityLaw::Rouse;
    let places = [Vector::ZERO, Vector([edge / 2.0; D])];
    let mut engine =
        world.with(&[0, 1].map(|n| Seed { species: n as u16, position: places[n] }))?;
    let mut ledger = Ledger::default();
    let cycles = context.either(4000, 30_000);
    while engine.tally().unbound <= cycles {
        engine.step(&mut ledger)?;
    }
    let rows = ledger.cycles();
    let what = format!("{D}D, {}, s = {s} R", action.name());
    let name = format!("{what}: time bound over time free");
    let finding = ratio_of_blocks(&name, &blocks(&rows, cycles as usize / 50), SHARE);
    let point = [s, finding.measured / SHARE, finding.error / SHARE];
    findings.add(finding);
    if s > 0.2 {
        let rate =
            k_d * ReactingPair::new(D, 1.0, 1.0)?.unbinding_correction(k_a, timestep)? * timestep;
        let bound = rows.iter().map(|row| row[0]).collect();
        findings.add(follows(&format!("{what}: times bound"), bound, |t| -libm::expm1(-rate * t)));
    }
    Ok(point)
}
