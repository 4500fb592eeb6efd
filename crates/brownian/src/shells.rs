//! Pairs with a potential or a tether: what happens when two particles come to the edge of a shell,
//! where the energy of the pair changes. They get through, faster or slower than before, or are
//! reflected. A tether is an edge at which the energy rises without bound.
//!
//! As for contacts, a pure function of the two paths says so. In which shell a pair is follows from
//! the two paths as well ([`jostle_core::narrow::next_edge`]), so that queue and islands need no
//! memory of it.

use super::Brownian;
use super::balance::is_accepted;
use super::confined::CHORDS;
use super::system::System;
use super::touch::{Approach, Touch, Touched, response};
use jostle_core::narrow::{
    FirstContact, ShellEdge, first_contact_on, next_edge, tether_end, time_after_stay,
};
use jostle_core::observe::Outcome;
use jostle_core::particles::{ALONE, Particles};
use jostle_core::planted::{Fault, planted};
use jostle_core::potentials::{Bounce, Potentials, StepPotential, next_bounce};
use jostle_core::random::Purpose;
use jostle_core::space::Vector;
use rand_distr::{Distribution, Exp1};

/// The potentials, and how far particles reach because of them.
#[derive(Debug, Default)]
pub(super) struct Shells {
    pub(super) potentials: Potentials,
    /// Radius and margin; empty where there are no potentials. \[slot\], \[nm\]
    reach: Vec<f64>,
}

impl Shells {
    pub(super) fn new(potentials: Potentials) -> Self {
        Self { potentials, reach: Vec::new() }
    }

    /// Lets particles be found that are as far apart as tethers allow.
    pub(super) fn reach_tethers<const D: usize>(system: &mut System<D>) {
        let System { shells, particles, clusters, book, species, .. } = system;
        if let Some((length, tethered)) =
            book.rules().tethered(clusters.tethered_species(particles))
        {
            let radii: Vec<_> = species.iter().map(|species| species.radius).collect();
            shells.potentials.add_tethers(length, &tethered, &radii);
        }
    }

    /// How large search structures take the particles to be, where that is not their radius.
    #[inline]
    pub(super) fn reach(&self) -> Option<&[f64]> {
        (!self.reach.is_empty()).then_some(&self.reach)
    }

    /// Takes up all particles as they are now.
    pub(super) fn measure<const D: usize>(&mut self, particles: &Particles<D>) {
        if !self.potentials.is_empty() {
            let all = particles.radius.iter().zip(&particles.species);
            self.reach.clear();
            self.reach.extend(all.map(|(r, species)| r + self.potentials.margin(*species)));
        }
    }

    /// Forgets slots from `count` on.
    pub(super) fn truncate(&mut self, count: usize) {
        self.reach.truncate(count);
    }

    /// Takes up the particle in one slot, which may be the first beyond those known so far.
    pub(super) fn measure_one<const D: usize>(&mut self, particles: &Particles<D>, slot: u32) {
        if !self.potentials.is_empty() {
            let i = slot as usize;
            let reach = particles.radius[i] + self.potentials.margin(particles.species[i]);
            self.reach.resize(particles.len(), reach);
            self.reach[i] = reach;
        }
    }
}

/// So few edges are compared with a distance one after the other, in vector lanes; of more, those next
/// to it are looked up.
const FEW_EDGES: usize = 12;

/// Parts into which the way to the outermost edge is divided to look edges up.
const PARTS: usize = 512;

/// The edges of all potentials and the lengths of all tethers, whichever pairs have them.
#[derive(Clone, Debug, Default)]
pub(super) struct Edges {
    /// Their squares, increasing, between 0 and the largest number there is; empty if there are none. \[nm²\]
    squares: Vec<f64>,
    /// Of equal parts of the squared distance, which of `squares` is the first that no distance in it
    /// is beyond yet.
    first: Vec<u16>,
    /// \[1/nm²\]
    parts: f64,
    /// How many of `squares` are within one part at most.
    crowd: usize,
    /// Nearer than this, pairs with the law of bounces may bounce. \[nm²\]
    climbs: f64,
    /// Nearer than this, something may become of pairs anywhere. \[nm²\]
    within: f64,
}

