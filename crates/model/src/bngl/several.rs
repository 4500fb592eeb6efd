//! Rules of BNGL that stand for several: where molecules are only said to be of one complex, one for each
//! way in which bonds can join them; where not all of the sites that are alike are written, one for
//! each way in which the others can be.

use std::collections::{BTreeMap, BTreeSet};

use super::changes::{Changes, SiteRef, bonds};
use super::lines::Slip;
use super::symmetry::symmetry;
use super::{MoleculeType, Network, NetworkRule, OneWay, kinds, orders};
use crate::notation::{Link, Mention, Molecule, without, written};

/// A rule that stands for more is not written out.
const MOST: usize = 64;
/// The longest way along bonds from one molecule to another one. \[molecules in between\]
const LONGEST: usize = 6;

/// Writes out the rules that stand for several.
pub(super) fn write_out(network: &mut Network, slips: &mut Vec<Slip>, notes: &mut Vec<Slip>) {
    let graph = bond_graph(network);
    let rules = std::mem::take(&mut network.rules);
    let mut all = Vec::new();
    for rule in rules {
        match of_rule(network, &graph, &rule) {
            Ok(None) => all.push(rule),
            Ok(Some(several)) if several.is_empty() => {
                let text = format!(
                    "rule `{}` is left out: its molecules are never of one complex",
                    rule.name
                );
                notes.push(Slip::new(rule.spot, text));
            }
            Ok(Some(several)) => {
                let text = format!(
                    "rule `{}` is written out as {}: for each way in which molecules hang together, and in which sites \
                     can be that are alike and not written",
                    rule.name,
                    several.len()
                );
                notes.push(Slip::new(rule.spot, text));
                all.extend(several);
            }
            Err(message) => slips.push(Slip::new(rule.spot, message)),
        }
    }
    network.rules = all;
}

/// What a rule stands for; none, if that is itself.
fn of_rule(
    network: &Network,
    graph: &BondGraph,
    rule: &NetworkRule,
) -> Result<Option<Vec<NetworkRule>>, String> {
    let each = |way: &OneWay| of_way(network, graph, way, rule.delete_molecules);
    let forth = each(&rule.forth)?;
    let back = rule.back.as_ref().map(each).transpose()?;
    let is_itself = forth.as_slice() == [rule.forth.clone()]
        && back
            .as_ref()
            .is_none_or(|back| Some(&back[..]) == rule.back.as_ref().map(std::slice::from_ref));
    if is_itself {
        return Ok(None);
    }
    let one_way = |forth: OneWay, name: &str| NetworkRule {
        name: name.to_owned(),
        forth,
        back: None,
        ..rule.clone()
    };
    let name = format!("{} back", rule.name);
    let back = back.into_iter().flatten().map(|way| one_way(way, &name));
    Ok(Some(forth.into_iter().map(|way| one_way(way, &rule.name)).chain(back).collect()))
}

fn of_way(
    network: &Network,
    graph: &BondGraph,
    way: &OneWay,
    delete_molecules: bool,
) -> Result<Vec<OneWay>, String> {
    if way.rate == 0.0 || way.changes.is_empty() || kinds::is_plain(network, way) {
        return Ok(vec![way.clone()]);
    }
    let mut joined = vec![way.clone()];
    for p in 0..way.reactants.len() {
        let mut found = Vec::new();
        for way in &joined {
            match kinds::is_connected(&way.reactants[p]) {
                true => found.push(way.clone()),
                false => found.extend(join(network, graph, (way, p), delete_molecules)?),
            }
        }
        joined = found;
    }
    let mut all = Vec::new();
    while let Some(way) = joined.pop() {
        match open_sites(network, &way) {
            None => all.insert(0, way),
            Some(found) => joined.extend(found),
        }
        if all.len() + joined.len() > MOST {
            return Err(format!(
                "this rule would have to be written out as more than {MOST}: write all sites that are alike, and the \
                 bonds that join its molecules"
            ));
        }
    }
    Ok(all)
}

/// A direction of a rule with other patterns and the same changes.
fn rewritten(way: &OneWay, reactants: Vec<Vec<Molecule>>, changes: Changes) -> OneWay {
    let symmetry = symmetry(&reactants, &changes).unwrap_or(way.symmetry);
    let products = afterwards(&reactants, &changes);
    OneWay { reactants, products, changes, symmetry, ..way.clone() }
}

