//! What the two papers advise, and whether it holds here.

use super::timing::Timed;
use crate::reproduce::report::digits;
use crate::reproduce::shaker::BallMixture;

/// A statement of the papers, and what was measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Guideline {
    /// Where it stands.
    pub from: &'static str,
    /// In short.
    pub text: &'static str,
    /// Of space.
    pub dimension: usize,
    /// With so many balls, about.
    pub balls: usize,
    /// Whether it holds; none if a structure it is about is missing.
    pub holds: Option<bool>,
    /// The figures that say so.
    pub measured: String,
}

/// The figures in one dimension with one number of balls.
struct Figures<'a> {
    timed: &'a [Timed],
    dimension: usize,
    balls: usize,
}

impl Figures<'_> {
    fn of(&self, mixture: BallMixture, structure: &str, figure: fn(&Timed) -> f64) -> Option<f64> {
        let same = |t: &&Timed| {
            t.scene() == (self.dimension, mixture, self.balls) && t.kind.name() == structure
        };
        self.timed.iter().find(same).map(figure)
    }

    fn time(&self, mixture: BallMixture, structure: &str) -> Option<f64> {
        self.of(mixture, structure, |t| t.nanoseconds)
    }

    /// Times of some structures, in units of the first.
    fn ratios(&self, mixture: BallMixture, structures: &[&str]) -> Option<Vec<f64>> {
        let first = self.time(mixture, structures.first()?)?;
        structures.iter().map(|one| self.time(mixture, one).map(|time| time / first)).collect()
    }
}

type Answer = Option<(bool, String)>;

/// Two times are alike if they differ by less than this factor.
const ALIKE: f64 = 1.5;
/// The structures of the papers, except the direct one.
const STRUCTURES: [&str; 4] = ["cubic", "tree", "segments", "laguerre"];

fn list(names: &[&str], values: &[f64]) -> String {
    let each = names.iter().zip(values).map(|(name, value)| format!("{name} {}", digits(*value)));
    each.collect::<Vec<_>>().join(", ")
}

fn alike(values: &[f64]) -> bool {
    let most = values.iter().copied().fold(0.0, f64::max);
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    most < ALIKE * least
}

/// Whether the first is the fastest of all.
fn fastest(f: &Figures<'_>, mixture: BallMixture, which: &str) -> Answer {
    let others: Vec<&str> =
        [which].into_iter().chain(STRUCTURES.into_iter().filter(|&one| one != which)).collect();
    let ratios = f.ratios(mixture, &others)?;
    Some((ratios.iter().skip(1).all(|&ratio| ratio > 1.0), list(&others, &ratios)))
}

fn low_mono(f: &Figures<'_>) -> Answer {
    let names = ["cubic", "tree", "segments"];
    let ratios = f.ratios(BallMixture::MonoDilute, &names)?;
    Some((alike(&ratios), list(&names, &ratios)))
}

fn delaunay_worst(f: &Figures<'_>) -> Answer {
    let names = ["laguerre", "cubic", "tree", "segments"];
    let [dilute, dense] =
        [BallMixture::MonoDilute, BallMixture::MonoDense].map(|mixture| f.ratios(mixture, &names));
    let (dilute, dense) = (dilute?, dense?);
    let worst = |ratios: &[f64]| ratios.iter().skip(1).all(|&ratio| ratio < 1.0);
    let said = format!("dilute: {}; dense: {}", list(&names, &dilute), list(&names, &dense));
    Some((worst(&dilute) && worst(&dense), said))
}

fn dense_poly(f: &Figures<'_>) -> Answer {
    let names = ["segments", "laguerre", "cubic", "tree"];
    let r = f.ratios(BallMixture::PolyDense, &names)?;
    let (best, others) = (r[0].max(r[1]), r[2].min(r[3]));
    Some((alike(&r[..2]) && best < others, list(&names, &r)))
}

fn cells_are_bad(f: &Figures<'_>) -> Answer {
    let names = ["direct", "cubic", "tree"];
    let [middle, dense] =
        [BallMixture::PolyMiddle, BallMixture::PolyDense].map(|mixture| f.ratios(mixture, &names));
    let (middle, dense) = (middle?, dense?);
    let said = format!("middle: {}; dense: {}", list(&names, &middle), list(&names, &dense));
    Some((dense[1] > 0.5 && dense[2] > 0.5, said))
}

fn tree_and_cells(f: &Figures<'_>) -> Answer {
    let times = f.ratios(BallMixture::MonoDilute, &["cubic", "tree"])?;
    let bytes = |which| f.of(BallMixture::MonoDilute, which, |t| t.bytes / t.balls as f64);
    let space = [bytes("cubic")?, bytes("tree")?, bytes("segments")?, bytes("laguerre")?];
    let holds = times[1] < 1.15 && space[0] > space[1] && alike(&space[1..]);
    Some((
        holds,
        format!(
            "time: tree {} of cubic; bytes per ball: {}",
            digits(times[1]),
            list(&STRUCTURES, &space)
        ),
    ))
}

