//! STL: triangles with their coordinates, in single precision.

use std::cell::Cell;
use std::io::Cursor;

use stl_io::create_stl_reader;

use super::lines::Lines;
use super::{Fault, Welded};

/// What stands before the triangles of a binary file: a heading, and how many there are. \[bytes\]
const HEAD: usize = 84;
const HEADING: usize = 80;
/// A triangle takes as much. \[bytes\]
const TRIANGLE: u64 = 50;
/// How an ASCII file, and each solid in it, begins, in small letters or capitals.
const SOLID: &[u8] = b"solid";

pub(super) fn read(mut bytes: Vec<u8>) -> Result<Welded, Fault> {
    let claimed = bytes.first_chunk::<HEAD>().map(|head| {
        let [.., a, b, c, d] = *head;
        u32::from_le_bytes([a, b, c, d])
    });
    let length = |count: u32| HEAD as u64 + TRIANGLE * u64::from(count);
    if claimed.is_some_and(|count| length(count) == bytes.len() as u64) {
        // Some programs begin the heading of binary files, too, with the word by which others are
        // known.
        bytes[..HEADING].fill(b' ');
        return binary(&bytes);
    }
    if begins_solid(&bytes) {
        return text(&bytes);
    }
    let found = bytes.len();
    Err(Fault::whole(claimed.map_or_else(
        || format!("this is not an STL file: it has {found} bytes and does not begin with `solid`"),
        |count| {
            let takes = length(count);
            format!(
                "as a binary STL file it claims {count} triangles, which take {takes} bytes, but it has {found}; an \
                 ASCII file begins with `solid`"
            )
        },
    )))
}

/// Whether a text begins as a solid does.
fn begins_solid(text: &[u8]) -> bool {
    let start = text.trim_ascii_start().get(..SOLID.len());
    start.is_some_and(|word| word.eq_ignore_ascii_case(SOLID))
}

fn binary(bytes: &[u8]) -> Result<Welded, Fault> {
    let fault = |error: std::io::Error| Fault::whole(error.to_string());
    let mut welded = Welded::default();
    for triangle in create_stl_reader(&mut Cursor::new(bytes)).map_err(fault)? {
        welded.add(triangle.map_err(fault)?.vertices.map(|vertex| vertex.0.map(f64::from)));
    }
    Ok(welded)
}

fn text(bytes: &[u8]) -> Result<Welded, Fault> {
    // The reader wants a blank after the word, which a solid without a name lacks, and small letters.
    let mut text = Vec::with_capacity(bytes.len() + 16);
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        match begins_solid(line) {
            true => text.extend_from_slice(b"solid \n"),
            false => text.extend(line.iter().map(u8::to_ascii_lowercase)),
        }
    }
    let line = Cell::new(0);
    let mut lines = Lines::of(&text, &line);
    let mut welded = Welded::default();
    while let Some(next) = lines.next_part() {
        if !next.starts_with(SOLID) {
            return Err(Fault::at(
                line.get() + 1,
                "a `solid`, or the end of the file, is expected here",
            ));
        }
        let fault = |error: std::io::Error| {
            let facet =
                "`facet normal x y z`, `outer loop`, 3 times `vertex x y z`, `endloop`, `endfacet`";
            Fault::at(line.get(), format!("{error} (a facet is {facet})"))
        };
        for triangle in create_stl_reader(&mut lines).map_err(fault)? {
            welded.add(triangle.map_err(fault)?.vertices.map(|vertex| vertex.0.map(f64::from)));
        }
    }
    Ok(welded)
}
