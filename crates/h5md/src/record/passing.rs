//! Files are made beside their place, and take it once they are whole: whatever bears the name of
//! an output can be read.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::claim::{claim, is_claimed};
use super::error::RecordError;
use super::recorder::is_at;
use crate::locks::to_ask;

/// What was last written so short a time ago may still be made.
const LEFT_ALONE: Duration = Duration::from_secs(600);

/// What a file may replace that takes its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MayReplace {
    Nothing,
    /// A file that nobody writes or reads.
    WhatIsFree,
    Whatever,
}

/// A file on its way to its place; it is gone if it does not get there.
pub(super) struct Passing {
    path: PathBuf,
    place: PathBuf,
}

impl Passing {
    /// Beside `place`, for a new file. What runs that were killed while they made theirs have left
    /// goes.
    pub(super) fn new(place: &Path) -> io::Result<Self> {
        // Several threads may want the same place.
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let passing = Self::beside(place, &format!("{}.{count}.new", std::process::id()))?;
        let (Some(folder), Some(name)) = (passing.path.parent(), passing.place.file_name()) else {
            return Ok(passing);
        };
        let start = format!(".{}.", name.to_string_lossy());
        let others = std::fs::read_dir(folder).into_iter().flatten().flatten();
        for other in others.filter(|other| other.path() != passing.path) {
            let name = other.file_name().to_string_lossy().into_owned();
            let id = name.strip_prefix(&start).and_then(|rest| rest.strip_suffix(".new"));
            let id = id.and_then(|id| id.split('.').next());
            let is_dead = |id: u32| {
                Path::new("/proc/self").exists()
                    && !Path::new("/proc").join(id.to_string()).exists()
            };
            // On another machine a process of that number may be at it.
            let is_old = || {
                let age =
                    other.metadata().and_then(|about| about.modified()).map(|then| then.elapsed());
                age.is_ok_and(|age| age.is_ok_and(|age| age > LEFT_ALONE))
            };
            if id.and_then(|id| id.parse().ok()).is_some_and(is_dead) && is_old() {
                let _ = std::fs::remove_file(other.path());
            }
        }
        Ok(passing)
    }

    /// Beside `place`, whose name it has with a point before and `.ending` after it. Made, so that
    /// what the system has against it comes out in its own words.
    pub(super) fn beside(place: &Path, ending: &str) -> io::Result<Self> {
        // What a link leads to is replaced, not the link.
        let place = place.canonicalize().unwrap_or_else(|_| place.to_owned());
        let mut name = std::ffi::OsString::from(".");
        name.push(place.file_name().unwrap_or_default());
        name.push(format!(".{ending}"));
        let path = place.with_file_name(name);
        // Not cut before it is known that nobody is at it.
        let file = OpenOptions::new().write(true).create(true).truncate(false).open(&path)?;
        if is_claimed(&file) {
            return Err(ErrorKind::WouldBlock.into());
        }
        Ok(Self { path, place })
    }

    /// Where it is now.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Takes its place, and lays claim to it.
    ///
    /// # Errors
    /// If the place is taken by something that may not be replaced, or the system fails.
    pub(super) fn settle(self, may_replace: MayReplace) -> io::Result<File> {
        let file = OpenOptions::new().read(true).write(true).open(&self.path)?;
        file.sync_all()?;
        let file = claim(file, &self.place);
        loop {
            let held = match may_replace {
                MayReplace::WhatIsFree => to_ask(&self.place).ok(),
                MayReplace::Nothing | MayReplace::Whatever => None,
            };
            if may_replace != MayReplace::Whatever && held.is_none() {
                // A link is never made over a file, a rename is.
                match std::fs::hard_link(&self.path, &self.place) {
                    Ok(()) => return Ok(file),
                    Err(error) if error.kind() != ErrorKind::AlreadyExists => (),
                    Err(error) if may_replace == MayReplace::Nothing => return Err(error),
                    // Another one was sooner, and is asked; what cannot be asked is replaced below.
                    Err(_) if to_ask(&self.place).is_ok() => continue,
                    Err(_) => (),
                }
            }
            // No other program can claim the file before it is gone.
            match held.as_ref().map(File::try_lock) {
                Some(Err(TryLockError::WouldBlock)) => return Err(ErrorKind::WouldBlock.into()),
                // It was replaced meanwhile: the new one is asked.
                Some(Ok(())) if held.as_ref().is_some_and(|held| !is_at(held, &self.place)) => {
                    continue;
                }
                _ => (),
            }
            std::fs::rename(&self.path, &self.place)?;
            return Ok(file);
        }
    }
}

