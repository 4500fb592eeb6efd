//! The tables `[[rule]]` and `[[schedule]]`: what happens at contacts, in time, and by the clock.

mod conditions;
mod contact;
mod fallback;
pub(super) mod geometry;
mod lines;
mod molecular;
mod reaction;
mod schedule;
mod timed;
mod transformation;
mod unbinding;

pub(crate) use schedule::key_of_rate;

use std::collections::{BTreeMap, BTreeSet};

use crate::check::{MOST_RULES, too_many_rules};
use crate::schema::RULE;
use crate::templates::MoleculeTemplate;
use crate::walker::Section;
use jostle_core::rules::{Action, Case, Chance, ContactRule, Cut, RuleSet, TimedAction, TimedRule};
use jostle_core::species::MOST_SPECIES;

use super::particles::name;
use super::{Context, observables, templates};
use reaction::{Reaction, WayBack};

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

/// All keys of a rule besides those that every rule takes.
fn keys() -> impl Iterator<Item = &'static str> {
    let of_all = ["name", "reaction", "do", "during"];
    RULE.keys.iter().map(|key| key.name).filter(move |name| !of_all.contains(name))
}

/// Keys that a reaction stands for, besides `do`.
const SAID: [&str; 9] =
    ["on", "cases", "at", "of", "which", "merge", "product", "products", "max_bonds"];

impl Do {
    /// The keys that it takes besides `name` and `do`, and `during` if it has a chance or a rate.
    fn keys(self, in_time: bool) -> &'static [&'static str] {
        match (self, in_time) {
            (Self::Bounce | Self::Pass | Self::Ignore, _) => &["on", "cases"],
            (Self::Bind, _) => &[
                "on",
                "cases",
                "at",
                "merge",
                "length",
                "product",
                "products",
                "rate",
                "k_on",
                "probability",
                "unbind",
                "k_off",
                "K_D",
                "cluster_size",
                "max_bonds",
                "snap",
                "torsion",
                "torsion_opening",
                "close_rate",
                "tolerance",
                "region",
            ],
            (Self::Convert, false) => &[
                "on",
                "cases",
                "products",
                "rate",
                "k_on",
                "probability",
                "removes",
                "cluster_size",
                "region",
            ],
            (Self::Convert, true) => &[
                "on",
                "cases",
                "products",
                "rate",
                "reversible",
                "removes",
                "cluster_size",
                "region",
            ],
            (Self::Annihilate, false) => {
                &["on", "cases", "rate", "k_on", "probability", "removes", "cluster_size", "region"]
            }
            (Self::Annihilate, true) => {
                &["on", "cases", "rate", "k_on", "probability", "removes", "cluster_size"]
            }
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
            (Self::Unbind, _) => &[
                "of",
                "on",
                "cases",
                "products",
                "rate",
                "k_off",
                "K_D",
                "which",
                "cluster_size",
                "region",
            ],
            (Self::Decay, _) => &["on", "cases", "rate", "removes", "cluster_size", "region"],
            (Self::Create, _) => &["product", "rate", "region"],
        }
    }

    fn word(self) -> &'static str {
        WORDS.iter().find(|(_, what)| *what == self).map_or("", |(word, _)| word)
    }

    /// Whether it lasts as long as the model does: particles might overlap when it ended.
    fn is_permanent(self) -> bool {
        matches!(self, Self::Bounce | Self::Pass | Self::Ignore)
    }
}

/// For each word of `do`, and for `reaction`, the keys that such a rule has, in the order of the
/// schema.
pub(crate) fn rule_keys() -> Vec<(&'static str, Vec<&'static str>)> {
    let taken =
        |what: Do| move |key: &&str| [false, true].iter().any(|t| what.keys(*t).contains(key));
    let in_order = |takes: &dyn Fn(&&str) -> bool| -> Vec<_> {
        RULE.keys.iter().map(|key| key.name).filter(takes).collect()
    };
    let of_word = |(word, what): (&'static str, Do)| {
        let also: &[&str] = if what.is_permanent() { &["name"] } else { &["name", "during"] };
        (word, in_order(&|key| also.contains(key) || taken(what)(key)))
    };
    let reactions = [Do::Bind, Do::Convert, Do::Annihilate, Do::Decay, Do::Create];
    let of_reaction = in_order(&|key| {
        ["name", "reaction", "during", "back", "concentration"].contains(key)
            || (!SAID.contains(key) && reactions.iter().any(|what| taken(*what)(key)))
    });
    WORDS.into_iter().map(of_word).chain([("reaction", of_reaction)]).collect()
}

