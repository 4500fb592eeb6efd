//! Surfaces as lines: what pictures and the player show of them.

mod meshes;

use std::f64::consts::{FRAC_PI_2, TAU};

use jostle_analysis::Surfaces;
use jostle_core::environment::Form;
use jostle_core::narrow::Ends;
use jostle_model::surroundings::SurfaceModel;

/// A surface as lines.
#[derive(Clone, Debug, PartialEq)]
pub struct Wires {
    /// The name of the surface.
    pub name: String,
    /// Straight pieces, in space each shorter than a twentieth of the box; in one dimension y is a
    /// share of the picture's height. \[nm\]
    pub lines: Vec<[[f64; 3]; 2]>,
}

/// A line from corner to corner.
type Line = Vec<[f64; 3]>;

/// How many pieces a circle has.
const ROUND: usize = 72;
/// How many lines run from pole to pole.
const MERIDIANS: usize = 12;
/// How many meshes of a grid, or rings, the longest edge of the box has room for.
const GRID: f64 = 8.0;
/// How many pieces the longest edge of the box has room for.
const PIECES: f64 = 24.0;

/// The surfaces of a file as lines.
pub(super) fn wires(surfaces: &Surfaces) -> Vec<Wires> {
    let longest = surfaces.edges[..surfaces.dimension].iter().fold(0.0, |a, &b| f64::max(a, b));
    let of = |surface: &SurfaceModel| {
        let lines = lines(&surface.form, surfaces, longest);
        // In space bodies come between them.
        let most = if surfaces.dimension == 3 { longest / PIECES } else { f64::INFINITY };
        Wires { name: surface.name.clone(), lines: segments(&lines, most) }
    };
    surfaces.surroundings.surfaces.iter().map(of).collect()
}

fn lines(form: &Form, surfaces: &Surfaces, longest: f64) -> Vec<Line> {
    let d = surfaces.dimension;
    let standing = |x: f64| vec![[x, 0.0, 0.0], [x, 1.0, 0.0]];
    match form {
        Form::Plane { at, .. } if d == 1 => vec![standing(*at)],
        Form::Ball { centre, radius } if d == 1 => {
            [-radius, *radius].map(|r| standing(centre[0] + r)).into()
        }
        Form::Plane { axis, at } => plane(*axis, *at, surfaces, longest),
        // A ball is a rod without a straight part.
        Form::Ball { centre, radius } => Turned {
            centre,
            axis: d - 1,
            profile: round_ended(0.0, *radius),
            rings: latitudes(0.0, *radius),
        }
        .lines(d),
        Form::Rod { centre, rod } => {
            let (half, radius) = (rod.half, rod.radius);
            let mut middle = *centre;
            let (profile, mut rings, half) = match rod.ends {
                Ends::Round => (round_ended(half, radius), latitudes(half, radius), half),
                Ends::Flat => {
                    let profile = vec![[-half, 0.0], [-half, radius], [half, radius], [half, 0.0]];
                    (profile, vec![[-half, radius], [half, radius]], half)
                }
                Ends::Open => {
                    let half = 0.5 * surfaces.edges[rod.axis];
                    middle[rod.axis] = half;
                    let ends = vec![[-half, radius], [half, radius]];
                    (ends.clone(), ends, half)
                }
            };
            rings.extend(stations(half, longest / GRID).map(|u| [u, radius]));
            Turned { centre: &middle, axis: rod.axis, profile, rings }.lines(d)
        }
        Form::Solid(mesh) => meshes::lines(mesh),
        Form::Outline(mesh) => {
            let corner =
                |n: u32| [mesh.vertices()[n as usize][0], mesh.vertices()[n as usize][1], 0.0];
            mesh.facets().iter().map(|side| side.map(corner).to_vec()).collect()
        }
    }
}

/// The edges of a box, or of a rectangle.
pub(super) fn box_lines(edges: [f64; 3], dimension: usize) -> Vec<[[f64; 3]; 2]> {
    let axes = dimension.clamp(1, 3);
    let corner = |n: usize| [0, 1, 2].map(|k| if n >> k & 1 == 1 { edges[k] } else { 0.0 });
    let pairs = (0..1 << axes).flat_map(|a| (0..axes).map(move |k| [a, a | 1 << k]));
    pairs.filter(|[a, b]| a != b).map(|pair| pair.map(corner)).collect()
}

