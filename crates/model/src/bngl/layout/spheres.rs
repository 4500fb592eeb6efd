//! Compartments as spheres, one within the other.

use std::collections::BTreeMap;
use std::f64::consts::PI;

use super::{Arrangement, Layout, MICROMETRE, SurfaceText};
use crate::bngl::geometry::Geometry;
use crate::bngl::rates::number;
use crate::bngl::{Home, Network, kinds};

/// Spheres side by side take at most this share of what is around them.
const WIDEST: f64 = 0.98;

/// Volumes one within the other.
pub(super) fn spheres(network: &Network, geometry: &Geometry) -> Result<Layout, String> {
    let all = &network.compartments;
    if let Some(name) = bonds_on_membranes(network) {
        return Err(format!(
            "{name} lives on a membrane and has bonds, which are possible on planes only"
        ));
    }
    let outermost: Vec<usize> = (0..all.len()).filter(|&n| all[n].around.is_none()).collect();
    let &[root] = outermost.as_slice() else {
        return Err("the file does not say which compartment is around all others".to_owned());
    };
    let within = |n: usize| (0..all.len()).filter(move |&m| all[m].around == Some(n));
    if let Some(n) =
        (0..all.len()).find(|&n| within(n).any(|m| all[m].is_membrane == all[n].is_membrane))
    {
        return Err(format!("between `{}` and what is in it a membrane is missing", all[n].name));
    }
    if let Some(n) = (0..all.len()).find(|&n| all[n].is_membrane && within(n).count() != 1) {
        return Err(format!("there is not exactly one volume in the membrane `{}`", all[n].name));
    }
    let edges: Vec<f64> = geometry.edges.iter().map(|edge| edge.value).collect();
    let sum: f64 = all.iter().filter(|one| !one.is_membrane).map(|one| one.size).sum();
    let narrowest = edges.iter().copied().fold(f64::INFINITY, f64::min);
    let factor = match all[root].is_membrane {
        true => ball(0.5 * WIDEST * narrowest) / sum,
        false => edges.iter().product::<f64>() / sum,
    };
    let mut layout = Layout {
        arrangement: Arrangement::Spheres,
        surfaces: Vec::new(),
        areas: Vec::new(),
        curvatures: Vec::new(),
        sizes: all.iter().map(|one| factor * one.size / MICROMETRE.powi(3)).collect(),
        sides: vec![Vec::new(); all.len()],
        membranes: vec![None; all.len()],
        faces: BTreeMap::new(),
    };
    // Membranes to be placed: where, and how much room there is.
    let middle = [0, 1, 2].map(|k| 0.5 * edges[k]);
    let mut open: Vec<(usize, [f64; 3])> = Vec::new();
    match all[root].is_membrane {
        true => open.push((root, middle)),
        false => open.extend(side_by_side(network, root, factor, middle, narrowest)?),
    }
    while let Some((membrane, centre)) = open.pop() {
        let radius = radius_of(network, membrane, factor);
        let surface = layout.surfaces.len();
        layout.surfaces.push(SurfaceText {
            name: all[membrane].name.clone(),
            shape: format!(
                "sphere = {{ centre = [{}], radius = \"{} nm\" }}",
                centre.map(|x| format!("\"{} nm\"", number(x))).join(", "),
                number(radius)
            ),
            through: Vec::new(),
        });
        let area = 4.0 * PI * (radius / MICROMETRE).powi(2);
        layout.areas.push(area);
        layout.curvatures.push(1.0 / radius);
        layout.sizes[membrane] = area;
        layout.membranes[membrane] = Some(surface);
        if let Some(outer) = all[membrane].around {
            layout.sides[outer].push((surface, false));
        }
        for volume in within(membrane) {
            layout.sides[volume].push((surface, true));
            open.extend(side_by_side(network, volume, factor, centre, 2.0 * radius)?);
        }
    }
    Ok(layout)
}

fn ball(radius: f64) -> f64 {
    4.0 / 3.0 * PI * radius.powi(3)
}

/// How large the sphere is that a membrane is, with all that is in it. \[nm\]
fn radius_of(network: &Network, membrane: usize, factor: f64) -> f64 {
    let all = &network.compartments;
    let is_in = |n: usize| {
        let mut at = Some(n);
        while let Some(outer) = at.filter(|&outer| outer != membrane) {
            at = all[outer].around;
        }
        at.is_some()
    };
    let inner = (0..all.len()).filter(|&n| !all[n].is_membrane && is_in(n));
    let volume = factor * inner.map(|n| all[n].size).sum::<f64>();
    libm::cbrt(0.75 * volume / PI)
}

/// The places of the membranes in a volume of this `width`, in a row about its middle.
fn side_by_side(
    network: &Network,
    volume: usize,
    factor: f64,
    middle: [f64; 3],
    width: f64,
) -> Result<Vec<(usize, [f64; 3])>, String> {
    let all = &network.compartments;
    let within: Vec<usize> = (0..all.len()).filter(|&m| all[m].around == Some(volume)).collect();
    let radii: Vec<f64> =
        within.iter().map(|&membrane| radius_of(network, membrane, factor)).collect();
    let gaps = width - 2.0 * radii.iter().sum::<f64>();
    if gaps <= (1.0 - WIDEST) * width {
        return Err(format!(
            "what is in `{}` is too wide for spheres side by side",
            all[volume].name
        ));
    }
    let gap = gaps / (radii.len() + 1) as f64;
    let mut at = middle[0] - 0.5 * width;
    let place = |(membrane, radius): (usize, f64)| {
        at += gap + radius;
        let centre = [at, middle[1], middle[2]];
        at += radius;
        (membrane, centre)
    };
    Ok(within.into_iter().zip(radii).map(place).collect())
}

/// A type that lives on a membrane and can be bound to others.
fn bonds_on_membranes(network: &Network) -> Option<&str> {
    let on_membranes = network
        .types
        .iter()
        .filter(|known| matches!(network.homes.get(&known.name), Some(Home::Membrane(_))));
    let mut bound = on_membranes.filter(|known| {
        known.sites.iter().any(|site| kinds::binds(network, &known.name, &site.name))
    });
    bound.next().map(|known| known.name.as_str())
}
