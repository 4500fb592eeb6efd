//! Starts for small worlds of spheres.

pub use jostle_brownian::SphereWorld as World;
use jostle_brownian::{Brownian, Seed, StepError};
use jostle_core::observe::NoObserver;
use jostle_core::random::{Purpose, Random};
use jostle_core::space::Vector;

/// Takes `steps` steps, unwatched.
pub fn advance<const D: usize>(engine: &mut Brownian<D>, steps: usize) -> Result<(), StepError> {
    (0..steps).try_for_each(|_| engine.step(&mut NoObserver))
}

/// At least `count` sites of a regular lattice that fills a cube of this edge, half a spacing from
/// its faces.
pub fn lattice<const D: usize>(edge: f64, count: usize) -> Vec<Vector<D>> {
    let along =
        (1..).find(|k: &usize| k.pow(D as u32) >= count).expect("some number is large enough");
    let spacing = edge / along as f64;
    (0..along.pow(D as u32))
        .map(|n| {
            Vector::from_fn(|k| {
                spacing * ((n / along.pow(k as u32)) % along) as f64 + spacing / 2.0
            })
        })
        .collect()
}

/// `count` particles on a lattice, of each of `kinds` species in turn, dealt out at random.
pub fn on_lattice<const D: usize>(edge: f64, count: usize, kinds: usize) -> Vec<Seed<D>> {
    let mut sites = lattice(edge, count);
    let deal = |site: &Vector<D>| {
        Random::new(0)
            .uniform(Purpose::Placement, [site[0], site[D - 1], site[D / 2], 0.0].map(f64::to_bits))
    };
    sites.sort_by(|a, b| deal(a).total_cmp(&deal(b)));
    let sites = sites.into_iter().take(count).enumerate();
    sites.map(|(n, position)| Seed { species: (n % kinds) as u16, position }).collect()
}

/// `n` rods of length 1 in equilibrium, on a ring or between walls with the free length `free`:
/// points thrown onto that, then pushed apart by one rod each. Which rod is which means nothing.
pub fn thrown_rods<const D: usize>(seed: u64, n: usize, free: f64) -> Vec<Seed<D>> {
    let random = Random::new(seed);
    let thrown = |k: usize| free * random.uniform(Purpose::Placement, [k as u64, 1, 0, 0]);
    let mut points: Vec<f64> = (0..n).map(thrown).collect();
    points.sort_unstable_by(f64::total_cmp);
    let rod = |(k, point): (usize, f64)| Vector::from_fn(|_| point + k as f64 + 0.5);
    points.into_iter().enumerate().map(rod).map(|position| Seed { species: 0, position }).collect()
}

/// Where every particle would be without periodic wrap, in the order of identity.
pub fn unwrapped<const D: usize>(engine: &Brownian<D>) -> Vec<Vector<D>> {
    let view = engine.view();
    view.particles.slots_by_id().into_iter().map(|slot| view.unwrapped(slot as usize)).collect()
}
