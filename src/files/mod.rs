//! Files that come from elsewhere, and files that are written whole. Knows no models.

mod fresh;
pub mod positions;
mod texts;

pub use fresh::fresh;
pub use texts::texts;
