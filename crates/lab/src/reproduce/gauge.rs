//! A structure watched from outside: what its work costs, call by call.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use jostle_core::space::Flights;
use jostle_events::kinetic::{Facets, Kinetic, Topology};

/// What one kind of call has cost.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Cost {
    pub(super) calls: u64,
    /// \[s\]
    pub(super) seconds: f64,
    /// Events that were planned.
    pub(super) planned: u64,
}

impl Cost {
    /// Of one call, less what reading the clock takes. \[ns\]
    pub(super) fn nanoseconds(&self, clock: f64) -> f64 {
        1e9 * (self.seconds / self.calls as f64 - clock).max(0.0)
    }

    /// Events planned by one call.
    pub(super) fn planned_each(&self) -> f64 {
        self.planned as f64 / self.calls as f64
    }

    fn take(&mut self, begun: Instant, planned: u64) {
        self.calls += 1;
        self.seconds += begun.elapsed().as_secs_f64();
        self.planned += planned;
    }
}

/// What a structure has cost.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Costs {
    pub(super) build: Cost,
    pub(super) near: Cost,
    pub(super) update: Cost,
    pub(super) change: Cost,
    /// The most neighbours that one topological event brought to light.
    pub(super) most_gained: usize,
}

/// The reading end of a [`Gauge`].
#[derive(Clone, Debug, Default)]
pub(super) struct Meter(Arc<Mutex<Costs>>);

impl Meter {
    pub(super) fn costs(&self) -> Costs {
        *self.open()
    }

    fn open(&self) -> MutexGuard<'_, Costs> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A structure, and a meter that counts and times all calls.
pub(super) struct Gauge<const D: usize> {
    inner: Box<dyn Kinetic<D>>,
    meter: Meter,
}

impl<const D: usize> Gauge<D> {
    pub(super) fn new(inner: Box<dyn Kinetic<D>>) -> (Self, Meter) {
        let meter = Meter::default();
        (Self { inner, meter: meter.clone() }, meter)
    }
}

/// How long it takes to read the clock. \[s\]
pub(super) fn clock() -> f64 {
    const READINGS: u32 = 1000;
    let times = (0..20).map(|_| {
        let begun = Instant::now();
        let sum: f64 = (0..READINGS).map(|_| Instant::now().elapsed().as_secs_f64()).sum();
        // What a pair of readings sees of itself.
        (sum / f64::from(READINGS)).min(begun.elapsed().as_secs_f64())
    });
    super::sample::least(times)
}

impl<const D: usize> Kinetic<D> for Gauge<D> {
    fn build(&mut self, flights: &Flights<'_, D>, now: f64, facets: &mut Facets<'_>) {
        let before = self.inner.topology().planned;
        let begun = Instant::now();
        self.inner.build(flights, now, facets);
        let planned = self.inner.topology().planned - before;
        self.meter.open().build.take(begun, planned);
    }

    fn near(&self, i: u32, flights: &Flights<'_, D>, now: f64, out: &mut Vec<u32>) {
        let begun = Instant::now();
        self.inner.near(i, flights, now, out);
        self.meter.open().near.take(begun, 0);
    }

    fn update(&mut self, i: u32, flights: &Flights<'_, D>, now: f64, facets: &mut Facets<'_>) {
        let before = self.inner.topology().planned;
        let begun = Instant::now();
        self.inner.update(i, flights, now, facets);
        let planned = self.inner.topology().planned - before;
        self.meter.open().update.take(begun, planned);
    }

    fn change(
        &mut self,
        facet: u32,
        flights: &Flights<'_, D>,
        now: f64,
        facets: &mut Facets<'_>,
        gained: &mut Vec<[u32; 2]>,
    ) {
        let (before, known) = (self.inner.topology().planned, gained.len());
        let begun = Instant::now();
        self.inner.change(facet, flights, now, facets, gained);
        let planned = self.inner.topology().planned - before;
        let mut costs = self.meter.open();
        costs.change.take(begun, planned);
        costs.most_gained = costs.most_gained.max(gained.len() - known);
    }

    fn tells_images_apart(&self) -> bool {
        self.inner.tells_images_apart()
    }

    fn topology(&self) -> Topology {
        self.inner.topology()
    }

    fn bytes(&self) -> usize {
        self.inner.bytes()
    }

    fn describe(&self) -> String {
        self.inner.describe()
    }

    fn assert_well_formed(&self, flights: &Flights<'_, D>, now: f64) {
        self.inner.assert_well_formed(flights, now);
    }
}
