//! The options of analyses.

use super::rows::{Named, QuestionError, Row, Takes, add, set, whole};
use super::sides::{self, HasSides, SIDES};
use super::spans::{length, length_span, time, time_span};
use super::table::{Analysis, Limit, names_of};
use crate::density::Along;
use crate::kinetics::{Goal, Place};
use crate::scope::Scope;
use crate::surfaces::Beside;

/// The options of analyses. Not every one is of use to each of them.
#[derive(Clone, Debug, Default)]
pub struct AnalysisOptions {
    /// Which part of the file is looked at.
    pub scope: Scope,
    /// The number of bins.
    pub bins: Option<usize>,
    /// The longest lag or lifetime. \[µs\]
    pub longest: Option<f64>,
    /// So many lags in a factor of ten.
    pub lags: Option<usize>,
    /// The lags of a fit to long times. \[µs\]
    pub fit: Option<[f64; 2]>,
    /// The largest distance. \[nm\]
    pub farthest: Option<f64>,
    /// Along what something is measured.
    pub along: Option<Along>,
    /// What is waited for; or of a stress, where.
    pub goal: Option<Goal>,
    /// Of molecules that are counted.
    pub patterns: Vec<String>,
    /// On all of these sides of surfaces.
    pub sides: Vec<Beside>,
}

impl HasSides for AnalysisOptions {
    fn sides(&mut self) -> &mut Vec<Beside> {
        &mut self.sides
    }
}

type AnalysisRow = Row<AnalysisOptions>;

const ROWS: &[AnalysisRow] = &[
    AnalysisRow::new(
        "species",
        (Takes::Many, "NAMES"),
        "Only these species, separated by commas; EGFR means EGFR in any state",
        |to, text| {
            let names = split_names(text);
            to.scope.species.extend_from_slice(&names);
            if names.is_empty() { Err("give a name".into()) } else { Ok(()) }
        },
    ),
    AnalysisRow::new(
        "from",
        (Takes::One, "TIME"),
        "Use only data from this time on, such as \"10 us\"",
        |to, text| set(&mut to.scope.from, time(text)),
    ),
    AnalysisRow::new("to", (Takes::One, "TIME"), "Use only data up to this time", |to, text| {
        set(&mut to.scope.to, time(text))
    }),
    AnalysisRow::new("bins", (Takes::One, "N"), "The number of bins", |to, text| {
        set(&mut to.bins, whole(text, 1..=10_000))
    }),
    AnalysisRow::new(
        "max",
        (Takes::One, "TIME|LENGTH"),
        "The upper limit: the longest lag or lifetime (a time), the largest distance for rdf (a length)",
        |to, text| {
            match (time(text), length(text)) {
                (Ok(time), _) => to.longest = Some(time),
                (_, Ok(length)) => to.farthest = Some(length),
                _ => return Err("give a time (\"1 ms\") or a length (\"20 nm\")".into()),
            }
            Ok(())
        },
    ),
    AnalysisRow::new(
        "lags",
        (Takes::One, "N"),
        "displacement: so many lags in each factor of ten [default: lags of 1, 2, 5, 10, ... frames]",
        |to, text| set(&mut to.lags, whole(text, 1..=100)),
    ),
    AnalysisRow::new(
        "fit",
        (Takes::One, "FROM..TO"),
        "displacement: the lags of the fit to long times, such as \"10 ms..50 ms\" [default: from 1/40 to 1/4 of the \
         longest lag]",
        |to, text| set(&mut to.fit, time_span(text).map(|span| [span.low, span.high])),
    ),
    AnalysisRow::new(
        "along",
        (Takes::One, "ALONG"),
        "Measure density along x, y, z, radius (from the middle of the box) or map (x and y) [default: x]; stress \
         along x or y [default: neither]",
        |to, text| set(&mut to.along, along(text)),
    )
    .words(&[("x", ""), ("y", ""), ("z", ""), ("radius", ""), ("map", "")]),
    AnalysisRow::new(
        "distance",
        (Takes::One, "LENGTH"),
        "first-passage: time until a particle is this far from its start [default: a distance that many particles \
         reach]",
        |to, text| set(&mut to.goal, length(text).map(Goal::Distance)),
    )
    .not_with(&["place", "leaves", "meets"]),
    AnalysisRow::new(
        "place",
        (Takes::One, "RANGES"),
        "first-passage: time until a particle is here; stress: only particles here, such as \"x=0 nm..100 nm,y=20 \
         nm..\"",
        |to, text| set(&mut to.goal, place(text).map(Goal::Place)),
    )
    .not_with(&["leaves", "meets"]),
    AnalysisRow::new(
        "leaves",
        (Takes::One, "RANGES"),
        "first-passage: time until a particle that is here at first is not; with --inside, --outside, --above or --below \
         instead, until it is on that side of a surface",
        |to, text| set(&mut to.goal, place(text).map(Goal::Left)),
    )
    .not_with(&["meets"]),
    AnalysisRow::new(
        "meets",
        (Takes::One, "NAME"),
        "first-passage: time until a particle has its first logged contact with this species, the \"wall\" (any), a \
         face (\"x-\") or surface by name, or \"any\" particle",
        |to, name| {
            let name = (name != "any").then(|| name.to_owned());
            set(&mut to.goal, Ok(Goal::Meeting(name)))
        },
    ),
    AnalysisRow::new(
        "pattern",
        (Takes::Many, "PATTERN"),
        "sites: count the molecules that fit this pattern instead, such as \"R(y~p,l!+)\"; can be repeated",
        |to, text| add(&mut to.patterns, text),
    )
    .not_with(&["species"]),
];

