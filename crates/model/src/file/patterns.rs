//! Species by name or by pattern: `EGFR`, `EGFR{bound}`, `EGFR{free|bound,bare}`, or `*` for all.
//! An exact name wins over a pattern.
//!
//! Each state of a species is a species of its own inside, named `EGFR{bound}`. Patterns are
//! written out here, so that a rule becomes a list of cases and engines know no patterns.

use std::collections::{BTreeSet, HashMap};

use jostle_core::sites::Sites;

use crate::nearest::nearest;
use crate::walker::Item;
use jostle_core::words::abridged;

/// A species of the model as patterns see it: a declared name, and a state for each of its sites.
#[derive(Clone, Debug, PartialEq)]
struct Kind {
    declared: String,
    states: Vec<String>,
    sites: Sites,
}

/// The species of the model, in their order.
#[derive(Debug, Default)]
pub(super) struct Kinds {
    list: Vec<Kind>,
    names: Vec<String>,
    /// The first species of each name.
    numbers: HashMap<String, u16>,
    /// The species of each declared name, in their order.
    of_declared: HashMap<String, Vec<u16>>,
}

/// A species that arises: it may take the states that are not named from which it continues.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Template {
    Exact(u16),
    /// One of this declared name, with these states.
    States {
        declared: String,
        states: Vec<String>,
    },
}

/// A pattern: a declared name, and states, each a choice of words.
struct Pattern<'t> {
    declared: &'t str,
    states: Vec<Vec<&'t str>>,
}

impl<'t> Pattern<'t> {
    fn parse(text: &'t str) -> Self {
        let Some((declared, states)) = text.strip_suffix('}').and_then(|text| text.split_once('{'))
        else {
            return Self { declared: text, states: Vec::new() };
        };
        let choice = |text: &'t str| text.split('|').map(str::trim).collect();
        Self { declared, states: states.split(',').map(choice).collect() }
    }

    fn fits(&self, kind: &Kind) -> bool {
        // States of all sites of a species have different names, so a word says by itself which
        // site is meant, in any order.
        let has = |words: &Vec<&str>| {
            words.iter().any(|word| kind.states.iter().any(|state| state == word))
        };
        kind.declared == self.declared && self.states.iter().all(has)
    }
}

/// The name of a species in certain states.
pub(super) fn name_in(declared: &str, states: &[String]) -> String {
    if states.is_empty() {
        declared.to_owned()
    } else {
        format!("{declared}{{{}}}", states.join(","))
    }
}

impl Kinds {
    pub(super) fn add(&mut self, declared: &str, states: &[String]) {
        let (name, number) = (name_in(declared, states), self.list.len() as u16);
        self.numbers.entry(name.clone()).or_insert(number);
        // Looked up by name and not in the list: with thousands of states each rule would go
        // through all of them.
        match self.of_declared.get_mut(declared) {
            Some(numbers) => numbers.push(number),
            None => drop(self.of_declared.insert(declared.to_owned(), vec![number])),
        }
        self.names.push(name);
        let (declared, states) = (declared.to_owned(), states.to_vec());
        self.list.push(Kind { declared, states, sites: Sites::default() });
    }

    /// Gives sites to the species added last.
    pub(super) fn set_sites(&mut self, sites: &Sites) {
        if let Some(kind) = self.list.last_mut() {
            kind.sites = sites.clone();
        }
    }

