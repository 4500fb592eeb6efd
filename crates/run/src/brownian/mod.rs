//! Runs models of spheres in Brownian motion.

mod account;
mod forecast;

use super::error::RunError;
use super::header::domain;
use super::ledger::RuleCounts;
use super::runnable::{Runnable, StateOf, header as header_of_run};
use super::self_check::Subject;
use super::summary::{Account, RunTotals};
use super::{gas, memory};
use jostle_brownian::{Brownian, Seed, Setup};
use jostle_core::clusters::Bond;
use jostle_h5md::record::{Header, WarningRow};
use jostle_model::placement::{PlacedSpheres, place_spheres};
use jostle_model::{BrownianModel, EngineModel, FirstBond, Model, PlacementMethod};

pub(super) use forecast::forecast;

/// The stepped engine of a model in `D` dimensions, at step 0: also of a disk gas, whatever it says
/// of contacts.
///
/// ```
/// use jostle_core::observe::NoObserver;
///
/// let text = "space = { dimension = 2, edges = '100 nm' }\n\
///             run = { timestep = '1 us', steps = 1000 }\n\
///             [[species]]\nname = 'A'\nradius = '2 nm'\ndiffusion = '1 nm^2/us'\ncount = 20\n";
/// let model = jostle_model::parse(text, "discs", &[])?;
/// // From here on it is yours: step by step, with your own observer.
/// let mut engine = jostle_run::engine::<2>(&model)?;
/// for _ in 0..10 {
///     engine.step(&mut NoObserver)?;
/// }
/// assert_eq!((engine.clock().time(), engine.particles().len()), (10.0, 20));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If particles cannot be placed, find no room in memory, or the engine cannot start so.
pub fn engine<const D: usize>(model: &Model) -> Result<Brownian<D>, RunError> {
    memory::check_room(model)?;
    match &model.engine {
        EngineModel::Brownian(brownian) => spheres(model, brownian),
        EngineModel::Gas(gas) => gas::exact_engine(model, gas),
        EngineModel::Granular(_) | EngineModel::Polygons(_) => Err(RunError::setup(
            "the stepped engine moves spheres in Brownian motion, and the disks of a gas",
        )),
    }
}

fn spheres<const D: usize>(
    model: &Model,
    brownian: &BrownianModel,
) -> Result<Brownian<D>, RunError> {
    let PlacedSpheres { particles, turned } = place_spheres::<D>(model)?;
    let particles: Vec<Seed<D>> =
        particles.into_iter().map(|(species, position)| Seed { species, position }).collect();
    let sites = first_sites(model, &particles);
    let bonds = first_bonds(model, &particles);
    setup(model, brownian).start(particles, &sites, &turned, &bonds).map_err(RunError::setup)
}

/// The site codes at the start: within a species, particles with given places come first, then those
/// in molecules of several spheres, then those on lattices, then those packed, then those at random.
fn first_sites<const D: usize>(model: &Model, particles: &[Seed<D>]) -> Vec<u64> {
    if model.placement.iter().all(|placement| placement.sites == 0) {
        return Vec::new();
    }
    let order = |how: &PlacementMethod| match how {
        PlacementMethod::Positions(_) => 0,
        PlacementMethod::InMolecules { .. } => 1,
        PlacementMethod::Lattice { .. } => 2,
        PlacementMethod::Packed { .. } => 3,
        _ => 4,
    };
    let mut placement: Vec<_> = model.placement.iter().collect();
    placement.sort_by_key(|placement| (placement.species, order(&placement.how)));
    let mut sites = vec![0; particles.len()];
    let mut of_species: Vec<usize> = (0..model.species.len() as u16)
        .map(|species| particles.partition_point(|particle| particle.species < species))
        .collect();
    for placement in placement {
        let next = &mut of_species[placement.species as usize];
        let until = (*next + placement.count()).min(sites.len());
        sites[*next..until].fill(placement.sites);
        *next = until;
    }
    // Molecule by molecule, which matters if spheres of one species differ in their states.
    model.each_molecule(|kind, spheres| {
        for (sphere, end) in model.molecules()[kind].spheres.iter().zip(spheres) {
            sites[index(particles, *end)] = sphere.sites;
        }
    });
    sites
}

/// The index of a particle that is known by its species and its number among those of that.
fn index<const D: usize>(particles: &[Seed<D>], (species, number): (u16, usize)) -> usize {
    particles.partition_point(|particle| particle.species < species) + number
}

/// The bonds at the start, by the identities of the particles, which come species by species, those
/// with given places first.
fn first_bonds<const D: usize>(model: &Model, particles: &[Seed<D>]) -> Vec<Bond> {
    let id = |end: (u16, usize)| index(particles, end) as u64;
    let bond = |(first, sites): (FirstBond, Option<[u8; 2]>)| {
        let ([a, b], [s, t], rule) = (first.ends.map(id), sites?, first.rule?);
        let (ids, sites) = if a < b { ([a, b], [s, t]) } else { ([b, a], [t, s]) };
        Some(Bond { ids, rule, sites })
    };
    let of_molecules = model.molecule_bonds();
    let all = [model.bonds(), &of_molecules].into_iter();
    let all = all.flat_map(|bonds| bonds.iter().copied().zip(model.sites_of_first_bonds(bonds)));
    all.filter_map(bond).collect()
}

/// What the stepped engine of a model is made of.
fn setup<const D: usize>(model: &Model, brownian: &BrownianModel) -> Setup<D> {
    Setup {
        environment: brownian.surroundings.environment(&model.species),
        domain: domain(model),
        timestep: model.run.timestep,
        species: model.species.clone(),
        rules: brownian.rules.clone(),
        potentials: model.pair_potentials(),
        mobility: brownian.mobility.clone(),
        search: brownian.search.build::<D>(),
        scheduler: brownian.scheduler,
        seed: model.run.seed,
    }
}

/// What the file of a run of spheres in Brownian motion says about itself; none of another model.
pub fn header<const D: usize>(model: &Model, engine: &mut Brownian<D>) -> Option<Header> {
    let particles = engine.particles().len();
    model.brownian().map(|brownian| header_of_run(model, brownian, engine, particles))
}

impl<const D: usize> Runnable<D> for BrownianModel {
    type Engine = Brownian<D>;

    fn start(&self, model: &Model) -> Result<Brownian<D>, RunError> {
        engine(model)
    }

    fn resume(&self, model: &Model, state: StateOf<Self, D>) -> Result<Brownian<D>, RunError> {
        Brownian::resume(setup(model, self), state).map_err(RunError::setup)
    }

    fn header(&self, _: &Model, _: &mut Brownian<D>, common: Header) -> Header {
        common
    }

    fn subject(&self, model: &Model, _: &mut Brownian<D>) -> Subject<D> {
        Subject::brownian(model)
    }

    fn warnings(
        model: &Model,
        engine: &Brownian<D>,
        rule_counts: &[RuleCounts],
    ) -> Vec<WarningRow> {
        account::warnings(model, engine, rule_counts)
    }

    fn account(model: &Model, engine: &mut Brownian<D>, totals: RunTotals<'_>) -> Account {
        account::account(model, engine, totals)
    }
}
