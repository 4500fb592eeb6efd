//! Rigid units turn, at the end of the step: each proposes a rotation, and turns if it overlaps no
//! particle then, and no member gets through a surface that stops it. Since proposals there and
//! back are as likely, the equilibrium stays exact; how fast units turn in a crowd converges as the
//! time step shrinks.
//!
//! Units turn in the order of their identities, each among the others as they are by then. With
//! neighbour lists all are tested at once, on any thread, with the same result: a unit finds those
//! of higher identity where they were, and depends on what comes of one of lower identity only if
//! it overlaps that in one of its two places and not in the other. Those few are decided in order
//! when all others have been.

use rayon::prelude::*;

use super::Brownian;
use super::diffusion::Diffusion;
use super::shells::Among;
use super::system::System;
use super::tumble::turn_by;
use jostle_core::clusters::{Piece, Rotation, Unit, centre_of_friction, rotational_diffusion};
use jostle_core::particles::{ALONE, Particles};
use jostle_core::search::{Broad, Verlet};
use jostle_core::space::{Orientation, Path, Vector};

/// Units handled as one piece of work; no result depends on it.
const CHUNK: usize = 64;

/// What a unit proposes.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Proposal {
    /// To stay as it is: it does not turn, or there is no such unit.
    Stay,
    /// To stay, since it spans half the box or more and might meet itself.
    TooWide,
    /// To turn, which would take a member through a surface.
    Blocked,
    /// To turn. Where its members would be begins at this place of its batch.
    Turn(usize),
}

/// The proposals of [`CHUNK`] units, and what is needed to make them.
#[derive(Debug)]
struct Batch<const D: usize> {
    proposals: Vec<Proposal>,
    places: Vec<Vector<D>>,
    /// Members that would leave what their neighbour lists cover: their slots, where they are, and
    /// how far they would get. \[nm\]
    beyond: Vec<(u32, Vector<D>, f64)>,
    /// Of each unit, in terms of which it rotates.
    normals: Vec<Vector<D>>,
    /// How each unit would turn. \[unit\]
    turns: Vec<Orientation>,
    ids: Vec<u64>,
    offsets: Vec<Vector<D>>,
    pieces: Vec<Piece>,
}

impl<const D: usize> Default for Batch<D> {
    fn default() -> Self {
        let (proposals, places, beyond, normals) = Default::default();
        let (turns, ids, offsets, pieces) = Default::default();
        Self { proposals, places, beyond, normals, turns, ids, offsets, pieces }
    }
}

/// Which units of a batch turn, as far as that is known.
#[derive(Debug, Default)]
struct Verdicts {
    turns: Vec<bool>,
    dependences: Vec<Dependence>,
}

/// A unit stays if another, of lower identity, turns, or if that does not.
#[derive(Clone, Copy, Debug)]
struct Dependence {
    id: u64,
    number: u32,
    on: u32,
    turning: bool,
}

/// The proposals of a step, kept from step to step so that nothing is allocated.
#[derive(Debug, Default)]
pub(super) struct Turns<const D: usize> {
    batches: Vec<Batch<D>>,
    verdicts: Vec<Verdicts>,
}

impl<const D: usize> Brownian<D> {
    /// Lets all units turn.
    pub(super) fn turn_units(&mut self) {
        if D == 1 || self.system.clusters.unit_count() == 0 {
            return;
        }
        let mut turns = std::mem::take(&mut self.turns);
        turns.propose(&self.system, self.search.lists());
        self.tally.too_wide_to_turn += turns.count(|proposal| proposal == Proposal::TooWide);
        self.tally.rotations[0] +=
            turns.count(|proposal| matches!(proposal, Proposal::Blocked | Proposal::Turn(_)));
        // Where energies differ from place to place, chance decides, too, and one after the other.
        match self.search.lists().is_some() && !self.system.has_energies() {
            true => turns.at_once(self),
            false => turns.one_by_one(self),
        }
        self.turns = turns;
    }
}

impl<const D: usize> Turns<D> {
    /// Lets those turn that can, all tested at once.
    fn at_once(&mut self, engine: &mut Brownian<D>) {
        let paths = engine.system.paths();
        // First of all, since the far end of a large unit swings farther than its lists cover, and
        // what it runs into there would not be on them. Such members are entered as strays, for
        // which cells are searched.
        if let Some(lists) = engine.search.lists_mut() {
            for &(slot, place, far) in self.batches.iter().flat_map(|batch| &batch.beyond) {
                lists.stray(slot, place, far, &paths);
            }
        }
        let Some(lists) = engine.search.lists() else { return };
        self.test(&engine.system, lists);
        self.decide();
        // Nothing is planned any more, and the next refit takes up all places anyway; so neither
        // the agenda nor the search structure is told.
        for (number, places) in self.turning(&engine.system) {
            engine.tally.rotations[1] += 1;
            let System { clusters, particles, .. } = &mut engine.system;
            let members = &clusters.unit(number).members;
            self.turn(particles, number, members);
            for (&slot, place) in members.iter().zip(places) {
                (particles.position[slot as usize], particles.since[slot as usize]) = (*place, 1.0);
            }
            engine.system.diffuse_here(number, 1.0);
        }
    }

