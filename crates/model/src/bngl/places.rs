//! Where molecules are, if a file has several compartments: which of them each type lives in, and in which a
//! rule happens.
//!
//! While rules are read, the volume in which a molecule is is the state of a site of its own, [`SITE`], if
//! its type can be in several; so a rule that moves it changes a state. A type that is only ever on one
//! membrane lives on it. One of a volume that is bound to such a molecule stays in its volume.

use std::collections::{BTreeMap, BTreeSet};

use super::changes;
use super::compartments::Compartment;
use super::lines::{Slip, Spot};
use super::patterns::ReadPattern;
use super::rule_lines::RuleLine;
use super::{Home, MoleculeType, SiteType};
use crate::notation::{Mention, Molecule};

/// The name of the site whose state is the volume that a molecule is in.
pub(super) const SITE: &str = "@";

/// Where a rule happens.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Whereabouts {
    /// The compartment by whose size the rate constant is divided, from left to right and back.
    pub(super) within: [Option<usize>; 2],
    /// The volume to which the file confines the rule.
    pub(super) region: Option<usize>,
}

/// Compartments, and which types are in which.
#[derive(Default)]
pub(super) struct Places {
    pub(super) all: Vec<Compartment>,
    pub(super) homes: BTreeMap<String, Home>,
}

