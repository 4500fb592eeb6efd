//! A frozen sweep: a folder that holds all that its members follow from.
//!
//! ```text
//! crowding/
//!     plan.json           points, seeds, measures
//!     sweep.toml          the sweep file, for people to read
//!     model/              the model, and the files that it reads
//!     results/000/000017.json what task 17 came to
//!     work/000017/        of a task that has begun: members done, files and checkpoints
//!     kept/               output files that are kept
//! ```

use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Component, Path, PathBuf};

use jostle_files::{is_endless, named_text_of};
use serde::{Deserialize, Serialize};

use super::file::{Keep, MeasureTable, Noise, Precision, SweepFile};
use super::points::Point;
use super::rounds::{Block, Round};
use super::seeds::seed_of;

/// Where the plan is, in its folder.
const PLAN: &str = "plan.json";

/// Where the text of the sweep file is.
const FILE: &str = "sweep.toml";

/// Changes whenever a plan is written in another way.
const FORMAT: u32 = 1;

/// Tasks whose results lie in one folder.
const TOGETHER: usize = 1000;

/// Without `task.replicas`, a sweep has no more tasks than this.
const MOST_TASKS: usize = 1000;
/// No file of a sweep is longer. \[bytes\]
pub(crate) const LONGEST_FILE: u64 = 1 << 31;

/// Versions on which the results of a member depend, apart from model and seed. Results of
/// different versions are not merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Physics {
    /// The version of the stream of random numbers.
    pub stream: u32,
    /// The version of everything else.
    pub physics: u32,
}

/// A frozen sweep.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    format: u32,
    /// The version of the program that made it.
    pub program: String,
    /// The version of its results.
    pub results: Physics,
    /// The name of the model file in the folder `model`.
    pub(crate) model: PathBuf,
    seed: u64,
    pub(crate) replicas: u32,
    noise: Noise,
    pub(crate) points: Vec<Point>,
    /// What is measured of each member.
    pub measures: Vec<MeasureTable>,
    /// Which output files are kept.
    pub keep: Keep,
    pub(crate) members_per_task: usize,
    /// On how many threads a member runs; 0 where its engine has no choice.
    pub threads: usize,
    /// How well is to be known what.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub precision: Option<Precision>,
    /// Members that were added later, in the order in which they were.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) rounds: Vec<Round>,
}

/// One run of a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member {
    /// Which point, counted from 0.
    pub point: usize,
    /// Which replica of it, counted from 0.
    pub replica: u32,
    /// Its seed: all but the lowest bit of [`seed_of`], since a model file has no integers of more
    /// than 63 bits.
    pub seed: u64,
}

impl Member {
    /// The name of its output file.
    pub fn file_name(self) -> String {
        format!("p{:05}_r{:04}.h5md", self.point, self.replica)
    }
}

/// Why a folder is no plan, or cannot become one.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// It cannot be written or read.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// It cannot be made sense of.
    #[error("{}: {reason}", path.display())]
    Unusable {
        /// The file or folder.
        path: PathBuf,
        /// What does not fit.
        reason: String,
    },
}

impl PlanError {
    pub(crate) fn io(path: &Path) -> impl Fn(io::Error) -> Self {
        move |source| Self::Io { path: path.to_owned(), source }
    }

    pub(crate) fn unusable(path: &Path, reason: impl Into<String>) -> Self {
        Self::Unusable { path: path.to_owned(), reason: reason.into() }
    }
}

