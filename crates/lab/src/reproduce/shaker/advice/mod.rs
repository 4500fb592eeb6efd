//! The guidelines of Gavrilova et al. 2003, section 6, and the points of Gavrilova & Rokne 2002,
//! section 4, checked on this machine: at the sizes of the tables with 100 balls, and with 10 000
//! in a hundred times the area.

mod claims;
mod timing;

pub use claims::{Guideline, claims};
pub use timing::{AdviceCase, Timed, timings};

use crate::reproduce::ReportSection;
use crate::reproduce::report::digits;
use crate::reproduce::structures::name_in_the_text;
use jostle_analysis::Table;

pub(super) fn sections(timed: &[Timed]) -> Vec<ReportSection> {
    let mut table = Table::new(&[
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
        let same = timed.iter().filter(|other| (other.case, other.balls) == (t.case, t.balls));
        let least = crate::reproduce::sample::least(same.map(|other| other.nanoseconds));
        table.push(vec![
            t.case.name().into(),
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
    ]);
    let mut table = Table::new(&["from", "what the paper says", "balls", "holds", "measured"]);
    for claim in claims(timed) {
        let holds = claim.holds.map_or("-", |holds| if holds { "yes" } else { "no" });
        let balls = claim.balls.to_string();
        table.push_texts(vec![
            claim.from.to_owned(),
            claim.text.to_owned(),
            balls,
            holds.to_owned(),
            claim.measured,
        ]);
    }
    vec![timings, ReportSection::new("claims", "Which of the guidelines still hold", table)]
}
