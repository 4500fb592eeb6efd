//! Reading files that come from elsewhere. Knows files, not models.

pub mod positions;
