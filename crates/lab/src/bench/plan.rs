//! What is to be measured, and how thoroughly.

use super::{ContestEffort, Contestant, Entry};

/// What is to be measured, and how thoroughly.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// Names of studies, of [`Plan::STUDIES`].
    pub studies: Vec<&'static str>,
    /// Numbers of particles of Figure 6.
    pub sizes: Vec<usize>,
    /// Numbers of particles for comparing structures by density.
    pub few_sizes: Vec<usize>,
    /// The number of particles for the sizes of cells and for mixtures.
    pub particles: usize,
    /// The number of particles for comparing schedulers: the rescan takes all of them at each
    /// contact.
    pub particles_for_rescan: usize,
    /// Numbers of disks of the gas.
    pub disks: Vec<usize>,
    /// Packing fractions.
    pub packings: Vec<f64>,
    /// Edges of cells, in units of the least.
    pub cell_sizes: Vec<f64>,
    /// Rounds of every contest.
    pub rounds: usize,
    /// In a turn of every contest, so many particles are moved by a step; at least one step each.
    pub particle_steps: usize,
    /// A structure that would take longer for a step drops out as the number of particles grows.
    /// \[s\]
    pub longest_step: f64,
}

impl Plan {
    /// The names of all studies.
    pub const STUDIES: [&'static str; 6] =
        ["figure6", "structures", "cell_size", "schedulers", "mixtures", "gas"];

    /// Some minutes, on an optimised build.
    pub fn full() -> Self {
        Self {
            studies: Self::STUDIES.to_vec(),
            sizes: vec![100, 300, 1_000, 3_000, 10_000, 30_000, 100_000],
            few_sizes: vec![1_000, 10_000, 100_000],
            particles: 10_000,
            particles_for_rescan: 1_000,
            disks: vec![300, 1_000, 3_000, 10_000, 30_000],
            packings: vec![0.001, 0.01, 0.1, 0.3],
            cell_sizes: vec![1.0, 1.1, 1.25, 1.5, 2.0, 3.0, 4.0],
            rounds: 5,
            particle_steps: 30_000,
            longest_step: 0.5,
        }
    }

    /// Some seconds: the same tables of small numbers of particles.
    pub fn quick() -> Self {
        Self {
            sizes: vec![50, 100, 200],
            few_sizes: vec![100, 300],
            particles: 300,
            particles_for_rescan: 100,
            disks: vec![100, 300],
            cell_sizes: vec![1.0, 2.0, 4.0],
            rounds: 3,
            particle_steps: 1_000,
            longest_step: 0.1,
            ..Self::full()
        }
    }

    /// How much is measured of a contest among so many particles.
    pub(super) fn effort(&self, particles: usize) -> ContestEffort {
        ContestEffort {
            rounds: self.rounds,
            steps: (self.particle_steps / particles).max(1) as u64,
        }
    }
    /// Those of `contestants` who need not too long for a step of `particles` particles, going by
    /// what is known of them with fewer particles.
    pub(super) fn in_time(
        &self,
        mut contestants: Vec<Contestant>,
        known: &[Entry],
        particles: usize,
    ) -> Vec<Contestant> {
        contestants.retain(|one| {
            predicted(one, known, particles).is_none_or(|time| time <= self.longest_step)
        });
        contestants
    }
}

/// How long a step will take: the power law through the last two sizes, or as the square of the
/// size. \[s\]
fn predicted(one: &Contestant, known: &[Entry], particles: usize) -> Option<f64> {
    let mut known = known.iter().rev().filter(|entry| entry.contestant == *one);
    let last = known.next()?;
    let power = known.next().map_or(2.0, |before| {
        libm::log(last.least / before.least)
            / libm::log(last.particles as f64 / before.particles as f64)
    });
    Some(last.least * libm::pow(particles as f64 / last.particles as f64, power))
}

#[cfg(test)]
mod tests {
    use super::super::{contest, crowd};
    use super::*;
    use jostle_core::search::Kind;

    #[test]
    fn one_that_would_take_too_long_drops_out() {
        let plan = Plan { longest_step: 1.0, ..Plan::quick() };
        let all = || vec![Contestant::plain(Kind::Naive), Contestant::plain(Kind::Cubic)];
        assert_eq!(plan.in_time(all(), &[], 1_000_000), all(), "nothing is known yet");
        let mut known = Vec::new();
        for (particles, times) in [(10, [0.01, 0.02]), (20, [0.04, 0.04])] {
            let model = crowd(3, particles, 0.01).unwrap();
            let found =
                contest::<3>(&model, &all(), ContestEffort { rounds: 1, steps: 1 }).unwrap();
            known.extend(
                found.into_iter().zip(times).map(|(entry, least)| Entry { least, ..entry }),
            );
        }
        // The one grows as the square, the other linearly.
        assert_eq!(plan.in_time(all(), &known, 99), all());
        assert_eq!(plan.in_time(all(), &known, 101), all()[1..]);
        assert_eq!(plan.in_time(all(), &known, 501), []);
        assert_eq!(plan.in_time(all(), &known[..2], 99), all()[..1], "as the square, by one size");
    }
}