impl Edges {
    /// Those of potentials, and the lengths of tethers.
    pub(super) fn of<const D: usize>(system: &System<D>) -> Self {
        let System { shells: Shells { potentials, .. }, book, .. } = system;
        if potentials.is_empty() {
            return Self::default();
        }
        let tethers = book.rules().contact.iter().filter_map(|rule| rule.tether);
        let edges = potentials.pairs().flat_map(|(_, potential)| potential.edges().to_vec());
        let pairs = potentials.pairs();
        let climbs = pairs.flat_map(|([a, b], _)| potentials.climbs(a, b));
        let climbs: Vec<f64> = climbs.map(|climb| climb.range()).collect();
        let edges = edges.chain(tethers).chain(climbs.iter().copied());
        let mut this = Self::new(edges.collect());
        this.climbs = climbs.iter().fold(0.0, |most, range| f64::max(most, range * range));
        this.heed_rates(system);
        this
    }

    /// Takes up which rules make tethers at present.
    pub(super) fn heed_rates<const D: usize>(&mut self, system: &System<D>) {
        let rules = system.book.rules().contact.iter().filter(|rule| rule.makes_tethers());
        let lengths = rules.filter_map(|rule| rule.tether);
        self.within = lengths.fold(self.climbs, |most, length| most.max(length * length));
    }

    /// Those at these distances. \[nm\]
    pub(super) fn new(mut edges: Vec<f64>) -> Self {
        edges.sort_unstable_by(f64::total_cmp);
        edges.dedup();
        let Some(outermost) = edges.last().map(|edge| edge * edge) else { return Self::default() };
        let squares = edges.iter().map(|edge| edge * edge);
        let squares: Vec<f64> = std::iter::once(0.0).chain(squares).chain([f64::MAX]).collect();
        // The last part begins beyond the outermost edge.
        let parts = (PARTS as f64 - 1.5) / outermost;
        // For rounding, a little more than each part.
        let place = |part: usize, slack: f64| {
            let from = part as f64 / parts * (1.0 + slack);
            squares.partition_point(|square| *square < from).max(1)
        };
        let first: Vec<usize> = (0..PARTS).map(|part| place(part, -1e-9)).collect();
        let ends = (1..PARTS).map(|part| place(part, 1e-9));
        let crowd = first.iter().zip(ends).map(|(first, end)| end - first).max().unwrap_or(0);
        let first = first.into_iter().map(|n| n as u16).collect();
        Self { squares, first, parts, crowd, ..Self::default() }
    }

    /// Whether there are none.
    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.squares.is_empty()
    }

    /// The squares of the edges that these squared distances are between: of the next one inside, if that is
    /// more than there is in `inner` already, and of the next one outside. \[nm²\]
    #[inline(always)]
    pub(super) fn around<const N: usize>(
        &self,
        distance: &[f64; N],
        inner: &mut [f64; N],
        outer: &mut [f64; N],
    ) {
        let mut beneath = [0.0; N];
        if self.squares.len() <= FEW_EDGES + 2 {
            for &edge in self.squares[1..self.squares.len() - 1].iter().rev() {
                for n in 0..N {
                    let is_beyond = distance[n] > edge;
                    outer[n] = if is_beyond { outer[n] } else { edge };
                    beneath[n] = if is_beyond & (edge > beneath[n]) { edge } else { beneath[n] };
                }
            }
        } else {
            for n in 0..N {
                let part = ((distance[n] * self.parts) as usize).min(PARTS - 1);
                let mut next = usize::from(self.first[part]);
                for _ in 0..self.crowd {
                    next += usize::from(self.squares[next] < distance[n]);
                }
                (beneath[n], outer[n]) = (self.squares[next - 1], self.squares[next]);
            }
        }
        for n in 0..N {
            inner[n] = if beneath[n] > inner[n] { beneath[n] } else { inner[n] };
        }
    }

    /// The square of the distance within which something may become of pairs anywhere. \[nm²\]
    #[inline(always)]
    pub(super) fn within(&self) -> f64 {
        self.within
    }
}

/// What two particles come to on their paths.
#[derive(Clone, Copy, Debug)]
pub(super) enum Meeting<const D: usize> {
    Touch(Touched<D>),
    /// They come to the edge of a shell.
    Edge(AtEdge<D>),
    /// They are due to become tethered, in the way of this number among those of their species.
    Tether(usize),
}

