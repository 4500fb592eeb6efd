//! Writes the model file, so that it is pleasant to read and to change.

use std::path::Path;

use jostle_files::plain_line;

use super::complexes::{ComplexText, SphereText, is_bound};
use super::geometry::{Geometry, Stature};
use super::lines::Spot;
use super::observed;
use super::{MoleculeType, Network, Observable, SeedSpecies};
use crate::document::Datum;
use crate::notation::{Molecule, written};

/// Longer lists have a line for each entry. \[characters\]
const LONGEST_LINE: usize = 100;

/// One rule of the model file.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct RuleText {
    /// Where the rule is in the BNGL file.
    pub(super) spot: Spot,
    pub(super) comment: String,
    pub(super) name: String,
    pub(super) reaction: String,
    pub(super) keys: Vec<(&'static str, String)>,
    /// Whether what it takes away takes along what is bound to it.
    pub(super) takes: bool,
    /// What its rate follows, if it changes.
    pub(super) law: Option<LawText>,
}

/// An entry of the schedule by which the rate of a rule follows a formula.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct LawText {
    pub(super) name: String,
    pub(super) factor: String,
}

/// The whole file.
pub(super) fn write(
    [name, geometry_name]: [&str; 2],
    network: &Network,
    geometry: &Geometry,
    [until, every]: [&str; 2],
    (rules, complexes): (&[RuleText], &[ComplexText]),
) -> String {
    let stem = Path::new(name).file_stem().unwrap_or_default().to_string_lossy();
    let [source, sizes] = [name, geometry_name]
        .map(|name| plain_line(&Path::new(name).file_name().unwrap_or_default().to_string_lossy()));
    let mut text = format!(
        "# Made by `jostle import` of {source}, with the box, radii and diffusion coefficients of {sizes}.\n\
         title = {}\n",
        quoted(&plain_line(&stem))
    );
    let edges: Vec<_> = geometry.edges.iter().map(|edge| quoted(&edge.text)).collect();
    text += &format!("\n[space]\ndimension = {}\nedges = [{}]\n", edges.len(), edges.join(", "));
    text += if geometry.is_periodic {
        "boundary = \"periodic\"\n"
    } else {
        "boundary = \"reflecting\"\n"
    };
    text += &format!(
        "\n[run]\ntimestep = {}\nuntil = {}\n",
        quoted(&geometry.time_step.text),
        quoted(until)
    );
    if !geometry.has_room {
        text += "# Molecules take no room, as in BNGL: where they do not react they pass through each other.\n\
                 interactions = \"reactive\"\n";
    }
    for (declared, stature) in network.types.iter().zip(&geometry.species) {
        text += &species(declared, stature, &network.seeds);
    }
    complexes.iter().for_each(|known| text += &complex(known));
    for rule in rules {
        text += &format!(
            "\n[[rule]]  # {}\nname = {}\nreaction = {}\n",
            plain_line(&rule.comment),
            quoted(&rule.name),
            quoted(&rule.reaction)
        );
        rule.keys.iter().for_each(|(key, value)| text += &format!("{key} = {}\n", quoted(value)));
        text += if rule.takes { "removes = \"complexes\"\n" } else { "" };
    }
    for rule in rules {
        text += &rule.law.as_ref().map_or_else(String::new, |law| scaled(rule, law, every));
    }
    for (n, observable) in network.observables.iter().enumerate() {
        text += &match observed::uncounted(&network.observables[..n], observable) {
            None => counted(observable),
            Some(why) => not_counted(observable, &why),
        };
    }
    text
}

fn quoted(text: &str) -> String {
    Datum::Text(text.to_owned()).inline()
}

/// The entry of the schedule that lets the rate of a rule follow a formula.
fn scaled(rule: &RuleText, law: &LawText, every: &str) -> String {
    let keys: Vec<_> =
        rule.keys.iter().map(|(key, value)| format!("{key} = {}", quoted(value))).collect();
    format!(
        "\n[[schedule]]  # {}\nname = {}\nat = \"0 s\"\nevery = {}\n\
         set = {{ rule = {}, {}, factor = {} }}\n",
        plain_line(&rule.comment),
        quoted(&law.name),
        quoted(every),
        quoted(&rule.name),
        keys.join(", "),
        quoted(&law.factor)
    )
}

