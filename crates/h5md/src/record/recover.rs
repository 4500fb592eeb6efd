//! Makes the file of a killed run an ordinary file again.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::claim::is_claimed;
use super::error::RecordError;
use jostle_files::is_endless;

/// The first bytes of an HDF5 file.
const SIGNATURE: [u8; 8] = *b"\x89HDF\r\n\x1a\n";
/// The superblock (version 3, with 8-byte addresses) without its checksum.
const SUPERBLOCK: usize = 44;
/// Where the superblock says that somebody has the file open for writing.
const FLAGS: usize = 11;

/// Where the superblock says how long the file is.
const END: std::ops::Range<usize> = 28..36;

/// What there was to mend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recovery {
    /// Nothing: the file was closed properly.
    Nothing,
    /// The mark that somebody writes the file.
    Mark,
    /// The file's end is missing; what was to stand there is lost.
    CutShort {
        /// How much is missing. \[bytes\]
        missing: u64,
    },
}

/// Makes the file of a killed run readable by everybody: clears the mark that says it is being
/// written, and, if the disk was full, the claim that it is longer than it is (HDF5 File Format
/// Specification 3.0, section II.A). Either keeps ordinary readers out.
///
/// # Errors
/// If the file cannot be read or written, is not one that this program writes, or a run still
/// writes it.
pub fn recover(path: &Path) -> Result<Recovery, RecordError> {
    let refuse = |reason: String| RecordError::Recover { path: path.to_owned(), reason };
    let said = |error: std::io::Error| refuse(error.to_string());
    if is_endless(path) {
        return Err(refuse("this is not a regular file".into()));
    }
    let mut file = File::open(path).map_err(said)?;
    let mut block = [0; SUPERBLOCK + 4];
    read(&mut file, &mut block).map_err(said)?;
    if let Err(reason) = check(&block) {
        // They may have been read while a run was writing them.
        return Err(match is_claimed(&file) {
            true => RecordError::Busy { path: path.to_owned() },
            false => refuse(reason.into()),
        });
    }
    let length = file.metadata().map_err(said)?.len();
    let claimed = u64::from_le_bytes(std::array::from_fn(|k| block[END.start + k]));
    let found = match claimed.saturating_sub(length) {
        0 if block[FLAGS] == 0 => return Ok(Recovery::Nothing),
        0 => Recovery::Mark,
        missing => Recovery::CutShort { missing },
    };
    let mut file = OpenOptions::new().read(true).write(true).open(path).map_err(said)?;
    if is_claimed(&file) {
        return Err(RecordError::Busy { path: path.to_owned() });
    }
    block[FLAGS] = 0;
    // Where a run was killed the file may be longer than it says: what came after the last change
    // of its first bytes is pointed to, and would be beyond its end.
    block[END].copy_from_slice(&length.to_le_bytes());
    let sum = lookup3(&block[..SUPERBLOCK]);
    block[SUPERBLOCK..].copy_from_slice(&sum.to_le_bytes());
    file.seek(SeekFrom::Start(0)).map_err(said)?;
    file.write_all(&block).map_err(said)?;
    file.sync_all().map_err(said)?;
    Ok(found)
}

/// Reads as much of `block` as there is; the rest stays zero, and is found out by [`check`].
fn read(file: &mut File, block: &mut [u8]) -> std::io::Result<()> {
    let mut begun = Vec::new();
    file.take(block.len() as u64).read_to_end(&mut begun)?;
    block[..begun.len()].copy_from_slice(&begun);
    Ok(())
}

fn check(block: &[u8; SUPERBLOCK + 4]) -> Result<(), &'static str> {
    if block[..8] != SIGNATURE {
        return Err("not an HDF5 file");
    }
    let [version, offsets, lengths] = [block[8], block[9], block[10]];
    if [version, offsets, lengths] != [3, 8, 8] {
        return Err("an HDF5 file of another kind (its superblock is not of version 3)");
    }
    let stored: [u8; 4] = std::array::from_fn(|k| block[SUPERBLOCK + k]);
    if u32::from_le_bytes(stored) != lookup3(&block[..SUPERBLOCK]) {
        return Err("its first bytes are damaged (checksum)");
    }
    Ok(())
}

/// Bob Jenkins' `lookup3` hash (`hashlittle` with initial value 0, 2006), which HDF5 has for
/// checksums.
fn lookup3(bytes: &[u8]) -> u32 {
    let [mut a, mut b, mut c] = [0xdead_beef_u32.wrapping_add(bytes.len() as u32); 3];
    let word = |k: usize, block: &[u8]| -> u32 {
        let byte = |n: usize| block.get(4 * k + n).copied().unwrap_or(0);
        u32::from_le_bytes([byte(0), byte(1), byte(2), byte(3)])
    };
    let mut blocks = bytes.chunks(12).peekable();
    while let Some(block) = blocks.next() {
        a = a.wrapping_add(word(0, block));
        b = b.wrapping_add(word(1, block));
        c = c.wrapping_add(word(2, block));
        if blocks.peek().is_some() {
            [a, b, c] = mix(a, b, c);
        } else {
            c = last_mix(a, b, c);
        }
    }
    c
}

fn mix(mut a: u32, mut b: u32, mut c: u32) -> [u32; 3] {
    for (turn, shift) in [4, 6, 8, 16, 19, 4].into_iter().enumerate() {
        let [x, y, z] = match turn % 3 {
            0 => [&mut a, &mut c, &mut b],
            1 => [&mut b, &mut a, &mut c],
            _ => [&mut c, &mut b, &mut a],
        };
        *x = x.wrapping_sub(*y) ^ y.rotate_left(shift);
        *y = y.wrapping_add(*z);
    }
    [a, b, c]
}

fn last_mix(mut a: u32, mut b: u32, mut c: u32) -> u32 {
    for (turn, shift) in [14, 11, 25, 16, 4, 14, 24].into_iter().enumerate() {
        let (x, y) = match turn % 3 {
            0 => (&mut c, b),
            1 => (&mut a, c),
            _ => (&mut b, a),
        };
        *x = (*x ^ y).wrapping_sub(y.rotate_left(shift));
    }
    c
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_that_of_the_published_examples() {
        // From the self-test of lookup3.c: hashlittle("", 0, 0) and of a 30-byte sentence.
        assert_eq!(lookup3(b""), 0xdead_beef);
        assert_eq!(lookup3(b"Four score and seven years ago"), 0x1777_0551);
    }

    #[test]
    fn foreign_files_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("text.h5md");
        std::fs::write(&path, "not at all").unwrap();
        let error = recover(&path).unwrap_err().to_string();
        assert!(error.contains("not an HDF5 file"), "{error}");
        assert!(recover(&dir.path().join("none.h5md")).is_err());
    }
    /// Its first bytes may be read while they are being written, and make no sense then.
    #[test]
    fn a_file_that_is_being_written_is_in_use_whatever_its_first_bytes() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("run.h5md");
        std::fs::write(&path, "half of it").unwrap();
        let writer = File::open(&path).unwrap();
        writer.lock().unwrap();
        assert!(matches!(recover(&path), Err(RecordError::Busy { .. })));
        writer.unlock().unwrap();
        assert!(matches!(recover(&path), Err(RecordError::Recover { .. })));
    }
}
