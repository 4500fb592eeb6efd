//! From a model of rules and a geometry to a model file.

use std::collections::BTreeSet;
use std::fmt;

use super::deeds::{self, Deed};
use super::geometry::{self, Geometry};
use super::lines::Slip;
use super::model_text::{self, RuleText};
use super::orders;
use super::rates::Rates;
use super::reader::{Understood, faults, understand};
use super::{Network, NetworkRule, OneWay};
use crate::fault::{Fault, Faults, Place};
use crate::notation::{Link, written};

/// The longest name of a rule that is made of a label. \[characters\]
const LONGEST_NAME: usize = 80;

/// A model file that has been made of a BNGL file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Imported {
    /// The model file.
    pub text: String,
    /// What has not been taken over, without harm: sentences with the place.
    pub notes: Vec<String>,
}

/// What is wrong with a BNGL file, its geometry file, or both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportFaults(pub Vec<Faults>);

impl fmt::Display for ImportFaults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, faults) in self.0.iter().enumerate() {
            let line_break = if n == 0 { "" } else { "\n" };
            write!(f, "{line_break}{faults}")?;
        }
        Ok(())
    }
}

impl std::error::Error for ImportFaults {}

/// Makes a model file of a BNGL file and a geometry file, each given by its text and its name.
///
/// # Errors
/// Everything that is wrong with either file or cannot be taken over, each with its place.
pub fn import(bngl: [&str; 2], geometry: [&str; 2]) -> Result<Imported, ImportFaults> {
    let [[text, name], [geometry_text, geometry_name]] = [bngl, geometry];
    let Understood { network, mut slips, mut notes } = understand(text);
    let mut all = Vec::new();
    let geometry = match geometry::read(geometry_text, geometry_name, &network) {
        Ok(geometry) => Some(geometry),
        Err(faults) => {
            all.push(faults);
            None
        }
    };
    check_seeds(&network, &mut slips, &mut notes);
    let mut rules = Vec::new();
    let mut names = BTreeSet::new();
    for rule in &network.rules {
        match texts(&network, rule, geometry.as_ref(), &mut names, &mut notes) {
            Ok(found) => rules.extend(found),
            Err(slip) => slips.push(slip),
        }
    }
    if network.types.is_empty() && slips.is_empty() {
        slips.push(Slip::new(Default::default(), "there are no molecules in this file"));
    }
    let until = geometry.as_ref().and_then(|geometry| until(&network, geometry));
    if geometry.is_some() && until.is_none() {
        let message = "`until` is missing, for example `until = \"10 s\"`: no simulation in the BNGL file says how \
                       long it is";
        let fault = Fault { place: Place::File, key: String::new(), message: message.to_owned() };
        all.push(Faults::new(geometry_name, vec![fault]));
    }
    if !slips.is_empty() {
        all.insert(0, faults(name, slips));
    }
    let (Some(geometry), Some(until), true) = (geometry, until, all.is_empty()) else {
        return Err(ImportFaults(all));
    };
    notes.sort_by_key(|note| note.spot);
    let note =
        |note: &Slip| format!("{name}:{}:{}: {}", note.spot.line, note.spot.column, note.message);
    Ok(Imported {
        text: model_text::write([name, geometry_name], &network, &geometry, &until, &rules),
        notes: notes.iter().map(note).collect(),
    })
}

/// How long the run is.
fn until(network: &Network, geometry: &Geometry) -> Option<String> {
    let given = geometry.until.as_ref().map(|until| until.text.clone());
    given.or_else(|| Some(format!("{} {}", network.end?, geometry.time_unit.text)))
}

fn check_seeds(network: &Network, slips: &mut Vec<Slip>, notes: &mut Vec<Slip>) {
    /// Larger numbers are not whole to the last digit.
    const MOST: f64 = 9e15;
    for seed in &network.seeds {
        let mentions = seed.molecules.iter().flat_map(|molecule| &molecule.sites);
        let bound = mentions.filter(|site| site.bond != Link::Free).count();
        if seed.count != 0.0 && (bound > 0 || seed.molecules.len() > 1) {
            slips.push(Slip::new(
                seed.spot,
                format!(
                    "`{}` is a complex, and molecules start unbound: give its molecules one by one, and let them bind",
                    written(&seed.molecules)
                ),
            ));
        } else if seed.count > MOST {
            slips.push(Slip::new(seed.spot, format!("{:e} molecules are too many", seed.count)));
        } else if seed.count.fract() != 0.0 {
            let text = format!("{} molecules are rounded to {}", seed.count, seed.count.round());
            notes.push(Slip::new(seed.spot, text));
        }
    }
}

/// A direction of a rule that has a rate, and what it does.
#[derive(Clone, Copy)]
struct Active<'r> {
    way: &'r OneWay,
    deed: Deed,
}