fn counted(observable: &Observable) -> String {
    let patterns: Vec<_> =
        observable.patterns.iter().map(|pattern| quoted(&written(pattern))).collect();
    let kind = if observable.of_species { "count = \"clusters\"\n" } else { "" };
    format!(
        "\n[[observable]]\nname = {}\n{kind}{}",
        quoted(&observable.name),
        listed("patterns", &patterns)
    )
}

/// What the BNGL file observes and jostle does not.
fn not_counted(observable: &Observable, why: &str) -> String {
    let kind = if observable.of_species { "Species" } else { "Molecules" };
    let patterns: Vec<_> = observable.patterns.iter().map(|pattern| written(pattern)).collect();
    let text = plain_line(&format!("{kind} {} {}", observable.name, patterns.join(", ")));
    format!("\n# {text}  (left out: {why})\n")
}

fn complex(complex: &ComplexText) -> String {
    let sphere = |sphere: &SphereText| {
        let at: Vec<_> = sphere.at.iter().map(|x| format!("{x:?}")).collect();
        let bond = sphere
            .bond
            .as_ref()
            .map_or_else(String::new, |rule| format!(", bond = {}", quoted(rule)));
        format!("{{ species = {}, at = [{}]{bond} }}", quoted(&sphere.species), at.join(", "))
    };
    let spheres: Vec<_> = complex.spheres.iter().map(sphere).collect();
    format!(
        "\n[[molecule]]\nname = {}\n{}count = {}\n",
        quoted(&complex.name),
        listed("spheres", &spheres),
        complex.count
    )
}

fn species(declared: &MoleculeType, stature: &Stature, seeds: &[SeedSpecies]) -> String {
    let mut text = format!(
        "\n[[species]]\nname = {}\nradius = {}\ndiffusion = {}\ncount = {}\n",
        quoted(&declared.name),
        quoted(&stature.radius.text),
        quoted(&stature.diffusion.text),
        count(declared, seeds)
    );
    if !declared.sites.is_empty() {
        text += &listed("sites", &declared.sites.iter().map(site).collect::<Vec<_>>());
    }
    text
}

fn site(site: &super::SiteType) -> String {
    let name = quoted(&site.name);
    if site.states.is_empty() {
        return format!("{{ name = {name} }}");
    }
    let states: Vec<_> = site.states.iter().map(|state| quoted(state)).collect();
    format!("{{ name = {name}, states = [{}] }}", states.join(", "))
}

/// `key = [a, b]`, in several lines if it is long.
fn listed(key: &str, entries: &[String]) -> String {
    let line = format!("{key} = [{}]\n", entries.join(", "));
    if line.chars().count() <= LONGEST_LINE {
        return line;
    }
    let lines: Vec<_> = entries.iter().map(|entry| format!("    {entry},\n")).collect();
    format!("{key} = [\n{}]\n", lines.concat())
}

/// How many there are: a number, or one for each combination of states.
fn count(declared: &MoleculeType, seeds: &[SeedSpecies]) -> String {
    let mut counts: Vec<(String, f64)> = Vec::new();
    for seed in seeds {
        let [molecule] = seed.molecules.as_slice() else { continue };
        if molecule.name != declared.name || is_bound(molecule) {
            continue;
        }
        let key = declared.ordered(molecule).to_string();
        match counts.iter_mut().find(|(known, _)| *known == key) {
            Some((_, count)) => *count += seed.count,
            None => counts.push((key, seed.count)),
        }
    }
    let whole = |count: f64| format!("{}", count.round());
    match counts.as_slice() {
        [] => "0".to_owned(),
        [(key, count)] if *key == usual(declared).to_string() => whole(*count),
        counts => {
            let entries: Vec<_> = counts
                .iter()
                .map(|(key, count)| format!("{} = {}", quoted(key), whole(*count)))
                .collect();
            format!("{{ {} }}", entries.join(", "))
        }
    }
}

/// A molecule whose sites are free and in their first states.
fn usual(declared: &MoleculeType) -> Molecule {
    let site = |site: &super::SiteType| crate::notation::Mention {
        name: site.name.clone(),
        states: site.states.first().cloned().into_iter().collect(),
        bond: crate::notation::Link::Free,
    };
    let usual =
        Molecule { name: declared.name.clone(), sites: declared.sites.iter().map(site).collect() };
    declared.ordered(&usual)
}