/// Two particles at the edge of a shell, or at the end of their tether.
#[derive(Clone, Copy, Debug)]
pub(super) struct AtEdge<const D: usize> {
    pub(super) touch: Touch<D>,
    /// With which they continue, along the surfaces that they are confined to. \[nm per step\]
    pub(super) velocities: [Vector<D>; 2],
    /// See [`Touched::impulse`].
    pub(super) impulse: f64,
    /// Whether they come nearer, move apart, or turn round.
    pub(super) outcome: Outcome,
}

/// Encounters of two particles: when they touch or come to an edge, and what happens then.
pub(super) struct Encounters<'a, const D: usize>(pub(super) &'a System<D>);

impl<'a, const D: usize> Encounters<'a, D> {
    /// The particles in two slots and their present paths.
    #[inline]
    pub(super) fn approach(&self, [i, j]: [u32; 2]) -> Approach<D> {
        let p = &self.0.particles;
        let slots = if p.id[i as usize] < p.id[j as usize] { [i, j] } else { [j, i] };
        Approach {
            ids: slots.map(|slot| p.id[slot as usize]),
            slots,
            paths: slots.map(|slot| p.path(slot)),
        }
    }

    /// The potential of the particles in two slots, if they have one.
    #[inline]
    fn potential(&self, [i, j]: [u32; 2]) -> Option<&'a StepPotential> {
        let species = &self.0.particles.species;
        self.0.shells.potentials.of(species[i as usize], species[j as usize])
    }

    /// When two particles on these paths, the one with the lower identity first, next touch or come
    /// to the edge of a shell.
    #[inline]
    pub(super) fn next(&self, pair: &Approach<D>, end: f64) -> Option<f64> {
        let System { domain, book, particles: Particles { species, .. }, .. } = self.0;
        let Approach { slots, paths: [a, b], ids } = pair;
        let contact = || {
            let [i, j] = slots.map(|slot| species[slot as usize]);
            first_contact_on(domain, a, b, end, !book.pass(i, j))
        };
        // Most models have no potential, and this is asked of every two paths that come near each other.
        let next = match self.0.shells.potentials.has_pairs() {
            true => self.next_in_potential(pair, end, contact),
            false => contact().map(|met| met.time),
        };
        if !book.has_tethers() {
            return next;
        }
        let other = match self.tether(*slots, *ids) {
            Some(length) => tether_end(domain, a, b, length, end).map(|taut| taut.time),
            None => self.tethering(pair, end).map(|(time, _)| time),
        };
        earlier(next, other)
    }

    /// The same without tethers, where some species have potentials.
    #[inline]
    fn next_in_potential(
        &self,
        pair: &Approach<D>,
        end: f64,
        contact: impl FnOnce() -> Option<FirstContact<D>>,
    ) -> Option<f64> {
        let Approach { slots, paths: [a, b], .. } = pair;
        let next = match self.potential(*slots) {
            Some(potential) => {
                next_edge(&self.0.domain, a, b, potential.edges(), end).map(|(met, _)| met)
            }
            None => contact(),
        };
        earlier(next.map(|met| met.time), self.bounce(pair, end).map(|bounce| bounce.met.time))
    }

    /// When and where two particles on these paths have climbed as much energy as they may, by a potential
    /// with the law of bounces.
    #[inline]
    fn bounce(&self, pair: &Approach<D>, end: f64) -> Option<Bounce<D>> {
        let System { domain, shells, particles: Particles { species, .. }, random, clock, .. } =
            self.0;
        let Approach { slots, paths: [a, b], ids } = pair;
        let [i, j] = slots.map(|slot| species[slot as usize]);
        let climbs = shells.potentials.climbs(i, j);
        if climbs.is_empty() {
            return None;
        }
        let (step, since) = match planted(Fault::ClimbKept) {
            true => (0, 0.0),
            false => (clock.step, a.since.max(b.since)),
        };
        // Each image has its own numbers, of which its potentials take one after the other.
        let draws = |image: [i64; D]| {
            let mut key = [step, ids[0], ids[1], since.to_bits()];
            // Steps and identities have 48 bits.
            key.iter_mut().zip(image).for_each(|(word, k)| *word |= u64::from(k as u16) << 48);
            random.uniforms(Purpose::Climb, key)
        };
        next_bounce(domain, [a, b], climbs.iter(), end, draws)
    }

    /// The length of the tether of the particles in two slots, the one with the lower identity first,
    /// if they have one. \[nm\]
    #[inline]
    pub(super) fn tether(&self, [i, j]: [u32; 2], ids: [u64; 2]) -> Option<f64> {
        let System { particles: Particles { unit, .. }, clusters, book, .. } = self.0;
        let own = unit[i as usize];
        if own == ALONE || own != unit[j as usize] {
            return None;
        }
        book.rules().tether(clusters.unit(own).bond_between(ids)?.rule)
    }

    /// When two particles that are not tethered to each other become tethered on these paths, and in
    /// which way, if all that they are bound to allows it.
    ///
    /// While they are near enough, it happens at a constant rate. Such waiting times have no memory,
    /// so that they can be drawn again for each new pair of paths: they are functions of the paths as all
    /// else is, and nothing has to be stored. Whether the two are ready for it is asked when the time
    /// has come; if they are not, nothing happens, and they wait again.
    #[cold]
    fn tethering(&self, pair: &Approach<D>, end: f64) -> Option<(f64, usize)> {
        let System { domain, book, particles: Particles { species, .. }, random, clock, .. } =
            self.0;
        let Approach { slots, paths: [a, b], ids } = pair;
        let [i, j] = slots.map(|slot| species[slot as usize]);
        let ways = book.tetherings(i, j);
        let longest = ways.iter().map(|way| way.length).reduce(f64::max)?;
        let reached = |length, stay| time_after_stay(domain, a, b, length, stay, end);
        reached(longest, 0.0)?;
        let key = [clock.step, ids[0], ids[1], a.since.max(b.since).to_bits()];
        let mut generator = random.generator(Purpose::Tether, key);
        let times = ways.iter().enumerate().filter_map(|(n, way)| {
            let wait: f64 = Exp1.sample(&mut generator);
            Some((reached(way.length, wait / way.rate)?, n))
        });
        times.min_by(|(one, _), (other, _)| one.total_cmp(other))
    }

    /// What two particles come to on these paths at `time`. None if they come to nothing, which no
    /// planned pair does.
    pub(super) fn meet(&self, pair: &Approach<D>, time: f64) -> Option<Meeting<D>> {
        let [a, b] = &pair.paths;
        // Bit for bit what was planned.
        match self.tether(pair.slots, pair.ids) {
            Some(length) => {
                let taut = tether_end(&self.0.domain, a, b, length, 1.0);
                if let Some(taut) = taut.filter(|met| met.time == time) {
                    return Some(self.at_edge(pair, &taut, true, f64::INFINITY));
                }
            }
            None if self.0.book.has_tethers() => {
                if let Some((_, n)) = self.tethering(pair, 1.0).filter(|(due, _)| *due == time) {
                    return Some(Meeting::Tether(n));
                }
            }
            None => {}
        }
        if let Some(Bounce { met, outwards }) =
            self.bounce(pair, 1.0).filter(|bounce| bounce.met.time == time)
        {
            return Some(self.at_edge(pair, &met, outwards, f64::INFINITY));
        }
        if let Some(potential) = self.potential(pair.slots) {
            let (met, edge) = next_edge(&self.0.domain, a, b, potential.edges(), 1.0)?;
            let rise = |[from, to]: [usize; 2]| {
                let rise = potential.in_shell(to) - potential.in_shell(from);
                if planted(Fault::StepSign) { -rise } else { rise }
            };
            match edge {
                ShellEdge::Contact => {}
                ShellEdge::Inwards(n) => {
                    return Some(self.at_edge(pair, &met, false, rise([n + 1, n])));
                }
                ShellEdge::Outwards(n) => {
                    return Some(self.at_edge(pair, &met, true, rise([n, n + 1])));
                }
            }
        }
        self.0.touch(pair, time).map(Meeting::Touch)
    }

    /// What comes of two that come to an edge, from inside or from outside, beyond which their energy
    /// is higher by `step` \[kT\]: they get through if the energy of their motion along the line of
    /// centres is enough.
    fn at_edge(
        &self,
        pair: &Approach<D>,
        met: &FirstContact<D>,
        outwards: bool,
        step: f64,
    ) -> Meeting<D> {
        let Approach { slots, paths: [a, b], .. } = *pair;
        let time = met.time;
        let sign = if outwards { 1.0 } else { -1.0 };
        let places = [a.at(time), b.at(time)];
        let touch = Touch { slots, ids: pair.ids, time, separation: met.separation };
        let normal = touch.normal();
        let gives = self.0.gives(slots, places, normal).unwrap_or([normal; 2]);
        let mobility = slots.map(|slot| self.0.mobility_of(slot));
        let response = response(mobility, gives);
        let parting = (b.velocity - a.velocity).dot(normal);
        // Kinetic energies are in units of kT, velocities in nm per step: the variance of `parting`
        // is 2 D Δt, D being `response`.
        let left = parting * parting - 4.0 * self.0.clock.timestep * response * step;
        let after = if left > 0.0 { sign * left.sqrt() } else { -sign * parting.abs() };
        let mut impulse = if response > 0.0 { (after - parting) / response } else { 0.0 };
        let outcome = match (left > 0.0, outwards) {
            (false, _) => Outcome::Reflected,
            (true, true) => Outcome::Left,
            (true, false) => Outcome::Entered,
        };
        let weight = match planted(Fault::EqualMasses) {
            true => [0.5 * response; 2],
            false => mobility,
        };
        let pushed = |impulse: f64| {
            let after = [
                a.velocity - gives[0] * (weight[0] * impulse),
                b.velocity + gives[1] * (weight[1] * impulse),
            ];
            [0, 1].map(|n| self.0.along_surfaces(slots[n], places[n], after[n], time))
        };
        let mut velocities = pushed(impulse);
        if response > 0.0 && slots.iter().any(|&slot| self.0.goes_in_chords(slot)) {
            // A new path on a sphere is a new chord, which itself changes the rate at which they part. Left
            // at that, two at the end of a tether, one of them on a sphere, could lose a part of this rate
            // with every bounce, and bounce without end.
            for _ in 0..CHORDS {
                impulse += (after - (velocities[1] - velocities[0]).dot(normal)) / response;
                velocities = pushed(impulse);
            }
        }
        Meeting::Edge(AtEdge { touch, velocities, impulse, outcome })
    }

    /// The energy of two particles at these places. \[kT\]
    fn energy(&self, slots: [u32; 2], places: [Vector<D>; 2]) -> f64 {
        let apart = || self.0.domain.nearest_image(places[1] - places[0]).norm();
        let [i, j] = slots.map(|slot| self.0.particles.species[slot as usize]);
        match self.potential(slots) {
            Some(_) => self.0.shells.potentials.energy(i, j, apart()),
            None => 0.0,
        }
    }
}

