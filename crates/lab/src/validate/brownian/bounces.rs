//! Particles in smooth potentials by the law of bounces: the equilibrium is that of the potential at any
//! time step. Fluids in one, two and three dimensions are compared with a Monte Carlo reference.

use super::super::statistics::{mean_and_error, mean_of_blocks};
use super::super::world::{World, advance};
use super::super::{CheckError, Context, Findings};
use jostle_brownian::Seed;
use jostle_core::potentials::{
    Climb, EnergyShape, FORMS, PairPotential, Potentials, StepPotential,
};
use jostle_core::random::{Purpose, Random};
use jostle_core::space::{Domain, Vector};

/// A fluid of two species, which are alike but for their diffusion coefficients and some potentials.
struct SmoothFluid {
    name: &'static str,
    /// Along each axis on a lattice at the start.
    along: usize,
    edge: f64,
    contact: f64,
    potentials: Potentials,
    /// Pairs are counted that are nearer than this.
    near: f64,
}

/// What is compared: the energy per particle, and the pairs per particle that are near.
type SmoothMeans = [f64; 2];

/// Independent blocks.
const BLOCKS: usize = 24;

pub(super) fn smooth(context: &Context) -> Result<Findings, CheckError> {
    let mut findings = Findings::default();
    let attracts = [climb("lennard_jones", &[0.8, 1.0], 0.7, 2.4)];
    fluid::<3>(
        context,
        &mut findings,
        &SmoothFluid {
            name: "Lennard-Jones fluid of 0.8 kT in 3D",
            along: 2,
            edge: 4.9,
            contact: 0.7,
            potentials: everywhere(0.7, &attracts),
            near: 1.3,
        },
    )?;
    // Screened charges, with a further shoulder between unlike ones.
    let mut repels = everywhere_listed(&[climb("yukawa", &[3.0, 0.6], 1.0, 2.9)]);
    let shoulder = StepPotential::new(vec![1.5], vec![0.7]);
    repels.push((1, [0, 1], PairPotential::Shells(shoulder)));
    fluid::<2>(
        context,
        &mut findings,
        &SmoothFluid {
            name: "Yukawa discs of 3 kT in 2D, with a shoulder",
            along: 3,
            edge: 6.0,
            contact: 1.0,
            potentials: Potentials::numbered(&[Some(0.5); 2], repels),
            near: 1.8,
        },
    )?;
    // A well and a barrier, which add up.
    let both =
        [climb("morse", &[1.5, 0.3, 1.3], 0.8, 3.4), climb("gaussian", &[1.0, 0.2, 1.9], 0.8, 3.0)];
    fluid::<1>(
        context,
        &mut findings,
        &SmoothFluid {
            name: "rods on a ring with a well and a barrier",
            along: 6,
            edge: 11.0,
            contact: 0.8,
            potentials: everywhere(0.8, &both),
            near: 1.6,
        },
    )?;
    Ok(findings)
}

fn climb(name: &str, given: &[f64], contact: f64, cutoff: f64) -> Climb {
    let form = FORMS.iter().find(|form| form.name == name).unwrap_or(&FORMS[0]);
    let mut given: Vec<_> = given.iter().copied().map(Some).collect();
    given.resize(form.parameters.len(), None);
    Climb::new(EnergyShape::Form(form, given).from_contact(contact), contact, cutoff)
}

/// These between all pairs of two species.
fn everywhere_listed(climbs: &[Climb]) -> Vec<(u16, [u16; 2], PairPotential)> {
    let pairs = [[0, 0], [0, 1], [1, 1]].into_iter();
    let all = pairs.flat_map(|pair| {
        climbs.iter().map(move |climb| (0, pair, PairPotential::Bounces(climb.clone())))
    });
    all.collect()
}

fn everywhere(contact: f64, climbs: &[Climb]) -> Potentials {
    Potentials::numbered(&[Some(0.5 * contact); 2], everywhere_listed(climbs))
}

impl SmoothFluid {
    /// On a lattice, both species by turns.
    fn seeds<const D: usize>(&self) -> Vec<Seed<D>> {
        let count = self.along.pow(D as u32);
        let place = |n: usize| {
            let cell = |k: usize| n / self.along.pow(k as u32) % self.along;
            Vector::from_fn(|k| self.edge * (cell(k) as f64 + 0.5) / self.along as f64)
        };
        (0..count).map(|n| Seed { species: (n % 2) as u16, position: place(n) }).collect()
    }

