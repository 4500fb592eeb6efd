//! The states of a species: every combination of the states of its sites is a species of its own.

use std::collections::BTreeSet;

use crate::walker::{Item, Section};
use jostle_core::species::{MOST_SPECIES, Species};
use jostle_files::{is_unseen, shortened};

use super::patterns::name_in;

/// More combinations than this are not even written out.
const UNTHINKABLE: usize = 4 * MOST_SPECIES;

/// More sites than this would make longer names than can be read.
const MOST_SITES: usize = 100;

/// The longest name. \[bytes\]
pub(super) const LONGEST: usize = 200;

/// What one state changes of its species.
struct Change {
    state: String,
    radius: Option<f64>,
    diffusion: Option<f64>,
}

/// All combinations of states, the last site changing fastest; a species without states has one
/// combination, which is empty.
pub(super) fn combinations(section: &Section<'_>) -> Vec<Vec<String>> {
    let Some(item) = section.get("states") else {
        return vec![Vec::new()];
    };
    let sites = sites(&item).unwrap_or_default();
    let mut all: Vec<Vec<String>> = vec![Vec::new()];
    for site in &sites {
        // Before they are made: thirty sites with two states each would fill the memory.
        if all.len() * site.len() > UNTHINKABLE {
            item.fault(format!(
                "these are more than {UNTHINKABLE} combinations; each is a species of its own, and at \
                 most {} are possible",
                MOST_SPECIES
            ));
            break;
        }
        let with = |states: &[String], word: &String| [states, std::slice::from_ref(word)].concat();
        all =
            all.iter().flat_map(|states| site.iter().map(move |word| with(states, word))).collect();
    }
    all
}

/// The words for the states of each site.
fn sites(item: &Item<'_>) -> Option<Vec<Vec<String>>> {
    let list = item.list()?;
    let sites = match list.iter().any(Item::is_list) {
        true if list.len() > MOST_SITES => {
            item.fault(format!(
                "{} sites are more than the {MOST_SITES} that are read; molecules with many sites are \
                 described with `sites`",
                list.len()
            ));
            return None;
        }
        true => list.iter().map(words).collect::<Option<Vec<_>>>()?,
        false => vec![words(item)?],
    };
    let mut seen = BTreeSet::new();
    for word in sites.iter().flatten() {
        if !seen.insert(word) {
            item.fault(format!(
                "\"{word}\" appears twice: all states of a species must have different names"
            ));
            return None;
        }
    }
    Some(sites)
}

fn words(item: &Item<'_>) -> Option<Vec<String>> {
    let list = item.list()?;
    if list.len() > UNTHINKABLE {
        item.fault(format!("{} states are more than the {UNTHINKABLE} that are read", list.len()));
        return None;
    }
    if list.is_empty() {
        item.fault("there is no state, for example [\"free\", \"bound\"]");
        return None;
    }
    let word = |item: &Item<'_>| {
        let text = item.text()?;
        if !is_word(text) {
            let found = shortened(text, LONGEST);
            item.fault(format!("found \"{found}\", but a word is needed, for example \"bound\""));
            return None;
        }
        Some(text.to_owned())
    };
    list.iter().map(word).collect()
}

/// The species that arise from `whole` in all its states, with what `state = { bound = { .. } }`
/// changes.
pub(super) fn expand(
    section: &Section<'_>,
    whole: &Species,
    combinations: &[Vec<String>],
) -> Vec<Species> {
    let changes =
        section.get("state").and_then(|item| changes(&item, combinations)).unwrap_or_default();
    let in_states = |states: &Vec<String>| {
        let name = name_in(&whole.name, states);
        let mut of_these = changes.iter().filter(|change| states.contains(&change.state));
        let mut species = Species { name: name.clone(), ..whole.clone() };
        let (mut sized, mut moved) = (None, None);
        for change in of_these.by_ref() {
            // Two states that both set a radius leave open which of them a particle in both has.
            let clash = |what: &str, a: &String| {
                let b = &change.state;
                section.fault(format!("both \"{a}\" and \"{b}\" set the {what} of {name}"));
            };
            if let Some(radius) = change.radius {
                sized.replace(&change.state).into_iter().for_each(|other| clash("radius", other));
                species.radius = Some(radius);
            }
            if let Some(diffusion) = change.diffusion {
                moved
                    .replace(&change.state)
                    .into_iter()
                    .for_each(|other| clash("diffusion", other));
                species.diffusion_coefficient = Some(diffusion);
            }
        }
        species
    };
    combinations.iter().map(in_states).collect()
}

fn changes(item: &Item<'_>, combinations: &[Vec<String>]) -> Option<Vec<Change>> {
    let change = |(state, item): (&str, Item<'_>)| {
        if !combinations.iter().flatten().any(|known| known == state) {
            item.fault(format!("there is no state \"{state}\" among `states`"));
            return None;
        }
        let section = item.section()?;
        let (radius, diffusion) = (radius(&section), diffusion(&section));
        section.finish();
        Some(Change { state: state.to_owned(), radius, diffusion })
    };
    Some(item.entries()?.into_iter().filter_map(change).collect())
}

pub(super) fn radius(section: &Section<'_>) -> Option<f64> {
    section.get("radius").map(|item| item.quantity().unwrap_or(f64::NAN))
}

pub(super) fn diffusion(section: &Section<'_>) -> Option<f64> {
    section.get("diffusion").map(|item| item.quantity().unwrap_or(f64::NAN))
}

/// Whether a text can be a name.
pub(super) fn is_word(text: &str) -> bool {
    let odd = |c: char| c.is_whitespace() || is_unseen(c) || "./[]{},|\"=".contains(c);
    // Spreadsheets would take it for a formula.
    let formula = text.starts_with(['+', '-', '@']);
    let fits = !text.is_empty() && text.len() <= LONGEST;
    fits && !formula && !text.contains(odd) && !text.chars().all(|c| c.is_ascii_digit())
}
