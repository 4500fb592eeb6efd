//! Where the frames of an H5MD file are and in what form: ours, and those that other programs
//! write (H5MD 1.1, de Buyl, Colberg & Höfling, Comput. Phys. Commun. 185, 1546, 2014).

use hdf5::{Dataset, File, Group, Location};

use crate::claims;
use crate::texts::texts;
use jostle_core::words::abridged;
use jostle_files::plain_line;

/// Where our own frames are.
const OURS: &str = "particles/trajectory";

/// A number for every frame: listed, or growing evenly.
#[derive(Clone, Debug)]
pub(super) enum Series {
    Listed,
    Even {
        first: f64,
        increment: f64,
    },
    /// There is none.
    Absent,
}

/// A value for every slot: as it is in each frame, or the same in all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Element {
    Changing,
    Fixed,
    Absent,
}

/// The form of the frames.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// The group that holds them, without a slash in front.
    pub group: String,
    /// Whether positions are those of one moment or of many.
    pub position: Element,
    /// Frames, slots, components of a position.
    pub shape: [usize; 3],
    pub steps: Series,
    pub times: Series,
    /// From the file's lengths to nm, and times to µs.
    pub units: [f64; 2],
    /// Whether the file states both units; if not, they are taken for nm and ns.
    pub units_given: bool,
    /// Whether it states the unit of lengths.
    pub length_given: bool,
    pub id: Element,
    pub image: Element,
    pub cluster: Element,
    pub coalesced: Element,
    pub species: Element,
    pub edges: Element,
}

/// Why frames cannot be read.
pub(super) enum Unfit {
    /// There are none.
    NotH5md(String),
    /// They are in a form that is not read: where, and why.
    Refused(String, String),
    /// The file contradicts itself: where, and how.
    Damaged(String, String),
}

/// Finds the frames of a file: those of the group `asked` below `/particles`, or of the only one
/// there is.
///
/// # Errors
/// If there are none, or in no form that H5MD knows; the text says what is missing.
pub(super) fn find(file: &File, asked: Option<&str>) -> Result<Layout, Unfit> {
    let group = find_group(file, asked)?;
    let missing = |reason: String| Unfit::NotH5md(reason);
    let at = file.group(&group).map_err(|error| missing(error.to_string()))?;
    let kind = element(&at, "position");
    let value = match kind {
        Element::Fixed => format!("{group}/position"),
        _ => format!("{group}/position/value"),
    };
    let positions = file.dataset(&value).map_err(|_| missing(format!("it has no /{value}")))?;
    let shape = match (kind, &positions.shape()[..]) {
        (Element::Fixed, &[slots, width @ 1..=3]) => [1, slots, width],
        (Element::Changing, &[frames, slots, width @ 1..=3]) => [frames, slots, width],
        (_, shape) => {
            let expected = "frames, slots and 1, 2 or 3 coordinates";
            return Err(missing(format!("the shape of /{value}, {shape:?}, is not {expected}")));
        }
    };
    if !are_numbers(&positions) {
        let reason = "it holds no numbers, which positions are".to_owned();
        return Err(Unfit::Refused(format!("/{value}"), reason));
    }
    believable(&positions, shape).map_err(|reason| Unfit::Damaged(format!("/{value}"), reason))?;
    let in_words = |reason: String| Unfit::Refused(format!("/{value}"), reason);
    let length = unit(&positions).map(|word| length_factor(&word)).transpose();
    let length = length.map_err(in_words)?;
    let (steps, _) = series(&at, "position/step");
    let (times, word) = series(&at, "position/time");
    let time = word.map(|word| time_factor(&word)).transpose();
    let time = time.map_err(|reason| Unfit::Refused(format!("/{group}/position/time"), reason))?;
    let element = |name: &str| element(&at, name);
    Ok(Layout {
        position: kind,
        shape,
        steps,
        units: [length.unwrap_or(1.0), time.unwrap_or(1e-3)],
        units_given: length.is_some() && (time.is_some() || matches!(times, Series::Absent)),
        length_given: length.is_some(),
        id: element("id"),
        image: element("image"),
        cluster: element("cluster"),
        coalesced: element("coalesced"),
        species: element("species"),
        edges: element("box/edges"),
        times,
        group,
    })
}

