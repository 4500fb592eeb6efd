//! Internal units from SI units.
//!
//! Lengths are nm, times µs and masses kg, so that 1 nm/µs is 1 mm/s. Energies come out in kg
//! nm²/µs², pressures in kg/(nm µs²).

/// One metre. \[nm\]
pub const METRE: f64 = 1e9;
/// One second. \[µs\]
pub const SECOND: f64 = 1e6;
/// One joule. \[kg nm²/µs²\]
pub const JOULE: f64 = METRE * METRE / (SECOND * SECOND);
/// One newton second. \[kg nm/µs\]
pub const NEWTON_SECOND: f64 = METRE / SECOND;
/// One pascal. \[kg/(nm µs²)\]
pub const PASCAL: f64 = 1.0 / (METRE * SECOND * SECOND);
/// One kilogram per cubic metre. \[kg/nm³\]
pub const KILOGRAM_PER_CUBIC_METRE: f64 = 1.0 / (METRE * METRE * METRE);
