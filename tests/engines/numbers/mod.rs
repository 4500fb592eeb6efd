//! Numbers at the edge of what can be: places far from the origin, boxes tiny and huge, nothing
//! that moves, particles without extent, particles in one place, particles that touch exactly or
//! meet all at once, particles on the faces of cells and in the corners of boxes. All engines
//! continue rightly, the same through every search structure, or say before they start what is
//! wrong.

mod disks;
mod far;
mod flights;
mod outlines;
mod refused;
mod runs;
mod scales;
mod still;
mod ties;
