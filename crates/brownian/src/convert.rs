//! Particles become others: at a contact, or in time.
//!
//! A product that continues a reactant takes over its identity and its place; if it is of another
//! radius and would overlap its partner, it is moved apart from that along the line between them;
//! so is one that comes to live on a surface, along that. It is the place that a product gets in
//! the end that has to have room. Further products appear in contact with the first that continues
//! a particle, in a random direction. All leave with fresh velocities from their Maxwell
//! distributions; two products that come out in contact fly apart as in unbinding.

use rand::RngExt;

use super::StepError;
use super::composed::Composition;
use super::confined::Sorbed;
use super::diffusion::Diffusion;
use super::made::Made;
use super::others::Others;
use super::reaction::{Attempt, Reaction, Refusal};
use super::report::ChangeRecord;
use super::sites::Molecules;
use super::sites_of_surfaces::TakenSites;
use super::sorb::Sorption;
use super::system::{System, normals, set_free, share};
use super::touch::Touch;
use jostle_core::clusters::{Assembly, Bond, Part};
use jostle_core::observe::ChangeKind;
use jostle_core::particles::{ALONE, Particle};
use jostle_core::rules::{Decision, Product};
use jostle_core::space::Vector;

/// How many directions are tried before a product does not fit.
pub(super) const TRIES: usize = 32;

/// Two particles that are nearer than contact by less than this share of it touch, except for
/// rounding.
const ROUNDING: f64 = 1e-9;

/// What is to become what.
pub(super) struct Conversion<'a> {
    /// The reactants, in the rule's order.
    pub(super) slots: &'a [u32],
    pub(super) products: &'a [Product],
    /// What becomes of further molecules of their complexes.
    pub(super) others: Others,
    /// How it takes a particle onto a surface, or off it.
    pub(super) moves: Option<Sorbed>,
}

impl Conversion<'_> {
    /// Which part of a coalesced reactant each product is, if it is one: of its own species, or of
    /// those left over one in another state.
    fn parts_among<const D: usize>(
        &self,
        system: &System<D>,
        parts: &[Option<Assembly>],
    ) -> Vec<Option<usize>> {
        let is_reactant = |part: &Part| part.id == system.particles.id[self.slots[0] as usize];
        let declared = |species: u16| system.species[species as usize].declared_name();
        let mut taken: Vec<Option<usize>> = vec![None; self.products.len()];
        // First those of the very species, so that no product takes a part that another one fits
        // better.
        for in_any_state in [false, true] {
            for (k, product) in self.products.iter().enumerate() {
                if product.kin || taken[k].is_some() {
                    continue;
                }
                let is_it = |part: &Part| match in_any_state {
                    false => part.species == product.species,
                    true => declared(part.species) == declared(product.species),
                };
                let may_be = |part: &Part| {
                    is_it(part) && (product.continues.is_some() || !is_reactant(part))
                };
                let is_free = |n: usize| !taken.contains(&Some(n));
                taken[k] = (0..parts.len()).find(|&n| {
                    is_free(n) && parts[n].as_ref().is_some_and(|part| may_be(&part.particle))
                });
            }
        }
        taken
    }
}

/// What is left of units that have lost members.
#[derive(Default)]
pub(super) struct Rest {
    /// One particle of each piece of a rigid unit.
    pub(super) rigid: Vec<u32>,
    /// The same of flexible ones, of which all members continue on their paths.
    pub(super) flexible: Vec<u32>,
    /// The bonds that broke.
    pub(super) broken: Vec<Bond>,
}

