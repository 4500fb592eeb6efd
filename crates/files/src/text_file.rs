//! Files of a bounded length, as text or as they are.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The text of a file that has at most `most` bytes. Of what never ends, no more is read either.
///
/// # Errors
/// If it cannot be read, is longer, or is not UTF-8.
pub fn text_of(path: &Path, most: u64) -> io::Result<String> {
    let mut text = String::new();
    let read = File::open(path)?.take(most.saturating_add(1)).read_to_string(&mut text)?;
    within(read, most).map(|()| text)
}

/// The bytes of a file that has at most `most` of them.
///
/// # Errors
/// If it cannot be read, or is longer.
pub fn bytes_of(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = File::open(path)?.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    within(read, most).map(|()| bytes)
}

fn within(read: usize, most: u64) -> io::Result<()> {
    if read as u64 > most {
        return Err(io::Error::other(format!(
            "it is longer than {most} bytes, the most that is read"
        )));
    }
    Ok(())
}

/// The text of a regular file. A pipe is refused, which would be waited for.
///
/// # Errors
/// If it is no file, cannot be read, or is not UTF-8.
pub fn regular_text_of(path: &Path) -> io::Result<String> {
    if is_endless(path) {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "this is not a regular file"));
    }
    std::fs::read_to_string(path)
}

/// Whether a path leads to something that is neither a file nor a folder: a pipe, which may never
/// end, or a device, which has no end.
pub fn is_endless(path: &Path) -> bool {
    path.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_long_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("text");
        std::fs::write(&path, "12345").unwrap();
        assert_eq!(text_of(&path, 5).unwrap(), "12345");
        assert_eq!(bytes_of(&path, 5).unwrap(), b"12345");
        let errors = [text_of(&path, 4).unwrap_err(), bytes_of(&path, 4).unwrap_err()];
        assert!(errors.iter().all(|error| error.to_string().contains("longer than 4 bytes")));
    }
}
