//! Onto a surface and off it again: particles that touch one become others that live on it, and these come
//! off in time.
//!
//! What gets on has come with the velocities of particles that touch the surface; what comes off goes with the same
//! ones, reversed: along the normal a Rayleigh distribution, along the surface Gaussian ones. With the shares of
//! [`Manner::sorption`] the two are each other's exact reverse, at any time step.

use rand::RngExt;
use rand_distr::{Distribution, Exp1};

use super::StepError;
use super::confined::Sorbed;
use super::convert::Conversion;
use super::diffusion::Diffusion;
use super::ground::Ground;
use super::others::Others;
use super::reaction::{Attempt, Reaction, Refusal};
use super::sites_of_surfaces::TakenSites;
use super::surfaces::{Departure, Impact};
use super::system::normals;
use jostle_core::environment::{Environment, Manner};
use jostle_core::particles::ALONE;
use jostle_core::planted::{Fault, planted};
use jostle_core::rules::Product;
use jostle_core::sites::SiteChange;
use jostle_core::space::Vector;

impl<const D: usize> Ground<'_, D> {
    /// The surface that a particle of `species` comes off if it becomes one of `product`, if this could get onto it
    /// or end there.
    pub(super) fn comes_off(&self, species: u16, product: u16) -> Option<u16> {
        let surface = self.environment.anchored_to(species)?;
        let manner = self.environment.manner(product, surface);
        let gets_on = matches!(manner, Manner::Adsorb(_) | Manner::Absorb { .. });
        (gets_on && self.environment.anchored_to(product).is_none()).then_some(surface)
    }

    /// The normal of a surface at a place, towards its inner side or its outer one.
    fn away_from(&self, surface: u16, place: Vector<D>, inside: bool) -> Vector<D> {
        let shape = &self.environment.surfaces()[usize::from(surface)].shape;
        let outwards = shape.outwards(self.domain, place);
        if inside { outwards * -1.0 } else { outwards }
    }
}

/// A reaction by which a particle gets onto a surface or comes off it.
pub(super) struct Sorption<'r, 'a, const D: usize>(pub(super) &'r mut Reaction<'a, D>);

impl<const D: usize> Sorption<'_, '_, D> {
    /// Takes the particle in `slot` onto a surface or off it, as detailed balance allows. Says in which slot it is
    /// then. Nothing changes if there is no room for it.
    pub(super) fn move_by_surface(
        &mut self,
        slot: u32,
        species: u16,
        moves: Sorbed,
    ) -> Result<Result<u32, Refusal>, StepError> {
        let change = SiteChange::default();
        let product = Product { species, continues: Some(0), kin: false, change };
        let conversion = Conversion {
            slots: &[slot],
            products: &[product],
            others: Others::default(),
            moves: Some(moves),
        };
        Ok(self.0.convert(&conversion)?.map(|slots| slots[0]))
    }

    /// Lets the particle in `slot` come off its surface as `product`, unless it is back at once. One with bonds stays.
    pub(super) fn desorb(
        &mut self,
        slot: u32,
        product: Product,
        surface: u16,
    ) -> Result<Attempt, StepError> {
        let i = slot as usize;
        let former = self.0.engine.system.particles.species[i];
        // As it would find the surface if it were back.
        let free_sites = TakenSites(&mut self.0.engine.system).share_free(
            surface,
            product.species,
            Some(former),
        );
        let system = &self.0.engine.system;
        let manner = system.environment.manner(product.species, surface);
        let is_back = manner.becomes() == Some(former);
        let kind = &system.species[usize::from(product.species)];
        let radius = kind.radius.unwrap_or(system.particles.radius[i]);
        let free = kind.diffusion_coefficient.unwrap_or_else(|| Diffusion(system).free(slot));
        let share =
            system.environment.share_inside(&system.domain, product.species, former, radius);
        let [side, fate]: [f64; 2] = self.0.generator.random();
        let inside = share.is_some_and(|share| side < share);
        let here = (system.place_at(slot, self.0.time), inside);
        let here = system.ground().docked(product.species, former, radius, here);
        let free = system.ground().diffusion_at(product.species, here, free);
        let margin = Environment::<D>::margin(&system.domain, manner, radius);
        let beside = (here, margin, inside);
        let beside = system.environment.manner_at(&system.domain, product.species, surface, beside);
        let sorption = beside.at_multiple(free_sites).sorption(free, system.clock.timestep);
        // Beside a hollow edge of a mesh none gets on, and none comes off.
        let environment = &system.environment;
        let is_touched =
            !environment.sticks_in(surface, &system.domain, product.species, here, radius);
        let sorption = sorption.filter(|_| is_touched);
        let is_bound = is_back && system.particles.unit[i] != ALONE;
        let Some(sorption) = sorption.filter(|_| !is_bound) else {
            return Ok(Err(Refusal::Declined));
        };
        let [here, there] = sorption.parting;
        let parts = fate < here + there || planted(Fault::ReleasedPairs);
        if !parts && is_back {
            // That would be as if nothing had happened.
            return Ok(Err(Refusal::Declined));
        }
        // Of those that part, some do so on the other side: they have gone through before they had
        // left.
        let inside = inside != (parts && fate >= here);
        let off = Sorbed::Off { surface, inside };
        match self.move_by_surface(slot, product.species, off)? {
            Ok(_) if parts => {}
            Ok(slot) => {
                let off = self.beside(slot, surface, inside);
                let Reaction { engine, observer, time, .. } = &mut *self.0;
                Impact { engine, observer: &mut **observer, time: *time, slot }.stay(
                    surface,
                    &off,
                    off.velocity,
                )?;
            }
            Err(refusal) => return Ok(Err(refusal)),
        }
        Ok(Ok(()))
    }

    /// The particle in `slot`, which has just come off a surface, as one that bounces off it.
    fn beside(&self, slot: u32, surface: u16, inside: bool) -> Departure<D> {
        let system = &self.0.engine.system;
        let i = slot as usize;
        let place = system.place_at(slot, self.0.time);
        let manner = system.environment.manner(system.particles.species[i], surface);
        Departure {
            place,
            velocity: system.particles.velocity[i],
            normal: system.ground().away_from(surface, place, inside),
            margin: Environment::<D>::margin(&system.domain, manner, system.particles.radius[i]),
        }
    }

    /// Lets the particle in `slot` fly off a surface beside which it is.
    pub(super) fn part_from(
        &mut self,
        slot: u32,
        surface: u16,
        inside: bool,
    ) -> Result<(), StepError> {
        let system = &self.0.engine.system;
        let normal = system.ground().away_from(surface, system.place_at(slot, self.0.time), inside);
        let width =
            system.motion.step_length(system.particles.diffusion_coefficient[slot as usize]);
        let gaussian = normals(&mut self.0.generator);
        let exponential: f64 = Exp1.sample(&mut self.0.generator);
        let outwards = (2.0 * exponential).sqrt() - gaussian.dot(normal);
        self.0.engine.set_off(slot, self.0.time, (gaussian + normal * outwards) * width)
    }
}
