//! jostle simulates particles in Brownian motion: hard spheres that never overlap, that collide at
//! the exact moment at which their paths meet, and that react by rules. Every contact and every
//! reaction can be logged. Beside this engine stand an event-driven one for granular matter, one
//! for polygons with friction, and a gas of elastic disks.
//!
//! # How it works
//!
//! Particles move along *paths*. A *search structure* (the broad phase) names the pairs that might
//! touch within a *window* of time; the *narrow phase* says when they first touch; an *agenda*
//! orders what is due; *rules* decide what a contact leads to; *observers* are told. The Brownian
//! engine draws new paths at each time step and settles the contacts within the step in order of
//! time (Johnson & Whalley 2002). The granular engine has no time step: it goes from event to
//! event, and its search structures predict their own changes (Gavrilova & Rokne 2002; Gavrilova et
//! al. 2003). The polygon engine integrates the forces of contacts in small steps (Schinner 1999).
//!
//! ```
//! use jostle::brownian::{Brownian, Seed, Setup};
//! use jostle::observe::NoObserver;
//! use jostle::space::{Domain, Vector};
//! use jostle::species::Species;
//!
//! let protein = Species::sphere("protein", 2.5, 10.0); // nm, nm²/µs (which is µm²/s)
//! let domain = Domain::new([40.0; 3], [true; 3]); // nm, periodic along each axis
//! let timestep = 0.003; // µs
//! // Nothing but these: contacts are elastic collisions.
//! let setup = Setup { seed: 7, ..Setup::new(domain, timestep, vec![protein]) };
//! let place = |n: usize| Vector([n % 4, n / 4 % 4, n / 16].map(|k| 10.0 * k as f64 + 5.0));
//! let particles: Vec<_> = (0..64).map(|n| Seed { species: 0, position: place(n) }).collect();
//!
//! let mut engine = Brownian::<3>::new(setup, &particles)?;
//! for _ in 0..100 {
//!     engine.step(&mut NoObserver)?;
//! }
//! println!("{} contacts", engine.tally().contacts);
//! # assert!(engine.tally().contacts > 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Crates and modules
//!
//! A crate uses only those above it in this table, a module only those above it or beside it.
//!
//! | crate | modules | what it does |
//! | --- | --- | --- |
//! | `jostle-core` | [`space`], [`random`], [`agenda`], [`words`], [`statistics`], [`theory`] | geometry and paths; random numbers as functions of a key; what is due next; text, means and their errors; exact results that runs are compared with |
//! | | [`search`], [`narrow`] | finds pairs that might touch within a window of time; finds when they do |
//! | | [`species`], [`particles`], [`clusters`], [`motion`], [`rules`], [`environment`] | holds the particles and what belongs together, moves them, says what contacts lead to and which surfaces there are |
//! | | [`observe`], [`output`], [`state_hash`], [`engine`] | tells observers what happens, says what is kept, takes a fingerprint of the state; the trait of all engines |
//! | `jostle-brownian` | [`brownian`] | the Brownian engine |
//! | `jostle-events` | [`kinetic`], [`granular`], [`gas`] | search structures in continuous time, the event-driven engine that uses them, and a gas of disks whose overlaps are resolved after each move |
//! | `jostle-polygons` | [`polygons`] | the discrete-element engine for convex polygons |
//! | `jostle-files` | [`files`] | reads and writes files other than HDF5: positions, meshes, whole text files |
//! | `jostle-h5md` | [`h5md`], [`record`] | writes H5MD trajectories and event tables, and reads them; the only crate that depends on HDF5 |
//! | `jostle-model` | [`model`] | reads, checks and places a model file, and reports all its faults at once |
//! | `jostle-run` | [`run`] | joins model, engine and recorder; keeps checkpoints and resumes from them |
//! | `jostle-analysis` | [`analysis`] | answers questions to output files |
//! | `jostle-sweep` | [`sweep`] | plans many runs with different values and seeds, and puts together what they say |
//! | `jostle-report` | [`report`], [`mod@export`] | draws plots, snapshots and pages; writes the formats of other programs |
//! | `jostle-lab` | a library of its own: `bench`, `converge`, `networks`, `reproduce`, `validate` | measures speed, the error of the time step, well-mixed networks, published figures, and theory |
//! | `jostle`, `jostle-python` | [`cli`] | the program, one file per subcommand; the Python module |
//!
//! # What holds everywhere
//!
//! - **Units:** lengths are in nm and times in µs, so that 1 µm²/s = 1 nm²/µs. Within a Brownian
//!   step time runs from 0 to 1, and velocities are displacements per step.
//! - **The same bits, whatever you choose:** results do not depend on the search structure and its
//!   settings, the scheduler, the number of threads, or what is logged. So sums and ties go by
//!   identity, random numbers are functions of what they are for, nothing uses fused
//!   multiplication, and `libm` provides the transcendental functions.
//! - **A first contact depends on the two paths and the periodic images alone,** never on who asks
//!   or when; a path is rebased by its own events only.
//! - **Search structures may name too many pairs, never too few, none twice.** No displacement is
//!   ever truncated.
//! - **Collisions of Brownian particles are elastic, with effective masses 1/D,** so that the
//!   hard-sphere equilibrium is sampled exactly at any time step. Unbinding is the time reverse of
//!   binding.
//! - **Engines do no input or output.** `tests/tidy` checks this, and the order of the modules.
//!
//! # Where to read on
//!
//! In `docs/manual` for model files, `docs/design-notes.md` for the code; `examples/` has programs.

#[cfg(feature = "program")]
pub mod cli;

pub use jostle_brownian as brownian;
pub use jostle_core::{
    agenda, clusters, docking, engine, environment, motion, narrow, observe, output, particles,
    potentials, random, rules, search, sites, space, species, state_hash, statistics, theory,
    words,
};
#[doc(hidden)]
pub use jostle_core::{planted, prefetch};
pub use jostle_events::{gas, granular, kinetic};
#[cfg(feature = "hdf5")]
pub use {
    jostle_analysis as analysis, jostle_h5md as h5md, jostle_h5md::record, jostle_run as run,
};
pub use {jostle_files as files, jostle_model as model, jostle_polygons as polygons};
#[cfg(feature = "pictures")]
pub use {jostle_report::export, jostle_report::report, jostle_sweep as sweep};

/// The program in the README is compiled, so that it stays true.
#[cfg(all(doctest, feature = "program"))]
#[doc = include_str!("../README.md")]
pub struct Readme;
