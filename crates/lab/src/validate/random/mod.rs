//! Models drawn at random, each held to a law that a computation independent of the engine gives.

pub mod rates;

use super::Check;

/// These checks.
pub(super) const CHECKS: &[Check] = &[rates::CHECK];