    fn means<const D: usize>(&self, domain: &Domain<D>, all: &[(u16, Vector<D>)]) -> SmoothMeans {
        let mut means = SmoothMeans::default();
        for (n, (i, a)) in all.iter().enumerate() {
            for (j, b) in &all[..n] {
                let apart = domain.nearest_image(*b - *a).norm();
                means[0] += self.potentials.energy(*i, *j, apart) / all.len() as f64;
                means[1] += f64::from(u8::from(apart < self.near)) / all.len() as f64;
            }
        }
        means
    }
}

fn fluid<const D: usize>(
    context: &Context,
    findings: &mut Findings,
    fluid: &SmoothFluid,
) -> Result<(), CheckError> {
    let seed = 10 * D as u64;
    let reference = metropolis::<D>(fluid, context.either(1500, 20_000), context.seed(seed));
    let means =
        [0, 1].map(|n| mean_and_error(&reference.iter().map(|block| block[n]).collect::<Vec<_>>()));
    // Of a flight of two particles relative to each other in a step, the longest go round the box.
    for (n, step) in [0.06, 0.3, 1.0].into_iter().enumerate() {
        let mut world = World::<D>::periodic(fluid.edge).timestep(0.5 * step * step);
        let radius = 0.5 * fluid.contact;
        world = world.species(radius, 0.2).species(radius, 1.8);
        world = world.seed(context.seed(seed + 1 + n as u64));
        world.potentials = fluid.potentials.clone();
        let mut engine = world.with(&fluid.seeds::<D>())?;
        let apart = (0.2 / (step * step)).ceil().max(2.0) as usize;
        advance(&mut engine, 20 * apart)?;
        let frames = context.either(if n == 0 { 15 } else { 60 }, 400);
        let mut blocks = Vec::new();
        for _ in 0..BLOCKS {
            let mut sum = SmoothMeans::default();
            for _ in 0..frames {
                advance(&mut engine, apart)?;
                let p = engine.particles();
                let all: Vec<_> =
                    p.species.iter().copied().zip(p.position.iter().copied()).collect();
                let now = fluid.means(&world.domain, &all);
                (0..2).for_each(|n| sum[n] += now[n] / frames as f64);
            }
            blocks.push(sum);
        }
        for (n, (mean, error)) in means.into_iter().enumerate() {
            let what = ["energy per particle [kT]", "pairs per particle that are near"][n];
            let name = format!("{}, steps of {step}: {what}", fluid.name);
            let column: Vec<f64> = blocks.iter().map(|block| block[n]).collect();
            findings.add(mean_of_blocks(&name, &column, mean).beside_measured(error));
        }
    }
    Ok(())
}

/// [`SmoothMeans`] in independent blocks of a Monte Carlo run (Metropolis et al. 1953) of the same fluid,
/// which shares nothing with the engine but the definition of the potentials.
fn metropolis<const D: usize>(fluid: &SmoothFluid, sweeps: usize, seed: u64) -> Vec<SmoothMeans> {
    let domain = Domain::new([fluid.edge; D], [true; D]);
    let mut all: Vec<_> =
        fluid.seeds::<D>().iter().map(|seed| (seed.species, seed.position)).collect();
    let random = Random::new(seed);
    let mut number = 0;
    let mut draw = || {
        number += 1;
        random.uniform(Purpose::Placement, [number, 0, 0, 0])
    };
    let mut blocks = Vec::new();
    for block in 0..=BLOCKS {
        let mut sum = SmoothMeans::default();
        let samples = sweeps.div_ceil(3);
        for _ in 0..samples {
            for _ in 0..3 * all.len() {
                let mover = ((draw() * all.len() as f64) as usize).min(all.len() - 1);
                let shift = Vector::from_fn(|_| 1.2 * (draw() - 0.5));
                let (species, from) = all[mover];
                let place = domain.wrap(from + shift).0;
                let energy = |at: Vector<D>| {
                    let mut energy = 0.0;
                    for (n, (other, there)) in all.iter().enumerate() {
                        let apart = domain.nearest_image(*there - at).norm();
                        if n != mover {
                            energy += match apart < fluid.contact {
                                true => f64::INFINITY,
                                false => fluid.potentials.energy(species, *other, apart),
                            };
                        }
                    }
                    energy
                };
                let rise = energy(place) - energy(from);
                if rise <= 0.0 || draw() < libm::exp(-rise) {
                    all[mover].1 = place;
                }
            }
            let now = fluid.means(&domain, &all);
            (0..2).for_each(|n| sum[n] += now[n] / samples as f64);
        }
        // The first melts the lattice.
        if block > 0 {
            blocks.push(sum);
        }
    }
    blocks
}
