//! The state of a run at a moment, as arrays of one entry for each particle.

use jostle_core::observe::{Outlines, View};
use jostle_core::particles::{ALONE, Particles};
use jostle_core::state_hash::{state_hash, with_angles};

/// The state of a run between two steps. Particles come in the order of their identities; places
/// and velocities have as many components as the model has dimensions, those of one particle one
/// after the other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Snapshot {
    /// How many dimensions there are.
    pub dimension: usize,
    /// Steps done.
    pub step: u64,
    /// \[µs\]
    pub time_us: f64,
    /// \[particle\]
    pub id: Vec<u64>,
    /// Index into the model's species. \[particle\]
    pub species: Vec<u16>,
    /// Within the box. \[particle × dimension\], \[nm\]
    pub position: Vec<f64>,
    /// Periods of the box behind each particle: without periodic wrap it is at `position + image *
    /// edge`. \[particle × dimension\]
    pub image: Vec<i32>,
    /// \[particle\], \[nm\]
    pub radius: Vec<f64>,
    /// The identity of the cluster that the particle belongs to; of a lone particle, its own.
    /// \[particle\]
    pub cluster: Vec<u64>,
    /// How many particles that cluster holds, those that have coalesced counted one by one.
    /// \[particle\]
    pub cluster_size: Vec<u32>,
    /// The number of particles in the largest cluster; 0 if there are none.
    pub largest_cluster: u32,
    /// Pairs of identities, the lower first, in order.
    pub bonds: Vec<[u64; 2]>,
    /// In runs of particles that have masses. \[particle × dimension\], \[nm/µs\]
    pub velocity: Option<Vec<f64>>,
    /// Of polygons: by how much each is turned counter-clockwise. \[particle\], \[rad\]
    pub angle: Option<Vec<f64>>,
    /// Of polygons. \[particle\], \[rad/µs\]
    pub angular_velocity: Option<Vec<f64>>,
}

impl Snapshot {
    /// The state of a view; `in_flight` says that its particles have masses, though it does not.
    pub(super) fn of<const D: usize>(view: &View<'_, D>, in_flight: bool) -> Self {
        let View { clock, particles: p, clusters, outlines, .. } = *view;
        let slots = p.slots_by_id();
        let has_masses = in_flight || view.balance.is_some() || outlines.is_some();
        let speeds = || rows(&slots, |i| p.velocity[i].0.map(|v| v / clock.timestep));
        let turned = |of: fn(&Outlines<'_>) -> Vec<f64>| {
            let all = outlines.as_ref().map(of);
            all.map(|all| column(&slots, |i| all[i]))
        };
        let sizes = cluster_sizes(view);
        let mut bonds: Vec<[u64; 2]> = clusters.bonds().map(|bond| bond.ids).collect();
        bonds.sort_unstable();
        Self {
            dimension: D,
            step: clock.step,
            time_us: clock.time(),
            id: column(&slots, |i| p.id[i]),
            species: column(&slots, |i| p.species[i]),
            position: rows(&slots, |i| p.position[i].0),
            image: rows(&slots, |i| p.image[i]),
            radius: column(&slots, |i| p.radius[i]),
            cluster: slots.iter().map(|&slot| clusters.id_of(p, slot)).collect(),
            cluster_size: column(&slots, |i| sizes[i]),
            largest_cluster: slots.iter().map(|&i| sizes[i as usize]).max().unwrap_or(0),
            bonds,
            velocity: has_masses.then(speeds),
            angle: turned(|outlines| outlines.angle.to_vec()),
            angular_velocity: turned(|outlines| outlines.angular_velocity.to_vec()),
        }
    }

    /// How many particles there are.
    pub fn len(&self) -> usize {
        self.id.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.id.is_empty()
    }
}

/// Where the particles are, as [`Snapshot::position`] has it.
pub(super) fn positions<const D: usize>(p: &Particles<D>) -> Vec<f64> {
    rows(&p.slots_by_id(), |i| p.position[i].0)
}

/// How many particles the cluster of each holds. \[slot\]
fn cluster_sizes<const D: usize>(view: &View<'_, D>) -> Vec<u32> {
    let (p, clusters): (&Particles<D>, _) = (view.particles, view.clusters);
    let alone = |slot: usize| match p.unit[slot] {
        ALONE => clusters.size_among(p, &[slot as u32]),
        _ => 0,
    };
    let mut sizes: Vec<u32> = (0..p.len()).map(alone).collect();
    for unit in clusters.units.iter().flatten() {
        let size = clusters.size_among(p, &unit.members);
        unit.members.iter().for_each(|&member| sizes[member as usize] = size);
    }
    sizes
}

fn column<T>(slots: &[u32], of: impl Fn(usize) -> T) -> Vec<T> {
    slots.iter().map(|&slot| of(slot as usize)).collect()
}

fn rows<T, const D: usize>(slots: &[u32], of: impl Fn(usize) -> [T; D]) -> Vec<T> {
    // Not collected: the iterator does not say how many there will be.
    let mut all = Vec::with_capacity(slots.len() * D);
    slots.iter().for_each(|&slot| all.extend(of(slot as usize)));
    all
}

/// The fingerprint of a state, as files have it.
pub(super) fn hash_of<const D: usize>(view: &View<'_, D>) -> u64 {
    let hash = state_hash(view.particles, view.clusters);
    match &view.outlines {
        Some(outlines) => with_angles(hash, view.particles, outlines.angle),
        None => hash,
    }
}
