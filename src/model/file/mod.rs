//! From the tree of a model file to a [`Model`], section by section. Faulty values become NaN or a
//! default, so that reading goes on and the checks that follow stay silent about them.

mod bodies;
mod resolved;
mod rules;
mod settings;

use std::path::Path;

pub(super) use resolved::resolved;

use super::units::{Bare, Dimension, Unit};
use super::walker::{Item, Reader};
use super::{Model, Source};

/// What later sections need to know of earlier ones.
struct Context<'a> {
    /// Position files are sought from here.
    folder: &'a Path,
    dimension: usize,
    /// \[nm\]
    edges: [f64; 3],
    /// Declared names, in order.
    species: Vec<String>,
}

impl Context<'_> {
    /// The index of a declared species.
    fn species(&self, item: &Item<'_>) -> Option<u16> {
        let name = item.text()?;
        let found = self.species.iter().position(|known| known == name);
        if found.is_none() {
            let declared = match self.species.as_slice() {
                [] => "none is declared".to_owned(),
                names => format!("declared: {}", names.join(", ")),
            };
            item.fault(format!("there is no species \"{name}\"; {declared}"));
        }
        found.map(|n| n as u16)
    }
}

/// Reads the whole file; faults are left in `reader`.
pub(super) fn read(reader: &Reader<'_>, folder: &Path) -> Model {
    let root = reader.root();
    reader.bare.set(settings::units(&root));
    let title = root.get("title").and_then(|item| item.text());
    let space = settings::space(&root);
    let run = settings::run(&root);
    let mut context = Context { folder, dimension: space.dimension, edges: space.edges, species: Vec::new() };
    let (species, placement) = bodies::species(&root, &mut context);
    let model = Model {
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
        rules: rules::rules(&root, &context),
        mobility: rules::mobility(&root),
        search: settings::search(&root, &context),
        output: settings::output(&root, &context, &run),
        source: Source { path: None, text: String::new(), overrides: Vec::new(), resolved: String::new() },
    };
    root.finish();
    model
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
