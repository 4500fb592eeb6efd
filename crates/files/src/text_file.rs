//! Files of a bounded length, as text or as they are.

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

/// The text of a file that a user names, which may be a pipe, and has at most `most` bytes. Of what
/// never ends, no more is read either.
///
/// # Errors
/// If it cannot be read, is longer, or is not UTF-8.
pub fn text_of(path: &Path, most: u64) -> io::Result<String> {
    let mut text = String::new();
    let read = File::open(path)?.take(most.saturating_add(1)).read_to_string(&mut text)?;
    within(read, most).map(|()| text)
}

fn within(read: usize, most: u64) -> io::Result<()> {
    if read as u64 > most {
        return Err(io::Error::other(format!(
            "it is longer than {most} bytes, the most that is read"
        )));
    }
    Ok(())
}

/// The text of a file that another file names, or that somebody else has made.
///
/// # Errors
/// As [`named_bytes_of`], and if it is not UTF-8.
pub fn named_text_of(path: &Path, most: u64) -> io::Result<String> {
    let text = String::from_utf8(named_bytes_of(path, most)?);
    text.map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not text (UTF-8)"))
}

/// The bytes of a file that another file names, or that somebody else has made: the one way in which
/// such a file is read that is not HDF5. It may be no pipe, which would be waited for, and no device,
/// which may have no end; and it is read only if it is no longer than `most` bytes.
///
/// # Errors
/// If it is no regular file, is longer, or cannot be read.
pub fn named_bytes_of(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut options = OpenOptions::new();
    options.read(true);
    // To open a pipe would be to wait for who writes to it.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(
        &mut options,
        rustix::fs::OFlags::NONBLOCK.bits() as i32,
    );
    let refused = |text: &str| Err(io::Error::new(io::ErrorKind::InvalidInput, text));
    let file = options.open(path)?;
    let found = file.metadata()?;
    if found.is_dir() {
        return refused("this is a folder");
    }
    if !found.is_file() {
        return refused("this is not a regular file");
    }
    // Of a long file with nothing in it, nothing is read.
    within(usize::try_from(found.len()).unwrap_or(usize::MAX), most)?;
    let mut bytes = Vec::new();
    let read = file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    within(read, most).map(|()| bytes)
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
        assert_eq!(named_bytes_of(&path, 5).unwrap(), b"12345");
        let errors = [text_of(&path, 4).unwrap_err(), named_text_of(&path, 4).unwrap_err()];
        assert!(errors.iter().all(|error| error.to_string().contains("longer than 4 bytes")));
        std::fs::write(&path, [0xff, 0xfe]).unwrap();
        assert!(named_text_of(&path, 5).unwrap_err().to_string().contains("UTF-8"));
    }

    /// A pipe would be waited for, and a device or a sparse file fill the memory.
    #[test]
    #[cfg(unix)]
    fn what_a_file_names_is_a_regular_file_of_bounded_length() {
        let folder = tempfile::tempdir().unwrap();
        let [pipe, sparse] = ["pipe", "sparse"].map(|name| folder.path().join(name));
        let kind = rustix::fs::FileType::Fifo;
        rustix::fs::mknodat(rustix::fs::CWD, &pipe, kind, 0o600.into(), 0).unwrap();
        File::create(&sparse).unwrap().set_len(1 << 40).unwrap();
        for (path, reason) in [
            (pipe.as_path(), "not a regular file"),
            (Path::new("/dev/zero"), "not a regular file"),
            (folder.path(), "a folder"),
            (&sparse, "longer than 1024 bytes"),
        ] {
            let why = named_bytes_of(path, 1024).unwrap_err().to_string();
            assert!(why.contains(reason), "{}: {why}", path.display());
        }
    }
}
