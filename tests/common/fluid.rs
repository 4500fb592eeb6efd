//! Fluids of hard spheres (disks) in equilibrium: what is known about them, starts that are
//! independent of each other, and their log of contacts.

use std::f64::consts::PI;

use jostle::brownian::{Brownian, Seed};
use jostle::observe::{Contact, Observer, ObserverError, Partner, View};
use jostle::random::{Purpose, Random};
use jostle::space::{Domain, Vector};

use super::{World, advance, on_lattice};

/// Bodies that are alike. Diffusion coefficients are in units of that of the body by whose rms step s
/// the time step is given.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kind {
    pub(crate) radius: f64,
    pub(crate) diffusion: f64,
}

/// A fluid in a periodic cube (square): as many bodies of each kind.
pub(crate) struct Fluid<const D: usize> {
    pub(crate) phi: f64,
    pub(crate) bodies: usize,
    pub(crate) kinds: Vec<Kind>,
}

impl<const D: usize> Fluid<D> {
    pub(crate) fn new(phi: f64, kinds: &[Kind]) -> Self {
        // A full lattice.
        Self { phi, bodies: [500, 24 * 24, 8 * 8 * 8][D - 1], kinds: kinds.to_vec() }
    }

    /// Bodies of diameter 1 and diffusion coefficient 1.
    pub(crate) fn of_equals(phi: f64) -> Self {
        Self::new(phi, &[Kind { radius: 0.5, diffusion: 1.0 }])
    }

    pub(crate) fn volume(&self) -> f64 {
        let filled = |kind: &Kind| match D {
            1 => 2.0 * kind.radius,
            2 => PI * kind.radius.powi(2),
            _ => PI * kind.radius.powi(3) * 4.0 / 3.0,
        };
        self.kinds.iter().map(filled).sum::<f64>() * self.bodies as f64 / (self.kinds.len() as f64 * self.phi)
    }

    pub(crate) fn edge(&self) -> f64 {
        self.volume().powf(1.0 / D as f64)
    }

    /// The world of this fluid, with the rms step `step` per axis of a body with D = 1.
    pub(crate) fn world(&self, step: f64) -> World<D> {
        let world = World::periodic(self.edge()).timestep(step * step / 2.0);
        self.kinds.iter().fold(world, |world, kind| world.species(kind.radius, kind.diffusion))
    }

    /// Where everybody is in equilibrium, `count` times, from a lattice and far apart in time. The
    /// long steps of equal width that are taken in between are a dynamics of their own.
    pub(crate) fn equilibrated(&self, count: usize) -> Vec<Vec<Seed<D>>> {
        if D == 1 {
            return (0..count).map(|n| self.equilibrated_rods(n as u64)).collect();
        }
        let mut mixing = self.world(0.3);
        mixing.species.iter_mut().for_each(|species| species.diffusion_coefficient = Some(1.0));
        let mut engine = mixing.seed(7).with(&on_lattice(self.edge(), self.bodies, self.kinds.len()));
        advance(&mut engine, 400);
        let mut start = || {
            advance(&mut engine, 20);
            seeds(&engine)
        };
        (0..count).map(|_| start()).collect()
    }

    /// Rods that cannot pass take too long to forget a lattice, but their equilibrium is known: points
    /// thrown onto the free length, then pushed apart by one rod each. Which rod is which means nothing.
    fn equilibrated_rods(&self, number: u64) -> Vec<Seed<D>> {
        let (size, random) = (2.0 * self.kinds[0].radius, Random::new(3));
        let free = self.edge() - self.bodies as f64 * size;
        let thrown = |n: usize| free * random.uniform(Purpose::Placement, [number, n as u64, 0, 0]);
        let mut points: Vec<f64> = (0..self.bodies).map(thrown).collect();
        points.sort_unstable_by(f64::total_cmp);
        let rod = |(n, point): (usize, f64)| Vector::from_fn(|_| point + (n as f64 + 0.5) * size);
        points.into_iter().enumerate().map(rod).map(|position| Seed { species: 0, position }).collect()
    }

