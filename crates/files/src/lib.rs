//! Files that come from elsewhere, and files that are written whole. Knows no models.

mod deep;
mod fresh;
pub mod meshes;
mod plain;
pub mod positions;
mod text_file;

pub use deep::with_room;
pub use fresh::fresh;
pub use plain::{cell, is_unseen, markup, plain, plain_line, shortened};
pub use text_file::{bytes_of, is_endless, text_of};
