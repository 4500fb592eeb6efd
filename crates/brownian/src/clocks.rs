//! What clusters wait for: one exponential clock for all that may happen to a cluster in time, and
//! one draw for which of it happens. The clock's rate is the sum over bonds and members; it is set
//! again whenever the cluster changes.

use rand_distr::{Distribution, Exp1};

use super::balance::Halves;
use super::plan::{Due, Plans};
use super::reaction::{Reaction, Refusal, with_room};
use super::report::ChangeRecord;
use super::sites::{Molecules, StateChanges, Without};
use super::system::System;
use super::timers::Subject;
use super::{Brownian, StepError};
use jostle_core::agenda::NONE;
use jostle_core::clusters::{NO_SITE, Unit};
use jostle_core::observe::{ChangeKind, Observer};
use jostle_core::particles::ALONE;
use jostle_core::planted::{Fault, planted};
use jostle_core::random::Purpose;
use jostle_core::rules::{Cut, TimedAction};
use jostle_core::sites::SitePattern;
use jostle_core::space::Vector;

/// One thing that may happen to a cluster.
#[derive(Clone, Copy, Debug)]
pub(super) struct Channel {
    pub way: TimedEvent,
    /// The timed rule.
    pub rule: u16,
    /// \[per step\]
    pub rate: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TimedEvent {
    /// The coalesced particle in this slot falls apart into the two that it was made of.
    Split { slot: u32 },
    /// A bond of a unit breaks, by its place there, and states of the two that it joined change.
    Break { unit: u32, bond: usize, changes: StateChanges },
    /// All bonds of a unit break.
    BreakAll { unit: u32 },
    /// The particle in this slot is converted: which case of the rule.
    Convert { slot: u32, case: u32 },
    /// The coalesced particle in this slot is cut.
    CutWhole { slot: u32 },
    /// A unit is cut at this bond.
    CutBond { unit: u32, bond: usize },
    /// Two members of a unit, in these slots and in the order of their identities, bind at these
    /// sites, and their states change.
    Close { unit: u32, slots: [u32; 2], sites: [u8; 2], changes: StateChanges },
    /// A particle comes to be.
    Create,
}

/// How often rules in time may apply in one step, for each particle.
const RINGS: u64 = 10_000;

/// Fewer particles may have as much happen as so many: what creates them needs none.
const LEAST_PARTICLES: usize = 100;

/// Owners of clocks of rules that create: no particle or cluster has such an identity.
const CREATORS: u64 = u64::MAX - u16::MAX as u64;

impl Plans {
    /// Starts (or restarts) the clock of the cluster of the particle in `slot`.
    pub(super) fn restart_clock<const D: usize>(
        &mut self,
        system: &System<D>,
        slot: u32,
        time: f64,
    ) {
        let i = slot as usize;
        let (owner, place) = match system.particles.unit[i] {
            ALONE => (system.particles.id[i], Subject::Slot(slot)),
            number => (system.clusters.unit(number).id, Subject::Unit(number)),
        };
        self.start_timer(system, owner, place, time);
    }

    /// Starts the clocks of all that waits for anything, and of the rules that create.
    pub(super) fn start_clocks<const D: usize>(&mut self, system: &System<D>, time: f64) {
        for slot in system.particles.slots_by_id() {
            let first = system
                .clusters
                .unit_of(&system.particles, slot)
                .map_or(slot, |unit| unit.members[0]);
            if first == slot {
                self.restart_clock(system, slot, time);
            }
        }
        let first = system.book.rules().first_timed();
        for number in first..system.book.rules().first_scheduled() {
            if system.creation(number).is_some() {
                self.start_timer(system, CREATORS + u64::from(number), Subject::Rule(number), time);
            }
        }
    }

