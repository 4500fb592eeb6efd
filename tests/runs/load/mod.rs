//! Large models: what is too large is refused before it starts, with the reason, and of what is
//! not, `check` foretells the memory.

mod endless;
mod growth;
#[cfg(feature = "long")]
mod long;
mod memory;
mod refused;
mod watch;
