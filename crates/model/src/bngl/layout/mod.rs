//! Where the compartments of a file are in the box: volumes one above the other with membranes between them,
//! or one within the other, in spheres.
//!
//! All volumes are as large in the box as in the file, times one factor. So rate constants per concentration
//! are the same in all of them.

mod layers;
mod spheres;

use std::collections::BTreeMap;

use super::geometry::Geometry;
use super::lines::{Slip, Spot};
use super::rates::number;
use super::transports::Transport;
use super::{Compartment, Home, Network, OneWay, orders};
use jostle_core::rules::Encounter;

/// Nanometres in a micrometre.
const MICROMETRE: f64 = 1e3;

/// How compartments are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arrangement {
    Layers,
    Spheres,
}

/// A surface of the model file.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SurfaceText {
    pub(super) name: String,
    /// Its key and what it is, `plane = { axis = "z", at = "100 nm" }`.
    pub(super) shape: String,
    /// Species that go through, with their permeabilities inwards and outwards.
    pub(super) through: Vec<(String, [String; 2])>,
}

/// All compartments in the box.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub(super) arrangement: Arrangement,
    pub(super) surfaces: Vec<SurfaceText>,
    /// Their areas. \[µm²\]
    areas: Vec<f64>,
    /// How much they bend. \[1/nm\]
    curvatures: Vec<f64>,
    /// How large each compartment is. \[µm³, of membranes µm²\]
    sizes: Vec<f64>,
    /// The sides of surfaces that each volume is on: the number of the surface, and whether it is the inner
    /// one, or that above.
    sides: Vec<Vec<(usize, bool)>>,
    /// The surface that each membrane is.
    membranes: Vec<Option<usize>>,
    /// The side of its membrane on which all partners of a type are that lives there.
    faces: BTreeMap<String, bool>,
}

impl Layout {
    /// How large a compartment is. \[µm³, of a membrane µm²\]
    pub(super) fn size(&self, compartment: usize) -> f64 {
        self.sizes[compartment]
    }

    pub(super) fn is_membrane(&self, compartment: usize) -> bool {
        self.membranes[compartment].is_some()
    }

    /// What has been made of the compartments.
    pub(super) fn described(&self) -> String {
        let what = match self.arrangement {
            Arrangement::Layers => "layers along z, with planes between them",
            Arrangement::Spheres => "spheres one within the other",
        };
        format!(
            "the compartments are {what}, as large to each other as in the file (`compartments` in the geometry file \
             says which); rate constants are divided by their sizes as in BioNetGen"
        )
    }

    /// How two types meet, of which the second one has this radius. \[nm\]
    pub(super) fn encounter(
        &self,
        network: &Network,
        names: [&str; 2],
        radii: [f64; 2],
    ) -> Encounter {
        let membrane = |name: &str| match network.homes.get(name) {
            Some(Home::Membrane(n)) => self.membranes[*n],
            _ => None,
        };
        let confined = match names.map(membrane) {
            [None, None] => return Encounter::Free,
            [Some(surface), Some(_)] => {
                return Encounter::Within { curvature: self.curvatures[surface] };
            }
            [Some(_), None] => 0,
            [None, Some(_)] => 1,
        };
        let (host, guest) = (names[confined], names[1 - confined]);
        let surface = membrane(host).unwrap_or_default();
        let goes_through = self.surfaces[surface].through.iter().any(|(name, _)| name == guest);
        let clearance = Some(if goes_through { 0.0 } else { radii[1 - confined] });
        let bends = self.faces.get(host).map_or(0.0, |inside| if *inside { -1.0 } else { 1.0 });
        Encounter::Target { confined, clearance, curvature: bends * self.curvatures[surface] }
    }

