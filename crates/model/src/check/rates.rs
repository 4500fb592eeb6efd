//! Some probability gives each rate at this time step, as far as the sizes of the two are known.

use crate::together::{by_pair, intrinsic, reacting_by, reacting_pair, rivals};
use crate::walker::Reader;
use crate::{Model, measure};
use jostle_core::rules::rates::RateError;
use jostle_core::rules::{Chance, MeetingPair, RuleSet, ScheduledAction};
use jostle_core::words::digits;

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
    let Meeting { pair, distance, species, names } = meeting;
    let mut given: Vec<Given> = Vec::new();
    for &number in set {
        let rule = &rules.contact[number as usize];
        let Some(met) = reacting_by(model, rule, *species) else { continue };
        let share = met.exposed / pair.exposed;
        let fault = |message| vec![RateFault { rule: number, message, longest: None }];
        match intrinsic(rule.chance, &met) {
            Some(Ok(k_a)) => given.push(Given { rule: number, facing: k_a / share, share }),
            Some(Err(RateError::FasterThanDiffusion { k_on, limit })) => {
                let exposed = if share < 1.0 { 1.0 } else { pair.exposed };
                let [limit, k_on] = [limit, k_on].map(|k| k * exposed);
                let what = match share < 1.0 {
                    true => "within the opening of their site at no more than".to_owned(),
                    false => format!("at no more than {} pi D R =", digits(4.0 * pair.exposed, 4)),
                };
                return fault(format!(
                    "{names} meet by diffusion {what} {limit:.4} nm^3/us = {:.4e} /M/s, so k_on cannot be \
                     {k_on:.4} nm^3/us",
                    limit * PER_MOLAR_SECOND,
                ));
            }
            Some(Err(error @ RateError::NoMacroscopicOfSites)) => {
                return fault(format!("{error}, `rate`"));
            }
            Some(Err(_)) | None => {}
        }
    }
    // Two that need not face each other compete with whatever else there is; openings hardly overlap.
    let all_around: f64 = given.iter().filter(|one| one.share >= 1.0).map(|one| one.facing).sum();
    let competing = match given.iter().filter(|one| one.share >= 1.0).count() {
        0 | 1 => String::new(),
        n => format!(" (all {n} reactions that compete for them taken together)"),
    };
    let too_long = |one: &Given| {
        let total = if one.share < 1.0 { one.facing + all_around } else { all_around };
        let (why, longest) = too_long(model, pair, total)?;
        let narrow = match one.share < 1.0 {
            true => format!(
                " where they face each other within the openings of their sites, {:.3} % of their contacts",
                100.0 * one.share
            ),
            false => String::new(),
        };
        let message = format!(
            "in {:?} us {names} move {:.3} of their contact distance (rms per axis), and {why}{narrow}{competing}: \
             the time step can be at most {}",
            model.run.timestep,
            pair.step_width(model.run.timestep) / distance,
            measure::time(longest)
        );
        Some(RateFault { rule: one.rule, message, longest: Some(longest) })
    };
    given.iter().filter_map(too_long).collect()
}

/// A rate constant that a rule gives.
struct Given {
    rule: u16,
    /// Of two that face each other. \[nm^d/µs\]
    facing: f64,
    /// In which share of all orientations they do.
    share: f64,
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
