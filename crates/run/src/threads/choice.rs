//! On how many threads a model runs fastest, found by trying.

use jostle_core::stopwatch::CostWatch;

/// A number of threads is tried for so many steps at a time, and as long as this \[s\].
const STEPS: u64 = 32;
const LEAST: f64 = 2e-3;
/// With long steps, this many are enough once they have taken this long \[s\].
const FEW_STEPS: u64 = 4;
const LONG: f64 = 5.0;
/// How often each number is tried, in turns; the fastest time counts. With long steps once is
/// enough if no other comes near the fastest.
const ROUNDS: usize = 3;
/// More threads must be faster by this factor.
const WORTH: f64 = 1.03;
/// A number slower than the fastest by this factor is given up, and larger ones are not tried.
const HOPELESS: f64 = 1.2;
/// The next trial comes after so many times as many steps as the last one has taken; twice as many
/// each time that the choice is the same again.
const REST: u64 = 20;

/// Numbers of threads, and how fast each has been.
pub(super) struct Choice {
    numbers: Vec<usize>,
    /// The least time of a step on each that has been tried. \[s\]
    times: Vec<f64>,
    /// Which of them is in use.
    now: usize,
    /// The round of the trial; none between trials.
    round: Option<usize>,
    /// The steps that are measured together, in a trial or between trials, and what they took
    /// \[s\]; and whether the first of a turn has been done, which does not count: threads have to
    /// wake up.
    steps: u64,
    sum: f64,
    is_warm: bool,
    /// Steps of the last trial, and since then.
    taken: u64,
    since: u64,
    rest: u64,
    watch: CostWatch,
    former: Option<usize>,
}

impl Choice {
    /// Among these numbers, ascending.
    pub(super) fn among(numbers: Vec<usize>) -> Self {
        let round = (numbers.len() > 1).then_some(0);
        Self {
            numbers,
            times: Vec::new(),
            now: 0,
            round,
            steps: 0,
            sum: 0.0,
            is_warm: false,
            taken: 0,
            since: 0,
            rest: REST,
            watch: CostWatch::default(),
            former: None,
        }
    }

    /// The place of the number in use among all.
    pub(super) fn place(&self) -> usize {
        self.now
    }

    /// Numbers tried, and the time of a step on each \[s\]; empty until all have been.
    pub(super) fn tried(&self) -> Vec<(usize, f64)> {
        match self.round {
            Some(_) => Vec::new(),
            None => self.numbers.iter().copied().zip(self.times.iter().copied()).collect(),
        }
    }

    /// Takes down what a step took \[s\], after which another number may be in use.
    pub(super) fn took(&mut self, seconds: f64) {
        match self.round {
            Some(round) => self.try_out(round, seconds),
            None if self.numbers.len() > 1 => self.look_whether_to_try_again(seconds),
            None => {}
        }
    }

    fn look_whether_to_try_again(&mut self, seconds: f64) {
        self.steps += 1;
        self.sum += seconds;
        if self.steps < CostWatch::STEPS {
            return;
        }
        self.since += self.steps;
        let has_changed = self.watch.has_changed(self.sum) && self.since > self.taken;
        (self.steps, self.sum) = (0, 0.0);
        if has_changed || self.since > self.rest * self.taken {
            self.round = Some(0);
            self.times.clear();
            self.taken = 0;
            self.begin_turn(0);
        }
    }

    fn begin_turn(&mut self, now: usize) {
        (self.now, self.steps, self.sum, self.is_warm) = (now, 0, 0.0, false);
    }

    fn try_out(&mut self, round: usize, seconds: f64) {
        self.taken += 1;
        if !self.is_warm {
            self.is_warm = true;
            return;
        }
        self.steps += 1;
        self.sum += seconds;
        let is_long = self.steps >= FEW_STEPS && self.sum >= LONG;
        if !is_long && (self.steps < STEPS || self.sum < LEAST) {
            return;
        }
        let time = self.sum / self.steps as f64;
        let fastest = self.fastest();
        match self.times.get_mut(self.now) {
            Some(least) => *least = least.min(time),
            None => self.times.push(time),
        }
        let is_last = self.now + 1 == self.numbers.len();
        let is_hopeless = round == 0 && time > HOPELESS * fastest;
        if !is_last && !is_hopeless && (round == 0 || self.now + 1 < self.times.len()) {
            return self.begin_turn(self.now + 1);
        }
        let fastest = self.fastest();
        let rivals = self.times.iter().filter(|time| **time <= HOPELESS * fastest).count();
        match round + 1 < ROUNDS && (rivals > 1 || !is_long) {
            true => {
                self.round = Some(round + 1);
                self.begin_turn(0);
            }
            false => self.choose(),
        }
    }

    /// The least time of all \[s\], if there are any.
    fn fastest(&self) -> f64 {
        self.times.iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// Takes the fastest, and a smaller one if it is hardly slower.
    fn choose(&mut self) {
        let fastest = self.fastest();
        let is_fast = |time: &f64| *time <= WORTH * fastest;
        let now = self.times.iter().position(is_fast).unwrap_or(0);
        self.rest = if self.former == Some(now) { 2 * self.rest } else { REST };
        self.former = Some(now);
        self.round = None;
        self.since = 0;
        self.watch = CostWatch::default();
        self.begin_turn(now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Does so many steps, of which each takes what `cost` says for a number of threads.
    fn go_on(choice: &mut Choice, steps: u64, cost: impl Fn(usize) -> f64) {
        (0..steps).for_each(|_| choice.took(cost(choice.numbers[choice.now])));
    }

    #[test]
    fn the_fastest_number_is_taken_and_fewer_where_more_hardly_help() {
        let mut choice = Choice::among(vec![1, 2, 4, 8]);
        go_on(&mut choice, 2000, |n| 1e-3 / n as f64);
        assert_eq!((choice.now, choice.tried().len()), (3, 4));
        let mut choice = Choice::among(vec![1, 2, 4, 8]);
        go_on(&mut choice, 2000, |n| if n < 4 { 1e-3 / n as f64 } else { 0.49e-3 });
        assert_eq!(choice.now, 1);
        let mut alone = Choice::among(vec![6]);
        go_on(&mut alone, 100, |_| 1e-3);
        assert_eq!((alone.now, alone.tried().len()), (0, 0));
    }

    #[test]
    fn long_steps_are_tried_but_briefly() {
        let mut choice = Choice::among(vec![1, 2, 4]);
        let mut taken = 0;
        while choice.round.is_some() {
            choice.took(30.0 / (choice.now + 1) as f64);
            taken += 1;
        }
        assert_eq!((choice.now, taken), (2, 3 * (FEW_STEPS + 1)));
    }

    #[test]
    fn small_models_stay_on_one_thread_and_waste_little() {
        let mut choice = Choice::among(vec![1, 2, 4, 8, 16, 32, 64]);
        let mut more = 0;
        for _ in 0..100_000 {
            more += u64::from(choice.now > 0);
            choice.took(1e-4 * choice.numbers[choice.now] as f64);
        }
        assert_eq!(choice.now, 0);
        assert_eq!(choice.tried().len(), 2, "from two threads on it gets worse");
        assert!(more < 1000, "{more}");
    }

    #[test]
    fn it_tries_again_when_steps_have_become_slower() {
        let mut choice = Choice::among(vec![1, 2]);
        go_on(&mut choice, 1000, |n| 1e-4 * n as f64);
        assert_eq!(choice.now, 0);
        go_on(&mut choice, 1000, |n| 1e-3 / n as f64);
        assert_eq!(choice.now, 1);
    }
}
