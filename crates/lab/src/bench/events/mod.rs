//! How fast the event-driven engine is: collisions per second of processor time, on one thread, and
//! the floors below which it should not fall.

mod choice;
mod scene;

use super::report::rows;
use super::study::digits;
use super::{BenchError, Machine, Progress};
use jostle_analysis::Table;
use jostle_core::observe::NoObserver;
use jostle_core::space::Domain;
use jostle_core::stopwatch::ProcessorTime;
use jostle_events::granular::container::Container;
use jostle_events::granular::forces::Forces;
use jostle_events::granular::{Collisions, Grain, Granular, Setup};
use jostle_events::kinetic::{KineticKind, KineticSettings};
use scene::Mixture;

/// How fast the event-driven engine is.
#[derive(Clone, Debug)]
pub struct EventSpeed {
    /// When and where.
    pub machine: Machine,
    /// One row for each population and structure.
    pub table: Table,
    /// Microseconds per collision by structure, where `auto` has to choose.
    pub choice: Table,
}

/// A population and the structure that serves it.
struct Case {
    mixture: Mixture,
    kind: KineticKind,
    /// Collisions per second that are expected at least.
    floor: Option<f64>,
}

const fn equal(particles: usize, packing: f64, kind: KineticKind, floor: Option<f64>) -> Case {
    Case { mixture: Mixture { small: particles, large: 0, ratio: 1.0, packing }, kind, floor }
}

const fn mixed(
    large: usize,
    small: usize,
    packing: f64,
    kind: KineticKind,
    floor: Option<f64>,
) -> Case {
    Case { mixture: Mixture { small, large, ratio: 10.0, packing }, kind, floor }
}

/// What is measured: spheres of one size, and 10 : 1 with equal volumes of large and small.
const CASES: [Case; 12] = [
    equal(10_976, 0.1, KineticKind::Cubic, None),
    equal(10_976, 0.3, KineticKind::Cubic, Some(400e3)),
    equal(10_976, 0.3, KineticKind::Levels, None),
    equal(10_976, 0.3, KineticKind::Tree, None),
    equal(1_372, 0.3, KineticKind::Segments, None),
    equal(1_372, 0.3, KineticKind::Direct, None),
    equal(10_976, 0.45, KineticKind::Cubic, None),
    equal(108_000, 0.1, KineticKind::Cubic, None),
    equal(108_000, 0.3, KineticKind::Cubic, Some(200e3)),
    mixed(12, 11_988, 0.15, KineticKind::Levels, Some(100e3)),
    mixed(12, 11_988, 0.15, KineticKind::Cubic, None),
    mixed(100, 99_900, 0.3, KineticKind::Levels, None),
];

/// A sphere of a hundred thousand is to take no more than this.
const MOST_BYTES: f64 = 600.0;

/// Measures the speed on one thread; `quick` takes a tenth of the particles and of the time.
///
/// # Errors
/// If an engine cannot start or a run cannot be trusted.
pub fn events(quick: bool, progress: Progress<'_>) -> Result<EventSpeed, BenchError> {
    let machine = Machine::look(1);
    let mut table =
        Table::new(&["population", "bodies", "packing", "structure", "collisions/s", "floor"]);
    let more = ["tests", "void", "topological", "bytes/body", "energy drift"];
    table.columns.extend(more.map(str::to_owned));
    for case in &CASES {
        let share = if quick { 10 } else { 1 };
        let Mixture { small, large, ratio, packing } = case.mixture;
        let mixture =
            Mixture { small: small / share, large: large.div_ceil(share), ratio, packing };
        progress(&format!("events: {} spheres at {packing}, {}", mixture.small, case.kind.name()));
        table.push_texts(measured(&mixture, case, quick)?);
    }
    let choice = choice::choice(quick, progress)?;
    Ok(EventSpeed { machine, table, choice })
}

