//! Tries several structures on the user's own model during the first steps, then keeps the fastest.
//!
//! What is measured is the time from one refit to the next, so that all the engine asks of the
//! structure counts: time of the processor where one thread does all the work, so that other
//! programs do not sway the choice, or else time on the wall. Results do not depend on the
//! structure, so they do not depend on the clock.

use super::cells::spread;
use super::long_step::few_ask;
use super::{Broad, Counters, Finder, Kind, Pair, Search, Settings};
use crate::space::{Paths, Window};
use crate::stopwatch::{CostWatch, ProcessorTime};

/// Steps that count for each candidate, after one that does not (it builds the structure).
const TRIALS: usize = 3;

/// The same of neighbour lists, which are made anew every few steps: their steps count together.
const TRIALS_OF_LISTS: usize = 24;
const FIRST_OF_LISTS: usize = 8;

/// The trial of a candidate ends once a step takes this many times as long as with the best so far: the step
/// in which it is built, and any of those that count.
const HOPELESS_AT_FIRST: f64 = 4.0;
const HOPELESS: f64 = 2.0;

/// Above so many particles the quadratic structure, and slices, are not worth a try.
const MOST_FOR_NAIVE: usize = 4000;
const MOST_FOR_SLICES: usize = 100_000;

/// Above so many particles they are not tried either where even cubes are slower than lists or swept boxes:
/// both look at more pairs than cubes do. Where there are many events, as with potentials of many shells, a
/// single step with one of them can take twenty times as long.
const MOST_IN_VAIN: usize = 300;

/// Levels are worth a try if the cells of almost all particles must be so many times wider than
/// half of them need.
const SPREAD_FOR_LEVELS: f64 = 3.0;

/// Where most particles travel so many radii in a step, lists are not worth a try, or swept boxes are. Swept
/// boxes are also worth one where few ask many.
const LONG: f64 = 2.0;
const LONG_ENOUGH: f64 = 1.0;

/// Steps from a choice until the next at the earliest, unless the number of particles has changed.
/// Each time that the choice is the same again, the next may come after twice as many.
const REST: u64 = 1000;

/// Measures, then keeps the fastest. Starts anew when the number of particles has doubled or
/// halved, or steps cost half as much again or two thirds of what they did.
pub struct Auto<const D: usize> {
    settings: Settings,
    candidates: Vec<Settings>,
    /// The best time of each candidate that has been tried. \[s\]
    times: Vec<f64>,
    /// The present candidate: its steps so far, the best time of those that count, and their sum.
    /// \[s\]
    steps: usize,
    best: f64,
    sum: f64,
    /// Slots at the first refit of this round.
    particles: usize,
    chosen: Option<usize>,
    /// What steps cost since it was chosen, on so many threads.
    watch: CostWatch,
    threads: usize,
    /// The kind chosen before, and how many steps later it may be reconsidered.
    former: Option<Kind>,
    rest: u64,
    active: Finder<D>,
    began: Option<ProcessorTime>,
    /// Work of the structures that were given up.
    past: Counters,
}

impl<const D: usize> Auto<D> {
    /// Candidates are as in `settings`, except for the kind and the axis of slices (the longest).
    pub fn new(settings: &Settings) -> Self {
        let first = Settings { kind: Kind::Cubic, ..settings.clone() };
        Self {
            active: first.build(),
            candidates: vec![first],
            settings: settings.clone(),
            times: Vec::new(),
            steps: 0,
            best: f64::INFINITY,
            sum: 0.0,
            particles: 0,
            chosen: None,
            watch: CostWatch::default(),
            threads: 0,
            former: None,
            rest: REST,
            began: None,
            past: Counters::default(),
        }
    }

    /// The structure in use now, as settings of its own.
    pub fn active(&self) -> &Settings {
        &self.candidates[self.chosen.unwrap_or(self.times.len())]
    }

    /// Whether structures are being measured.
    pub(super) fn is_measuring(&self) -> bool {
        self.chosen.is_none()
    }

    /// The structure that is running now.
    pub(super) fn at_work(&self) -> &Finder<D> {
        &self.active
    }

    pub(super) fn at_work_mut(&mut self) -> &mut Finder<D> {
        &mut self.active
    }

    fn start_round(&mut self, paths: &Paths<'_, D>) {
        self.particles = paths.len();
        self.candidates = candidates(&self.settings, paths);
        self.times.clear();
        self.chosen = (self.candidates.len() == 1).then_some(0);
        self.activate(self.candidates[0].clone());
    }

    fn activate(&mut self, settings: Settings) {
        self.past += self.active.counters();
        self.active = settings.build();
        (self.steps, self.best, self.sum, self.began) = (0, f64::INFINITY, 0.0, None);
    }

