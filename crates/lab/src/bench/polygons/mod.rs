//! How fast the polygon engine is: the distance of a tracked pair by the number of corners
//! (Schinner's Figure 11), a step of a pile by contact, and what a second thread brings.

pub(crate) mod distance;
pub(crate) mod pile;

use super::report::rows;
use super::study::digits;
use super::{BenchError, Machine, Progress};
use distance::{CORNERS, Orbit, orbit};
use jostle_analysis::Table;
use jostle_run::in_pool;
use pile::{PHASES, Pile, Stretch};

/// What others need for a question, in the same scene on another machine, the making of two poses
/// included. \[ns\], at [`CORNERS`] corners
const PEERS: [(&str, [f64; 6]); 3] = [
    ("parry2d-f64 0.31, persistent manifold [ns]", [89.0, 92.0, 110.0, 143.0, 214.0, 360.0]),
    ("parry2d-f64 0.31, distance [ns]", [215.0, 275.0, 350.0, 469.0, 710.0, 1265.0]),
    ("Box2D 2.4.1, cached, single precision [ns]", [56.0, 62.0, 75.0, 101.0, 148.0, 235.0]),
];

/// What others need for a settled pile of 10 000 irregular hexagons.
const PILES: &str = "Others, at rest, 10 000 hexagons, single precision, impulses instead of forces, on another \
                     machine: Box2D v3 0.16, rapier2d 0.39, Box2D 2.4.1 2.98 us per contact and step (Box2D v3 \
                     counts pairs that are near).";

/// What is to be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PolygonPlan {
    /// Hexagons of the pile.
    pub bodies: usize,
    /// Steps that are timed together.
    pub steps: u64,
    /// How often; the least time counts.
    pub rounds: usize,
}

impl PolygonPlan {
    /// Some minutes, on an optimised build.
    pub fn full() -> Self {
        Self { bodies: 10_000, steps: 100, rounds: 7 }
    }

    /// Some seconds.
    pub fn quick() -> Self {
        Self { bodies: 400, steps: 400, rounds: 3 }
    }
}

/// How fast the polygon engine is.
#[derive(Clone, Debug)]
pub struct PolygonSpeed {
    /// When and where.
    pub machine: Machine,
    /// By the number of corners.
    pub distance: Table,
    /// A pile falling and at rest, on one thread.
    pub pile: Table,
    /// The pile at rest, on several threads.
    pub threads: Table,
}

/// Measures the speed.
///
/// # Errors
/// If an engine cannot start, a run cannot be trusted, or results depend on the number of threads.
pub fn polygons(plan: &PolygonPlan, progress: Progress<'_>) -> Result<PolygonSpeed, BenchError> {
    let machine = Machine::look(1);
    progress("polygons: the distance of a pair by the number of corners");
    let orbits = orbits(plan);
    progress(&format!("polygons: {} hexagons fall and come to rest", plan.bodies));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut pile = Pile::new(plan.bodies)?;
    in_pool(cores, || pile.fall())??;
    let falling = in_pool(1, || pile.measure_least(plan.steps, plan.rounds))??;
    let fallen = pile.unrest();
    let rest = in_pool(cores, || pile.settle())??;
    let at_rest = in_pool(1, || pile.measure_least(plan.steps, plan.rounds))??;
    let states = [("falling", falling, fallen), ("at rest", at_rest, rest)];
    progress("polygons: threads");
    let hashes = same_bits(cores)?;
    Ok(PolygonSpeed {
        machine,
        distance: by_corners(&orbits),
        pile: by_state(plan.bodies, &states),
        threads: by_threads(&side_by_side(&mut pile, plan, cores)?, &hashes),
    })
}

fn orbits(plan: &PolygonPlan) -> [Orbit; 6] {
    CORNERS.map(|corners| orbit(corners, 100, 20 * plan.rounds))
}

fn by_corners(orbits: &[Orbit; 6]) -> Table {
    let mut table = Table::new(&["what"]);
    table.columns.extend(CORNERS.map(|corners| corners.to_string()));
    table.columns.push("128 : 4".to_owned());
    let mut row = |what: &str, values: [f64; 6]| {
        let ratio = values[5] / values[0];
        let cells = values.into_iter().chain([ratio]).map(digits);
        table.push_texts(std::iter::once(what.to_owned()).chain(cells).collect());
    };
    let of = |what: fn(&Orbit) -> f64| orbits.each_ref().map(what);
    row("ours, distance [ns]", of(|orbit| orbit.query));
    row("ours, two poses [ns]", of(|orbit| orbit.poses));
    row("ours, both [ns]", of(|orbit| orbit.query + orbit.poses));
    PEERS.into_iter().for_each(|(name, times)| row(name, times));
    row("features looked at per question", of(|orbit| orbit.steps));
    row("full searches per question", of(|orbit| orbit.full));
    row("life of a closest pair [questions]", of(|orbit| orbit.life));
    row("mean distance [radii]", of(|orbit| orbit.distance));
    table
}

