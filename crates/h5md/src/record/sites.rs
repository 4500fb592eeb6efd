//! Sites of molecules: the states and bonds of each particle's in every frame, and in the log of
//! changes. Only files of models with sites have these.

use hdf5::Group;

use super::growing::{DatasetLayout, Growing, Table};
use super::header::{text_attribute, write_texts};
use super::slots::Slots;
use super::trajectory::{CHUNK_ROWS, element};
use jostle_core::clusters::{Bond, NO_SITE};
use jostle_core::observe::{Change, Party, View};
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
    write_texts(&at, "states", &states)
}

/// Site codes and the sites of bonds, frame by frame.
pub(super) struct SiteSeries {
    code: Growing<u64>,
    bonds: Growing<i32>,
}

impl SiteSeries {
    pub(super) fn create(
        trajectory: &Group,
        connectivity: &Group,
        chunk: usize,
        compress: bool,
    ) -> hdf5::Result<Self> {
        let codes = DatasetLayout::widening(chunk, &[], 0, compress);
        let ends = DatasetLayout::widening(chunk, &[2], -1, false);
        let code = element(trajectory, "sites", codes)?;
        let about = "what the bits mean: /parameters/sites";
        text_attribute(code.dataset(), "about", about)?;
        Ok(Self { code, bonds: element(connectivity, "bond_sites", ends)? })
    }

    pub(super) fn tables(&mut self) -> Vec<&mut dyn Table> {
        vec![&mut self.code, &mut self.bonds]
    }

    pub(super) fn write<const D: usize>(
        &mut self,
        view: &View<'_, D>,
        slots: &Slots,
    ) -> hdf5::Result<()> {
        let particles = view.particles;
        let mut codes = vec![0; slots.len()];
        for i in (0..particles.len()).filter(|&i| particles.alive[i]) {
            codes[slots.last()[i] as usize] = particles.sites[i];
        }
        self.code.append_row(slots.len(), &codes)?;
        let mut bonds: Vec<&Bond> = view.clusters.bonds().collect();
        bonds.sort_unstable_by_key(|bond| bond.ids);
        let ends: Vec<i32> = bonds.iter().flat_map(|bond| bond.sites).map(number).collect();
        self.bonds.append_row(ends.len() / 2, &ends)
    }
}

fn number(site: u8) -> i32 {
    if site == NO_SITE { -1 } else { i32::from(site) }
}

/// The site codes of what changes take and give, and the sites of the bonds that they make and
/// break: row by row as the particles and bonds are logged.
pub(super) struct SiteLog {
    parties: [SiteColumn<u64>; 2],
    bonds: [SiteColumn<[i16; 2]>; 2],
}

/// A dataset and the rows that are still to be written.
struct SiteColumn<T> {
    values: Growing<T>,
    rows: Vec<T>,
}

impl<T: hdf5::H5Type> SiteColumn<T> {
    fn create(events: &Group, name: &str, fill: T) -> hdf5::Result<Self> {
        let values = Growing::create(events, name, DatasetLayout::column(CHUNK_ROWS, fill))?;
        Ok(Self { values, rows: Vec::new() })
    }

    fn write(&mut self) -> hdf5::Result<()> {
        self.values.append(&self.rows)?;
        self.rows.clear();
        Ok(())
    }
}

impl SiteLog {
    pub(super) fn create(events: &Group) -> hdf5::Result<Self> {
        let code = |name: &str| SiteColumn::create(events, name, 0);
        let ends = |name: &str| SiteColumn::create(events, name, [-1; 2]);
        Ok(Self {
            parties: [code("reactant_sites")?, code("product_sites")?],
            bonds: [ends("bonds_broken_sites")?, ends("bonds_made_sites")?],
        })
    }

    pub(super) fn tables(&mut self) -> Vec<&mut dyn Table> {
        let Self { parties: [reactants, products], bonds: [broken, made] } = self;
        vec![&mut reactants.values, &mut products.values, &mut broken.values, &mut made.values]
    }

    pub(super) fn push<const D: usize>(&mut self, change: &Change<'_, D>) {
        let codes =
            |parties: &'_ [Party]| parties.iter().map(|party| party.sites).collect::<Vec<_>>();
        let ends = |bonds: &[Bond]| {
            bonds.iter().map(|bond| bond.sites.map(|site| number(site) as i16)).collect::<Vec<_>>()
        };
        let [reactants, products] = &mut self.parties;
        reactants.rows.extend(codes(change.reactants));
        products.rows.extend(codes(change.products));
        let [broken, made] = &mut self.bonds;
        broken.rows.extend(ends(change.bonds_broken));
        made.rows.extend(ends(change.bonds_made));
    }

    pub(super) fn write(&mut self) -> hdf5::Result<()> {
        self.parties.iter_mut().try_for_each(SiteColumn::write)?;
        self.bonds.iter_mut().try_for_each(SiteColumn::write)
    }
}
