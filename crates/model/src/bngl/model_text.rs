//! Writes the model file, so that it is pleasant to read and to change.

use std::path::Path;

use jostle_files::plain_line;

use super::complexes::{ComplexText, is_bound};
use super::geometry::{Geometry, Stature};
use super::layout::{Arrangement, Layout, SurfaceText};
use super::lines::Spot;
use super::{MoleculeType, Network, Observable, SeedSpecies, observed, places};
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
    /// Where it applies, as a table.
    pub(super) region: Option<String>,
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
    let boundary = if geometry.is_periodic { "\"periodic\"" } else { "\"reflecting\"" };
    text += &match &geometry.layout {
        Some(layout) if layout.arrangement == Arrangement::Layers => {
            format!("boundary = [{boundary}, {boundary}, \"reflecting\"]\n")
        }
        _ => format!("boundary = {boundary}\n"),
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
    for one in geometry.layout.iter().flat_map(|layout| &layout.surfaces) {
        text += &surface(one);
    }
    for (declared, stature) in network.types.iter().zip(&geometry.species) {
        text += &species(declared, stature, &network.seeds);
        let layout = geometry.layout.as_ref();
        text += &layout.map_or_else(String::new, |layout| layout.home(network, &declared.name));
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
        let region = rule.region.as_ref();
        text += &region.map_or_else(String::new, |region| format!("region = {region}\n"));
    }
    text += &geometry.layout.as_ref().map_or_else(String::new, |layout| placed(network, layout));
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
    format!(
        "\n[[molecule]]\nname = {}\ncomplex = {}\ncount = {}\n",
        quoted(&complex.name),
        quoted(&complex.complex),
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

fn surface(surface: &SurfaceText) -> String {
    let through = |(name, [inwards, outwards]): &(String, [String; 2])| {
        let back = match inwards == outwards {
            true => String::new(),
            false => format!(", permeability_outwards = {}", quoted(outwards)),
        };
        format!("{} = {{ permeability = {}{back} }}", quoted(name), quoted(inwards))
    };
    let species: Vec<_> = surface.through.iter().map(through).collect();
    let species = match species.is_empty() {
        true => String::new(),
        false => format!("species = {{ {} }}\n", species.join(", ")),
    };
    format!("\n[[surface]]\nname = {}\n{}\n{species}", quoted(&surface.name), surface.shape)
}

/// Molecules that can be in several volumes come into theirs as the run begins.
fn placed(network: &Network, layout: &Layout) -> String {
    let mut text = String::new();
    for seed in network.seeds.iter().filter(|seed| seed.count > 0.0) {
        let [molecule] = seed.molecules.as_slice() else { continue };
        let Some(volume) = volume_of(network, molecule) else { continue };
        let mut plain = molecule.clone();
        plain.sites.retain(|mention| mention.name != places::SITE);
        let name = if plain.sites.is_empty() { plain.name } else { plain.to_string() };
        text += &format!(
            "\n[[schedule]]\nat = \"0 s\"\nadd = {{ species = {}, count = {}, region = {{ {} }} }}\n",
            quoted(&name),
            seed.count.round(),
            layout.region(volume).join(", ")
        );
    }
    text
}

/// The volume that a molecule says it is in.
fn volume_of(network: &Network, molecule: &Molecule) -> Option<usize> {
    let mention = molecule.sites.iter().find(|mention| mention.name == places::SITE)?;
    let name = mention.states.first()?;
    network.compartments.iter().position(|known| known.name == *name)
}

/// How many there are: a number, or one for each combination of states.
fn count(declared: &MoleculeType, seeds: &[SeedSpecies]) -> String {
    let mut counts: Vec<(String, f64)> = Vec::new();
    for seed in seeds {
        let [molecule] = seed.molecules.as_slice() else { continue };
        let is_placed = molecule.sites.iter().any(|mention| mention.name == places::SITE);
        if molecule.name != declared.name || is_bound(molecule) || is_placed {
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
