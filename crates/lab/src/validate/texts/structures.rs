//! The complexities and the figure of Gavrilova & Rokne 2002.

use super::super::statistics::exact;
use super::super::{CheckError, Context, Findings};
use crate::reproduce::complexity::{ComplexityPlan, Measured, complexity};
use crate::reproduce::laguerre::Triangulated;
use jostle_events::kinetic::KineticKind;

/// Counts that Table 1 bounds, and the triangulation of Figure 1.
pub(super) fn complexities(context: &Context) -> Result<Findings, CheckError> {
    let mut findings = Findings::default();
    let found =
        complexity(&ComplexityPlan { mixed: Vec::new(), ..ComplexityPlan::quick() }, &mut |_| ())?;
    for one in &found.measured {
        let Measured { kind, dimension, particles, .. } = *one;
        let name = format!("{}, {dimension}D, {particles} particles", kind.name());
        let (what, measured, expected) = match kind {
            KineticKind::Direct => {
                ("neighbours of a particle", one.neighbours[0], particles as f64 - 1.0)
            }
            KineticKind::Laguerre => ("pairs made by a flip", one.gained[1], 1.0),
            KineticKind::Segments => ("pairs made by an exchange, at most", one.gained[1], 1.0),
            _ => ("events planned by a crossing, at most", one.topological[1], 1.0),
        };
        findings.add(exact(&format!("{name}: {what}"), measured, expected, 1e-9));
    }
    let disks = context.either(1000, 10_000);
    let diagram = Triangulated::new(disks, true, 2);
    let [touching, missed] = diagram.touching_pairs();
    let edges = diagram.diagram.edges.len() as f64;
    findings.add(exact(
        &format!("edges among {disks} disks"),
        edges,
        diagram.expected_edges() as f64,
        0.5,
    ));
    let what = format!("touching pairs that are no edge, of {touching}");
    findings.add(exact(&what, missed as f64, 0.0, 0.5));
    Ok(findings)
}
