//! What would keep a step busy without end: rules in time that apply far more often than there are
//! steps, and entries of the schedule that add more particles than there is room for.

use crate::walker::Reader;
use crate::{Model, measure};
use jostle_core::rules::{Region, ScheduledAction, TimedRule};
use jostle_core::words::{digits, time_text};

use jostle_core::space::ball_volume;

/// How often a rule in time may apply to one particle or bond in a step.
const MOST_EVENTS: f64 = 1000.0;

/// How many particles a rule may create in a step.
const MOST_CREATED: f64 = 1e5;

/// Notes everything in `reader`.
pub(super) fn check(model: &Model, reader: &Reader<'_>) {
    for rule in &model.rules().timed {
        if let Some(message) = too_often(model, rule, rule.rate) {
            reader.fault_at(&format!("rule.{}.rate", rule.name), message);
        }
    }
    for entry in &model.rules().schedule {
        let fault = match &entry.action {
            ScheduledAction::SetRate { rule, rate } | ScheduledAction::Scale { rule, rate, .. } => {
                model.rules().timed_rule(*rule).and_then(|rule| too_often(model, rule, *rate))
            }
            ScheduledAction::Add { species, count, region, .. } => {
                too_many(model, *species, *count, region.as_ref())
            }
            ScheduledAction::Switch { .. }
            | ScheduledAction::SwitchPotential { .. }
            | ScheduledAction::Divide(_) => None,
        };
        if let Some(message) = fault {
            reader.fault_at(&format!("schedule.{}", entry.name), message);
        }
    }
}

/// What is wrong with a rule in time at this rate.
fn too_often(model: &Model, rule: &TimedRule, rate: f64) -> Option<String> {
    let (times, most) = match rule.action.creates() {
        Some(species) => (
            rate * model.room_for(species, rule.region.as_ref()) * model.run.timestep,
            MOST_CREATED,
        ),
        None => (rate * model.run.timestep, MOST_EVENTS),
    };
    // A faulty rate is a fault of its own.
    if times.is_nan() || times <= most {
        return None;
    }
    let (often, most_often, step) =
        (digits(times, 4), digits(most, 6), time_text(model.run.timestep));
    let what = match rule.action.creates() {
        Some(species) => {
            let name = &model.species[species as usize].name;
            format!(
                "would create {often} {name} in each time step of {step}; the maximum is {most_often}"
            )
        }
        None => format!(
            "would apply {often} times in each time step of {step} to each particle or bond that it applies to; the \
             maximum is {most_often} times"
        ),
    };
    let longest = measure::time(model.run.timestep * most / times);
    let lower = digits(times / most, 2);
    Some(format!(
        "rule \"{}\" {what}: a rate {lower} times lower, or a time step of at most {longest}, is needed",
        rule.name
    ))
}

/// What is wrong with adding so many particles at once.
fn too_many(model: &Model, species: u16, count: u32, region: Option<&Region>) -> Option<String> {
    if model.rules().pass(species, species) {
        return None;
    }
    let dimension = model.dimension_of([species; 2]).max(1);
    let kind = &model.species[species as usize];
    let each = ball_volume(dimension, kind.radius?);
    let anchor = model.surroundings().anchor(species);
    // They may reach out of a region.
    let room = match region.filter(|_| anchor.is_none()) {
        Some(region) => (0..dimension)
            .map(|k| region.to[k] - region.from[k] + 2.0 * kind.radius.unwrap_or(0.0))
            .product(),
        None => measure::room_of(model, species),
    };
    let most = measure::DENSEST[dimension - 1].0 * room / each;
    (f64::from(count) > most).then(|| {
        format!(
            "{count} {} are to be added at once, but even an empty box has room for {} at most: add fewer or smaller \
             ones, or use a larger box",
            kind.name,
            digits(most.floor(), 6)
        )
    })
}