    fn word(&self, inside: bool) -> &'static str {
        match (self.arrangement, inside) {
            (Arrangement::Layers, true) => "above",
            (Arrangement::Layers, false) => "below",
            (Arrangement::Spheres, true) => "inside",
            (Arrangement::Spheres, false) => "outside",
        }
    }

    /// The keys that say where a volume is, `above = "PM"` and so on.
    pub(super) fn region(&self, volume: usize) -> Vec<String> {
        let mut keys = Vec::new();
        for inside in [true, false] {
            let own = self.sides[volume].iter().filter(|side| side.1 == inside);
            let names: Vec<String> =
                own.map(|side| format!("\"{}\"", self.surfaces[side.0].name)).collect();
            match names.as_slice() {
                [] => {}
                [one] => keys.push(format!("{} = {one}", self.word(inside))),
                several => {
                    keys.push(format!("{} = [{}]", self.word(inside), several.join(", ")));
                }
            }
        }
        keys
    }

    /// The keys that say where molecules of a type are, one in each line.
    pub(super) fn home(&self, network: &Network, name: &str) -> String {
        let keys = match network.homes.get(name) {
            Some(Home::Membrane(n)) => {
                let surface = self.membranes[*n].map(|n| self.surfaces[n].name.as_str());
                let mut keys = vec![format!("on = \"{}\"", surface.unwrap_or_default())];
                let faces = self.faces.get(name).map(|inside| self.word(*inside));
                keys.extend(faces.map(|word| format!("faces = \"{word}\"")));
                keys
            }
            Some(Home::Volumes(volumes)) => match volumes.as_slice() {
                [one] => self.region(*one),
                _ => Vec::new(),
            },
            None => Vec::new(),
        };
        keys.iter().map(|key| format!("{key}\n")).collect()
    }

    /// The surface between two volumes, and whether the second one is on its inner side.
    fn between(&self, from: usize, into: usize) -> Option<(usize, bool)> {
        self.sides[from].iter().find_map(|side| {
            let other = (side.0, !side.1);
            self.sides[into].contains(&other).then_some(other)
        })
    }

    /// Lets molecules through that move from one volume to another.
    fn open(
        &mut self,
        network: &Network,
        geometry: &Geometry,
        transports: &[Transport],
    ) -> Result<(), Vec<Slip>> {
        let mut slips = Vec::new();
        let mut rates: BTreeMap<(usize, &str), [f64; 2]> = BTreeMap::new();
        for one in transports {
            let name = |n: usize| &network.compartments[n].name;
            let Some((surface, inwards)) = self.between(one.from, one.into) else {
                slips.push(Slip::new(
                    one.spot,
                    format!(
                        "there is no membrane between {} and {} through which {} could go",
                        name(one.from),
                        name(one.into),
                        one.species
                    ),
                ));
                continue;
            };
            let velocity = one.rate * self.sizes[one.from] / self.areas[surface];
            rates.entry((surface, &one.species)).or_default()[usize::from(!inwards)] += velocity;
        }
        let unit = &geometry.time_unit.text;
        for ((surface, species), both) in rates {
            if both == [0.0; 2] {
                continue;
            }
            let both = both.map(|rate| format!("{} um/{unit}", number(rate)));
            self.surfaces[surface].through.push((species.to_owned(), both));
        }
        if slips.is_empty() { Ok(()) } else { Err(slips) }
    }
}

