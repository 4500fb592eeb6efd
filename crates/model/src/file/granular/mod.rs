//! The file of a granular model: what it has in common with a Brownian one is read by the same
//! functions, the rest here.

mod balls;
mod collisions;
pub(super) mod forces;
pub(super) mod settings;

use std::path::Path;

use crate::granular::GranularModel;
use crate::walker::Section;
use crate::{EngineModel, Model, Run};

use super::Context;

/// Reads a granular model; faults are left in the reader.
pub(super) fn model(root: &Section<'_>, folder: &Path) -> Model {
    let (space, shape) = settings::space(root);
    let (run, until, trajectory) = settings::run(root);
    let shaking = forces::shaking(root, space.dimension);
    let mut origin = [0.0; 3];
    if let Some(shaking) = &shaking {
        // A box that is shaken out of phase does not begin at 0, and positions are given in space.
        origin[shaking.axis] = shaking.start_of_container();
    }
    let mut context = Context { origin, ..Context::new(folder, &space) };
    let material = collisions::material(root);
    let (species, placement, balls) = balls::species(root, &mut context, &material);
    let (output, output_interval) = settings::output(root, &context, until);
    let granular = GranularModel {
        shape,
        gravity: forces::gravity(root, space.dimension),
        shaking,
        drag: forces::drag(root),
        field: forces::field(root, space.dimension),
        collisions: collisions::law(root),
        material,
        trajectory,
        search: settings::search(root.table("search")),
        balls,
    };
    let engine = EngineModel::Granular(Box::new(granular));
    super::whole(
        space,
        Run { timestep: output_interval.every, steps: output_interval.count, ..run },
        (species, placement),
        output,
        engine,
    )
}
