//! A rule in one line: `reaction = "A + DA{off} <-> DA{on}"`. What it does follows from how many
//! stand on either side, and from the arrow.

use crate::units::Wanted;
use crate::walker::{Item, Section};
use jostle_core::rules::{Case, TimedAction, TimedRule};

use super::super::molecules::is_notation;
use super::super::patterns::Kinds;
use super::super::{Context, molecules};
use super::lines::{self, Line};
use super::transformation::{Effect, Transformation};
use super::{Do, molecular, timed};

/// The most particles of a species that a number in front of it can mean.
const MOST_ALIKE: usize = 100;

/// What stands on either side of the arrow.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Reaction {
    reactants: Vec<String>,
    products: Vec<String>,
    /// Whether it goes both ways.
    pub(super) reversible: bool,
    /// What it does forwards.
    pub(super) what: Do,
    /// The same of molecules with sites, if these are named.
    pub(super) molecules: Option<Transformation>,
}

/// The reaction of a rule, if it is written as one; its faults are noted.
pub(super) fn read(item: &Item<'_>, kinds: &Kinds) -> Option<Reaction> {
    match Reaction::parse(item.text()?, kinds) {
        Ok(reaction) => Some(reaction),
        Err(why) => {
            item.fault(why);
            None
        }
    }
}

/// The same, if it has no faults; of these nothing is said.
pub(super) fn of(section: &Section<'_>, kinds: &Kinds) -> Option<Reaction> {
    Reaction::parse(section.get("reaction")?.text()?, kinds).ok()
}

impl Reaction {
    fn parse(text: &str, kinds: &Kinds) -> Result<Self, String> {
        // In this order, since `<->` contains `->`.
        let (reversible, arrow) = if text.contains("<->") { (true, "<->") } else { (false, "->") };
        let Some((left, right)) = text.split_once(arrow) else {
            return Err(format!(
                "\"{text}\" has no arrow: write reactants to the left of `->` and products to the right, as in \"A \
                 + B -> C\"; `<->` goes both ways"
            ));
        };
        if right.contains("->") {
            return Err(format!("\"{text}\" has two arrows: write a rule for each step"));
        }
        let (reactants, products) = (side(left, "left", arrow)?, side(right, "right", arrow)?);
        if reactants.iter().chain(&products).any(|term| is_notation(kinds, term)) {
            return Self::of_molecules(reactants, products, reversible);
        }
        let what = what(&reactants, &products, reversible)?;
        Ok(Self { reactants, products, reversible, what, molecules: None })
    }

    fn of_molecules(
        reactants: Vec<String>,
        products: Vec<String>,
        reversible: bool,
    ) -> Result<Self, String> {
        if reactants.len() > 2 {
            let many = reactants.len();
            return Err(format!("there are {many} reactants: at most two can meet at a time"));
        }
        let found = Transformation::new(&reactants, &products)?;
        let what = match (&found.effect, reactants.len()) {
            (Effect::Bind(_), _) => Do::Bind,
            (Effect::Unbind(_), _) => Do::Unbind,
            (Effect::Create(_), _) => Do::Create,
            (Effect::Change(all), from) if all.leaves_none() && all.others.is_empty() => {
                one_way(from, products.len())
            }
            (Effect::Change(some), _) if reversible && !some.keeps_all() => {
                return Err("this goes one way: write `->`, and a rule for the way back".to_owned());
            }
            (Effect::Change(_), _) => Do::Convert,
        };
        if reversible && what == Do::Unbind {
            return Err(
                "the two that bind belong on the left: write this the other way round".to_owned()
            );
        }
        // Two that become two have no reverse at contact that would keep detailed balance at every
        // time step; binding has (docs/concepts/exactness.md).
        if reversible && what != Do::Bind && reactants.len() == 2 {
            return Err("at a contact, only a binding can be made exactly reversible: write `->`, and a rule for \
                        the way back"
                .to_owned());
        }
        Ok(Self { reactants, products, reversible, what, molecules: Some(found) })
    }

    /// Whether it happens in time, and not at contact.
    pub(super) fn in_time(&self) -> bool {
        self.reactants.len() < 2
    }

    fn reversed(&self) -> Self {
        let (reactants, products) = (self.products.clone(), self.reactants.clone());
        let found = self.molecules.as_ref();
        let molecules = found.and_then(|_| Transformation::new(&reactants, &products).ok());
        let what = one_way(reactants.len(), products.len());
        Self { what, reactants, products, molecules, ..*self }
    }

    /// What it is for, and what arises.
    pub(super) fn line(&self, item: &Item<'_>, context: &Context<'_>) -> Option<Line> {
        if let Some(molecules) = &self.molecules {
            let partners = if self.what == Do::Unbind { 2 } else { self.reactants.len() };
            return Line::of_molecules(item, context, molecules, partners);
        }
        let on: Vec<_> =
            self.reactants.iter().map(|name| context.kinds.matching_text(item, name)).collect();
        let products: Vec<_> =
            self.products.iter().map(|name| context.kinds.template(item, name)).collect();
        Some(Line::Species {
            on: on.into_iter().collect::<Option<_>>()?,
            products: products.into_iter().collect::<Option<_>>()?,
        })
    }
}