/// Lays out the compartments of a file; none if it has none. In spheres, if nothing is bound to what lives
/// on a membrane and the file says what is in what; else in layers.
pub(super) fn lay_out(
    network: &Network,
    geometry: &Geometry,
    transports: &[Transport],
) -> Result<Option<Layout>, Vec<Slip>> {
    if network.compartments.is_empty() {
        return Ok(None);
    }
    let spot = network.compartments[0].spot;
    let wrong = |why: String| vec![Slip::new(spot, why)];
    if geometry.dimension() != 3 {
        return Err(wrong("several compartments need a box with three edges".to_owned()));
    }
    if network.compartments.iter().all(|one| one.is_membrane) {
        return Err(wrong("there is no volume among the compartments".to_owned()));
    }
    let neighbours = neighbours(network, transports).map_err(|slip| vec![slip])?;
    let layers = || layers::layers(network, geometry, &neighbours);
    let spheres = || spheres::spheres(network, geometry);
    let mut layout = match geometry.compartments {
        Some(Arrangement::Layers) => layers().map_err(wrong)?,
        Some(Arrangement::Spheres) => spheres().map_err(wrong)?,
        None => spheres().or_else(|round| {
            layers().map_err(|flat| wrong(format!("in spheres: {round}; in layers: {flat}")))
        })?,
    };
    layout.open(network, geometry, transports)?;
    layout.faces = faces(network, &layout)?;
    Ok(Some(layout))
}

/// The volumes on either side of each membrane, and of what separates volumes between which molecules
/// move.
#[derive(Clone, Debug)]
struct Border {
    name: String,
    /// Of a membrane.
    compartment: Option<usize>,
    volumes: Vec<usize>,
}

fn neighbours(network: &Network, transports: &[Transport]) -> Result<Vec<Border>, Slip> {
    let all = &network.compartments;
    let mut borders = Vec::new();
    let numbered = || all.iter().enumerate();
    for (n, one) in numbered().filter(|(_, one)| one.is_membrane) {
        let own = |volume: &usize| {
            let at: &Compartment = &all[*volume];
            !at.is_membrane && (at.around == Some(n) || one.around == Some(*volume))
        };
        let mut volumes: Vec<usize> = (0..all.len()).filter(own).collect();
        if volumes.is_empty() {
            volumes = met(network, n);
        }
        let is_lived_on = network.homes.values().any(|home| *home == Home::Membrane(n));
        if volumes.len() > 2 {
            return Err(Slip::new(
                one.spot,
                format!(
                    "the membrane `{}` is beside more than two volumes: give each of them a membrane of its own",
                    one.name
                ),
            ));
        }
        if !volumes.is_empty() || is_lived_on {
            borders.push(Border { name: one.name.clone(), compartment: Some(n), volumes });
        }
    }
    let directly = numbered().filter_map(|(n, one)| Some((n, one.around?)));
    let directly = directly.filter(|(n, outer)| !all[*n].is_membrane && !all[*outer].is_membrane);
    // Where the file does not say what is in what, molecules move between neighbours.
    let is_flat = all.iter().all(|one| one.around.is_none());
    let moves = transports.iter().filter(|_| is_flat).map(|one| (one.from, one.into));
    for (a, b) in directly.chain(moves) {
        let is_known = |border: &Border| border.volumes.contains(&a) && border.volumes.contains(&b);
        if !borders.iter().any(is_known) {
            let name = format!("{}_{}", all[a.min(b)].name, all[a.max(b)].name);
            borders.push(Border { name, compartment: None, volumes: vec![a, b] });
        }
    }
    Ok(borders)
}

