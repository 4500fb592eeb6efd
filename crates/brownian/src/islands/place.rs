//! Where things of a stretch are kept.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::NONE;

/// Where something of this stretch is kept: by which thread, and as which of its things.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) thread: u32,
    pub(super) number: u32,
}

impl Place {
    /// Of a particle that no thread has taken yet.
    pub(super) const NOWHERE: Self = Self { thread: NONE, number: NONE };
}

/// A place that any thread may enter. What one thread enters in a parallel loop, others can rely on
/// once the loop has ended.
#[derive(Debug)]
pub(super) struct SharedPlace(AtomicU64);

impl Default for SharedPlace {
    fn default() -> Self {
        Self(AtomicU64::new(u64::MAX))
    }
}

impl SharedPlace {
    #[inline]
    pub(super) fn get(&self) -> Place {
        let both = self.0.load(Relaxed);
        Place { thread: (both >> 32) as u32, number: both as u32 }
    }

    #[inline]
    pub(super) fn set(&self, Place { thread, number }: Place) {
        self.0.store(u64::from(thread) << 32 | u64::from(number), Relaxed);
    }

    /// The place, if something is kept there.
    #[inline]
    pub(super) fn taken(&self) -> Option<Place> {
        Some(self.get()).filter(|&place| place != Place::NOWHERE)
    }
}
