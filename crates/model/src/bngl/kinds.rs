//! What particles can do of what rules say.

use super::changes::{SiteRef, bonds};
use super::{Network, OneWay};
use crate::notation::{Link, Molecule, without};

/// What a rule does, in one direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RuleKind {
    /// Two complexes are joined by a bond, and states at its ends may change.
    Bind,
    /// A bond breaks, and states at its ends may change.
    Unbind,
    /// States change in one complex.
    Convert,
    /// States change where two molecules meet.
    Meet,
    /// A molecule comes from nothing.
    Create,
    /// A molecule without sites goes.
    Destroy,
    /// Molecules without sites become others.
    Plain,
    /// Molecules go or change their states, and single ones come.
    Alter,
}

impl RuleKind {
    /// Whether it needs two partners.
    pub(super) fn is_at_contact(self, way: &OneWay) -> bool {
        way.reactants.len() == 2
    }
}

/// What a rule does.
///
/// # Errors
/// Why particles cannot do it, and what they can do instead.
pub(super) fn of(network: &Network, way: &OneWay) -> Result<RuleKind, String> {
    let OneWay { reactants, products, changes, .. } = way;
    if reactants.len() > 2 {
        return Err(format!(
            "there are {} reactants: at most two can meet at a time; write a rule for each step",
            reactants.len()
        ));
    }
    if is_plain(network, way) {
        return plain(way);
    }
    if let Some(pattern) = reactants.iter().find(|pattern| !is_connected(pattern)) {
        return Err(format!(
            "`{}` does not say by which bonds its molecules are joined: write the bonds, and what lies between them",
            crate::notation::written(pattern)
        ));
    }
    let counts = [
        changes.states.len(),
        changes.bound.len(),
        changes.parted.len(),
        changes.deleted.len(),
        changes.created.len(),
    ];
    match counts {
        [_, 0, 0, 0, 0] => convert(way),
        [_, 1, 0, 0, 0] => bind(way).and_then(|kind| at_ends(way, kind, changes.bound[0])),
        [_, 0, 1, 0, 0] => unbind(way).and_then(|kind| at_ends(way, kind, changes.parted[0].ends)),
        [0, 0, 0, 0, 1] if reactants.is_empty() => create(products),
        [0, 0, 0, 0, _] if reactants.is_empty() => {
            Err("several molecules are created at once: write a rule for each".to_owned())
        }
        [_, 0, 0, _, _] => alter(way),
        _ => Err(format!(
            "{} at once: write a rule for each step, since a rule does one thing",
            told(&counts)
        )),
    }
}

/// `a bond is made and a state changes`
fn told(counts: &[usize; 5]) -> String {
    const ONE: [&str; 5] = [
        "a state changes",
        "a bond is made",
        "a bond breaks",
        "a molecule goes",
        "a molecule comes",
    ];
    const SEVERAL: [&str; 5] =
        ["states change", "bonds are made", "bonds break", "molecules go", "molecules come"];
    let parts = counts.iter().enumerate().filter(|(_, count)| **count > 0);
    let parts: Vec<_> =
        parts.map(|(n, count)| if *count == 1 { ONE[n] } else { SEVERAL[n] }).collect();
    match parts.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
        None => String::new(),
    }
}

/// Whether all molecules are of types without sites.
pub(super) fn is_plain(network: &Network, way: &OneWay) -> bool {
    let all = way.reactants.iter().chain(&way.products);
    let has_none = |molecule: &Molecule| {
        network.molecule_type(&molecule.name).is_some_and(|declared| declared.sites.is_empty())
    };
    all.clone().all(|pattern| pattern.len() == 1) && all.flatten().all(has_none)
}

fn plain(way: &OneWay) -> Result<RuleKind, String> {
    match (way.reactants.len(), way.products.len()) {
        (0, 1) => Ok(RuleKind::Create),
        (0, _) => Err("several molecules are created at once: write a rule for each".to_owned()),
        (1, 0) => Ok(RuleKind::Destroy),
        _ => Ok(RuleKind::Plain),
    }
}

/// Whether bonds with numbers join all molecules of a pattern.
pub(super) fn is_connected(pattern: &[Molecule]) -> bool {
    parts(pattern).len() < 2
}

