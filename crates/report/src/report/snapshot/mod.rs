//! One moment of a run as a picture: disks to scale, or spheres in a box.

mod container;
mod frame;
mod outlines;
mod page;
mod patches;
mod sites;
mod strip;
mod surfaces;
mod tethers;
mod view;

use std::collections::BTreeMap;
use std::path::Path;

use super::Colour;
use super::sheet::{PictureError, Sheet, Stroke};
use super::wires::Wires;
pub use container::{ContainerNow, GrainContainer};
pub use frame::ColourBy;
pub use outlines::{ForceLine, Outlines};
pub(super) use outlines::{drawn_corners, wall_corners};
use page::PictureSheet;
pub(super) use patches::axes;
pub(super) use sites::SiteClasses;
pub use strip::draw_strip;
pub use view::Eye;
use view::{Edge, Projection, View};

/// The particles at one moment, as plain numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    /// 1, 2 or 3.
    pub dimension: usize,
    /// The edges of the box \[nm\]; the first `dimension` count.
    pub edges: [f64; 3],
    /// The centres \[particle\], \[nm\]; the first `dimension` components count.
    pub positions: Vec<[f64; 3]>,
    /// \[particle\], \[nm\]
    pub radii: Vec<f64>,
    /// What each particle is, for the colour: an index into `names`. \[particle\]
    pub classes: Vec<usize>,
    /// The classes, for the legend.
    pub names: Vec<String>,
    /// What the particles look like, if they are not all round.
    pub outlines: Option<Outlines>,
    /// Where the sites of each particle point, as vectors of length 1; empty if no site points
    /// anywhere. \[particle\]\[site\]
    pub directions: Vec<Vec<[f64; 3]>>,
    /// Lines between particles that are bonded but do not touch; those across an edge of the box in two
    /// halves. \[nm\]
    pub tethers: Vec<[[f64; 3]; 2]>,
    /// The forces that are drawn.
    pub forces: Vec<ForceLine>,
    /// What holds the balls of a granular run; otherwise the box, which does not move.
    pub container: ContainerNow,
    /// The surfaces in the box.
    pub surfaces: Vec<Wires>,
}

/// How a snapshot is drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct SnapshotOptions {
    /// Above the picture; empty for none.
    pub title: String,
    /// Below the picture, such as the time; empty for none.
    pub caption: String,
    /// The colours of the classes.
    pub palette: Palette,
    /// Other colours of some classes, by their names.
    pub colours: BTreeMap<String, Colour>,
    /// In three dimensions: from where the box is seen.
    pub eye: Eye,
    /// How many times larger than to scale particles are drawn; the caption says so unless it is 1.
    pub magnify: f64,
    /// How many times larger the middle of the box is drawn than the whole of it would be, which is then cut
    /// off at the edges of the picture.
    pub zoom: f64,
    /// In one and two dimensions: the lower and upper corner of the part of the box that is shown
    /// \[nm\]; all of it if absent.
    pub part: Option<[[f64; 2]; 2]>,
    /// Along which axes the box closes on itself: particles at an edge then show at both.
    pub periodic: [bool; 3],
    /// Whether the classes are named beside the picture.
    pub legend: bool,
}

/// The colours of classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Palette {
    /// Classes without an order, such as species: [`Colour::OKABE_ITO`].
    Distinct,
    /// Classes with an order, such as cluster sizes: the first light grey, then ever darker.
    Ordered,
}

impl Default for SnapshotOptions {
    fn default() -> Self {
        Self {
            title: String::new(),
            caption: String::new(),
            palette: Palette::Distinct,
            colours: BTreeMap::new(),
            eye: Eye::default(),
            magnify: 1.0,
            zoom: 1.0,
            part: None,
            periodic: [true; 3],
            legend: true,
        }
    }
}

/// The longer side of the drawn box, in the sheet's units.
const SPAN: f64 = 600.0;
const MARGIN: f64 = 20.0;
/// The lines of a box or a container in space.
const RIM: Stroke = Stroke::solid(Colour(150, 150, 150), 1.0);

