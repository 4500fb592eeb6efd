//! How far a sweep is.

use std::path::Path;

use super::plan::{Member, Plan, PlanError};
use super::results::{Outcome, Results};

/// Tables that others are made from when members are put together, and that say little alone.
const MATERIAL: [&str; 5] = [
    "rate_exposures",
    "transition_exposures",
    "survival_ages",
    "lifetime_ages",
    "first_passage_ages",
];

/// How far a sweep is, and what has been measured.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// How far each point is, in order.
    pub points: Vec<PointState>,
    /// Members that failed, with the reason, in the order of points and replicas.
    pub failures: Vec<(Member, String)>,
    /// The names of all tables that members have and [`merge`](super::merge) can put together, in
    /// the order in which they are measured; without those that only others are made from.
    pub tables: Vec<String>,
}

/// How far a point is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PointState {
    /// Replicas that were measured.
    pub done: usize,
    /// Replicas that failed.
    pub failed: usize,
    /// Replicas whose tasks have not been done.
    pub missing: usize,
}

impl State {
    /// Reads all results that are there.
    ///
    /// # Errors
    /// If a result cannot be read.
    pub fn of(plan: &Plan, folder: &Path) -> Result<Self, PlanError> {
        let mut state = Self::default();
        let mut results = Results::new(plan, folder);
        for point in 0..plan.points().len() {
            let mut at = PointState::default();
            let mut members = plan.members_at(point);
            results.of_point(point, |_, outcome| {
                let number = members.next();
                match outcome {
                    None => at.missing += 1,
                    Some(Outcome::Failed(why)) => {
                        at.failed += 1;
                        let failure = number.map(|number| (plan.member(number), why.clone()));
                        state.failures.extend(failure);
                    }
                    Some(Outcome::Tables(tables)) => {
                        at.done += 1;
                        for table in tables.iter().filter(|t| !MATERIAL.contains(&t.kind())) {
                            if !state.tables.contains(&table.name) {
                                state.tables.push(table.name.clone());
                            }
                        }
                    }
                }
            })?;
            state.points.push(at);
        }
        Ok(state)
    }

    /// Replicas of all points together.
    pub fn total(&self) -> PointState {
        self.points.iter().fold(PointState::default(), |sum, at| PointState {
            done: sum.done + at.done,
            failed: sum.failed + at.failed,
            missing: sum.missing + at.missing,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Noise;
    use crate::plan::tests::plan;
    use crate::results::{MemberResult, NamedTable, write_members};
    use jostle_analysis::Table;

    #[test]
    fn points_know_how_far_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let plan = plan(Noise::Independent);
        let table = |kind| NamedTable::new("late", kind, &Table::new(&["a"]));
        let outcomes = [
            Outcome::Tables(vec![table("rates"), table("rate_exposures")]),
            Outcome::Failed("too full".into()),
            Outcome::Tables(vec![table("rates"), table("counts")]),
            Outcome::Failed("too empty".into()),
        ];
        let members: Vec<MemberResult> = (outcomes.into_iter().enumerate())
            .map(|(n, outcome)| MemberResult::new(plan.member(n), outcome))
            .collect();
        write_members(&plan.result_path(folder.path(), 0), &members).unwrap();
        let state = State::of(&plan, folder.path()).unwrap();
        let points = [
            PointState { done: 2, failed: 1, missing: 0 },
            PointState { done: 0, failed: 1, missing: 2 },
        ];
        assert_eq!(state.points, points);
        assert_eq!(state.total(), PointState { done: 2, failed: 2, missing: 2 });
        let failures: Vec<_> =
            state.failures.iter().map(|(m, why)| (m.point, m.replica, why.as_str())).collect();
        assert_eq!(failures, [(0, 1, "too full"), (1, 0, "too empty")]);
        assert_eq!(state.failures[0].0, plan.member(1));
        assert_eq!(state.tables, ["late_rates", "late_counts"]);
    }
}
