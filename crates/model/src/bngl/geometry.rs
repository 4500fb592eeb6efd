//! Geometry files: the box, and how large molecules are and how fast they diffuse.

use super::layout::{Arrangement, Layout};
use super::{Home, Network, OneWay, orders};
use crate::fault::Faults;
use crate::nearest::nearest;
use crate::notation::Molecule;
use crate::schema::GEOMETRY;
use crate::tree::Node;
use crate::units::Unit;
use crate::walker::{Item, Reader, Section};
use jostle_core::rules::{Encounter, MeetingPair};

/// A quantity as it is written, and its value \[nm, µs\].
#[derive(Clone, Debug)]
pub(super) struct Written {
    pub(super) text: String,
    pub(super) value: f64,
}

/// What a species is like.
#[derive(Clone, Debug)]
pub(super) struct Stature {
    pub(super) radius: Written,
    pub(super) diffusion: Written,
}

/// A unit of amounts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Amounts {
    /// Numbers, in the whole volume.
    Molecules,
    Molar {
        /// As it is written.
        word: &'static str,
        /// \[mol/L\]
        molar: f64,
    },
}

/// Concentrations that amounts can be given in.
const MOLAR: [(&str, f64); 5] =
    [("M", 1.0), ("mM", 1e-3), ("uM", 1e-6), ("nM", 1e-9), ("pM", 1e-12)];

/// Nanometres in a micrometre.
const MICROMETRE: f64 = 1e3;

/// Molecules per cubic nanometre at one mole per litre.
const AVOGADRO: f64 = 0.602_214_076;

/// A geometry that fits a model of rules.
#[derive(Debug)]
pub(super) struct Geometry {
    pub(super) edges: Vec<Written>,
    pub(super) is_periodic: bool,
    pub(super) time_step: Written,
    pub(super) until: Option<Written>,
    /// The unit of time of the rate constants, as it is written; its value in µs.
    pub(super) time_unit: Written,
    /// How often rates that change are worked out.
    pub(super) rates_every: Option<Written>,
    /// Whether molecules keep each other out where they do not react.
    pub(super) has_room: bool,
    /// The unit of the amounts of molecules.
    pub(super) amounts: Amounts,
    /// The unit of the concentrations in the rate constants of two partners.
    pub(super) rates: Amounts,
    /// How compartments are laid out, if the file says so.
    pub(super) compartments: Option<Arrangement>,
    /// Where compartments are, if there are several.
    pub(super) layout: Option<Layout>,
    /// One for each molecule type.
    pub(super) species: Vec<Stature>,
}

impl Geometry {
    /// Of the box.
    pub(super) fn dimension(&self) -> usize {
        self.edges.len()
    }

    /// What molecules of a type are like.
    pub(super) fn stature(&self, network: &Network, name: &str) -> Option<&Stature> {
        let n = network.types.iter().position(|known| known.name == name)?;
        self.species.get(n)
    }

    /// What the two molecules are like that touch in a rule for two partners.
    pub(super) fn partners(&self, network: &Network, way: &OneWay) -> Option<[&Stature; 2]> {
        let [a, b] = orders::partners(way).map(|name| self.stature(network, name));
        Some([a?, b?])
    }

    /// In how many dimensions what a rule is about meets or comes: one less where all of it lives on a
    /// membrane.
    pub(super) fn dimension_of(&self, network: &Network, way: &OneWay) -> usize {
        let molecules: Vec<&Molecule> = way.reactants.iter().flatten().collect();
        let names: Vec<&str> = match (way.changes.parted.first(), way.reactants.len()) {
            (_, 2) => orders::partners(way).to_vec(),
            (Some(parting), _) => parting
                .ends
                .iter()
                .filter_map(|end| Some(molecules.get(end.molecule)?.name.as_str()))
                .collect(),
            (None, 0) => way.products.iter().flatten().map(|one| one.name.as_str()).collect(),
            _ => Vec::new(),
        };
        let is_on_membrane =
            |name: &&str| matches!(network.homes.get(*name), Some(Home::Membrane(_)));
        let is_flat =
            self.layout.is_some() && !names.is_empty() && names.iter().all(is_on_membrane);
        self.dimension() - usize::from(is_flat)
    }

    /// How large the compartment is in which a rule happens, or the box. \[µm^d\]
    pub(super) fn size_of(&self, way: &OneWay) -> f64 {
        let compartment = self.layout.as_ref().zip(way.within);
        compartment.map_or_else(
            || self.edges.iter().map(|edge| edge.value / MICROMETRE).product(),
            |(layout, n)| layout.size(n),
        )
    }

