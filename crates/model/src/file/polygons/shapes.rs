//! `shape = { .. }`: what a body or a wall looks like.

use crate::polygons::Shape;
use crate::walker::{Item, Section};
use jostle_core::space::{Polygon, Vector};

/// A faulty shape: whatever is reckoned with it says nothing.
pub(super) const FAULTY: Shape = Shape::Disk(f64::NAN);

/// The most corners that a polygon may have.
const MOST_CORNERS: u64 = 4096;

/// How many corners the polygon of an ellipse has, if the file does not say.
const SIDES_OF_ELLIPSE: usize = 48;

const ONE_OF: &str = "exactly one of `corners = [[..], ..]`, `regular = 6`, `rectangle = [\"4 mm\", \"2 mm\"]`, \
                      `ellipse = [\"4 mm\", \"2 mm\"]`, `disk = \"2 mm\"` and `random = [5, 8]` is needed";

/// The shape that `item` says.
pub(super) fn shape(item: &Item<'_>) -> Shape {
    let Some(section) = item.section() else {
        return FAULTY;
    };
    let keys = ["corners", "regular", "rectangle", "ellipse", "disk", "random"];
    let found = match section.only(keys) {
        Some(("corners", item)) => corners(&item).map(Shape::Corners),
        Some(("regular", item)) => regular(&item, &section),
        Some(("rectangle", item)) => pair(&item).map(Shape::Rectangle),
        Some(("ellipse", item)) => ellipse(&item, &section),
        Some(("disk", item)) => item.quantity().map(Shape::Disk),
        Some(("random", item)) => random(&item, &section),
        _ => {
            item.fault(ONE_OF);
            None
        }
    };
    section.finish();
    found.unwrap_or(FAULTY)
}

/// The corners of a convex polygon, wherever it is. \[nm\]
pub(super) fn corners(item: &Item<'_>) -> Option<Vec<[f64; 2]>> {
    let corners: Vec<[f64; 2]> = item.list()?.iter().map(point).collect::<Option<_>>()?;
    let places: Vec<_> = corners.iter().map(|&corner| Vector(corner)).collect();
    // Made only to see whether it is convex and has an area; the shape keeps what was written.
    if let Err(fault) = Polygon::new(&places) {
        item.fault(fault.to_string());
        return None;
    }
    Some(corners)
}

/// A place in the plane. \[nm\]
pub(super) fn point(item: &Item<'_>) -> Option<[f64; 2]> {
    let [x, y, _] = item.components(2)?;
    Some([x, y])
}

/// Two lengths above zero.
fn pair(item: &Item<'_>) -> Option<[f64; 2]> {
    let list = item.per_axis(2)?;
    let lengths: Vec<_> = list.iter().filter_map(|item| item.quantity()).collect();
    lengths.try_into().ok()
}

/// A number of corners that makes a polygon.
pub(super) fn count(item: &Item<'_>) -> Option<usize> {
    let number = item.whole_as(3, "at least 3 corners are needed")?;
    if number > MOST_CORNERS {
        item.fault(format!("found {number}, but at most {MOST_CORNERS} corners are possible"));
        return None;
    }
    Some(number as usize)
}

fn regular(item: &Item<'_>, section: &Section<'_>) -> Option<Shape> {
    let corners = count(item);
    let radius: Option<f64> = section.setting("radius");
    Some(Shape::Regular { corners: corners?, radius: radius? })
}

fn ellipse(item: &Item<'_>, section: &Section<'_>) -> Option<Shape> {
    let sides = section.get("sides").map_or(Some(SIDES_OF_ELLIPSE), |item| count(&item));
    Some(Shape::Ellipse { semi_axes: pair(item)?, corners: sides? })
}

fn random(item: &Item<'_>, section: &Section<'_>) -> Option<Shape> {
    let corners = match item.is_list() {
        true => item.per_axis(2).and_then(|ends| Some([count(&ends[0])?, count(&ends[1])?])),
        false => count(item).map(|count| [count; 2]),
    };
    let radius = section.require("radius").and_then(|item| match item.is_list() {
        true => pair(&item),
        false => item.quantity().map(|radius| [radius; 2]),
    });
    let aspect = section.get("aspect").map_or(Some(1.0), |item| {
        let value = item.quantity()?;
        if value > 1.0 {
            item.fault(format!(
                "found {value:?}, but the ratio of the axes is the shorter divided by the longer, at most 1"
            ));
        }
        Some(value.min(1.0))
    });
    let (corners, radius, aspect) = (corners?, radius?, aspect?);
    if corners[0] > corners[1] {
        item.fault(format!(
            "the smallest number of corners comes first, but {} is above {}",
            corners[0], corners[1]
        ));
        return None;
    }
    if radius[0] > radius[1] {
        section.fault("of two radii the smaller comes first, for example [\"2 mm\", \"4 mm\"]");
        return None;
    }
    Some(Shape::Random { corners, radius, aspect })
}
