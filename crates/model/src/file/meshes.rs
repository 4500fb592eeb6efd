//! Surfaces of any shape: meshes from files or written out, and polygons.

use std::sync::Arc;

use crate::units::Unit;
use crate::walker::{Item, Section};
use jostle_core::environment::Form;
use jostle_core::space::Vector;
use jostle_core::space::mesh::Mesh;
use jostle_core::words::{counted, digits, length_text};
use jostle_files::meshes::{Seams, read_mesh};

use super::Context;
use super::surfaces::in_box;

/// `mesh = { file = "cell.stl", unit = "um", scale = [..], shift = [..] }`, or with its `vertices` and `facets`.
pub(super) fn solid(item: &Item<'_>, context: &Context<'_>) -> Option<Form> {
    if context.dimension != 3 {
        item.fault(
            "meshes of triangles are for three dimensions; in two, use `polygon = [[..], ..]`",
        );
        return None;
    }
    let section = item.section()?;
    let shift = match section.get("shift") {
        Some(item) => item.components(3)?,
        None => [0.0; 3],
    };
    let file = section.get("file");
    let read = match &file {
        Some(item) => from_file(item, &section, context),
        None => written_out(item, &section),
    };
    section.finish();
    let (mut vertices, facets) = read?;
    vertices.iter_mut().for_each(|vertex| *vertex += Vector(shift));
    let mesh = match Mesh::new(vertices, facets) {
        Ok(mesh) => mesh,
        Err(error) => {
            let name =
                file.and_then(|item| item.text()).map_or(String::new(), |name| format!("{name}: "));
            item.fault(format!("{name}{error}"));
            return None;
        }
    };
    if let Some(why) = far_off(&mesh, shift, context) {
        item.fault(why);
    }
    Some(Form::Solid(Arc::new(mesh)))
}

type Parts = (Vec<Vector<3>>, Vec<[u32; 3]>);

fn from_file(item: &Item<'_>, section: &Section<'_>, context: &Context<'_>) -> Option<Parts> {
    section.refuse("vertices", "the mesh is in a file: keep one");
    section.refuse("facets", "the mesh is in a file: keep one");
    let unit = match section.get("unit") {
        Some(item) => super::unit(&item)?,
        None => item.bare_length(),
    };
    let scale = match section.get("scale") {
        Some(item) => scale(&item)?,
        None => [1.0; 3],
    };
    let path = item.file(context.folder)?;
    match read_mesh(&path, scale.map(|factor| Unit::to_internal(unit, factor))) {
        Ok((parts, Seams { vertices: 0, .. })) => Some(parts),
        Ok((parts, Seams { vertices, farthest })) => {
            log::warn!(
                "{}: {} at open edges joined with others that differ from them in the last digits, by at most \
                 {farthest:.1e} in the unit of the file",
                path.display(),
                counted(vertices as u64, "corner")
            );
            Some(parts)
        }
        Err(error) => {
            item.fault(error.to_string());
            None
        }
    }
}

/// By how much coordinates are multiplied: one number, or one for each axis.
fn scale(item: &Item<'_>) -> Option<[f64; 3]> {
    if !item.is_list() {
        return item.quantity().map(|factor| [factor; 3]);
    }
    let factors = item.list()?;
    let factors: Vec<f64> = factors.iter().map(|item| item.quantity()).collect::<Option<_>>()?;
    let found = <[f64; 3]>::try_from(factors).ok();
    if found.is_none() {
        item.fault("one number is needed, or three, one for each axis: `scale = [65, 65, 200]`");
    }
    found
}

