//! Boxes that close on themselves: a triangulation of the torus, without an outside.
//!
//! Two sites are seen from each other where they are nearest, so every edge has to be shorter than
//! half the torus along each axis. A box that is not wide enough for that is put beside itself, two
//! or three times, and each particle has as many sites. Three are always enough: no edge of a power
//! triangulation is longer than a period along any axis, since an image of one end would be nearer.
//! (Caroli and Teillaud 2016 do the same with Delaunay triangulations.) Where there are so few
//! particles that looking at all of them costs less than keeping their images, there is no
//! triangulation, and all pairs are neighbours.
//!
//! An axis that ends in walls is closed as well, behind a gap.

use super::super::closed::ClosedBox;
use super::build::triangulate;
use super::frame::Frame;
use super::grid::{Spot, on_grid, volume};
use super::mesh::TetrahedronMesh;
use jostle_core::space::{Flight, Flights, Vector, to_whole};

/// An edge along an axis that is not doubled may be so long when the triangulation is made, when it
/// is time to make another, and never so long. \[part of the torus\]
const WIDE: f64 = 0.42;
const TOO_WIDE: f64 = 0.47;
const MUCH_TOO_WIDE: f64 = 0.48;

/// The torus, and how particles become sites of it.
#[derive(Clone, Debug)]
pub(super) struct Torus {
    particles: u32,
    /// The box, with gaps behind walls.
    closed: ClosedBox<3>,
    /// How often the box is put beside itself.
    copies: [u32; 3],
    /// The paths that are known, and how many periods behind particles are by them: with several
    /// boxes it matters through which a particle flies. \[particle\]
    known: Vec<(Flight<3>, [u32; 3])>,
}

impl Torus {
    /// The torus of a box with the particles as they are.
    pub(super) fn around(flights: &Flights<'_, 3>, now: f64) -> Self {
        Self {
            particles: flights.len() as u32,
            closed: ClosedBox::around(flights, now),
            copies: [1; 3],
            known: Vec::new(),
        }
    }

    /// How many sites there are.
    pub(super) fn sites(&self) -> u32 {
        self.particles * self.copies.iter().product::<u32>()
    }

    /// The particle that a site stands for, and how many periods away.
    #[inline]
    pub(super) fn particle(&self, site: u32) -> (u32, [u32; 3]) {
        let mut copy = site / self.particles;
        let mut periods = [0; 3];
        for (period, count) in periods.iter_mut().zip(self.copies) {
            (copy, *period) = (copy / count, copy % count);
        }
        (site % self.particles, periods)
    }

    /// Memory held. \[bytes\]
    pub(super) fn bytes(&self) -> usize {
        self.known.capacity() * size_of::<(Flight<3>, [u32; 3])>()
    }

    /// Where a site is if its particle is at `place`.
    #[inline]
    pub(super) fn at(&self, site: u32, place: Vector<3>) -> Vector<3> {
        if self.copies == [1; 3] {
            return place;
        }
        let (i, periods) = self.particle(site);
        let behind = self.known[i as usize].1;
        Vector::from_fn(|k| {
            place[k] + f64::from((periods[k] + behind[k]) % self.copies[k]) * self.closed.periods[k]
        })
    }

    /// Takes up a new path of `i`, which may have gone back by whole periods.
    pub(super) fn takes(&mut self, i: u32, flights: &Flights<'_, 3>, now: f64) {
        if self.copies == [1; 3] {
            return;
        }
        let (path, behind) = &mut self.known[i as usize];
        let was = path.at(now, flights.acceleration);
        let turns = self.closed.turns_back(was, flights.at(i, now));
        for k in 0..3 {
            let periods = turns[k] + i64::from(behind[k]);
            behind[k] = periods.rem_euclid(i64::from(self.copies[k])) as u32;
        }
        *path = flights.all[i as usize];
    }

    /// The edges of the torus. \[length\]
    #[inline]
    pub(super) fn edges(&self) -> [f64; 3] {
        std::array::from_fn(|k| self.closed.periods[k] * f64::from(self.copies[k]))
    }

