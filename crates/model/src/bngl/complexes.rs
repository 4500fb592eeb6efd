//! Complexes that are there at the start: rigid molecules whose bonds are those of rules.

use std::collections::{BTreeMap, BTreeSet};

use super::changes::{SiteRef, bonds};
use super::geometry::Geometry;
use super::import::{Named, free_name, sorted};
use super::lines::Slip;
use super::{Network, SeedSpecies};
use crate::notation::{Link, Molecule, written};

/// A complex as a table `[[molecule]]`.
pub(super) struct ComplexText {
    pub(super) name: String,
    pub(super) spheres: Vec<SphereText>,
    pub(super) count: f64,
}

/// A molecule of a complex.
pub(super) struct SphereText {
    pub(super) species: String,
    /// \[nm\] As many components as the box has.
    pub(super) at: Vec<f64>,
    /// The rule that binds it to the one before it that is nearest.
    pub(super) bond: Option<String>,
}

/// How many directions are tried for each molecule.
const DIRECTIONS: usize = 400;
/// How much farther than contact molecules have to be that are not bound to each other.
const APART: f64 = 1.0 + 1e-6;

/// Lays out all complexes. `binders` are the rules that bind two sites.
pub(super) fn lay_out(
    network: &Network,
    geometry: &Geometry,
    binders: &BTreeMap<[Named<'_>; 2], String>,
    names: &mut BTreeSet<String>,
) -> Result<Vec<ComplexText>, Vec<Slip>> {
    names.extend(network.types.iter().map(|known| known.name.clone()));
    let (mut found, mut slips) = (Vec::new(), Vec::new());
    let are_bound =
        |seed: &&SeedSpecies| seed.molecules.len() > 1 || seed.molecules.iter().any(is_bound);
    for seed in network.seeds.iter().filter(are_bound).filter(|seed| seed.count > 0.0) {
        let laid_out = match geometry.layout {
            Some(_) => {
                Err("among several compartments, complexes have to form in the run".to_owned())
            }
            None => spheres(network, geometry, binders, seed),
        };
        match laid_out {
            Ok(spheres) => {
                let name = free_name("complex", names);
                found.push(ComplexText { name, spheres, count: seed.count });
            }
            Err(why) => {
                slips.push(Slip::new(seed.spot, format!("`{}`: {why}", written(&seed.molecules))))
            }
        }
    }
    if slips.is_empty() { Ok(found) } else { Err(slips) }
}

fn spheres(
    network: &Network,
    geometry: &Geometry,
    binders: &BTreeMap<[Named<'_>; 2], String>,
    seed: &SeedSpecies,
) -> Result<Vec<SphereText>, String> {
    let all = &seed.molecules;
    let bonds = bonds(std::slice::from_ref(all));
    if let Some(molecule) = all.iter().find(|molecule| !is_plain(molecule)) {
        return Err(format!(
            "in {} a site is bound that differs in its state from others of its name: such a complex has to form in \
             the run",
            molecule.name
        ));
    }
    if bonds.len() + 1 != all.len() {
        return Err("a complex that is there at the start hangs together by one chain of bonds, without a ring".to_owned());
    }
    let radius = |n: usize| {
        geometry.stature(network, &all[n].name).map_or(f64::NAN, |stature| stature.radius.value)
    };
    let mut placed: Vec<(usize, [f64; 3])> = vec![(0, [0.0; 3])];
    let mut found = vec![sphere(&all[0], geometry, [0.0; 3], None)];
    while placed.len() < all.len() {
        let is_placed = |n: usize| placed.iter().find(|(known, _)| *known == n);
        let next = bonds.iter().find_map(|ends| {
            let [a, b] = ends.map(|end| end.molecule);
            match [is_placed(a), is_placed(b)] {
                [Some(at), None] => Some((*at, b, ends)),
                [None, Some(at)] => Some((*at, a, ends)),
                _ => None,
            }
        });
        let Some(((beside, origin), molecule, ends)) = next else {
            return Err("it does not say by which bonds its molecules are joined".to_owned());
        };
        let named = sorted(ends.map(|SiteRef { molecule, site }| {
            (all[molecule].name.as_str(), all[molecule].sites[site].name.as_str())
        }));
        let rule = binders.get(&named).ok_or_else(|| {
            let [(a, s), (b, t)] = named;
            format!("no rule binds {a} at {s} and {b} at {t}, so that the two cannot be bound at the start")
        })?;
        let contact = radius(beside) + radius(molecule);
        let fits = |at: &[f64; 3]| {
            let far = |(n, other): &(usize, [f64; 3])| {
                let gap = (0..3).map(|k| (at[k] - other[k]).powi(2)).sum::<f64>().sqrt();
                *n == beside || gap > APART * (radius(*n) + radius(molecule))
            };
            placed.iter().all(far)
        };
        let places = directions(geometry.dimension())
            .map(|direction| [0, 1, 2].map(|k| origin[k] + contact * direction[k]));
        let Some(at) = places.into_iter().find(fits) else {
            return Err("it cannot be laid out without overlap".to_owned());
        };
        placed.push((molecule, at));
        found.push(sphere(&all[molecule], geometry, at, Some(rule.clone())));
    }
    Ok(found)
}

/// Whether any of its sites is bound.
pub(super) fn is_bound(molecule: &Molecule) -> bool {
    molecule.sites.iter().any(|site| site.bond != Link::Free)
}

/// Whether sites with the same name do not differ in their states, if any of them is bound.
fn is_plain(molecule: &Molecule) -> bool {
    molecule.sites.iter().filter(|site| site.bond != Link::Free).all(|bound| {
        let alike = molecule.sites.iter().filter(|site| site.name == bound.name);
        alike.into_iter().all(|site| site.states == bound.states)
    })
}

fn sphere(
    molecule: &Molecule,
    geometry: &Geometry,
    at: [f64; 3],
    bond: Option<String>,
) -> SphereText {
    let mut free = molecule.clone();
    free.sites.iter_mut().for_each(|site| site.bond = Link::Free);
    let species = if free.sites.is_empty() { free.name } else { free.to_string() };
    SphereText { species, at: at[..geometry.dimension()].to_vec(), bond }
}

/// Unit vectors in all directions, those along the first axis first, then evenly spread (on a spiral
/// in 3D).
fn directions(dimension: usize) -> impl Iterator<Item = [f64; 3]> {
    let axis = [[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]];
    let count = if dimension == 1 { 0 } else { DIRECTIONS };
    let golden = std::f64::consts::PI * (3.0 - 5f64.sqrt());
    let spiral = (0..count).map(move |n| {
        let z = match dimension {
            2 => 0.0,
            _ => 1.0 - (2 * n + 1) as f64 / DIRECTIONS as f64,
        };
        let (ring, angle) = ((1.0 - z * z).sqrt(), golden * n as f64);
        [ring * libm::cos(angle), ring * libm::sin(angle), z]
    });
    axis.into_iter().chain(spiral)
}
