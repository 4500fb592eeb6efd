//! The tables `[[schedule]]`: what happens by the clock.

use std::collections::BTreeSet;

use crate::templates::is_of_molecules;
use crate::units::Wanted;
use crate::walker::{Item, Section, sound};
use jostle_core::rules::{Chance, Division, RuleSet, Scheduled, ScheduledAction, TimedAction};
use jostle_core::words::abridged;

use super::super::molecules::particle;
use super::super::particles::name;
use super::super::region::{birthplace, region};
use super::super::{Context, observables};
use super::{Reading, contact, timed};

/// Reads all entries; the rules that they speak of are read already.
pub(super) fn schedule(
    sections: Vec<Section<'_>>,
    context: &Context<'_>,
    reading: &mut Reading<'_>,
) {
    for (n, section) in sections.into_iter().enumerate() {
        let name = match section.get("name") {
            Some(item) => name(&item, &reading.names),
            None => free_name(n, &reading.names),
        };
        reading.names.insert(name.clone());
        let at: Option<f64> = section.setting("at");
        let every = section.get("every").map(|item| item.quantity());
        // Read even if `at` or `every` is faulty, so that all faults are found at once.
        let action = action(&section, context, reading);
        section.finish();
        let Some(every) = sound(every) else { continue };
        if let (Some(at), Some(action)) = (at, action) {
            reading.rules.schedule.push(Scheduled { name, at, every, action });
        }
    }
}

/// `schedule_1` for the first entry, or something like it that is not taken.
fn free_name(n: usize, taken: &BTreeSet<String>) -> String {
    let mut name = format!("schedule_{}", n + 1);
    while taken.contains(&name) {
        name.push('_');
    }
    name
}

fn action(
    section: &Section<'_>,
    context: &Context<'_>,
    reading: &mut Reading<'_>,
) -> Option<ScheduledAction> {
    match section.only(["set", "switch_on", "switch_off", "add", "divide"]) {
        Some(("set", item)) => set(&item, context, reading),
        Some(("switch_on", item)) => switch(&item, reading, true),
        Some(("switch_off", item)) => switch(&item, reading, false),
        Some(("add", item)) => add(&item, context),
        Some(("divide", item)) => divide(&item).map(ScheduledAction::Divide),
        _ => {
            section.fault(
                "exactly one of `set = { rule = \"cut\", rate = \"..\" }`, `switch_on = \"cut\"`, \
                 `switch_off = \"cut\"`, `add = { species = \"A\", count = 10 }` and \
                 `divide = { keep = 0.5 }` is needed",
            );
            None
        }
    }
}

/// The number of the rule that `item` names, if its table is sound.
fn rule_called(item: &Item<'_>, reading: &Reading<'_>) -> Option<u16> {
    let wanted = item.text()?;
    // It is there, but faulty, and that has been said.
    if reading.broken.iter().any(|name| name == wanted) {
        return None;
    }
    let names = || rule_names(reading);
    let found = names().position(|name| name == wanted);
    if found.is_none() {
        let known = abridged(names().cloned(), "rules");
        let known = if known.is_empty() { "there is none".to_owned() } else { known.join(", ") };
        item.fault(format!("there is no rule \"{wanted}\"; rules: {known}"));
    }
    found.map(|number| number as u16)
}

/// The names of all rules, in the order of their numbers.
fn rule_names<'a>(reading: &'a Reading<'_>) -> impl Iterator<Item = &'a String> {
    let RuleSet { contact, timed, .. } = &reading.rules;
    contact.iter().map(|rule| &rule.name).chain(timed.iter().map(|rule| &rule.name))
}

fn switch(item: &Item<'_>, reading: &Reading<'_>, on: bool) -> Option<ScheduledAction> {
    let potential = item.text().and_then(|wanted| {
        reading.potentials.iter().position(|name| name == wanted).map(|number| number as u16)
    });
    let Some(potential) = potential else {
        if item
            .text()
            .is_some_and(|wanted| reading.beside_surfaces.iter().any(|name| name == wanted))
        {
            item.fault(
                "this potential is beside a surface, where particles move by the law of bounces; only potentials with \
                 `law = \"shells\"` can be switched",
            );
            return None;
        }
        let is_rule = |wanted: &str| rule_names(reading).any(|name| name == wanted);
        if let Some(wanted) = item.text().filter(|wanted| !is_rule(wanted))
            && !reading.potentials.is_empty()
            && !reading.broken.iter().any(|name| name == wanted)
        {
            let names = rule_names(reading).chain(&reading.potentials).cloned();
            let known = abridged(names, "names").join(", ");
            item.fault(format!("there is no rule or potential \"{wanted}\"; there are: {known}"));
            return None;
        }
        let rule = rule_called(item, reading)?;
        may_change(item, reading, rule)?;
        return Some(ScheduledAction::Switch { rule, on });
    };
    if item.text().is_some_and(|wanted| rule_names(reading).any(|name| name == wanted)) {
        item.fault("both a rule and a potential have this name: rename one of them".to_owned());
        return None;
    }
    Some(ScheduledAction::SwitchPotential { potential, on })
}

