//! Hard particles never overlap, whichever search structure finds their contacts.

use super::super::statistics::{exact, worse};
use super::super::world::{World, advance};
use super::super::{CheckError, Context, Finding, Findings};
use super::fluid::{Component, Fluid, places};
use super::pairs::smallest_gap;
use super::watch::rounding;
use jostle_brownian::{Scheduler, Seed};
use jostle_core::search::Kind;
use jostle_core::space::Domain;

/// Crowds of spheres and disks under every search structure; and between walls.
pub(super) fn none_overlap(context: &Context) -> Result<Findings, CheckError> {
    let mut findings = Findings::default();
    let steps = context.either(60, 2000);
    let spheres = Fluid::<3>::of_equals(0.3, Kind::Verlet);
    let disks = Fluid::<2>::of_equals(0.4, Kind::Verlet);
    let crowd = spheres.melted(context.seed(0))?;
    let plane = disks.melted(context.seed(1))?;
    add_overlap(&spheres, "melted", smallest_gap(&crowd.view()), &mut findings);
    add_overlap(&disks, "melted", smallest_gap(&plane.view()), &mut findings);
    // Particles that overlap are no start for what follows.
    if !findings.findings.iter().all(Finding::holds) {
        return Ok(findings);
    }
    let (crowd, plane) = (places(&crowd), places(&plane));
    for (number, kind) in (2..).zip(Kind::ALL) {
        let seed = context.seed(number);
        let fluid = Fluid { search: kind, ..spheres.clone() };
        run(&fluid, "periodic", fluid.world(0.1).seed(seed), &crowd, steps, &mut findings)?;
        let fluid = Fluid { search: kind, ..disks.clone() };
        let queue = fluid.world(0.05).seed(seed).scheduler(Scheduler::Queue);
        run(&fluid, "periodic, one queue", queue, &plane, steps, &mut findings)?;
    }
    let components =
        [(0.5, 0.1), (0.25, 2.0)].map(|(radius, diffusion)| Component { radius, diffusion });
    let mixed = Fluid::<3>::new(0.25, &components, Kind::Verlet);
    let mut world = mixed.world(0.2).seed(context.seed(20));
    world.domain = Domain::new([mixed.edge(); 3], [false; 3]);
    let start = super::super::world::on_lattice(mixed.edge(), mixed.particles, 2);
    run(&mixed, "two sizes between walls", world, &start, steps, &mut findings)?;
    Ok(findings)
}

fn run<const D: usize>(
    fluid: &Fluid<D>,
    what: &str,
    world: World<D>,
    start: &[Seed<D>],
    steps: usize,
    findings: &mut Findings,
) -> Result<(), CheckError> {
    let mut engine = world.with(start)?;
    let mut smallest = f64::INFINITY;
    for _ in 0..steps {
        advance(&mut engine, 1)?;
        smallest = -worse(-smallest, -smallest_gap(&engine.view()));
    }
    let what = format!("{what}, {steps} steps");
    add_overlap(fluid, &what, smallest, findings);
    let late = format!("{}, {what}: contacts found late", fluid.name());
    findings.add(exact(&late, engine.tally().late as f64, 0.0, 0.5));
    Ok(())
}

fn add_overlap<const D: usize>(
    fluid: &Fluid<D>,
    what: &str,
    smallest: f64,
    findings: &mut Findings,
) {
    let what = format!("{}, {what}: deepest overlap", fluid.name());
    findings.add(exact(&what, worse(0.0, -smallest), 0.0, rounding(fluid)));
}
