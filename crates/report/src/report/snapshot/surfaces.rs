//! Surfaces in a snapshot: lines, over the particles in the plane, among them in space, where tethers are
//! lines as well.

use super::super::Colour;
use super::super::sheet::Stroke;
use super::super::wires::wires;
use super::outlines::line;
use super::page::PictureSheet;
use super::view::{Projection, View};
use super::{Ball, RIM, Snapshot, SnapshotOptions, tethers};
use jostle_analysis::Surfaces;

/// In the plane a surface is one line, in space a web.
const IN_PLANE: f64 = 1.6;
const IN_SPACE: f64 = 0.8;
/// How much paler the farthest lines are.
const HAZE: f64 = 0.7;

impl Snapshot {
    /// With the surfaces in the box.
    pub fn with_surfaces(mut self, surfaces: &Surfaces) -> Self {
        self.surfaces = wires(surfaces);
        self
    }

    /// Draws surfaces in one and two dimensions; in one they are as high as the picture \[nm\].
    pub(super) fn flat_surfaces(&self, page: &mut PictureSheet, view: &View, height: f64) {
        let stretch = if self.dimension == 1 { height } else { 1.0 };
        for (n, surface) in self.surfaces.iter().enumerate() {
            let stroke = Stroke::solid(Colour::of_surface(n), IN_PLANE);
            for ends in &surface.lines {
                let points = ends.map(|[x, y, _]| page.within(view.place([x, stretch * y])));
                line(page, &points, stroke);
            }
        }
    }

    /// Draws particles, the farthest first, and between them the lines of surfaces, of tethers, and
    /// of a container that is not the box.
    pub(super) fn balls_and_lines(
        &self,
        page: &mut PictureSheet,
        projection: &Projection,
        options: &SnapshotOptions,
        balls: &[Ball],
    ) {
        let surfaces = self.surfaces.iter().enumerate().flat_map(|(n, surface)| {
            surface
                .lines
                .iter()
                .map(move |ends| (*ends, Stroke::solid(Colour::of_surface(n), IN_SPACE)))
        });
        let tethers = self.tethers.iter().map(|ends| (*ends, tethers::STROKE));
        let walls = self.container.walls.iter();
        let walls = walls.map(|ends| (ends.map(|end| self.shifted(end)), RIM));
        let seen = |(ends, stroke): ([[f64; 3]; 2], Stroke)| {
            let depth = 0.5 * (projection.depth(ends[0]) + projection.depth(ends[1]));
            (depth, stroke, ends.map(|end| page.within(projection.place(end))))
        };
        let mut lines: Vec<_> = surfaces.chain(tethers).chain(walls).map(seen).collect();
        lines.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut drawn = 0;
        for (depth, stroke, points) in lines {
            let farther = balls[drawn..].partition_point(|ball| ball.depth >= depth);
            page.balls(self, options, &balls[drawn..drawn + farther]);
            drawn += farther;
            let ink = stroke.colour.mixed(Colour::WHITE, HAZE * depth.clamp(0.0, 1.0));
            page.sheet.line(points.to_vec(), Stroke::solid(ink, stroke.width));
        }
        page.balls(self, options, &balls[drawn..]);
    }
}
