//! Complexes that are there at the start.

use std::collections::BTreeSet;

use super::geometry::Geometry;
use super::import::free_name;
use super::lines::{Slip, Spot};
use super::{Home, Network, SeedSpecies};
use crate::notation::{Link, Molecule, written};

/// A complex as a table `[[molecule]]`.
pub(super) struct ComplexText {
    pub(super) name: String,
    /// In the notation of the model file, which is that of BNGL.
    pub(super) complex: String,
    pub(super) count: f64,
    pub(super) spot: Spot,
}

/// All complexes among the seed species.
pub(super) fn texts(
    network: &Network,
    geometry: &Geometry,
    names: &mut BTreeSet<String>,
) -> Result<Vec<ComplexText>, Vec<Slip>> {
    names.extend(network.types.iter().map(|known| known.name.clone()));
    let (mut found, mut slips) = (Vec::new(), Vec::new());
    let are_bound =
        |seed: &&SeedSpecies| seed.molecules.len() > 1 || seed.molecules.iter().any(is_bound);
    for seed in network.seeds.iter().filter(are_bound).filter(|seed| seed.count > 0.0) {
        let complex = written(&seed.molecules);
        if geometry.layout.is_some() && !stays_in_one_volume(network, &seed.molecules) {
            let why = "among several compartments, complexes that are there at the start are of molecules that stay in one \
                       volume; all others have to form in the run";
            slips.push(Slip::new(seed.spot, format!("`{complex}`: {why}")));
            continue;
        }
        let name = free_name("complex", names);
        found.push(ComplexText { name, complex, count: seed.count, spot: seed.spot });
    }
    if slips.is_empty() { Ok(found) } else { Err(slips) }
}

/// Whether all molecules of a complex are in the same volume, and in no other ever.
fn stays_in_one_volume(network: &Network, molecules: &[Molecule]) -> bool {
    let volume = |molecule: &Molecule| match network.homes.get(&molecule.name) {
        Some(Home::Volumes(volumes)) if volumes.len() == 1 => volumes.first().copied(),
        _ => None,
    };
    let first = molecules.first().and_then(volume);
    first.is_some() && molecules.iter().all(|molecule| volume(molecule) == first)
}

/// Whether any of its sites is bound.
pub(super) fn is_bound(molecule: &Molecule) -> bool {
    molecule.sites.iter().any(|site| site.bond != Link::Free)
}
