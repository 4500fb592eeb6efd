//! What particles can do of what rules say.

use super::changes::{SiteRef, bonds};
use super::{Network, OneWay};
use crate::notation::{Link, Mention, Molecule, without};

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
    /// A molecule goes.
    Destroy,
    /// Molecules without sites become others.
    Plain,
    /// Complexes stay, and make molecules.
    Make,
    /// A molecule of a complex goes.
    Lose,
    /// Single molecules become others.
    Become,
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
pub(super) fn of(
    network: &Network,
    way: &OneWay,
    delete_molecules: bool,
) -> Result<RuleKind, String> {
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
        [0, 0, 0, 1, 0] if reactants.len() == 1 && reactants[0].len() > 1 => lose(way),
        [0, 0, 0, _, 0] => destroy(network, way, delete_molecules),
        [0, 0, 0, 0, 1] if reactants.is_empty() => create(products),
        [0, 0, 0, 0, _] if reactants.is_empty() => {
            Err("several molecules are created at once: write a rule for each".to_owned())
        }
        [_, 0, 0, 0, _] => make(way),
        [0, 0, 0, _, _] => become_others(network, way),
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
fn is_plain(network: &Network, way: &OneWay) -> bool {
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
fn is_connected(pattern: &[Molecule]) -> bool {
    let pairs: Vec<_> = bonds(std::slice::from_ref(&pattern.to_vec()))
        .into_iter()
        .map(|ends| ends.map(|end| end.molecule))
        .collect();
    let mut reached = vec![false; pattern.len()];
    let mut next = vec![0];
    while let Some(molecule) = next.pop() {
        if std::mem::replace(&mut reached[molecule], true) {
            continue;
        }
        for [a, b] in &pairs {
            if *a == molecule {
                next.push(*b);
            } else if *b == molecule {
                next.push(*a);
            }
        }
    }
    reached.into_iter().all(|reached| reached)
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
    one_in_each(way)?;
    Ok(if way.reactants.len() == 1 { RuleKind::Convert } else { RuleKind::Meet })
}

const UNBOUND: &str =
    "complexes are joined or parted without a bond that is made or broken: write the bond";

/// States of one molecule in each complex change at most.
fn one_in_each(way: &OneWay) -> Result<(), String> {
    let changed: Vec<_> = way.changes.states.iter().map(|(site, _)| *site).collect();
    for pattern in 0..way.reactants.len() {
        let mut own = changed.iter().filter(|site| pattern_of(way, **site) == pattern);
        let first = own.next().map(|site| site.molecule);
        if own.any(|site| Some(site.molecule) != first) {
            return Err(
                "two molecules of one complex change their states at once: write a rule for each"
                    .to_owned(),
            );
        }
    }
    Ok(())
}

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

fn destroy(network: &Network, way: &OneWay, delete_molecules: bool) -> Result<RuleKind, String> {
    let molecules = single(way)?;
    let mut gone = way.changes.deleted.iter().map(|n| molecules[*n]);
    match gone.find(|molecule| !delete_molecules && !is_alone(network, molecule)) {
        None if way.changes.deleted.len() == molecules.len() => Ok(RuleKind::Destroy),
        None => Ok(RuleKind::Become),
        Some(molecule) => Err(format!(
            "in BNGL the whole complex goes to which `{molecule}` belongs, and particles go one by one: write all of \
             its sites as free, or DeleteMolecules behind the rate if only this molecule is meant"
        )),
    }
}

/// The reactants of a rule that takes some away, if they are single molecules.
fn single(way: &OneWay) -> Result<Vec<&Molecule>, String> {
    let molecules: Vec<&Molecule> = way.reactants.iter().flatten().collect();
    if molecules.len() > way.reactants.len() {
        return Err(
            "molecules of a complex go: one molecule at a time can go, or single molecules"
                .to_owned(),
        );
    }
    match molecules.as_slice() {
        [a, b] if a.name == b.name => Err(format!(
            "two {} go or become others where they meet, and it is not plain how often: write a change of state \
             at contact, and a rule for what is in that state",
            a.name
        )),
        _ => Ok(molecules),
    }
}

/// A molecule of a complex goes, and what it was bound to stays.
fn lose(way: &OneWay) -> Result<RuleKind, String> {
    let pieces = without(&way.reactants[0], way.changes.deleted[0]).len();
    if pieces == way.products.len() { Ok(RuleKind::Lose) } else { Err(UNBOUND.to_owned()) }
}

/// What stands on the left side of a rule: of molecules that become others, all sites.
pub(super) fn left_side(network: &Network, way: &OneWay, kind: RuleKind) -> Vec<Vec<Molecule>> {
    let mut side = way.reactants.clone();
    if kind != RuleKind::Become || way.changes.created.is_empty() {
        return side;
    }
    let numbered = side.iter_mut().flatten().enumerate();
    for (_, molecule) in numbered.filter(|(n, _)| way.changes.deleted.contains(n)) {
        // Those that are not written as free never bind.
        molecule.sites.iter_mut().for_each(|mention| mention.bond = Link::Free);
        let Some(declared) = network.molecule_type(&molecule.name) else { continue };
        for site in &declared.sites {
            let known = molecule.sites.iter().filter(|mention| mention.name == site.name).count();
            if known < declared.alike(&site.name) {
                molecule.sites.push(Mention::free(&site.name));
            }
        }
    }
    side
}

/// What stands on the right side of a rule, written as its left side is.
pub(super) fn right_side(way: &OneWay, kind: RuleKind) -> Vec<Vec<Molecule>> {
    match kind {
        RuleKind::Lose => without(&way.reactants[0], way.changes.deleted[0]),
        RuleKind::Make => {
            let mut kept = way.reactants.clone();
            for (site, state) in &way.changes.states {
                if let Some(molecule) = kept.iter_mut().flatten().nth(site.molecule) {
                    molecule.sites[site.site].states = vec![state.clone()];
                }
            }
            kept.extend(way.changes.created.iter().cloned());
            kept
        }
        _ => way.products.clone(),
    }
}

/// Complexes stay, states of one molecule in each may change, and single molecules come.
fn make(way: &OneWay) -> Result<RuleKind, String> {
    if way.changes.created.iter().any(|complex| complex.len() > 1) {
        return Err(NOT_BOUND.to_owned());
    }
    if way.products.len() != way.reactants.len() + way.changes.created.len() {
        return Err(UNBOUND.to_owned());
    }
    one_in_each(way).map(|()| RuleKind::Make)
}

const NOT_BOUND: &str = "a complex is created: create its molecules one by one, and let them bind";

/// Single molecules become others, which are single, too.
fn become_others(network: &Network, way: &OneWay) -> Result<RuleKind, String> {
    if way.changes.created.iter().any(|complex| complex.len() > 1) {
        return Err(NOT_BOUND.to_owned());
    }
    let molecules = single(way)?;
    let mut gone = way.changes.deleted.iter().map(|n| molecules[*n]);
    let is_bound = |mention: &Mention| mention.bond == Link::Bound;
    let may_be_bound =
        |molecule: &&Molecule| !is_alone(network, molecule) || molecule.sites.iter().any(is_bound);
    match gone.find(may_be_bound) {
        None => Ok(RuleKind::Become),
        Some(molecule) => Err(format!(
            "`{molecule}` becomes another molecule, which has no bonds: write all of its sites that bind as free"
        )),
    }
}

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
