//! What only files of runs of bodies with outlines have: how bodies are turned, and where walls
//! are. The engine treats walls as bodies without inverse mass; here they have a group of their
//! own.

use hdf5::Group;

use super::forces::Forces;
use super::growing::{CHUNK_ROWS, DatasetLayout, Growing, Table};
use super::header::{Header, text_attribute, write_integers};
use super::shapes::Shapes;
use super::slots::Slots;
use super::trajectory::element;
use jostle_core::observe::{Outlines as Seen, View};
use jostle_core::output::LogLevel;

/// Writes the part of frames that only bodies with outlines have.
pub(super) struct Outlines {
    orientation: Growing<f64>,
    angular_velocity: Growing<f64>,
    /// If there are walls.
    walls: Option<Walls>,
    /// If the log keeps them.
    forces: Option<Forces>,
}

/// The frames of the walls.
struct Walls {
    position: Growing<f64>,
    orientation: Growing<f64>,
    present: Growing<u8>,
}

impl Outlines {
    /// Creates the datasets beside the positions, in chunks of `chunk` slots, those of the walls
    /// and the log of forces; writes what never changes.
    pub(super) fn create(
        file: &Group,
        trajectory: &Group,
        header: &Header,
        shapes: &Shapes,
        chunk: usize,
    ) -> hdf5::Result<Self> {
        shapes.write_bodies(trajectory)?;
        let numbers = || DatasetLayout::widening(chunk, &[], f64::NAN, header.output.compress);
        let orientation = element(trajectory, "orientation", numbers())?;
        text_attribute(orientation.dataset(), "unit", "rad")?;
        let angular_velocity = element(trajectory, "angular_velocity", numbers())?;
        text_attribute(angular_velocity.dataset(), "unit", "rad ns-1")?;
        let walls = (!shapes.walls.is_empty()).then(|| Walls::create(file, shapes)).transpose()?;
        let keeps_forces = header.output.log == LogLevel::All;
        let forces = keeps_forces
            .then(|| Forces::create(&file.group("events")?, header.output.compress))
            .transpose()?;
        Ok(Self { orientation, angular_velocity, walls, forces })
    }

    /// Everything that grows.
    pub(super) fn tables(&mut self) -> Vec<&mut dyn Table> {
        let mut tables: Vec<&mut dyn Table> =
            vec![&mut self.orientation, &mut self.angular_velocity];
        if let Some(Walls { position, orientation, present }) = &mut self.walls {
            tables.extend([position as &mut dyn Table, orientation, present]);
        }
        tables.extend(self.forces.iter_mut().flat_map(Forces::tables));
        tables
    }

    /// Takes in the outlines of a state whose bodies have been given their slots.
    pub(super) fn push<const D: usize>(&mut self, view: &View<'_, D>, slots: &Slots) {
        let particles = view.particles;
        let mut angles = vec![f64::NAN; slots.len()];
        let mut velocities = vec![f64::NAN; slots.len()];
        let seen = view.outlines.unwrap_or(UNSEEN);
        for i in (0..particles.len().min(seen.angle.len())).filter(|&i| particles.alive[i]) {
            let slot = slots.last()[i] as usize;
            angles[slot] = seen.angle[i];
            // From rad/µs to rad/ns.
            velocities[slot] = seen.angular_velocity[i] * 1e-3;
        }
        self.orientation.append_row(slots.len(), angles);
        self.angular_velocity.append_row(slots.len(), velocities);
        if let Some(walls) = &mut self.walls {
            walls.push(&seen);
        }
        if let Some(forces) = &mut self.forces {
            forces.push(seen.forces);
        }
    }
}

/// The outlines of an engine that shows none.
const UNSEEN: Seen<'_> = Seen { angle: &[], angular_velocity: &[], walls: &[], forces: &[] };

impl Walls {
    /// Creates `/particles/walls`: a group of H5MD in which each wall is a particle.
    fn create(file: &Group, shapes: &Shapes) -> hdf5::Result<Self> {
        let particles = file.group("particles")?;
        let group = particles.create_group("walls")?;
        particles.link_hard("trajectory/box", "walls/box")?;
        let count = shapes.walls.len();
        let numbers: Vec<i32> = shapes.walls.iter().map(|wall| wall.shape as i32).collect();
        write_integers(&group, "shape", &numbers)?;
        let places = DatasetLayout::rows(CHUNK_ROWS, &[count, 3], f64::NAN);
        let position = element(&group, "position", places)?;
        text_attribute(position.dataset(), "unit", "nm")?;
        let orientation =
            element(&group, "orientation", DatasetLayout::rows(CHUNK_ROWS, &[count], f64::NAN))?;
        text_attribute(orientation.dataset(), "unit", "rad")?;
        let present = element(&group, "present", DatasetLayout::rows(CHUNK_ROWS, &[count], 0))?;
        Ok(Self { position, orientation, present })
    }

    fn push(&mut self, seen: &Seen<'_>) {
        let count = self.orientation.row()[0];
        let mut position = vec![f64::NAN; 3 * count];
        let mut orientation = vec![f64::NAN; count];
        let mut present = vec![0; count];
        for (k, wall) in seen.walls.iter().take(count).enumerate() {
            position[3 * k..3 * k + 3].copy_from_slice(&[wall.position[0], wall.position[1], 0.0]);
            orientation[k] = wall.angle;
            present[k] = u8::from(wall.present);
        }
        self.position.append(&position);
        self.orientation.append(&orientation);
        self.present.append(&present);
    }
}
