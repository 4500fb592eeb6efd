//! The options of `jostle analyse`, as typed and as meant.

use super::what::What;
use crate::analysis::{Along, Beside, Goal, Place, Scope};
use crate::cli::beside::BesideArguments;
use crate::cli::quantities::{length, length_span, time};

/// The options, as typed.
#[derive(clap::Args, Default, PartialEq)]
pub(in crate::cli) struct Options {
    /// Only these species, separated by commas; EGFR means EGFR in any state.
    #[arg(long, value_name = "NAMES", value_parser = names)]
    species: Option<Names>,
    /// Use only data from this time on, such as "10 us".
    #[arg(long, value_name = "TIME", value_parser = time)]
    from: Option<f64>,
    /// Use only data up to this time.
    #[arg(long, value_name = "TIME", value_parser = time)]
    to: Option<f64>,
    /// The number of bins.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=10_000))]
    bins: Option<u16>,
    /// The upper limit: the longest lag or lifetime (a time), the largest distance for rdf (a
    /// length).
    #[arg(long, value_name = "TIME|LENGTH", value_parser = far)]
    max: Option<Far>,
    /// Measure density along x, y, z, radius (from the middle of the box) or map (x and y)
    /// [default: x]; stress along x or y [default: neither].
    #[arg(long, value_enum, hide_possible_values = true)]
    along: Option<AlongWhat>,
    /// first-passage: time until a particle is this far from its start
    /// [default: a distance that many particles reach].
    #[arg(long, value_name = "LENGTH", value_parser = length, conflicts_with_all = ["place", "meets"])]
    distance: Option<f64>,
    /// first-passage: time until a particle is here; stress: only particles here, such as
    /// "x=0 nm..100 nm,y=20 nm..".
    #[arg(long, value_name = "RANGES", value_parser = place, conflicts_with = "meets")]
    place: Option<Place>,
    /// first-passage: time until a particle has its first logged contact with this species, the
    /// "wall" (any), a face ("x-") or surface by name, or "any" particle.
    #[arg(long, value_name = "NAME")]
    meets: Option<String>,
    /// sites: count the molecules that fit this pattern instead, such as "R(y~p,l!+)"; can be
    /// repeated.
    #[arg(long, value_name = "PATTERN", conflicts_with = "species")]
    pattern: Vec<String>,
    #[command(flatten)]
    beside: BesideArguments,
}

/// The coordinate along which density can be measured.
#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum AlongWhat {
    X,
    Y,
    Z,
    Radius,
    Map,
}

impl AlongWhat {
    fn meant(self) -> Along {
        match self {
            Self::X => Along::Axis(0),
            Self::Y => Along::Axis(1),
            Self::Z => Along::Axis(2),
            Self::Radius => Along::Radius,
            Self::Map => Along::Map,
        }
    }
}

/// How far to look. \[µs\], \[nm\]
#[derive(Clone, Copy, Debug, PartialEq)]
enum Far {
    Time(f64),
    Length(f64),
}

fn far(text: &str) -> Result<Far, String> {
    let lengths = || length(text).map(Far::Length);
    let found = time(text).map(Far::Time).or_else(|_| lengths());
    found.map_err(|_| "give a time (\"1 ms\") or a length (\"20 nm\")".into())
}

/// Names of species.
#[derive(Clone, Debug, PartialEq)]
struct Names(Vec<String>);

/// Names separated by commas, but not by those within brackets: `A,EGFR{bound,bare}`.
fn names(text: &str) -> Result<Names, String> {
    let mut depth = 0;
    let parts = text.split(|c| {
        depth += i32::from("{(".contains(c)) - i32::from("})".contains(c));
        c == ',' && depth == 0
    });
    let names: Vec<String> =
        parts.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect();
    if names.is_empty() { Err("give a name".into()) } else { Ok(Names(names)) }
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

/// The options, understood.
#[derive(Clone, Debug)]
pub(in crate::cli) struct Measure {
    pub(super) scope: Scope,
    pub(super) bins: Option<usize>,
    /// \[µs\]
    pub(super) longest: Option<f64>,
    /// \[nm\]
    pub(super) farthest: Option<f64>,
    pub(super) along: Option<Along>,
    pub(super) goal: Option<Goal>,
    /// Of molecules that are counted.
    pub(super) patterns: Vec<String>,
    /// On all of these sides of surfaces.
    pub(super) sides: Vec<Beside>,
}

impl Measure {
    /// The names of the tables that an analysis may write, the main one first.
    pub(in crate::cli) fn tables(&self, what: What) -> &'static [&'static str] {
        match (what, self.patterns.is_empty()) {
            (What::Sites, false) => What::PATTERN_TABLES,
            _ => what.tables(),
        }
    }
}

