//! What is done with bytes from somebody who means harm. The fuzz targets in `fuzz/` and the test
//! program beside this folder share it: one place, so that what the one finds the other keeps.
//!
//! To add a target: an entry of [`Kind`], a line in [`drive`], a file of three lines in
//! `fuzz/fuzz_targets/`, its name in `fuzz/Cargo.toml`, and a folder of seeds in `fuzz/corpus/`.

// Each program that compiles this folder uses a part of it.
#![allow(dead_code, unreachable_pub, unused_imports)]

mod asked;
mod choices;
mod damage;
pub mod elsewhere;
mod kept;
mod networks;
mod small;
pub mod sweeps;
mod texts;

pub use asked::{ANSWERED, REFUSED, ask_everything};
pub use choices::Choices;
pub use damage::damage;
pub use small::{Small, place};

use std::path::Path;

/// What the bytes are taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The text of a model.
    Models,
    /// A quantity or a unit, such as `2.5 nm`.
    Quantities,
    /// Positions in a CSV table.
    Positions,
    /// Choices: what is damaged in a result file, and what is asked of it then.
    Results,
    /// Choices: what is damaged in a result file from which positions are read then.
    Trajectories,
    /// A mesh in an STL or an OBJ file; the first byte chooses.
    Meshes,
    /// Choices: what is damaged in the state that a run has kept, from which it then continues.
    Checkpoints,
    /// A text in BNGL, and perhaps the file with the sizes of its molecules.
    Networks,
    /// A sweep file.
    SweepFiles,
    /// The plan and the results of a sweep; or choices: what is damaged in good ones.
    SweepFolders,
}

impl Kind {
    /// The name of its target and of its folder of seeds.
    pub fn name(self) -> &'static str {
        match self {
            Self::Models => "models",
            Self::Quantities => "quantities",
            Self::Positions => "positions",
            Self::Results => "results",
            Self::Trajectories => "trajectories",
            Self::Meshes => "meshes",
            Self::Checkpoints => "checkpoints",
            Self::Networks => "networks",
            Self::SweepFiles => "sweep_files",
            Self::SweepFolders => "sweep_folders",
        }
    }
}

/// Lets the reader of a kind have the bytes. A panic is a find; so is what takes seconds, or more
/// memory than the limit that whoever calls this has set.
pub fn drive(kind: Kind, bytes: &[u8]) {
    match kind {
        Kind::Models => texts::model(bytes),
        Kind::Quantities => texts::quantity(bytes),
        Kind::Positions => texts::positions(bytes),
        Kind::Results => results(&mut Choices::of(bytes)),
        Kind::Trajectories => trajectories(&mut Choices::of(bytes)),
        Kind::Meshes => texts::mesh(bytes),
        Kind::Checkpoints => kept::resume(&mut Choices::of(bytes)),
        Kind::Networks => networks::import(bytes),
        Kind::SweepFiles => sweeps::file(bytes),
        Kind::SweepFolders => sweeps::folder(bytes),
    }
}

/// A result file, damaged, in a place of its own.
fn damaged(choices: &mut Choices<'_>, then: impl FnOnce(&mut Choices<'_>, &Path)) {
    let small = Small::ALL[choices.below(Small::ALL.len())];
    let question = choices.byte();
    let dir = place();
    let path = dir.path().join("damaged.h5md");
    std::fs::write(&path, small.bytes()).expect("the folder can be written to");
    damage(&path, choices);
    choices.rewind(question);
    then(choices, &path);
}

fn results(choices: &mut Choices<'_>) {
    damaged(choices, |choices, path| {
        let question = choices.byte();
        asked::ask(path, question);
    });
}

fn trajectories(choices: &mut Choices<'_>) {
    damaged(choices, |choices, path| {
        let dimension = 1 + usize::from(choices.byte()) % 3;
        if let Err(error) = jostle::h5md::positions::read(path, dimension) {
            assert!(error.to_string().contains("damaged.h5md"), "{error}");
        }
    });
}
