//! What a run of spheres in Brownian motion has done, for people.

use std::collections::BTreeMap;

use crate::ledger::RuleCounts;
use crate::summary::{Account, RunTotals, reacts};
use jostle_brownian::{Brownian, Tally};
use jostle_core::clusters::{size_class, size_class_name};
use jostle_core::rules::TimedRule;
use jostle_core::words::{MOST_LISTED, abridged, column_width, counted, digits};
use jostle_h5md::record::WarningRow;
use jostle_model::Model;

pub(super) fn account<const D: usize>(
    model: &Model,
    engine: &Brownian<D>,
    totals: RunTotals<'_>,
) -> Account {
    let tally = engine.tally();
    let mut lines = vec![("contacts", contacts(model, &tally))];
    if !totals.rule_counts.is_empty() {
        lines.extend(reactions(model, totals.rule_counts).map(|text| ("reactions", text)));
        lines.push(("at the end", clusters_in_words(&clusters(engine))));
    }
    lines.extend(rotations(&tally));
    lines.extend(too_wide(&tally));
    Account {
        lines,
        contacts: tally.contacts,
        work: (engine.clock().step as f64 * totals.particles, "particle steps"),
        costs: costs(engine),
        counts: format!("{:?}", engine.search().counters()),
    }
}

fn contacts(model: &Model, tally: &Tally) -> String {
    let has_walls = model.space.periodic[..model.space.dimension].contains(&false)
        || !model.surroundings().is_empty();
    let walls =
        if has_walls { format!(", {} with walls", tally.wall_contacts) } else { String::new() };
    format!("{} between particles{walls}", tally.contacts)
}

