//! Surfaces of any shape: meshes from files or written out, and polygons.

use std::sync::Arc;

use crate::units::Unit;
use crate::walker::{Item, Section};
use jostle_core::environment::Form;
use jostle_core::space::Vector;
use jostle_core::space::mesh::Mesh;
use jostle_files::meshes::read_mesh;

use super::Context;
use super::surfaces::in_box;

/// `mesh = { file = "cell.stl", unit = "um", shift = [..] }`, or with its `vertices` and `facets`.
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
    bounded(item, context, &mesh);
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
    let path = item.file(context.folder)?;
    match read_mesh(&path, Unit::to_internal(unit, 1.0)) {
        Ok(parts) => Some(parts),
        Err(error) => {
            item.fault(error.to_string());
            None
        }
    }
}

fn written_out(item: &Item<'_>, section: &Section<'_>) -> Option<Parts> {
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
