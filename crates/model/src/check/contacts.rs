//! Contact rules of the same two species do not contradict each other, and can apply.

use std::collections::BTreeSet;

use crate::Model;
use crate::together::{Member, by_pair, rivals};
use crate::walker::Reader;
use jostle_core::rules::{Action, Chance, RuleSet, ScheduledAction};

/// How far rounding may take a sum of probabilities above 1.
const ROUNDING: f64 = 1e-12;

/// Notes contradictions, once for each two rules, and sums of probabilities above 1.
pub(super) fn check(model: &Model, reader: &Reader<'_>) {
    let mut said = BTreeSet::new();
    for (pair, members) in by_pair(model.rules()).iter() {
        immobile(model, reader, pair, members);
        for (n, &(later, _)) in members.iter().enumerate() {
            let earlier = members[..n].iter().map(|(number, _)| *number);
            let found =
                earlier.clone().find_map(|other| Some((other, conflict(model, later, other)?)));
            let Some((other, message)) = found else { continue };
            if said.insert((later, other)) {
                fault(model, reader, later, message);
            }
        }
    }
    sums(model, reader);
}

fn fault(model: &Model, reader: &Reader<'_>, number: u16, message: String) {
    reader.fault_at(&format!("rule.{}", model.rules().name(number)), message);
}

/// Rates between species of which neither diffuses mean nothing.
fn immobile(model: &Model, reader: &Reader<'_>, pair: [u16; 2], members: &[Member]) {
    let still = |s: u16| model.species[s as usize].diffusion_coefficient == Some(0.0);
    if !pair.into_iter().all(still) {
        return;
    }
    for &(number, _) in members {
        let rule = &model.rules().contact[number as usize];
        if !matches!(rule.chance, Chance::Probability(_)) && rule.tether.is_none() {
            let why = "species that do not diffuse cannot have a rate: give `probability`";
            fault(model, reader, number, why.to_owned());
        }
    }
}

/// What is wrong with two rules for the same two species, if anything.
fn conflict(model: &Model, later: u16, earlier: u16) -> Option<String> {
    let [rule, other] = [later, earlier].map(|number| &model.rules().contact[number as usize]);
    match [rule.action, other.action].map(Action::reacts) {
        [true, true] => {}
        [false, false] => {
            return Some(format!(
                "contradicts rule \"{}\" for the same two species: only one of bounce, pass and ignore can \
                 hold",
                other.name
            ));
        }
        _ if [rule.action, other.action].contains(&Action::Ignore) => {
            return Some(format!(
                "contradicts rule \"{}\" for the same two species: particles that ignore each other \
                 cannot react, since contacts between them are not looked for",
                other.name
            ));
        }
        // What does not react bounces, or passes.
        _ => return None,
    }
    // A chance that is faulty by itself is NaN.
    let faulty = |chance| matches!(chance, Chance::Probability(p) if p.is_nan());
    let bare = |chance| matches!(chance, Chance::Probability(_));
    let differ = bare(rule.chance) != bare(other.chance)
        && [rule, other].iter().all(|rule| rule.tether.is_none());
    (differ && !faulty(rule.chance) && !faulty(other.chance)).then(|| {
        format!(
            "of this rule and rule \"{}\" for the same two species, one has a rate and the other \
             a probability: use the same for both",
            other.name
        )
    })
}

/// Probabilities that compete at a contact add up to 1 at most, as they are and as the schedule
/// sets them.
fn sums(model: &Model, reader: &Reader<'_>) {
    for (number, sum) in excessive(model.rules()) {
        fault(
            model,
            reader,
            number,
            format!(
                "with this rule the probabilities at a contact of these two species add up to {sum}, \
                 which is more than 1"
            ),
        );
    }
    for entry in &model.rules().schedule {
        let ScheduledAction::SetRate { rule, rate } = entry.action else { continue };
        let Some(changed) = with_rate(model.rules(), rule, rate) else { continue };
        if let Some((_, sum)) = excessive(&changed).first() {
            reader.fault_at(
                &format!("schedule.{}", entry.name),
                format!(
                    "with this the probabilities at a contact add up to {sum}, which is more than 1"
                ),
            );
        }
    }
}

/// The rules with another rate for contact rule `number`; None if it is no contact rule.
pub(super) fn with_rate(rules: &RuleSet, number: u16, rate: f64) -> Option<RuleSet> {
    let mut rules = rules.clone();
    let rule = rules.contact.get_mut(number as usize)?;
    rule.chance = rule.chance.with(rate);
    Some(rules)
}

/// Rules with which the probabilities at a contact first add up to more than 1, each once.
fn excessive(rules: &RuleSet) -> Vec<(u16, f64)> {
    let mut found: Vec<(u16, f64)> = Vec::new();
    for (_, members) in by_pair(rules).reacting() {
        for set in rivals(rules, members) {
            let mut sum = 0.0;
            for &number in &set {
                let Chance::Probability(p) = rules.contact[number as usize].chance else {
                    continue;
                };
                sum += p;
                if sum > 1.0 + ROUNDING {
                    if found.iter().all(|(known, _)| *known != number) {
                        found.push((number, sum));
                    }
                    break;
                }
            }
        }
    }
    found
}
