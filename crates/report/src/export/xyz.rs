//! Extended XYZ, the text format that OVITO and ASE define
//! (<https://www.ovito.org/manual/reference/file_formats/input/xyz.html>).

use std::io::{self, Write};

use super::names::molecule_as_word;
use super::scene::{Moment, Scene};
use super::{LengthUnit, Sink};

/// Writes, for each frame, the number of particles, a line of keys and values, and a line per
/// particle.
pub(super) struct Xyz<'a, W> {
    out: W,
    scene: &'a Scene<'a>,
    /// How many of its units a nanometre is.
    scale: f64,
    unit: &'static str,
    names: Vec<String>,
    /// The states of each species; absent if no species has any.
    states: Option<Vec<String>>,
}

impl<'a, W: Write> Xyz<'a, W> {
    pub(super) fn new(out: W, scene: &'a Scene<'a>, unit: LengthUnit) -> Self {
        let (scale, unit) = match unit {
            LengthUnit::Nanometre => (1.0, "nm"),
            LengthUnit::Angstrom => (10.0, "angstrom"),
        };
        let names = scene.species.iter().map(|name| name.tagged()).collect();
        let state = |states: String| if states.is_empty() { "none".to_owned() } else { states };
        let states = scene.species.iter().map(|name| state(name.states_as_word())).collect();
        Self { out, scene, scale, unit, names, states: scene.has_states().then_some(states) }
    }

    /// The second line of a frame.
    fn heading(&self, moment: &Moment) -> String {
        let periodic = self.scene.periodic.map(|closed| if closed { "T" } else { "F" });
        // OVITO takes `type` for the name of a species as it does `species`, where ASE wants chemical
        // elements.
        let mut columns = String::from("type:S:1:pos:R:3");
        for (there, column) in [
            (self.scene.has_radii(), ":radius:R:1"),
            (true, ":id:I:1"),
            // OVITO's names: a quaternion, and the semi-axes of ellipsoids.
            (
                self.scene.shapes().is_some(),
                ":orientation:R:4:aspherical_shape:R:3:angle:R:1:outline:I:1",
            ),
            (self.scene.has_directions(), ":orientation:R:4"),
            (self.scene.has_clusters(), ":cluster:I:1:cluster_size:I:1"),
            (self.states.is_some(), ":state:S:1"),
            (self.scene.has_sites(), ":molecule:S:1"),
        ] {
            columns.push_str(if there { column } else { "" });
        }
        let time = moment.time.map_or_else(String::new, |time| format!(" Time={time}"));
        format!(
            "{}pbc=\"{}\" Properties={columns}{time} Step={} Frame={} length_unit={} time_unit=us",
            self.lattice(moment),
            periodic.join(" "),
            moment.step,
            moment.frame,
            self.unit,
        )
    }

    /// The box, if there is one. Axes that the model does not have lie around 0, where the
    /// particles are.
    fn lattice(&self, moment: &Moment) -> String {
        let vectors = moment.vectors.filter(|vectors| !vectors.lengths().contains(&0.0));
        let Some(vectors) = vectors else { return String::new() };
        let numbers = vectors.0.as_flattened().iter().map(|x| (x * self.scale).to_string());
        let [x, y, z] = [0, 1, 2].map(|k| match k < self.scene.dimension() {
            true => 0.0,
            false => -0.5 * vectors.0[k][k] * self.scale,
        });
        let numbers = numbers.collect::<Vec<_>>().join(" ");
        format!("Lattice=\"{numbers}\" Origin=\"{x} {y} {z}\" ")
    }
}

impl<W: Write> Sink for Xyz<'_, W> {
    fn frame(&mut self, moment: &Moment) -> io::Result<()> {
        let heading = self.heading(moment);
        writeln!(self.out, "{}\n{heading}", moment.particles.len())?;
        for (n, particle) in moment.particles.iter().enumerate() {
            let [x, y, z] = particle.position.map(|x| self.scene.digits(x * self.scale));
            write!(self.out, "{} {x} {y} {z}", self.names[particle.species])?;
            if self.scene.has_radii() {
                write!(self.out, " {}", particle.radius * self.scale)?;
            }
            write!(self.out, " {}", particle.id)?;
            if let Some(shapes) = self.scene.shapes() {
                let [s, c] = [libm::sin(0.5 * particle.angle), libm::cos(0.5 * particle.angle)];
                let [a, b] = shapes[particle.shape].semi_axes.map(|axis| axis * self.scale);
                write!(
                    self.out,
                    " 0 0 {s} {c} {a} {b} {} {} {}",
                    a.min(b),
                    particle.angle,
                    particle.shape
                )?;
            }
            if self.scene.has_directions() {
                // OVITO has the real part last.
                let [w, x, y, z] = particle.quaternion;
                write!(self.out, " {x} {y} {z} {w}")?;
            }
            if self.scene.has_clusters() {
                write!(self.out, " {} {}", particle.cluster, particle.cluster_size)?;
            }
            if let Some(states) = &self.states {
                write!(self.out, " {}", states[particle.species])?;
            }
            if let Some(molecule) = moment.molecules.get(n) {
                write!(self.out, " {}", molecule_as_word(molecule))?;
            }
            writeln!(self.out)?;
        }
        Ok(())
    }

    fn end(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
