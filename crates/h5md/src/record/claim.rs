//! A run lays claim to the file that it writes, so that no other program replaces or mends it.

use std::fs::{File, TryLockError};
use std::path::Path;

/// Lays claim to a file until it is dropped, or the program ends. A shared lock: it lets readers
/// in, the HDF5 library of other programs included, and keeps out who wants the file for itself.
/// Where the file system knows no locks, there is none.
pub(super) fn claim(file: File) -> File {
    if let Err(why) = file.try_lock_shared() {
        log::debug!("no lock: {why}");
    }
    file
}

/// Whether somebody has laid claim to a file. The HDF5 library claims in the same way what it
/// reads, this process included.
pub(super) fn is_claimed(file: &File) -> bool {
    match file.try_lock() {
        Ok(()) => {
            // Closing it would do the same, only later.
            let _ = file.unlock();
            false
        }
        Err(TryLockError::WouldBlock) => true,
        Err(TryLockError::Error(_)) => false,
    }
}

/// Whether a run writes the file at this moment. Asked of a file that nobody reads along.
pub fn is_being_written(path: &Path) -> bool {
    File::open(path).is_ok_and(|file| is_claimed(&file))
}
