//! The cases of a rule for molecules with sites: each way in which its patterns can be read.

use jostle_core::rules::{Case, SiteCase};
use jostle_core::sites::SiteChange;

use super::transformation::{BondChange, Effect, SiteEnd, Transformation};
use crate::file::molecules::{ComplexReading, pattern, readings, states};
use crate::file::patterns::Kinds;
use crate::notation::{Molecule, touched_at_several, written};
use crate::walker::Item;

/// The cases of what two molecules do: at a contact, or to the bond between them.
pub(super) fn pairs(
    item: &Item<'_>,
    kinds: &Kinds,
    transformation: &Transformation,
) -> Option<Vec<Case<2>>> {
    let Transformation { left, effect } = transformation;
    let mut cases: Vec<Case<2>> = Vec::new();
    let mut add = |case: Case<2>| {
        // Two of one species: the case that names them the other way round is the same.
        if !cases.contains(&case) && !cases.contains(&mirrored(&case)) {
            cases.push(case);
        }
    };
    match (effect, left.as_slice()) {
        (Effect::Unbind(bond), [complex]) => {
            for reading in readings(item, kinds, complex)? {
                let BondChange { ends, .. } = bond;
                let patterns = ends.map(|end| pattern(kinds, complex, &reading, end.molecule));
                let joins = Some(ends.map(|end| site(&reading, end)));
                let changes = changes(kinds, bond, [&reading, &reading]);
                let sites = SiteCase { joins, changes, ..SiteCase::new(patterns) };
                let species = ends.map(|end| reading.molecules[end.molecule].species);
                add(Case::new(species, &[]).with_sites(sites));
            }
        }
        (Effect::Bind(bond), [first, second]) => {
            for (a, b) in both(item, kinds, [first, second])? {
                let BondChange { ends, .. } = bond;
                let roots = ends.map(|end| end.molecule);
                let (species, sites) = conditioned(kinds, [first, second], [&a, &b], roots);
                let joins = Some([site(&a, ends[0]), site(&b, ends[1])]);
                let changes = changes(kinds, bond, [&a, &b]);
                add(Case::new(species, &[]).with_sites(SiteCase { joins, changes, ..sites }));
            }
        }
        (Effect::Change(after), [first, second]) => {
            let [(a_root, a_after), (b_root, b_after)] = after.as_slice() else { return None };
            is_touched_at_one(item, kinds, first, (*a_root, a_after))?;
            is_touched_at_one(item, kinds, second, (*b_root, b_after))?;
            for (a, b) in both(item, kinds, [first, second])? {
                let roots = [*a_root, *b_root];
                let (species, sites) = conditioned(kinds, [first, second], [&a, &b], roots);
                let changes = vec![
                    states(kinds, a_after, &a.molecules[*a_root]),
                    states(kinds, b_after, &b.molecules[*b_root]),
                ];
                add(Case::new(species, &species).with_sites(SiteCase { changes, ..sites }));
            }
        }
        (Effect::Become { products }, [first, second]) => {
            for (a, b) in both(item, kinds, [first, second])? {
                let of = conditioned(kinds, [first, second], [&a, &b], [0, 0]);
                add(becoming(item, kinds, of, [&first[0], &second[0]], products)?);
            }
        }
        (Effect::Make { beside, products }, [first, second]) => {
            let [(a_root, a_after), (b_root, b_after)] = beside.as_slice() else { return None };
            is_touched_at_one(item, kinds, first, (*a_root, a_after))?;
            is_touched_at_one(item, kinds, second, (*b_root, b_after))?;
            for (a, b) in both(item, kinds, [first, second])? {
                let of = conditioned(kinds, [first, second], [&a, &b], [*a_root, *b_root]);
                let changes = vec![
                    states(kinds, a_after, &a.molecules[*a_root]),
                    states(kinds, b_after, &b.molecules[*b_root]),
                ];
                add(making(item, kinds, of, changes, products)?);
            }
        }
        _ => item.fault("two molecules are needed here, with a `+` between them"),
    }
    (!cases.is_empty()).then_some(cases)
}