/// A particle as it is drawn: where, how large, how far away (0 near, 1 far), and where its sites
/// point: to the right, down, and away from the eye.
struct Ball {
    at: [f64; 2],
    radius: f64,
    class: usize,
    depth: f64,
    sites: Vec<[f64; 3]>,
}

impl Snapshot {
    /// Draws the snapshot: disks in one and two dimensions; in three, spheres seen from in front
    /// and above, far ones first and paler.
    pub fn draw(&self, options: &SnapshotOptions) -> Sheet {
        if self.dimension == 3 { self.draw_box(options) } else { self.draw_plane(options) }
    }

    /// Draws the snapshot and writes it as SVG or PNG, as the file's name asks.
    ///
    /// # Errors
    /// If the name ends in neither `.svg` nor `.png`, or the file cannot be written.
    pub fn save(&self, path: &Path, options: &SnapshotOptions) -> Result<(), PictureError> {
        self.draw(options).save(path)
    }

    /// Place, radius and class of each particle.
    fn particles(&self) -> impl Iterator<Item = ([f64; 3], f64, usize)> + '_ {
        let radii = self.radii.iter().zip(&self.classes);
        let particles = self.positions.iter().zip(radii);
        particles.map(|(place, (radius, class))| (*place, *radius, *class))
    }

    /// Where the sites of a particle point.
    fn directions_of(&self, particle: usize) -> impl Iterator<Item = [f64; 3]> + '_ {
        self.directions.get(particle).into_iter().flatten().copied()
    }

    fn colour(&self, class: usize, options: &SnapshotOptions) -> Colour {
        if let Some(colour) = self.names.get(class).and_then(|name| options.colours.get(name)) {
            return *colour;
        }
        match options.palette {
            Palette::Distinct => Colour::of_class(class),
            Palette::Ordered => Colour::of_rank(class, self.names.len()),
        }
    }

    fn draw_plane(&self, options: &SnapshotOptions) -> Sheet {
        let thickness = 4.0 * self.radii.iter().fold(0.0, |a: f64, b| a.max(*b));
        let edges = match self.dimension {
            1 => [self.edges[0], thickness.max(0.02 * self.edges[0])],
            _ => [self.edges[0], self.edges[1]],
        };
        let ContainerNow { room, shift, .. } = self.container;
        let whole = [[-room[0], -room[1]], [0, 1].map(|k| edges[k] + room[k])];
        let [low, high] = options.part.unwrap_or_else(|| zoomed(whole, options.zoom));
        let view = View::new(low, high);
        let mut page =
            PictureSheet::new(self, options, [0, 1].map(|k| view.scale * (high[k] - low[k])));
        self.walls(&mut page, &view, options);
        let mut balls: Vec<Ball> = Vec::new();
        for (n, (position, radius, class)) in self.particles().enumerate() {
            let centre = match self.dimension {
                1 => [position[0], 0.5 * edges[1]],
                _ => [position[0], position[1]],
            };
            let radius = radius * options.magnify;
            for image in images(centre, radius, edges, options.periodic) {
                let reaches = |k: usize| image[k] + radius > low[k] && image[k] - radius < high[k];
                if !(reaches(0) && reaches(1)) {
                    continue;
                }
                if self.outlines.is_some() {
                    self.outline(&mut page, &view, options, n, image);
                } else {
                    // y points down on paper.
                    let seen = |[x, y, _]: [f64; 3]| [x, -y, 0.0];
                    balls.push(Ball {
                        at: page.within(view.place(image)),
                        radius: view.scale * radius,
                        class,
                        depth: 0.0,
                        sites: self.directions_of(n).map(seen).collect(),
                    });
                }
            }
        }
        self.flat_tethers(&mut page, &view, 0.5 * edges[1]);
        page.balls(self, options, &balls);
        self.flat_surfaces(&mut page, &view, edges[1]);
        self.force_lines(&mut page, &view, options);
        let corners = [0, 1].map(|end| [0, 1].map(|k| shift[end][k] + end as f64 * edges[k]));
        page.frame(corners.map(|corner| view.place(corner)));
        page.words(options);
        page.scale_bar(view.scale);
        page.legend(self, options);
        page.sheet
    }

    fn draw_box(&self, options: &SnapshotOptions) -> Sheet {
        let projection =
            Projection::of(self.edges, self.container.room, options.eye).zoomed(options.zoom);
        let mut page = PictureSheet::new(self, options, projection.size);
        // The lines of other walls are drawn among the balls.
        let is_box = self.container.walls.is_empty();
        let (behind, in_front) = if is_box { projection.box_edges() } else { Default::default() };
        let lines = |page: &mut PictureSheet, edges: Vec<Edge>| {
            for edge in edges {
                let corners = edge.map(|corner| self.shifted(corner));
                let points = corners.map(|corner| page.within(projection.place(corner)));
                page.sheet.line(points.to_vec(), RIM);
            }
        };
        lines(&mut page, behind);
        let ball = |(n, (position, radius, class))| Ball {
            at: page.within(projection.place(position)),
            radius: projection.scale * radius * options.magnify,
            class,
            depth: projection.depth(position),
            sites: self.directions_of(n).map(|direction| projection.seen(direction)).collect(),
        };
        let is_seen = |ball: &Ball| {
            let low = page.corner;
            let high = page.within(projection.size);
            (0..2).all(|k| (low[k] - ball.radius..high[k] + ball.radius).contains(&ball.at[k]))
        };
        let mut balls: Vec<Ball> = self.particles().enumerate().map(ball).filter(is_seen).collect();
        balls.sort_by(|a, b| b.depth.total_cmp(&a.depth));
        self.balls_and_lines(&mut page, &projection, options, &balls);
        lines(&mut page, in_front);
        if options.zoom != 1.0 {
            page.frame([[0.0; 2], projection.size]);
        }
        page.words(options);
        page.scale_bar(projection.scale);
        page.legend(self, options);
        page.sheet
    }
}