    /// Starts (or restarts) the clock of a cluster at `time`: one draw for the total rate of all
    /// its channels. Memory is not needed, since waiting times are exponential.
    pub(super) fn start_timer<const D: usize>(
        &mut self,
        system: &System<D>,
        owner: u64,
        place: Subject,
        time: f64,
    ) {
        let total: f64 = Channels::of(system, place).iter().map(|channel| channel.rate).sum();
        let total = if planted(Fault::RateTwice) { 2.0 * total } else { total };
        if total <= 0.0 {
            self.timers.cancel(owner);
            return;
        }
        // The moment makes each restart's number its own. Two restarts at one moment draw the same
        // number, which is no fault: the later one replaces the earlier.
        let key = [owner, system.clock.step, time.to_bits(), 0];
        let wait: f64 = Exp1.sample(&mut system.random.generator(Purpose::Waiting, key));
        if let Some(within) = self.timers.set(owner, place, system.clock.step, time, wait / total) {
            self.agenda.plan(within, Due::Clock { owner }, [NONE; 2]);
        }
    }
}

impl<const D: usize> Brownian<D> {
    /// Lets happen what the clock of `owner` was set for.
    pub(super) fn ring(
        &mut self,
        time: f64,
        owner: u64,
        observer: &mut dyn Observer<D>,
    ) -> Result<(), StepError> {
        let Some(place) = self.plans.timers.place(owner) else { return Ok(()) };
        self.count_ring()?;
        let key = [owner, self.system.clock.step, time.to_bits(), 1];
        let channels = Channels::of(&self.system, place);
        let Some(&Channel { way, rule, .. }) =
            choose(&channels, self.system.random.uniform(Purpose::Unbinding, key))
        else {
            return Ok(());
        };
        // The clock runs as if the rule held everywhere, and what falls due elsewhere is dropped:
        // so the rate is right wherever the cluster is at each moment, and it need not be followed
        // across borders (thinning, Lewis and Shedler 1979).
        if !self.system.is_in_region_of(rule, way, time) {
            self.plans.start_timer(&self.system, owner, place, time);
            return Ok(());
        }
        let mut reaction = Reaction::new(self, time, rule, (Purpose::Unbinding, key), observer);
        let attempt = match way {
            TimedEvent::Split { slot } => reaction.split(slot)?,
            TimedEvent::Convert { slot, case } => reaction.convert_alone(slot, case)?,
            TimedEvent::CutWhole { slot } => reaction.cut_whole(slot)?,
            TimedEvent::Create => with_room(reaction.create()?),
            TimedEvent::Break { unit, bond, changes } => reaction.unbind(unit, bond, changes)?,
            TimedEvent::Close { unit, slots, sites, changes } => {
                return reaction.close_ring(unit, slots, (sites, changes));
            }
            TimedEvent::BreakAll { unit } => {
                let all: Vec<usize> =
                    (0..reaction.engine.system.clusters.unit(unit).bonds.len()).collect();
                reaction.break_bonds(unit, &all, StateChanges::default())?;
                Ok(())
            }
            TimedEvent::CutBond { unit, bond } => Ok(reaction.cut_unit(unit, bond)?),
        };
        // All else changes the cluster, which restarts its clock, or is refused, which does so
        // below.
        if way == TimedEvent::Create || attempt == Err(Refusal::Declined) {
            let Brownian { plans, system, .. } = &mut *reaction.engine;
            plans.start_timer(system, owner, place, time);
        }
        match attempt {
            Err(Refusal::NoRoom) => reaction.refuse(way),
            _ => reaction.settle_released(),
        }
    }