/// The cases of what a molecule does in time.
pub(super) fn singles(
    item: &Item<'_>,
    kinds: &Kinds,
    transformation: &Transformation,
) -> Option<Vec<Case<1>>> {
    let Transformation { left, effect } = transformation;
    let mut cases: Vec<Case<1>> = Vec::new();
    let mut add = |case: Case<1>| {
        if !cases.contains(&case) {
            cases.push(case);
        }
    };
    let of = |complex: &[Molecule], reading: &ComplexReading, root: usize| {
        let pattern = pattern(kinds, complex, reading, root);
        ([reading.molecules[root].species], SiteCase::new([pattern]))
    };
    match (effect, left.as_slice()) {
        (Effect::Change(after), [complex]) => {
            let [(root, after)] = after.as_slice() else { return None };
            for reading in readings(item, kinds, complex)? {
                let (species, sites) = of(complex, &reading, *root);
                let changes = vec![states(kinds, after, &reading.molecules[*root])];
                add(Case::new(species, &species).with_sites(SiteCase { changes, ..sites }));
            }
        }
        (Effect::Become { products }, [complex]) => {
            for reading in readings(item, kinds, complex)? {
                let of = of(complex, &reading, 0);
                add(becoming(item, kinds, of, [&complex[0]], products)?);
            }
        }
        (Effect::Make { beside, products }, [complex]) => {
            let [(root, after)] = beside.as_slice() else { return None };
            is_touched_at_one(item, kinds, complex, (*root, after))?;
            for reading in readings(item, kinds, complex)? {
                let changes = vec![states(kinds, after, &reading.molecules[*root])];
                let of = of(complex, &reading, *root);
                add(making(item, kinds, of, changes, products)?);
            }
        }
        (Effect::Lose(gone), [complex]) => {
            for reading in readings(item, kinds, complex)? {
                let (species, sites) = of(complex, &reading, *gone);
                add(Case::new(species, &[]).with_sites(sites));
            }
        }
        _ => item.fault("one molecule, or one complex, is needed here"),
    }
    (!cases.is_empty()).then_some(cases)
}

/// How the states of the two at the ends of a bond change; nothing, if none do.
fn changes(kinds: &Kinds, bond: &BondChange, readings: [&ComplexReading; 2]) -> Vec<SiteChange> {
    let BondChange { ends, after } = bond;
    let change = |n: usize| match &after[n] {
        Some(after) => states(kinds, after, &readings[n].molecules[ends[n].molecule]),
        None => SiteChange::default(),
    };
    if after.iter().all(Option::is_none) { Vec::new() } else { vec![change(0), change(1)] }
}

fn site(reading: &ComplexReading, end: SiteEnd) -> u8 {
    reading.molecules[end.molecule].sites[end.mention]
}

/// Every reading of the one complex with every reading of the other.
fn both(
    item: &Item<'_>,
    kinds: &Kinds,
    complexes: [&[Molecule]; 2],
) -> Option<Vec<(ComplexReading, ComplexReading)>> {
    let [first, second] = complexes.map(|complex| readings(item, kinds, complex));
    let (first, second) = (first?, second?);
    let pair =
        |a: &ComplexReading| second.iter().map(|b| (a.clone(), b.clone())).collect::<Vec<_>>();
    Some(first.iter().flat_map(pair).collect())
}

/// Notes a complex in which nothing changes, and which has several molecules that are alike: each of
/// them can be touched, and so the rate would count once for each.
fn is_touched_at_one(
    item: &Item<'_>,
    kinds: &Kinds,
    complex: &[Molecule],
    (root, after): (usize, &Molecule),
) -> Option<()> {
    if *after != complex[root] {
        return Some(());
    }
    let readings = readings(item, kinds, complex)?;
    let seen_from = |n: usize| {
        let of = move |r: &ComplexReading| (r.molecules[n].species, pattern(kinds, complex, r, n));
        readings.iter().map(of)
    };
    let own = seen_from(root).next();
    let alike = |n: &usize| seen_from(*n).any(|other| Some(&other) == own.as_ref());
    match (0..complex.len()).filter(alike).count() {
        0 | 1 => Some(()),
        count => {
            item.fault(touched_at_several(complex, root, count));
            None
        }
    }
}