    /// The same, one after the other.
    fn one_by_one(&self, engine: &mut Brownian<D>) {
        let units = (0..).zip(&engine.system.clusters.units);
        let mut units: Vec<(u64, u32)> =
            units.filter_map(|(number, unit)| Some((unit.as_ref()?.id, number))).collect();
        // Identities, not the numbers of units, which depend on what has been taken apart before.
        units.sort_unstable();
        for (_, number) in units {
            let members = engine.system.clusters.unit(number).members.clone();
            let Some(places) = self.places(number, members.len()) else { continue };
            let former = members.iter().map(|&slot| {
                let i = slot as usize;
                (engine.system.particles.position[i], engine.system.particles.since[i])
            });
            let former: Vec<_> = former.collect();
            let before = Among(engine).energy_of(&members, &[], 1.0);
            put(engine, &members, places.iter().map(|place| (*place, 1.0)));
            let fits = members.iter().all(|&member| engine.fits(member, 1.0, &members));
            if fits && Among(engine).accepts_turn(number, before, &members) {
                engine.tally.rotations[1] += 1;
                self.turn(&mut engine.system.particles, number, &members);
                engine.system.diffuse_here(number, 1.0);
            } else {
                put(engine, &members, former.into_iter());
            }
        }
    }

    /// Lets all units propose a rotation.
    fn propose(&mut self, system: &System<D>, lists: Option<&Verlet<D>>) {
        let units = &system.clusters.units;
        self.batches.resize_with(units.len().div_ceil(CHUNK), Batch::default);
        let batches = self.batches.par_iter_mut().zip(units.par_chunks(CHUNK));
        batches.for_each(|(batch, units)| {
            batch.proposals.clear();
            batch.places.clear();
            batch.beyond.clear();
            batch.turns.clear();
            batch.turns.resize(units.len(), Orientation::NONE);
            batch.draw(system, units);
            for (n, unit) in units.iter().enumerate() {
                let proposal =
                    unit.as_ref().map_or(Proposal::Stay, |unit| batch.propose(system, unit, n));
                if let (Proposal::Turn(first), Some(unit), Some(lists)) = (proposal, unit, lists) {
                    batch.note_those_beyond(system, lists, &unit.members, first);
                }
                batch.proposals.push(proposal);
            }
        });
    }

    fn count(&self, of: impl Fn(Proposal) -> bool) -> u64 {
        let all = self.batches.iter().flat_map(|batch| &batch.proposals);
        all.filter(|&&proposal| of(proposal)).count() as u64
    }

    /// Where the members of a unit of so many would be, if it proposes to turn.
    fn places(&self, number: u32, members: usize) -> Option<&[Vector<D>]> {
        let batch = &self.batches[number as usize / CHUNK];
        match batch.proposals[number as usize % CHUNK] {
            Proposal::Turn(first) => Some(&batch.places[first..first + members]),
            _ => None,
        }
    }

    /// Turns the members of a unit as it has proposed, as far as it matters how they are turned.
    fn turn(&self, particles: &mut Particles<D>, number: u32, members: &[u32]) {
        if particles.are_oriented {
            let turn = self.batches[number as usize / CHUNK].turns[number as usize % CHUNK];
            for &slot in members {
                let orientation = &mut particles.orientation[slot as usize];
                *orientation = orientation.turned(turn);
            }
        }
    }

    /// Tests all proposals, each among the others.
    fn test(&mut self, system: &System<D>, lists: &Verlet<D>) {
        let mut verdicts = std::mem::take(&mut self.verdicts);
        verdicts.resize_with(self.batches.len(), Verdicts::default);
        let this = &*self;
        verdicts.par_iter_mut().enumerate().for_each(|(n, verdicts)| {
            verdicts.turns.clear();
            verdicts.dependences.clear();
            let first = (n * CHUNK) as u32;
            for number in first..first + this.batches[n].proposals.len() as u32 {
                let turns = system.clusters.units[number as usize].as_ref().is_some_and(|unit| {
                    let places = this.places(number, unit.members.len());
                    places.is_some_and(|places| {
                        let proposed = Proposed { turns: this, system, number, unit };
                        proposed.fits(lists, places, &mut verdicts.dependences)
                    })
                });
                verdicts.turns.push(turns);
            }
        });
        self.verdicts = verdicts;
    }

