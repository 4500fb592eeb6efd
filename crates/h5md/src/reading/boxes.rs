//! The box, which may be sheared in the files of others, and change in time: H5MD 1.1 gives its
//! edges as lengths along the axes or as vectors, one in each row, once or for every frame.

use std::ops::Range;

use ndarray::{Array2, Ix2, Ix3};

use super::error::ReadError;
use super::foreign::check_steps;
use super::layout::{Element, are_numbers, length_factor, unit};
use super::{AT_A_TIME, Reading};

/// The box of a frame: the vectors along its edges, from a corner at the origin. Those along axes
/// that the file does not have are zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoxVectors(
    /// \[edge\]\[axis\], \[nm\]
    pub [[f64; 3]; 3],
);

/// The boxes of a file.
#[derive(Clone, Debug)]
pub enum Boxes {
    /// It has none.
    Absent,
    /// The same in all frames.
    Same(BoxVectors),
    /// Of each frame.
    Each(Vec<BoxVectors>),
}

impl BoxVectors {
    /// A box with its edges along the axes. \[nm\]
    pub fn upright(edges: [f64; 3]) -> Self {
        Self(std::array::from_fn(|k| std::array::from_fn(|l| if k == l { edges[k] } else { 0.0 })))
    }

    /// The edges of a box that has them along the axes. \[nm\]
    pub fn edges(&self) -> Option<[f64; 3]> {
        let edges = [0, 1, 2].map(|k| self.0[k][k]);
        (Self::upright(edges) == *self).then_some(edges)
    }

    /// Whether the first edge is along the x axis and the second in the plane of x and y, as formats
    /// have it that give lengths and angles.
    pub fn is_standard(&self) -> bool {
        let [a, b, c] = self.0;
        [a[1], a[2], b[2]] == [0.0; 3] && [a[0], b[1], c[2]].iter().all(|x| *x >= 0.0)
    }

    /// How long the edges are. \[nm\]
    pub fn lengths(&self) -> [f64; 3] {
        self.0.map(|edge| edge.iter().map(|x| x * x).sum::<f64>().sqrt())
    }

    /// The angles between the second edge and the third, the third and the first, the first and the
    /// second, as crystallographers name them. \[degrees\]
    pub fn angles(&self) -> [f64; 3] {
        let lengths = self.lengths();
        [[1, 2], [2, 0], [0, 1]].map(|[k, l]| {
            let product: f64 = (0..3).map(|axis| self.0[k][axis] * self.0[l][axis]).sum();
            let cosine = product / (lengths[k] * lengths[l]);
            if cosine == 0.0 { 90.0 } else { libm::acos(cosine.clamp(-1.0, 1.0)).to_degrees() }
        })
    }

    /// Its volume (3D), area (2D) or length (1D). \[nm^d\]
    pub fn volume(&self, dimension: usize) -> f64 {
        self.within(dimension).determinant().abs()
    }

    /// How far apart its opposite faces are; infinitely along axes beyond the dimension. \[nm\]
    pub fn heights(&self, dimension: usize) -> [f64; 3] {
        // The rows of the inverse's transpose are normal to the faces.
        let normals = self.within(dimension).inverse_transposed();
        std::array::from_fn(|k| match k < dimension {
            true => 1.0 / normals[k].iter().map(|x| x * x).sum::<f64>().sqrt(),
            false => f64::INFINITY,
        })
    }

    /// So many of its edges together. \[nm\]
    pub fn along(&self, counts: [f64; 3]) -> [f64; 3] {
        [0, 1, 2].map(|axis| (0..3).map(|k| counts[k] * self.0[k][axis]).sum())
    }

    /// A place in units of the edges; 0 along those beyond the dimension.
    pub fn fractions(&self, place: [f64; 3], dimension: usize) -> [f64; 3] {
        let normals = self.within(dimension).inverse_transposed();
        std::array::from_fn(|k| match k < dimension {
            true => (0..3).map(|axis| normals[k][axis] * place[axis]).sum(),
            false => 0.0,
        })
    }

    /// A place brought back into the box along the edges that are periodic. \[nm\]
    pub fn wrapped(&self, place: [f64; 3], periodic: [bool; 3], dimension: usize) -> [f64; 3] {
        let fractions = self.fractions(place, dimension);
        let back = self.along([0, 1, 2].map(|k| match periodic[k] && k < dimension {
            true => -fractions[k].floor(),
            false => 0.0,
        }));
        [0, 1, 2].map(|axis| place[axis] + back[axis])
    }

    /// The shortest of the vectors that differ from `separation` by whole edges that are periodic,
    /// in a box whose angles are not far from right ones; in any other one, a short one. \[nm\]
    pub fn nearest(&self, separation: [f64; 3], periodic: [bool; 3], dimension: usize) -> [f64; 3] {
        let fractions = self.fractions(separation, dimension);
        let whole = |k: usize| match periodic[k] && k < dimension {
            true => -fractions[k].round(),
            false => 0.0,
        };
        let whole = [0, 1, 2].map(whole);
        let range = |k: usize| if periodic[k] && k < dimension { -1..=1 } else { 0..=0 };
        let (mut best, mut least) = (separation, f64::INFINITY);
        for a in range(0) {
            for b in range(1) {
                for c in range(2) {
                    let more = [a, b, c];
                    let by = self.along([0, 1, 2].map(|k| whole[k] + f64::from(more[k])));
                    let there = [0, 1, 2].map(|axis| separation[axis] + by[axis]);
                    let square = there.iter().map(|x| x * x).sum::<f64>();
                    if square < least {
                        (best, least) = (there, square);
                    }
                }
            }
        }
        best
    }