    /// Takes down the time of the step that has just ended, and decides which serves the next.
    fn take_turns(&mut self) {
        let Some(began) = self.began else { return };
        self.steps += 1;
        if self.chosen.is_some() && !(self.steps as u64).is_multiple_of(CostWatch::STEPS) {
            return;
        }
        self.began = None;
        let threads = rayon::current_num_threads();
        let seconds = if threads == 1 { began.elapsed() } else { began.wall() };
        if self.chosen.is_some() {
            return self.look_whether_it_pays_to_choose_again(seconds, threads);
        }
        if self.active().kind == Kind::Verlet {
            return self.count_lists(seconds);
        }
        let rival = self.times.iter().copied().fold(f64::INFINITY, f64::min);
        if self.steps == 1 && seconds <= HOPELESS_AT_FIRST * rival {
            return;
        }
        self.best = self.best.min(seconds);
        if self.steps > TRIALS || seconds > HOPELESS * rival {
            self.times.push(self.best);
            self.next_candidate();
        }
    }

    /// Starts again if steps cost clearly more or less than when the choice was made.
    fn look_whether_it_pays_to_choose_again(&mut self, seconds: f64, threads: usize) {
        if self.candidates.len() == 1 {
            return;
        }
        if threads != self.threads {
            (self.threads, self.watch) = (threads, CostWatch::default());
        }
        if self.watch.has_changed(seconds) && self.steps as u64 > self.rest {
            self.particles = 0;
        }
    }

    /// Counts a step with neighbour lists.
    fn count_lists(&mut self, seconds: f64) {
        if self.steps > FIRST_OF_LISTS {
            self.sum += seconds;
        }
        if self.steps == FIRST_OF_LISTS + TRIALS_OF_LISTS {
            self.times.push(self.sum / TRIALS_OF_LISTS as f64);
            self.next_candidate();
        }
    }

    fn next_candidate(&mut self) {
        let n = self.times.len();
        let (last, earlier) = (self.candidates[n - 1].kind, &self.times[..n - 1]);
        if last == Kind::Cubic
            && self.particles > MOST_IN_VAIN
            && earlier.iter().any(|time| *time < self.times[n - 1])
        {
            let looks_at_more = |kind| matches!(kind, Kind::Naive | Kind::Slices);
            self.candidates.retain(|settings| !looks_at_more(settings.kind));
        }
        if let Some(next) = self.candidates.get(n) {
            return self.activate(next.clone());
        }
        let fastest = (0..n).min_by(|&a, &b| self.times[a].total_cmp(&self.times[b]));
        let fastest = fastest.unwrap_or(0);
        self.chosen = Some(fastest);
        let kind = self.candidates[fastest].kind;
        self.rest = if self.former == Some(kind) { self.rest.saturating_mul(2) } else { REST };
        (self.former, self.watch) = (Some(kind), CostWatch::default());
        log::info!("{}", self.verdict(fastest));
        self.activate(self.candidates[fastest].clone());
    }

    /// What was picked, and why.
    fn verdict(&self, chosen: usize) -> String {
        let measured = self.candidates.iter().zip(&self.times);
        let measured: Vec<_> = measured
            .map(|(settings, time)| format!("{} {:.3} ms", words(settings), 1e3 * time))
            .collect();
        let name = words(&self.candidates[chosen]);
        format!("auto: {name} was the fastest per step ({})", measured.join(", "))
    }
}

/// What is worth a try for these particles in this box.
fn candidates<const D: usize>(settings: &Settings, paths: &Paths<'_, D>) -> Vec<Settings> {
    let edges = paths.domain.edges();
    let longest = (0..D).max_by(|&a, &b| edges[a].total_cmp(&edges[b]));
    let particles = paths.len();
    let mut kinds = Vec::new();
    // Lists are the fastest almost wherever steps are short, and the trials of the others end early
    // if they are. Lists of all that a particle might meet on a long step would hold half of the crowd.
    if !steps_are_long(paths, LONG) {
        kinds.push(Kind::Verlet);
    }
    if steps_are_long(paths, LONG_ENOUGH) || few_ask(paths) {
        kinds.push(Kind::LongStep);
    }
    kinds.push(Kind::Cubic);
    if spread(paths) >= SPREAD_FOR_LEVELS {
        kinds.push(Kind::Levels);
    }
    if particles <= MOST_FOR_NAIVE {
        kinds.push(Kind::Naive);
    }
    // With one axis, cubes and slices are the same.
    if D > 1 && particles <= MOST_FOR_SLICES {
        kinds.push(Kind::Slices);
    }
    let candidate = |kind| Settings { kind, axis: longest.unwrap_or(0), ..settings.clone() };
    kinds.into_iter().map(candidate).collect()
}

/// Whether most particles get farther within the window than so many radii.
fn steps_are_long<const D: usize>(paths: &Paths<'_, D>, radii: f64) -> bool {
    let travels = paths.velocity.iter().zip(paths.radius);
    let long = travels.filter(|(velocity, radius)| velocity.norm() > radii * **radius);
    2 * long.count() > paths.len()
}

/// A candidate in a few words.
fn words(settings: &Settings) -> String {
    let pruning = if settings.pruning { " with pruning" } else { "" };
    format!("{}{pruning}", settings.kind.name())
}

impl<const D: usize> Broad<D> for Auto<D> {
    fn refit(&mut self, paths: &Paths<'_, D>, window: Window) {
        self.take_turns();
        let n = paths.len();
        if self.particles == 0 || n > 2 * self.particles || 2 * n < self.particles {
            self.start_round(paths);
        }
        self.began.get_or_insert_with(ProcessorTime::now);
        self.active.refit(paths, window);
    }

