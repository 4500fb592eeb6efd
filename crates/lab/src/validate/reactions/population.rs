//! Twenty A and twenty B that bind and unbind: fluctuations, and what goes in comes out.

use std::f64::consts::PI;

use super::super::statistics::{counts_in_bins, follows, mean_of_blocks, ratio_of_blocks};
use super::super::world::World;
use super::super::{CheckError, Context, Findings, Picture};
use super::lone_pair::Bind;
use jostle_brownian::{Brownian, Seed};
use jostle_core::observe::{Change, ChangeKind, Contact, Observer, ObserverError, Partner};
use jostle_core::rules::Chance;
use jostle_core::rules::rates::ReactingPair;
use jostle_core::search::Kind;
use jostle_core::space::Vector;
use jostle_core::theory::contact_value_mixture_3d;

const TWENTY: usize = 20;
/// The periodic box: 0.5 % of it is filled.
const EDGE: f64 = 16.0;
const VOLUME: f64 = EDGE * EDGE * EDGE;
/// The diameter of C, that of A and B being 1. 2^(1/3)
const WHOLE: f64 = 1.259_921_049_894_873;
const TIMESTEP: f64 = 0.5;
/// K/V
const CONSTANT: f64 = 0.02;
/// Steps between samples: about five relaxation times.
const APART: usize = 80;
/// Samples in a block.
const SAMPLES: usize = 25;

/// What happens to the population.
#[derive(Default)]
struct PopulationLog {
    bound: usize,
    since: f64,
    /// The time integral of the number of C, and that of the number of pairs of a free A and a free
    /// B. \[steps\]
    whole: f64,
    pairs: f64,
    /// Contacts of A and B.
    meetings: usize,
    /// Unbindings that fell due, though some did not fit.
    due: usize,
    /// When within the step C arise and fall apart.
    moments: Vec<f64>,
}

impl Observer<3> for PopulationLog {
    fn wants_contacts(&self) -> bool {
        true
    }

    fn contact(&mut self, contact: &Contact<3>) -> Result<(), ObserverError> {
        if let Partner::Particle { species, .. } = contact.partner {
            let free = [contact.species, species].iter().all(|&s| s < 2);
            self.meetings += usize::from(free && contact.species != species);
        }
        Ok(())
    }

    fn change(&mut self, change: &Change<'_, 3>) -> Result<(), ObserverError> {
        let now = change.step as f64 + change.time;
        let free = (TWENTY - self.bound) as f64;
        self.whole += self.bound as f64 * (now - self.since);
        self.pairs += free * free * (now - self.since);
        self.since = now;
        match change.kind {
            ChangeKind::Coalesced => self.bound += 1,
            ChangeKind::Split => self.bound -= 1,
            _ => {}
        }
        self.due += usize::from(change.kind != ChangeKind::Coalesced);
        self.moments.push(change.time);
        Ok(())
    }
}

/// How likely it is that so many are bound: (K/V)^c / [(20-c)!² c!], corrected for the volume from
/// which particles exclude each other in pairs. (In threes: less than 1e-4 of the ratio of
/// neighbours.)
fn likelihood() -> Vec<f64> {
    let excluded = |distance: f64| 4.0 * PI / 3.0 * distance.powi(3) / VOLUME;
    let room = |c: usize| {
        let (whole, free) = (c as f64, 2.0 * (TWENTY - c) as f64);
        let pairs = 0.5 * free * (free - 1.0) * excluded(1.0)
            + free * whole * excluded(0.5 + 0.5 * WHOLE)
            + 0.5 * whole * (whole - 1.0) * excluded(WHOLE);
        libm::exp(-pairs)
    };
    let mut weights = vec![1.0];
    for c in 0..TWENTY {
        let free = (TWENTY - c) as f64;
        weights.push(weights[c] * CONSTANT * free * free / (c + 1) as f64 * room(c + 1) / room(c));
    }
    let sum: f64 = weights.iter().sum();
    weights.iter().map(|weight| weight / sum).collect()
}

/// Forty places: pairs far from each other, or in touch.
fn start(touching: bool) -> Vec<Seed<3>> {
    let cell = |n: usize| Vector([n % 4, n / 4 % 4, n / 16].map(|k| 4.0 * k as f64 + 1.0));
    let place = |n: usize| match (touching, n % 2) {
        (true, 0) => cell(n / 2),
        (true, _) => cell(n / 2) + Vector([1.0, 0.0, 0.0]),
        (false, _) => cell(n),
    };
    (0..2 * TWENTY).map(|n| Seed { species: (n % 2) as u16, position: place(n) }).collect()
}

