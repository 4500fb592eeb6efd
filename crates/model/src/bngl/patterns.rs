//! Patterns of a BNGL file: what notation cannot say of them, and whether they fit the molecule types.

use super::labels::{Labels, Unlabelled};
use super::lines::{Cursor, Slip, Spot};
use super::{MoleculeType, SiteType};
use crate::nearest::nearest;
use crate::notation::{Mention, Molecule, leading};

/// A pattern and its place.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ReadPattern {
    pub(super) molecules: Vec<Molecule>,
    pub(super) spot: Spot,
    /// Whether it says `{MatchOnce}`.
    pub(super) once: bool,
    /// Whether it says `$`: that its number is held fixed.
    pub(super) is_fixed: bool,
    pub(super) labels: Labels,
    /// The compartment of each molecule, if it says so.
    pub(super) places: Vec<Option<String>>,
}

/// More molecules of one pattern are not read, nor more sites of one.
const MOST: usize = 64;

/// The pattern that comes next.
pub(super) fn read(cursor: &mut Cursor<'_>) -> Result<ReadPattern, Slip> {
    cursor.skip_spaces();
    let once = cursor.takes("{MatchOnce}");
    if !once && cursor.rest().starts_with('{') {
        return Err(cursor.slip("modifiers in braces, other than {MatchOnce}, are not known here"));
    }
    cursor.skip_spaces();
    // A name for the whole, by which functions with arguments speak of it.
    let mut ahead = *cursor;
    if ahead.takes("%") && ahead.word().is_some() && ahead.rest().starts_with(':') {
        ahead.takes("::");
        ahead.takes(":");
        *cursor = ahead;
        cursor.skip_spaces();
    }
    let spot = cursor.spot();
    let mut is_fixed = cursor.takes("$");
    let whole = compartment(cursor)?;
    is_fixed |= cursor.takes("$");
    cursor.skip_spaces();
    let text = cursor.rest();
    if let Some((at, message)) = foreign(text) {
        return Err(Slip::new(cursor.spot_after(at), message));
    }
    let clean = Unlabelled::of(text);
    let (molecules, length) = leading(&clean.text).map_err(|error| {
        let before = clean.text.chars().take(error.column - 1).map(char::len_utf8).sum();
        Slip::new(cursor.spot_after(clean.with_labels(before)), error.message)
    })?;
    if molecules.len() > MOST || molecules.iter().any(|molecule| molecule.sites.len() > MOST) {
        return Err(Slip::new(
            spot,
            format!(
                "at most {MOST} molecules of a pattern and {MOST} sites of a molecule are read"
            ),
        ));
    }
    cursor.advance(clean.with_labels(length));
    let mut places = vec![whole; molecules.len()];
    for (n, name) in clean.places {
        if let Some(place) = places.get_mut(n) {
            *place = Some(name);
        }
    }
    Ok(ReadPattern { molecules, spot, once, is_fixed, labels: clean.labels, places })
}

/// The compartment of all molecules that follow, as in `@PM:R(l!1).L(r!1)`.
fn compartment(cursor: &mut Cursor<'_>) -> Result<Option<String>, Slip> {
    if !cursor.takes("@") {
        return Ok(None);
    }
    let name = cursor.name().map(str::to_owned);
    match name {
        Some(name) if cursor.takes("::") || cursor.takes(":") => Ok(Some(name)),
        _ => Err(cursor.slip("before molecules, the name of a compartment stands between `@` and `:`, as in `@PM:R(l)`")),
    }
}

/// A mark in the pattern at the start of `text` that means something for which there is no place,
/// and what to say of it.
fn foreign(text: &str) -> Option<(usize, String)> {
    let mut depth = 0usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            '@' if depth > 0
                || !text[at + 1..].starts_with(|c: char| c.is_alphabetic() || c == '_') =>
            {
                return Some((
                    at,
                    "behind `@` the name of a compartment is needed, and the two stand behind a molecule, as in `A(b)@PM`"
                        .to_owned(),
                ));
            }
            '%' if !text[at + 1..].starts_with(|c: char| c.is_alphanumeric() || c == '_') => {
                return Some((at, "behind `%` a label is needed, as in `A%1(b)`".to_owned()));
            }
            '$' => {
                return Some((
                    at,
                    "a fixed number of molecules ($) is not possible: every particle is followed; write a rule \
                     that makes them and one that takes them away"
                        .to_owned(),
                ));
            }
            c if depth == 0 && !c.is_alphanumeric() && !"_.%@".contains(c) => return None,
            _ => {}
        }
    }
    None
}

/// What does not fit the molecule types, if anything.
pub(super) fn misfit(molecules: &[Molecule], types: &[MoleculeType]) -> Option<String> {
    molecules.iter().find_map(|molecule| of_molecule(molecule, types))
}

fn of_molecule(molecule: &Molecule, types: &[MoleculeType]) -> Option<String> {
    let name = &molecule.name;
    let Some(declared) = types.iter().find(|known| known.name == *name) else {
        let hint = nearest(name, types.iter().map(|known| known.name.as_str()));
        let hint = hint.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
        return Some(format!("there is no molecule type `{name}`{hint}"));
    };
    molecule.sites.iter().find_map(|site| of_site(molecule, site, declared))
}

fn of_site(molecule: &Molecule, site: &Mention, declared: &MoleculeType) -> Option<String> {
    let MoleculeType { name, sites, .. } = declared;
    let known: Vec<&SiteType> = sites.iter().filter(|known| known.name == site.name).collect();
    if known.is_empty() {
        let names: Vec<_> = sites.iter().map(|known| known.name.as_str()).collect();
        let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        return Some(format!("`{name}` has no site `{}`; its sites: {names}", site.name));
    }
    let mentioned = molecule.sites.iter().filter(|other| other.name == site.name).count();
    if mentioned > known.len() {
        return Some(format!(
            "`{name}` has {} and not {mentioned} sites `{}`",
            known.len(),
            site.name
        ));
    }
    if site.states.len() > 1 {
        return Some(format!("site `{}` is in two states here: one is possible", site.name));
    }
    let state = site.states.first()?;
    if known.iter().any(|known| known.states.contains(state)) {
        return None;
    }
    let states: Vec<_> = known[0].states.iter().map(String::as_str).collect();
    let states = if states.is_empty() { "none".to_owned() } else { states.join(", ") };
    Some(format!("site `{}` of `{name}` has no state `{state}`; its states: {states}", site.name))
}
