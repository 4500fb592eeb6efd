//! The frames: `/particles/trajectory`, `/connectivity` and `/observables`.

use std::mem::take;

use hdf5::{Group, ObjectReference1};

use super::frame::Frame;
use super::grains::GrainWriter;
use super::growing::{CHUNK_ROWS, DatasetLayout, Growing, Row, Table};
use super::header::{Header, text_attribute, texts_attribute};
use super::outlines::Outlines;
use super::sites::{self, SiteSeries};
use super::slots::Slots;
use jostle_core::observe::View;
use jostle_core::state_hash::{state_hash, with_angles};

/// At most this many slots to a chunk; a chunk holds one frame of them.
const CHUNK_SLOTS: usize = 4096;
/// A frame has at least so many chunks, unless they would be very small, so that a file grows
/// little when the slots run over into one more.
const CHUNKS: usize = 4;
/// Smaller chunks cost more for their bookkeeping than they save.
const FEWEST_SLOTS: usize = 64;
/// So many of the first tables tell how many frames there are: positions, steps and times.
const COUNTED: usize = 3;
/// Where steps and times are; everything that has one row per frame is linked to them.
const CLOCK: &str = "/particles/trajectory/position";

/// Positions, in the precision that was asked for.
enum Positions {
    Single(Growing<f32>),
    Double(Growing<f64>),
}

pub(super) struct Trajectory {
    edges_in_space: [f64; 3],
    slots: Slots,
    step: Growing<i64>,
    time: Growing<f64>,
    edges: Growing<f64>,
    position: Positions,
    image: Growing<i32>,
    id: Growing<i64>,
    cluster: Growing<i64>,
    coalesced: Growing<i32>,
    species: Growing<i32>,
    radius: Growing<f64>,
    bonds: Growing<i32>,
    observables: Observables,
    sites: Option<SiteSeries>,
    grains: Option<GrainWriter>,
    outlines: Option<Outlines>,
    frame: Frame,
}

/// Series with one row per frame.
struct Observables {
    /// The time between two frames, the same in every row. MDAnalysis knows it by this name, and
    /// takes it for \[ps\].
    dt: Growing<f64>,
    between_frames: f64,
    count: Growing<i64>,
    clusters: Growing<i64>,
    largest_cluster: Growing<i64>,
    state_hash: Growing<u64>,
    /// In files of Brownian runs.
    virial: Option<Growing<f64>>,
}

impl Trajectory {
    /// Creates every group, dataset, link and attribute.
    pub(super) fn create<const D: usize>(file: &Group, header: &Header) -> hdf5::Result<Self> {
        let group = file.create_group("particles")?.create_group("trajectory")?;
        let compress = header.output.compress;
        let chunk = chunk_slots(header.particles);
        let at = group.create_group("position")?;
        let step = Growing::create(&at, "step", DatasetLayout::column(CHUNK_ROWS, -1))?;
        let time = Growing::create(&at, "time", DatasetLayout::column(CHUNK_ROWS, f64::NAN))?;
        text_attribute(time.dataset(), "unit", "ns")?;
        let position = if header.output.single_precision {
            Positions::Single(positions(&at, chunk, f32::NAN, compress)?)
        } else {
            Positions::Double(positions(&at, chunk, f64::NAN, compress)?)
        };
        let species = Growing::create(&group, "species", DatasetLayout::column(chunk, -1))?;
        let names: Vec<&str> = header.species.iter().map(|s| s.name.as_str()).collect();
        texts_attribute(species.dataset(), "names", &names)?;
        let radius = Growing::create(&group, "radius", DatasetLayout::column(chunk, f64::NAN))?;
        text_attribute(radius.dataset(), "unit", "nm")?;
        let number = |fill| DatasetLayout::widening(chunk, &[], fill, compress);
        let vector = DatasetLayout::widening(chunk, &[3], 0, compress);
        let count = DatasetLayout::widening(chunk, &[], 0, compress);
        let observables = Observables::create(file, &names, header)?;
        let edges = create_box::<D>(&group, header)?;
        let grains = header
            .masses()
            .map(|masses| GrainWriter::create(file, &group, header, masses, chunk))
            .transpose()?;
        let shapes = header.outlines.as_ref();
        let outlines = shapes
            .map(|shapes| Outlines::create(file, &group, header, shapes, chunk))
            .transpose()?;
        let bonds = create_bonds(file, chunk)?;
        let sites = sites::are_in(&header.species)
            .then(|| {
                let connectivity = file.group("connectivity")?;
                SiteSeries::create(&group, &connectivity, &header.species, chunk, compress)
            })
            .transpose()?;
        Ok(Self {
            edges_in_space: header.edges_in_space::<D>(),
            slots: Slots::default(),
            step,
            time,
            edges,
            position,
            image: element(&group, "image", vector)?,
            id: element(&group, "id", number(-1))?,
            cluster: element(&group, "cluster", number(-1))?,
            coalesced: element(&group, "coalesced", count)?,
            species,
            radius,
            bonds,
            observables,
            sites,
            grains,
            outlines,
            frame: Frame::default(),
        })
    }

