//! Fluids of hard rods, disks and spheres in equilibrium: what is known about them, and starts that
//! are independent of each other.

use std::f64::consts::PI;

use super::super::CheckError;
use super::super::world::{World, advance, on_lattice, thrown_rods};
use jostle_brownian::{Brownian, Seed};
use jostle_core::random::{Purpose, Random};
use jostle_core::search::Kind;
use jostle_core::theory::{contact_value_mixture, contact_value_virial, finite_size};

/// Particles that are alike. Diffusion coefficients are in units of that of the particle by whose
/// rms step s the time step is given.
#[derive(Clone, Copy, Debug)]
pub(super) struct Component {
    pub(super) radius: f64,
    pub(super) diffusion: f64,
}

/// A fluid in a periodic cube (square, ring): as many particles of each component.
#[derive(Clone, Debug)]
pub(super) struct Fluid<const D: usize> {
    pub(super) phi: f64,
    pub(super) particles: usize,
    pub(super) components: Vec<Component>,
    /// The search structure that its runs use.
    pub(super) search: Kind,
}

impl<const D: usize> Fluid<D> {
    pub(super) fn new(phi: f64, components: &[Component], search: Kind) -> Self {
        // A full lattice.
        Self {
            phi,
            particles: [500, 24 * 24, 8 * 8 * 8][D - 1],
            components: components.to_vec(),
            search,
        }
    }

    /// Particles of diameter 1 and diffusion coefficient 1.
    pub(super) fn of_equals(phi: f64, search: Kind) -> Self {
        Self::new(phi, &[Component { radius: 0.5, diffusion: 1.0 }], search)
    }

    /// For readers: `3D phi 0.3 (verlet)`.
    pub(super) fn name(&self) -> String {
        format!("{D}D phi {} ({})", self.phi, self.search.name())
    }

    pub(super) fn volume(&self) -> f64 {
        let filled: f64 = self.components.iter().map(|component| ball::<D>(component.radius)).sum();
        filled * self.particles as f64 / (self.components.len() as f64 * self.phi)
    }

    pub(super) fn edge(&self) -> f64 {
        self.volume().powf(1.0 / D as f64)
    }

    /// The world of this fluid, with the rms step `step` per axis of a particle with D = 1.
    pub(super) fn world(&self, step: f64) -> World<D> {
        let world = World::periodic(self.edge()).timestep(step * step / 2.0).search(self.search);
        self.components
            .iter()
            .fold(world, |world, component| world.species(component.radius, component.diffusion))
    }

    /// An engine that has melted a lattice of this fluid, with steps that are as long as they can
    /// be while particles do not bounce more than a few times in each, and equal for all: a
    /// dynamics of its own with the same equilibrium.
    pub(super) fn melted(&self, seed: u64) -> Result<Brownian<D>, CheckError> {
        let components =
            self.components.iter().map(|&component| Component { diffusion: 1.0, ..component });
        let alike = Self { components: components.collect(), ..self.clone() };
        let contacts: f64 =
            alike.pairings().into_iter().map(|pair| alike.contacts_per_step(pair, 1.0)).sum();
        let step = (1.5 * self.particles as f64 / contacts).min(self.edge() / 30.0);
        let mixing = alike.world(step).search(Kind::Cubic).seed(seed);
        let mut engine =
            mixing.with(&on_lattice(self.edge(), self.particles, self.components.len()))?;
        advance(&mut engine, 300)?;
        Ok(engine)
    }

    /// Where every particle is in equilibrium, `count` times, far apart in time.
    pub(super) fn equilibrated(
        &self,
        seed: u64,
        count: usize,
    ) -> Result<Vec<Vec<Seed<D>>>, CheckError> {
        if D == 1 {
            // Rods that cannot pass take too long to forget a lattice.
            let free = self.particles as f64 * (1.0 / self.phi - 1.0);
            let start = |n| {
                thrown_rods(
                    Random::new(seed).uniform(Purpose::Placement, [n, 0, 0, 0]).to_bits(),
                    self.particles,
                    free,
                )
            };
            return Ok((0..count as u64).map(start).collect());
        }
        let mut engine = self.melted(seed)?;
        let start = |n: usize| {
            advance(&mut engine, 15)?;
            Ok(self.dealt(places(&engine), seed.wrapping_add(n as u64)))
        };
        (0..count).map(start).collect()
    }

