//! The `[[species]]` tables of a polygon model.

use crate::Placement;
use crate::polygons::{Bodies, Turned};
use crate::units::Wanted;
use crate::walker::Section;
use jostle_core::species::Species;

use super::super::{particles, places, region};
use super::Context;
use super::places::{BodyPlacement, placed};
use super::shapes::{FAULTY, shape};
use super::walls::turning;

/// The species, where their bodies are, and what these are like.
pub(super) fn species(
    root: &Section<'_>,
    context: &mut Context<'_>,
) -> (Vec<Species>, Vec<Placement>, Vec<Bodies>) {
    let needed = "name, shape, density and count";
    particles::plain(root, context, needed, |section, context, name, species| {
        let shape = section.require("shape").map_or(FAULTY, |item| shape(&item));
        let BodyPlacement { how, angles } = placed(section, context, name);
        let placement = how.map(|how| Placement {
            sites: 0,
            species,
            how,
            asked: None,
            origin: places::origin(section),
        });
        let turning = section.get("angular_velocity").and_then(|item| turning(&item));
        let reach = shape.reach();
        let bodies = Bodies {
            shape,
            density: section.setting("density"),
            turned: turned(section, angles),
            motion: particles::motion(section, 2),
            angular_velocity: turning.unwrap_or(0.0),
            region: section.get("region").and_then(|item| region::region(&item, context)),
        };
        (reach, bodies, placement.into_iter().collect())
    })
}

fn turned(section: &Section<'_>, angles: Option<Vec<f64>>) -> Turned {
    let given = section.get("angle");
    if let (Some(item), Some(_)) = (&given, &angles) {
        item.fault("the placement already gives the orientation of each particle");
    }
    match (given, angles) {
        (_, Some(angles)) => Turned::Each(angles),
        (Some(item), None) if item.is_word("random") => Turned::Random,
        (Some(item), None) => {
            let wanted = Wanted { noun: "\"random\" or an angle", ..Wanted::ANGLE };
            Turned::By(item.quantity_as(&wanted).unwrap_or(0.0))
        }
        (None, None) => Turned::By(0.0),
    }
}
