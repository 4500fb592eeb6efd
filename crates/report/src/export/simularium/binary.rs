//! Simularium's binary form: a header, then three blocks. All numbers are little-endian and four
//! bytes long.

use std::io::{self, Seek, SeekFrom, Write};

use serde_json::Value;

use super::Stage;
use crate::export::Sink;
use crate::export::scene::{Moment, Scene};

/// The first bytes of a file.
const SIGNATURE: &[u8; 16] = b"SIMULARIUMBINARY";
const VERSION: u32 = 2;
/// Signature, three numbers, and three for each block.
const HEADER: u64 = 64;
/// Every block begins with its type and its length.
const BLOCK_HEADER: u64 = 8;
/// The types of the blocks, in their order: information (JSON), frames, plots (JSON).
const BLOCKS: [u32; 3] = [1, 3, 2];
/// The most bytes that a file may have.
const MOST_BYTES: u64 = 4_000_000_000;

/// Writes a file; what stands at its beginning is filled in at the end.
pub(in crate::export) struct Binary<'a, W> {
    out: W,
    stage: Stage<'a>,
    /// Where the block of frames begins.
    frames_at: u64,
    /// Where each frame begins within that block, and how many bytes it has.
    frames: Vec<[u32; 2]>,
}

impl<'a, W: Write + Seek> Binary<'a, W> {
    pub(in crate::export) fn new(out: W, scene: &'a Scene<'a>) -> Self {
        Self { out, stage: Stage::new(scene), frames_at: 0, frames: Vec::new() }
    }

    /// Where the next byte goes.
    fn here(&mut self) -> io::Result<u64> {
        let here = self.out.stream_position()?;
        if here > MOST_BYTES {
            return Err(io::Error::other(
                "a binary Simularium file holds no more than 4 GB; choose fewer frames or species",
            ));
        }
        Ok(here)
    }

    fn numbers(&mut self, numbers: &[u32]) -> io::Result<()> {
        numbers.iter().try_for_each(|number| self.out.write_all(&number.to_le_bytes()))
    }

    /// A block of JSON, filled up with zeros to a multiple of four bytes.
    fn json(&mut self, kind: u32, value: &Value) -> io::Result<()> {
        let mut text = value.to_string().into_bytes();
        text.resize(text.len().next_multiple_of(4), 0);
        self.numbers(&[kind, BLOCK_HEADER as u32 + text.len() as u32])?;
        self.out.write_all(&text)
    }
}

impl<W: Write + Seek> Sink for Binary<'_, W> {
    fn begin(&mut self) -> io::Result<()> {
        self.out.write_all(&[0; HEADER as usize])?;
        let info = self.stage.info();
        self.json(BLOCKS[0], &info)?;
        self.frames_at = self.here()?;
        // The block's header, its version, the number of frames, and two numbers for each.
        let room = 4 + 2 * self.stage.scene.frames().len();
        self.numbers(&vec![0; room])
    }

    fn frame(&mut self, moment: &Moment) -> io::Result<()> {
        let begin = self.here()?;
        let data = self.stage.agents(moment)?;
        let agents = moment.particles.len() + moment.bonds.len();
        self.numbers(&[
            self.frames.len() as u32,
            (moment.time.unwrap_or(0.0) as f32).to_bits(),
            agents as u32,
        ])?;
        data.iter().try_for_each(|number| self.out.write_all(&number.to_le_bytes()))?;
        let length = self.here()? - begin;
        self.frames.push([(begin - self.frames_at) as u32, length as u32]);
        Ok(())
    }

    fn end(&mut self) -> io::Result<()> {
        let plots_at = self.here()?;
        let plots = self.stage.plots();
        self.json(BLOCKS[2], &plots)?;
        let end = self.here()?;
        let starts = [HEADER, self.frames_at, plots_at];
        let ends = [self.frames_at, plots_at, end];

        self.out.seek(SeekFrom::Start(self.frames_at))?;
        self.numbers(&[
            BLOCKS[1],
            (plots_at - self.frames_at) as u32,
            1,
            self.frames.len() as u32,
        ])?;
        for entry in std::mem::take(&mut self.frames) {
            self.numbers(&entry)?;
        }
        self.out.seek(SeekFrom::Start(0))?;
        self.out.write_all(SIGNATURE)?;
        self.numbers(&[HEADER as u32, VERSION, BLOCKS.len() as u32])?;
        for (kind, (start, end)) in BLOCKS.into_iter().zip(starts.into_iter().zip(ends)) {
            self.numbers(&[start as u32, kind, (end - start) as u32])?;
        }
        self.out.flush()
    }
}
