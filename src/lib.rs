//! jostle

pub mod clusters;
pub mod model;
pub mod observe;
pub mod particles;
pub mod report;
pub mod rules;
pub mod search;
pub mod space;
pub mod species;
