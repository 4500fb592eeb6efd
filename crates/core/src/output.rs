//! What a run writes, and where its model came from: settings that a model makes and a recorder
//! obeys.

use std::path::{Path, PathBuf};

use crate::named;

named! {
    /// Which contacts the log keeps.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum LogLevel {
        /// No contacts. Changes of the population are always kept.
        None => "none",
        /// Contacts to which a rule other than bounce or pass applied, refused ones included.
        Reactions => "reactions",
        /// Every contact, walls too.
        All => "all",
    }
}

/// What is written, and how often.
#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    /// A frame every so many steps.
    pub frame_every: u64,
    /// The number of particles of each species every so many steps, besides that in every frame.
    pub counts_every: Option<u64>,
    /// Which contacts are logged.
    pub log: LogLevel,
    /// Of those, only contacts that involve one of these species (indices); empty: all.
    pub log_species: Vec<u16>,
    /// Whether contacts with walls are logged (at level `All`).
    pub log_walls: bool,
    /// Whether the log has, beside all contacts, where pairs come to an edge of a shell of their
    /// potential or to the end of their tether.
    pub log_shells: bool,
    /// Whether positions are stored in single precision.
    pub single_precision: bool,
    /// Whether frames are compressed.
    pub compress: bool,
}

impl Default for Output {
    /// What a Brownian model writes whose file says nothing, but for every step.
    fn default() -> Self {
        Self {
            frame_every: 1,
            counts_every: None,
            log: LogLevel::Reactions,
            log_species: Vec::new(),
            log_walls: true,
            log_shells: false,
            single_precision: true,
            compress: true,
        }
    }
}

/// The text that a model came from, as the output file keeps it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Source {
    /// The file, if there was one.
    pub path: Option<PathBuf>,
    /// Its text.
    pub text: String,
    /// The keys that the command line has overridden, with their values.
    pub overrides: Vec<(String, String)>,
    /// Everything that applied, defaults included, as TOML.
    pub resolved: String,
    /// Other files that the model reads: positions, meshes.
    pub files: Vec<PathBuf>,
}

impl Source {
    /// The files that the model is read from.
    pub fn inputs(&self) -> impl Iterator<Item = &Path> {
        self.path.iter().chain(&self.files).map(PathBuf::as_path)
    }
}
