//! Particles come to be, rules change, the cell divides: what needs no contact.

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::calendar::Date;
use super::composed::compose;
use super::ground::Ground;
use super::plan::Due;
use super::reaction::Reaction;
use super::report::ChangeRecord;
use super::sites::Molecules;
use super::system::{System, direction, normals};
use super::{Brownian, StepError};
use jostle_core::agenda::NONE;
use jostle_core::environment::AnchorSurface;
use jostle_core::observe::{ChangeKind, Observer};
use jostle_core::particles::Particle;
use jostle_core::random::Purpose;
use jostle_core::rules::{
    Chance, Division, Factor, Observable, Region, ScheduledAction, TimedAction,
};
use jostle_core::space::Vector;

/// How many places are tried before a new particle does not fit.
const PLACES: usize = 1000;

/// After so many in a row have not fitted, an entry of the schedule looks no further: the room is
/// full.
const MOST_MISSED: u32 = 100;

impl<const D: usize> System<D> {
    /// How often rule `number` creates particles in one step, if it is one that creates and is in
    /// force.
    pub(super) fn creation(&self, number: u16) -> Option<f64> {
        let rule = self.book.rules().timed_rule(number)?;
        let TimedAction::Create { species, .. } = rule.action else { return None };
        let rate = self.book.rate_in_force(number, &|| 1).unwrap_or(0.0);
        Some(rate * self.ground().room_for(species, rule.region.as_ref()))
    }

    /// What a factor comes to at a time within this step.
    fn factor(&self, factor: &Factor, time: f64) -> f64 {
        /// Seconds in a microsecond.
        const MICROSECOND: f64 = 1e-6;
        let Self { particles, clusters, clock, .. } = self;
        let alive = || (0..particles.alive.len() as u32).filter(|&n| particles.alive[n as usize]);
        let count = |(n, observable): (usize, &Observable)| {
            // What the formula does not ask for need not be counted.
            if !factor.formula.depends_on(n as u16) {
                return f64::NAN;
            }
            let cluster_of = |slot| clusters.id_of(particles, slot);
            observable.count(alive(), &Molecules(self), cluster_of) as f64
        };
        let counts: Vec<f64> =
            self.book.rules().observables.iter().enumerate().map(count).collect();
        let now = (clock.step as f64 + time) * clock.timestep * MICROSECOND;
        factor.formula.value(&counts, now)
    }
}

impl<const D: usize> Ground<'_, D> {
    fn corners(&self, region: Option<&Region>) -> [Vector<D>; 2] {
        match region {
            None => [Vector::ZERO, Vector(self.domain.edges())],
            Some(region) => {
                [Vector::from_fn(|k| region.from[k]), Vector::from_fn(|k| region.to[k])]
            }
        }
    }

    /// How much room there is where particles of `species` come to be, of a surface if they live on
    /// one. \[nm^d\]
    fn room_for(&self, species: u16, region: Option<&Region>) -> f64 {
        match (self.environment.anchor(species), region) {
            (Some(anchor), _) => anchor.extent(&self.domain.edges()),
            (None, Some(region)) => region.volume,
            (None, None) => self.domain.volume(),
        }
    }

    /// A place for one of `species`, all of them as likely; none if this one is not in the region.
    fn somewhere(
        &self,
        species: u16,
        region: Option<&Region>,
        generator: &mut Xoshiro256PlusPlus,
    ) -> Option<Vector<D>> {
        let [from, to] = self.corners(region);
        let anywhere = Vector::from_fn(|k| from[k] + (to[k] - from[k]) * generator.random::<f64>());
        let place = match self.environment.anchor(species) {
            // Uniform on the sphere, which the nearest points to places in the box would not be.
            Some(AnchorSurface::Ball { centre, radius, .. }) => {
                *centre + direction(generator) * *radius
            }
            Some(AnchorSurface::Rod { centre, rod, .. }) => {
                let edge = self.domain.edges()[rod.axis];
                self.domain.wrap(*centre + rod.place(edge, generator.random())).0
            }
            Some(AnchorSurface::Mesh(mesh)) => self.domain.wrap(mesh.place(generator.random())).0,
            Some(anchor) => anchor.nearest(self.domain, anywhere),
            None => anywhere,
        };
        let fits = region.is_none_or(|region| self.is_in(region, place));
        fits.then_some(place)
    }

    /// Whether a place is in a region.
    pub(super) fn is_in(&self, region: &Region, place: Vector<D>) -> bool {
        let (place, _) = self.domain.wrap(place);
        (0..D).all(|k| (region.from[k]..=region.to[k]).contains(&place[k]))
            && region.sides.iter().all(|side| {
                let shape = &self.environment.surfaces()[side.surface as usize].shape;
                shape.is_inside(self.domain, place) == side.inside
            })
    }
}

