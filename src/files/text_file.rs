//! Text files of a bounded length.

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
    if read as u64 > most {
        return Err(io::Error::other(format!("it is longer than the {most} bytes that are read")));
    }
    Ok(text)
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
        assert!(text_of(&path, 4).unwrap_err().to_string().contains("longer than the 4 bytes"));
    }
}
