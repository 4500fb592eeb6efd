//! What a rule is for and what it makes of them: `on` with `product` or `products`, or several such
//! lines in `cases`.

use std::collections::BTreeMap;

use crate::walker::{Item, Section};
use jostle_core::rules::Case;

use super::super::Context;
use super::super::patterns::Template;
use super::reaction;

/// Which key says what arises.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Makes {
    Nothing,
    /// `product`
    One,
    /// `products`
    Several,
}

/// One line: the species of each partner, and what arises.
pub(super) struct Line {
    on: Vec<Vec<u16>>,
    products: Vec<Template>,
}

impl Line {
    pub(super) fn new(on: Vec<Vec<u16>>, products: Vec<Template>) -> Self {
        Self { on, products }
    }
}

/// How many partners the rule says, if that can be told.
pub(super) fn partners(section: &Section<'_>) -> Option<usize> {
    if let Some(reaction) = reaction::of(section) {
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
        return reaction::of(section)?.line(&item, context).map(|line| vec![line]);
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
    let on = on(section, context, partners);
    let products = match makes {
        Makes::Nothing => Some(Vec::new()),
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
    Some(Line { on: on?, products: products? })
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
) -> Option<Vec<Case>> {
    let mut cases: Vec<Case> = Vec::new();
    // Where the case of each pair stands, the lower species first.
    let mut known: BTreeMap<[u16; 2], usize> = BTreeMap::new();
    for line in lines {
        let [first, second] = line.on.as_slice() else { return None };
        for species in first.iter().flat_map(|&a| second.iter().map(move |&b| [a, b])) {
            let products = products(section, context, line, &species)?;
            if converts && alike(&species, &products) {
                continue;
            }
            let case = Case { species, products };
            let pair = [species[0].min(species[1]), species[0].max(species[1])];
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
    Some(cases)
}

/// The cases of a rule in time: each species once.
pub(super) fn singles(
    section: &Section<'_>,
    context: &Context<'_>,
    lines: &[Line],
    converts: bool,
) -> Option<Vec<(u16, Vec<u16>)>> {
    let mut cases: Vec<(u16, Vec<u16>)> = Vec::new();
    for line in lines {
        for &species in line.on.iter().flatten() {
            let products = products(section, context, line, &[species])?;
            if converts && products == [species] {
                continue;
            }
            if cases.iter().any(|(known, _)| *known == species) {
                section.fault(format!("{} appears twice", context.kinds.name(species)));
                return None;
            }
            cases.push((species, products));
        }
    }
    if cases.is_empty() {
        section.fault("nothing would change: the product is the same as the reactant");
        return None;
    }
    Some(cases)
}

/// What a line makes of these reactants.
fn products(
    section: &Section<'_>,
    context: &Context<'_>,
    line: &Line,
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
    line.products.iter().map(&mut make).collect()
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
