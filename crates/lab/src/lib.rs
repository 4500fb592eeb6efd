//! The laboratory: jostle measured against theory ([`validate`]), against the papers that it grows
//! out of ([`reproduce`]), against itself ([`mod@bench`]) and against shorter time steps
//! ([`converge`]).

pub mod bench;
pub mod converge;
pub mod progress;
pub mod reproduce;
pub mod validate;
