//! A table with a row for each particle and frame.

use std::io::{self, Write};

use super::Sink;
use super::scene::{Moment, Scene};
use jostle_files::cell;

/// Writes rows. There are as many coordinates as the model has dimensions. A table of one frame can
/// be the positions that another model starts from.
pub(super) struct Rows<'a, W: Write> {
    out: ::csv::Writer<W>,
    scene: &'a Scene<'a>,
}

const AXES: [&str; 3] = ["x_nm", "y_nm", "z_nm"];

impl<'a, W: Write> Rows<'a, W> {
    pub(super) fn new(out: W, scene: &'a Scene<'a>) -> Self {
        Self { out: ::csv::Writer::from_writer(out), scene }
    }
}

impl<W: Write> Sink for Rows<'_, W> {
    fn begin(&mut self) -> io::Result<()> {
        let before = ["frame", "step", "time_us", "id", "species", "state"];
        let mut heads = [&before, &AXES[..self.scene.dimension()]].concat();
        if self.scene.has_radii() {
            heads.push("radius_nm");
        }
        if self.scene.shapes().is_some() {
            heads.extend(["angle_rad", "shape"]);
        }
        if self.scene.has_directions() {
            heads.extend(["qw", "qx", "qy", "qz"]);
        }
        if self.scene.has_clusters() {
            heads.extend(["cluster", "cluster_size"]);
        }
        if self.scene.has_sites() {
            heads.push("molecule");
        }
        Ok(self.out.write_record(heads)?)
    }

    fn frame(&mut self, moment: &Moment) -> io::Result<()> {
        let at = [
            moment.frame.to_string(),
            moment.step.to_string(),
            moment.time.map_or_else(String::new, |time| time.to_string()),
        ];
        for (n, particle) in moment.particles.iter().enumerate() {
            for text in &at {
                self.out.write_field(text)?;
            }
            let name = &self.scene.species[particle.species];
            self.out.write_field(particle.id.to_string())?;
            self.out.write_field(cell(&name.whole).as_ref())?;
            self.out.write_field(cell(&name.state(",")).as_ref())?;
            for x in &particle.position[..self.scene.dimension()] {
                self.out.write_field(self.scene.digits(*x))?;
            }
            if self.scene.has_radii() {
                self.out.write_field(particle.radius.to_string())?;
            }
            if self.scene.shapes().is_some() {
                self.out.write_field(particle.angle.to_string())?;
                self.out.write_field(particle.shape.to_string())?;
            }
            if self.scene.has_directions() {
                for component in particle.quaternion {
                    self.out.write_field(component.to_string())?;
                }
            }
            if self.scene.has_clusters() {
                self.out.write_field(particle.cluster.to_string())?;
                self.out.write_field(particle.cluster_size.to_string())?;
            }
            if let Some(molecule) = moment.molecules.get(n) {
                self.out.write_field(cell(molecule).as_ref())?;
            }
            self.out.write_record(None::<&[u8]>)?;
        }
        Ok(())
    }

    fn end(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
