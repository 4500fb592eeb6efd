//! The worked examples of Johnson & Whalley 2002, and what its cells save.

use super::super::statistics::exact;
use super::super::{CheckError, Context, Findings, Picture};
use crate::reproduce::cells::{Example, examples, work};
use jostle_core::search::Kind;

/// The examples to the last digit, and how the work grows.
pub(super) fn worked_examples(context: &Context) -> Result<Findings, CheckError> {
    let mut findings = Findings::default();
    for Example { what, printed, ours } in examples()? {
        findings.add(exact(&what, ours, printed, 1e-12));
    }
    let sizes = context.either(vec![100, 300, 1000], vec![100, 300, 1000, 3000, 10_000]);
    let mut picture =
        Picture::new("Pairs looked at per step, at 1 %", "bodies", "pairs").log(true, true);
    // Small crowds have as many cells as particles, and a cell has fewer neighbours at a box's few
    // cells.
    for (kind, power, tolerance) in [(Kind::Naive, 2.0, 0.05), (Kind::Cubic, 1.0, 0.35)] {
        let (name, counts) = (kind.name(), work(kind, &sizes)?);
        let [first, last] = [counts[0], counts[counts.len() - 1]];
        let grows = libm::log(last[1] / first[1]) / libm::log(last[0] / first[0]);
        findings.add(exact(
            &format!("pairs looked at per step, {name}: power of N"),
            grows,
            power,
            tolerance,
        ));
        let line =
            counts.iter().map(|[n, _]| [*n, last[1] * libm::pow(n / last[0], power)]).collect();
        picture = picture.theory(&format!("N^{power}"), line).measured(name, counts, Vec::new());
    }
    findings.show(picture);
    Ok(findings)
}