impl<const D: usize> Reaction<'_, D> {
    /// Converts two touching particles. Nothing changes if a product does not fit.
    pub(super) fn convert_pair(
        &mut self,
        touch: &Touch<D>,
        decision: Decision,
    ) -> Result<Attempt, StepError> {
        let products = self.engine.system.book.contact_products(self.rule, decision.case).to_vec();
        let [a, b] = touch.slots;
        let slots = if decision.swapped { [b, a] } else { [a, b] };
        let case = self.engine.system.book.contact_case(self.rule, decision.case);
        let others = Others::of(&self.engine.system, case, slots, &products);
        let conversion = Conversion { slots: &slots, products: &products, others, moves: None };
        Ok(self.convert(&conversion)?.map(|_| ()))
    }

    /// Converts a particle in time. Nothing changes if a product does not fit.
    pub(super) fn convert_alone(&mut self, slot: u32, case: u32) -> Result<Attempt, StepError> {
        let products = self.engine.system.book.timed_products(self.rule, case).to_vec();
        if let &[product] = &products[..]
            && let species = self.engine.system.particles.species[slot as usize]
            && let Some(surface) = self.engine.system.ground().comes_off(species, product.species)
        {
            return Sorption(self).desorb(slot, product, surface);
        }
        let species = self.engine.system.particles.species[slot as usize];
        let chance = TakenSites(&mut self.engine.system).chance(species, &products);
        if chance < 1.0 && self.generator.random::<f64>() >= chance {
            return Ok(Err(Refusal::Declined));
        }
        let rule = self.engine.system.book.rules().timed_rule(self.rule);
        // What has no reverse has nothing to be in balance with, and costs what it costs.
        if let (true, &[product]) = (rule.is_some_and(|rule| rule.reversible), &products[..]) {
            let clusters = &self.engine.system.clusters;
            let together = clusters.moving_with(&self.engine.system.particles, slot);
            let attempt = self.accept(|among, time| {
                let before = among.energy_of(&[slot], &together, time);
                among.energy_as(slot, product.species, &together, time) - before
            });
            if attempt.is_err() {
                return Ok(attempt);
            }
        }
        let case = self.engine.system.book.timed_case(self.rule, case);
        let others = Others::of(&self.engine.system, case, [slot], &products);
        let conversion = Conversion { slots: &[slot], products: &products, others, moves: None };
        Ok(self.convert(&conversion)?.map(|_| ()))
    }

    /// Turns particles into others, and says in which slots these are.
    pub(super) fn convert(
        &mut self,
        conversion: &Conversion<'_>,
    ) -> Result<Result<Vec<u32>, Refusal>, StepError> {
        let Conversion { slots, ref others, moves, .. } = *conversion;
        let mut made: Vec<Made> = self.products_of(conversion);
        if !self.place_products(conversion, &mut made) {
            return Ok(Err(Refusal::NoRoom));
        }
        if let (Some(_), [one]) = (moves, &made[..]) {
            let both = [slots[0], one.slot];
            let attempt = self.accept(|among, time| {
                among.energy_of(&[both[1]], &both, time) - among.energy_of(&[both[0]], &both, time)
            });
            if let Err(refusal) = attempt {
                self.engine.take_back(one.slot);
                return Ok(Err(refusal));
            }
        }
        let place = self.engine.system.place_at(slots[0], self.time);
        let changed = others.changed();
        let leaving = [slots, &others.gone].concat();
        let reactants = [leaving.as_slice(), &changed].concat();
        let before = self.engine.system.clusters_of(&reactants);
        let parties = |system: &System<D>, slots: &[u32]| -> Vec<_> {
            slots.iter().map(|&slot| system.party(slot)).collect()
        };
        let reactants = parties(&self.engine.system, &reactants);
        // Before what is left of a unit gets an identity of its own.
        let ids = made.iter().flat_map(Made::identities).max().map_or(0, |id| id + 1);
        self.engine.system.next_id = self.engine.system.next_id.max(ids);
        let Rest { rigid, flexible, broken: bonds_broken } = self.remove_reactants(&leaving, &made);
        others.apply(&mut self.engine.system.particles);
        for made in &mut made {
            if let Some(whole) = made.whole.take() {
                self.engine.system.clusters.wholes.insert(made.id, whole);
            }
            if let Some(slot) = made.stays {
                // It may have lost bonds to what has gone.
                let code = self.engine.system.particles.sites[slot as usize];
                self.engine.system.turn_into(slot, made.product.species, made.diffusion);
                self.engine.system.particles.sites[slot as usize] =
                    if made.product.kin { made.product.change.of(code) } else { made.sites };
            }
        }
        let slots: Vec<u32> = made.iter().map(|made| made.slot).collect();
        match slots[..] {
            [] => {}
            [one] if let Some(Sorbed::Off { surface, inside }) = moves => {
                Sorption(self).part_from(one, surface, inside)?;
            }
            [one] => {
                let velocity =
                    self.engine.system.velocity_of(one, self.time, normals(&mut self.generator));
                self.engine.redirect(one, self.time, velocity)?;
            }
            [first, second] if !self.together(first, second) => {
                self.fly_apart([first, second])?;
            }
            _ => self.scatter(&slots, place)?,
        }
        // What is left of a unit that lost a member continues as it can.
        self.scatter(&rigid, place)?;
        let concerned = [slots.as_slice(), &changed, &rigid, &flexible].concat();
        concerned.iter().for_each(|&slot| {
            self.engine.plans.restart_clock(&self.engine.system, slot, self.time)
        });
        let remaining = [slots.as_slice(), &changed].concat();
        let kind = if remaining.is_empty() { ChangeKind::Vanished } else { ChangeKind::Converted };
        self.engine.tally.converted += 1;
        let record = ChangeRecord {
            products: &parties(&self.engine.system, &remaining),
            bonds_broken: &bonds_broken,
            before: &before,
            after: &self.engine.system.clusters_of(&concerned),
            ..ChangeRecord::of(kind, self.rule, self.time, place, &reactants)
        };
        self.tell_change(record)?;
        Ok(Ok(slots))
    }

    fn together(&self, first: u32, second: u32) -> bool {
        let unit = |slot: u32| self.engine.system.particles.unit[slot as usize];
        unit(first) != ALONE && unit(first) == unit(second)
    }

    /// What the products are: sizes and identities. A product of the species of a part of a
    /// coalesced reactant takes up that part's identity, or if there is none that of one in another
    /// state. A part may be the reactant itself, as it was before it took in another: that identity is
    /// only for the product that continues it.
    fn products_of(&self, conversion: &Conversion<'_>) -> Vec<Made> {
        let system = &self.engine.system;
        let slots = conversion.slots;
        let mut parts: Vec<Option<Assembly>> = match slots {
            [slot] => {
                let whole = system.clusters.wholes.get(&system.particles.id[*slot as usize]);
                let parts = whole.and_then(|whole| whole.clone().split());
                parts.into_iter().flatten().map(Some).collect()
            }
            _ => Vec::new(),
        };
        let taken = conversion.parts_among(system, &parts);
        let has_released = taken.iter().any(Option::is_some);
        let mut next_id = system.next_id;
        let mut made: Vec<Made> = Vec::with_capacity(conversion.products.len());
        for (&product, part) in conversion.products.iter().zip(taken) {
            let kind = &system.species[product.species as usize];
            let heir_of = product.continues.map(|n| slots[usize::from(n)]);
            let (id, ahead, whole) = match (part.and_then(|n| parts[n].take()), heir_of) {
                (Some(part), _) => (part.particle.id, part.particle.ahead, part.whole),
                (None, Some(slot)) => {
                    let id = system.particles.id[slot as usize];
                    let whole =
                        product.kin.then(|| system.clusters.wholes.get(&id).cloned()).flatten();
                    (id, [0; 3], whole)
                }
                (None, None) => (next_id, [0; 3], None),
            };
            next_id += u64::from(id == next_id);
            let (own_radius, own_diffusion) = heir_of.map_or((0.0, 0.0), |slot| {
                (system.particles.radius[slot as usize], Diffusion(system).free(slot))
            });
            let radius = kind.radius.unwrap_or(own_radius);
            let stays = heir_of.filter(|&slot| {
                let i = slot as usize;
                // Bonds at its sites would end nowhere if it became something that has others.
                (product.kin || !Molecules(system).is_bound_at_sites(slot))
                    && radius == system.particles.radius[i]
                    && id == system.particles.id[i]
                    && system.environment.anchored_to(product.species)
                        == system.environment.anchored_to(system.particles.species[i])
            });
            made.push(Made {
                product,
                id,
                ahead,
                radius,
                diffusion: kind.diffusion_coefficient.unwrap_or(own_diffusion),
                sites: Molecules(system).sites_of_product(&product, heir_of, stays),
                whole,
                stays,
                slot: u32::MAX,
            });
        }
        if has_released {
            // What came out of it is in it no more.
            for made in made.iter_mut().filter(|made| made.product.kin) {
                let mut rest = parts.iter_mut().filter_map(Option::as_mut);
                let rest = rest.find(|part| part.particle.id == made.id);
                made.whole = rest.and_then(|part| part.whole.take());
            }
        }
        // One of them may still hold what the reactant held.
        let is_kept = made.iter().any(|made| made.product.kin);
        let rest = parts.into_iter().flatten().filter(|_| !is_kept).map(|part| part.particle);
        Composition(system).of_products(&mut made, rest.collect(), next_id);
        made
    }

    /// Finds places for all products. Returns false, and leaves nothing behind, if one does not
    /// fit.
    fn place_products(&mut self, conversion: &Conversion<'_>, made: &mut [Made]) -> bool {
        let Conversion { slots, ref others, .. } = *conversion;
        let leaving = [slots, &others.gone].concat();
        let mut added: Vec<u32> = Vec::new();
        let mut fits = true;
        // First those that continue a particle, in whose place they are.
        let seats = self.seats(conversion, made);
        for n in 0..made.len() {
            let (Some(k), Some(position)) = (made[n].product.continues, seats[n]) else { continue };
            let reactant = slots[usize::from(k)];
            if let Some(slot) = made[n].stays {
                made[n].slot = slot;
                fits = fits
                    && self.engine.may_become(slot, made[n].product.species, self.time, &leaving);
                continue;
            }
            // With bonds it could not change its size.
            fits &= !made[n].product.kin
                || self.engine.system.particles.unit[reactant as usize] == ALONE;
            let (before, from) = (
                self.engine.system.particles.species[reactant as usize],
                self.engine.system.place_at(reactant, self.time),
            );
            fits &= self.engine.system.ground().is_on_this_side(
                made[n].product.species,
                [from, position],
                before,
            );
            let slot = self.add_product(&made[n], position, reactant);
            added.push(slot);
            made[n].slot = slot;
            let others = [leaving.as_slice(), &added].concat();
            fits = fits && self.engine.fits(slot, self.time, &others);
        }
        fits = fits && self.heirs_fit(made);
        // Then the new ones, around the first of those.
        let anchor = made.iter().position(|made| made.product.continues.is_some());
        let origin = anchor.and_then(|k| made[k].product.continues).map(|k| slots[usize::from(k)]);
        for n in 0..made.len() {
            if made[n].product.continues.is_some() || !fits {
                continue;
            }
            let Some((anchor, origin)) = anchor.map(|k| (made[k].slot, made[k].radius)).zip(origin)
            else {
                continue;
            };
            match self.place_beside((made, n), anchor, origin, &leaving) {
                Some(slot) => {
                    added.push(slot);
                    made[n].slot = slot;
                }
                None => fits = false,
            }
        }
        if !fits {
            added.into_iter().rev().for_each(|slot| self.engine.take_back(slot));
        }
        fits
    }

    /// Where each product comes to be that continues a reactant: in the place of that or, if it
    /// lives elsewhere, as near as it gets; two of them apart from each other, if there is a way.
    fn seats(&self, conversion: &Conversion<'_>, made: &[Made]) -> Vec<Option<Vector<D>>> {
        let system = &self.engine.system;
        let slots = conversion.slots;
        let inside = !matches!(conversion.moves, Some(Sorbed::Off { inside: false, .. }));
        let shifts = self.shifts(slots, made);
        let seat = |(made, shift): (&Made, Vector<D>)| {
            let reactant = slots[usize::from(made.product.continues?)];
            let (place, before) =
                (system.place_at(reactant, self.time), system.particles.species[reactant as usize]);
            if made.stays.is_some() {
                return Some(place);
            }
            let place = (place + shift, inside);
            let seat = system.ground().docked(made.product.species, before, made.radius, place);
            let anchor =
                system.environment.anchor(made.product.species).filter(|_| shift != Vector::ZERO);
            Some(anchor.map_or(seat, |anchor| anchor.nearest(&system.domain, seat)))
        };
        let mut seats: Vec<_> = made.iter().zip(shifts).map(seat).collect();
        let heirs: Vec<usize> = (0..made.len()).filter(|&n| seats[n].is_some()).collect();
        let &[first, second] = &heirs[..] else { return seats };
        let (Some(a), Some(b)) = (seats[first], seats[second]) else { return seats };
        let [one, other] = [&made[first], &made[second]];
        if self.are_apart([one, other], [a, b]) {
            return seats;
        }
        let share = match [one, other].map(|made| made.stays.is_some()) {
            [true, true] => return seats,
            [true, false] => 0.0,
            [false, true] => 1.0,
            _ => share([one.diffusion, other.diffusion]),
        };
        let species = [one, other].map(|made| made.product.species);
        let distance = one.radius + other.radius;
        let [a, b] = system.ground().moved_apart(species, [a, b], distance, [share, 1.0 - share]);
        (seats[first], seats[second]) = (Some(a), Some(b));
        seats
    }

    /// Whether two products at these positions do not overlap, or are allowed to.
    fn are_apart(&self, made: [&Made; 2], places: [Vector<D>; 2]) -> bool {
        let system = &self.engine.system;
        let [a, b] = made;
        let least = (1.0 - ROUNDING) * (a.radius + b.radius);
        system.domain.nearest_image(places[1] - places[0]).norm() >= least
            || system.book.pass(a.product.species, b.product.species)
    }

    /// Whether products that continue reactants do not overlap each other, where they are now. Two
    /// that stay where they were do not.
    fn heirs_fit(&self, made: &[Made]) -> bool {
        let heirs: Vec<&Made> =
            made.iter().filter(|made| made.product.continues.is_some()).collect();
        let &[a, b] = &heirs[..] else { return true };
        (a.stays.is_some() && b.stays.is_some())
            || self.are_apart(
                [a, b],
                [a, b].map(|made| self.engine.system.place_at(made.slot, self.time)),
            )
    }

    /// How far each product has to move from the place of the reactant that it continues, so that
    /// two that continue two touching ones do not overlap: shared as they diffuse.
    fn shifts(&self, slots: &[u32], made: &[Made]) -> Vec<Vector<D>> {
        let system = &self.engine.system;
        let mut shifts = vec![Vector::ZERO; made.len()];
        let heir = |k: u8| made.iter().position(|made| made.product.continues == Some(k));
        let (&[a, b], Some(first), Some(second)) = (slots, heir(0), heir(1)) else { return shifts };
        let apart = system
            .domain
            .nearest_image(system.place_at(b, self.time) - system.place_at(a, self.time));
        let distance = apart.norm();
        let missing = made[first].radius + made[second].radius - distance;
        if missing <= 0.0 || (made[first].stays.is_some() && made[second].stays.is_some()) {
            return shifts;
        }
        let normal = apart * (1.0 / distance);
        let share = match [first, second].map(|n| made[n].stays.is_some()) {
            [true, _] => 0.0,
            [_, true] => 1.0,
            _ => share([made[first].diffusion, made[second].diffusion]),
        };
        shifts[first] = normal * (-share * missing);
        shifts[second] = normal * ((1.0 - share) * missing);
        shifts
    }

    /// Adds a product that comes out of the reactant in slot `origin`.
    fn add_product(&mut self, made: &Made, position: Vector<D>, origin: u32) -> u32 {
        let image = self.engine.system.image_beside(origin, self.time, position);
        let particle = set_free(&made.part(), position, self.time, image);
        self.engine.add(Particle { sites: made.sites, ..particle })
    }

    /// Puts product `n`, which comes out of the reactant in slot `origin`, in contact with another
    /// particle, in a direction in which it fits. Reactants that stay in their slots still have the
    /// species that they had, but what they will be has to leave it room.
    fn place_beside(
        &mut self,
        (all, n): (&[Made], usize),
        (anchor, radius): (u32, f64),
        origin: u32,
        reactants: &[u32],
    ) -> Option<u32> {
        let made = &all[n];
        let others: Vec<u32> = reactants.iter().copied().chain([anchor]).collect();
        let staying: Vec<_> = all
            .iter()
            .filter(|other| other.stays.is_some_and(|slot| slot != anchor))
            .map(|other| (other, self.engine.system.place_at(other.slot, self.time)))
            .collect();
        let centre = self.engine.system.place_at(anchor, self.time);
        for _ in 0..TRIES {
            let species = made.product.species;
            let host = self.engine.system.particles.species[anchor as usize];
            let found = self.engine.system.ground().beside(
                species,
                centre,
                radius + made.radius,
                &mut self.generator,
            );
            let Some(position) = found.filter(|&at| {
                self.engine.system.ground().is_on_this_side(species, [centre, at], host)
            }) else {
                continue;
            };
            if !staying.iter().all(|(other, at)| self.are_apart([made, other], [position, *at])) {
                continue;
            }
            let slot = self.add_product(made, position, origin);
            if self.engine.fits(slot, self.time, &others) {
                return Some(slot);
            }
            self.engine.take_back(slot);
        }
        None
    }

    /// Takes away the reactants that do not stay. Returns what is left of their units.
    pub(super) fn remove_reactants(&mut self, slots: &[u32], made: &[Made]) -> Rest {
        let mut left = Rest::default();
        for &slot in slots {
            let id = self.engine.system.particles.id[slot as usize];
            self.engine.system.clusters.wholes.remove(&id);
            if made.iter().any(|made| made.stays == Some(slot)) {
                continue;
            }
            let number = self.engine.system.particles.unit[slot as usize];
            if number != ALONE {
                let mut unit = self.engine.dissolve(number);
                unit.members.retain(|&member| member != slot);
                let (lost, kept): (Vec<Bond>, Vec<Bond>) =
                    unit.bonds.iter().partition(|bond| bond.ids.contains(&id));
                left.broken.extend(lost);
                let rest = if unit.is_flexible { &mut left.flexible } else { &mut left.rigid };
                rest.retain(|&other: &u32| !unit.members.contains(&other));
                let (pieces, _) = self.engine.system.regroup(unit.members, kept);
                rest.extend(pieces.iter().map(|piece| piece.members[0]));
            }
            self.engine.kill(slot);
            self.engine.void_plans(slot);
        }
        let alive = &self.engine.system.particles.alive;
        left.rigid.retain(|&slot| alive[slot as usize]);
        left.flexible.retain(|&slot| alive[slot as usize]);
        left
    }
}
