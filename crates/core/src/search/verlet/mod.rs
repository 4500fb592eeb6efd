//! Neighbour lists with a skin (Verlet 1967): pairs that might touch while both particles are near
//! the places where they were when the lists were made. If steps are short, lists last for many.
//!
//! Each particle has a skin. The lists name every pair that can touch while neither particle has
//! moved farther from its place than that. Another structure makes them: it is asked about spheres
//! at rest that are larger by the skin. A particle that moves farther is a *stray*: the other
//! structure is asked about each stray by itself, at each step, until there are so many strays that
//! new lists are cheaper.
//!
//! Tried and rejected: keeping with each pair a lower bound of its distance, so that fewer pairs
//! are looked at, and keeping paths in single precision for the sieve. From 10^5 particles on,
//! where memory sets the pace, what either saves goes into keeping it up to date.

mod lists;
mod skin;
mod strays;

use rayon::prelude::*;
use smallvec::SmallVec;

use super::cells::{Cells, renumbered, spread};
use super::counters::Tally;
use super::{Broad, Counters, Finder, GONE, Kind, Pair, Resize, Search, Settings};
use crate::prefetch::prefetch;
use crate::space::{Path, Paths, Vector, Window};
use lists::Lists;
use skin::Skins;

/// Particles handled as one piece of work; no result depends on it.
const CHUNK: usize = 4096;

/// Sizes that differ by so much are searched in levels.
const SPREAD_FOR_LEVELS: f64 = 3.0;

/// In `extra_of`: no entry.
const NONE: u32 = u32::MAX;

/// The lists, and what they rest on.
pub struct Verlet<const D: usize> {
    settings: Settings,
    /// Makes the lists, and finds the particles around a stray.
    maker: Finder<D>,
    maker_kind: Kind,
    /// Where each particle was when the lists were made; of a stray, where its path starts.
    /// \[slot\]
    place: Vec<Vector<D>>,
    /// All are 0. \[slot\]
    rest: Vec<Vector<D>>,
    /// The radius plus the skin. \[slot\]
    wide: Vec<f64>,
    /// No particle's radius is larger. \[length\]
    widest: f64,
    /// As it was when the lists were made. \[slot\]
    group: Vec<u16>,
    is_stray: Vec<bool>,
    strays: Vec<u32>,
    lists: Lists,
    /// Neighbours besides those on the lists, because of strays: an index into `extra`. \[slot\]
    extra_of: Vec<u32>,
    extra: Vec<(u32, SmallVec<[u32; 8]>)>,
    skins: Skins,
    window: Window,
    /// Whether there are lists.
    in_force: bool,
    near: Vec<u32>,
    tally: Tally,
    past: Counters,
}

impl<const D: usize> Verlet<D> {
    /// What the lists and the cells that make them hold of each particle, without
    /// [`Verlet::EACH_PAIR`]. \[bytes\]
    pub const EACH: usize = Cells::<D>::EACH
        + 2 * size_of::<Vector<D>>()
        + size_of::<f64>()
        + size_of::<u16>()
        + size_of::<bool>()
        + size_of::<[u32; 2]>();

    /// What they hold of each pair within the skins: as the cells have named it, as it is kept, and
    /// on the lists of both. \[bytes\]
    pub const EACH_PAIR: usize = 2 * size_of::<Pair>() + size_of::<[u32; 2]>();

    /// Lists that are made by cells, or by levels where sizes differ much, otherwise as `settings`
    /// say.
    pub fn new(settings: &Settings) -> Self {
        // The skins may change whenever lists are made, and the cells with them. Nothing could be
        // pruned by direction, since the spheres that the maker sees are at rest.
        let settings = Settings { pruning: false, resize: Resize::Every(1), ..settings.clone() };
        let maker_kind = Kind::Cubic;
        Self {
            maker: Settings { kind: maker_kind, ..settings.clone() }.build(),
            maker_kind,
            settings,
            place: Vec::new(),
            rest: Vec::new(),
            wide: Vec::new(),
            widest: 0.0,
            group: Vec::new(),
            is_stray: Vec::new(),
            strays: Vec::new(),
            lists: Lists::default(),
            extra_of: Vec::new(),
            extra: Vec::new(),
            skins: Skins::default(),
            window: Window::STEP,
            in_force: false,
            near: Vec::new(),
            tally: Tally::default(),
            past: Counters::default(),
        }
    }