    /// Without axes beyond the dimension, which get edges of length 1.
    fn within(&self, dimension: usize) -> Self {
        let unit = |k: usize, axis: usize| if k == axis { 1.0 } else { 0.0 };
        Self(std::array::from_fn(|k| {
            std::array::from_fn(|axis| match k < dimension && axis < dimension {
                true => self.0[k][axis],
                false => unit(k, axis),
            })
        }))
    }

    fn cross(&self, [k, l]: [usize; 2]) -> [f64; 3] {
        let (a, b) = (self.0[k], self.0[l]);
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    }

    fn determinant(&self) -> f64 {
        let normal = self.cross([1, 2]);
        (0..3).map(|axis| self.0[0][axis] * normal[axis]).sum()
    }

    fn inverse_transposed(&self) -> [[f64; 3]; 3] {
        let determinant = self.determinant();
        [[1, 2], [2, 0], [0, 1]].map(|others| self.cross(others).map(|x| x / determinant))
    }

    /// Whether it encloses anything, and can be measured with.
    fn is_sound(&self, dimension: usize) -> bool {
        let finite = self.0.as_flattened().iter().all(|x| x.is_finite());
        let upright = self.edges().is_none_or(|edges| edges.iter().all(|edge| *edge >= 0.0));
        let volume = self.volume(dimension);
        finite && upright && volume > 0.0 && volume.is_finite()
    }
}

impl Boxes {
    /// The box in a frame, if the file has any.
    pub fn get(&self, frame: usize) -> Option<BoxVectors> {
        match self {
            Self::Absent => None,
            Self::Same(vectors) => Some(*vectors),
            Self::Each(all) => all.get(frame).copied(),
        }
    }

    /// Whether the box of a frame may differ from that of another one.
    pub fn change(&self) -> bool {
        matches!(self, Self::Each(_))
    }

    /// Whether the box is sheared in any frame.
    pub fn are_sheared(&self) -> bool {
        match self {
            Self::Absent => false,
            Self::Same(vectors) => vectors.edges().is_none(),
            Self::Each(all) => all.iter().any(|vectors| vectors.edges().is_none()),
        }
    }
}

/// The edges of one of our files in the first frame, in nm.
pub(super) fn of_ours(reading: &Reading) -> Boxes {
    let first = || -> Option<[f64; 3]> {
        let name = reading.in_frames("box/edges/value");
        let row: Array2<f64> = reading.slice(&name, (0..1, 0..3)).ok()?;
        let edges = [0, 1, 2].map(|k| row[[0, k]]);
        edges.iter().all(|edge| edge.is_finite() && *edge >= 0.0).then_some(edges)
    };
    first().map_or(Boxes::Absent, |edges| Boxes::Same(BoxVectors::upright(edges)))
}

/// Those of another program's file.
///
/// # Errors
/// If they are in a form that H5MD does not know, or cannot be read.
pub(super) fn of_others(reading: &Reading) -> Result<Boxes, ReadError> {
    let name = match reading.layout.edges {
        Element::Absent => return Ok(Boxes::Absent),
        Element::Fixed => reading.in_frames("box/edges"),
        Element::Changing => {
            check_steps(reading, "box/edges")?;
            reading.in_frames("box/edges/value")
        }
    };
    let dataset = reading.dataset(&name)?;
    if !are_numbers(&dataset) {
        return Err(reading.refused(&name, "it holds no numbers, which edges are"));
    }
    let unit = unit(&dataset).map(|word| length_factor(&word)).transpose();
    let unit = unit.map_err(|reason| reading.refused(&name, &reason))?;
    let unit = unit.unwrap_or(reading.layout.units[0]);
    let whole = dataset.shape();
    let shape = match reading.layout.edges {
        Element::Changing => whole.get(1..).unwrap_or_default(),
        _ => &whole[..],
    };
    let axes = match *shape {
        [] => reading.layout.shape[2],
        [n] => n,
        [n, m] if n == m => n,
        _ => 0,
    };
    if !(reading.dimension..=3).contains(&axes) {
        let reason = format!(
            "its shape is {whole:?}, but {} lengths or as many vectors are needed",
            reading.dimension
        );
        return Err(reading.refused(&name, &reason));
    }
    let rows = match reading.layout.edges {
        Element::Changing => reading.frames(),
        _ => 1,
    };
    let mut boxes: Vec<BoxVectors> = Vec::with_capacity(rows.min(AT_A_TIME));
    let width = shape.iter().product::<usize>().max(1);
    let at_once = AT_A_TIME / width;
    for from in (0..rows).step_by(at_once) {
        let block = from..rows.min(from + at_once);
        let numbers = match reading.layout.edges {
            Element::Changing => numbers(reading, &name, block, shape)?,
            _ => reading.numbers(&name)?,
        };
        boxes.extend(numbers.chunks_exact(width).map(|row| vectors(row, axes, unit)));
    }
    let sound = |vectors: &BoxVectors| vectors.is_sound(reading.dimension);
    match boxes.first() {
        None => Ok(Boxes::Absent),
        // A box that is none is not measured with.
        Some(_) if !boxes.iter().any(sound) => Ok(Boxes::Absent),
        Some(first) if boxes.iter().all(|one| one == first) => Ok(Boxes::Same(*first)),
        Some(_) => match boxes.iter().position(|one| !sound(one)) {
            Some(frame) => {
                let reason = format!("the edges in frame {frame} enclose nothing");
                Err(reading.refused(&name, &reason))
            }
            None => Ok(Boxes::Each(boxes)),
        },
    }
}

