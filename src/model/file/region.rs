//! A part of the box: `region = { from = [..], to = [..] }`.

use crate::model::units::Wanted;
use crate::model::walker::Item;
use crate::rules::Region;

use super::Context;

/// The region that `item` says, within the box.
pub(super) fn region(item: &Item<'_>, context: &Context<'_>) -> Option<Region> {
    let section = item.section()?;
    let corner = |key, example| {
        let item = section.require(key, example)?;
        item.components(&Wanted::LENGTH, context.dimension)
    };
    let corners = (corner("from", "[\"0 nm\", \"0 nm\"]"), corner("to", "[\"100 nm\", \"100 nm\"]"));
    section.finish();
    let (from, to) = (corners.0?, corners.1?);
    for k in 0..context.dimension {
        let (name, edge) = (["x", "y", "z"][k], context.edges[k]);
        if from[k] < 0.0 || to[k] > edge || from[k] >= to[k] {
            item.fault(format!(
                "the region goes from {:?} to {:?} nm along {name}, but it has to go up and stay in the \
                 box, which is from 0 to {edge:?} nm",
                from[k], to[k]
            ));
        }
    }
    Some(Region { from, to })
}
