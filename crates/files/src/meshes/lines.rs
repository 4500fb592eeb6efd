//! A text that is handed out line by line, so that it is known how far a reader has got who does
//! not say.

use std::cell::Cell;
use std::io::{self, Read, Seek, SeekFrom};

/// A text, and where it is being read.
pub(super) struct Lines<'a> {
    text: &'a [u8],
    at: usize,
    begin: usize,
    first: u64,
    line: &'a Cell<u64>,
}

impl<'a> Lines<'a> {
    /// The lines of `text`. `line` tells which was handed out last, counted from 1.
    pub(super) fn of(text: &'a [u8], line: &'a Cell<u64>) -> Self {
        line.set(0);
        Self { text, at: 0, begin: 0, first: 0, line }
    }

    /// Passes over blank lines. What comes next, if there is anything, is the beginning from now
    /// on.
    pub(super) fn next_part(&mut self) -> Option<&'a [u8]> {
        loop {
            let next = self.next()?;
            if !next.trim_ascii().is_empty() {
                (self.begin, self.first) = (self.at, self.line.get());
                return Some(next);
            }
            self.pass(next.len());
        }
    }

    /// What is left of the line, with its end.
    fn next(&self) -> Option<&'a [u8]> {
        self.text[self.at..].split_inclusive(|&byte| byte == b'\n').next()
    }

    fn pass(&mut self, count: usize) {
        if self.at == 0 || self.text[self.at - 1] == b'\n' {
            self.line.set(self.line.get() + 1);
        }
        self.at += count;
    }
}

impl Read for Lines<'_> {
    /// Never more than to the end of a line.
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Some(line) = self.next() else { return Ok(0) };
        let count = line.len().min(buffer.len());
        buffer[..count].copy_from_slice(&line[..count]);
        self.pass(count);
        Ok(count)
    }
}

impl Seek for Lines<'_> {
    /// Only to the beginning.
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        if to != SeekFrom::Start(0) {
            return Err(io::ErrorKind::Unsupported.into());
        }
        self.at = self.begin;
        self.line.set(self.first);
        Ok(0)
    }
}
