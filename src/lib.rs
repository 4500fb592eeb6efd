//! jostle simulates spheres in Brownian motion: they never overlap, every first contact is resolved
//! at its own time inside the step, rules say what a contact leads to, and all of it is logged. A second
//! engine lets balls fly and collide in continuous time, a third lets polygons press on each other, and a
//! gas of elastic disks runs on the first two or by the rule of the page that it comes from.
//!
//! What we value, in this order, when two things pull apart: **correct, legible, reproducible, fast,
//! general.**
//!
//! # The idea
//!
//! Bodies move on *paths*. A *search structure* (broad phase) names the pairs that might touch within
//! a *window* of time; the *narrow phase* says when they first touch; an *agenda* orders what is due;
//! *rules* decide what a contact does; *observers* hear of it. The Brownian engine draws new paths at
//! each time step and settles the contacts inside the step in order of time (Johnson & Whalley 2002,
//! *Detecting collisions in sets of moving particles*, Kent TR 8-02, called "the source" throughout).
//! The granular engine never stops for a step: it goes from event to event, and its search structures
//! foretell their own changes (Gavrilova and Rokne 2002, *Collision detection optimization in a
//! multi-particle system*, called 000 where its sections are named; Gavrilova et al. 2003, *Event-driven
//! simulation of a shaker ball mill*, called 001). The polygon engine takes small steps with the forces of
//! contacts (Schinner 1999, *Fast algorithms for the simulation of polygonal particles*).
//!
//! # Reading order
//!
//! | module | what it is |
//! | --- | --- |
//! | [`planted`] | known faults that can be planted into a build for tests, and into no other |
//! | `prefetch` | asks for memory before it is needed: the only `unsafe` |
//! | [`space`] | vectors, the box and its faces, straight paths within a window, flights in continuous time; polygons, outlines, poses, closed meshes |
//! | [`random`] | random numbers as pure functions of a key: no generator state anywhere |
//! | [`agenda`] | what is due next: a queue, a timetable of one entry per slot; ties ordered by content |
//! | [`theory`] | closed forms and exact references that runs are compared with |
//! | [`search`] | who might touch within a window: naive, cells, slices, levels, sorted endpoints, swept boxes, neighbour lists, auto; one law, one conformance runner |
//! | [`search::kinetic`] | who might touch until something changes: all pairs, cells, a tree of cells, endpoints, the Laguerre triangulation, levels |
//! | [`search::Boxes`] | which boxes overlap, kept from step to step: what the polygon engine asks |
//! | [`narrow`] | when two paths first touch, or a path and a wall, a rod, a mesh; closest features and overlap of polygons |
//! | [`species`], [`particles`], [`clusters`] | the bodies, one array per property; what belongs together |
//! | [`motion`] | displacements: diffusion without truncation, drift; ballistic flight |
//! | [`rules`] | what happens at a contact, in time and by the clock; probabilities from rate constants ([`rules::rates`]); loops against detailed balance ([`rules::balance`]) |
//! | [`environment`] | surfaces besides the box: shapes, what each species does there, who lives on one and how it moves |
//! | [`observe`], [`output`], [`state_hash`] | who hears of it, what is kept, a fingerprint of the state |
//! | [`brownian`] | the engine; [`brownian::Brownian::step`] is the loop |
//! | [`granular`] | the event-driven engine; [`granular::Granular::advance`] is the loop; walls, restitution, forces |
//! | [`gas`] | elastic disks whose overlaps are noticed after the move, in strips ("Grouping the particles", 2021, called 003); [`gas::Gas::step`] is the loop |
//! | [`polygons`] | the discrete-element engine; [`polygons::Polygons::step`] is the loop; force law, friction, walls, predictor-corrector |
//! | [`files`], [`model`] | position files, meshes, what files from elsewhere may claim; the model file, units, all faults at once, placement; [`model::granular`], [`model::gas`], [`model::polygons`] |
//! | [`record`] | H5MD trajectory and event tables |
//! | [`run`] | joins model, engine and recorder; the only place that knows them all; keeps states to go on from ([`run::checkpoint`]); refuses what memory has no room for |
//! | [`analysis`], [`report`], [`mod@export`], [`mod@bench`], [`reproduce`] | reads files; draws; writes them in the formats of other programs; measures; repeats what the texts print |
//! | [`converge`] | a model at several time steps with the same noise: order and limit |
//! | [`validate`] | theory in one command: checks, each with its law, its statistic and its false-alarm rate |
//! | [`cli`] | the program, one file per subcommand |
//!
//! A module uses only what stands above it in this table (`tests/tidy/` holds the house to that).
//! Engines do no input or output. Only `search` matches on the kind of search structure.
//!
//! # What holds everywhere
//!
//! - **Time within a step runs from 0 to 1** and velocities are displacements per step, as in the
//!   source; lengths are nm and times µs, so that 1 µm²/s = 1 nm²/µs.
//! - **Same bits, whatever you choose**: search structure, cell size, pruning, scheduler, threads,
//!   logging. `tests/brownian/traces.rs` compares state hashes and logs. Sums, ties and output go by identity,
//!   never by slot; random numbers by what they are for; no fused multiplication; transcendental functions that
//!   reach results come from `libm`, not from the system.
//! - **A first contact is a function of the two paths and the periodic images**, never of who asks or
//!   when. A path is rebased only by its own event.
//! - **Bounces are elastic with effective masses 1/D**, so that the hard-sphere equilibrium is sampled
//!   exactly at any time step. Unbinding is the time reverse of binding.
//! - A search structure may name too many pairs, never too few, none twice. Bodies too fast or too
//!   large for its cells go to a short list; no displacement is ever truncated.
//!
//! # The hot path
//!
//! What a step of hard spheres does, in the order of [`brownian::Brownian::step`]:
//!
//! 1. *Draw* (`motion`, `random`): the normals of 64 bodies at a time, in the widest vector instructions
//!    that the processor has. Where nobody takes notice of anybody, drawing and arriving go together through
//!    one stretch of bodies after the other, while it is in the cache.
//! 2. *Refit* ([`search::Verlet`]): has anybody got farther from its place than its leeway? Mostly not, or a few
//!    *strays*, about whom cells are asked one by one. Every few steps the lists are made anew by cells
//!    (`search/cells/`: bodies sorted by cell, rows of cells as one range, eight bodies tested at a time).
//! 3. *Find* (`brownian/islands/find.rs`): pair after pair, in the order of the lower slots, without regard to whose
//!    list a pair is on. A sieve in vector lanes drops those that cannot touch; the few that get through are solved
//!    exactly. Slots are in the order of space, so neighbours are near in memory.
//! 4. *Settle* (`brownian/islands/`): first contacts join bodies to islands; threads settle islands apart from
//!    each other, each with a queue of its own, against everybody else on the path that the stretch began
//!    with; islands that turn out to have met are joined and settled again. Where contacts are so many that all
//!    would hang together, the step is cut into stretches. What has been found out is written down at the end of
//!    a stretch; so if anything but a bounce happens, the one queue takes over (`brownian/plan.rs`) from there,
//!    as it does for rules in time, bonded clusters and other search structures. A miss of the cache costs as
//!    much as hundreds of instructions, so what later islands need is fetched ahead (`islands/ahead.rs`).
//! 5. *Arrive* (`brownian/arrive.rs`): ends of paths, 32 at a time; groups from which somebody leaves the box are done one by one.
//!
//! Every 256 steps slots are put in the order of space. With one thread, two fifths of the instructions of a dense
//! fluid go into looking at pairs on lists (3 and 4), since a contact lets two bodies look around again.
//!
//! # Where we chose otherwise than first planned
//!
//! - The three normals of a body and step are made of 128 random bits ([`random::normals`]), not of 53 for each
//!   uniform: the radius of a pair has 52, of which the lower 20 also turn its direction, which has 32. That is half
//!   the work; the shared bits weigh only far out in the tail.
//! - The fate of a contact is keyed by (step, identities, bits of the contact's time) instead of a
//!   count of the pair's meetings: as unique, and nothing has to be counted.
//! - A coalesced body gets a new identity; its parts keep theirs and take them up again when it splits.
//! - Identities of new bodies and clusters are given in the order of events, which is the same for
//!   every structure, scheduler and number of threads, since events are settled in order of time.
//! - File slots are reused among bodies of the same species and radius, so that reversible binding
//!   does not grow the file; no second file segment is needed.
//! - A coalesced body that is one of the two in another state (`EGF + EGFR{free} -> EGFR{bound}`) keeps
//!   that identity, and its place and bonds if it grows no larger; so does an aggregate that grows.
//! - States of a species are species of their own inside, named `EGFR{bound}`; patterns in rules are
//!   written out when the model is read, each rule a list of cases. The engine knows no patterns.
//! - What a coalesced body is made of is a flat list in the order of joining, not a tree of boxes: a
//!   body that swallows a hundred thousand others is neither slow to drop nor deep.
//! - A part remembers by how many periods its unwrapped path was ahead of that of the body that took it in, and is
//!   as far ahead of it when it is set free: unwrapped paths have no breaks, and parts at rest cost no bookkeeping.
//! - All that may happen to a cluster in time hangs on one exponential clock: its rate is the sum over
//!   bonds and members, one more draw says which it is. It is set anew whenever the cluster changes.
//! - A change in the log names reactants, products, bonds broken and made, and clusters before and
//!   after, with one law for all kinds: whoever is concerned falls into components under the bonds,
//!   the one with the lowest identity first.
//! - Whoever asks a file something gets a [`analysis::Table`] of typed cells, which is written for eyes, as
//!   CSV, JSON or Parquet in one place. Figures know analyses; analyses know no figures.
//! - A question to the contact log reads only the steps it is about (the index is bisected), ahead, on a
//!   thread of its own; a whole log is not loaded.
//! - [`analysis::Reading`] reads the frames of any H5MD file; what only our files have is asked for by name,
//!   and its absence is an answer of its own kind ([`analysis::ReadError::Foreign`]).
//! - Kinetic structures are a trait of their own beside [`search::Broad`]: they see [`space::Flights`],
//!   which have no window, groups or dead, and plan their changes in slots of the engine's
//!   [`agenda::Timetable`]. A slot holds one thing, which is overwritten: nothing to search through or clean up.
//! - A body in flight is one record, not an array per property: an event touches bodies that lie anywhere,
//!   and each is one cache line.
//! - Of a pair in flight only one has to know when they collide, the one that took up its path last: half
//!   of the bookkeeping, and a void collision costs one more look around.
//! - A gas that moves ballistically is stepped by the Brownian engine: its bodies keep their velocities instead of
//!   drawing them, and bounce with their masses where others bounce with 1/D. One loop settles both.
//! - Polygons are found by padded boxes: only who has left its padding is sorted anew, so that a heap at rest costs
//!   no sorting. Forces are gathered body by body in the order of the partners; there is no mutex (the source's
//!   Figure 12 has two), and no result depends on the number of threads.
//! - The force between polygons is the gradient of an energy of the overlap area (Feng and Owen 2004), since the
//!   overlap-area law of the source's group is not conservative; that one is `law = "area"`.
//! - Walls of polygon models are bodies without inverse mass, in a group of their own in the file.
//! - Neighbour lists are a search structure like the others, made by another one; settling contacts in islands
//!   asks for them by name ([`search::Search::lists`]), since threads that follow paths of their own need
//!   something that holds whatever those paths are.
//! - Search structures are not told how far the farthest body gets: none of them needs it, and to know it takes a
//!   pass through all bodies.
//! - Lists might tell how far apart two are at least, so that fewer pairs are looked at, and paths might be kept in
//!   single precision for the sieve. Both were built and measured: what is saved at one place goes into keeping
//!   them up to date at another, from 10^5 bodies on where memory sets the pace. Neither is kept.
//! - To go on with a run, the rows that count are copied into a new file, which takes the place of the old one by a
//!   rename; tables are not cut back in place, since a kill in the midst of that would leave nothing whole.
//! - A checkpoint is what serde makes of an engine's state, in a gzip container for its checksum; structures, queues
//!   and scratch space are not in it, since no result depends on them.
//! - Figures of a run that was gone on with are those of the new engine and what was taken before beyond what its state
//!   counts.
//! - Islands are settled on the assumption that they never meet, and again where they did: to know beforehand
//!   who cannot meet would join half of a fluid.
//! - Bodies on a sphere move in chords, straight paths whose ends lie on it, so that search structures and first
//!   contacts know straight paths only. Who is confined gives way to a push along its surface only: collisions are
//!   elastic with D times that projection as mobility.
//! - Whoever may go through a surface meets it with its centre; its place alone says on which side it is.
//! - A region with another D is crossed as a ball crosses a ramp: momentum v/D along the surface and energy are kept,
//!   so that the equilibrium is exact at any time step.
//! - Slots of the dead are closed once an eighth is dead, not at every step; observers go by
//!   [`particles::Particles::slots_by_id`].
//!
//! # To add ...
//!
//! - **a search structure**: implement [`search::Broad`] and [`search::Search`] in a file of its own,
//!   name it in [`search::Kind`], in `Settings::build` and in `model/file/settings.rs`, add its two lines to
//!   `search/conformance.rs` and its row to `which_when`.
//! - **a kinetic structure**: implement [`search::kinetic::Kinetic`] in a file of its own, name it in
//!   [`search::kinetic::KineticKind`] and in its settings' `build`, and add its row to `which_kinetic`;
//!   `granular/conformance.rs` then runs it through every scene, event by event, against all pairs.
//! - **an engine**: a module of its own that knows no other; a variant of [`model::EngineModel`], a folder under
//!   `model/file/`, one under `run/`; the compiler then shows the rest.
//! - **a shape of surface**: a variant of [`environment::Shape`] and of [`model::surroundings::Form`]; the compiler then
//!   shows the rest.
//! - **a rule**: a variant of [`rules::Action`] (at a contact), [`rules::TimedAction`] (in time) or
//!   [`rules::Deed`] (by the clock); the compiler then shows every place to think about
//!   (`brownian/settle.rs`, `brownian/clocks.rs` and `brownian/scheduled.rs` first). Tell of it in one
//!   change that names all bonds; `tests/brownian/reactions/books.rs` holds it to that.
//! - **a check against theory**: a function from [`validate::Context`] to [`validate::Findings`] in a file under
//!   `validate/`, and its row (law, source, seconds) in the `CHECKS` of that folder. Take every seed from the
//!   context, and let several tens of seeds show that z has the width that it claims.
//! - **an analysis**: a file in `analysis/` with a plain struct, its units and errors in the docs, and a
//!   `to_table`; its figure in `report/figures/`; a word in `cli/analyse/what.rs`; a second opinion on its
//!   numbers, from another program, in `tests/files/analyses/`.
//! - **an observer**: implement the methods of [`observe::Observer`] that you want to hear; see
//!   `examples/`.

pub mod cli;

pub use jostle_analysis as analysis;
pub use jostle_brownian as brownian;
pub use jostle_core::{
    agenda, clusters, environment, motion, narrow, observe, output, particles, random, rules, search, space,
    species, state_hash, statistics, theory, words,
};
#[doc(hidden)]
pub use jostle_core::{planted, prefetch};
pub use jostle_events::{gas, granular};
pub use jostle_files as files;
pub use jostle_h5md::{self as h5md, record};
pub use jostle_lab::{bench, converge, reproduce, validate};
pub use jostle_model as model;
pub use jostle_polygons as polygons;
pub use jostle_report::{export, report};
pub use jostle_run as run;

/// The program in the README is compiled, so that it stays true.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
