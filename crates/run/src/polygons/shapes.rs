//! What bodies and walls look like, as files have it.

use jostle_core::space::{Outline, Polygon};
use jostle_h5md::record::{Shape, ShapeKind, Shapes, WallShape};
use jostle_model::polygons::Cast;

/// 1 m² in nm².
const SQUARE_METRE: f64 = 1e18;

/// What the file of a run needs to know of its cast.
pub(super) fn shapes(cast: &Cast) -> Shapes {
    let inertia = |n: usize| {
        let solid = &cast.solids[n];
        cast.outlines[solid.outline as usize].second_moment() * solid.density / SQUARE_METRE
    };
    let all = || 0..cast.solids.len();
    let wall = |(name, wall): (&String, &jostle_polygons::PlacedWall)| WallShape {
        name: name.clone(),
        shape: wall.outline,
    };
    Shapes {
        shapes: cast.outlines.iter().map(shape).collect(),
        shape_of: cast.solids.iter().map(|solid| solid.outline).collect(),
        masses: all().map(|n| cast.mass(n)).collect(),
        moments_of_inertia: all().map(inertia).collect(),
        walls: cast.names.iter().zip(&cast.walls).map(wall).collect(),
    }
}

fn shape(outline: &Outline) -> Shape {
    let (kind, semi_axes) = match outline {
        Outline::Polygon(polygon) => (ShapeKind::Polygon, [polygon.circumradius(); 2]),
        Outline::Ellipse(ellipse) => (ShapeKind::Ellipse, ellipse.semi_axes()),
        Outline::Disk(radius) => (ShapeKind::Disk, [*radius; 2]),
    };
    let places = |polygon: &Polygon| polygon.corners().iter().map(|corner| corner.0).collect();
    Shape { kind, corners: outline.polygon().map_or(Vec::new(), places), semi_axes }
}
