//! Clusters are cut: by an enzyme at a contact, or in time. A coalesced particle is a row of those
//! that it is made of, cut between two neighbours; a unit is cut at a bond. Pieces that are too
//! small fall apart into single particles.

use super::StepError;
use super::convert::TRIES;
use super::diffusion::Diffusion;
use super::reaction::{Attempt, Reaction, Refusal};
use super::report::ChangeRecord;
use super::system::{System, set_free};
use super::touch::Touch;
use jostle_core::clusters::{Assembly, Bond, Part, Piece, Whole, joint_radius};
use jostle_core::observe::ChangeKind;
use jostle_core::particles::ALONE;
use jostle_core::rules::{Cut, Decision, Fragmentation};
use rand::RngExt;

impl<const D: usize> System<D> {
    /// How rule `number` cuts.
    pub(super) fn fragmentation(&self, number: u16) -> Fragmentation {
        let rules = self.book.rules();
        let at_contact =
            rules.contact.get(number as usize).and_then(|rule| rule.action.effect().cuts);
        let in_time = || rules.timed_rule(number)?.action.cuts().map(|(_, how)| how);
        at_contact.or_else(in_time).unwrap_or_default()
    }

    /// Whether there is anything to cut at what a cutting rule has decided to cut.
    pub(super) fn can_be_cut(&self, touch: &Touch<D>, decision: Decision) -> bool {
        let victim = touch.slots[usize::from(!decision.swapped)] as usize;
        self.particles.unit[victim] != ALONE
            || self.clusters.wholes.contains_key(&self.particles.id[victim])
    }
}

