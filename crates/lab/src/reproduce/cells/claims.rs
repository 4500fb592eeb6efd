//! The claims of Figure 6, on counts of work and on times.

use super::CellsFindings;
use crate::reproduce::report::digits;
use crate::reproduce::sample::exponent;

/// Something that the paper claims.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    /// What is claimed, in words.
    pub what: String,
    /// As claimed.
    pub printed: String,
    /// What is found.
    pub ours: String,
    /// Whether that is the same.
    pub holds: bool,
}

/// The claims of Figure 6, those about counts of work first.
pub fn claims(findings: &CellsFindings) -> Vec<Claim> {
    let entries = &findings.figure.entries;
    let claim = |what: &str, printed: &str, ours: String, holds: bool| Claim {
        what: what.into(),
        printed: printed.into(),
        ours,
        holds,
    };
    let [naive, cubes] = findings.work.each_ref().map(|points| exponent(points.iter().copied()));
    let most = entries.iter().map(|entry| entry.particles).max().unwrap_or(0);
    let time = |name: &str| {
        let found =
            entries.iter().find(|entry| entry.particles == most && entry.contestant.name == name);
        found.map_or(f64::NAN, |entry| entry.least)
    };
    let [a, b, c] = ["A (cubes)", "B (cubes)", "C (slices)"].map(time);
    let at = format!("at {most} particles, 1 %");
    // The last size at which naive took part.
    let both = entries
        .iter()
        .rev()
        .find(|entry| entry.contestant.name == "naive")
        .map_or(0, |e| e.particles);
    let least = |name: &str| {
        entries
            .iter()
            .find(|e| e.particles == both && e.contestant.name == name)
            .map_or(f64::NAN, |e| e.least)
    };
    let [slow, fast] = ["naive", "A (cubes)"].map(least);
    let mut all = vec![
        claim(
            "pairs looked at per step, naive: power of N",
            "2",
            digits(naive),
            (naive - 2.0).abs() < 0.1,
        ),
        claim(
            "pairs looked at per step, cubes: power of N",
            "about 1",
            digits(cubes),
            (cubes - 1.0).abs() < 0.35,
        ),
        claim(
            &format!("time of naive over that of A at {both} particles"),
            "above 1",
            digits(slow / fast),
            slow > fast,
        ),
        claim(&format!("time of A over that of B {at}"), "above 1", digits(a / b), a > b),
        claim(&format!("time of B over that of C {at}"), "above 1", digits(b / c), b > c),
    ];
    all.extend(crossover(findings));
    all
}

/// Slices are faster than cubes where particles are few, slower where they are dense.
fn crossover(findings: &CellsFindings) -> Option<Claim> {
    let ratios: Vec<_> =
        findings.densities.iter().map(|[b, c]| (b.packing, b.least / c.least)).collect();
    let ours = ratios
        .iter()
        .map(|(packing, ratio)| format!("{} at {} %", digits(*ratio), digits(100.0 * packing)));
    let (first, last) = (ratios.first()?, ratios.last()?);
    Some(Claim {
        what: "time of B over that of C by packing fraction".into(),
        printed: "falls, from above 1 to below".into(),
        ours: ours.collect::<Vec<_>>().join(", "),
        holds: first.1 > 1.0 && last.1 < 1.0,
    })
}
