//! The end of a step: everyone arrives, positions return to the box.

use multiversion::multiversion;
use rayon::prelude::*;

use super::system::System;
use super::{Brownian, StepError};
use jostle_core::motion::CHUNK;
use jostle_core::particles::Stretch;
use jostle_core::space::{Domain, Vector, periods_in_all};

/// A particle that cannot continue, by identity.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Astray {
    /// Its place is not a number.
    Nowhere(u64),
    /// The periods behind it cannot be counted.
    TooFar(u64),
}

/// The fewest particles that are worth another thread, where each costs next to nothing.
const FEWEST: usize = 1 << 14;

/// Particles moved together, before it is asked whether all of them are where they should be.
const LANES: usize = 32;

impl<const D: usize> Brownian<D> {
    /// Puts every particle at the end of its path and starts afresh.
    pub(super) fn arrive(&mut self) -> Result<(), StepError> {
        let domain = &self.system.domain;
        let found =
            self.system.particles.stretches(CHUNK).map(|mut stretch| arrive(&mut stretch, domain));
        let lost = found.reduce(|| None, Option::or);
        // Not all that gives particles new paths is an event of its own.
        let System { environment, shells, .. } = &self.system;
        let turns =
            environment.has_anchors() || environment.has_fields() || !shells.potentials.is_empty();
        if self.subdivision > 0 || turns {
            self.scratch.busy.par_iter_mut().with_min_len(FEWEST).for_each(|turns| *turns = 0);
        }
        self.system.whether_lost(lost)
    }

    /// Whether this step is free diffusion: no particles interact, of walls or of the clock.
    pub(super) fn is_free(&self) -> bool {
        let step = self.system.clock.step;
        self.system.motion.diffuses()
            && self.system.groups.is_none()
            && !self.system.ground().has_walls()
            && self.system.clusters.units.iter().all(Option::is_none)
            && self.plans.timers.due_in(step).next().is_none()
            && self.plans.calendar.due_in(step).next().is_none()
    }
}

impl<const D: usize> System<D> {
    /// A step of free diffusion: the displacements and arrivals of all particles at once. Nothing needs their
    /// paths, and memory sets the pace of large systems, so velocities stay what they were.
    pub(super) fn diffuse(&mut self) -> Result<(), StepError> {
        let Self { domain, motion, random, clock, particles, .. } = self;
        let found = particles.stretches(CHUNK).map(|mut stretch| {
            let mut way = [Vector::ZERO; CHUNK];
            let way = &mut way[..stretch.id.len()];
            motion.draw(&stretch, *random, clock.step, way);
            go(&mut stretch, way, domain)
        });
        let lost = found.reduce(|| None, Option::or);
        self.whether_lost(lost)
    }

    fn whether_lost(&self, astray: Option<Astray>) -> Result<(), StepError> {
        let step = self.clock.step;
        match astray {
            None => Ok(()),
            Some(Astray::Nowhere(id)) => Err(StepError::Lost { step, id }),
            Some(Astray::TooFar(id)) => Err(StepError::TooFar { step, id }),
        }
    }
}

/// Puts some particles at the ends of their paths. One that cannot continue is returned.
fn arrive<const D: usize>(stretch: &mut Stretch<'_, D>, domain: &Domain<D>) -> Option<Astray> {
    let mut way = [Vector::ZERO; CHUNK];
    let way = &mut way[..stretch.id.len()];
    let mut met = false;
    for ((way, velocity), since) in way.iter_mut().zip(&*stretch.velocity).zip(&*stretch.since) {
        *way = *velocity * (1.0 - since);
        met |= *since != 0.0;
    }
    if met {
        stretch.since.fill(0.0);
    }
    go(stretch, way, domain)
}

