//! The guidelines of Gavrilova et al. 2003, section 6, and the points of Gavrilova & Rokne 2002,
//! section 4, checked on this machine: at the sizes of the tables and at what corresponds to them in
//! space, with some 100 balls in one box and up to a million in boxes side by side.

mod claims;
mod timing;

pub use claims::{Guideline, claims};
pub use timing::Timed;

use super::report::digits;
use super::sample::least;
use super::shaker::BallMixture;
use super::structures::name_in_the_text;
use super::{Progress, ReportSection, ReproduceError, StudyReport};
use jostle_analysis::Table;

/// What is to be timed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GuidelinesPlan {
    /// 2, 3, or both.
    pub dimensions: Vec<usize>,
    /// Numbers of balls, rising. As many boxes are put side by side as come closest.
    pub balls: Vec<usize>,
    /// Whether all mixtures are timed at once, each on a core of its own: quicker, but they share
    /// the memory.
    pub at_once: bool,
}

impl Default for GuidelinesPlan {
    /// A hundred to a million balls, in the plane and in space.
    fn default() -> Self {
        Self {
            dimensions: vec![2, 3],
            balls: vec![100, 10_000, 100_000, 1_000_000],
            at_once: false,
        }
    }
}

/// Times all structures, and compares what the papers say with it.
///
/// # Errors
/// If balls cannot be placed, or a run fails.
pub fn guidelines(
    plan: &GuidelinesPlan,
    progress: Progress<'_>,
) -> Result<StudyReport, ReproduceError> {
    let scenes = plan
        .dimensions
        .iter()
        .flat_map(|&dimension| BallMixture::ALL.map(move |mixture| (dimension, mixture)));
    let time = |(dimension, mixture): (usize, BallMixture), progress: Progress<'_>| match dimension
    {
        2 => timing::timings::<2>(mixture, &plan.balls, progress),
        _ => timing::timings::<3>(mixture, &plan.balls, progress),
    };
    let timed: Vec<Vec<Timed>> = if plan.at_once {
        std::thread::scope(|scope| {
            let threads: Vec<_> =
                scenes.map(|scene| scope.spawn(move || time(scene, &mut |_| ()))).collect();
            let joined = threads.into_iter().map(|thread| {
                thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            });
            joined.collect::<Result<_, _>>()
        })?
    } else {
        scenes.map(|scene| time(scene, progress)).collect::<Result<_, _>>()?
    };
    let timed = timed.concat();
    Ok(StudyReport {
        title: "The guidelines for choosing a structure (Gavrilova et al. 2003, Gavrilova & Rokne 2002)".to_owned(),
        sections: sections(&timed),
        drawings: Vec::new(),
    })
}

fn sections(timed: &[Timed]) -> Vec<ReportSection> {
    let mut table = Table::new(&[
        "dimension",
        "sizes of",
        "balls",
        "structure",
        "time (ns)",
        "time/least",
        "checks",
        "topological",
        "in detection (%)",
        "bytes/ball",
    ]);
    for t in timed {
        let same = timed.iter().filter(|other| other.scene() == t.scene());
        let least = least(same.map(|other| other.nanoseconds));
        table.push(vec![
            t.dimension.into(),
            t.mixture.name(t.dimension).into(),
            t.balls.into(),
            name_in_the_text(t.kind).unwrap_or(t.kind.name()).into(),
            digits(t.nanoseconds).into(),
            digits(t.nanoseconds / least).into(),
            digits(t.checks).into(),
            digits(t.topological).into(),
            format!("{:.0}", 100.0 * t.share).into(),
            digits(t.bytes / t.balls as f64).into(),
        ]);
    }
    let timings = ReportSection::new("timings", "Per trajectory event, on this machine", table).remarks(vec![
        "Time, checks of pairs and topological events are per trajectory event. In detection: the share of the time \
         that goes into the structure and into checking pairs (Gavrilova et al. 2003 say up to 80 %)."
            .to_owned(),
        format!(
            "Structures whose run would take more than {:.0} s are left out; direct is timed up to {} balls.",
            timing::LONGEST,
            timing::MOST_DIRECT
        ),
    ]);
    let mut table =
        Table::new(&["from", "what the paper says", "dimension", "balls", "holds", "measured"]);
    for claim in claims(timed) {
        let holds = claim.holds.map_or("-", |holds| if holds { "yes" } else { "no" });
        let balls = claim.balls.to_string();
        table.push_texts(vec![
            claim.from.to_owned(),
            claim.text.to_owned(),
            claim.dimension.to_string(),
            balls,
            holds.to_owned(),
            claim.measured,
        ]);
    }
    vec![timings, ReportSection::new("claims", "Which of the guidelines still hold", table)]
}
