//! A small event-driven simulation for triangulations of any dimension.

use super::super::{Laguerre, first_fall};
use crate::kinetic::{Facets, Kinetic};
use jostle_core::agenda::Timetable;
use jostle_core::random::{Purpose, Random};
use jostle_core::space::{Domain, Flight, Flights, Vector};

/// A triangulation that can be asked more than others need to know.
pub(in super::super) trait Audited<const D: usize>: Kinetic<D> + Default {
    /// How many events at most are planned by a flip.
    const MOST_PLANNED: u64;

    /// How often a facet may be looked at for each flip.
    const MOST_LOOKS: u64;

    /// All is checked after so many changes: looking at every facet takes much longer than a change.
    const CHECKED_EVERY: u64;

    /// Whether a facet stands for something that concerns many others.
    fn is_common(&self, facet: u32) -> bool;

    /// How many facets there are, about.
    fn facets(&self) -> u32;

    /// Whether everything was rebuilt at `now`, because flips did not help.
    fn is_afresh(&self, now: f64) -> bool;

    /// Every facet is planned for the time at which its certificate fails, within `horizon`.
    fn assert_planned(&self, flights: &Flights<'_, D>, facets: &Facets<'_>, now: f64, horizon: f64);
}

impl Audited<2> for Laguerre {
    const MOST_PLANNED: u64 = 5;
    const MOST_LOOKS: u64 = 4;
    const CHECKED_EVERY: u64 = 1;

    /// Whether it is a look at all images of a particle.
    fn is_common(&self, facet: u32) -> bool {
        facet >= self.mesh.edges()
    }

    fn facets(&self) -> u32 {
        self.mesh.edges()
    }

    fn is_afresh(&self, now: f64) -> bool {
        self.afresh == Some(now)
    }

    fn assert_planned(
        &self,
        flights: &Flights<'_, 2>,
        facets: &Facets<'_>,
        now: f64,
        horizon: f64,
    ) {
        let view = self.view(flights, now);
        for edge in 0..self.mesh.edges() {
            let quad = self.mesh.quad(edge);
            let planned = facets.time(edge);
            assert!(planned >= now, "no change is overdue");
            let Some(mut certificate) = view.certificate(quad) else {
                assert_eq!(planned, f64::INFINITY, "what is fixed is not planned");
                continue;
            };
            let in_vain = planned == f64::INFINITY && !view.can_flip(quad, certificate.lasts());
            // With a hundred times the tolerance it fails later. Far beyond, rounding of
            // velocities decides.
            certificate.value[0] += 100.0 * certificate.tolerance;
            let latest = now + first_fall(&certificate.value);
            let beyond = latest > now + horizon;
            assert!(
                planned <= latest * (1.0 + 1e-9) || in_vain || beyond,
                "{quad:?}: {planned}, not {latest}"
            );
        }
    }
}

/// A small event-driven simulation: balls of mass r² bounce off each other and the walls of the
/// box. It looks at all pairs for the next contact, and asks the structure only whether it knew.
pub(in super::super) struct Storm<const D: usize, S> {
    pub(in super::super) domain: Domain<D>,
    pub(in super::super) gravity: Vector<D>,
    pub(in super::super) all: Vec<Flight<D>>,
    pub(in super::super) table: Timetable,
    pub(in super::super) structure: S,
    pub(in super::super) now: f64,
    /// In which paths mean something.
    pub(in super::super) horizon: f64,
    pub(in super::super) contacts: u64,
    /// Changes carried out, flips or not.
    pub(in super::super) changes: u64,
    random: Random,
    drawn: u64,
    /// How often flips did not help.
    pub(in super::super) afresh: u64,
}