    fn near(&self, i: u32, paths: &Paths<'_, D>, out: &mut Vec<u32>) {
        self.active.near(i, paths, out);
    }

    fn update(&mut self, i: u32, paths: &Paths<'_, D>) {
        self.active.update(i, paths);
    }

    fn insert(&mut self, i: u32, paths: &Paths<'_, D>) {
        self.active.insert(i, paths);
    }

    fn remove(&mut self, i: u32) {
        self.active.remove(i);
    }

    fn renumber(&mut self, new_slot: &[u32]) {
        self.active.renumber(new_slot);
    }

    fn relink(&mut self, paths: &Paths<'_, D>, time: f64) {
        self.active.relink(paths, time);
    }

    fn counters(&self) -> Counters {
        let mut total = self.past;
        total += self.active.counters();
        total
    }

    fn describe(&self) -> String {
        let now = self.active.describe();
        let names = || self.candidates.iter().map(words).collect::<Vec<_>>().join(", ");
        match self.chosen {
            Some(_) if self.candidates.len() == 1 => format!("auto: nothing else to try; {now}"),
            Some(n) => format!("{}; {now}", self.verdict(n)),
            None if self.particles == 0 => {
                "auto: measures others during the first steps".to_owned()
            }
            None => {
                let of_one = |settings: &Settings| match settings.kind {
                    Kind::Verlet => FIRST_OF_LISTS + TRIALS_OF_LISTS,
                    _ => TRIALS + 1,
                };
                let steps: usize = self.candidates.iter().map(of_one).sum();
                format!(
                    "auto: keeps the fastest of {}, measured in the first {steps} steps",
                    names()
                )
            }
        }
    }
}

impl<const D: usize> Search<D> for Auto<D> {
    fn pairs(&self, paths: &Paths<'_, D>, out: &mut Vec<Pair>) {
        self.active.pairs(paths, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::{Domain, Groups, Vector};

    #[test]
    fn it_tries_all_settles_and_says_why() {
        let domain = Domain::new([40.0, 60.0], [true; 2]);
        let n = 300;
        let position: Vec<_> =
            (0..n).map(|i| Vector([(i * 7 % 40) as f64, (i * 11 % 60) as f64])).collect();
        let paths = Paths {
            domain: &domain,
            position: &position,
            velocity: &vec![Vector([0.1, -0.1]); n],
            since: &vec![0.0; n],
            radius: &vec![0.4; n],
            group: &vec![0; n],
            groups: &Groups::all(),
            alive: &vec![true; n],
        };
        let mut auto = Auto::<2>::new(&Settings::default());
        let mut found = Vec::new();
        let mut steps = 0;
        while auto.chosen.is_none() {
            auto.refit(&paths, Window::STEP);
            found.clear();
            auto.pairs(&paths, &mut found);
            steps += 1;
            assert!(steps < 60, "{}", auto.describe());
        }
        assert_eq!(auto.times.len(), 4);
        let said = auto.describe();
        assert!(said.contains("fastest") && said.contains("slices"), "{said}");
        assert!(auto.candidates.iter().all(|s| s.axis == 1), "the longest");
        let work = auto.counters();
        assert_eq!(work.pairs_reported, (found.len() * steps) as u64);
        let large: Vec<f64> = (0..n).map(|i| if i % 8 == 0 { 4.0 } else { 0.4 }).collect();
        let kinds = |radius: &[f64]| candidates(&Settings::default(), &Paths { radius, ..paths });
        let has_levels = |radius: &[f64]| kinds(radius).iter().any(|s| s.kind == Kind::Levels);
        assert!(has_levels(&large) && !has_levels(paths.radius), "only where sizes differ");
        let fast = vec![Vector([0.9, 0.1]); n];
        let has = |velocity: &[Vector<2>], kind| {
            let kinds = candidates(&Settings::default(), &Paths { velocity, ..paths });
            kinds.iter().any(|s| s.kind == kind)
        };
        assert!(has(&fast, Kind::LongStep) && !has(&fast, Kind::Verlet), "where steps are long");
        assert!(has(paths.velocity, Kind::Verlet) && !has(paths.velocity, Kind::LongStep));
        let longer = vec![Vector([0.6, 0.1]); n];
        assert!(has(&longer, Kind::LongStep) && has(&longer, Kind::Verlet));
        let groups = Groups::new(2, |a, b| a != b);
        let with_askers = |asking: usize| {
            let group: Vec<u16> = (0..n).map(|i| u16::from(i >= asking)).collect();
            let kinds = candidates(
                &Settings::default(),
                &Paths { groups: &groups, group: &group, ..paths },
            );
            kinds.iter().any(|s| s.kind == Kind::LongStep)
        };
        assert!(with_askers(20) && !with_askers(100), "where few ask");
        let fewer = Paths { position: &position[..9], alive: &paths.alive[..9], ..paths };
        auto.refit(&fewer, Window::STEP);
        assert!(auto.chosen.is_none(), "a much smaller population starts a new round");
    }
}