/// The group of this name; without one, the only one that has positions. Groups of H5MD may share
/// particles, so that several are neither put together nor chosen from.
fn find_group(file: &File, asked: Option<&str>) -> Result<String, Unfit> {
    let particles = file
        .group("particles")
        .map_err(|_| Unfit::NotH5md("it has no group /particles".to_owned()))?;
    let names = particles.member_names().map_err(|error| Unfit::NotH5md(error.to_string()))?;
    let mut names: Vec<String> = names
        .into_iter()
        .filter(|name| particles.link_exists(&format!("{name}/position")))
        .collect();
    names.sort();
    let shown = || names.iter().map(|name| plain_line(name));
    let list = || abridged(shown(), "groups").join(", ");
    let refused = |reason| Err(Unfit::Refused("/particles".to_owned(), reason));
    match (asked, &names[..]) {
        (_, []) => {
            Err(Unfit::NotH5md("none of the groups under /particles has positions".to_owned()))
        }
        (Some(name), _) if names.iter().any(|one| one == name) => Ok(format!("particles/{name}")),
        (Some(name), _) => {
            refused(format!("no group \"{}\" has positions; there is {}", plain_line(name), list()))
        }
        (None, [name]) => Ok(format!("particles/{name}")),
        // Ours may have walls beside its particles.
        (None, _) if file.link_exists("parameters") && file.link_exists("parameters/resolved") => {
            Ok(OURS.to_owned())
        }
        (None, [first, ..]) => refused(format!(
            "it has positions of several groups ({}), which may share particles; write the name of \
             one after that of the file: FILE:{}",
            list(),
            plain_line(first)
        )),
    }
}

/// Whether the library makes numbers of what a dataset holds: of integers, enumerations and
/// floating-point numbers of any size, half ones included.
pub(super) fn are_numbers(dataset: &Dataset) -> bool {
    dataset.dtype().is_ok_and(|kind| kind.conv_to::<f64>().is_some())
}

pub(super) fn element(at: &Group, name: &str) -> Element {
    if at.link_exists(&format!("{name}/value")) {
        Element::Changing
    } else if at.dataset(name).is_ok() {
        Element::Fixed
    } else {
        Element::Absent
    }
}

/// Steps or times and their unit: a list, or the increment (a number, with an `offset`).
pub(super) fn series(at: &Group, name: &str) -> (Series, Option<String>) {
    let Ok(dataset) = at.dataset(name) else {
        return (Series::Absent, None);
    };
    let word = unit(&dataset);
    if dataset.ndim() > 0 {
        return (Series::Listed, word);
    }
    let Ok(increment) = dataset.read_scalar::<f64>() else {
        return (Series::Absent, word);
    };
    let offset = dataset.attr("offset").and_then(|offset| offset.read_scalar::<f64>());
    (Series::Even { first: offset.unwrap_or(0.0), increment }, word)
}

pub(super) fn unit(of: &Location) -> Option<String> {
    texts(&*of.attr("unit").ok()?)?.into_iter().next()
}

pub(super) fn length_factor(unit: &str) -> Result<f64, String> {
    Ok(match unit {
        "nm" | "nanometer" | "nanometre" => 1.0,
        "Angstrom" | "angstrom" | "A" | "Å" => 0.1,
        "um" | "µm" | "micrometer" | "micrometre" => 1e3,
        "pm" => 1e-3,
        "fm" => 1e-6,
        "mm" => 1e6,
        "cm" => 1e7,
        "m" => 1e9,
        // Reduced units: numbers as they stand.
        "1" | "" | "sigma" => 1.0,
        other => {
            return Err(format!(
                "its unit of length, \"{other}\", is not known; nm, Angstrom, pm, um, mm and m are"
            ));
        }
    })
}

pub(super) fn time_factor(unit: &str) -> Result<f64, String> {
    Ok(match unit {
        "fs" => 1e-9,
        "ps" => 1e-6,
        "ns" => 1e-3,
        "us" | "µs" => 1.0,
        "ms" => 1e3,
        "s" | "sec" | "second" => 1e6,
        "AKMA" => 4.888_821e-8,
        "1" | "" | "tau" => 1e-3,
        other => {
            return Err(format!(
                "its unit of time, \"{other}\", is not known; fs, ps, ns, us, ms and s are"
            ));
        }
    })
}

/// From a unit of velocity, such as `nm ps-1`, `m s-1` or `Angstrom/fs`, to nm/ns.
pub(super) fn velocity_factor(unit: &str) -> Result<f64, String> {
    let parts = unit.split(['/', ' ']).filter(|part| !part.is_empty()).collect::<Vec<_>>();
    match parts[..] {
        ["1"] | [] => Ok(1.0),
        [length, time] => {
            let time = time.strip_suffix("-1").unwrap_or(time);
            // Times are in µs.
            Ok(length_factor(length)? / (time_factor(time)? * 1e3))
        }
        _ => {
            Err(format!("its unit of velocity, \"{unit}\", is not known; nm ps-1, for example, is"))
        }
    }
}

/// Whether the positions are there that their shape speaks of: all of them, and one frame.
fn believable(positions: &Dataset, [_, slots, width]: [usize; 3]) -> Result<(), String> {
    claims::whole::<f32>(positions).and_then(|()| claims::part::<f64>(positions, &[slots, width]))
}