impl<const D: usize, S: Audited<D>> Storm<D, S> {
    pub(in super::super) fn new(
        balls: &[(Vector<D>, f64)],
        edge: f64,
        gravity: [f64; D],
        velocity: impl Fn(u64) -> Vector<D>,
    ) -> Self {
        let flight = |(i, ball): (usize, &(Vector<D>, f64))| Flight {
            position: ball.0,
            velocity: velocity(i as u64),
            since: 0.0,
            radius: ball.1,
        };
        let mut storm = Self {
            domain: Domain::new([edge; D], [false; D]),
            gravity: Vector(gravity),
            all: balls.iter().enumerate().map(flight).collect(),
            table: Timetable::default(),
            structure: S::default(),
            now: 0.0,
            horizon: 1e3,
            contacts: 0,
            changes: 0,
            random: Random::new(balls.len() as u64),
            drawn: 0,
            afresh: 0,
        };
        storm.with_structure(|structure, flights, facets| structure.build(flights, 0.0, facets));
        storm.assert_well_formed();
        storm
    }

    pub(in super::super) fn with_structure<T>(
        &mut self,
        act: impl FnOnce(&mut S, &Flights<'_, D>, &mut Facets<'_>) -> T,
    ) -> T {
        let flights = Flights { domain: &self.domain, acceleration: self.gravity, all: &self.all };
        act(&mut self.structure, &flights, &mut Facets::new(&mut self.table, 0))
    }

    fn draw(&mut self) -> f64 {
        self.drawn += 1;
        self.random.uniform(Purpose::Waiting, [self.drawn, 0, 0, 0])
    }

    /// The structure is right, and every facet is planned for the time at which its certificate
    /// fails.
    pub(in super::super) fn assert_well_formed(&mut self) {
        let (now, horizon) = (self.now, self.horizon);
        self.with_structure(|structure, flights, facets| {
            structure.assert_well_formed(flights, now);
            structure.assert_planned(flights, facets, now, horizon);
        });
    }

    fn bounce_off_walls(&mut self, i: u32) -> (f64, usize) {
        let flights = Flights { domain: &self.domain, acceleration: self.gravity, all: &self.all };
        let radius = self.all[i as usize].radius;
        let mut first = (f64::INFINITY, 0);
        for k in 0..D {
            let edge = self.domain.edges()[k];
            // Through a side that is none a particle flies on, and comes back later.
            let near = if self.domain.is_periodic(k) { -0.1 * edge } else { radius };
            for (bound, upper) in [(near, false), (edge - near, true)] {
                let when = flights.reaches(i, k, bound, upper, self.now);
                if when < first.0 {
                    first = (when, k);
                }
            }
        }
        first
    }

    /// When `i` and `j` touch, from now on.
    fn contact(&self, i: usize, j: usize) -> f64 {
        let (a, b) = (&self.all[i], &self.all[j]);
        let x =
            self.domain.nearest_image(b.at(self.now, self.gravity) - a.at(self.now, self.gravity));
        let v = b.velocity_at(self.now, self.gravity) - a.velocity_at(self.now, self.gravity);
        let (towards, speed) = (-x.dot(v), v.norm_squared());
        let gap = (x.norm_squared() - (a.radius + b.radius).powi(2)).max(0.0);
        let discriminant = towards * towards - speed * gap;
        match towards > 0.0 && discriminant >= 0.0 {
            true => self.now + gap / (towards + discriminant.sqrt()),
            false => f64::INFINITY,
        }
    }

    pub(in super::super) fn rebase(&mut self, i: usize, velocity: Vector<D>) {
        let (position, _) = self.domain.wrap(self.all[i].at(self.now, self.gravity));
        self.all[i] = Flight { position, velocity, since: self.now, radius: self.all[i].radius };
        let now = self.now;
        self.with_structure(|structure, flights, facets| {
            structure.update(i as u32, flights, now, facets)
        });
    }

    fn near(&mut self, i: usize) -> Vec<u32> {
        let mut near = Vec::new();
        let now = self.now;
        self.with_structure(|structure, flights, _| {
            structure.near(i as u32, flights, now, &mut near)
        });
        near
    }

