//! What looks wrong with a model without being impossible.

mod adsorption;
mod balance;
mod clusters;
mod gas;
mod granular;
mod idle;
mod polygons;
mod potentials;
mod rates;
mod reversal;
mod rings;
mod scattered;
mod sites;

use std::collections::BTreeMap;

use jostle_core::rules::{Chance, ScheduledAction};
use jostle_core::species::Drift;

use super::measure::{self, rms_step};
use super::{EngineModel, Model, PlacementMethod};

/// Below this packing fraction, encounters of more than two particles hardly count.
const DILUTE: f64 = 0.01;

/// From so many of the smallest radii on, a step is long also where particles are rather far apart.
const LONG: f64 = 2.5;

/// Something that looks wrong, or is easily misunderstood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The table or key that it concerns, as `--set` takes it (`species.EGFR`); empty if it concerns
    /// the model as a whole.
    pub key: String,
    /// A sentence for the user.
    pub text: String,
}

impl Warning {
    /// About what lies behind a key.
    pub fn of(key: impl Into<String>, text: impl Into<String>) -> Self {
        Self { key: key.into(), text: text.into() }
    }

    /// About the model as a whole.
    pub fn of_all(text: impl Into<String>) -> Self {
        Self::of("", text)
    }

    /// About a species, whose states have one table between them.
    pub fn of_species(name: &str, text: impl Into<String>) -> Self {
        Self::of(format!("species.{}", name.split('{').next().unwrap_or(name)), text)
    }

    /// About a rule.
    pub fn of_rule(name: &str, text: impl Into<String>) -> Self {
        Self::of(format!("rule.{name}"), text)
    }
}

impl Model {
    /// Sentences for the user about what looks wrong, or is easily misunderstood.
    pub fn warnings(&self) -> Vec<String> {
        self.located_warnings().into_iter().map(|warning| warning.text).collect()
    }

    /// The same, and what each is about.
    pub fn located_warnings(&self) -> Vec<Warning> {
        match &self.engine {
            EngineModel::Brownian(_) => self.warnings_of_spheres(),
            EngineModel::Granular(granular) => granular::warnings(self, granular),
            EngineModel::Polygons(polygons) => polygons::warnings(self, polygons),
            EngineModel::Gas(gas) => gas::warnings(self, gas),
        }
    }

    fn warnings_of_spheres(&self) -> Vec<Warning> {
        let mut list = Vec::new();
        self.warn_of_steps(&mut list);
        self.warn_of_drift(&mut list);
        self.warn_of_rules(&mut list);
        list.extend(adsorption::warnings(self));
        list.extend(clusters::warnings(self));
        list.extend(potentials::warnings(self));
        self.warn_of_density(&mut list);
        self.warn_of_bonds(&mut list);
        list
    }

    /// Bonds of position files that no rule here could have made.
    fn warn_of_bonds(&self, list: &mut Vec<Warning>) {
        let mut left_out: BTreeMap<[u16; 2], usize> = BTreeMap::new();
        for bond in self.bonds().iter().filter(|bond| bond.rule.is_none()) {
            let mut pair = bond.ends.map(|(species, _)| species);
            pair.sort_unstable();
            *left_out.entry(pair).or_default() += 1;
        }
        for (pair, count) in left_out {
            let [a, b] = pair.map(|s| &self.species[s as usize].name);
            list.push(Warning::of("clusters.bonds", format!(
                "{count} of the bonds at the start are left out: no rule with `merge = \"bond\"` is for {a} and {b}"
            )));
        }
    }

