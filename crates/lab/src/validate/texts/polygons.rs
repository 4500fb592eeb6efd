//! The tables and figures of Schinner 1999 that are counts.

use super::super::statistics::exact;
use super::super::{CheckError, Context, Findings};
use crate::reproduce::{PrintedVerdict, polygons};
use jostle_analysis::Cell;

/// Each table is a finding: as many rows as printed as there are rows.
pub(super) fn rules(_: &Context) -> Result<Findings, CheckError> {
    let mut findings = Findings::default();
    for section in polygons::counted() {
        let verdicts: Vec<String> =
            section.table.rows.iter().filter_map(|row| row.last().map(Cell::to_string)).collect();
        let judged = verdicts.iter().filter(|verdict| !verdict.is_empty()).count() as f64;
        let same =
            verdicts.iter().filter(|verdict| *verdict == PrintedVerdict::Reproduced.name()).count()
                as f64;
        findings.add(exact(&format!("{}: rows as printed", section.caption), same, judged, 0.5));
    }
    Ok(findings)
}