    /// How many pairs of kinds `a` and `b` there are.
    pub(crate) fn pairs(&self, [a, b]: [usize; 2]) -> f64 {
        let n = (self.bodies / self.kinds.len()) as f64;
        if a == b { n * (n - 1.0) / 2.0 } else { n * n }
    }

    /// How much more (or less) likely a pair is to touch than an ideal pair, by kinds, in a periodic
    /// box that holds exactly these bodies.
    pub(crate) fn contact_value(&self, [a, b]: [usize; 2]) -> f64 {
        let n = self.bodies as f64;
        let [r_a, r_b] = [a, b].map(|kind| self.kinds[kind].radius);
        let infinite = if self.kinds.iter().all(|kind| kind.radius == self.kinds[0].radius) {
            contact_value::<D>(self.phi)
        } else {
            self.mixture_contact_value(r_a, r_b)
        };
        infinite * (1.0 - finite_size::<D>(self.phi, n)) * n / (n - 1.0)
    }

    /// 3D: Boublik (1970), Mansoori, Carnahan, Starling and Leland (1971); 2D: Jenkins and Mancini
    /// (1987).
    fn mixture_contact_value(&self, r_a: f64, r_b: f64) -> f64 {
        let mean = |power: i32| self.kinds.iter().map(|kind| kind.radius.powi(power)).sum::<f64>();
        let free = 1.0 - self.phi;
        let joint = 2.0 * r_a * r_b / (r_a + r_b);
        match D {
            1 => 1.0 / free,
            2 => 1.0 / free + 9.0 / 16.0 * joint * self.phi * mean(1) / mean(2) / free.powi(2),
            _ => {
                let x = self.phi * joint * mean(2) / mean(3);
                1.0 / free + 1.5 * x / free.powi(2) + 0.5 * x * x / free.powi(3)
            }
        }
    }

    /// Z = P V / (N k T) of equal bodies in this finite box.
    pub(crate) fn compressibility_factor(&self) -> f64 {
        let g = contact_value::<D>(self.phi) * (1.0 - finite_size::<D>(self.phi, self.bodies as f64));
        1.0 + (1 << (D - 1)) as f64 * self.phi * g
    }
}

/// Everybody's place, in the order of identity.
pub(crate) fn seeds<const D: usize>(engine: &Brownian<D>) -> Vec<Seed<D>> {
    let p = engine.particles();
    let seed = |slot: u32| Seed { species: p.species[slot as usize], position: p.position[slot as usize] };
    p.slots_by_id().into_iter().map(seed).collect()
}

/// The contact value g of the pair distribution of equal bodies, infinitely many.
///
/// 1D: Tonks (1936), exact. /// 3D: Carnahan and Starling (1969), with the virial coefficients up to the tenth put right (Clisby &
/// McCoy 2006): by itself it is 0.02 % low at phi = 0.1, 0.33 % at 0.3. 2D: Henderson (1975) as refined
/// by Liu (2020): by itself it is 0.2 % high at phi = 0.4.
pub(crate) fn contact_value<const D: usize>(phi: f64) -> f64 {
    let free = 1.0 - phi;
    if D == 1 {
        return 1.0 / free;
    }
    if D == 2 {
        let z = (1.0 + phi * phi / 8.0 + phi.powi(3) / 18.0 - phi.powi(4) * 4.0 / 21.0) / free.powi(2);
        return (z - 1.0) / (2.0 * phi);
    }
    let exact = [4.0, 10.0, 18.364768, 28.224512, 39.815148, 53.344420, 68.537549, 85.812838, 105.775104];
    let missing = |(n, exact): (usize, f64)| {
        let k = (n + 1) as f64;
        (exact - k * (k + 3.0)) * phi.powi(n as i32 + 1)
    };
    let correction: f64 = exact.into_iter().enumerate().map(missing).sum();
    (1.0 - phi / 2.0) / free.powi(3) + correction / (4.0 * phi)
}

