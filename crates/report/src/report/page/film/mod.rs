//! The frames of a file as the page carries them: quantised, packed, deflated, in base64, and
//! thinned out until they fit.

mod grid;
mod outlines;
mod pack;
mod sites;
mod stills;

use std::io::Write;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use flate2::Compression;
use flate2::write::DeflateEncoder;

pub(super) use grid::Grid;
use jostle_analysis::{ReadError, Reading};
pub(super) use outlines::FilmOutlines;
use pack::{Still, pack};
use sites::FilmSites;
pub(super) use sites::SitesHead;
use stills::Stills;

/// Every so many frames one stands by itself, so that a jump has few others to go through.
const KEY_EVERY: usize = 8;

/// More than anybody watches; as many elements in a page make browsers slow.
const MOST_FRAMES: usize = 5000;

/// The frames of a file, or some of them.
pub(super) struct Film {
    pub(super) grid: Grid,
    /// How many slots a frame has.
    pub(super) slots: usize,
    /// In ascending order.
    pub(super) frames: Vec<FilmFrame>,
    /// How many frames the file has.
    pub(super) of: usize,
    /// Whether frames were left out because of the size of the page, and not because it was asked
    /// for.
    pub(super) to_fit: bool,
    /// The radii of the slots. \[nm\]
    pub(super) radii: Vec<f32>,
    /// Whether particles have identities and clusters.
    pub(super) identities: bool,
    /// Whether any frame has bonds.
    pub(super) bonds: bool,
    /// What particles look like, if they are not all round.
    pub(super) outlines: Option<FilmOutlines>,
    /// What the player has to know of the sites of particles, if they have any.
    pub(super) sites: Option<SitesHead>,
    /// The size of the largest cluster in any of the frames.
    pub(super) largest: u64,
    /// How many particles there are in the first and in the last of the frames.
    pub(super) particles: [usize; 2],
    /// What the file lacks of what a player shows, in words.
    pub(super) missing: Vec<String>,
}

/// A frame, ready to stand in the page.
pub(super) struct FilmFrame {
    /// Its number in the file.
    pub(super) frame: usize,
    /// Whether it stands by itself.
    pub(super) key: bool,
    /// Deflated (RFC 1951), in base64.
    pub(super) text: String,
}

/// How many frames are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thinning {
    /// So many, however large the page gets; all if there are not more.
    Frames(usize),
    /// As many as fit into so many bytes; one at least, some thousands at most.
    Bytes(usize),
}

impl Film {
    /// Whether frames were left out.
    pub(super) fn is_thinned(&self) -> bool {
        self.frames.len() < self.of
    }

    /// The frames of a file, evenly chosen, the last among them and the first if there is room for
    /// two.
    pub(super) fn shoot(reading: &Reading, thinning: Thinning) -> Result<Self, ReadError> {
        let stills = Stills::of(reading)?;
        let of = reading.frames();
        let (mut count, most_bytes) = match thinning {
            Thinning::Frames(count) => (count.clamp(1, of.max(1)), usize::MAX),
            Thinning::Bytes(most) => (of.min(MOST_FRAMES), most),
        };
        loop {
            let mut film = Self {
                grid: stills.grid.clone(),
                slots: reading.slots(),
                frames: Vec::new(),
                of,
                to_fit: most_bytes != usize::MAX,
                radii: stills.radii.iter().map(|&r| r as f32).collect(),
                identities: stills.identities,
                bonds: stills.bonds,
                outlines: stills.outlines.clone(),
                sites: stills.sites.as_ref().map(FilmSites::head),
                largest: 0,
                particles: [0; 2],
                missing: stills.missing.clone(),
            };
            if film.fill(&stills, &evenly(count, of), most_bytes)? || count <= 1 {
                return Ok(film);
            }
            // Frames farther apart have less in common and take more room each.
            count = (film.frames.len() * 9 / 10).clamp(1, count - 1);
        }
    }

    /// Adds frames; false once they take more than `most_bytes`.
    fn fill(
        &mut self,
        stills: &Stills<'_>,
        frames: &[usize],
        most_bytes: usize,
    ) -> Result<bool, ReadError> {
        let mut before: Option<Still> = None;
        let mut bytes = 0;
        for (n, &frame) in frames.iter().enumerate() {
            let key = n % KEY_EVERY == 0;
            let now = stills.read(frame, before.as_ref())?;
            let packed = pack(&now, before.as_ref().filter(|_| !key), self.grid.last());
            let text = BASE64_STANDARD.encode(deflated(&packed));
            bytes += text.len();
            self.largest = now.which.iter().map(|which| which.size).fold(self.largest, u64::max);
            self.particles[1] = now.which.iter().filter(|which| which.id >= 0).count();
            if n == 0 {
                self.particles[0] = self.particles[1];
            }
            self.frames.push(FilmFrame { frame, key, text });
            if bytes > most_bytes {
                return Ok(false);
            }
            before = Some(now);
        }
        Ok(true)
    }
}

/// `count` of `of` numbers, evenly chosen: the last, and the first if `count` is 2 or more.
fn evenly(count: usize, of: usize) -> Vec<usize> {
    match (count, of) {
        (_, 0) | (0, _) => Vec::new(),
        (1, _) => vec![of - 1],
        _ => (0..count).map(|n| n * (of - 1) / (count - 1)).collect(),
    }
}

/// Numbers of four bytes, deflated, in base64.
pub(super) fn deflated_text(bytes: &[u8]) -> String {
    BASE64_STANDARD.encode(deflated(bytes))
}

fn deflated(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    // A vector takes everything.
    let done = encoder.write_all(bytes).and_then(|()| encoder.finish());
    done.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chosen_frames_are_spread_evenly_from_the_first_to_the_last() {
        assert_eq!(evenly(5, 5), [0, 1, 2, 3, 4]);
        assert_eq!(evenly(3, 101), [0, 50, 100]);
        assert_eq!(evenly(1, 7), [6]);
        assert!(evenly(3, 0).is_empty());
        for (count, of) in [(40, 101), (99, 100), (2, 2)] {
            let chosen = evenly(count, of);
            assert!(chosen.windows(2).all(|pair| pair[0] < pair[1]), "{chosen:?}");
            assert_eq!((chosen.len(), chosen[0], chosen[count - 1]), (count, 0, of - 1));
        }
    }
}