    /// Decides on units that depend on others, in the order of their identities.
    fn decide(&mut self) {
        let mut all: Vec<Dependence> =
            self.verdicts.iter().flat_map(|verdicts| &verdicts.dependences).copied().collect();
        // A unit depends on units of lower identity alone, so in this order each verdict that is
        // asked for is final. Of several dependences of one unit the order is all the same: any of
        // them can stop it.
        all.sort_unstable_by_key(|one| one.id);
        let at = |number: u32| (number as usize / CHUNK, number as usize % CHUNK);
        for Dependence { number, on, turning, .. } in all {
            let ((batch, place), (other_batch, other)) = (at(number), at(on));
            if self.verdicts[other_batch].turns[other] == turning {
                self.verdicts[batch].turns[place] = false;
            }
        }
    }

    /// The units that turn, and where their members are then.
    fn turning(&self, system: &System<D>) -> Vec<(u32, &[Vector<D>])> {
        let turns = self.verdicts.iter().flat_map(|verdicts| &verdicts.turns);
        let numbers = (0..).zip(turns).filter(|(_, turns)| **turns).map(|(number, _)| number);
        let with_places = |number| {
            let members = system.clusters.unit(number).members.len();
            Some((number, self.places(number, members)?))
        };
        numbers.filter_map(with_places).collect()
    }
}

impl<const D: usize> Batch<D> {
    /// Draws for all units at once, and also for empty places and for units that will not turn.
    fn draw(&mut self, system: &System<D>, units: &[Option<Unit>]) {
        let Self { normals, ids, .. } = self;
        ids.clear();
        ids.extend(units.iter().map(|unit| unit.as_ref().map_or(0, |unit| unit.id)));
        normals.clear();
        normals.resize(ids.len(), Vector::ZERO);
        system.motion.sum_of_draws(system.clock.step, normals, |step, normals| {
            system.random.rotations(step, ids, normals);
        });
    }

    /// What a unit proposes that is number `n` of the batch.
    fn propose(&mut self, system: &System<D>, unit: &Unit, n: usize) -> Proposal {
        if unit.is_flexible {
            return Proposal::Stay;
        }
        let Self { places, offsets, pieces, normals, turns, .. } = self;
        system.lay_out(unit, 1.0, offsets);
        pieces.clear();
        pieces.extend(Diffusion(system).pieces_of(&unit.members));
        // A force that acts there does not turn the unit, so turning about it and moving with it
        // are independent of each other.
        let centre = centre_of_friction(offsets, pieces);
        offsets.iter_mut().for_each(|offset| *offset -= centre);
        // Units turn alike in all regions, so that proposals there and back are as likely.
        let diffusion = match system.environment.is_empty() {
            true => unit.diffusion_coefficient,
            false => system.mobility.diffusion_coefficient(pieces, D),
        };
        let turning = rotational_diffusion(offsets, pieces, diffusion);
        if turning <= 0.0 {
            return Proposal::Stay;
        }
        if system.is_too_wide(offsets, pieces) {
            return Proposal::TooWide;
        }
        let width = (2.0 * turning * system.clock.timestep).sqrt();
        let mut angles = [0.0; 3];
        (0..Rotation::<D>::ANGLES).for_each(|k| angles[k] = width * normals[n][k]);
        if !system.stay_in_plane(&unit.members, &mut angles) {
            return Proposal::Stay;
        }
        let rotation = Rotation::<D>::new(angles);
        if system.particles.are_oriented {
            turns[n] = turn_by::<D>(angles);
        }
        let first = places.len();
        let (mut free, has_surfaces) = (true, !system.environment.is_empty());
        for (&member, &offset) in unit.members.iter().zip(&*offsets) {
            let shift = rotation.apply(offset) - offset;
            let place = system.place_at(member, 1.0) + shift;
            let species = system.particles.species[member as usize];
            free = free
                && (!has_surfaces
                    || system.ground().is_on_this_side(species, [place - shift, place], species));
            places.push(place);
        }
        match free {
            true => Proposal::Turn(first),
            false => Proposal::Blocked,
        }
    }

    /// Takes down which members of a unit would leave what their lists cover.
    fn note_those_beyond(
        &mut self,
        system: &System<D>,
        lists: &Verlet<D>,
        members: &[u32],
        first: usize,
    ) {
        let paths = system.paths();
        for (&slot, &position) in members.iter().zip(&self.places[first..]) {
            let radius = system.particles.radius[slot as usize];
            let path = Path { position, velocity: Vector::ZERO, since: 1.0, radius };
            if !lists.covers(slot, &path, &paths) {
                let place = system.place_at(slot, 1.0);
                self.beyond.push((slot, place, (position - place).norm()));
            }
        }
    }
}

