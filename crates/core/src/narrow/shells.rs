//! When two particles on straight paths next come to an edge of the shells around them: touch, or
//! get from one shell to the next.
//!
//! The same law as for first contacts: the answer is a function of the two paths, the periodic
//! images and the edges, never of which particle asks, or when. In particular, no memory of earlier
//! events is needed to know in which shell a pair is, although the distance alone cannot tell right
//! after an event, when it equals that of an edge but for rounding: a pair always leaves the edge
//! that it has come to. So close to an edge, a pair that parts is outside of it, and one that
//! approaches is inside.

use super::spheres::{
    FirstContact, Start, directed, earliest_image, first_contact_of, only_one_image,
};
use crate::space::{Domain, Path};

/// What a pair comes to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ShellEdge {
    /// The two touch.
    Contact,
    /// They come to the edge of this number, counted from contact outwards, from outside.
    Inwards(usize),
    /// The same from inside.
    Outwards(usize),
}

/// A pair is at an edge if it is so many roundings of the box from it at most.
const ROUNDINGS: f64 = 8.0;

/// When two particles next touch or come to one of the `edges` on these paths, before `end`: the
/// distances \[nm\] of their centres there, increasing, all larger than at contact. The outermost is
/// smaller than half of each periodic edge of the box. The time and the separation are as those of
/// [`first_contact`](super::first_contact), with the particle of the lower identity first.
#[inline]
pub fn next_edge<const D: usize>(
    domain: &Domain<D>,
    a: &Path<D>,
    b: &Path<D>,
    edges: &[f64],
    end: f64,
) -> Option<(FirstContact<D>, ShellEdge)> {
    let start = Start::of(domain, a, b);
    let Start { origin, separation, approach, .. } = start;
    let remaining = end - origin;
    let shell = start.shell(domain, edges);
    let (inner, edge) = start.inwards(edges, shell);
    // Within the range of one image no other is. Outside, whichever of all is first.
    let is_alone =
        shell < edges.len() || only_one_image(domain, separation, approach, inner, remaining);
    let (t, from, edge) = match is_alone {
        true => start.next_edge(edges, shell).map(|(t, edge)| (t, separation, edge))?,
        false => {
            let met = earliest_image(domain, separation, approach, inner, remaining, true)?;
            (met.0, met.1, edge)
        }
    };
    (t <= remaining).then(|| {
        let separation = directed(from + approach * t, approach);
        (FirstContact { time: origin + t, separation }, edge)
    })
}

/// When two particles on these paths, of which only the nearest images can meet, next come to an
/// edge: the time of [`next_edge`], whichever of the two comes first.
#[inline(always)]
pub fn next_edge_nearest<const D: usize>(
    domain: &Domain<D>,
    a: &Path<D>,
    b: &Path<D>,
    edges: &[f64],
    end: f64,
) -> Option<f64> {
    let start = Start::of(domain, a, b);
    let (t, _) = start.next_edge(edges, start.shell(domain, edges))?;
    (t <= end - start.origin).then_some(start.origin + t)
}

impl<const D: usize> Start<D> {
    /// In which shell the two are, counted from contact outwards; the last is outside of all edges.
    #[inline(always)]
    fn shell(&self, domain: &Domain<D>, edges: &[f64]) -> usize {
        let (radial, squared) =
            (self.separation.dot(self.approach), self.separation.norm_squared());
        let slack = ROUNDINGS * domain.rounding();
        // Without a root: (r - edge) (r + edge) against slack times about twice the edge.
        let is_outside = |edge: f64| {
            let beyond = squared - edge * edge;
            if beyond.abs() <= 2.0 * edge * slack { radial > 0.0 } else { beyond > 0.0 }
        };
        edges.partition_point(|&edge| is_outside(edge))
    }

    /// The inner end of a shell.
    #[inline(always)]
    fn inwards(&self, edges: &[f64], shell: usize) -> (f64, ShellEdge) {
        match shell {
            0 => (self.distance, ShellEdge::Contact),
            n => (edges[n - 1], ShellEdge::Inwards(n - 1)),
        }
    }

