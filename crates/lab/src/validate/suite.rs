//! Carries out checks, several at a time, each on one thread.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

use super::finding::{FALSE_ALARM_RATE, Findings};
use super::panics::heard;
use super::{Check, Context, Effort};

/// What became of a check.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The check.
    pub check: Check,
    /// What it found.
    pub findings: Findings,
    /// Why it could not be carried out to its end, if so.
    pub error: Option<String>,
    /// How long it took. \[s\]
    pub seconds: f64,
}

/// Whether theory stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Every finding holds.
    Holds,
    /// At least one does not.
    Fails,
    /// It could not be carried out.
    Broken,
}

impl Verdict {
    /// In a word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Fails => "FAILS",
            Self::Broken => "BROKEN",
        }
    }
}

impl Outcome {
    /// Whether theory stands. A check that found nothing is broken.
    pub fn verdict(&self) -> Verdict {
        if self.error.is_some() || self.findings.findings.is_empty() {
            Verdict::Broken
        } else if self.findings.findings.iter().all(super::Finding::holds) {
            Verdict::Holds
        } else {
            Verdict::Fails
        }
    }

    /// The largest |z| of the findings that chance decides; 0 if there is none.
    pub fn largest_z(&self) -> f64 {
        let chance = self.findings.findings.iter().filter(|finding| !finding.is_exact());
        chance.map(|finding| finding.z.abs()).fold(0.0, f64::max)
    }
}

/// What all checks of a run found.
#[derive(Clone, Debug)]
pub struct Suite {
    /// How much was measured.
    pub effort: Effort,
    /// The seed of the run.
    pub seed: u64,
    /// One outcome for each check, in the order in which they were asked for.
    pub outcomes: Vec<Outcome>,
    /// How long all took. \[s\]
    pub seconds: f64,
    /// On how many threads.
    pub threads: usize,
    /// The names of checks that were not carried out, since the suite was interrupted.
    pub missing: Vec<&'static str>,
}

impl Suite {
    /// Carries out these checks on `threads` threads, those that take longest first, and tells
    /// `done` of each outcome as it comes.
    pub fn run(
        checks: &[Check],
        effort: Effort,
        seed: u64,
        threads: usize,
        done: &(dyn Fn(&Outcome) + Sync),
    ) -> Self {
        Self::run_until(&AtomicBool::new(false), checks, effort, seed, threads, done)
    }

    /// The same, but once `stop` is set, no further check is begun.
    pub fn run_until(
        stop: &AtomicBool,
        checks: &[Check],
        effort: Effort,
        seed: u64,
        threads: usize,
        done: &(dyn Fn(&Outcome) + Sync),
    ) -> Self {
        let begun = Instant::now();
        let mut order: Vec<usize> = (0..checks.len()).collect();
        order.sort_by(|&a, &b| checks[b].seconds.total_cmp(&checks[a].seconds));
        let next = AtomicUsize::new(0);
        let outcomes: Mutex<Vec<Option<Outcome>>> = Mutex::new(vec![None; checks.len()]);
        let work = || {
            while let Some(&number) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
                if stop.load(Ordering::Relaxed) {
                    break;
                }
                let outcome = execute(checks[number], effort, seed);
                done(&outcome);
                outcomes
                    .lock()
                    .expect("no thread panics")
                    .get_mut(number)
                    .expect("in range")
                    .replace(outcome);
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..threads.clamp(1, checks.len().max(1)) {
                scope.spawn(work);
            }
        });
        let outcomes = outcomes.into_inner().expect("no thread panics");
        let missing = checks.iter().zip(&outcomes).filter(|(_, outcome)| outcome.is_none());
        let missing = missing.map(|(check, _)| check.name).collect();
        let outcomes = outcomes.into_iter().flatten().collect();
        Self { effort, seed, outcomes, seconds: begun.elapsed().as_secs_f64(), threads, missing }
    }

    /// Whether theory stands everywhere.
    pub fn holds(&self) -> bool {
        self.outcomes.iter().all(|outcome| outcome.verdict() == Verdict::Holds)
    }

    /// How many findings chance decides.
    pub fn by_chance(&self) -> usize {
        let all = self.outcomes.iter().flat_map(|outcome| &outcome.findings.findings);
        all.filter(|finding| !finding.is_exact()).count()
    }

    /// How likely chance alone makes any of these findings fail, at most.
    pub fn false_alarm_rate(&self) -> f64 {
        self.by_chance() as f64 * FALSE_ALARM_RATE
    }
}

/// One check on one thread: systems are small, and checks run side by side. A panic is a failure of
/// the check.
fn execute(check: Check, effort: Effort, seed: u64) -> Outcome {
    let begun = Instant::now();
    let context = Context::new(check.name, effort, seed);
    let on_one_thread = || -> Result<Findings, super::CheckError> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
        pool.install(|| heard(|| (check.run)(&context)))?
    };
    let (findings, error) = match on_one_thread() {
        Ok(findings) => (findings, None),
        Err(error) => (Findings::default(), Some(error.to_string())),
    };
    Outcome { check, findings, error, seconds: begun.elapsed().as_secs_f64() }
}

#[cfg(test)]
mod tests {
    use super::super::{Group, statistics};
    use super::*;

    fn check(
        name: &'static str,
        run: fn(&Context) -> Result<Findings, super::super::CheckError>,
    ) -> Check {
        Check {
            name,
            group: Group::Brownian,
            title: "",
            theory: "",
            source: "",
            seconds: 1.0,
            quick: true,
            run,
        }
    }

    #[test]
    fn each_check_has_its_verdict_whatever_becomes_of_the_others() {
        let good = check("good", |context| {
            let mut findings = Findings::default();
            findings.add(statistics::exact(
                "seed",
                context.seed(1) as f64,
                context.seed(1) as f64,
                1.0,
            ));
            findings.add(statistics::poisson("count", 100, 100.0));
            Ok(findings)
        });
        let bad = check("bad", |_| {
            let mut findings = Findings::default();
            findings.add(statistics::exact("one", 1.0, 2.0, 0.5));
            Ok(findings)
        });
        let empty = check("empty", |_| Ok(Findings::default()));
        let wrong = check("wrong", |_| Err("no box is that small".into()));
        let panics = check("panics", |_| panic!("an index out of range"));
        let suite = Suite::run(&[good, bad, empty, wrong, panics], Effort::Quick, 1, 2, &|_| ());
        let verdicts: Vec<_> = suite.outcomes.iter().map(Outcome::verdict).collect();
        use Verdict::{Broken, Fails, Holds};
        assert_eq!(verdicts, [Holds, Fails, Broken, Broken, Broken]);
        assert_eq!(suite.outcomes[3].error.as_deref(), Some("no box is that small"));
        let panicked = suite.outcomes[4].error.as_deref().unwrap_or_default();
        assert!(panicked.starts_with("an index out of range (a panic at "), "{panicked}");
        assert!(!suite.holds() && suite.by_chance() == 1);
        assert_ne!(
            Context::new("good", Effort::Quick, 1).seed(1),
            Context::new("bad", Effort::Quick, 1).seed(1)
        );
    }
}
