//! What a rule does: how the molecules on its right differ from those on its left.

use std::collections::BTreeMap;

use super::MoleculeType;
use crate::notation::{Link, Mention, Molecule};

/// A site of the pattern on the left of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SiteRef {
    /// The number of the molecule, counted through all patterns on the left.
    pub molecule: usize,
    /// The number of the site among those that are mentioned.
    pub site: usize,
}

/// A bond that breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parting {
    /// Its two ends.
    pub ends: [SiteRef; 2],
    /// Whether they are in different complexes afterwards.
    pub apart: bool,
}

/// What a rule changes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Changes {
    /// Sites whose state changes, and the new states.
    pub states: Vec<(SiteRef, String)>,
    /// Bonds that are made.
    pub bound: Vec<[SiteRef; 2]>,
    /// Bonds that are broken.
    pub parted: Vec<Parting>,
    /// Molecules that go.
    pub deleted: Vec<usize>,
    /// Complexes that come.
    pub created: Vec<Vec<Molecule>>,
}

impl Changes {
    /// Whether nothing changes.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// All sites that change.
    pub fn sites(&self) -> impl Iterator<Item = SiteRef> {
        let states = self.states.iter().map(|(site, _)| *site);
        let bound = self.bound.iter().flatten().copied();
        states.chain(bound).chain(self.parted.iter().flat_map(|parting| parting.ends))
    }
}

/// One side of a rule, its molecules counted through all patterns.
struct RuleSide<'p> {
    /// The molecules, and to which pattern each belongs.
    molecules: Vec<(&'p Molecule, usize)>,
}

impl<'p> RuleSide<'p> {
    fn of(patterns: &'p [Vec<Molecule>]) -> Self {
        let numbered = patterns.iter().enumerate();
        let all = numbered.flat_map(|(n, pattern)| pattern.iter().map(move |m| (m, n)));
        Self { molecules: all.collect() }
    }
}

/// The bonds within the patterns of one side of a rule.
pub(super) fn bonds(patterns: &[Vec<Molecule>]) -> Vec<[SiteRef; 2]> {
    let mut ends: BTreeMap<(usize, u32), Vec<SiteRef>> = BTreeMap::new();
    for (molecule, (written, pattern)) in RuleSide::of(patterns).molecules.into_iter().enumerate() {
        for (site, mention) in written.sites.iter().enumerate() {
            if let Link::Numbered(number) = mention.bond {
                ends.entry((pattern, number)).or_default().push(SiteRef { molecule, site });
            }
        }
    }
    ends.into_values().filter_map(|ends| <[SiteRef; 2]>::try_from(ends).ok()).collect()
}

/// Where a molecule on the right was on the left, and its sites.
struct CameFrom {
    molecule: usize,
    sites: Vec<usize>,
}

/// What becomes of the molecules on the left of a rule. They go together with those of the same
/// name and with the same sites on the right, in the order in which they are written.
///
/// # Errors
/// What cannot be understood, as a sentence.
pub(super) fn between(
    reactants: &[Vec<Molecule>],
    products: &[Vec<Molecule>],
) -> Result<Changes, String> {
    let (left, right) = (RuleSide::of(reactants), RuleSide::of(products));
    let origins = origins(&left, &right)?;
    let mut changes = Changes::default();
    for ((product, _), origin) in right.molecules.iter().zip(&origins) {
        let Some(CameFrom { molecule, sites }) = origin else { continue };
        for (mention, &site) in product.sites.iter().zip(sites) {
            let before = &left.molecules[*molecule].0.sites[site];
            let place = SiteRef { molecule: *molecule, site };
            if let Some(state) = new_state(before, mention)? {
                changes.states.push((place, state));
            }
            check_link(before, mention)?;
        }
    }
    let kept = |n: &usize| origins.iter().flatten().any(|origin| origin.molecule == *n);
    changes.deleted = (0..left.molecules.len()).filter(|n| !kept(n)).collect();
    changes.created = created(products, &origins)?;
    compare_bonds(&mut changes, reactants, products, &origins);
    Ok(changes)
}

/// Which molecule on the left one on the right was, and its sites; none if it is new.
pub(super) type Pairing = Option<(usize, Vec<usize>)>;

/// Where the molecules on the right come from.
///
/// # Errors
/// As [`between`].
pub(super) fn pairing(
    reactants: &[Vec<Molecule>],
    products: &[Vec<Molecule>],
) -> Result<Vec<Pairing>, String> {
    let origins = origins(&RuleSide::of(reactants), &RuleSide::of(products))?;
    Ok(origins.into_iter().map(|origin| origin.map(|from| (from.molecule, from.sites))).collect())
}