    /// After what time the nearest image comes to which end of the shell that it is in, if ever.
    #[inline(always)]
    fn next_edge(&self, edges: &[f64], shell: usize) -> Option<(f64, ShellEdge)> {
        let Self { separation, approach, .. } = *self;
        let (inner, edge) = self.inwards(edges, shell);
        let inwards = first_contact_of(separation, approach, inner, true);
        inwards.map(|t| (t, edge)).or_else(|| {
            let outer = *edges.get(shell)?;
            let (radial, squared) = (separation.dot(approach), separation.norm_squared());
            let t = last_contact_of(squared, radial, approach.norm_squared(), outer)?;
            Some((t, ShellEdge::Outwards(shell)))
        })
    }
}

/// When two particles on these paths have parted to `length` \[nm\], less than half of each periodic edge
/// of the box, before `end`. They are not farther apart, but for rounding.
#[inline]
pub fn tether_end<const D: usize>(
    domain: &Domain<D>,
    a: &Path<D>,
    b: &Path<D>,
    length: f64,
    end: f64,
) -> Option<FirstContact<D>> {
    let Start { origin, separation, approach, .. } = Start::of(domain, a, b);
    let (radial, squared) = (separation.dot(approach), separation.norm_squared());
    let t = last_contact_of(squared, radial, approach.norm_squared(), length)?;
    (t <= end - origin)
        .then(|| FirstContact { time: origin + t, separation: separation + approach * t })
}

/// When the centres of two particles on these paths have been within `length` \[nm\] of each other,
/// less than half of each periodic edge of the box, for a time `stay`: counted from the start of the
/// younger path, before `end`, and with all images, which long paths come near one after the other.
pub fn time_after_stay<const D: usize>(
    domain: &Domain<D>,
    a: &Path<D>,
    b: &Path<D>,
    length: f64,
    mut stay: f64,
    end: f64,
) -> Option<f64> {
    let Start { origin, mut separation, approach, .. } = Start::of(domain, a, b);
    let speed_squared = approach.norm_squared();
    let mut time = origin;
    loop {
        let (radial, squared) = (separation.dot(approach), separation.norm_squared());
        let beyond = squared - length * length;
        let slack = 2.0 * length * ROUNDINGS * domain.rounding();
        if if beyond.abs() <= slack { radial > 0.0 } else { beyond > 0.0 } {
            let left = end - time;
            let (entry, from) = if only_one_image(domain, separation, approach, length, left) {
                (first_contact_of(separation, approach, length, true)?, separation)
            } else {
                earliest_image(domain, separation, approach, length, left, true)?
            };
            separation = from + approach * entry;
            time += entry;
        }
        let (radial, squared) = (separation.dot(approach), separation.norm_squared());
        let inside = last_contact_of(squared, radial, speed_squared, length);
        match inside {
            Some(inside) if inside <= stay => {
                stay -= inside;
                time += inside;
                separation = domain.nearest_image(separation + approach * inside);
            }
            _ => return Some(time + stay).filter(|time| *time <= end),
        }
        if time > end {
            return None;
        }
    }
}

