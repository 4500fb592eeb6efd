//! Hard bodies never overlap, whichever search structure finds their contacts.

use super::super::statistics::{exact, worse};
use super::super::world::{World, advance};
use super::super::{CheckError, Context, Findings};
use super::fluid::{Component, Fluid, places};
use super::pairs::smallest_gap;
use super::watch::rounding;
use crate::brownian::{Scheduler, Seed};
use crate::search::Kind;
use crate::space::Domain;

/// Crowds of spheres and disks under every search structure; and between walls.
pub(super) fn none_overlap(context: &Context) -> Result<Findings, CheckError> {
    let mut findings = Findings::default();
    let steps = context.either(60, 2000);
    let spheres = Fluid::<3>::of_equals(0.3, Kind::Verlet);
    let disks = Fluid::<2>::of_equals(0.4, Kind::Verlet);
    let crowd = places(&spheres.melted(context.seed(0))?);
    let plane = places(&disks.melted(context.seed(1))?);
    for (number, kind) in (2..).zip(Kind::ALL) {
        let seed = context.seed(number);
        let fluid = Fluid { search: kind, ..spheres.clone() };
        run(&fluid, "periodic", fluid.world(0.1).seed(seed), &crowd, steps, &mut findings)?;
        let fluid = Fluid { search: kind, ..disks.clone() };
        let queue = fluid.world(0.05).seed(seed).scheduler(Scheduler::Queue);
        run(&fluid, "periodic, one queue", queue, &plane, steps, &mut findings)?;
    }
    let components = [(0.5, 0.1), (0.25, 2.0)].map(|(radius, diffusion)| Component { radius, diffusion });
    let mixed = Fluid::<3>::new(0.25, &components, Kind::Verlet);
    let mut world = mixed.world(0.2).seed(context.seed(20));
    world.domain = Domain::new([mixed.edge(); 3], [false; 3]);
    let start = super::super::world::on_lattice(mixed.edge(), mixed.bodies, 2);
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
    let name = format!("{}, {what}, {steps} steps:", fluid.name());
    findings.add(exact(&format!("{name} deepest overlap"), worse(0.0, -smallest), 0.0, rounding(fluid)));
    findings.add(exact(&format!("{name} contacts found late"), engine.tally().late as f64, 0.0, 0.5));
    Ok(())
}
