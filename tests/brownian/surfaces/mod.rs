//! Surfaces in the box: no particle gets through that should not, equilibrium is uniform up to the
//! wall, what goes through, ends there or lives there does so as theory has it, and nothing depends
//! on how it is computed.

mod anchors;
mod bits;
mod changes;
mod clusters;
mod containers;
mod meshes;
mod rods;
mod sorption;
mod targets;
mod worlds;
