//! `[[observable]]`: what is counted by a name of its own.

use jostle_core::formula::Formula;
use jostle_core::rules::{Factor, Observable};
use jostle_core::sites::SitePattern;

use super::Context;
use super::molecules::{is_notation, pattern, readings};
use super::patterns::Kinds;
use crate::bngl::formula_of;
use crate::notation::{complex, is_tree};
use crate::walker::{Item, Section};
use jostle_core::words::abridged;

/// What formulas call the time.
const TIME: &str = "time";

/// Reads all tables.
pub(super) fn observables(root: &Section<'_>, context: &Context<'_>) -> Vec<Observable> {
    let mut found: Vec<Observable> = Vec::new();
    for section in root.tables("observable") {
        let name = section.require("name").and_then(|item| name(&item, &found));
        let words = [("particles", false), ("clusters", true)];
        let of_clusters = section.get("count").map_or(Some(false), |item| item.word(&words));
        let patterns = section.require("patterns").and_then(|item| patterns(&item, &context.kinds));
        section.finish();
        if let (Some(name), Some(of_clusters), Some((patterns, ways))) =
            (name, of_clusters, patterns)
        {
            found.push(Observable { name, of_clusters, patterns, ways });
        }
    }
    found
}

/// A name that formulas can use.
fn name(item: &Item<'_>, known: &[Observable]) -> Option<String> {
    let text = item.text()?;
    let is_name = text.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_alphanumeric() || c == '_');
    if !is_name || text == TIME {
        item.fault(format!(
            "found {text:?}, but formulas need a word of letters, digits and `_` that does not begin with a digit and \
             is not `{TIME}`"
        ));
        return None;
    }
    if known.iter().any(|other| other.name == text) {
        item.fault(format!("\"{text}\" is already taken: names must differ"));
        return None;
    }
    Some(text.to_owned())
}

/// The patterns as they are written, and the ways in which they are met.
type Patterns = (Vec<String>, Vec<(u16, SitePattern)>);

fn patterns(item: &Item<'_>, kinds: &Kinds) -> Option<Patterns> {
    let list = if item.is_list() { item.list()? } else { vec![item.clone()] };
    if list.is_empty() {
        item.fault("there is no pattern, for example [\"A\"]");
        return None;
    }
    let (mut texts, mut all) = (Vec::new(), Vec::new());
    for item in &list {
        let text = item.text()?;
        all.extend(ways(item, kinds, text)?);
        texts.push(text.to_owned());
    }
    Some((texts, all))
}

/// The ways in which a particle can be like a pattern, as the first molecule of it.
fn ways(item: &Item<'_>, kinds: &Kinds, text: &str) -> Option<Vec<(u16, SitePattern)>> {
    if !is_notation(kinds, text) {
        let species = kinds.matching_text(item, text)?;
        return Some(
            species.into_iter().map(|species| (species, SitePattern::default())).collect(),
        );
    }
    let found = complex(text).map_err(|error| error.to_string());
    // A pattern is followed bond by bond from its first molecule; round a ring, that would not see
    // that the last bond leads back to the first.
    let found = found.and_then(|found| is_tree(&found).map(|()| found).map_err(str::to_owned));
    let complex = match found {
        Ok(complex) => complex,
        Err(why) => {
            item.fault(format!("\"{text}\", {why}"));
            return None;
        }
    };
    let way = |reading| (species_of(&reading), pattern(kinds, &complex, &reading, 0));
    let species_and_sites = readings(item, kinds, &complex)?.into_iter().map(way);
    Some(species_and_sites.collect())
}

fn species_of(reading: &super::molecules::ComplexReading) -> u16 {
    reading.molecules[0].species
}

/// A factor as it is written. What it calls by the name of a species is observed from then on.
pub(super) fn factor(
    item: &Item<'_>,
    kinds: &Kinds,
    observables: &mut Vec<Observable>,
) -> Option<Factor> {
    let text = item.text()?;
    // The parser asks for the meaning of one name after the other, and a species gets its
    // observable when it is first named.
    let known = std::cell::RefCell::new(observables);
    let meaning = |name: &str| {
        if name == TIME {
            return Ok(Formula::Time);
        }
        let mut known = known.borrow_mut();
        let at = known.iter().position(|observable| observable.name == name);
        let at = match at {
            Some(at) => at,
            // So that a formula can say `A` where the model has no `[[observable]]` for it. It is
            // of all states of that species.
            None if kinds.is_taken(name) => {
                let ways = kinds.matching_text(item, name).unwrap_or_default();
                let ways = ways.into_iter().map(|species| (species, SitePattern::default()));
                known.push(Observable {
                    name: name.to_owned(),
                    of_clusters: false,
                    patterns: vec![name.to_owned()],
                    ways: ways.collect(),
                });
                known.len() - 1
            }
            None => {
                let names = known.iter().map(|observable| observable.name.clone());
                let names = abridged(names, "observables");
                let names = match names.is_empty() {
                    true => "there is no `[[observable]]`".to_owned(),
                    false => format!("observables: {}", names.join(", ")),
                };
                return Err(format!(
                    "\"{name}\" is neither `{TIME}` nor an observable nor a species; {names}"
                ));
            }
        };
        Ok(Formula::Count(at as u16))
    };
    match formula_of(text, meaning) {
        Ok(formula) => Some(Factor { text: text.to_owned(), formula }),
        Err(why) => {
            item.fault(why);
            None
        }
    }
}
