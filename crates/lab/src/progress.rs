//! Word of what a long measurement is doing.

/// Told what is being run or measured.
pub type Progress<'a> = &'a mut (dyn FnMut(&str) + Send);
