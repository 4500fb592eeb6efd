//! What a run wrote, read dataset by dataset, without the program's own readers.

use std::path::Path;

use hdf5::{File, H5Type};
use jostle::record::schema::{BondRow, ChangeRow, PartyRow};
use ndarray::{Array2, Array3};

/// A particle in a frame.
#[derive(Clone, Debug)]
pub(crate) struct Particle {
    pub(crate) id: i64,
    pub(crate) slot: usize,
    pub(crate) species: i32,
    pub(crate) radius: f64,
    /// Within the box. \[nm\]
    pub(crate) position: Vec<f64>,
    /// Position and images taken together. \[nm\]
    pub(crate) unwrapped: Vec<f64>,
    pub(crate) cluster: i64,
    /// How many particles it holds, itself one if it is whole from the start.
    pub(crate) size: u32,
}

#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub(crate) step: i64,
    /// By identity.
    pub(crate) particles: Vec<Particle>,
    /// Pairs of slots.
    pub(crate) bonds: Vec<[i32; 2]>,
    /// Particles per species, as the file counts them.
    pub(crate) count: Vec<i64>,
    pub(crate) clusters: i64,
    pub(crate) largest_cluster: i64,
}

/// A change of the population.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    pub(crate) step: i64,
    pub(crate) kind: String,
    pub(crate) place: Vec<f64>,
    pub(crate) reactants: Vec<PartyRow>,
    pub(crate) products: Vec<PartyRow>,
    pub(crate) broken: Vec<[i64; 2]>,
    pub(crate) made: Vec<[i64; 2]>,
    pub(crate) before: Vec<i64>,
    pub(crate) after: Vec<i64>,
}

/// All that the laws look at.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    pub(crate) species: Vec<String>,
    pub(crate) frames: Vec<Frame>,
    pub(crate) changes: Vec<Change>,
}

fn column<T: H5Type>(file: &File, name: &str) -> Vec<T> {
    file.dataset(name)
        .and_then(|set| set.read_raw())
        .unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn table<T: H5Type>(file: &File, name: &str) -> Array2<T> {
    file.dataset(name)
        .and_then(|set| set.read_2d())
        .unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn cube<T: H5Type>(file: &File, name: &str) -> Array3<T> {
    file.dataset(name)
        .and_then(|set| {
            set.read_dyn()?.into_dimensionality().map_err(|error| error.to_string().into())
        })
        .unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn texts(file: &File, name: &str) -> Vec<String> {
    column::<hdf5::types::VarLenUnicode>(file, name).iter().map(|text| text.to_string()).collect()
}

impl Record {
    pub(crate) fn read(path: &Path, edges: &[f64]) -> Self {
        let file = File::open(path).unwrap();
        Self {
            species: texts(&file, "parameters/species/name"),
            frames: frames(&file, edges),
            changes: changes(&file, edges.len()),
        }
    }
}

fn frames(file: &File, edges: &[f64]) -> Vec<Frame> {
    let at = |name: &str| format!("particles/trajectory/{name}");
    let position: Array3<f64> = cube(file, &at("position/value"));
    let image: Array3<i32> = cube(file, &at("image/value"));
    let id: Array2<i64> = table(file, &at("id/value"));
    let cluster: Array2<i64> = table(file, &at("cluster/value"));
    let coalesced: Array2<i32> = table(file, &at("coalesced/value"));
    let species: Vec<i32> = column(file, &at("species"));
    let radius: Vec<f64> = column(file, &at("radius"));
    let bonds: Array3<i32> = cube(file, "connectivity/bonds/value");
    let count: Array2<i64> = table(file, "observables/count/value");
    let clusters: Vec<i64> = column(file, "observables/clusters/value");
    let largest: Vec<i64> = column(file, "observables/largest_cluster/value");
    let steps: Vec<i64> = column(file, &at("position/step"));
    let particle = |t: usize, slot: usize| {
        let axes = 0..edges.len();
        let image = |k: usize| image.get([t, slot, k]).copied().unwrap_or(0);
        Particle {
            id: id[[t, slot]],
            slot,
            species: species[slot],
            radius: radius[slot],
            position: axes.clone().map(|k| position[[t, slot, k]]).collect(),
            unwrapped: axes
                .map(|k| position[[t, slot, k]] + edges[k] * f64::from(image(k)))
                .collect(),
            cluster: cluster[[t, slot]],
            size: coalesced.get([t, slot]).map_or(1, |&n| n.max(1) as u32),
        }
    };
    let frame = |(t, step): (usize, &i64)| {
        let mut particles: Vec<Particle> = (0..id.ncols())
            .filter(|&slot| id[[t, slot]] >= 0)
            .map(|slot| particle(t, slot))
            .collect();
        particles.sort_by_key(|particle| (particle.id, particle.slot));
        let pairs = (0..bonds.shape()[1]).map(|n| [bonds[[t, n, 0]], bonds[[t, n, 1]]]);
        Frame {
            step: *step,
            particles,
            bonds: pairs.filter(|pair| pair[0] >= 0).collect(),
            count: count.row(t).to_vec(),
            clusters: clusters[t],
            largest_cluster: largest[t],
        }
    };
    steps.iter().enumerate().map(frame).collect()
}

fn changes(file: &File, dimension: usize) -> Vec<Change> {
    let rows: Vec<ChangeRow> = column(file, "events/changes");
    let [reactants, products] =
        ["events/reactants", "events/products"].map(|name| column(file, name));
    let [broken, made] =
        ["events/bonds_broken", "events/bonds_made"].map(|name| column(file, name));
    let [before, after] =
        ["events/clusters_before", "events/clusters_after"].map(|name| column::<i64>(file, name));
    let kinds = texts(file, "events/codes/kinds");
    fn cut<T: Clone>(all: &[T], first: u64, rows: u32) -> Vec<T> {
        all[first as usize..first as usize + rows as usize].to_vec()
    }
    let ends = |bonds: Vec<BondRow>| bonds.into_iter().map(|bond| [bond.a, bond.b]).collect();
    let change = |row: &ChangeRow| Change {
        step: row.step,
        kind: kinds[row.kind as usize].clone(),
        place: row.place[..dimension].to_vec(),
        reactants: cut::<PartyRow>(&reactants, row.first_reactant, row.reactants),
        products: cut::<PartyRow>(&products, row.first_product, row.products),
        broken: ends(cut(&broken, row.first_broken, row.broken)),
        made: ends(cut(&made, row.first_made, row.made)),
        before: cut(&before, row.first_before, row.before),
        after: cut(&after, row.first_after, row.after),
    };
    rows.iter().map(change).collect()
}