/// Why a mesh is not in the box, if it is not, and what would bring it there.
fn far_off(mesh: &Mesh<3>, shift: [f64; 3], context: &Context<'_>) -> Option<String> {
    let [low, high] = mesh.bounds();
    let edges = context.edges;
    let slack = |k: usize| 1e-12 * edges[k];
    let is_out = |k: &usize| low[*k] < -slack(*k) || high[*k] > edges[*k] + slack(*k);
    let axes: Vec<usize> = (0..3).filter(is_out).collect();
    let name = |k: usize| ["x", "y", "z"][k];
    let along = |&k: &usize| {
        format!(
            "from {:?} to {:?} nm along {}, where the box extends from 0 to {:?} nm",
            low[k],
            high[k],
            name(k),
            edges[k]
        )
    };
    let goes = axes.iter().map(along).collect::<Vec<_>>().join(", and ");
    let too_long = axes.iter().find(|&&k| high[k] - low[k] > edges[k] + 2.0 * slack(k));
    let remedy = match too_long {
        Some(&k) => format!(
            "it is {} long along {}, and the edge has to be at least as long; does `unit` say in which unit \
             the file is, and `scale` how long its steps are?",
            length_text(high[k] - low[k]),
            name(k)
        ),
        None => {
            let to_middle = |k: usize| match axes.contains(&k) {
                true => {
                    let way = shift[k] + 0.5 * (edges[k] - low[k] - high[k]);
                    // As short as still leaves it within the box.
                    let room = 0.25 * (edges[k] - (high[k] - low[k]));
                    let step = libm::pow(10.0, libm::floor(libm::log10(room)));
                    if room > 0.0 && step > 0.0 { (way / step).round() * step } else { way }
                }
                false => shift[k],
            };
            let shift = [0, 1, 2].map(|k| format!("\"{} nm\"", digits(to_middle(k), 12)));
            format!("`shift = [{}]` moves it to the middle", shift.join(", "))
        }
    };
    (!axes.is_empty()).then(|| format!("it goes {goes}; {remedy}"))
}

fn written_out(item: &Item<'_>, section: &Section<'_>) -> Option<Parts> {
    section.refuse("scale", "only the coordinates of a file are multiplied by it");
    let (Some(vertices), Some(facets)) = (section.get("vertices"), section.get("facets")) else {
        item.fault("`file = \"cell.stl\"` is needed, or `vertices` and `facets`");
        return None;
    };
    let place = |item: &Item<'_>| item.components(3).map(Vector);
    let vertices = vertices.list()?.iter().map(place).collect::<Option<Vec<_>>>()?;
    let corner = |item: &Item<'_>| u32::try_from(item.whole(0)?).ok();
    let facet = |item: &Item<'_>| {
        let corners: Vec<u32> = item.list()?.iter().map(corner).collect::<Option<_>>()?;
        let found = <[u32; 3]>::try_from(corners).ok();
        if found.is_none() {
            item.fault("a facet has three corners: the numbers of three vertices, counted from 0");
        }
        found
    };
    let facets = facets.list()?.iter().map(facet).collect::<Option<Vec<_>>>()?;
    Some((vertices, facets))
}

/// `polygon = [[..], ..]`: corners in order, either way round.
pub(super) fn outline(item: &Item<'_>, context: &Context<'_>) -> Option<Form> {
    if context.dimension != 2 {
        item.fault(
            "polygons are for two dimensions; in three, use `mesh = { file = \"cell.stl\" }`",
        );
        return None;
    }
    let corner = |item: &Item<'_>| item.components(2).map(|x| Vector([x[0], x[1]]));
    let corners = item.list()?.iter().map(corner).collect::<Option<Vec<_>>>()?;
    if corners.len() < 3 {
        item.fault(format!(
            "a polygon needs at least 3 corners, and this one has {}",
            corners.len()
        ));
        return None;
    }
    let count = corners.len() as u32;
    let sides = (0..count).map(|n| [n, (n + 1) % count]).collect();
    match Mesh::new(corners, sides) {
        Ok(mesh) => {
            bounded(item, context, &mesh);
            Some(Form::Outline(Arc::new(mesh)))
        }
        Err(error) => {
            item.fault(error.to_string());
            None
        }
    }
}

fn bounded<const D: usize>(item: &Item<'_>, context: &Context<'_>, mesh: &Mesh<D>) {
    let [low, high] = mesh.bounds();
    let (mut centre, mut extent) = ([0.0; 3], [0.0; 3]);
    for k in 0..D {
        (centre[k], extent[k]) = (0.5 * (low[k] + high[k]), 0.5 * (high[k] - low[k]));
    }
    in_box(item, context, &centre, extent);
}