    /// Whether there are lists.
    #[inline]
    pub(super) fn is_in_force(&self) -> bool {
        self.in_force
    }

    /// All particles that may touch `i` before the window's end while both are within their skins,
    /// and others, each once. Some may be dead, or not interact with `i`.
    #[inline]
    pub fn around(&self, i: u32) -> [&[u32]; 2] {
        [self.lists.of(i), self.extra(i)]
    }

    /// All pairs that the lists name, each once; besides them there are
    /// [`stray_pairs`](Self::stray_pairs).
    #[inline]
    pub fn listed_pairs(&self) -> &[Pair] {
        self.lists.pairs()
    }

    /// No particle's radius is larger than this \[length\], until the next [`refit`](Broad::refit).
    #[inline]
    pub fn widest(&self) -> f64 {
        self.widest
    }

    /// Brings close where the list of particle `i` is, and what [`covers`](Self::covers) asks for.
    #[inline]
    pub fn fetch(&self, i: u32) {
        let slot = i as usize;
        self.lists.fetch(i);
        prefetch(&self.extra_of, slot);
        prefetch(&self.place, slot);
        prefetch(&self.wide, slot);
    }

    /// Brings the list of particle `i` close.
    #[inline]
    pub fn fetch_names(&self, i: u32) {
        self.lists.fetch_names(i);
    }

    /// Whether particle `i` keeps within its skin on this path, in the group that it was in.
    #[inline]
    pub fn covers(&self, i: u32, path: &Path<D>, paths: &Paths<'_, D>) -> bool {
        let slot = i as usize;
        let skin = self.wide[slot] - path.radius;
        // If two particles are covered, no part of either is farther from its place than `wide`. So
        // if they touch, the distance of their places is at most the sum of the two, and they are
        // listed. The distance from the place is convex along a straight path: it is largest at an
        // end.
        let start = paths.domain.nearest_image(path.position - self.place[slot]);
        let end = start + path.velocity * (self.window.end - path.since);
        let far = f64::max(start.norm_squared(), end.norm_squared());
        // The maker leaves out pairs of groups that do not interact, so after a change of group a
        // list may lack neighbours. A negative difference, after growth, must not be squared.
        skin >= 0.0 && far <= skin * skin && self.group[slot] == paths.group[slot]
    }

    /// Forgets slots from `count` on, which have been taken away in the step in which they came.
    fn truncate(&mut self, count: usize) {
        if self.place.len() <= count {
            return;
        }
        self.place.truncate(count);
        self.rest.truncate(count);
        self.wide.truncate(count);
        self.group.truncate(count);
        self.is_stray.truncate(count);
        self.extra_of.truncate(count);
        self.lists.cover(count);
        self.strays.retain(|&slot| (slot as usize) < count);
        // Entries keep their places, which others refer to.
        let gone = self.extra.iter_mut().filter(|(slot, _)| *slot as usize >= count);
        gone.for_each(|(slot, _)| *slot = GONE);
    }

    /// Makes new lists.
    fn make(&mut self, paths: &Paths<'_, D>) {
        let count = paths.len();
        self.choose_maker(paths);
        // The number of pairs is still that of the old lists: the density is estimated from it.
        self.skins.choose(paths, self.window, self.lists.pairs().len());
        let places = paths.position.par_iter().with_min_len(CHUNK);
        places.copied().collect_into_vec(&mut self.place);
        self.group.clear();
        self.group.extend_from_slice(paths.group);
        self.rest.resize(count, Vector::ZERO);
        let skins = &self.skins;
        let sizes = paths.radius.par_iter().zip(paths.group).with_min_len(CHUNK);
        sizes.map(|(radius, &group)| radius + skins.of(group)).collect_into_vec(&mut self.wide);
        self.strays.clear();
        self.is_stray.clear();
        self.is_stray.resize(count, false);
        self.extra.clear();
        self.extra_of.clear();
        self.extra_of.resize(count, NONE);
        let Self { maker, place, rest, wide, .. } = self;
        let resting = Paths { position: place, velocity: rest, radius: wide, ..*paths };
        maker.refit(&resting, self.window);
        self.lists.make(count, |pairs| {
            // Particles that do not interact may overlap without limit, even all be at one place.
            if !paths.groups.is_none() {
                maker.pairs(&resting, pairs);
            }
        });
        self.in_force = true;
    }