impl<const D: usize> Reaction<'_, D> {
    /// Lets a rule in time create a particle. Returns false if no place was found for it.
    pub(super) fn create(&mut self) -> Result<bool, StepError> {
        let Some(timed) = self.engine.system.book.rules().timed_rule(self.rule) else {
            return Ok(false);
        };
        let TimedAction::Create { species, sites } = timed.action else { return Ok(false) };
        let region = timed.region.clone();
        // Its rate is that for all of a surface.
        if let (Some(region), true) =
            (&region, self.engine.system.environment.anchor(species).is_some())
        {
            let place = self.engine.system.ground().somewhere(species, None, &mut self.generator);
            if !place.is_some_and(|place| self.engine.system.ground().is_in(region, place)) {
                return Ok(true);
            }
        }
        self.place_anywhere((species, sites), region.as_ref())
    }

    /// Puts a new particle, of this species and site code, at a random place where it fits, with a
    /// velocity of its Maxwell distribution.
    fn place_anywhere(
        &mut self,
        (species, sites): (u16, u64),
        region: Option<&Region>,
    ) -> Result<bool, StepError> {
        let kind = &self.engine.system.species[species as usize];
        let (radius, diffusion) =
            (kind.radius.unwrap_or(0.0), kind.diffusion_coefficient.unwrap_or(0.0));
        for _ in 0..PLACES {
            let Some(position) =
                self.engine.system.ground().somewhere(species, region, &mut self.generator)
            else {
                continue;
            };
            let slot = self.engine.add(Particle {
                sites,
                position,
                velocity: Vector::ZERO,
                since: self.time,
                radius,
                diffusion_coefficient: diffusion,
                species,
                id: self.engine.system.next_id,
                image: [0; D],
            });
            if !self.engine.fits(slot, self.time, &[]) {
                self.engine.take_back(slot);
                continue;
            }
            let id = self.engine.system.new_id();
            compose(&mut self.engine.system, slot);
            let velocity =
                self.engine.system.velocity_of(slot, self.time, normals(&mut self.generator));
            self.engine.redirect(slot, self.time, velocity)?;
            self.engine.plans.restart_clock(&self.engine.system, slot, self.time);
            self.engine.tally.created += 1;
            let record = ChangeRecord {
                products: &[self.engine.system.party(slot)],
                after: &[id],
                ..ChangeRecord::of(ChangeKind::Created, self.rule, self.time, position, &[])
            };
            self.tell_change(record)?;
            return Ok(true);
        }
        Ok(false)
    }

    fn set_rate(&mut self, rule: u16, rate: f64) -> Result<(), StepError> {
        let step = self.engine.system.clock.step;
        let set = self.engine.system.book.set_rate(rule, rate);
        set.map_err(|source| StepError::Rules { step, source })?;
        self.engine.plans.start_clocks(&self.engine.system, self.time);
        if self.engine.system.book.rules().tether(rule).is_some() {
            // Pairs become tethered at another rate from now on.
            let all = self.engine.system.particles.slots_by_id();
            self.continue_on(&all)?;
        }
        Ok(())
    }

    fn do_scheduled(&mut self, action: &ScheduledAction) -> Result<(), StepError> {
        let step = self.engine.system.clock.step;
        match action {
            ScheduledAction::SetRate { rule, rate } => self.set_rate(*rule, *rate)?,
            ScheduledAction::Scale { rule, rate, factor } => {
                let value = self.engine.system.factor(factor, self.time);
                let rules = self.engine.system.book.rules();
                let contact = rules.contact.get(usize::from(*rule));
                let most = match contact.map(|rule| rule.chance) {
                    Some(Chance::Probability(_)) => 1.0 / rate,
                    _ => f64::MAX,
                };
                if !(0.0..=most).contains(&value) {
                    let rule = rules.name(*rule).to_owned();
                    return Err(StepError::Factor {
                        step,
                        rule,
                        factor: factor.text.clone(),
                        value,
                    });
                }
                // Clocks run on where nothing has changed.
                if self.engine.system.book.rate_now(*rule) != rate * value {
                    self.set_rate(*rule, rate * value)?;
                }
            }
            ScheduledAction::Switch { rule, on } => {
                self.engine.system.book.switch(*rule, *on);
                self.engine.plans.start_clocks(&self.engine.system, self.time);
            }
            ScheduledAction::SwitchPotential { potential, on } => {
                self.engine.system.shells.potentials.switch(*potential, *on);
            }
            ScheduledAction::Add { species, sites, count, region } => {
                let mut missed = 0;
                for _ in 0..*count {
                    let region = region.as_ref();
                    self.engine.heed(self.observer)?;
                    let found =
                        missed < MOST_MISSED && self.place_anywhere((*species, *sites), region)?;
                    missed = if found { 0 } else { missed + 1 };
                    if !found {
                        self.engine.tally.refused += 1;
                        let record = ChangeRecord::of(
                            ChangeKind::Refused,
                            self.rule,
                            self.time,
                            Vector::ZERO,
                            &[],
                        );
                        self.tell_change(record)?;
                    }
                    // The next one is to find it there.
                    self.engine.replan(self.time);
                }
            }
            ScheduledAction::Divide(division) => self.divide(*division)?,
        }
        Ok(())
    }

    /// Lets go all clusters that end up in the other daughter.
    fn divide(&mut self, division: Division) -> Result<(), StepError> {
        for slot in self.engine.system.particles.slots_by_id() {
            // Members of a unit went with its first.
            if !self.engine.system.particles.alive[slot as usize] {
                continue;
            }
            let members =
                match self.engine.system.clusters.unit_of(&self.engine.system.particles, slot) {
                    Some(unit) if unit.members[0] != slot => continue,
                    Some(unit) => unit.members.clone(),
                    None => vec![slot],
                };
            let id = self.engine.system.particles.id[slot as usize];
            let place = self.engine.system.place_at(slot, self.time);
            let stays = match division {
                Division::Keep(probability) => {
                    // By its identity, so that it does not depend on who was asked before.
                    let key = [id, self.engine.system.clock.step, self.time.to_bits(), 3];
                    self.engine.system.random.uniform(Purpose::Product, key) < probability
                }
                Division::Volume { fraction, axis } => {
                    self.engine.system.domain.wrap(place).0[axis]
                        < fraction * self.engine.system.domain.edges()[axis]
                }
            };
            if stays {
                continue;
            }
            let cluster = self.engine.system.clusters_of(&[slot]);
            let reactants: Vec<_> =
                members.iter().map(|&member| self.engine.system.party(member)).collect();
            let unit = self.engine.system.particles.unit[slot as usize];
            let bonds = match unit {
                jostle_core::particles::ALONE => Vec::new(),
                unit => self.engine.dissolve(unit).bonds,
            };
            for &member in &members {
                self.engine
                    .system
                    .clusters
                    .wholes
                    .remove(&self.engine.system.particles.id[member as usize]);
                self.engine.kill(member);
            }
            self.engine.tally.divided += 1;
            let record = ChangeRecord {
                bonds_broken: &bonds,
                before: &cluster,
                ..ChangeRecord::of(ChangeKind::Divided, self.rule, self.time, place, &reactants)
            };
            self.tell_change(record)?;
        }
        Ok(())
    }
}

