//! In how many ways the left side of a rule fits itself, the rule staying the same.
//!
//! BNGL counts every way in which the patterns of a rule fit molecules, divided by this number: two
//! `A(b)` that bind each other fit each pair in two ways, and are still one pair.

use super::changes::{Changes, SiteRef, bonds};
use crate::notation::{Link, Mention, Molecule};

/// Patterns that take more steps are not taken apart; sensible ones take a few dozen.
const MOST_STEPS: u32 = 100_000;

/// How many ways there are; none if it would take too long to find them.
pub(super) fn symmetry(reactants: &[Vec<Molecule>], changes: &Changes) -> Option<f64> {
    let numbered = reactants.iter().enumerate();
    let all = numbered.flat_map(|(n, pattern)| pattern.iter().map(move |m| (m, n)));
    let mut search = Search {
        molecules: all.collect(),
        bonds: bonds(reactants),
        changes,
        image: Vec::new(),
        count: 0.0,
        steps: 0,
    };
    let free = search.free_ways();
    search.assign();
    (search.steps < MOST_STEPS).then_some(free * search.count)
}

struct Search<'r> {
    molecules: Vec<(&'r Molecule, usize)>,
    bonds: Vec<[SiteRef; 2]>,
    changes: &'r Changes,
    /// For each molecule so far the molecule that it becomes, and its sites.
    image: Vec<(usize, Vec<usize>)>,
    count: f64,
    steps: u32,
}

impl<'r> Search<'r> {
    /// Sites that neither change nor are bound to a named partner are interchangeable where they
    /// are alike: in how many ways, for all molecules together.
    fn free_ways(&self) -> f64 {
        let mut ways = 1.0;
        for (n, (molecule, _)) in self.molecules.iter().enumerate() {
            let mut seen: Vec<(&Mention, f64)> = Vec::new();
            for mention in (0..molecule.sites.len())
                .filter(|site| !self.is_special(SiteRef { molecule: n, site: *site }))
                .map(|site| &molecule.sites[site])
            {
                match seen.iter_mut().find(|(known, _)| *known == mention) {
                    Some((_, count)) => {
                        *count += 1.0;
                        ways *= *count;
                    }
                    None => seen.push((mention, 1.0)),
                }
            }
        }
        ways
    }

