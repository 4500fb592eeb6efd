//! Cluster sizes: over time, and their distribution.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::scope::Scope;
use super::statistics::{Estimate, blocked};
use super::tables::{Cell, Table};
use jostle_core::words::abridged;
use jostle_h5md::reading::ReadError;
use jostle_h5md::reading::{Reading, named_species_in};

/// The clusters of one frame.
#[derive(Clone, Debug, PartialEq)]
pub struct SizesAt {
    /// The step of the frame.
    pub step: i64,
    /// \[µs\]
    pub time: f64,
    /// How many clusters there are of each size. A particle alone is a cluster of one; particles
    /// that have coalesced are counted one by one.
    pub clusters: BTreeMap<u64, u64>,
}

impl SizesAt {
    /// How many clusters there are.
    pub fn count(&self) -> u64 {
        self.clusters.values().sum()
    }

    /// How many particles there are, those that have coalesced counted one by one.
    pub fn particles(&self) -> u64 {
        self.clusters.iter().map(|(size, count)| size * count).sum()
    }

    /// The size of the largest cluster.
    pub fn largest(&self) -> u64 {
        self.clusters.last_key_value().map_or(0, |(&size, _)| size)
    }

    /// Particles per cluster: the number average.
    pub fn mean(&self) -> f64 {
        self.particles() as f64 / self.count() as f64
    }

    /// The mean size of the cluster that a particle is in: the weight average.
    pub fn mean_by_particle(&self) -> f64 {
        let squares =
            self.clusters.iter().map(|(&size, &count)| size as f64 * size as f64 * count as f64);
        squares.sum::<f64>() / self.particles() as f64
    }
}

/// Cluster sizes over time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClusterSizes {
    /// One entry per frame.
    pub frames: Vec<SizesAt>,
    /// Species that there are particles of, each of them alone in every frame.
    pub single: Vec<String>,
}

/// How many clusters there are of one size, averaged over time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SizeShare {
    /// Particles in the cluster.
    pub size: u64,
    /// Clusters of this size, with the error by blocking.
    pub clusters: Estimate,
    /// The share of all clusters that are of this size, with the error by blocking.
    pub of_clusters: Estimate,
    /// The share of all particles that are in a cluster of this size, with the error by blocking.
    pub of_bodies: Estimate,
}

/// Cluster sizes, averaged over time.
#[derive(Clone, Debug, PartialEq)]
pub struct SizeDistribution {
    /// By size.
    pub sizes: Vec<SizeShare>,
    /// The number average, with the error by blocking.
    pub mean: Estimate,
    /// The weight average, with the error by blocking.
    pub mean_by_particle: Estimate,
}

impl ClusterSizes {
    /// One row per frame.
    pub fn to_table(&self) -> Table {
        let mut table = Table::new(&[
            "time (µs)",
            "particles",
            "clusters",
            "alone",
            "mean size",
            "weight mean",
            "largest",
        ]);
        for at in &self.frames {
            table.push(vec![
                Cell::from(at.time),
                at.particles().into(),
                at.count().into(),
                (*at.clusters.get(&1).unwrap_or(&0)).into(),
                at.mean().into(),
                at.mean_by_particle().into(),
                at.largest().into(),
            ]);
        }
        table
    }

    /// Which species could be left out, in a sentence; none if there are no clusters, or no such species.
    pub fn said(&self) -> Option<String> {
        let some = self.frames.iter().any(|at| at.largest() > 1) && !self.single.is_empty();
        some.then(|| {
            let names = abridged(self.single.iter().cloned(), "species").join(", ");
            format!("({names}: every one of them is alone, and counts as a cluster of one; --species leaves out others)")
        })
    }

    /// One row per frame and size.
    pub fn to_histogram(&self) -> Table {
        let mut table = Table::new(&["time (µs)", "size", "clusters"]);
        for at in &self.frames {
            for (size, count) in &at.clusters {
                table.push(vec![Cell::from(at.time), (*size).into(), (*count).into()]);
            }
        }
        table
    }

    /// The average over the frames, each with the same weight; none if there are no particles.
    pub fn distribution(&self) -> Option<SizeDistribution> {
        let peopled: Vec<&SizesAt> = self.frames.iter().filter(|at| at.count() > 0).collect();
        if peopled.is_empty() {
            return None;
        }
        let series = |of: &dyn Fn(&SizesAt) -> f64| {
            blocked(&peopled.iter().map(|at| of(at)).collect::<Vec<_>>())
        };
        // The error of a ratio of two averages is, to first order, that of the average of this.
        let ratio = |part: &dyn Fn(&SizesAt) -> f64, whole: &dyn Fn(&SizesAt) -> f64| {
            let all = series(whole).mean;
            let share = series(part).mean / all;
            let residual = series(&|at| part(at) - share * whole(at));
            Estimate { mean: share, error: residual.error / all, ..residual }
        };
        let all: BTreeSet<u64> =
            peopled.iter().flat_map(|at| at.clusters.keys().copied()).collect();
        let share = |size: u64| {
            let count = |at: &SizesAt| at.clusters.get(&size).copied().unwrap_or(0) as f64;
            SizeShare {
                size,
                clusters: series(&count),
                of_clusters: ratio(&count, &|at| at.count() as f64),
                of_bodies: ratio(&|at| count(at) * size as f64, &|at| at.particles() as f64),
            }
        };
        Some(SizeDistribution {
            sizes: all.into_iter().map(share).collect(),
            mean: series(&SizesAt::mean),
            mean_by_particle: series(&SizesAt::mean_by_particle),
        })
    }
}

