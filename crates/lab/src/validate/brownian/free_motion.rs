//! Free diffusion: exact at any time step.

use super::super::statistics::variance;
use super::super::world::{World, advance, on_lattice, unwrapped};
use super::super::{CheckError, Context, Findings, Picture};
use super::SPECK;

const DIFFUSION: [f64; 2] = [0.5, 8.0];
const TIMESTEP: f64 = 0.25;

/// <x^2> = 2 D t for each species in one run.
pub(super) fn mean_squared_displacement(context: &Context) -> Result<Findings, CheckError> {
    let mut findings = Findings::default();
    let mut picture =
        Picture::new("Mean squared displacement", "time", "<x^2> along an axis").log(true, true);
    spread::<1>(context, &mut findings, &mut picture)?;
    spread::<2>(context, &mut findings, &mut picture)?;
    spread::<3>(context, &mut findings, &mut picture)?;
    for diffusion in DIFFUSION {
        let line = [TIMESTEP, 1e3 * TIMESTEP].map(|t| [t, 2.0 * diffusion * t]);
        picture = picture.theory(&format!("2 D t, D = {diffusion}"), line.to_vec());
    }
    findings.show(picture);
    Ok(findings)
}

fn spread<const D: usize>(
    context: &Context,
    findings: &mut Findings,
    picture: &mut Picture,
) -> Result<(), CheckError> {
    let (particles, steps) = (1000, context.either(1000, 10_000));
    let world = World::<D>::periodic(1000.0).timestep(TIMESTEP).seed(context.seed(D as u64));
    let world = world.species(SPECK, DIFFUSION[0]).species(SPECK, DIFFUSION[1]).ghosts();
    let mut engine = world.with(&on_lattice(1000.0, particles, 2))?;
    let mut squares = [[0.0; 2]; 4];
    let mut last = [(); 4].map(|()| unwrapped(&engine));
    for step in 1..=steps {
        advance(&mut engine, 1)?;
        let now = unwrapped(&engine);
        for power in (0..4_u32).filter(|&power| step % 10_usize.pow(power) == 0) {
            let last = &mut last[power as usize];
            for (i, (now, then)) in now.iter().zip(&*last).enumerate() {
                squares[power as usize][i % 2] += (*now - *then).norm_squared();
            }
            last.clone_from(&now);
        }
    }
    for (species, diffusion) in DIFFUSION.into_iter().enumerate() {
        let mut points = Vec::new();
        for power in 0..4 {
            let interval = 10_usize.pow(power);
            let time = TIMESTEP * interval as f64;
            let samples = steps / interval * (particles / 2) * D;
            let sum = squares[power as usize][species] / (2.0 * time);
            let what = format!("{D}D, D = {diffusion}: <x^2>/2t, steps taken together: {interval}");
            findings.add(variance(&what, sum, samples, diffusion));
            points.push([time, 2.0 * time * sum / samples as f64]);
        }
        *picture = std::mem::replace(picture, Picture::new("", "", "")).measured(
            &format!("{D}D, D = {diffusion}"),
            points,
            Vec::new(),
        );
    }
    Ok(())
}
