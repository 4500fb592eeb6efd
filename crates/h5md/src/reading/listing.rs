//! What a file holds, as it lies: the names and kinds of datasets.

use hdf5::types::TypeDescriptor;
use hdf5::{Group, H5Type};

use super::Reading;
use super::error::ReadError;
use super::layout::Element;

impl Reading {
    /// The model's title; empty if the file has none.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn title(&self) -> Result<String, ReadError> {
        if self.has_dataset("parameters/title") {
            self.line("parameters/title")
        } else {
            Ok(String::new())
        }
    }

    /// Whether positions are stored in single precision.
    ///
    /// # Errors
    /// If there are no positions.
    pub fn is_single_precision(&self) -> Result<bool, ReadError> {
        let name = match self.layout.position {
            Element::Fixed => "position",
            _ => "position/value",
        };
        // Half floats are exact in twice as many digits.
        Ok(self.kind(&self.in_frames(name)).is_ok_and(|kind| kind == f32::type_descriptor()))
    }

    /// Whether the file has radii.
    pub fn has_radii(&self) -> bool {
        self.has_dataset(&self.in_frames("radius"))
    }

    /// Whether there is such a dataset.
    pub fn has_dataset(&self, name: &str) -> bool {
        self.dataset(name).is_ok()
    }

    /// What the elements of a dataset are.
    pub fn kind(&self, name: &str) -> Result<TypeDescriptor, ReadError> {
        let kind = self.dataset(name)?.dtype().and_then(|kind| kind.to_descriptor());
        kind.map_err(|error| self.damaged(name, &error.to_string()))
    }

    /// The names of all datasets below a group, and none if it is not there. Steps and times that
    /// are linked to those of the positions count once.
    pub fn datasets_below(&self, group: &str) -> Result<Vec<String>, ReadError> {
        let mut names = Vec::new();
        if let Ok(found) = self.file.group(group) {
            let mut walk = Walk { names: Vec::new(), left: MOST_MEMBERS };
            walk.visit(&found, group, DEEPEST).map_err(|reason| self.damaged(group, &reason))?;
            names = walk.names;
        }
        let linked = |name: &str| ["/step", "/time"].iter().any(|end| name.ends_with(end));
        names.retain(|name| {
            !linked(name) || name.contains("/position/") || name.starts_with("series/")
        });
        Ok(names)
    }
}

/// Groups within groups go no deeper; deeper ones are in a circle.
const DEEPEST: usize = 16;
/// No file of ours has so many groups and datasets.
const MOST_MEMBERS: usize = 10_000;

/// Goes through groups, which may hold each other in a circle.
struct Walk {
    names: Vec<String>,
    /// How many more members are looked at.
    left: usize,
}

impl Walk {
    fn visit(&mut self, group: &Group, name: &str, levels: usize) -> Result<(), String> {
        let Some(levels) = levels.checked_sub(1) else {
            return Err(format!("groups are nested deeper than {DEEPEST}, or in a circle"));
        };
        for member in group.member_names().map_err(|error| error.to_string())? {
            self.left = self
                .left
                .checked_sub(1)
                .ok_or(format!("it has more than {MOST_MEMBERS} members"))?;
            let path = format!("{name}/{member}");
            match group.group(&member) {
                Ok(group) => self.visit(&group, &path, levels)?,
                Err(_) => self.names.push(path),
            }
        }
        Ok(())
    }
}