    /// Levels where sizes differ much, else cells.
    fn choose_maker(&mut self, paths: &Paths<'_, D>) {
        let known = self.place.len();
        if self.in_force && paths.len() <= 2 * known && 2 * paths.len() >= known {
            return;
        }
        let kind = if spread(paths) >= SPREAD_FOR_LEVELS { Kind::Levels } else { Kind::Cubic };
        if kind != self.maker_kind {
            self.past += self.maker.counters();
            self.maker = Settings { kind, ..self.settings.clone() }.build();
            self.maker_kind = kind;
        }
    }
}

impl<const D: usize> Broad<D> for Verlet<D> {
    fn refit(&mut self, paths: &Paths<'_, D>, window: Window) {
        self.window = window;
        self.skins.count_step();
        self.truncate(paths.len());
        if !(self.in_force && self.place.len() == paths.len() && self.find_strays(paths)) {
            self.make(paths);
            // The fastest paths may leave even the new skins. How many do so no longer matters:
            // no other lists would have fewer pairs to look at.
            self.find_strays(paths);
        }
        self.follow_strays(paths);
        // Particles may have grown or shrunk without a word.
        let radii = paths.radius.par_iter().with_min_len(CHUNK).copied();
        self.widest = radii.reduce(|| 0.0, f64::max);
    }

    fn near(&self, i: u32, paths: &Paths<'_, D>, out: &mut Vec<u32>) {
        let before = out.len();
        let end = self.window.end;
        let mut considered = 0;
        out.extend(self.around(i).into_iter().flatten().copied().filter(|&other| {
            considered += 1;
            paths.may_touch(i as usize, other as usize, end)
        }));
        let reported = (out.len() - before) as u64;
        self.count(considered, reported);
    }

    fn update(&mut self, i: u32, paths: &Paths<'_, D>) {
        self.widest = self.widest.max(paths.radius[i as usize]);
        if !self.covers(i, &paths.path(i as usize), paths) {
            self.follow(i, paths);
        }
    }

    fn insert(&mut self, i: u32, paths: &Paths<'_, D>) {
        let (slot, known) = (i as usize, self.place.len());
        if slot >= known {
            self.place.resize(slot + 1, Vector::ZERO);
            self.rest.resize(slot + 1, Vector::ZERO);
            self.wide.resize(slot + 1, 0.0);
            self.group.resize(slot + 1, 0);
            self.is_stray.resize(slot + 1, false);
            self.extra_of.resize(slot + 1, NONE);
            self.lists.cover(slot + 1);
        }
        // On no list until the next ones are made, hence a stray without a skin until then.
        let path = paths.path(slot);
        self.place[slot] = path.position;
        self.wide[slot] = path.radius;
        let Self { maker, place, rest, wide, .. } = self;
        maker.insert(i, &Paths { position: place, velocity: rest, radius: wide, ..*paths });
        self.follow(i, paths);
    }

    fn remove(&mut self, i: u32) {
        self.maker.remove(i);
        self.part_from_strays(i);
    }

    fn renumber(&mut self, new_slot: &[u32]) {
        self.truncate(new_slot.len());
        self.maker.renumber(new_slot);
        self.lists.renumber(new_slot);
        self.place = renumbered(&self.place, new_slot, Vector::ZERO);
        self.wide = renumbered(&self.wide, new_slot, 0.0);
        self.group = renumbered(&self.group, new_slot, 0);
        self.is_stray = renumbered(&self.is_stray, new_slot, false);
        self.extra_of = renumbered(&self.extra_of, new_slot, NONE);
        self.rest.truncate(self.place.len());
        self.renumber_strays(new_slot);
    }

    fn counters(&self) -> Counters {
        let mut total = self.past;
        total += self.maker.counters();
        // What the maker reports goes into lists, not out.
        total.pairs_reported = 0;
        total += self.tally.total();
        total
    }

    fn describe(&self) -> String {
        if self.place.is_empty() {
            return "verlet: no lists yet".into();
        }
        let each = 2.0 * self.lists.pairs().len() as f64 / self.place.len() as f64;
        format!(
            "verlet: lists of {each:.1} neighbours, {}, made by {}",
            self.skins.describe(),
            self.maker.describe()
        )
    }
}

impl<const D: usize> Verlet<D> {
    fn count(&self, considered: u64, reported: u64) {
        self.tally.add(&Counters {
            pairs_considered: considered,
            pairs_reported: reported,
            pruned_by_reach: considered - reported,
            ..Counters::default()
        });
    }
}