/// The complexes that are there after these changes.
fn afterwards(reactants: &[Vec<Molecule>], changes: &Changes) -> Vec<Vec<Molecule>> {
    let mut all: Vec<Molecule> = Vec::new();
    let mut highest = 0;
    for complex in reactants {
        // Numbers of bonds are those of one complex.
        let first = highest;
        for mut molecule in complex.iter().cloned() {
            for site in &mut molecule.sites {
                if let Link::Numbered(number) = &mut site.bond {
                    *number += first;
                    highest = highest.max(*number);
                }
            }
            all.push(molecule);
        }
    }
    let mut set = |site: SiteRef, bond: Link| {
        if let Some(molecule) = all.get_mut(site.molecule) {
            molecule.sites[site.site].bond = bond;
        }
    };
    changes.parted.iter().flat_map(|parting| parting.ends).for_each(|end| set(end, Link::Free));
    for (n, ends) in (1..).zip(&changes.bound) {
        ends.iter().for_each(|end| set(*end, Link::Numbered(highest + n)));
    }
    for (site, state) in &changes.states {
        if let Some(molecule) = all.get_mut(site.molecule) {
            molecule.sites[site.site].states = vec![state.clone()];
        }
    }
    let mut after = without(&all, &changes.deleted);
    after.extend(changes.created.iter().cloned());
    after
}

/// A site by the names of its molecule and its own.
type SiteName = (String, String);

/// To which sites bonds lead from each.
type BondGraph = BTreeMap<SiteName, BTreeSet<SiteName>>;

/// All bonds that there are at the start or that rules make.
fn bond_graph(network: &Network) -> BondGraph {
    let mut graph = BondGraph::new();
    let ways = network.rules.iter().flat_map(|rule| [Some(&rule.forth), rule.back.as_ref()]);
    let made = ways.flatten().map(|way| way.products.as_slice());
    let seeds = network.seeds.iter().map(|seed| std::slice::from_ref(&seed.molecules));
    for side in made.chain(seeds) {
        let molecules: Vec<&Molecule> = side.iter().flatten().collect();
        let name = |end: SiteRef| {
            let molecule = molecules[end.molecule];
            (molecule.name.clone(), molecule.sites[end.site].name.clone())
        };
        for [a, b] in bonds(side) {
            graph.entry(name(a)).or_default().insert(name(b));
            graph.entry(name(b)).or_default().insert(name(a));
        }
    }
    graph
}

/// A way along bonds: from which site of which molecule of a pattern, through which molecules, each with
/// the sites at which it comes in and goes on, to which site of which molecule.
#[derive(Clone, Debug)]
struct BondWay {
    from: (usize, String),
    between: Vec<(String, [String; 2])>,
    to: (usize, String),
}

impl BondWay {
    /// The sites at which it leaves molecules, each with what it leads to.
    fn steps(&self, pattern: &[Molecule]) -> Vec<(String, SiteName)> {
        let leaves =
            std::iter::once(&self.from.1).chain(self.between.iter().map(|(_, [_, out])| out));
        let enters = self.between.iter().map(|(name, [enters, _])| (name.clone(), enters.clone()));
        let last = (pattern[self.to.0].name.clone(), self.to.1.clone());
        leaves.cloned().zip(enters.chain([last])).collect()
    }

    /// Whether no complex can have both: from one site they lead to different ones.
    fn excludes(&self, other: &Self, pattern: &[Molecule]) -> bool {
        let [own, others] = [self, other].map(|path| path.steps(pattern));
        let differ = own.iter().zip(&others).find(|(a, b)| a != b);
        self.from == other.from && differ.is_some_and(|((a, _), (b, _))| a == b)
    }
}

