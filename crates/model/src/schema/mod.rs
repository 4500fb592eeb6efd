//! The keys of the model file, declared once.
//!
//! A model file is a [`Table`] of [`Key`]s, [`ROOT`], whose sections are tables again. What follows
//! from it: how a file is read, and what is said of keys that are unknown, missing, or belong to
//! models of another engine; how a model is written out in full; `jostle list keys`; the tables of
//! the manual; and a schema for editors.
//!
//! To add a key, add its line to the table that it belongs to. If its value is a field of a struct in
//! `file/keys.rs`, name it there: it is read and written by what its line says. Otherwise read it
//! under `file` and write it under `file/resolved`. The tests take every key through reading, writing
//! and reading again.
//!
//! ```
//! use jostle_model::schema::{Absent, Engine, ROOT};
//!
//! let run = ROOT.key("run", Engine::Brownian).and_then(|key| key.takes.table()).unwrap();
//! let seed = run.key("seed", Engine::Brownian).unwrap();
//! assert_eq!(seed.absent, Absent::Value("1"));
//! ```

mod describe;
mod editor;
mod engine;
mod geometry;
mod granular;
mod molecules;
mod polygons;
mod potentials;
mod root;
mod rules;
mod settings;
mod species;
mod surfaces;
mod tables;
mod types;

pub use editor::for_editors;
pub use engine::Engine;
pub(crate) use geometry::GEOMETRY;
pub(crate) use potentials::MOST_ENERGY;
pub use root::{ROOT, changes_results, no_axis, settable};
pub(crate) use rules::RULE;
pub use tables::{TablePath, tables};
pub use types::{Absent, Bounds, Key, Table, Type};