impl Plan {
    /// Freezes a sweep in `folder`, with its model and the files that this reads, which lie in the
    /// model's folder.
    ///
    /// # Errors
    /// If there is a plan already, or the folder cannot be written.
    pub fn freeze(
        sweep: &SweepFile,
        model: &Path,
        files: &[PathBuf],
        (program, results): (&str, Physics),
        folder: &Path,
    ) -> Result<Self, PlanError> {
        let occupied = |path: &Path| fs::read_dir(path).is_ok_and(|mut all| all.next().is_some());
        if folder.join(PLAN).exists() {
            let reason = format!(
                "there is a plan already; jostle sweep run {} continues it, --force replaces it if nothing has been run, or \
                 choose another folder",
                folder.display()
            );
            return Err(PlanError::unusable(folder, reason));
        }
        if folder.is_file() || occupied(folder) {
            return Err(PlanError::unusable(folder, "not an empty folder; choose another name"));
        }
        let Some(name) = model.file_name() else {
            return Err(PlanError::unusable(model, "not a file"));
        };
        let members = sweep.points.len() * sweep.replicas as usize;
        let plan = Self {
            format: FORMAT,
            program: program.to_owned(),
            results,
            model: name.into(),
            seed: sweep.seed,
            replicas: sweep.replicas,
            noise: sweep.noise,
            points: sweep.points.clone(),
            measures: sweep.measures.clone(),
            keep: sweep.keep,
            members_per_task: sweep
                .members_per_task
                .map_or(members.div_ceil(MOST_TASKS), |given| given as usize),
            threads: sweep.threads,
            precision: sweep.precision.clone(),
            rounds: Vec::new(),
        };
        // Nothing is written before it is known that all of it can be copied.
        let beside = model.parent().unwrap_or(Path::new(""));
        let within = |file: &PathBuf| {
            let within = file.strip_prefix(beside).ok();
            let within =
                within.filter(|path| !path.components().any(|c| c == Component::ParentDir));
            within.map(Path::to_owned).ok_or_else(|| {
                let reason = "the model reads this file, which is not in its folder; move it there";
                PlanError::unusable(file, reason)
            })
        };
        let targets: Vec<PathBuf> = files.iter().map(within).collect::<Result<_, _>>()?;
        let copies = folder.join("model");
        fs::create_dir_all(&copies).map_err(PlanError::io(&copies))?;
        fs::copy(model, copies.join(name)).map_err(PlanError::io(model))?;
        for (file, target) in files.iter().zip(targets) {
            let to = copies.join(target);
            let above = to.parent().unwrap_or(&copies);
            fs::create_dir_all(above).map_err(PlanError::io(above))?;
            fs::copy(file, &to).map_err(PlanError::io(file))?;
        }
        if !sweep.text.is_empty() {
            write_whole(&folder.join(FILE), &sweep.text)?;
        }
        // Last, so that a folder with a plan has all that it needs.
        plan.write(folder)?;
        Ok(plan)
    }

