//! Cases of molecules with sites, in the notation that they are read in.

use jostle_core::rules::{Action, Case};
use jostle_core::sites::{SiteChange, SitePattern};

use super::rules::Rules;
use super::writer::TableText;
use crate::molecule_text::MoleculeText;

impl Rules<'_> {
    pub(super) fn text(&self) -> MoleculeText<'_> {
        MoleculeText::new(&self.model.species)
    }

    fn pattern<const N: usize>(&self, case: &Case<N>, n: usize, change: SiteChange) -> String {
        let none = SitePattern::default();
        self.text().pattern(case.species[n], case.pattern(n).unwrap_or(&none), change)
    }

    /// Two molecules that bind, convert or vanish.
    pub(super) fn molecules(&self, lines: &mut TableText, case: &Case<2>, action: Action) {
        if action.effect().converts && !case.others().is_empty() {
            return self.alteration(lines, case);
        }
        let unchanged = SiteChange::default();
        let on = [0, 1].map(|n| self.pattern(case, n, unchanged));
        lines.texts("on", on.iter().map(String::as_str));
        if let (Action::Bond, Some(joins)) = (action, case.joins()) {
            let sites = |n: usize| self.model.species[case.species[n] as usize].sites.list();
            let names = [0, 1].map(|n| sites(n)[joins[n] as usize].name.as_str());
            lines.texts("at", names.into_iter());
        }
        if action.effect().converts {
            self.products(lines, case);
        } else if case.changes_states() {
            lines.texts("products", [self.text().bound(case)].iter().map(String::as_str));
        }
    }

    /// The complex whose bond breaks, and what becomes of the two if their states change.
    pub(super) fn bond(&self, lines: &mut TableText, case: &Case<2>) {
        if !case.changes_states() {
            return lines.text("on", &self.text().of_bond(case));
        }
        let [before, after @ ..] = self.text().release(case);
        lines.text("on", &before);
        lines.texts("products", after.iter().map(String::as_str));
    }

    /// A molecule that converts or vanishes.
    pub(super) fn molecule(&self, lines: &mut TableText, case: &Case<1>) {
        let is_bound = case.pattern(0).is_some_and(|pattern| !pattern.attached.is_empty());
        if !case.others().is_empty() || is_bound && case.products.is_empty() {
            return self.alteration(lines, case);
        }
        lines.text("on", &self.pattern(case, 0, SiteChange::default()));
        self.products(lines, case);
    }

    /// Complexes of which several molecules change, or any goes.
    fn alteration<const N: usize>(&self, lines: &mut TableText, case: &Case<N>) {
        let (on, products) = self.text().alteration(case);
        match on.as_slice() {
            [one] => lines.text("on", one),
            several => lines.texts("on", several.iter().map(String::as_str)),
        }
        lines.texts("products", products.iter().map(String::as_str));
    }

    /// What arises: the same molecules with other states, and others that are free.
    fn products<const N: usize>(&self, lines: &mut TableText, case: &Case<N>) {
        let stay = case.products.starts_with(&case.species);
        let product = |(n, &species): (usize, &u16)| match stay && n < N {
            true => self.pattern(case, n, case.change(n)),
            false => self.text().with_states(species, case.change(n)),
        };
        let products: Vec<String> = case.products.iter().enumerate().map(product).collect();
        lines.texts("products", products.iter().map(String::as_str));
    }
}
