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

    /// Lets no two particles keep each other out, if the model says that only reactions matter: pairs
    /// that do not react ignore each other, and those that do react pass through each other where they
    /// do not. Pairs with a potential, a tether, or a rule of their own for what does not react are as
    /// they would be otherwise.
    ///
    /// A pair that passes makes a contact each time that it begins to overlap, as often as one that
    /// bounces makes contacts, so that rate constants are the same. If reacting pairs bounced, a product
    /// that is made within reach of a partner would have to be refused.
    pub(super) fn leave_alone(&mut self, context: &Context<'_>) {
        if !context.reactive {
            return;
        }
        let kinds = context.kinds.len();
        let without = |is_such: &dyn Fn(&ContactRule) -> bool, more: &[[u16; 2]]| {
            let rules = self.rules.contact.iter().filter(|rule| is_such(rule));
            let cases = rules.flat_map(|rule| &rule.cases).map(|case| case.species);
            Groups::except(kinds, cases.chain(more.iter().copied()))
        };
        let keeps_out = |rule: &ContactRule| !rule.action.reacts() || rule.tether.is_some();
        let left = without(&keeps_out, &context.potentials);
        let unreactive = without(&|rule| rule.action.reacts(), &[]);
        let pairs = (0..kinds as u16).flat_map(|a| (a..kinds as u16).map(move |b| [a, b]));
        let pairs = pairs.filter(|&[a, b]| left.interact(a, b));
        let (ignoring, passing): (Vec<_>, Vec<_>) =
            pairs.partition(|&[a, b]| unreactive.interact(a, b));
        self.add_for_all("without_reaction", Action::Ignore, ignoring);
        self.add_for_all("unless_reacting", Action::Pass, passing);
    }

    /// Adds a rule for these pairs, unless there are none.
    fn add_for_all(&mut self, name: &str, action: Action, pairs: Vec<[u16; 2]>) {
        if pairs.is_empty() {
            return;
        }
        let mut name = name.to_owned();
        // The rule shows up in logs and can be named in questions to them, so its name must be its
        // own.
        while self.names.contains(&name) {
            name.push('_');
        }
        self.names.insert(name.clone());
        self.rules.contact.push(ContactRule {
            name,
            cases: pairs.into_iter().map(|species| Case::new(species, &[])).collect(),
            action,
            chance: Chance::Probability(1.0),
            conditions: Default::default(),
            windows: Vec::new(),
            region: None,
            geometry: BondGeometry::default(),
            tether: None,
        });
    }
}
