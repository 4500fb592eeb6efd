//! The box and the surfaces in it, as those see them that come to be somewhere.

use jostle_core::environment::Environment;
use jostle_core::space::Domain;

/// The box and its surfaces.
#[derive(Clone, Copy)]
pub(super) struct Ground<'a, const D: usize> {
    pub(super) domain: &'a Domain<D>,
    pub(super) environment: &'a Environment<D>,
}
