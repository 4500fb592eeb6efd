//! A search structure at work, and whether it has neighbour lists that others may read.

use super::{Auto, Broad, Counters, Pair, Search, Verlet};
use crate::space::{Paths, Window};

/// A search structure. Callers that only search use it as any [`Search`]; callers that make use of
/// neighbour lists get them here, so that the trait need not reveal which structure it is.
pub enum Finder<const D: usize> {
    /// Any structure without lists.
    Any(Box<dyn Search<D>>),
    /// Neighbour lists.
    Lists(Box<Verlet<D>>),
    /// One that may change its choice during a run; it has lists while they are its choice.
    Auto(Box<Auto<D>>),
}

impl<const D: usize> Finder<D> {
    /// A structure of which nothing is asked but to search.
    pub fn any(search: impl Search<D> + 'static) -> Self {
        Self::Any(Box::new(search))
    }

    /// The neighbour lists, if there are any and they are up to date: several threads may read them
    /// while others follow paths of their own.
    #[inline]
    pub fn lists(&self) -> Option<&Verlet<D>> {
        match self {
            Self::Any(_) => None,
            Self::Lists(verlet) => verlet.is_in_force().then_some(verlet),
            Self::Auto(auto) => auto.at_work().lists(),
        }
    }

    /// The same, to be told of strays.
    pub fn lists_mut(&mut self) -> Option<&mut Verlet<D>> {
        match self {
            Self::Any(_) => None,
            Self::Lists(verlet) => verlet.is_in_force().then_some(verlet),
            Self::Auto(auto) => auto.at_work_mut().lists_mut(),
        }
    }

    /// Whether it is measuring several structures, for which one thread should do all the work.
    pub fn is_measuring(&self) -> bool {
        matches!(self, Self::Auto(auto) if auto.is_measuring())
    }

    /// As one that searches, and nothing else.
    #[inline]
    pub fn search(&self) -> &dyn Search<D> {
        match self {
            Self::Any(search) => &**search,
            Self::Lists(verlet) => &**verlet,
            Self::Auto(auto) => &**auto,
        }
    }

    #[inline]
    fn search_mut(&mut self) -> &mut dyn Search<D> {
        match self {
            Self::Any(search) => &mut **search,
            Self::Lists(verlet) => &mut **verlet,
            Self::Auto(auto) => &mut **auto,
        }
    }
}

impl<const D: usize> Broad<D> for Finder<D> {
    fn refit(&mut self, paths: &Paths<'_, D>, window: Window) {
        self.search_mut().refit(paths, window);
    }

    fn near(&self, i: u32, paths: &Paths<'_, D>, out: &mut Vec<u32>) {
        self.search().near(i, paths, out);
    }

    fn update(&mut self, i: u32, paths: &Paths<'_, D>) {
        self.search_mut().update(i, paths);
    }

    fn insert(&mut self, i: u32, paths: &Paths<'_, D>) {
        self.search_mut().insert(i, paths);
    }

    fn remove(&mut self, i: u32) {
        self.search_mut().remove(i);
    }

    fn renumber(&mut self, new_slot: &[u32]) {
        self.search_mut().renumber(new_slot);
    }

    fn relink(&mut self, paths: &Paths<'_, D>, time: f64) {
        self.search_mut().relink(paths, time);
    }

    fn counters(&self) -> Counters {
        self.search().counters()
    }

    fn describe(&self) -> String {
        self.search().describe()
    }
}

impl<const D: usize> Search<D> for Finder<D> {
    fn pairs(&self, paths: &Paths<'_, D>, out: &mut Vec<Pair>) {
        self.search().pairs(paths, out);
    }
}