const BESIDE: &[AnalysisRow] = &sides::rows();

impl Named for AnalysisOptions {
    fn rows() -> &'static [&'static [Row<Self>]] {
        &[ROWS, BESIDE]
    }
}

impl AnalysisOptions {
    /// Refuses what means nothing for anything that is asked, or for anything at all.
    ///
    /// # Errors
    /// Which option it is, and why it is refused.
    pub fn check(&self, asked: &[&'static Analysis]) -> Result<(), QuestionError> {
        let Scope { species, from, to } = &self.scope;
        if let (Some(from), Some(to)) = (from, to)
            && from > to
        {
            let why = "the range is empty: its end is before its start".into();
            return Err(QuestionError::Options { options: vec!["from", "to"], why });
        }
        let limits =
            [(self.longest.is_some(), Limit::Time), (self.farthest.is_some(), Limit::Length)];
        for (_, limit) in limits.into_iter().filter(|(given, _)| *given) {
            if !asked.iter().any(|analysis| analysis.limit == limit) {
                let taking = |limit| names_of(|analysis| analysis.limit == limit);
                let [lengths, times] = [Limit::Length, Limit::Time].map(taking);
                let why = format!(
                    "{lengths} takes a length; {times} take a time; the others do not use it"
                );
                return Err(QuestionError::about("max", why));
            }
        }
        let goal = match &self.goal {
            Some(Goal::Distance(_)) => "distance",
            Some(Goal::Place(_)) => "place",
            Some(Goal::Left(_)) => "leaves",
            _ => "meets",
        };
        if self.goal.is_some() && !self.sides.is_empty() {
            let options = std::iter::once(goal).chain(SIDES).collect();
            let why = "one of these says what is waited for".to_owned();
            return Err(QuestionError::Options { options, why });
        }
        let given = [
            (!species.is_empty(), &["species"][..]),
            (self.bins.is_some(), &["bins"]),
            (self.lags.is_some(), &["lags"]),
            (self.fit.is_some(), &["fit"]),
            (self.along.is_some(), &["along"]),
            (self.goal.is_some(), &[goal]),
            (!self.patterns.is_empty(), &["pattern"]),
            (!self.sides.is_empty(), &SIDES),
        ];
        for (_, options) in given.into_iter().filter(|(given, _)| *given) {
            let takes = |analysis: &Analysis| analysis.takes.contains(&options[0]);
            if !asked.iter().any(|analysis| takes(analysis)) {
                let why = match options {
                    ["species"] => format!(
                        "{} are always for all species",
                        names_of(|analysis| !takes(analysis))
                    ),
                    _ => format!("only for {}", names_of(takes)),
                };
                return Err(QuestionError::Options { options: options.to_vec(), why });
            }
        }
        Ok(())
    }
}

fn along(text: &str) -> Result<Along, String> {
    match text {
        "x" => Ok(Along::Axis(0)),
        "y" => Ok(Along::Axis(1)),
        "z" => Ok(Along::Axis(2)),
        "radius" => Ok(Along::Radius),
        "map" => Ok(Along::Map),
        _ => Err("write x, y, z, radius or map".into()),
    }
}

/// Takes a list of names apart at its commas, but for those within brackets:
/// `A,EGFR{bound,bare}` are two.
pub fn split_names(list: &str) -> Vec<String> {
    let mut depth = 0_usize;
    let parts = list.split(|c: char| {
        match c {
            '{' | '(' => depth += 1,
            '}' | ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    });
    parts.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect()
}

/// Ranges along axes: `x=0 nm..100 nm,y=20 nm..`.
fn place(text: &str) -> Result<Place, String> {
    let needed = "write ranges such as \"x=0 nm..100 nm,y=20 nm..\"";
    let mut place = Place::default();
    for part in text.split(',') {
        let (axis, range) = part.split_once('=').ok_or(needed)?;
        let axis = ["x", "y", "z"].iter().position(|&name| name == axis.trim()).ok_or(needed)?;
        let span = length_span(range).map_err(|why| format!("{why}; {needed}"))?;
        place.ranges[axis] = Some([span.low, span.high]);
    }
    Ok(place)
}

#[cfg(test)]
mod tests {
    use super::super::rows::{Given, read};
    use super::*;

    fn one(name: &str, value: &str) -> Result<AnalysisOptions, QuestionError> {
        read(&[(name.to_owned(), Given::Text(value.to_owned()))])
    }

    #[test]
    fn names_are_distinguished_outside_braces() {
        assert_eq!(split_names("A, EGFR{bound,bare},B,"), ["A", "EGFR{bound,bare}", "B"]);
        assert_eq!(split_names("R(y~p,l)"), ["R(y~p,l)"]);
        assert!(split_names("").is_empty() && one("species", " ,").is_err());
    }

    #[test]
    fn how_far_is_a_time_or_a_length() {
        assert_eq!(one("max", "2 ms").unwrap().longest, Some(2000.0));
        assert_eq!(one("max", "2 nm").unwrap().farthest, Some(2.0));
        assert!(one("max", "3").is_err() && one("max", "3 /s").is_err());
    }

    #[test]
    fn places_are_ranges_along_axes() {
        let ranges = |text: &str| place(text).ok().map(|place| place.ranges);
        assert_eq!(ranges("x=0..100nm"), Some([Some([0.0, 100.0]), None, None]));
        let open = ranges("z = 50 nm..1 um, y=2 um..");
        assert_eq!(open, Some([None, Some([2e3, f64::INFINITY]), Some([50.0, 1e3])]));
        assert_eq!(
            ["x=0..100", "0..1 nm", "w=0..1 nm", "x=2 nm..1 nm", "x=1 nm"].map(ranges),
            [None; 5]
        );
    }

    #[test]
    fn options_are_read_by_name() {
        let text = |text: &str| Given::Text(text.to_owned());
        let option = |name: &str, given| (name.to_owned(), given);
        let wrong =
            |given: &[(String, Given)]| read::<AnalysisOptions>(given).unwrap_err().to_string();
        assert_eq!(
            wrong(&[option("from", text("x"))]),
            "invalid value 'x' for 'from': does not begin with a number; give a time with its unit, such as \"1 us\""
        );
        assert!(
            wrong(&[option("form", text("1 us"))])
                .starts_with("there is no option form; there are species")
        );
        let both = [option("place", text("x=0..1 nm")), option("meets", text("any"))];
        assert_eq!(wrong(&both), "place cannot be used with meets");
        assert_eq!(
            wrong(&[option("bins", Given::List(vec!["2".into(), "3".into()]))]),
            "bins: it takes one value, and 2 are given"
        );
        assert_eq!(
            wrong(&[option("bins", text("0"))]),
            "invalid value '0' for 'bins': 0 is not in 1..=10000"
        );
        let species = Given::List(vec!["A".into(), "B{x,y},C".into()]);
        let found: AnalysisOptions = read(&[option("species", species)]).unwrap();
        assert_eq!(found.scope.species, ["A", "B{x,y}", "C"]);
    }
}