impl<const D: usize> Brownian<D> {
    /// Lets happen what is due by the clock.
    pub(super) fn keep_date(
        &mut self,
        time: f64,
        date: Date,
        observer: &mut dyn Observer<D>,
    ) -> Result<(), StepError> {
        self.plans.calendar.strike(self.system.clock.step, time, date);
        match date {
            Date::Window { rule, opens } => {
                self.system.book.switch(rule, opens);
                self.plans.start_clocks(&self.system, time);
            }
            Date::Entry { entry, time: n } => {
                let scheduled = self.system.book.rules().schedule[entry as usize].clone();
                if let Some(every) = scheduled.every.filter(|&every| every > 0.0) {
                    // A multiple, not the last time and one more, so that rounding does not add up.
                    let next = scheduled.at + every * f64::from(n + 1);
                    let date = Date::Entry { entry, time: n + 1 };
                    let entered =
                        self.plans.calendar.enter(next / self.system.clock.timestep, date);
                    if let Some((_, within)) =
                        entered.filter(|(step, _)| *step == self.system.clock.step)
                    {
                        self.plans.agenda.plan(within, Due::Date(date), [NONE; 2]);
                    }
                }
                let number = self.system.book.rules().first_scheduled() + entry as u16;
                let key = [u64::from(number), self.system.clock.step, time.to_bits(), 2];
                let mut reaction =
                    Reaction::new(self, time, number, (Purpose::Product, key), observer);
                reaction.do_scheduled(&scheduled.action)?;
            }
        }
        Ok(())
    }
}
