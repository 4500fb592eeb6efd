//! The books of a gas whose engine keeps none: the energy of its disks at the ends of steps.

use crate::drive::Chain;
use crate::tape::Tape;
use jostle_core::observe::{Books, Change, Contact, Observer, ObserverError, View};
use jostle_core::space::Vector;
use jostle_model::Model;
use jostle_model::gas::GasModel;

/// What the books of a gas are made from.
#[derive(Clone, Debug)]
pub(super) struct Accounts {
    /// \[kg\], \[species\]
    mass: Vec<f64>,
    /// \[nm/µs²\]
    gravity: Vector<2>,
    /// Observers look at every so many steps.
    every: u64,
}

impl Accounts {
    pub(super) fn new(model: &Model, gas: &GasModel) -> Self {
        Self {
            mass: gas.granular.balls.iter().map(|disks| disks.mass_of(disks.radius[0])).collect(),
            gravity: Vector::from_fn(|k| gas.granular.gravity.acceleration[k]),
            every: model.output.frame_every.max(1),
        }
    }

    /// The mass of each disk, by identity. \[kg\]
    pub(super) fn masses(&self, view: &View<'_, 2>) -> Vec<f64> {
        let p = view.particles;
        p.slots_by_id().into_iter().map(|slot| self.mass[p.species[slot as usize] as usize]).collect()
    }

    /// The books of a state; its own, if it comes with some.
    pub(super) fn books(&self, view: &View<'_, 2>) -> Books {
        if let Some(books) = view.books {
            return books;
        }
        let (p, per_time) = (view.particles, 1.0 / view.clock.timestep);
        let mut books = Books::default();
        for slot in p.slots_by_id() {
            let i = slot as usize;
            let mass = self.mass[p.species[i] as usize];
            let velocity = p.velocity[i] * per_time;
            let edges = view.domain.edges();
            let place = Vector::from_fn(|k| p.position[i][k] + f64::from(p.image[i][k]) * edges[k]);
            books.kinetic += 0.5 * mass * velocity.norm_squared();
            books.potential -= mass * self.gravity.dot(place);
            for k in 0..2 {
                books.momentum[k] += mass * velocity[k];
            }
        }
        books
    }
}

/// An observer that adds the books to what others see.
pub(super) struct Bookkeeper<'a, N> {
    pub(super) accounts: &'a Accounts,
    pub(super) next: N,
}

impl<N: Chain<2>> Chain<2> for Bookkeeper<'_, N> {
    fn tape(&mut self) -> &mut Tape<2> {
        self.next.tape()
    }
}

impl<N: Observer<2>> Observer<2> for Bookkeeper<'_, N> {
    fn wants_contacts(&self) -> bool {
        self.next.wants_contacts()
    }

    fn contact(&mut self, contact: &Contact<2>) -> Result<(), ObserverError> {
        self.next.contact(contact)
    }

    fn change(&mut self, change: &Change<'_, 2>) -> Result<(), ObserverError> {
        self.next.change(change)
    }

    fn step(&mut self, view: &View<'_, 2>) -> Result<(), ObserverError> {
        let seen = view.clock.step.is_multiple_of(self.accounts.every);
        let books = seen.then(|| self.accounts.books(view));
        self.next.step(&View { books: books.or(view.books), ..*view })
    }
}
