//! How likely two particles touch within a step.

use super::super::statistics::binomial;
use super::super::world::{World, lattice};
use super::super::{CheckError, Context, Findings, Picture};
use jostle_brownian::Seed;
use jostle_core::observe::{Contact, Observer, ObserverError, Partner};
use jostle_core::theory;

/// Pairs whose particles have the identities 2 n and 2 n + 1: which have touched.
struct WithinPairs(Vec<bool>);

impl<const D: usize> Observer<D> for WithinPairs {
    fn wants_contacts(&self) -> bool {
        true
    }
    fn contact(&mut self, contact: &Contact<D>) -> Result<(), ObserverError> {
        match contact.partner {
            Partner::Particle { id, .. } if id / 2 == contact.id / 2 => {
                self.0[id as usize / 2] = true
            }
            other => {
                return Err(format!(
                    "particle {} met {other:?}, which is too far away",
                    contact.id
                )
                .into());
            }
        }
        Ok(())
    }
}

/// In 1, 2 and 3 dimensions, at gaps and steps that differ.
pub(super) fn probabilities(context: &Context) -> Result<Findings, CheckError> {
    let mut findings = Findings::default();
    let mut picture =
        Picture::new("First contact within a step, s = 0.2 R", "gap / s", "probability of contact");
    let mut points = [const { Vec::new() }; 3];
    for (row, gap) in [0.0, 0.5, 1.0, 2.0].into_iter().enumerate() {
        for (column, width) in [0.05, 0.2, 1.0].into_iter().enumerate() {
            let seed = 100 * (3 * row + column) as u64;
            let chances = [
                chance::<1>(context, seed, gap, width, &mut findings)?,
                chance::<2>(context, seed, gap, width, &mut findings)?,
                chance::<3>(context, seed, gap, width, &mut findings)?,
            ];
            if width == 0.2 {
                points
                    .iter_mut()
                    .zip(chances)
                    .for_each(|(points, [p, error])| points.push(([gap, p], error)));
            }
        }
    }
    type Law = fn(f64, f64, f64) -> f64;
    let laws: [Law; 3] =
        [theory::first_contact::<1>, theory::first_contact::<2>, theory::first_contact::<3>];
    for (d, (law, points)) in (1..).zip(laws.into_iter().zip(points)) {
        let line =
            (0..=60).map(|k| f64::from(k) * 0.05).map(|gap| [gap, law(1.0 + gap * 0.2, 1.0, 0.2)]);
        let (points, errors) = points.into_iter().unzip();
        picture = picture.theory(&format!("{d}D, theory"), line.collect()).measured(
            &format!("{d}D"),
            points,
            errors,
        );
    }
    findings.show(picture);
    Ok(findings)
}

/// The share of pairs that touch: two particles in contact distance R = 1, whose surfaces are `gap`
/// widths apart, in a step of relative width `width` per axis. 1D is the same for all widths, and a
/// finding for one only.
fn chance<const D: usize>(
    context: &Context,
    first_seed: u64,
    gap: f64,
    width: f64,
    findings: &mut Findings,
) -> Result<[f64; 2], CheckError> {
    let pairs: usize = [1000, 32 * 32, 10 * 10 * 10][D - 1];
    let along = (pairs as f64).powf(1.0 / D as f64).round();
    // Unequal partners: only the sums of their radii and of their D matter. Other pairs are 11
    // widths away at least.
    let spacing = 2.0 + (gap + 11.0) * width;
    let world = World::<D>::periodic(spacing * along)
        .timestep(0.5)
        .species(0.7, 0.8 * width * width)
        .species(0.3, 0.2 * width * width);
    let both = |(n, place): (usize, jostle_core::space::Vector<D>)| {
        let mut beside = place;
        beside[n % D] += 1.0 + gap * width;
        [Seed { species: 0, position: place }, Seed { species: 1, position: beside }]
    };
    let particles: Vec<_> =
        lattice::<D>(spacing * along, pairs).into_iter().enumerate().flat_map(both).collect();
    let runs = context.either(50, 1000);
    let mut touched = 0;
    for run in 0..runs {
        let seed = context.seed(run * 10_000 + first_seed + D as u64);
        let mut engine = world.clone().seed(seed).with(&particles)?;
        let mut within = WithinPairs(vec![false; pairs]);
        engine.step(&mut within)?;
        touched += within.0.into_iter().filter(|&touched| touched).count() as u64;
    }
    let expected = theory::first_contact::<D>(1.0 + gap * width, 1.0, width);
    let what = format!("{D}D, gap {gap} s, s = {width} R: probability of contact");
    let finding = binomial(&what, touched, runs * pairs as u64, expected);
    let point = [finding.measured, finding.error];
    if D > 1 || width == 0.2 {
        findings.add(finding);
    }
    Ok(point)
}
