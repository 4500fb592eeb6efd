//! What happens by the clock: entries of the schedule, and the windows in which rules are in force.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use jostle_core::rules::RuleSet;

/// Something that happens at a fixed time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) enum Date {
    /// An entry of the schedule, by its place there, for the n-th time.
    Entry { entry: u32, time: u32 },
    /// A window of a rule opens or closes.
    Window { rule: u16, opens: bool },
}

/// All dates to come, by step and the bits of the time within it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Calendar {
    dates: BTreeSet<(u64, u64, Date)>,
}

impl Calendar {
    /// The dates of a rule set, for steps of `timestep` \[µs\].
    pub(super) fn new(rules: &RuleSet, timestep: f64) -> Self {
        let mut calendar = Self::default();
        let contact = rules.contact.iter().map(|rule| &rule.windows);
        let windows = contact.chain(rules.timed.iter().map(|rule| &rule.windows));
        for (rule, windows) in windows.enumerate() {
            for [from, to] in windows {
                for (at, opens) in [(from, true), (to, false)] {
                    // One that opens at 0 is in force from the start.
                    if *at > 0.0 {
                        calendar.enter(at / timestep, Date::Window { rule: rule as u16, opens });
                    }
                }
            }
        }
        for (n, entry) in rules.schedule.iter().enumerate() {
            calendar.enter(entry.at / timestep, Date::Entry { entry: n as u32, time: 0 });
        }
        calendar
    }

    /// Whether all dates are of rules and entries that there are.
    pub(super) fn is_of(&self, rules: &RuleSet) -> bool {
        self.dates.iter().all(|(_, _, date)| match *date {
            Date::Entry { entry, .. } => (entry as usize) < rules.schedule.len(),
            Date::Window { rule, .. } => rule < rules.first_scheduled(),
        })
    }

    /// Enters a date at `moment` \[steps\]; never, if that is beyond counting. Returns its step and
    /// the time within it.
    pub(super) fn enter(&mut self, moment: f64, date: Date) -> Option<(u64, f64)> {
        // NaN fails the comparison too.
        let counted = moment < 1e15;
        counted.then(|| {
            let (step, within) = (moment.floor() as u64, moment - moment.floor());
            self.dates.insert((step, within.to_bits(), date));
            (step, within)
        })
    }

    /// What falls on `step`: the time within it, and what.
    pub(super) fn due_in(&self, step: u64) -> impl Iterator<Item = (f64, Date)> + '_ {
        let of_step = self.dates.iter().take_while(move |(due, ..)| *due <= step);
        of_step
            .filter(move |(due, ..)| *due == step)
            .map(|(_, bits, date)| (f64::from_bits(*bits), *date))
    }

    /// Strikes out what has happened.
    pub(super) fn strike(&mut self, step: u64, time: f64, date: Date) {
        self.dates.remove(&(step, time.to_bits(), date));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jostle_core::rules::{Chance, ContactRule, Scheduled, ScheduledAction};

    #[test]
    fn dates_come_in_the_step_that_they_fall_into() {
        let mut rule = ContactRule::bond("bind", [0, 0], Chance::Probability(1.0));
        rule.windows = vec![[0.0, 25.0]];
        let entry = Scheduled {
            name: "off".into(),
            at: 5.0,
            every: None,
            action: ScheduledAction::Switch { rule: 0, on: false },
        };
        let rules = RuleSet { contact: vec![rule], schedule: vec![entry], ..RuleSet::default() };
        let mut calendar = Calendar::new(&rules, 10.0);
        let date = Date::Entry { entry: 0, time: 0 };
        assert_eq!(calendar.due_in(0).collect::<Vec<_>>(), [(0.5, date)]);
        calendar.strike(0, 0.5, date);
        assert_eq!(calendar.due_in(0).count(), 0);
        assert_eq!(
            calendar.due_in(2).collect::<Vec<_>>(),
            [(0.5, Date::Window { rule: 0, opens: false })]
        );
    }
}
