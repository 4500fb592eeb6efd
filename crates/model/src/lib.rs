//! What a model file means: everything a run needs, checked, in internal units (nm, µs).

pub mod adsorption;
pub mod bngl;
mod check;
mod document;
mod engine;
mod fault;
mod file;
mod first_bonds;
pub mod gas;
mod grammar;
pub mod granular;
mod hints;
mod listing;
pub mod measure;
pub mod molecule_text;
mod naming;
mod nearest;
pub mod notation;
mod overrides;
mod parameters;
pub mod placement;
pub mod polygons;
pub mod potentials;
mod rows;
pub mod schema;
mod set_rate;
pub mod spread;
pub mod surroundings;
pub mod templates;
pub mod together;
mod tree;
pub mod units;
mod unknown;
mod walker;
mod warnings;

use std::path::Path;

pub use document::{Datum, edited, written};
pub use engine::{BrownianModel, EngineModel};
pub use fault::{Fault, Faults, Origin, Place};
pub use listing::keys_as_json;
#[doc(hidden)]
pub use nearest::nearest;
pub use warnings::Warning;

pub use jostle_core::output::{LogLevel, Output, Source};
pub use jostle_core::parameters::Scheduler;
use jostle_core::rules::Region;
use jostle_core::species::Species;
use jostle_files::text_of;

/// A longer model file is none. \[bytes\]
const LONGEST_FILE: u64 = 64 << 20;

/// Reads and checks a model file. `overrides` are keys and values that go on top of it, as
/// `--set key=value` gives them; a later one wins. Position files are sought from the model's
/// folder.
///
/// # Errors
/// Everything that is wrong, all at once, each with its line and key.
pub fn load(path: &Path, overrides: &[(String, String)]) -> Result<Model, Faults> {
    let name = path.display().to_string();
    let text = text_of(path, LONGEST_FILE).map_err(|error| {
        let fault = Fault {
            place: Place::File,
            key: String::new(),
            message: format!("cannot be read: {error}"),
        };
        Faults::new(&name, vec![fault])
    })?;
    let mut model = parse(&text, &name, overrides)?;
    model.source.path = Some(path.to_owned());
    Ok(model)
}

/// Reads and checks the text of a model. `name` stands for the file in messages, and its folder is
/// where position files are sought.
///
/// ```
/// let text = r#"
///     space = { dimension = 2, edges = "0.1 um" }
///     run = { timestep = "1 us", until = "1 ms" }
///     [[species]]
///     name = "Receptor"
///     radius = "2.5 nm"
///     diffusion = "0.05 um^2/s"
///     count = 40
/// "#;
/// // Inside, lengths are in nm and times in µs, and all defaults are known.
/// let set = |key: &str, value: &str| (key.to_owned(), value.to_owned());
/// let model = jostle_model::parse(text, "receptors", &[set("species.Receptor.count", "50")])?;
/// assert_eq!((model.space.edges[0], model.run.steps), (100.0, 1000));
/// let diffusion = model.species[0].diffusion_coefficient;
/// assert!(diffusion.is_some_and(|d| (d - 0.05).abs() < 1e-15));
/// // Written out in full, it is the same model.
/// assert_eq!(jostle_model::parse(&model.source.resolved, "again", &[])?.species, model.species);
/// # Ok::<(), jostle_model::Faults>(())
/// ```
///
/// # Errors
/// Everything that is wrong, all at once, each with its line and key.
pub fn parse(text: &str, name: &str, overrides: &[(String, String)]) -> Result<Model, Faults> {
    let mut root = tree::Node::parse(text).map_err(|faults| Faults::new(name, faults))?;
    let mut faults = Vec::new();
    overrides::expand_search(&mut root);
    naming::name_reactions(&mut root);
    overrides::apply(&mut root, overrides, &mut faults);
    parameters::put_in(&mut root, &mut faults);
    rows::lay_out(&mut root);
    let reader = walker::Reader::new(&root, faults);
    let folder = Path::new(name).parent().unwrap_or(Path::new(""));
    let mut model = file::read(&reader, folder);
    check::check(&model, &reader);
    let (faults, files) = reader.into_findings();
    if !faults.is_empty() {
        return Err(Faults::new(name, faults));
    }
    model.source = Source {
        path: None,
        text: text.to_owned(),
        overrides: overrides.to_vec(),
        resolved: file::resolved(&model),
        files,
    };
    Ok(model)
}

/// A checked model.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// Appears in reports.
    pub title: String,
    /// The box.
    pub space: Space,
    /// How long it runs, and on what.
    pub run: Run,
    /// The kinds of particles.
    pub species: Vec<Species>,
    /// The particles at the start.
    pub placement: Vec<Placement>,
    /// What is written.
    pub output: Output,
    /// Which engine is to run it, and what only that one needs.
    pub engine: EngineModel,
    /// Where the model comes from.
    pub source: Source,
}