/// A cylinder along z that fills a box with these edges, as straight pieces.
pub(super) fn upright_cylinder(edges: [f64; 3]) -> Vec<[[f64; 3]; 2]> {
    let (half, radius) = (0.5 * edges[2], 0.5 * edges[0]);
    let ends = vec![[-half, radius], [half, radius]];
    let centre = edges.map(|edge| 0.5 * edge);
    let lines = Turned { centre: &centre, axis: 2, profile: ends.clone(), rings: ends }.lines(3);
    segments(&lines, edges.iter().fold(0.0, |a: f64, &b| a.max(b)) / PIECES)
}

/// Lines in straight pieces that are no longer than `most`.
fn segments(lines: &[Line], most: f64) -> Vec<[[f64; 3]; 2]> {
    let segments = lines.iter().flat_map(|line| line.windows(2).map(|ends| [ends[0], ends[1]]));
    segments.flat_map(|segment| pieces(segment, most)).collect()
}

/// A plane from face to face; in space a grid.
fn plane(axis: usize, at: f64, surfaces: &Surfaces, longest: f64) -> Vec<Line> {
    let across: Vec<usize> = (0..surfaces.dimension).filter(|&k| k != axis).collect();
    let line = |along: usize, other: Option<(usize, f64)>| {
        let mut ends = [[0.0; 3]; 2];
        for end in &mut ends {
            end[axis] = at;
            if let Some((k, x)) = other {
                end[k] = x;
            }
        }
        ends[1][along] = surfaces.edges[along];
        ends.to_vec()
    };
    match across[..] {
        [a, b] => {
            let family = |along: usize, other: usize| {
                let edge = surfaces.edges[other];
                let count = (GRID * edge / longest).round().max(1.0);
                (0..=count as usize)
                    .map(move |n| line(along, Some((other, edge * n as f64 / count))))
            };
            family(a, b).chain(family(b, a)).collect()
        }
        [a] => vec![line(a, None)],
        _ => Vec::new(),
    }
}

/// What a line, \[along the axis, from the axis\], becomes that is turned about an axis.
struct Turned<'a> {
    centre: &'a [f64; 3],
    axis: usize,
    profile: Vec<[f64; 2]>,
    /// Where circles are drawn.
    rings: Vec<[f64; 2]>,
}

impl Turned<'_> {
    /// In the plane the line and its mirror image; in space lines from end to end, and rings.
    fn lines(&self, dimension: usize) -> Vec<Line> {
        let sides = if dimension == 2 { 2 } else { MERIDIANS };
        // In the plane a line is turned over, in space about.
        let across =
            if dimension == 2 { [1 - self.axis, 2] } else { [1, 2].map(|k| (self.axis + k) % 3) };
        let side = |n: usize| {
            let turn = TAU * n as f64 / sides as f64;
            self.profile.iter().map(|&[u, r]| self.place(across, u, r, turn)).collect()
        };
        let ring = |&[u, r]: &[f64; 2]| {
            (0..=ROUND).map(|n| self.place(across, u, r, TAU * n as f64 / ROUND as f64)).collect()
        };
        let rings = if dimension == 2 { &[][..] } else { &self.rings };
        (0..sides).map(side).chain(rings.iter().map(ring)).collect()
    }

    fn place(&self, across: [usize; 2], along: f64, from: f64, turn: f64) -> [f64; 3] {
        let mut place = *self.centre;
        place[self.axis] += along;
        place[across[0]] += from * libm::cos(turn);
        place[across[1]] += from * libm::sin(turn);
        place
    }
}

/// The outline of a rod with round ends, from tip to tip.
fn round_ended(half: f64, radius: f64) -> Vec<[f64; 2]> {
    let quarter = ROUND / 4;
    let turn = |n: usize| FRAC_PI_2 * n as f64 / quarter as f64;
    let at =
        |sign: f64, turn: f64| [sign * (half + radius * libm::cos(turn)), radius * libm::sin(turn)];
    (0..=quarter)
        .map(|n| at(-1.0, turn(n)))
        .chain((0..=quarter).rev().map(|n| at(1.0, turn(n))))
        .collect()
}

