//! Whether a printed number is reproduced.

use super::printed::{Column, SPEED, Start};
use super::study::Results;
use crate::reproduce::{PrintedVerdict, Sample};
use jostle_events::kinetic::KineticKind;

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Collisions with balls and walls.
    Collisions,
    /// Predict-trajectory events, by the rule that the printed ones follow, for as many collisions.
    Predicted,
    /// Topological events.
    Topological,
    /// Collision checks.
    Checks,
    /// Collision checks, in units of those of the segment trees.
    RatioOfChecks,
}

impl Quantity {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Collisions => "collisions",
            Self::Predicted => "predict-trajectory events",
            Self::Topological => "topological events",
            Self::Checks => "collision checks",
            Self::RatioOfChecks => "checks / those of segments",
        }
    }

    /// How far ours may be from what is printed, as a share of it.
    fn band(self, structure: &str) -> f64 {
        match (self, structure) {
            (Self::Collisions, _) => 0.25,
            (Self::Predicted, _) => 0.001,
            (Self::RatioOfChecks, _) => 0.30,
            (Self::Checks, "direct") => 0.01,
            (_, "cubic" | "tree") => 0.20,
            _ => 0.25,
        }
    }
}

/// A printed number and ours.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// Where it is printed.
    pub column: String,
    /// Our name of the structure; empty where it does not matter.
    pub structure: &'static str,
    /// The quantity that is compared.
    pub quantity: Quantity,
    /// As printed.
    pub printed: f64,
    /// Ours.
    pub ours: Sample,
    /// How far a single run may be off by chance, where that counts.
    scatter: f64,
    /// What that means.
    pub verdict: PrintedVerdict,
    /// Why it is not reproduced; else empty.
    pub reason: String,
}

impl Comparison {
    /// How far ours may be from the printed number to count as the same: a share of it, or three
    /// standard deviations of a run where a run has few collisions.
    pub fn tolerance(&self) -> f64 {
        (self.quantity.band(self.structure) * self.printed).max(self.scatter)
    }
}

/// All printed numbers of a column, beside ours.
pub fn compare(results: &Results) -> Vec<Comparison> {
    let column = results.column;
    let first = results.first_kind();
    let judge =
        |structure, quantity, printed, ours| judge(&column, structure, quantity, printed, ours);
    let collisions = results.sample(first, super::run::Counts::collisions);
    let predicted = results.predicted_by_rule();
    let mut all = vec![
        judge("", Quantity::Collisions, column.collisions, collisions),
        judge("", Quantity::Predicted, column.predicted, predicted),
    ];
    for &kind in &results.kinds {
        let Some(row) = column.row(kind.name()) else {
            continue;
        };
        let events = results.sample(kind, |counts| counts.topology.events as f64);
        let checks = results.sample(kind, |counts| counts.checks(kind.name()));
        // Without a structure there are none, which is nothing to reproduce.
        if row.topological > 0.0 {
            all.push(judge(kind.name(), Quantity::Topological, row.topological, events));
        }
        all.push(judge(kind.name(), Quantity::Checks, row.checks, checks));
        let segments = KineticKind::Segments;
        if let Some(printed) = column.row(segments.name()).filter(|_| kind != segments) {
            let ratio = results.ratio(kind, segments, |kind, counts| counts.checks(kind.name()));
            all.push(judge(
                kind.name(),
                Quantity::RatioOfChecks,
                row.checks / printed.checks,
                ratio,
            ));
        }
    }
    all
}

impl Results {
    /// Predict-trajectory events as the printed ones seem to be counted: one for each ball and time
    /// step, and one at the start, less those at which the ball has collided since the one before.
    /// For as many collisions as are printed, since ours are at another speed.
    pub fn predicted_by_rule(&self) -> Sample {
        let first = self.first_kind();
        let column = &self.column;
        let all = column.most_predicted();
        let found = self.sample(first, super::run::Counts::collisions).mean;
        let share = if found > 0.0 { column.collisions / found } else { 1.0 };
        self.sample(first, |counts| all - share * counts.busy_steps as f64)
    }
}

impl Column {
    /// One trajectory event for each ball and time step, and one at the start.
    fn most_predicted(&self) -> f64 {
        (self.balls as u64 * (self.steps() + 1)) as f64
    }
}

fn judge(
    column: &Column,
    structure: &'static str,
    quantity: Quantity,
    printed: f64,
    ours: Sample,
) -> Comparison {
    let off = (ours.mean - printed).abs();
    // In Table 5 a single run has too few collisions for a share to mean much.
    let few = column.table == 5 && quantity == Quantity::Collisions;
    let scatter = if few { 3.0 * ours.deviation } else { 0.0 };
    let verdict = if column.start == Start::Around {
        PrintedVerdict::NotReproducible
    } else if off <= quantity.band(structure) * printed || off <= scatter {
        PrintedVerdict::Reproduced
    } else {
        PrintedVerdict::Differs
    };
    let reason = match verdict {
        PrintedVerdict::Reproduced => String::new(),
        _ => reason(column, quantity, ours.mean / printed),
    };
    Comparison {
        column: column.title(),
        structure,
        quantity,
        printed,
        ours,
        scatter,
        verdict,
        reason,
    }
}

/// Why a number is not reproduced, as far as that is known.
fn reason(column: &Column, quantity: Quantity, ratio: f64) -> String {
    let known = match (column.start, column.table, quantity) {
        (Start::Around, ..) => {
            "these radii cannot be placed at random so densely: run from a lattice around one large ball"
        }
        (Start::Lattice, _, Quantity::Topological) => {
            "the start of the paper is unknown: in our square lattice balls stay in their cells, and any four \
             neighbours flip to and fro"
        }
        (Start::Lattice, ..) => "the start of the paper is unknown: ours is a square lattice",
        (_, _, Quantity::Collisions) => {
            return format!(
                "proportional to the speeds, which the paper does not give: it would take {:.1} mm/s",
                SPEED / ratio
            );
        }
        (_, 3, Quantity::Topological | Quantity::Checks | Quantity::RatioOfChecks) => {
            "radii and speeds of the paper's one run are unknown, and few large balls decide"
        }
        (_, _, Quantity::Predicted) if column.predicted > column.most_predicted() => {
            "the printed number is more than one for each ball and time step"
        }
        (_, _, Quantity::Predicted) => "the paper's exact bookkeeping is not known",
        _ => "speeds and start of the paper's one run are unknown",
    };
    known.to_owned()
}
