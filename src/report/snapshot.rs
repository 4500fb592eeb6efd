//! One moment of a run as a picture: disks to scale, or spheres in a box.

use std::path::Path;

use super::Colour;
use super::sheet::{Anchor, PictureError, Sheet, Stroke, text_width};
use super::ticks::{number, round_down};

/// The bodies at one moment, as plain numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    /// 1, 2 or 3.
    pub dimension: usize,
    /// The edges of the box \[nm\]; the first `dimension` count.
    pub edges: [f64; 3],
    /// The centres \[body\], \[nm\]; the first `dimension` components count.
    pub positions: Vec<[f64; 3]>,
    /// \[body\], \[nm\]
    pub radii: Vec<f64>,
    /// What each body is, for the colour: an index into `names`. \[body\]
    pub classes: Vec<usize>,
    /// The classes, for the legend.
    pub names: Vec<String>,
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
    /// How many times larger than to scale bodies are drawn; the caption says so unless it is 1.
    pub magnify: f64,
    /// In one and two dimensions: the lower and upper corner of the part of the box that is shown
    /// \[nm\]; all of it if absent.
    pub part: Option<[[f64; 2]; 2]>,
    /// Along which axes the box closes on itself: bodies at an edge then show at both.
    pub periodic: [bool; 3],
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
            magnify: 1.0,
            part: None,
            periodic: [true; 3],
        }
    }
}

/// The longer side of the drawn box, in the sheet's units.
const SPAN: f64 = 600.0;
const MARGIN: f64 = 20.0;
const TITLE: f64 = 17.0;
const SMALL: f64 = 13.0;

/// A body as it is drawn: where, how large, and how far away (0 near, 1 far).
struct Ball {
    at: [f64; 2],
    radius: f64,
    class: usize,
    depth: f64,
}

impl Snapshot {
    /// Draws the snapshot: disks in one and two dimensions; in three, spheres seen from in front
    /// and above, far ones first and paler.
    pub fn draw(&self, options: &SnapshotOptions) -> Sheet {
        if self.dimension == 3 {
            self.draw_box(options)
        } else {
            self.draw_plane(options)
        }
    }

    /// Draws the snapshot and writes it as SVG or PNG, as the file's name asks.
    ///
    /// # Errors
    /// If the name ends in neither `.svg` nor `.png`, or the file cannot be written.
    pub fn save(&self, path: &Path, options: &SnapshotOptions) -> Result<(), PictureError> {
        self.draw(options).save(path)
    }

    /// Place, radius and class of each body.
    fn bodies(&self) -> impl Iterator<Item = ([f64; 3], f64, usize)> + '_ {
        let radii = self.radii.iter().zip(&self.classes);
        let bodies = self.positions.iter().zip(radii);
        bodies.map(|(place, (radius, class))| (*place, *radius, *class))
    }

    fn colour(&self, class: usize, options: &SnapshotOptions) -> Colour {
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
        let [low, high] = options.part.unwrap_or([[0.0, 0.0], edges]);
        let view = View::new(low, high);
        let mut page = Page::new(
            self,
            options,
            [0, 1].map(|k| view.scale * (high[k] - low[k])),
        );
        let mut balls: Vec<Ball> = Vec::new();
        for (position, radius, class) in self.bodies() {
            let centre = match self.dimension {
                1 => [position[0], 0.5 * edges[1]],
                _ => [position[0], position[1]],
            };
            let radius = radius * options.magnify;
            for image in images(centre, radius, edges, options.periodic) {
                let reaches = |k: usize| image[k] + radius > low[k] && image[k] - radius < high[k];
                if reaches(0) && reaches(1) {
                    balls.push(Ball {
                        at: page.within(view.place(image)),
                        radius: view.scale * radius,
                        class,
                        depth: 0.0,
                    });
                }
            }
        }
        page.balls(self, options, &balls);
        page.frame();
        page.words(options);
        page.scale_bar(view.scale);
        page.legend(self, options);
        page.sheet
    }

    fn draw_box(&self, options: &SnapshotOptions) -> Sheet {
        let projection = Projection::of(self.edges);
        let mut page = Page::new(self, options, projection.size);
        let (behind, in_front) = projection.box_edges();
        let rim = Stroke::solid(Colour(150, 150, 150), 1.0);
        let lines = |page: &mut Page, edges: Vec<[[f64; 3]; 2]>| {
            for edge in edges {
                let points = edge.map(|corner| page.within(projection.place(corner)));
                page.sheet.line(points.to_vec(), rim);
            }
        };
        lines(&mut page, behind);
        let ball = |(position, radius, class)| Ball {
            at: page.within(projection.place(position)),
            radius: projection.scale * radius * options.magnify,
            class,
            depth: projection.depth(position),
        };
        let mut balls: Vec<Ball> = self.bodies().map(ball).collect();
        balls.sort_by(|a, b| b.depth.total_cmp(&a.depth));
        page.balls(self, options, &balls);
        lines(&mut page, in_front);
        page.words(options);
        page.scale_bar(projection.scale);
        page.legend(self, options);
        page.sheet
    }
}