    /// The shortest of the vectors that differ from `separation` by whole turns.
    #[inline]
    pub(super) fn nearest(&self, separation: Vector<3>) -> Vector<3> {
        let edges = self.edges();
        Vector::from_fn(|k| separation[k] - edges[k] * to_whole(separation[k] / edges[k]))
    }

    /// Whether a torus with more of the box would do where this one does not; then it is that one.
    pub(super) fn widen(&mut self, axes: [bool; 3]) -> bool {
        let narrow = |k: &usize| axes[*k] && self.copies[*k] < 3;
        let narrow: Vec<usize> = (0..3).filter(narrow).collect();
        narrow.iter().for_each(|&k| self.copies[k] += 1);
        !narrow.is_empty()
    }

    /// Whether of two neighbours no image but the nearest can be met before they are announced
    /// again.
    pub(super) fn tells_images_apart(&self) -> bool {
        (0..3).all(|k| self.closed.walls[k] || self.copies[k] == 1)
    }

    /// Whether a particle is where the gaps allow.
    #[inline]
    pub(super) fn holds(&self, place: Vector<3>) -> bool {
        self.closed.holds(place)
    }

    /// How much longer than this part of an edge of the torus ranges are; nothing along axes with
    /// three boxes.
    fn excess(&self, ranges: [f64; 3], part: f64) -> [Option<f64>; 3] {
        let edges = self.edges();
        std::array::from_fn(|k| (self.copies[k] < 3).then(|| ranges[k] - part * edges[k]))
    }

    /// Whether edges with these ranges are too long by now.
    pub(super) fn is_too_narrow(&self, ranges: [f64; 3]) -> bool {
        self.excess(ranges, TOO_WIDE).into_iter().flatten().any(|excess| excess >= 0.0)
    }

    /// How long no edge gets too long, if ranges grow at such rates.
    pub(super) fn lasts(&self, ranges: [f64; 3], rates: [f64; 3]) -> f64 {
        let excess = self.excess(ranges, MUCH_TOO_WIDE);
        (0..3).fold(f64::INFINITY, |wait, k| match excess[k] {
            Some(excess) if rates[k] > 0.0 => wait.min((-excess / rates[k]).max(0.0)),
            _ => wait,
        })
    }

    /// The triangulation, on as many boxes as it takes, each with no fewer than `few` particles; one
    /// without tetrahedra if there is none, as where particles overlap.
    pub(super) fn triangulate(
        &mut self,
        few: u32,
        flights: &Flights<'_, 3>,
        now: f64,
    ) -> TetrahedronMesh {
        while self.particles > 0 {
            match self.try_to(flights, now) {
                Ok(mesh) => return mesh,
                Err(axes) => {
                    let is_wider = self.widen(axes) || self.widen([true; 3]);
                    if !is_wider || self.particles < few * self.copies.iter().product::<u32>() {
                        break;
                    }
                    self.known = flights.all.iter().map(|flight| (*flight, [0; 3])).collect();
                }
            }
        }
        (self.copies, self.known) = ([1; 3], Vec::new());
        TetrahedronMesh::none(self.particles)
    }

    /// The triangulation, or the axes along which the torus is not wide enough.
    fn try_to(&self, flights: &Flights<'_, 3>, now: f64) -> Result<TetrahedronMesh, [bool; 3]> {
        let edges = self.edges();
        let sites: Vec<_> = (0..self.sites())
            .map(|site| {
                let (i, _) = self.particle(site);
                let place = self.at(site, flights.at(i, now)) - Vector(self.closed.low);
                let inside = |k: usize| place[k] - edges[k] * (place[k] / edges[k]).floor();
                (Vector::from_fn(inside), flights.all[i as usize].radius)
            })
            .collect();
        let spacing = edges.iter().product::<f64>() / sites.len() as f64;
        let mut margin = 3.0 * libm::cbrt(spacing) + 2.0 * flights.largest_radius();
        loop {
            let margins = edges.map(|edge| margin.min(0.65 * edge));
            match Cover::new(&sites, edges, margins).triangulation(&sites, self) {
                Err(Unfit::Open) if (0..3).any(|k| margins[k] < 0.65 * edges[k]) => margin *= 1.6,
                Err(Unfit::Open) => return Err([true; 3]),
                Err(Unfit::Narrow(axes)) => return Err(axes),
                Ok(mesh) => return Ok(mesh),
            }
        }
    }
}

