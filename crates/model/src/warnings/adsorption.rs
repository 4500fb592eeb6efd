//! What gets onto a surface on one side, and comes off it on the other.

use crate::Model;
use crate::adsorption::coming_off;
use jostle_core::environment::room;

use super::Warning;

/// A sentence for each surface and species.
pub(super) fn warnings(model: &Model) -> Vec<Warning> {
    let around = model.surroundings();
    let (dimension, edges) = (model.space.dimension, &model.space.edges);
    let mut found = Vec::new();
    for (number, surface) in (0..).zip(&around.surfaces) {
        for (species, manner) in (0..).zip(&surface.manners) {
            let Some(bound) = manner.becomes() else { continue };
            let faces = around.anchor(bound).and_then(|anchor| anchor.faces);
            let is_kept = around.sides(species).iter().any(|side| side.surface == number);
            let is_open = |inside| room(&[(&surface.form, inside)], dimension, edges) > 0.0;
            let Some(rule) = coming_off(model, bound, species).next() else { continue };
            if is_kept
                && !manner.is_by_centre()
                && faces.is_none()
                && is_open(true)
                && is_open(false)
            {
                let [free, bound] = [species, bound].map(|s| &model.species[usize::from(s)].name);
                found.push(Warning::of_rule(&rule.name, format!(
                    "rule \"{}\": {free} is on one side of surface \"{}\", but {bound} faces both: what comes off comes \
                     out on either side, so that {bound} carries it through; `faces` keeps {bound} to one side",
                    rule.name, surface.name,
                )));
            }
        }
    }
    found
}
