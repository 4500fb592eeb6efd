//! Genealogies, as options ask for them: which part, and in which form it is written.

use std::path::Path;

use super::rows::QuestionError;
use crate::{Genealogy, TableError};
use jostle_files::fresh;

/// In which form a genealogy is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraphFormat {
    /// GraphML, for yEd, Gephi and networkx.
    GraphMl,
    /// For Graphviz.
    Dot,
    /// A table of lives.
    Csv,
}

impl GraphFormat {
    /// The form that the name of a file asks for.
    ///
    /// # Errors
    /// If it asks for none.
    pub fn of(path: &Path) -> Result<Self, QuestionError> {
        match path.extension().and_then(|ending| ending.to_str()).unwrap_or_default() {
            "graphml" => Ok(Self::GraphMl),
            "dot" => Ok(Self::Dot),
            "csv" => Ok(Self::Csv),
            _ => {
                let text = "the name must end in .graphml, .dot or .csv";
                Err(QuestionError::Other(format!("{}: {text}", path.display())))
            }
        }
    }
}

impl Genealogy {
    /// The part that is about a cluster, and about clusters that had so many particles at some time;
    /// without either, all that something happened to.
    ///
    /// # Errors
    /// If there never was such a cluster.
    pub fn part(&self, cluster: Option<u64>, least: Option<u32>) -> Result<Self, QuestionError> {
        if let Some(id) = cluster.filter(|id| !self.lives.iter().any(|life| life.cluster == *id)) {
            let why = format!("there never was a cluster with the id {id}");
            return Err(QuestionError::about("cluster", why));
        }
        let tree = cluster.map_or_else(|| self.eventful(), |id| self.related_to(id));
        Ok(match least {
            Some(least) => tree.of_size(least),
            None => tree,
        })
    }

    /// Writes it into a file.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save(&self, path: &Path, format: GraphFormat) -> Result<(), TableError> {
        fresh(path, |file| {
            match format {
                GraphFormat::GraphMl => self.write_graphml(file)?,
                GraphFormat::Dot => self.write_dot(file)?,
                GraphFormat::Csv => self.to_table().write_csv(file)?,
            }
            Ok(())
        })
    }
}
