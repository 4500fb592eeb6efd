//! Files and folders that are made beside their place, under names of their own. Their makers hold a lock
//! on them, so that the remains of a killed program differ from what another is still writing: the next
//! program that writes into the same folder removes them. Where the file system knows no locks, they stay.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::path::Path;

use tempfile::{Builder, NamedTempFile, TempDir};

/// How their names begin; so many letters and digits follow.
const PREFIX: &str = ".jostle-";
const LETTERS: usize = 6;

/// How often one is made again that another program removed before it was locked.
const TRIES: usize = 10;

/// A new file in a folder. It is locked until all its handles are closed.
pub(crate) fn file_in(folder: &Path) -> io::Result<NamedTempFile> {
    remove_stale(folder);
    for _ in 0..TRIES {
        let file = builder(0o666).tempfile_in(folder)?;
        let _ = file.as_file().lock();
        if file.path().exists() {
            return Ok(file);
        }
    }
    Err(removed())
}

/// A new folder for unfinished output; it is removed unless it gets a name.
#[derive(Debug)]
pub struct PassingFolder {
    inner: TempDir,
    _lock: Option<File>,
}

impl PassingFolder {
    /// In this folder.
    ///
    /// # Errors
    /// If no folder can be made there.
    pub fn inside(folder: &Path) -> io::Result<Self> {
        remove_stale(folder);
        for _ in 0..TRIES {
            let inner = builder(0o777).tempdir_in(folder)?;
            // Not every system opens folders.
            let lock = File::open(inner.path()).ok();
            let _ = lock.as_ref().map(File::lock);
            if inner.path().exists() {
                return Ok(Self { inner, _lock: lock });
            }
        }
        Err(removed())
    }

    /// Where it is for the time being.
    pub fn path(&self) -> &Path {
        self.inner.path()
    }

    /// Gives it its name.
    ///
    /// # Errors
    /// If it cannot be moved there; then it is removed.
    pub fn settle(self, place: &Path) -> io::Result<()> {
        fs::rename(self.inner.path(), place)?;
        let _ = self.inner.keep();
        Ok(())
    }
}

fn removed() -> io::Error {
    io::Error::other("another program removes the files that are being written here")
}

/// With the permissions of ordinary files, less what the user's mask takes away.
fn builder(mode: u32) -> Builder<'static, 'static> {
    let mut builder = Builder::new();
    builder.prefix(PREFIX).rand_bytes(LETTERS);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(mode));
    builder
}

fn is_ours(name: &OsStr) -> bool {
    let rest = name.to_str().and_then(|name| name.strip_prefix(PREFIX));
    rest.is_some_and(|rest| {
        rest.len() == LETTERS && rest.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

/// Removes what killed programs have left in a folder.
fn remove_stale(folder: &Path) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries.filter(|entry| is_ours(&entry.file_name())) {
        // No link is followed, and no pipe is opened, which would be waited for.
        let Ok(kind) = entry.file_type() else { continue };
        let path = entry.path();
        if !kind.is_file() && !kind.is_dir() {
            continue;
        }
        let Ok(file) = File::open(&path) else { continue };
        if file.try_lock().is_ok() {
            // What cannot be removed does no harm.
            let _ = if kind.is_dir() { remove_folder(&path) } else { fs::remove_file(&path) };
        }
    }
}

/// With the files in it, but only if there is nothing else.
fn remove_folder(path: &Path) -> io::Result<()> {
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            fs::remove_file(entry.path())?;
        }
    }
    fs::remove_dir(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn only_what_is_no_longer_written_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let written = file_in(folder.path()).unwrap();
        let filled = PassingFolder::inside(folder.path()).unwrap();
        let others = [
            ".jostle-abc",
            ".jostle-abcdefg",
            ".jostle-abc.ef",
            "jostle-abcdef",
            ".jostle-A1b2C3x",
        ];
        for name in others {
            fs::write(at(name), "").unwrap();
        }
        let stale = [".jostle-A1b2C3", ".jostle-000000"].map(at);
        fs::write(&stale[0], "half").unwrap();
        fs::create_dir(&stale[1]).unwrap();
        fs::write(stale[1].join("1.vtp"), "half").unwrap();
        let kept = [".jostle-111111", ".jostle-222222"].map(at);
        fs::create_dir_all(kept[0].join("folder")).unwrap();
        std::os::unix::fs::symlink(at("jostle-abcdef"), &kept[1]).unwrap();
        drop(file_in(folder.path()).unwrap());
        assert_eq!(stale.map(|path| path.exists()), [false; 2]);
        assert!(written.path().exists() && filled.path().exists());
        assert!(others.map(at).iter().chain(&kept).all(|path| path.exists()));
    }
}
