//! What a run will be like, as its first steps show, whatever its engine.

use crate::error::RunError;
use crate::forecast::Forecast;
use crate::threads::in_pool;
use crate::{brownian, gas, granular, polygons};
use jostle_model::{EngineModel, Model};

/// Sets the model up, tries its first steps for a second or so, and tells what the run will be
/// like.
///
/// # Errors
/// If the model cannot be set up, or one of its first steps fails.
pub fn forecast(model: &Model) -> Result<Forecast, RunError> {
    in_pool(1, || match &model.engine {
        EngineModel::Brownian(brownian) => brownian::forecast(model, brownian),
        EngineModel::Granular(granular) => match model.space.dimension {
            1 => granular::forecast::<1>(model, granular),
            2 => granular::forecast::<2>(model, granular),
            _ => granular::forecast::<3>(model, granular),
        },
        EngineModel::Polygons(polygons) => polygons::forecast(model, polygons),
        EngineModel::Gas(gas) => gas::forecast(model, gas),
    })?
}