/// From a start with every particle free, and from one with most bound after the first step.
pub(super) fn equilibrium(context: &Context) -> Result<Findings, CheckError> {
    let mut findings = Findings::default();
    let law = likelihood();
    let mut picture = Picture::new("Twenty A and twenty B", "how many are bound", "probability");
    picture =
        picture.theory("theory", law.iter().enumerate().map(|(c, &p)| [c as f64, p]).collect());
    let k_d = ReactingPair::new(3, 1.0, 1.0)?.contact_rate(TIMESTEP) / (CONSTANT * VOLUME);
    for (n, what) in ["from all free", "from most bound"].into_iter().enumerate() {
        let rules = Bind::Coalesce.reversibly(Chance::Probability(1.0), k_d);
        let world = World::<3>::periodic(EDGE).timestep(TIMESTEP).seed(context.seed(n as u64));
        let world =
            world.species(0.5, 0.5).species(0.5, 0.5).product().rules(rules).search(Kind::Naive);
        let mut engine = world.with(&start(n == 1))?;
        let blocks = context.either(40, 400);
        let Record { counts, rows, moments } = observe(&mut engine, blocks)?;
        let samples: f64 = counts.iter().sum();
        let expected: Vec<f64> = law.iter().map(|p| p * samples).collect();
        findings.add(counts_in_bins(&format!("number bound, {what}"), &counts, &expected));
        let points = counts.iter().enumerate().map(|(c, n)| [c as f64, n / samples]).collect();
        picture = picture.measured(what, points, Vec::new());
        fluxes(&mut findings, what, &rows, k_d);
        findings
            .add(follows(&format!("when within the step, {what}"), moments, |x| x.clamp(0.0, 1.0)));
    }
    findings.show(picture);
    Ok(findings)
}

/// Meetings, pairs of free particles, unbindings due, number bound: summed over a block.
type BlockSums = [f64; 4];

/// What was seen in equilibrium.
struct Record {
    /// How often how many were bound.
    counts: Vec<f64>,
    /// One for each block.
    rows: Vec<BlockSums>,
    /// When within the step changes happened.
    moments: Vec<f64>,
}

/// Lets the population relax and watches it.
fn observe(engine: &mut Brownian<3>, blocks: usize) -> Result<Record, CheckError> {
    let mut population = PopulationLog::default();
    for _ in 0..10 * APART {
        engine.step(&mut population)?;
    }
    population.moments.clear();
    let mut counts = vec![0.0; TWENTY + 1];
    let mut rows = Vec::new();
    for _ in 0..blocks {
        population = PopulationLog {
            bound: population.bound,
            since: engine.clock().step as f64,
            moments: population.moments,
            ..PopulationLog::default()
        };
        for _ in 0..SAMPLES {
            for _ in 0..APART {
                engine.step(&mut population)?;
            }
            counts[population.bound] += 1.0;
        }
        // what has not changed since the last event counts to the end of the block
        let left = engine.clock().step as f64 - population.since;
        let free = (TWENTY - population.bound) as f64;
        let pairs = population.pairs + free * free * left;
        let whole = population.whole + population.bound as f64 * left;
        rows.push([population.meetings as f64, pairs, population.due as f64, whole]);
    }
    Ok(Record { counts, rows, moments: population.moments })
}

fn fluxes(findings: &mut Findings, what: &str, rows: &[BlockSums], k_d: f64) {
    let column = |above: usize, below: usize| -> Vec<_> {
        rows.iter().map(|row| [row[above], row[below]]).collect()
    };
    let law = likelihood();
    let expected: f64 = law.iter().enumerate().map(|(c, p)| c as f64 * p).sum();
    let per_block = (APART * SAMPLES) as f64;
    let whole: Vec<f64> = rows.iter().map(|row| row[3] / per_block).collect();
    findings.add(mean_of_blocks(&format!("mean number bound, {what}"), &whole, expected));
    // V_c g/V at the mean composition. The relative step per axis is one contact distance.
    let free = 2.0 * (TWENTY as f64 - expected);
    let g = contact_value_mixture_3d(&[(free / VOLUME, 1.0), (expected / VOLUME, WHOLE)], 0, 0);
    let volume = k_d * TIMESTEP * CONSTANT * VOLUME;
    let name = format!("contacts of A and B per pair and step, {what}");
    findings.add(ratio_of_blocks(&name, &column(0, 1), volume * g / VOLUME));
    let name = format!("unbindings due per C and step, {what}");
    findings.add(ratio_of_blocks(&name, &column(2, 3), k_d * TIMESTEP));
}
