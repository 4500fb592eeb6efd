//! The triangulation of space held to what it promises, at rest and in motion.
mod around;
mod places;
mod still;
mod storms;
