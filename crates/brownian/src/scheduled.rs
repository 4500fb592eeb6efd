//! Bodies come to be, rules change, the cell divides: what needs no contact.

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::bodies::direction;
use super::calendar::Date;
use super::plan::Due;
use super::report::Story;
use super::{Brownian, StepError};
use jostle_core::agenda::NOBODY;
use jostle_core::environment::Home;
use jostle_core::observe::{ChangeKind, Observer};
use jostle_core::particles::Body;
use jostle_core::random::Purpose;
use jostle_core::rules::{Deed, Division, Region, TimedAction};
use jostle_core::space::Vector;

/// How many places are tried before a new body does not fit.
const PLACES: usize = 1000;

/// After so many in a row have not fitted, an entry of the schedule looks no further: the room is full.
const MOST_MISSED: u32 = 100;

impl<const D: usize> Brownian<D> {
    /// How often rule `number` creates bodies in one step, if it is one that creates and is in force.
    pub(super) fn creation(&self, number: u16) -> Option<f64> {
        let rule = self.book.rules().timed_rule(number)?;
        let TimedAction::Create { species } = rule.action else { return None };
        let rate = self.book.rate_in_force(number, &|| 1).unwrap_or(0.0);
        Some(rate * self.room_for(species, rule.region.as_ref()))
    }

    fn corners(&self, region: Option<&Region>) -> [Vector<D>; 2] {
        match region {
            None => [Vector::ZERO, Vector(self.domain.edges())],
            Some(region) => [Vector::from_fn(|k| region.from[k]), Vector::from_fn(|k| region.to[k])],
        }
    }

