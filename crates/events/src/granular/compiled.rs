//! The entries of the engine, compiled here once for each number of dimensions: see
//! [`of_dimension`].

use super::{Granular, RunFault, Setup, SetupError, State};
use jostle_core::observe::Observer;
use jostle_core::space::of_dimension;

/// Everything that leads into the engine.
pub(super) struct Compiled<const D: usize> {
    pub(super) start: fn(Setup<D>, State<'_, D>) -> Result<Granular<D>, SetupError>,
    pub(super) resume: fn(Setup<D>, State<'_, D>) -> Result<Granular<D>, SetupError>,
    pub(super) advance:
        fn(&mut Granular<D>, f64, u64, &mut dyn Observer<D>) -> Result<bool, RunFault>,
}

const fn table<const D: usize>() -> Compiled<D> {
    Compiled {
        start: Granular::started,
        resume: Granular::resumed,
        advance: Granular::advance_some_events,
    }
}

static IN_1D: Compiled<1> = table();
static IN_2D: Compiled<2> = table();
static IN_3D: Compiled<3> = table();

/// The entries in `D` dimensions.
pub(super) fn compiled<const D: usize>() -> &'static Compiled<D> {
    of_dimension([&IN_1D, &IN_2D, &IN_3D])
}
