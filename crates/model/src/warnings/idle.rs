//! Rules that can never apply: nothing ever makes the species that they are for.

use crate::Model;
use crate::surroundings::SurfaceModel;
use jostle_core::environment::Manner;
use jostle_core::rules::{Action, Side, TimedAction};
use jostle_core::species::Drift;

use super::Warning;

/// A sentence for each rule that can never apply, and for each entry of the schedule that the run
/// ends before.
pub(super) fn warnings(model: &Model) -> Vec<Warning> {
    let arising = arising(model);
    let name = |s: u16| model.species[s as usize].name.as_str();
    let absent = |species: &mut dyn Iterator<Item = [u16; 2]>| {
        let missing: Vec<Option<u16>> =
            species.map(|pair| pair.into_iter().find(|&s| !arising[s as usize])).collect();
        missing.iter().all(Option::is_some).then(|| missing.first().copied().flatten()).flatten()
    };
    let mut list = Vec::new();
    // A particle that is not there is ignored anyway.
    for rule in model.rules().contact.iter().filter(|rule| !rule.action.effect().is_ignored) {
        if let Some(species) = absent(&mut rule.cases.iter().map(|case| case.species)) {
            list.push(never(&rule.name, name(species)));
            continue;
        }
        let apart: Vec<Option<String>> =
            rule.cases.iter().map(|case| unmet(model, rule.action, case.species)).collect();
        if let Some(why) =
            apart.into_iter().collect::<Option<Vec<_>>>().and_then(|all| all.into_iter().next())
        {
            list.push(Warning::of_rule(&rule.name, format!("rule \"{}\" {why}", rule.name)));
        }
    }
    for rule in &model.rules().timed {
        let missing = match &rule.action {
            TimedAction::Convert { cases } => {
                absent(&mut cases.iter().map(|case| [case.species[0]; 2]))
            }
            TimedAction::Fragment { species, .. } => absent(&mut species.iter().map(|s| [*s; 2])),
            TimedAction::Unbind { .. } | TimedAction::Create { .. } => None,
        };
        list.extend(missing.map(|species| never(&rule.name, name(species))));
    }
    let end = model.run.duration();
    for entry in model.rules().schedule.iter().filter(|entry| entry.at >= end) {
        list.push(Warning::of(format!("schedule.{}", entry.name), format!(
            "schedule \"{}\" never happens: it is set for {:?} us, but the run ends at {end:?} us",
            entry.name, entry.at
        )));
    }
    list
}

/// What becomes of a rule for two species that do not meet.
fn unmet(model: &Model, action: Action, pair: [u16; 2]) -> Option<String> {
    let at_rest = if action.reacts() { at_rest(model, pair) } else { None };
    at_rest.or_else(|| apart(model, pair))
}

/// What becomes of a rule for two species that stay where they are: no path of theirs ever begins a
/// contact. Bound to others, or in a region where they diffuse, they may move.
fn at_rest(model: &Model, pair: [u16; 2]) -> Option<String> {
    let binds = |s: u16| {
        let bonds = model.rules().contact.iter().filter(|rule| rule.action.effect().makes_bond);
        bonds.flat_map(|rule| &rule.cases).any(|case| case.species.contains(&s))
    };
    let rests = |s: u16| {
        let species = &model.species[s as usize];
        let surfaces = &model.surroundings().surfaces;
        let crosses = |one: &SurfaceModel| matches!(one.manners[usize::from(s)], Manner::Cross(_));
        species.diffusion_coefficient == Some(0.0)
            && species.drift == Drift::Still
            && !surfaces.iter().any(crosses)
            && !binds(s)
    };
    let [a, b] = pair.map(|s| &model.species[s as usize].name);
    pair.iter().all(|&s| rests(s)).then(|| {
        format!(
            "never applies: neither {a} nor {b} moves, and a contact begins where paths meet; a small `diffusion` of one \
             of them would let neighbours meet"
        )
    })
}