/// Why there is no triangulation of the torus.
enum Unfit {
    /// Tetrahedra do not fit together: more images are needed, or a wider torus.
    Open,
    /// Edges are too long along these axes.
    Narrow([bool; 3]),
}

/// The sites and all their images near the torus, on a grid in which turns are exact.
struct Cover {
    spots: Vec<Spot>,
    /// The site of each, and how many turns away along each axis.
    images: Vec<(u32, [i64; 3])>,
    /// The edges of the torus on the grid.
    turns: [i64; 3],
}

impl Cover {
    fn new(sites: &[(Vector<3>, f64)], edges: [f64; 3], margins: [f64; 3]) -> Self {
        let corners = Frame::corners_around(Vector(edges) * 0.5, 4.0 * Vector(edges).norm());
        let marks = [Vector(edges), Vector(margins)];
        let all: Vec<_> = sites
            .iter()
            .copied()
            .chain(corners.into_iter().chain(marks).map(|place| (place, 0.0)))
            .collect();
        let grid = on_grid(&all);
        let (sites, rest) = grid.split_at(sites.len());
        let (turns, margins) = (rest[4].at, rest[5].at);
        let (mut spots, mut images) = (Vec::new(), Vec::new());
        for code in 0..27 {
            let away = [code % 3 - 1, code / 3 % 3 - 1, code / 9 - 1];
            for (site, spot) in (0..).zip(sites) {
                let at = std::array::from_fn(|k| spot.at[k] + away[k] * turns[k]);
                let is_near = |k: usize| {
                    away[k] == 0 || (-margins[k]..turns[k] + margins[k]).contains(&at[k])
                };
                if (0..3).all(is_near) {
                    spots.push(Spot { at, radius: spot.radius });
                    images.push((site, away));
                }
            }
        }
        for (k, corner) in (0..).zip(&rest[..4]) {
            spots.push(*corner);
            images.push((u32::MAX - k, [0; 3]));
        }
        Self { spots, images, turns }
    }

    /// Of every tetrahedron that with all its images belongs to the torus, the one whose first site
    /// is at home.
    fn triangulation(
        &self,
        sites: &[(Vector<3>, f64)],
        torus: &Torus,
    ) -> Result<TetrahedronMesh, Unfit> {
        let names: Vec<u32> = self.images.iter().map(|image| image.0).collect();
        let all = triangulate(&self.spots, &names);
        let mut kept = Vec::new();
        let mut narrow = [false; 3];
        let mut volumes = 0.0;
        for t in all.all() {
            let corners = all.corners(t);
            let names = corners.map(|corner| self.images[corner as usize]);
            let first = names.iter().min().filter(|first| first.1 == [0; 3]);
            if first.is_none() || names.iter().any(|name| name.0 > u32::MAX - 4) {
                continue;
            }
            let spots = corners.map(|corner| &self.spots[corner as usize]);
            for (k, narrow) in narrow.iter_mut().enumerate() {
                let along = spots.map(|spot| spot.at[k]);
                let range = along.iter().max().zip(along.iter().min()).map_or(0, |(a, b)| a - b);
                *narrow |= torus.copies[k] < 3 && range as f64 > WIDE * self.turns[k] as f64;
            }
            volumes += volume(spots).rough();
            kept.push(names.map(|name| name.0));
        }
        if narrow.contains(&true) {
            return Err(Unfit::Narrow(narrow));
        }
        let whole: f64 = self.turns.iter().map(|&turn| turn as f64).product();
        let fills = (volumes / (6.0 * whole) - 1.0).abs() < 1e-6;
        let mesh = TetrahedronMesh::closed(sites.len() as u32, &kept);
        mesh.filter(|_| fills).ok_or(Unfit::Open)
    }
}