impl Snapshot {
    /// A point of the container at its mean place, where it is now: its lower half moves with its
    /// lower walls.
    fn shifted(&self, point: [f64; 3]) -> [f64; 3] {
        let end = |k: usize| usize::from(point[k] > 0.5 * self.edges[k]);
        [0, 1, 2].map(|k| point[k] + self.container.shift[end(k)][k])
    }
}

/// The part of the plane that is seen when this part is magnified about its middle.
fn zoomed([low, high]: [[f64; 2]; 2], zoom: f64) -> [[f64; 2]; 2] {
    let end = |sign: f64| {
        [0, 1].map(|k| 0.5 * (low[k] + high[k]) + sign * 0.5 * (high[k] - low[k]) / zoom)
    };
    [end(-1.0), end(1.0)]
}

/// The places at which a particle shows: its own and, over periodic edges, its images.
fn images(
    centre: [f64; 2],
    radius: f64,
    edges: [f64; 2],
    periodic: [bool; 3],
) -> impl Iterator<Item = [f64; 2]> {
    let shifts = [0, 1].map(|k| {
        let mut shifts = vec![0.0];
        if periodic[k] && centre[k] < radius {
            shifts.push(edges[k]);
        }
        if periodic[k] && centre[k] > edges[k] - radius {
            shifts.push(-edges[k]);
        }
        shifts
    });
    let [xs, ys] = shifts;
    xs.into_iter().flat_map(move |dx| {
        let shifted = move |dy: f64| [centre[0] + dx, centre[1] + dy];
        ys.clone().into_iter().map(shifted)
    })
}

#[cfg(test)]
mod tests {
    use super::super::raster;
    use super::super::sheet::Shape;
    use super::*;

    fn two_particles(dimension: usize) -> Snapshot {
        Snapshot {
            dimension,
            edges: [100.0; 3],
            positions: vec![[20.0, 30.0, 40.0], [99.0, 50.0, 50.0]],
            radii: vec![5.0, 2.0],
            classes: vec![0, 1],
            names: vec!["monomer".into(), "dimer".into()],
            outlines: None,
            directions: Vec::new(),
            tethers: Vec::new(),
            forces: Vec::new(),
            surfaces: Vec::new(),
            container: ContainerNow::default(),
        }
    }

