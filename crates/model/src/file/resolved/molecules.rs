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
        }
    }

    /// A molecule that converts or vanishes.
    pub(super) fn molecule(&self, lines: &mut TableText, case: &Case<1>) {
        let unchanged = SiteChange::default();
        lines.text("on", &self.pattern(case, 0, unchanged));
        self.products(lines, case);
    }

    /// What arises: the same molecules with other states, or others that are free.
    fn products<const N: usize>(&self, lines: &mut TableText, case: &Case<N>) {
        let stays = case.products == case.species;
        let product = |(n, &species): (usize, &u16)| match stays {
            true => self.pattern(case, n, case.change(n)),
            false => self.text().with_states(species, case.change(n)),
        };
        let products: Vec<String> = case.products.iter().enumerate().map(product).collect();
        lines.texts("products", products.iter().map(String::as_str));
    }
}
