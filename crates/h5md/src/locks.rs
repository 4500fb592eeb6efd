//! Files on file systems that have no locks, as some network file systems have none, or none while
//! their lock manager does not answer.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;
use std::sync::Once;
use std::time::Duration;

/// How many times a locked file is tried, and how long to wait between two tries. A process that is just being
/// started shares the locks of the one that starts it until it runs its own program, so a file can stay locked for
/// some milliseconds after it was closed.
const TRIES: u32 = 20;
const PAUSE: Duration = Duration::from_millis(20);

/// Opens a file with the HDF5 library, without its locks where there are none: it would take the
/// file for damaged. The argument of `open` says whether to lock.
pub(crate) fn open_with(
    path: &Path,
    open: impl Fn(bool) -> hdf5::Result<hdf5::File>,
) -> hdf5::Result<hdf5::File> {
    let mut opened = open(true);
    for _ in 1..TRIES {
        match &opened {
            Err(error) if is_about_locks(error) && why_none(path).is_some() => return open(false),
            Err(error) if is_about_locks(error) => std::thread::sleep(PAUSE),
            _ => return opened,
        }
        opened = open(true);
    }
    opened
}

fn is_about_locks(error: &hdf5::Error) -> bool {
    let is_so = |line: &str| line.contains("lock");
    match error.stack() {
        Some(stack) => stack.iter().any(|frame| is_so(frame.desc())),
        None => is_so(&error.to_string()),
    }
}

/// Opens a file to ask for a lock. Network file systems lock only what may be written.
pub(crate) fn to_ask(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).open(path).or_else(|_| File::open(path))
}

/// What the system says of the locks of a file, if there are none.
fn why_none(path: &Path) -> Option<io::Error> {
    match to_ask(path).ok()?.try_lock_shared() {
        Err(TryLockError::Error(why)) => Some(why),
        Ok(()) | Err(TryLockError::WouldBlock) => None,
    }
}

/// Says once what cannot be known of files without locks.
pub(crate) fn warn_of_none(path: &Path, why: &io::Error) {
    static SAID: Once = Once::new();
    SAID.call_once(|| {
        log::warn!(
            "{}: there are no locks on this file system ({why}); whether another program writes or reads this file \
             at the same time cannot be detected, so start no second run with the same output",
            path.display()
        );
    });
}