/// The places at which a body shows: its own and, over periodic edges, its images.
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

/// A part of the plane, y upwards, seen from above.
struct View {
    low: [f64; 2],
    high: [f64; 2],
    scale: f64,
}

impl View {
    fn new(low: [f64; 2], high: [f64; 2]) -> Self {
        let longest = f64::max(high[0] - low[0], high[1] - low[1]);
        Self {
            low,
            high,
            scale: SPAN / longest,
        }
    }

    fn place(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        [
            self.scale * (x - self.low[0]),
            self.scale * (self.high[1] - y),
        ]
    }
}

/// A box seen from in front, from the right and from above, without perspective.
struct Projection {
    edges: [f64; 3],
    scale: f64,
    low: [f64; 2],
    size: [f64; 2],
}

/// Unit vectors of the picture: to the right, down, and away from the eye, for an eye that looks
/// along the box turned by 28 degrees and 18 degrees from above.
const RIGHT: [f64; 3] = [0.882_948, 0.469_472, 0.0];
const DOWN: [f64; 3] = [0.145_075, -0.272_846, -0.951_057];
const AWAY: [f64; 3] = [-0.446_494, 0.839_733, -0.309_017];

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

impl Projection {
    fn of(edges: [f64; 3]) -> Self {
        let flat: Vec<[f64; 2]> = corners(edges)
            .map(|c| [dot(RIGHT, c), dot(DOWN, c)])
            .collect();
        let least = |k: usize| flat.iter().map(|p| p[k]).fold(f64::INFINITY, f64::min);
        let most = |k: usize| flat.iter().map(|p| p[k]).fold(f64::NEG_INFINITY, f64::max);
        let low = [least(0), least(1)];
        let span = [most(0) - low[0], most(1) - low[1]];
        let scale = SPAN / span[0].max(span[1]);
        Self {
            edges,
            scale,
            low,
            size: span.map(|s| scale * s),
        }
    }

    fn place(&self, p: [f64; 3]) -> [f64; 2] {
        [
            self.scale * (dot(RIGHT, p) - self.low[0]),
            self.scale * (dot(DOWN, p) - self.low[1]),
        ]
    }

    /// 0 at the corner nearest to the eye, 1 at the farthest.
    fn depth(&self, p: [f64; 3]) -> f64 {
        let far = |c| dot(AWAY, c);
        let least = corners(self.edges).map(far).fold(f64::INFINITY, f64::min);
        let most = corners(self.edges)
            .map(far)
            .fold(f64::NEG_INFINITY, f64::max);
        (far(p) - least) / (most - least)
    }

    /// The edges of the box: the three that meet at the farthest corner, and the others.
    fn box_edges(&self) -> (Vec<[[f64; 3]; 2]>, Vec<[[f64; 3]; 2]>) {
        let all: Vec<[f64; 3]> = corners(self.edges).collect();
        let pairs = (0..8usize).flat_map(|a| (0..3).map(move |k| (a, a | 1 << k)));
        let edges = pairs.filter(|(a, b)| a != b).map(|(a, b)| [all[a], all[b]]);
        edges.partition(|edge| edge.iter().any(|c| self.depth(*c) == 1.0))
    }
}

