//! Writes what happens into one `.h5md` file.
//!
//! The file follows H5MD 1.1 (de Buyl, Colberg & Höfling 2014, Comput. Phys. Commun. 185) as far
//! as real readers allow, and MDAnalysis opens it without a topology. Lengths are in nm, times in
//! ns.
//!
//! | group | what |
//! | --- | --- |
//! | `/particles/trajectory` | box, position, image, id, cluster, coalesced per frame; species and radius per slot |
//! | `/connectivity/bonds` | pairs of slots per frame, filled up with -1 |
//! | `/observables` | count per species, number of clusters, largest cluster, state hash: one row per frame |
//! | `/observables/virial` | Brownian runs: the sum of momentum passed on times distance over all contacts and edges since the start \[kT steps\] |
//! | `/particles/trajectory/velocity`, `mass` | granular runs: velocity per frame, mass per slot \[kg\] |
//! | `/observables` | granular runs: energies \[J\] and momentum, one row per frame |
//! | `/series/counts` | step, time and number of particles of each species, at an interval of their own (`counts_every`) |
//! | `/events/changes` | every change of the population, with `reactants`, `products`, `clusters_before`, `clusters_after` beside it |
//! | `/events/contacts` | contacts, found by step through `contacts_index` |
//! | `/events/impacts` | granular runs: energy lost, temperature rise and heated volume, one row per contact |
//! | `/particles/trajectory/orientation`, `angular_velocity`, `shape`, `moment_of_inertia` | polygon runs, beside velocity, mass and energies: how particles are turned, per frame; what they are, per slot |
//! | `/particles/walls` | polygon runs: where walls are, how they are turned and whether they are there, per frame |
//! | `/events/forces` | polygon runs: the forces of contacts; those of frame t are the rows from `first[t]` to before `first[t + 1]` |
//! | `/parameters/shapes`, `/parameters/walls` | polygon runs: outlines, names of walls |
//! | `/events/codes`, `/runs/codes` | the words for the codes |
//! | `/parameters/potentials` | attraction and repulsion: the energy of each pair of species in shells |
//! | `/parameters/tethers` | the species whose bonds are tethers |
//! | `/parameters` | the model's text, what it was understood to mean, seed, version |
//! | `/runs/log`, `/runs/rates_set` | when runs began and how they ended, and whether they were altered by hand; rates that were set by hand |
//! | `/runs/warnings`, `/runs/warning_codes` | what runs warned of when they ended, and the words for it |
//!
//! It departs from H5MD, on purpose, where readers demand it or the matter does:
//! - Strings have variable length; MDAnalysis fails on the fixed-length ones that H5MD prescribes.
//! - The box has three dimensions for every model, with z = 0 in a plane; readers know no others.
//! - A file slot serves one particle after another, if they have the same species and the same
//!   radius (see `slots`). An empty slot has id -1 and position NaN. So the slots stay few when
//!   particles bind and unbind for ever, and `species` and `radius` are fixed per slot, as VMD
//!   wants.
//!
//! The file is in HDF5's single-writer-multiple-reader mode: others may read while it grows, a
//! killed run loses at most what came after the last flush, and [`recover`] makes its file an
//! ordinary one again. In this mode nothing can be created, only appended; therefore every table
//! exists from the start, names are numbers in tables fixed at the start, and how a run ended is
//! a row in `/runs/log`.

mod changes;
mod claim;
mod contacts;
mod error;
mod forces;
mod frame;
mod grains;
mod growing;
mod header;
mod outlines;
mod passing;
mod recorder;
mod recover;
mod resume;
mod runs;
pub mod schema;
mod series;
mod shapes;
mod sites;
mod slots;
mod trajectory;
pub(crate) mod warnings;
mod writer;

pub use claim::{hold, is_being_written};
pub use error::RecordError;
pub use header::{Grains, Header};
pub use recorder::{Recorder, Status};
pub use recover::{Recovery, recover};
pub use resume::{Bookmark, Manner};
pub use shapes::{Shape, ShapeKind, Shapes, WallShape};
pub use warnings::{WarningCode, WarningRow};
pub use writer::{WritersAtRest, writers_at_rest};
