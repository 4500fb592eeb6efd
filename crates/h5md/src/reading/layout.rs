//! Where the frames of an H5MD file are and in what form: ours, and those that other programs
//! write (H5MD 1.1, de Buyl, Colberg & Höfling, Comput. Phys. Commun. 185, 1546, 2014).

use hdf5::{Dataset, File, Group, Location};
use ndarray::{Array1, Array2, ArrayD};

use crate::claims;
use crate::texts::texts;

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
    /// Frames, slots, components of a position.
    pub shape: [usize; 3],
    pub steps: Series,
    pub times: Series,
    /// From the file's lengths to nm, and times to µs.
    pub units: [f64; 2],
    /// Whether the file states both units; if not, they are taken for nm and ns.
    pub units_given: bool,
    pub id: Element,
    pub image: Element,
    pub cluster: Element,
    pub coalesced: Element,
    pub species: Element,
    pub edges: Element,
}

/// Finds the frames of a file.
///
/// # Errors
/// If there are none, or in no form that H5MD knows; the text says what is missing.
pub(super) fn find(file: &File) -> Result<Layout, String> {
    let group = find_group(file)?;
    let at = file.group(&group).map_err(|error| error.to_string())?;
    let value = format!("{group}/position/value");
    let positions = at.dataset("position/value").map_err(|_| format!("it has no /{value}"))?;
    let &[frames, slots, width @ 1..=3] = positions.shape().as_slice() else {
        return Err(format!("the shape of /{value} does not match frames, slots and coordinates"));
    };
    believable(&positions, &format!("/{value}"))?;
    let length = unit(&positions).map(|word| length_factor(&word)).transpose()?;
    let (steps, _) = series(&at, "position/step");
    let (times, word) = series(&at, "position/time");
    let time = word.map(|word| time_factor(&word)).transpose()?;
    let element = |name: &str| element(&at, name);
    Ok(Layout {
        shape: [frames, slots, width],
        steps,
        times,
        units: [length.unwrap_or(1.0), time.unwrap_or(1e-3)],
        units_given: length.is_some() && time.is_some(),
        id: element("id"),
        image: element("image"),
        cluster: element("cluster"),
        coalesced: element("coalesced"),
        species: element("species"),
        edges: element("box/edges"),
        group,
    })
}

/// Our own group, or else the first under `/particles` that has positions.
fn find_group(file: &File) -> Result<String, String> {
    if file.link_exists(OURS) {
        return Ok(OURS.to_owned());
    }
    let particles = file.group("particles").map_err(|_| "it has no group /particles".to_owned())?;
    let mut names = particles.member_names().map_err(|error| error.to_string())?;
    names.sort();
    let with_positions =
        names.into_iter().find(|name| particles.link_exists(&format!("{name}/position")));
    let name = with_positions.ok_or("none of the groups under /particles has positions")?;
    Ok(format!("particles/{name}"))
}

fn element(at: &Group, name: &str) -> Element {
    if at.link_exists(&format!("{name}/value")) {
        Element::Changing
    } else if at.dataset(name).is_ok() {
        Element::Fixed
    } else {
        Element::Absent
    }
}

/// Steps or times and their unit: a list, or the increment (a number, with an `offset`).
fn series(at: &Group, name: &str) -> (Series, Option<String>) {
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

fn unit(of: &Location) -> Option<String> {
    texts(&*of.attr("unit").ok()?)?.into_iter().next()
}

fn length_factor(unit: &str) -> Result<f64, String> {
    Ok(match unit {
        "nm" | "nanometer" | "nanometre" => 1.0,
        "Angstrom" | "angstrom" | "A" | "Å" => 0.1,
        "um" | "µm" | "micrometer" | "micrometre" => 1e3,
        "pm" => 1e-3,
        "mm" => 1e6,
        "m" => 1e9,
        // Reduced units: numbers as they stand.
        "1" | "" | "sigma" => 1.0,
        other => return Err(format!("its unit of length, \"{other}\", is not known here")),
    })
}

fn time_factor(unit: &str) -> Result<f64, String> {
    Ok(match unit {
        "fs" => 1e-9,
        "ps" => 1e-6,
        "ns" => 1e-3,
        "us" | "µs" => 1.0,
        "ms" => 1e3,
        "s" | "sec" | "second" => 1e6,
        "AKMA" => 4.888_821e-8,
        "1" | "" | "tau" => 1e-3,
        other => return Err(format!("its unit of time, \"{other}\", is not known here")),
    })
}

/// The edges of the box in the first frame, or the lengths along the axes of a box that is given as
/// vectors, in the file's unit.
pub(super) fn edges(file: &File, layout: &Layout) -> Option<[f64; 3]> {
    let at = file.group(&layout.group).ok()?;
    let values: ArrayD<f64> = match layout.edges {
        Element::Absent => return None,
        Element::Fixed => {
            let whole = at.dataset("box/edges").ok()?;
            few(&whole.shape())?;
            whole.read_dyn().ok()?
        }
        Element::Changing => {
            let whole = at.dataset("box/edges/value").ok()?;
            few(whole.shape().get(1..)?)?;
            match whole.shape()[..] {
                [0, ..] => return None,
                [_, _] => {
                    whole.read_slice::<f64, _, ndarray::Ix1>((0, ..)).map(Array1::into_dyn).ok()?
                }
                [_, _, _] => whole
                    .read_slice::<f64, _, ndarray::Ix2>((0, .., ..))
                    .map(Array2::into_dyn)
                    .ok()?,
                _ => return None,
            }
        }
    };
    let along = |k: usize| match values.shape() {
        [n] if k < *n => values[[k].as_slice()],
        [n, m] if k < *n && k < *m => values[[k, k].as_slice()],
        [] => values.first().copied().unwrap_or(0.0),
        _ => 0.0,
    };
    let edges = [0, 1, 2].map(along);
    // A box that is none is not measured with.
    edges.iter().all(|edge| edge.is_finite() && *edge >= 0.0).then_some(edges)
}

/// Whether an array is as small as one of edges.
fn few(shape: &[usize]) -> Option<()> {
    (shape.len() <= 2 && shape.iter().all(|&n| n <= 3)).then_some(())
}

/// Whether the positions are there that their shape speaks of: all of them, and one frame.
fn believable(positions: &Dataset, name: &str) -> Result<(), String> {
    let shape = positions.shape();
    let believed =
        claims::whole::<f32>(positions).and_then(|()| claims::part::<f64>(positions, &shape[1..]));
    believed.map_err(|reason| format!("{name} is damaged: {reason}"))
}
