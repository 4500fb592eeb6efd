//! The program, watched while it runs: how much memory it has had at most.

use std::path::Path;
use std::process::{Child, Stdio};
use std::time::Duration;

use crate::program::{Apart, Done, command};

/// How a run went.
pub(crate) struct Watched {
    /// What it said.
    pub(crate) out: String,
    /// Each figure in which its peak rose, in the order of time; the last is its peak. \[bytes\]
    pub(crate) peaks: Vec<f64>,
}

impl Watched {
    /// The most memory that it had. \[bytes\]
    pub(crate) fn peak(&self) -> f64 {
        self.peaks.last().copied().expect("the system tells how much memory a process has")
    }
}

/// Runs the program to its end, and looks at its memory every few milliseconds.
pub(crate) fn watched(folder: &Path, arguments: &[&str]) -> Watched {
    let mut child =
        command(folder).args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn_apart();
    let mut peaks: Vec<f64> = Vec::new();
    while child.try_wait().unwrap().is_none() {
        peaks.extend(peak(&child).filter(|peak| peaks.last().is_none_or(|last| peak > last)));
        std::thread::sleep(Duration::from_millis(5));
    }
    let done = Done::from(child.wait_with_output().unwrap()).succeeds();
    Watched { out: done.out, peaks }
}

/// The most that the system has seen it have until now. \[bytes\]
fn peak(child: &Child) -> Option<f64> {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: f64 = line.split_whitespace().next()?.parse().ok()?;
    Some(1024.0 * kilobytes)
}

/// The bytes that `check` foretells behind a label.
pub(crate) fn predicted(folder: &Path, label: &str, arguments: &[&str]) -> f64 {
    let said = crate::program::jostle(folder, &[&["check"], arguments].concat()).succeeds().out;
    let line = said.lines().find_map(|line| line.trim_start().strip_prefix(label));
    let line = line.unwrap_or_else(|| panic!("nothing about {label}: {said}"));
    bytes(line.trim_start().strip_prefix("about ").expect("about so many bytes"))
}

/// `57.3 MB` in bytes.
fn bytes(text: &str) -> f64 {
    let mut words = text.split([' ', ':']);
    let number: f64 = words.next().and_then(|word| word.parse().ok()).expect(text);
    let unit = match words.next() {
        Some("kB") => 1e3,
        Some("MB") => 1e6,
        Some("GB") => 1e9,
        _ => panic!("an unknown unit: {text}"),
    };
    number * unit
}
