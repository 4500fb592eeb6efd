//! Patterns of sites that can never fit: no rule makes the states or bonds that they ask for.

use std::collections::BTreeSet;

use jostle_core::rules::{Action, Case, TimedAction};
use jostle_core::sites::SitePattern;

use super::Warning;
use crate::Model;

/// What can arise, site by site: a bound on what can be, since it leaves out what is together.
#[derive(Clone, Default, PartialEq)]
struct Reach {
    /// Species, site, and number of the state.
    states: BTreeSet<(u16, u8, usize)>,
    /// The species and sites of both ends of a bond, either way round.
    bonds: BTreeSet<[(u16, u8); 2]>,
}

/// A sentence for each rule none of whose cases can ever apply.
pub(super) fn warnings(model: &Model) -> Vec<Warning> {
    if model.species.iter().all(|species| species.sites.is_empty()) {
        return Vec::new();
    }
    let mut reach = Reach::at_the_start(model);
    loop {
        let before = reach.clone();
        reach.extend(model);
        if reach == before {
            break;
        }
    }
    let rules = model.rules();
    let mut found = Vec::new();
    let mut warn = |name: &str, why: Option<String>| {
        let sentence =
            |why| Warning::of_rule(name, format!("rule \"{name}\" never applies: {why}"));
        found.extend(why.map(sentence));
    };
    for rule in &rules.contact {
        warn(&rule.name, reach.never(model, &rule.cases));
    }
    for rule in &rules.timed {
        match &rule.action {
            TimedAction::Convert { cases } => warn(&rule.name, reach.never(model, cases)),
            TimedAction::Unbind { ends, .. } => warn(&rule.name, reach.never(model, ends)),
            TimedAction::Create { .. } | TimedAction::Fragment { .. } => {}
        }
    }
    found
}

impl Reach {
    fn at_the_start(model: &Model) -> Self {
        let mut reach = Self::default();
        for placement in model.placement.iter().filter(|placement| placement.count() > 0) {
            reach.add_particle(model, placement.species, placement.sites);
        }
        // How many there are may follow from a concentration, which is not known yet.
        for placement in model.placement.iter().filter(|placement| placement.asked.is_some()) {
            reach.add_particle(model, placement.species, placement.sites);
        }
        for entry in &model.rules().schedule {
            if let jostle_core::rules::ScheduledAction::Add { species, sites, .. } = entry.action {
                reach.add_particle(model, species, sites);
            }
        }
        reach
    }

    fn add_particle(&mut self, model: &Model, species: u16, code: u64) {
        let sites = &model.species[species as usize].sites;
        let all = 0..sites.list().len() as u8;
        self.states.extend(all.map(|site| (species, site, sites.state_of(code, site))));
    }

    /// Adds what rules make of what there can be.
    fn extend(&mut self, model: &Model) {
        for rule in &model.rules().contact {
            for case in rule.cases.iter() {
                if self.lacks(model, case).is_some() {
                    continue;
                }
                if let (Action::Bond, Some([a, b])) = (rule.action, case.joins()) {
                    let [one, other] = [(case.species[0], a), (case.species[1], b)];
                    self.bonds.extend([[one, other], [other, one]]);
                    self.add_changes(model, case, &case.species);
                }
                self.add_products(model, case);
            }
        }
        for rule in &model.rules().timed {
            match &rule.action {
                TimedAction::Convert { cases } => {
                    for case in cases {
                        if self.lacks(model, case).is_none() {
                            self.add_products(model, case);
                        }
                    }
                }
                TimedAction::Create { species, sites } => {
                    self.add_particle(model, *species, *sites);
                }
                TimedAction::Unbind { ends, .. } => {
                    for case in ends {
                        if self.lacks(model, case).is_none() {
                            self.add_changes(model, case, &case.species);
                        }
                    }
                }
                TimedAction::Fragment { .. } => {}
            }
        }
    }

    fn add_products<const N: usize>(&mut self, model: &Model, case: &Case<N>) {
        for (n, &product) in case.products.iter().enumerate() {
            if !case.species.contains(&product) {
                self.add_particle(model, product, case.change(n).of(0));
            }
        }
        self.add_changes(model, case, &case.products);
    }

    /// Adds the states that a case gives to particles of these species.
    fn add_changes<const N: usize>(&mut self, model: &Model, case: &Case<N>, species: &[u16]) {
        for (n, &product) in species.iter().enumerate() {
            let (sites, change) = (&model.species[product as usize].sites, case.change(n));
            let set = (0..sites.list().len() as u8)
                .filter(|&site| change.mask & sites.state_mask(site) != 0)
                .map(|site| (product, site, sites.state_of(change.value, site)));
            self.states.extend(set);
        }
    }

    /// Why none of the cases can ever apply, if none can.
    fn never<const N: usize>(&self, model: &Model, cases: &[Case<N>]) -> Option<String> {
        let mut reasons = cases.iter().map(|case| self.lacks(model, case));
        let first = reasons.next()??;
        reasons.all(|reason| reason.is_some()).then_some(first)
    }

    /// What a case needs that can never be.
    fn lacks<const N: usize>(&self, model: &Model, case: &Case<N>) -> Option<String> {
        (0..N).find_map(|n| self.lacks_of(model, case.species[n], case.pattern(n)?))
    }

    fn lacks_of(&self, model: &Model, species: u16, pattern: &SitePattern) -> Option<String> {
        let kind = &model.species[species as usize];
        let sites = &kind.sites;
        for (number, site) in (0u8..).zip(sites.list()) {
            let state = sites.state_of(pattern.value, number);
            if pattern.mask & sites.state_mask(number) != 0
                && !self.states.contains(&(species, number, state))
            {
                return Some(format!(
                    "no {} is ever in state \"{}\" at site \"{}\"",
                    kind.name, site.states[state], site.name
                ));
            }
            let mut bonds = self.bonds.iter();
            if pattern.value & sites.bound(number) != 0
                && !bonds.any(|[one, _]| *one == (species, number))
            {
                return Some(format!("nothing ever binds site \"{}\" of {}", site.name, kind.name));
            }
        }
        pattern.attached.iter().find_map(|attached| {
            let other = &model.species[attached.species as usize];
            let ends = [(species, attached.site), (attached.species, attached.at)];
            if !self.bonds.contains(&ends) {
                return Some(format!(
                    "no rule joins site \"{}\" of {} and site \"{}\" of {}",
                    sites.list()[attached.site as usize].name,
                    kind.name,
                    other.sites.list()[attached.at as usize].name,
                    other.name
                ));
            }
            self.lacks_of(model, attached.species, &attached.pattern)
        })
    }
}
