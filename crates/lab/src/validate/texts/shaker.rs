//! The tables of Gavrilova et al. 2003.

use super::super::statistics::exact;
use super::super::{CheckError, Context, Findings, Picture};
use crate::reproduce::PrintedVerdict;
use crate::reproduce::shaker::{Comparison, Quantity, ShakerPlan, shaker};

/// Each printed number that can be reproduced is a finding; those that are known not to be are
/// named.
pub(super) fn tables(context: &Context) -> Result<Findings, CheckError> {
    let quick =
        ShakerPlan { milled: Vec::new(), milled_in_space: Vec::new(), ..ShakerPlan::quick() };
    let full =
        ShakerPlan { milled: Vec::new(), milled_in_space: Vec::new(), ..ShakerPlan::full(20) };
    let mut findings = Findings::default();
    let comparisons = shaker(&context.either(quick, full), &mut |_| ())?.comparisons();
    let mut points = Vec::new();
    for comparison in &comparisons {
        let Comparison { column, structure, quantity, printed, ours, .. } = comparison;
        let what = format!("{column}, {structure} {}", quantity.name());
        if comparison.verdict == PrintedVerdict::NotReproducible || is_known_to_differ(comparison) {
            let reason = &comparison.reason;
            findings
                .remark(format!("{what}: printed {printed:.4e}, ours {:.4e}; {reason}", ours.mean));
            continue;
        }
        findings.add(exact(&what, ours.mean, *printed, comparison.tolerance()));
        points.push([*printed, ours.mean]);
    }
    let ends = [1e0, 1e7].map(|x| [x, x]).to_vec();
    let picture =
        Picture::new("Printed numbers that can be reproduced", "printed", "ours").log(true, true);
    findings.show(picture.theory("as printed", ends).measured("ours", points, Vec::new()));
    Ok(findings)
}

/// Numbers that follow from what the paper leaves out, and come out otherwise here
/// (docs/shaker.md).
fn is_known_to_differ(comparison: &Comparison) -> bool {
    KNOWN.contains(&(comparison.column.as_str(), comparison.structure, comparison.quantity))
}

const KNOWN: [(&str, &str, Quantity); 16] = [
    ("Table 1, 70 %", "", Quantity::Collisions),
    ("Table 3, 5 %", "", Quantity::Collisions),
    ("Table 3, 50 %", "", Quantity::Collisions),
    ("Table 5, 10 balls", "", Quantity::Predicted),
    ("Table 5, 20 balls", "", Quantity::Predicted),
    ("Table 5, 80 balls", "", Quantity::Predicted),
    ("Table 1, 70 %", "cubic", Quantity::Topological),
    ("Table 1, 70 %", "tree", Quantity::Topological),
    ("Table 1, 70 %", "laguerre", Quantity::Topological),
    ("Table 3, 5 %", "direct", Quantity::RatioOfChecks),
    ("Table 3, 5 %", "cubic", Quantity::RatioOfChecks),
    ("Table 3, 5 %", "tree", Quantity::RatioOfChecks),
    ("Table 3, 5 %", "laguerre", Quantity::RatioOfChecks),
    ("Table 3, 5 %", "segments", Quantity::Checks),
    ("Table 3, 33 %", "cubic", Quantity::Topological),
    ("Table 3, 33 %", "tree", Quantity::Topological),
];
