//! Reads the log from one step to another, ahead of the code that looks at it.

use std::ops::{ControlFlow, Range};
use std::sync::mpsc::{SyncSender, sync_channel};

use jostle_h5md::reading::ReadError;
use jostle_h5md::reading::{Column, Reading};
use jostle_h5md::record::schema::{BlockRow, ContactRow};

/// Rows that are read at a time: 11 MB.
const AT_A_TIME: usize = 1 << 18;
/// Batches that are read ahead.
const AHEAD: usize = 2;
pub(super) const BLOCKS: &str = "events/contacts_index";

struct Batch {
    rows: Vec<ContactRow>,
    /// Where in `rows` each step begins.
    steps: Vec<(usize, u64)>,
}

/// Calls `visit(step, contacts)` for the contacts of the given steps in the order of time; those of
/// one step may come in several calls. Stops early if `visit` says so.
///
/// # Errors
/// If the file cannot be read, the index contradicts the log, or `visit` fails.
pub(crate) fn scan(
    reading: &Reading,
    steps: Range<u64>,
    mut visit: impl FnMut(u64, &[ContactRow]) -> Result<ControlFlow<()>, ReadError>,
) -> Result<(), ReadError> {
    let log = Log::open(reading)?;
    std::thread::scope(|threads| {
        let (send, receive) = sync_channel(AHEAD);
        threads.spawn(|| log.read(steps, send));
        for batch in receive {
            let Batch { rows, steps } = batch?;
            let ends = steps.iter().skip(1).map(|(first, _)| *first).chain([rows.len()]);
            for (&(first, step), end) in steps.iter().zip(ends) {
                if visit(step, &rows[first..end])?.is_break() {
                    return Ok(());
                }
            }
        }
        Ok(())
    })
}

/// How many contacts there are in the given steps, from the index alone.
///
/// # Errors
/// If the file cannot be read.
pub(super) fn count(reading: &Reading, steps: Range<u64>) -> Result<u64, ReadError> {
    let log = Log::open(reading)?;
    let rows = log.rows(log.find(steps.start)?)?..log.rows(log.find(steps.end)?)?;
    Ok(rows.len() as u64)
}

/// The row of the first contact of the given step or a later one.
///
/// # Errors
/// If the file cannot be read.
pub(crate) fn first_row(reading: &Reading, step: u64) -> Result<usize, ReadError> {
    let log = Log::open(reading)?;
    log.rows(log.find(step)?)
}

/// The two tables, as long as they were when they were opened.
struct Log<'a> {
    reading: &'a Reading,
    contacts: Column<ContactRow>,
    blocks: Column<BlockRow>,
}

impl<'a> Log<'a> {
    fn open(reading: &'a Reading) -> Result<Self, ReadError> {
        // The index first: of a file that is being written it may be behind the log, never ahead.
        let blocks = reading.open_column(BLOCKS)?;
        Ok(Self { reading, blocks, contacts: Column::of_contacts(reading)? })
    }

    /// The first block whose step is not before `step`.
    fn find(&self, step: u64) -> Result<usize, ReadError> {
        let (mut low, mut high) = (0, self.blocks.len());
        while low < high {
            let middle = (low + high) / 2;
            let block = self.blocks.read(middle..middle + 1)?;
            if block.first().is_some_and(|block| (block.step as u64) < step) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        Ok(low)
    }

    /// The row at which a block begins; after the last block, where the log ends.
    fn rows(&self, block: usize) -> Result<usize, ReadError> {
        if block >= self.blocks.len() {
            return Ok(self.contacts.len());
        }
        let first = self.blocks.read(block..block + 1)?[0].first as usize;
        Ok(first.min(self.contacts.len()))
    }

    /// Sends the contacts of the given steps, or an error, until no particle listens.
    fn read(&self, steps: Range<u64>, send: SyncSender<Result<Batch, ReadError>>) {
        let mut pass_on = |batch| match send.send(Ok(batch)) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        };
        if let Err(why) = self.batches(steps, &mut pass_on) {
            let _ = send.send(Err(why));
        }
    }

    fn batches(
        &self,
        steps: Range<u64>,
        pass_on: &mut impl FnMut(Batch) -> ControlFlow<()>,
    ) -> Result<(), ReadError> {
        let (mut block, last) = (self.find(steps.start)?, self.find(steps.end)?);
        while block < last {
            let page = block..last.min(block + AT_A_TIME);
            // One more block than is looked at tells where the last one ends.
            let index = self.blocks.read(page.start..self.blocks.len().min(page.end + 1))?;
            let all = self.contacts.len();
            let begins = |k: usize| index.get(k).map_or(all, |block| all.min(block.first as usize));
            let rows = begins(0)..begins(page.len());
            if (0..page.len()).any(|k| begins(k) > begins(k + 1)) {
                return Err(self.reading.damaged(BLOCKS, "it does not ascend"));
            }
            let mut next = 0;
            for from in rows.clone().step_by(AT_A_TIME) {
                let part = from..rows.end.min(from + AT_A_TIME);
                let mut steps = Vec::new();
                if next > 0 && begins(next) > from {
                    steps.push((0, index[next - 1].step as u64));
                }
                while next < page.len() && begins(next) < part.end {
                    steps.push((begins(next) - from, index[next].step as u64));
                    next += 1;
                }
                if pass_on(Batch { rows: self.contacts.read(part)?, steps }).is_break() {
                    return Ok(());
                }
            }
            block = page.end;
        }
        Ok(())
    }
}
