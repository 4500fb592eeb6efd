//! Some probability gives each rate at this time step, as far as the sizes of the two are known.

use crate::together::{by_pair, intrinsic, reacting_pair, rivals};
use crate::walker::Reader;
use crate::{Model, measure};
use jostle_core::rules::rates::RateError;
use jostle_core::rules::{Chance, MeetingPair, RuleSet, ScheduledAction, share_of_orientations};

use super::contacts::with_rate;

/// Why a rule cannot have its rate for a pair of species.
struct RateFault {
    rule: u16,
    message: String,
    /// The longest time step that would do \[µs\]; none if no time step would.
    longest: Option<f64>,
}

/// Two species of known size that meet.
struct Meeting<'a> {
    pair: MeetingPair,
    /// \[nm\]
    distance: f64,
    species: [u16; 2],
    /// What messages call them.
    names: &'a str,
}

/// Notes rates that cannot be had, as they are and as the schedule sets them.
pub(super) fn check(model: &Model, reader: &Reader<'_>) {
    for fault in faults(model, model.rules()) {
        let rule = &model.rules().contact[fault.rule as usize];
        let key = if matches!(rule.chance, Chance::Macroscopic(_)) { "k_on" } else { "rate" };
        reader.fault_at(&format!("rule.{}.{key}", rule.name), fault.message);
    }
    for entry in &model.rules().schedule {
        let ScheduledAction::SetRate { rule, rate } = entry.action else { continue };
        let Some(changed) = with_rate(model.rules(), rule, rate) else { continue };
        if let Some(fault) = faults(model, &changed).into_iter().find(|fault| fault.rule == rule) {
            reader.fault_at(&format!("schedule.{}", entry.name), fault.message);
        }
    }
}

/// The worst fault of each rule: that of the pair that needs the shortest time step.
fn faults(model: &Model, rules: &RuleSet) -> Vec<RateFault> {
    let mut worst: Vec<RateFault> = Vec::new();
    let mut note = |fault: RateFault| match worst.iter_mut().find(|known| known.rule == fault.rule)
    {
        Some(known) if known.longest > fault.longest => *known = fault,
        Some(_) => {}
        None => worst.push(fault),
    };
    for (pair, members) in by_pair(rules).reacting() {
        let [first, second] = pair;
        let [a, b] = pair.map(|s| &model.species[s as usize]);
        let names = format!("{} and {}", a.name, b.name);
        let distance = a.radius.unwrap_or(f64::NAN) + b.radius.unwrap_or(f64::NAN);
        // What is not positive here is a fault of its own.
        let Some(known) = reacting_pair(model, first, second) else {
            if a.radius
                .and(b.radius)
                .and(a.diffusion_coefficient)
                .and(b.diffusion_coefficient)
                .is_none()
            {
                members
                    .iter()
                    .filter_map(|&(rule, _)| unknown(rules, rule, &names))
                    .for_each(&mut note);
            }
            continue;
        };
        for set in rivals(rules, members) {
            of_rivals(
                model,
                rules,
                &set,
                &Meeting { pair: known, distance, species: pair, names: &names },
            )
            .into_iter()
            .for_each(&mut note);
        }
    }
    worst
}

/// A macroscopic rate constant of species of unknown size.
fn unknown(rules: &RuleSet, rule: u16, names: &str) -> Option<RateFault> {
    matches!(rules.contact[rule as usize].chance, Chance::Macroscopic(_)).then(|| RateFault {
        rule,
        message: format!(
            "the size of one of {names} depends on what it is made of, so there is no macroscopic rate constant: give \
             the intrinsic one, `rate`"
        ),
        longest: None,
    })
}