/// The numbers of the edges in some frames, row by row.
fn numbers(
    reading: &Reading,
    name: &str,
    block: Range<usize>,
    shape: &[usize],
) -> Result<Vec<f64>, ReadError> {
    Ok(match *shape {
        [n] => reading.slice::<f64, _, Ix2>(name, (block, 0..n))?.into_iter().collect(),
        [n, m] => reading.slice::<f64, _, Ix3>(name, (block, 0..n, 0..m))?.into_iter().collect(),
        _ => reading.column(name, block)?,
    })
}

/// The box that some numbers stand for: one edge for all axes, one for each, or vectors.
fn vectors(row: &[f64], axes: usize, unit: f64) -> BoxVectors {
    let number = |k: usize, axis: usize| match row.len() {
        _ if k >= axes || axis >= axes => 0.0,
        n if n > axes => row[k * axes + axis],
        _ if k != axis => 0.0,
        n => row[k.min(n - 1)],
    };
    BoxVectors(std::array::from_fn(|k| std::array::from_fn(|axis| unit * number(k, axis))))
}

impl Reading {
    /// The boxes of its frames.
    pub fn boxes(&self) -> &Boxes {
        &self.boxes
    }

    /// The edges of the box, of one that is upright and the same in all frames \[nm\]; only the first
    /// [`Reading::dimension`] are the model's. Zero if there is no frame, or the file has no such
    /// box.
    pub fn edges(&self) -> [f64; 3] {
        match &self.boxes {
            Boxes::Same(vectors) => vectors.edges().unwrap_or_default(),
            _ => [0.0; 3],
        }
    }

    /// The same, where they are needed.
    ///
    /// # Errors
    /// If the file has no such box.
    pub fn box_edges(&self) -> Result<[f64; 3], ReadError> {
        let edges = self.edges();
        let sound = edges[..self.dimension()].iter().all(|edge| *edge > 0.0 && edge.is_finite());
        match &self.boxes {
            _ if sound => Ok(edges),
            Boxes::Each(_) => Err(self.too_little(
                "its box changes in time, but one that stays the same is needed here".into(),
            )),
            Boxes::Same(vectors) if vectors.edges().is_none() => Err(self.too_little(
                "its box is sheared, but one with its edges along the axes is needed here".into(),
            )),
            _ => Err(self.too_little("it has no box, whose edges are needed".into())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A hexagonal prism's cell.
    fn hexagonal() -> BoxVectors {
        BoxVectors([[2.0, 0.0, 0.0], [-1.0, 3f64.sqrt(), 0.0], [0.0, 0.0, 5.0]])
    }

    #[test]
    fn a_sheared_box_is_measured() {
        let of = hexagonal();
        assert_eq!(of.edges(), None);
        assert!((of.volume(3) - 10.0 * 3f64.sqrt()).abs() < 1e-12);
        assert!((of.volume(2) - 2.0 * 3f64.sqrt()).abs() < 1e-12);
        let heights = of.heights(3);
        assert!((heights[0] - 3f64.sqrt()).abs() < 1e-12 && (heights[2] - 5.0).abs() < 1e-12);
        let angles = of.angles();
        assert!((angles[2] - 120.0).abs() < 1e-10, "{angles:?}");
        assert_eq!(angles[..2], [90.0; 2]);
        assert_eq!(BoxVectors::upright([1.0, 2.0, 3.0]).edges(), Some([1.0, 2.0, 3.0]));
    }

    #[test]
    fn places_come_back_and_images_are_the_nearest() {
        let of = hexagonal();
        let by = of.along([3.0, -2.0, 4.0]);
        let place = [0.3, 0.4, 0.5];
        let away = [0, 1, 2].map(|k| place[k] + by[k]);
        let back = of.wrapped(away, [true; 3], 3);
        let near = of.nearest(away, [true; 3], 3);
        for k in 0..3 {
            assert!((back[k] - place[k]).abs() < 1e-12, "{back:?}");
            assert!((near[k] - place[k]).abs() < 1e-12, "{near:?}");
        }
        let open = of.wrapped(away, [true, true, false], 3);
        assert_eq!(open[2], away[2]);
    }
}