/// The rules of the model file that one rule becomes.
fn texts(
    network: &Network,
    rule: &NetworkRule,
    geometry: Option<&Geometry>,
    names: &mut BTreeSet<String>,
    notes: &mut Vec<Slip>,
) -> Result<Vec<RuleText>, Slip> {
    let slip = |message: String| Slip::new(rule.spot, message);
    let name = free_name(&rule.name, names);
    let active = |way: &'_ OneWay| -> Result<Option<Deed>, Slip> {
        if way.rate == 0.0 {
            return Ok(None);
        }
        let deed = deeds::of(network, way, rule.delete_molecules).map_err(slip)?;
        if deed != Deed::Plain
            && let Some(message) = orders::unclear(network, way).or_else(|| orders::symmetric(way))
        {
            return Err(slip(message));
        }
        Ok(Some(deed))
    };
    let mut found = Vec::new();
    for way in [Some(&rule.forth), rule.back.as_ref()].into_iter().flatten() {
        match active(way)? {
            Some(deed) => found.push(Active { way, deed }),
            None => notes.push(Slip::new(
                rule.spot,
                format!(
                    "rule `{}` is left out where its rate constant `{}` is 0",
                    rule.name, way.rate_text
                ),
            )),
        }
    }
    let Some(geometry) = geometry else { return Ok(Vec::new()) };
    let rates = Rates { network, geometry };
    let comment = |way: &OneWay| format!("line {}: {}", rule.spot.line, way.rate_text);
    if let [first, second] = found.as_slice()
        && let Some(text) = reversible(&rates, [first, second]).transpose().map_err(slip)?
    {
        let both =
            format!("line {}: {}, {}", rule.spot.line, rule.forth.rate_text, second.way.rate_text);
        return Ok(vec![RuleText { comment: both, name, ..text }]);
    }
    let mut texts = Vec::new();
    for (n, Active { way, deed }) in found.into_iter().enumerate() {
        let name = if n == 0 { name.clone() } else { free_name(&format!("{name}_back"), names) };
        let keys = vec![rates.forwards(way, deed).map_err(slip)?];
        let reaction = reaction(way, deed, "->");
        texts.push(RuleText { comment: comment(way), name, reaction, keys });
    }
    Ok(texts)
}

/// One rule for both directions, if there is one.
fn reversible(rates: &Rates<'_>, both: [&Active<'_>; 2]) -> Option<Result<RuleText, String>> {
    let [first, second] = both;
    let sides = |active: &Active<'_>| (active.way.reactants.len(), active.way.products.len());
    let text = |[forth, back]: [&Active<'_>; 2], key| {
        let keys = vec![rates.forwards(forth.way, forth.deed)?, (key, rates.in_time(back.way))];
        let reaction = reaction(forth.way, forth.deed, "<->");
        Ok(RuleText { comment: String::new(), name: String::new(), reaction, keys })
    };
    match (first.deed, second.deed, sides(first)) {
        (Deed::Bind, Deed::Unbind, _) | (Deed::Plain, Deed::Plain, (2, 1)) => {
            Some(text([first, second], rates.backward_key()))
        }
        (Deed::Unbind, Deed::Bind, _) | (Deed::Plain, Deed::Plain, (1, 2)) => {
            Some(text([second, first], rates.backward_key()))
        }
        (Deed::Plain, Deed::Plain, (1, 1)) => Some(text([first, second], "back")),
        _ => None,
    }
}

/// A rule in one line.
fn reaction(way: &OneWay, deed: Deed, arrow: &str) -> String {
    let bare = |text: String| match deed {
        Deed::Plain => text.replace("()", ""),
        _ => text,
    };
    let [left, right] = [&way.reactants, &way.products].map(|side| {
        let patterns: Vec<_> = side.iter().map(|pattern| bare(written(pattern))).collect();
        if patterns.is_empty() { "0".to_owned() } else { patterns.join(" + ") }
    });
    format!("{left} {arrow} {right}")
}

/// A word for the name of a rule that no other has.
fn free_name(label: &str, taken: &mut BTreeSet<String>) -> String {
    let plain: String =
        label.chars().map(|c| if c.is_alphanumeric() || c == '-' { c } else { ' ' }).collect();
    let joined = plain.split_whitespace().collect::<Vec<_>>().join("_");
    let stem: String = joined.trim_start_matches('-').chars().take(LONGEST_NAME).collect();
    // A bare number is the place in a list.
    let is_number = !stem.contains(|c: char| c.is_alphabetic());
    let stem = if is_number { format!("R{stem}") } else { stem };
    let numbered = (2..).map(|n| format!("{stem}_{n}"));
    let mut names = std::iter::once(stem.clone()).chain(numbered);
    let name = names.find(|name| !taken.contains(name)).unwrap_or(stem);
    taken.insert(name.clone());
    name
}
