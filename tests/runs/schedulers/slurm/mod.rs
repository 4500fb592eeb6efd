//! Slurm, on two nodes that are both this machine.

mod cluster;

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use self::cluster::Cluster;
use super::tasks::{Running, signal};
use super::{HOPELESS, LONG, is_the_same, missing, planned, script, wait_for};
#[cfg(feature = "long")]
use crate::program::jostle;

/// How long Slurm may take for anything.
const PATIENCE: u64 = 90;

/// Kills so many of the short tasks and, at every other one, the shell of its job: their numbers.
fn kill_some(dir: &Path, many: usize) -> BTreeSet<usize> {
    let mut killed = BTreeSet::new();
    while killed.len() < many {
        // Whichever runs at some moment.
        std::thread::sleep(Duration::from_millis(40 + 70 * killed.len() as u64));
        let found = wait_for("task to kill", PATIENCE, || {
            let mut all = Running::all(dir).into_iter();
            all.find(|one| one.task < HOPELESS[0] && !killed.contains(&one.task))
        });
        let shell = found.parent();
        found.signal("KILL");
        // It may just have come to its end.
        if !dir.join(format!("sweep/results/000/{:06}.json", found.task)).exists() {
            killed.insert(found.task);
            if let Some(shell) = shell.filter(|_| killed.len() % 2 == 0) {
                signal(shell, "KILL");
            }
        }
    }
    killed
}

#[test]
fn slurm_queues_again_what_was_stopped_and_what_its_nodes_lost() {
    let Some(cluster) = Cluster::start() else { return };
    let sweep = planned();
    let dir = sweep.path();
    script(dir, "slurm", "job.sh");
    let job = cluster.submit(dir, "job.sh");
    let killed = kill_some(dir, 4);
    // No job begins on a node that is drained, and those that run there end.
    cluster.take("n1", "drain");
    wait_for("drained node", PATIENCE, || (cluster.node("n1") == "drained").then_some(()));
    cluster.give_back("n1");
    // What a time limit sends to one, and a user's command to the other.
    let [stopped, requeued] = LONG.map(|task| format!("{job}_{task}"));
    Running::at_work(dir, LONG[0]);
    cluster.says(&format!("scancel --signal=TERM --batch {stopped}"));
    Running::at_work(dir, LONG[1]);
    cluster.says(&format!("scontrol requeue {requeued}"));
    cluster.wait_until(&stopped, "PENDING");
    cluster.wait_until(&requeued, "PENDING");
    assert!(dir.join(format!("sweep/work/{:06}", LONG[0])).exists());
    // When it is there again, its node is lost, and perhaps the other task with it.
    cluster.wait_until(&requeued, "RUNNING");
    Running::at_work(dir, LONG[1]);
    let lost = cluster.of_job(&requeued, "NodeList");
    cluster.take(&lost, "down");
    cluster.wait_until(&requeued, "PENDING");
    cluster.give_back(&lost);
    cluster.wait_for_all();
    let log = std::fs::read_to_string(dir.join(format!("slurm-{stopped}.out"))).unwrap();
    assert!(log.contains("task 38 stopped; the same command continues it"), "{log}");
    let restarts = |job: &str| cluster.of_job(job, "Restarts").parse::<u32>().unwrap();
    assert!(restarts(&stopped) >= 1);
    assert!(restarts(&requeued) >= 2);
    for task in &killed {
        assert_eq!(cluster.of_job(&format!("{job}_{task}"), "JobState"), "FAILED", "{task}");
    }
    // What has been killed is left, as it is where a job has failed for other reasons.
    assert_eq!(missing(dir), killed.into_iter().collect::<Vec<_>>());
    script(dir, "slurm", "job.sh");
    cluster.submit(dir, "job.sh");
    cluster.wait_for_all();
    is_the_same(dir);
}

/// Two minutes: Slurm has no limit below one.
#[cfg(feature = "long")]
#[test]
fn a_task_of_slurm_goes_on_after_its_time_limit() {
    // One run that takes a minute.
    const SWEEP: &str = "[sweep]
model = \"model.toml\"
seed = 11
replicas = 1
[axes]
\"run.steps\" = [6000000]
\"output.frame_every\" = [50000]
[[measure]]
what = \"counts\"
";
    let Some(cluster) = Cluster::start() else { return };
    let sweep = super::planned_as(SWEEP);
    let dir = sweep.path();
    // TERM comes within the first half minute.
    let text = script(dir, "slurm", "job.sh");
    let text = text.replace("--time=02:00:00", "--time=1").replace("B:TERM@120", "B:TERM@50");
    std::fs::write(dir.join("job.sh"), text).unwrap();
    let job = cluster.submit(dir, "job.sh");
    let alone = super::planned_as(SWEEP);
    jostle(alone.path(), &["sweep", "run", "sweep", "--quiet"]).succeeds();
    cluster.wait_for_all();
    let task = format!("{job}_0");
    assert_eq!(cluster.of_job(&task, "JobState"), "COMPLETED");
    let restarts: u32 = cluster.of_job(&task, "Restarts").parse().unwrap();
    let log = std::fs::read_to_string(dir.join(format!("slurm-{task}.out"))).unwrap();
    assert!(restarts > 0, "{log}");
    let result = |dir: &Path| std::fs::read(dir.join("sweep/results/000/000000.json")).unwrap();
    assert!(result(dir) == result(alone.path()), "{log}");
}