    fn discs(sheet: &Sheet) -> Vec<([f64; 2], f64)> {
        let shapes = sheet.shapes.iter();
        shapes
            .filter_map(|s| match s {
                Shape::Disc { centre, radius, .. } => Some((*centre, *radius)),
                _ => None,
            })
            .collect()
    }

    #[test]
    fn particles_at_a_periodic_edge_show_at_both_and_the_legend_names_all_classes() {
        let snapshot = two_particles(2);
        let mut options = SnapshotOptions::default();
        // 1 + 2 particles and 2 in the legend
        assert_eq!(discs(&snapshot.draw(&options)).len(), 5);
        options.periodic = [false; 3];
        let sheet = snapshot.draw(&options);
        assert_eq!(discs(&sheet).len(), 4);
        let svg = sheet.to_svg();
        assert!(svg.contains("monomer") && svg.contains("dimer") && svg.contains("20 nm"));
    }

    #[test]
    fn a_shaken_box_is_drawn_where_it_is() {
        let mut snapshot = two_particles(2);
        snapshot.container = ContainerNow {
            room: [0.0, 10.0, 0.0],
            shift: [[0.0, -4.0, 0.0]; 2],
            walls: Vec::new(),
        };
        let options = SnapshotOptions { legend: false, ..SnapshotOptions::default() };
        let outline = |sheet: &Sheet| {
            let lines = sheet.shapes.iter().filter_map(|shape| match shape {
                Shape::Line { points, .. } if points.len() == 5 => Some(points.clone()),
                _ => None,
            });
            lines.collect::<Vec<_>>().remove(0)
        };
        // 120 nm high, of which the box is 100, from 6 to 106 nm.
        let scale = SPAN / 120.0;
        let corners = outline(&snapshot.draw(&options));
        let height = (corners[0][1] - corners[2][1]).abs();
        let below = MARGIN + SPAN - corners[0][1].max(corners[2][1]);
        assert!((height - 100.0 * scale).abs() < 1e-9, "{corners:?}");
        assert!((below - 6.0 * scale).abs() < 1e-9, "{corners:?}");
        assert!(discs(&snapshot.draw(&options)).iter().all(|(_, radius)| *radius < 5.01 * scale));
    }

    #[test]
    fn outlines_are_turned_and_end_at_the_edge() {
        let mut snapshot = two_particles(2);
        let square = vec![[-4.0, -4.0], [4.0, -4.0], [4.0, 4.0], [-4.0, 4.0]];
        snapshot.outlines = Some(Outlines {
            corners: vec![square.clone(), square],
            angles: vec![0.0; 2],
            walls: vec![vec![[-50.0, 0.0], [150.0, 0.0], [150.0, 5.0], [-50.0, 5.0]]],
        });
        snapshot.radii = vec![32f64.sqrt(); 2];
        snapshot.forces =
            vec![ForceLine { points: [[20.0, 30.0], [20.0, 26.0], [20.0, 26.0]], force: 1.0 }];
        let options =
            SnapshotOptions { periodic: [false; 3], legend: false, ..SnapshotOptions::default() };
        let sheet = snapshot.draw(&options);
        let [low, high] = [MARGIN, MARGIN + SPAN];
        let polygons: Vec<&Vec<[f64; 2]>> = (sheet.shapes.iter())
            .filter_map(|shape| match shape {
                Shape::Polygon { points, .. } => Some(points),
                _ => None,
            })
            .collect();
        // The wall and the second particle stand out, and are cut.
        for points in &polygons[..3] {
            for [x, y] in *points {
                assert!(
                    (low..=high + 1e-9).contains(x) && (low..=high + 1e-9).contains(y),
                    "{points:?}"
                );
            }
        }
        // y points down on paper.
        let place = |x: f64, y: f64| [low + 6.0 * x, low + 6.0 * (100.0 - y)];
        assert_eq!(
            polygons[1],
            &[place(16.0, 26.0), place(24.0, 26.0), place(24.0, 34.0), place(16.0, 34.0)]
        );
        let ends = (sheet.shapes.iter()).any(|shape| match shape {
            Shape::Line { points, .. } => points == &[place(20.0, 30.0), place(20.0, 26.0)],
            _ => false,
        });
        assert!(ends, "the force is drawn from the centre to the wall");
    }

