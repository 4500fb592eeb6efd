//! What particles hold that have not coalesced in the run: those at the start, and those that are created,
//! added or converted. Where others of their species fall apart into the two that they were made of, these
//! do so, too; [`jostle_core::rules::Compositions`] says into which. Their parts are particles that have not
//! been seen yet.

use super::diffusion::Diffusion;
use super::made::Made;
use super::system::System;
use jostle_core::clusters::{Assembly, Part, Whole};
use jostle_core::rules::Joining;

/// What the particles of a system hold, were they made of what others of their species are.
pub(super) struct Composition<'a, const D: usize>(pub(super) &'a System<D>);

/// Lets all particles at the start hold what those of their species are made of.
pub(super) fn compose_first<const D: usize>(system: &mut System<D>) {
    if !system.book.compositions().is_empty() {
        system.particles.slots_by_id().into_iter().for_each(|slot| compose(system, slot));
    }
}

/// Lets the particle in `slot`, which is new, hold what those of its species are made of.
pub(super) fn compose<const D: usize>(system: &mut System<D>, slot: u32) {
    let (composition, mut next_id) = (Composition(system), system.next_id);
    let particle = composition.part(slot);
    if let Some(whole) = composition.of(particle, &mut Vec::new(), &mut next_id) {
        system.next_id = next_id;
        system.clusters.wholes.insert(particle.id, whole);
    }
}

impl<const D: usize> Composition<'_, D> {
    /// The particle in `slot` by itself, whatever it is made of.
    pub(super) fn part(&self, slot: u32) -> Part {
        let (particles, i) = (&self.0.particles, slot as usize);
        Part {
            id: particles.id[i],
            species: particles.species[i],
            radius: particles.radius[i],
            diffusion_coefficient: Diffusion(self.0).free(slot),
            ahead: [0; 3],
        }
    }

    /// Lets each of the products of a conversion hold what those of its species are made of, unless it is a
    /// reactant in another state: that holds what it held.
    pub(super) fn of_products(&self, made: &mut [Made], former: Vec<Part>, mut next_id: u64) {
        let is_free = |part: &Part| made.iter().all(|made| made.id != part.id);
        let mut former: Vec<Part> = former.into_iter().filter(is_free).collect();
        for made in made.iter_mut().filter(|made| made.whole.is_none() && !made.product.kin) {
            made.whole = self.of(made.part(), &mut former, &mut next_id);
        }
    }

    /// What `particle` holds, if those of its species are made of two. These take over identities of the
    /// `former` parts of what has become it, first from those of their own species; if there are none left,
    /// they get new ones, from `next_id` on.
    fn of(&self, particle: Part, former: &mut Vec<Part>, next_id: &mut u64) -> Option<Whole> {
        let Joining { rule, case, parts } = self.0.book.compositions().known(particle.species)?;
        let host = self.0.book.contact_products(rule, case).first()?.continues.map(usize::from);
        let mut heirs = [None; 2];
        for in_any_case in [false, true] {
            for n in (0..2).filter(|n| host != Some(*n)) {
                let fits = |part: &Part| in_any_case || part.species == parts[n];
                let at = former.iter().position(fits).filter(|_| heirs[n].is_none());
                heirs[n] = at.map(|at| former.remove(at)).or(heirs[n]);
            }
        }
        let mut assembly = |n: usize| {
            let species = &self.0.species[usize::from(parts[n])];
            let (radius, diffusion_coefficient) = (species.radius?, species.diffusion_coefficient?);
            let (id, ahead) = match heirs[n] {
                _ if host == Some(n) => (particle.id, [0; 3]),
                Some(Part { id, ahead, .. }) => (id, ahead),
                None => {
                    *next_id += 1;
                    (*next_id - 1, [0; 3])
                }
            };
            let part = Part { id, species: parts[n], radius, diffusion_coefficient, ahead };
            let whole = self.of(part, &mut Vec::new(), next_id);
            Some(Assembly { particle: part, whole })
        };
        let parts = [assembly(0)?, assembly(1)?];
        Some(Whole::of_pair(Part { ahead: [0; 3], ..particle }, parts, rule))
    }
}
