//! jostle

pub mod agenda;
pub mod analysis;
pub mod brownian;
pub mod clusters;
pub mod model;
pub mod motion;
pub mod narrow;
pub mod observe;
pub mod output;
pub mod particles;
pub mod random;
pub mod record;
pub mod report;
pub mod rules;
pub mod search;
pub mod space;
pub mod species;
pub mod state_hash;
pub mod theory;