/// The box of a model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Space {
    /// 1, 2 or 3.
    pub dimension: usize,
    /// The edges \[nm\]; the first `dimension` count.
    pub edges: [f64; 3],
    /// Whether each axis closes on itself or ends in reflecting faces.
    pub periodic: [bool; 3],
}

/// How long a model runs, and on what.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Run {
    /// The time from one step to the next. A granular run goes from event to event: its steps are
    /// the stretches from one frame to the next. \[µs\]
    pub timestep: f64,
    /// How many steps to run.
    pub steps: u64,
    /// Everything random follows from it.
    pub seed: u64,
    /// How many threads; results do not depend on it. None: as many as turn out to be fastest.
    pub threads: Option<usize>,
    /// How much memory it may take before it is stopped; none: a share of what there is. \[bytes\]
    pub memory: Option<f64>,
    /// Whether the state at its end is kept, from which it can be made longer.
    pub keep_checkpoint: bool,
}

impl Run {
    /// How long the whole run lasts. \[µs\]
    pub fn duration(&self) -> f64 {
        self.timestep * self.steps as f64
    }
}

impl Model {
    /// In how many dimensions two species meet: on one surface, in one less.
    pub fn dimension_of(&self, [a, b]: [u16; 2]) -> usize {
        let anchor = |s: u16| self.surroundings().anchor(s).map(|anchor| anchor.surface);
        if anchor(a).is_some() && anchor(a) == anchor(b) {
            self.space.dimension - 1
        } else {
            self.space.dimension
        }
    }

    /// How much room there is where particles of a species come to be, of a surface if they live on
    /// one. \[nm^d\]
    pub fn room_for(&self, species: u16, region: Option<&Region>) -> f64 {
        let d = self.space.dimension;
        let volume =
            region.map_or_else(|| self.space.edges[..d].iter().product(), |region| region.volume);
        match self.surroundings().anchor(species) {
            None => volume,
            Some(anchor) => self.surroundings().surfaces[anchor.surface as usize]
                .form
                .extent(d, &self.space.edges),
        }
    }

    /// The same model with another seed.
    #[must_use]
    pub fn seeded(mut self, seed: u64) -> Self {
        self.run.seed = seed;
        self
    }

    /// Where the particles of a species are said to be there at the start, if any are.
    pub fn origin_of(&self, species: &str) -> Option<&Origin> {
        let of_species = |p: &&Placement| self.species[p.species as usize].name == species;
        self.placement.iter().find(of_species).map(|placement| &placement.origin)
    }

    /// Under what names changes of the population are told: those of the rules, then those of the
    /// surfaces.
    pub fn causes(&self) -> Vec<String> {
        let mut names = self.rules().names();
        names.extend(self.surroundings().absorbing());
        names
    }
}

/// Particles of one species at the start.
#[derive(Clone, Debug, PartialEq)]
pub struct Placement {
    /// Index into the species.
    pub species: u16,
    /// Their site code; all of it says that they are free.
    pub sites: u64,
    /// How they are placed.
    pub how: PlacementMethod,
    /// The concentration that their number follows from, if the model says one.
    pub asked: Option<Asked>,
    /// Where the model says so.
    pub origin: Origin,
}

/// A bond at the start, between two particles with given places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FirstBond {
    /// The species of each of the two, and its number among the given places of that, from 0.
    pub ends: [(u16, usize); 2],
    /// The contact rule that made it, or could have; if there is none, the bond is left out.
    pub rule: Option<u16>,
    /// The site of each at which it ends, if that is said.
    pub sites: Option<[u8; 2]>,
}

/// A concentration that a model asks for in place of a number of particles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Asked {
    /// Particles per volume (3D), area (2D, or on a surface) or length (1D). \[nm^-d\]
    pub per_room: f64,
    /// Whether the number is drawn from a Poisson distribution with the seed, not rounded.
    pub poisson: bool,
}

/// How particles are placed.
#[derive(Clone, Debug, PartialEq)]
pub enum PlacementMethod {
    /// At random without overlap.
    Random {
        /// Number of particles.
        count: usize,
    },
    /// On a lattice, thinned to the number and shared among the species that ask for it.
    Lattice {
        /// Number of particles.
        count: usize,
    },
    /// Thrown anywhere and moved apart until none overlap.
    Packed {
        /// Number of particles.
        count: usize,
    },
    /// As hard particles are in equilibrium, with the affinities of regions for them. In Brownian models.
    Equilibrium {
        /// Number of particles.
        count: usize,
    },
    /// One after the other in what room there is: a centre at random, a radius at random between
    /// the least and what there is room for. In granular models.
    Room {
        /// Number of particles.
        count: usize,
    },
    /// As spheres of molecules, one in each.
    InMolecules {
        /// Number of particles.
        count: usize,
    },
    /// At the given places. \[nm\], the first `dimension` components count
    Positions(Vec<[f64; 3]>),
}

#[cfg(test)]
mod tests;
