//! Room for what nests deeply.

use std::io;
use std::thread;

/// Enough for the deepest text that the parser of TOML takes, some thousand tables within each
/// other. \[bytes\]
const STACK: usize = 64 << 20;

/// Does `work` on a stack of its own, on which a text from a file may nest as deeply as its parser
/// allows.
///
/// # Errors
/// If the system gives no thread.
pub fn with_room<T: Send>(work: impl FnOnce() -> T + Send) -> io::Result<T> {
    thread::scope(|threads| {
        let worker = thread::Builder::new().stack_size(STACK).spawn_scoped(threads, work)?;
        Ok(worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_room_for_deep_texts() {
        fn down(levels: usize) -> usize {
            let weight = std::hint::black_box([levels; 64]);
            if levels == 0 { 0 } else { 1 + down(weight[63] - 1) }
        }
        assert_eq!(with_room(|| down(20_000)).unwrap(), 20_000);
    }
}
