//! A string of bytes as a string of choices: what a fuzzer can drive.

/// Reads choices off a string of bytes; after its end all choices are 0.
pub struct Choices<'a> {
    bytes: &'a [u8],
    next: Option<u8>,
}

impl<'a> Choices<'a> {
    pub fn of(bytes: &'a [u8]) -> Self {
        Self { bytes, next: None }
    }

    pub fn is_over(&self) -> bool {
        self.bytes.is_empty()
    }

    pub fn byte(&mut self) -> u8 {
        if let Some(byte) = self.next.take() {
            return byte;
        }
        let Some((first, rest)) = self.bytes.split_first() else { return 0 };
        self.bytes = rest;
        *first
    }

    /// Lets a choice be made once more.
    pub fn rewind(&mut self, byte: u8) {
        self.next = Some(byte);
    }

    /// A number below `n`, which is above 0.
    pub fn below(&mut self, n: usize) -> usize {
        let number = match n {
            0..=256 => usize::from(self.byte()),
            _ => usize::from(self.byte()) << 8 | usize::from(self.byte()),
        };
        number % n.max(1)
    }

    pub fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}
