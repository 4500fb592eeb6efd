//! The sheet around the drawn box: title, caption, frame, scale bar and legend.

use super::super::Colour;
use super::super::sheet::{Anchor, Sheet, Stroke, text_width};
use super::super::ticks::{number, round_down};
use super::{Ball, MARGIN, Snapshot, SnapshotOptions, patches};
use jostle_files::shortened;

const TITLE: f64 = 17.0;
const SMALL: f64 = 13.0;
/// The most characters of a name in the legend.
const LONGEST_NAME: usize = 120;
/// The least radius on which patches can be told from each other.
const LEAST_PATCHED: f64 = 4.0;

/// The least radius on which light and shadow can be seen.
const LEAST_SHADED: f64 = 2.5;

/// The sheet with the drawn box, the room for the legend and the room for the scale bar.
pub(super) struct PictureSheet {
    pub(super) sheet: Sheet,
    pub(super) corner: [f64; 2],
    size: [f64; 2],
}

impl PictureSheet {
    pub(super) fn new(snapshot: &Snapshot, options: &SnapshotOptions, size: [f64; 2]) -> Self {
        let names =
            snapshot.names.iter().chain(snapshot.surfaces.iter().map(|surface| &surface.name));
        let names = names.map(|name| text_width(&shortened(name, LONGEST_NAME), SMALL));
        let legend = if options.legend { names.fold(0.0, f64::max) + 46.0 } else { 0.0 };
        let title = if options.title.is_empty() { 0.0 } else { 2.0 * TITLE };
        let corner = [MARGIN, MARGIN + title];
        let below = 44.0;
        let sheet_size =
            [corner[0] + size[0] + legend + MARGIN, corner[1] + size[1] + below + MARGIN];
        Self { sheet: Sheet::new(sheet_size, &options.title), corner, size }
    }

    /// The title above and the caption below.
    pub(super) fn words(&mut self, options: &SnapshotOptions) {
        let above = [MARGIN, MARGIN + 0.5 * TITLE];
        self.sheet.text(above, &options.title, TITLE, Anchor::Start);
        let mut caption = options.caption.clone();
        // It stands once, like the legend.
        if options.magnify != 1.0 && options.legend {
            let comma = if caption.is_empty() { "" } else { ", " };
            let times = number(options.magnify);
            caption += &format!("{comma}particles drawn at {times} × their size");
        }
        let below = self.within([self.size[0], self.size[1] + 24.0]);
        self.sheet.text(below, &caption, SMALL, Anchor::End);
    }

    pub(super) fn within(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        [self.corner[0] + x, self.corner[1] + y]
    }

    /// The part of a convex shape, or of a segment, that lies within the drawn box: what stands out
    /// would show on the picture beside it (Sutherland & Hodgman, Commun. ACM 17, 32, 1974).
    pub(super) fn clipped(&self, mut points: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
        let (low, high) = (self.corner, self.within(self.size));
        for (axis, bound, sign) in
            [(0, low[0], 1.0), (0, high[0], -1.0), (1, low[1], 1.0), (1, high[1], -1.0)]
        {
            let depth = |point: &[f64; 2]| sign * (point[axis] - bound);
            let mut kept = Vec::with_capacity(points.len() + 1);
            // A segment has one side, a shape one from each corner.
            let sides = if points.len() == 2 { 1 } else { points.len() };
            for n in 0..sides {
                let (here, next) = (points[n], points[(n + 1) % points.len()]);
                let [a, b] = [depth(&here), depth(&next)];
                let crossing = [0, 1].map(|k| here[k] + (next[k] - here[k]) * a / (a - b));
                if a >= 0.0 {
                    kept.push(here);
                }
                if (a >= 0.0) != (b >= 0.0) {
                    kept.push(crossing);
                }
                if sides == 1 && b >= 0.0 {
                    kept.push(next);
                }
            }
            points = kept;
        }
        points
    }

