//! Sites of molecules: the states and bonds of each particle's in every frame, and in the log of
//! changes; how each particle is turned, if any site points somewhere. Only files of models with
//! sites have these.

use hdf5::Group;

use super::growing::{DatasetLayout, Growing, Table, column};
use super::header::{text_attribute, write_texts};
use super::slots::Slots;
use super::trajectory::element;
use jostle_core::clusters::{Bond, NO_SITE};
use jostle_core::docking::SiteDirection;
use jostle_core::observe::{Change, View};
use jostle_core::space::Vector;
use jostle_core::species::Species;

/// Whether any species has sites.
pub(super) fn are_in(species: &[Species]) -> bool {
    species.iter().any(|species| !species.sites.is_empty())
}

/// Writes `/parameters/sites`: what the bits of the site codes mean, one row a site.
pub(super) fn write_table(parameters: &Group, species: &[Species]) -> hdf5::Result<()> {
    if !are_in(species) {
        return Ok(());
    }
    let at = parameters.create_group("sites")?;
    let all = || {
        let numbered = (0i32..).zip(species);
        numbered.flat_map(|(number, species)| {
            (0u8..)
                .zip(species.sites.list())
                .map(move |(n, site)| (number, &species.sites, n, site))
        })
    };
    let integers = |name: &str, values: Vec<i32>| super::header::write_integers(&at, name, &values);
    integers("species", all().map(|(species, ..)| species).collect())?;
    let bit = |bits: u64| if bits == 0 { -1 } else { bits.trailing_zeros() as i32 };
    integers("bound_bit", all().map(|(_, sites, n, _)| bit(sites.bound(n))).collect())?;
    integers("state_bit", all().map(|(_, sites, n, _)| bit(sites.state_mask(n))).collect())?;
    let width = |(_, sites, n, _): (_, &jostle_core::sites::Sites, u8, _)| {
        sites.state_mask(n).count_ones() as i32
    };
    integers("state_bits", all().map(width).collect())?;
    let names: Vec<&str> = all().map(|(.., site)| site.name.as_str()).collect();
    write_texts(&at, "name", &names)?;
    let states: Vec<String> = all().map(|(.., site)| site.states.join("~")).collect();
    write_texts(&at, "states", &states)?;
    if !are_directed(species) {
        return Ok(());
    }
    let directions = || all().map(|(.., site)| site.direction);
    let rows = |of: fn(SiteDirection) -> Vector<3>| -> Vec<f64> {
        directions().flat_map(|one| one.map_or([f64::NAN; 3], |one| of(one).0)).collect()
    };
    write_rows(&at, "direction", &rows(|one| one.axis))?;
    write_rows(&at, "normal", &rows(|one| one.normal))?;
    let openings = directions().map(|one| one.map_or(f64::NAN, |one| one.opening));
    super::header::write_numbers(&at, "opening", "rad", &openings.collect::<Vec<_>>())
}

/// Whether it matters how any particle is turned.
fn are_directed(species: &[Species]) -> bool {
    species.iter().any(|species| species.sites.are_directed())
}

/// Writes vectors of three components.
fn write_rows(at: &Group, name: &str, components: &[f64]) -> hdf5::Result<()> {
    let shape = [components.len() / 3, 3];
    at.new_dataset::<f64>().shape(shape).create(name)?.write_raw(components)
}

/// Site codes and the sites of bonds, frame by frame.
pub(super) struct SiteSeries {
    code: Growing<u64>,
    bonds: Growing<i32>,
    /// Quaternions: w, x, y, z.
    orientation: Option<Growing<f32>>,
}

impl SiteSeries {
    pub(super) fn create(
        trajectory: &Group,
        connectivity: &Group,
        species: &[Species],
        chunk: usize,
        compress: bool,
    ) -> hdf5::Result<Self> {
        let codes = DatasetLayout::widening(chunk, &[], 0, compress);
        let ends = DatasetLayout::widening(chunk, &[2], -1, false);
        let code = element(trajectory, "sites", codes)?;
        let about = "what the bits mean: /parameters/sites";
        text_attribute(code.dataset(), "about", about)?;
        let quaternions = DatasetLayout::widening(chunk, &[4], f32::NAN, compress);
        let orientation = are_directed(species)
            .then(|| element(trajectory, "orientation", quaternions))
            .transpose()?;
        if let Some(orientation) = &orientation {
            let about =
                "unit quaternions (w, x, y, z) that take directions of the particle to space";
            text_attribute(orientation.dataset(), "about", about)?;
        }
        Ok(Self { code, bonds: element(connectivity, "bond_sites", ends)?, orientation })
    }

    pub(super) fn tables(&mut self) -> Vec<&mut dyn Table> {
        let mut tables: Vec<&mut dyn Table> = vec![&mut self.code, &mut self.bonds];
        tables.extend(self.orientation.iter_mut().map(|table| table as &mut dyn Table));
        tables
    }

    pub(super) fn push<const D: usize>(&mut self, view: &View<'_, D>, slots: &Slots) {
        let particles = view.particles;
        let mut codes = vec![0; slots.len()];
        for i in (0..particles.len()).filter(|&i| particles.alive[i]) {
            codes[slots.last()[i] as usize] = particles.sites[i];
        }
        self.code.append_row(slots.len(), codes);
        let mut bonds: Vec<&Bond> = view.clusters.bonds().collect();
        bonds.sort_unstable_by_key(|bond| bond.ids);
        let ends: Vec<i32> = bonds.iter().flat_map(|bond| bond.sites).map(number).collect();
        self.bonds.append_row(ends.len() / 2, ends);
        let Some(orientation) = &mut self.orientation else { return };
        let mut turned = vec![[f32::NAN; 4]; slots.len()];
        for i in (0..particles.len()).filter(|&i| particles.alive[i]) {
            let quaternion = particles.orientation[i].quaternion();
            turned[slots.last()[i] as usize] = quaternion.map(|x| x as f32);
        }
        orientation.append_row(slots.len(), turned.into_flattened());
    }
}

fn number(site: u8) -> i32 {
    if site == NO_SITE { -1 } else { i32::from(site) }
}

/// The site codes of what changes take and give, and the sites of the bonds that they make and
/// break: row by row as the particles and bonds are logged.
pub(super) struct SiteLog {
    parties: [Growing<u64>; 2],
    bonds: [Growing<[i16; 2]>; 2],
}

impl SiteLog {
    pub(super) fn create(events: &Group) -> hdf5::Result<Self> {
        let code = |name: &str| column(events, name, 0);
        let ends = |name: &str| column(events, name, [-1; 2]);
        Ok(Self {
            parties: [code("reactant_sites")?, code("product_sites")?],
            bonds: [ends("bonds_broken_sites")?, ends("bonds_made_sites")?],
        })
    }

    pub(super) fn tables(&mut self) -> Vec<&mut dyn Table> {
        let Self { parties: [reactants, products], bonds: [broken, made] } = self;
        vec![reactants, products, broken, made]
    }

    pub(super) fn push<const D: usize>(&mut self, change: &Change<'_, D>) {
        let [reactants, products] = &mut self.parties;
        reactants.extend(change.reactants.iter().map(|party| party.sites));
        products.extend(change.products.iter().map(|party| party.sites));
        let ends = |bond: &Bond| bond.sites.map(|site| number(site) as i16);
        let [broken, made] = &mut self.bonds;
        broken.extend(change.bonds_broken.iter().map(ends));
        made.extend(change.bonds_made.iter().map(ends));
    }
}
