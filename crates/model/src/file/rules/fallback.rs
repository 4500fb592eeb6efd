//! Rules for pairs that no other rule is for: `"*"` in a bounce, pass or ignore rule, and
//! `interactions = "reactive"`.

use crate::file::Context;
use crate::walker::Section;
use jostle_core::rules::{Action, BondGeometry, Case, Chance, ContactRule};
use jostle_core::space::Groups;

use super::Reading;

/// Whether a rule names all species at once.
pub(super) fn is_wild(section: &Section<'_>) -> bool {
    let is_wild = |section: &Section<'_>| {
        let Some(item) = section.get("on") else { return false };
        let list = if item.is_list() { item.list().unwrap_or_default() } else { vec![item] };
        list.iter().any(|item| item.is_word("*"))
    };
    match section.get("cases").filter(|item| item.is_list()) {
        Some(item) => {
            let cases = item.list().unwrap_or_default();
            cases.iter().filter_map(|case| case.section_if_any()).any(|case| is_wild(&case))
        }
        None => is_wild(section),
    }
}

impl Reading<'_> {
    /// Takes pairs with a rule of their own out of the rules for all: a pair that reacts is not
    /// ignored, and a pair with a bounce rule does not pass.
    pub(super) fn give_way(&mut self, wild: &[(usize, Section<'_>)], kinds: usize) {
        for (number, section) in wild {
            let ignores = self.rules.contact[*number].action == Action::Ignore;
            let other = |n: usize| n != *number && !wild.iter().any(|(wild, _)| *wild == n);
            let all = self.rules.contact.iter().enumerate();
            let before = all.filter(|(n, rule)| other(*n) && (ignores || !rule.action.reacts()));
            let taken = before.flat_map(|(_, rule)| rule.cases.iter().map(|case| case.species));
            let left = Groups::except(kinds, taken);
            let cases = &mut self.rules.contact[*number].cases;
            cases.retain(|case| left.interact(case.species[0], case.species[1]));
            if cases.is_empty() {
                section.fault(
                    "every pair that this rule could apply to has its own rule, so it would never apply",
                );
            }
        }
    }

    /// Lets pairs without a contact rule or a potential ignore each other, if the model says so.
    pub(super) fn leave_alone(&mut self, context: &Context<'_>) {
        if !context.reactive {
            return;
        }
        let kinds = context.kinds.len();
        let cases = self.rules.contact.iter().flat_map(|rule| &rule.cases);
        let cases = cases.map(|case| case.species).chain(context.potentials.iter().copied());
        let left = Groups::except(kinds, cases);
        let pairs = (0..kinds as u16).flat_map(|a| (a..kinds as u16).map(move |b| [a, b]));
        let pairs = pairs.filter(|&[a, b]| left.interact(a, b));
        let cases: Vec<_> = pairs.map(|species| Case::new(species, &[])).collect();
        if cases.is_empty() {
            return;
        }
        let mut name = "without_reaction".to_owned();
        while self.names.contains(&name) {
            name.push('_');
        }
        self.names.insert(name.clone());
        self.rules.contact.push(ContactRule {
            name,
            cases,
            action: Action::Ignore,
            chance: Chance::Probability(1.0),
            conditions: Default::default(),
            windows: Vec::new(),
            region: None,
            geometry: BondGeometry::default(),
            tether: None,
        });
    }
}
