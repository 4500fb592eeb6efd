//! Molecules of several spheres, written out.

use super::writer::{ModelText, TableText, listed};
use crate::Model;
use crate::templates::{Joints, MoleculeSphere, SphereBond, SphereTurn};

pub(super) fn molecules(model: &Model, file: &mut ModelText) {
    for molecule in model.molecules() {
        file.add("molecule", |lines| {
            lines.text("name", &molecule.name);
            let spheres = &molecule.spheres;
            if let Some(complex) = &molecule.complex {
                lines.text("complex", complex);
                return lines.put("count", model.count_of(molecule));
            }
            match molecule.joints {
                Joints::Chain(_) => lines.table("chain", |chain| {
                    kind(chain, model, &spheres[0]);
                    chain.put("length", spheres.len());
                }),
                Joints::Rigid | Joints::Tethers(_) => {
                    lines.tables("spheres", spheres.len(), |lines, n| {
                        sphere(lines, model, &spheres[n]);
                    });
                }
            }
            lines.quantity_if_any("tether", molecule.joints.tether());
            lines.put("count", model.count_of(molecule));
        });
    }
}

/// Its species, with the states of its sites.
fn kind(lines: &mut TableText, model: &Model, sphere: &MoleculeSphere) {
    let species = &model.species[usize::from(sphere.species)];
    match sphere.sites {
        0 => lines.text("species", &species.name),
        code => {
            let text = species.sites.written(&species.name, code, |_| String::new());
            lines.text("species", &text);
        }
    }
}

fn sphere(lines: &mut TableText, model: &Model, sphere: &MoleculeSphere) {
    kind(lines, model, sphere);
    lines.quantities("at", &sphere.at[..model.space.dimension]);
    if let Some(SphereBond::Rule(bond)) = &sphere.bond {
        lines.text("bond", bond);
    }
    match sphere.turn {
        None => {}
        Some(SphereTurn { angle, .. }) if model.space.dimension == 2 => {
            lines.quantity("turn", angle);
        }
        Some(SphereTurn { axis, angle }) => lines.table("turn", |lines| {
            lines.put("axis", listed(axis.0.iter().map(|x| format!("{x:?}"))));
            lines.quantity("angle", angle);
        }),
    }
}