    fn warn_of_steps(&self, list: &mut Vec<Warning>) {
        let Some(radius) = measure::smallest_radius(self) else {
            return;
        };
        let crowding = measure::crowding(self);
        let (repeats, exclusive) = (measure::repeats(self), measure::exclusive(self));
        for (n, species) in self.species.iter().enumerate() {
            let diffusion = species.diffusion_coefficient.unwrap_or(0.0);
            let step = rms_step(diffusion, self.run.timestep);
            // Where particles are far apart, a coarse step costs nothing that is not calibrated.
            let dilute = if step > LONG * radius { 0.1 * DILUTE } else { DILUTE };
            if repeats[n] || crowding[n] < dilute {
                continue;
            }
            if step > 0.5 * radius && exclusive[n] {
                list.push(Warning::of_species(&species.name, format!(
                    "{} moves {step:.3} nm per step (rms per axis), {:.2} of the smallest radius: \
                     contacts are exact, but motion in crowded regions is coarse; {} would give a \
                     step of 0.1 radius",
                    species.name,
                    step / radius,
                    measure::time((0.1 * radius).powi(2) / (2.0 * diffusion))
                )));
            }
        }
    }

    fn warn_of_drift(&self, list: &mut Vec<Warning>) {
        let repeats = measure::repeats(self);
        for (n, species) in self.species.iter().enumerate() {
            if repeats[n] {
                continue;
            }
            let name = &species.name;
            match species.drift {
                Drift::Still => continue,
                Drift::Shear { across, .. } if self.space.periodic[across] => list.push(Warning::of_species(name, format!(
                    "the shear of {name} is discontinuous at the periodic face across {}; with \
                     reflecting faces it would not be",
                    ["x", "y", "z"][across]
                ))),
                Drift::Well { relaxation, .. } if self.run.timestep > relaxation / 10.0 => {
                    list.push(Warning::of_species(name, format!(
                        "the well of {name} relaxes in {relaxation:?} us, less than ten steps"
                    )));
                }
                _ => {}
            }
            list.push(Warning::of_species(name, format!(
                "{name} drifts: with drift, results converge as the time step shrinks, but are not \
                 exact at any step"
            )));
        }
    }

    fn warn_of_rules(&self, list: &mut Vec<Warning>) {
        for (number, rule) in self.rules().contact.iter().enumerate() {
            match rule.chance {
                Chance::Probability(0.0) if !self.is_set(number as u16) => {
                    list.push(Warning::of_rule(&rule.name, format!(
                        "rule \"{}\" never applies: its probability is 0",
                        rule.name
                    )));
                }
                Chance::Probability(_) if rule.action.reacts() => list.push(Warning::of_rule(&rule.name, format!(
                    "rule \"{}\" has a probability per contact: its rate depends on the time step \
                     (`rate` would not)",
                    rule.name
                ))),
                _ => {}
            }
        }
        if self.placement.iter().any(|p| p.count() > 0) {
            list.extend(idle::warnings(self));
        }
        list.extend(sites::warnings(self));
        list.extend(rings::warnings(self));
        list.extend(balance::warnings(self));
        list.extend(reversal::warnings(self));
        list.extend(rates::warnings(self));
        list.extend(scattered::warnings(self));
    }

    /// Whether the schedule gives a rule another rate.
    fn is_set(&self, number: u16) -> bool {
        let mut actions = self.rules().schedule.iter().map(|entry| &entry.action);
        actions.any(
            |action| matches!(action, ScheduledAction::SetRate { rule, .. } | ScheduledAction::Scale { rule, .. } if *rule == number),
        )
    }

    fn warn_of_density(&self, list: &mut Vec<Warning>) {
        if self.placement.iter().all(|p| p.count() == 0) {
            list.push(Warning::of("species", "there are no particles at the start"));
        }
        // Random sequential addition jams near 0.38 (3D), 0.547 (2D) and 0.747 (1D).
        let jams = |species: u16| [0.74, 0.74, 0.53, 0.36][self.dimension_of([species; 2])];
        let crowding = measure::crowding(self);
        let random =
            self.placement.iter().filter(|p| matches!(p.how, PlacementMethod::Random { .. }));
        let crowds = random.map(|p| (crowding[p.species as usize], p.species));
        let densest =
            crowds.filter(|&(phi, species)| phi > jams(species)).max_by(|a, b| a.0.total_cmp(&b.0));
        if let Some((phi, species)) = densest {
            list.push(Warning::of_species(&self.species[species as usize].name, format!(
                "a packing fraction of {phi:.3} is near or beyond what random placement reaches; \
                 `placement = {{ packed = N }}` packs denser"
            )));
        }
    }
}