/// Lets molecules on the left mention the sites that are written on the right only, where all sites
/// are. In BNGL such a molecule is taken away and made new; if those sites never bind, its states are
/// set. The sites, each with the name of its molecule.
pub(super) fn complete(
    reactants: &mut [Vec<Molecule>],
    products: &[Vec<Molecule>],
    types: &[MoleculeType],
) -> Vec<(String, String)> {
    let mut open: Vec<&mut Molecule> = reactants.iter_mut().flatten().collect();
    let mut new: Vec<&Molecule> = Vec::new();
    for product in products.iter().flatten() {
        let names = sorted_names(product);
        let same = open.iter().position(|m| m.name == product.name && sorted_names(m) == names);
        match same {
            Some(n) => drop(open.remove(n)),
            None => new.push(product),
        }
    }
    let count = |molecule: &Molecule, name: &str| {
        molecule.sites.iter().filter(|site| site.name == name).count()
    };
    let mut added = Vec::new();
    for product in new {
        let Some(declared) = types.iter().find(|known| known.name == product.name) else {
            continue;
        };
        let is_whole = |m: &Molecule| {
            declared.sites.iter().all(|site| count(m, &site.name) == declared.alike(&site.name))
        };
        let Some(n) = open.iter().position(|m| m.name == product.name) else { continue };
        if !is_whole(product) || is_whole(open[n]) {
            continue;
        }
        let molecule = open.remove(n);
        for site in &declared.sites {
            if count(molecule, &site.name) < declared.alike(&site.name) {
                molecule.sites.push(Mention::free(&site.name));
                added.push((molecule.name.clone(), site.name.clone()));
            }
        }
    }
    added
}

fn origins(left: &RuleSide<'_>, right: &RuleSide<'_>) -> Result<Vec<Option<CameFrom>>, String> {
    let mut taken = vec![false; left.molecules.len()];
    let mut origins = Vec::new();
    for (product, _) in &right.molecules {
        let names = sorted_names(product);
        let fits = |n: &usize| {
            let (reactant, _) = left.molecules[*n];
            !taken[*n] && reactant.name == product.name && sorted_names(reactant) == names
        };
        let found = (0..left.molecules.len()).find(fits);
        if let Some(n) = found {
            taken[n] = true;
        }
        origins.push(found.map(|molecule| CameFrom {
            molecule,
            sites: site_origins(left.molecules[molecule].0, product),
        }));
    }
    let left_over = left.molecules.iter().zip(&taken).filter(|(_, taken)| !**taken);
    for ((reactant, _), _) in left_over {
        let again = right.molecules.iter().zip(&origins);
        if again.into_iter().any(|((m, _), origin)| origin.is_none() && m.name == reactant.name) {
            return Err(format!(
                "`{}` is written with different sites on the two sides of the rule: write the same sites on both",
                reactant.name
            ));
        }
    }
    Ok(origins)
}

fn sorted_names(molecule: &Molecule) -> Vec<&str> {
    let mut names: Vec<_> = molecule.sites.iter().map(|site| site.name.as_str()).collect();
    names.sort_unstable();
    names
}

/// The numbers on the left of the sites on the right.
fn site_origins(before: &Molecule, after: &Molecule) -> Vec<usize> {
    let mut taken = vec![false; before.sites.len()];
    let place = |mention: &Mention| {
        let same = |n: &usize| !taken[*n] && before.sites[*n].name == mention.name;
        let found = (0..before.sites.len()).find(same).unwrap_or_default();
        taken[found] = true;
        found
    };
    after.sites.iter().map(place).collect()
}

fn new_state(before: &Mention, after: &Mention) -> Result<Option<String>, String> {
    match (before.states.first(), after.states.first()) {
        (Some(from), Some(to)) if from != to => Ok(Some(to.clone())),
        (None, Some(state)) => Ok(Some(state.clone())),
        (Some(state), None) => Err(format!(
            "site `{}` is in state `{state}` on the left and in none on the right: write its state on both sides",
            before.name
        )),
        _ => Ok(None),
    }
}

/// Bonds without a number stay as they are.
fn check_link(before: &Mention, after: &Mention) -> Result<(), String> {
    let is_loose = |link: Link| matches!(link, Link::Bound | Link::Either);
    if before.bond == after.bond || !(is_loose(before.bond) || is_loose(after.bond)) {
        return Ok(());
    }
    Err(format!(
        "`{before}` becomes `{after}`: where a bond is made or broken, write both of its ends and a number, as in \
         `A(b!1).B(a!1)`"
    ))
}

