//! Clusters are cut: by an enzyme at a contact, or in time. A coalesced body is a row of those that
//! it is made of, cut between two neighbours; a unit is cut at a bond. Pieces that are too small
//! fall apart into single bodies.

use super::StepError;
use super::bodies::{Bodies, set_free};
use super::convert::TRIES;
use super::reaction::Reaction;
use super::report::Story;
use super::touch::Touch;
use jostle_core::clusters::{Assembly, Part, Piece, Whole, joint_radius};
use jostle_core::observe::ChangeKind;
use jostle_core::particles::ALONE;
use jostle_core::rules::{Action, Cut, Decision, Fragmentation, TimedAction};
use rand::RngExt;

impl<const D: usize> Bodies<D> {
    /// How rule `number` cuts.
    pub(super) fn fragmentation(&self, number: u16) -> Fragmentation {
        let rules = self.book.rules();
        let at_contact = rules.contact.get(number as usize).map(|rule| rule.action);
        match (at_contact, rules.timed_rule(number).map(|rule| &rule.action)) {
            (Some(Action::Cut(how)), _) => how,
            (_, Some(TimedAction::Fragment { how, .. })) => *how,
            _ => Fragmentation::default(),
        }
    }

    /// Whether there is anything to cut at what a cutting rule has decided to cut.
    pub(super) fn can_be_cut(&self, touch: &Touch<D>, decision: Decision) -> bool {
        let victim = touch.slots[usize::from(!decision.swapped)] as usize;
        self.particles.unit[victim] != ALONE
            || self.clusters.wholes.contains_key(&self.particles.id[victim])
    }
}

