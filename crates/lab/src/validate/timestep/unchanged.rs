//! What is exact at any time step.

use super::super::statistics::{exact, mean_and_error, mean_of_blocks, worse};
use super::super::world::{World, on_lattice, thrown_rods, unwrapped};
use super::super::{CheckError, Context, Findings, Picture};
use super::levels::{Levels, changes};
use jostle_core::species::Drift;

const LEVELS: u32 = 3;

/// Free paths, and rods in single file.
pub(super) fn by_the_step(context: &Context) -> Result<Findings, CheckError> {
    let mut findings = Findings::default();
    free_paths::<1>(context, &mut findings)?;
    free_paths::<2>(context, &mut findings)?;
    free_paths::<3>(context, &mut findings)?;
    single_file(context, &mut findings)?;
    Ok(findings)
}

/// How far apart the ends of the same particles' paths are at most.
fn free_paths<const D: usize>(
    context: &Context,
    findings: &mut Findings,
) -> Result<(), CheckError> {
    let edge = 1000.0;
    let world = World::<D>::periodic(edge).timestep(0.5).seed(context.seed(D as u64));
    let well = Drift::Well { centre: [0.5 * edge; 3], relaxation: 3.0 };
    let world = world.species(1e-3, 2.0).drifting(1e-3, 2.0, Drift::Constant([0.3, -0.2, 0.1]));
    let world = world.drifting(1e-3, 2.0, well).ghosts();
    let mut levels = Levels::new(&world, &on_lattice(edge, 600, 3), LEVELS)?;
    levels.advance(context.either(100, 1000))?;
    let ends = levels.map(unwrapped);
    let apart = ends
        .windows(2)
        .flat_map(|pair| pair[0].iter().zip(&pair[1]))
        .map(|(a, b)| (*a - *b).norm());
    let apart = apart.fold(0.0, worse);
    // Rounding of sums of some thousand numbers up to a thousand.
    findings.add(exact(
        &format!("{D}D, farthest ends of free paths of the same noise"),
        apart,
        0.0,
        1e-8,
    ));
    Ok(())
}

/// Rods on a ring, from equilibrium: <x²> of a rod is the same at every step.
fn single_file(context: &Context, findings: &mut Findings) -> Result<(), CheckError> {
    // A third of the ring is free room; times are in units of R^2/D.
    let (rods, free, time) = (100, 50.0, 20.0);
    let replicas = context.either(60, 1200);
    let mut blocks = vec![Vec::new(); LEVELS as usize];
    let mut timesteps = Vec::new();
    for replica in 0..replicas {
        let world = World::<1>::periodic(rods as f64 + free).timestep(1.0).species(0.5, 0.25);
        let world = world.seed(context.seed(10 + replica));
        let seeds = thrown_rods(context.seed(100_000 + replica), rods, free);
        let mut levels = Levels::new(&world, &seeds, LEVELS)?;
        let starts = levels.map(unwrapped);
        levels.advance(time as usize)?;
        for ((ends, starts), blocks) in levels.map(unwrapped).iter().zip(&starts).zip(&mut blocks) {
            let squares = ends.iter().zip(starts).map(|(to, from)| (to[0] - from[0]).powi(2));
            blocks.push(squares.sum::<f64>() / rods as f64);
        }
        timesteps = levels.map(|engine| engine.clock().timestep);
    }
    for (change, dt) in changes(&blocks).iter().zip(&timesteps) {
        let what = format!("<x^2> of rods in single file, change from dt = {dt} to half of it");
        findings.add(mean_of_blocks(&what, change, 0.0));
    }
    let points = blocks.iter().zip(&timesteps).map(|(blocks, &dt)| (dt, mean_and_error(blocks)));
    let (points, errors): (Vec<_>, _) =
        points.map(|(dt, (mean, error))| ([dt, mean], error)).unzip();
    let all: Vec<f64> = blocks.concat();
    let (mean, _) = mean_and_error(&all);
    let picture = Picture::new("Single file", "time step", "<x^2> of a rod after 20 R^2/D");
    let line = vec![[0.0, mean], [timesteps[0], mean]];
    findings.show(picture.theory("the same at every step", line).measured(
        "same noise",
        points,
        errors,
    ));
    Ok(())
}