impl SizeDistribution {
    /// One row per size.
    pub fn to_table(&self) -> Table {
        let columns = [
            "size",
            "clusters",
            "std. error",
            "share of clusters",
            "std. error of this share",
            "share of particles",
            "std. error of that share",
        ];
        let mut table = Table::new(&columns);
        for share in &self.sizes {
            table.push(vec![
                Cell::from(share.size),
                share.clusters.mean.into(),
                share.clusters.error.into(),
                share.of_clusters.mean.into(),
                share.of_clusters.error.into(),
                share.of_bodies.mean.into(),
                share.of_bodies.error.into(),
            ]);
        }
        table
    }
}

/// Measures the sizes of the clusters in every frame of the scope, one frame in memory at a time.
/// If species are chosen, only their particles count, and only clusters that have one. What a particle made of
/// several is counts for all of them.
///
/// # Errors
/// If there is no frame within the scope, a species is unknown, or the file cannot be read.
pub fn cluster_sizes(reading: &Reading, scope: &Scope) -> Result<ClusterSizes, ReadError> {
    let (steps, times) = (reading.steps()?, reading.times()?);
    let chosen = scope.chosen(reading)?;
    let mut frames = Vec::new();
    let mut seen = vec![[false; 2]; reading.species().len()];
    for k in scope.frames(reading, 0)? {
        let data = reading.frame_data(k..k + 1, 0..reading.slots())?;
        let mut size_of: HashMap<i64, u64> = HashMap::new();
        let species = named_species_in(reading, k)?;
        let counts = |slot: usize| {
            let of = |wanted: &Vec<bool>| species[slot].is_some_and(|of| wanted[of]);
            data.id[[0, slot]] >= 0 && chosen.as_ref().is_none_or(of)
        };
        let counted: Vec<usize> = (0..reading.slots()).filter(|&slot| counts(slot)).collect();
        for &slot in &counted {
            *size_of.entry(data.cluster[[0, slot]]).or_default() +=
                data.coalesced[[0, slot]].max(1) as u64;
        }
        for &slot in &counted {
            if let Some(of) = species[slot] {
                seen[of][usize::from(size_of[&data.cluster[[0, slot]]] > 1)] = true;
            }
        }
        let mut clusters = BTreeMap::new();
        for size in size_of.into_values() {
            *clusters.entry(size).or_default() += 1;
        }
        frames.push(SizesAt { step: steps[k], time: times[k], clusters });
    }
    let names = reading.species().iter().zip(seen);
    let single = names.filter(|(_, seen)| *seen == [true, false]).map(|(name, _)| name.clone());
    Ok(ClusterSizes { frames, single: single.collect() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(clusters: &[(u64, u64)]) -> SizesAt {
        SizesAt { step: 0, time: 0.0, clusters: clusters.iter().copied().collect() }
    }

    /// What the error of a share is made of fluctuates less than the numbers do: with twice as many
    /// of every size in every other five frames, the shares do not fluctuate at all.
    #[test]
    fn errors_of_shares_know_that_all_fluctuates_together() {
        let frames = (0..64).map(|n| at(&[(1, 6 << (n / 5 % 2)), (3, 2 << (n / 5 % 2))])).collect();
        let found = ClusterSizes { frames, single: vec![] }.distribution().unwrap();
        for share in &found.sizes {
            assert!(share.clusters.error > 0.1 && share.of_clusters.error < 1e-12, "{share:?}");
            assert!(share.of_bodies.error < 1e-12, "{share:?}");
        }
        assert!((found.sizes[0].of_clusters.mean - 0.75).abs() < 1e-12);
        // One cluster of ten changes its size now and then: what one size loses the other gains.
        let frames = (0..64).map(|n| at(&[(1, 6 + n / 5 % 2), (3, 4 - n / 5 % 2)])).collect();
        let sizes = ClusterSizes { frames, single: vec![] }.distribution().unwrap().sizes;
        let [ones, threes] = [0, 1].map(|n| sizes[n].of_clusters.error);
        assert!(
            (ones - threes).abs() < 1e-12 && (ones - 0.1 * sizes[0].clusters.error).abs() < 1e-12
        );
    }

    #[test]
    fn shares_and_averages_are_those_of_a_small_case() {
        // Six particles: alone, alone, four together; then two, two, two.
        let sizes =
            ClusterSizes { frames: vec![at(&[(1, 2), (4, 1)]), at(&[(2, 3)])], single: vec![] };
        let found = sizes.distribution().unwrap();
        let shares = found
            .sizes
            .iter()
            .map(|s| (s.size, s.clusters.mean, s.of_clusters.mean, s.of_bodies.mean));
        let expected =
            [(1, 1.0, 1.0 / 3.0, 1.0 / 6.0), (2, 1.5, 0.5, 0.5), (4, 0.5, 1.0 / 6.0, 1.0 / 3.0)];
        assert_eq!(shares.collect::<Vec<_>>(), expected);
        assert_eq!((found.mean.mean, found.mean_by_particle.mean), (2.0, 2.5));
        // Of two values that differ by d, the error of the mean is d/2.
        assert!((found.mean_by_particle.error - 0.5).abs() < 1e-12);
        assert!(ClusterSizes { frames: vec![at(&[])], single: vec![] }.distribution().is_none());
    }
}