    /// Equilibrium knows no names, but in a crowd it takes long until particles change neighbours,
    /// and those of a lattice are numbered along it (the normal of a contact leads from the lower
    /// number to the higher). Which is which is dealt anew; of particles of one size, which is of
    /// which component as well.
    fn dealt(&self, particles: Vec<Seed<D>>, seed: u64) -> Vec<Seed<D>> {
        let random = Random::new(seed);
        let card = |n: usize| random.uniform(Purpose::Placement, [n as u64, 2, 0, 0]);
        let mut order: Vec<usize> = (0..particles.len()).collect();
        order.sort_by(|&a, &b| card(a).total_cmp(&card(b)));
        let components = self.components.len();
        let of_one_size =
            self.components.iter().all(|component| component.radius == self.components[0].radius);
        let deal = |(n, from): (usize, usize)| match of_one_size {
            true => Seed { species: (n % components) as u16, ..particles[from] },
            false => particles[from],
        };
        order.into_iter().enumerate().map(deal).collect()
    }

    /// All pairs of components.
    pub(super) fn pairings(&self) -> Vec<[usize; 2]> {
        let components = self.components.len();
        (0..components).flat_map(|a| (a..components).map(move |b| [a, b])).collect()
    }

    /// How many pairs of components `a` and `b` there are.
    pub(super) fn pairs(&self, [a, b]: [usize; 2]) -> f64 {
        let n = (self.particles / self.components.len()) as f64;
        if a == b { n * (n - 1.0) / 2.0 } else { n * n }
    }

    /// How far apart the centres of a pair are at contact.
    pub(super) fn distance(&self, [a, b]: [usize; 2]) -> f64 {
        self.components[a].radius + self.components[b].radius
    }

    /// The width s per axis of the relative steps of a pair.
    pub(super) fn width(&self, [a, b]: [usize; 2], step: f64) -> f64 {
        step * (self.components[a].diffusion + self.components[b].diffusion).sqrt()
    }

    /// How much more (or less) likely a pair is to touch than an ideal pair, in a periodic box that
    /// holds exactly these particles.
    pub(super) fn contact_value(&self, [a, b]: [usize; 2]) -> f64 {
        let n = self.particles as f64;
        let density = n / self.components.len() as f64 / self.volume();
        let kinds: Vec<_> = self.components.iter().map(|one| (density, 2.0 * one.radius)).collect();
        let infinite = if kinds.iter().all(|(_, size)| *size == kinds[0].1) {
            contact_value_virial::<D>(self.phi)
        } else {
            contact_value_mixture::<D>(&kinds, a, b)
        };
        infinite * (1.0 - finite_size::<D>(self.phi, n)) * n / (n - 1.0)
    }

    /// Contacts per step of a pair of components: pairs times contact volume times contact value
    /// over volume. The contact volume is the surface at contact times the mean approach s / sqrt(2
    /// pi).
    pub(super) fn contacts_per_step(&self, pair: [usize; 2], step: f64) -> f64 {
        let r = self.distance(pair);
        let surface = [2.0, 2.0 * PI * r, 4.0 * PI * r * r][D - 1];
        let contact_volume = surface * self.width(pair, step) / (2.0 * PI).sqrt();
        self.pairs(pair) * contact_volume * self.contact_value(pair) / self.volume()
    }

    /// Z = P V / (N k T) of equal particles in this finite box.
    pub(super) fn compressibility_factor(&self) -> f64 {
        let g = contact_value_virial::<D>(self.phi)
            * (1.0 - finite_size::<D>(self.phi, self.particles as f64));
        1.0 + f64::from(1_u32 << (D - 1)) * self.phi * g
    }
}

/// The volume of a ball (area of a disk, length of a rod) of this radius.
pub(super) fn ball<const D: usize>(radius: f64) -> f64 {
    [2.0 * radius, PI * radius * radius, PI * radius.powi(3) * 4.0 / 3.0][D - 1]
}

/// Every particle's place, in the order of identity.
pub(super) fn places<const D: usize>(engine: &Brownian<D>) -> Vec<Seed<D>> {
    let p = engine.particles();
    let seed =
        |slot: u32| Seed { species: p.species[slot as usize], position: p.position[slot as usize] };
    p.slots_by_id().into_iter().map(seed).collect()
}