    /// The two that touch in a rule for two partners, in 3D or on a membrane of a 3D box.
    pub(super) fn pair(&self, network: &Network, way: &OneWay) -> Option<MeetingPair> {
        let [a, b] = self.partners(network, way)?;
        let radii = [a.radius.value, b.radius.value];
        let encounter = self.layout.as_ref().map_or(Encounter::Free, |layout| {
            layout.encounter(network, orders::partners(way), radii)
        });
        let diffusion = [a.diffusion.value, b.diffusion.value];
        encounter.pair(3, radii[0] + radii[1], diffusion).ok()
    }

    /// How many molecules there are in the box at one mole per litre.
    pub(super) fn per_molar(&self) -> f64 {
        self.edges.iter().map(|edge| edge.value).product::<f64>() * AVOGADRO
    }
}

/// The values of parameters that a geometry file gives, as far as it can be read.
pub(super) fn parameters(text: &str) -> Vec<(String, f64)> {
    let Ok(root) = Node::parse(text) else { return Vec::new() };
    let reader = Reader::new(&root, Vec::new());
    let entries = reader.root_as(&GEOMETRY).get("parameters").and_then(|item| item.entries());
    let all = entries.unwrap_or_default().into_iter();
    all.filter_map(|(name, item)| Some((name.to_owned(), item.quantity()?))).collect()
}

/// The unit of time that a geometry file gives to rate constants, as far as it can be read. \[µs\]
pub(super) fn time_unit_of(text: &str) -> f64 {
    const SECOND: f64 = 1e6;
    let Ok(root) = Node::parse(text) else { return SECOND };
    let reader = Reader::new(&root, Vec::new());
    let unit = reader.root_as(&GEOMETRY).get("time_unit").and_then(|item| time_unit(&item));
    unit.map_or(SECOND, |unit| unit.value)
}

/// Notes values that are no numbers, and those of `strange` parameters, which the BNGL file does not
/// have.
fn check_parameters(root: &Section<'_>, strange: &[String]) {
    let entries = root.get("parameters").and_then(|item| item.entries()).unwrap_or_default();
    for (name, item) in entries {
        if item.quantity().is_some() && strange.iter().any(|other| other == name) {
            item.fault(format!("there is no parameter `{name}` in the BNGL file"));
        }
    }
}

/// Reads a geometry file for a network; of `strange` parameters the BNGL file knows nothing.
///
/// # Errors
/// Everything that is wrong, each with its line and key.
pub(super) fn read(
    [text, name]: [&str; 2],
    network: &Network,
    strange: &[String],
) -> Result<Geometry, Faults> {
    let root = Node::parse(text).map_err(|faults| Faults::new(name, faults))?;
    let reader = Reader::new(&root, Vec::new());
    let section = reader.root_as(&GEOMETRY);
    let geometry = of_root(&section, network);
    check_parameters(&section, strange);
    section.finish();
    let (faults, _) = reader.into_findings();
    match geometry {
        Some(geometry) if faults.is_empty() => Ok(geometry),
        _ => Err(Faults::new(name, faults)),
    }
}

fn of_root(root: &Section<'_>, network: &Network) -> Option<Geometry> {
    let edges = root.require("box").and_then(|item| edges(&item));
    let words = [("periodic", true), ("reflecting", false)];
    let boundary = root.get("boundary").map_or(Some(true), |item| item.word(&words));
    let time_step = root.require("time_step").and_then(|item| written(&item, "us", true));
    let until = root.get("until").map(|item| written(&item, "us", true));
    let time_unit = root.get("time_unit").map_or_else(
        || Some(Written { text: "s".to_owned(), value: 1e6 }),
        |item| time_unit(&item),
    );
    let units = units(root);
    let rates_every = root.get("rates_every").map(|item| written(&item, "us", true));
    let has_room = root.get("room").map_or(Some(false), |item| item.boolean());
    let words = [("layers", Arrangement::Layers), ("spheres", Arrangement::Spheres)];
    let compartments = root.get("compartments").map(|item| item.word(&words));
    let species = species(root, network);
    let edges = edges?;
    let (amounts, rates) = units?;
    for (key, unit) in [("units", amounts), ("rates", rates)] {
        if let Some(item) = root.get(key)
            && unit != Amounts::Molecules
            && edges.len() < 3
        {
            item.fault("a concentration belongs to a volume, and this box has none");
        }
    }
    Some(Geometry {
        edges,
        is_periodic: boundary?,
        time_step: time_step?,
        until: match until {
            Some(until) => Some(until?),
            None => None,
        },
        time_unit: time_unit?,
        rates_every: match rates_every {
            Some(every) => Some(every?),
            None => None,
        },
        has_room: has_room?,
        amounts,
        rates,
        compartments: match compartments {
            Some(arrangement) => Some(arrangement?),
            None => None,
        },
        layout: None,
        species: species?,
    })
}

