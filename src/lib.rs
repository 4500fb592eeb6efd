//! jostle

pub mod analysis;
pub mod clusters;
pub mod model;
pub mod observe;
pub mod particles;
pub mod record;
pub mod rules;
pub mod search;
pub mod space;
pub mod species;
pub mod state_hash;
