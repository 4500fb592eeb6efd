//! What a rule is for, and what becomes of it.

use crate::sites::{SiteChange, SitePattern};

/// One combination of `N` particles that a rule is for.
#[derive(Clone, Debug, PartialEq)]
pub struct Case<const N: usize> {
    /// Indices into the model's species; they may be the same.
    pub species: [u16; N],
    /// What a conversion makes of them, or the one product of a coalescence; else nothing.
    pub products: Vec<u16>,
    /// What it says of their sites; nothing, if it is for the species whatever these are like.
    pub sites: Option<Box<SiteCase<N>>>,
}

/// What a case says of sites. Rules for all species have millions of cases without any.
#[derive(Clone, Debug, PartialEq)]
pub struct SiteCase<const N: usize> {
    /// What the sites of each must be like.
    pub patterns: [SitePattern; N],
    /// The site of each that a bond joins; none for a bond that is at no site.
    pub joins: Option<[u8; N]>,
    /// How the sites of each product differ from those of the particle that it continues or, if it
    /// is new, from free sites in their first states; of two that a bond joins or lets go, how the
    /// states of each change then. \[product\] Empty if none of them differs.
    pub changes: Vec<SiteChange>,
    /// What becomes of further molecules of their complexes.
    pub others: Vec<OtherMolecule>,
    /// Whether all that is bound to a particle which goes, goes with it.
    pub takes_complexes: bool,
    /// How many molecules of the complex the case could begin with, since they are alike and the same
    /// comes of them: the rate is shared among them.
    pub alike: u32,
}

/// A further molecule of the complex of a particle that a case is for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct OtherMolecule {
    /// Which of the particles: 0 or 1.
    pub of: u8,
    /// By which sites it is reached from there: one of the particle, one of what is bound to that,
    /// and so on.
    pub path: Vec<u8>,
    /// How its sites change; it goes, if they do not.
    pub change: Option<SiteChange>,
}

impl<const N: usize> SiteCase<N> {
    /// These patterns, and nothing else.
    pub fn new(patterns: [SitePattern; N]) -> Self {
        Self {
            patterns,
            joins: None,
            changes: Vec::new(),
            others: Vec::new(),
            takes_complexes: false,
            alike: 1,
        }
    }

    fn says_nothing(&self) -> bool {
        self.joins.is_none()
            && self.others.is_empty()
            && !self.takes_complexes
            && self.patterns.iter().all(SitePattern::fits_all)
            && self.changes.iter().all(|change| *change == SiteChange::default())
    }
}

impl<const N: usize> Case<N> {
    /// A case of species, whatever their sites are like.
    pub fn new(species: [u16; N], products: &[u16]) -> Self {
        Self { species, products: products.to_vec(), sites: None }
    }

    /// The same for those whose sites are like this.
    #[must_use]
    pub fn with_sites(self, sites: SiteCase<N>) -> Self {
        let sites = (!sites.says_nothing()).then(|| Box::new(sites));
        Self { sites, ..self }
    }

    /// What the sites of one of the particles must be like, if anything is asked of them.
    #[inline]
    pub fn pattern(&self, n: usize) -> Option<&SitePattern> {
        let pattern = &self.sites.as_deref()?.patterns[n];
        (!pattern.fits_all()).then_some(pattern)
    }

    /// The site of each that a bond joins, if it joins any.
    pub fn joins(&self) -> Option<[u8; N]> {
        self.sites.as_ref()?.joins
    }

    /// How the sites of product number `n` change.
    pub fn change(&self, n: usize) -> SiteChange {
        let change = self.sites.as_ref().and_then(|sites| sites.changes.get(n));
        change.copied().unwrap_or_default()
    }

    /// What becomes of further molecules.
    pub fn others(&self) -> &[OtherMolecule] {
        self.sites.as_ref().map_or(&[], |sites| &sites.others)
    }

    /// Whether all that is bound to a particle which goes, goes with it.
    pub fn takes_complexes(&self) -> bool {
        self.sites.as_ref().is_some_and(|sites| sites.takes_complexes)
    }

    /// The same, where all that is bound to what goes, goes with it.
    #[must_use]
    pub fn taking_complexes(mut self) -> Self {
        let sites = self.sites.take().map_or_else(
            || SiteCase::new(std::array::from_fn(|_| SitePattern::default())),
            |sites| *sites,
        );
        self.with_sites(SiteCase { takes_complexes: true, ..sites })
    }

    /// Which share of the rate of a rule each particle has that fits the case.
    pub fn share(&self) -> f64 {
        self.sites.as_ref().map_or(1.0, |sites| 1.0 / f64::from(sites.alike))
    }

    /// Whether states of sites change.
    pub fn changes_states(&self) -> bool {
        (0..N).any(|n| self.change(n) != SiteChange::default())
    }

    /// Whether it is for species alone, and leaves their sites as they are.
    pub fn is_of_species(&self) -> bool {
        self.sites.is_none()
    }
}

impl Case<2> {
    /// Whether two particles of one species that fit it both ways round have one possibility, not
    /// two. Of species it is one. Of molecules with sites it is one if the same is asked of both
    /// and the same happens to them; else each way round counts, as it does in BioNetGen.
    pub fn is_one_either_way(&self) -> bool {
        let same = |sites: &SiteCase<2>| {
            let [first, second] = &sites.patterns;
            let of = |n: u8| {
                let own = sites.others.iter().filter(move |other| other.of == n);
                own.map(|OtherMolecule { path, change, .. }| (path, change))
            };
            first == second && sites.joins.is_none_or(|[a, b]| a == b) && of(0).eq(of(1))
        };
        self.sites.as_deref().is_none_or(same) && self.change(0) == self.change(1)
    }

    /// Whether it is for two that are alike: of one species, with one possibility.
    pub fn is_for_alike(&self) -> bool {
        self.species[0] == self.species[1] && self.is_one_either_way()
    }
}