/// The corners of a box; bit k of a corner's number tells its side along axis k.
fn corners(edges: [f64; 3]) -> impl Iterator<Item = [f64; 3]> {
    (0..8).map(move |n| [0, 1, 2].map(|k| if n >> k & 1 == 1 { edges[k] } else { 0.0 }))
}

/// The sheet with the drawn box, the room for the legend and the room for the scale bar.
struct Page {
    sheet: Sheet,
    corner: [f64; 2],
    size: [f64; 2],
}

impl Page {
    fn new(snapshot: &Snapshot, options: &SnapshotOptions, size: [f64; 2]) -> Self {
        let names = snapshot.names.iter().map(|name| text_width(name, SMALL));
        let legend = names.fold(0.0, f64::max) + 46.0;
        let title = if options.title.is_empty() {
            0.0
        } else {
            2.0 * TITLE
        };
        let corner = [MARGIN, MARGIN + title];
        let below = 44.0;
        let sheet_size = [
            corner[0] + size[0] + legend + MARGIN,
            corner[1] + size[1] + below + MARGIN,
        ];
        Self {
            sheet: Sheet::new(sheet_size, &options.title),
            corner,
            size,
        }
    }

    /// The title above and the caption below.
    fn words(&mut self, options: &SnapshotOptions) {
        let above = [MARGIN, MARGIN + 0.5 * TITLE];
        self.sheet.text(above, &options.title, TITLE, Anchor::Start);
        let mut caption = options.caption.clone();
        if options.magnify != 1.0 {
            let comma = if caption.is_empty() { "" } else { ", " };
            let times = number(options.magnify);
            caption += &format!("{comma}bodies drawn at {times} × their size");
        }
        let below = self.within([self.size[0], self.size[1] + 24.0]);
        self.sheet.text(below, &caption, SMALL, Anchor::End);
    }

    fn within(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        [self.corner[0] + x, self.corner[1] + y]
    }

    fn balls(&mut self, snapshot: &Snapshot, options: &SnapshotOptions, balls: &[Ball]) {
        for ball in balls {
            let haze = 0.6 * ball.depth.clamp(0.0, 1.0);
            let fill = snapshot
                .colour(ball.class, options)
                .mixed(Colour::WHITE, haze);
            // An edge sets touching bodies apart; on specks it would be all that one sees.
            let edge = (ball.radius > 2.5).then(|| {
                let width = (0.12 * ball.radius).min(1.2);
                Stroke::solid(fill.mixed(Colour::INK, 0.45), width)
            });
            let radius = ball.radius - edge.map_or(0.0, |e| 0.5 * e.width);
            self.sheet.disc(ball.at, radius, fill, edge);
        }
    }

    /// Wipes what stands out over the edges of the box, and draws them.
    fn frame(&mut self) {
        let [width, height] = self.sheet.size;
        let [x0, y0] = self.corner;
        let [x1, y1] = self.within(self.size);
        for (from, to) in [
            ([0.0, 0.0], [width, y0]),
            ([0.0, y1], [width, height]),
            ([0.0, y0], [x0, y1]),
            ([x1, y0], [width, y1]),
        ] {
            self.sheet.rectangle(from, to, Colour::WHITE);
        }
        let rim = Stroke::solid(Colour::INK, 1.2);
        self.sheet
            .line(vec![[x0, y0], [x1, y0], [x1, y1], [x0, y1], [x0, y0]], rim);
    }

    /// A bar of a round length, about a fifth of the box, below it on the left.
    fn scale_bar(&mut self, scale: f64) {
        let length = round_down(0.22 * self.size[0] / scale);
        let label = if length >= 1000.0 {
            format!("{} µm", number(length / 1000.0))
        } else {
            format!("{} nm", number(length))
        };
        let [x, y] = [self.corner[0], self.corner[1] + self.size[1] + 24.0];
        let end = x + scale * length;
        let ink = Stroke::solid(Colour::INK, 2.0);
        self.sheet.line(vec![[x, y], [end, y]], ink);
        for x in [x, end] {
            self.sheet.line(vec![[x, y - 4.0], [x, y + 4.0]], ink);
        }
        self.sheet
            .text([end + 10.0, y], &label, SMALL, Anchor::Start);
    }