/// What is wrong with the rates of reactions that compete.
fn of_rivals(model: &Model, rules: &RuleSet, set: &[u16], meeting: &Meeting<'_>) -> Vec<RateFault> {
    let Meeting { pair, distance, names, .. } = meeting;
    let mut total = 0.0;
    let mut given = Vec::new();
    for &rule in set {
        match intrinsic(rules.contact[rule as usize].chance, pair) {
            Some(Ok(k_a)) => {
                total += k_a;
                given.push((rule, k_a));
            }
            Some(Err(RateError::FasterThanDiffusion { k_on, limit })) => {
                let message = format!(
                    "{names} meet by diffusion at no more than {} pi D R = {:.4} nm^3/us = {:.4e} /M/s, \
                     so k_on cannot be {:.4} nm^3/us",
                    4.0 * pair.exposed,
                    limit * pair.exposed,
                    limit * pair.exposed * PER_MOLAR_SECOND,
                    k_on * pair.exposed
                );
                return vec![RateFault { rule, message, longest: None }];
            }
            Some(Err(_)) | None => {}
        }
    }
    let Some((why, longest)) = too_long(model, pair, total) else {
        let narrow =
            |&(rule, k_a): &(u16, f64)| of_openings(model, rules, meeting, rule, [k_a, total]);
        return given.iter().filter_map(narrow).collect();
    };
    let competing = match given.len() {
        1 => String::new(),
        n => format!(" (all {n} reactions that compete for them taken together)"),
    };
    let message = format!(
        "in {:?} us {names} move {:.3} of their contact distance (rms per axis), and {why}{competing}: the \
         time step can be at most {}",
        model.run.timestep,
        pair.step_width(model.run.timestep) / distance,
        measure::time(longest)
    );
    given
        .into_iter()
        .map(|(rule, _)| RateFault { rule, message: message.clone(), longest: Some(longest) })
        .collect()
}

/// A rate constant that two molecules cannot have, since too few contacts are within the openings of
/// their sites.
fn of_openings(
    model: &Model,
    rules: &RuleSet,
    meeting: &Meeting<'_>,
    rule: u16,
    [k_a, total]: [f64; 2],
) -> Option<RateFault> {
    let Meeting { pair, species, names, .. } = meeting;
    let swapped = [species[1], species[0]];
    let rule_itself = &rules.contact[rule as usize];
    let cases = rule_itself.cases.iter();
    let cases = cases.filter(|case| case.species == *species || case.species == swapped);
    let share = cases
        .map(|case| share_of_orientations(rule_itself, case, &model.species, model.space.dimension))
        .fold(1.0, f64::min);
    let needed = |timestep: f64| {
        pair.probability(total, timestep).map_or(f64::INFINITY, |p| p * (k_a / total) / share)
    };
    let timestep = model.run.timestep;
    if share >= 1.0 || needed(timestep) <= 1.0 {
        return None;
    }
    // Shorter steps have more contacts, so there is one that would do.
    let (mut enough, mut too_much) = (0.0, timestep);
    for _ in 0..200 {
        let middle = 0.5 * (enough + too_much);
        if needed(middle) <= 1.0 { enough = middle } else { too_much = middle }
    }
    Some(RateFault {
        rule,
        message: format!(
            "at {:.3} % of their contacts {names} face each other within the openings of their sites, and a \
             reaction at every one of them would be slower than this: the time step can be at most {}, or the \
             openings must be wider",
            100.0 * share,
            measure::time(enough)
        ),
        longest: Some(enough),
    })
}

/// 1 nm³/µs in 1/(M s).
const PER_MOLAR_SECOND: f64 = 6.022_140_76e5;

/// Why a time step is too long for a rate, and the longest that is not.
fn too_long(model: &Model, pair: &MeetingPair, rate: f64) -> Option<(&'static str, f64)> {
    let (why, largest) = match pair.probability(rate, model.run.timestep) {
        Err(RateError::TimestepTooLong { largest, .. }) => {
            ("a reaction at every contact would be slower than this", largest)
        }
        Err(RateError::OutsideCalibration { largest, .. }) => {
            ("the step is longer than those for which rates are calibrated", largest)
        }
        _ => return None,
    };
    Some((why, pair.largest_timestep(rate).map_or(largest, |most| most.min(largest))))
}
