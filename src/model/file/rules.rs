//! The `[[rule]]` tables and `[clusters]`: what happens at contacts and in time.

use crate::model::units::Wanted;
use crate::model::walker::{Item, Section};
use crate::rules::{Action, Chance, ContactRule, RuleSet, TimedAction, TimedRule};
use crate::species::MobilityLaw;

use super::Context;
use super::bodies::name;

/// What `do` can say.
#[derive(Clone, Copy, PartialEq)]
enum Do {
    Bounce,
    Pass,
    Ignore,
    Bind,
    Unbind,
}

const WORDS: [(&str, Do); 5] = [
    ("bounce", Do::Bounce),
    ("pass", Do::Pass),
    ("ignore", Do::Ignore),
    ("bind", Do::Bind),
    ("unbind", Do::Unbind),
];

pub(super) fn rules(root: &Section<'_>, context: &Context<'_>) -> RuleSet {
    let mut rules = RuleSet::default();
    let mut names = Vec::new();
    // An unbind rule may stand before the rule that it undoes, so those wait.
    let mut unbinds = Vec::new();
    let mut broken = Vec::new();
    for section in root.tables("rule") {
        let name = name(&section, &names, "\"dimerise\"");
        names.push(name.clone());
        let what = section.require("do", "\"bind\"").and_then(|item| item.word(&WORDS));
        match what {
            Some(Do::Unbind) => {
                // Its place among the timed rules is kept: it is filled in below.
                unbinds.push((rules.timed.len(), section, name));
                rules.timed.push(TimedRule {
                    name: String::new(),
                    action: TimedAction::Unbind { of: 0 },
                    rate: f64::NAN,
                });
            }
            Some(what) => {
                let number = rules.contact.len() as u16;
                let rule = contact(&section, context, what, &name);
                let timed = shorthand(&section, what, number, &name, &mut names);
                if let Some(rule) = rule {
                    rules.contact.push(rule);
                    rules.timed.extend(timed);
                } else {
                    broken.push(name);
                }
                section.finish();
            }
            // Without knowing what it does, no other key can be judged.
            None => {}
        }
    }
    for (at, section, name) in unbinds {
        if let Some(rule) = unbind(&section, name, &rules.contact, &broken) {
            rules.timed[at] = rule;
        }
        section.finish();
    }
    rules
}

fn contact(section: &Section<'_>, context: &Context<'_>, what: Do, name: &str) -> Option<ContactRule> {
    let species = on(section, context);
    section.refuse("of", "only an unbind rule undoes another");
    let (action, chance) = match what {
        Do::Bind => (merge(section, context), chance(section, context)),
        other => {
            let why = "only a bind rule takes this: a bounce or a pass happens at every contact";
            for key in ["merge", "product", "rate", "probability", "unbind"] {
                section.refuse(key, why);
            }
            let action = match other {
                Do::Pass => Action::Pass,
                Do::Ignore => Action::Ignore,
                _ => Action::Bounce,
            };
            (Some(action), Some(Chance::Probability(1.0)))
        }
    };
    Some(ContactRule {
        name: name.to_owned(),
        species: species?,
        action: action?,
        chance: chance.unwrap_or(Chance::Probability(f64::NAN)),
    })
}

fn on(section: &Section<'_>, context: &Context<'_>) -> Option<[u16; 2]> {
    let item = section.require("on", "[\"EGFR\", \"EGFR\"]")?;
    let list = item.list()?;
    let found: Vec<_> = list.iter().map(|item| context.species(item)).collect();
    match found.as_slice() {
        [a, b] => Some([(*a)?, (*b)?]),
        other => {
            item.fault(format!(
                "found {} species, but two are needed: whose contacts the rule is for",
                other.len()
            ));
            None
        }
    }
}

fn merge(section: &Section<'_>, context: &Context<'_>) -> Option<Action> {
    let item = section.require("merge", "\"bond\"")?;
    if item.word(&[("bond", false), ("coalesce", true)])? {
        let product = section.require("product", "\"Dimer\"").and_then(|item| context.species(&item))?;
        Some(Action::Coalesce { product })
    } else {
        section
            .refuse("product", "bonded bodies stay what they are: drop `product`, or merge = \"coalesce\"");
        Some(Action::Bond)
    }
}