impl<const D: usize> Search<D> for Verlet<D> {
    fn pairs(&self, paths: &Paths<'_, D>, out: &mut Vec<Pair>) {
        let before = out.len();
        let end = self.window.end;
        let may_touch = |&Pair(i, j): &Pair| {
            let [i, j] = [i as usize, j as usize];
            let within = paths.reach(i, end) + paths.reach(j, end);
            let apart = paths.domain.nearest_image(paths.position[j] - paths.position[i]);
            paths.alive[i]
                && paths.alive[j]
                && paths.groups.interact(paths.group[i], paths.group[j])
                && apart.norm_squared() <= within * within
        };
        let listed = self.lists.pairs();
        out.par_extend(listed.par_iter().with_min_len(CHUNK).copied().filter(may_touch));
        out.extend(self.stray_pairs().filter(may_touch));
        let reported = (out.len() - before) as u64;
        // Stray pairs are reported without having been counted as considered; the maximum keeps the
        // difference of the two from becoming negative.
        self.count(reported.max(listed.len() as u64), reported);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::{Domain, Groups};

    /// Whether a particle grows within its skin, beyond it, or as a stray that has far to go.
    #[test]
    fn a_particle_that_grows_is_the_widest_until_new_lists() {
        const COUNT: usize = 30;
        let (domain, groups) = (Domain::new([100.0; 2], [true; 2]), Groups::all());
        let position: Vec<_> = (0..COUNT).map(|n| Vector([3.0 * n as f64, 50.0])).collect();
        let mut velocity = vec![Vector([0.1, 0.0]); COUNT];
        let mut radius = vec![1.0; COUNT];
        let mut verlet = Verlet::new(&Settings::default());
        let mut with = |velocity: &[Vector<2>], radius: &[f64], reported: Option<u32>| {
            let paths = Paths {
                domain: &domain,
                position: &position,
                velocity,
                since: &[0.0; COUNT],
                radius,
                group: &[0; COUNT],
                groups: &groups,
                alive: &[true; COUNT],
            };
            match reported {
                Some(slot) => verlet.update(slot, &paths),
                None => verlet.refit(&paths, Window::STEP),
            }
            let largest = radius.iter().copied().fold(0.0, f64::max);
            assert!(verlet.widest() >= largest, "{} < {largest}", verlet.widest());
            verlet.widest()
        };
        assert_eq!(with(&velocity, &radius, None), 1.0);
        for (slot, larger) in [(3, 1.01), (4, 5.0), (5, 5.5)] {
            radius[slot as usize] = larger;
            with(&velocity, &radius, Some(slot));
        }
        // A stray with much room to grow in.
        velocity[6] = Vector([20.0, 0.0]);
        with(&velocity, &radius, Some(6));
        radius[6] = 9.0;
        assert_eq!(with(&velocity, &radius, Some(6)), 9.0);
        // This one has grown without an update.
        radius[7] = 12.0;
        with(&velocity, &radius, None);
        (velocity, radius) = (vec![Vector([0.2, 0.0]); COUNT], vec![0.5; COUNT]);
        velocity[..20].fill(Vector([40.0, 0.0]));
        with(&velocity, &radius, None);
        assert_eq!(with(&velocity, &radius, None), 0.5);
    }

    /// However many are at one place, and however far they go.
    #[test]
    fn those_that_ignore_each_other_are_never_compared() {
        const COUNT: usize = 1000;
        let (domain, groups) = (Domain::new([100.0; 3], [true; 3]), Groups::new(1, |_, _| false));
        let position = vec![Vector([50.0; 3]); COUNT];
        let mut velocity = vec![Vector([0.1, 0.0, 0.0]); COUNT];
        velocity[..20].fill(Vector([30.0, 0.0, 0.0]));
        let paths = Paths {
            domain: &domain,
            position: &position,
            velocity: &velocity,
            since: &[0.0; COUNT],
            radius: &[1.0; COUNT],
            group: &[0; COUNT],
            groups: &groups,
            alive: &[true; COUNT],
        };
        let mut verlet = Verlet::new(&Settings::default());
        for _ in 0..3 {
            verlet.refit(&paths, Window::STEP);
            let (mut pairs, mut near) = (Vec::new(), Vec::new());
            verlet.pairs(&paths, &mut pairs);
            (0..COUNT as u32).for_each(|slot| verlet.near(slot, &paths, &mut near));
            assert!(pairs.is_empty() && near.is_empty());
        }
        assert_eq!(verlet.counters().pairs_considered, 0);
    }
}
