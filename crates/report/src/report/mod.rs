//! Pictures: plots and snapshots, as SVG, PDF and PNG; and the page that has them all.

mod animated;
mod clip;
mod colour;
pub mod figures;
mod frames;
mod merged;
mod page;
mod pdf;
mod plot;
mod raster;
mod sheet;
mod snapshot;
mod tessellation;
mod ticks;
mod time_unit;
mod wires;

pub use animated::AnimatedPng;
pub use colour::Colour;
pub use frames::{DrawnFrames, FrameOptions, FramePainter, PictureStyle};
pub use merged::{Drawing, MergedFigure, merged_figures};
#[doc(hidden)]
pub use page::html;
pub use page::{Page, PageOptions, SweepPage, Thinning, page, player_page, sweep_page};
pub use plot::{Axis, HeatMap, Panels, Plot, Series, Style};
pub use raster::{Pixels, pixels};
pub use sheet::{DOTS_PER_INCH, PICTURES, PictureError, Sheet, picture_width};
pub use snapshot::{
    ColourBy, ContainerNow, Eye, ForceLine, GrainContainer, Outlines, Palette, Snapshot,
    SnapshotOptions, draw_strip,
};
pub use tessellation::{Tessellation, draw_tessellations};
pub use wires::Wires;