    /// How much room there is where bodies of `species` come to be, of a surface if they live on one. \[nm^d\]
    fn room_for(&self, species: u16, region: Option<&Region>) -> f64 {
        match (self.environment.home(species), region) {
            (Some(home), _) => home.extent(&self.domain.edges()),
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
        let place = match self.environment.home(species) {
            Some(Home::Ball { centre, radius, .. }) => *centre + direction(generator) * *radius,
            Some(home) => home.nearest(&self.domain, anywhere),
            None => anywhere,
        };
        let fits = region.is_none_or(|region| self.is_in(region, place));
        fits.then_some(place)
    }

    /// Whether a place is on the side of a surface that a region is on, if it is on one.
    fn is_on_side(&self, region: &Region, place: Vector<D>) -> bool {
        region.side.is_none_or(|(surface, inside)| {
            let shape = &self.environment.surfaces()[surface as usize].shape;
            shape.is_inside(&self.domain, place) == inside
        })
    }

    /// Whether a place is in a region.
    pub(super) fn is_in(&self, region: &Region, place: Vector<D>) -> bool {
        let (place, _) = self.domain.wrap(place);
        (0..D).all(|k| (region.from[k]..=region.to[k]).contains(&place[k])) && self.is_on_side(region, place)
    }

    /// Lets a rule in time create a body. Returns false if no place was found for it.
    pub(super) fn create(
        &mut self,
        time: f64,
        rule: u16,
        generator: &mut Xoshiro256PlusPlus,
        observer: &mut dyn Observer<D>,
    ) -> Result<bool, StepError> {
        let Some(timed) = self.book.rules().timed_rule(rule) else { return Ok(false) };
        let (TimedAction::Create { species }, region) = (&timed.action, timed.region) else {
            return Ok(false);
        };
        let species = *species;
        // Its rate is that for all of a surface.
        if let (Some(region), true) = (region, self.environment.home(species).is_some()) {
            let place = self.somewhere(species, None, generator);
            if !place.is_some_and(|place| self.is_in(&region, place)) {
                return Ok(true);
            }
        }
        self.place_anywhere(time, rule, species, region.as_ref(), generator, observer)
    }

    /// Puts a new body at a random place where it fits, with a velocity of its Maxwell distribution.
    fn place_anywhere(
        &mut self,
        time: f64,
        rule: u16,
        species: u16,
        region: Option<&Region>,
        generator: &mut Xoshiro256PlusPlus,
        observer: &mut dyn Observer<D>,
    ) -> Result<bool, StepError> {
        let kind = &self.species[species as usize];
        let (radius, diffusion) = (kind.radius.unwrap_or(0.0), kind.diffusion_coefficient.unwrap_or(0.0));
        for _ in 0..PLACES {
            let Some(position) = self.somewhere(species, region, generator) else { continue };
            let slot = self.add(Body {
                position,
                velocity: Vector::ZERO,
                since: time,
                radius,
                diffusion_coefficient: diffusion,
                species,
                id: self.next_id,
                image: [0; D],
            });
            if !self.fits(slot, time, &[]) {
                self.take_back(slot);
                continue;
            }
            let id = self.new_id();
            let velocity = self.velocity_of(slot, time, Self::normals(generator));
            self.redirect(slot, time, velocity)?;
            self.restart_clock(slot, time);
            self.tally.created += 1;
            let story = Story {
                products: &[self.party(slot)],
                after: &[id],
                ..Story::of(ChangeKind::Created, rule, time, position, &[])
            };
            self.tell_change(observer, story)?;
            return Ok(true);
        }
        Ok(false)
    }

    /// Lets happen what is due by the clock.
    pub(super) fn keep_date(
        &mut self,
        time: f64,
        date: Date,
        observer: &mut dyn Observer<D>,
    ) -> Result<(), StepError> {
        self.calendar.strike(self.clock.step, time, date);
        match date {
            Date::Window { rule, opens } => {
                self.book.switch(rule, opens);
                self.start_clocks(time);
            }
            Date::Entry { entry, time: n } => {
                let scheduled = self.book.rules().schedule[entry as usize].clone();
                if let Some(every) = scheduled.every.filter(|&every| every > 0.0) {
                    let next = scheduled.at + every * f64::from(n + 1);
                    let date = Date::Entry { entry, time: n + 1 };
                    let entered = self.calendar.enter(next / self.clock.timestep, date);
                    if let Some((_, within)) = entered.filter(|(step, _)| *step == self.clock.step) {
                        self.agenda.plan(within, Due::Date(date), [NOBODY; 2]);
                    }
                }
                let number = self.book.rules().first_scheduled() + entry as u16;
                self.do_scheduled(time, number, &scheduled.deed, observer)?;
            }
        }
        Ok(())
    }

    fn do_scheduled(
        &mut self,
        time: f64,
        number: u16,
        deed: &Deed,
        observer: &mut dyn Observer<D>,
    ) -> Result<(), StepError> {
        let step = self.clock.step;
        match deed {
            Deed::SetRate { rule, rate } => {
                let set = self.book.set_rate(*rule, *rate);
                set.map_err(|source| StepError::Rules { step, source })?;
                self.start_clocks(time);
            }
            Deed::Switch { rule, on } => {
                self.book.switch(*rule, *on);
                self.start_clocks(time);
            }
            Deed::Add { species, count, region } => {
                let key = [u64::from(number), step, time.to_bits(), 2];
                let mut generator = self.random.generator(Purpose::Product, key);
                let mut missed = 0;
                for _ in 0..*count {
                    let region = region.as_ref();
                    self.heed(observer)?;
                    let found = missed < MOST_MISSED
                        && self.place_anywhere(time, number, *species, region, &mut generator, observer)?;
                    missed = if found { 0 } else { missed + 1 };
                    if !found {
                        self.tally.refused += 1;
                        let story = Story::of(ChangeKind::Refused, number, time, Vector::ZERO, &[]);
                        self.tell_change(observer, story)?;
                    }
                    // The next one is to find it there.
                    self.replan(time);
                }
            }
            Deed::Divide(division) => self.divide(time, number, *division, observer)?,
        }
        Ok(())
    }

    /// Lets go all clusters that end up in the other daughter.
    fn divide(
        &mut self,
        time: f64,
        number: u16,
        division: Division,
        observer: &mut dyn Observer<D>,
    ) -> Result<(), StepError> {
        for slot in self.particles.slots_by_id() {
            // Members of a unit went with its first.
            if !self.particles.alive[slot as usize] {
                continue;
            }
            let members = match self.clusters.unit_of(&self.particles, slot) {
                Some(unit) if unit.members[0] != slot => continue,
                Some(unit) => unit.members.clone(),
                None => vec![slot],
            };
            let id = self.particles.id[slot as usize];
            let place = self.place_at(slot, time);
            let stays = match division {
                Division::Keep(probability) => {
                    let key = [id, self.clock.step, time.to_bits(), 3];
                    self.random.uniform(Purpose::Product, key) < probability
                }
                Division::Volume { fraction, axis } => {
                    self.domain.wrap(place).0[axis] < fraction * self.domain.edges()[axis]
                }
            };
            if stays {
                continue;
            }
            let cluster = self.clusters_of(&[slot]);
            let reactants: Vec<_> = members.iter().map(|&member| self.party(member)).collect();
            let unit = self.particles.unit[slot as usize];
            let bonds = match unit {
                jostle_core::particles::ALONE => Vec::new(),
                unit => self.dissolve(unit).bonds.iter().map(|bond| bond.ids).collect(),
            };
            for &member in &members {
                self.clusters.wholes.remove(&self.particles.id[member as usize]);
                self.kill(member);
            }
            self.tally.divided += 1;
            let story = Story {
                bonds_broken: &bonds,
                before: &cluster,
                ..Story::of(ChangeKind::Divided, number, time, place, &reactants)
            };
            self.tell_change(observer, story)?;
        }
        Ok(())
    }
}