/// A unit that proposes to turn.
struct Proposed<'a, const D: usize> {
    turns: &'a Turns<D>,
    system: &'a System<D>,
    number: u32,
    unit: &'a Unit,
}

impl<const D: usize> Proposed<'_, D> {
    /// Whether its members overlap no particle in their new `places`, nor a wall. Where that
    /// depends on units that turn before it, yes, and the dependences are added.
    fn fits(
        &self,
        lists: &Verlet<D>,
        places: &[Vector<D>],
        dependences: &mut Vec<Dependence>,
    ) -> bool {
        let System { particles: p, .. } = self.system;
        let has_walls = self.system.ground().has_walls();
        let known = dependences.len();
        for (&member, &place) in self.unit.members.iter().zip(places) {
            let i = member as usize;
            let clear =
                !has_walls || self.system.ground().is_clear(p.species[i], place, p.radius[i]);
            let mut others = lists.around(member).into_iter().flatten();
            if !clear
                || !others.all(|&other| self.has_room_for((member, place), other, dependences))
            {
                dependences.truncate(known);
                return false;
            }
        }
        true
    }

    /// Whether a member in its new place overlaps another particle, perhaps depending on whether
    /// the other's unit turns.
    fn has_room_for(
        &self,
        (member, place): (u32, Vector<D>),
        other: u32,
        dependences: &mut Vec<Dependence>,
    ) -> bool {
        let System { particles: p, domain, groups, book, clusters, .. } = self.system;
        let [i, j] = [member, other].map(|slot| slot as usize);
        let unit = p.unit[j];
        if unit == self.number {
            return true;
        }
        let distance = p.radius[i] + p.radius[j];
        let overlaps = |there: Vector<D>| {
            domain.nearest_image(there - place).norm_squared() < distance * distance
                && p.alive[j]
                && groups.interact(p.group[i], p.group[j])
                && !book.pass(p.species[i], p.species[j])
        };
        // Those that are alone, or turn later, or not at all, are where they were.
        let before = overlaps(self.system.place_at(other, 1.0));
        if unit == ALONE {
            return !before;
        }
        let theirs = clusters.unit(unit);
        if theirs.id > self.unit.id {
            return !before;
        }
        let Some(turned) = self.turns.places(unit, theirs.members.len()) else { return !before };
        let their_places = theirs.members.iter().zip(turned);
        let after = their_places.into_iter().any(|(&slot, &at)| slot == other && overlaps(at));
        if before != after {
            let (id, number) = (self.unit.id, self.number);
            // In one of its two places it is in the way: in that after its turn if `after`, else in
            // the other.
            dependences.push(Dependence { id, number, on: unit, turning: after });
        }
        !(before && after)
    }
}

impl<const D: usize> System<D> {
    /// Whether a unit of these pieces, at `offsets` \[nm\] from its centre, spans half the box or
    /// more.
    fn is_too_wide(&self, offsets: &[Vector<D>], pieces: &[Piece]) -> bool {
        // If it reaches half the box from its centre, it could swing into its own copy, and members
        // of one unit are not tested against each other.
        let spans = |extent: f64| {
            let edges = self.domain.edges();
            (0..D).any(|k| self.domain.is_periodic(k) && 2.0 * extent > edges[k])
        };
        let reaches = offsets.iter().zip(pieces);
        // One root for all, since hardly any unit is so wide.
        let far = offsets.iter().map(|offset| offset.norm_squared()).fold(0.0, f64::max).sqrt();
        let wide = pieces.iter().map(|piece| piece.radius).fold(0.0, f64::max);
        spans(far + wide)
            && spans(
                reaches.map(|(offset, piece)| offset.norm() + piece.radius).fold(0.0, f64::max),
            )
    }

    /// Where the members of a unit are at `time`, relative to the first: bond by bond, so that it does
    /// not matter whether they are on either side of a periodic face. \[member\]
    pub(super) fn lay_out(&self, unit: &Unit, time: f64, offsets: &mut Vec<Vector<D>>) {
        offsets.clear();
        offsets.resize(unit.members.len(), Vector::ZERO);
        for &step in &unit.outwards {
            let [from, to] = step.map(|member| member as usize);
            let [a, b] = [from, to].map(|member| self.place_at(unit.members[member], time));
            offsets[to] = offsets[from] + self.domain.nearest_image(b - a);
        }
    }
}

/// Lets the paths of these particles begin at other places and times.
fn put<const D: usize>(
    engine: &mut Brownian<D>,
    slots: &[u32],
    starts: impl Iterator<Item = (Vector<D>, f64)>,
) {
    let p = &mut engine.system.particles;
    for (&slot, start) in slots.iter().zip(starts) {
        (p.position[slot as usize], p.since[slot as usize]) = start;
    }
    let paths = engine.system.paths();
    slots.iter().for_each(|&slot| engine.search.update(slot, &paths));
}
