//! What falls apart: an intrinsic rate of unbinding does not go with a macroscopic rate constant of
//! binding, and what never formed cannot fall apart.

use crate::Model;
use crate::together::{intrinsic, reacting_pair};
use crate::walker::Reader;
use jostle_core::rules::{Chance, TimedAction};
use jostle_core::words::{concentration, digits};

/// Notes all such faults.
pub(super) fn check(model: &Model, reader: &Reader<'_>) {
    rates(model, reader);
    unformed(model, reader);
}

/// Particles that hold no parts, although others of their species are made of two and fall apart
/// again. A species that grows by coalescence holds what it has taken up, so its seeds may be there.
fn unformed(model: &Model, reader: &Reader<'_>) {
    let rules = model.rules();
    let coalescing = rules.contact.iter().enumerate().filter(|(number, bind)| {
        bind.action.effect().merges && rules.undoing(*number as u16).next().is_some()
    });
    for (bind, case) in
        coalescing.flat_map(|(_, bind)| bind.cases.iter().map(move |case| (bind, case)))
    {
        let Some(&product) = case.products.first() else { continue };
        if case.species.contains(&product) {
            continue;
        }
        let [a, b, made] =
            [case.species[0], case.species[1], product].map(|s| &*model.species[s as usize].name);
        let why = |when: &str| {
            format!(
                "{made} that are {when} would never fall apart, although those that form by \"{}\" do: they hold no \
                 {a} and {b}. Begin with {a} and {b}; or let these bind by `merge = \"bond\"`, and place bound pairs with \
                 `[[molecule]]`",
                bind.name
            )
        };
        if model.placement.iter().any(|placed| placed.species == product && placed.count() > 0) {
            reader.fault_of_species(made, "count", why("there at the start"));
        }
        for timed in &rules.timed {
            if timed.action.creates() == Some(product) {
                reader.fault_at(&format!("rule.{}", timed.name), why("created"));
            }
        }
        for entry in rules.schedule.iter().filter(|entry| entry.action.adds() == Some(product)) {
            reader.fault_at(&format!("schedule.{}", entry.name), why("added"));
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
