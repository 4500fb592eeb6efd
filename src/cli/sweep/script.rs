//! `jostle sweep script`: what has not been done, as a job for a scheduler.

use std::io::Write;
use std::path::Path;

use super::super::Failure;
use super::open;
use jostle_sweep::{as_ranges, missing};

/// What starts the tasks.
#[derive(Clone, Copy, Debug, PartialEq, clap::ValueEnum)]
pub(super) enum Engine {
    /// Slurm: an array job that is queued again where the time limit was too short; for sbatch.
    Slurm,
    /// GNU parallel, on one machine or within one allocation.
    Parallel,
}

pub(super) fn carry_out(folder: &Path, engine: Engine) -> Result<(), Failure> {
    let plan = open(folder)?;
    let left = missing(&plan, folder);
    if left.is_empty() {
        return Err("all tasks have been done; jostle sweep merge puts them together".into());
    }
    let name = folder.file_name().map_or("sweep".into(), |name| name.to_string_lossy());
    let name = quoted(&name);
    let folder = quoted(&folder.display().to_string());
    let ranges = as_ranges(&left);
    let threads = plan.threads;
    let text = match engine {
        Engine::Slurm => format!(
            r#"#!/bin/bash
#SBATCH --job-name={name}
#SBATCH --array={ranges}
#SBATCH --cpus-per-task={threads}
#SBATCH --time=02:00:00
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --signal=B:TERM@120
# Slurm sends TERM 120 s before the time limit. The task then writes a checkpoint and ends with
# code 75, and is queued again; it continues from there.
jostle sweep task {folder} &
task=$!
trap 'kill -TERM $task' TERM
wait $task
status=$?
while kill -0 $task 2>/dev/null; do
    wait $task
    status=$?
done
if [ $status = 75 ]; then
    scontrol requeue "${{SLURM_ARRAY_JOB_ID}}_${{SLURM_ARRAY_TASK_ID}}"
fi
exit $status
"#
        ),
        // All tasks: what its log knows as done it passes over.
        Engine::Parallel => format!(
            "#!/bin/sh\n# As many tasks at a time as there are cores; --jobs N sets another number.\n\
             parallel --joblog {name}.joblog --resume-failed jostle sweep task {folder} {{}} ::: $(seq 0 {})\n",
            plan.task_count() - 1
        ),
    };
    std::io::stdout().write_all(text.as_bytes())?;
    Ok(())
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+".contains(c);
    match word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}
