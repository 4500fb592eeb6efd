//! The box of a frame: in the files of other programs it may be sheared, and change in time.

use crate::near::count_pairs;
use crate::scope::too_little;
use jostle_core::space::{Domain, Vector};
use jostle_h5md::reading::{BoxVectors, ReadError, Reading};

/// What particles are in, at a moment.
pub(super) enum Vessel<const D: usize> {
    /// A box with its edges along the axes.
    Upright(Domain<D>),
    /// One whose edges are at other angles, periodic along all of them.
    Sheared(BoxVectors),
}

impl<const D: usize> Vessel<D> {
    /// The box of a frame.
    ///
    /// # Errors
    /// If there is none, or it is sheared and has walls.
    pub(super) fn of(reading: &Reading, frame: usize) -> Result<Self, ReadError> {
        let Some(vectors) = reading.boxes().get(frame) else {
            return no_box(reading);
        };
        let periodic = reading.periodic()?;
        match vectors.edges() {
            Some(edges) if edges[..D].iter().all(|edge| *edge > 0.0) => {
                let edges = std::array::from_fn(|k| edges[k]);
                Ok(Self::Upright(Domain::new(edges, std::array::from_fn(|k| periodic[k]))))
            }
            Some(_) => no_box(reading),
            None if periodic[..D].iter().all(|closed| *closed) => Ok(Self::Sheared(vectors)),
            None => Err(too_little(
                reading,
                "its box is sheared and not periodic along each edge: pairs of an ideal gas between \
                 such walls are not known"
                    .into(),
            )),
        }
    }

    /// How far apart its closest opposite faces are, halved. \[nm\]
    pub(super) fn half(&self) -> f64 {
        let widths = match self {
            Self::Upright(domain) => domain.edges().to_vec(),
            Self::Sheared(vectors) => vectors.heights(D)[..D].to_vec(),
        };
        0.5 * widths.into_iter().fold(f64::INFINITY, f64::min)
    }

    /// \[nm^d\]
    pub(super) fn volume(&self) -> f64 {
        match self {
            Self::Upright(domain) => domain.volume(),
            Self::Sheared(vectors) => vectors.volume(D),
        }
    }

    /// A place in the box. Numbers in single precision may lie on the far face, which is the near
    /// one.
    pub(super) fn wrap(&self, place: Vector<D>) -> Vector<D> {
        match self {
            Self::Upright(domain) => domain.wrap(place).0,
            Self::Sheared(vectors) => {
                let place = std::array::from_fn(|k| if k < D { place[k] } else { 0.0 });
                let wrapped = vectors.wrapped(place, [true; 3], D);
                Vector::from_fn(|k| wrapped[k])
            }
        }
    }

    /// The upright box, if it is one.
    pub(super) fn domain(&self) -> Option<&Domain<D>> {
        match self {
            Self::Upright(domain) => Some(domain),
            Self::Sheared(_) => None,
        }
    }

    /// Shows `enter` each pair of particles in the box that are nearer than `farthest`, at most
    /// half the width of the box, with their distance.
    pub(super) fn count(
        &self,
        position: &[Vector<D>],
        farthest: f64,
        lists: usize,
        enter: impl Fn(&mut [Vec<u64>], [usize; 2], f64) + Sync,
    ) -> Vec<Vec<u64>> {
        let vectors = match self {
            Self::Upright(domain) => {
                return count_pairs(domain, position, farthest, lists, |counts, [i, j]| {
                    let way = domain.nearest_image(position[j] - position[i]);
                    enter(counts, [i, j], way.norm());
                });
            }
            Self::Sheared(vectors) => vectors,
        };
        // Beside the particles stand their images around the box, all in a box with walls that is
        // upright, in whose cells neighbours are found. A pair across a face is there twice, of
        // which the one from the lower particle counts.
        let n = position.len();
        let (mut all, owners) = with_images(vectors, position, farthest);
        let low = Vector::from_fn(|k| all.iter().map(|at| at[k]).fold(f64::INFINITY, f64::min));
        all.iter_mut().for_each(|at| *at -= low);
        let edge = |k: usize| all.iter().map(|at| at[k]).fold(farthest, f64::max);
        let domain = Domain::new(std::array::from_fn(edge), [false; D]);
        count_pairs(&domain, &all, farthest, lists, |counts, [i, j]| {
            if i < n && i < owners[j] {
                enter(counts, [i, owners[j]], (all[j] - all[i]).norm());
            }
        })
    }
}

/// There is no box to measure with.
fn no_box<T>(reading: &Reading) -> Result<T, ReadError> {
    Err(too_little(reading, "it has no box, whose edges are needed".into()))
}

/// Particles in a sheared box, then their images that are within a distance of it; and whose
/// images all of these are.
fn with_images<const D: usize>(
    vectors: &BoxVectors,
    position: &[Vector<D>],
    farthest: f64,
) -> (Vec<Vector<D>>, Vec<usize>) {
    let mut all = position.to_vec();
    let mut owners: Vec<usize> = (0..position.len()).collect();
    let heights = vectors.heights(D);
    let shifts = 3usize.pow(D as u32);
    for shift in 0..shifts {
        let along: [f64; 3] = std::array::from_fn(|k| match k < D {
            true => (shift / 3usize.pow(k as u32) % 3) as f64 - 1.0,
            false => 0.0,
        });
        if along == [0.0; 3] {
            continue;
        }
        let by = vectors.along(along);
        for (owner, place) in position.iter().enumerate() {
            let at = Vector::<D>::from_fn(|k| place[k] + by[k]);
            let fractions =
                vectors.fractions(std::array::from_fn(|k| if k < D { at[k] } else { 0.0 }), D);
            let near = (0..D).all(|k| {
                let beyond = (-fractions[k]).max(fractions[k] - 1.0);
                beyond * heights[k] <= farthest
            });
            if near {
                all.push(at);
                owners.push(owner);
            }
        }
    }
    (all, owners)
}
