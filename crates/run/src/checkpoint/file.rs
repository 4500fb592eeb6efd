//! The file that a state is kept in: one line that says what it is, then the state; all of it
//! within a gzip container, whose checksum and length tell whether it is whole.
//! `zcat FILE | head -1` shows the line. The state is what serde makes of the engine's. Search
//! structures, queues and scratch space are not in it, since no result depends on them.
//!
//! It is written beside its place, brought to the disk, and then moved there; the one before is
//! kept too. So at any moment there is at least one that is whole, once there has been any.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Take, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::bufread::GzDecoder;
use flate2::write::GzEncoder;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The first word of the line.
const FORMAT: &str = "jostle checkpoint 9";
/// The line is not longer. \[bytes\]
const LONGEST_LINE: u64 = 1 << 16;
/// Texts and the like in a state are not longer. \[bytes\]
const LONGEST_TEXT: usize = 1 << 16;

/// What a file says about itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Preamble {
    format: String,
    /// The version of the program that wrote it.
    pub version: String,
    /// The version of the physics, [`super::PHYSICS`].
    pub physics: u32,
    /// The word for what moves the particles.
    pub engine: String,
    /// How many dimensions space has.
    pub dimension: usize,
    /// Steps done.
    pub step: u64,
    /// The time reached. \[µs\]
    pub time: f64,
}

impl Preamble {
    pub(super) fn new(engine: &str, dimension: usize, step: u64, time: f64) -> Self {
        Self {
            format: FORMAT.into(),
            version: env!("CARGO_PKG_VERSION").into(),
            physics: super::PHYSICS,
            engine: engine.into(),
            dimension,
            step,
            time,
        }
    }
}

/// Where the states of a run that writes `out` are kept: the latest, and the one before.
pub fn places(out: &Path) -> [PathBuf; 2] {
    [out.with_extension("checkpoint"), out.with_extension("checkpoint.old")]
}

/// Where a state is written before it takes its place. A kill may leave it there.
fn passing(out: &Path) -> PathBuf {
    let [latest, _] = places(out);
    let mut name = OsString::from(".");
    name.push(latest.file_name().unwrap_or_default());
    name.push(".new");
    latest.with_file_name(name)
}

/// Keeps a state of a run that writes `out`.
pub(super) fn write(out: &Path, preamble: &Preamble, state: &impl Serialize) -> io::Result<()> {
    let [latest, before] = places(out);
    let passing = passing(out);
    let written = write_to(&passing, preamble, state);
    if written.is_err() {
        let _ = std::fs::remove_file(&passing);
    }
    written?;
    match std::fs::rename(&latest, before) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => (),
    }
    std::fs::rename(&passing, &latest)?;
    let folder = latest.parent().filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

fn write_to(path: &Path, preamble: &Preamble, state: &impl Serialize) -> io::Result<()> {
    // Numbers as these hardly shrink, so that the container is there for its checksum alone.
    let mut out = GzEncoder::new(BufWriter::new(File::create(path)?), Compression::none());
    serde_json::to_writer(&mut out, preamble)?;
    out.write_all(b"\n")?;
    let mut out = BufWriter::with_capacity(1 << 16, out);
    if let Some(error) = postcard::to_io(state, &mut out).err() {
        // What the system has against it comes out at the next attempt.
        return Err(out.flush().err().unwrap_or_else(|| io::Error::other(error)));
    }
    let out = out.into_inner().map_err(io::IntoInnerError::into_error)?;
    out.finish()?.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()
}

/// Takes away what was kept of a run that writes `out`.
pub(super) fn remove(out: &Path) {
    let [latest, _] = places(out);
    remove_each(&[latest]);
    remove_all_but_latest(out);
}

/// Takes away what was kept of a run that writes `out`, but for the latest.
pub(super) fn remove_all_but_latest(out: &Path) {
    let [_, before] = places(out);
    remove_each(&[before, passing(out)]);
}

fn remove_each(paths: &[PathBuf]) {
    for path in paths {
        if let Err(error) = std::fs::remove_file(path)
            && error.kind() != io::ErrorKind::NotFound
        {
            log::warn!("{}: {error}", path.display());
        }
    }
}

