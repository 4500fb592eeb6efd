//! Bodies that are not round, walls, and the forces between them: how a file has them, and how they
//! are drawn.

use super::super::Colour;
use super::super::sheet::Stroke;
use super::page::PictureSheet;
use super::view::View;
use super::{Snapshot, SnapshotOptions};
use jostle_analysis::{ReadError, Reading};
use jostle_core::observe::Against;
use jostle_h5md::record::{Shape, ShapeKind};

/// Bodies and walls with outlines.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outlines {
    /// The corners of each body about its centre, turned as it is; none of a disk.
    /// \[body\]\[corner\], \[nm\]
    pub corners: Vec<Vec<[f64; 2]>>,
    /// By how much each is turned. \[body\], \[rad\]
    pub angles: Vec<f64>,
    /// The corners of the walls that are there. \[wall\]\[corner\], \[nm\]
    pub walls: Vec<Vec<[f64; 2]>>,
}

/// The force between two, as a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ForceLine {
    /// From a centre over the place of contact to the other centre, or to a wall: there, the last
    /// two are the same. \[nm\]
    pub points: [[f64; 2]; 3],
    /// \[N\]
    pub force: f64,
}

/// The corners of what is round.
const ROUND: usize = 72;
const WALL: Colour = Colour(150, 155, 162);
const FORCE: Colour = Colour(165, 15, 40);
/// How much paler bodies are under forces.
const PALE: f64 = 0.6;

/// Corners turned and moved.
pub(in crate::report) fn placed(corners: &[[f64; 2]], angle: f64, at: [f64; 2]) -> Vec<[f64; 2]> {
    let (s, c) = (libm::sin(angle), libm::cos(angle));
    corners.iter().map(|[x, y]| [at[0] + c * x - s * y, at[1] + s * x + c * y]).collect()
}

/// The corners of what is drawn of a shape, as many as said of an ellipse; none of a disk.
pub(in crate::report) fn drawn_corners(shape: &Shape, count: usize) -> Vec<[f64; 2]> {
    match shape.kind {
        ShapeKind::Polygon => shape.corners.clone(),
        ShapeKind::Ellipse => round(shape.semi_axes, count),
        ShapeKind::Disk => Vec::new(),
    }
}

/// The same, of a wall: round ones have corners too.
pub(in crate::report) fn wall_corners(shape: &Shape, count: usize) -> Vec<[f64; 2]> {
    if shape.kind == ShapeKind::Disk {
        round(shape.semi_axes, count)
    } else {
        drawn_corners(shape, count)
    }
}

fn round([a, b]: [f64; 2], count: usize) -> Vec<[f64; 2]> {
    let turn = |n: usize| std::f64::consts::TAU * n as f64 / count as f64;
    (0..count).map(|n| [a * libm::cos(turn(n)), b * libm::sin(turn(n))]).collect()
}

impl Outlines {
    /// Those of a frame, for the bodies in some slots; none in files of round bodies.
    pub(super) fn of_frame(
        reading: &Reading,
        frame: usize,
        slots: &[usize],
    ) -> Result<Option<Self>, ReadError> {
        let Some(shapes) = reading.shapes()? else { return Ok(None) };
        let angles = reading.orientations(frame)?;
        let drawn: Vec<Vec<[f64; 2]>> =
            shapes.shapes.iter().map(|shape| drawn_corners(shape, ROUND)).collect();
        let of = |&slot: &usize| {
            let shape = shapes.shape_of.get(slot).map_or(0, |&shape| shape as usize);
            placed(&drawn[shape], angles[slot], [0.0; 2])
        };
        let places = reading.walls(frame)?;
        let present = shapes.walls.iter().zip(&places).filter(|(_, place)| place.present);
        let wall =
            |(wall, place): (&jostle_h5md::record::WallShape, &jostle_analysis::WallPlace)| {
                placed(
                    &wall_corners(&shapes.shapes[wall.shape as usize], ROUND),
                    place.angle,
                    place.position,
                )
            };
        Ok(Some(Self {
            corners: slots.iter().map(of).collect(),
            angles: slots.iter().map(|&slot| angles[slot]).collect(),
            walls: present.map(wall).collect(),
        }))
    }
}

impl Snapshot {
    /// With the forces that the log has for a frame.
    ///
    /// # Errors
    /// If the file has none, or they cannot be read.
    pub fn with_forces(mut self, reading: &Reading, frame: usize) -> Result<Self, ReadError> {
        let slots = 0..reading.slots();
        let places = reading.positions(frame..frame + 1, slots.clone())?;
        let id = reading.frame_data(frame..frame + 1, slots)?.id;
        let mut place_of = std::collections::HashMap::new();
        for (slot, id) in id.iter().enumerate() {
            place_of.insert(*id, [places[[0, slot, 0]], places[[0, slot, 1]]]);
        }
        let closed = reading.periodic()?;
        for force in reading.forces(frame)? {
            let Some(&here) = place_of.get(&force.body) else { continue };
            let contact = [0, 1].map(|k| here[k] + force.arm[k]);
            let there = match force.against {
                Against::Wall(_) => contact,
                Against::Body(other) => place_of.get(&(other as i64)).map_or(contact, |there| {
                    // The short way round.
                    let shift = |k: usize| {
                        let edge = self.edges[k];
                        if closed[k] { ((here[k] - there[k]) / edge).round() * edge } else { 0.0 }
                    };
                    [there[0] + shift(0), there[1] + shift(1)]
                }),
            };
            self.forces.push(ForceLine { points: [here, contact, there], force: force.pressing() });
        }
        Ok(self)
    }

