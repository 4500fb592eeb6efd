//! Disks in motion: the triangulation is held to all its promises after every flip.

use super::super::Laguerre;
use super::super::exact::Circle;
use super::scenes::{crowd, hexagonal_lattice, line, square_lattice};
use super::storm::{Storm, random_velocity};
use crate::kinetic::Kinetic;
use jostle_core::space::{Flight, Vector};

type Disks = Storm<2, Laguerre>;

#[test]
fn crowds_of_all_sizes_stay_right() {
    let crowds = [(1, 40, 1e-3), (2, 60, 2e-3), (3, 25, 1e-4), (4, 80, 5e-4)];
    let ways = [[0.0, 0.0], [0.0, -1.0], [0.3, -0.7]];
    // Each crowd falls in one of the ways; with the feature `long`, in all of them.
    let some = if cfg!(feature = "long") { ways.len() } else { 1 };
    for (turn, (seed, count, least)) in crowds.into_iter().enumerate() {
        for gravity in ways.into_iter().cycle().skip(turn).take(some) {
            let mut storm =
                Disks::new(&crowd(seed, count, least), 1.0, gravity, random_velocity(seed, 1.0));
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
                let mut storm = Disks::new(&disks, 1.0, gravity, random_velocity(seed, 2.0));
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
            let mut storm = Disks::new(&disks, 1e3, gravity, |_| Vector(velocity));
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
                Disks::new(&disks, 1.0, [0.0, 0.0], random_velocity(seed as u64, speed));
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
    let mut storm = Disks::new(&crowd(5, 40, 1e-3), 1.0, [0.0, -1.0], random_velocity(5, 1.0));
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
    let mut disks = crowd::<2>(6, 40, 1e-3);
    disks.iter_mut().take(3).for_each(|disk| disk.1 = 0.2);
    let mut storm = Disks::new(&crowd(6, 40, 1e-3), 1e3, [0.0, 0.0], random_velocity(6, 1.0));
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