/// The species on one side of the arrow; `0` stands for none.
fn side(text: &str, which: &str, arrow: &str) -> Result<Vec<String>, String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    match words.as_slice() {
        [] => {
            return Err(format!(
                "there is no particle {which} of `{arrow}`: write 0 for nothing, as in \"0 -> A\""
            ));
        }
        ["0"] => return Ok(Vec::new()),
        _ => {}
    }
    let mut found = Vec::new();
    // With a blank at either end, a `+` without a partner leaves an empty term, which is a fault.
    // Names may contain one: `Ca2+`.
    for term in format!(" {} ", words.join(" ")).split(" + ") {
        let (count, name) = counted(term.trim())?;
        found.extend(std::iter::repeat_n(name, count));
    }
    Ok(found)
}

/// `A{on}`, or `2 A`.
fn counted(term: &str) -> Result<(usize, String), String> {
    if term.is_empty() {
        return Err("a `+` needs a species on each side".to_owned());
    }
    if term == "0" {
        return Err("0 means nothing, and cannot be combined with species".to_owned());
    }
    let (count, name) = match term.split_once(' ') {
        Some((number, name)) if number.chars().all(|c| c.is_ascii_digit()) => {
            let count = number.parse().ok().filter(|count| (1..=MOST_ALIKE).contains(count));
            (
                count.ok_or_else(|| {
                    format!("{number} of a species: 1 to {MOST_ALIKE} are possible")
                })?,
                name,
            )
        }
        _ => (1, term),
    };
    if name.contains('(') {
        return Ok((count, name.to_owned()));
    }
    let declared = name.split('{').next().unwrap_or_default().trim_end();
    // An ion may end in one.
    if declared.trim_end_matches('+').contains('+') {
        return Err(format!(
            "\"{declared}\": a `+` between two species needs a space on either side"
        ));
    }
    // Within braces there may be spaces.
    if declared.contains(' ') {
        return Err(format!("\"{name}\" is not a species: is a `+` missing?"));
    }
    Ok((count, name.to_owned()))
}

/// What a reaction does, or why there is none like it.
fn what(reactants: &[String], products: &[String], reversible: bool) -> Result<Do, String> {
    let (from, to) = (reactants.len(), products.len());
    let sum = |side: &[String]| if side.is_empty() { "0".to_owned() } else { side.join(" + ") };
    match (from, to) {
        (0, 0) => Err("nothing happens: 0 is on both sides".to_owned()),
        (3.., _) => Err(format!("there are {from} reactants: at most two can meet at a time")),
        (0, 2..) => {
            Err(format!("{to} particles are created at once: write a rule for each species"))
        }
        (0 | 1, 0 | 1) => Ok(one_way(from, to)),
        _ if !reversible => Ok(one_way(from, to)),
        (2, 1) => Ok(Do::Bind),
        (1, 2) => Err(format!(
            "the two that bind belong on the left: \"{} <-> {}\"",
            sum(products),
            sum(reactants)
        )),
        (2, 2) => Err(format!(
            "two become two in both directions: jostle can make only a binding (two become one) exactly \
             reversible. Write \
             \"{left} -> {right}\" and \"{right} -> {left}\"; `jostle check` reports whether they are in balance at \
             this time step",
            left = sum(reactants),
            right = sum(products)
        )),
        _ => Err(format!("{from} become {to}: such a reaction cannot be reversed; write `->`")),
    }
}

fn one_way(from: usize, to: usize) -> Do {
    match (from, to) {
        (0, _) => Do::Create,
        (1, 0) => Do::Decay,
        (2, 0) => Do::Annihilate,
        _ => Do::Convert,
    }
}

/// The bonds that break in the way back of a binding between sites.
#[derive(Default)]
pub(super) struct WayBack {
    /// What the two molecules must be like; none if the binding is not one between sites.
    pub(super) bonds: Vec<Case<2>>,
    /// Whether the right side says more of them than that they are bound.
    pub(super) says_more: bool,
}

/// The way back of a binding.
pub(super) fn way_back(section: &Section<'_>, context: &Context<'_>) -> WayBack {
    let found = section.get("reaction").and_then(|item| {
        let reaction = of(section, &context.kinds)?;
        let back = Transformation::new(&reaction.products, &reaction.reactants).ok()?;
        if !matches!(back.effect, Effect::Unbind(_)) {
            return None;
        }
        let says_more = back.left.iter().flatten().any(|molecule| molecule.sites.len() > 1)
            || back.left.iter().any(|complex| complex.len() > 2)
            || back
                .left
                .iter()
                .flatten()
                .flat_map(|molecule| &molecule.sites)
                .any(|site| !site.states.is_empty());
        let bonds = molecular::pairs(&item, &context.kinds, &back)?;
        Some(WayBack { bonds, says_more })
    });
    found.unwrap_or_default()
}

