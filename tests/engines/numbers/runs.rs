//! One course of events, run through everything that must not matter: search structures,
//! schedulers, threads.

use jostle::brownian::{Brownian, Scheduler, Seed, Tally};
use jostle::observe::{Change, Contact, Observer, ObserverError, Partner, View};
use jostle::search::{Kind, Listing, Relink, Settings};
use jostle::space::Vector;
use jostle_lab::validate::world::World;

use crate::trace::Trace;

/// Hears of everything.
#[derive(Default)]
pub(crate) struct Heard<const D: usize> {
    trace: Trace,
    contacts: Vec<Contact<D>>,
}

impl<const D: usize> Observer<D> for Heard<D> {
    fn wants_contacts(&self) -> bool {
        true
    }

    fn contact(&mut self, contact: &Contact<D>) -> Result<(), ObserverError> {
        self.contacts.push(*contact);
        self.trace.contact(contact)
    }

    fn change(&mut self, change: &Change<'_, D>) -> Result<(), ObserverError> {
        <Trace as Observer<D>>::change(&mut self.trace, change)
    }

    fn step(&mut self, view: &View<'_, D>) -> Result<(), ObserverError> {
        self.trace.step(view)
    }
}

/// What came of it.
pub(crate) struct Run<const D: usize> {
    pub(crate) contacts: Vec<Contact<D>>,
    /// Where every particle is in the end, within the box, in the order of identity.
    pub(crate) places: Vec<Vector<D>>,
    pub(crate) images: Vec<[i32; D]>,
    pub(crate) radii: Vec<f64>,
    pub(crate) tally: Tally,
    trace: Trace,
}

impl<const D: usize> Run<D> {
    /// The particles of each contact; a wall is its number after 1000.
    pub(crate) fn pairs(&self) -> Vec<[u64; 2]> {
        let partner = |contact: &Contact<D>| match contact.partner {
            Partner::Particle { id, .. } => id,
            Partner::Wall(face) => 1000 + face.index() as u64,
            Partner::Side | Partner::Surface(_) => u64::MAX,
        };
        self.contacts.iter().map(|contact| [contact.id, partner(contact)]).collect()
    }

    /// The most that two particles of this world overlap in the end, in parts of the sum of their
    /// radii.
    pub(crate) fn overlap(&self, world: &World<D>) -> f64 {
        let mut most = f64::NEG_INFINITY;
        for (i, x) in self.places.iter().enumerate() {
            for (j, y) in self.places.iter().enumerate().take(i) {
                let contact = self.radii[i] + self.radii[j];
                most = most.max(1.0 - world.domain.nearest_image(*x - *y).norm() / contact);
            }
        }
        most
    }

    #[track_caller]
    pub(crate) fn assert_places(&self, expected: &[[f64; D]]) {
        for (found, expected) in self.places.iter().zip(expected) {
            assert!(
                (*found - Vector(*expected)).norm() < 1e-12,
                "{:?}, not {expected:?}",
                self.places
            );
        }
    }
}

/// Every kind of structure, in the settings that make them differ.
fn structures(dimension: usize) -> Vec<Settings> {
    let mut all: Vec<_> = Kind::ALL.map(|kind| Settings { kind, ..Settings::default() }).to_vec();
    for pruning in [false, true] {
        let cubic = Settings { kind: Kind::Cubic, pruning, ..Settings::default() };
        all.push(Settings { relink: Relink::Move, ..cubic.clone() });
        all.push(Settings { listing: Listing::Touch, ..cubic });
        let slices = Settings { kind: Kind::Slices, pruning, ..Settings::default() };
        all.extend((0..dimension).map(|axis| Settings { axis, ..slices.clone() }));
    }
    all
}

/// Runs `go` in this world through all structures with all schedulers, in turns on one thread and
/// on three, and holds all to the bits of the first.
pub(crate) fn everywhere<const D: usize>(
    world: &World<D>,
    particles: &[Seed<D>],
    go: impl Fn(&mut Brownian<D>, &mut Heard<D>) + Sync,
) -> Run<D> {
    let pools = [1, 3].map(|n| rayon::ThreadPoolBuilder::new().num_threads(n).build().unwrap());
    let mut first: Option<Run<D>> = None;
    let mut turns = 0;
    for search in structures(D) {
        for scheduler in Scheduler::ALL {
            let world = World { search: search.clone(), ..world.clone() }.scheduler(scheduler);
            let run = pools[turns % 2].install(|| run(&world, particles, &go));
            turns += 1;
            assert_eq!(run.tally.late, 0, "{search:?} {scheduler:?}");
            if let Some(first) = &first {
                assert_eq!(run.trace, first.trace, "{search:?} {scheduler:?}");
            }
            first.get_or_insert(run);
        }
    }
    first.expect("there are structures")
}

fn run<const D: usize>(
    world: &World<D>,
    particles: &[Seed<D>],
    go: &impl Fn(&mut Brownian<D>, &mut Heard<D>),
) -> Run<D> {
    let mut engine = world.with(particles).unwrap_or_else(|error| panic!("{error}"));
    let mut heard =
        Heard { trace: Trace { listens: true, ..Trace::default() }, ..Heard::default() };
    go(&mut engine, &mut heard);
    let particles = engine.particles();
    let slots: Vec<usize> = particles.slots_by_id().into_iter().map(|slot| slot as usize).collect();
    Run {
        contacts: heard.contacts,
        places: slots.iter().map(|&i| particles.position[i]).collect(),
        images: slots.iter().map(|&i| particles.image[i]).collect(),
        radii: slots.iter().map(|&i| particles.radius[i]).collect(),
        tally: engine.tally(),
        trace: heard.trace,
    }
}

/// One step from each place along the straight line to where it would end.
pub(crate) fn one_step<const D: usize>(world: &World<D>, ways: &[[[f64; D]; 2]]) -> Run<D> {
    let particles: Vec<_> =
        ways.iter().map(|[start, _]| Seed { species: 0, position: Vector(*start) }).collect();
    everywhere(world, &particles, |engine, heard| {
        let along = |id: u64| {
            let [start, end] = ways[id as usize];
            Vector(end) - Vector(start)
        };
        engine.step_along(along, heard).unwrap_or_else(|error| panic!("{error}"));
    })
}

/// So many steps by chance.
pub(crate) fn steps<const D: usize>(
    world: &World<D>,
    particles: &[Seed<D>],
    count: usize,
) -> Run<D> {
    everywhere(world, particles, |engine, heard| {
        (0..count).for_each(|_| engine.step(heard).unwrap_or_else(|error| panic!("{error}")));
    })
}

/// Particles of the first species at these places.
pub(crate) fn at<const D: usize>(places: &[[f64; D]]) -> Vec<Seed<D>> {
    places.iter().map(|&place| Seed { species: 0, position: Vector(place) }).collect()
}
