//! `jostle run --self-check`: looks at the state of a run now and then, by means of its own, and
//! stops the run at the first thing that cannot be.
//!
//! Overlap is sought in a grid of cells that shares nothing with the search structures; particles
//! have to be in the box; those that there are have to be accounted for by the changes that were
//! told, through which unwrapped paths have to continue; displacements have to have the variance of
//! diffusion; and energy and momentum have to balance, where a run has some. Particles that a
//! change concerned are looked at right after its step. How often every particle is looked at
//! depends on the work that a look takes and on that of the run, both counted and not timed: two
//! runs of a model look at the same moments, and a look is a few hundredths of the work at most.
//! Nothing is changed, so that no result can depend on it.

mod balance;
mod cells;
mod census;
mod fault;
mod fresh;
mod paths;
mod places;
mod spread;
mod subject;
#[cfg(test)]
mod tests;

use balance::Balance;
use cells::Cells;
use census::Census;
pub use fault::SelfCheckFault;
use fresh::Fresh;
use jostle_core::observe::{Change, View};
use jostle_core::words::{counted, digits};
use paths::Paths;
use spread::Spread;
pub(super) use subject::{Hardness, Subject};

/// Which part of the work of a run its looks may take.
const SHARE: f64 = 0.02;

/// What it takes to look at a particle, and how much more to look for which it overlaps. \[ns,
/// roughly\]
const LOOK: f64 = 40.0;
const SEEK: f64 = 100.0;
/// What it takes to test a pair. \[ns, roughly\]
const PAIR: f64 = 3.0;

/// Looks at a run.
pub(super) struct SelfCheck<const D: usize> {
    subject: Subject<D>,
    census: Census,
    paths: Paths,
    cells: Cells<D>,
    fresh: Fresh,
    spread: Spread<D>,
    balance: Option<Balance>,
    begun: bool,
    /// The work that the run has done since the last look, and that the last look took.
    /// \[ns, roughly\]
    done: f64,
    took: f64,
    looks: u64,
    /// The step of the last look.
    last: u64,
    particles: u64,
    pairs: u64,
    changes: u64,
}

impl<const D: usize> SelfCheck<D> {
    pub(super) fn new(subject: Subject<D>) -> Self {
        Self {
            spread: Spread::new(&subject),
            subject,
            census: Census::default(),
            paths: Paths::default(),
            cells: Cells::default(),
            fresh: Fresh::default(),
            balance: None,
            begun: false,
            done: 0.0,
            took: 0.0,
            looks: 0,
            last: 0,
            particles: 0,
            pairs: 0,
            changes: 0,
        }
    }

    /// The run has done so much more work. \[ns, roughly\]
    pub(super) fn worked(&mut self, work: f64) {
        self.done += work;
    }

    /// Whether a look is within its share of the run.
    pub(super) fn is_due(&self) -> bool {
        self.done * SHARE >= self.took
    }

    /// A state that the run shows.
    pub(super) fn step(&mut self, view: &View<'_, D>) -> Result<(), SelfCheckFault> {
        if !self.begun {
            self.begin(view);
            return Ok(());
        }
        self.pairs += self.fresh.look(view, &self.subject, &mut self.cells)?;
        let count = view.particles.len() as f64;
        self.worked(count * self.subject.work_per_particle);
        if !self.is_due() {
            return Ok(());
        }
        if self.spread.waits_for(view) {
            self.spread.remember(view);
            return Ok(());
        }
        self.look(view)
    }

    /// The state from which the run sets out.
    pub(super) fn begin(&mut self, view: &View<'_, D>) {
        self.begun = true;
        self.census.begin(view.particles);
        self.paths.begin(view.domain);
        self.balance = view.balance.map(|balance| Balance::new(balance, &self.subject));
        self.took = view.particles.len() as f64 * self.cost_per_particle();
    }

    fn cost_per_particle(&self) -> f64 {
        LOOK + if self.subject.hardness == Hardness::None { 0.0 } else { SEEK }
    }

    /// The population changes.
    pub(super) fn change(&mut self, change: &Change<'_, D>) -> Result<(), SelfCheckFault> {
        self.changes += 1;
        self.census.change(change)?;
        self.paths.change(change)?;
        self.fresh.change(change);
        self.spread.change(change);
        Ok(())
    }

    /// Looks at everything.
    pub(super) fn look(&mut self, view: &View<'_, D>) -> Result<(), SelfCheckFault> {
        let subject = &self.subject;
        places::check(view, subject)?;
        self.census.check(view)?;
        let pairs = self.cells.check(view, subject)?;
        self.spread.look(view)?;
        if let (Some(balance), Some(energy)) = (&mut self.balance, view.balance) {
            balance.check(view.clock.step, energy, subject)?;
        }
        let count = view.particles.len();
        self.took = count as f64 * self.cost_per_particle() + pairs as f64 * PAIR;
        self.done = 0.0;
        self.looks += 1;
        self.last = view.clock.step;
        self.particles += count as u64;
        self.pairs += pairs;
        Ok(())
    }

    /// A last look, at the end.
    pub(super) fn finish(&mut self, view: &View<'_, D>) -> Result<(), SelfCheckFault> {
        if !self.begun {
            self.begin(view);
        }
        if self.looks == 0 || self.last != view.clock.step {
            self.look(view)?;
        }
        self.spread.finish(view.clock.step)
    }

    /// What was looked at, if anything was.
    pub(super) fn said(&self) -> Option<String> {
        (self.looks > 0).then(|| self.account())
    }

    /// What was looked at, and how often.
    fn account(&self) -> String {
        let mut text = format!(
            "nothing wrong in {}, of {} on average: ",
            counted(self.looks, "look"),
            counted(self.particles / self.looks.max(1), "particle")
        );
        let mut parts = Vec::new();
        match self.subject.hardness {
            Hardness::None => (),
            Hardness::Hard => parts.push(format!("overlap ({} pairs tested)", self.pairs)),
            Hardness::Soft => {
                parts.push(format!("centres inside others ({} pairs tested)", self.pairs))
            }
        }
        parts.push("containment".to_owned());
        parts.push(format!(
            "particles and their paths accounted for by {}",
            counted(self.changes, "change")
        ));
        parts.extend(self.balance.as_ref().and_then(|balance| balance.account(&self.subject)));
        text += &parts.join("; ");
        let displacements = self.spread.account();
        if displacements.is_empty() && !matches!(self.subject.diffusion, subject::Diffusion::None) {
            text += "\ndisplacements: not tested, since the run is too short or too many effects change them";
        }
        for line in displacements {
            text += &format!("\n{line}");
        }
        text
    }
}

/// A number for a message.
fn short(value: f64) -> String {
    digits(value, 4)
}
