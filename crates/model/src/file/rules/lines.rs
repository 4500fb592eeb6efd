//! What a rule is for and what it makes of them: `on` with `product` or `products`, or several such
//! lines in `cases`.

use std::collections::BTreeMap;

use crate::walker::{Item, Section};
use jostle_core::rules::Case;

use super::super::Context;
use super::super::molecules::is_notation;
use super::super::patterns::Template;
use super::transformation::{BondChange, Effect, Transformation};
use super::{molecular, reaction};

/// Which key says what arises.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Makes {
    Nothing,
    /// Nothing is left of what reacts.
    Vacancy,
    /// A bond between two, at the sites `at`.
    Bond,
    /// A bond that was there is gone.
    Gap,
    /// `product`
    One,
    /// `products`
    Several,
}

pub(super) enum Line {
    /// The species of each partner, and what arises.
    Species { on: Vec<Vec<u16>>, products: Vec<Template> },
    /// Two molecules with sites.
    Pairs(Vec<Case<2>>),
    /// One molecule with sites.
    Singles(Vec<Case<1>>),
}

impl Line {
    /// The line of a transformation of molecules, of `partners` of them.
    pub(super) fn of_molecules(
        item: &Item<'_>,
        context: &Context<'_>,
        transformation: &Transformation,
        partners: usize,
    ) -> Option<Self> {
        match partners {
            1 => molecular::singles(item, &context.kinds, transformation).map(Self::Singles),
            _ => molecular::pairs(item, &context.kinds, transformation).map(Self::Pairs),
        }
    }
}

/// What is said of an unbind rule that names a species.
pub(super) const NO_COMPLEX: &str =
    "an unbind rule names the complex whose bond breaks, as in \"A(b!1).B(a!1)\"";

/// How many partners the rule says, if that can be told.
pub(super) fn partners(section: &Section<'_>, context: &Context<'_>) -> Option<usize> {
    if let Some(reaction) = reaction::of(section, &context.kinds) {
        return Some(if reaction.in_time() { 1 } else { 2 });
    }
    let on = match section.get("cases") {
        Some(item) if item.is_list() => item.list()?.first()?.section_if_any()?.get("on")?,
        _ => section.get("on")?,
    };
    if on.is_list() { Some(on.list()?.len()) } else { Some(1) }
}

/// The lines of a rule for `partners` partners.
pub(super) fn lines(
    section: &Section<'_>,
    context: &Context<'_>,
    partners: usize,
    makes: Makes,
) -> Option<Vec<Line>> {
    if let Some(item) = section.get("reaction") {
        let reaction = reaction::of(section, &context.kinds)?;
        return reaction.line(&item, context).map(|line| vec![line]);
    }
    let Some(item) = section.get("cases") else {
        return line(section, context, partners, makes).map(|line| vec![line]);
    };
    for key in ["on", "product", "products"] {
        section.refuse(key, "`cases` already says this: keep one of the two");
    }
    let list = item.list()?;
    if list.is_empty() {
        item.fault("there is no case, for example { on = [\"A\", \"B\"] }");
    }
    let read = |item: &Item<'_>| {
        let section = item.section()?;
        let line = line(&section, context, partners, makes);
        section.finish();
        line
    };
    let lines: Vec<Option<Line>> = list.iter().map(read).collect();
    lines.into_iter().collect()
}

fn line(
    section: &Section<'_>,
    context: &Context<'_>,
    partners: usize,
    makes: Makes,
) -> Option<Line> {
    if let Some(item) = section.get("on").filter(|item| has_molecules(item, context)) {
        let transformation = molecules(section, &item, partners, makes)?;
        // A bond has two ends, though the rule names one complex.
        let ends = if makes == Makes::Gap { 2 } else { partners };
        return Line::of_molecules(&item, context, &transformation, ends);
    }
    let on = on(section, context, partners);
    if matches!(makes, Makes::Bond | Makes::Gap | Makes::One) {
        section.refuse(
            "products",
            "only states of molecules with sites change when they bind or part, and `products` says how",
        );
    }
    let products = match makes {
        Makes::Nothing | Makes::Vacancy | Makes::Bond | Makes::Gap => Some(Vec::new()),
        Makes::One => {
            let item = section.require("product");
            item.and_then(|item| context.kinds.template(&item, item.text()?))
                .map(|product| vec![product])
        }
        Makes::Several => section.require("products").and_then(|item| {
            let read = |item: &Item<'_>| context.kinds.template(item, item.text()?);
            let products: Vec<_> = item.list()?.iter().map(read).collect();
            products.into_iter().collect()
        }),
    };
    Some(Line::Species { on: on?, products: products? })
}