    /// The sites at which a species binds others.
    pub(super) fn sites_of(&self, species: u16) -> &Sites {
        &self.list[species as usize].sites
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// The name of a species.
    pub(super) fn name(&self, species: u16) -> &str {
        self.names.get(species as usize).map_or("", String::as_str)
    }

    /// Whether a name is in use, by a species or by all states of one.
    pub(super) fn is_taken(&self, name: &str) -> bool {
        self.numbers.contains_key(name) || self.of_declared.contains_key(name)
    }

    /// How many sites the species of a declared name have, if there is any.
    pub(super) fn sites(&self, declared: &str) -> Option<usize> {
        self.called(declared).next().map(|(_, kind)| kind.states.len())
    }

    /// The species of a declared name, with their numbers.
    fn called(&self, declared: &str) -> impl Iterator<Item = (u16, &Kind)> {
        let numbers = self.of_declared.get(declared).map_or(&[][..], Vec::as_slice);
        numbers.iter().map(|&number| (number, &self.list[usize::from(number)]))
    }

    /// All species that a name or a pattern means; never none.
    pub(super) fn matching(&self, item: &Item<'_>) -> Option<Vec<u16>> {
        self.matching_text(item, item.text()?)
    }

    /// The same for a text that is not that of `item` itself.
    pub(super) fn matching_text(&self, item: &Item<'_>, text: &str) -> Option<Vec<u16>> {
        // First, since a species may be declared by a name that reads like a pattern,
        // `EGFR{bound}`.
        if let Some(exact) = self.exact(text) {
            return Some(vec![exact]);
        }
        if text == "*" {
            return Some((0..self.list.len() as u16).collect());
        }
        let pattern = Pattern::parse(text);
        self.understand(item, text, &pattern)?;
        let fitting = self.called(pattern.declared).filter(|(_, kind)| pattern.fits(kind));
        let found: Vec<u16> = fitting.map(|(number, _)| number).collect();
        if found.is_empty() {
            item.fault(format!("nothing can be \"{text}\": {} has {}", pattern.declared, {
                self.states_in_words(pattern.declared)
            }));
            return None;
        }
        Some(found)
    }

    /// What arises as `text` says: a name, with some states or none.
    pub(super) fn template(&self, item: &Item<'_>, text: &str) -> Option<Template> {
        if let Some(exact) = self.exact(text) {
            return Some(Template::Exact(exact));
        }
        let pattern = Pattern::parse(text);
        self.understand(item, text, &pattern)?;
        if pattern.states.iter().any(|words| words.len() > 1) {
            item.fault(format!(
                "\"{text}\" leaves a choice, but a product must be exactly one species"
            ));
            return None;
        }
        let states = pattern.states.iter().flatten().map(|word| (*word).to_owned()).collect();
        let template = Template::States { declared: pattern.declared.to_owned(), states };
        if self.made(&template, &mut Vec::new()).is_none() {
            item.fault(format!(
                "nothing can be \"{text}\": {} has {}",
                pattern.declared,
                self.states_in_words(pattern.declared)
            ));
            return None;
        }
        Some(template)
    }

    /// The one species that a name, with some states or none, stands for: sites that are not named
    /// are in their first state.
    pub(super) fn one(&self, item: &Item<'_>) -> Option<u16> {
        self.one_called(item, item.text()?)
    }

    /// The same for a text that is not that of `item` itself.
    pub(super) fn one_called(&self, item: &Item<'_>, text: &str) -> Option<u16> {
        let template = self.template(item, text)?;
        self.made(&template, &mut Vec::new())
    }

    /// The species that a template makes: it continues the first of the `free` reactants that is of
    /// its declared name, which is then no longer free, and keeps its states but for those named.
    pub(super) fn made(&self, template: &Template, free: &mut Vec<u16>) -> Option<u16> {
        let declared = match template {
            Template::Exact(species) => &self.list[*species as usize].declared,
            Template::States { declared, .. } => declared,
        };
        // Taken out of those that are free, so that in `A + A -> A{on} + A` each product continues
        // another reactant.
        let of_kin = |&species: &u16| self.list[species as usize].declared == *declared;
        let continued = free.iter().position(of_kin).map(|at| free.remove(at));
        let Template::States { states, .. } = template else {
            let Template::Exact(species) = template else { return None };
            return Some(*species);
        };
        let first = || self.called(declared).next().map(|(number, _)| number);
        let from = continued.or_else(first)?;
        let mut wanted = self.list[usize::from(from)].clone();
        let mut set = vec![false; wanted.states.len()];
        for state in states {
            let site = self.site(declared, state)?;
            // Two states of one site cannot be.
            if std::mem::replace(set.get_mut(site)?, true) {
                return None;
            }
            wanted.states[site].clone_from(state);
        }
        let known = self.numbers.get(&name_in(&wanted.declared, &wanted.states)).copied();
        // Faulty models may have two of one name, of which the first is meant.
        known.filter(|&number| self.list[usize::from(number)] == wanted)
    }

    /// Which site of a declared species a state belongs to.
    fn site(&self, declared: &str, state: &str) -> Option<usize> {
        let mut kinds = self.called(declared);
        kinds.find_map(|(_, kind)| kind.states.iter().position(|known| known == state))
    }

    pub(super) fn exact(&self, text: &str) -> Option<u16> {
        self.numbers.get(text).copied()
    }

    /// Notes what is not known in a pattern.
    fn understand(&self, item: &Item<'_>, text: &str, pattern: &Pattern<'_>) -> Option<()> {
        if self.sites(pattern.declared).is_none() {
            let declared = match self.declared().as_slice() {
                [] => "none is declared".to_owned(),
                names => {
                    let names = names.iter().map(|name| (*name).to_owned());
                    format!("declared: {}", abridged(names, "species").join(", "))
                }
            };
            item.fault(format!("there is no species \"{text}\"; {declared}"));
            return None;
        }
        let words = pattern.states.iter().flatten();
        let unknown = words.copied().find(|word| self.site(pattern.declared, word).is_none());
        let Some(word) = unknown else { return Some(()) };
        let all = self.called(pattern.declared);
        let near = nearest(word, all.flat_map(|(_, kind)| kind.states.iter().map(String::as_str)));
        let hint = near.map_or_else(String::new, |near| format!(", did you mean \"{near}\"?"));
        item.fault(format!(
            "{} has no state \"{word}\"{hint}; it has {}",
            pattern.declared,
            self.states_in_words(pattern.declared)
        ));
        None
    }

    /// The declared names, each once.
    pub(super) fn declared(&self) -> Vec<&str> {
        let mut seen = BTreeSet::new();
        let names = self.list.iter().map(|kind| kind.declared.as_str());
        names.filter(|name| seen.insert(*name)).collect()
    }

    /// `free, bound / bare, phosphorylated`
    fn states_in_words(&self, declared: &str) -> String {
        let kinds = || self.called(declared).map(|(_, kind)| kind);
        let sites = self.sites(declared).unwrap_or(0);
        let of_site = |site: usize| {
            let mut words: Vec<&str> = Vec::new();
            for kind in kinds() {
                let word = kind.states[site].as_str();
                if !words.contains(&word) {
                    words.push(word);
                }
            }
            words.join(", ")
        };
        match sites {
            0 => "no states".to_owned(),
            sites => (0..sites).map(of_site).collect::<Vec<_>>().join(" / "),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::Node;
    use crate::walker::Reader;

    fn kinds() -> Kinds {
        let mut kinds = Kinds::default();
        kinds.add("EGF", &[]);
        for ligand in ["free", "bound"] {
            for tail in ["bare", "phosphorylated"] {
                kinds.add("EGFR", &[ligand.to_owned(), tail.to_owned()]);
            }
        }
        kinds
    }

    fn ask<T>(text: &str, what: impl Fn(&Item<'_>) -> Option<T>) -> Result<T, String> {
        let node = Node::parse(&format!("title = '{text}'")).unwrap();
        let reader = Reader::new(&node, Vec::new());
        let found = reader.root().get("title").and_then(|item| what(&item));
        found.ok_or_else(|| reader.into_findings().0[0].message.clone())
    }

    #[test]
    fn patterns_leave_sites_open_and_allow_alternatives() {
        let kinds = kinds();
        let all = |text| ask(text, |item| kinds.matching(item));
        assert_eq!(all("EGF"), Ok(vec![0]));
        assert_eq!(all("*"), Ok(vec![0, 1, 2, 3, 4]));
        assert_eq!(all("EGFR"), Ok(vec![1, 2, 3, 4]));
        assert_eq!(all("EGFR{bound}"), Ok(vec![3, 4]));
        assert_eq!(all("EGFR{bare, free}"), Ok(vec![1]));
        assert_eq!(all("EGFR{free|bound,phosphorylated}"), Ok(vec![2, 4]));
        assert_eq!(all("EGFR{bound,bare}"), Ok(vec![3]));
        assert!(all("EGFR{free,bound}").unwrap_err().contains("nothing can be"));
        let error = all("EGFR{bond}").unwrap_err();
        assert!(
            error.contains("did you mean \"bound\"?; it has free, bound / bare, phosphorylated"),
            "{error}"
        );
        assert!(all("EGF{free}").unwrap_err().contains("it has no states"));
        assert!(all("EFGR").unwrap_err().ends_with("declared: EGF, EGFR"));
    }

    #[test]
    fn products_keep_the_states_that_they_continue() {
        let kinds = kinds();
        let made = |text: &str, free: &[u16]| {
            let template = ask(text, |item| kinds.template(item, text)).unwrap();
            kinds.made(&template, &mut free.to_vec())
        };
        assert_eq!(made("EGFR{phosphorylated}", &[0, 3]), Some(4));
        assert_eq!(made("EGFR{phosphorylated}", &[1, 3]), Some(2));
        assert_eq!(made("EGFR{phosphorylated}", &[]), Some(2));
        assert_eq!(made("EGFR", &[4]), Some(4));
        assert_eq!(made("EGFR{free,bare}", &[4]), Some(1));
        let one = |text| ask(text, |item| kinds.one(item));
        assert_eq!([one("EGFR"), one("EGFR{bound}"), one("EGF")], [Ok(1), Ok(3), Ok(0)]);
        assert!(one("EGFR{bound|free}").unwrap_err().contains("leaves a choice"));
        assert!(one("EGFR{bound,free}").unwrap_err().contains("nothing can be"));
    }
}
