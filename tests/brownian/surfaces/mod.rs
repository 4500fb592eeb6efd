//! Surfaces in the box: nobody gets through who should not, equilibrium is uniform up to the wall,
//! what goes through, ends there or lives there does so as theory has it, and nothing depends on
//! how it is computed.

mod bits;
mod changes;
mod containers;
mod homes;
mod targets;
mod worlds;