/// The texts of an item that is a text or a list of them.
fn texts<'i>(item: &Item<'i>) -> Option<Vec<&'i str>> {
    match item.is_list() {
        true => item.texts(),
        false => Some(vec![item.text()?]),
    }
}

/// Whether any of these texts is in the notation of molecules with sites.
fn has_molecules(item: &Item<'_>, context: &Context<'_>) -> bool {
    let list = if item.is_list() { item.list().unwrap_or_default() } else { vec![item.clone()] };
    list.iter().any(|item| {
        item.is_text() && item.text().is_some_and(|text| is_notation(&context.kinds, text))
    })
}

/// What a line with molecules does: `on` with `at` or `products`.
fn molecules(
    section: &Section<'_>,
    item: &Item<'_>,
    partners: usize,
    makes: Makes,
) -> Option<Transformation> {
    let on = texts(item)?;
    if on.len() != partners {
        item.fault(format!("found {} molecules, but {partners} are needed", on.len()));
        return None;
    }
    let found = match (makes, on.as_slice()) {
        (Makes::Bond, [first, second]) => {
            let at = section.require_like("at", "[\"b\", \"a\"]")?;
            let sites = at.texts()?;
            let [a, b] = sites.as_slice() else {
                at.fault("two sites are needed, that of the first partner and that of the second");
                return None;
            };
            match section.get("products") {
                None => Transformation::binding([first, second], [a, b]),
                Some(products) => bound_with_states(&on, [a, b], &products.texts()?),
            }
        }
        (Makes::Gap, [complex]) => match section.get("products") {
            None => Transformation::unbinding(complex),
            Some(products) => parted_with_states(&on, &products.texts()?),
        },
        (Makes::Several, _) => {
            between(&on, &section.require("products")?.texts()?)
        }
        (Makes::Vacancy, _) => {
            between(&on, &[])
        }
        _ => Err("patterns of sites have a meaning in rules that bind, unbind, convert, annihilate or decay; \
                  here, write the names of species"
            .to_owned()),
    };
    match found {
        Ok(found) => Some(found),
        Err(why) => {
            item.fault(why);
            None
        }
    }
}

/// Two molecules that bind at the sites `at` and become one complex in which their states are others.
fn bound_with_states(
    on: &[&str],
    at: [&str; 2],
    products: &[&str],
) -> Result<Transformation, String> {
    let found = between(on, products)?;
    let Effect::Bind(BondChange { ends, .. }) = &found.effect else {
        return Err(
            "`products` of a binding is the complex, as in [\"A(b!1).B(a!1,s~p)\"]".to_owned()
        );
    };
    let name = |n: usize| found.left[n][ends[n].molecule].sites[ends[n].mention].name.as_str();
    match [name(0), name(1)] == at.map(|site| site.split('#').next().unwrap_or(site))
        || [name(0), name(1)] == at
    {
        true => Ok(found),
        false => Err(format!(
            "`products` binds {} and {}, and `at` says something else",
            name(0),
            name(1)
        )),
    }
}

/// A complex that falls into two parts whose states are others.
fn parted_with_states(on: &[&str], products: &[&str]) -> Result<Transformation, String> {
    let found = between(on, products)?;
    match &found.effect {
        Effect::Unbind(_) => Ok(found),
        _ => {
            Err("`products` of an unbinding are the two that part, as in [\"A(b)\", \"B(a,s~p)\"]"
                .to_owned())
        }
    }
}

fn between(on: &[&str], products: &[&str]) -> Result<Transformation, String> {
    let owned =
        |texts: &[&str]| -> Vec<String> { texts.iter().map(|text| (*text).to_owned()).collect() };
    Transformation::new(&owned(on), &owned(products))
}

fn on(section: &Section<'_>, context: &Context<'_>, partners: usize) -> Option<Vec<Vec<u16>>> {
    let item = section
        .require_like("on", if partners == 2 { "[\"EGFR\", \"EGFR\"]" } else { "\"EGFR\"" })?;
    let list = if item.is_list() { item.list()? } else { vec![item.clone()] };
    let found: Vec<_> = list.iter().map(|item| context.kinds.matching(item)).collect();
    if found.len() != partners {
        let needed = match partners {
            2 => "two are needed, the species whose contacts the rule is for",
            _ => "one is needed, the species that the rule is for",
        };
        item.fault(format!("found {} species, but {needed}", found.len()));
        return None;
    }
    found.into_iter().collect()
}

