//! From the tree of a model file to a [`Model`], section by section. Faulty values become NaN or a
//! default, so that reading continues and the checks that follow stay silent about them.

mod amounts;
mod bonds;
mod clusters;
mod complexes;
mod gas;
mod granular;
mod keys;
mod meshes;
mod molecules;
mod observables;
mod particles;
mod patterns;
mod places;
mod polygons;
mod potentials;
mod region;
mod resolved;
mod rules;
mod settings;
mod sites;
mod states;
mod surfaces;
mod templates;

use std::path::Path;

use super::schema::Engine;
use super::units::{Bare, Unit};
use super::walker::{Item, Reader, Section};
use super::{BrownianModel, EngineModel, Model, Output, Placement, Run, Source, Space};
use jostle_core::rules::Case;
use jostle_core::species::Species;
use patterns::Kinds;
pub(super) use potentials::NEARLY_HALF;
pub(super) use resolved::resolved;
pub(super) use rules::{key_of_rate, rule_keys};

/// The largest length in a model of particles in Brownian motion: 1 m. \[nm\]
const LONGEST_OF_CELLS: f64 = 1e9;
/// The largest length in any model: 1000 km. \[nm\]
const LONGEST: f64 = 1e15;

/// What later sections need to know of earlier ones.
struct Context<'a> {
    /// Position files are sought from here.
    folder: &'a Path,
    dimension: usize,
    /// \[nm\]
    edges: [f64; 3],
    /// Whether each axis closes on itself.
    periodic: [bool; 3],
    /// Where the lower corner of the box is at the start: not at 0 if it is shaken out of phase.
    /// \[nm\]
    origin: [f64; 3],
    kinds: Kinds,
    /// The surfaces by name and shape.
    surfaces: region::Known,
    /// What has been taken from position files.
    taken: bonds::Taken,
    /// On which surface each species lives, as far as they are known. \[species\]
    anchors: Vec<Option<u16>>,
    /// Whether pairs of species that no contact rule is for ignore each other.
    reactive: bool,
    /// Pairs of species with a potential.
    potentials: Vec<[u16; 2]>,
    /// The names of potentials beside surfaces.
    beside_surfaces: Vec<String>,
}

impl<'a> Context<'a> {
    /// What is known once the box is.
    fn new(folder: &'a Path, space: &Space) -> Self {
        Self {
            folder,
            dimension: space.dimension,
            edges: space.edges,
            periodic: space.periodic,
            origin: [0.0; 3],
            kinds: Kinds::default(),
            surfaces: Default::default(),
            taken: Default::default(),
            anchors: Vec::new(),
            reactive: false,
            potentials: Vec::new(),
            beside_surfaces: Vec::new(),
        }
    }

    /// The surface that particles of a species live on.
    fn anchor(&self, species: u16) -> Option<u16> {
        *self.anchors.get(species as usize)?
    }

    /// In how many dimensions particles of a species move.
    fn dimension_where(&self, species: u16) -> usize {
        if self.anchor(species).is_some() { self.dimension - 1 } else { self.dimension }
    }

    /// In how many dimensions two species meet: on one surface, in one less.
    fn dimension_of(&self, [a, b]: [u16; 2]) -> usize {
        let anchor = self.anchor(a);
        if anchor.is_some() && anchor == self.anchor(b) {
            self.dimension - 1
        } else {
            self.dimension
        }
    }

    /// In how many dimensions the partners of a rule meet.
    fn meeting_dimension(&self, section: &Section<'_>, cases: &[Case<2>]) -> usize {
        let mut dimensions: Vec<usize> =
            cases.iter().map(|case| self.dimension_of(case.species)).collect();
        dimensions.dedup();
        if dimensions.len() > 1 {
            section.fault(
                "some of these pairs live on one surface and some do not, so their rate constants have different \
                 dimensions: write two rules",
            );
        }
        dimensions.first().copied().unwrap_or(self.dimension)
    }
}