/// A reaction in time, forwards at `rate`, or at that which holds a `concentration` where the way back has
/// this rate \[1/µs\].
pub(super) fn forth(
    section: &Section<'_>,
    context: &Context<'_>,
    reaction: &Reaction,
    name: &str,
    back: Option<f64>,
) -> Option<TimedRule> {
    let Some(item) =
        section.get("concentration").filter(|_| reaction.reversible && reaction.what == Do::Create)
    else {
        return in_time(section, context, reaction, "rate", name);
    };
    section.refuse(
        "rate",
        "`concentration` already says how many are created, `concentration` * `back`: keep one of the two",
    );
    let (action, dimension) = creation(section, context, reaction)?;
    let held = item.positive_as(&Wanted::concentration(dimension));
    let rate = held.zip(back).map(|(concentration, back)| concentration * back);
    timed::limited(section, context, name, action, rate)
}

/// What a reaction creates, and in how many dimensions that lives.
fn creation(
    section: &Section<'_>,
    context: &Context<'_>,
    reaction: &Reaction,
) -> Option<(TimedAction, usize)> {
    let item = section.get("reaction")?;
    let (species, sites) = molecules::particle(&item, context, reaction.products.first()?)?;
    Some((TimedAction::Create { species, sites }, context.dimension_where(species)))
}

/// The same the other way round, at the rate `back`.
pub(super) fn back(
    section: &Section<'_>,
    context: &Context<'_>,
    reaction: &Reaction,
    name: &str,
) -> Option<TimedRule> {
    in_time(section, context, &reaction.reversed(), "back", name)
}

fn in_time(
    section: &Section<'_>,
    context: &Context<'_>,
    reaction: &Reaction,
    key: &'static str,
    name: &str,
) -> Option<TimedRule> {
    let item = section.get("reaction")?;
    let (action, wanted) = match reaction.what {
        Do::Create => {
            let (action, dimension) = creation(section, context, reaction).unzip();
            (action, Wanted::creation_rate(dimension.unwrap_or(context.dimension)))
        }
        _ => {
            let line = reaction.line(&item, context);
            let cases = line.and_then(|line| lines::singles(section, context, &[line], true));
            (cases.map(|cases| TimedAction::Convert { cases }), Wanted::RATE)
        }
    };
    let example = wanted.example.split('"').next().unwrap_or_default();
    let rate = section
        .require_like(key, &format!("\"{example}\""))
        .and_then(|item| item.positive_as(&wanted));
    let rule = timed::limited(section, context, name, action?, rate)?;
    let reversible = rule.reversible || (reaction.reversible && timed::becomes_one(&rule.action));
    Some(TimedRule { reversible, ..rule })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_reaction_does_follows_from_its_sides() {
        for (text, what, in_time) in [
            ("0 -> A", Do::Create, true),
            ("A -> 0", Do::Decay, true),
            ("A -> B", Do::Convert, true),
            ("DA -> DA + MA", Do::Convert, true),
            ("A <-> B", Do::Convert, true),
            ("0 <-> A", Do::Create, true),
            ("A + B -> 0", Do::Annihilate, false),
            ("2 A -> B", Do::Convert, false),
            ("A + B -> C", Do::Convert, false),
            ("Ca2+ + B{a, b|c} <-> C{x}", Do::Bind, false),
        ] {
            let reaction = Reaction::parse(text, &Kinds::default()).unwrap();
            assert_eq!((reaction.what, reaction.in_time()), (what, in_time), "{text}");
        }
        let reaction = Reaction::parse("Ca2+ + B{a, b|c} <-> C{x}", &Kinds::default()).unwrap();
        assert_eq!(reaction.reactants, ["Ca2+", "B{a, b|c}"]);
        assert_eq!(
            Reaction::parse("A <-> 0", &Kinds::default()).unwrap().reversed(),
            Reaction::parse("0 <-> A", &Kinds::default()).unwrap()
        );
    }

    #[test]
    fn what_is_no_reaction_is_reported_exactly() {
        for (text, expected) in [
            ("A + B", "has no arrow"),
            ("A => B", "has no arrow"),
            ("A -> B -> C", "two arrows"),
            ("-> A", "no particle left of `->`: write 0"),
            ("A <->", "no particle right of `<->`"),
            ("0 -> 0", "nothing happens"),
            ("A + B + C -> D", "there are 3 reactants"),
            ("0 -> A + B", "write a rule for each species"),
            ("A + -> B", "needs a species on each side"),
            ("A+B -> C", "\"A+B\": a `+` between two species needs a space on either side"),
            ("A B -> C", "is a `+` missing?"),
            ("A + 0 -> C", "0 means nothing"),
            ("1000 A -> B", "1 to 100"),
            ("A <-> B + C", "\"B + C <-> A\""),
            ("A + B <-> C + D", "Write \"A + B -> C + D\" and \"C + D -> A + B\""),
            ("A + B <-> 0", "cannot be reversed"),
        ] {
            let said = Reaction::parse(text, &Kinds::default()).unwrap_err();
            assert!(said.contains(expected), "{text}: {said}");
        }
    }
}
