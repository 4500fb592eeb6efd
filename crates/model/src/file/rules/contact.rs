//! Rules for contacts.

use crate::units::Wanted;
use crate::walker::{Item, Section};
use jostle_core::rules::{Action, BondGeometry, Chance, ContactRule, Cut, Fragmentation};

use super::super::Context;
use super::super::region::region;
use super::geometry::{self, geometry};
use super::lines::{self, Makes};
use super::{CHANCES, Do, conditions, reaction};

/// A rule for contacts.
pub(super) fn rule(
    section: &Section<'_>,
    context: &Context<'_>,
    what: Do,
    name: &str,
) -> Option<ContactRule> {
    let makes = makes(section, context, what);
    let action = match what {
        Do::Bounce => Some(Action::Bounce),
        Do::Pass => Some(Action::Pass),
        Do::Ignore => Some(Action::Ignore),
        Do::Bind => {
            makes.map(|makes| if makes == Makes::One { Action::Coalesce } else { Action::Bond })
        }
        Do::Fragment => fragmentation(section, context).map(Action::Cut),
        _ => Some(Action::Convert),
    };
    if action == Some(Action::Coalesce) {
        section.refuse(
            "max_bonds",
            "coalesced particles have no bonds: drop `max_bonds`, or use merge = \"bond\"",
        );
    }
    let (conditions, windows) = match what.is_permanent() {
        true => (Default::default(), Vec::new()),
        false => (conditions::of_partners(section), conditions::windows(section)),
    };
    // With roles, a pair that matches both ways round would be decided by the order in which
    // particles were numbered.
    let roles = conditions[0] != conditions[1] || matches!(action, Some(Action::Cut(_)));
    let lines = lines::lines(section, context, 2, makes.unwrap_or(Makes::Nothing));
    let cases = lines.and_then(|lines| {
        lines::pairs(section, context, &lines, roles, action == Some(Action::Convert))
    });
    let chance = match what.is_permanent() {
        true => Some(Chance::Probability(1.0)),
        false => {
            let dimension =
                context.meeting_dimension(section, cases.as_deref().unwrap_or_default());
            chance(section, dimension)
        }
    };
    let tether = makes.filter(|_| what == Do::Bind).and_then(|makes| tether(section, makes));
    let geometry = match (what, tether) {
        (Do::Bind, None) => geometry(section, context, action, cases.as_deref()),
        (_, None) => BondGeometry::default(),
        (_, Some(_)) => {
            geometry::refuse(section, "a tether leaves the two free to turn: drop this");
            BondGeometry::default()
        }
    };
    Some(ContactRule {
        name: name.to_owned(),
        cases: cases?,
        action: action?,
        chance: chance.unwrap_or(Chance::Probability(f64::NAN)),
        conditions,
        windows,
        region: match what.is_permanent() {
            true => None,
            false => section.get("region").and_then(|item| region(&item, context)),
        },
        geometry,
        tether,
    })
}

/// Which key says what arises; None if that is not known.
fn makes(section: &Section<'_>, context: &Context<'_>, what: Do) -> Option<Makes> {
    match what {
        Do::Convert => Some(Makes::Several),
        Do::Annihilate => Some(Makes::Vacancy),
        Do::Bind if section.get("reaction").is_some() => {
            let molecules = reaction::of(section, &context.kinds)?.molecules;
            Some(if molecules.is_some() { Makes::Bond } else { Makes::One })
        }
        Do::Bind => {
            let item = section.require("merge");
            let words = [("bond", false), ("coalesce", true), ("tether", false)];
            let coalesces = item.and_then(|item| item.word(&words));
            if coalesces == Some(true) {
                return Some(Makes::One);
            }
            let why =
                "bonded particles keep their species: drop `product`, or use merge = \"coalesce\"";
            if coalesces == Some(false) {
                section.refuse("product", why);
            }
            coalesces.map(|_| Makes::Bond)
        }
        _ => Some(Makes::Nothing),
    }
}

