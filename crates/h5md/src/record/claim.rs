//! A run lays claim to the file that it writes, so that no other program replaces or mends it.

use std::fs::{File, TryLockError};
use std::path::Path;

use crate::locks::{to_ask, warn_of_none};

/// Lays claim to a file until it is dropped, or the program ends. A shared lock: it lets readers
/// in, the HDF5 library of other programs included, and keeps out who wants the file for itself.
/// Where the file system knows no locks, there is none, which is said.
pub(super) fn claim(file: File, path: &Path) -> File {
    if let Err(TryLockError::Error(why)) = file.try_lock_shared() {
        warn_of_none(path, &why);
    }
    file
}

/// Lays claim to a file that is done, so that no run takes its place before it is dropped; none if
/// it cannot be opened, or somebody wants it for itself.
pub fn hold(path: &Path) -> Option<File> {
    let file = to_ask(path).ok()?;
    match file.try_lock_shared() {
        Ok(()) => Some(file),
        Err(_) => None,
    }
}

/// Whether somebody has laid claim to a file. The HDF5 library claims in the same way what it
/// reads, this process included. Without locks, nobody is known to have.
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

/// Whether a run writes the file at this moment; none if there are no locks that would tell. Asked
/// of a file that nobody reads along.
pub fn is_being_written(path: &Path) -> Option<bool> {
    let Ok(file) = to_ask(path) else { return Some(false) };
    match file.try_lock() {
        Ok(()) => Some(false),
        Err(TryLockError::WouldBlock) => Some(true),
        Err(TryLockError::Error(_)) => None,
    }
}
