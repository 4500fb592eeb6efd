//! Compartments as layers along z.

use std::collections::BTreeMap;

use super::{Arrangement, Border, Layout, MICROMETRE, SurfaceText};
use crate::bngl::Network;
use crate::bngl::geometry::Geometry;
use crate::bngl::rates::number;

/// A layer behind a membrane at the end of the box is as thick as so many of the largest molecules.
const BEHIND: f64 = 2.0;

/// Volumes one above the other. Each has a membrane on either side, or a wall.
pub(super) fn layers(
    network: &Network,
    geometry: &Geometry,
    borders: &[Border],
) -> Result<Layout, String> {
    let all = &network.compartments;
    let volumes: Vec<usize> = (0..all.len()).filter(|&n| !all[n].is_membrane).collect();
    let of = |volume: usize| -> Vec<usize> {
        (0..borders.len()).filter(|&b| borders[b].volumes.contains(&volume)).collect()
    };
    if let Some(&volume) = volumes.iter().find(|&&volume| of(volume).len() > 2) {
        return Err(format!(
            "`{}` is beside more than two other compartments, and a layer is between two",
            all[volume].name
        ));
    }
    // What is from below to above: volumes, and nothing behind a membrane at an end.
    let mut stack: Vec<Option<usize>> = Vec::new();
    let mut walls: Vec<Option<usize>> = Vec::new();
    let mut left = volumes;
    let ends = |volume: &usize| {
        let joined = of(*volume).into_iter().filter(|&b| borders[b].volumes.len() == 2);
        joined.count() < 2
    };
    while !left.is_empty() {
        let Some(at) = left.iter().position(ends) else {
            return Err("its volumes are in a ring, which layers cannot be".to_owned());
        };
        let mut volume = left.remove(at);
        let mut open = of(volume);
        // A membrane with nothing behind it comes first.
        if let Some(b) = open.iter().position(|&b| borders[b].volumes.len() == 1) {
            if !stack.is_empty() {
                walls.push(None);
            }
            stack.push(None);
            walls.push(Some(open.remove(b)));
        } else if !stack.is_empty() {
            walls.push(None);
        }
        stack.push(Some(volume));
        while let Some(border) = open.pop() {
            walls.push(Some(border));
            let next = borders[border].volumes.iter().find(|&&other| other != volume).copied();
            stack.push(next);
            let Some(next) = next else { break };
            left.retain(|&other| other != next);
            volume = next;
            open = of(volume).into_iter().filter(|&other| other != border).collect();
        }
    }
    let lonely: Vec<usize> =
        (0..borders.len()).filter(|&b| borders[b].volumes.is_empty()).collect();
    for b in lonely {
        walls.extend([None, Some(b)]);
        stack.extend([None, None]);
    }
    let edges: Vec<f64> = geometry.edges.iter().map(|edge| edge.value).collect();
    let area = edges[0] * edges[1];
    let radius = geometry.species.iter().map(|one| one.radius.value).fold(0.0, f64::max);
    let behind = stack.iter().filter(|at| at.is_none()).count() as f64;
    let thick = BEHIND * 2.0 * radius;
    let open = edges[2] - behind * thick;
    if open <= 0.0 {
        return Err("the box is too small for the layers behind its membranes".to_owned());
    }
    let sum: f64 = stack.iter().flatten().map(|&n| all[n].size).sum();
    let mut layout = Layout {
        arrangement: Arrangement::Layers,
        surfaces: Vec::new(),
        areas: Vec::new(),
        curvatures: Vec::new(),
        sizes: all.iter().map(|_| area / MICROMETRE.powi(2)).collect(),
        sides: vec![Vec::new(); all.len()],
        membranes: vec![None; all.len()],
        faces: BTreeMap::new(),
    };
    let mut at = 0.0;
    for (n, layer) in stack.iter().enumerate() {
        let height = layer.map_or(thick, |volume| open * all[volume].size / sum);
        if let Some(volume) = layer {
            layout.sizes[*volume] = area * height / MICROMETRE.powi(3);
            if n > 0 {
                layout.sides[*volume].push((n - 1, true));
            }
            if n < walls.len() {
                layout.sides[*volume].push((n, false));
            }
        }
        at += height;
        let Some(wall) = walls.get(n) else { break };
        let border = wall.map(|b| &borders[b]);
        let free = || {
            let names = [stack[n], stack[n + 1]].map(|at| at.map_or("", |n| all[n].name.as_str()));
            format!("wall_{}", names.join("_"))
        };
        layout.surfaces.push(SurfaceText {
            name: border.map_or_else(free, |border| border.name.clone()),
            shape: format!("plane = {{ axis = \"z\", at = \"{} nm\" }}", number(at)),
            through: Vec::new(),
        });
        layout.areas.push(area / MICROMETRE.powi(2));
        layout.curvatures.push(0.0);
        if let Some(membrane) = border.and_then(|border| border.compartment) {
            layout.membranes[membrane] = Some(n);
        }
    }
    Ok(layout)
}
