//! The entries of the engine, compiled here once for each number of dimensions: see
//! [`of_dimension`].

use super::{Brownian, Setup, SetupError, State, StepError, by_hand};
use jostle_core::clusters::Bond;
use jostle_core::engine::{Alteration, AlterationError};
use jostle_core::motion::Motion;
use jostle_core::observe::Observer;
use jostle_core::particles::Particles;
use jostle_core::search::Search;
use jostle_core::space::of_dimension;
use jostle_core::stopwatch::Stopwatch;

type Engine<const D: usize> = Result<Brownian<D>, SetupError>;
type Altered = Result<Vec<u64>, AlterationError>;

/// Everything that leads into the engine.
pub(super) struct Compiled<const D: usize> {
    pub(super) start: fn(Motion<D>, Setup<D>, Particles<D>, &[Bond]) -> Engine<D>,
    pub(super) resume: fn(Motion<D>, Setup<D>, State<'_, D>) -> Engine<D>,
    pub(super) step: fn(&mut Brownian<D>, &mut dyn Observer<D>) -> Result<(), StepError>,
    pub(super) follow:
        fn(&mut Brownian<D>, Stopwatch, &mut dyn Observer<D>) -> Result<(), StepError>,
    pub(super) alter: fn(&mut Brownian<D>, Alteration<'_>, u16, &mut dyn Observer<D>) -> Altered,
    pub(super) search: fn(&Brownian<D>) -> &dyn Search<D>,
}

const fn table<const D: usize>() -> Compiled<D> {
    Compiled {
        start: Brownian::moved_by,
        resume: Brownian::resumed,
        step: Brownian::advance_one_step,
        follow: Brownian::follow_paths,
        alter: by_hand::alter,
        search: Brownian::finder,
    }
}

static IN_1D: Compiled<1> = table();
static IN_2D: Compiled<2> = table();
static IN_3D: Compiled<3> = table();

/// The entries in `D` dimensions.
pub(super) fn compiled<const D: usize>() -> &'static Compiled<D> {
    of_dimension([&IN_1D, &IN_2D, &IN_3D])
}
