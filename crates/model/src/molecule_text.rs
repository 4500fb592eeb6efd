//! Molecules with sites, in BioNetGen's notation.

use jostle_core::rules::Case;
use jostle_core::sites::{Attached, SiteChange, SitePattern, Sites};
use jostle_core::species::Species;

use crate::notation::{Link, Molecule, complex, other_molecule, without, written};

/// Writes patterns of the sites of these species.
#[derive(Clone, Copy)]
pub struct MoleculeText<'a> {
    species: &'a [Species],
}

/// A pattern as it is being written.
#[derive(Default)]
struct PatternText {
    /// The number of the last bond.
    bond: usize,
    /// Molecules that are bound, in the order in which they are met.
    others: Vec<String>,
    /// The site of the first molecule whose partner is to be written before or after all others.
    moved: Option<(u8, Moved)>,
}

/// Where the partner at a site is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Moved {
    First,
    Last,
}

impl<'a> MoleculeText<'a> {
    /// A writer for these species.
    pub fn new(species: &'a [Species]) -> Self {
        Self { species }
    }

    fn name(&self, species: u16) -> &'a str {
        &self.species[species as usize].name
    }

    fn sites(&self, species: u16) -> &'a Sites {
        &self.species[species as usize].sites
    }

    /// A free particle of this site code: the name alone if all its sites are in their first states.
    pub fn particle(&self, species: u16, code: u64) -> String {
        match code {
            0 => self.name(species).to_owned(),
            _ => self.sites(species).written(self.name(species), code, |_| String::new()),
        }
    }

    /// What a case is for: the name of each species alone, where its sites do not matter.
    pub fn of_case<const N: usize>(&self, case: &Case<N>) -> [String; N] {
        std::array::from_fn(|n| match case.pattern(n) {
            None => self.name(case.species[n]).to_owned(),
            Some(pattern) => self.pattern(case.species[n], pattern, SiteChange::default()),
        })
    }

    /// The complex whose first bond a case means.
    pub fn of_bond(&self, case: &Case<2>) -> String {
        let none = SitePattern::default();
        let pattern = case.pattern(0).unwrap_or(&none);
        let moved = case.joins().map(|[site, _]| (site, Moved::First));
        self.complex(case.species[0], pattern, SiteChange::default(), moved)
    }

    /// What two molecules become that a case joins, with the states that they have then.
    pub fn bound(&self, case: &Case<2>) -> String {
        let Some([a, b]) = case.joins() else { return self.of_bond(case) };
        let [mut first, mut second] = [0, 1].map(|n| case.pattern(n).cloned().unwrap_or_default());
        let [s, t] = case.species;
        for (pattern, species, site) in [(&mut first, s, a), (&mut second, t, b)] {
            pattern.mask |= self.sites(species).bound(site);
            pattern.value |= self.sites(species).bound(site);
        }
        second.value = case.change(1).of(second.value);
        second.mask |= case.change(1).mask;
        first.attached.push(Attached { site: a, species: t, at: b, pattern: second });
        self.complex(s, &first, case.change(0), Some((a, Moved::Last)))
    }

    /// The complex whose bond a case breaks, and the two that part, with the states that they have
    /// then. Molecules come in the same order before and after, by which they are known again.
    pub fn release(&self, case: &Case<2>) -> [String; 3] {
        let patterns = [0, 1].map(|n| case.pattern(n).cloned().unwrap_or_default());
        let joins = case.joins().unwrap_or_default();
        let moved = Some((joins[0], Moved::Last));
        let before = self.complex(case.species[0], &patterns[0], SiteChange::default(), moved);
        let part = |n: usize| {
            let (species, mut pattern) = (case.species[n], patterns[n].clone());
            pattern.attached.retain(|attached| attached.site != joins[n]);
            pattern.mask |= self.sites(species).bound(joins[n]);
            pattern.value &= !self.sites(species).bound(joins[n]);
            self.pattern(species, &pattern, case.change(n))
        };
        [before, part(0), part(1)]
    }

    /// The complexes of which molecules change or go, and what is there afterwards. What goes is
    /// written last, since what stays is the first that is written alike.
    pub fn alteration<const N: usize>(&self, case: &Case<N>) -> (Vec<String>, Vec<String>) {
        let (mut left, mut right) = (Vec::new(), Vec::new());
        let none = SitePattern::default();
        let mut products = case.products.iter().enumerate();
        for n in 0..N {
            let pattern = case.pattern(n).unwrap_or(&none);
            let text = self.pattern(case.species[n], pattern, SiteChange::default());
            let Ok(complex) = complex(&text) else { continue };
            // What stays comes first among the products.
            let stays = products.clone().next().filter(|(_, made)| **made == case.species[n]);
            let root = stays.and_then(|_| products.next()).map(|(k, _)| case.change(k));
            let mut fates: Vec<Option<SiteChange>> =
                vec![Some(SiteChange::default()); complex.len()];
            fates[0] = root;
            for other in case.others().iter().filter(|other| usize::from(other.of) == n) {
                if let Some(at) = self.reached(&complex, &other.path) {
                    fates[at] = other.change;
                }
            }
            let (kept, lost): (Vec<usize>, Vec<usize>) =
                (0..complex.len()).partition(|at| fates[*at].is_some());
            let gone: Vec<usize> = (kept.len()..complex.len()).collect();
            let in_order = [kept, lost].concat();
            let sorted: Vec<Molecule> = in_order.iter().map(|at| complex[*at].clone()).collect();
            let mut after = sorted.clone();
            for (molecule, at) in after.iter_mut().zip(&in_order) {
                self.change(molecule, fates[*at].unwrap_or_default());
            }
            left.push(written(&sorted));
            right.extend(without(&after, &gone).iter().map(|piece| written(piece)));
        }
        right.extend(products.map(|(k, &species)| self.with_states(species, case.change(k))));
        (left, right)
    }

    /// The molecule of a complex that these sites lead to from the first.
    fn reached(&self, complex: &[Molecule], path: &[u8]) -> Option<usize> {
        path.iter().try_fold(0, |at, &site| {
            let name = &self.sites_called(&complex[at].name)?.list().get(usize::from(site))?.name;
            let mention = complex[at].sites.iter().find(|mention| mention.name == *name)?;
            let Link::Numbered(bond) = mention.bond else { return None };
            other_molecule(complex, at, bond)
        })
    }

    fn sites_called(&self, name: &str) -> Option<&'a Sites> {
        self.species.iter().find(|species| species.name == name).map(|species| &species.sites)
    }

    /// Sets the states of a molecule that mentions them.
    fn change(&self, molecule: &mut Molecule, change: SiteChange) {
        let Some(sites) = self.sites_called(&molecule.name) else { return };
        for (number, site) in (0u8..).zip(sites.list()) {
            if change.mask & sites.state_mask(number) == 0 {
                continue;
            }
            let state = site.states.get(sites.state_of(change.value, number));
            let mentions = molecule.sites.iter_mut().filter(|mention| mention.name == site.name);
            mentions.for_each(|mention| mention.states = state.cloned().into_iter().collect());
        }
    }

    /// A pattern, with the states of its own molecule changed.
    pub fn pattern(&self, species: u16, pattern: &SitePattern, change: SiteChange) -> String {
        self.complex(species, pattern, change, None)
    }

    fn complex(
        &self,
        species: u16,
        pattern: &SitePattern,
        change: SiteChange,
        moved: Option<(u8, Moved)>,
    ) -> String {
        let mut text = PatternText { moved, ..PatternText::default() };
        let first = self.write(&mut text, species, pattern, change, None);
        text.joined(first)
    }

    /// A free molecule that mentions the states that are set.
    pub fn with_states(&self, species: u16, change: SiteChange) -> String {
        let sites = self.sites(species);
        let mentions = (0u8..).zip(sites.list()).filter_map(|(number, site)| {
            let state = site.states.get(sites.state_of(change.value, number))?;
            let is_set = change.mask & sites.state_mask(number) != 0;
            is_set.then(|| format!("{}~{state}", site.name))
        });
        format!("{}({})", self.name(species), mentions.collect::<Vec<_>>().join(","))
    }

    /// A molecule of a pattern; `bound` is the site by which it hangs on the one before, and the
    /// number of that bond.
    fn write(
        &self,
        text: &mut PatternText,
        species: u16,
        pattern: &SitePattern,
        change: SiteChange,
        bound: Option<(u8, usize)>,
    ) -> String {
        let sites = self.sites(species);
        let mut mentions = Vec::new();
        let mut branches = Vec::new();
        for (number, site) in (0u8..).zip(sites.list()) {
            let attached = pattern.attached.iter().find(|attached| attached.site == number);
            let (bit, states) = (sites.bound(number), sites.state_mask(number));
            let set = (pattern.mask | change.mask) & states != 0;
            let is_bound = bound.filter(|(at, _)| *at == number);
            if pattern.mask & bit == 0 && !set && attached.is_none() && is_bound.is_none() {
                continue;
            }
            let state = match site.states.get(sites.state_of(change.of(pattern.value), number)) {
                Some(state) if set => format!("~{state}"),
                _ => String::new(),
            };
            let bond = match (is_bound, attached) {
                (Some((_, bond)), _) => format!("!{bond}"),
                (None, Some(attached)) => {
                    text.bond += 1;
                    branches.push((attached, text.bond));
                    format!("!{}", text.bond)
                }
                (None, None) if pattern.mask & bit == 0 => "!?".to_owned(),
                (None, None) if pattern.value & bit == 0 => String::new(),
                (None, None) => "!+".to_owned(),
            };
            mentions.push(format!("{}{state}{bond}", site.name));
        }
        let moved = text.moved.take();
        branches.sort_by_key(|(attached, _)| match moved {
            Some((site, Moved::First)) => attached.site != site,
            Some((site, Moved::Last)) => attached.site == site,
            None => false,
        });
        for (attached, bond) in branches {
            // Its own branches come after it, since molecules are matched in the order of mention.
            let at = text.others.len();
            text.others.push(String::new());
            let (pattern, hangs_on) = (&attached.pattern, Some((attached.at, bond)));
            text.others[at] =
                self.write(text, attached.species, pattern, SiteChange::default(), hangs_on);
        }
        format!("{}({})", self.name(species), mentions.join(","))
    }
}

impl PatternText {
    fn joined(self, first: String) -> String {
        std::iter::once(first).chain(self.others).collect::<Vec<_>>().join(".")
    }
}
