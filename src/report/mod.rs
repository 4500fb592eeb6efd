//! Pictures: plots and snapshots, as SVG and PNG.

mod colour;
mod plot;
mod raster;
mod sheet;
mod snapshot;
mod ticks;

pub use colour::Colour;
pub use plot::{Axis, Plot, Series, Style};
pub use sheet::{PictureError, Sheet};
pub use snapshot::{ColourBy, Palette, Snapshot, SnapshotOptions, draw_strip};