impl Options {
    /// Refuses what means nothing for anything that is asked, or for anything at all.
    pub(in crate::cli) fn check(&self, asked: &[What]) -> Result<(), String> {
        if let (Some(from), Some(to)) = (self.from, self.to)
            && from > to
        {
            return Err("--from, --to: the range is empty: its end is before its start".into());
        }
        let time = matches!(self.max, Some(Far::Time(_)));
        let length = matches!(self.max, Some(Far::Length(_)));
        let goal = self.distance.is_some() || self.meets.is_some();
        let idle =
            |given: bool, takes: fn(What) -> bool| given && !asked.iter().any(|&what| takes(what));
        let refused = [
            (
                idle(time, What::has_longest),
                "--max: a time limits lags and lifetimes; rdf takes a length, and the other analyses do not use --max",
            ),
            (
                idle(length, What::has_farthest),
                "--max: a length limits rdf; lags and lifetimes take a time, and the other analyses do not use --max",
            ),
            (
                idle(self.species.is_some(), What::has_species),
                "--species: cluster sizes, lifetimes, transitions and energies are always for all species",
            ),
            (
                idle(self.bins.is_some(), What::has_bins),
                "--bins: only jumps, rdf, density, rates, impacts, forces and stress have bins",
            ),
            (
                idle(self.along.is_some(), What::has_axis),
                "--along: only density and stress are measured along an axis",
            ),
            (
                idle(goal, |what| what == What::FirstPassage),
                "--distance, --meets: only first-passage uses these",
            ),
            (
                idle(self.place.is_some(), What::has_place),
                "--place: only first-passage and stress use this",
            ),
            (
                idle(!self.pattern.is_empty(), |what| what == What::Sites),
                "--pattern: only sites counts molecules that fit a pattern",
            ),
            (
                idle(self.beside.is_given(), |what| what == What::Counts),
                "--inside, --outside, --above, --below: only counts can be restricted to one side of a surface",
            ),
        ];
        let why = refused.into_iter().find_map(|(idle, why)| idle.then_some(why));
        why.map_or(Ok(()), |why| Err(why.into()))
    }

    pub(in crate::cli) fn meant(self) -> Measure {
        let meets = self.meets.map(|name| Goal::Meeting((name != "any").then_some(name)));
        let scope = Scope {
            species: self.species.map(|names| names.0).unwrap_or_default(),
            from: self.from,
            to: self.to,
        };
        Measure {
            patterns: self.pattern,
            sides: self.beside.meant(),
            scope,
            bins: self.bins.map(usize::from),
            longest: self
                .max
                .and_then(|far| if let Far::Time(time) = far { Some(time) } else { None }),
            farthest: self
                .max
                .and_then(|far| if let Far::Length(length) = far { Some(length) } else { None }),
            along: self.along.map(AlongWhat::meant),
            goal: self.distance.map(Goal::Distance).or(self.place.map(Goal::Place)).or(meets),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_distinguished_outside_braces() {
        let found = |text: &str| names(text).map(|names| names.0);
        assert_eq!(found("A, EGFR{bound,bare},B").unwrap(), ["A", "EGFR{bound,bare}", "B"]);
        assert_eq!(found("R(y~p,l)").unwrap(), ["R(y~p,l)"]);
        assert!(found(" ,").is_err());
    }

    #[test]
    fn how_far_is_a_time_or_a_length() {
        assert_eq!(
            [far("2 ms").ok(), far("2 nm").ok()],
            [Some(Far::Time(2000.0)), Some(Far::Length(2.0))]
        );
        assert!(far("3").is_err() && far("3 /s").is_err());
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
}
