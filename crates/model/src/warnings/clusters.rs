//! Clusters that diffuse faster than the particles for which a time step was chosen.

use std::collections::BTreeMap;

use jostle_core::clusters::Piece;
use jostle_core::rules::ContactRule;
use jostle_core::rules::rates::RateError;
use jostle_core::words::digits;

use super::Warning;
use crate::together::by_pair;
use crate::{Model, measure};

/// A particle bonded to another.
struct Bonded {
    /// \[nm²/µs\]
    diffusion: f64,
    partner: u16,
}

/// A sentence for each rule whose rate is calibrated for single particles, but not for pairs that bonds
/// make of these. Larger clusters, a few of which are faster still, are not examined.
pub(super) fn warnings(model: &Model) -> Vec<Warning> {
    let rules = model.rules();
    let faster = faster_in_pairs(model);
    let mut found: BTreeMap<u16, Warning> = BTreeMap::new();
    for (species, members) in by_pair(rules).reacting() {
        let bonded = species.iter().find_map(|s| faster.get(s).map(|bonded| (*s, bonded)));
        let Some((own, bonded)) = bonded else { continue };
        let [a, b] = species.map(|s| &model.species[usize::from(s)]);
        let Some(distance) = a.radius.zip(b.radius).map(|(one, other)| one + other) else {
            continue;
        };
        let alone =
            species.map(|s| model.species[usize::from(s)].diffusion_coefficient.unwrap_or(0.0));
        let together =
            [0, 1].map(|n| faster.get(&species[n]).map_or(alone[n], |one| one.diffusion));
        let (space, around) = (model.space.dimension, model.surroundings());
        let encounter = around.encounter(space, &model.species, species[0], species[1]);
        let reach = |diffusion| {
            let met = encounter.pair(space, distance, diffusion).ok()?;
            match met.intrinsic_rate(1.0, model.run.timestep) {
                Err(RateError::OutsideCalibration { ratio, limit, largest, .. }) => {
                    Some((ratio, limit, largest))
                }
                _ => None,
            }
        };
        let (None, Some((ratio, limit, largest))) = (reach(alone), reach(together)) else {
            continue;
        };
        for &(number, _) in members.iter().filter(|(number, _)| rules.reacts(*number)) {
            let rule = &rules.contact[usize::from(number)];
            let text = format!(
                "rule \"{}\": bonded to {}, {} diffuses faster than alone (at {} nm^2/us; `mobility` says how), so that \
                 a step of {} and {} is up to {} of their contact distance, while rates are calibrated up to {}: there \
                 they are extrapolated; use a time step of at most {}",
                rule.name,
                model.species[usize::from(bonded.partner)].name,
                model.species[usize::from(own)].name,
                digits(bonded.diffusion, 3),
                a.name,
                b.name,
                digits(ratio, 3),
                digits(limit, 3),
                measure::time(largest)
            );
            found.entry(number).or_insert_with(|| Warning::of_rule(&rule.name, text));
        }
    }
    found.into_values().collect()
}

/// Species that diffuse faster if they are bonded to another particle than alone, each with the partner with which
/// it is fastest.
fn faster_in_pairs(model: &Model) -> BTreeMap<u16, Bonded> {
    let mut fastest: BTreeMap<u16, Bonded> = BTreeMap::new();
    let Some(brownian) = model.brownian() else { return fastest };
    let species = |s: u16| &model.species[usize::from(s)];
    let is_rigid = |rule: &&ContactRule| rule.action.effect().makes_bond && rule.tether.is_none();
    let bonds = model.rules().contact.iter().filter(is_rigid);
    for case in bonds.flat_map(|rule| &rule.cases) {
        let piece = |s: u16| {
            let one = species(s);
            let diffusion_coefficient = one.diffusion_coefficient?;
            Some(Piece { diffusion_coefficient, radius: one.radius? })
        };
        let [Some(a), Some(b)] = case.species.map(piece) else { continue };
        let diffusion = brownian.mobility.diffusion_coefficient(&[a, b], model.space.dimension);
        for (n, alone) in [a, b].into_iter().enumerate() {
            let known = fastest
                .get(&case.species[n])
                .map_or(alone.diffusion_coefficient, |one| one.diffusion);
            if diffusion > known {
                fastest.insert(case.species[n], Bonded { diffusion, partner: case.species[1 - n] });
            }
        }
    }
    fastest
}

#[cfg(test)]
mod tests {
    use crate::parse;

    /// Carriers that diffuse fast take receptors along; a step that is calibrated for receptors alone is not
    /// for those.
    #[test]
    fn rates_of_faster_pairs_are_warned_about() {
        let said = |carrier: f64, timestep: f64| {
            let text = format!(
                "[space]\ndimension = 2\nedges = '100 nm'\n[run]\ntimestep = '{timestep} ns'\nsteps = 10\ninteractions = 'reactive'\n\
                 [[species]]\nname = 'R'\nradius = '0.5 nm'\ndiffusion = '30 um^2/s'\ncount = 5\n\
                 [[species]]\nname = 'E'\nradius = '0.5 nm'\ndiffusion = '{carrier} um^2/s'\ncount = 5\n\
                 [[rule]]\nname = 'carry'\ndo = 'bind'\nmerge = 'bond'\non = ['E', 'R']\nprobability = 0.1\n\
                 [[rule]]\nname = 'pair'\ndo = 'bind'\nmerge = 'bond'\non = ['R', 'R']\nrate = '0.1 um^2/s'\n"
            );
            parse(&text, "test", &[]).expect("a model").warnings().join("\n")
        };
        let found = said(100.0, 150.0);
        assert!(found.contains("rule \"pair\": bonded to E, R diffuses faster"), "{found}");
        assert!(found.contains("use a time step of at most 130"), "{found}");
        assert!(!said(100.0, 135.0).contains("diffuses faster"));
        assert!(!said(30.0, 150.0).contains("diffuses faster"));
    }
}
