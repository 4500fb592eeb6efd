//! The tables `[[rule]]` and `[[schedule]]`: what happens at contacts, in time, and by the clock.

mod conditions;
mod contact;
mod fallback;
mod lines;
mod schedule;
mod timed;

use std::collections::BTreeSet;

use crate::model::check::{MOST_RULES, too_many_rules};
use crate::model::walker::Section;
use crate::rules::{ContactRule, RuleSet, TimedRule};
use crate::space::Groups;

use super::Context;
use super::bodies::name;

/// What `do` can say.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Do {
    Bounce,
    Pass,
    Ignore,
    Bind,
    Convert,
    Annihilate,
    Fragment,
    Unbind,
    Decay,
    Create,
}

const WORDS: [(&str, Do); 10] = [
    ("bounce", Do::Bounce),
    ("pass", Do::Pass),
    ("ignore", Do::Ignore),
    ("bind", Do::Bind),
    ("convert", Do::Convert),
    ("annihilate", Do::Annihilate),
    ("fragment", Do::Fragment),
    ("unbind", Do::Unbind),
    ("decay", Do::Decay),
    ("create", Do::Create),
];

/// The keys that say how likely a contact rule is.
const CHANCES: [&str; 3] = ["rate", "k_on", "probability"];

/// All keys of a rule besides `name` and `do`.
const KEYS: [&str; 17] = [
    "on",
    "cases",
    "merge",
    "product",
    "products",
    "rate",
    "k_on",
    "probability",
    "unbind",
    "of",
    "which",
    "at",
    "minimum",
    "dissolve",
    "region",
    "cluster_size",
    "max_bonds",
];

impl Do {
    /// The keys that it takes besides `name` and `do`, and `during` if it has a chance or a rate.
    fn keys(self, in_time: bool) -> &'static [&'static str] {
        match (self, in_time) {
            (Self::Bounce | Self::Pass | Self::Ignore, _) => &["on", "cases"],
            (Self::Bind, _) => &[
                "on",
                "cases",
                "merge",
                "product",
                "rate",
                "k_on",
                "probability",
                "unbind",
                "cluster_size",
                "max_bonds",
                "region",
            ],
            (Self::Convert, false) => {
                &["on", "cases", "products", "rate", "k_on", "probability", "cluster_size", "region"]
            }
            (Self::Convert, true) => &["on", "cases", "products", "rate", "cluster_size", "region"],
            (Self::Annihilate, false) => {
                &["on", "cases", "rate", "k_on", "probability", "cluster_size", "region"]
            }
            (Self::Annihilate, true) => &["on", "cases", "rate", "k_on", "probability", "cluster_size"],
            (Self::Fragment, false) => &[
                "on",
                "cases",
                "rate",
                "k_on",
                "probability",
                "at",
                "minimum",
                "dissolve",
                "cluster_size",
                "region",
            ],
            (Self::Fragment, true) => {
                &["on", "cases", "rate", "at", "minimum", "dissolve", "cluster_size", "region"]
            }
            (Self::Unbind, _) => &["of", "rate", "which", "cluster_size", "region"],
            (Self::Decay, _) => &["on", "cases", "rate", "cluster_size", "region"],
            (Self::Create, _) => &["product", "rate", "region"],
        }
    }

    fn word(self) -> &'static str {
        WORDS.iter().find(|(_, what)| *what == self).map_or("", |(word, _)| word)
    }

    /// Whether it lasts as long as the model does: bodies might overlap when it ended.
    fn is_permanent(self) -> bool {
        matches!(self, Self::Bounce | Self::Pass | Self::Ignore)
    }
}

