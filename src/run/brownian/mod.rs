//! Runs models of spheres in Brownian motion.

mod account;

use super::drive::{Runnable, StateOf, Story, header as header_of_run};
use super::self_check::Subject;
use super::summary::Account;
use super::{RunError, domain, gas, memory};
use crate::brownian::{Brownian, Seed, Setup};
use crate::clusters::Bond;
use crate::model::placement::place;
use crate::model::{FirstBond, Model};
use crate::record::Header;

/// The stepped engine of a model in `D` dimensions, at step 0: also of a disk gas, whatever it says of
/// contacts.
///
/// # Errors
/// If bodies cannot be placed, find no room in memory, or the engine cannot start so.
pub fn engine<const D: usize>(model: &Model) -> Result<Brownian<D>, RunError> {
    memory::check_room(model)?;
    if let Some(gas) = model.gas() {
        return gas::exact_engine(model, gas);
    }
    let bodies: Vec<Seed<D>> =
        place::<D>(model)?.into_iter().map(|(species, position)| Seed { species, position }).collect();
    let bonds = first_bonds(model, &bodies);
    Brownian::bonded(setup(model), bodies, &bonds).map_err(RunError::setup)
}

/// The bonds at the start, by the identities of the bodies, which come species by species, those with given places
/// first.
fn first_bonds<const D: usize>(model: &Model, bodies: &[Seed<D>]) -> Vec<Bond> {
    let id = |(species, number): (u16, usize)| {
        (bodies.partition_point(|body| body.species < species) + number) as u64
    };
    let bond = |first: &FirstBond| {
        let [a, b] = first.ends.map(id);
        Some(Bond { ids: [a.min(b), a.max(b)], rule: first.rule? })
    };
    model.bonds.iter().filter_map(bond).collect()
}

/// What the stepped engine of a model is made of.
pub(super) fn setup<const D: usize>(model: &Model) -> Setup<D> {
    Setup {
        environment: model.surroundings.environment(&model.species),
        domain: domain(model),
        timestep: model.timestep,
        species: model.species.clone(),
        rules: model.rules.clone(),
        mobility: model.mobility.clone(),
        search: model.search.build::<D>(),
        scheduler: model.scheduler,
        seed: model.seed,
    }
}

/// What the file of a run says about itself.
pub fn header<const D: usize>(model: &Model, engine: &mut Brownian<D>) -> Header {
    let bodies = engine.particles().len();
    header_of_run(model, &Spheres, engine, bodies)
}

/// What such a model says of its run.
pub(super) struct Spheres;

impl<const D: usize> Runnable<D> for Spheres {
    type Engine = Brownian<D>;

    fn start(&self, model: &Model) -> Result<Brownian<D>, RunError> {
        engine(model)
    }

    fn resume(&self, model: &Model, state: StateOf<Self, D>) -> Result<Brownian<D>, RunError> {
        Brownian::resume(setup(model), state).map_err(RunError::setup)
    }

    fn header(&self, _: &Model, _: &mut Brownian<D>, common: Header) -> Header {
        common
    }

    fn subject(&self, model: &Model, _: &mut Brownian<D>) -> Subject<D> {
        Subject::brownian(model)
    }

    fn account(&self, model: &Model, engine: &mut Brownian<D>, story: Story<'_>) -> Account {
        account::account(model, engine, story)
    }
}
