//! What only files of particles with masses have: these, velocities, and the energy balance.

use hdf5::Group;

use super::growing::{CHUNK_ROWS, DatasetLayout, Growing, Row, Table};
use super::header::{Header, text_attribute, write_numbers};
use super::slots::Slots;
use super::trajectory::element;
use jostle_core::observe::{EnergyBalance, View};
use jostle_core::units::{JOULE, NEWTON_SECOND};

/// A quantity of the energy balance.
type Quantity = fn(&EnergyBalance) -> f64;
/// A quantity by its name.
type Entry = (&'static str, Quantity);

/// The energy that only particles that give way can store.
const ELASTIC: &str = "elastic_energy";

/// The energies of the balance, by their names under `/observables`.
const ENERGIES: [Entry; 6] = [
    ("kinetic_energy", |balance| balance.kinetic),
    ("potential_energy", |balance| balance.potential),
    (ELASTIC, |balance| balance.elastic),
    ("dissipated_energy", |balance| balance.dissipated),
    ("wall_work", |balance| balance.wall_work),
    ("force_work", |balance| balance.force_work),
];

/// Velocities, in the precision of the positions.
enum Velocities {
    Single(Growing<f32>),
    Double(Growing<f64>),
}

/// Writes the part of frames that only particles with masses have.
pub(super) struct GrainWriter {
    velocity: Velocities,
    energies: Vec<(Growing<f64>, Quantity)>,
    momentum: Growing<f64>,
    /// From nm per step to nm/ns.
    per_nanosecond: f64,
}

impl GrainWriter {
    /// Creates the datasets beside the positions, in chunks of `chunk` slots, and the series;
    /// writes the masses.
    pub(super) fn create(
        file: &Group,
        trajectory: &Group,
        header: &Header,
        masses: &[f64],
        chunk: usize,
    ) -> hdf5::Result<Self> {
        write_numbers(trajectory, "mass", "kg", masses)?;
        let compress = header.output.compress;
        let velocity = if header.output.single_precision {
            Velocities::Single(velocities(trajectory, chunk, f32::NAN, compress)?)
        } else {
            Velocities::Double(velocities(trajectory, chunk, f64::NAN, compress)?)
        };
        let series = file.group("observables")?;
        let energy = |&(name, of): &Entry| {
            let values = element(&series, name, DatasetLayout::column(CHUNK_ROWS, f64::NAN))?;
            text_attribute(values.dataset(), "unit", "J")?;
            Ok((values, of))
        };
        let hard = header.outlines.is_none();
        let kept = ENERGIES.iter().filter(|(name, _)| !(hard && *name == ELASTIC));
        let momentum =
            element(&series, "momentum", DatasetLayout::rows(CHUNK_ROWS, &[3], f64::NAN))?;
        text_attribute(momentum.dataset(), "unit", "kg m s-1")?;
        Ok(Self {
            velocity,
            energies: kept.map(energy).collect::<hdf5::Result<_>>()?,
            momentum,
            per_nanosecond: 1.0 / (header.timestep * 1e3),
        })
    }

    /// Everything that grows.
    pub(super) fn tables(&mut self) -> Vec<&mut dyn Table> {
        let velocity: &mut dyn Table = match &mut self.velocity {
            Velocities::Single(values) => values,
            Velocities::Double(values) => values,
        };
        let mut tables: Vec<&mut dyn Table> = vec![velocity, &mut self.momentum];
        tables.extend(self.energies.iter_mut().map(|(values, _)| values as &mut dyn Table));
        tables
    }

    /// Takes in the velocities and the energy balance of a state whose particles have been given
    /// their slots.
    pub(super) fn push<const D: usize>(&mut self, view: &View<'_, D>, slots: &Slots) {
        let particles = view.particles;
        let mut velocity = vec![f64::NAN; 3 * slots.len()];
        for i in (0..particles.len()).filter(|&i| particles.alive[i]) {
            let first = 3 * slots.last()[i] as usize;
            for k in 0..3 {
                velocity[first + k] =
                    if k < D { particles.velocity[i][k] * self.per_nanosecond } else { 0.0 };
            }
        }
        match &mut self.velocity {
            Velocities::Single(values) => {
                let single = velocity.iter().map(|&v| v as f32);
                values.append_row(slots.len(), single.collect());
            }
            Velocities::Double(values) => values.append_row(slots.len(), velocity),
        }
        let balance = view.balance.unwrap_or(UNKNOWN);
        for (values, of) in &mut self.energies {
            values.append(&[of(&balance) / JOULE]);
        }
        self.momentum.append(&balance.momentum.map(|p| p / NEWTON_SECOND));
    }
}

/// The energy balance of an engine that keeps none.
const UNKNOWN: EnergyBalance = EnergyBalance {
    kinetic: f64::NAN,
    potential: f64::NAN,
    elastic: f64::NAN,
    dissipated: f64::NAN,
    wall_work: f64::NAN,
    force_work: f64::NAN,
    momentum: [f64::NAN; 3],
};

fn velocities<T: Row>(
    trajectory: &Group,
    chunk: usize,
    fill: T,
    compress: bool,
) -> hdf5::Result<Growing<T>> {
    let values =
        element(trajectory, "velocity", DatasetLayout::widening(chunk, &[3], fill, compress))?;
    text_attribute(values.dataset(), "unit", "nm ns-1")?;
    Ok(values)
}
