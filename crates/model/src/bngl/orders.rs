//! How often a rule counts.
//!
//! BNGL counts every choice of the sites that change. Particles count every way in which patterns fit
//! molecules, where sites are alike. The two agree for most rules; this is where the others are found.

use super::changes::{Changes, SiteRef, bonds};
use super::symmetry::symmetry;
use super::{Network, OneWay};
use crate::notation::{Link, Mention, Molecule, changed_at_several, touched_at_several};

/// Whether no site can be as both mentions say.
pub(super) fn mentions_exclude(a: &Mention, b: &Mention) -> bool {
    let states = matches!((a.states.first(), b.states.first()), (Some(a), Some(b)) if a != b);
    let is_bound = |link: Link| match link {
        Link::Free => Some(false),
        Link::Numbered(_) | Link::Bound => Some(true),
        Link::Either => None,
    };
    let bonds = matches!((is_bound(a.bond), is_bound(b.bond)), (Some(a), Some(b)) if a != b);
    states || bonds
}

/// To which site of which molecule a bond with a number leads from a site.
fn partner<'m>(
    molecules: &[&'m Molecule],
    bonds: &[[SiteRef; 2]],
    site: SiteRef,
) -> Option<[&'m str; 2]> {
    let ends = bonds.iter().find(|ends| ends.contains(&site))?;
    let other = if ends[0] == site { ends[1] } else { ends[0] };
    let molecule = molecules[other.molecule];
    Some([&molecule.name, &molecule.sites[other.site].name])
}

/// Whether no site can have both partners.
fn partners_exclude(partners: [Option<[&str; 2]>; 2]) -> bool {
    matches!(partners, [Some(a), Some(b)] if a != b)
}

/// By what the rate of a rule is to be multiplied. Molecules with sites to which a rule applies
/// either way round have two possibilities in both, unless they come to the same. Two particles of a
/// species without sites have one here, and in BNGL two.
pub(super) fn factor(way: &OneWay) -> f64 {
    let [first, second] = way.reactants.as_slice() else { return 1.0 };
    let molecules: Vec<&Molecule> = first.iter().chain(second).collect();
    let [x, y] = meeting(way).map(|n| molecules[n]);
    let are_plain = x.name == y.name && x.sites.is_empty() && y.sites.is_empty();
    if are_plain && !(way.symmetry > 1.0 && swaps(way)) { 2.0 } else { 1.0 }
}

/// In how many ways two molecules that touch can do what a rule says: at each of the sites of one name,
/// and either way round if they are of one type. All compete for the contacts of the two.
pub(super) fn possibilities(network: &Network, way: &OneWay) -> f64 {
    let molecules: Vec<&Molecule> = way.reactants.iter().flatten().collect();
    let alike = |site: SiteRef| {
        let molecule = molecules.get(site.molecule)?;
        let mention = molecule.sites.get(site.site)?;
        Some(network.molecule_type(&molecule.name)?.alike(&mention.name) as f64)
    };
    let choices: f64 = way.changes.sites().filter_map(alike).product();
    let [first, second] = partners(way);
    if first == second && !swaps(way) { 2.0 * choices } else { choices }
}

/// The two molecules that touch: those that are bound, else the first of each pattern that changes or
/// goes or, where others come, that stays; else the first.
pub(super) fn meeting(way: &OneWay) -> [usize; 2] {
    let border = way.reactants.first().map_or(0, Vec::len);
    let Changes { bound, deleted, created, .. } = &way.changes;
    let mut changed: Vec<usize> = match bound.first() {
        Some(ends) => ends.map(|end| end.molecule).to_vec(),
        None => way.changes.sites().map(|site| site.molecule).collect(),
    };
    if created.is_empty() {
        changed.extend(deleted);
    }
    changed.sort_unstable();
    let all = way.reactants.iter().map(Vec::len).sum();
    let stays = |n: &usize| created.is_empty() || !deleted.contains(n);
    let of = |mut own: std::ops::Range<usize>| {
        let first = own.start;
        let found = changed.iter().copied().find(|n| own.contains(n));
        found.or_else(|| own.find(stays)).unwrap_or(first)
    };
    [of(0..border), of(border..all)]
}

