//! What a file says about itself: how it was made, and everything needed to make it again.

use hdf5::types::VarLenUnicode;
use hdf5::{Dataset, Group, H5Type, Location};

use super::shapes::Shapes;
use jostle_core::output::{Output, Source};
use jostle_core::potentials::Potentials;
use jostle_core::random::STREAM_VERSION;
use jostle_core::species::Species;

/// What a file needs to know before the first frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Header {
    /// Appears in reports.
    pub title: String,
    /// The user who ran it.
    pub author: String,
    /// The edges of the box \[nm\]; the first D count.
    pub edges: [f64; 3],
    /// Whether each axis closes on itself; the first D count.
    pub periodic: [bool; 3],
    /// The kinds of particles.
    pub species: Vec<Species>,
    /// The names of the rules, in the order of their numbers.
    pub rules: Vec<String>,
    /// The names of the surfaces in the box, in the order of their numbers.
    pub surfaces: Vec<String>,
    /// What is written, and how often.
    pub output: Output,
    /// \[µs\]
    pub timestep: f64,
    /// Everything random follows from it.
    pub seed: u64,
    /// How many particles there are at the start. Only the layout of the file depends on it.
    pub particles: usize,
    /// How contacts are searched for, in words. Results do not depend on it.
    pub search: String,
    /// The names of the figures that tell at the end what the run took, see
    /// [`super::Recorder::figures`].
    pub figures: Vec<String>,
    /// Attraction and repulsion.
    pub potentials: Potentials,
    /// The species of particles whose bonds are tethers, so that each of them moves by itself.
    pub tethered: Vec<u16>,
    /// What only runs of particles with masses have.
    pub grains: Option<Grains>,
    /// What only runs of particles with outlines have.
    pub outlines: Option<Shapes>,
    /// The text that the model came from.
    pub source: Source,
}

/// What a file of a granular run, or of a disk gas, needs to know besides.
#[derive(Clone, Debug, PartialEq)]
pub struct Grains {
    /// The engine's name in the file.
    pub engine: &'static str,
    /// The mass of each particle, by identity: these count from 0, and all particles are there from
    /// the start to the end. \[kg\]
    pub masses: Vec<f64>,
}

impl Header {
    /// The word for what moves the particles.
    fn engine(&self) -> &'static str {
        match self {
            Self { outlines: Some(_), .. } => "polygons",
            Self { grains: Some(grains), .. } => grains.engine,
            _ => "brownian",
        }
    }

    /// The masses of the particles, by identity, where they have any. \[kg\]
    pub(super) fn masses(&self) -> Option<&[f64]> {
        let polygons = self.outlines.as_ref().map(|shapes| &shapes.masses[..]);
        polygons.or(self.grains.as_ref().map(|grains| &grains.masses[..]))
    }

    /// The time between two frames. \[µs\]
    pub(super) fn between_frames(&self) -> f64 {
        self.timestep * self.output.frame_every as f64
    }

    /// The thickness of the slab that a plane (or of the rod that a line) is for readers that know
    /// only three dimensions: the largest diameter. \[nm\]
    pub(super) fn thickness(&self) -> f64 {
        let radii = self.species.iter().filter_map(|s| s.radius);
        let largest = radii.fold(0.0, f64::max);
        if largest > 0.0 { 2.0 * largest } else { 1.0 }
    }

    /// The edges of the box in three dimensions. \[nm\]
    pub(super) fn edges_in_space<const D: usize>(&self) -> [f64; 3] {
        std::array::from_fn(|k| if k < D { self.edges[k] } else { self.thickness() })
    }
}

/// A string that the HDF5 library can store (it cannot store a NUL).
fn text(string: &str) -> hdf5::Result<VarLenUnicode> {
    let parsed = string.replace('\0', "\u{fffd}").parse();
    parsed.map_err(|error: hdf5::types::StringError| error.to_string().into())
}

