//! The triangulation held to what it promises, at rest and in motion.
mod around;
pub(super) mod scenes;
mod still;
pub(super) mod storm;
mod storms;
mod zeros;
