//! From the tree of a model file to a [`Model`], section by section. Faulty values become NaN or a
//! default, so that reading goes on and the checks that follow stay silent about them.

mod bodies;
mod clusters;
mod gas;
mod granular;
mod patterns;
mod places;
mod polygons;
mod region;
mod resolved;
mod rules;
mod settings;
mod states;

use std::path::Path;

use patterns::Kinds;
pub(super) use resolved::resolved;
use settings::Engine;

use super::units::{Bare, Dimension, Unit};
use super::walker::{Item, Reader, Section};
use super::{EngineModel, Model, Source};

/// What later sections need to know of earlier ones.
struct Context<'a> {
    /// Position files are sought from here.
    folder: &'a Path,
    dimension: usize,
    /// \[nm\]
    edges: [f64; 3],
    /// Where the lower corner of the box is at the start: not at 0 if it is shaken out of phase. \[nm\]
    origin: [f64; 3],
    kinds: Kinds,
    /// Whether the model is a granular one.
    granular: bool,
}

/// Reads the whole file; faults are left in `reader`.
pub(super) fn read(reader: &Reader<'_>, folder: &Path) -> Model {
    let root = reader.root();
    reader.bare.set(settings::units(&root));
    let model = match settings::engine(&root) {
        Engine::Granular => granular::model(&root, folder),
        Engine::Polygons => polygons::model(&root, folder),
        Engine::Gas => gas::model(&root, folder),
        Engine::Brownian => {
            root.elsewhere(granular::SECTIONS, granular::GRANULAR_ONLY);
            root.elsewhere(polygons::SECTIONS, polygons::POLYGONS_ONLY);
            brownian(&root, folder)
        }
    };
    root.finish();
    model
}

fn brownian(root: &Section<'_>, folder: &Path) -> Model {
    let title = root.get("title").and_then(|item| item.text());
    let space = settings::space(root);
    let run = settings::run(root);
    let kinds = Kinds::default();
    let mut context = Context {
        folder,
        dimension: space.dimension,
        edges: space.edges,
        origin: [0.0; 3],
        kinds,
        granular: false,
    };
    let (species, placement) = bodies::species(root, &mut context);
    Model {
        title: title.unwrap_or_default().to_owned(),
        dimension: space.dimension,
        edges: space.edges,
        periodic: space.periodic,
        timestep: run.timestep,
        steps: run.steps,
        seed: run.seed,
        threads: run.threads,
        scheduler: run.scheduler,
        species,
        placement,
        rules: rules::rules(root, &context),
        mobility: clusters::mobility(root, &context),
        search: settings::search(root, &context),
        output: settings::output(root, &context, &run),
        engine: EngineModel::Brownian,
        source: Source { path: None, text: String::new(), overrides: Vec::new(), resolved: String::new() },
    }
}

/// A unit of one dimension, as `[units]` declares it.
fn unit(item: &Item<'_>, dimension: Dimension, example: &str) -> Option<Unit> {
    let text = item.text()?;
    match Unit::parse(text) {
        Ok(unit) if unit.dimension == dimension => Some(unit),
        Ok(unit) => {
            let found = unit.dimension.name();
            item.fault(format!(
                "\"{text}\" is the unit of {found}; {} is needed, for example \"{example}\"",
                dimension.name()
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
