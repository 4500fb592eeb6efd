//! The file of a model of convex polygons: what it has in common with others is read by the same
//! functions, the rest here.

mod bodies;
mod forces;
mod places;
mod settings;
mod shapes;
mod walls;

use std::path::Path;

use crate::polygons::PolygonModel;
use crate::walker::Section;
use crate::{EngineModel, Model, Source};

use super::Context;

/// Reads a polygon model; faults are left in the reader.
pub(super) fn model(root: &Section<'_>, folder: &Path) -> Model {
    let title = root.get("title").and_then(|item| item.text());
    let (space, sides) = settings::space(root);
    // Whatever the file says: a plane.
    let mut context = Context { dimension: 2, ..Context::new(folder, &space) };
    let (law, rebound) = forces::law(root);
    let read = bodies::species(root, &mut context);
    let walls = walls::walls(root);
    let mut polygons =
        PolygonModel { gravity: forces::gravity(root), law, sides, bodies: read.bodies, walls };
    if let Some(rebound) = rebound {
        polygons.law.damping = rebound.damping(&polygons, &read.placement);
    }
    settings::search(root);
    let run =
        settings::run(root, |seed, steps| polygons.longest_timestep(&read.placement, seed, steps));
    let output = settings::output(root, &run);
    Model {
        title: title.unwrap_or_default().to_owned(),
        space,
        run,
        species: read.species,
        placement: read.placement,
        output,
        engine: EngineModel::Polygons(Box::new(polygons)),
        source: Source::default(),
    }
}
