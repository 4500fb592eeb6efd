//! With drift, steps of finite length err by first order.

use super::super::statistics::{mean_and_error, mean_of_blocks, ratio_of_blocks, variance};
use super::super::world::{World, unwrapped};
use super::super::{CheckError, Context, Findings, Picture};
use super::levels::{Levels, changes, limits};
use jostle_brownian::Seed;
use jostle_core::random::{Purpose, Random};
use jostle_core::space::Vector;
use jostle_core::species::Drift;

/// So small that it does not matter.
const SPECK: f64 = 1e-3;
const LEVELS: u32 = 3;
/// Particles are taken together in so many blocks, which are independent as particles are.
const BLOCKS: usize = 60;

/// Order and limit at a wall and in a shear flow.
pub(super) fn orders(context: &Context) -> Result<Findings, CheckError> {
    let mut findings = Findings::default();
    at_a_wall(context, &mut findings)?;
    in_shear_flow(context, &mut findings)?;
    Ok(findings)
}

/// What is measured at each level, in blocks, and what theory says of it.
struct LevelMeasures<'a> {
    what: &'a str,
    blocks: Vec<Vec<f64>>,
    timesteps: Vec<f64>,
    theory: &'a dyn Fn(f64) -> f64,
}

impl LevelMeasures<'_> {
    /// Changes from level to level, their ratio and the extrapolated limit.
    fn converge(&self, findings: &mut Findings) {
        let (what, at) = (self.what, |level: usize| (self.theory)(self.timesteps[level]));
        let changes = changes(&self.blocks);
        for (level, change) in changes.iter().enumerate() {
            let name = format!("{what}, change from dt = {} to half of it", self.timesteps[level]);
            findings.add(mean_of_blocks(&name, change, at(level + 1) - at(level)));
        }
        if let [.., long, short] = &changes[..] {
            let last = self.timesteps.len() - 1;
            let expected = (at(last - 1) - at(last - 2)) / (at(last) - at(last - 1));
            // Both changes made positive, so that their ratio has an error with the right sign.
            let sign = (at(last) - at(last - 1)).signum();
            let rows: Vec<[f64; 2]> =
                long.iter().zip(short).map(|(a, b)| [sign * a, sign * b]).collect();
            let name = format!("{what}, ratio of successive changes (2 to the power of the order)");
            let ratio = ratio_of_blocks(&name, &rows, expected);
            findings.remark(format!(
                "{what}: fitted order {:.3}, {:.3} expected",
                ratio.measured.log2(),
                expected.log2()
            ));
            findings.add(ratio);
        }
    }

    fn limit(&self, findings: &mut Findings, expected: f64) {
        findings.add(mean_of_blocks(
            &format!("{}, extrapolated to dt = 0", self.what),
            &limits(&self.blocks),
            expected,
        ));
    }

    fn picture(&self, title: &str) -> Picture {
        let points = self
            .blocks
            .iter()
            .zip(&self.timesteps)
            .map(|(blocks, &dt)| (dt, mean_and_error(blocks)));
        let (points, errors) = points.map(|(dt, (mean, error))| ([dt, mean], error)).unzip();
        let line = (0..=20)
            .map(|n| self.timesteps[0] * f64::from(n) / 20.0)
            .map(|dt| [dt, (self.theory)(dt)]);
        Picture::new(title, "time step", self.what).theory("theory", line.collect()).measured(
            "same noise",
            points,
            errors,
        )
    }
}

