//! Where there is much to write, another thread writes it.
//!
//! It takes as long as several steps to compress and write a frame. Meanwhile the run continues. Rows
//! stay with their table until there are enough of them; then they are handed over as a batch.
//! Only one batch is written at a time, so the rows of a table are written in order, and after a wait for
//! the batch no other thread uses the HDF5 library.

use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, sync_channel};
use std::sync::{PoisonError, RwLock, RwLockWriteGuard};
use std::thread;

/// Each writing thread holds it while it writes.
static AT_WORK: RwLock<()> = RwLock::new(());

/// While it lives, no such thread writes.
pub struct WritersAtRest(#[expect(dead_code, reason = "it is held")] RwLockWriteGuard<'static, ()>);

/// Waits until no thread is writing, and keeps all of them from it. This is for forks: the child has none of these
/// threads, and would wait for ever for one that was writing.
pub fn writers_at_rest() -> WritersAtRest {
    WritersAtRest(AT_WORK.write().unwrap_or_else(PoisonError::into_inner))
}

/// From this size on a batch is handed over, which takes some ten microseconds; less than that waits. \[bytes\]
pub(super) const WORTH_IT: usize = 64 << 10;

/// From this size on a batch is written at once, since it would take much memory while it waits. \[bytes\]
pub(super) const TOO_MUCH: usize = 32 << 20;

/// What is to be written to one table.
pub(super) type Write = Box<dyn FnOnce() -> hdf5::Result<()> + Send>;

/// Writes batches. When it is dropped, what is under way is written first.
#[derive(Default)]
pub(super) struct Writer {
    thread: Option<Other>,
    /// Whether a thread was asked for; there may be none.
    asked: bool,
    under_way: bool,
}

/// The other thread.
struct Other {
    batches: SyncSender<Vec<Write>>,
    done: Receiver<hdf5::Result<()>>,
}

impl Writer {
    /// Whether a batch is still under way.
    ///
    /// # Errors
    /// If it is not since it failed.
    pub(super) fn is_busy(&mut self) -> hdf5::Result<bool> {
        let Some(thread) = self.thread.as_ref().filter(|_| self.under_way) else {
            return Ok(false);
        };
        let done = match thread.done.try_recv() {
            Err(TryRecvError::Empty) => return Ok(true),
            Err(TryRecvError::Disconnected) => Err(gone()),
            Ok(done) => done,
        };
        self.under_way = false;
        done.map(|()| false)
    }

    /// Waits for what is under way.
    ///
    /// # Errors
    /// If it fails.
    pub(super) fn wait(&mut self) -> hdf5::Result<()> {
        match &self.thread {
            Some(thread) if std::mem::take(&mut self.under_way) => {
                thread.done.recv().unwrap_or_else(|_| Err(gone()))
            }
            _ => Ok(()),
        }
    }

    /// Writes a batch, on the other thread if there is one, after what is under way.
    ///
    /// # Errors
    /// If what was under way fails, or the batch itself, if it is written at once.
    pub(super) fn hand_over(&mut self, batch: Vec<Write>) -> hdf5::Result<()> {
        self.wait()?;
        if !std::mem::replace(&mut self.asked, true) {
            self.thread = Other::start();
        }
        let Some(thread) = &self.thread else { return write(batch) };
        match thread.batches.send(batch) {
            Ok(()) => self.under_way = true,
            Err(unsent) => return write(unsent.0),
        }
        Ok(())
    }

    /// Writes a batch on this thread, after what is under way.
    ///
    /// # Errors
    /// If one of the two fails.
    pub(super) fn write(&mut self, batch: Vec<Write>) -> hdf5::Result<()> {
        self.wait()?;
        write(batch)
    }

    /// Leaves the other thread to what it does.
    pub(super) fn leave(&mut self) {
        (self.thread, self.under_way) = (None, false);
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        if let Err(error) = self.wait() {
            log::warn!("{error}");
        }
    }
}

impl Other {
    /// None if there is only one processor for all, or the system gives no threads.
    fn start() -> Option<Self> {
        if thread::available_parallelism().is_ok_and(|count| count.get() == 1) {
            return None;
        }
        let (batches, next) = sync_channel::<Vec<Write>>(1);
        let (tell, done) = sync_channel(1);
        let work = move || {
            for batch in next {
                let at_work = AT_WORK.read().unwrap_or_else(PoisonError::into_inner);
                let done = write(batch);
                drop(at_work);
                if tell.send(done).is_err() {
                    return;
                }
            }
        };
        thread::Builder::new().name("jostle writes".into()).spawn(work).ok()?;
        Some(Self { batches, done })
    }
}

/// Writes a batch, up to the first failure.
fn write(batch: Vec<Write>) -> hdf5::Result<()> {
    batch.into_iter().try_for_each(|write| write())
}

fn gone() -> hdf5::Error {
    "the thread that writes has ended".into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{Arc, Mutex};

    /// Writes down numbers; the thread with them, where it does.
    fn noting(list: &Arc<Mutex<Vec<i32>>>, numbers: std::ops::Range<i32>) -> Vec<Write> {
        let write = |n: i32| -> Write {
            let list = Arc::clone(list);
            Box::new(move || {
                thread::yield_now();
                list.lock().unwrap().push(n);
                Ok(())
            })
        };
        numbers.map(write).collect()
    }

    #[test]
    fn batches_are_written_in_their_order_and_before_the_end() {
        let list = Arc::default();
        let mut writer = Writer::default();
        for first in (0..1000).step_by(10) {
            writer.hand_over(noting(&list, first..first + 10)).unwrap();
        }
        drop(writer);
        assert_eq!(*list.lock().unwrap(), (0..1000).collect::<Vec<_>>());
    }

    #[test]
    fn a_failure_is_reported_once_and_ends_its_batch() {
        let list = Arc::default();
        let mut batch = noting(&list, 0..2);
        batch.insert(1, Box::new(|| Err("no room".into())));
        let mut writer = Writer::default();
        let handed = writer.hand_over(batch).and_then(|()| writer.wait());
        assert_eq!(handed.unwrap_err().to_string(), "no room");
        assert_eq!(*list.lock().unwrap(), [0]);
        assert!(writer.wait().is_ok() && !writer.is_busy().unwrap());
    }

    #[test]
    fn a_thread_that_panics_is_an_error() {
        let mut writer = Writer { thread: Other::start(), asked: true, under_way: false };
        // Where there is only one processor, there is no such thread.
        if writer.thread.is_some() {
            writer.hand_over(vec![Box::new(|| panic!("of the test"))]).unwrap();
            assert!(writer.wait().unwrap_err().to_string().contains("has ended"));
        }
    }
}