    #[test]
    fn disks_are_to_scale_and_y_points_up() {
        let sheet = two_particles(2).draw(&SnapshotOptions::default());
        let (centre, radius) = discs(&sheet)[0];
        assert!((radius - 30.0).abs() < 1.0, "{radius}");
        assert_eq!(centre, [MARGIN + 120.0, MARGIN + 420.0]);
    }

    /// The colour of a place on a sheet.
    fn pixel(sheet: &Sheet, [x, y]: [f64; 2]) -> Colour {
        let bytes = std::io::Cursor::new(raster::png(sheet, 1.0).unwrap());
        let mut picture = png::Decoder::new(bytes).read_info().unwrap();
        let mut pixels = vec![0; picture.output_buffer_size()];
        let row = picture.next_frame(&mut pixels).unwrap().line_size;
        let at = y as usize * row + 3 * x as usize;
        Colour(pixels[at], pixels[at + 1], pixels[at + 2])
    }

    #[test]
    fn sites_in_the_plane_show_as_patches_where_they_point() {
        let mut snapshot = two_particles(2);
        snapshot.directions = vec![vec![[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]], Vec::new()];
        let sheet = snapshot.draw(&SnapshotOptions::default());
        let fill = Colour::of_class(0);
        // The radius is 30; y points down on paper.
        let [x, y] = [MARGIN + 120.0, MARGIN + 420.0];
        let patch = patches::colour(fill);
        for (dx, dy, expected) in [
            (0.0, 0.0, fill),
            (0.0, -24.0, patch),
            (-24.0, 0.0, patch),
            (0.0, 24.0, fill),
            (24.0, 0.0, fill),
        ] {
            assert_eq!(pixel(&sheet, [x + dx, y + dy]), expected, "{dx}, {dy}");
        }
    }

    #[test]
    fn sites_in_space_show_if_they_point_to_the_front() {
        let mut snapshot = two_particles(3);
        let eye = Projection::of(snapshot.edges, [0.0; 3], Eye::default()).seen([0.0, -1.0, 0.0]);
        assert!(eye[2] < 0.0, "the front is the side towards lower y");
        let mut colours = |direction: [f64; 3]| {
            snapshot.directions = vec![vec![direction], Vec::new()];
            let sheet = snapshot.draw(&SnapshotOptions::default());
            let all = discs(&sheet).into_iter();
            let ([x, y], radius) = all.max_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
            let at = |k: usize| eye[k] * radius * 0.9;
            [pixel(&sheet, [x + at(0), y + at(1)]), pixel(&sheet, [x - at(0), y - at(1)])]
        };
        let [front, elsewhere] = colours([0.0, -1.0, 0.0]);
        // The light falls unevenly, so that each place is compared with itself.
        let hidden = colours([0.0, 1.0, 0.0]);
        assert_ne!(front, hidden[0]);
        assert_eq!(elsewhere, hidden[1]);
    }

    #[test]
    fn far_spheres_are_drawn_first() {
        let mut snapshot = two_particles(3);
        snapshot.positions = vec![[50.0, 1.0, 50.0], [50.0, 99.0, 50.0]];
        let drawn = discs(&snapshot.draw(&SnapshotOptions::default()));
        let (far, near) = (drawn[0].1, drawn[1].1);
        assert!(far < near, "the small far one comes first: {drawn:?}");
    }

    #[test]
    fn a_part_shows_only_what_is_in_it() {
        let options = SnapshotOptions {
            part: Some([[0.0, 0.0], [40.0, 40.0]]),
            ..SnapshotOptions::default()
        };
        assert_eq!(discs(&two_particles(2).draw(&options)).len(), 3);
    }
}