/// The molecules of a pattern, those together that bonds with numbers join.
pub(super) fn parts(pattern: &[Molecule]) -> Vec<Vec<usize>> {
    let mut parts: Vec<Vec<usize>> = (0..pattern.len()).map(|n| vec![n]).collect();
    for ends in bonds(std::slice::from_ref(&pattern.to_vec())) {
        let [a, b] = ends.map(|end| parts.iter().position(|part| part.contains(&end.molecule)));
        if let (Some(a), Some(b)) = (a, b)
            && a != b
        {
            let joined = parts.remove(a.max(b));
            parts[a.min(b)].extend(joined);
        }
    }
    parts
}

/// To which pattern of the reactants a site belongs.
fn pattern_of(way: &OneWay, site: SiteRef) -> usize {
    let first = way.reactants.first().map_or(0, Vec::len);
    usize::from(site.molecule >= first)
}

fn convert(way: &OneWay) -> Result<RuleKind, String> {
    if way.products.len() != way.reactants.len() {
        return Err(UNBOUND.to_owned());
    }
    Ok(if way.reactants.len() == 1 { RuleKind::Convert } else { RuleKind::Meet })
}

const UNBOUND: &str =
    "complexes are joined or parted without a bond that is made or broken: write the bond";

fn bind(way: &OneWay) -> Result<RuleKind, String> {
    let [a, b] = way.changes.bound[0];
    if a.molecule == b.molecule {
        return Err(
            "a molecule cannot bind itself: a bond joins two particles that touch".to_owned()
        );
    }
    if way.reactants.len() != 2 || pattern_of(way, a) == pattern_of(way, b) {
        return Err(
            "two molecules of one complex bind each other, which would close a ring: only molecules of \
             different complexes can bind"
                .to_owned(),
        );
    }
    if way.products.len() != 1 {
        return Err(
            "two complexes that are joined by a bond are one: write a `.` between them".to_owned()
        );
    }
    Ok(RuleKind::Bind)
}

fn unbind(way: &OneWay) -> Result<RuleKind, String> {
    if way.reactants.len() != 1 {
        return Err(
            "a bond breaks where two complexes meet: a bond can break in time only, as in `A(b!1).B(a!1) -> A(b) + \
             B(a)`"
                .to_owned(),
        );
    }
    if !way.changes.parted[0].apart || way.products.len() != 2 {
        return Err(
            "a bond breaks and its two ends stay in one complex, which would be a ring: write a `+` between the two \
             that part"
                .to_owned(),
        );
    }
    Ok(RuleKind::Unbind)
}

/// States that change together with a bond are those of the two that it joins.
fn at_ends(way: &OneWay, kind: RuleKind, ends: [SiteRef; 2]) -> Result<RuleKind, String> {
    let is_end = |site: &SiteRef| ends.iter().any(|end| end.molecule == site.molecule);
    let other = way.changes.states.iter().map(|(site, _)| site).find(|site| !is_end(site));
    let molecule = other.and_then(|site| way.reactants.iter().flatten().nth(site.molecule));
    match molecule {
        None => Ok(kind),
        Some(molecule) => Err(format!(
            "the state of {} changes together with a bond that does not join it: write a rule for each",
            molecule.name
        )),
    }
}

fn create(products: &[Vec<Molecule>]) -> Result<RuleKind, String> {
    match products {
        [pattern] if pattern.len() == 1 => Ok(RuleKind::Create),
        _ => Err(NOT_BOUND.to_owned()),
    }
}

/// The molecules of each complex that go, by their places there.
fn gone(way: &OneWay) -> Vec<Vec<usize>> {
    let mut first = 0;
    let of_complex = |complex: &Vec<Molecule>| {
        let own = first..first + complex.len();
        first = own.end;
        let goes = way.changes.deleted.iter().filter(|n| own.contains(n));
        goes.map(|n| n - own.start).collect()
    };
    way.reactants.iter().map(of_complex).collect()
}

