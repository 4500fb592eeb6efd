//! Files that appear under their name only once they are whole.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Writes a file beside its place and moves it there when `work` is done, so that a failure leaves
/// what was there before, and nobody ever reads half a file.
///
/// # Errors
/// Those of `work`, and if the file cannot be made or moved.
pub fn fresh<T, E: From<io::Error>>(
    path: &Path,
    work: impl FnOnce(&mut BufWriter<File>) -> Result<T, E>,
) -> Result<T, E> {
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let beside = tempfile::Builder::new().prefix(".jostle-").permissions(ordinary()).tempfile_in(folder)?;
    let (file, place) = beside.into_parts();
    let mut out = BufWriter::new(file);
    let done = work(&mut out)?;
    out.flush()?;
    place.persist(path).map_err(|error| error.error)?;
    Ok(done)
}

/// What files get that nobody keeps to himself, less what the user's mask takes away.
#[cfg(unix)]
fn ordinary() -> std::fs::Permissions {
    use std::os::unix::fs::PermissionsExt;
    std::fs::Permissions::from_mode(0o666)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_leaves_what_was_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table.csv");
        fresh(&path, |out| out.write_all(b"old")).unwrap();
        let failed = fresh(&path, |out| {
            out.write_all(b"new")?;
            Err::<(), _>(io::Error::other("no more"))
        });
        assert_eq!(failed.unwrap_err().to_string(), "no more");
        assert_eq!(std::fs::read(&path).unwrap(), b"old");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left");
    }
}
