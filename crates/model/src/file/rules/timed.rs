//! Rules in time.

use crate::templates::is_of_molecules;
use crate::units::Wanted;
use crate::walker::{Item, Section, sound};
use jostle_core::rules::{Action, Case, Chance, ContactRule, Cut, TimedAction, TimedRule};
use jostle_core::words::abridged;

use super::super::Context;
use super::super::molecules::particle;
use super::super::region::{birthplace, region};
use super::lines::{self, Makes};
use super::{Do, conditions, contact, unbinding};

/// A rate per time.
pub(super) fn rate(item: &Item<'_>) -> Option<f64> {
    item.positive_as(&Wanted::RATE)
}

fn required_rate(section: &Section<'_>) -> Option<f64> {
    section.require("rate").and_then(|item| rate(&item))
}

/// A rule in time that stands by itself.
pub(super) fn rule(
    section: &Section<'_>,
    context: &Context<'_>,
    what: Do,
    name: &str,
) -> Option<TimedRule> {
    let (action, rate) = match what {
        Do::Create => create(section, context),
        Do::Fragment => (fragment(section, context), required_rate(section)),
        _ => (convert(section, context, what), required_rate(section)),
    };
    limited(section, context, name, action?, rate)
}

/// A rule with the conditions that its section says.
pub(super) fn limited(
    section: &Section<'_>,
    context: &Context<'_>,
    name: &str,
    action: TimedAction,
    rate: Option<f64>,
) -> Option<TimedRule> {
    let (size, windows) = (conditions::of_one(section), conditions::windows(section));
    let place = section.get("region").map(|item| region(&item, context));
    let mut region = sound(place)?;
    // New particles come to be only where those of their species may be, whatever the rule says.
    if let TimedAction::Create { species, .. } = &action {
        let named = section.get("product").or_else(|| section.get("reaction"))?;
        region = birthplace(&named, region, *species, context)?;
    }
    let rate = rate.unwrap_or(f64::NAN);
    let reversible = section.get("reversible").is_some_and(|item| is_one_way(&item, &action));
    Some(TimedRule { name: name.to_owned(), action, rate, size, windows, region, reversible })
}

/// Whether a rule is said to be one way of a reaction there and back.
fn is_one_way(item: &Item<'_>, action: &TimedAction) -> bool {
    let is = item.boolean().unwrap_or(false);
    if is && !becomes_one(action) {
        item.fault(
            "only one particle that becomes one other can be weighed with its energies: drop `reversible`",
        );
    }
    is
}

/// Whether one particle becomes one other.
pub(super) fn becomes_one(action: &TimedAction) -> bool {
    matches!(action, TimedAction::Convert { cases } if cases.iter().all(|case| case.products.len() == 1))
}

fn convert(section: &Section<'_>, context: &Context<'_>, what: Do) -> Option<TimedAction> {
    let makes = if what == Do::Decay { Makes::Vacancy } else { Makes::Several };
    let lines = lines::lines(section, context, 1, makes)?;
    Some(TimedAction::Convert { cases: lines::singles(section, context, &lines, true)? })
}

fn fragment(section: &Section<'_>, context: &Context<'_>) -> Option<TimedAction> {
    let how = contact::fragmentation(section, context);
    let lines = lines::lines(section, context, 1, Makes::Nothing)?;
    let cases = lines::singles(section, context, &lines, false)?;
    let species = cases.into_iter().map(|case| case.species[0]).collect();
    Some(TimedAction::Fragment { species, how: how? })
}

fn create(section: &Section<'_>, context: &Context<'_>) -> (Option<TimedAction>, Option<f64>) {
    let particle =
        section.require("product").and_then(|item| particle(&item, context, item.text()?));
    let species = particle.map(|(species, _)| species);
    let wanted =
        Wanted::creation_rate(species.map_or(context.dimension, |s| context.dimension_where(s)));
    let example = wanted.example.split('"').next().unwrap_or_default();
    let rate = section
        .require_like("rate", &format!("\"{example}\""))
        .and_then(|item| item.positive_as(&wanted));
    (particle.map(|(species, sites)| TimedAction::Create { species, sites }), rate)
}

/// A rule that undoes a bind rule; `broken` are rules whose faults are known already.
pub(super) fn unbind(
    section: &Section<'_>,
    context: &Context<'_>,
    name: &str,
    contact: &[ContactRule],
    broken: &[String],
) -> Option<TimedRule> {
    let words = [("any", Cut::Any), ("end", Cut::End), ("all", Cut::All)];
    let which = section.get("which");
    let cut = match &which {
        Some(item) => item.word(&words),
        None => Some(Cut::Any),
    };
    if ["on", "cases", "reaction"].iter().any(|key| section.get(key).is_some()) {
        return break_bonds(section, context, name, (contact, broken));
    }
    section.refuse(
        "products",
        "it says how states change, so give the complex whose bond breaks, `on`",
    );
    let item = section.require("of")?;
    let wanted = item.text()?;
    if broken.iter().any(|name| name == wanted) {
        return None;
    }
    let Some(of) = contact.iter().position(|rule| rule.name == wanted) else {
        let known = contact.iter().filter(|rule| binds(rule)).map(|rule| rule.name.clone());
        let known = match abridged(known, "rules").as_slice() {
            [] => "there is none".to_owned(),
            names => names.join(", "),
        };
        item.fault(format!("there is no rule \"{wanted}\"; bind rules: {known}"));
        return None;
    };
    if !binds(&contact[of]) {
        item.fault(format!("rule \"{wanted}\" binds nothing, so there is nothing to undo"));
        return None;
    }
    if let (Some(item), Action::Coalesce, Some(Cut::End | Cut::All)) =
        (&which, contact[of].action, cut)
    {
        item.fault(format!(
            "rule \"{wanted}\" coalesces, and a coalesced particle has no chain of bonds: only \"any\" is possible"
        ));
    }
    let rate = undoing_rate(section, context, &contact[of], cut);
    limited(section, context, name, TimedAction::unbind(&[of as u16], cut?), rate)
}