/// Joins the two parts of pattern number `p` in each way in which bonds can.
fn join(
    network: &Network,
    graph: &BondGraph,
    (way, p): (&OneWay, usize),
    delete_molecules: bool,
) -> Result<Vec<OneWay>, String> {
    let pattern = &way.reactants[p];
    let refused = || {
        format!(
            "`{}` does not say by which bonds its molecules are joined: write the bonds, and what lies between them",
            written(pattern)
        )
    };
    let parts = kinds::parts(pattern);
    let [first, second] = parts.as_slice() else { return Err(refused()) };
    let mut search =
        WaySearch { network, graph, pattern, second, found: Vec::new(), is_endless: false };
    for &n in first {
        for site in search.sites(&pattern[n].name) {
            if search.is_open(n, &site) {
                let end = (pattern[n].name.clone(), site.clone());
                search.go_on(&(n, site), &end, &mut Vec::new());
            }
        }
    }
    if search.is_endless || search.found.len() > MOST {
        return Err(refused());
    }
    // If molecules of one part only change, the rule counts once, whatever else there is.
    let start: usize = way.reactants[..p].iter().map(Vec::len).sum();
    let changes = |part: &[usize]| {
        let has = |n: usize| part.contains(&n.wrapping_sub(start));
        way.changes.sites().any(|site| has(site.molecule))
            || way.changes.deleted.iter().any(|n| has(*n))
    };
    let all = &search.found;
    let may_be_both =
        || (1..all.len()).any(|n| all[..n].iter().any(|other| !all[n].excludes(other, pattern)));
    if !(changes(first) && changes(second)) && may_be_both() {
        return Err(refused());
    }
    let mut all = Vec::new();
    for path in search.found {
        let mut reactants = way.reactants.clone();
        let last: usize = reactants[..=p].iter().map(Vec::len).sum();
        lay(&path, &mut reactants[p]);
        let added = path.between.len();
        let mut changes = way.changes.clone();
        shift(&mut changes, last, added);
        let first = last - pattern.len();
        let all_go = (first..last).all(|n| changes.deleted.contains(&n));
        if all_go && !delete_molecules {
            changes.deleted.extend(last..last + added);
            changes.deleted.sort_unstable();
        }
        let found = rewritten(way, reactants, changes);
        // Bonds hold together what the rule would part, or do not hold what it would leave together.
        if way.changes.deleted.is_empty() && found.products.len() != way.products.len() {
            continue;
        }
        all.push(found);
    }
    Ok(all)
}

/// Writes a way along bonds into a pattern.
fn lay(path: &BondWay, pattern: &mut Vec<Molecule>) {
    let numbers = pattern.iter().flat_map(|molecule| &molecule.sites).filter_map(|site| {
        if let Link::Numbered(number) = site.bond { Some(number) } else { None }
    });
    let mut bond = numbers.max().unwrap_or(0) + 1;
    set_bond(&mut pattern[path.from.0], &path.from.1, bond);
    for (name, [enters, leaves]) in &path.between {
        let mut molecule = Molecule { name: name.clone(), sites: Vec::new() };
        molecule.sites.push(Mention { bond: Link::Numbered(bond), ..Mention::free(enters) });
        bond += 1;
        molecule.sites.push(Mention { bond: Link::Numbered(bond), ..Mention::free(leaves) });
        pattern.push(molecule);
    }
    set_bond(&mut pattern[path.to.0], &path.to.1, bond);
}

fn set_bond(molecule: &mut Molecule, site: &str, bond: u32) {
    let bond = Link::Numbered(bond);
    let is_loose =
        |mention: &&mut Mention| mention.name == site && !matches!(mention.bond, Link::Numbered(_));
    match molecule.sites.iter_mut().find(is_loose) {
        Some(mention) => mention.bond = bond,
        None => molecule.sites.push(Mention { bond, ..Mention::free(site) }),
    }
}

/// Lets changes speak of the same molecules when `added` more stand before number `last`.
fn shift(changes: &mut Changes, last: usize, added: usize) {
    let shift = |n: &mut usize| *n += if *n >= last { added } else { 0 };
    changes.states.iter_mut().for_each(|(site, _)| shift(&mut site.molecule));
    changes.bound.iter_mut().flatten().for_each(|site| shift(&mut site.molecule));
    let parted = changes.parted.iter_mut().flat_map(|parting| &mut parting.ends);
    parted.for_each(|site| shift(&mut site.molecule));
    changes.deleted.iter_mut().for_each(shift);
}