    fn mention(&self, site: SiteRef) -> &'r Mention {
        &self.molecules[site.molecule].0.sites[site.site]
    }

    fn is_special(&self, site: SiteRef) -> bool {
        matches!(self.mention(site).bond, Link::Numbered(_))
            || self.changes.sites().any(|changed| changed == site)
    }

    /// The sites of a molecule that change or are bound to a named partner.
    fn special(&self, molecule: usize) -> Vec<usize> {
        let sites = 0..self.molecules[molecule].0.sites.len();
        sites.filter(|site| self.is_special(SiteRef { molecule, site: *site })).collect()
    }

    /// Its other sites, as they are written, in an order of their own.
    fn others(&self, molecule: usize) -> Vec<String> {
        let special = self.special(molecule);
        let sites = self.molecules[molecule].0.sites.iter().enumerate();
        let mut found: Vec<String> = sites
            .filter(|(n, _)| !special.contains(n))
            .map(|(_, mention)| mention.to_string())
            .collect();
        found.sort_unstable();
        found
    }

    /// Finds an image for the next molecule, and so on.
    fn assign(&mut self) {
        let next = self.image.len();
        let Some((molecule, pattern)) = self.molecules.get(next).copied() else {
            self.count += 1.0;
            return;
        };
        let special = self.special(next);
        for candidate in 0..self.molecules.len() {
            self.steps += 1;
            if self.steps >= MOST_STEPS {
                return;
            }
            let (other, other_pattern) = self.molecules[candidate];
            let is_taken = self.image.iter().any(|(taken, _)| *taken == candidate);
            let parts = (0..next).any(|before| {
                let together = self.molecules[before].1 == pattern;
                together != (self.molecules[self.image[before].0].1 == other_pattern)
            });
            let goes = |n: usize| self.changes.deleted.contains(&n);
            if is_taken
                || parts
                || other.name != molecule.name
                || goes(next) != goes(candidate)
                || self.others(next) != self.others(candidate)
            {
                continue;
            }
            let images = self.special(candidate);
            if images.len() == special.len() {
                self.image.push((candidate, vec![usize::MAX; molecule.sites.len()]));
                self.assign_sites(next, &special, &images);
                self.image.pop();
            }
        }
    }

    /// Finds images for the rest of the special sites of a molecule.
    fn assign_sites(&mut self, molecule: usize, special: &[usize], images: &[usize]) {
        let Some((&site, rest)) = special.split_first() else {
            self.assign();
            return;
        };
        for &image in images {
            self.steps += 1;
            if self.steps >= MOST_STEPS {
                return;
            }
            let (candidate, taken) = &self.image[molecule];
            let is_taken = taken.contains(&image);
            let from = SiteRef { molecule, site };
            let to = SiteRef { molecule: *candidate, site: image };
            if is_taken || !self.is_alike(from, to) {
                continue;
            }
            self.image[molecule].1[site] = image;
            if self.keeps_bonds(from) {
                self.assign_sites(molecule, rest, images);
            }
            self.image[molecule].1[site] = usize::MAX;
        }
    }

    fn is_alike(&self, a: SiteRef, b: SiteRef) -> bool {
        let [x, y] = [a, b].map(|site| self.mention(site));
        let kind = |link: Link| std::mem::discriminant(&link);
        let state = |site: SiteRef| {
            self.changes.states.iter().find(|(changed, _)| *changed == site).map(|(_, to)| to)
        };
        x.name == y.name
            && x.states == y.states
            && kind(x.bond) == kind(y.bond)
            && state(a) == state(b)
    }

    fn image_of(&self, site: SiteRef) -> Option<SiteRef> {
        let (molecule, sites) = self.image.get(site.molecule)?;
        let image = *sites.get(site.site)?;
        (image != usize::MAX).then_some(SiteRef { molecule: *molecule, site: image })
    }

    /// Whether the bonds at a site, before and after, are where its image has them, as far as both
    /// ends have images.
    fn keeps_bonds(&self, site: SiteRef) -> bool {
        let parted: Vec<_> = self.changes.parted.iter().map(|parting| parting.ends).collect();
        [&self.bonds, &self.changes.bound, &parted].into_iter().all(|bonds| {
            let mut own = bonds.iter().filter(|ends| ends.contains(&site));
            own.all(|ends| {
                let [Some(a), Some(b)] = ends.map(|end| self.image_of(end)) else { return true };
                bonds.contains(&[a, b]) || bonds.contains(&[b, a])
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::changes::between;
    use super::*;
    use crate::notation::complex;

    fn of(left: &str, right: &str) -> f64 {
        let side = |text: &str| -> Vec<Vec<Molecule>> {
            text.split(" + ").map(|text| complex(text).unwrap()).collect()
        };
        let (left, right) = (side(left), side(right));
        symmetry(&left, &between(&left, &right).unwrap()).unwrap()
    }

    /// The numbers are those by which BioNetGen 2.9.3 divides.
    #[test]
    fn symmetries_are_those_of_the_rule() {
        for (left, right, expected) in [
            ("A(b) + B(a)", "A(b!1).B(a!1)", 1.0),
            ("A(b) + A(b)", "A(b!1).A(b!1)", 2.0),
            ("A(a) + A(b)", "A(a!1).A(b!1)", 1.0),
            ("S(s~u) + S(s~u)", "S(s~p) + S(s~u)", 1.0),
            ("S(s~u) + S(s~u)", "S(s~p) + S(s~p)", 2.0),
            ("S(d,s~p) + S(d)", "S(d!1,s~p).S(d!1)", 1.0),
            ("S(d!1).S(d!1)", "S(d) + S(d)", 2.0),
            ("S(d!1).S(d!1,s~u)", "S(d!1).S(d!1,s~p)", 1.0),
            ("L(r,r,r) + R(l)", "L(r!1,r,r).R(l!1)", 2.0),
            ("L(r,r,r!+) + R(l)", "L(r!1,r,r!+).R(l!1)", 1.0),
            ("L(r,r!+,r!+) + R(l)", "L(r!1,r!+,r!+).R(l!1)", 2.0),
            ("L(r!1,r,r).R(l!1)", "L(r,r,r) + R(l)", 2.0),
            ("L(r!1).R(l!1,r) + L(r!1).R(l!1,r)", "L(r!1).R(l!1,r!3).L(r!2).R(l!2,r!3)", 2.0),
            ("A + A", "B", 2.0),
            ("A + A", "A + B", 1.0),
            ("A(x!1,x!2).A(x!1,x!2)", "A(x!1,x).A(x!1,x)", 2.0),
        ] {
            assert_eq!(of(left, right), expected, "{left} -> {right}");
        }
    }
}
