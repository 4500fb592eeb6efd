//! What happens when a particle meets another one or a wall.

use super::container::Wall;
use super::response::respond;
use super::restitution::{self, EffectiveBall, Material, Restitution};
use super::tc::{ContactTime, LastContacts};
use super::units::{JOULE, METRE};
use super::{Granular, RunFault};
use jostle_core::narrow::directed;
use jostle_core::observe::{Contact, Impact, Observer, Partner};
use jostle_core::space::Vector;

/// How much of a particle's motion a collision leaves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Collisions {
    /// The law, for pairs of particles and for walls, which are of the same material.
    pub restitution: Restitution,
    /// What particles and walls are made of.
    pub material: Material,
    /// Particles that meet again within it are in lasting contact, which loses nothing (TC model).
    pub contact_time: ContactTime,
}

impl Collisions {
    /// Nothing is ever lost.
    pub fn elastic() -> Self {
        Self {
            restitution: Restitution::Constant(1.0),
            material: Material::default(),
            contact_time: ContactTime::None,
        }
    }

    /// For how long a particle at rest on a wall is off it, again and again; 0 without the TC
    /// model. \[µs\]
    pub(super) fn hop(&self, pair: &EffectiveBall) -> f64 {
        HOP * self.contact_time.of(&self.material, pair, 0.0)
    }

    /// The coefficient of restitution of an impact of particles `i` and `j`, or of `i` and a wall.
    fn coefficient(
        &self,
        pair: &EffectiveBall,
        speed: f64,
        [i, j]: [Option<u32>; 2],
        time: f64,
        last: &mut LastContacts,
    ) -> f64 {
        let coefficient = self.restitution.of(&self.material, pair, speed);
        // Where nothing is ever lost there is nothing to remember.
        let elastic = self.restitution == Restitution::Constant(1.0);
        if elastic || self.contact_time == ContactTime::None {
            return coefficient;
        }
        let lasts = self.contact_time.of(&self.material, pair, speed);
        let lasting = i.is_some_and(|i| last.collision(i, j, time, lasts));
        if lasting { 1.0 } else { coefficient }
    }
}

/// Particles that leave each other at less than this part of their speeds might not, by rounding.
const UNSURE: f64 = 1e-9;

/// See [`Collisions::hop`]. \[duration of a contact\]
const HOP: f64 = 0.1;

/// A contact as it is settled, before any particle hears of it.
struct Meeting<const D: usize> {
    time: f64,
    particle: u32,
    partner: Partner,
    place: Vector<D>,
    normal: Vector<D>,
    speed: f64,
    restitution: f64,
    pair: EffectiveBall,
}

impl<const D: usize> Granular<D> {
    /// The particles `i` and `j` touch at `time`.
    pub(super) fn collide(
        &mut self,
        i: u32,
        j: u32,
        time: f64,
        observer: &mut dyn Observer<D>,
    ) -> Result<(), RunFault> {
        let particles = [i.min(j), i.max(j)];
        let [a, b] = particles.map(|i| self.flights[i as usize]);
        let [x, y] = [a, b].map(|flight| flight.at(time, self.acceleration));
        let velocities = [a, b].map(|flight| flight.velocity_at(time, self.acceleration));
        let apart = directed(self.domain.nearest_image(y - x), velocities[1] - velocities[0]);
        let normal = apart * (1.0 / apart.norm());
        let masses = particles.map(|i| self.mass[i as usize]);
        let pair = EffectiveBall::of_two([a.radius, b.radius], masses);
        // Which leave each other, by rounding, are not pulled together.
        let speed = super::response::approach(velocities, normal).max(0.0);
        let parties = particles.map(Some);
        let e = self.collisions.coefficient(&pair, speed, parties, time, &mut self.last_contacts);
        let after = respond(velocities, normal, masses, e);
        let after = if speed > 0.0 { after.velocities } else { velocities };
        self.tally.collisions += 1;
        self.balance.dissipated += 0.5 * pair.mass * speed * speed * (1.0 - e * e);
        for i in particles {
            self.keep_watch(i, &pair, speed * (time - a.since.max(b.since)), time)?;
        }
        self.rebase(particles[0], x, after[0], time)?;
        self.rebase(particles[1], y, after[1], time)?;
        if e * speed < UNSURE * (velocities[0].norm() + velocities[1].norm()) {
            self.part(particles, normal, &pair, time);
        }
        if observer.wants_contacts() {
            let partner = Partner::Particle {
                id: u64::from(particles[1]),
                species: self.species[particles[1] as usize],
            };
            let place = x + normal * a.radius;
            let particle = particles[0];
            self.tell(
                observer,
                Meeting { time, particle, partner, place, normal, speed, restitution: e, pair },
            )?;
        }
        self.after_collision(&particles, time);
        Ok(())
    }

