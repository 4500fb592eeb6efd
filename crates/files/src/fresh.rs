//! Files that appear under their name only once they are whole.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use super::beside::file_in;
use super::place::{Target, open_pipe, output};

/// Writes a file beside its place and moves it there when `work` is done, so that a failure leaves
/// what was there before, and nobody ever reads half a file. Where the path is a link, the file that
/// it leads to is replaced. What is no ordinary file, such as `/dev/stdout`, is written to as it is.
///
/// # Errors
/// Those of `work`, and if the file cannot be made or moved.
pub fn fresh<T, E: From<io::Error>>(
    path: &Path,
    work: impl FnOnce(&mut BufWriter<File>) -> Result<T, E>,
) -> Result<T, E> {
    let folder = folder_of(path);
    if !folder.is_dir() {
        let reason = format!("there is no folder {}", folder.display());
        return Err(io::Error::new(io::ErrorKind::NotFound, reason).into());
    }
    let place = match Target::at(path)? {
        Target::Replace(place) => place,
        Target::Output => return pour(output()?, work),
        Target::Pipe => return pour(open_pipe(path)?, work),
        Target::Device => return pour(File::options().write(true).open(path)?, work),
    };
    let (file, passing) = file_in(folder_of(&place))?.into_parts();
    // As long as this is open, no other program takes the file for a leftover.
    let _lock = file.try_clone()?;
    let done = pour(file, work)?;
    passing.persist(place).map_err(|error| error.error)?;
    Ok(done)
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn pour<T, E: From<io::Error>>(
    file: File,
    work: impl FnOnce(&mut BufWriter<File>) -> Result<T, E>,
) -> Result<T, E> {
    let mut out = BufWriter::new(file);
    let done = work(&mut out)?;
    out.flush()?;
    Ok(done)
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
    #[test]
    #[cfg(unix)]
    fn a_link_stays_one_and_its_file_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let [link, file] = ["link.csv", "file.csv"].map(|name| folder.path().join(name));
        std::fs::write(&file, "old").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        fresh(&link, |out| out.write_all(b"new")).unwrap();
        assert!(link.is_symlink());
        assert_eq!(std::fs::read(&file).unwrap(), b"new");
    }

    #[test]
    #[cfg(unix)]
    fn a_pipe_without_a_reader_is_not_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        let kind = rustix::fs::FileType::Fifo;
        rustix::fs::mknodat(rustix::fs::CWD, &pipe, kind, 0o600.into(), 0).unwrap();
        let why = fresh(&pipe, |out| out.write_all(b"new")).unwrap_err();
        assert!(why.to_string().contains("no program reads"), "{why}");
        // More than a pipe holds.
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || std::fs::read(pipe).unwrap().len()
        });
        let bytes = vec![b'x'; 1 << 20];
        while fresh(&pipe, |out| out.write_all(&bytes)).is_err() {
            std::thread::yield_now();
        }
        assert_eq!(reader.join().unwrap(), bytes.len());
    }
}