    /// Rules in time end in every step.
    fn count_ring(&mut self) -> Result<(), StepError> {
        self.rings += 1;
        let particles = self.system.particles.len() - self.dead;
        if self.rings <= RINGS * (particles.max(LEAST_PARTICLES) as u64) {
            return Ok(());
        }
        Err(StepError::Restless {
            step: self.system.clock.step,
            events: self.rings,
            particles,
            budget: RINGS,
        })
    }
}

impl<const D: usize> System<D> {
    /// Whether a rule is in force where this would happen.
    fn is_in_region_of(&self, rule: u16, way: TimedEvent, time: f64) -> bool {
        let rules = self.book.rules();
        // A ring closes by a contact rule.
        let region = match rules.contact.get(rule as usize) {
            Some(binding) => binding.region.as_ref(),
            None => rules.timed_rule(rule).and_then(|timed| timed.region.as_ref()),
        };
        let Some(region) = region else { return true };
        let place = match way {
            TimedEvent::Create => return true,
            TimedEvent::Split { slot }
            | TimedEvent::Convert { slot, .. }
            | TimedEvent::CutWhole { slot } => self.place_at(slot, time),
            TimedEvent::BreakAll { unit } => {
                self.place_at(self.clusters.unit(unit).members[0], time)
            }
            TimedEvent::Close { slots, .. } => self.place_of_bond(slots, time),
            TimedEvent::Break { unit, bond, .. } | TimedEvent::CutBond { unit, bond } => {
                let unit = self.clusters.unit(unit);
                let ends = unit.bonds[bond].ids.map(|id| unit.member(&self.particles, id));
                self.place_of_bond(ends, time)
            }
        };
        self.ground().is_in(region, place)
    }
}

impl<const D: usize> Reaction<'_, D> {
    /// An action fell due that is impossible: nothing changes, and the clock is drawn again.
    fn refuse(&mut self, way: TimedEvent) -> Result<(), StepError> {
        self.engine.tally.refused += 1;
        let slot = match way {
            TimedEvent::Split { slot }
            | TimedEvent::Convert { slot, .. }
            | TimedEvent::CutWhole { slot } => slot,
            TimedEvent::Break { unit, .. } => self.engine.system.clusters.unit(unit).members[0],
            // A creation. Whatever else is left moves nothing, and always has room.
            _ => {
                return self.tell_change(ChangeRecord::of(
                    ChangeKind::Refused,
                    self.rule,
                    self.time,
                    Vector::ZERO,
                    &[],
                ));
            }
        };
        self.engine.plans.restart_clock(&self.engine.system, slot, self.time);
        let (party, cluster) =
            ([self.engine.system.party(slot)], self.engine.system.clusters_of(&[slot]));
        let record = ChangeRecord {
            products: &party,
            before: &cluster,
            after: &cluster,
            ..ChangeRecord::of(
                ChangeKind::Refused,
                self.rule,
                self.time,
                self.engine.system.place_at(slot, self.time),
                &party,
            )
        };
        self.tell_change(record)
    }
}

/// What may happen to a cluster in time.
pub(super) struct Channels<'a, const D: usize> {
    pub(super) system: &'a System<D>,
    pub(super) found: Vec<Channel>,
}

impl<'a, const D: usize> Channels<'a, D> {
    /// All that may happen to a cluster, with its rates.
    fn of(system: &'a System<D>, place: Subject) -> Vec<Channel> {
        let mut this = Self { system, found: Vec::new() };
        match place {
            Subject::Slot(slot) => {
                this.of_particle(slot);
                this.cuts_of_particle(slot);
            }
            Subject::Unit(number) => {
                let unit = system.clusters.unit(number);
                this.of_bonds(number, unit);
                this.closures_of(number, unit);
                unit.members.iter().for_each(|&slot| this.of_particle(slot));
            }
            Subject::Rule(rule) => {
                let rate = system.creation(rule).unwrap_or(0.0);
                this.found.push(Channel { way: TimedEvent::Create, rule, rate });
            }
        }
        this.found
    }

    /// What may happen to a particle whether it has bonds or not.
    fn of_particle(&mut self, slot: u32) {
        let system = self.system;
        let i = slot as usize;
        let size = || system.clusters.size_of(&system.particles, slot);
        let species = system.particles.species[i];
        let fits = |pattern: &SitePattern| pattern.fits(&Molecules(system), slot);
        let conversions = system.book.conversions(species, size, fits);
        self.found.extend(conversions.map(|(rule, case, rate)| Channel {
            way: TimedEvent::Convert { slot, case },
            rule,
            rate,
        }));
        let Some(halves) = Halves::of(system, slot) else { return };
        for &rule in system.book.undoing(halves.rule) {
            let Some(rate) = system.book.rate_in_force(rule, &size) else { continue };
            let factor = system
                .book
                .intrinsic_over_stated_of(halves.rule, halves.parts.map(|part| part.species));
            self.found.push(Channel { way: TimedEvent::Split { slot }, rule, rate: rate * factor });
        }
    }

