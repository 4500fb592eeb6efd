//! What has not been done, as a job for a scheduler.

use std::path::Path;
use std::str::FromStr;

use super::freeze::check_folder;
use super::{SweepError, open};
use crate::{as_ranges, missing};

/// What starts the tasks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Engine {
    /// Slurm: an array job that is queued again where the time limit was too short; for sbatch.
    Slurm,
    /// GNU parallel, on one machine or within one allocation.
    Parallel,
    /// HyperQueue: a job file, for hq job submit-file.
    Hq,
    /// Snakemake: a Snakefile, for one machine or a cluster.
    Snakemake,
}

impl Engine {
    /// All of them, with their words and what each is.
    pub const ALL: [(Self, &str, &str); 4] = [
        (
            Self::Slurm,
            "slurm",
            "Slurm: an array job that is queued again where the time limit was too short; for sbatch",
        ),
        (Self::Parallel, "parallel", "GNU parallel, on one machine or within one allocation"),
        (Self::Hq, "hq", "HyperQueue: a job file, for hq job submit-file"),
        (Self::Snakemake, "snakemake", "Snakemake: a Snakefile, for one machine or a cluster"),
    ];
}

impl FromStr for Engine {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|(_, word, _)| *word == name);
        let found = found.map(|(engine, ..)| engine);
        found.ok_or_else(|| format!("`{name}`: there are slurm, parallel, hq and snakemake"))
    }
}

/// What scripts are made of.
struct Job<'a> {
    name: String,
    folder: String,
    /// The tasks that have not been done.
    left: &'a [usize],
    /// How many there are in all.
    tasks: usize,
    /// The cores that each takes.
    threads: usize,
}

/// Writes a job script for what has not been done; with it comes what its user should know.
///
/// # Errors
/// If the folder holds no plan, or all has been done.
pub fn script(folder: &Path, engine: Engine) -> Result<(String, Option<String>), SweepError> {
    let plan = open(folder)?;
    let left = missing(&plan, folder);
    if left.is_empty() {
        let text = "all tasks have been done; jostle sweep merge puts them together";
        return Err(SweepError::Other(text.into()));
    }
    check_name(folder, engine)?;
    let name = folder.file_name().map_or("sweep".into(), |name| name.to_string_lossy());
    // A label, in which no scheduler finds anything to read.
    let is_plain = |c: char| c.is_alphanumeric() || "._-+".contains(c);
    let job = Job {
        name: name.chars().map(|c| if is_plain(c) { c } else { '_' }).collect(),
        folder: folder.display().to_string(),
        left: &left,
        tasks: plan.task_count(),
        threads: plan.threads.max(1),
    };
    let text = match engine {
        Engine::Slurm => job.for_slurm(),
        Engine::Parallel => job.for_parallel(),
        Engine::Hq => job.for_hyperqueue(),
        Engine::Snakemake => job.for_snakemake(),
    };
    let is_long = engine == Engine::Slurm && left[left.len() - 1] - left[0] > MOST_OF_SLURM;
    let note = is_long.then(|| {
        format!(
            "Slurm takes numbers up to {MOST_OF_SLURM} unless MaxArraySize allows more (scontrol show config); \
             take a part of --array at a time"
        )
    });
    Ok((text, note))
}

/// Refuses folders whose names the language of a script cannot hold.
fn check_name(folder: &Path, engine: Engine) -> Result<(), SweepError> {
    check_folder(folder)?;
    let fills_in = match engine {
        Engine::Slurm | Engine::Hq => return Ok(()),
        Engine::Parallel => "GNU parallel",
        Engine::Snakemake => "Snakemake",
    };
    if !folder.to_string_lossy().contains(['{', '}']) {
        return Ok(());
    }
    let text = format!("{fills_in} fills in something where a path has braces; rename the folder");
    Err(SweepError::Other(format!("{}: {text}", folder.display())))
}

