//! Clusters fall apart, at exponential times inside the step and with the outgoing velocities that
//! make binding and unbinding each other's reverse (detailed balance at any time step).

use rand_distr::{Distribution, Exp1, StandardNormal};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::report::Story;
use super::timers::Place;
use super::{Brownian, StepError};
use crate::clusters::{Bond, Part, Unit};
use crate::observe::{ChangeKind, Observer};
use crate::particles::Body;
use crate::random::Purpose;
use crate::space::Vector;

/// One way in which a cluster can fall apart.
struct Channel {
    /// The bond that breaks, by its place in the unit; 0 for a coalesced body.
    bond: usize,
    /// The timed rule.
    rule: u16,
    /// \[per step\]
    rate: f64,
}

/// Two clusters that part at contact.
struct Parting<const D: usize> {
    /// The unit vector from the first to the second.
    normal: Vector<D>,
    /// Their diffusion coefficients. \[nm²/µs\]
    diffusion: [f64; 2],
}

impl<const D: usize> Brownian<D> {
    /// Starts (or restarts) the clock of a cluster at `time`: one draw for the total rate of all
    /// its channels. Memory is not needed, since waiting times are exponential.
    pub(super) fn start_timer(&mut self, owner: u64, place: Place, time: f64) {
        let total: f64 = self.channels(owner, place).iter().map(|channel| channel.rate).sum();
        if total <= 0.0 {
            self.timers.cancel(owner);
            return;
        }
        let key = [owner, self.clock.step, time.to_bits(), 0];
        let wait: f64 = Exp1.sample(&mut self.random.generator(Purpose::Waiting, key));
        if let Some(within) = self.timers.set(owner, place, self.clock.step, time, wait / total) {
            self.agenda.plan(within, super::plan::Due::Unbind { owner }, [crate::agenda::NOBODY; 2]);
        }
    }

    /// All ways in which a cluster can fall apart, with their rates.
    fn channels(&self, owner: u64, place: Place) -> Vec<Channel> {
        match place {
            Place::Slot(_) => {
                let whole = &self.clusters.wholes[&owner];
                let [a, b] = &whole.parts;
                let relative = a.diffusion_coefficient + b.diffusion_coefficient;
                let rates = self.book.unbinding(whole.rule, a.radius + b.radius, relative);
                rates.map(|(rule, rate)| Channel { bond: 0, rule, rate }).collect()
            }
            Place::Unit(number) => {
                let unit = self.clusters.unit(number);
                let tree = unit.tree(&self.particles);
                let mut channels = Vec::new();
                for (n, bond) in unit.bonds.iter().enumerate() {
                    if self.book.rules().undoing(bond.rule).next().is_none() {
                        continue;
                    }
                    let [a, b] = bond.ids.map(|id| unit.member(&self.particles, id));
                    let distance = self.particles.radius[a as usize] + self.particles.radius[b as usize];
                    let [first, second] = tree.pieces(n).map(|members| self.diffusion_of(&members));
                    let rates = self.book.unbinding(bond.rule, distance, first + second);
                    channels.extend(rates.map(|(rule, rate)| Channel { bond: n, rule, rate }));
                }
                channels
            }
        }
    }

    /// D of a cluster of these members. \[nm²/µs\]
    fn diffusion_of(&self, members: &[u32]) -> f64 {
        match members {
            [alone] => self.free_diffusion(*alone),
            _ => {
                let pieces: Vec<_> = members
                    .iter()
                    .map(|&slot| crate::clusters::Piece {
                        diffusion_coefficient: self.free_diffusion(slot),
                        radius: self.particles.radius[slot as usize],
                    })
                    .collect();
                self.mobility.diffusion_coefficient(&pieces, D)
            }
        }
    }

    /// Lets the cluster `owner`, whose time has come, fall apart.
    pub(super) fn unbind(
        &mut self,
        time: f64,
        owner: u64,
        observer: &mut dyn Observer<D>,
    ) -> Result<(), StepError> {
        let Some(place) = self.timers.place(owner) else { return Ok(()) };
        let key = [owner, self.clock.step, time.to_bits(), 1];
        let mut generator = self.random.generator(Purpose::Unbinding, key);
        let channels = self.channels(owner, place);
        let chosen = choose(&channels, self.random.uniform(Purpose::Unbinding, key));
        match place {
            Place::Slot(slot) => self.split(time, slot, chosen.rule, &mut generator, observer),
            Place::Unit(number) => self.break_bond(time, number, chosen, &mut generator, observer),
        }
    }

