//! First contacts inside a step (Johnson & Whalley 2002, sections 3.3 and 4.1), as the engine finds
//! and settles them. How likely they are is for `jostle validate` to say.

use jostle::brownian::{Scheduler, Seed};
use jostle::observe::{Contact, Observer, ObserverError, Partner};
use jostle::search::Kind;
use jostle::space::Vector;
use jostle_lab::validate::world::World;

/// Keeps all contacts.
#[derive(Default)]
struct Contacts<const D: usize>(Vec<Contact<D>>);

impl<const D: usize> Observer<D> for Contacts<D> {
    fn wants_contacts(&self) -> bool {
        true
    }
    fn contact(&mut self, contact: &Contact<D>) -> Result<(), ObserverError> {
        self.0.push(*contact);
        Ok(())
    }
}

/// The two particles of a contact.
fn pair<const D: usize>(contact: &Contact<D>) -> [u64; 2] {
    match contact.partner {
        Partner::Particle { id, .. } => [contact.id, id],
        other => panic!("a contact of two particles was expected, not one with {other:?}"),
    }
}

/// Takes one step from the places in `way` along the straight lines to where they would end, once
/// for each scheduler and search structure; gives all contacts and the ends.
fn go<const D: usize>(
    world: &World<D>,
    way: &[[Vector<D>; 2]],
) -> Vec<(Vec<Contact<D>>, Vec<Vector<D>>)> {
    let particles: Vec<_> = way
        .iter()
        .enumerate()
        .map(|(n, [start, _])| Seed { species: (n % world.species.len()) as u16, position: *start })
        .collect();
    let mut runs = Vec::new();
    for scheduler in [Scheduler::Queue, Scheduler::Rescan] {
        for search in [Kind::Naive, Kind::Cubic, Kind::Slices, Kind::Levels, Kind::Endpoints] {
            let mut engine =
                world.clone().scheduler(scheduler).search(search).with(&particles).unwrap();
            let mut contacts = Contacts::default();
            let along = |id: u64| way[id as usize][1] - way[id as usize][0];
            engine.step_along(along, &mut contacts).unwrap();
            runs.push((contacts.0, engine.particles().position.clone()));
        }
    }
    runs
}

fn close<const D: usize>(a: Vector<D>, b: Vector<D>) -> bool {
    (a - b).norm() < 1e-13
}

/// Section 3.3: A (0,0,0) -> (1,1,0) and B (1,0,0) -> (0,1,0), radii 0.2; the roots are 0.3 and
/// 0.7, and the first is the contact. All moved by (4,4,4) into the box.
#[test]
fn the_worked_example_of_johnson_and_whalley() {
    let way = [[[4.0, 4.0, 4.0], [5.0, 5.0, 4.0]], [[5.0, 4.0, 4.0], [4.0, 5.0, 4.0]]]
        .map(|way| way.map(Vector));
    for (contacts, ends) in go(&World::<3>::periodic(10.0).species(0.2, 1.0), &way) {
        assert_eq!(contacts.len(), 1);
        assert!((contacts[0].time - 0.3).abs() < 1e-15, "{contacts:?}");
        assert!(close(contacts[0].normal, Vector([1.0, 0.0, 0.0])));
        assert!(close(contacts[0].place, Vector([4.5, 4.3, 4.0])));
        assert!((contacts[0].approach - 2.0).abs() < 1e-14);
        // They meet head-on along x and swap that part of their motion.
        assert!(close(ends[0], Vector([3.6, 5.0, 4.0])), "{ends:?}");
        assert!(close(ends[1], Vector([5.4, 5.0, 4.0])), "{ends:?}");
    }
}

/// The same across the faces of the box, which is thus seen to be no place like any other.
#[test]
fn the_worked_example_across_the_periodic_faces() {
    let way = [[[9.5, 9.7, 0.0], [10.5, 10.7, 0.0]], [[0.5, 9.7, 0.0], [-0.5, 10.7, 0.0]]]
        .map(|way| way.map(Vector));
    for (contacts, ends) in go(&World::<3>::periodic(10.0).species(0.2, 1.0), &way) {
        assert_eq!(contacts.len(), 1);
        assert!((contacts[0].time - 0.3).abs() < 1e-14, "{contacts:?}");
        assert!(close(ends[0], Vector([9.1, 0.7, 0.0])), "{ends:?}");
        assert!(close(ends[1], Vector([0.9, 0.7, 0.0])), "{ends:?}");
    }
}

/// Section 4.1, the reason for subdividing the step: B would have ended where it is, but A pushes
/// it on to C within the same step.
#[test]
fn a_chain_of_contacts_within_one_step() {
    let way = [[0.0, 3.0], [2.0, 2.0], [3.5, 3.5]].map(|way| way.map(|x| Vector([x + 10.0])));
    for (contacts, ends) in go(&World::<1>::periodic(100.0).species(0.5, 1.0), &way) {
        assert_eq!(contacts.iter().map(pair).collect::<Vec<_>>(), [[0, 1], [1, 2]]);
        assert!((contacts[0].time - 1.0 / 3.0).abs() < 1e-15, "{contacts:?}");
        assert!((contacts[1].time - 1.0 / 2.0).abs() < 1e-15, "{contacts:?}");
        assert_eq!([contacts[0].subdivision, contacts[1].subdivision], [0, 1]);
        for (end, expected) in ends.iter().zip([11.0, 12.5, 15.0]) {
            assert!((end[0] - expected).abs() < 1e-13, "{ends:?}");
        }
    }
}

/// A particle that diffuses three times faster has a third of the mass: v' = v - 2 m' / (m + m') (v
/// - v').
#[test]
fn unequal_particles_bounce_with_masses_1_over_d() {
    let way = [[1.0, 5.0], [3.0, 3.0]].map(|way| way.map(|x| Vector([x])));
    for (contacts, ends) in
        go(&World::<1>::periodic(100.0).species(0.5, 3.0).species(0.5, 1.0), &way)
    {
        assert_eq!(contacts[0].time, 0.25);
        // The light one flies back with half its speed, the heavy one on with half of it.
        assert!(close(ends[0], Vector([2.0 - 2.0 * 0.75])), "{ends:?}");
        assert!(close(ends[1], Vector([3.0 + 2.0 * 0.75])), "{ends:?}");
    }
}

/// A meets the wall, comes back, meets B, which comes after it, and is thrown at the wall again.
#[test]
fn walls_and_particles_are_met_in_the_order_of_time() {
    let way = [[1.5, -2.5], [3.0, 1.0]].map(|way| way.map(|x| Vector([x])));
    for (contacts, ends) in go(&World::<1>::closed(10.0).species(0.5, 1.0), &way) {
        assert_eq!(contacts.len(), 3, "{contacts:?}");
        assert_eq!(pair(&contacts[1]), [0, 1]);
        for (contact, time) in contacts.iter().zip([0.25, 5.0 / 12.0, 0.75]) {
            assert!((contact.time - time).abs() < 1e-15, "{contact:?}");
        }
        for wall in [&contacts[0], &contacts[2]] {
            assert!(matches!(wall.partner, Partner::Wall(face) if face.name() == "x-"));
            assert_eq!((wall.id, wall.place, wall.normal), (0, Vector([0.0]), Vector([-1.0])));
        }
        assert!(close(ends[0], Vector([1.0])) && close(ends[1], Vector([4.5])), "{ends:?}");
    }
}
