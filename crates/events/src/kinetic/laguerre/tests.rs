//! The triangulation held to what it promises, at rest and in motion.
mod scenes;
mod still;
mod storms;
mod zeros;