/// Particles drift at v towards a wall, which mirrors them: z -> |z + s|, and since <z²> stays the
/// same, <z> = -<s²>/2<s> = D/v + v dt/2.
fn at_a_wall(context: &Context, findings: &mut Findings) -> Result<(), CheckError> {
    // D/v = 1. The far wall is where exp(-40) of the particles would be.
    let (height, timestep) = (40.0, 0.4);
    let world = World::<1>::closed(height).timestep(timestep).seed(context.seed(1));
    let world = world.drifting(SPECK, 1.0, Drift::Constant([-1.0, 0.0, 0.0])).ghosts();
    let random = Random::new(context.seed(2));
    let place = |n: u64| {
        let share = random.uniform(Purpose::Placement, [n, 0, 0, 0]);
        Vector([SPECK + (-libm::log(1.0 - share)).min(0.9 * height)])
    };
    let particles = context.either(1200, 3000);
    let seeds: Vec<_> =
        (0..particles).map(|n| Seed { species: 0, position: place(n as u64) }).collect();
    let mut levels = Levels::new(&world, &seeds, LEVELS)?;
    // The slowest mode decays as exp(-v² t/4D): what the start has of it falls to exp(-20).
    levels.advance((80.0 / timestep) as usize)?;
    let looks = context.either(300, 1000);
    let mut sums = vec![vec![0.0; particles]; LEVELS as usize];
    for _ in 0..looks {
        levels.advance(1)?;
        for (sums, heights) in sums.iter_mut().zip(levels.map(unwrapped)) {
            sums.iter_mut().zip(heights).for_each(|(sum, z)| *sum += z[0] - SPECK);
        }
    }
    let per_block = particles / BLOCKS;
    let mean = |block: &[f64]| block.iter().sum::<f64>() / (block.len() * looks) as f64;
    let blocks = sums.iter().map(|sums| sums.chunks_exact(per_block).map(mean).collect()).collect();
    let timesteps: Vec<f64> = levels.map(|engine| engine.clock().timestep);
    let measured = LevelMeasures {
        what: "mean height above a wall, in D/v",
        blocks,
        timesteps,
        theory: &|dt| 1.0 + 0.5 * dt,
    };
    for (blocks, &dt) in measured.blocks.iter().zip(&measured.timesteps) {
        findings.add(mean_of_blocks(
            &format!("{} at dt = {dt} D/v^2", measured.what),
            blocks,
            1.0 + 0.5 * dt,
        ));
    }
    measured.converge(findings);
    measured.limit(findings, 1.0);
    findings.show(measured.picture("Drift towards a wall"));
    Ok(())
}

/// Particles in a shear flow, which begin where it is at rest.
fn in_shear_flow(context: &Context, findings: &mut Findings) -> Result<(), CheckError> {
    let (rate, diffusion, timestep, steps, edge) = (0.5, 1.0, 0.5, 16, 1e4);
    let time = timestep * steps as f64;
    let world = World::<2>::periodic(edge).timestep(timestep).seed(context.seed(3));
    let world =
        world.drifting(SPECK, diffusion, Drift::Shear { rate, along: 0, across: 1 }).ghosts();
    let particles = context.either(60_000, 300_000);
    let seeds = vec![Seed { species: 0, position: Vector([0.5 * edge; 2]) }; particles];
    let mut levels = Levels::new(&world, &seeds, LEVELS)?;
    levels.advance(steps)?;
    let ends = levels
        .map(|engine| unwrapped(engine).iter().map(|x| x[0] - 0.5 * edge).collect::<Vec<_>>());
    let timesteps: Vec<f64> = levels.map(|engine| engine.clock().timestep);
    let spread = |dt: f64| {
        let stretch = time * time / 3.0 - time * dt / 2.0 + dt * dt / 6.0;
        2.0 * diffusion * time * (1.0 + rate * rate * stretch)
    };
    for (ends, &dt) in ends.iter().zip(&timesteps) {
        let squares = ends.iter().map(|x| x * x).sum();
        findings.add(variance(
            &format!("<x^2> along a shear flow at dt = {dt}"),
            squares,
            particles,
            spread(dt),
        ));
    }
    for (pair, &dt) in ends.windows(2).zip(&timesteps[1..]) {
        // They differ by what each second short step goes wrong: sums of g dt times a step across
        // the flow.
        let expected = rate * rate * dt * dt * diffusion * time;
        let squares = pair[0].iter().zip(&pair[1]).map(|(a, b)| (a - b).powi(2)).sum();
        let what =
            format!("mean squared distance of paths in a shear flow at dt = {dt} and twice that");
        findings.add(variance(&what, squares, particles, expected));
    }
    let mean = |block: &[f64]| block.iter().map(|x| x * x).sum::<f64>() / block.len() as f64;
    let blocks =
        ends.iter().map(|ends| ends.chunks_exact(particles / BLOCKS).map(mean).collect()).collect();
    let measured =
        LevelMeasures { what: "<x^2> along a shear flow", blocks, timesteps, theory: &spread };
    measured.converge(findings);
    // Extrapolation takes the term of first order away, and turns that of second order round.
    let rest = measured.timesteps[1] * measured.timesteps[1] / 12.0;
    let stretch = time * time / 3.0 - rest;
    measured.limit(findings, 2.0 * diffusion * time * (1.0 + rate * rate * stretch));
    findings.show(measured.picture("Spread along a shear flow"));
    Ok(())
}
