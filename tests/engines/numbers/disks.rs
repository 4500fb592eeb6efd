//! The disk gas that looks after the move, at the edge of what can be: the same for all strips.

use jostle::gas::{Arrangement, Disk, Gas, GasSetup, GasSetupError};
use jostle::observe::NoObserver;
use jostle::space::{Domain, Vector};

fn disk(position: [f64; 2], velocity: [f64; 2]) -> Disk {
    Disk {
        position: Vector(position),
        velocity: Vector(velocity),
        radius: 0.5,
        mass: 1.0,
        species: 0,
    }
}

fn start(
    arrangement: Arrangement,
    scale: f64,
    timestep: f64,
    disks: &[Disk],
) -> Result<Gas, GasSetupError> {
    let domain = Domain::new([8.0 * scale; 2], [false; 2]);
    let scaled = |disk: &Disk| Disk {
        position: disk.position * scale,
        velocity: disk.velocity * scale,
        radius: disk.radius * scale,
        ..*disk
    };
    let disks: Vec<_> = disks.iter().map(scaled).collect();
    Gas::new(GasSetup { domain, timestep, gravity: Vector::ZERO, arrangement }, &disks)
}

/// Places after so many steps, and collisions of disks and with walls, for every arrangement.
fn course(scale: f64, timestep: f64, steps: usize, disks: &[Disk]) -> (Vec<Vector<2>>, [u64; 2]) {
    let strips = |axis, width: f64| Arrangement::Strips { axis, width: width * scale };
    let ways = [Arrangement::Naive, strips(0, 1.0), strips(1, 1.0), strips(0, 2.0), strips(1, 8.0)];
    let mut found = ways.map(|arrangement| {
        let mut gas =
            start(arrangement, scale, timestep, disks).unwrap_or_else(|error| panic!("{error}"));
        (0..steps).for_each(|_| gas.step(&mut NoObserver).unwrap());
        let tally = gas.tally();
        (gas.particles().position.clone(), [tally.collisions, tally.wall_collisions])
    });
    let first = std::mem::take(&mut found[0]);
    found[1..].iter().for_each(|other| assert_eq!(*other, first));
    first
}

#[test]
fn disks_that_touch_exactly_do_not_collide() {
    let touching =
        [disk([2.0, 2.0], [0.0; 2]), disk([3.0, 2.0], [0.0; 2]), disk([3.0, 1.0], [0.0; 2])];
    let (places, counts) = course(1.0, 1.0, 5, &touching);
    assert_eq!(counts, [0, 0]);
    assert!(places.iter().zip(&touching).all(|(place, disk)| *place == disk.position));
}

/// Centres on the lines between strips, in the corners, and in contact with walls and with the rows
/// beside them; pairs by themselves, since of three that overlap it matters which comes first.
#[test]
fn disks_on_the_edges_of_strips_and_in_corners_are_found_by_all() {
    for turned in [false, true] {
        let place = |x: f64, y: f64| if turned { [y, x] } else { [x, y] };
        let disks: Vec<_> = (0..8)
            .map(f64::from)
            .flat_map(|row| {
                let speed = [1.0, 0.5, 0.75][row as usize % 3];
                let left = disk(place(0.5, row + 0.5), place(speed, 0.0));
                [left, disk(place(7.5 - row / 2.0, row + 0.5), place(-1.0, 0.0))]
            })
            .collect();
        let (places, [collisions, walls]) = course(1.0, 0.25, 200, &disks);
        assert!(collisions > 30 && walls > 60, "{collisions} {walls}");
        assert!(places.iter().flat_map(|x| x.0).all(|x| (0.5..=7.5).contains(&x)));
        for exponent in [-30, 30] {
            let scale = libm::exp2(f64::from(exponent));
            let (other, counts) = course(scale, 0.25, 200, &disks);
            assert_eq!(counts, [collisions, walls]);
            assert!(other.iter().zip(&places).all(|(a, b)| *a == *b * scale));
        }
    }
}

/// The page lets them part, and has no line between centres that coincide.
#[test]
fn disks_in_one_place_continue() {
    let (places, counts) =
        course(1.0, 0.25, 8, &[disk([4.0; 2], [1.0, 0.0]), disk([4.0; 2], [-1.0, 0.0])]);
    assert_eq!(counts, [0, 0]);
    assert_eq!(places, [Vector([6.0, 4.0]), Vector([2.0, 4.0])]);
}

#[test]
fn a_disk_outside_the_box_is_named() {
    for outside in [0.0, 8.0, -1e300, f64::NAN] {
        let disks = [disk([4.0; 2], [0.0; 2]), disk([outside, 4.0], [0.0; 2])];
        assert_eq!(
            start(Arrangement::Naive, 1.0, 1.0, &disks).err(),
            Some(GasSetupError::Outside { disk: 1 })
        );
    }
}