impl Job<'_> {
    fn for_slurm(&self) -> String {
        let (name, folder) = (quoted(&self.name), quoted(&self.folder));
        let threads = self.threads;
        // Unless a site says otherwise, Slurm's numbers end with 1000.
        let (first, last) = (self.left[0], self.left[self.left.len() - 1]);
        let above = if last > MOST_OF_SLURM { first } else { 0 };
        let shifted: Vec<usize> = self.left.iter().map(|task| task - above).collect();
        let ranges = as_ranges(&shifted);
        let task = match above {
            0 => String::new(),
            _ => format!(" $((SLURM_ARRAY_TASK_ID + {above}))"),
        };
        format!(
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
jostle sweep task {folder}{task} &
task=$!
trap 'kill -TERM $task' TERM
wait $task
while kill -0 $task 2>/dev/null; do
    wait $task
done
# TERM ends the first wait; the last tells how the task ended, however soon it did.
wait $task
status=$?
if [ $status = 75 ]; then
    scontrol requeue "${{SLURM_ARRAY_JOB_ID}}_${{SLURM_ARRAY_TASK_ID}}"
fi
exit $status
"#
        )
    }

    /// All tasks: what its log knows as done it passes over.
    fn for_parallel(&self) -> String {
        let (name, folder) = (quoted(&self.name), quoted(&self.folder));
        let last = self.tasks - 1;
        // It knows nothing of threads.
        let (at_a_time, jobs) = match self.threads {
            1 => ("there are cores".to_owned(), String::new()),
            threads => {
                let percent = (100 / threads).max(1);
                (format!("cores suffice for, {threads} for each"), format!("--jobs {percent}% "))
            }
        };
        format!(
            "#!/bin/sh\n# As many tasks at a time as {at_a_time}; --jobs N sets another number.\n\
             parallel {jobs}--quote --joblog {name}.joblog --resume-failed \
             jostle sweep task {folder} {{}} ::: $(seq 0 {last})\n"
        )
    }

    /// The task finds its number in `HQ_TASK_ID`.
    fn for_hyperqueue(&self) -> String {
        let (name, folder) = (as_string(&self.name), as_string(&self.folder));
        let (ranges, threads) = (as_ranges(self.left), self.threads);
        format!(
            r#"# For hq job submit-file. A task of which a worker is lost continues at another one.
name = {name}

[array]
ids = "{ranges}"
command = ["jostle", "sweep", "task", {folder}]
stdout = "none"
crash_limit = {AGAIN}

[[array.request]]
resources = {{ "cpus" = {threads} }}
"#
        )
    }

    /// All tasks: those whose results are there it passes over.
    fn for_snakemake(&self) -> String {
        let results = as_string(&Path::new(&self.folder).join("results").display().to_string());
        let command = as_string(&format!("jostle sweep task {} ", quoted(&self.folder)));
        let (tasks, threads) = (self.tasks, self.threads);
        format!(
            r#"# snakemake --snakefile FILE --cores 8, or --executor slurm --jobs 100 on a cluster.
RESULTS = {results}

rule all:
    input: [RESULTS + f"/{{n // 1000:03}}/{{n:06}}.json" for n in range({tasks})]

# A task that was stopped or killed continues when it is tried again. Where runs fail, that is a result, too, which
# Snakemake would remove; jostle sweep status tells why they do.
rule task:
    output: RESULTS + "/{{group}}/{{task}}.json"
    wildcard_constraints: task="[0-9]+"
    threads: {threads}
    retries: {AGAIN}
    resources: runtime=120
    shell: {command} "{{wildcards.task}} || test -e {{output:q}}"
"#
        )
    }
}

/// The largest number in an array of Slurm, if its MaxArraySize is as it comes.
const MOST_OF_SLURM: usize = 1000;

/// How many times a task that ended before it was done is started again.
const AGAIN: u32 = 20;

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+".contains(c);
    match word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

/// A text as TOML and Python read it, and JSON.
fn as_string(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_that_were_added_have_numbers_that_slurm_takes() {
        let left: Vec<usize> = (1200..1300).collect();
        let job =
            Job { name: "a".into(), folder: "a".into(), left: &left, tasks: 1300, threads: 1 };
        let text = job.for_slurm();
        assert!(text.contains("#SBATCH --array=0-99\n"), "{text}");
        assert!(
            text.contains("\njostle sweep task a $((SLURM_ARRAY_TASK_ID + 1200)) &\n"),
            "{text}"
        );
    }

    #[test]
    fn folders_of_any_name_are_quoted() {
        let job = Job {
            name: "it's 1".to_owned(),
            folder: "my runs/it's 1".to_owned(),
            left: &[3],
            tasks: 4,
            threads: 2,
        };
        let shell = r"'my runs/it'\''s 1'";
        for engine in [Engine::Parallel, Engine::Snakemake] {
            let checked = check_name(Path::new("runs/{task}"), engine);
            let is_told = |why: &str| why.contains("rename the folder");
            assert!(matches!(checked, Err(why) if is_told(&why.to_string())));
        }
        for engine in [Engine::Slurm, Engine::Hq] {
            assert!(check_name(Path::new("runs/{task}"), engine).is_ok());
            assert!(check_name(Path::new("runs/a\nb"), engine).is_err());
        }
        assert!(job.for_slurm().contains(&format!("\njostle sweep task {shell} &\n")));
        let parallel = job.for_parallel();
        assert!(parallel.contains("\nparallel --jobs 50% --quote --joblog "), "{parallel}");
        assert!(parallel.contains(&format!(" jostle sweep task {shell} {{}} ::: ")), "{parallel}");
        let hq: toml::Value = toml::from_str(&job.for_hyperqueue()).unwrap();
        assert_eq!(hq["name"].as_str(), Some("it's 1"));
        assert_eq!(hq["array"]["command"][3].as_str(), Some("my runs/it's 1"));
        assert_eq!(hq["array"]["ids"].as_str(), Some("3"));
        let snakemake = job.for_snakemake();
        assert!(snakemake.contains("RESULTS = \"my runs/it's 1/results\"\n"), "{snakemake}");
        let command = r#"shell: "jostle sweep task 'my runs/it'\\''s 1' " "{wildcards.task}"#;
        assert!(snakemake.contains(command), "{snakemake}");
    }
}