fn texts<S: AsRef<str>>(strings: &[S]) -> hdf5::Result<Vec<VarLenUnicode>> {
    strings.iter().map(|s| text(s.as_ref())).collect()
}

/// Sets a text attribute. H5MD wants strings of fixed length; MDAnalysis only understands those
/// of variable length, so these are what the file has throughout.
pub(super) fn text_attribute(at: &Location, name: &str, value: &str) -> hdf5::Result<()> {
    at.new_attr::<VarLenUnicode>().create(name)?.write_scalar(&text(value)?)
}

/// Sets an attribute that is a list.
pub(super) fn list_attribute<T: H5Type>(at: &Location, name: &str, v: &[T]) -> hdf5::Result<()> {
    at.new_attr::<T>().shape(v.len()).create(name)?.write(v)
}

/// Sets an attribute that is a list of texts.
pub(super) fn texts_attribute<S: AsRef<str>>(
    at: &Location,
    name: &str,
    values: &[S],
) -> hdf5::Result<()> {
    list_attribute(at, name, &texts(values)?)
}

/// Writes a list of texts, once and for all.
pub(super) fn write_texts<S: AsRef<str>>(at: &Group, name: &str, v: &[S]) -> hdf5::Result<()> {
    let dataset = at.new_dataset::<VarLenUnicode>().shape(v.len());
    dataset.create(name)?.write(&texts(v)?)
}

fn write_text(at: &Group, name: &str, value: &str) -> hdf5::Result<()> {
    let dataset = at.new_dataset::<VarLenUnicode>().create(name)?;
    dataset.write_scalar(&text(value)?)
}

fn write_value<T: H5Type>(at: &Group, name: &str, value: T) -> hdf5::Result<()> {
    at.new_dataset::<T>().create(name)?.write_scalar(&value)
}

/// Writes numbers with their unit.
pub(super) fn write_numbers(
    at: &Group,
    name: &str,
    unit: &str,
    values: &[f64],
) -> hdf5::Result<()> {
    let dataset = at.new_dataset::<f64>().shape(values.len()).create(name)?;
    dataset.write(values)?;
    text_attribute(&dataset, "unit", unit)
}

/// Writes whole numbers.
pub(super) fn write_integers(at: &Group, name: &str, values: &[i32]) -> hdf5::Result<()> {
    at.new_dataset::<i32>().shape(values.len()).create(name)?.write(values)
}

/// Writes pairs of numbers.
pub(super) fn write_pairs<T: H5Type>(
    at: &Group,
    name: &str,
    values: &[[T; 2]],
) -> hdf5::Result<Dataset> {
    let dataset = at.new_dataset::<T>().shape((values.len(), 2)).create(name)?;
    dataset.write_raw(values.as_flattened())?;
    Ok(dataset)
}

/// Writes `/h5md`: the version of the format, and who wrote the file with what.
pub(super) fn write_h5md(file: &Group, header: &Header) -> hdf5::Result<()> {
    let h5md = file.create_group("h5md")?;
    list_attribute(&h5md, "version", &[1i32, 1])?;
    let author = h5md.create_group("author")?;
    text_attribute(&author, "name", &header.author)?;
    let creator = h5md.create_group("creator")?;
    text_attribute(&creator, "name", "jostle")?;
    text_attribute(&creator, "version", env!("CARGO_PKG_VERSION"))?;
    let units = h5md.create_group("modules")?.create_group("units")?;
    list_attribute(&units, "version", &[1i32, 0])?;
    text_attribute(&units, "system", "SI")
}

