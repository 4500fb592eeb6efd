//! Holds plans against what a plan can be: somebody else may have written it.

use std::path::{Component, Path};

use super::file::MOST_MEMBERS;
use super::plan::Plan;
use super::rounds::Round;
use jostle_files::is_unseen;

/// Nobody adds replicas as often.
const MOST_ROUNDS: usize = 10_000;

impl Plan {
    /// The round in which replicas are added to points.
    pub(crate) fn round_of_more(&self, added: &[(usize, u32)]) -> Round {
        let blocks = added.iter().map(|&(point, count)| (point, self.replicas_of(point), count));
        Round::new(self.task_count(), self.member_count(), blocks)
    }

    /// Holds what was read against what a plan can be.
    pub(crate) fn check(&self) -> Result<(), String> {
        if self.replicas == 0 || self.members_per_task == 0 || self.points.is_empty() {
            return Err("it has no runs".into());
        }
        if self.rounds.len() > MOST_ROUNDS {
            return Err(format!("replicas were added more than {MOST_ROUNDS} times"));
        }
        let name = Path::new(&self.model).components().collect::<Vec<_>>();
        if !matches!(name[..], [Component::Normal(_)]) {
            return Err("its model is not in its folder".into());
        }
        let values = self.points.iter().flat_map(|point| &point.values);
        let mut texts = values.flat_map(|(key, value)| [key, value]);
        if texts.any(|text| text.contains(is_unseen)) {
            return Err("a value has characters that are not seen".into());
        }
        let mut members = self.points.len() as u64 * u64::from(self.replicas);
        let mut before = self.clone();
        before.rounds.clear();
        for round in &self.rounds {
            if members > MOST_MEMBERS {
                break;
            }
            let added = round.added();
            let is_known = |&(point, count): &(usize, u32)| point < self.points.len() && count > 0;
            let is_sound = !added.is_empty()
                && added.iter().all(is_known)
                && added.windows(2).all(|pair| pair[0].0 < pair[1].0);
            if !is_sound || *round != before.round_of_more(&added) {
                return Err("the replicas that were added do not follow from those before".into());
            }
            before.rounds.push(round.clone());
            members += added.iter().map(|&(_, count)| u64::from(count)).sum::<u64>();
        }
        if members.max(self.members_per_task as u64) > MOST_MEMBERS {
            return Err(format!("a sweep has at most {MOST_MEMBERS} runs"));
        }
        Ok(())
    }
}