    fn collide(&mut self, i: usize, j: usize) {
        self.contacts += 1;
        let near = self.near(i);
        assert!(
            near.contains(&(j as u32)),
            "{i} and {j} touch at {} and were not neighbours",
            self.now
        );
        assert!(self.near(j).contains(&(i as u32)));
        let [a, b] = [i, j].map(|i| self.all[i]);
        let x =
            self.domain.nearest_image(b.at(self.now, self.gravity) - a.at(self.now, self.gravity));
        let [u, v] = [a, b].map(|flight| flight.velocity_at(self.now, self.gravity));
        let [p, q] = [a, b].map(|flight| flight.radius.powi(2));
        let push = x * (2.0 * (u - v).dot(x) / (x.norm_squared() * (p + q)));
        self.rebase(i, u - push * q);
        self.rebase(j, v + push * p);
    }

    /// The next of everything that happens up to `end`; whether there was anything.
    fn step(&mut self, end: f64) -> bool {
        let due = self.table.first();
        let mut first = (end, usize::MAX, 0);
        for i in 0..self.all.len() {
            let (when, axis) = self.bounce_off_walls(i as u32);
            if when < first.0 {
                first = (when, i, self.all.len() + axis);
            }
            for j in i + 1..self.all.len() {
                let when = self.contact(i, j);
                if when < first.0 {
                    first = (when, i, j);
                }
            }
        }
        if due.time <= first.0 && !self.table.is_empty() {
            assert!(due.time >= self.now, "time goes forwards");
            self.now = due.time;
            self.change(due.slot);
            return true;
        }
        self.now = first.0;
        let (_, i, j) = first;
        if i == usize::MAX {
            return false;
        }
        match j.checked_sub(self.all.len()) {
            Some(axis) => {
                let mut velocity = self.all[i].velocity_at(self.now, self.gravity);
                if !self.domain.is_periodic(axis) {
                    velocity[axis] = -velocity[axis];
                }
                self.rebase(i, velocity);
            }
            None => self.collide(i, j),
        }
        true
    }

    fn change(&mut self, facet: u32) {
        let now = self.now;
        let mut gained = Vec::new();
        let before = self.structure.topology();
        self.with_structure(|structure, flights, facets| {
            structure.change(facet, flights, now, facets, &mut gained);
        });
        let after = self.structure.topology();
        self.changes += 1;
        if self.structure.is_afresh(now) {
            self.afresh += 1;
        } else if !self.structure.is_common(facet) {
            assert!(gained.len() <= 1 && after.planned - before.planned <= S::MOST_PLANNED);
        }
        for [a, b] in gained {
            let known = self.near(a as usize).contains(&b);
            assert!(known || self.structure.is_common(facet));
        }
        if self.changes.is_multiple_of(S::CHECKED_EVERY) {
            self.assert_well_formed();
        }
    }

    /// Runs to `end`, with a kick now and then.
    pub(in super::super) fn run(&mut self, end: f64, kicks: usize) {
        let start = self.now;
        for k in 1..=kicks + 1 {
            let until = start + (end - start) * k as f64 / (kicks + 1) as f64;
            while self.step(until) {}
            self.assert_well_formed();
            if self.all.is_empty() || k > kicks {
                continue;
            }
            let i = (self.draw() * self.all.len() as f64) as usize;
            let velocity = Vector::from_fn(|_| self.draw() - 0.5) * (1e3 / self.horizon);
            self.rebase(i, velocity);
            self.assert_well_formed();
        }
    }

    /// A facet is looked at at most once for each time that it is planned, and seldom more than
    /// a few times for each flip.
    pub(in super::super) fn assert_calm(&self) {
        let flips = self.structure.topology().events;
        let facets = u64::from(self.structure.facets());
        assert_eq!(self.afresh, 0, "flips did all");
        assert!(
            self.changes <= S::MOST_LOOKS * flips + facets + 2,
            "{} changes, {flips} flips",
            self.changes
        );
    }
}

pub(in super::super) fn random_velocity<const D: usize>(
    seed: u64,
    speed: f64,
) -> impl Fn(u64) -> Vector<D> {
    let random = Random::new(seed);
    let draw = move |i, k| random.uniform(Purpose::Waiting, [i, k as u64, 9, 9]);
    move |i| Vector::from_fn(|k| speed * (draw(i, k) - 0.5))
}