    /// How many frames there are.
    pub(super) fn frames(&self) -> u64 {
        self.step.rows() as u64
    }

    /// Which particle has which slot.
    pub(super) fn slots(&self) -> &Slots {
        &self.slots
    }

    /// Every particle keeps the slot that it had.
    pub(super) fn keep_slots(&mut self, slots: Slots) {
        self.slots = slots;
    }

    /// Everything that grows, always in the same order.
    pub(super) fn tables(&mut self) -> Vec<&mut dyn Table> {
        let position: &mut dyn Table = match &mut self.position {
            Positions::Single(values) => values,
            Positions::Double(values) => values,
        };
        let mut tables: Vec<&mut dyn Table> = vec![
            position,
            &mut self.step,
            &mut self.time,
            &mut self.edges,
            &mut self.image,
            &mut self.id,
            &mut self.cluster,
            &mut self.coalesced,
            &mut self.species,
            &mut self.radius,
            &mut self.bonds,
        ];
        let Observables { dt, count, clusters, largest_cluster, state_hash, virial, .. } =
            &mut self.observables;
        tables.extend([dt as &mut dyn Table, count, clusters, largest_cluster, state_hash]);
        tables.extend(virial.iter_mut().map(|virial| virial as &mut dyn Table));
        tables.extend(self.sites.iter_mut().flat_map(SiteSeries::tables));
        tables.extend(self.grains.iter_mut().flat_map(GrainWriter::tables));
        tables.extend(self.outlines.iter_mut().flat_map(Outlines::tables));
        tables
    }

    /// The same, in the order in which it is to be written: readers count the frames by the first
    /// tables.
    pub(super) fn tables_in_order(&mut self) -> Vec<&mut dyn Table> {
        let mut tables = self.tables();
        tables.rotate_left(COUNTED);
        tables
    }

    /// Takes in the present state as a frame.
    pub(super) fn push<const D: usize>(&mut self, view: &View<'_, D>) {
        let known = self.slots.len();
        self.slots.assign(view.particles);
        self.species.append(&self.slots.species(known));
        self.radius.append(&self.slots.radii(known));
        let slots = self.slots.len();
        let frame = &mut self.frame;
        frame.gather(view, &self.slots);
        self.observables.push(view, frame);
        let Frame { position, image, id, cluster, coalesced, bonds, .. } = frame;
        match &mut self.position {
            Positions::Single(values) => {
                let single = position.iter().map(|&x| x as f32);
                values.append_row(slots, single.collect());
            }
            Positions::Double(values) => values.append_row(slots, take(position)),
        }
        self.image.append_row(slots, take(image));
        self.id.append_row(slots, take(id));
        self.cluster.append_row(slots, take(cluster));
        self.coalesced.append_row(slots, take(coalesced));
        self.bonds.append_row(bonds.len() / 2, take(bonds));
        self.edges.append(&self.edges_in_space);
        if let Some(sites) = &mut self.sites {
            sites.push(view, &self.slots);
        }
        if let Some(grains) = &mut self.grains {
            grains.push(view, &self.slots);
        }
        if let Some(outlines) = &mut self.outlines {
            outlines.push(view, &self.slots);
        }
        self.time.append(&[view.clock.time() * 1e3]);
        self.step.append(&[view.clock.step as i64]);
    }
}