    /// The particle `i` meets a wall at `time`.
    pub(super) fn strike(
        &mut self,
        i: u32,
        wall: Wall,
        time: f64,
        observer: &mut dyn Observer<D>,
    ) -> Result<(), RunFault> {
        let flight = self.flights[i as usize];
        let (x, v) =
            (flight.at(time, self.acceleration), flight.velocity_at(time, self.acceleration));
        // Out of the container, from the particle to the wall.
        let normal = -self.container.normal(wall, x);
        let [moving, acceleration] = self.container.motion(wall, time);
        let mass = self.mass[i as usize];
        let pair = EffectiveBall::at_wall(flight.radius, mass);
        let speed = (v - moving).dot(normal).max(0.0);
        let e = self.collisions.coefficient(
            &pair,
            speed,
            [Some(i), None],
            time,
            &mut self.last_contacts,
        );
        let weight = (self.acceleration - acceleration).dot(normal);
        let least = self.least_rebound(&pair, weight);
        let rebound = (e * speed).max(least);
        let after = v - normal * (speed + rebound);
        let lost = 0.5 * mass * speed * speed * (1.0 - e * e);
        self.tally.wall_collisions += 1;
        self.balance.dissipated += lost;
        // The impulse times the speed of the wall: no difference of large numbers. And what the
        // wall gives to keep a resting particle off it.
        self.balance.wall_work -= mass * (speed + rebound) * moving.dot(normal);
        self.balance.wall_work += 0.5 * mass * (rebound * rebound - e * speed * (e * speed));
        self.keep_watch(i, &pair, speed * (time - flight.since), time)?;
        // A particle that is beyond a round wall by rounding is put back: sliding along it would
        // add that up.
        let beyond = if wall == Wall::Lateral {
            -self.container.gap(wall, x, flight.radius, time)
        } else {
            0.0
        };
        self.rebase(i, x - normal * beyond.max(0.0), after, time)?;
        if rebound < UNSURE * v.norm() {
            self.leave(i, wall, normal, time);
        }
        if observer.wants_contacts() {
            let partner = match wall {
                Wall::Face(face) => Partner::Wall(face),
                Wall::Lateral => Partner::Side,
            };
            let place = x + normal * flight.radius;
            self.tell(
                observer,
                Meeting { time, particle: i, partner, place, normal, speed, restitution: e, pair },
            )?;
        }
        self.after_collision(&[i], time);
        Ok(())
    }

    /// Rounding may leave two that just collided approaching each other, and then they would
    /// collide again without end: where they slide past each other, where restitution is 0, or
    /// where they share a motion much faster than their relative one. They are parted with the
    /// least speed that does it.
    fn part(&mut self, [a, b]: [u32; 2], normal: Vector<D>, pair: &EffectiveBall, time: f64) {
        let [v, w] = [a, b].map(|i| self.flights[i as usize].velocity);
        let mut speed = f64::EPSILON * (v.norm() + w.norm());
        while self.collision_of(a, b, self.images()).0 <= time && speed < f64::INFINITY {
            for (i, velocity, sign) in [(a, v, -1.0), (b, w, 1.0)] {
                let share = sign * speed * pair.mass / self.mass[i as usize];
                self.flights[i as usize].velocity = velocity + normal * share;
            }
            speed *= 2.0;
        }
    }

    /// The same for a particle and a round wall.
    fn leave(&mut self, i: u32, wall: Wall, normal: Vector<D>, time: f64) {
        let v = self.flights[i as usize].velocity;
        let mut speed = f64::EPSILON * v.norm();
        let at_once = Some((time, wall));
        while wall == Wall::Lateral
            && speed < f64::INFINITY
            && self.container.first_wall(&self.flights[i as usize], self.acceleration, time)
                == at_once
        {
            self.flights[i as usize].velocity = v - normal * speed;
            speed *= 2.0;
        }
    }

    /// The speed with which a particle leaves a wall that gravity, or the wall's own acceleration,
    /// presses it onto with the acceleration `weight` \[nm/µs²\], at least. Without one a particle at
    /// rest would collide for ever at the same time. In the TC model it lasts for a small part of a
    /// contact; so what rests hops, unseen. \[nm/µs\]
    fn least_rebound(&self, pair: &EffectiveBall, weight: f64) -> f64 {
        if weight <= 0.0 {
            return 0.0;
        }
        0.5 * weight * self.collisions.hop(pair)
    }

    fn tell(&self, observer: &mut dyn Observer<D>, meeting: Meeting<D>) -> Result<(), RunFault> {
        let Meeting { time, particle, partner, place, normal, speed, restitution, pair } = meeting;
        let material = &self.collisions.material;
        let impact = restitution::Impact::new(material, &pair, speed, restitution);
        let (step, fraction) = self.output_interval_of(time);
        let contact = Contact {
            step,
            time: fraction,
            id: u64::from(particle),
            species: self.species[particle as usize],
            place: self.domain.wrap(place).0,
            normal,
            approach: speed * self.output_interval,
            impact: Some(Impact {
                energy_lost: impact.energy_lost / JOULE,
                heated_volume: impact.heated_volume / (METRE * METRE * METRE),
                temperature_rise: impact.temperature_rise,
            }),
            ..Contact::bounce(partner)
        };
        observer.contact(&contact).map_err(RunFault::Observer)
    }
}