fn measured(mixture: &Mixture, case: &Case, quick: bool) -> Result<Vec<String>, BenchError> {
    let (domain, grains) = mixture.make();
    let mut engine = engine_of(case.kind, domain, &grains)?;
    let at_first = engine.balance().kinetic;
    // The lattice is forgotten after some collisions of each particle.
    let per_particle = if quick { 3.0 } else { 10.0 };
    turn(&mut engine, per_particle * 0.5 * grains.len() as f64, f64::INFINITY)?;
    let before = (engine.tally(), engine.search().topology());
    let mut best: f64 = 0.0;
    for _ in 0..5 {
        let collisions = engine.tally().collisions;
        let seconds = turn(&mut engine, f64::INFINITY, if quick { 0.05 } else { 1.0 })?;
        best = best.max((engine.tally().collisions - collisions) as f64 / seconds);
    }
    let (tally, topology) = (engine.tally(), engine.search().topology());
    let collisions = (tally.collisions - before.0.collisions).max(1) as f64;
    let each = |now: u64, then: u64| digits((now - then) as f64 / collisions);
    let of = if mixture.large > 0 { "10 : 1, equal volumes" } else { "one size" };
    Ok(vec![
        of.to_owned(),
        grains.len().to_string(),
        mixture.packing.to_string(),
        case.kind.name().to_owned(),
        format!("{:.0}", best),
        case.floor.map_or("-".to_owned(), |floor| format!("{floor:.0}")),
        each(tally.pair_tests, before.0.pair_tests),
        each(tally.void, before.0.void),
        each(topology.events, before.1.events),
        format!("{:.0}", engine.bytes() as f64 / grains.len() as f64),
        format!("{:.1e}", engine.balance().kinetic / at_first - 1.0),
    ])
}

/// An elastic gas without forces.
fn engine_of<const D: usize>(
    kind: KineticKind,
    domain: Domain<D>,
    grains: &[Grain<D>],
) -> Result<Granular<D>, BenchError> {
    let failed = |why: &dyn std::fmt::Display| BenchError::Granular(why.to_string());
    let search = KineticSettings { kind, cell_size: None }.build::<D>();
    let setup = Setup {
        container: Container::new_box(domain, None).map_err(|e| failed(&e))?,
        forces: Forces::default(),
        trajectory: None,
        collisions: Collisions::elastic(),
        search: search.ok_or_else(|| failed(&format!("{} cannot serve here", kind.name())))?,
        output_interval: 1.0,
    };
    Granular::new(setup, grains).map_err(|e| failed(&e))
}

/// Continues for so many collisions or so many seconds, whichever comes first. How many seconds of
/// processor time that took.
fn turn<const D: usize>(
    engine: &mut Granular<D>,
    collisions: f64,
    seconds: f64,
) -> Result<f64, BenchError> {
    let (begun, first) = (ProcessorTime::now(), engine.tally().collisions);
    // Some hundred collisions in all, at first; more once it is known how fast they come.
    let mut stretch = 1e-3;
    loop {
        let (done, at) = (engine.tally().collisions, engine.now());
        let end = at + stretch;
        engine.advance(end, &mut NoObserver).map_err(|e| BenchError::Granular(e.to_string()))?;
        let took = begun.elapsed();
        if took >= seconds || (engine.tally().collisions - first) as f64 >= collisions {
            return Ok(took);
        }
        if engine.tally().collisions - done < 5_000 {
            stretch *= 1.5;
        }
    }
}

impl EventSpeed {
    /// All figures.
    pub fn to_json(&self) -> serde_json::Value {
        serde_json::json!({
            "machine": self.machine,
            "events": rows(&self.table),
            "choice": rows(&self.choice),
        })
    }
}

impl std::fmt::Display for EventSpeed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "{}\n\n{}", self.machine, self.table)?;
        writeln!(
            f,
            "Per collision: pairs tested, void events, topological events. At most {MOST_BYTES} bytes a particle \
             are expected. Seconds are of processor time.\n"
        )?;
        writeln!(f, "Microseconds per collision, walls included, by structure:\n\n{}", self.choice)
    }
}