/// Circles on the round ends of a rod.
fn latitudes(half: f64, radius: f64) -> Vec<[f64; 2]> {
    let ring = |turn: f64| [half + radius * libm::sin(turn), radius * libm::cos(turn)];
    let up = [0.0, TAU / 12.0, TAU / 6.0].map(ring);
    up.into_iter()
        .chain(up[if half > 0.0 { 0 } else { 1 }..].iter().map(|[u, r]| [-u, *r]))
        .collect()
}

/// Places between the ends of a straight part, about so far apart.
fn stations(half: f64, apart: f64) -> impl Iterator<Item = f64> {
    let count = (2.0 * half / apart).round().max(1.0);
    (1..count as usize).map(move |n| half * (2.0 * n as f64 / count - 1.0))
}

/// A segment in pieces that are no longer than `most`.
fn pieces([a, b]: [[f64; 3]; 2], most: f64) -> impl Iterator<Item = [[f64; 3]; 2]> {
    let length = (0..3).map(|k| (b[k] - a[k]).powi(2)).sum::<f64>().sqrt();
    // Surfaces lie in the box, so that there are not many; a box that is nothing has none.
    let count = (length / most).ceil().clamp(1.0, 10.0 * PIECES);
    let at = move |n: f64| [0, 1, 2].map(|k| a[k] + (b[k] - a[k]) * (n / count));
    (0..count as usize).map(move |n| [at(n as f64), at(n as f64 + 1.0)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use jostle_core::narrow::Rod;

    fn shown(dimension: usize, form: &Form) -> Vec<Line> {
        let surfaces = Surfaces { dimension, edges: [80.0, 60.0, 40.0], ..Surfaces::default() };
        lines(form, &surfaces, 80.0)
    }

    /// The farthest that a point of a line is off the surface.
    fn off<const D: usize>(form: &Form) -> f64 {
        let domain = jostle_core::space::Domain::<D>::new(
            std::array::from_fn(|k| [80.0, 60.0, 40.0][k]),
            [true; D],
        );
        let shape = form.shape::<D>();
        let lines = shown(D, form);
        assert!(!lines.is_empty());
        let points = lines.iter().flatten().map(|x| jostle_core::space::Vector::from_fn(|k| x[k]));
        points.map(|x| shape.distance(&domain, x)).fold(0.0, f64::max)
    }

    #[test]
    fn lines_lie_on_their_surfaces() {
        let centre = [40.0, 30.0, 20.0];
        let mut forms = vec![Form::Ball { centre, radius: 9.0 }];
        for axis in 0..2 {
            forms.push(Form::Plane { axis, at: 7.0 });
            for ends in [Ends::Round, Ends::Flat, Ends::Open] {
                forms.push(Form::Rod { centre, rod: Rod { axis, half: 5.0, radius: 6.0, ends } });
            }
        }
        for form in &forms {
            assert!(off::<2>(form) < 1e-9 && off::<3>(form) < 1e-9, "{form:?}");
        }
    }

    #[test]
    fn a_cylinder_fills_its_box_and_a_box_has_its_edges() {
        let edges = [60.0, 60.0, 80.0];
        for end in upright_cylinder(edges).iter().flatten() {
            let from_axis = f64::hypot(end[0] - 30.0, end[1] - 30.0);
            assert!((from_axis - 30.0).abs() < 0.1 && (0.0..=80.0).contains(&end[2]), "{end:?}");
        }
        assert_eq!([1, 2, 3].map(|dimension| box_lines(edges, dimension).len()), [1, 4, 12]);
    }

    #[test]
    fn pieces_are_short_and_meet() {
        let found: Vec<_> = pieces([[0.0; 3], [3.0, 4.0, 0.0]], 1.1).collect();
        assert_eq!(found.len(), 5);
        assert_eq!((found[0][0], found[4][1]), ([0.0; 3], [3.0, 4.0, 0.0]));
        assert!(found.windows(2).all(|two| two[0][1] == two[1][0]));
    }
}