    /// Draws a body that has an outline at a place of the box \[nm\].
    pub(super) fn outline(
        &self,
        page: &mut PictureSheet,
        view: &View,
        options: &SnapshotOptions,
        body: usize,
        at: [f64; 2],
    ) {
        let Some(outlines) = &self.outlines else { return };
        let pale = if self.forces.is_empty() { 0.0 } else { PALE };
        let fill = self.colour(self.classes[body], options).mixed(Colour::WHITE, pale);
        let radius = view.scale * self.radii[body] * options.magnify;
        // An edge sets touching bodies apart; on specks it would be all that one sees.
        let edge = Stroke::solid(fill.mixed(Colour::INK, 0.45), (0.1 * radius).min(1.0));
        let corners = &outlines.corners[body];
        let place = |point: [f64; 2]| page.within(view.place(point));
        if corners.is_empty() {
            let angle = outlines.angles[body];
            let spoke = [libm::cos(angle), libm::sin(angle)]
                .map(|x| x * self.radii[body] * options.magnify);
            let spoke = vec![place(at), place([at[0] + spoke[0], at[1] + spoke[1]])];
            let rim = round([options.magnify * self.radii[body]; 2], ROUND);
            let points =
                rim.iter().map(|point| place([at[0] + point[0], at[1] + point[1]])).collect();
            shape(page, points, fill, (radius > 2.5).then_some(edge));
            if radius > 4.0 {
                line(page, &spoke, edge);
            }
            return;
        }
        let larger = |[x, y]: &[f64; 2]| [at[0] + options.magnify * x, at[1] + options.magnify * y];
        let points: Vec<[f64; 2]> = corners.iter().map(|corner| place(larger(corner))).collect();
        shape(page, points, fill, (radius > 2.5).then_some(edge));
    }

    /// Draws the walls, and over closed edges their images.
    pub(super) fn walls(&self, page: &mut PictureSheet, view: &View, options: &SnapshotOptions) {
        for wall in self.outlines.iter().flat_map(|outlines| &outlines.walls) {
            for shift in self.shifts(options) {
                let place = |point: &[f64; 2]| {
                    page.within(view.place([point[0] + shift[0], point[1] + shift[1]]))
                };
                let points = wall.iter().map(place).collect();
                shape(page, points, WALL, Some(Stroke::solid(WALL.mixed(Colour::INK, 0.3), 0.6)));
            }
        }
    }

    /// Draws the forces as lines, the wider the greater; what is widest is four times the mean, or
    /// more.
    pub(super) fn force_lines(
        &self,
        page: &mut PictureSheet,
        view: &View,
        options: &SnapshotOptions,
    ) {
        let mean =
            self.forces.iter().map(|line| line.force).sum::<f64>() / self.forces.len() as f64;
        let radius = self.radii.iter().sum::<f64>() / self.radii.len().max(1) as f64;
        let unit = (0.13 * view.scale * radius).clamp(0.35, 4.0);
        let mut lines = self.forces.clone();
        // The greatest on top.
        lines.sort_by(|a, b| a.force.total_cmp(&b.force));
        for chain in lines.iter().filter(|line| line.force > 0.0) {
            let width = (unit * chain.force / mean).min(4.0 * unit);
            for shift in self.shifts(options) {
                let place = |point: &[f64; 2]| {
                    page.within(view.place([point[0] + shift[0], point[1] + shift[1]]))
                };
                let points: Vec<[f64; 2]> = chain.points.iter().map(place).collect();
                line(page, &points, Stroke::solid(FORCE, width));
            }
        }
    }

    /// By how much what crosses closed edges is moved to show at the other one as well.
    fn shifts(&self, options: &SnapshotOptions) -> Vec<[f64; 2]> {
        let along = |k: usize| {
            let edge = self.edges[k];
            if options.periodic[k] { vec![0.0, -edge, edge] } else { vec![0.0] }
        };
        let ys = along(1);
        along(0).into_iter().flat_map(|x| ys.iter().map(move |&y| [x, y])).collect()
    }
}

/// The part of a filled, convex shape that lies within the box, with an edge.
fn shape(page: &mut PictureSheet, points: Vec<[f64; 2]>, fill: Colour, edge: Option<Stroke>) {
    let mut points = page.clipped(points);
    if points.len() < 3 {
        return;
    }
    page.sheet.polygon(points.clone(), fill);
    if let (Some(edge), Some(&first)) = (edge, points.first()) {
        points.push(first);
        page.sheet.line(points, edge);
    }
}

/// The parts of a line that lie within the box.
pub(super) fn line(page: &mut PictureSheet, points: &[[f64; 2]], stroke: Stroke) {
    for ends in points.windows(2) {
        // A segment is a very flat shape.
        let part = page.clipped(ends.to_vec());
        if part.len() >= 2 && part[0] != part[1] {
            page.sheet.line(part[..2].to_vec(), stroke);
        }
    }
}
