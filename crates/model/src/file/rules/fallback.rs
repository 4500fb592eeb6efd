//! Rules for pairs that no other rule is for: `"*"` in a bounce, pass or ignore rule, and
//! `interactions = "reactive"`.

use std::collections::BTreeSet;

use crate::file::Context;
use crate::walker::Section;
use jostle_core::rules::{Action, Case, Chance, ContactRule};

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

/// The species of a case, the lower first.
fn pair(case: &Case) -> [u16; 2] {
    let [a, b] = case.species;
    [a.min(b), a.max(b)]
}

impl Reading<'_> {
    /// Takes pairs with a rule of their own out of the rules for all: a pair that reacts is not
    /// ignored, and a pair with a bounce rule does not pass.
    pub(super) fn give_way(&mut self, wild: &[(usize, Section<'_>)]) {
        for (number, section) in wild {
            let ignores = self.rules.contact[*number].action == Action::Ignore;
            let other = |n: usize| n != *number && !wild.iter().any(|(wild, _)| *wild == n);
            let all = self.rules.contact.iter().enumerate();
            let before = all.filter(|(n, rule)| other(*n) && (ignores || !rule.action.reacts()));
            let taken: BTreeSet<_> =
                before.flat_map(|(_, rule)| rule.cases.iter().map(pair)).collect();
            let cases = &mut self.rules.contact[*number].cases;
            cases.retain(|case| !taken.contains(&pair(case)));
            if cases.is_empty() {
                section.fault(
                    "every pair that this rule could apply to has its own rule, so it would never apply",
                );
            }
        }
    }

    /// Lets pairs without a contact rule ignore each other, if the model says so.
    pub(super) fn leave_alone(&mut self, context: &Context<'_>) {
        if !context.reactive {
            return;
        }
        let taken: BTreeSet<_> =
            self.rules.contact.iter().flat_map(|rule| rule.cases.iter().map(pair)).collect();
        let kinds = context.kinds.len() as u16;
        let pairs = (0..kinds).flat_map(|a| (a..kinds).map(move |b| [a, b]));
        let left = pairs.filter(|pair| !taken.contains(pair));
        let cases: Vec<_> = left.map(|species| Case { species, products: Vec::new() }).collect();
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
        });
    }
}