    /// A coalesced body falls apart: its two parts appear in contact, in a random direction, around
    /// its place. If they would overlap a third body or a wall, it stays and waits anew.
    fn split(
        &mut self,
        time: f64,
        slot: u32,
        rule: u16,
        generator: &mut Xoshiro256PlusPlus,
        observer: &mut dyn Observer<D>,
    ) -> Result<(), StepError> {
        let id = self.particles.id[slot as usize];
        let place = self.place_at(slot, time);
        let Some(whole) = self.clusters.wholes.get(&id).cloned() else { return Ok(()) };
        let [a, b] = whole.parts;
        let parting = Parting {
            normal: direction(generator),
            diffusion: [a.diffusion_coefficient, b.diffusion_coefficient],
        };
        let [first, second] = self.parted(&parting, place, a.radius + b.radius);
        let velocities = self.parting_velocities(&parting, generator);
        let species = [a.species, b.species];
        let velocities = [0, 1].map(|n| velocities[n] + self.motion.drift(species[n], [first, second][n]));
        let image = self.particles.image[slot as usize];
        let slots = [(&a, first, velocities[0]), (&b, second, velocities[1])]
            .map(|(part, position, velocity)| self.add(set_free(part, position, velocity, time, image)));
        let others = [slot, slots[0], slots[1]];
        let whole_party = [self.party(slot)];
        if !(self.fits(slots[0], time, &others) && self.fits(slots[1], time, &others)) {
            self.take_back(slots[1]);
            self.take_back(slots[0]);
            self.tally.refused += 1;
            self.start_timer(id, Place::Slot(slot), time);
            let story = Story {
                kind: ChangeKind::UnbindRefused,
                rule,
                time,
                place,
                reactants: &whole_party,
                products: &whole_party,
                clusters_before: &[id],
                clusters_after: &[id],
            };
            return self.tell_change(observer, story);
        }
        self.clusters.wholes.remove(&id);
        self.kill(slot);
        self.changed.push(slot);
        let ids = [a.id, b.id];
        for (part, slot) in [a, b].into_iter().zip(slots) {
            self.changed.push(slot);
            if let Some(whole) = part.whole {
                self.clusters.wholes.insert(part.id, *whole);
                self.start_timer(part.id, Place::Slot(slot), time);
            }
        }
        self.tally.unbound += 1;
        let story = Story {
            kind: ChangeKind::Split,
            rule,
            time,
            place,
            reactants: &whole_party,
            products: &slots.map(|slot| self.party(slot)),
            clusters_before: &[id],
            clusters_after: &ids,
        };
        self.tell_change(observer, story)
    }

    /// A bond breaks: its unit becomes two, which fly apart along the bond.
    fn break_bond(
        &mut self,
        time: f64,
        number: u32,
        chosen: &Channel,
        generator: &mut Xoshiro256PlusPlus,
        observer: &mut dyn Observer<D>,
    ) -> Result<(), StepError> {
        let unit = self.clusters.remove_unit(number);
        self.timers.cancel(unit.id);
        let ids = unit.bonds[chosen.bond].ids;
        let slots = ids.map(|id| unit.member(&self.particles, id));
        let places = slots.map(|slot| self.place_at(slot, time));
        let apart = self.domain.nearest_image(places[1] - places[0]);
        let tree = unit.tree(&self.particles);
        let (pieces, bonds) = (tree.pieces(chosen.bond), tree.bonds(chosen.bond));
        let parting = Parting {
            normal: apart * (1.0 / apart.norm()),
            diffusion: [self.diffusion_of(&pieces[0]), self.diffusion_of(&pieces[1])],
        };
        let velocities = self.parting_velocities(&parting, generator);
        let mut after = [0; 2];
        for (n, (members, bonds)) in pieces.into_iter().zip(bonds).enumerate() {
            after[n] = self.release(members, bonds, time, velocities[n])?;
        }
        self.tally.unbound += 1;
        let parties = slots.map(|slot| self.party(slot));
        let story = Story {
            kind: ChangeKind::Unbonded,
            rule: chosen.rule,
            time,
            place: places[0] + parting.normal * self.particles.radius[slots[0] as usize],
            reactants: &parties,
            products: &parties,
            clusters_before: &[unit.id],
            clusters_after: &after,
        };
        self.tell_change(observer, story)
    }