/// Moves some particles by `way`, and back into the box: some at a time without a branch, in vector
/// lanes, and those that have left the box one by one. One that cannot continue is returned.
#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq+avx512bw", "x86_64+avx2"))]
fn go<const D: usize>(
    stretch: &mut Stretch<'_, D>,
    way: &[Vector<D>],
    domain: &Domain<D>,
) -> Option<Astray> {
    // Particles keep a radius away from walls, and any part of them may cross a periodic face.
    let walls = domain.has_walls();
    let margin: [f64; D] = std::array::from_fn(|k| if domain.is_periodic(k) { 0.0 } else { 1.0 });
    let edges = domain.edges();
    // Not the same as below or beyond: that would let pass what is not a number.
    let inside = |k: usize, end: f64, radius: f64| {
        (end >= margin[k] * radius) & (end < edges[k] - margin[k] * radius)
    };
    let mut lost = None;
    for first in (0..way.len()).step_by(LANES) {
        let slots = first..(first + LANES).min(way.len());
        let (position, way) = (&mut stretch.position[slots.clone()], &way[slots.clone()]);
        let radius = &stretch.radius[slots.clone()];
        let mut strayed = false;
        for i in 0..way.len() {
            let radius = if walls { radius[i] } else { 0.0 };
            for k in 0..D {
                let end = position[i][k] + way[i][k];
                position[i][k] = end;
                strayed |= !inside(k, end, radius);
            }
        }
        if strayed {
            for i in slots {
                let (end, radius) = (stretch.position[i], stretch.radius[i]);
                if !(0..D).fold(true, |so_far, k| so_far & inside(k, end[k], radius)) {
                    lost = lost.or(bring_back(stretch, i, domain));
                }
            }
        }
    }
    lost
}