/// By what share the pair density at contact of `n` bodies in a periodic box falls short of that of
/// infinitely many: (chi / 2n) (phi^2 g)'' / g, chi the compressibility (Lebowitz & Percus 1961). For
/// point bodies it is 1/n.
fn finite_size<const D: usize>(phi: f64, n: f64) -> f64 {
    let h = 1e-3;
    let g = |phi: f64| contact_value::<D>(phi);
    let pairs = |phi: f64| phi * phi * g(phi);
    let pressure = |phi: f64| phi * (1.0 + (1 << (D - 1)) as f64 * phi * g(phi));
    let chi = 2.0 * h / (pressure(phi + h) - pressure(phi - h));
    let curvature = (pairs(phi + h) - 2.0 * pairs(phi) + pairs(phi - h)) / (h * h);
    chi * curvature / (2.0 * n * g(phi))
}

/// A contact as the log has it, and what follows from the log about the two paths before it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Meeting<const D: usize> {
    /// The kinds of the two, the lower first.
    pub(crate) kinds: [usize; 2],
    pub(crate) time: f64,
    pub(crate) normal: Vector<D>,
    pub(crate) approach: f64,
    /// The impact parameter in units of the contact distance.
    pub(crate) impact: f64,
}

/// A velocity that the log gives, and by how much rounding may have spoilt it: it is known to few
/// digits if it follows from a very short way.
#[derive(Clone, Copy)]
struct Known<const D: usize> {
    velocity: Vector<D>,
    uncertainty: f64,
}

/// Keeps the contacts of bodies, and follows everybody's path through the step by nothing but the log:
/// from one contact to the next, bouncing with masses 1/D.
pub(crate) struct Log<const D: usize> {
    kinds: Vec<Kind>,
    /// Where everybody's present path starts, and when.
    start: Vec<(Vector<D>, f64)>,
    /// The velocities of those that have bounced in this step.
    bounced: Vec<Option<Known<D>>>,
    domain: Domain<D>,
    pub(crate) meetings: Vec<Meeting<D>>,
    /// The largest deviation of where a body is, or how fast, from what the log says; rounding alone
    /// explains 1.
    pub(crate) worst: f64,
}

impl<const D: usize> Log<D> {
    pub(crate) fn new(kinds: &[Kind], view: &View<'_, D>) -> Self {
        let mut log = Self {
            kinds: kinds.to_vec(),
            start: Vec::new(),
            bounced: Vec::new(),
            domain: view.domain.clone(),
            meetings: Vec::new(),
            worst: 0.0,
        };
        log.begin(view);
        log
    }

    fn begin(&mut self, view: &View<'_, D>) {
        let p = view.particles;
        self.start = p.slots_by_id().into_iter().map(|slot| (p.position[slot as usize], 0.0)).collect();
        self.bounced = vec![None; self.start.len()];
    }

    fn compare(&mut self, deviation: f64, uncertainty: f64) {
        self.worst = self.worst.max(deviation / (uncertainty + self.domain.rounding()));
    }

    /// The velocity with which body `id` came to be at `place` at `time`.
    fn arrived(&mut self, id: usize, place: Vector<D>, time: f64) -> Known<D> {
        let (start, since) = self.start[id];
        let (way, span) = (self.domain.nearest_image(place - start), time - since);
        if let Some(known) = self.bounced[id] {
            self.compare((way - known.velocity * span).norm(), known.uncertainty * span);
            return known;
        }
        Known { velocity: way * (1.0 / span), uncertainty: self.domain.rounding() / span }
    }
}

impl<const D: usize> Observer<D> for Log<D> {
    fn wants_contacts(&self) -> bool {
        true
    }