impl Drop for Passing {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

/// Refuses a place that is taken: by a file that nobody said may go, or by one that is in use.
pub(super) fn check_free(path: &Path, force: bool) -> Result<(), RecordError> {
    let refused = |reason: &str| {
        Err(RecordError::Create { path: path.to_owned(), reason: reason.to_owned() })
    };
    // A pipe would have to be read by somebody before it opens, and a device is no place for a file.
    match path.metadata() {
        Ok(found) if found.is_dir() => return refused("this is a folder"),
        Ok(found) if !found.is_file() => return refused("this is not a regular file"),
        Err(_) if path.is_symlink() => {
            return refused("this is a link to a file that does not exist");
        }
        _ => (),
    }
    match OpenOptions::new().write(true).open(path) {
        Ok(_) if !force => Err(RecordError::Exists { path: path.to_owned() }),
        Ok(file) if is_claimed(&file) => Err(RecordError::Busy { path: path.to_owned() }),
        Ok(_) => Ok(()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(_) if !force && path.exists() => Err(RecordError::Exists { path: path.to_owned() }),
        Err(error) => Err(RecordError::Create { path: path.to_owned(), reason: error.to_string() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_that_is_taken_is_not_taken_again_unless_that_is_wanted() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("run.h5md");
        let names = || std::fs::read_dir(folder.path()).unwrap().count();
        let passing = || Passing::beside(&place, "new").unwrap();
        drop(passing());
        assert_eq!(names(), 0);
        passing().settle(MayReplace::Nothing).unwrap();
        std::fs::write(&place, "whole").unwrap();
        let taken = passing().settle(MayReplace::Nothing).unwrap_err();
        assert_eq!(taken.kind(), ErrorKind::AlreadyExists);
        assert_eq!((std::fs::read(&place).unwrap(), names()), (b"whole".to_vec(), 1));
        passing().settle(MayReplace::Whatever).unwrap();
        assert_eq!((std::fs::read(&place).unwrap(), names()), (Vec::new(), 1));
        let claimed = passing().settle(MayReplace::WhatIsFree).unwrap();
        let taken = passing().settle(MayReplace::WhatIsFree).unwrap_err();
        assert_eq!((taken.kind(), names()), (ErrorKind::WouldBlock, 1));
        drop(claimed);
        passing().settle(MayReplace::WhatIsFree).unwrap();
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn what_killed_runs_have_left_goes() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("run.h5md");
        let names = [
            ".run.h5md.4194305.new",
            ".run.h5md.4194305.2.new",
            ".run.h5md.1.0.new",
            ".run.h5md.new",
            ".other.h5md.4194305.new",
        ];
        let long_ago = std::time::SystemTime::now() - 2 * LEFT_ALONE;
        for name in names {
            File::create(folder.path().join(name)).unwrap().set_modified(long_ago).unwrap();
        }
        drop(Passing::new(&place).unwrap());
        // No process has a number that large, and one always is there.
        let left = names.map(|name| folder.path().join(name).exists());
        assert_eq!(left, [false, false, true, true, true]);
    }

    #[test]
    fn what_is_in_use_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("run.h5md");
        assert!(check_free(&place, false).is_ok());
        let claimed = Passing::beside(&place, "new").unwrap().settle(MayReplace::Nothing).unwrap();
        assert!(matches!(check_free(&place, false), Err(RecordError::Exists { .. })));
        assert!(matches!(check_free(&place, true), Err(RecordError::Busy { .. })));
        drop(claimed);
        assert!(check_free(&place, true).is_ok());
    }
}