    pub(super) fn balls(&mut self, snapshot: &Snapshot, options: &SnapshotOptions, balls: &[Ball]) {
        for ball in balls {
            let haze = 0.6 * ball.depth.clamp(0.0, 1.0);
            let fill = snapshot.colour(ball.class, options).mixed(Colour::WHITE, haze);
            // An edge sets touching particles apart; on specks it would be all that one sees.
            let edge = (ball.radius > 2.5).then(|| {
                let width = (0.12 * ball.radius).min(1.2);
                Stroke::solid(fill.mixed(Colour::INK, 0.45), width)
            });
            let radius = ball.radius - edge.map_or(0.0, |e| 0.5 * e.width);
            self.sheet.disc(ball.at, radius, fill, edge);
            if snapshot.dimension == 3 && ball.radius > LEAST_SHADED {
                self.sheet.shade(ball.at, radius);
            }
            if ball.radius > LEAST_PATCHED {
                // The edge of the particle stays visible around them.
                let within = ball.radius - edge.map_or(0.0, |e| e.width);
                let fill = patches::colour(snapshot.colour(ball.class, options));
                let fill = fill.mixed(Colour::WHITE, haze);
                self.patches(snapshot.dimension, ball, within, fill);
            }
        }
    }

    /// Draws where the sites of a particle point, within a radius about its centre.
    fn patches(&mut self, dimension: usize, ball: &Ball, radius: f64, fill: Colour) {
        let place = |corner: [f64; 2]| [0, 1].map(|k| ball.at[k] + radius * corner[k]);
        for patch in ball.sites.iter().filter_map(|site| patches::seen(dimension, *site)) {
            self.sheet.polygon(patch.into_iter().map(place).collect(), fill);
        }
    }

    /// Wipes what stands out over the edges of the picture, and draws the box, whose opposite corners are
    /// given, as far as it is shown.
    pub(super) fn frame(&mut self, corners: [[f64; 2]; 2]) {
        let [width, height] = self.sheet.size;
        let [x0, y0] = self.corner;
        let [x1, y1] = self.within(self.size);
        // The last row and column of pixels are on the sheet only in part.
        let end = [width + 1.0, height + 1.0];
        for (from, to) in [
            ([0.0, 0.0], [end[0], y0]),
            ([0.0, y1], end),
            ([0.0, y0], [x0, y1]),
            ([x1, y0], [end[0], y1]),
        ] {
            self.sheet.rectangle(from, to, Colour::WHITE);
        }
        let rim = Stroke::solid(Colour::INK, 1.2);
        let [low, high] = corners.map(|corner| self.within(corner));
        let [left, right] = [low[0], high[0]].map(|x| x.clamp(x0, x1));
        let [lower, upper] = [low[1], high[1]].map(|y| y.clamp(y0, y1));
        let outline = [[left, lower], [right, lower], [right, upper], [left, upper], [left, lower]];
        self.sheet.line(outline.to_vec(), rim);
    }

    /// A bar of a round length, about a fifth of the box, below it on the left.
    pub(super) fn scale_bar(&mut self, scale: f64) {
        let length = round_down(0.22 * self.size[0] / scale);
        let label = match length {
            x if x >= 1e9 => format!("{} m", number(x / 1e9)),
            x if x >= 1e6 => format!("{} mm", number(x / 1e6)),
            x if x >= 1e3 => format!("{} µm", number(x / 1e3)),
            x => format!("{} nm", number(x)),
        };
        let [x, y] = [self.corner[0], self.corner[1] + self.size[1] + 24.0];
        let end = x + scale * length;
        let ink = Stroke::solid(Colour::INK, 2.0);
        self.sheet.line(vec![[x, y], [end, y]], ink);
        for x in [x, end] {
            self.sheet.line(vec![[x, y - 4.0], [x, y + 4.0]], ink);
        }
        self.sheet.text([end + 10.0, y], &label, SMALL, Anchor::Start);
    }

    pub(super) fn legend(&mut self, snapshot: &Snapshot, options: &SnapshotOptions) {
        if !options.legend {
            return;
        }
        let x = self.corner[0] + self.size[0] + 24.0;
        let line = |n: usize| self.corner[1] + 12.0 + 1.75 * SMALL * n as f64;
        for (class, name) in snapshot.names.iter().enumerate() {
            let y = line(class);
            let fill = snapshot.colour(class, options);
            let edge = Stroke::solid(fill.mixed(Colour::INK, 0.45), 0.8);
            self.sheet.disc([x, y], 5.5, fill, Some(edge));
            self.sheet.text([x + 14.0, y], &shortened(name, LONGEST_NAME), SMALL, Anchor::Start);
        }
        for (n, surface) in snapshot.surfaces.iter().enumerate() {
            let y = line(snapshot.names.len() + n);
            self.sheet
                .line(vec![[x - 6.0, y], [x + 6.0, y]], Stroke::solid(Colour::of_surface(n), 2.0));
            self.sheet.text(
                [x + 14.0, y],
                &shortened(&surface.name, LONGEST_NAME),
                SMALL,
                Anchor::Start,
            );
        }
    }
}
