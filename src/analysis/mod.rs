//! Reads the files that [`crate::record`] writes, also while another process still writes them,
//! and measures what people ask first. Knows no engine.

mod clusters;
mod contacts;
mod displacement;
mod error;
mod genealogy;
mod info;
mod reading;
mod replay;
mod table;

pub use clusters::{ClusterSizes, SizesAt, cluster_sizes};
pub use contacts::{ContactsByPair, PairCount, contacts_by_pair, visit_contacts};
pub use displacement::{Displacements, MeanSquare, mean_squared_displacement};
pub use error::ReadError;
pub use genealogy::{Descent, Genealogy, Life, genealogy};
pub use info::{Info, Run, SpeciesCount, info};
pub use reading::{FrameData, Reading, open};
pub use replay::{Memberships, replay};
pub use table::Table;