/// The time, counted from now, at which two that are within `distance` of each other have parted to
/// it: the larger root of |separation + t velocity| = distance in its stable form.
#[inline]
pub(super) fn last_contact_of(
    squared: f64,
    radial: f64,
    speed_squared: f64,
    distance: f64,
) -> Option<f64> {
    if speed_squared <= 0.0 {
        return None;
    }
    // By rounding, they may be beyond it by now.
    let c = (squared - distance * distance).min(0.0);
    let root = (radial * radial - speed_squared * c).sqrt();
    Some(if radial > 0.0 { -c / (root + radial) } else { (root - radial) / speed_squared })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Purpose, Random};
    use crate::space::Vector;

    fn path<const D: usize>(position: Vector<D>, velocity: Vector<D>, radius: f64) -> Path<D> {
        Path { position, velocity, since: 0.0, radius }
    }

    const EDGES: [f64; 3] = [3.0, 4.0, 6.0];

    /// Two in line, `apart` from each other, the second moving with `velocity`.
    fn in_line(apart: f64, velocity: f64) -> Option<(f64, ShellEdge)> {
        let domain = Domain::new([30.0; 2], [true; 2]);
        let one = path(Vector([29.0, 1.0]), Vector::ZERO, 1.0);
        let other = path(Vector([29.0 + apart, 1.0]), Vector([velocity, 0.0]), 1.0);
        let (contact, edge) = next_edge(&domain, &one, &other, &EDGES, 1.0)?;
        Some((contact.time, edge))
    }

    #[test]
    fn edges_are_met_from_both_sides() {
        assert_eq!(in_line(8.0, -4.0), Some((0.5, ShellEdge::Inwards(2))));
        assert_eq!(in_line(8.0, 4.0), None);
        assert_eq!(in_line(5.0, -2.0), Some((0.5, ShellEdge::Inwards(1))));
        assert_eq!(in_line(5.0, 2.0), Some((0.5, ShellEdge::Outwards(2))));
        assert_eq!(in_line(2.5, -1.0), Some((0.5, ShellEdge::Contact)));
        assert_eq!(in_line(2.5, 1.0), Some((0.5, ShellEdge::Outwards(0))));
        assert_eq!(in_line(2.5, 0.4), None, "not within the step");
        assert_eq!(in_line(2.5, 0.0), None);
    }

    /// Right at an edge, to the last bit or but for rounding, a pair is on the side that it moves to.
    #[test]
    fn at_an_edge_the_direction_tells_the_shell() {
        for off in [0.0, 1e-15, -1e-15, 8e-15, -8e-15] {
            assert_eq!(in_line(4.0 + off, -2.0).unwrap().1, ShellEdge::Inwards(0));
            assert_eq!(in_line(4.0 + off, 4.0).unwrap().1, ShellEdge::Outwards(2));
            assert_eq!(in_line(2.0 + off, 4.0).unwrap().1, ShellEdge::Outwards(0));
            assert_eq!(
                in_line(2.0 + off, -4.0),
                Some((in_line(2.0 + off, -4.0).unwrap().0, ShellEdge::Contact))
            );
        }
    }

    #[test]
    fn a_tether_becomes_taut_once_and_at_once_where_it_is() {
        let domain = Domain::new([30.0; 2], [true; 2]);
        let end = |apart: f64, velocity: f64| {
            let one = path(Vector([29.0, 1.0]), Vector::ZERO, 1.0);
            let other = path(Vector([29.0 + apart, 1.0]), Vector([velocity, 0.0]), 1.0);
            tether_end(&domain, &one, &other, 4.0, 1.0).map(|met| met.time)
        };
        assert_eq!([end(3.0, 2.0), end(3.0, -14.0), end(3.0, 0.5)], [Some(0.5), Some(0.5), None]);
        assert_eq!(
            [end(4.0, 1.0), end(4.0 + 1e-14, 1.0), end(4.0, -1.0)],
            [Some(0.0), Some(0.0), None]
        );
    }

    #[test]
    fn time_near_another_counts_from_entry_to_exit_for_one_image_after_the_other() {
        let domain = Domain::new([30.0; 2], [true; 2]);
        let after = |apart: f64, velocity: f64, stay: f64| {
            let one = path(Vector([29.0, 1.0]), Vector::ZERO, 1.0);
            let other = path(Vector([29.0 + apart, 4.0]), Vector([velocity, 0.0]), 1.0);
            time_after_stay(&domain, &one, &other, 5.0, stay, 1.0)
        };
        assert_eq!(after(8.0, -16.0, 0.0), Some(0.25));
        assert_eq!(after(8.0, -16.0, 0.375), Some(0.625));
        assert_eq!(after(8.0, -16.0, 0.625), None, "it has left by then");
        assert_eq!(after(8.0, 16.0, 0.1), None, "it moves away");
        assert_eq!(after(0.0, -8.0, 0.25), Some(0.25), "inside from the start");
        assert_eq!(after(0.0, 0.0, 0.9), Some(0.9), "it stays where it is");
        // The first image after 8/64, the next after 38/64; each takes 8/64.
        let [first, second] = [0.5, 1.5].map(|n| after(12.0, -64.0, n * 0.125).unwrap());
        assert!((first - 12.0 / 64.0).abs() < 1e-15, "{first}");
        assert!((second - 42.0 / 64.0).abs() < 1e-14, "{second}");
        assert_eq!(after(12.0, -64.0, 0.26), None);
    }

    #[test]
    fn a_chord_through_a_shell_leaves_it_on_the_other_side() {
        let domain = Domain::new([30.0; 2], [false; 2]);
        let one = path(Vector([10.0, 10.0]), Vector::ZERO, 1.0);
        let other = path(Vector([13.5, 13.0]), Vector([-8.0, 0.0]), 1.0);
        let (met, edge) = next_edge(&domain, &one, &other, &EDGES, 1.0).unwrap();
        assert_eq!(edge, ShellEdge::Inwards(1));
        assert!((met.separation.norm() - 4.0).abs() < 1e-14);
        let other = Path { position: other.at(met.time), since: met.time, ..other };
        let (met, edge) = next_edge(&domain, &one, &other, &EDGES, 1.0).unwrap();
        assert_eq!(edge, ShellEdge::Outwards(1));
        assert!((met.separation - Vector([-7_f64.sqrt(), 3.0])).norm() < 1e-14);
    }

    /// An image that is not the nearest at the start is met by a long path.
    #[test]
    fn the_image_that_is_met_first_counts() {
        let domain = Domain::new([30.0; 2], [true; 2]);
        let one = path(Vector([5.0, 5.0]), Vector::ZERO, 1.0);
        let other = path(Vector([12.0, 5.0]), Vector([60.0, 0.0]), 1.0);
        let (met, edge) = next_edge(&domain, &one, &other, &EDGES, 1.0).unwrap();
        assert_eq!(edge, ShellEdge::Inwards(2));
        assert!((met.time - 17.0 / 60.0).abs() < 1e-15);
        assert!((met.separation - Vector([-6.0, 0.0])).norm() < 1e-12);
    }

    /// 100 000 pairs at random, each followed until it leaves: it passes from shell to shell without
    /// leaving one out, and at each event its distance is that of the edge, but for rounding.
    #[test]
    fn pairs_pass_from_shell_to_shell() {
        let random = Random::new(5);
        let domain = Domain::new([30.0; 3], [true; 3]);
        let mut events = 0;
        for case in 0..100_000 {
            let draw = |k: u64| random.uniform(Purpose::Placement, [case, k, 0, 0]);
            let one = path(Vector::from_fn(|k| 30.0 * draw(k as u64)), Vector::ZERO, 1.0);
            let speed = 30.0 * draw(9) * draw(10);
            let mut other = path(
                Vector::from_fn(|k| 30.0 * draw(3 + k as u64)),
                Vector::from_fn(|k| speed * (draw(6 + k as u64) - 0.5)),
                1.0,
            );
            let apart = domain.nearest_image(other.position - one.position).norm();
            let mut shell = EDGES.iter().filter(|edge| apart > **edge).count();
            if apart < 2.0 {
                continue;
            }
            while let Some((met, edge)) = next_edge(&domain, &one, &other, &EDGES, 1.0) {
                // To the bit, whichever comes first.
                for pair in [[&one, &other], [&other, &one]] {
                    let time = next_edge_nearest(&domain, pair[0], pair[1], &EDGES, 1.0);
                    assert!(speed > 9.0 || time == Some(met.time));
                }
                let distance = match edge {
                    ShellEdge::Contact => 2.0,
                    ShellEdge::Inwards(n) | ShellEdge::Outwards(n) => EDGES[n],
                };
                let off = (met.separation.norm() - distance).abs();
                assert!(off < 0.25 * ROUNDINGS * domain.rounding(), "{off}");
                other = Path { position: other.at(met.time), since: met.time, ..other };
                shell = match edge {
                    ShellEdge::Contact => {
                        assert_eq!(shell, 0);
                        break;
                    }
                    ShellEdge::Inwards(n) => {
                        assert_eq!(shell, n + 1);
                        n
                    }
                    ShellEdge::Outwards(n) => {
                        assert_eq!(shell, n);
                        n + 1
                    }
                };
                events += 1;
            }
        }
        assert!(events > 4_000, "{events}");
    }
}
