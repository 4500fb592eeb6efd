//! Molecules of several spheres, written out.

use super::writer::{ModelText, TableText, listed};
use crate::Model;
use crate::rigid::{MoleculeSphere, SphereTurn};

pub(super) fn molecules(model: &Model, file: &mut ModelText) {
    for molecule in model.molecules() {
        file.add("molecule", |lines| {
            lines.text("name", &molecule.name);
            lines.tables("spheres", molecule.spheres.len(), |lines, n| {
                sphere(lines, model, &molecule.spheres[n]);
            });
            lines.put("count", model.count_of(molecule));
        });
    }
}

fn sphere(lines: &mut TableText, model: &Model, sphere: &MoleculeSphere) {
    let species = &model.species[usize::from(sphere.species)];
    match sphere.sites {
        0 => lines.text("species", &species.name),
        code => {
            let text = species.sites.written(&species.name, code, |_| String::new());
            lines.text("species", &text);
        }
    }
    lines.quantities("at", &sphere.at[..model.space.dimension]);
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
