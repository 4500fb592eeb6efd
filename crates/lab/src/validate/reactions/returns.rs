//! Particles that are taken in by others and set free again: their unwrapped paths have no break.

use super::super::paths::Paths;
use super::super::statistics::exact;
use super::super::world::{World, on_lattice};
use super::super::{CheckError, Context, Findings};
use jostle_core::observe::NoObserver;
use jostle_core::rules::{
    Action, Chance, ContactRule, Cut, Fragmentation, RuleSet, TimedAction, TimedRule,
};

/// A and B that coalesce, with each other and with what came of that; that fall apart, turn into
/// others, bind by bonds and turn; all in a box of few radii, the faces of which they cross all the
/// time.
pub(super) fn paths(context: &Context) -> Result<Findings, CheckError> {
    let mut findings = Findings::default();
    let steps = context.either(1500, 30_000);
    in_box::<1>("a line", context.seed(0), 24.0, 8, steps, &mut findings)?;
    in_box::<2>("a plane", context.seed(1), 10.0, 16, steps, &mut findings)?;
    in_box::<3>("space", context.seed(2), 8.0, 30, steps, &mut findings)?;
    Ok(findings)
}

fn rules() -> RuleSet {
    let often = Chance::Probability(0.5);
    let cut = Fragmentation { cut: Cut::Any, minimum: 2, dissolved: None };
    RuleSet {
        contact: vec![
            ContactRule::coalesce("meet", [0, 1], 2, often),
            ContactRule::coalesce("join", [2, 2], 3, often),
            ContactRule::coalesce("eat", [0, 3], 3, often),
            ContactRule::bond("bond", [0, 0], Chance::Probability(0.1)),
            ContactRule::convert("swap", [1, 3], &[0, 3], Chance::Probability(0.1)),
            ContactRule::plain("past", [1, 2], Action::Pass),
        ],
        timed: vec![
            TimedRule::unbind("part", 0, 0.3),
            TimedRule::unbind("leave", 1, 0.2),
            TimedRule::unbind("spit", 2, 0.2),
            TimedRule::unbind("break", 3, 0.3),
            TimedRule::convert("shed", 2, &[0, 1], 0.05),
            TimedRule::convert("turn", 0, &[1], 0.02),
            TimedRule::convert("turn back", 1, &[0], 0.02),
            TimedRule::new("cut", TimedAction::Fragment { species: vec![3], how: cut }, 0.05),
        ],
        ..RuleSet::default()
    }
}

fn in_box<const D: usize>(
    name: &str,
    seed: u64,
    edge: f64,
    count: usize,
    steps: usize,
    findings: &mut Findings,
) -> Result<(), CheckError> {
    let world = World::<D>::periodic(edge).timestep(0.1).seed(seed);
    let world = world.species(0.4, 0.5).species(0.3, 1.0).product().product().rules(rules());
    let mut engine = world.with(&on_lattice(edge, count, 2))?;
    let mut paths = Paths::default();
    paths.follow(&engine.view());
    for _ in 0..steps {
        engine.step(&mut NoObserver)?;
        paths.follow(&engine.view());
    }
    let Paths { across, returns, jumps, .. } = paths;
    let what = format!(
        "{name}: breaks in {returns} returns, {across} of particles taken in across a face"
    );
    findings.add(exact(&what, jumps as f64, 0.0, 0.5));
    let enough = (steps / 100) as u64;
    findings.add(exact(
        &format!("{name}: too few returns to tell"),
        f64::from(returns < enough),
        0.0,
        0.5,
    ));
    Ok(())
}