/// The length of the tethers that a rule makes, which makes bonds or `makes` something else.
fn tether(section: &Section<'_>, makes: Makes) -> Option<f64> {
    let (merge, length) = (section.get("merge"), section.get("length"));
    let is_tether = match merge {
        Some(item) => item.text() == Some("tether"),
        // A reaction in one line says what is made, but not whether it is rigid.
        None => length.is_some() && makes == Makes::Bond,
    };
    if !is_tether {
        section.refuse("length", "only a tether has a length: use merge = \"tether\"");
        return None;
    }
    for key in ["k_on", "probability"] {
        section.refuse(
            key,
            "particles become tethered at a constant rate while they are near each other: give the intrinsic rate \
             constant, `rate`",
        );
    }
    section
        .refuse("k_off", "a tether is made at a `rate`, so give that at which it breaks, `unbind`");
    if length.is_none() {
        section.fault(
            "`length` is missing: how far apart the centres of the two can be, for example `length = \"12 nm\"`",
        );
    }
    // What is faulty passes all further checks.
    Some(length.and_then(|item| item.quantity()).unwrap_or(f64::NAN))
}

/// How a cluster is cut.
pub(super) fn fragmentation(section: &Section<'_>, context: &Context<'_>) -> Option<Fragmentation> {
    let usual = Fragmentation::default();
    let cut = section.get("at").map(|item| item.word(&[("any", Cut::Any), ("end", Cut::End)]));
    let minimum = section.get("minimum").map(|item| item.whole(1));
    let dissolved = section.get("dissolve").map(|item| context.kinds.one(&item));
    Some(Fragmentation {
        cut: cut.unwrap_or(Some(usual.cut))?,
        minimum: minimum.unwrap_or(Some(1)).map(|n| u32::try_from(n).unwrap_or(u32::MAX))?,
        dissolved: match dissolved {
            Some(species) => Some(species?),
            None => None,
        },
    })
}

/// How likely the rule is at one contact.
fn chance(section: &Section<'_>, dimension: usize) -> Option<Chance> {
    let wanted = Wanted::contact_rate(dimension);
    let given = CHANCES.map(|key| section.get(key));
    let keys: Vec<&str> =
        CHANCES.into_iter().zip(&given).filter(|(_, item)| item.is_some()).map(|g| g.0).collect();
    if let [first, second, ..] = keys.as_slice() {
        section.fault(format!("both `{first}` and `{second}` set how likely this is: keep one"));
        return None;
    }
    match given {
        [Some(item), _, _] => item.positive_as(&wanted).map(Chance::Intrinsic),
        [_, Some(item), _] => macroscopic(&item, dimension).map(Chance::Macroscopic),
        [_, _, Some(item)] => probability(&item).map(Chance::Probability),
        _ => {
            section.fault(format!(
                "nothing sets how likely this is: give `rate = \"{}\"` or `probability = 0.1`",
                wanted.example
            ));
            None
        }
    }
}

/// `k_on`, which there is in three dimensions only.
pub(super) fn macroscopic(item: &Item<'_>, dimension: usize) -> Option<f64> {
    let how = match dimension {
        1 => {
            "one dimension there is no macroscopic rate constant: the rate keeps falling, as one over the \
             square root of time"
        }
        2 => {
            "two dimensions there is no macroscopic rate constant: the rate keeps falling, as one over the \
             logarithm of time"
        }
        _ => return item.positive_as(&Wanted::contact_rate(3)),
    };
    let example = Wanted::contact_rate(dimension).example;
    item.fault(format!("in {how}; give the intrinsic one, k_a: `rate = \"{example}\"`"));
    None
}

pub(super) fn probability(item: &Item<'_>) -> Option<f64> {
    let value = item.quantity()?;
    if (0.0..=1.0).contains(&value) {
        return Some(value);
    }
    item.fault(format!("found {value}, but a probability is between 0 and 1"));
    None
}
