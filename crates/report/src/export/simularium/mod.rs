//! Simularium's own format, JSON and binary, as `simulariumio`'s file_format.md and its writers
//! define it: trajectoryInfo version 3, spatialData version 1, plotData version 1, binary version
//! 2.
//!
//! The viewer draws the box around the origin and wants its longest edge between 4 and 64 units
//! long; `spatialUnits` says how many nm a unit is, a round number, since readers round it. Its
//! numbers are of single precision, ids included: particles are numbered anew, in the order in
//! which they first appear.

mod binary;
mod info;
mod json;

use std::collections::HashMap;
use std::io;

pub(super) use binary::Binary;
pub(super) use json::Json;

use super::scene::{Moment, Scene};
use jostle_core::space::{Orientation, Vector};

/// Visualisation type of a sphere.
const SPHERE: f32 = 1000.0;
/// Visualisation type of a line through points.
const FIBRE: f32 = 1001.0;
/// Numbers up to here are exact in single precision.
const MOST_NUMBERS: u32 = 1 << 24;

/// Turns frames into agents, and keeps what is told about all frames at the end.
struct Stage<'a> {
    scene: &'a Scene<'a>,
    /// A unit of the viewer. \[nm\]
    unit: f64,
    /// The species that are exported. Their places here are their types: readers want these to be
    /// 0, 1, 2, ..; bonds are the one after them.
    species: Vec<usize>,
    /// The number of each identity that has appeared.
    number_of: HashMap<i64, u32>,
    has_bonds: bool,
    /// In the viewer's units.
    bond_radius: f32,
    /// The times of the frames so far. \[µs\]
    times: Vec<f64>,
    /// How many particles there are of each type, in each frame so far. \[frame\]\[type\]
    counts: Vec<Vec<u64>>,
}

impl<'a> Stage<'a> {
    fn new(scene: &'a Scene<'a>) -> Self {
        let unit = unit_for(scene.edges().into_iter().fold(0.0, f64::max));
        Self {
            scene,
            unit,
            species: scene.exported().collect(),
            number_of: HashMap::new(),
            has_bonds: scene.has_bonds(),
            bond_radius: (0.25 * scene.smallest_radius() / unit) as f32,
            times: Vec::new(),
            counts: Vec::new(),
        }
    }

    /// The numbers of a frame: eleven for each particle and seventeen for each bond.
    fn agents(&mut self, moment: &Moment) -> io::Result<Vec<f32>> {
        let mut counts = vec![0; self.species.len()];
        let mut data = Vec::with_capacity(11 * moment.particles.len() + 17 * moment.bonds.len());
        for particle in &moment.particles {
            let next = self.number_of.len() as u32;
            let number = *self.number_of.entry(particle.id).or_insert(next);
            let kind = self.species.iter().position(|&k| k == particle.species).unwrap_or(0);
            counts[kind] += 1;
            data.extend([SPHERE, number as f32, kind as f32]);
            data.extend(self.centred(particle.position));
            // What is not round is drawn as the circle of its area; what has no radius is drawn
            // with that of 1 nm.
            let radius = self.scene.radius_of_area(particle);
            let radius = if radius.is_nan() { 1.0 } else { radius };
            let turned = match self.scene.has_directions() {
                true => euler_angles(particle.orientation()),
                false => [0.0, 0.0, particle.angle],
            };
            data.extend(turned.map(|angle| angle as f32));
            data.extend([(radius / self.unit) as f32, 0.0]);
        }
        for (n, &[a, b]) in moment.bonds.iter().enumerate() {
            let along = self.scene.across(moment, [a, b]);
            let a = &moment.particles[a];
            let end = std::array::from_fn(|k| a.position[k] + along[k]);
            // Bonds are numbered from the top down, so that they never meet the particles.
            let number = MOST_NUMBERS - 1 - n as u32;
            data.extend([FIBRE, number as f32, self.species.len() as f32]);
            data.extend([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, self.bond_radius, 6.0]);
            data.extend(self.centred(a.position));
            data.extend(self.centred(end));
        }
        if self.number_of.len() + moment.bonds.len() > MOST_NUMBERS as usize {
            return Err(io::Error::other(format!(
                "Simularium can number at most {MOST_NUMBERS} particles and bonds; choose fewer frames or \
                 species"
            )));
        }
        self.counts.push(counts);
        self.times.push(moment.time.unwrap_or(0.0));
        Ok(data)
    }

