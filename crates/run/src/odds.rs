//! What reactions at contact amount to at a model's time step: probabilities and rate constants.

use std::collections::HashMap;

use jostle_core::rules::rates::calibration_range;
use jostle_core::rules::{Chance, Cut, TimedAction, TimedRule};
use jostle_model::Model;
use jostle_model::molecule_text::MoleculeText;
use jostle_model::together::{by_pair, intrinsic, reacting_by, reacting_pair, rivals};

/// What a reaction at contact amounts to at the model's time step, for pairs of species for which
/// it amounts to the same.
#[derive(Clone, Debug, PartialEq)]
pub struct PairForecast {
    /// The rule's name.
    pub rule: String,
    /// The names of the two species of each pair; at least one.
    pub pairs: Vec<[String; 2]>,
    /// In how many dimensions they meet: on one surface, in one less than the box has.
    pub dimension: usize,
    /// How it is given.
    pub chance: Chance,
    /// What follows from it; none if the size or mobility of a species follows from the particles
    /// that it arises from, and so is not known before the run.
    pub odds: Option<Odds>,
    /// The rate at which any bond or coalesced particle that it makes falls apart, of all rules
    /// that undo it so together: the macroscopic k_off if `chance` is macroscopic, else k_d.
    /// \[1/µs\]
    pub unbinding: Option<f64>,
}

/// What it amounts to that two become tethered.
#[derive(Clone, Debug, PartialEq)]
pub struct TetherForecast {
    /// The name of the rule.
    pub rule: String,
    /// The pairs, by name.
    pub pairs: Vec<[String; 2]>,
    /// In how many dimensions they meet.
    pub dimension: usize,
    /// How far apart they can be. \[nm\]
    pub length: f64,
    /// The intrinsic rate constant. \[nm^d/µs\]
    pub k_a: f64,
    /// The rate at which a pair that is so near becomes tethered. \[1/µs\]
    pub rate: f64,
    /// The rate at which a tether breaks, if it does. \[1/µs\]
    pub unbinding: Option<f64>,
}

/// All rules that tether particles, in their order; each pair for which they amount to something else
/// by itself.
pub fn tether_forecasts(model: &Model) -> Vec<TetherForecast> {
    let mut found: Vec<TetherForecast> = Vec::new();
    for (number, rule) in (0..).zip(&model.rules().contact) {
        let (Some(length), Chance::Intrinsic(k_a)) = (rule.tether, rule.chance) else { continue };
        for case in &rule.cases {
            let [a, b] = case.species;
            let meet = model.surroundings().encounter(model.space.dimension, &model.species, a, b);
            let contact = model.contact_distance([a, b]);
            let rate = k_a / meet.shell_volume(model.space.dimension, contact, length);
            let names = MoleculeText::new(&model.species).of_case(case);
            let same = |known: &&mut TetherForecast| known.rule == rule.name && known.rate == rate;
            match found.iter_mut().find(same) {
                Some(known) => known.pairs.push(names),
                None => found.push(TetherForecast {
                    rule: rule.name.clone(),
                    pairs: vec![names],
                    dimension: model.dimension_of([a, b]),
                    length,
                    k_a,
                    rate,
                    unbinding: unbinding(model, number),
                }),
            }
        }
    }
    found
}

/// The probability and the rate constant of a pair, which belong together at one time step.
#[derive(Clone, Debug, PartialEq)]
pub struct Odds {
    /// The rms relative step over the contact distance, s/R.
    pub step_over_distance: f64,
    /// The largest s/R for which rates are calibrated.
    pub calibrated_up_to: f64,
    /// The probability at one contact, or why there is none.
    pub probability: Result<f64, String>,
    /// The intrinsic rate constant k_a, if any belongs to the probability. \[nm^d/µs\]
    pub rate: Option<f64>,
    /// The macroscopic rate constant k_on that belongs to it, in 3D. \[nm³/µs\]
    pub macroscopic: Option<f64>,
    /// k_d'/k_d, by which unbinding is slowed so that K = k_a/k_d; 1 for a bare probability.
    pub unbinding_correction: f64,
    /// The longest time step at which a probability can give the rate. \[µs\]
    pub largest_timestep: Option<f64>,
    /// The energy of the pair at contact, before they bind. \[kT\]
    pub energy: f64,
}

