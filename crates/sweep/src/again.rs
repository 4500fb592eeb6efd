//! The model that a file was made from.

use std::path::Path;

use crate::SweepError;
use jostle_model::Model;

/// The model that a file was made from, everything in it resolved, with what is set on top of it.
///
/// # Errors
/// If the file cannot be read, or what is set is refused.
pub fn model_of(path: &Path, overrides: &[(String, String)]) -> Result<Model, SweepError> {
    let (_, resolved) = jostle_analysis::open(path)?.model()?;
    let mut model = jostle_model::parse(&resolved, &path.display().to_string(), overrides)?;
    model.source.path = Some(path.to_owned());
    Ok(model)
}
