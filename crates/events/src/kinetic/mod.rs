//! Kinetic structures: exact in continuous time, since they foretell their own changes.
//!
//! A kinetic structure keeps, for particles in [`Flights`], a set of neighbours of each: particles
//! that it might touch before the structure changes. A change is a *topological event* (Gavrilova
//! and Rokne 2002, section 2): a cell face crossed, two endpoints swapped, an edge flipped. What
//! can change is a *facet*, and each facet has at most one pending event, in the slot of the
//! engine's timetable that [`Facets`] gives it; there are no void entries.
//!
//! The trait is apart from [`jostle_core::search::Broad`], since [`Flights`] have no window, no
//! groups and no dead.
//!
//! The law, held for each by the shared runner in `conformance`: **when two particles touch, they
//! are neighbours at that moment.** Pairs that become neighbours are announced; pairs whose nearest
//! image along a periodic axis might change are announced again, in time (see [`MOST_TRAVEL`]).

mod cells;
mod direct;
mod guide;
mod kind;
pub mod laguerre;
mod lattice;
mod levels;
mod segments;
mod store;

pub use cells::{Cells, Cubic, SpatialTree};
pub use direct::Direct;
pub use guide::{KineticAdvice, advise, which_kinetic};
pub use kind::{KineticKind, KineticSettings};
pub use laguerre::Laguerre;
pub use levels::KineticLevels;
pub use segments::Segments;

use jostle_core::agenda::Timetable;
use jostle_core::space::Flights;

/// A particle whose pairs a structure does not hold apart by its own geometry is announced again
/// before it is farther than this part of a periodic edge from where it was announced last. It may
/// have turned round since its partner was: the two have then moved by at most three times as much
/// relative to each other, less than half an edge, and a query when they touch looks at all
/// images within half an edge and the contact distance.
pub const MOST_TRAVEL: f64 = 0.125;

/// Structures see particles larger than they are by this part of their radius, so that rounding
/// never makes neighbours of a pair too late.
pub const MARGIN: f64 = 1e-9;

/// The facets of a structure in the engine's timetable.
pub struct Facets<'a> {
    timetable: &'a mut Timetable,
    /// The slot of facet 0.
    first: u32,
}

impl<'a> Facets<'a> {
    /// Facet 0 has slot `first`, and the others follow.
    pub fn new(timetable: &'a mut Timetable, first: u32) -> Self {
        Self { timetable, first }
    }

    /// Makes room for facets `0..count`.
    pub fn cover(&mut self, count: usize) {
        self.timetable.cover(self.first as usize + count);
    }

    /// From now on `facet` changes at `time`, which may be infinity.
    #[inline]
    pub fn plan(&mut self, facet: u32, time: f64) {
        // Changes come before anything else at their time: their keys are low.
        self.timetable.plan(self.first + facet, time, u64::from(facet));
    }

    /// When `facet` changes; infinity if it does not.
    pub fn time(&self, facet: u32) -> f64 {
        self.timetable.time(self.first + facet)
    }
}

/// What a structure has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Topology {
    /// Topological events.
    pub events: u64,
    /// Pairs announced by them.
    pub gained: u64,
    /// Events planned, at topological events and at changes of path.
    pub planned: u64,
}

/// What every kinetic structure offers.
pub trait Kinetic<const D: usize>: Send {
    /// Takes up all particles as they are at `now`, and plans the changes of every facet. Nothing
    /// known before counts.
    fn build(&mut self, flights: &Flights<'_, D>, now: f64, facets: &mut Facets<'_>);

    /// Appends the present neighbours of `i`, each once, `i` never.
    fn near(&self, i: u32, flights: &Flights<'_, D>, now: f64, out: &mut Vec<u32>);

    /// Fetches what a query about `i` begins with, into the caches: it is due soon.
    fn fetch(&self, _i: u32) {}

    /// Takes up a new path of `i` that begins `now`: it is where it was, to rounding and whole
    /// periods of the box, but moves differently. Plans the changes of every facet that has `i`.
    fn update(&mut self, i: u32, flights: &Flights<'_, D>, now: f64, facets: &mut Facets<'_>);

    /// Carries out the change of `facet`, which is due `now`, plans what follows from it, and
    /// appends each pair that became neighbours by it (or is to be looked at again) to `gained`, in
    /// any order. A structure may plan a look that is cheaper to foretell than the change itself,
    /// and then finds that nothing changes yet.
    fn change(
        &mut self,
        facet: u32,
        flights: &Flights<'_, D>,
        now: f64,
        facets: &mut Facets<'_>,
        gained: &mut Vec<[u32; 2]>,
    );

    /// Whether of any two neighbours no image but the nearest can be met before they are announced
    /// again. If not, all images within half an edge and the contact distance are looked at.
    fn tells_images_apart(&self) -> bool;

    /// What has been done since the structure was made.
    fn topology(&self) -> Topology;

    /// How much memory it holds. \[bytes\]
    fn bytes(&self) -> usize;

    /// One line that says which structure this is and how it is set.
    fn describe(&self) -> String;

    /// Holds the structure to what it promises of itself at `now`. For tests.
    ///
    /// # Panics
    /// If it is not so.
    fn assert_well_formed(&self, flights: &Flights<'_, D>, now: f64);
}
