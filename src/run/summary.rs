//! What a run has done, for people.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::brownian::{Brownian, Phases, Tally};
use crate::model::Model;
use crate::search::Counters;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// All steps were done.
    Finished,
    /// Somebody stopped it.
    Interrupted,
}

/// What is bound to what.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Clustering {
    /// Clusters, lone bodies counted as clusters of one.
    pub clusters: usize,
    /// The number of bodies in the largest.
    pub largest: u32,
    /// The mean number of bodies in a cluster.
    pub mean: f64,
}

/// What a run has done.
#[derive(Clone, Debug)]
pub struct Summary {
    /// The model's title.
    pub title: String,
    /// How it ended.
    pub ending: Ending,
    /// Steps done, of those asked for.
    pub steps: [u64; 2],
    /// \[µs\]
    pub time: f64,
    /// Bodies of each species: name, at the start, at the end.
    pub population: Vec<(String, usize, usize)>,
    /// What is bound to what at the end.
    pub clustering: Clustering,
    /// What happened.
    pub tally: Tally,
    /// What the search structure did.
    pub counters: Counters,
    /// The search structure.
    pub search: String,
    /// Where the time went.
    pub phases: Phases,
    /// Wall time to place the bodies, and to do the steps.
    pub elapsed: [Duration; 2],
    /// Steps times bodies.
    pub body_steps: f64,
    /// The file, and its size in bytes.
    pub out: Option<(PathBuf, u64)>,
}

/// How many bodies there are of each species.
pub(super) fn population<const D: usize>(model: &Model, engine: &Brownian<D>) -> Vec<usize> {
    let mut count = vec![0; model.species.len()];
    let particles = engine.particles();
    for i in (0..particles.len()).filter(|&i| particles.alive[i]) {
        count[particles.species[i] as usize] += 1;
    }
    count
}

fn clustering<const D: usize>(engine: &Brownian<D>) -> Clustering {
    let (particles, clusters) = (engine.particles(), engine.clusters());
    let mut found = Clustering::default();
    let mut bodies = 0u64;
    for slot in particles.slots_by_id() {
        // A unit is counted once, at its first member.
        if clusters.unit_of(particles, slot).is_some_and(|unit| unit.members[0] != slot) {
            continue;
        }
        let size = clusters.size_of(particles, slot);
        found.clusters += 1;
        found.largest = found.largest.max(size);
        bodies += u64::from(size);
    }
    found.mean = bodies as f64 / found.clusters.max(1) as f64;
    found
}

impl Summary {
    pub(super) fn new<const D: usize>(
        model: &Model,
        engine: &Brownian<D>,
        first: Vec<usize>,
        ending: Ending,
        placed: Duration,
        elapsed: Duration,
        out: Option<&Path>,
    ) -> Self {
        let last = population(model, engine);
        let names = model.species.iter().map(|s| s.name.clone());
        let clock = engine.clock();
        let mean = (first.iter().sum::<usize>() + last.iter().sum::<usize>()) as f64 / 2.0;
        Self {
            title: model.title.clone(),
            ending,
            steps: [clock.step, model.steps],
            time: clock.time(),
            population: names.zip(first).zip(last).map(|((name, first), last)| (name, first, last)).collect(),
            clustering: clustering(engine),
            tally: engine.tally(),
            counters: engine.search().counters(),
            search: engine.search().describe(),
            phases: engine.phases(),
            elapsed: [placed, elapsed],
            body_steps: clock.step as f64 * mean,
            out: out.map(|path| (path.to_owned(), std::fs::metadata(path).map_or(0, |meta| meta.len()))),
        }
    }

    fn write_what_happened(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tally = &self.tally;
        writeln!(f, "  contacts      {} between bodies, {} with walls", tally.contacts, tally.wall_contacts)?;
        if tally.bound + tally.unbound + tally.refused > 0 {
            let Tally { bound, unbound, refused, .. } = tally;
            writeln!(
                f,
                "  reactions     {bound} bound, {unbound} unbound, {refused} refused for want of room"
            )?;
            let Clustering { clusters, largest, mean } = self.clustering;
            writeln!(
                f,
                "  clusters      {clusters} (lone bodies included), mean size {mean:.2}, largest {largest}"
            )?;
        }
        if tally.short_of_rate > 0 {
            writeln!(
                f,
                "  WARNING       {} contacts asked for more than probability 1: the rate is not reached; \
                 take a shorter time step",
                tally.short_of_rate
            )?;
        }
        Ok(())
    }

    fn write_cost(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.elapsed[1].as_secs_f64();
        let speed = self.body_steps / seconds.max(1e-9) / 1e6;
        writeln!(f, "  wall time     {seconds:.2} s, {speed:.2} million body-steps per second")?;
        let p = &self.phases;
        let parts = [
            ("draw", p.draw),
            ("relink", p.relink),
            ("search", p.search),
            ("narrow", p.narrow),
            ("settle", p.settle),
            ("arrive", p.arrive),
        ];
        let shares = parts
            .map(|(name, time)| format!("{name} {:.0} %", 100.0 * time.as_secs_f64() / seconds.max(1e-9)));
        writeln!(f, "  of that       {}", shares.join(", "))?;
        writeln!(f, "  search        {}", self.search)
    }
}

/// A time in a unit that suits it.
pub fn time_text(time_us: f64) -> String {
    let (value, unit) = match time_us {
        t if t >= 1e6 => (t / 1e6, "s"),
        t if t >= 1e3 => (t / 1e3, "ms"),
        t if t >= 1.0 || t == 0.0 => (t, "µs"),
        t => (t * 1e3, "ns"),
    };
    // Six digits, without the noise of binary fractions.
    format!("{} {unit}", format!("{value:.6}").trim_end_matches('0').trim_end_matches('.'))
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [done, asked] = self.steps;
        let ending = match self.ending {
            Ending::Finished => "finished",
            Ending::Interrupted => "interrupted",
        };
        writeln!(f, "{}: {ending}", self.title)?;
        writeln!(f, "  simulated     {} in {done} of {asked} steps", time_text(self.time))?;
        let width = self.population.iter().map(|(name, ..)| name.chars().count()).max().unwrap_or(0);
        for (n, (name, first, last)) in self.population.iter().enumerate() {
            let label = if n == 0 { "bodies" } else { "" };
            writeln!(f, "  {label:<13} {name:<width$}  {first} at the start, {last} at the end")?;
        }
        self.write_what_happened(f)?;
        self.write_cost(f)?;
        if let Some((path, bytes)) = &self.out {
            writeln!(f, "  written       {} ({:.1} MB)", path.display(), *bytes as f64 / 1e6)?;
        }
        Ok(())
    }
}