/// Reads the whole file; faults are left in `reader`.
pub(super) fn read(reader: &Reader<'_>, folder: &Path) -> Model {
    let root = reader.root();
    // Units come first, since every bare number after them is read in these; and the engine, since
    // it says which keys there are.
    reader.bare.set(settings::units(&root));
    let engine = settings::engine(&root);
    reader.engine.set(engine);
    reader.longest.set(if engine == Engine::Brownian { LONGEST_OF_CELLS } else { LONGEST });
    let mut model = match engine {
        Engine::Granular => granular::model(&root, folder),
        Engine::Polygons => polygons::model(&root, folder),
        Engine::Gas => gas::model(&root, folder),
        Engine::Brownian => brownian(&root, folder),
    };
    model.title = root.get("title").and_then(|item| item.text()).unwrap_or_default().to_owned();
    // A key is unknown if nothing has asked for it, which is so only once every section has been
    // read.
    root.finish();
    // Concentrations become numbers last of all: how much room particles have depends on surfaces,
    // and what species do at these is known only after the species are. Molecules come after that,
    // as all their spheres are as many as the first.
    amounts::settle(&mut model, reader);
    templates::settle(&mut model);
    model
}

/// A model of its parts.
fn whole(
    space: Space,
    run: Run,
    (species, placement): (Vec<Species>, Vec<Placement>),
    output: Output,
    engine: EngineModel,
) -> Model {
    let (title, source) = (String::new(), Source::default());
    Model { title, space, run, species, placement, output, engine, source }
}

fn brownian(root: &Section<'_>, folder: &Path) -> Model {
    let space = settings::space(root);
    let (run, scheduler, reactive) = settings::run(root);
    let mut context = Context { reactive, ..Context::new(folder, &space) };
    // Surfaces are read in two passes: species say which of them they live on, and they say what
    // each species does there.
    let (sections, known) = surfaces::declared(root, &context);
    context.surfaces = known;
    let mut habits = surfaces::Habits::default();
    let (species, mut placement) = particles::species(root, &mut context, &mut habits);
    let (molecules, of_molecules) = templates::molecules(root, &context, &species, placement.len());
    placement.extend(of_molecules);
    let mut surroundings = surfaces::surroundings(sections, habits, &species, &context);
    let (potentials, beside_surfaces) = potentials::potentials(root, &context);
    context.beside_surfaces = beside_surfaces.iter().map(|one| one.name.clone()).collect();
    surroundings.fields = beside_surfaces;
    context.potentials = potentials.iter().flat_map(|potential| potential.pairs()).collect();
    // Rules come after potentials: with `interactions = "reactive"`, pairs that have one still keep
    // each other out. Bonds at the start come after rules, since each belongs to one that could
    // have made it.
    let rules = rules::rules(root, &context, &molecules);
    let (mobility, bonds) = clusters::clusters(root, &context, &placement, &rules, &molecules);
    let brownian = BrownianModel {
        surroundings,
        rules,
        potentials,
        bonds,
        molecules,
        mobility,
        search: settings::search(root),
        scheduler,
    };
    let output = settings::output(root, &context, &run);
    let engine = EngineModel::Brownian(Box::new(brownian));
    whole(space, run, (species, placement), output, engine)
}

/// A unit of the dimension that the schema declares.
fn unit(item: &Item<'_>) -> Option<Unit> {
    let wanted = item.unit_wanted()?;
    let text = item.text()?;
    match Unit::parse(text) {
        Ok(unit) if unit.dimension == wanted.dimension => Some(unit),
        Ok(unit) => {
            item.fault(format!(
                "\"{text}\" is the unit of {}; {} is needed, for example {}",
                unit.dimension.name(),
                wanted.dimension.name(),
                item.row.example
            ));
            None
        }
        Err(error) => {
            item.fault(format!("found \"{text}\": {error}"));
            None
        }
    }
}

/// Bare numbers are in nm and µs unless the file says otherwise.
fn bare(length: Option<Unit>, time: Option<Unit>) -> Bare {
    let usual = Bare::default();
    Bare { length: length.unwrap_or(usual.length), time: time.unwrap_or(usual.time) }
}
