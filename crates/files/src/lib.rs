//! Files that come from elsewhere, files that are written whole, and texts that are fit to be
//! shown. Knows no models.

mod beside;
pub mod columns;
mod deep;
mod fresh;
pub mod meshes;
mod paragraph;
mod place;
mod plain;
pub mod positions;
mod text_file;

pub use beside::PassingFolder;
pub use deep::with_room;
pub use fresh::fresh;
pub use paragraph::paragraph;
pub use place::{Inputs, check_place};
pub use plain::{cell, is_unseen, markup, plain, plain_line, shortened};
pub use text_file::{is_endless, named_bytes_of, named_text_of, text_of};