/// A search for ways along bonds to the second part of a pattern.
struct WaySearch<'s> {
    network: &'s Network,
    graph: &'s BondGraph,
    pattern: &'s [Molecule],
    second: &'s [usize],
    found: Vec<BondWay>,
    is_endless: bool,
}

impl WaySearch<'_> {
    /// The names of the sites of a molecule.
    fn sites(&self, molecule: &str) -> BTreeSet<String> {
        let declared = self.network.molecule_type(molecule);
        declared.into_iter().flat_map(|of| &of.sites).map(|site| site.name.clone()).collect()
    }

    fn alike(&self, (molecule, site): (&str, &str)) -> usize {
        self.network.molecule_type(molecule).map_or(0, |declared| declared.alike(site))
    }

    /// Whether a site of a molecule of the pattern can have a bond that is not written.
    fn is_open(&self, n: usize, site: &str) -> bool {
        let molecule = &self.pattern[n];
        let own = || molecule.sites.iter().filter(|mention| mention.name == *site);
        let is_loose = |mention: &Mention| matches!(mention.bond, Link::Bound | Link::Either);
        match self.alike((&molecule.name, site)) {
            1 => own().all(is_loose),
            // Which of them is meant is not said.
            count => own().count() < count && !own().any(is_loose),
        }
    }

    /// Follows all bonds from a site.
    fn go_on(
        &mut self,
        from: &(usize, String),
        end: &SiteName,
        between: &mut Vec<(String, [String; 2])>,
    ) {
        if self.is_endless || !self.leads_there(end) {
            return;
        }
        let Some(partners) = self.graph.get(end) else { return };
        for (molecule, site) in partners {
            for &n in self.second {
                if self.pattern[n].name == *molecule && self.is_open(n, site) {
                    let (between, to) = (between.clone(), (n, site.clone()));
                    self.found.push(BondWay { from: from.clone(), between, to });
                }
            }
            for next in self.sites(molecule) {
                if next == *site && self.alike((molecule, site)) < 2 {
                    continue;
                }
                let further = (molecule.clone(), next.clone());
                if between.len() >= LONGEST || self.found.len() > MOST {
                    self.is_endless |= self.leads_there(&further);
                    continue;
                }
                between.push((molecule.clone(), [site.clone(), next]));
                self.go_on(from, &further, between);
                between.pop();
            }
        }
    }

    /// Whether any way along bonds from a site leads to the second part.
    fn leads_there(&self, end: &SiteName) -> bool {
        let (mut seen, mut next) = (BTreeSet::new(), vec![end.clone()]);
        while let Some(end) = next.pop() {
            for (molecule, site) in self.graph.get(&end).into_iter().flatten() {
                let is_there =
                    |n: &usize| self.pattern[*n].name == *molecule && self.is_open(*n, site);
                if self.second.iter().any(is_there) {
                    return true;
                }
                for further in self.sites(molecule) {
                    let is_other = further != *site || self.alike((molecule, site)) > 1;
                    let further = (molecule.clone(), further);
                    if is_other && seen.insert(further.clone()) {
                        next.push(further);
                    }
                }
            }
        }
        false
    }
}

/// How a site can be that is not written, or not in full.
fn statuses(declared: &MoleculeType, name: &str) -> Vec<Mention> {
    let site = declared.sites.iter().find(|site| site.name == name);
    let states: Vec<Option<&String>> = match site.map(|site| site.states.as_slice()) {
        Some(states) if states.len() > 1 => states.iter().map(Some).collect(),
        _ => vec![None],
    };
    let with = |bond: Link| {
        let of = move |state: &Option<&String>| Mention {
            name: name.to_owned(),
            states: state.iter().map(|state| (*state).clone()).collect(),
            bond,
        };
        states.iter().map(of).collect::<Vec<_>>()
    };
    [with(Link::Free), with(Link::Bound)].concat()
}

