//! Which tasks are this process's, where several run one sweep.

use super::SweepError;

/// How tasks are shared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ShareBy {
    /// Among the processes that srun or mpiexec has started.
    Rank,
}

/// The variables in which those give a process its number, and how many there are.
const RANKS: [[&str; 2]; 3] = [
    ["PMI_RANK", "PMI_SIZE"],
    ["OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"],
    // Last, since an allocation sets them for mpiexec, too.
    ["SLURM_PROCID", "SLURM_NTASKS"],
];

/// The share of one process of several.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    rank: usize,
    pub(super) of: usize,
}

impl Share {
    /// That of one process alone.
    pub(super) const ALL: Self = Self { rank: 0, of: 1 };

    /// Whether a task is in it.
    pub(super) fn has(self, task: usize) -> bool {
        task % self.of == self.rank
    }

    /// That of a process with these numbers, if they make sense.
    fn of(rank: &str, of: &str) -> Option<Self> {
        let (rank, of) = (rank.parse().ok()?, of.parse().ok()?);
        (rank < of).then_some(Self { rank, of })
    }
}

impl ShareBy {
    /// The share of this process.
    ///
    /// # Errors
    /// If nothing has started it that shares tasks.
    pub fn share(self) -> Result<Share, SweepError> {
        let set = RANKS.iter().find_map(|[rank, of]| {
            Some((*rank, std::env::var(rank).ok()?, *of, std::env::var(of).ok()?))
        });
        let Some((rank, its_rank, of, number)) = set else {
            let names = RANKS.map(|[rank, _]| rank).join(", ");
            let text = format!(
                "--share rank: this process has not been started by srun or mpiexec; none of {names} is set"
            );
            return Err(SweepError::Refused(text));
        };
        Share::of(&its_rank, &number).ok_or_else(|| {
            let text = format!("--share rank: {rank} is `{its_rank}` and {of} is `{number}`");
            SweepError::Refused(text)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_task_is_in_one_share() {
        let shares: Vec<Share> =
            ["0", "1", "2"].iter().filter_map(|rank| Share::of(rank, "3")).collect();
        assert_eq!(shares.len(), 3);
        for task in 0..100 {
            assert_eq!(shares.iter().filter(|share| share.has(task)).count(), 1);
        }
        assert_eq!([Share::of("3", "3"), Share::of("a", "3"), Share::of("0", "0")], [None; 3]);
    }
}
