//! Sites that point somewhere in a snapshot: patches on the particles.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use super::super::Colour;
use jostle_analysis::{ReadError, Reading};
use jostle_core::sites::Sites;
use jostle_core::space::{Orientation, Vector, any_across, vector_product};
use jostle_h5md::reading::SiteData;

/// The corners of a patch on a circle or sphere of radius 1 about the origin, convex; y downwards.
pub(super) type Patch = Vec<[f64; 2]>;

/// Half the angle over which a patch extends on a sphere, seen from the centre. \[rad\]
const CAP: f64 = 0.4;
/// The radius of the circle about a point of the rim of which a patch on a disk is a part.
const LENS: f64 = 0.5;
const CORNERS: usize = 40;
/// Colours whose components add up to less are too dark for patches that are darker still.
const DARK: u32 = 240;

/// The directions of those sites that point somewhere, as vectors of length 1 in the particle's
/// frame.
pub(in crate::report) fn axes(sites: &Sites) -> Vec<Vector<3>> {
    let axes = sites.list().iter().filter_map(|site| Some(site.direction?.axis));
    // Only a damaged file has others.
    axes.filter(|axis| (axis.norm() - 1.0).abs() < 1e-3).collect()
}

/// Where the sites of the particles in some slots point in a frame, as vectors of length 1; empty if
/// no site of the file points anywhere. \[particle\]\[site\]
pub(super) fn directions(
    reading: &Reading,
    frame: usize,
    slots: &[usize],
) -> Result<Vec<Vec<[f64; 3]>>, ReadError> {
    let data = SiteData::of(reading)?;
    if !data.sites.iter().any(|sites| sites.are_directed()) {
        return Ok(Vec::new());
    }
    let Some(quaternions) = data.orientations(frame..frame + 1, 0..reading.slots())? else {
        return Ok(Vec::new());
    };
    let species = reading.slot_species()?;
    let axes: Vec<Vec<Vector<3>>> = data.sites.iter().map(axes).collect();
    let of = |&slot: &usize| {
        let axes = usize::try_from(species[slot]).ok().and_then(|number| axes.get(number));
        let turned = Orientation::of_quaternion(quaternions[[0, slot]].map(f64::from));
        let known = axes.zip(turned);
        known.map_or_else(Vec::new, |(axes, turned)| {
            axes.iter().map(|&axis| turned.apply(axis).0).collect()
        })
    };
    Ok(slots.iter().map(of).collect())
}

/// The part that is seen of a patch, in the plane or in space.
pub(super) fn seen(dimension: usize, direction: [f64; 3]) -> Option<Patch> {
    let [right, down, _] = direction;
    if dimension == 3 { on_sphere(direction) } else { Some(on_disk([right, down])) }
}

/// The patch on a disk for a site that points to the right and down by this much: what lies both
/// within the disk and within a smaller circle about a point of its rim.
fn on_disk([right, down]: [f64; 2]) -> Patch {
    let towards = libm::atan2(down, right);
    let (s, c) = libm::sincos(towards);
    // Half the angle under which the part of the rim is seen from the centre.
    let half = 2.0 * libm::asin(0.5 * LENS);
    let share = |n: usize| n as f64 / (CORNERS / 2) as f64;
    let rim = (0..CORNERS / 2).map(|n| {
        let (sine, cosine) = libm::sincos(towards + half * (2.0 * share(n) - 1.0));
        [cosine, sine]
    });
    let inside = (0..CORNERS / 2).map(|n| {
        let from = FRAC_PI_2 + 0.5 * half;
        let (sine, cosine) = libm::sincos(towards + from + (PI - half) * share(n));
        [c + LENS * cosine, s + LENS * sine]
    });
    rim.chain(inside).collect()
}

/// The part of the patch on a sphere that is seen, for a site that points to the right, down and
/// away from the eye by this much; none if it points to the far side.
fn on_sphere(direction: [f64; 3]) -> Option<Patch> {
    let [.., away] = direction;
    if away.is_nan() || away > 0.0 {
        return None;
    }
    let axis = Vector(direction);
    let one = any_across(axis);
    let other = vector_product(axis, one);
    let (sine, cosine) = libm::sincos(CAP);
    let corner = |n: usize| {
        let (s, c) = libm::sincos(TAU * n as f64 / CORNERS as f64);
        let Vector([right, down, away]) = axis * cosine + (one * c + other * s) * sine;
        // What lies behind the sphere ends at its rim.
        let length = if away > 0.0 { libm::hypot(right, down) } else { 1.0 };
        [right / length, down / length]
    };
    Some((0..CORNERS).map(corner).collect())
}

/// The colour of patches on a particle of some colour.
pub(super) fn colour(particle: Colour) -> Colour {
    let Colour(red, green, blue) = particle;
    match [red, green, blue].map(u32::from).iter().sum::<u32>() < DARK {
        true => particle.mixed(Colour::WHITE, 0.55),
        false => particle.mixed(Colour::INK, 0.6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By Gauss's shoelace formula.
    fn area(patch: &Patch) -> f64 {
        let next = |n: usize| patch[(n + 1) % patch.len()];
        let twice = patch.iter().enumerate().map(|(n, [x, y])| x * next(n)[1] - y * next(n)[0]);
        0.5 * twice.sum::<f64>().abs()
    }

    fn assert_convex(patch: &Patch) {
        let at = |n: usize| patch[n % patch.len()];
        let bend = |n: usize| {
            let [a, b, c] = [at(n), at(n + 1), at(n + 2)];
            (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])
        };
        let bends: Vec<f64> = (0..patch.len()).map(bend).collect();
        let one_way = |sign: f64| bends.iter().all(|bend| sign * bend > -1e-12);
        assert!(one_way(1.0) || one_way(-1.0), "{patch:?}");
    }

    #[test]
    fn patches_are_convex_and_within_their_particle() {
        for n in 0..100 {
            let (s, c) = libm::sincos(0.7 * f64::from(n));
            let away = -0.01 * f64::from(n);
            let flat = (1.0 - away * away).sqrt();
            for patch in [on_disk([c, s]), on_sphere([c * flat, s * flat, away]).unwrap()] {
                assert_convex(&patch);
                assert!(patch.iter().all(|[x, y]| libm::hypot(*x, *y) < 1.0 + 1e-12), "{patch:?}");
                let middle = [0, 1].map(|k| {
                    patch.iter().map(|corner| corner[k]).sum::<f64>() / patch.len() as f64
                });
                assert!(middle[0] * c + middle[1] * s > -1e-12, "{middle:?}");
            }
        }
    }

    #[test]
    fn a_patch_on_a_sphere_shows_whole_in_front_and_half_at_the_rim() {
        let whole = PI * libm::sin(CAP).powi(2);
        let seen = |direction| on_sphere(direction).map(|patch| area(&patch));
        let in_front = seen([0.0, 0.0, -1.0]).unwrap();
        assert!((in_front / whole - 1.0).abs() < 0.01, "{in_front} of {whole}");
        let at_the_rim = seen([0.0, 1.0, 0.0]).unwrap();
        // A segment of the circle.
        let segment = CAP - libm::sin(CAP) * libm::cos(CAP);
        assert!((at_the_rim / segment - 1.0).abs() < 0.03, "{at_the_rim} of {segment}");
        assert_eq!(seen([0.0, 0.6, 0.8]), None);
    }
}