    /// A place as the viewer takes it. Axes that the model does not have lie around 0 already.
    fn centred(&self, place: [f64; 3]) -> [f32; 3] {
        let edges = self.scene.edges();
        let middle = |k: usize| if k < self.scene.dimension() { 0.5 * edges[k] } else { 0.0 };
        std::array::from_fn(|k| ((place[k] - middle(k)) / self.unit) as f32)
    }
}

/// The angles \[rad\] by which the viewer turns a particle about its own x, then its own y, then its
/// own z axis: the order "XYZ" of three.js.
fn euler_angles(turned: Orientation) -> [f64; 3] {
    let [x, y, z] =
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(|axis| turned.apply(Vector(axis)));
    let about_y = libm::asin(z[0].clamp(-1.0, 1.0));
    if z[0].abs() < 1.0 - 1e-12 {
        [libm::atan2(-z[1], z[2]), about_y, libm::atan2(-y[0], x[0])]
    } else {
        // Of the other two only the sum counts, or the difference.
        [libm::atan2(y[2], y[1]), about_y, 0.0]
    }
}

/// The unit in which a box with this longest edge \[nm\] has the size that the viewer wants: 1 nm
/// if that does, else the smallest of .., 0.1, 0.2, 0.5, 1, 2, 5, 10, .. nm in which it is not too
/// large.
fn unit_for(longest: f64) -> f64 {
    if longest <= 0.0 || (4.0..=64.0).contains(&longest) {
        return 1.0;
    }
    let ten = libm::pow(10.0, libm::floor(libm::log10(longest / 64.0)));
    let fits = [1.0, 2.0, 5.0].into_iter().find(|n| longest <= 64.0 * n * ten);
    fits.unwrap_or(10.0) * ten
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn euler_angles_turn_as_the_quaternion_does() {
        let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(Vector);
        let quaternions = [
            [1.0, 0.0, 0.0, 0.0],
            [0.3, -0.5, 0.7, 0.1],
            [-0.2, 0.4, 0.1, -0.9],
            [0.0, 1.0, 0.0, 0.0],
            // A quarter turn about y, either way, where the other two angles are one.
            [1.0, 0.0, 1.0, 0.0],
            [0.4, -0.3, -0.4, 0.3],
        ];
        for quaternion in quaternions {
            let turned = Orientation::of_quaternion(quaternion).unwrap();
            let angles = euler_angles(turned);
            // Turns about axes of the particle, the last one first.
            let again = [2, 1, 0].into_iter().fold(Orientation::NONE, |turned, k| {
                turned.turned(Orientation::about(axes[k], angles[k]))
            });
            for axis in axes {
                let apart = (turned.apply(axis) - again.apply(axis)).norm();
                assert!(apart < 1e-6, "{quaternion:?}: {angles:?}");
            }
        }
    }

    #[test]
    fn every_box_gets_a_size_that_the_viewer_wants() {
        assert_eq!([4.0, 40.0, 64.0].map(unit_for), [1.0; 3]);
        assert_eq!([100.0, 320.0, 400.0, 1e6].map(unit_for), [2.0, 5.0, 10.0, 2e4]);
        for n in -40..60 {
            let longest = libm::pow(1.5, f64::from(n));
            let size = longest / unit_for(longest);
            assert!((4.0..=64.0 + 1e-9).contains(&size), "{longest} nm are {size} units");
        }
    }
}