/// A rule that breaks bonds between sites of molecules, whichever rules made them.
fn break_bonds(
    section: &Section<'_>,
    context: &Context<'_>,
    name: &str,
    (contact, broken): (&[ContactRule], &[String]),
) -> Option<TimedRule> {
    section.refuse("which", "`on` already says which bonds break: keep one of the two");
    let named = section.get("of").map(|item| names_of(&item, contact, broken));
    if let Some(item) = section.get("on").filter(Item::is_list) {
        item.fault(lines::NO_COMPLEX);
        return None;
    }
    let named = sound(named)?;
    let lines = lines::lines(section, context, 1, Makes::Gap)?;
    let ends = lines::pairs(section, context, &lines, false, false)?;
    let broken: Vec<_> = ends.iter().filter_map(joined).collect();
    let makes = |rule: &ContactRule| {
        let mut made = rule.cases.iter().filter_map(joined);
        rule.action == Action::Bond && made.any(|bond| broken.contains(&bond))
    };
    let mut of: Vec<usize> = Vec::new();
    for n in named.unwrap_or_else(|| (0..contact.len()).collect()) {
        if makes(&contact[n]) && !of.contains(&n) {
            of.push(n);
        }
    }
    let Some(&first) = of.first() else {
        section.fault("no rule makes such a bond, so there is none that could break");
        return None;
    };
    // k_off counts pairs that part for good, k_d all bonds that break: one number cannot be both.
    let macroscopic = |n: &usize| matches!(contact[*n].chance, Chance::Macroscopic(_));
    if of.iter().any(|n| macroscopic(n) != macroscopic(&first)) {
        section.fault(
            "some of the rules that make such bonds are given by `k_on` and some are not, so one rate cannot undo \
             them all: write a rule for each, with `of`",
        );
        return None;
    }
    let rate = undoing_rate(section, context, &contact[first], Some(Cut::Any));
    let of = of.into_iter().map(|n| n as u16).collect();
    limited(section, context, name, TimedAction::Unbind { of, cut: Cut::Any, ends }, rate)
}

/// Between which sites of which species a case makes or breaks a bond, in one order for both ways
/// round; none if it is at no sites.
pub(super) fn joined(case: &Case<2>) -> Option<[(u16, u8); 2]> {
    let ([s, t], [a, b]) = (case.species, case.joins()?);
    let mut ends = [(s, a), (t, b)];
    ends.sort_unstable();
    Some(ends)
}

/// The numbers of the rules that an item names.
fn names_of(item: &Item<'_>, contact: &[ContactRule], broken: &[String]) -> Option<Vec<usize>> {
    let names = if item.is_list() { item.texts()? } else { vec![item.text()?] };
    let number = |name: &&str| {
        let found = contact.iter().position(|rule| rule.name == **name);
        match found {
            Some(n) if !binds(&contact[n]) => {
                item.fault(format!("rule \"{name}\" binds nothing, so there is nothing to undo"));
                None
            }
            None if !broken.iter().any(|known| known == name) => {
                item.fault(format!("there is no rule \"{name}\""));
                None
            }
            found => found,
        }
    };
    names.iter().map(number).collect()
}

/// How fast it undoes what `bind` has bound.
fn undoing_rate(
    section: &Section<'_>,
    context: &Context<'_>,
    bind: &ContactRule,
    cut: Option<Cut>,
) -> Option<f64> {
    // Binding joins two clusters at a time, so only what parts two is its reverse.
    if cut == Some(Cut::All) {
        for key in ["k_off", "K_D"] {
            section.refuse(
                key,
                "dissolving a whole cluster at once is not the reverse of binding: give the `rate` at which it happens",
            );
        }
        return required_rate(section);
    }
    if is_of_molecules(bind) {
        for key in ["k_off", "K_D"] {
            section.refuse(
                key,
                "no rule binds the spheres of a molecule, so there is no equilibrium: give the `rate` at which each of \
                 its bonds breaks",
            );
        }
        return required_rate(section);
    }
    if unbinding::OF_UNBIND.into_iter().all(|key| section.get(key).is_none()) {
        let key = if matches!(bind.chance, Chance::Macroscopic(_)) { "k_off" } else { "rate" };
        section.fault(format!("`{key}` is missing, for example `{key} = \"0.1 /s\"`"));
    }
    unbinding::rate(section, context, unbinding::OF_UNBIND, Some(bind))
}

fn binds(rule: &ContactRule) -> bool {
    matches!(rule.action, Action::Bond | Action::Coalesce)
}