/// A file of which the first line has been read.
pub(super) struct Opened {
    /// What it says about itself.
    pub preamble: Preamble,
    rest: Box<BufReader<Take<GzDecoder<BufReader<File>>>>>,
}

/// Opens a file and reads its first line.
pub(super) fn open(path: &Path) -> Result<Opened, String> {
    let file = File::open(path).map_err(|error| error.to_string())?;
    // Nothing is larger inside than it is outside, since nothing is compressed.
    let size = file.metadata().map_err(|error| error.to_string())?.len();
    let inside = GzDecoder::new(BufReader::new(file)).take(size);
    let mut rest = Box::new(BufReader::new(inside));
    let mut line = Vec::new();
    let foreign = |_| "it is not a checkpoint, or is damaged".to_owned();
    (&mut rest)
        .take(LONGEST_LINE)
        .read_until(b'\n', &mut line)
        .map_err(|error| foreign(error.to_string()))?;
    let preamble: Preamble =
        serde_json::from_slice(&line).map_err(|error| foreign(error.to_string()))?;
    if preamble.format != FORMAT {
        return Err(format!("it is a {:?}, but this program reads {FORMAT:?}", preamble.format));
    }
    Ok(Opened { preamble, rest })
}

impl Opened {
    /// The state in it. No room is made for more than there is.
    pub(super) fn state<T: DeserializeOwned>(mut self) -> Result<T, String> {
        let damaged = |what: &str| format!("it is damaged: {what}");
        let mut scratch = vec![0; LONGEST_TEXT];
        let read = postcard::from_io((&mut self.rest, &mut scratch[..]));
        let (state, _) = read.map_err(|error| damaged(&error.to_string()))?;
        // The checksum comes at the end.
        let mut left = Vec::new();
        self.rest.take(1).read_to_end(&mut left).map_err(|error| damaged(&error.to_string()))?;
        if left.is_empty() { Ok(state) } else { Err(damaged("it contains more than a state")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(folder: &Path, numbers: &[f64]) -> PathBuf {
        let out = folder.join("run.h5md");
        write(&out, &Preamble::new("brownian", 3, 7, 3.5), &numbers).unwrap();
        out
    }

    fn read(path: &Path) -> Result<Vec<f64>, String> {
        open(path)?.state()
    }

    #[test]
    fn the_last_two_states_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        for n in 0..3 {
            let out = kept(folder.path(), &[f64::from(n); 5]);
            let [latest, before] = places(&out);
            assert_eq!(read(&latest).unwrap(), [f64::from(n); 5]);
            assert_eq!(open(&latest).unwrap().preamble, Preamble::new("brownian", 3, 7, 3.5));
            match n {
                0 => assert!(!before.exists()),
                _ => assert_eq!(read(&before).unwrap(), [f64::from(n - 1); 5]),
            }
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2, "nothing else is left");
        remove(&folder.path().join("run.h5md"));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    /// Every byte in turn is another, and every length is tried. Some bits of the container mean
    /// nothing.
    #[test]
    fn what_is_not_whole_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let numbers = [1.0 / 3.0; 40];
        let [path, _] = places(&kept(folder.path(), &numbers));
        let whole = std::fs::read(&path).unwrap();
        for at in 10..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 1 << (at % 8);
            std::fs::write(&path, &damaged).unwrap();
            assert!(
                read(&path).is_err() || (at > whole.len() - 20 && read(&path).unwrap() == numbers),
                "byte {at}"
            );
            std::fs::write(&path, &whole[..at]).unwrap();
            assert!(read(&path).is_err(), "cut at {at}");
        }
        std::fs::write(&path, "not at all").unwrap();
        assert!(read(&path).unwrap_err().contains("not a checkpoint"));
        assert!(read(&folder.path().join("none")).is_err());
    }

    /// It says that there are 10^18 numbers.
    #[test]
    fn a_length_that_lies_takes_no_memory() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("run.h5md");
        let many: (u64, u64) = (1_000_000_000_000_000_000, 0);
        write(&out, &Preamble::new("brownian", 3, 7, 3.5), &many).unwrap();
        assert!(read(&places(&out)[0]).is_err());
    }
}