impl<const D: usize> Reaction<'_, D> {
    /// The first of two touching particles, in the rule's order, cuts the cluster of the second.
    /// Nothing changes if the pieces do not fit.
    pub(super) fn cut_by_contact(
        &mut self,
        touch: &Touch<D>,
        decision: Decision,
    ) -> Result<Attempt, StepError> {
        let victim = touch.slots[usize::from(!decision.swapped)];
        let number = self.engine.system.particles.unit[victim as usize];
        if number == ALONE {
            return self.cut_whole(victim);
        }
        let cut = self.engine.system.fragmentation(self.rule).cut;
        let unit = self.engine.system.clusters.unit(number);
        let graph = unit.graph(&self.engine.system.particles);
        let bonds: Vec<usize> =
            (0..unit.bonds.len()).filter(|&n| cut != Cut::End || graph.is_end(n)).collect();
        if bonds.is_empty() {
            // A ring has no ends.
            return Ok(Err(Refusal::Declined));
        }
        let bond = bonds[self.generator.random_range(0..bonds.len())];
        self.cut_unit(number, bond)?;
        Ok(Ok(()))
    }

    /// Cuts a unit at a bond, or at all of them. Particles of pieces that are too small are alone
    /// then.
    pub(super) fn cut_unit(&mut self, number: u32, bond: usize) -> Result<(), StepError> {
        // A unit is not moved when it is cut, so its pieces always have room, and nothing is
        // refused.
        let how = self.engine.system.fragmentation(self.rule);
        let unit = self.engine.dissolve(number);
        let ends = unit.bonds[bond].ids.map(|id| unit.member(&self.engine.system.particles, id));
        let broken = |n: usize| n == bond || how.cut == Cut::All;
        let left = (0..unit.bonds.len()).filter(|&n| !broken(n)).map(|n| unit.bonds[n]);
        let mut members = unit.members.clone();
        members.sort_unstable_by_key(|&slot| self.engine.system.particles.id[slot as usize]);
        let mut left: Vec<_> = left.collect();
        // The bonds of pieces that are too small break as well.
        let small: Vec<u32> =
            jostle_core::clusters::components(&members, &left, &self.engine.system.particles)
                .into_iter()
                .filter(|piece| {
                    self.engine
                        .system
                        .clusters
                        .size_among(&self.engine.system.particles, &piece.members)
                        < how.minimum
                })
                .flat_map(|piece| piece.members)
                .collect();
        let in_small = |id: u64| {
            small.iter().any(|&slot| self.engine.system.particles.id[slot as usize] == id)
        };
        left.retain(|bond| !in_small(bond.ids[0]));
        let lost: Vec<Bond> =
            unit.bonds.iter().filter(|bond| !left.contains(bond)).copied().collect();
        let dissolved: Vec<(u32, u16)> = small
            .iter()
            .filter_map(|&slot| Some((slot, self.dissolves_into(slot, how)?)))
            .collect();
        let reactants: Vec<_> = if dissolved.is_empty() {
            ends.map(|slot| self.engine.system.party(slot)).to_vec()
        } else {
            dissolved.iter().map(|&(slot, _)| self.engine.system.party(slot)).collect()
        };
        let (pieces, after) = self.engine.system.regroup(members, left);
        for &(slot, species) in &dissolved {
            let kind = &self.engine.system.species[species as usize];
            let free = kind
                .diffusion_coefficient
                .unwrap_or_else(|| Diffusion(&self.engine.system).free(slot));
            self.engine.system.turn_into(slot, species, free);
        }
        let place = self.engine.system.place_at(ends[0], self.time);
        self.let_go(unit.is_flexible, &pieces, ends, place)?;
        self.engine.tally.cut += 1;
        let products: Vec<_> = if dissolved.is_empty() {
            ends.map(|slot| self.engine.system.party(slot)).to_vec()
        } else {
            dissolved.iter().map(|&(slot, _)| self.engine.system.party(slot)).collect()
        };
        let record = ChangeRecord {
            products: &products,
            bonds_broken: &lost,
            before: &[unit.id],
            after: &after,
            ..ChangeRecord::of(ChangeKind::Fragmented, self.rule, self.time, place, &reactants)
        };
        self.tell_change(record)
    }

    /// What the particle in `slot`, which is left alone in a piece that is too small, turns into
    /// where it is: only one of its own size, since it touches others.
    fn dissolves_into(&mut self, slot: u32, how: Fragmentation) -> Option<u16> {
        let species = how.dissolved?;
        let radius = self.engine.system.species[species as usize].radius;
        let as_large = radius == Some(self.engine.system.particles.radius[slot as usize]);
        let lives_here = self
            .engine
            .system
            .ground()
            .live_together(species, self.engine.system.particles.species[slot as usize]);
        (as_large && lives_here && self.engine.may_become(slot, species, self.time, &[]))
            .then_some(species)
    }

    /// Cuts the coalesced particle in `slot` between two of the particles in its row. Nothing changes
    /// if the pieces do not fit.
    pub(super) fn cut_whole(&mut self, slot: u32) -> Result<Attempt, StepError> {
        let id = self.engine.system.particles.id[slot as usize];
        let Some(whole) = self.engine.system.clusters.wholes.get(&id) else {
            return Ok(Err(Refusal::NoRoom));
        };
        let row = whole.row();
        let how = self.engine.system.fragmentation(self.rule);
        let place = self.engine.system.place_at(slot, self.time);
        let (pieces, used) = self.pieces_of_row(slot, row, how);
        let parts: Vec<Part> = pieces.iter().map(|piece| piece.particle).collect();
        // While the particle that is cut is still there: if its pieces do not fit, there is nothing
        // to undo.
        let Some(slots) = self.place_pieces(slot, &parts) else {
            return Ok(Err(Refusal::NoRoom));
        };
        self.engine.system.next_id += used;
        let reactant = [self.engine.system.party(slot)];
        self.engine.system.clusters.wholes.remove(&id);
        self.engine.kill(slot);
        self.engine.void_plans(slot);
        for Assembly { particle, whole } in pieces {
            if let Some(whole) = whole {
                self.engine.system.clusters.wholes.insert(particle.id, whole);
            }
        }
        if let &[first, second] = &slots[..] {
            self.fly_apart([first, second])?;
        } else {
            self.scatter(&slots, place)?;
        }
        slots.iter().for_each(|&slot| {
            self.engine.plans.restart_clock(&self.engine.system, slot, self.time)
        });
        self.engine.tally.cut += 1;
        let record = ChangeRecord {
            products: &slots.iter().map(|&slot| self.engine.system.party(slot)).collect::<Vec<_>>(),
            before: &[id],
            after: &self.engine.system.clusters_of(&slots),
            ..ChangeRecord::of(ChangeKind::Fragmented, self.rule, self.time, place, &reactant)
        };
        self.tell_change(record)?;
        Ok(Ok(()))
    }

    /// The pieces of a row that is cut, and how many new identities they use. That of the particle
    /// that was cut stays with the piece that has the single particle of this identity, if it has
    /// grown from one; else with the larger piece.
    fn pieces_of_row(
        &mut self,
        slot: u32,
        row: Vec<Part>,
        how: Fragmentation,
    ) -> (Vec<Assembly>, u64) {
        let n = row.len();
        let at = match how.cut {
            Cut::Any => self.generator.random_range(1..n),
            Cut::End => [1, n - 1][self.generator.random_range(0..2)],
            Cut::All => 0,
        };
        let i = slot as usize;
        let species = self.engine.system.particles.species[i];
        let (first, second) = row.split_at(at);
        // All at once is a piece that is too small, whatever its size.
        let minimum = if how.cut == Cut::All { usize::MAX } else { how.minimum.max(2) as usize };
        let id = self.engine.system.particles.id[i];
        // The next identity is only looked at. The caller takes as many as are used, once the
        // pieces fit.
        let mut ids = vec![id, self.engine.system.next_id];
        let mut pieces = Vec::new();
        let mut used = 0;
        let holds = |half: &[Part]| half.iter().any(|part| part.id == id);
        let first_keeps = holds(first) || (!holds(second) && first.len() > second.len());
        for half in if first_keeps { [first, second] } else { [second, first] } {
            if half.len() < minimum {
                // What is cut off alone, and may be alone, stays what it was; what is left of a
                // piece that is too small becomes what the rule says.
                let dissolve = half.len() < how.minimum as usize || how.cut == Cut::All;
                let single = |part: &Part| self.single(part, how.dissolved.filter(|_| dissolve));
                pieces.extend(
                    half.iter().map(|part| Assembly { particle: single(part), whole: None }),
                );
                if holds(half) {
                    ids.remove(0);
                }
                continue;
            }
            let kind = &self.engine.system.species[species as usize];
            let radius =
                kind.radius.unwrap_or_else(|| joint_radius(half.iter().map(|p| p.radius), D));
            let mobility = || {
                let pieces: Vec<Piece> = half.iter().map(Piece::from).collect();
                self.engine.system.mobility.diffusion_coefficient(&pieces, D)
            };
            let diffusion_coefficient = kind.diffusion_coefficient.unwrap_or_else(mobility);
            let id = ids.remove(0);
            used += u64::from(id == self.engine.system.next_id);
            let particle = Part { id, species, radius, diffusion_coefficient, ahead: [0; 3] };
            pieces.push(Assembly {
                particle,
                whole: Some(Whole::of_row(particle, half.iter().copied())),
            });
        }
        (pieces, used)
    }

    /// A particle of a row on its own, as what it was or as one of another species.
    fn single(&self, part: &Part, species: Option<u16>) -> Part {
        let Some(species) = species else { return *part };
        let kind = &self.engine.system.species[species as usize];
        Part {
            species,
            radius: kind.radius.unwrap_or(part.radius),
            diffusion_coefficient: kind.diffusion_coefficient.unwrap_or(part.diffusion_coefficient),
            ..*part
        }
    }

    /// Puts two pieces in contact around the place of the particle in `slot`, as parts of a pair
    /// are that falls apart.
    fn place_halves(&mut self, slot: u32, parts: [Part; 2]) -> Option<Vec<u32>> {
        let (place, image) = (
            self.engine.system.place_at(slot, self.time),
            self.engine.system.particles.image[slot as usize],
        );
        let former = self.engine.system.particles.species[slot as usize];
        for _ in 0..TRIES {
            let found = self.engine.system.ground().parting_places(
                place,
                &parts,
                None,
                &mut self.generator,
            );
            let places = match found {
                Ok(places) => places,
                Err(Refusal::Declined) => continue,
                Err(Refusal::NoRoom) => return None,
            };
            let here = |n: usize| {
                self.engine.system.ground().is_on_this_side(
                    parts[n].species,
                    [place, places[n]],
                    former,
                )
            };
            if !(here(0) && here(1)) {
                continue;
            }
            let slots =
                [0, 1].map(|n| self.engine.add(set_free(&parts[n], places[n], self.time, image)));
            let others = [slot, slots[0], slots[1]];
            if self.engine.fits(slots[0], self.time, &others)
                && self.engine.fits(slots[1], self.time, &others)
            {
                return Some(slots.to_vec());
            }
            // The last one first, as particles are taken from the end of the arrays.
            self.engine.take_back(slots[1]);
            self.engine.take_back(slots[0]);
        }
        None
    }

    /// Puts pieces in the place of the particle in `slot`: two in contact around it, more of them
    /// each in contact with one before it. None if they do not fit in any of the directions tried,
    /// or one lives on a surface that may be far away.
    fn place_pieces(&mut self, slot: u32, parts: &[Part]) -> Option<Vec<u32>> {
        let (place, image) = (
            self.engine.system.place_at(slot, self.time),
            self.engine.system.particles.image[slot as usize],
        );
        let former = self.engine.system.particles.species[slot as usize];
        if !parts
            .iter()
            .all(|part| self.engine.system.ground().may_come_out_of(part.species, former))
        {
            return None;
        }
        if let &[a, b] = parts {
            return self.place_halves(slot, [a, b]);
        }
        let mut slots: Vec<u32> = Vec::with_capacity(parts.len());
        for part in parts {
            let mut found = None;
            for _ in 0..TRIES {
                let (position, beside) = match slots.len() {
                    0 => (
                        self.engine.system.ground().docked(
                            part.species,
                            former,
                            part.radius,
                            (place, true),
                        ),
                        slot,
                    ),
                    count => {
                        let anchor = slots[self.generator.random_range(0..count)];
                        let distance =
                            self.engine.system.particles.radius[anchor as usize] + part.radius;
                        let centre = self.engine.system.place_at(anchor, self.time);
                        let Some(position) = self.engine.system.ground().beside(
                            part.species,
                            centre,
                            distance,
                            &mut self.generator,
                        ) else {
                            continue;
                        };
                        (position, anchor)
                    }
                };
                if !self.engine.system.ground().is_on_this_side(
                    part.species,
                    [place, position],
                    former,
                ) {
                    continue;
                }
                let added = self.engine.add(set_free(part, position, self.time, image));
                if self.engine.fits(added, self.time, &[slot, beside]) {
                    found = Some(added);
                    break;
                }
                self.engine.take_back(added);
            }
            match found {
                Some(added) => slots.push(added),
                None => {
                    slots.into_iter().rev().for_each(|slot| self.engine.take_back(slot));
                    return None;
                }
            }
        }
        Some(slots)
    }
}