/// What is known of the rules while they are read.
#[derive(Default)]
struct Reading<'a> {
    rules: RuleSet,
    names: BTreeSet<String>,
    /// The names of all potentials between particles, in their order, and of those beside surfaces.
    potentials: Vec<String>,
    beside_surfaces: Vec<String>,
    /// Rules whose faults are known already: nothing more is said of what refers to them.
    broken: Vec<String>,
    /// Rules that undo others may stand before these, so they wait: their place among the rules in
    /// time, table and name.
    waiting: Vec<(usize, Section<'a>, String)>,
    /// Ways back of bindings between sites: their place among the rules in time, and their bonds.
    ways_back: Vec<(usize, Vec<Case<2>>)>,
    /// Contact rules for all species that give way to others: number and table.
    wild: Vec<(usize, Section<'a>)>,
}

/// Reads all rules; those of the bonds of molecules come after all others at contact.
pub(super) fn rules(
    root: &Section<'_>,
    context: &Context<'_>,
    molecules: &[MoleculeTemplate],
) -> RuleSet {
    let tables = (root.tables("rule"), root.tables("schedule"));
    // Too many species are said already; patterns over so many would only flood.
    if context.kinds.len() > MOST_SPECIES || !are_few(root, tables.0.len(), tables.1.len()) {
        return RuleSet::default();
    }
    let potentials = root.tables("potential").into_iter();
    let named = potentials
        .map(|section| section.get("name").and_then(|item| item.text().map(str::to_owned)));
    let named = named.map(Option::unwrap_or_default);
    let mut reading = Reading {
        potentials: named.filter(|name| !context.beside_surfaces.contains(name)).collect(),
        beside_surfaces: context.beside_surfaces.clone(),
        ..Reading::default()
    };
    reading.names.extend(molecules.iter().map(|molecule| molecule.name.clone()));
    for section in tables.0 {
        let name = section.require("name").map(|item| {
            let name = name(&item, &reading.names);
            reading.names.insert(name.clone());
            name
        });
        let what = match section.get("reaction") {
            Some(item) => reaction::read(&item, &context.kinds).map(|reaction| reaction.what),
            None => section.require("do").and_then(|item| item.word(&WORDS)),
        };
        // Without knowing what it does, no other key can be judged.
        match what {
            Some(what) => reading.rule(section, context, what, name.unwrap_or_default()),
            None => reading.broken.extend(name),
        }
    }
    // `unbind` and ways back make rules of their own, and what follows goes by numbers.
    let count = reading.rules.len() + molecules.len() + tables.1.len();
    if count > MOST_RULES {
        if let Some(item) = root.get("rule") {
            item.fault(too_many_rules(count));
        }
        return RuleSet::default();
    }
    let wild = std::mem::take(&mut reading.wild);
    reading.give_way(&wild, context.kinds.len());
    wild.into_iter().for_each(|(_, section)| section.finish());
    reading.leave_alone(context);
    reading.rules.contact.extend(molecules.iter().map(templates::rule));
    for (at, section, name) in std::mem::take(&mut reading.waiting) {
        match timed::unbind(&section, context, &name, &reading.rules.contact, &reading.broken) {
            Some(rule) => reading.rules.timed[at] = rule,
            None => reading.broken.push(name),
        }
        section.finish();
    }
    reading.break_bonds_of_others();
    reading.rules.observables = observables::observables(root, context);
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
            Do::Convert | Do::Fragment => lines::partners(&section, context) == Some(1),
            _ => false,
        };
        let reaction = reaction::of(&section, &context.kinds);
        match &reaction {
            Some(reaction) => refuse_beside(&section, reaction),
            None => refuse_others(&section, what, in_time),
        }
        if what == Do::Unbind {
            self.waiting.push((self.rules.timed.len(), section, name.clone()));
            // Holds its place until all rules are known.
            self.rules.timed.push(TimedRule::unbind(&name, 0, f64::NAN));
            return;
        }
        let read = if let Some(reaction) = reaction.filter(|_| in_time) {
            self.reaction_in_time(&section, context, &reaction, &name)
        } else if in_time {
            let rule = timed::rule(&section, context, what, &name);
            rule.map(|rule| self.rules.timed.push(rule))
        } else {
            let number = self.rules.contact.len() as u16;
            let rule = contact::rule(&section, context, what, &name);
            let undoing = self.shorthand(&section, context, what, (number, rule.as_ref()), &name);
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

    /// A reaction of one particle or of none, and the way back.
    fn reaction_in_time(
        &mut self,
        section: &Section<'_>,
        context: &Context<'_>,
        reaction: &Reaction,
        name: &str,
    ) -> Option<()> {
        let back = reaction.reversible.then(|| {
            let name = self.take_name(section, &format!("{name}_back"));
            reaction::back(section, context, reaction, &name)
        });
        let rate_back = back.as_ref().and_then(|back| Some(back.as_ref()?.rate));
        let forth = reaction::forth(section, context, reaction, name, rate_back);
        self.rules.timed.push(forth?);
        if let Some(back) = back {
            self.rules.timed.push(back?);
        }
        Some(())
    }

    /// Takes the name of a rule that another one makes.
    fn take_name(&mut self, section: &Section<'_>, name: &str) -> String {
        if !self.names.insert(name.to_owned()) {
            section.fault(format!(
                "this would create a rule called \"{name}\", but that name is taken"
            ));
        }
        name.to_owned()
    }

    /// `unbind = "0.1 /s"`, `k_off` or `K_D` of a bind rule.
    fn shorthand(
        &mut self,
        section: &Section<'_>,
        context: &Context<'_>,
        what: Do,
        (of, bind): (u16, Option<&ContactRule>),
        name: &str,
    ) -> Option<TimedRule> {
        let mut given = unbinding::OF_BIND.into_iter().filter_map(|key| section.get(key));
        given.next().filter(|_| what == Do::Bind)?;
        let name = self.take_name(section, &format!("{name}_unbind"));
        let rate = unbinding::rate(section, context, unbinding::OF_BIND, bind);
        if rate.is_none() {
            self.broken.push(name.clone());
        }
        let WayBack { bonds, says_more } = reaction::way_back(section, context);
        // The bond alone is known to the rule that made it.
        let ends = if says_more { bonds.clone() } else { Vec::new() };
        let action = TimedAction::Unbind { of: vec![of], cut: Cut::Any, ends };
        let rule = TimedRule::new(&name, action, rate?);
        if bind.is_some() {
            self.ways_back.push((self.rules.timed.len(), bonds));
        }
        Some(rule)
    }

    /// Ways back break all bonds that they describe, as if they were rules of their own: a molecule
    /// may have changed since another rule bound it. Rates of both kinds never stand for one rule,
    /// so the rules are all given by `k_on`, or none is.
    fn break_bonds_of_others(&mut self) {
        let RuleSet { contact, timed, .. } = &mut self.rules;
        let mut makers: BTreeMap<[(u16, u8); 2], Vec<u16>> = BTreeMap::new();
        for (n, rule) in (0u16..).zip(&*contact).filter(|(_, rule)| rule.action == Action::Bond) {
            for bond in rule.cases.iter().filter_map(timed::joined) {
                makers.entry(bond).or_default().push(n);
            }
        }
        let is_macroscopic =
            |n: u16| matches!(contact[usize::from(n)].chance, Chance::Macroscopic(_));
        for (at, bonds) in std::mem::take(&mut self.ways_back) {
            let Some(TimedAction::Unbind { of, ends, .. }) =
                timed.get_mut(at).map(|t| &mut t.action)
            else {
                continue;
            };
            let own = of[0];
            let like = bonds.iter().filter_map(timed::joined).filter_map(|bond| makers.get(&bond));
            for &other in like.flatten() {
                if !of.contains(&other) && is_macroscopic(other) == is_macroscopic(own) {
                    of.push(other);
                }
            }
            if of.len() > 1 {
                *ends = bonds;
            }
        }
    }
}

/// Notes every key that a reaction says already, or that makes no sense beside it.
fn refuse_beside(section: &Section<'_>, reaction: &Reaction) {
    section.refuse("do", "`reaction` already says this: drop `do`");
    for key in SAID {
        section.refuse(key, &format!("`reaction` already gives the products: drop `{key}`"));
    }
    let back: &[&str] = match (reaction.reversible, reaction.what) {
        // Bonds break whichever rule made them, and may be made at `k_on`.
        (false, Do::Unbind) => &["k_off", "K_D"],
        (false, _) => &[],
        (true, Do::Bind) => &unbinding::OF_BIND,
        (true, Do::Create) => &["back", "concentration"],
        (true, _) => &["back"],
    };
    let ways_back =
        |key: &&str| unbinding::OF_BIND.contains(key) || ["back", "concentration"].contains(key);
    // Of `<->` it is known.
    let said = |key: &str| SAID.contains(&key) || (reaction.reversible && key == "reversible");
    let forth = reaction.what.keys(reaction.in_time()).iter().filter(|key| !said(key));
    let taken: Vec<&str> = forth.filter(|key| !ways_back(key)).chain(back).copied().collect();
    for key in keys().filter(|key| !taken.contains(key) && !SAID.contains(key)) {
        let why = match reaction.reversible || !ways_back(&key) {
            true => format!("this reaction does not have this key; it can have {}", quoted(&taken)),
            false => format!("this reaction goes one way: write `<->`, or drop `{key}`"),
        };
        section.refuse(key, &why);
    }
    let lacks_back = back.iter().all(|key| !section.has(key));
    if reaction.reversible && reaction.what == Do::Bind && lacks_back {
        section.fault(
            "`<->` needs the reverse rate: `k_off = \"0.1 /s\"` or `K_D = \"20 nM\"` with `k_on`, `unbind` with `rate`",
        );
    }
}

fn quoted(keys: &[&str]) -> String {
    keys.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ")
}

/// Notes every key that makes sense in other rules only.
fn refuse_others(section: &Section<'_>, what: Do, in_time: bool) {
    let taken = what.keys(in_time);
    let when = match (what, in_time) {
        (Do::Convert | Do::Fragment, true) => " with one in `on`",
        (Do::Convert | Do::Fragment, false) => " with two in `on`",
        _ => "",
    };
    let word = what.word();
    for key in keys().filter(|key| !taken.contains(key)) {
        section.refuse(
            key,
            &format!(
                "a rule with do = \"{word}\"{when} does not have this key; it can have {}",
                quoted(taken)
            ),
        );
    }
    if what.is_permanent() {
        section.refuse(
            "during",
            &format!(
                "a {word} rule must apply during the whole run: particles might overlap when it starts or ends"
            ),
        );
    }
}