    /// Opens the plan in `folder`.
    ///
    /// # Errors
    /// If there is none, or it is of another version.
    pub fn open(folder: &Path) -> Result<Self, PlanError> {
        let path = folder.join(PLAN);
        let text = named_text_of(&path, LONGEST_FILE).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => PlanError::unusable(
                folder,
                "there is no plan.json here; jostle sweep plan SWEEP.toml --out FOLDER makes one",
            ),
            _ => PlanError::io(&path)(error),
        })?;
        let plan: Self = serde_json::from_str(&text)
            .map_err(|error| PlanError::unusable(&path, error.to_string()))?;
        if plan.format != FORMAT {
            let reason = format!("its format is {}, but this program reads {FORMAT}", plan.format);
            return Err(PlanError::unusable(&path, reason));
        }
        if let Err(what) = plan.check() {
            let reason = format!("damaged: {what}; plan the sweep again, in another folder");
            return Err(PlanError::unusable(&path, reason));
        }
        let model = plan.model(folder);
        if is_endless(&model) {
            return Err(PlanError::unusable(&model, "this is not a regular file"));
        }
        Ok(plan)
    }

    /// Whether it was made from this sweep and this model, whatever was added since.
    pub fn is_of(&self, sweep: &SweepFile, model: &Path, folder: &Path) -> bool {
        let read = |path: &Path| named_text_of(path, LONGEST_FILE).ok();
        self.seed == sweep.seed
            && self.replicas == sweep.replicas
            && self.noise == sweep.noise
            && self.points == sweep.points
            && self.measures == sweep.measures
            && read(&self.model(folder)) == read(model)
    }

    /// The sweep file as it was when the sweep was planned; none if there was no file.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn file_text(folder: &Path) -> Result<Option<String>, PlanError> {
        let path = folder.join(FILE);
        match named_text_of(&path, LONGEST_FILE) {
            Ok(text) => Ok(Some(text)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(PlanError::io(&path)(error)),
        }
    }

    /// The model of the frozen sweep.
    pub fn model(&self, folder: &Path) -> PathBuf {
        folder.join("model").join(&self.model)
    }

    /// The points, in order.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// How many members there are.
    pub fn member_count(&self) -> usize {
        self.rounds.last().map_or(self.first_members(), Round::end)
    }

    /// How many members were planned at first.
    fn first_members(&self) -> usize {
        self.points.len() * self.replicas as usize
    }

    /// How many tasks were planned at first.
    fn first_tasks(&self) -> usize {
        self.first_members().div_ceil(self.members_per_task)
    }

    /// The seed from which those of all members follow.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Whether points share their noise.
    pub fn noise(&self) -> Noise {
        self.noise
    }

    /// How many replicas each point had at first.
    pub fn replicas(&self) -> u32 {
        self.replicas
    }

    /// How many replicas a point has.
    pub fn replicas_of(&self, point: usize) -> u32 {
        let added = self.rounds.iter().filter_map(|round| round.block_of(point));
        self.replicas + added.map(|block| block.count).sum::<u32>()
    }

    /// How many times replicas were added.
    pub fn rounds(&self) -> usize {
        self.rounds.len()
    }

    /// A member by its number: those of one point follow each other in each round.
    pub fn member(&self, number: usize) -> Member {
        let replicas = self.replicas as usize;
        let in_round = self.rounds.iter().rev().find_map(|round| round.member(number));
        let (point, replica) = in_round.unwrap_or((number / replicas, (number % replicas) as u32));
        let key = match self.noise {
            Noise::Independent => self.points[point].key(),
            Noise::Common => 0,
        };
        Member { point, replica, seed: seed_of(self.seed, key, u64::from(replica)) >> 1 }
    }

    /// The members of a point by their numbers, in the order of their replicas.
    pub fn members_at(&self, point: usize) -> impl Iterator<Item = usize> {
        let replicas = self.replicas as usize;
        let added = self.rounds.iter().filter_map(move |round| round.block_of(point));
        (point * replicas..(point + 1) * replicas).chain(added.flat_map(Block::members))
    }

    /// How many tasks there are.
    pub fn task_count(&self) -> usize {
        let tasks = |round: &Round| round.first_task + round.tasks(self.members_per_task);
        self.rounds.last().map_or(self.first_tasks(), tasks)
    }

    /// The members of a task, by their numbers.
    pub fn members_of(&self, task: usize) -> Range<usize> {
        let (first_task, members) = match self.rounds.iter().rev().find(|r| r.first_task <= task) {
            Some(round) => (round.first_task, round.start()..round.end()),
            None => (0, 0..self.first_members()),
        };
        let first = members.start + (task - first_task) * self.members_per_task;
        first..(first + self.members_per_task).min(members.end)
    }

    /// The task of a member.
    pub fn task_of(&self, number: usize) -> usize {
        let (first_task, start) = match self.rounds.iter().rev().find(|r| r.start() <= number) {
            Some(round) => (round.first_task, round.start()),
            None => (0, 0),
        };
        first_task + (number - start) / self.members_per_task
    }

    /// The round of a task: 0 for those that were planned at first.
    pub(crate) fn round_of(&self, task: usize) -> usize {
        self.rounds.partition_point(|round| round.first_task <= task)
    }

    /// The keys that points set, in the order in which they first appear.
    pub fn keys(&self) -> Vec<&str> {
        let mut keys: Vec<&str> = Vec::new();
        for (key, _) in self.points.iter().flat_map(|point| &point.values) {
            if !keys.contains(&key.as_str()) {
                keys.push(key);
            }
        }
        keys
    }

    /// Adds replicas to points, as tasks of their own, and writes the plan: points and how many,
    /// in order, each above 0.
    ///
    /// # Errors
    /// If the plan cannot be written.
    pub fn add(&mut self, added: &[(usize, u32)], folder: &Path) -> Result<(), PlanError> {
        let round = self.round_of_more(added);
        self.rounds.push(round);
        self.write(folder)
    }

    fn write(&self, folder: &Path) -> Result<(), PlanError> {
        let text = serde_json::to_string_pretty(self)
            .map_err(|error| PlanError::unusable(folder, error.to_string()))?;
        write_whole(&folder.join(PLAN), &text)
    }

    /// Where the result of a task is once it is done.
    pub fn result_path(&self, folder: &Path, task: usize) -> PathBuf {
        let group = format!("{:03}", task / TOGETHER);
        folder.join("results").join(group).join(format!("{task:06}.json"))
    }

    /// Where the members of a task that failed are listed once more, if there are any.
    pub fn failures_path(&self, folder: &Path, task: usize) -> PathBuf {
        self.result_path(folder, task).with_extension("failed.json")
    }

    /// Where the members of a task that warned of something are listed once more, without their
    /// tables, if there are any.
    pub fn warnings_path(&self, folder: &Path, task: usize) -> PathBuf {
        self.result_path(folder, task).with_extension("warnings.json")
    }

    /// Where a task keeps what it needs while it runs.
    pub fn work_folder(&self, folder: &Path, task: usize) -> PathBuf {
        folder.join("work").join(format!("{task:06}"))
    }

    /// Where the output file of a member is kept, if it is.
    pub fn kept_path(&self, folder: &Path, member: Member) -> PathBuf {
        folder.join("kept").join(member.file_name())
    }
}