/// Writes `/parameters`: the model's text, what it was understood to mean, and the seed. A file
/// can be run again from this.
pub(super) fn write_parameters<const D: usize>(file: &Group, header: &Header) -> hdf5::Result<()> {
    let at = file.create_group("parameters")?;
    let Source { path, text: model, overrides, resolved, .. } = &header.source;
    write_text(&at, "title", &header.title)?;
    write_text(&at, "model", model)?;
    write_text(&at, "resolved", resolved)?;
    let path = path.as_ref().map(|p| p.display().to_string());
    write_text(&at, "model_path", path.as_deref().unwrap_or(""))?;
    let pairs: Vec<String> = overrides.iter().map(|(k, v)| format!("{k}={v}")).collect();
    write_texts(&at, "overrides", &pairs)?;
    write_text(&at, "version", env!("CARGO_PKG_VERSION"))?;
    write_text(&at, "engine", header.engine())?;
    write_text(&at, "search", &header.search)?;
    write_text(&at, "log", header.output.log.name())?;
    write_texts(&at, "rules", &header.rules)?;
    write_value(&at, "seed", header.seed)?;
    write_value(&at, "random_stream", STREAM_VERSION)?;
    write_value(&at, "dimension", D as i32)?;
    write_value(&at, "frame_every", header.output.frame_every)?;
    write_numbers(&at, "timestep", "ns", &[header.timestep * 1e3])?;
    if let Some(shapes) = &header.outlines {
        shapes.write(&at)?;
    }
    write_species(&at.create_group("species")?, &header.species)?;
    write_potentials(&at, &header.potentials)?;
    if !header.tethered.is_empty() {
        let species: Vec<i32> = header.tethered.iter().copied().map(i32::from).collect();
        write_integers(&at.create_group("tethers")?, "species", &species)?;
    }
    super::sites::write_table(&at, &header.species)?;
    write_vmd(&at.create_group("vmd_structure")?, &header.species)
}

/// Numbers that the model leaves open are NaN.
fn write_species(at: &Group, species: &[Species]) -> hdf5::Result<()> {
    let numbers = |of: fn(&Species) -> Option<f64>| -> Vec<f64> {
        species.iter().map(|s| of(s).unwrap_or(f64::NAN)).collect()
    };
    let names: Vec<&str> = species.iter().map(|s| s.name.as_str()).collect();
    write_texts(at, "name", &names)?;
    write_numbers(at, "radius", "nm", &numbers(|s| s.radius))?;
    // 1 nm²/µs = 1 µm²/s: the number is the same.
    let diffusion = numbers(|s| s.diffusion_coefficient);
    write_numbers(at, "diffusion_coefficient", "um2 s-1", &diffusion)
}

/// The energy of each pair of species that has one, in shells: those of pair `n` are the rows from
/// `first[n]` to before `first[n + 1]`, from contact outwards. Nothing where there are none.
fn write_potentials(parameters: &Group, potentials: &Potentials) -> hdf5::Result<()> {
    let (mut species, mut first) = (Vec::new(), vec![0]);
    let (mut edges, mut energies) = (Vec::new(), Vec::new());
    for (pair, potential) in potentials.pairs() {
        species.push(pair.map(i32::from));
        edges.extend(potential.edges());
        energies.extend((0..potential.edges().len()).map(|shell| potential.in_shell(shell)));
        first.push(edges.len() as i32);
    }
    if species.is_empty() {
        return Ok(());
    }
    let at = parameters.create_group("potentials")?;
    write_pairs(&at, "species", &species)?;
    write_integers(&at, "first", &first)?;
    write_numbers(&at, "to", "nm", &edges)?;
    write_numbers(&at, "energy", "kT", &energies)
}

/// The tables that VMD's H5MD plugin looks for. It wants them for the species that are present, so
/// it accepts them once particles of every species of the model have appeared.
fn write_vmd(at: &Group, species: &[Species]) -> hdf5::Result<()> {
    let count = species.len();
    let names: Vec<&str> = species.iter().map(|s| s.name.as_str()).collect();
    let index = Vec::from_iter(0..count as i32);
    write_integers(at, "indexOfSpecies", &index)?;
    write_integers(at, "atomicnumber", &vec![0; count])?;
    write_texts(at, "name", &names)?;
    write_texts(at, "type", &names)?;
    let radii: Vec<f64> = species.iter().map(|s| s.radius.unwrap_or(1.0)).collect();
    at.new_dataset::<f64>().shape(count).create("radius")?.write(&radii)
}
