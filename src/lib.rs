//! jostle

pub mod clusters;
pub mod files;
pub mod model;
pub mod observe;
pub mod particles;
pub mod rules;
pub mod search;
pub mod space;
pub mod species;