    /// Fragmentation of a coalesced particle, at its rate per bond.
    fn cuts_of_particle(&mut self, slot: u32) {
        let system = self.system;
        let i = slot as usize;
        let Some(whole) = system.clusters.wholes.get(&system.particles.id[i]) else { return };
        for (rule, rate) in system.book.fragmentations(system.particles.species[i], || whole.size())
        {
            // A row of n has n - 1 bonds, and each breaks at the rate of the rule, as in nucleated
            // polymerisation (Masel, Jansen and Nowak 1999).
            let bonds = match system.fragmentation(rule).cut {
                Cut::End => (whole.size() - 1).min(2),
                Cut::Any | Cut::All => whole.size() - 1,
            };
            self.found.push(Channel {
                way: TimedEvent::CutWhole { slot },
                rule,
                rate: rate * f64::from(bonds),
            });
        }
    }

    /// What may happen to the bonds of a unit.
    fn of_bonds(&mut self, number: u32, unit: &Unit) {
        let system = self.system;
        let graph = unit.graph(&system.particles);
        let size = || system.clusters.size_of(&system.particles, unit.members[0]);
        let mut whole_unit: Vec<u16> = Vec::new();
        for (n, bond) in unit.bonds.iter().enumerate() {
            let ends = bond.ids.map(|id| unit.member(&system.particles, id));
            let species = ends.map(|slot| system.particles.species[slot as usize]);
            for &rule in system.book.undoing(bond.rule) {
                let timed = system.book.rules().timed_rule(rule).map(|timed| &timed.action);
                let Some(TimedAction::Unbind { cut, ends: like, .. }) = timed else { continue };
                let Some(rate) = system.book.rate_in_force(rule, &size) else { continue };
                if *cut == Cut::All {
                    // Once for the unit, however many bonds the rule has made: it falls apart as a
                    // whole.
                    if !whole_unit.contains(&rule) {
                        whole_unit.push(rule);
                        self.found.push(Channel {
                            way: TimedEvent::BreakAll { unit: number },
                            rule,
                            rate,
                        });
                    }
                    continue;
                }
                // To break in the middle would make two chains. A bond of a ring parts nothing,
                // wherever it is.
                if *cut == Cut::End && !graph.is_end(n) && graph.is_bridge(n) {
                    continue;
                }
                for (changes, ways) in Molecules(system).ways_like(like, bond, ends) {
                    // In a ring or by a tether nothing is moved, and the two need not be in contact.
                    let factor = if !graph.is_bridge(n) || unit.is_flexible {
                        system.book.intrinsic_over_stated_of(bond.rule, species)
                    } else {
                        let without = (n, changes);
                        let (meeting, apart) = Without::of(system, unit, without, &graph.pieces(n));
                        let joins = Some(bond.sites).filter(|sites| *sites != [NO_SITE; 2]);
                        let species = meeting.species;
                        system.book.intrinsic_over_stated(bond.rule, joins, species, &apart)
                    };
                    let way = TimedEvent::Break { unit: number, bond: n, changes };
                    self.found.push(Channel { way, rule, rate: rate * factor * f64::from(ways) });
                }
            }
            let mut cutters: Vec<(u16, f64)> = Vec::new();
            for species in species {
                let found = system.book.fragmentations(species, size);
                // A bond is cut at the rate of the rule, not twice as fast if both of its ends are
                // of the species.
                let new = found.filter(|(rule, _)| !cutters.iter().any(|(known, _)| known == rule));
                let new: Vec<_> = new.collect();
                cutters.extend(new);
            }
            for (rule, rate) in cutters {
                if system.fragmentation(rule).cut != Cut::End || graph.is_end(n) {
                    self.found.push(Channel {
                        way: TimedEvent::CutBond { unit: number, bond: n },
                        rule,
                        rate,
                    });
                }
            }
        }
    }
}

/// The channel that a uniform number picks, each with the weight of its rate.
fn choose(channels: &[Channel], uniform: f64) -> Option<&Channel> {
    let total: f64 = channels.iter().map(|channel| channel.rate).sum();
    let mut left = uniform * total;
    let found = channels.iter().find(|channel| {
        left -= channel.rate;
        left < 0.0
    });
    // Rounding may leave a little beyond the last that can happen.
    found.or(channels.iter().rfind(|channel| channel.rate > 0.0))
}
