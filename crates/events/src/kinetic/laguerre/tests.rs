//! The triangulation held to what it promises, at rest and in motion.
pub(super) mod scenes;
mod still;
pub(super) mod storm;
mod storms;
mod zeros;