/// What is known of the rules while they are read.
#[derive(Default)]
struct Reading<'a> {
    rules: RuleSet,
    names: BTreeSet<String>,
    /// Rules whose faults are known already: nothing more is said of what refers to them.
    broken: Vec<String>,
    /// Rules that undo others may stand before these, so they wait: their place among the rules in
    /// time, table and name.
    waiting: Vec<(usize, Section<'a>, String)>,
    /// Contact rules for all species that give way to others: number and table.
    wild: Vec<(usize, Section<'a>)>,
}

/// Reads all rules.
pub(super) fn rules(root: &Section<'_>, context: &Context<'_>) -> RuleSet {
    let tables = (root.tables("rule"), root.tables("schedule"));
    // Too many species are said already; patterns over so many would only flood.
    if context.kinds.len() > Groups::MOST || !are_few(root, tables.0.len(), tables.1.len()) {
        return RuleSet::default();
    }
    let mut reading = Reading::default();
    for section in tables.0 {
        let name = section.require("name", "\"dimerise\"").map(|item| {
            let name = name(&item, &reading.names, "\"dimerise\"");
            reading.names.insert(name.clone());
            name
        });
        let what = section.require("do", "\"bind\"").and_then(|item| item.word(&WORDS));
        // Without knowing what it does, no other key can be judged.
        match what {
            Some(what) => reading.rule(section, context, what, name.unwrap_or_default()),
            None => reading.broken.extend(name),
        }
    }
    let wild = std::mem::take(&mut reading.wild);
    reading.give_way(&wild);
    wild.into_iter().for_each(|(_, section)| section.finish());
    reading.leave_alone(context);
    for (at, section, name) in std::mem::take(&mut reading.waiting) {
        match timed::unbind(&section, context, &name, &reading.rules.contact, &reading.broken) {
            Some(rule) => reading.rules.timed[at] = rule,
            None => reading.broken.push(name),
        }
        section.finish();
    }
    schedule::schedule(tables.1, context, &mut reading);
    reading.rules
}

/// Whether there are no more tables than can be numbered; more are not even read.
fn are_few(root: &Section<'_>, rules: usize, scheduled: usize) -> bool {
    let are_few = rules + scheduled <= MOST_RULES;
    if !are_few && let Some(item) = root.get(if rules > scheduled { "rule" } else { "schedule" }) {
        item.fault(too_many_rules(rules + scheduled));
    }
    are_few
}

impl<'a> Reading<'a> {
    fn rule(&mut self, section: Section<'a>, context: &Context<'_>, what: Do, name: String) {
        let in_time = match what {
            Do::Unbind | Do::Decay | Do::Create => true,
            Do::Convert | Do::Fragment => lines::partners(&section) == Some(1),
            _ => false,
        };
        refuse_others(&section, what, in_time);
        if what == Do::Unbind {
            self.waiting.push((self.rules.timed.len(), section, name.clone()));
            // Holds its place until all rules are known.
            self.rules.timed.push(TimedRule::unbind(&name, 0, f64::NAN));
            return;
        }
        let read = if in_time {
            let rule = timed::rule(&section, context, what, &name);
            rule.map(|rule| self.rules.timed.push(rule))
        } else {
            let number = self.rules.contact.len() as u16;
            let rule = contact::rule(&section, context, what, &name);
            let undoing = self.shorthand(&section, what, number, &name);
            rule.map(|rule: ContactRule| {
                self.rules.contact.push(rule);
                self.rules.timed.extend(undoing);
            })
        };
        match read {
            Some(()) if what.is_permanent() && fallback::is_wild(&section) => {
                self.wild.push((self.rules.contact.len() - 1, section));
                return;
            }
            Some(()) => {}
            None => self.broken.push(name),
        }
        section.finish();
    }

    /// `unbind = "0.1 /s"` of a bind rule.
    fn shorthand(&mut self, section: &Section<'_>, what: Do, of: u16, name: &str) -> Option<TimedRule> {
        let item = section.get("unbind").filter(|_| what == Do::Bind)?;
        let name = format!("{name}_unbind");
        if self.names.contains(&name) {
            item.fault(format!("the rule that this makes would be called \"{name}\", which is taken"));
        }
        self.names.insert(name.clone());
        let rate = timed::rate(&item);
        if rate.is_none() {
            self.broken.push(name.clone());
        }
        Some(TimedRule::unbind(&name, of, rate?))
    }
}

/// Notes every key that makes sense in other rules only.
fn refuse_others(section: &Section<'_>, what: Do, in_time: bool) {
    let taken = what.keys(in_time);
    let quoted = |keys: &[&str]| keys.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ");
    let when = match (what, in_time) {
        (Do::Convert | Do::Fragment, true) => " with one in `on`",
        (Do::Convert | Do::Fragment, false) => " with two in `on`",
        _ => "",
    };
    let word = what.word();
    for key in KEYS.iter().filter(|key| !taken.contains(key)) {
        section.refuse(
            key,
            &format!("a rule that says do = \"{word}\"{when} does not take this: it takes {}", quoted(taken)),
        );
    }
    if what.is_permanent() {
        section.refuse(
            "during",
            &format!(
                "a {word} rule holds from beginning to end: bodies might overlap when it begins or ends"
            ),
        );
    }
}
