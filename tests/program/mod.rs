//! Drives the built program.

// Each test program compiles this file for itself and uses a part of it.
#![allow(dead_code, unreachable_pub)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

/// A model that runs in a moment.
pub const MODEL: &str = r#"title = "Receptors"
[space]
dimension = 2
edges = "200 nm"
[run]
timestep = "1 us"
steps = 400
seed = 7
[[species]]
name = "A"
radius = "2.5 nm"
diffusion = "0.05 um^2/s"
count = 40
[[rule]]
name = "pair"
on = ["A", "A"]
do = "bind"
merge = "bond"
rate = "0.28 um^2/s"
unbind = "5 /s"
[output]
frame_every = 10
"#;

/// Where the sources are.
pub fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A folder with the model in it.
pub fn folder() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("model.toml"), MODEL).unwrap();
    dir
}

/// The program.
pub fn binary() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_jostle"))
}

/// What the program has said, and how it ended.
#[derive(Debug)]
pub struct Done {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl From<Output> for Done {
    fn from(output: Output) -> Self {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        Self { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }
}

impl Done {
    /// It ended well.
    pub fn succeeds(self) -> Self {
        assert_eq!(self.code, Some(0), "{}\n{}", self.out, self.err);
        self
    }

    /// It ended with code 1, or 2 if the model was refused; what it said on standard error, which is no panic.
    pub fn fails(&self) -> &str {
        assert!(matches!(self.code, Some(1 | 2)), "{}\n{}", self.out, self.err);
        assert!(!self.err.contains("panicked") && !self.err.contains("HDF5-DIAG"), "{}", self.err);
        &self.err
    }
}

/// Runs the program in a folder, to its end.
pub fn jostle(folder: &Path, arguments: &[&str]) -> Done {
    command(folder).args(arguments).output().unwrap().into()
}

/// The program, to be started in a folder, whatever the environment asks it to log.
pub fn command(folder: &Path) -> Command {
    let mut command = Command::new(binary());
    command.current_dir(folder).env_remove("RUST_LOG");
    command
}

/// Runs a line of shell in a folder, in which `jostle` is the program.
pub fn shell(folder: &Path, line: &str) -> Done {
    let path = std::env::var("PATH").unwrap();
    let path = format!("{}:{path}", binary().parent().unwrap().display());
    let mut command = Command::new("sh");
    command.current_dir(folder).env_remove("RUST_LOG").env("PATH", path);
    command.arg("-c").arg(line).output().unwrap().into()
}
