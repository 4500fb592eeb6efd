//! The counts of "Grouping the particles" (2021).

use super::super::statistics::exact;
use super::super::{BOUND, CheckError, Context, Findings};
use crate::reproduce::Sample;
use crate::reproduce::strips::{StripsPlan, counting, strips};

/// What the web page sorts: disks, and strips.
const DISKS: usize = 3000;
const STRIPS: usize = 150;

/// Counted comparisons beside those to be expected.
pub(super) fn comparisons(context: &Context) -> Result<Findings, CheckError> {
    let states = context.either(40, 400);
    let few = StripsPlan {
        states,
        steps: [1, 1],
        compared: 30,
        rounds: [1, 1],
        gases: Vec::new(),
        travels: Vec::new(),
    };
    let found = strips(&few, &mut |_| ())?;
    let mut findings = Findings::default();
    findings.add(exact("comparisons of all pairs", found.naive as f64, 4_498_500.0, 0.5));
    let mut add = |what: &str, sample: &Sample, [mean, deviation]: [f64; 2]| {
        let error = deviation / (sample.runs as f64).sqrt();
        // The states have seeds of their own: chance has been at work, but only once.
        findings.add(exact(what, sample.mean, mean, BOUND * error));
    };
    let [anywhere, inside] = [counting::even(STRIPS), counting::between_walls(STRIPS)];
    add("vertical strips, centres anywhere", &found.anywhere, counting::expected(DISKS, &anywhere));
    add("vertical strips, disks between walls", &found.inside, counting::expected(DISKS, &inside));
    for one in found.atmospheres.iter().take(3) {
        let share = counting::atmosphere(one.height);
        let what = format!("horizontal strips, scale height {} px, points", one.height);
        add(&what, &one.points, counting::expected(DISKS, &share));
    }
    let same = &found.same;
    for (n, name) in ["vertical", "horizontal"].into_iter().enumerate() {
        let what = format!("overlapping pairs found in {name} strips, beside all pairs");
        findings.add(exact(&what, same.overlaps[n + 1] as f64, same.overlaps[0] as f64, 0.5));
    }
    findings.remark(
        "The page prints 88100 comparisons (91100 with the placements) for vertical strips, the product of mean \
         occupations; the mean of the product is 89570. Its 70000 to 80000 for horizontal strips are those of \
         scale heights from 385 to 335 px.",
    );
    Ok(findings)
}
