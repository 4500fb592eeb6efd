//! The laboratory: jostle measured against theory ([`validate`]), against the papers that it grows
//! out of ([`reproduce`]), against itself ([`mod@bench`]), against shorter time steps ([`converge`]) and
//! against well-mixed volumes ([`networks`]).

pub mod bench;
pub mod converge;
mod document;
pub mod networks;
pub mod progress;
pub mod reproduce;
pub mod validate;

pub use document::DocumentError;
