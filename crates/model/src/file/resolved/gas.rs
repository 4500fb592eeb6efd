//! A disk gas written out in full, in nm, µs and kg.

use std::fmt::Write;

use crate::Model;
use crate::gas::{Contact, GasModel};
use crate::granular::{Balls, MassLaw, Motion};

use super::{axis, list, placement, quoted, space, stepping, structure, written};

/// Everything behind the title.
pub(super) fn resolved(model: &Model, gas: &GasModel) -> String {
    let contact = gas.contact.name();
    let mut text = space(model);
    let _ = write!(text, "\n[run]\nengine = \"gas\"\ncontact = \"{contact}\"\n{}", stepping(model));
    if gas.contact == Contact::Exact {
        text += &super::order(model, gas.scheduler);
    }
    text += &search(gas);
    let gravity = &gas.granular.gravity;
    if gravity.strength() > 0.0 {
        let start = if gas.atmosphere { "atmosphere" } else { "uniform" };
        let pull = list(&gravity.acceleration[..model.space.dimension], "nm/us^2");
        let _ = write!(text, "\n[gravity]\nacceleration = {pull}\nstart = \"{start}\"\n");
    }
    for (n, disks) in gas.granular.balls.iter().enumerate() {
        text += &species(model, n, disks);
    }
    text + &written(model, &format!("frame_every = {}", model.output.frame_every))
}

fn search(gas: &GasModel) -> String {
    match gas.contact {
        Contact::Exact => structure(&gas.search),
        Contact::AfterMove => {
            let width = gas.search.cell_size;
            let width = width.map_or_else(String::new, |x| format!("cell_size = \"{x:?} nm\"\n"));
            let (kind, axis) = (gas.search.kind.name(), axis(gas.search.axis));
            format!("\n[search]\nkind = \"{kind}\"\naxis = \"{axis}\"\n{width}")
        }
        Contact::Events => {
            let kind = gas.granular.search.map_or("auto", |kind| kind.name());
            format!("\n[search]\nkind = \"{kind}\"\n")
        }
    }
}

fn species(model: &Model, n: usize, disks: &Balls) -> String {
    let mass = match disks.mass {
        MassLaw::Given(mass) => mass,
        _ => disks.mass_of(disks.radius[0]),
    };
    let motion = match &disks.motion {
        Motion::Rest => String::new(),
        Motion::Alike(velocity) => {
            format!("velocity = {}\n", list(&velocity[..model.space.dimension], "nm/us"))
        }
        Motion::Maxwell(speed) => format!("speed = \"{speed:?} nm/us\"\n"),
    };
    format!(
        "\n[[species]]\nname = {}\nradius = \"{:?} nm\"\nmass = \"{mass:?} kg\"\n{motion}{}\n",
        quoted(&model.species[n].name),
        disks.radius[0],
        placement(model, n)
    )
}
