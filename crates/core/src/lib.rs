//! What the engines of jostle stand on: space and paths, random numbers, search structures, first
//! contacts, particles and clusters, rules, surfaces, and those that observe a run.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`space`] | vectors, the box and its faces, straight paths within a window, flights in continuous time; polygons, outlines, poses, closed meshes |
//! | [`random`] | random numbers as pure functions of a key: no generator state anywhere |
//! | [`agenda`] | what is due next: a queue, a timetable of one entry per slot; ties ordered by content |
//! | [`words`], [`statistics`] | numbers and quantities as text; means and their errors |
//! | [`formula`] | formulas of counts and of the time, by which rates can depend on both |
//! | [`theory`] | closed forms and exact references that runs are compared with |
//! | [`search`] | pairs that might touch within a window, or until something changes; one law, one conformance test for all structures |
//! | [`narrow`] | when two paths first touch, or a path and a wall, a rod, a mesh; closest features and overlap of polygons |
//! | [`species`], [`particles`], [`clusters`] | the particles, one array per property, and what belongs together |
//! | [`sites`], [`docking`] | states and bonds of the sites of molecules; how two sites that point somewhere face each other, dock and part |
//! | [`potentials`] | attraction and repulsion: energies of pairs as functions of their distance |
//! | [`motion`] | displacements: diffusion without truncation, drift; ballistic flight |
//! | [`rules`] | what happens at a contact, in time and by the clock; probabilities from rate constants |
//! | [`environment`] | surfaces besides the box |
//! | [`parameters`] | what models say to engines in words and physical quantities |
//! | [`observe`], [`output`], [`state_hash`] | observers of a run, what is kept, a fingerprint of the state |
//! | [`engine`] | an engine as everything above it sees it |

pub mod agenda;
pub mod clusters;
pub mod docking;
pub mod engine;
pub mod environment;
pub mod formula;
pub mod motion;
mod named;
pub mod narrow;
pub mod observe;
pub mod output;
pub mod parameters;
pub mod particles;
#[doc(hidden)]
pub mod planted;
pub mod potentials;
#[doc(hidden)]
pub mod prefetch;
pub mod random;
pub mod rules;
pub mod search;
pub mod sites;
pub mod space;
pub mod species;
pub mod state_hash;
pub mod statistics;
#[doc(hidden)]
pub mod stopwatch;
pub mod theory;
#[doc(hidden)]
pub mod unions;
pub mod units;
pub mod words;