/// Only reactions and rules in time come and go.
fn may_change(item: &Item<'_>, reading: &Reading<'_>, rule: u16) -> Option<()> {
    if reading.rules.contact.get(usize::from(rule)).is_some_and(is_of_molecules) {
        item.fault(format!(
            "\"{}\" is a molecule, which is bound from the start; a rule with do = \"unbind\" that breaks it can be \
             switched",
            reading.rules.name(rule)
        ));
        return None;
    }
    if reading.rules.reacts(rule) {
        return Some(());
    }
    item.fault(format!(
        "rule \"{}\" must apply during the whole run: particles might overlap when a bounce, pass or ignore \
         rule starts or ends",
        reading.rules.name(rule)
    ));
    None
}

/// What can be set of a rule: its rate, by the key that it is given by.
const SET: [&str; 4] = ["rate", "k_on", "probability", "k_off"];

/// The key that the rate of a rule is given by.
pub(crate) fn key_of_rate(rules: &RuleSet, rule: u16) -> &'static str {
    SET[kind_of_rate(rules, rule)]
}

/// Which of [`SET`] a rule is given by.
fn kind_of_rate(rules: &RuleSet, rule: u16) -> usize {
    match rules.contact.get(rule as usize).map(|rule| rule.chance) {
        Some(Chance::Intrinsic(_)) => 0,
        Some(Chance::Macroscopic(_)) => 1,
        Some(Chance::Probability(_)) => 2,
        None if rules.timed_rule(rule).is_some_and(|rule| rules.breaks_macroscopically(rule)) => 3,
        None => 0,
    }
}

/// `set = { rule = "cut", rate = ".." }`
fn set(
    item: &Item<'_>,
    context: &Context<'_>,
    reading: &mut Reading<'_>,
) -> Option<ScheduledAction> {
    let section = item.section()?;
    let rule = section.require("rule").and_then(|item| {
        let rule = rule_called(&item, reading)?;
        may_change(&item, reading, rule).map(|()| rule)
    });
    let keys = SET.map(|key| section.get(key));
    let scaled = section.get("factor");
    section.finish();
    let rule = rule?;
    let wanted = kind_of_rate(&reading.rules, rule);
    let mut rate = None;
    for (n, item) in keys.iter().enumerate().filter_map(|(n, item)| Some((n, item.as_ref()?))) {
        if n == wanted {
            rate = number(item, context, reading, rule);
        } else {
            let (kind, name) = (SET[wanted], reading.rules.name(rule));
            item.fault(format!("rule \"{name}\" is defined by its `{kind}`, so set that"));
        }
    }
    if keys.iter().all(Option::is_none) {
        item.fault(format!("`{}` is missing: the value to set", SET[wanted]));
    }
    let Some(item) = scaled else { return Some(ScheduledAction::SetRate { rule, rate: rate? }) };
    if reading.rules.tether(rule).is_some() {
        item.fault(
            "a rule that tethers has no factor: how far tethered particles get must not depend on what there is",
        );
        return None;
    }
    let factor = observables::factor(&item, &context.kinds, &mut reading.rules.observables)?;
    Some(ScheduledAction::Scale { rule, rate: rate?, factor })
}

/// A rate of the kind that the rule has.
fn number(item: &Item<'_>, context: &Context<'_>, reading: &Reading<'_>, rule: u16) -> Option<f64> {
    let rules = &reading.rules;
    let pairs = rules.contact.get(rule as usize).and_then(|rule| rule.cases.first());
    let dimension = pairs.map_or(context.dimension, |case| context.dimension_of(case.species));
    match rules.contact.get(rule as usize).map(|rule| rule.chance) {
        Some(Chance::Intrinsic(_)) => item.positive_as(&Wanted::contact_rate(dimension)),
        Some(Chance::Macroscopic(_)) => contact::macroscopic(item, dimension),
        Some(Chance::Probability(_)) => contact::probability(item),
        None => match rules.timed_rule(rule).map(|rule| &rule.action) {
            Some(TimedAction::Create { species, .. }) => {
                item.positive_as(&Wanted::creation_rate(context.dimension_where(*species)))
            }
            _ => timed::rate(item),
        },
    }
}

/// `add = { species = "A", count = 10 }`
fn add(item: &Item<'_>, context: &Context<'_>) -> Option<ScheduledAction> {
    let section = item.section()?;
    let named = section.require("species");
    let added = named.as_ref().and_then(|item| particle(item, context, item.text()?));
    let count = section.require("count").and_then(|item| {
        let count = u32::try_from(item.whole(1)?).ok();
        if count.is_none() {
            item.fault("this is more particles than can be numbered");
        }
        count
    });
    let place = section.get("region").map(|item| region(&item, context));
    section.finish();
    let region = sound(place)?;
    let (species, sites) = added?;
    let region = birthplace(&named?, region, species, context)?;
    Some(ScheduledAction::Add { species, sites, count: count?, region })
}

/// `divide = { keep = 0.5 }` or `{ volume_fraction = 0.4, axis = "x" }`
fn divide(item: &Item<'_>) -> Option<Division> {
    let section = item.section()?;
    let division = match (section.only(["keep", "volume_fraction"]), section.has("axis")) {
        (Some(("keep", item)), false) => contact::probability(&item).map(Division::Keep),
        (Some(("volume_fraction", item)), _) => {
            let axis = section.setting("axis");
            contact::probability(&item).map(|fraction| Division::Volume { fraction, axis })
        }
        _ => {
            item.fault(
                "either `keep`, the probability to stay, or `volume_fraction` and `axis`, where the box is \
                 cut, is needed",
            );
            None
        }
    };
    section.finish();
    division
}
