//! The file of a disk gas: what it has in common with other models is read by the same functions,
//! the rest here.

mod disks;
mod settings;

use std::path::Path;

use crate::gas::GasModel;
use crate::granular::GranularModel;
use crate::walker::Section;
use crate::{EngineModel, Model};

use super::Context;
use super::settings as common;

/// Reads a model of a disk gas; faults are left in the reader.
pub(super) fn model(root: &Section<'_>, folder: &Path) -> Model {
    let space = common::space(root);
    let (run, scheduler, contact) = settings::run(root);
    let mut context = Context::new(folder, &space);
    let (gravity, atmosphere) = settings::gravity(root, space.dimension);
    let (species, placement, balls) = disks::species(root, &mut context);
    let (search, kinetic) = settings::search(root, contact);
    let granular = GranularModel { search: kinetic, balls, ..GranularModel::elastic(gravity) };
    let output = common::output(root, &context, &run);
    let engine =
        EngineModel::Gas(Box::new(GasModel { contact, atmosphere, search, scheduler, granular }));
    super::whole(space, run, (species, placement), output, engine)
}