/// The files of a sweep: its plan, the model with what this reads, and the results of the runs. What
/// else is directly in the folder has been made from them.
pub fn files_of(folder: &Path) -> Vec<PathBuf> {
    let mut files = vec![folder.join(PLAN), folder.join(FILE)];
    let mut folders = vec![folder.join("model"), folder.join("results")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            if is_folder { &mut folders } else { &mut files }.push(entry.path());
        }
    }
    files
}

/// Writes a file that appears under its name only once it is whole; its folder is made.
///
/// # Errors
/// If it cannot be written.
pub(crate) fn write_whole(path: &Path, text: &str) -> Result<(), PlanError> {
    let above = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(above).map_err(PlanError::io(above))?;
    jostle_files::fresh(path, |out| io::Write::write_all(out, text.as_bytes()))
        .map_err(PlanError::io(path))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn plan(noise: Noise) -> Plan {
        let point = |value: &str| Point { values: vec![("run.steps".into(), value.into())] };
        Plan {
            format: FORMAT,
            program: "0.1.0".into(),
            results: Physics { stream: 3, physics: 4 },
            model: "a.toml".into(),
            seed: 7,
            replicas: 3,
            noise,
            points: vec![point("10"), point("20")],
            measures: Vec::new(),
            keep: Keep::None,
            members_per_task: 4,
            threads: 1,
            precision: None,
            rounds: Vec::new(),
        }
    }

    #[test]
    fn tasks_hold_all_members_once() {
        let plan = plan(Noise::Independent);
        assert_eq!((plan.member_count(), plan.task_count()), (6, 2));
        assert_eq!([0, 1].map(|task| plan.members_of(task)), [0..4, 4..6]);
        let told: Vec<_> = (0..6).map(|n| (plan.member(n).point, plan.member(n).replica)).collect();
        assert_eq!(told, [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]);
    }

    #[test]
    fn replicas_that_are_added_are_tasks_of_their_own() {
        let folder = tempfile::tempdir().unwrap();
        let mut plan = plan(Noise::Independent);
        let before: Vec<Member> = (0..6).map(|n| plan.member(n)).collect();
        plan.add(&[(0, 1), (1, 5)], folder.path()).unwrap();
        plan.add(&[(1, 2)], folder.path()).unwrap();
        let plan = Plan::open(folder.path()).unwrap();
        assert_eq!((plan.member_count(), plan.task_count(), plan.rounds()), (14, 5, 2));
        assert_eq!([0, 1].map(|point| plan.replicas_of(point)), [4, 10]);
        assert_eq!((0..6).map(|n| plan.member(n)).collect::<Vec<_>>(), before);
        let tasks: Vec<Range<usize>> = (0..5).map(|task| plan.members_of(task)).collect();
        assert_eq!(tasks, [0..4, 4..6, 6..10, 10..12, 12..14]);
        for (task, members) in tasks.into_iter().enumerate() {
            members.for_each(|number| assert_eq!(plan.task_of(number), task, "{number}"));
        }
        for point in [0, 1] {
            let members: Vec<Member> = plan.members_at(point).map(|n| plan.member(n)).collect();
            assert!(members.iter().all(|member| member.point == point));
            let replicas: Vec<u32> = members.iter().map(|member| member.replica).collect();
            assert_eq!(replicas, (0..plan.replicas_of(point)).collect::<Vec<_>>());
        }
    }

    #[test]
    fn points_share_their_noise_where_that_is_asked_for() {
        let seeds = |noise| [0, 1, 2, 3, 4, 5].map(|n| plan(noise).member(n).seed);
        let common = seeds(Noise::Common);
        assert_eq!(common[..3], common[3..]);
        // SeedSequence(7, spawn_key=(0, 0)), without the lowest bit.
        assert_eq!(common[0], 0xba68_5ed7_177b_7dc0 >> 1);
        let mut independent = seeds(Noise::Independent);
        independent.sort_unstable();
        assert!(independent.windows(2).all(|two| two[0] != two[1]));
    }

    #[test]
    fn a_plan_is_never_written_over() {
        let folder = std::env::temp_dir().join(format!("jostle_plan_{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("a.toml"), "").unwrap();
        fs::write(folder.join("cell.stl"), "").unwrap();
        let sweep = SweepFile {
            model: "a.toml".into(),
            seed: 7,
            replicas: 3,
            noise: Noise::Common,
            points: plan(Noise::Common).points,
            measures: Vec::new(),
            keep: Keep::None,
            members_per_task: Some(4),
            threads: 1,
            precision: None,
            text: "# as it was written\n".into(),
        };
        let program = ("0.1.0", Physics { stream: 3, physics: 4 });
        let (model, mesh, out) =
            (folder.join("a.toml"), folder.join("cell.stl"), folder.join("planned"));
        let freeze = || Plan::freeze(&sweep, &model, std::slice::from_ref(&mesh), program, &out);
        assert_eq!(freeze().unwrap(), plan(Noise::Common));
        assert_eq!(Plan::open(&out).unwrap(), plan(Noise::Common));
        assert!(out.join("model/cell.stl").exists());
        assert_eq!(Plan::file_text(&out).unwrap().as_ref(), Some(&sweep.text));
        let outside = [folder.join("../cell.stl")];
        let elsewhere = folder.join("elsewhere");
        let refused = Plan::freeze(&sweep, &model, &outside, program, &elsewhere).unwrap_err();
        assert!(refused.to_string().contains("which is not in its folder"), "{refused}");
        assert!(!elsewhere.exists());
        assert!(freeze().unwrap_err().to_string().contains("there is a plan already"));
        let nothing = Plan::open(&folder).unwrap_err().to_string();
        assert!(nothing.contains("there is no plan.json here"), "{nothing}");
        fs::remove_dir_all(&folder).unwrap();
    }
}