/// All reactions at contact, in the order of their rules.
pub(super) fn pairs(model: &Model) -> Vec<PairForecast> {
    let mut found: Vec<(u16, PairForecast)> = Vec::new();
    // Where those of each rule are.
    let mut told: HashMap<u16, Vec<usize>> = HashMap::new();
    for (pair, members) in by_pair(model.rules()).reacting() {
        let sets = rivals(model.rules(), members);
        for &(number, case) in members {
            let Some(set) = sets.iter().find(|set| set.contains(&number)) else { continue };
            let rule = &model.rules().contact[number as usize];
            let names = MoleculeText::new(&model.species).of_case(&rule.cases[case as usize]);
            let odds = odds(model, number, pair, set);
            let told = told.entry(number).or_default();
            if let Some(&same) = told.iter().find(|&&n| found[n].1.odds == odds) {
                found[same].1.pairs.push(names);
                continue;
            }
            let forecast = PairForecast {
                rule: rule.name.clone(),
                pairs: vec![names],
                dimension: model.dimension_of(pair),
                chance: rule.chance,
                odds,
                unbinding: unbinding(model, number),
            };
            told.push(found.len());
            found.push((number, forecast));
        }
    }
    found.sort_by_key(|(number, _)| *number);
    found.into_iter().map(|(_, pair)| pair).collect()
}

fn unbinding(model: &Model, number: u16) -> Option<f64> {
    let any = |timed: &TimedRule| matches!(&timed.action, TimedAction::Unbind { of, cut: Cut::Any, .. } if of.first() == Some(&number));
    let rules = model.rules();
    let undoing =
        rules.undoing(number).filter(|(_, timed)| any(timed) && rules.reverses(timed, number));
    undoing.map(|(_, timed)| timed.rate).reduce(|sum, rate| sum + rate)
}

/// What rule `number` amounts to for two species, when it competes with the others of `set`.
fn odds(model: &Model, number: u16, species: [u16; 2], set: &[u16]) -> Option<Odds> {
    let pair = reacting_pair(model, species[0], species[1])?;
    let rule = |number: u16| &model.rules().contact[number as usize];
    let own = reacting_by(model, rule(number), species)?;
    let share = own.exposed / pair.exposed;
    let [a, b] = species.map(|s| &model.species[s as usize]);
    let distance = a.radius? + b.radius?;
    let dt = model.run.timestep;
    let chance = |number: u16| rule(number).chance;
    let found = Odds {
        step_over_distance: pair.step_width(dt) / distance,
        calibrated_up_to: calibration_range(pair.dimension())
            .map_or(f64::INFINITY, |range| *range.end()),
        probability: Ok(0.0),
        rate: None,
        macroscopic: None,
        unbinding_correction: 1.0,
        largest_timestep: None,
        energy: model.energy_at_contact(species),
    };
    if let Chance::Probability(p) = chance(number) {
        let rate = own.intrinsic_rate(p, dt).ok();
        let macroscopic = rate.and_then(|k_a| own.macroscopic_from_intrinsic(k_a));
        return Some(Odds { probability: Ok(p), rate, macroscopic, ..found });
    }
    let k_a = match intrinsic(chance(number), &own)? {
        Ok(k_a) => k_a,
        Err(why) => return Some(Odds { probability: Err(why.to_string()), ..found }),
    };
    // Reactions of the same pair share the probability of all. Of those that ask the two to face each
    // other there is one at a time: openings hardly overlap.
    let all_around = set.iter().filter_map(|&rival| {
        let met = reacting_by(model, rule(rival), species)?;
        let k_a = intrinsic(chance(rival), &met)?.ok()?;
        (met.exposed == pair.exposed).then_some(k_a)
    });
    let all_around: f64 = all_around.sum();
    let all = if share < 1.0 { all_around + k_a / share } else { all_around };
    Some(Odds {
        probability: pair.probability(all, dt).map(|p| p * k_a / all).map_err(|e| e.to_string()),
        rate: Some(k_a),
        macroscopic: own.macroscopic_from_intrinsic(k_a),
        unbinding_correction: pair.unbinding_correction(all, dt).unwrap_or(1.0),
        largest_timestep: pair.largest_timestep(all).ok(),
        ..found
    })
}