/// Two molecules, one of each complex, and what their patterns ask.
fn conditioned(
    kinds: &Kinds,
    [first, second]: [&[Molecule]; 2],
    [a, b]: [&ComplexReading; 2],
    roots: [usize; 2],
) -> ([u16; 2], SiteCase<2>) {
    let patterns = [pattern(kinds, first, a, roots[0]), pattern(kinds, second, b, roots[1])];
    let species = [a.molecules[roots[0]].species, b.molecules[roots[1]].species];
    (species, SiteCase::new(patterns))
}

/// The case of molecules that stay, with these changes of their states, and make others.
fn making<const N: usize>(
    item: &Item<'_>,
    kinds: &Kinds,
    (species, sites): ([u16; N], SiteCase<N>),
    mut changes: Vec<SiteChange>,
    products: &[Molecule],
) -> Option<Case<N>> {
    let mut all = species.to_vec();
    for product in products {
        let (species, change) = arising(item, kinds, product)?;
        all.push(species);
        changes.push(change);
    }
    Some(Case::new(species, &all).with_sites(SiteCase { changes, ..sites }))
}

/// A molecule that arises: its species, and its states.
fn arising(item: &Item<'_>, kinds: &Kinds, product: &Molecule) -> Option<(u16, SiteChange)> {
    let reading = readings(item, kinds, std::slice::from_ref(product))?.swap_remove(0);
    let [read] = reading.molecules.as_slice() else { return None };
    if product.sites.iter().any(|site| site.bond != crate::notation::Link::Free) {
        item.fault(format!("{product}: what arises has free sites"));
        return None;
    }
    Some((read.species, states(kinds, product, read)))
}

/// The case of molecules that become others.
fn becoming<const N: usize>(
    item: &Item<'_>,
    kinds: &Kinds,
    (species, sites): ([u16; N], SiteCase<N>),
    reactants: [&Molecule; N],
    products: &[Molecule],
) -> Option<Case<N>> {
    let (mut made, mut changes) = (Vec::new(), Vec::new());
    for product in products {
        let (species, change) = arising(item, kinds, product)?;
        made.push(species);
        changes.push(change);
    }
    // Bonds at sites would end nowhere in another species.
    let others_arise = made.iter().any(|made| !species.contains(made));
    for (n, reactant) in reactants.iter().enumerate() {
        let (own, pattern) = (kinds.sites_of(species[n]), &sites.patterns[n]);
        let all = own.all_bound();
        let is_free = pattern.mask & all == all && pattern.value & all == 0;
        if others_arise && !made.contains(&species[n]) && !is_free {
            let names: Vec<&str> = own.list().iter().map(|site| site.name.as_str()).collect();
            item.fault(format!(
                "{}: what becomes another species must be free at all its sites, so mention each of them: \
                 {}({})",
                written(std::slice::from_ref(*reactant)),
                reactant.name,
                names.join(",")
            ));
            return None;
        }
    }
    Some(Case::new(species, &made).with_sites(SiteCase { changes, ..sites }))
}

fn mirrored(case: &Case<2>) -> Case<2> {
    let Case { species: [a, b], products, sites } = case;
    let products: Vec<u16> = products.iter().rev().copied().collect();
    let mirrored = Case::new([*b, *a], &products);
    let Some(SiteCase { patterns: [of_a, of_b], joins, changes }) = sites.as_deref() else {
        return mirrored;
    };
    mirrored.with_sites(SiteCase {
        patterns: [of_b.clone(), of_a.clone()],
        joins: joins.map(|[a, b]| [b, a]),
        changes: changes.iter().rev().copied().collect(),
    })
}
