//! Disks in motion: the triangulation is held to all its promises after every flip.

use super::super::certificate::View;
use super::super::exact::Circle;
use super::super::{Laguerre, first_fall};
use super::scenes::{crowd, hexagonal_lattice, line, square_lattice};
use crate::kinetic::{Facets, Kinetic};
use jostle_core::agenda::Timetable;
use jostle_core::random::{Purpose, Random};
use jostle_core::space::{Domain, Flight, Flights, Vector};

/// A small event-driven simulation: disks of mass r² bounce off each other and the walls of the
/// box. It looks at all pairs for the next contact, and asks the structure only whether it knew.
struct Storm {
    domain: Domain<2>,
    gravity: Vector<2>,
    all: Vec<Flight<2>>,
    table: Timetable,
    structure: Laguerre,
    now: f64,
    /// In which paths mean something.
    horizon: f64,
    /// Between particles.
    contacts: u64,
    /// Changes carried out, flips or not.
    changes: u64,
    random: Random,
    drawn: u64,
    /// How often flips did not help.
    afresh: u64,
}

impl Storm {
    fn new(
        disks: &[Circle],
        edge: f64,
        gravity: [f64; 2],
        velocity: impl Fn(u64) -> Vector<2>,
    ) -> Self {
        let flight = |(i, disk): (usize, &Circle)| Flight {
            position: disk.0,
            velocity: velocity(i as u64),
            since: 0.0,
            radius: disk.1,
        };
        let mut storm = Self {
            domain: Domain::new([edge; 2], [false; 2]),
            gravity: Vector(gravity),
            all: disks.iter().enumerate().map(flight).collect(),
            table: Timetable::default(),
            structure: Laguerre::default(),
            now: 0.0,
            horizon: 1e3,
            contacts: 0,
            changes: 0,
            random: Random::new(disks.len() as u64),
            drawn: 0,
            afresh: 0,
        };
        storm.with_structure(|structure, flights, facets| structure.build(flights, 0.0, facets));
        storm.assert_well_formed();
        storm
    }

