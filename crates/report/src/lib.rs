//! What files become for the eye and for other programs: [`report`] draws plots, snapshots and
//! pages, [`mod@export`] writes the formats of other programs.

pub mod export;
pub mod report;
