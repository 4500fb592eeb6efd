//! What falls apart: an intrinsic rate of unbinding does not go with a macroscopic rate constant of
//! binding, and what never formed cannot fall apart.

use crate::Model;
use crate::together::{intrinsic, reacting_pair};
use crate::walker::Reader;
use jostle_core::rules::{Chance, Compositions, Joining, TimedAction};
use jostle_core::words::{concentration, digits};

/// Notes all such faults.
pub(super) fn check(model: &Model, reader: &Reader<'_>) {
    rates(model, reader);
    unformed(model, reader);
}

/// Particles that no two have coalesced into, although others of their species are made of two and fall
/// apart again: it has to be known of what these are made.
fn unformed(model: &Model, reader: &Reader<'_>) {
    let rules = model.rules();
    let compositions = rules.compositions();
    let unknown = |made: u16, when: &str| {
        unknown_parts(model, &compositions, made).map(|why| {
            let made = &model.species[usize::from(made)].name;
            format!("{made} that are {when} would have to hold what they fall apart into: {why}")
        })
    };
    for placed in model.placement.iter().filter(|placed| placed.count() > 0) {
        if let Some(why) = unknown(placed.species, "there at the start") {
            let name = &model.species[usize::from(placed.species)].name;
            reader.fault_of_species(name, "count", why);
        }
    }
    for timed in &rules.timed {
        let created = timed.action.creates().map(|made| (made, "created"));
        let cases = timed.action.conversions().iter();
        let others = cases.flat_map(|case| others(model, &case.species, &case.products));
        let mut made = created.into_iter().chain(others.map(|made| (made, "made by a conversion")));
        if let Some(why) = made.find_map(|(made, when)| unknown(made, when)) {
            reader.fault_at(&format!("rule.{}", timed.name), why);
        }
    }
    for rule in rules.contact.iter().filter(|rule| rule.action.effect().converts) {
        let cases = rule.cases.iter();
        let mut made = cases.flat_map(|case| others(model, &case.species, &case.products));
        if let Some(why) = made.find_map(|made| unknown(made, "made by a conversion")) {
            reader.fault_at(&format!("rule.{}", rule.name), why);
        }
    }
    for entry in &rules.schedule {
        if let Some(why) = entry.action.adds().and_then(|made| unknown(made, "added")) {
            reader.fault_at(&format!("schedule.{}", entry.name), why);
        }
    }
}

/// The products that are not of one species with any of the reactants, and so hold nothing of what these did.
fn others<'a>(
    model: &'a Model,
    reactants: &'a [u16],
    products: &'a [u16],
) -> impl Iterator<Item = u16> + 'a {
    let declared = |species: u16| model.species[usize::from(species)].declared_name();
    let is_other =
        move |made: &u16| reactants.iter().all(|&from| declared(from) != declared(*made));
    products.iter().copied().filter(is_other)
}

/// Why it is not known what a particle holds that no two have coalesced into, if it holds anything.
fn unknown_parts(model: &Model, compositions: &Compositions, species: u16) -> Option<String> {
    let name = |species: u16| &*model.species[usize::from(species)].name;
    let ways = compositions.ways(species);
    let parts = |way: &Joining| {
        let [a, b] = way.parts.map(name);
        format!("{a} and {b}")
    };
    if !compositions.is_open(species) {
        let way = compositions.known(species)?;
        let sized = |part: &u16| {
            let kind = &model.species[usize::from(*part)];
            kind.radius.is_some() && kind.diffusion_coefficient.is_some()
        };
        if let Some(part) = way.parts.into_iter().find(|part| !sized(part)) {
            return Some(format!(
                "one is made of {}, and {} has no radius or diffusion coefficient of its own; give it both",
                parts(&way),
                name(part)
            ));
        }
        return way.parts.into_iter().find_map(|part| unknown_parts(model, compositions, part));
    }
    match ways {
        [way] => Some(format!(
            "one is made of {}, but it is not known of what these are made; begin with what they fall apart into",
            parts(way)
        )),
        ways => {
            let rule = |way: &Joining| &*model.rules().contact[usize::from(way.rule)].name;
            let each = ways.iter().map(|way| format!("{} by \"{}\"", parts(way), rule(way)));
            Some(format!(
                "there are several ways to make one, of {}; begin with these, or give each way a product of its own",
                each.collect::<Vec<_>>().join(" or of ")
            ))
        }
    }
}

/// Notes where the two kinds of rates stand beside each other, with what either reading amounts to.
fn rates(model: &Model, reader: &Reader<'_>) {
    for timed in &model.rules().timed {
        let TimedAction::Unbind { of, .. } = &timed.action else { continue };
        let first = of.first().and_then(|&of| model.rules().contact.get(of as usize));
        let Some(bind) = first else { continue };
        let Chance::Macroscopic(k_on) = bind.chance else { continue };
        let (short, own) =
            (format!("rule.{}.unbind", bind.name), format!("rule.{}.rate", timed.name));
        let is_short = timed.name == format!("{}_unbind", bind.name) && reader.has(&short);
        if !model.rules().breaks_macroscopically(timed) || !(is_short || reader.has(&own)) {
            continue;
        }
        let (path, key) = if is_short { (&short, "unbind") } else { (&own, "rate") };
        // What is not known or cannot be has been told.
        let Some(case) = bind.cases.first() else { continue };
        let [a, b] = case.species;
        let k_a = reacting_pair(model, a, b).and_then(|pair| intrinsic(bind.chance, &pair));
        let Some(Ok(k_a)) = k_a else { continue };
        reader.fault_at(path, both_readings(key, timed.rate, k_on, k_a, bind.is_for_alike(case)));
    }
}

/// The two readings of a `rate` \[1/µs\], and how to write either.
fn both_readings(key: &str, rate: f64, k_on: f64, k_a: f64, alike: bool) -> String {
    let intrinsic = rate * k_on / k_a;
    let constant = |k_off: f64| concentration(k_off / k_on * if alike { 2.0 } else { 1.0 });
    format!(
        "`{key}` is the intrinsic rate k_d, which cannot be combined with the macroscopic `k_on`. Is {rate} /s the \
         measured rate, with K_D = k_off/k_on = {}? Then write `k_off = \"{rate} /s\"`. Or is it intrinsic, as \
         earlier versions of jostle assumed, with K_D = k_d/k_a = {}? Then write `k_off = \"{} /s\"`",
        constant(rate),
        constant(intrinsic),
        digits(intrinsic * 1e6, 6),
        rate = digits(rate * 1e6, 6),
    )
}