fn earlier(one: Option<f64>, other: Option<f64>) -> Option<f64> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

/// Particles that move together, among all others.
pub(super) struct Among<'a, const D: usize>(pub(super) &'a mut Brownian<D>);

impl<const D: usize> Among<'_, D> {
    /// Whether a unit that has turned stays so: always, if its energy with others is not higher than
    /// it was `before` \[kT\], and else by chance.
    pub(super) fn accepts_turn(&mut self, number: u32, before: f64, members: &[u32]) -> bool {
        let rise = self.energy_of(members, &[], 1.0) - before;
        let key = [self.0.system.clock.step, self.0.system.clusters.unit(number).id, 0, 0];
        is_accepted(rise, || self.0.system.random.uniform(Purpose::Rotation, key))
    }

    /// The energy that some particles have at `time` with all others; of the pairs of one of them and
    /// another only those that are `counted`. \[kT\]
    pub(super) fn energy(
        &mut self,
        members: &[u32],
        time: f64,
        counted: impl Fn(u32, u32) -> bool,
    ) -> f64 {
        let mut energy = 0.0;
        let Brownian { system, islands, search, scratch, .. } = &mut *self.0;
        if system.shells.potentials.is_empty() {
            return energy;
        }
        for &member in members {
            islands.find_near(system, search, member, &mut scratch.near);
            // A sum depends on the order, which is not that in which the search structure finds them.
            scratch.near.sort_unstable_by_key(|slot| system.particles.id[*slot as usize]);
            let pairs = Encounters(system);
            let place = |slot: u32| islands.place_at(system, slot, time);
            let others = scratch.near.iter().filter(|slot| !members.contains(slot));
            for &other in others.filter(|&&other| counted(member, other)) {
                let both = [member, other];
                energy += pairs.energy(both, both.map(place));
            }
        }
        energy
    }
}

#[cfg(test)]
mod tests;
