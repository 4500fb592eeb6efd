//! How much room there is on given sides of surfaces: the volume of what they bound together.
//!
//! The room is that of points, as for the box itself: no radius is taken off.

mod enclosed;
mod ends;
mod facets;
mod integral;
#[cfg(test)]
mod tests;

use super::Form;
use enclosed::Enclosed;

/// Where the volumes of single surfaces add up to what is integrated but for so much of it, no two
/// surfaces cut each other, and the sum is exact.
const ALIKE: f64 = 1e-5;

/// How much of a box with these edges lies on all of some sides of surfaces, each with whether it is
/// the inner one, which of a plane is that above it: a volume (3D), an area (2D) or a length (1D).
/// Surfaces lie within the box, and planes have sides along reflecting axes only. \[nm^d\]
///
/// It is exact where no two surfaces cut each other, one within another included, and good to 1e-4
/// where they do.
pub fn room(sides: &[(&Form, bool)], dimension: usize, edges: &[f64; 3]) -> f64 {
    let sum = sum(sides, dimension, edges);
    let closed = sides.iter().filter(|(form, _)| form.is_closed()).count();
    if closed == 0 || sides.len() == 1 {
        return sum;
    }
    let found = match sides.iter().position(|(form, inside)| is_fine(form) && !inside) {
        // What is outside is what is not inside.
        Some(n) => {
            let (mut all, mut within) = (sides.to_vec(), sides.to_vec());
            all.remove(n);
            within[n].1 = true;
            (room(&all, dimension, edges) - room(&within, dimension, edges)).max(0.0)
        }
        None => match dimension {
            1 => Enclosed::<1>::of(sides, edges).room(),
            2 => Enclosed::<2>::of(sides, edges).room(),
            _ => Enclosed::<3>::of(sides, edges).room(),
        },
    };
    if (found - sum).abs() <= ALIKE * found { sum } else { found }
}

fn is_fine(form: &Form) -> bool {
    match form {
        Form::Solid(mesh) => enclosed::is_fine(mesh),
        Form::Outline(mesh) => enclosed::is_fine(mesh),
        Form::Plane { .. } | Form::Ball { .. } | Form::Rod { .. } => false,
    }
}

/// The room if no two surfaces cut each other: if of two one lies within the other, or each is
/// beside the other.
fn sum(sides: &[(&Form, bool)], d: usize, edges: &[f64; 3]) -> f64 {
    // What is left of the box between planes and around closed surfaces, and how much of that is
    // inside of these.
    let mut left: Vec<[f64; 2]> = edges[..d].iter().map(|&edge| [0.0, edge]).collect();
    let mut share = 1.0_f64;
    for (form, inside) in sides {
        match form {
            Form::Plane { axis, at } if *inside => left[*axis][0] = left[*axis][0].max(*at),
            Form::Plane { axis, at } => left[*axis][1] = left[*axis][1].min(*at),
            closed if *inside => {
                let (bounds, volume) = closed.bounds_and_volume(d, edges);
                share = share
                    .min(volume / bounds[..d].iter().map(|[from, to]| to - from).product::<f64>());
                for (left, of) in left.iter_mut().zip(&bounds) {
                    *left = [left[0].max(of[0]), left[1].min(of[1])];
                }
            }
            _ => {}
        }
    }
    let within = share * left.iter().map(|[from, to]| (to - from).max(0.0)).product::<f64>();
    let kept_out = sides.iter().filter(|(form, inside)| !inside && form.is_closed());
    let kept_out = kept_out.filter_map(|(closed, _)| {
        let (bounds, volume) = closed.bounds_and_volume(d, edges);
        let lies_within =
            left.iter().zip(&bounds).all(|(left, of)| left[0] <= of[0] && of[1] <= left[1]);
        lies_within.then_some(volume)
    });
    (within - kept_out.sum::<f64>()).max(0.0)
}
