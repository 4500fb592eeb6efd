//! A cluster of our own: its daemons are started here and end with it.

use std::fs;
use std::io::Read;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Stdio};

use tempfile::TempDir;

use super::super::{installed, system, wait_for};
use super::PATIENCE;
use crate::program::{Apart, Done, left_out, with_jostle};

/// What it needs.
const PROGRAMS: [&str; 6] = ["munged", "slurmctld", "slurmd", "sbatch", "scontrol", "squeue"];

/// Two nodes of two cores each. Jobs are submitted and run by root. A job that is queued again waits
/// for `cred_expire` seconds, of which Slurm wants at least five.
const CONFIGURATION: &str = "ClusterName=jostle
SlurmctldHost=HOST(127.0.0.1)
SlurmctldPort=PORT
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=FOLDER/munge/socket,cred_expire=5
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
MpiDefault=none
KillWait=5
SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1
StateSaveLocation=FOLDER/state
SlurmdSpoolDir=FOLDER/spool/%n
SlurmctldPidFile=FOLDER/slurmctld.pid
SlurmdPidFile=FOLDER/%n.pid
SlurmctldLogFile=FOLDER/slurmctld.log
SlurmdLogFile=FOLDER/%n.log
SlurmdParameters=config_overrides
NodeName=n1 NodeHostname=HOST NodeAddr=127.0.0.1 Port=PORT CPUs=2
NodeName=n2 NodeHostname=HOST NodeAddr=127.0.0.1 Port=PORT CPUs=2
PartitionName=all Nodes=n[1-2] Default=YES MaxTime=INFINITE State=UP
";

pub(super) struct Cluster {
    folder: TempDir,
    daemons: Vec<Child>,
}

impl Cluster {
    /// Starts it, unless that cannot be done here, which is said.
    pub(super) fn start() -> Option<Self> {
        if !installed(&PROGRAMS) {
            return None;
        }
        if system("id -u").out.trim() != "0" {
            left_out("Slurm's daemons are started here by root alone");
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        for within in ["", "munge", "state", "spool"] {
            fs::create_dir_all(path.join(within)).unwrap();
            fs::set_permissions(path.join(within), fs::Permissions::from_mode(0o755)).unwrap();
        }
        let mut key = [0; 128];
        fs::File::open("/dev/urandom").unwrap().read_exact(&mut key).unwrap();
        fs::write(path.join("munge/key"), key).unwrap();
        fs::set_permissions(path.join("munge/key"), fs::Permissions::from_mode(0o600)).unwrap();
        fs::write(path.join("slurm.conf"), configuration(path)).unwrap();
        let mut cluster = Self { folder, daemons: Vec::new() };
        let munge = ["key-file", "pid-file", "log-file", "seed-file", "socket"].map(|name| {
            let file = name.trim_end_matches("-file");
            format!("--{name}={}", path_within(&cluster, &format!("munge/{file}")))
        });
        cluster.add("munged", &format!("--foreground --force {}", munge.join(" ")));
        let socket = cluster.folder.path().join("munge/socket");
        wait_for("socket of munged", PATIENCE, || socket.exists().then_some(()));
        cluster.add("slurmctld", "-D");
        for node in ["n1", "n2"] {
            cluster.add("slurmd", &format!("-D -N {node}"));
        }
        for node in ["n1", "n2"] {
            wait_for("idle node", PATIENCE, || (cluster.node(node) == "idle").then_some(()));
        }
        Some(cluster)
    }

    fn add(&mut self, daemon: &str, arguments: &str) {
        let said = fs::File::create(self.folder.path().join(format!("{daemon}.said"))).unwrap();
        let mut command = self.command(&format!("exec {daemon} {arguments}"));
        command.stdin(Stdio::null()).stdout(said.try_clone().unwrap()).stderr(said);
        self.daemons.push(command.spawn_apart());
    }

    /// A line of shell that talks with this cluster, and finds `jostle`.
    fn command(&self, line: &str) -> std::process::Command {
        let mut command = with_jostle("sh", self.folder.path());
        command.env("SLURM_CONF", self.folder.path().join("slurm.conf"));
        command.arg("-c").arg(format!("PATH=\"$PATH:/usr/sbin:/sbin\"; {line}"));
        command
    }

    /// What it answers.
    pub(super) fn says(&self, line: &str) -> String {
        let done = Done::from(self.command(line).output_apart()).succeeds();
        done.out.trim().to_owned()
    }

    /// Submits a script in its folder: the number of the job.
    pub(super) fn submit(&self, dir: &Path, script: &str) -> String {
        self.says(&format!("cd '{}' && sbatch --parsable {script}", dir.display()))
    }

    /// The state of a node.
    pub(super) fn node(&self, name: &str) -> String {
        let asked = self.command(&format!("sinfo --noheader --Node --nodes={name} -o %T"));
        let done = Done::from({ asked }.output_apart());
        done.out.trim().to_owned()
    }

    /// Takes a node away: `drain` leaves it what runs there, `down` does not.
    pub(super) fn take(&self, node: &str, state: &str) {
        self.says(&format!("scontrol update nodename={node} state={state} reason=test"));
    }

    /// Gives it back.
    pub(super) fn give_back(&self, node: &str) {
        // A node that is down may come back by itself first, and this is refused.
        let line = format!("scontrol update nodename={node} state=resume");
        self.command(&line).output_apart();
        wait_for("node that is back", PATIENCE, || {
            ["idle", "mixed", "allocated"].contains(&&*self.node(node)).then_some(())
        });
    }

    /// What is noted of a job under a key.
    pub(super) fn of_job(&self, job: &str, key: &str) -> String {
        let text = self.says(&format!("scontrol --oneliner show job {job}"));
        let mut cells = text.split_whitespace().filter_map(|cell| cell.split_once('='));
        let found = cells.find(|(name, _)| *name == key);
        found.unwrap_or_else(|| panic!("{key}: {text}")).1.to_owned()
    }

    pub(super) fn wait_until(&self, job: &str, state: &str) {
        wait_for(&format!("{job} that is {state}"), PATIENCE, || {
            (self.of_job(job, "JobState") == state).then_some(())
        });
    }

    /// Waits until no job is left.
    pub(super) fn wait_for_all(&self) {
        wait_for("empty queue", PATIENCE, || {
            self.says("squeue --noheader").is_empty().then_some(())
        });
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let tell = ["squeue --array", "sinfo --Node --long", "tail -n 30 slurmctld.log"];
            for line in tell {
                let told = Done::from(self.command(line).output_apart());
                println!("{line}\n{}{}", told.out, told.err);
            }
            // Jobs would outlive the daemons.
            let end = "scancel --user root; \
                       for i in $(seq 20); do [ -z \"$(squeue -h)\" ] && break; sleep 0.5; done";
            self.command(end).output_apart();
        }
        // The last first: munged is needed by all.
        for daemon in self.daemons.iter_mut().rev() {
            system(&format!("kill -TERM {}", daemon.id()));
            let _ = daemon.wait();
        }
    }
}

fn path_within(cluster: &Cluster, name: &str) -> String {
    cluster.folder.path().join(name).display().to_string()
}

/// With ports that are free at this moment.
fn configuration(folder: &Path) -> String {
    let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap();
    let text = CONFIGURATION.replace("HOST", host.trim());
    let mut text = text.replace("FOLDER", &folder.display().to_string());
    let listeners = [0; 3].map(|_| TcpListener::bind("127.0.0.1:0").unwrap());
    for listener in &listeners {
        text = text.replacen("PORT", &listener.local_addr().unwrap().port().to_string(), 1);
    }
    text
}