    /// Lets the members of a piece of a unit go on alone, or as a smaller unit, with the given
    /// velocity plus their drift. Returns the new cluster's identity.
    fn release(
        &mut self,
        members: Vec<u32>,
        bonds: Vec<Bond>,
        time: f64,
        velocity: Vector<D>,
    ) -> Result<u64, StepError> {
        for &member in &members {
            self.particles.unit[member as usize] = crate::particles::ALONE;
            self.particles.diffusion_coefficient[member as usize] = self.free_diffusion(member);
        }
        if let [alone] = members[..] {
            let place = self.place_at(alone, time);
            let drift = self.motion.drift(self.particles.species[alone as usize], place);
            self.redirect(alone, time, velocity + drift)?;
            return Ok(self.particles.id[alone as usize]);
        }
        let id = self.next_id;
        self.next_id += 1;
        self.form_unit(id, members, bonds, time, |engine, unit: &Unit| {
            velocity + engine.unit_velocity(unit, time, Vector::ZERO)
        })?;
        Ok(id)
    }

    /// Where two that part from `place` are: in contact, their place weighted with the other's D.
    fn parted(&self, parting: &Parting<D>, place: Vector<D>, distance: f64) -> [Vector<D>; 2] {
        let share = share(parting.diffusion);
        let apart = parting.normal * distance;
        [place - apart * share, place + apart * (1.0 - share)]
    }

    /// Outgoing velocities of two that part: the relative one with a Rayleigh-distributed normal
    /// part and Gaussian tangential parts of width s = sqrt(2 (D_A + D_B) dt), the common one
    /// Maxwell for mass 1/D_A + 1/D_B. Reversed in time, these are the pairs that bind.
    fn parting_velocities(&self, parting: &Parting<D>, generator: &mut Xoshiro256PlusPlus) -> [Vector<D>; 2] {
        let [d_a, d_b] = parting.diffusion;
        let relative = self.motion.step_length(d_a + d_b);
        let gaussian: Vector<D> = Vector::from_fn(|_| StandardNormal.sample(generator));
        let rayleigh = {
            let exponential: f64 = Exp1.sample(generator);
            (2.0 * exponential).sqrt()
        };
        let tangential = gaussian - parting.normal * gaussian.dot(parting.normal);
        let outgoing = (tangential + parting.normal * rayleigh) * relative;
        let common: Vector<D> = Vector::from_fn(|_| StandardNormal.sample(generator));
        let joint = if d_a + d_b > 0.0 { d_a * d_b / (d_a + d_b) } else { 0.0 };
        let common = common * self.motion.step_length(joint);
        let share = share(parting.diffusion);
        [common - outgoing * share, common + outgoing * (1.0 - share)]
    }
}

/// D_A / (D_A + D_B).
fn share([d_a, d_b]: [f64; 2]) -> f64 {
    if d_a + d_b > 0.0 { d_a / (d_a + d_b) } else { 0.5 }
}

/// A uniformly distributed unit vector.
fn direction<const D: usize>(generator: &mut Xoshiro256PlusPlus) -> Vector<D> {
    loop {
        let gaussian: Vector<D> = Vector::from_fn(|_| StandardNormal.sample(generator));
        let norm = gaussian.norm();
        if norm > 1e-6 {
            return gaussian * (1.0 / norm);
        }
    }
}

/// The channel that a uniform number picks, each with the weight of its rate.
fn choose(channels: &[Channel], uniform: f64) -> &Channel {
    let total: f64 = channels.iter().map(|channel| channel.rate).sum();
    let mut left = uniform * total;
    for channel in channels {
        left -= channel.rate;
        if left < 0.0 {
            return channel;
        }
    }
    &channels[channels.len() - 1]
}

/// A part as a body again.
fn set_free<const D: usize>(
    part: &Part,
    position: Vector<D>,
    velocity: Vector<D>,
    since: f64,
    image: [i32; D],
) -> Body<D> {
    Body {
        position,
        velocity,
        since,
        radius: part.radius,
        diffusion_coefficient: part.diffusion_coefficient,
        species: part.species,
        id: part.id,
        image,
    }
}