fn created(
    products: &[Vec<Molecule>],
    origins: &[Option<CameFrom>],
) -> Result<Vec<Vec<Molecule>>, String> {
    let mut found = Vec::new();
    let mut first = 0;
    for pattern in products {
        let own = &origins[first..first + pattern.len()];
        first += pattern.len();
        if own.iter().all(Option::is_none) {
            found.push(pattern.clone());
        } else if let Some(n) = own.iter().position(Option::is_none) {
            return Err(format!(
                "a new `{}` is in one complex with molecules that were there before: create it by itself, and \
                 let it bind by a rule of its own",
                pattern[n].name
            ));
        }
    }
    Ok(found)
}

fn compare_bonds(
    changes: &mut Changes,
    reactants: &[Vec<Molecule>],
    products: &[Vec<Molecule>],
    origins: &[Option<CameFrom>],
) {
    let before = bonds(reactants);
    let came_from = |end: SiteRef| {
        let origin = origins[end.molecule].as_ref()?;
        Some(SiteRef { molecule: origin.molecule, site: origin.sites[end.site] })
    };
    let sorted = |mut ends: [SiteRef; 2]| {
        ends.sort_unstable();
        ends
    };
    let both = |[a, b]: [SiteRef; 2]| Some(sorted([came_from(a)?, came_from(b)?]));
    let after: Vec<_> = bonds(products).into_iter().filter_map(both).collect();
    let right = RuleSide::of(products);
    let complex_of = |molecule: usize| {
        let place = origins
            .iter()
            .position(|origin| origin.as_ref().is_some_and(|origin| origin.molecule == molecule))?;
        Some(right.molecules[place].1)
    };
    for ends in &before {
        let complexes = ends.map(|end| complex_of(end.molecule));
        if let [Some(a), Some(b)] = complexes
            && !after.contains(ends)
        {
            changes.parted.push(Parting { ends: *ends, apart: a != b });
        }
    }
    changes.bound = after.into_iter().filter(|ends| !before.contains(ends)).collect();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::complex;

    fn side(text: &str) -> Vec<Vec<Molecule>> {
        let patterns = text.split(" + ").filter(|text| *text != "0");
        patterns.map(|text| complex(text).unwrap()).collect()
    }

    fn changes(left: &str, right: &str) -> Result<Changes, String> {
        between(&side(left), &side(right))
    }

    fn at(molecule: usize, site: usize) -> SiteRef {
        SiteRef { molecule, site }
    }

    #[test]
    fn each_kind_of_change_is_seen() {
        let bind = changes("A(b) + B(a,c!1).C(b!1)", "B(c!2,a!1).C(b!2).A(b!1)").unwrap();
        let expected = Changes { bound: vec![[at(0, 0), at(1, 0)]], ..Changes::default() };
        assert_eq!(bind, expected);

        let part = changes("A(b!1).B(a!1)", "A(b) + B(a)").unwrap();
        let parted = vec![Parting { ends: [at(0, 0), at(1, 0)], apart: true }];
        assert_eq!(part, Changes { parted, ..Changes::default() });
        let stay = changes("A(b!1,c!2).B(a!1,d!2)", "A(b,c!2).B(a,d!2)").unwrap();
        assert!(!stay.parted[0].apart);

        let state = changes("K(a~p) + R(y~u!?)", "K(a~p) + R(y~p!?)").unwrap();
        assert_eq!(state.states, [(at(1, 0), "p".to_owned())]);

        // From any state to this one.
        let state = changes("R(y)", "R(y~p)").unwrap();
        assert_eq!(state.states, [(at(0, 0), "p".to_owned())]);
        for (left, right) in [("A(b)", "A(b)"), ("A(b!1).B(a!1)", "B(a!1).A(b!1)")] {
            assert!(changes(left, right).unwrap().is_empty());
        }

        assert_eq!(changes("0", "A(b)").unwrap().created, side("A(b)"));
        assert_eq!(changes("A(b!1).B(a!1)", "B(a)").unwrap().deleted, [0]);
        let both = changes("A + A", "A + C").unwrap();
        assert_eq!((both.deleted.as_slice(), both.created), (&[1][..], side("C")));
        let alike = changes("L(r,r,r!+) + R(l)", "L(r!1,r,r!+).R(l!1)").unwrap();
        assert_eq!(alike.bound, [[at(0, 0), at(1, 0)]]);
    }

    #[test]
    fn what_is_unclear_is_refused() {
        for (left, right, said) in [
            ("A(s~u)", "A(s)", "in none on the right"),
            ("A(b!+)", "A(b)", "write both of its ends"),
            ("A(b)", "A(b,c)", "different sites on the two sides"),
            ("A(b)", "A(b!1).B(a!1)", "a new `B` is in one complex"),
        ] {
            let error = changes(left, right).unwrap_err();
            assert!(error.contains(said), "{left} -> {right}: {error}");
        }
    }
}
