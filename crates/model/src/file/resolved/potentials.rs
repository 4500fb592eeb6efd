//! The `[[potential]]` tables.

use crate::Model;
use crate::potentials::{Energy, Law};
use jostle_core::potentials::EnergyShape;

use super::writer::{ModelText, listed, quoted};

pub(super) fn potentials(model: &Model, file: &mut ModelText) {
    for potential in model.potentials() {
        file.add("potential", |lines| {
            lines.text("name", &potential.name);
            let names = |list: &Vec<u16>| {
                listed(list.iter().map(|s| quoted(&model.species[usize::from(*s)].name)))
            };
            lines.put("between", listed(potential.between.iter().map(names)));
            match &potential.energy {
                Energy::Steps(steps) => lines.tables("steps", steps.len(), |step, n| {
                    step.quantity("to", steps[n][0]);
                    step.quantity("energy", steps[n][1]);
                }),
                Energy::Smooth { shape, cutoff, law } => {
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
                    lines.quantity("cutoff", *cutoff);
                    match law {
                        Law::Shells(shells) => lines.put("shells", shells),
                        Law::Bounces => lines.text("law", "bounces"),
                    }
                }
            }
        });
    }
}
