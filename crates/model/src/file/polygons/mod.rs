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
use super::patterns::Kinds;

/// What is said of a key of polygon models in another one.
pub(super) const POLYGONS_ONLY: &str =
    "this belongs to models of polygons, which say `engine = \"polygons\"` under `[run]`";

/// The sections that only polygon models have.
pub(super) const SECTIONS: &[&str] = &["contact", "wall"];

/// The keys of a species that only polygons have.
pub(super) const POLYGON_KEYS: &[&str] = &["shape", "angle", "angular_velocity", "region"];

/// Reads a polygon model; faults are left in the reader.
pub(super) fn model(root: &Section<'_>, folder: &Path) -> Model {
    root.elsewhere(
        &["rule", "schedule", "clusters"],
        "this belongs to Brownian models: polygons do nothing but press on each other, as `[contact]` says",
    );
    root.elsewhere(
        &["shaking", "drag", "field", "collisions", "material"],
        "this belongs to granular models; what polygons do to each other stands under `[contact]`, and a \
         `[[wall]]` can move (`drive`)",
    );
    let title = root.get("title").and_then(|item| item.text());
    let (space, sides) = settings::space(root);
    let mut context = Context {
        folder,
        // Whatever the file says: a plane.
        dimension: 2,
        edges: space.edges,
        origin: [0.0; 3],
        kinds: Kinds::default(),
        periodic: space.periodic,
        surfaces: Default::default(),
        taken: Default::default(),
        lodgings: Vec::new(),
        granular: false,
        reactive: false,
    };
    let law = forces::law(root);
    let read = bodies::species(root, &mut context);
    let walls = walls::walls(root);
    let polygons =
        PolygonModel { gravity: forces::gravity(root), law, sides, bodies: read.bodies, walls };
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