fn by_state(bodies: usize, states: &[(&str, Stretch, f64)]) -> Table {
    let mut table =
        Table::new(&["pile", "bodies", "contacts", "pairs", "ms/step", "us/(contact step)"]);
    table.columns.extend(PHASES.map(|phase| format!("{phase} [%]")));
    table.columns.extend(["exchanges/step", "sorted anew/step", "unrest"].map(str::to_owned));
    for (name, stretch, unrest) in states {
        let all: f64 = stretch.phases.iter().sum();
        let mut row = vec![name.to_string(), bodies.to_string()];
        let per_contact = 1e6 * stretch.busy / stretch.contacts;
        let figures = [stretch.contacts, stretch.candidates, 1e3 * stretch.busy, per_contact];
        row.extend(figures.map(digits));
        row.extend(stretch.phases.map(|phase| digits(100.0 * phase / all)));
        row.extend([stretch.exchanges, stretch.resorted].map(digits));
        row.push(format!("{unrest:.1e}"));
        table.push_texts(row);
    }
    table
}

/// One and more threads in turns at the same pile: the least times per step. \[s\]
fn side_by_side(
    pile: &mut Pile,
    plan: &PolygonPlan,
    cores: usize,
) -> Result<Vec<(usize, f64)>, BenchError> {
    let mut least: Vec<(usize, f64)> =
        counts(cores).into_iter().map(|n| (n, f64::INFINITY)).collect();
    for _ in 0..plan.rounds {
        for (threads, time) in &mut least {
            *time = time.min(in_pool(*threads, || pile.measure(plan.steps))??.seconds);
        }
    }
    Ok(least)
}

/// One, two, and as many as there are cores.
fn counts(cores: usize) -> Vec<usize> {
    let mut counts = vec![1, 2, cores];
    counts.sort_unstable();
    counts.dedup();
    counts
}

/// The state of a small pile after its fall, by the number of threads.
fn same_bits(cores: usize) -> Result<Vec<(usize, u64)>, BenchError> {
    let mut hashes: Vec<(usize, u64)> = Vec::new();
    for threads in counts(cores) {
        let mut pile = Pile::new(BODIES)?;
        in_pool(threads, || pile.run(STEPS))??;
        let found = pile.hash();
        let expected = hashes.first().map_or(found, |first| first.1);
        if found != expected {
            let name = format!("the pile on {threads} threads");
            return Err(BenchError::StatesDiffer { name, steps: STEPS, found, expected });
        }
        hashes.push((threads, found));
    }
    Ok(hashes)
}

/// Enough for several pieces of work, and enough for them to meet.
const BODIES: usize = 2_500;
const STEPS: u64 = 500;

fn by_threads(times: &[(usize, f64)], hashes: &[(usize, u64)]) -> Table {
    let mut table = Table::new(&["threads", "ms/step", "times one", "state hash"]);
    let one = times.first().map_or(f64::NAN, |first| first.1);
    for (&(threads, time), (_, hash)) in times.iter().zip(hashes) {
        table.push_texts(vec![
            threads.to_string(),
            digits(1e3 * time),
            digits(one / time),
            format!("{hash:016x}"),
        ]);
    }
    table
}

impl PolygonSpeed {
    /// All figures.
    pub fn to_json(&self) -> serde_json::Value {
        serde_json::json!({
            "machine": self.machine,
            "distance": rows(&self.distance),
            "pile": rows(&self.pile),
            "threads": rows(&self.threads),
        })
    }
}

impl std::fmt::Display for PolygonSpeed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(
            f,
            "{}\n\nThe distance of a tracked pair by the number of corners:\n",
            self.machine
        )?;
        writeln!(f, "{}\nPeers: the two poses included, on another machine.\n", self.distance)?;
        writeln!(
            f,
            "A pile of irregular hexagons on one thread, processor time; shares of a step:\n\n{}",
            self.pile
        )?;
        writeln!(
            f,
            "Unrest: energy of motion per body, in units of weight times radius; at rest is what has less than \
             {:.0e}.\n{PILES}\n",
            pile::REST
        )?;
        writeln!(
            f,
            "The pile at rest on several threads (Schinner 1999: 1.9 to 1.95 on two), and the state of {BODIES} \
             hexagons after {STEPS} steps:\n\n{}",
            self.threads
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_measured_of_a_small_pile() {
        let plan = PolygonPlan { bodies: 60, steps: 20, rounds: 1 };
        let mut reported = Vec::new();
        let speed = polygons(&plan, &mut |what| reported.push(what.to_owned())).unwrap();
        assert_eq!(reported.len(), 3);
        assert_eq!(speed.distance.columns.len(), 2 + CORNERS.len());
        let json = speed.to_json();
        let pile = json["pile"].as_array().unwrap();
        assert_eq!(pile.len(), 2);
        assert!(pile.iter().all(|row| row["contacts"].as_f64().unwrap() > 10.0), "{json:#}");
        assert!(pile[1]["unrest"].as_f64().unwrap() < pile::REST, "{json:#}");
        let features = json["distance"].as_array().unwrap()[6].clone();
        assert!(features["128"].as_f64().unwrap() < 1.1, "{features}");
        assert!(!json["threads"].as_array().unwrap().is_empty());
        assert!(speed.to_string().contains("rapier2d"));
    }
}