/// Whether what a rule takes away takes along what is bound to it. In BNGL it does if nothing of its
/// pattern stays, unless the rule says `DeleteMolecules`.
///
/// # Errors
/// If the rule takes away a whole complex and a part of another one.
pub(super) fn takes_complexes(
    network: &Network,
    way: &OneWay,
    delete_molecules: bool,
) -> Result<bool, String> {
    if delete_molecules {
        return Ok(false);
    }
    let all: Vec<_> = way.reactants.iter().zip(gone(way)).collect();
    let goes = |(complex, gone): &&(&Vec<Molecule>, Vec<usize>)| gone.len() == complex.len();
    let is_more = |complex: &Vec<Molecule>| {
        complex.len() > 1 || complex.iter().any(|molecule| !is_alone(network, molecule))
    };
    let takes = all.iter().filter(goes).any(|(complex, _)| is_more(complex));
    match all.iter().find(|(complex, gone)| gone.len() < complex.len() && !gone.is_empty()) {
        Some((complex, _)) if takes => Err(format!(
            "in BNGL a whole complex goes here, and a part of `{}`: write a rule for each",
            crate::notation::written(complex)
        )),
        _ => Ok(takes),
    }
}

/// What stands on the right side of a rule, written as its left side is.
pub(super) fn right_side(way: &OneWay, kind: RuleKind) -> Vec<Vec<Molecule>> {
    if kind != RuleKind::Alter {
        return way.products.clone();
    }
    let mut kept = way.reactants.clone();
    for (site, state) in &way.changes.states {
        if let Some(molecule) = kept.iter_mut().flatten().nth(site.molecule) {
            molecule.sites[site.site].states = vec![state.clone()];
        }
    }
    let pieces = kept.iter().zip(gone(way)).flat_map(|(complex, gone)| without(complex, &gone));
    pieces.chain(way.changes.created.iter().cloned()).collect()
}

/// Molecules of complexes go or change their states, and single molecules come.
fn alter(way: &OneWay) -> Result<RuleKind, String> {
    let gone = gone(way);
    let created = &way.changes.created;
    if created.iter().any(|complex| complex.len() > 1) {
        return Err(NOT_BOUND.to_owned());
    }
    let complexes = || way.reactants.iter().zip(&gone);
    let pieces = complexes().map(|(complex, gone)| without(complex, gone).len());
    if pieces.sum::<usize>() + created.len() != way.products.len() {
        return Err(UNBOUND.to_owned());
    }
    // The first that goes or changes is the one that is touched.
    let [first, second] = super::orders::meeting(way);
    let molecules: Vec<&Molecule> = way.reactants.iter().flatten().collect();
    let goes = |n: usize| way.changes.deleted.contains(&n);
    match (molecules.get(first), molecules.get(second)) {
        (Some(a), Some(b))
            if a.name == b.name && way.reactants.len() == 2 && (goes(first) || goes(second)) =>
        {
            Err(format!(
                "two {} go or become others where they meet, and it is not plain how often: write a change of state \
                 at contact, and a rule for what is in that state",
                a.name
            ))
        }
        _ => Ok(RuleKind::Alter),
    }
}

const NOT_BOUND: &str = "a complex is created: create its molecules one by one, and let them bind";

/// Whether a pattern says of all sites that could be bound that they are free.
fn is_alone(network: &Network, molecule: &Molecule) -> bool {
    let Some(declared) = network.molecule_type(&molecule.name) else { return false };
    declared.sites.iter().all(|site| {
        let own = molecule.sites.iter().filter(|mention| mention.name == site.name);
        let free = own.filter(|mention| mention.bond == Link::Free).count();
        free == declared.alike(&site.name) || !binds(network, &molecule.name, &site.name)
    })
}

/// Whether any rule or seed species binds that site.
pub(super) fn binds(network: &Network, name: &str, site: &str) -> bool {
    let of_rules = network.rules.iter().flat_map(|rule| {
        let ways = [Some(&rule.forth), rule.back.as_ref()];
        ways.into_iter().flatten().flat_map(|way| way.products.iter().flatten())
    });
    let of_seeds = network.seeds.iter().flat_map(|seed| &seed.molecules);
    of_rules.chain(of_seeds).filter(|molecule| molecule.name == name).any(|molecule| {
        let mut own = molecule.sites.iter().filter(|mention| mention.name == site);
        own.any(|mention| matches!(mention.bond, Link::Numbered(_) | Link::Bound))
    })
}