/// Returns particle `i` to the box, if it has left it; itself if it cannot continue.
fn bring_back<const D: usize>(
    stretch: &mut Stretch<'_, D>,
    i: usize,
    domain: &Domain<D>,
) -> Option<Astray> {
    let (end, radius) = (stretch.position[i], stretch.radius[i]);
    let (mut place, periods) = domain.wrap(end);
    for k in (0..D).filter(|&k| !domain.is_periodic(k)) {
        // A path that ends on a wall may end an ulp behind it.
        place[k] = place[k].clamp(radius, (domain.edges()[k] - radius).max(radius));
    }
    stretch.position[i] = place;
    if !end.is_finite() {
        return Some(Astray::Nowhere(stretch.id[i]));
    }
    let Some(image) = periods_in_all(stretch.image[i], periods) else {
        return Some(Astray::TooFar(stretch.id[i]));
    };
    stretch.image[i] = image;
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Brownian, Scheduler, Seed, Setup};
    use jostle_core::observe::NoObserver;
    use jostle_core::particles::{Particle, Particles};
    use jostle_core::random::{Purpose, Random};
    use jostle_core::rules::{Action, ContactRule, RuleSet};
    use jostle_core::species::{Drift, Species};
    use jostle_core::state_hash::state_hash;

    /// Arrival as it is meant, a particle at a time.
    fn arrive_plainly<const D: usize>(particles: &mut Particles<D>, domain: &Domain<D>) {
        for i in 0..particles.len() {
            let end = particles.position[i] + particles.velocity[i] * (1.0 - particles.since[i]);
            let (mut place, periods) = domain.wrap(end);
            let radius = particles.radius[i];
            for k in (0..D).filter(|&k| !domain.is_periodic(k)) {
                place[k] = place[k].clamp(radius, (domain.edges()[k] - radius).max(radius));
            }
            particles.position[i] = place;
            particles.since[i] = 0.0;
            for k in 0..D {
                particles.image[i][k] += periods[k];
            }
        }
    }

    /// `count` particles, a quarter of them with new paths within the step, many of which leave the
    /// box.
    fn travellers<const D: usize>(domain: &Domain<D>, count: u64) -> Particles<D> {
        let random = Random::new(3);
        let mut particles = Particles::default();
        for id in 0..count {
            let mut draws = (0..).map(|n| random.uniform(Purpose::Placement, [id, n, 0, 0]));
            let mut draw = || draws.next().unwrap_or_default();
            let radius = 0.1 + 0.3 * draw();
            let position =
                Vector::from_fn(|k| radius + (domain.edges()[k] - 2.0 * radius) * draw());
            let since = if draw() < 0.25 { draw() } else { 0.0 };
            let mut velocity = Vector::from_fn(|_| 6.0 * (draw() - 0.5));
            match id % 16 {
                // To a face of the box to the bit, to just below it, and over several periods.
                0 => velocity[0] = -position[0],
                1 => velocity[0] = domain.edges()[0] - position[0],
                2 => velocity[0] = -position[0] - 1e-20,
                3 => velocity[0] *= 20.0,
                _ => {}
            }
            let (species, image) = (0, [0; D]);
            particles.push(Particle {
                sites: 0,
                position,
                velocity,
                since,
                radius,
                diffusion_coefficient: 1.0,
                species,
                id,
                image,
            });
        }
        particles
    }

    fn arrivals_agree<const D: usize>(periodic: [bool; D]) {
        let domain = Domain::new(std::array::from_fn(|k| 5.0 + k as f64), periodic);
        for count in [1, 63, 64, 1000] {
            let mut particles = travellers(&domain, count);
            let mut plain = particles.clone();
            arrive_plainly(&mut plain, &domain);
            let lost: Vec<_> = particles
                .stretches(300)
                .filter_map(|mut stretch| arrive(&mut stretch, &domain))
                .collect();
            assert!(lost.is_empty(), "{lost:?}");
            let bits = |p: &Particles<D>| -> Vec<_> {
                p.position.iter().map(|x| x.0.map(f64::to_bits)).collect()
            };
            assert_eq!(bits(&particles), bits(&plain));
            assert_eq!((particles.image, particles.since), (plain.image, plain.since));
        }
    }

    #[test]
    fn arrival_in_lanes_is_arrival_one_by_one_to_the_bit() {
        arrivals_agree([true]);
        arrivals_agree([false]);
        arrivals_agree([true, true]);
        arrivals_agree([true, false]);
        arrivals_agree([true, true, true]);
        arrivals_agree([false, true, false]);
    }

    #[test]
    fn a_particle_that_is_nowhere_is_missed() {
        for at in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            for periodic in [true, false] {
                let domain = Domain::new([5.0, 5.0], [periodic; 2]);
                let mut particles = travellers(&domain, 200);
                particles.velocity[150][1] = at;
                let lost: Vec<_> = particles
                    .stretches(128)
                    .filter_map(|mut stretch| arrive(&mut stretch, &domain))
                    .collect();
                assert_eq!(lost, [Astray::Nowhere(150)]);
            }
        }
    }

    /// Particles of three species, one of them in a well, that ignore each other.
    fn engine<const D: usize>(periodic: [bool; D]) -> Brownian<D> {
        let species = |name: &str, diffusion, drift| Species {
            drift,
            ..Species::sphere(name, 0.5, diffusion)
        };
        let ignore = |a, b| ContactRule::plain("free", [a, b], Action::Ignore);
        let pairs = (0..3).flat_map(|a| (a..3).map(move |b| ignore(a, b)));
        let well = Drift::Well { centre: [4.0; 3], relaxation: 7.0 };
        let setup = Setup {
            rules: RuleSet { contact: pairs.collect(), ..RuleSet::default() },
            scheduler: Scheduler::Queue,
            seed: 5,
            ..Setup::new(
                Domain::new([9.0; D], periodic),
                0.5,
                vec![
                    species("A", 0.2, Drift::Still),
                    species("B", 0.3, Drift::Constant([0.1, -0.2, 0.3])),
                    species("C", 0.4, well),
                ],
            )
        };
        let starts: Vec<_> = (0..700)
            .map(|n: u16| Seed {
                species: n / 50 % 3,
                position: Vector::from_fn(|k| {
                    1.0 + 7.0 * (f64::from(n) * [0.37, 0.51, 0.73][k]).fract()
                }),
            })
            .collect();
        Brownian::new(setup, &starts).unwrap()
    }

    fn free_diffusion_agrees<const D: usize>() {
        let (mut at_once, mut apart) = (engine::<D>([true; D]), engine::<D>([true; D]));
        assert!(at_once.is_free() && !engine::<D>([false; D]).is_free());
        for _ in 0..40 {
            at_once.step(&mut NoObserver).unwrap();
            let watch = jostle_core::stopwatch::Stopwatch::start();
            apart.system.draw();
            apart.follow_paths(watch, &mut NoObserver).unwrap();
        }
        let hash = |engine: &Brownian<D>| state_hash(engine.particles(), engine.clusters());
        assert_eq!(hash(&at_once), hash(&apart));
        assert!(at_once.particles().image.iter().any(|image| *image != [0; D]));
    }

    #[test]
    fn free_diffusion_is_what_it_is_step_by_step() {
        free_diffusion_agrees::<1>();
        free_diffusion_agrees::<2>();
        free_diffusion_agrees::<3>();
    }
}