    fn legend(&mut self, snapshot: &Snapshot, options: &SnapshotOptions) {
        for (class, name) in snapshot.names.iter().enumerate() {
            let x = self.corner[0] + self.size[0] + 24.0;
            let y = self.corner[1] + 12.0 + 1.75 * SMALL * class as f64;
            let fill = snapshot.colour(class, options);
            let edge = Stroke::solid(fill.mixed(Colour::INK, 0.45), 0.8);
            self.sheet.disc([x, y], 5.5, fill, Some(edge));
            self.sheet.text([x + 14.0, y], name, SMALL, Anchor::Start);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::sheet::Shape;
    use super::*;

    fn two_bodies(dimension: usize) -> Snapshot {
        Snapshot {
            dimension,
            edges: [100.0; 3],
            positions: vec![[20.0, 30.0, 40.0], [99.0, 50.0, 50.0]],
            radii: vec![5.0, 2.0],
            classes: vec![0, 1],
            names: vec!["monomer".into(), "dimer".into()],
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
    fn bodies_at_a_periodic_edge_show_at_both_and_the_legend_names_all_classes() {
        let snapshot = two_bodies(2);
        let mut options = SnapshotOptions::default();
        // 1 + 2 bodies and 2 in the legend
        assert_eq!(discs(&snapshot.draw(&options)).len(), 5);
        options.periodic = [false; 3];
        let sheet = snapshot.draw(&options);
        assert_eq!(discs(&sheet).len(), 4);
        let svg = sheet.to_svg();
        assert!(svg.contains("monomer") && svg.contains("dimer") && svg.contains("20 nm"));
    }

    #[test]
    fn disks_are_to_scale_and_y_points_up() {
        let sheet = two_bodies(2).draw(&SnapshotOptions::default());
        let (centre, radius) = discs(&sheet)[0];
        assert!((radius - 30.0).abs() < 1.0, "{radius}");
        assert_eq!(centre, [MARGIN + 120.0, MARGIN + 420.0]);
    }

    #[test]
    fn a_box_is_seen_from_above_and_not_distorted() {
        // From above: what is higher is nearer and stands higher in the picture; what is farther on
        // the ground stands higher as well.
        let higher = [0.0, 0.0, 1.0];
        let behind = [AWAY[0], AWAY[1], 0.0];
        assert!(dot(AWAY, higher) < 0.0 && dot(DOWN, higher) < 0.0 && dot(DOWN, behind) < 0.0);
        for (a, b, product) in [
            (RIGHT, RIGHT, 1.0),
            (DOWN, DOWN, 1.0),
            (AWAY, AWAY, 1.0),
            (RIGHT, DOWN, 0.0),
            (RIGHT, AWAY, 0.0),
            (DOWN, AWAY, 0.0),
        ] {
            assert!((dot(a, b) - product).abs() < 1e-5, "{a:?} {b:?}");
        }
    }

    #[test]
    fn far_spheres_are_drawn_first() {
        let mut snapshot = two_bodies(3);
        snapshot.positions = vec![[50.0, 1.0, 50.0], [50.0, 99.0, 50.0]];
        let drawn = discs(&snapshot.draw(&SnapshotOptions::default()));
        let (far, near) = (drawn[0].1, drawn[1].1);
        assert!(far < near, "the small far one comes first: {drawn:?}");
        let (behind, in_front) = Projection::of([10.0, 20.0, 30.0]).box_edges();
        assert_eq!((behind.len(), in_front.len()), (3, 9));
    }

    #[test]
    fn a_part_shows_only_what_is_in_it() {
        let options = SnapshotOptions {
            part: Some([[0.0, 0.0], [40.0, 40.0]]),
            ..SnapshotOptions::default()
        };
        assert_eq!(discs(&two_bodies(2).draw(&options)).len(), 3);
    }
}