impl Observables {
    fn create(file: &Group, species: &[&str], header: &Header) -> hdf5::Result<Self> {
        let group = file.create_group("observables")?;
        let column = || DatasetLayout::column(CHUNK_ROWS, -1);
        let counts = DatasetLayout::rows(CHUNK_ROWS, &[species.len()], 0);
        let count = element(&group, "count", counts)?;
        texts_attribute(count.dataset(), "species", species)?;
        let dt = element(&group, "dt", DatasetLayout::column(CHUNK_ROWS, f64::NAN))?;
        text_attribute(dt.dataset(), "unit", "ps")?;
        let virial = || -> hdf5::Result<_> {
            let column = DatasetLayout::column(CHUNK_ROWS, f64::NAN);
            let virial = element(&group, "virial", column)?;
            text_attribute(virial.dataset(), "unit", "kT steps")?;
            Ok(virial)
        };
        let virial = header.grains.is_none().then(virial).transpose()?;
        Ok(Self {
            dt,
            virial,
            between_frames: header.between_frames() * 1e6,
            count,
            clusters: element(&group, "clusters", column())?,
            largest_cluster: element(&group, "largest_cluster", column())?,
            state_hash: element(&group, "state_hash", DatasetLayout::column(CHUNK_ROWS, 0))?,
        })
    }

    fn push<const D: usize>(&mut self, view: &View<'_, D>, frame: &mut Frame) {
        self.dt.append(&[self.between_frames]);
        let species: usize = self.count.row()[0];
        self.count.append(frame.count(species));
        self.clusters.append(&[frame.clusters]);
        self.largest_cluster.append(&[frame.largest_cluster]);
        if let Some(virial) = &mut self.virial {
            virial.append(&[view.virial.unwrap_or(f64::NAN)]);
        }
        let mut hash = state_hash(view.particles, view.clusters);
        if let Some(outlines) = view.outlines {
            hash = with_angles(hash, view.particles, outlines.angle);
        }
        self.state_hash.append(&[hash]);
    }
}

/// How many slots of a frame a chunk holds, so that `particles` fill their chunks.
fn chunk_slots(particles: usize) -> usize {
    let chunks = particles.div_ceil(CHUNK_SLOTS).max(CHUNKS);
    particles.div_ceil(chunks).max(FEWEST_SLOTS)
}

fn positions<T: Row>(
    at: &Group,
    chunk: usize,
    fill: T,
    compress: bool,
) -> hdf5::Result<Growing<T>> {
    let values =
        Growing::create(at, "value", DatasetLayout::widening(chunk, &[3], fill, compress))?;
    text_attribute(values.dataset(), "unit", "nm")?;
    Ok(values)
}

/// An H5MD element: a group that has `value`, and `step` and `time` linked to those of the
/// positions.
pub(super) fn element<T: Row>(
    at: &Group,
    name: &str,
    layout: DatasetLayout<T>,
) -> hdf5::Result<Growing<T>> {
    let group = at.create_group(name)?;
    for clock in ["step", "time"] {
        group.link_hard(&format!("{CLOCK}/{clock}"), clock)?;
    }
    Growing::create(&group, "value", layout)
}

/// `box`: three-dimensional for every model, since readers know nothing else; a plane is a slab, a
/// line is a rod, as thick as the largest particle.
fn create_box<const D: usize>(trajectory: &Group, header: &Header) -> hdf5::Result<Growing<f64>> {
    let group = trajectory.create_group("box")?;
    group.new_attr::<i32>().create("dimension")?.write_scalar(&3)?;
    let closed = |k: usize| k < D && header.periodic[k];
    let boundary = [0, 1, 2].map(|k| if closed(k) { "periodic" } else { "none" });
    texts_attribute(&group, "boundary", &boundary)?;
    let edges = element(&group, "edges", DatasetLayout::rows(CHUNK_ROWS, &[3], f64::NAN))?;
    text_attribute(edges.dataset(), "unit", "nm")?;
    Ok(edges)
}

/// Bonds, as pairs of file slots; -1 fills up the rows.
fn create_bonds(file: &Group, chunk: usize) -> hdf5::Result<Growing<i32>> {
    let connectivity = file.create_group("connectivity")?;
    let bonds = element(&connectivity, "bonds", DatasetLayout::widening(chunk, &[2], -1, false))?;
    let target: ObjectReference1 = file.reference("particles/trajectory")?;
    connectivity
        .group("bonds")?
        .new_attr::<ObjectReference1>()
        .create("particles_group")?
        .write_scalar(&target)?;
    Ok(bonds)
}
