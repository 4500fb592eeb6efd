//! The `[[potential]]` tables.

use crate::Model;
use crate::potentials::{Energy, Law};
use jostle_core::potentials::EnergyShape;

use super::writer::{ModelText, TableText, listed, quoted};

pub(super) fn potentials(model: &Model, file: &mut ModelText) {
    for potential in model.potentials() {
        file.add("potential", |lines| {
            lines.text("name", &potential.name);
            let names = potential.between.iter().map(|list| species(model, list));
            lines.put("between", listed(names));
            match &potential.energy {
                Energy::Steps(steps) => lines.tables("steps", steps.len(), |step, n| {
                    step.quantity("to", steps[n][0]);
                    step.quantity("energy", steps[n][1]);
                }),
                Energy::Smooth { shape, cutoff, law } => {
                    smooth(lines, shape, *cutoff);
                    match law {
                        Law::Shells(shells) => lines.put("shells", shells),
                        Law::Bounces => lines.text("law", "bounces"),
                    }
                }
            }
        });
    }
    for potential in model.surface_potentials() {
        file.add("potential", |lines| {
            lines.text("name", &potential.name);
            let surfaces = listed(potential.beside.iter().map(|(name, _)| quoted(name)));
            lines
                .put("between", listed([species(model, &potential.species), surfaces].into_iter()));
            smooth(lines, &potential.shape, potential.cutoff);
            lines.text("law", "bounces");
        });
    }
}

fn species(model: &Model, list: &[u16]) -> String {
    listed(list.iter().map(|s| quoted(&model.species[usize::from(*s)].name)))
}

fn smooth(lines: &mut TableText, shape: &EnergyShape, cutoff: f64) {
    match shape {
        EnergyShape::Form(form, given) => lines.table(form.name, |lines| {
            for (parameter, given) in form.parameters.iter().zip(given) {
                lines.quantity_if_any(parameter, *given);
            }
        }),
        EnergyShape::Table(table) => {
            let points = table.points();
            lines.tables("table", points.len(), |point, n| {
                point.quantity("at", points[n][0]);
                point.quantity("energy", points[n][1]);
            });
        }
    }
    lines.quantity("cutoff", cutoff);
}
