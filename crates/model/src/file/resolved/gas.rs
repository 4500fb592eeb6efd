//! A disk gas written out in full, in nm, µs and kg.

use crate::Model;
use crate::gas::{Contact, GasModel};
use crate::granular::{Balls, MassLaw};

use super::writer::{ModelText, TableText};
use super::{axis, granular, output, placement, stepping, write_space};
use crate::file::keys::Keys;

/// The whole model.
pub(super) fn resolved(model: &Model, gas: &GasModel, mut file: ModelText) -> ModelText {
    file.add("space", |space| write_space(space, model));
    file.add("run", |run| {
        run.word("engine", "gas");
        run.word("contact", gas.contact.name());
        stepping(run, model);
        if gas.contact == Contact::Exact {
            run.set("scheduler", &gas.scheduler);
        }
    });
    file.add("search", |lines| search(lines, gas));
    let gravity = &gas.granular.gravity;
    if gravity.strength() > 0.0 {
        file.add("gravity", |lines| {
            lines.quantities("acceleration", &gravity.acceleration[..model.space.dimension]);
            lines.word("start", if gas.atmosphere { "atmosphere" } else { "uniform" });
        });
    }
    for (n, disks) in gas.granular.balls.iter().enumerate() {
        file.add("species", |lines| species(lines, model, n, disks));
    }
    file.add("output", |lines| output(lines, model));
    file
}

fn search(lines: &mut TableText, gas: &GasModel) {
    match gas.contact {
        Contact::Exact => gas.search.write(lines),
        Contact::AfterMove => {
            lines.word("kind", gas.search.kind.name());
            lines.word("axis", axis(gas.search.axis));
            lines.quantity_if_any("cell_size", gas.search.cell_size);
        }
        Contact::Events => {
            lines.word("kind", gas.granular.search.map_or("auto", |kind| kind.name()));
        }
    }
}

fn species(lines: &mut TableText, model: &Model, n: usize, disks: &Balls) {
    let mass = match disks.mass {
        MassLaw::Given(mass) => mass,
        _ => disks.mass_of(disks.radius[0]),
    };
    lines.text("name", &model.species[n].name);
    lines.quantity("radius", disks.radius[0]);
    lines.quantity("mass", mass);
    granular::motion(lines, &disks.motion, model.space.dimension);
    placement(lines, model, n);
}
