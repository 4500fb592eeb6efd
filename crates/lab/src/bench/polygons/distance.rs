//! What a question for the distance of a tracked pair costs, by the number of corners: Schinner's
//! Figure 11.

use std::time::Instant;

use jostle_core::narrow::polygons::{FeatureCounters, Tracked, closest};
use jostle_core::random::{Purpose, Random};
use jostle_core::space::{Polygon, Pose, Vector};

/// Numbers of corners.
pub(crate) const CORNERS: [usize; 6] = [4, 8, 16, 32, 64, 128];

/// So many pairs are asked for in turn.
const PAIRS: usize = 256;

/// The figures turn by so much in a step, and the second goes round the first. \[rad\]
const TURNS: [f64; 3] = [1.0e-3, 1.3e-3, 1.0e-3];

/// Between the circles about the figures, in radii.
const GAP: f64 = 0.1;

/// What pairs of figures with so many corners cost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Orbit {
    /// To make the two poses of a pair. \[ns\]
    pub(crate) poses: f64,
    /// To find the distance, poses given. \[ns\]
    pub(crate) query: f64,
    /// Features looked at per question.
    pub(crate) steps: f64,
    /// Full searches per question.
    pub(crate) full: f64,
    /// How many questions a closest pair of features outlasts, in the mean.
    pub(crate) life: f64,
    /// In the mean. \[radii\]
    pub(crate) distance: f64,
}

/// 256 pairs of figures with `corners` corners on unit circles, that turn by 1.0 and 1.3 mrad a
/// step while the one goes round the other by 1 mrad a step, a tenth of a radius apart. The least
/// times of `rounds` rounds of `steps` steps.
pub(crate) fn orbit(corners: usize, steps: u64, rounds: usize) -> Orbit {
    let figures: Vec<[Polygon; 2]> =
        (0..PAIRS as u64).map(|pair| [0, 1].map(|which| figure(corners, pair, which))).collect();
    let mut tracked = vec![Tracked::default(); PAIRS];
    let mut poses = vec![[Pose::new(Vector::ZERO, 0.0); 2]; PAIRS];
    let mut counters = FeatureCounters::default();
    let mut step = 0;
    let mut sum = 0.0;
    let mut least = [f64::INFINITY; 2];
    for round in 0..=rounds {
        let mut times = [0.0; 2];
        // The first round finds the closest features and is not measured.
        counters = if round == 1 { FeatureCounters::default() } else { counters };
        for _ in 0..steps {
            step += 1;
            let begun = Instant::now();
            poses.iter_mut().enumerate().for_each(|(pair, poses)| *poses = places(pair, step));
            let between = Instant::now();
            for ((figures, poses), tracked) in figures.iter().zip(&poses).zip(&mut tracked) {
                let [a, b] = [(&figures[0], &poses[0]), (&figures[1], &poses[1])];
                sum += closest(a, b, tracked, &mut counters).distance;
            }
            times[1] += between.elapsed().as_secs_f64();
            times[0] += (between - begun).as_secs_f64();
        }
        if round > 0 {
            least = [0, 1].map(|k| least[k].min(times[k]));
        }
    }
    let questions = (PAIRS as u64 * steps) as f64;
    let [poses, query] = least.map(|seconds| 1e9 * seconds / questions);
    let calls = counters.calls as f64;
    Orbit {
        poses,
        query,
        steps: counters.steps as f64 / calls,
        full: counters.full_searches as f64 / calls,
        life: calls / counters.changes as f64,
        distance: sum / (questions * (rounds + 1) as f64),
    }
}

/// Corners on the unit circle, each up to 0.3 of the regular distance from its regular place.
fn figure(corners: usize, pair: u64, which: u64) -> Polygon {
    let random = Random::new(11);
    let corner = |k: usize| {
        let aside = 0.6 * (random.uniform(Purpose::Placement, [pair, which, k as u64, 0]) - 0.5);
        let (sine, cosine) =
            libm::sincos(std::f64::consts::TAU * (k as f64 + aside) / corners as f64);
        Vector([cosine, sine])
    };
    let corners: Vec<Vector<2>> = (0..corners).map(corner).collect();
    Polygon::new(&corners).unwrap_or_else(|_| Polygon::regular(corners.len(), 1.0))
}

/// Where the two of a pair are in a step. Each pair set out from elsewhere.
fn places(pair: usize, step: u64) -> [Pose; 2] {
    let [first, second, round] = TURNS.map(|turn| turn * step as f64);
    let (sine, cosine) = libm::sincos(pair as f64 + round);
    let apart = Vector([cosine, sine]) * (2.0 + GAP);
    [Pose::new(Vector::ZERO, pair as f64 + first), Pose::new(apart, 2.0 * pair as f64 + second)]
}