/// The units of amounts and of rate constants, which are the same unless the file says otherwise.
fn units(root: &Section<'_>) -> Option<(Amounts, Amounts)> {
    let [m, mm, um, nm, pm] = MOLAR.map(|(word, molar)| Amounts::Molar { word, molar });
    let none = Amounts::Molecules;
    let words = [("molecules", none), ("M", m), ("mM", mm), ("uM", um), ("nM", nm), ("pM", pm)];
    let amounts = root.get("units").map_or(Some(none), |item| item.word(&words));
    let words = [
        ("per molecule", none),
        ("/M/s", m),
        ("/mM/s", mm),
        ("/uM/s", um),
        ("/nM/s", nm),
        ("/pM/s", pm),
    ];
    let rates = root.get("rates").map_or(amounts, |item| item.word(&words));
    Some((amounts?, rates?))
}

/// A quantity above zero, or of zero and more.
fn written(item: &Item<'_>, unit: &str, is_positive: bool) -> Option<Written> {
    let value = if is_positive { item.positive() } else { item.not_negative() }?;
    let text = if item.is_text() { item.text()?.to_owned() } else { format!("{value:?} {unit}") };
    Some(Written { text, value })
}

fn edges(item: &Item<'_>) -> Option<Vec<Written>> {
    let list = item.list()?;
    if !(1..=3).contains(&list.len()) {
        item.fault(format!("found {} edges, but there are 1, 2 or 3 dimensions", list.len()));
        return None;
    }
    let edges: Vec<_> = list.iter().map(|item| written(item, "nm", true)).collect();
    edges.into_iter().collect()
}

/// One word, so that it can follow a slash.
fn time_unit(item: &Item<'_>) -> Option<Written> {
    let text = item.text()?;
    let wanted = item.unit_wanted()?;
    match Unit::parse(text) {
        Ok(unit) if unit.dimension == wanted.dimension && text.chars().all(char::is_alphabetic) => {
            Some(Written { text: text.to_owned(), value: unit.to_internal(1.0) })
        }
        _ => {
            item.fault(format!(
                "found \"{text}\", but a unit of time is needed, such as s, ms or min"
            ));
            None
        }
    }
}

fn species(root: &Section<'_>, network: &Network) -> Option<Vec<Stature>> {
    let of_section = |section: Section<'_>| {
        let radius = section.get("radius").map(|item| written(&item, "nm", true));
        let diffusion = section.get("diffusion").map(|item| written(&item, "nm^2/us", false));
        section.finish();
        (radius, diffusion)
    };
    let usual = root.get("default").and_then(|item| item.section()).map(of_section);
    let (radius, diffusion) = usual.unwrap_or_default();
    let named = root.get("species").and_then(|item| item.entries()).unwrap_or_default();
    let mut own = Vec::new();
    for (name, item) in named {
        if network.molecule_type(name).is_none() {
            let known = network.types.iter().map(|known| known.name.as_str());
            let hint = nearest(name, known);
            let hint = hint.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
            item.fault(format!("there is no molecule type `{name}` in the BNGL file{hint}"));
        }
        own.push((name, item.section().map(of_section).unwrap_or_default()));
    }
    let mut all = Vec::new();
    for declared in &network.types {
        let mine = own.iter().find(|(name, _)| *name == declared.name).map(|(_, size)| size);
        let (own_radius, own_diffusion) = mine.cloned().unwrap_or_default();
        let radius = own_radius.or_else(|| radius.clone());
        let diffusion = own_diffusion.or_else(|| diffusion.clone());
        for (value, key) in [(&radius, "radius"), (&diffusion, "diffusion")] {
            if value.is_none() {
                root.fault(format!(
                    "`{0}` has no {key}: give it under `[species.{0}]`, or for all others in `default`",
                    declared.name
                ));
            }
        }
        // What is faulty has been reported.
        if let (Some(Some(radius)), Some(Some(diffusion))) = (radius, diffusion) {
            all.push(Stature { radius, diffusion });
        }
    }
    (all.len() == network.types.len()).then_some(all)
}
