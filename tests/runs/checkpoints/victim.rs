//! A run that is killed again and again.

use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use jostle::run::checkpoint::checkpoints_of;

use crate::program::{Apart, command, jostle};

/// A run and what has been done to it.
pub(crate) struct Victim<'a> {
    folder: &'a Path,
    pub(crate) out: PathBuf,
    /// The words that start it.
    line: &'a [String],
    pub(crate) killed: u64,
    /// How often it was started from its first step.
    pub(crate) begun: u64,
}

impl<'a> Victim<'a> {
    /// The run that this line starts, which writes this file of the folder.
    pub(crate) fn of(folder: &'a Path, name: &str, line: &'a [String]) -> Self {
        Self { folder, out: folder.join(name), line, killed: 0, begun: 0 }
    }

    /// Starts it, or resumes it where there is something to resume from, with more words.
    fn start(&mut self, more: &[String]) -> Child {
        let mut run = command(self.folder);
        if checkpoints_of(&self.out).iter().any(|path| path.exists()) {
            run.args(["resume", self.name(), "--quiet"]);
        } else {
            self.begun += 1;
            run.args(self.line).arg("--force");
        }
        run.args(more).stdout(Stdio::null()).stderr(Stdio::piped()).spawn_apart()
    }

    fn name(&self) -> &str {
        self.out.file_name().unwrap().to_str().unwrap()
    }

    /// Lets it live for so long at most. Whether it came to its end.
    pub(crate) fn live(&mut self, most: Duration, more: &[String]) -> bool {
        let child = self.start(more);
        self.attend(child, most, more)
    }

    /// The same of a finished run that its line makes longer.
    pub(crate) fn lengthen(&mut self, most: Duration, more: &[String]) -> bool {
        let mut longer = command(self.folder);
        longer.args(self.line).args(more).stdout(Stdio::null()).stderr(Stdio::piped());
        self.attend(longer.spawn_apart(), most, more)
    }

    fn attend(&mut self, mut child: Child, most: Duration, more: &[String]) -> bool {
        let begun = Instant::now();
        while begun.elapsed() < most {
            if child.try_wait().unwrap().is_some() {
                let done = child.wait_with_output().unwrap();
                let said = String::from_utf8_lossy(&done.stderr);
                // The kill before may have come just after it had said that it was finished.
                let was_over = self.killed > 0 && said.contains("and nothing is left to do");
                let code = done.status.code();
                assert!(code == Some(0) || was_over, "{:?} {more:?}: {said}", self.line);
                return true;
            }
            std::thread::sleep(Duration::from_micros(500));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        self.killed += 1;
        false
    }

    /// What a kill has left can be read.
    pub(crate) fn examine(&self) {
        if !self.out.exists() {
            assert!(checkpoints_of(&self.out).iter().all(|path| !path.exists()));
            return;
        }
        jostle(self.folder, &["recover", self.name()]).succeeds();
        // By another process: what this one opens, the next that is started inherits, with its
        // locks.
        let info = jostle(self.folder, &["info", self.name()]).succeeds().out;
        // Or just after it had said that it was finished.
        assert!(info.contains("the run was killed") || info.contains("\nfinished"), "{info}");
    }

    /// A run that is finished leaves its last checkpoint, from which it can be made longer, and no other.
    pub(crate) fn leaves_its_last_checkpoint(&self) {
        let entries = std::fs::read_dir(self.folder).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let stem = self.name().trim_end_matches("h5md");
        let left: Vec<String> =
            names.filter(|name| name.contains(stem) && name.contains("checkpoint")).collect();
        // Unless a kill came between the end and the removal of the one before.
        let [latest, before] =
            checkpoints_of(&self.out).map(|path| path.file_name().unwrap().to_owned());
        assert!(left.iter().any(|name| *latest == **name), "{left:?}");
        assert!(left.iter().all(|name| *latest == **name || *before == **name), "{left:?}");
    }
}