/// The names of the two molecules that touch, in a rule for two partners.
pub(super) fn partners(way: &OneWay) -> [&str; 2] {
    let molecules: Vec<&Molecule> = way.reactants.iter().flatten().collect();
    meeting(way).map(|n| molecules.get(n).map_or("", |molecule| molecule.name.as_str()))
}

/// Whether it makes no difference which of the two patterns comes first.
pub(super) fn swaps(way: &OneWay) -> bool {
    let [first, second] = way.reactants.as_slice() else { return false };
    let single = |pattern: &Vec<Molecule>, is_first: bool| {
        let own = symmetry(std::slice::from_ref(pattern), &own_changes(way, is_first));
        own.unwrap_or(f64::INFINITY)
    };
    way.symmetry > single(first, true) * single(second, false)
}

/// The changes at the sites of one of two patterns, as if each of their bonds were a state.
fn own_changes(way: &OneWay, is_first: bool) -> Changes {
    let border = way.reactants.first().map_or(0, Vec::len);
    let is_own = |molecule: usize| (molecule < border) == is_first;
    let own = |site: SiteRef| SiteRef {
        molecule: if is_first { site.molecule } else { site.molecule - border },
        ..site
    };
    let states = way.changes.states.iter().map(|(site, state)| (*site, state.clone()));
    let bonds = way.changes.bound.iter().flatten().map(|site| (*site, "!".to_owned()));
    let parted = way.changes.parted.iter().flat_map(|parting| parting.ends);
    let parted = parted.map(|site| (site, "-".to_owned()));
    let changed = states.chain(bonds).chain(parted).filter(|(site, _)| is_own(site.molecule));
    let deleted = way.changes.deleted.iter().filter(|n| is_own(**n));
    Changes {
        states: changed.map(|(site, state)| (own(site), state)).collect(),
        deleted: deleted.map(|n| if is_first { *n } else { n - border }).collect(),
        ..Changes::default()
    }
}

/// Why a rule would count more often here than in BNGL because of several sites of one name, if it
/// would.
pub(super) fn unclear(network: &Network, way: &OneWay) -> Option<String> {
    let molecules: Vec<&Molecule> = way.reactants.iter().flatten().collect();
    let known = determined(network, way, &molecules);
    for (n, molecule) in molecules.iter().enumerate() {
        let declared = network.molecule_type(&molecule.name)?;
        for site in &declared.sites {
            let count = declared.alike(&site.name);
            let mentions =
                || molecule.sites.iter().enumerate().filter(|(_, m)| m.name == site.name);
            let open: Vec<&Mention> =
                mentions().filter(|(s, _)| !known[n].contains(s)).map(|(_, m)| m).collect();
            if count == 1 || open.is_empty() {
                continue;
            }
            let pairs =
                open.iter().enumerate().flat_map(|(n, a)| open[..n].iter().map(move |b| (a, b)));
            let clear = pairs.clone().all(|(a, b)| a == b || mentions_exclude(a, b))
                && !open.iter().any(|mention| matches!(mention.bond, Link::Numbered(_)));
            let are_all_written = mentions().count() == count;
            if are_all_written && clear {
                continue;
            }
            let better = match are_all_written {
                false => "write all of them, so that it fits in one way",
                true => {
                    "write what tells them apart, such as states or partners that differ, a rule for each case"
                }
            };
            return Some(format!(
                "`{molecule}` fits in several ways, since {} has {count} sites `{}`, and each would count, while BioNetGen \
                 counts what happens once: {better}",
                molecule.name, site.name
            ));
        }
    }
    None
}