/// The volumes whose molecules meet those of a membrane, or are bound to them.
fn met(network: &Network, membrane: usize) -> Vec<usize> {
    let mut found = Vec::new();
    for rule in &network.rules {
        let molecules = || rule.forth.reactants.iter().chain(&rule.forth.products).flatten();
        let home = |name: &str| network.homes.get(name);
        if !molecules().any(|one| home(&one.name) == Some(&Home::Membrane(membrane))) {
            continue;
        }
        for one in molecules() {
            if let Some(Home::Volumes(volumes)) = home(&one.name) {
                let own = rule.forth.region.map_or_else(|| volumes.clone(), |n| vec![n]);
                found.extend(own);
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Whether molecules of a volume come out of what lives on a membrane.
fn comes_off_membrane(network: &Network, way: &OneWay) -> bool {
    let is_of_volume = |name: &str| matches!(network.homes.get(name), Some(Home::Volumes(_)));
    let created = way.changes.created.iter().flatten();
    created.into_iter().any(|one| is_of_volume(&one.name))
        && !way.reactants.is_empty()
        && !way.reactants.iter().flatten().any(|one| is_of_volume(&one.name))
}

/// Why molecules cannot do where they are what a rule says, if they cannot.
pub(super) fn out_of_reach(network: &Network, way: &OneWay, is_plain: bool) -> Option<String> {
    let membrane = |name: &str| match network.homes.get(name) {
        Some(Home::Membrane(n)) => Some(*n),
        _ => None,
    };
    let is_membrane = |n: usize| network.compartments[n].is_membrane;
    if way.reactants.len() == 2 && way.within.is_some_and(is_membrane) {
        let partners = orders::partners(way);
        if let Some(name) = partners.into_iter().find(|name| membrane(name).is_none()) {
            return Some(format!(
                "two complexes meet on a membrane, and {name}, by which they would touch, does not live there: write \
                 the rule for molecules that do"
            ));
        }
    }
    let reactants = || way.reactants.iter().flatten();
    let new = way.changes.created.iter().flatten();
    let stray = new.filter_map(|one| Some((&one.name, membrane(&one.name)?)));
    let mut stray = stray.filter(|(_, n)| reactants().all(|one| membrane(&one.name) != Some(*n)));
    if let Some((name, n)) = stray.next().filter(|_| !way.reactants.is_empty()) {
        return Some(format!(
            "{name} lives on the membrane {}, and what it comes from can be far from it: to get there, a molecule has \
             to meet one that lives there",
            network.compartments[n].name
        ));
    }
    (!is_plain && comes_off_membrane(network, way)).then(|| {
        "a molecule of a volume is made by one of a membrane, and on which side is not clear: let one of that volume \
         make it"
            .to_owned()
    })
}

/// The side of its membrane on which all partners of a type are, for those of which that is so.
fn faces(network: &Network, layout: &Layout) -> Result<BTreeMap<String, bool>, Vec<Slip>> {
    let mut sides: BTreeMap<&str, Vec<bool>> = BTreeMap::new();
    let mut comes_off: Vec<(&str, Spot)> = Vec::new();
    for rule in &network.rules {
        for way in [Some(&rule.forth), rule.back.as_ref()].into_iter().flatten() {
            let molecules = || way.reactants.iter().chain(&way.products).flatten();
            let volumes = || {
                let of = |name: &str| match network.homes.get(name) {
                    Some(Home::Volumes(volumes)) => volumes.clone(),
                    _ => Vec::new(),
                };
                molecules()
                    .flat_map(move |one| way.region.map_or_else(|| of(&one.name), |n| vec![n]))
            };
            for one in molecules() {
                let Some(Home::Membrane(membrane)) = network.homes.get(&one.name) else { continue };
                let Some(surface) = layout.membranes[*membrane] else { continue };
                let met = volumes().flat_map(|volume| layout.sides[volume].clone());
                let met = met.filter(|side| side.0 == surface).map(|side| side.1);
                sides.entry(&one.name).or_default().extend(met);
                if comes_off_membrane(network, way) {
                    comes_off.push((&one.name, rule.spot));
                }
            }
        }
    }
    let both =
        |name: &str| sides.get(name).is_some_and(|of| of.contains(&true) && of.contains(&false));
    let slips: Vec<Slip> = comes_off
        .iter()
        .filter(|(name, _)| both(name))
        .map(|(name, spot)| Slip::new(*spot, format!(
            "`{name}` has partners on both sides of its membrane, and what comes off it as a molecule of its own comes \
             out on either: write what is bound to it as a bond between two sites"
        )))
        .collect();
    if !slips.is_empty() {
        return Err(slips);
    }
    let only = |(name, of): (&str, Vec<bool>)| {
        let first = *of.first()?;
        of.iter().all(|inside| *inside == first).then(|| (name.to_owned(), first))
    };
    Ok(sides.into_iter().filter_map(only).collect())
}
