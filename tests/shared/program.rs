//! Drives the built program.

// Each test program compiles this file for itself and uses a part of it.
#![allow(dead_code, unreachable_pub)]

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::{PoisonError, RwLock};

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

/// The program. On another machine the environment variable `JOSTLE_PROGRAM` says where it is.
pub fn binary() -> PathBuf {
    std::env::var_os("JOSTLE_PROGRAM").map_or(env!("CARGO_BIN_EXE_jostle").into(), PathBuf::from)
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

    /// It ended with code 1, 2 if the model was refused, or 74 if a file could not be written; what it said
    /// on standard error, which is no panic.
    pub fn fails(&self) -> &str {
        assert!(matches!(self.code, Some(1 | 2 | 74)), "{}\n{}", self.out, self.err);
        assert!(!self.err.contains("panicked") && !self.err.contains("HDF5-DIAG"), "{}", self.err);
        &self.err
    }
}

/// Runs the program in a folder, to its end.
pub fn jostle(folder: &Path, arguments: &[&str]) -> Done {
    command(folder).args(arguments).output_apart().into()
}

/// The program, to be started in a folder, whatever the environment asks it to log.
pub fn command(folder: &Path) -> Command {
    let mut command = Command::new(binary());
    command.current_dir(folder).env_remove("RUST_LOG");
    command
}

/// Runs a line of shell in a folder, in which `jostle` is the program.
pub fn shell(folder: &Path, line: &str) -> Done {
    let mut command = with_jostle("sh", folder);
    command.arg("-c").arg(line).output_apart().into()
}

/// A program that finds this one as `jostle`, to be started in a folder.
pub fn with_jostle(program: impl AsRef<OsStr>, folder: &Path) -> Command {
    let path = std::env::var("PATH").unwrap();
    let path = format!("{}:{path}", binary().parent().unwrap().display());
    let mut command = Command::new(program);
    command.current_dir(folder).env_remove("RUST_LOG").env("PATH", path);
    command
}

/// Python with the packages that `make tools` has fetched, to be started in a folder.
pub fn python(folder: &Path) -> Command {
    python_with(folder, &["python"])
}

/// Whether these are the tests of `make nightly`, which take longer and need programs that
/// `make test` does not fetch.
pub fn nightly() -> bool {
    std::env::var("NIGHTLY").is_ok_and(|word| word == "yes")
}

/// Whether these are the tests of `make soak`, which go through everything that can go wrong.
pub fn soak() -> bool {
    std::env::var("SOAK").is_ok_and(|word| word == "yes")
}

/// Python that has the other programs' readers as well; none except in `make nightly`, and then it
/// says so.
pub fn python_with_readers(folder: &Path) -> Option<Command> {
    if !nightly() {
        left_out("the readers of other programs are part of `make nightly`");
        return None;
    }
    Some(python_with(folder, &["readers", "python"]))
}

/// Says that this test, or a part of it, is left out, and why.
pub fn left_out(why: &str) {
    // Not by a macro: what those print is kept from sight where a test succeeds.
    let test = std::thread::current().name().unwrap_or_default().to_owned();
    std::io::stderr().write_all(format!("{test}: {why}\n").as_bytes()).unwrap();
}

/// Whether a test that only `make nightly` carries out is to be carried out; if not, this says so.
pub fn by_night() -> bool {
    if !nightly() {
        left_out("part of `make nightly`");
    }
    nightly()
}

/// Python with packages from `.tools`, to be started in a folder.
pub fn python_with(folder: &Path, packages: &[&str]) -> Command {
    let packages: Vec<PathBuf> =
        packages.iter().map(|name| repository().join(".tools").join(name)).collect();
    for folder in &packages {
        assert!(folder.exists(), "{} is missing: run `make tools`", folder.display());
    }
    let mut python = Command::new("python3");
    python.current_dir(folder).env("PYTHONPATH", std::env::join_paths(packages).unwrap());
    python.env("PYTHONDONTWRITEBYTECODE", "1");
    python
}

/// The test of this name in a module, alone in another process of this program, which finds `path`
/// in `JOSTLE_CHILD`.
pub fn again(module: &str, test: &str, path: &Path) -> Command {
    let within = module.split_once("::").expect("a module of the program").1;
    let mut command = Command::new(std::env::current_exe().expect("the program has a path"));
    command
        .args(["--exact", &format!("{within}::{test}"), "--nocapture"])
        .env("JOSTLE_CHILD", path);
    command
}

/// Held by whoever starts a process, from before it is made until it is another program.
static STARTING: RwLock<()> = RwLock::new(());

/// Starts processes that have none of the files which other threads have open. Otherwise they would
/// have them, the HDF5 library's above all, and with them their locks: a file would be in use for
/// as long as some process of another test continues.
pub trait Apart {
    /// Starts it.
    fn spawn_apart(&mut self) -> Child;
    /// Runs it to its end.
    fn output_apart(&mut self) -> Output;
}

impl Apart for Command {
    fn spawn_apart(&mut self) -> Child {
        close_the_rest(self);
        let _starting = STARTING.write().unwrap_or_else(PoisonError::into_inner);
        self.spawn().unwrap_or_else(|why| panic!("{self:?}: {why}"))
    }

    fn output_apart(&mut self) -> Output {
        self.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        self.spawn_apart().wait_with_output().expect("a process that ends")
    }
}

/// Between its making and its becoming another program, a process has all files of this one.
/// Whoever closes a file and opens it again at once, to have it alone, waits for that moment to
/// pass.
pub fn inherited_by_none() {
    drop(STARTING.read().unwrap_or_else(PoisonError::into_inner));
}

/// Of the files that a command inherits, only the first three are left to it.
#[cfg(target_os = "linux")]
fn close_the_rest(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    let close = || {
        // SAFETY: a system call without pointers. Where it is not known, nothing is closed, as
        // elsewhere.
        unsafe { libc::syscall(libc::SYS_close_range, 3, u32::MAX, libc::CLOSE_RANGE_CLOEXEC) };
        Ok(())
    };
    // SAFETY: a system call may be made in the process that has just been made.
    unsafe { command.pre_exec(close) };
}

#[cfg(not(target_os = "linux"))]
fn close_the_rest(_: &mut Command) {}

/// The manual: all its pages, in the order of their list.
pub fn manual() -> String {
    let docs = repository().join("docs");
    let list = std::fs::read_to_string(docs.join("manual.md")).unwrap();
    let pages = list.split("](").filter_map(|link| link.split_once(')')).map(|(page, _)| page);
    let pages = pages.filter(|page| page.ends_with(".md"));
    pages.map(|page| std::fs::read_to_string(docs.join(page)).unwrap()).collect()
}