fn chance(section: &Section<'_>, context: &Context<'_>) -> Option<Chance> {
    match (section.get("rate"), section.get("probability")) {
        (Some(item), None) => item.positive(&Wanted::contact_rate(context.dimension)).map(Chance::Intrinsic),
        (None, Some(item)) => probability(&item).map(Chance::Probability),
        (None, None) => {
            let example = Wanted::contact_rate(context.dimension).example;
            section.fault(format!(
                "nothing says how likely it is: `rate = \"{example}\"` or `probability = 0.1`"
            ));
            None
        }
        (Some(_), Some(_)) => {
            section.fault("both `rate` and `probability` say how likely it is: keep one");
            None
        }
    }
}

fn probability(item: &Item<'_>) -> Option<f64> {
    let value = item.quantity(&Wanted::NUMBER)?;
    if (0.0..=1.0).contains(&value) {
        return Some(value);
    }
    item.fault(format!("found {value}, but a probability lies between 0 and 1"));
    None
}

/// `unbind = "0.1 /s"` of a bind rule.
fn shorthand(
    section: &Section<'_>,
    what: Do,
    of: u16,
    name: &str,
    names: &mut Vec<String>,
) -> Option<TimedRule> {
    if what != Do::Bind {
        return None;
    }
    let item = section.get("unbind")?;
    let rate = item.positive(&Wanted::RATE);
    let name = format!("{name}_unbind");
    if names.contains(&name) {
        item.fault(format!("the rule that this makes would be called \"{name}\", which is taken"));
    }
    names.push(name.clone());
    Some(TimedRule { name, action: TimedAction::Unbind { of }, rate: rate? })
}

/// A rule of its own that undoes a bind rule; `broken` are rules whose faults are known already.
fn unbind(
    section: &Section<'_>,
    name: String,
    contact: &[ContactRule],
    broken: &[String],
) -> Option<TimedRule> {
    for key in ["on", "merge", "product", "probability", "unbind"] {
        section.refuse(key, "an unbind rule takes only `of` and `rate`");
    }
    let rate = section.require("rate", "\"0.1 /s\"").and_then(|item| item.positive(&Wanted::RATE));
    let item = section.require("of", "\"dimerise\"")?;
    let wanted = item.text()?;
    if broken.iter().any(|name| name == wanted) {
        return None;
    }
    let Some(of) = contact.iter().position(|rule| rule.name == wanted) else {
        let known: Vec<_> = binds(contact).map(|rule| rule.name.as_str()).collect();
        let known = match known.as_slice() {
            [] => "there is none".to_owned(),
            names => names.join(", "),
        };
        item.fault(format!("there is no rule \"{wanted}\"; bind rules: {known}"));
        return None;
    };
    if !binds(contact).any(|rule| rule.name == wanted) {
        item.fault(format!("rule \"{wanted}\" binds nothing, so there is nothing to undo"));
        return None;
    }
    Some(TimedRule { name, action: TimedAction::Unbind { of: of as u16 }, rate: rate? })
}

fn binds(contact: &[ContactRule]) -> impl Iterator<Item = &ContactRule> {
    contact.iter().filter(|rule| matches!(rule.action, Action::Bond | Action::Coalesce { .. }))
}

/// How fast clusters diffuse; Stokes if the file does not say.
pub(super) fn mobility(root: &Section<'_>) -> MobilityLaw {
    let section = root.table("clusters");
    let law =
        section.get("mobility").and_then(|item| if item.is_text() { named(&item) } else { table(&item) });
    section.finish();
    law.unwrap_or(MobilityLaw::Stokes)
}

fn named(item: &Item<'_>) -> Option<MobilityLaw> {
    if item.text()? == "saffman-delbruck" {
        item.fault(
            "the law of Saffman and Delbrueck is not built in; there are \"stokes\", \"rouse\", \
             \"immobile\", and a table of its values: { table = [1.0, 0.9, ..] }",
        );
        return None;
    }
    let word = item.word(&[("stokes", 0), ("rouse", 1), ("immobile", 2)])?;
    let laws = [MobilityLaw::Stokes, MobilityLaw::Rouse, MobilityLaw::Immobile];
    laws.into_iter().nth(word)
}

fn table(item: &Item<'_>) -> Option<MobilityLaw> {
    let section = item.section()?;
    let list = section.require("table", "[1.0, 0.5]").and_then(|item| {
        let list = item.list()?;
        if list.is_empty() {
            item.fault("the table is empty; the first entry serves a cluster of one body");
        }
        list.iter().map(|item| item.not_negative(&Wanted::NUMBER)).collect()
    });
    section.finish();
    list.map(MobilityLaw::Table)
}