fn flips_are_many(f: &Figures<'_>) -> Answer {
    let names = ["laguerre", "cubic", "segments"];
    let events = |which: &&str| f.of(BallMixture::MonoDilute, which, |t| t.topological);
    let events: Vec<f64> = names.iter().map(events).collect::<Option<_>>()?;
    let said = format!("events per trajectory event: {}", list(&names, &events));
    Some((events[1..].iter().all(|&other| other < events[0]), said))
}

fn cells_take_space(f: &Figures<'_>) -> Answer {
    let bytes = |which: &&str| f.of(BallMixture::MonoDilute, which, |t| t.bytes / t.balls as f64);
    let space: Vec<f64> = STRUCTURES.iter().map(bytes).collect::<Option<_>>()?;
    Some((
        space[1..].iter().all(|&other| other < space[0]),
        format!("bytes per ball: {}", list(&STRUCTURES, &space)),
    ))
}

fn cells_are_worst_when_dense(f: &Figures<'_>) -> Answer {
    let [mono, poly] = [BallMixture::MonoDense, BallMixture::PolyDense]
        .map(|mixture| f.ratios(mixture, &STRUCTURES));
    let (mono, poly) = (mono?, poly?);
    let worst = |r: &[f64]| r[0].min(r[1]) > r[2].max(r[3]);
    let said =
        format!("one size: {}; many: {}", list(&STRUCTURES, &mono), list(&STRUCTURES, &poly));
    Some((worst(&mono) && worst(&poly), said))
}

fn only_delaunay_is_steady(f: &Figures<'_>) -> Answer {
    let spread = |which: &&str| {
        let times = BallMixture::ALL.map(|mixture| f.time(mixture, which));
        let times: Vec<f64> = times.into_iter().collect::<Option<_>>()?;
        let most = times.iter().copied().fold(0.0, f64::max);
        Some(most / times.iter().copied().fold(f64::INFINITY, f64::min))
    };
    let spreads: Vec<f64> = STRUCTURES.iter().map(spread).collect::<Option<_>>()?;
    let others = spreads[..3].iter().copied().fold(f64::INFINITY, f64::min);
    let holds = spreads[3] < ALIKE && others >= ALIKE;
    Some((holds, format!("most/least time of all sizes: {}", list(&STRUCTURES, &spreads))))
}

type ClaimTest = (&'static str, &'static str, fn(&Figures<'_>) -> Answer);

const CHECKS: [ClaimTest; 11] = [
    ("Gavrilova et al. 2003, 1", "one size, dilute: cells, tree and segments alike", low_mono),
    ("Gavrilova et al. 2003, 2", "one size, above 50 %: segments fastest", |f| {
        fastest(f, BallMixture::MonoDense, "segments")
    }),
    ("Gavrilova et al. 2003, 3", "one size: triangulation slowest", delaunay_worst),
    (
        "Gavrilova et al. 2003, 4",
        "many sizes, 70 %: triangulation as fast as segments, both ahead",
        dense_poly,
    ),
    ("Gavrilova et al. 2003, 5", "many sizes, below 70 %: segments fastest", |f| {
        let dilute = fastest(f, BallMixture::PolyDilute, "segments")?;
        let middle = fastest(f, BallMixture::PolyMiddle, "segments")?;
        Some((dilute.0 && middle.0, format!("dilute: {}; middle: {}", dilute.1, middle.1)))
    }),
    (
        "Gavrilova et al. 2003, 6",
        "many sizes, dense: cells and tree nearly as slow as direct",
        cells_are_bad,
    ),
    (
        "Gavrilova et al. 2003, 7",
        "tree 5 % slower than cells, smaller; triangulation, tree, segments need the same space",
        tree_and_cells,
    ),
    (
        "Gavrilova & Rokne 2002, 1",
        "topological events: most with the triangulation",
        flips_are_many,
    ),
    ("Gavrilova & Rokne 2002, 2", "cells take the most space", cells_take_space),
    ("Gavrilova & Rokne 2002, 3", "cells and tree worst when dense", cells_are_worst_when_dense),
    (
        "Gavrilova & Rokne 2002, 4",
        "only the triangulation does not depend on sizes and packing",
        only_delaunay_is_steady,
    ),
];

/// All statements, for each dimension and number of balls that was timed.
pub fn claims(timed: &[Timed]) -> Vec<Guideline> {
    let mut sizes: Vec<[usize; 2]> = timed.iter().map(|t| [t.dimension, t.wanted]).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let checks = CHECKS.iter().flat_map(|check| sizes.iter().map(move |&size| (check, size)));
    let claim = |((from, text, check), [dimension, balls]): (&ClaimTest, [usize; 2])| {
        let found = check(&Figures { timed, dimension, balls });
        let holds = found.as_ref().map(|(holds, _)| *holds);
        let measured = found.map_or(String::new(), |(_, said)| said);
        Guideline { from, text, dimension, balls, holds, measured }
    };
    checks.map(claim).collect()
}