impl Places {
    /// Finds out where molecules live. What cannot be is added to `slips`.
    pub(super) fn of<'p>(
        all: Vec<Compartment>,
        seeds: impl Iterator<Item = &'p ReadPattern> + Clone,
        rules: &'p [RuleLine],
        slips: &mut Vec<Slip>,
    ) -> Self {
        let mut found = Self { all, homes: BTreeMap::new() };
        let written = seeds.chain(rules.iter().flat_map(|rule| rule.sides.iter().flatten()));
        let mut said: BTreeMap<&str, ([BTreeSet<usize>; 2], Spot)> = BTreeMap::new();
        for pattern in written.clone() {
            for (molecule, place) in pattern.molecules.iter().zip(&pattern.places) {
                let of = said.entry(&molecule.name).or_default();
                of.1 = pattern.spot;
                let Some(name) = place else { continue };
                match found.called(name) {
                    Some(n) => drop(of.0[usize::from(found.all[n].is_membrane)].insert(n)),
                    None => slips.push(Slip::new(pattern.spot, found.unknown(name))),
                }
            }
        }
        for (name, ([volumes, membranes], spot)) in said {
            let home = match membranes.first() {
                Some(&only) if volumes.is_empty() => {
                    if membranes.len() > 1 {
                        slips.push(Slip::new(spot, format!(
                            "`{name}` is on {}: here, what lives on a membrane stays on it, since membranes take up and \
                             give off no vesicles",
                            found.listed(&membranes)
                        )));
                    }
                    Home::Membrane(only)
                }
                _ => Home::Volumes(volumes.into_iter().collect()),
            };
            found.homes.insert(name.to_owned(), home);
        }
        for pattern in written {
            if let Err(slip) = found.check_membrane(pattern) {
                slips.push(slip);
            }
        }
        found.spread(rules);
        found
    }

    fn called(&self, name: &str) -> Option<usize> {
        self.all.iter().position(|known| known.name == name)
    }

    fn unknown(&self, name: &str) -> String {
        match self.all.is_empty() {
            true => format!("there is no compartment `{name}`: the file declares none"),
            false => {
                let all: Vec<&str> = self.all.iter().map(|known| known.name.as_str()).collect();
                format!("there is no compartment `{name}`; there are {}", all.join(", "))
            }
        }
    }

    fn listed(&self, places: &BTreeSet<usize>) -> String {
        let names: Vec<&str> = places.iter().map(|&n| self.all[n].name.as_str()).collect();
        names.join(" and on ")
    }

    /// The membrane that a pattern is on, since one of its molecules lives there.
    pub(super) fn membrane(&self, molecules: &[Molecule]) -> Option<usize> {
        molecules.iter().find_map(|molecule| match self.homes.get(&molecule.name) {
            Some(Home::Membrane(n)) => Some(*n),
            _ => None,
        })
    }

    /// The volumes in which molecules of a type can be; none of one that lives on a membrane.
    fn volumes(&self, name: &str) -> &[usize] {
        match self.homes.get(name) {
            Some(Home::Volumes(volumes)) => volumes,
            _ => &[],
        }
    }

    fn is_in_several(&self, name: &str) -> bool {
        self.volumes(name).len() > 1
    }

    /// A molecule of a volume is on a membrane only if it is bound to one that lives there.
    fn check_membrane(&self, pattern: &ReadPattern) -> Result<(), Slip> {
        for (molecule, place) in pattern.molecules.iter().zip(&pattern.places) {
            let Some(n) = place.as_ref().and_then(|name| self.called(name)) else { continue };
            let is_of_volume = matches!(self.homes.get(&molecule.name), Some(Home::Volumes(_)));
            if self.all[n].is_membrane
                && is_of_volume
                && self.membrane(&pattern.molecules) != Some(n)
            {
                return Err(Slip::new(
                    pattern.spot,
                    format!(
                        "`{}` is in a volume elsewhere and on the membrane `{}` here: a type lives in volumes or on one \
                     membrane, and one of a volume is on a membrane if it is bound to one that lives there",
                        molecule.name, self.all[n].name
                    ),
                ));
            }
        }
        Ok(())
    }

    /// What is made without a word on where is made where the others are.
    fn spread(&mut self, rules: &[RuleLine]) {
        loop {
            let mut more: Vec<(String, Vec<usize>)> = Vec::new();
            for rule in rules {
                for (from, to) in [(0, 1), (1, 0)].into_iter().take(rule.rates.len()) {
                    let [from, to] = [from, to].map(|side: usize| &rule.sides[side]);
                    let reactants = || from.iter().flat_map(|pattern| &pattern.molecules);
                    let around: Vec<usize> =
                        reactants().flat_map(|one| self.volumes(&one.name)).copied().collect();
                    for pattern in to {
                        for (molecule, place) in pattern.molecules.iter().zip(&pattern.places) {
                            let is_new = reactants().all(|one| one.name != molecule.name);
                            let known = self.volumes(&molecule.name);
                            let is_given = place.is_some()
                                || matches!(
                                    self.homes.get(&molecule.name),
                                    Some(Home::Membrane(_))
                                );
                            if is_new
                                && !is_given
                                && around.iter().any(|place| !known.contains(place))
                            {
                                more.push((molecule.name.clone(), around.clone()));
                            }
                        }
                    }
                }
            }
            if more.is_empty() {
                return;
            }
            for (name, places) in more {
                let known: BTreeSet<usize> = self.volumes(&name).iter().copied().collect();
                let all = known.into_iter().chain(places).collect::<BTreeSet<_>>();
                self.homes.insert(name, Home::Volumes(all.into_iter().collect()));
            }
        }
    }

    /// Gives types that can be in several volumes the site that says in which.
    pub(super) fn add_sites(&self, types: &mut [MoleculeType]) {
        for declared in types.iter_mut().filter(|declared| self.is_in_several(&declared.name)) {
            let states = self.volumes(&declared.name).iter().map(|&n| self.all[n].name.clone());
            declared.sites.push(SiteType { name: SITE.to_owned(), states: states.collect() });
        }
    }

    fn mark(&self, molecule: &mut Molecule, place: Option<usize>) {
        let Some(place) = place.filter(|_| self.is_in_several(&molecule.name)) else { return };
        let states = vec![self.all[place].name.clone()];
        molecule.sites.push(Mention { states, ..Mention::free(SITE) });
    }

    /// The volumes that a pattern names, for each molecule.
    fn named(&self, pattern: &ReadPattern) -> Vec<Option<usize>> {
        let of = |place: &Option<String>| {
            let n = self.called(place.as_ref()?)?;
            (!self.all[n].is_membrane).then_some(n)
        };
        pattern.places.iter().map(of).collect()
    }

    /// Says of the molecules of a species, or of a pattern of an observable, where they are.
    pub(super) fn settle_pattern(&self, pattern: &mut ReadPattern) -> Result<(), Slip> {
        self.check_membrane(pattern)?;
        let unknown = pattern.places.iter().flatten().find(|name| self.called(name).is_none());
        if let Some(name) = unknown {
            return Err(Slip::new(pattern.spot, self.unknown(name)));
        }
        let places = self.named(pattern);
        for (molecule, place) in pattern.molecules.iter_mut().zip(places) {
            self.mark(molecule, place);
        }
        Ok(())
    }

    /// A species, of which it has to be known where it is.
    pub(super) fn settle_seed(&self, pattern: &mut ReadPattern) -> Result<(), Slip> {
        let is_nowhere = |(molecule, place): (&Molecule, &Option<String>)| {
            place.is_none() && matches!(self.homes.get(&molecule.name), Some(Home::Volumes(_)))
        };
        if !self.all.is_empty()
            && let Some((molecule, _)) =
                pattern.molecules.iter().zip(&pattern.places).find(|pair| is_nowhere(*pair))
        {
            return Err(Slip::new(
                pattern.spot,
                format!(
                    "in which compartment this `{}` is is missing, as in `{0}@{1}`",
                    molecule.name, self.all[0].name
                ),
            ));
        }
        self.settle_pattern(pattern)
    }

    /// The rules that one stands for: one for each volume that it can happen in.
    pub(super) fn settle(
        &self,
        rule: RuleLine,
        types: &[MoleculeType],
    ) -> Result<Vec<(RuleLine, Whereabouts)>, Slip> {
        if self.all.is_empty() {
            return Ok(vec![(rule, Whereabouts::default())]);
        }
        let slip = |message: String| Slip::new(rule.spot, message);
        let Some(pairs) = pairs(&rule, types) else {
            // What is wrong with it is reported where it is read.
            return Ok(vec![(rule, Whereabouts::default())]);
        };
        let [left, right] = [0, 1].map(|side| self.members(&rule.sides[side]));
        let moved = pairs.iter().enumerate().find(|(n, pair)| {
            let before = pair.and_then(|from| left[from].named);
            before.is_some() && right[*n].named.is_some() && right[*n].named != before
        });
        if let Some((n, Some(from))) = moved {
            return self.moving(&rule, [&left[*from], &right[n]]).map_err(slip);
        }
        let all = || left.iter().chain(&right);
        let in_volume = || all().filter(|member| member.membrane.is_none());
        let given: BTreeSet<usize> = in_volume().filter_map(|member| member.named).collect();
        let fixed = in_volume().filter_map(|member| match self.volumes(member.name) {
            [only] => Some(*only),
            _ => None,
        });
        let fixed: BTreeSet<usize> = given.iter().copied().chain(fixed).collect();
        if fixed.len() > 1 {
            let names: Vec<&str> = fixed.iter().map(|&n| self.all[n].name.as_str()).collect();
            return Err(slip(format!(
                "its molecules are in different volumes, {}, and never meet there: write the steps by which one gets to \
                 the other, across the membrane between them",
                names.join(" and ")
            )));
        }
        let several = || in_volume().filter(|member| self.is_in_several(member.name));
        let candidates: Vec<Option<usize>> = match fixed.first() {
            Some(&one) => vec![Some(one)],
            None if several().next().is_none() => vec![None],
            None if !self.needs_place(&rule, &pairs) => vec![None],
            None => (0..self.all.len()).map(Some).collect(),
        };
        let is_common = |place: &Option<usize>| {
            let Some(place) = place else { return true };
            several().all(|member| self.volumes(member.name).contains(place))
                && all().filter_map(|member| member.membrane).all(|m| self.touch(m, *place))
        };
        let candidates: Vec<_> = candidates.into_iter().filter(is_common).collect();
        if candidates.is_empty() {
            return Err(slip(
                "its molecules are never in one volume, or on a membrane beside it".to_owned(),
            ));
        }
        // Bound on a membrane, a molecule that can be in several volumes may come from either side.
        let unclear = all().find(|member| {
            member.membrane.is_some() && member.named.is_some() && self.is_in_several(member.name)
        });
        if let Some(member) = unclear {
            return Err(slip(format!(
                "`{}` can be in several volumes, and where it is bound on a membrane no rule can tell from which it \
                 came: leave out where it is there",
                member.name
            )));
        }
        let is_given = !given.is_empty();
        let mut found = Vec::new();
        for place in candidates {
            let mut line = rule.clone();
            for pattern in line.sides.iter_mut().flatten() {
                if self.membrane(&pattern.molecules).is_none() {
                    pattern.molecules.iter_mut().for_each(|molecule| self.mark(molecule, place));
                }
            }
            self.leave_open(&mut line, &pairs);
            let within =
                [0, 1].map(|side| self.within(&rule.sides[side], &rule.sides[1 - side], place));
            let has_several = several().next().is_some();
            let region = place.filter(|_| is_given && has_several);
            found.push((line, Whereabouts { within, region }));
        }
        Ok(found)
    }

    /// Whether a membrane is beside a volume, as far as the file says.
    fn touch(&self, membrane: usize, volume: usize) -> bool {
        let is_open = |n: usize| {
            self.all[n].around.is_none() && self.all.iter().all(|other| other.around != Some(n))
        };
        is_open(membrane)
            || self.all[membrane].around == Some(volume)
            || self.all[volume].around == Some(membrane)
    }

    /// Molecules of volumes that are on a membrane on one side of a rule keep the volume that they are in.
    fn leave_open(&self, line: &mut RuleLine, pairs: &[Option<usize>]) {
        let [left, right] = &mut line.sides;
        let mut before: Vec<&mut Molecule> =
            left.iter_mut().flat_map(|pattern| &mut pattern.molecules).collect();
        let after = right.iter_mut().flat_map(|pattern| &mut pattern.molecules);
        for (molecule, pair) in after.zip(pairs) {
            let Some(n) = *pair else { continue };
            let mark = |molecule: &Molecule| {
                molecule.sites.iter().find(|mention| mention.name == SITE).cloned()
            };
            match (mark(before[n]), mark(molecule)) {
                (Some(place), None) => molecule.sites.push(place),
                (None, Some(place)) => before[n].sites.push(place),
                _ => {}
            }
        }
    }

    /// Whether what a rule does depends on where it happens.
    fn needs_place(&self, rule: &RuleLine, pairs: &[Option<usize>]) -> bool {
        let meets = |side: usize| rule.sides[side].len() > 1 && side < rule.rates.len();
        let makes = pairs.contains(&None);
        meets(0) || meets(1) || makes || (rule.rates.len() > 1 && rule.sides[1].is_empty())
    }

    /// A rule that moves a molecule from one volume to another.
    fn moving(
        &self,
        rule: &RuleLine,
        [before, to]: [&RuleMolecule<'_>; 2],
    ) -> Result<Vec<(RuleLine, Whereabouts)>, String> {
        let one =
            |side: usize| matches!(rule.sides[side].as_slice(), [one] if one.molecules.len() == 1);
        if !one(0) || !one(1) {
            let names = [before, to].map(|one| one.named.map_or("", |n| &self.all[n].name));
            return Err(format!(
                "`{}` gets from {} to {} together with others or by meeting them: here, single molecules go through the \
                 membrane, with a permeability",
                to.name, names[0], names[1]
            ));
        }
        let mut line = rule.clone();
        for (pattern, place) in line.sides.iter_mut().zip([before.named, to.named]) {
            pattern[0].molecules.iter_mut().for_each(|molecule| self.mark(molecule, place));
        }
        Ok(vec![(line, Whereabouts::default())])
    }

    /// By the size of which compartment a rate constant is divided.
    fn within(
        &self,
        from: &[ReadPattern],
        to: &[ReadPattern],
        place: Option<usize>,
    ) -> Option<usize> {
        let patterns = if from.is_empty() { to } else { from };
        let of_volume = |pattern: &&ReadPattern| self.membrane(&pattern.molecules).is_none();
        let volume = patterns.iter().find(of_volume).and_then(|pattern| {
            let only = pattern.molecules.iter().find_map(|one| self.volumes(&one.name).first());
            place.or(only.copied())
        });
        volume.or_else(|| patterns.iter().find_map(|pattern| self.membrane(&pattern.molecules)))
    }

    /// The molecules of one side of a rule.
    fn members<'p>(&self, side: &'p [ReadPattern]) -> Vec<RuleMolecule<'p>> {
        let mut all = Vec::new();
        for pattern in side {
            let membrane = self.membrane(&pattern.molecules);
            let places = self.named(pattern);
            let own = pattern.molecules.iter().zip(places);
            all.extend(own.map(|(one, named)| RuleMolecule { name: &one.name, named, membrane }));
        }
        all
    }
}

/// A molecule of a rule.
struct RuleMolecule<'p> {
    name: &'p str,
    /// The volume that the rule names for it.
    named: Option<usize>,
    /// The membrane that its complex is on.
    membrane: Option<usize>,
}

/// Which molecule on the left each on the right was.
fn pairs(rule: &RuleLine, types: &[MoleculeType]) -> Option<Vec<Option<usize>>> {
    let [mut left, right] = [0, 1].map(|side: usize| {
        rule.sides[side].iter().map(|pattern| pattern.molecules.clone()).collect::<Vec<_>>()
    });
    if rule.rates.len() == 1 {
        changes::complete(&mut left, &right, types);
    }
    let pairs = changes::pairing(&left, &right).ok()?;
    Some(pairs.into_iter().map(|pair| pair.map(|(n, _)| n)).collect())
}