/// Why a complex counts more often here than in BNGL where it meets another one, if it does: BNGL
/// divides by its symmetry, but each of its molecules that are alike can be touched.
pub(super) fn symmetric(way: &OneWay) -> Option<String> {
    if way.reactants.len() < 2 || !way.changes.bound.is_empty() {
        return None;
    }
    let border = way.reactants[0].len();
    let roots = meeting(way);
    way.reactants.iter().enumerate().find_map(|(n, complex)| {
        let root = roots[n] - if n == 0 { 0 } else { border };
        let count = alike(way, n, root).round() as usize;
        let changes = own_changes(way, n == 0);
        let says = |count| match changes.states.is_empty() && changes.deleted.is_empty() {
            true => touched_at_several(complex, root, count),
            false => changed_at_several(complex, count),
        };
        (count > 1).then(|| says(count))
    })
}

/// How many molecules of reactant number `n` are like molecule `root` of it, with the same happening to
/// the whole.
pub(super) fn alike(way: &OneWay, n: usize, root: usize) -> f64 {
    let changes = own_changes(way, n == 0);
    let ways = |complex: &[Molecule]| symmetry(&[complex.to_vec()], &changes);
    // Those ways count in which it stays where it is.
    let mut marked = way.reactants[n].clone();
    marked[root].name.push('!');
    ways(&way.reactants[n]).zip(ways(&marked)).map_or(1.0, |(all, fixed)| all / fixed)
}

/// The sites of each molecule that are settled once the sites that change are: these, and what
/// bonds lead to.
pub(super) fn determined(
    network: &Network,
    way: &OneWay,
    molecules: &[&Molecule],
) -> Vec<Vec<usize>> {
    let bonds = bonds(&way.reactants);
    let mut known: Vec<Vec<usize>> = vec![Vec::new(); molecules.len()];
    for site in way.changes.sites() {
        known[site.molecule].push(site.site);
    }
    let mut reached: Vec<bool> = known.iter().map(|sites| !sites.is_empty()).collect();
    for n in &way.changes.deleted {
        reached[*n] = true;
    }
    match way.reactants.len() {
        2 => meeting(way).into_iter().for_each(|n| reached[n] = true),
        // What makes others begins with its first molecule.
        _ if !reached.contains(&true) => reached.iter_mut().take(1).for_each(|first| *first = true),
        _ => {}
    }
    loop {
        let before = known.iter().map(Vec::len).sum::<usize>();
        for (n, molecule) in molecules.iter().enumerate().filter(|(n, _)| reached[*n]) {
            let Some(declared) = network.molecule_type(&molecule.name) else { continue };
            let open = |site: &usize| !known[n].contains(site);
            let name = |site: usize| molecule.sites[site].name.as_str();
            // Sites of one name are settled if all are written and no two can be taken for each
            // other: one at a time is left over, or each is in another state or has another partner.
            let is_settled = |site: &usize| {
                let same = || (0..molecule.sites.len()).filter(|n| name(*n) == name(*site));
                let apart = |other: usize| {
                    let ends = [*site, other].map(|site| SiteRef { molecule: n, site });
                    mentions_exclude(&molecule.sites[*site], &molecule.sites[other])
                        || partners_exclude(ends.map(|end| partner(molecules, &bonds, end)))
                };
                same().count() == declared.alike(name(*site))
                    && same().filter(|other| open(other) && other != site).all(apart)
            };
            let settled = (0..molecule.sites.len()).filter(|site| open(site) && is_settled(site));
            let settled: Vec<_> = settled.collect();
            known[n].extend(settled);
        }
        for [a, b] in &bonds {
            for (from, to) in [(a, b), (b, a)] {
                if reached[from.molecule]
                    && known[from.molecule].contains(&from.site)
                    && !known[to.molecule].contains(&to.site)
                {
                    known[to.molecule].push(to.site);
                    reached[to.molecule] = true;
                }
            }
        }
        if before == known.iter().map(Vec::len).sum::<usize>() {
            return known;
        }
    }
}
