//! From where a particle touches its target within one step.

use std::f64::consts::PI;

use super::super::statistics::known_error;
use super::super::{CheckError, Context, Findings};
use super::swarm::{SWARM, Swarms};
use jostle_core::rules::Chance;
use jostle_core::rules::rates::ReactingPair;

/// In the plane and in space.
pub(super) fn volumes(context: &Context) -> Result<Findings, CheckError> {
    let mut findings = Findings::default();
    volume::<2>(context, &mut findings)?;
    volume::<3>(context, &mut findings)?;
    Ok(findings)
}

/// The volume from which a pair touches within a step: the share of walkers that one target catches
/// in one step, from anywhere in a box so wide that they meet one image only.
fn volume<const D: usize>(context: &Context, findings: &mut Findings) -> Result<(), CheckError> {
    for (n, (s, edge)) in [(0.2, 4.0_f64), (1.0, 7.0)].into_iter().enumerate() {
        let seed = context.seed(1_000_000 * (n as u64 + 1) + D as u64);
        let swarms = Swarms::new(edge, s, Chance::Probability(1.0), seed);
        let count = context.either(2000, 50_000);
        let caught: usize =
            swarms.captures::<D>(count, swarms.timestep)?.iter().map(Vec::len).sum();
        let room = edge.powi(D as i32) - [0.0, PI, 4.0 * PI / 3.0][D - 1];
        let volume = ReactingPair::new(D, 1.0, 1.0)?.contact_volume(swarms.timestep);
        let (share, tries) = (volume / room, (count * SWARM) as f64);
        let error = (share * (1.0 - share) / tries).sqrt() * room;
        let what = format!("{D}D, s = {s} R: contact volume [R^{D}]");
        findings.add(known_error(&what, caught as f64 / tries * room, volume, error, caught));
    }
    Ok(())
}