/// A direction of a rule for each way in which sites can be that are alike and not told apart, of the first
/// molecule that has such; none, if there is no such molecule. A molecule is like one of them, so that the
/// rule counts once for it, in however many ways its sites can be those that are written.
fn open_sites(network: &Network, way: &OneWay) -> Option<Vec<OneWay>> {
    let molecules: Vec<&Molecule> = way.reactants.iter().flatten().collect();
    let known = orders::determined(network, way, &molecules);
    for (n, molecule) in molecules.iter().enumerate() {
        let declared = network.molecule_type(&molecule.name)?;
        let names: BTreeSet<&str> = molecule.sites.iter().map(|site| site.name.as_str()).collect();
        for name in names.into_iter().filter(|name| declared.alike(name) > 1) {
            let own =
                || (0..molecule.sites.len()).filter(|site| molecule.sites[*site].name == name);
            let open: Vec<usize> = own().filter(|site| !known[n].contains(site)).collect();
            let settled = own().count() - open.len();
            let is_clear = own().count() == declared.alike(name)
                && open.iter().all(|site| molecule.sites[*site].bond != Link::Either);
            let mentions: Vec<&Mention> = open.iter().map(|site| &molecule.sites[*site]).collect();
            let has_partner = |mention: &&Mention| matches!(mention.bond, Link::Numbered(_));
            let differ = mentions
                .iter()
                .any(|a| mentions.iter().any(|b| a != b && !orders::mentions_exclude(a, b)));
            if open.is_empty() || mentions.iter().any(has_partner) || is_clear && !differ {
                continue;
            }
            let statuses = statuses(declared, name);
            let count = declared.alike(name) - settled;
            let all = combinations(statuses.len(), count);
            if all.len() > MOST {
                continue;
            }
            let mut found = Vec::new();
            for chosen in all {
                let chosen: Vec<&Mention> = chosen.into_iter().map(|n| &statuses[n]).collect();
                if !fits(&mentions, &chosen, &mut vec![false; chosen.len()]) {
                    continue;
                }
                let mut reactants = way.reactants.clone();
                let molecule = reactants.iter_mut().flatten().nth(n)?;
                for (k, mention) in chosen.into_iter().enumerate() {
                    match open.get(k) {
                        Some(&site) => molecule.sites[site] = mention.clone(),
                        None => molecule.sites.push(mention.clone()),
                    }
                }
                found.push(rewritten(way, reactants, way.changes.clone()));
            }
            return Some(found);
        }
    }
    None
}

/// All ways to choose `count` of `kinds` kinds, with repetition, without order.
fn combinations(kinds: usize, count: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..count {
        let further = |chosen: &Vec<usize>| {
            let from = chosen.last().copied().unwrap_or(0);
            (from..kinds).map(|kind| [chosen.as_slice(), &[kind]].concat()).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(further).collect();
        if all.len() > MOST {
            break;
        }
    }
    all
}

/// Whether each mention can stand for one of these sites, of which some are taken.
fn fits(mentions: &[&Mention], sites: &[&Mention], taken: &mut Vec<bool>) -> bool {
    let Some((first, rest)) = mentions.split_first() else { return true };
    (0..sites.len()).any(|n| {
        let state = first.states.is_empty() || first.states == sites[n].states;
        let bond = first.bond == Link::Either || first.bond == sites[n].bond;
        if taken[n] || !state || !bond {
            return false;
        }
        taken[n] = true;
        let found = fits(rest, sites, taken);
        taken[n] = false;
        found
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::complex;

    #[test]
    fn mentions_stand_for_sites() {
        let sites = |text: &str| complex(text).unwrap().remove(0).sites;
        for (mentions, all, expected) in [
            ("L(r)", "L(r,r)", true),
            ("L(r!?)", "L(r,r!+)", true),
            ("L(r!?,r)", "L(r,r!+)", true),
            ("L(r~a,r)", "L(r~a,r~b)", true),
            ("L(r!+,r!+)", "L(r,r!+)", false),
            ("L(r~a,r~a)", "L(r~a,r~b)", false),
        ] {
            let [mentions, all] = [sites(mentions), sites(all)];
            let [mentions, all] = [&mentions, &all].map(|sites| sites.iter().collect::<Vec<_>>());
            assert_eq!(fits(&mentions, &all, &mut vec![false; all.len()]), expected);
        }
        assert_eq!(combinations(2, 3), [[0, 0, 0], [0, 0, 1], [0, 1, 1], [1, 1, 1]]);
    }
}
