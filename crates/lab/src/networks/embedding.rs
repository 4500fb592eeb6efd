//! The ways in which a pattern fits molecules.

use jostle_model::bngl::Network;
use jostle_model::notation::{Link, Molecule};

use super::soup::{SiteAt, Soup, kind_of, sites_named};

/// A site that a pattern mentions.
#[derive(Clone, Debug)]
struct Wish {
    /// The sites of the molecule that may be meant.
    named: Vec<usize>,
    state: Option<usize>,
    link: Link,
    /// Where a bond with a number leads to: a molecule of the pattern, and a site among those that
    /// it mentions.
    partner: Option<(usize, usize)>,
}

#[derive(Clone, Debug)]
pub(super) struct Template {
    /// The type of each molecule.
    kinds: Vec<usize>,
    /// \[molecule\]\[site among those that are mentioned\]
    wishes: Vec<Vec<Wish>>,
    /// The molecule with which ways in which it fits begin.
    root: usize,
}

/// One way in which it fits.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Fit {
    /// Which molecule each of the pattern is.
    pub(super) molecules: Vec<usize>,
    /// Which sites of it those that are mentioned are.
    pub(super) sites: Vec<Vec<usize>>,
}

impl Fit {
    /// A site that the pattern mentions.
    pub(super) fn site(&self, molecule: usize, site: usize) -> SiteAt {
        SiteAt { molecule: self.molecules[molecule], site: self.sites[molecule][site] }
    }
}

impl Template {
    pub(super) fn new(network: &Network, pattern: &[Molecule]) -> Self {
        let kinds: Vec<_> = pattern.iter().map(|m| kind_of(network, &m.name)).collect();
        let mut wishes = Vec::new();
        for (n, molecule) in pattern.iter().enumerate() {
            let mut own = Vec::new();
            for (s, mention) in molecule.sites.iter().enumerate() {
                let named = sites_named(network, kinds[n], &mention.name);
                let states = named.first().map(|site| &network.types[kinds[n]].sites[*site].states);
                let state = mention.states.first().and_then(|state| {
                    states.and_then(|states| states.iter().position(|known| known == state))
                });
                let partner = partner(pattern, (n, s));
                own.push(Wish { named, state, link: mention.bond, partner });
            }
            wishes.push(own);
        }
        Self { kinds, wishes, root: 0 }
    }

    /// The same, beginning with another molecule.
    pub(super) fn rooted_at(self, root: usize) -> Self {
        Self { root, ..self }
    }

    /// The type of the molecule with which it begins.
    pub(super) fn root(&self) -> usize {
        self.kinds[self.root]
    }

    /// How many molecules it has.
    pub(super) fn len(&self) -> usize {
        self.kinds.len()
    }

    /// All ways in which it fits that begin with a given molecule.
    pub(super) fn fits(&self, soup: &Soup, first: usize) -> Vec<Fit> {
        let mut search = Search {
            template: self,
            soup,
            molecules: vec![None; self.len()],
            sites: self.wishes.iter().map(|wishes| vec![None; wishes.len()]).collect(),
            found: Vec::new(),
        };
        search.place(self.root, first);
        search.found
    }
}

/// The other end of a bond with a number.
fn partner(pattern: &[Molecule], (molecule, site): (usize, usize)) -> Option<(usize, usize)> {
    let Link::Numbered(number) = pattern[molecule].sites[site].bond else { return None };
    let all = pattern
        .iter()
        .enumerate()
        .flat_map(|(n, molecule)| (0..molecule.sites.len()).map(move |s| (n, s)));
    all.filter(|end| *end != (molecule, site))
        .find(|(n, s)| pattern[*n].sites[*s].bond == Link::Numbered(number))
}

/// Places molecule after molecule, site after site, and takes back what does not lead on.
struct Search<'s> {
    template: &'s Template,
    soup: &'s Soup,
    molecules: Vec<Option<usize>>,
    sites: Vec<Vec<Option<usize>>>,
    found: Vec<Fit>,
}

impl Search<'_> {
    /// Tries a molecule in a place of the pattern.
    fn place(&mut self, atom: usize, molecule: usize) {
        let is_free = !self.molecules.contains(&Some(molecule));
        let body = self.soup.body(molecule).filter(|body| body.kind == self.template.kinds[atom]);
        if is_free && body.is_some() {
            self.molecules[atom] = Some(molecule);
            self.assign(atom, molecule, 0);
            self.molecules[atom] = None;
        }
    }

    /// Finds a site for each that is mentioned.
    fn assign(&mut self, atom: usize, molecule: usize, wish: usize) {
        let template = self.template;
        let Some(wanted) = template.wishes[atom].get(wish) else {
            return self.go_on();
        };
        for &site in &wanted.named {
            if !self.sites[atom].contains(&Some(site)) && self.suits(wanted, molecule, site) {
                self.sites[atom][wish] = Some(site);
                self.assign(atom, molecule, wish + 1);
                self.sites[atom][wish] = None;
            }
        }
    }

    fn suits(&self, wanted: &Wish, molecule: usize, site: usize) -> bool {
        let Some(body) = self.soup.body(molecule) else { return false };
        let bond = body.bonds[site];
        let state = wanted.state.is_none_or(|state| state == body.states[site]);
        let link = match wanted.link {
            Link::Free => bond.is_none(),
            Link::Bound | Link::Numbered(_) => bond.is_some(),
            Link::Either => true,
        };
        // Of two ends, the one that comes second asks whether it is bound to the first.
        let end = wanted.partner.and_then(|(atom, wish)| {
            Some(SiteAt { molecule: self.molecules[atom]?, site: self.sites[atom][wish]? })
        });
        state && link && end.is_none_or(|end| bond == Some(end))
    }

    /// Places the next molecule: one that is bound to what is there, or any of the complex.
    fn go_on(&mut self) {
        let open: Vec<usize> =
            (0..self.molecules.len()).filter(|n| self.molecules[*n].is_none()).collect();
        let [first, ..] = open.as_slice() else {
            self.found.push(Fit {
                molecules: self.molecules.iter().flatten().copied().collect(),
                sites: self
                    .sites
                    .iter()
                    .map(|own| own.iter().flatten().copied().collect())
                    .collect(),
            });
            return;
        };
        for &atom in &open {
            let template = self.template;
            let mut partners = template.wishes[atom].iter().filter_map(|wish| wish.partner);
            let bound = partners.find_map(|(other, wish)| {
                let (molecule, site) = (self.molecules[other]?, self.sites[other][wish]?);
                self.soup.body(molecule)?.bonds[site]
            });
            if let Some(bound) = bound {
                return self.place(atom, bound.molecule);
            }
        }
        let Some(root) = self.molecules.iter().flatten().next() else { return };
        for molecule in self.soup.complex(*root) {
            self.place(*first, molecule);
        }
    }
}
