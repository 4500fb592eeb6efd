//! Files that appear under their name only once they are whole.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Writes a file beside its place and moves it there when `work` is done, so that a failure leaves
/// what was there before, and nobody ever reads half a file. What is no ordinary file, such as
/// `/dev/stdout`, is written to as it is.
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
    if !folder.is_dir() {
        let reason = format!("there is no folder {}", folder.display());
        return Err(io::Error::new(io::ErrorKind::NotFound, reason).into());
    }
    if path.metadata().is_ok_and(|there| !there.is_file()) {
        let mut out = BufWriter::new(File::options().write(true).open(path)?);
        let done = work(&mut out)?;
        out.flush()?;
        return Ok(done);
    }
    let beside =
        tempfile::Builder::new().prefix(".jostle-").permissions(ordinary()).tempfile_in(folder)?;
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
        let nowhere =
            fresh(&folder.path().join("no/table.csv"), |out| out.write_all(b"")).unwrap_err();
        assert!(nowhere.to_string().contains("there is no folder"), "{nowhere}");
    }

    #[test]
    #[cfg(unix)]
    fn a_device_stays_one() {
        fresh(Path::new("/dev/null"), |out| out.write_all(b"gone")).unwrap();
        assert!(!Path::new("/dev/null").metadata().unwrap().is_file());
    }
}