/// What becomes of a rule for two species that surfaces keep apart. Particles stay on the surface
/// where they live, but get to other sides than those where they begin: by `region`, by conversion,
/// or when they are let go.
fn apart(model: &Model, [a, b]: [u16; 2]) -> Option<String> {
    let around = model.surroundings();
    let (anchors, sides) = ([a, b].map(|s| around.anchor(s)), [a, b].map(|s| around.sides(s)));
    let kept = |surface: u16| {
        let manners = &around.surfaces[surface as usize].manners;
        [a, b]
            .iter()
            .all(|&s| manners[s as usize].separates() && !manners[s as usize].is_by_centre())
    };
    let reported =
        |s: u16| Some(format!("{}, {}", model.species[s as usize].name, around.whereabouts(s)?));
    let both = format!("{}, and {}", reported(a)?, reported(b)?);
    let opposite = || {
        sides[0].iter().any(|one| {
            let opposite =
                |other: &Side| other.surface == one.surface && other.inside != one.inside;
            sides[1].iter().any(opposite) && kept(one.surface)
        })
    };
    match anchors {
        [Some(a), Some(b)] if a.surface != b.surface => {
            Some(format!("never applies: {both}, never meet"))
        }
        [None, None] if opposite() => Some(format!(
            "applies only if something else brings one to the other: {both}, start on two sides that neither leaves"
        )),
        _ => None,
    }
}

fn never(rule: &str, species: &str) -> Warning {
    Warning::of_rule(rule, format!("rule \"{rule}\" never applies: nothing produces {species}"))
}

/// Which species are there at the start or can arise.
fn arising(model: &Model) -> Vec<bool> {
    let compositions = model.rules().compositions();
    let mut there = vec![false; model.species.len()];
    let add = |species: u16, there: &mut Vec<bool>| {
        !std::mem::replace(&mut there[species as usize], true)
    };
    for placement in &model.placement {
        add(placement.species, &mut there);
    }
    for species in model.rules().schedule.iter().filter_map(|entry| entry.action.adds()) {
        add(species, &mut there);
    }
    loop {
        let mut more = false;
        for rule in &model.rules().contact {
            for case in &rule.cases {
                if !case.species.iter().all(|&s| there[s as usize]) {
                    continue;
                }
                let dissolved = rule.action.effect().cuts.and_then(|how| how.dissolved);
                for &made in case.products.iter().chain(&dissolved) {
                    more |= add(made, &mut there);
                }
            }
        }
        for surface in &model.surroundings().surfaces {
            let able = (0..).zip(&surface.manners).filter(|(s, _)| there[*s as usize]);
            let onto: Vec<u16> = able.filter_map(|(_, manner)| manner.becomes()).collect();
            for made in onto {
                more |= add(made, &mut there);
            }
        }
        // What complexes hold that have not formed in the run.
        let held = (0..).zip(&there).filter(|(_, is_there)| **is_there);
        let held = held.filter_map(|(species, _)| compositions.known(species));
        let held: Vec<u16> = held.flat_map(|way| way.parts).collect();
        for part in held {
            more |= add(part, &mut there);
        }
        for rule in &model.rules().timed {
            for made in made_in_time(&rule.action, &there) {
                more |= add(made, &mut there);
            }
        }
        if !more {
            return there;
        }
    }
}

/// What a rule in time makes of the species that are there.
fn made_in_time(action: &TimedAction, there: &[bool]) -> Vec<u16> {
    match action {
        TimedAction::Convert { cases } => {
            let able = cases.iter().filter(|case| there[case.species[0] as usize]);
            able.flat_map(|case| &case.products).copied().collect()
        }
        TimedAction::Create { species, .. } => vec![*species],
        TimedAction::Fragment { species, how } => {
            let able = species.iter().any(|&s| there[s as usize]);
            how.dissolved.filter(|_| able).into_iter().collect()
        }
        TimedAction::Unbind { .. } => Vec::new(),
    }
}
