//! The cases of a rule for molecules with sites: each way in which its patterns can be read.

use jostle_core::rules::{Case, OtherMolecule, SiteCase};
use jostle_core::sites::SiteChange;

use super::transformation::{Alteration, BondChange, Effect, SiteEnd, Transformation};
use crate::file::molecules::{ComplexReading, other_end, pattern, readings, states};
use crate::file::patterns::Kinds;
use crate::notation::{Link, Molecule, changed_at_several, touched_at_several};
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
        (Effect::Change(alteration), [first, second]) => {
            let [(a_root, _), (b_root, _)] = alteration.roots.as_slice() else { return None };
            is_touched_at_one(item, kinds, left, alteration)?;
            for (a, b) in both(item, kinds, [first, second])? {
                let of = conditioned(kinds, [first, second], [&a, &b], [*a_root, *b_root]);
                if loses_first(alteration, of.0) {
                    item.fault(
                        "write first which of two of one species stays, and then which goes",
                    );
                    return None;
                }
                let alteration = Altered { kinds, alteration, complexes: [first, second] };
                add(alteration.case(item, of, [&a, &b])?);
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
        (Effect::Change(alteration), [complex]) => {
            let [(root, _)] = alteration.roots.as_slice() else { return None };
            let readings = readings(item, kinds, complex)?;
            // Molecules of a complex that are alike would each begin the same case; they share the
            // rate, which is that of the complex.
            let alike = alike(kinds, (complex, 0), &readings, alteration);
            for reading in &readings {
                let (species, sites) = of(complex, reading, *root);
                let sites = SiteCase { alike: alike as u32, ..sites };
                let alteration = Altered { kinds, alteration, complexes: [complex] };
                add(alteration.case(item, (species, sites), [reading])?);
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

/// Notes a complex that has several molecules which are alike and of which the same becomes: each of
/// them can be touched, and so the rate would count once for each.
fn is_touched_at_one(
    item: &Item<'_>,
    kinds: &Kinds,
    left: &[Vec<Molecule>],
    alteration: &Alteration,
) -> Option<()> {
    for (c, complex) in left.iter().enumerate() {
        let readings = readings(item, kinds, complex)?;
        let count = alike(kinds, (complex, c), &readings, alteration);
        let (root, after) = &alteration.roots[c];
        if count > 1 {
            let is_changed = after.as_ref() != Some(&complex[*root]);
            item.fault(match is_changed {
                true => changed_at_several(complex, count),
                false => touched_at_several(complex, *root, count),
            });
            return None;
        }
    }
    Some(())
}

/// How many molecules of complex number `c` are like the one that is touched, with the same coming of
/// them and of all others.
fn alike(
    kinds: &Kinds,
    (complex, c): (&[Molecule], usize),
    readings: &[ComplexReading],
    alteration: &Alteration,
) -> usize {
    let seen_from = |reading: &ComplexReading, n: usize| {
        let own = becomes(alteration, (complex, c), n);
        let own = own.map(|after| fate(kinds, after, reading, n));
        let others = others(kinds, (complex, c), reading, alteration, n);
        (reading.molecules[n].species, pattern(kinds, complex, reading, n), own, others)
    };
    let root = alteration.roots[c].0;
    let Some(own) = readings.first().map(|reading| seen_from(reading, root)) else { return 1 };
    let is_like_it = |n: &usize| readings.iter().any(|reading| seen_from(reading, *n) == own);
    (0..complex.len()).filter(is_like_it).count()
}

/// What becomes of a molecule of complex number `c`; none if it stays as it is.
fn becomes<'a>(
    alteration: &'a Alteration,
    (complex, c): (&[Molecule], usize),
    n: usize,
) -> Option<Option<&'a Molecule>> {
    let after = alteration.fate(c, n)?.as_ref();
    (after != Some(&complex[n])).then_some(after)
}

/// How the states of a molecule change; none if it goes.
fn fate(
    kinds: &Kinds,
    after: Option<&Molecule>,
    reading: &ComplexReading,
    n: usize,
) -> Option<SiteChange> {
    after.map(|after| states(kinds, after, &reading.molecules[n]))
}

/// What becomes of the molecules of complex number `c` other than `from`, from which they are reached.
fn others(
    kinds: &Kinds,
    (complex, c): (&[Molecule], usize),
    reading: &ComplexReading,
    alteration: &Alteration,
    from: usize,
) -> Vec<OtherMolecule> {
    let of_molecule = |n: usize| {
        let after = becomes(alteration, (complex, c), n).filter(|_| n != from)?;
        let change = fate(kinds, after, reading, n);
        let path = path(complex, reading, from, n, &mut Vec::new())?;
        Some(OtherMolecule { of: c as u8, path, change })
    };
    let mut found: Vec<OtherMolecule> = (0..complex.len()).filter_map(of_molecule).collect();
    // The same is the same in whichever order it is written.
    found.sort_unstable();
    found
}

/// By which sites a molecule of a complex is reached from another one.
fn path(
    complex: &[Molecule],
    reading: &ComplexReading,
    from: usize,
    to: usize,
    seen: &mut Vec<usize>,
) -> Option<Vec<u8>> {
    if from == to {
        return Some(Vec::new());
    }
    seen.push(from);
    complex[from].sites.iter().zip(&reading.molecules[from].sites).find_map(|(mention, &site)| {
        let Link::Numbered(bond) = mention.bond else { return None };
        let (next, _) = other_end(complex, from, bond).filter(|(next, _)| !seen.contains(next))?;
        let rest = path(complex, reading, next, to, seen)?;
        Some([vec![site], rest].concat())
    })
}

/// Whether the first of two of one species goes and the second stays, which would take over its
/// identity.
fn loses_first(alteration: &Alteration, [a, b]: [u16; 2]) -> bool {
    matches!(alteration.roots.as_slice(), [(_, None), (_, Some(_))]) && a == b
}

/// What becomes of `N` complexes.
struct Altered<'a, const N: usize> {
    kinds: &'a Kinds,
    alteration: &'a Alteration,
    complexes: [&'a [Molecule]; N],
}

impl<const N: usize> Altered<'_, N> {
    /// The case of these readings, for these molecules with what their patterns ask.
    fn case(
        &self,
        item: &Item<'_>,
        (species, sites): ([u16; N], SiteCase<N>),
        readings: [&ComplexReading; N],
    ) -> Option<Case<N>> {
        let Self { kinds, alteration, complexes } = *self;
        let (mut all, mut changes, mut rest) = (Vec::new(), Vec::new(), Vec::new());
        for (c, (root, after)) in alteration.roots.iter().enumerate() {
            if let Some(change) = fate(kinds, after.as_ref(), readings[c], *root) {
                all.push(species[c]);
                changes.push(change);
            }
            rest.extend(others(kinds, (complexes[c], c), readings[c], alteration, *root));
        }
        for product in &alteration.products {
            let (species, change) = arising(item, kinds, product)?;
            all.push(species);
            changes.push(change);
        }
        let sites = SiteCase { changes, others: rest, ..sites };
        Some(Case::new(species, &all).with_sites(sites))
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

fn mirrored(case: &Case<2>) -> Case<2> {
    let Case { species: [a, b], products, sites } = case;
    let products: Vec<u16> = products.iter().rev().copied().collect();
    let mirrored = Case::new([*b, *a], &products);
    let Some(sites) = sites.as_deref() else { return mirrored };
    let [of_a, of_b] = &sites.patterns;
    let mut others = sites.others.clone();
    others.iter_mut().for_each(|other| other.of = 1 - other.of);
    others.sort_unstable();
    mirrored.with_sites(SiteCase {
        patterns: [of_b.clone(), of_a.clone()],
        joins: sites.joins.map(|[a, b]| [b, a]),
        changes: sites.changes.iter().rev().copied().collect(),
        others,
        ..*sites
    })
}