/// What each rule has done; of very many, those that have done anything. Of the bonds of molecules
/// there is nothing to say, since they are there from the start.
fn reactions(model: &Model, all: &[(String, RuleCounts)]) -> Option<String> {
    let is_rule = |(name, _): &&(String, RuleCounts)| {
        model.molecules().iter().all(|molecule| molecule.name != *name)
    };
    let all: Vec<_> = all.iter().filter(is_rule).collect();
    let has_acted = |counts: &RuleCounts| counts.done > 0 || counts.refused > 0;
    let kept = |(_, counts): &&&(String, RuleCounts)| all.len() <= MOST_LISTED || has_acted(counts);
    let rule_counts: Vec<_> = all.iter().filter(kept).collect();
    let width = column_width(rule_counts.iter().map(|(name, _)| name));
    let most = rule_counts
        .iter()
        .map(|(_, rule_counts)| rule_counts.done)
        .max()
        .unwrap_or(0)
        .to_string()
        .len();
    let line = |(name, rule_counts): &&&(String, RuleCounts)| {
        let refused = match rule_counts.refused {
            0 => String::new(),
            n => format!("  ({n} more found no space)"),
        };
        format!("{name:<width$}  {:>most$}{refused}", rule_counts.done)
    };
    let mut lines = abridged(rule_counts.iter().map(line), "rules");
    if let more @ 1.. = all.len() - rule_counts.len() {
        lines.push(format!("{} have not applied", counted(more as u64, "rule")));
    }
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// How many clusters of each size there are; particles inside coalesced ones are counted one by
/// one, and a lone particle is a cluster of one.
fn clusters<const D: usize>(engine: &Brownian<D>) -> BTreeMap<u64, u64> {
    let (particles, clusters) = (engine.particles(), engine.clusters());
    let mut found = BTreeMap::new();
    for slot in particles.slots_by_id() {
        // A unit is counted once, at its first member.
        if clusters.unit_of(particles, slot).is_none_or(|unit| unit.members[0] == slot) {
            *found.entry(u64::from(clusters.size_of(particles, slot))).or_default() += 1;
        }
    }
    found
}

/// By classes of size, and all together.
fn clusters_in_words(clusters: &BTreeMap<u64, u64>) -> String {
    let mut classes: BTreeMap<usize, u64> = BTreeMap::new();
    for (&size, count) in clusters {
        *classes.entry(size_class(size)).or_default() += count;
    }
    let named = classes.iter().map(|(&class, count)| match class {
        0 => format!("{} alone", counted(*count, "particle")),
        n => format!("{} of {}", counted(*count, "cluster"), size_class_name(n)),
    });
    let particles: u64 = clusters.iter().map(|(size, count)| size * count).sum();
    let count: u64 = clusters.values().sum();
    let largest = clusters.last_key_value().map_or(0, |(&size, _)| size);
    let mean = digits(particles as f64 / count.max(1) as f64, 3);
    let named = named.collect::<Vec<_>>().join(", ");
    format!(
        "{named}\nthe largest has {largest} particles; the average is {mean}, counting single particles"
    )
}

fn rotations(tally: &Tally) -> Option<(&'static str, String)> {
    let [proposed, done] = tally.rotations;
    let share = digits(100.0 * done as f64 / proposed as f64, 3);
    let text = format!("{proposed} proposed for clusters, of which {share} % had enough space");
    (proposed > 0).then_some(("rotations", text))
}

fn too_wide(tally: &Tally) -> Option<(&'static str, String)> {
    let text = format!(
        "{} times a cluster that spans half of a periodic box or more did not rotate: it might \
         have touched itself across the boundary",
        tally.too_wide_to_turn
    );
    (tally.too_wide_to_turn > 0).then_some(("NOTE", text))
}

/// What its user should know of the results.
pub(super) fn warnings<const D: usize>(
    model: &Model,
    engine: &Brownian<D>,
    rule_counts: &[RuleCounts],
) -> Vec<WarningRow> {
    let (step, tally) = (engine.clock().step, engine.tally());
    let short_of_rate = (tally.short_of_rate > 0)
        .then(|| WarningRow::short_of_rate(step, [tally.short_of_rate, tally.contacts]));
    let too_permeable = (tally.too_permeable > 0)
        .then(|| WarningRow::too_permeable(step, [tally.too_permeable, tally.wall_contacts]));
    let names = model.causes();
    let short_of_room =
        (names.iter().zip(rule_counts).enumerate()).filter_map(|(n, (name, rule))| {
            let is_short = rule.is_short_of_room() && reacts(model, n) && !docks(model, name);
            let counts = [rule.refused, rule.done + rule.refused];
            is_short.then(|| WarningRow::no_space(step, n as u16, counts))
        });
    short_of_rate.into_iter().chain(too_permeable).chain(short_of_room).collect()
}

/// Whether a rule binds molecules in line, or lets them part again: both are then refused where they
/// find no space, so that the equilibrium is right all the same.
fn docks(model: &Model, name: &str) -> bool {
    let rules = model.rules();
    let docks = |number: u16| rules.contact[number as usize].docks(&model.species);
    let at_contact =
        rules.contact.iter().any(|rule| rule.name == name && rule.docks(&model.species));
    let undoes = |rule: &TimedRule| rule.action.undone().iter().any(|&of| docks(of));
    at_contact || rules.timed.iter().any(|rule| rule.name == name && undoes(rule))
}

/// Where the time went. Of a run that was resumed, the times are those since.
fn costs<const D: usize>(engine: &Brownian<D>) -> Vec<String> {
    let p = engine.phases();
    let phases = [
        ("draw", p.draw),
        ("relink", p.relink),
        ("search", p.search),
        ("narrow", p.narrow),
        ("settle", p.settle),
        ("arrive", p.arrive),
    ];
    let whole = phases.iter().map(|(_, time)| time.as_secs_f64()).sum::<f64>().max(1e-9);
    let shares =
        phases.map(|(name, time)| format!("{name} {:.0} %", 100.0 * time.as_secs_f64() / whole));
    vec![
        format!("time in the engine: {}", shares.join(", ")),
        format!("{} pairs of paths examined for a first contact", engine.tally().narrow_tests),
    ]
}
