//! Where something may be written: never over what is read, and only over regular files.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

/// The first bytes of an HDF5 file.
const HDF5: [u8; 8] = *b"\x89HDF\r\n\x1a\n";

/// The files that a command reads. None of them is written over, whatever path leads there.
#[derive(Clone, Debug, Default)]
pub struct Inputs(Vec<PathBuf>);

impl Inputs {
    /// These files.
    pub fn of(paths: impl IntoIterator<Item = impl AsRef<Path>>) -> Self {
        Self(paths.into_iter().map(|path| path.as_ref().to_owned()).collect())
    }

    /// Whether a path leads to one of them: by another name, a symbolic link or a hard link.
    pub fn contain(&self, path: &Path) -> bool {
        let Ok(there) = identity(path) else { return false };
        self.0.iter().any(|input| identity(input).is_ok_and(|input| input == there))
    }
}

/// What tells a file from all others.
#[cfg(unix)]
fn identity(path: &Path) -> io::Result<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    path.metadata().map(|found| (found.dev(), found.ino()))
}

#[cfg(not(unix))]
fn identity(path: &Path) -> io::Result<PathBuf> {
    path.canonicalize()
}

/// Checks that something may be written to a place, before any work is done. Whether a file that
/// exists may be replaced is not asked here.
///
/// # Errors
/// If it is one of the inputs, an HDF5 file, a folder, a device with a file system, a socket, or a
/// link that leads nowhere.
pub fn check_place(out: &Path, inputs: &Inputs) -> io::Result<()> {
    if inputs.contain(out) {
        let text = "this is the file being read, which is never replaced; choose another name";
        return Err(io::Error::new(ErrorKind::InvalidInput, text));
    }
    Target::at(out).map(drop)
}

/// What is at a place that is to be written.
pub(crate) enum Target {
    /// A regular file, or nothing yet. Where the path is a link, this is what it leads to.
    Replace(PathBuf),
    /// The standard output of this program.
    Output,
    /// A pipe that somebody else made.
    Pipe,
    /// A terminal, `/dev/null` and the like.
    Device,
}

impl Target {
    pub(crate) fn at(path: &Path) -> io::Result<Self> {
        let refused = |text: &str| Err(io::Error::new(ErrorKind::InvalidInput, text));
        let is_link = match path.symlink_metadata() {
            Ok(found) => found.is_symlink(),
            Err(error)
                if [ErrorKind::NotFound, ErrorKind::NotADirectory].contains(&error.kind()) =>
            {
                return Ok(Self::Replace(path.to_owned()));
            }
            Err(error) => return Err(error),
        };
        let found = match path.metadata() {
            Err(error) if is_link && error.kind() == ErrorKind::NotFound => {
                return refused("this is a link to a file that does not exist");
            }
            found => found?,
        };
        if is_output(path) {
            return Ok(Self::Output);
        }
        if found.is_dir() {
            return refused("this is a folder; give the name of a file");
        }
        if found.is_file() {
            if is_hdf5(path) {
                return refused(
                    "this contains the results of a run and is never replaced by another kind of file; \
                     choose another name",
                );
            }
            return Ok(Self::Replace(if is_link { path.canonicalize()? } else { path.to_owned() }));
        }
        #[cfg(unix)]
        {
            use std::os::unix::fs::FileTypeExt;
            match found.file_type() {
                kind if kind.is_fifo() => return Ok(Self::Pipe),
                kind if kind.is_char_device() => return Ok(Self::Device),
                _ => (),
            }
        }
        refused("this is not a regular file")
    }
}

fn is_hdf5(path: &Path) -> bool {
    let mut start = [0; HDF5.len()];
    File::open(path).is_ok_and(|mut file| file.read_exact(&mut start).is_ok() && start == HDF5)
}

/// The standard output once more: opening its name again would begin at the start of a file.
#[cfg(unix)]
pub(crate) fn output() -> io::Result<File> {
    use std::os::fd::AsFd;
    io::stdout().as_fd().try_clone_to_owned().map(File::from)
}

#[cfg(not(unix))]
pub(crate) fn output() -> io::Result<File> {
    Err(ErrorKind::Unsupported.into())
}

#[cfg(unix)]
fn is_output(path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let output = output().and_then(|output| output.metadata());
    // Everybody's /dev/null is a device.
    output.is_ok_and(|output| {
        !output.is_dir() && identity(path).is_ok_and(|there| there == (output.dev(), output.ino()))
    })
}

#[cfg(not(unix))]
fn is_output(_: &Path) -> bool {
    false
}

/// Opens a pipe to write to it, and does not wait for somebody to read from it.
#[cfg(unix)]
pub(crate) fn open_pipe(path: &Path) -> io::Result<File> {
    use rustix::fs::{Mode, OFlags, fcntl_setfl, open};
    use rustix::io::Errno;
    let flags = OFlags::WRONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let pipe = open(path, flags, Mode::empty()).map_err(|error| match error {
        Errno::NXIO => io::Error::other("no program reads from this pipe"),
        error => error.into(),
    })?;
    // From now on a reader that is slow is waited for.
    fcntl_setfl(&pipe, OFlags::WRONLY)?;
    Ok(pipe.into())
}

#[cfg(not(unix))]
pub(crate) fn open_pipe(path: &Path) -> io::Result<File> {
    File::options().write(true).open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn an_input_is_known_by_every_name() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("in.csv"), "x").unwrap();
        std::fs::write(at("other.csv"), "x").unwrap();
        std::fs::hard_link(at("in.csv"), at("hard.csv")).unwrap();
        std::os::unix::fs::symlink("in.csv", at("soft.csv")).unwrap();
        let inputs = Inputs::of([at("missing.csv"), at("in.csv")]);
        for name in ["in.csv", "hard.csv", "soft.csv", "../in.csv"] {
            let path = match name.strip_prefix("../") {
                Some(name) => at("..").join(folder.path().file_name().unwrap()).join(name),
                None => at(name),
            };
            let why = check_place(&path, &inputs).unwrap_err().to_string();
            assert!(why.contains("the file being read"), "{name}: {why}");
        }
        for name in ["other.csv", "missing.csv", "new.csv"] {
            check_place(&at(name), &inputs).unwrap();
        }
    }

    #[test]
    #[cfg(unix)]
    fn only_files_are_replaced_and_no_results() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("results.dat"), [&HDF5[..], b"more"].concat()).unwrap();
        std::os::unix::fs::symlink("nowhere", at("dangling")).unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(at("socket")).unwrap();
        let long = "x".repeat(300);
        let refused = [
            ("results.dat", "the results of a run"),
            ("dangling", "a link to a file that does not exist"),
            ("socket", "not a regular file"),
            (".", "a folder"),
            (&long, "too long"),
        ];
        for (name, reason) in refused {
            let why = check_place(&at(name), &Inputs::default()).unwrap_err().to_string();
            assert!(why.contains(reason), "{name}: {why}");
        }
    }
}