impl<const D: usize> Reaction<'_, D> {
    /// The first of two touching bodies, in the rule's order, cuts the cluster of the second.
    /// Returns false, and changes nothing, if the pieces do not fit.
    pub(super) fn cut_by_contact(
        &mut self,
        touch: &Touch<D>,
        decision: Decision,
    ) -> Result<bool, StepError> {
        let victim = touch.slots[usize::from(!decision.swapped)];
        let number = self.engine.bodies.particles.unit[victim as usize];
        if number == ALONE {
            return self.cut_whole(victim);
        }
        let cut = self.engine.bodies.fragmentation(self.rule).cut;
        let unit = self.engine.bodies.clusters.unit(number);
        let tree = unit.tree(&self.engine.bodies.particles);
        let bonds: Vec<usize> =
            (0..unit.bonds.len()).filter(|&n| cut != Cut::End || tree.is_end(n)).collect();
        let bond = bonds[self.generator.random_range(0..bonds.len())];
        self.cut_unit(number, bond)?;
        Ok(true)
    }

    /// Cuts a unit at a bond, or at all of them. Bodies of pieces that are too small are alone
    /// then.
    pub(super) fn cut_unit(&mut self, number: u32, bond: usize) -> Result<(), StepError> {
        let how = self.engine.bodies.fragmentation(self.rule);
        let unit = self.engine.dissolve(number);
        let ends = unit.bonds[bond].ids.map(|id| unit.member(&self.engine.bodies.particles, id));
        let broken = |n: usize| n == bond || how.cut == Cut::All;
        let left = (0..unit.bonds.len()).filter(|&n| !broken(n)).map(|n| unit.bonds[n]);
        let mut members = unit.members.clone();
        members.sort_unstable_by_key(|&slot| self.engine.bodies.particles.id[slot as usize]);
        let mut left: Vec<_> = left.collect();
        // The bonds of pieces that are too small break as well.
        let small: Vec<u32> =
            jostle_core::clusters::components(&members, &left, &self.engine.bodies.particles)
                .into_iter()
                .filter(|piece| {
                    self.engine
                        .bodies
                        .clusters
                        .size_among(&self.engine.bodies.particles, &piece.members)
                        < how.minimum
                })
                .flat_map(|piece| piece.members)
                .collect();
        let in_small = |id: u64| {
            small.iter().any(|&slot| self.engine.bodies.particles.id[slot as usize] == id)
        };
        left.retain(|bond| !in_small(bond.ids[0]));
        let lost: Vec<[u64; 2]> =
            unit.bonds.iter().filter(|bond| !left.contains(bond)).map(|bond| bond.ids).collect();
        let dissolved: Vec<(u32, u16)> = small
            .iter()
            .filter_map(|&slot| Some((slot, self.dissolves_into(slot, how)?)))
            .collect();
        let reactants: Vec<_> = if dissolved.is_empty() {
            ends.map(|slot| self.engine.bodies.party(slot)).to_vec()
        } else {
            dissolved.iter().map(|&(slot, _)| self.engine.bodies.party(slot)).collect()
        };
        let (pieces, after) = self.engine.bodies.regroup(members, left, None);
        for &(slot, species) in &dissolved {
            let kind = &self.engine.bodies.species[species as usize];
            let free = kind
                .diffusion_coefficient
                .unwrap_or_else(|| self.engine.bodies.free_diffusion(slot));
            self.engine.bodies.turn_into(slot, species, free);
        }
        let place = self.engine.bodies.place_at(ends[0], self.time);
        self.let_go(&pieces, ends, place)?;
        self.engine.tally.cut += 1;
        let products: Vec<_> = if dissolved.is_empty() {
            ends.map(|slot| self.engine.bodies.party(slot)).to_vec()
        } else {
            dissolved.iter().map(|&(slot, _)| self.engine.bodies.party(slot)).collect()
        };
        let story = Story {
            products: &products,
            bonds_broken: &lost,
            before: &[unit.id],
            after: &after,
            ..Story::of(ChangeKind::Fragmented, self.rule, self.time, place, &reactants)
        };
        self.tell_change(story)
    }

    /// What the body in `slot`, which is left alone in a piece that is too small, turns into where
    /// it is: only one of its own size, since it touches others.
    fn dissolves_into(&mut self, slot: u32, how: Fragmentation) -> Option<u16> {
        let species = how.dissolved?;
        let radius = self.engine.bodies.species[species as usize].radius;
        let as_large = radius == Some(self.engine.bodies.particles.radius[slot as usize]);
        let lives_here = self
            .engine
            .bodies
            .ground()
            .live_together(species, self.engine.bodies.particles.species[slot as usize]);
        (as_large && lives_here && self.engine.may_become(slot, species, self.time, &[]))
            .then_some(species)
    }

    /// Cuts the coalesced body in `slot` between two of the bodies in its row. Returns false, and
    /// changes nothing, if the pieces do not fit.
    pub(super) fn cut_whole(&mut self, slot: u32) -> Result<bool, StepError> {
        let id = self.engine.bodies.particles.id[slot as usize];
        let Some(whole) = self.engine.bodies.clusters.wholes.get(&id) else { return Ok(false) };
        let row = whole.row();
        let how = self.engine.bodies.fragmentation(self.rule);
        let place = self.engine.bodies.place_at(slot, self.time);
        let (pieces, used) = self.pieces_of_row(slot, row, how);
        let bodies: Vec<Part> = pieces.iter().map(|piece| piece.body).collect();
        let Some(slots) = self.place_pieces(slot, &bodies) else { return Ok(false) };
        self.engine.bodies.next_id += used;
        let reactant = [self.engine.bodies.party(slot)];
        self.engine.bodies.clusters.wholes.remove(&id);
        self.engine.kill(slot);
        self.engine.scratch.changed.push(slot);
        for Assembly { body, whole } in pieces {
            if let Some(whole) = whole {
                self.engine.bodies.clusters.wholes.insert(body.id, whole);
            }
        }
        if let &[first, second] = &slots[..] {
            self.fly_apart([first, second])?;
        } else {
            self.scatter(&slots, place)?;
        }
        slots.iter().for_each(|&slot| {
            self.engine.plans.restart_clock(&self.engine.bodies, slot, self.time)
        });
        self.engine.tally.cut += 1;
        let story = Story {
            products: &slots.iter().map(|&slot| self.engine.bodies.party(slot)).collect::<Vec<_>>(),
            before: &[id],
            after: &self.engine.bodies.clusters_of(&slots),
            ..Story::of(ChangeKind::Fragmented, self.rule, self.time, place, &reactant)
        };
        self.tell_change(story)?;
        Ok(true)
    }

    /// The pieces of a row that is cut, and how many new identities they use. That of the body that
    /// was cut stays with the piece that has the single body of this identity, if it has grown from
    /// one; else with the larger piece.
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
        let species = self.engine.bodies.particles.species[i];
        let (first, second) = row.split_at(at);
        // All at once is a piece that is too small, whatever its size.
        let minimum = if how.cut == Cut::All { usize::MAX } else { how.minimum.max(2) as usize };
        let id = self.engine.bodies.particles.id[i];
        let mut ids = vec![id, self.engine.bodies.next_id];
        let mut pieces = Vec::new();
        let mut used = 0;
        let holds = |half: &[Part]| half.iter().any(|part| part.id == id);
        let first_keeps = holds(first) || (!holds(second) && first.len() > second.len());
        for half in if first_keeps { [first, second] } else { [second, first] } {
            if half.len() < minimum {
                let dissolve = half.len() < how.minimum as usize || how.cut == Cut::All;
                let single = |part: &Part| self.single(part, how.dissolved.filter(|_| dissolve));
                pieces.extend(half.iter().map(|part| Assembly { body: single(part), whole: None }));
                if holds(half) {
                    ids.remove(0);
                }
                continue;
            }
            let kind = &self.engine.bodies.species[species as usize];
            let radius =
                kind.radius.unwrap_or_else(|| joint_radius(half.iter().map(|p| p.radius), D));
            let mobility = || {
                let pieces: Vec<Piece> = half.iter().map(Piece::from).collect();
                self.engine.bodies.mobility.diffusion_coefficient(&pieces, D)
            };
            let diffusion_coefficient = kind.diffusion_coefficient.unwrap_or_else(mobility);
            let id = ids.remove(0);
            used += u64::from(id == self.engine.bodies.next_id);
            let body = Part { id, species, radius, diffusion_coefficient, ahead: [0; 3] };
            pieces.push(Assembly { body, whole: Some(Whole::of_row(body, half.iter().copied())) });
        }
        (pieces, used)
    }

    /// A body of a row on its own, as what it was or as one of another species.
    fn single(&self, part: &Part, species: Option<u16>) -> Part {
        let Some(species) = species else { return *part };
        let kind = &self.engine.bodies.species[species as usize];
        Part {
            species,
            radius: kind.radius.unwrap_or(part.radius),
            diffusion_coefficient: kind.diffusion_coefficient.unwrap_or(part.diffusion_coefficient),
            ..*part
        }
    }

    /// Puts two pieces in contact around the place of the body in `slot`, as parts of a pair are
    /// that falls apart.
    fn place_halves(&mut self, slot: u32, bodies: [Part; 2]) -> Option<Vec<u32>> {
        let (place, image) = (
            self.engine.bodies.place_at(slot, self.time),
            self.engine.bodies.particles.image[slot as usize],
        );
        let former = self.engine.bodies.particles.species[slot as usize];
        for _ in 0..TRIES {
            let places = self.engine.bodies.ground().parting_places(
                place,
                &bodies,
                None,
                &mut self.generator,
            )?;
            let here = |n: usize| {
                self.engine.bodies.ground().is_on_this_side(
                    bodies[n].species,
                    [place, places[n]],
                    former,
                )
            };
            if !(here(0) && here(1)) {
                continue;
            }
            let slots =
                [0, 1].map(|n| self.engine.add(set_free(&bodies[n], places[n], self.time, image)));
            let others = [slot, slots[0], slots[1]];
            if self.engine.fits(slots[0], self.time, &others)
                && self.engine.fits(slots[1], self.time, &others)
            {
                return Some(slots.to_vec());
            }
            self.engine.take_back(slots[1]);
            self.engine.take_back(slots[0]);
        }
        None
    }

    /// Puts pieces in the place of the body in `slot`: two in contact around it, more of them each
    /// in contact with one before it. None if they do not fit in any of the directions tried, or
    /// one lives on a surface that may be far away.
    fn place_pieces(&mut self, slot: u32, bodies: &[Part]) -> Option<Vec<u32>> {
        let (place, image) = (
            self.engine.bodies.place_at(slot, self.time),
            self.engine.bodies.particles.image[slot as usize],
        );
        let former = self.engine.bodies.particles.species[slot as usize];
        if !bodies
            .iter()
            .all(|part| self.engine.bodies.ground().may_come_out_of(part.species, former))
        {
            return None;
        }
        if let &[a, b] = bodies {
            return self.place_halves(slot, [a, b]);
        }
        let mut slots: Vec<u32> = Vec::with_capacity(bodies.len());
        for part in bodies {
            let mut found = None;
            for _ in 0..TRIES {
                let (position, beside) = match slots.len() {
                    0 => (
                        self.engine.bodies.ground().docked(
                            part.species,
                            former,
                            part.radius,
                            place,
                        ),
                        slot,
                    ),
                    count => {
                        let anchor = slots[self.generator.random_range(0..count)];
                        let distance =
                            self.engine.bodies.particles.radius[anchor as usize] + part.radius;
                        let centre = self.engine.bodies.place_at(anchor, self.time);
                        let Some(position) = self.engine.bodies.ground().beside(
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
                if !self.engine.bodies.ground().is_on_this_side(
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
