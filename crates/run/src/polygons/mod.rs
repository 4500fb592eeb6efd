//! Runs models of convex polygons.

mod account;
mod forecast;
mod shapes;

use super::error::RunError;
use super::header::domain;
use super::memory::check_room;
use super::runnable::{Runnable, StateOf};
use super::self_check::{Hardness, Subject};
use super::summary::{Account, RunTotals};
use jostle_core::space::Vector;
use jostle_h5md::record::Header;
use jostle_model::Model;
use jostle_model::placement::place_polygons;
use jostle_model::polygons::{Cast, PolygonModel, cast};
use jostle_polygons::{Polygons, Setup};

use shapes::shapes;

pub(super) use forecast::forecast;

/// The engine of a polygon model, at step 0.
///
/// # Errors
/// If bodies cannot be placed or the engine cannot start so.
pub fn polygon_engine(model: &Model, polygons: &PolygonModel) -> Result<Polygons, RunError> {
    check_room(model)?;
    let cast = place_polygons(model, polygons)?;
    Polygons::new(setup(model, polygons, cast)).map_err(RunError::setup)
}

/// What the engine is made of.
fn setup(model: &Model, polygons: &PolygonModel, cast: Cast) -> Setup {
    let Cast { outlines, solids, walls, .. } = cast;
    Setup {
        domain: domain(model),
        outlines,
        solids,
        walls,
        law: polygons.law,
        gravity: polygons.gravity,
        timestep: model.run.timestep,
    }
}

impl Runnable<2> for PolygonModel {
    type Engine = Polygons;

    fn start(&self, model: &Model) -> Result<Polygons, RunError> {
        polygon_engine(model, self)
    }

    /// No particle has to be placed.
    fn resume(&self, model: &Model, state: StateOf<Self, 2>) -> Result<Polygons, RunError> {
        Polygons::resume(setup(model, self, cast(model, self)), state).map_err(RunError::setup)
    }

    fn header(&self, model: &Model, _: &mut Polygons, common: Header) -> Header {
        Header { outlines: Some(shapes(&cast(model, self))), ..common }
    }

    fn subject(&self, model: &Model, engine: &mut Polygons) -> Subject<2> {
        let bodies = 0..engine.masses().len() as u32;
        let alone =
            self.walls.is_empty() && !self.sides.contains(&true) && self.gravity == Vector::ZERO;
        let [left, right, bottom, top] = self.sides;
        Subject {
            hardness: Hardness::Soft,
            outlines: bodies.map(|body| engine.outline_of(body).clone()).collect(),
            walls: [[left, right], [bottom, top]],
            isolated: std::array::from_fn(|k| alone && model.space.periodic[k]),
            mass: engine.masses().iter().sum(),
            imbalance: Some(ERROR_OF_INTEGRATION),
            ..Subject::of(model)
        }
    }

    fn account(_: &Model, engine: &mut Polygons, totals: RunTotals<'_>) -> Account {
        account::account(engine, &totals)
    }
}

/// What the energy balance may leave unexplained, over what was turned over: the error of the
/// integration.
const ERROR_OF_INTEGRATION: f64 = 0.01;