/// The cases of a contact rule: each pair of species once. `roles` says whether it matters which
/// particles are first; a conversion leaves out pairs that would stay what they are.
pub(super) fn pairs(
    section: &Section<'_>,
    context: &Context<'_>,
    lines: &[Line],
    roles: bool,
    converts: bool,
) -> Option<Vec<Case<2>>> {
    let mut cases: Vec<Case<2>> = Vec::new();
    // Where the case of each pair stands, the lower species first.
    let mut known: BTreeMap<[u16; 2], usize> = BTreeMap::new();
    for line in lines {
        let (on, made) = match line {
            Line::Species { on, products } => (on, products),
            Line::Pairs(found) => {
                cases.extend(found.iter().cloned());
                continue;
            }
            Line::Singles(_) => return None,
        };
        let [first, second] = on.as_slice() else {
            section.fault(NO_COMPLEX);
            return None;
        };
        for species in first.iter().flat_map(|&a| second.iter().map(move |&b| [a, b])) {
            let products = products(section, context, made, &species)?;
            if converts && alike(&species, &products) {
                continue;
            }
            let case = Case::new(species, &products);
            let pair = [species[0].min(species[1]), species[0].max(species[1])];
            // `A + A` by patterns gives each pair of different states twice, once either way round:
            // that is one reaction, if it comes to the same.
            let Some(known) = known.get(&pair).map(|&at| &cases[at]) else {
                known.insert(pair, cases.len());
                cases.push(case);
                continue;
            };
            let [a, b] = species.map(|species| context.kinds.name(species));
            if known.species == species {
                section.fault(format!("{a} and {b} appear twice"));
                return None;
            } else if roles || !alike(&known.products, &case.products) {
                section.fault(format!(
                    "{a} and {b} match both ways round, with different results: make the patterns \
                     narrower, or write a rule for each"
                ));
                return None;
            }
        }
    }
    if cases.is_empty() {
        section.fault("nothing would change: the products are the same as the reactants");
        return None;
    }
    taking_complexes(section, cases)
}

/// The cases of a rule in time: each species once.
pub(super) fn singles(
    section: &Section<'_>,
    context: &Context<'_>,
    lines: &[Line],
    converts: bool,
) -> Option<Vec<Case<1>>> {
    let mut cases: Vec<Case<1>> = Vec::new();
    for line in lines {
        let (on, made) = match line {
            Line::Species { on, products } => (on, products),
            Line::Singles(found) => {
                cases.extend(found.iter().cloned());
                continue;
            }
            Line::Pairs(_) => return None,
        };
        for &species in on.iter().flatten() {
            let products = products(section, context, made, &[species])?;
            // A pattern may take in the state that the rule leads to; nothing happens there, and it
            // is no fault.
            if converts && products == [species] {
                continue;
            }
            if cases.iter().any(|known| known.species == [species]) {
                section.fault(format!("{} appears twice", context.kinds.name(species)));
                return None;
            }
            cases.push(Case::new([species], &products));
        }
    }
    if cases.is_empty() {
        section.fault("nothing would change: the product is the same as the reactant");
        return None;
    }
    taking_complexes(section, cases)
}

/// These cases, all that is bound to what goes going with it if `removes` says so.
fn taking_complexes<const N: usize>(
    section: &Section<'_>,
    cases: Vec<Case<N>>,
) -> Option<Vec<Case<N>>> {
    let Some(item) = section.get("removes") else { return Some(cases) };
    if !item.word(&[("molecules", false), ("complexes", true)])? {
        return Some(cases);
    }
    let count = |species: u16, of: &[u16]| of.iter().filter(|other| **other == species).count();
    let stays = |case: &Case<N>| {
        let kept =
            |species: &u16| count(*species, &case.products) >= count(*species, &case.species);
        case.species.iter().all(kept)
    };
    if cases.iter().any(stays) {
        item.fault("no molecule goes, with its complex or without: drop `removes`");
        return None;
    }
    Some(cases.into_iter().map(Case::taking_complexes).collect())
}

/// What a line makes of these reactants.
fn products(
    section: &Section<'_>,
    context: &Context<'_>,
    made: &[Template],
    reactants: &[u16],
) -> Option<Vec<u16>> {
    let mut free = reactants.to_vec();
    let mut make = |template: &Template| {
        let made = context.kinds.made(template, &mut free);
        if made.is_none() {
            section.fault("a product would be in a state that no species of the model has");
        }
        made
    };
    made.iter().map(&mut make).collect()
}

/// Whether two lists hold the same species.
fn alike(a: &[u16], b: &[u16]) -> bool {
    let sorted = |list: &[u16]| {
        let mut list = list.to_vec();
        list.sort_unstable();
        list
    };
    sorted(a) == sorted(b)
}