    fn with_structure<T>(
        &mut self,
        act: impl FnOnce(&mut Laguerre, &Flights<'_, 2>, &mut Facets<'_>) -> T,
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
    fn assert_well_formed(&mut self) {
        let (now, horizon) = (self.now, self.horizon);
        self.with_structure(|structure, flights, facets| {
            structure.assert_well_formed(flights, now);
            let view = View::new(flights, now);
            for edge in 0..structure.mesh.edges() {
                let quad = structure.mesh.quad(edge);
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
        });
    }

    fn bounce_off_walls(&mut self, i: u32) -> (f64, usize) {
        let flights = Flights { domain: &self.domain, acceleration: self.gravity, all: &self.all };
        let radius = self.all[i as usize].radius;
        let mut first = (f64::INFINITY, 0);
        for k in 0..2 {
            let far = self.domain.edges()[k] - radius;
            for (bound, upper) in [(radius, false), (far, true)] {
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
        let x = b.at(self.now, self.gravity) - a.at(self.now, self.gravity);
        let v = b.velocity_at(self.now, self.gravity) - a.velocity_at(self.now, self.gravity);
        let (towards, speed) = (-x.dot(v), v.norm_squared());
        let gap = (x.norm_squared() - (a.radius + b.radius).powi(2)).max(0.0);
        let discriminant = towards * towards - speed * gap;
        match towards > 0.0 && discriminant >= 0.0 {
            true => self.now + gap / (towards + discriminant.sqrt()),
            false => f64::INFINITY,
        }
    }

    fn rebase(&mut self, i: usize, velocity: Vector<2>) {
        let position = self.all[i].at(self.now, self.gravity);
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
        let x = b.at(self.now, self.gravity) - a.at(self.now, self.gravity);
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
                velocity[axis] = -velocity[axis];
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
        if self.structure.afresh == Some(now) {
            self.afresh += 1;
        } else {
            assert!(gained.len() <= 1 && after.planned - before.planned <= 5);
        }
        for [a, b] in gained {
            assert!(self.near(a as usize).contains(&b));
        }
        self.assert_well_formed();
    }

    /// Runs to `end`, with a kick now and then.
    fn run(&mut self, end: f64, kicks: usize) {
        let start = self.now;
        for k in 1..=kicks + 1 {
            let until = start + (end - start) * k as f64 / (kicks + 1) as f64;
            while self.step(until) {}
            self.assert_well_formed();
            if self.all.is_empty() || k > kicks {
                continue;
            }
            let i = (self.draw() * self.all.len() as f64) as usize;
            let velocity = Vector([self.draw() - 0.5, self.draw() - 0.5]) * (1e3 / self.horizon);
            self.rebase(i, velocity);
            self.assert_well_formed();
        }
    }

    /// An edge is looked at at most once for each time that it is planned, and seldom more than
    /// three times for each flip.
    fn assert_calm(&self) {
        let flips = self.structure.topology().events;
        let edges = u64::from(self.structure.mesh.edges());
        assert_eq!(self.afresh, 0, "flips did all");
        assert!(self.changes <= 4 * flips + edges + 2, "{} changes, {flips} flips", self.changes);
    }
}

fn random_velocity(seed: u64, speed: f64) -> impl Fn(u64) -> Vector<2> {
    let random = Random::new(seed);
    move |i| Vector([0, 1].map(|k| speed * (random.uniform(Purpose::Waiting, [i, k, 9, 9]) - 0.5)))
}

#[test]
fn crowds_of_all_sizes_stay_right() {
    for (seed, count, least) in [(1, 40, 1e-3), (2, 60, 2e-3), (3, 25, 1e-4), (4, 80, 5e-4)] {
        for gravity in [[0.0, 0.0], [0.0, -1.0], [0.3, -0.7]] {
            let mut storm =
                Storm::new(&crowd(seed, count, least), 1.0, gravity, random_velocity(seed, 1.0));
            storm.run(1.5, 15);
            let flips = storm.structure.topology().events;
            assert!(
                storm.contacts > 3 && flips > 100,
                "{} contacts, {flips} flips",
                storm.contacts
            );
            storm.assert_calm();
        }
    }
}

#[test]
fn few_particles_cross_each_others_lines() {
    for count in 0..=6 {
        let mut flips = 0;
        for seed in 0..20 {
            let random = random_velocity(seed + 100, 1.0);
            let disks: Vec<Circle> =
                (0..count).map(|i| (random(i + 50) * 0.9 + Vector([0.5; 2]), 1e-3)).collect();
            for gravity in [[0.0, 0.0], [0.0, -2.0]] {
                let mut storm = Storm::new(&disks, 1.0, gravity, random_velocity(seed, 2.0));
                storm.run(6.0, 3);
                storm.assert_calm();
                flips += storm.structure.topology().events;
            }
        }
        assert!(flips >= 200 * (count.max(2) - 2), "{flips} flips of {count} particles");
    }
}

#[test]
fn lattices_at_rest_or_moving_as_one_never_change() {
    for disks in [
        square_lattice(8, 0.4),
        hexagonal_lattice(8, 0.49),
        line(10, [1.0, 0.0]),
        line(10, [0.5, 0.25]),
    ] {
        for (gravity, velocity) in
            [([0.0, 0.0], [0.0, 0.0]), ([0.0, 0.0], [0.1, 0.3]), ([0.2, -1.0], [0.3, 0.1])]
        {
            let mut storm = Storm::new(&disks, 1e3, gravity, |_| Vector(velocity));
            storm.all.iter_mut().for_each(|flight| flight.position += Vector([500.0 / 3.0; 2]));
            storm
                .with_structure(|structure, flights, facets| structure.build(flights, 0.0, facets));
            storm.run(10.0, 0);
            // Each gets a new path, which is the old one.
            for i in 0..disks.len() {
                storm.now += 0.01;
                let velocity = storm.all[i].velocity_at(storm.now, storm.gravity);
                storm.rebase(i, velocity);
                storm.assert_well_formed();
            }
            storm.run(15.0, 0);
            assert_eq!(storm.structure.topology().events, 0, "{gravity:?} {velocity:?}");
        }
    }
}

#[test]
fn lattices_dissolve_without_a_storm_of_flips() {
    for speed in [1e-12, 1e-6, 1.0] {
        for (seed, disks) in [
            square_lattice(7, 0.45),
            hexagonal_lattice(7, 0.499),
            line(9, [1.0, 0.0]),
            line(9, [0.5, 0.25]),
        ]
        .into_iter()
        .enumerate()
        {
            let mut storm =
                Storm::new(&disks, 1.0, [0.0, 0.0], random_velocity(seed as u64, speed));
            storm.horizon = 1e3 / speed;
            let edges = f64::from(storm.structure.mesh.edges());
            storm.run(0.01 / speed, 10);
            let flips = storm.structure.topology().events as f64;
            assert!(flips < 3.0 * edges, "{flips} flips of {edges} edges at {speed}");
            storm.run(1.0 / speed, 10);
            storm.assert_calm();
        }
    }
}

#[test]
fn late_times_do_no_harm() {
    let mut storm = Storm::new(&crowd(5, 40, 1e-3), 1.0, [0.0, -1.0], random_velocity(5, 1.0));
    for start in [1e3, 1e6, 1e9] {
        for i in 0..storm.all.len() {
            let position = storm.all[i].at(storm.now, storm.gravity);
            let velocity = storm.all[i].velocity_at(storm.now, storm.gravity);
            storm.all[i] = Flight { position, velocity, since: start, ..storm.all[i] };
        }
        storm.now = start;
        storm.with_structure(|structure, flights, facets| structure.build(flights, start, facets));
        storm.run(start + 1.0, 10);
        // At the last start a particle makes a ten-thousandth of a diameter within one rounding of
        // the time.
        match start < 1e9 {
            true => storm.assert_calm(),
            false => assert!(storm.afresh < 20, "{} times afresh", storm.afresh),
        }
    }
}

/// Disks fly through each other, and small ones are covered by large ones, which nothing is
/// promised for: but time advances, and building sets all right.
#[test]
fn covered_disks_stop_nothing() {
    let mut disks = crowd(6, 40, 1e-3);
    disks.iter_mut().take(3).for_each(|disk| disk.1 = 0.2);
    let mut storm = Storm::new(&crowd(6, 40, 1e-3), 1e3, [0.0, 0.0], random_velocity(6, 1.0));
    for (flight, disk) in storm.all.iter_mut().zip(&disks) {
        flight.radius = disk.1;
    }
    let mut changes = 0;
    storm.with_structure(|structure, flights, facets| structure.build(flights, 0.0, facets));
    while storm.table.first().time < 1e4 {
        let due = storm.table.first();
        assert!(due.time >= storm.now);
        storm.now = due.time;
        storm.with_structure(|structure, flights, facets| {
            structure.change(due.slot, flights, due.time, facets, &mut Vec::new());
        });
        changes += 1;
        assert!(changes < 20_000, "{changes} changes");
    }
    storm.now = 1e4;
    storm.with_structure(|structure, flights, facets| structure.build(flights, 1e4, facets));
    storm.assert_well_formed();
}