    fn contact(&mut self, contact: &Contact<D>) -> Result<(), ObserverError> {
        let Partner::Body { id, species } = contact.partner else { return Ok(()) };
        let ids = [contact.id as usize, id as usize];
        let kinds = [contact.species as usize, species as usize];
        let [a, b] = kinds.map(|kind| self.kinds[kind]);
        let normal = contact.normal;
        let centres = [contact.place - normal * a.radius, contact.place + normal * b.radius];
        let [before_a, before_b] = [0, 1].map(|n| self.arrived(ids[n], centres[n], contact.time));
        let relative = before_b.velocity - before_a.velocity;
        let along = relative.dot(normal);
        let uncertainty = 2.0 * (before_a.uncertainty + before_b.uncertainty);
        self.compare((along + contact.approach).abs(), uncertainty);
        let share = a.diffusion / (a.diffusion + b.diffusion);
        let after_a = before_a.velocity + normal * (2.0 * share * along);
        let after_b = before_b.velocity - normal * (2.0 * (1.0 - share) * along);
        for (n, velocity) in [after_a, after_b].into_iter().enumerate() {
            self.bounced[ids[n]] = Some(Known { velocity, uncertainty });
            self.start[ids[n]] = (centres[n], contact.time);
        }
        self.meetings.push(Meeting {
            kinds: [kinds[0].min(kinds[1]), kinds[0].max(kinds[1])],
            time: contact.time,
            normal,
            approach: contact.approach,
            impact: (relative - normal * along).norm() / relative.norm(),
        });
        Ok(())
    }

    fn step(&mut self, view: &View<'_, D>) -> Result<(), ObserverError> {
        let p = view.particles;
        for (id, slot) in p.slots_by_id().into_iter().enumerate() {
            if self.bounced[id].is_some() {
                self.arrived(id, p.position[slot as usize], 1.0);
            }
        }
        self.begin(view);
        Ok(())
    }
}

/// Counts pairs by how far their surfaces are apart, up to `range` diameters of 1.
pub(crate) struct PairDistribution<const D: usize> {
    counts: [f64; PairDistribution::<0>::BINS],
    samples: f64,
    range: f64,
}

impl<const D: usize> PairDistribution<D> {
    const BINS: usize = 10;

    pub(crate) fn new(range: f64) -> Self {
        Self { counts: [0.0; PairDistribution::<0>::BINS], samples: 0.0, range }
    }

    pub(crate) fn sample(&mut self, view: &View<'_, D>) {
        let x = &view.particles.position;
        for i in 0..x.len() {
            for j in 0..i {
                let gap = view.domain.nearest_image(x[j] - x[i]).norm_squared();
                if gap < (1.0 + self.range).powi(2) {
                    let bin = ((gap.sqrt() - 1.0).max(0.0) / self.range * Self::BINS as f64) as usize;
                    self.counts[bin.min(Self::BINS - 1)] += 1.0;
                }
            }
        }
        self.samples += 1.0;
    }

    /// The contact value: the parabola through all bins, at contact. \[relative to pairs without
    /// interaction\]
    pub(crate) fn at_contact(&self, fluid: &Fluid<D>) -> f64 {
        let ball = |r: f64| [2.0 * r, PI * r * r, PI * r.powi(3) * 4.0 / 3.0][D - 1];
        let width = self.range / Self::BINS as f64;
        let g = |bin: usize| {
            let shell = ball(1.0 + (bin + 1) as f64 * width) - ball(1.0 + bin as f64 * width);
            self.counts[bin] / (self.samples * fluid.pairs([0, 0]) * shell / fluid.volume())
        };
        extrapolated((0..Self::BINS).map(|bin| ((bin as f64 + 0.5) / Self::BINS as f64, g(bin))))
    }
}

/// The parabola through the points (x, y), x within 0..1, by least squares, at x = 0.
fn extrapolated(points: impl Iterator<Item = (f64, f64)>) -> f64 {
    let (mut power, mut right) = ([0.0; 5], [0.0; 3]);
    for (x, y) in points {
        (0..5).for_each(|k| power[k] += x.powi(k as i32));
        (0..3).for_each(|k| right[k] += y * x.powi(k as i32));
    }
    let [p0, p1, p2, p3, p4] = power;
    // Cramer's rule for the constant term.
    let determinant =
        |a: f64, b: f64, c: f64| a * (p2 * p4 - p3 * p3) - p1 * (b * p4 - p3 * c) + p2 * (b * p3 - p2 * c);
    determinant(right[0], right[1], right[2]) / determinant(p0, p1, p2)
}
