//! What a particle meets first on a path, other than a particle: of the surfaces that its species does not ignore, only
//! those within reach of the path are looked at.
//!
//! A path of one step is short, and most surfaces are out of its reach. Planes are kept in order along their axes, so
//! that a row of many takes no longer than one; of other shapes, those that are too far away are seen not to be met
//! in less time than it takes to find out when they are.

use super::{Environment, Manner, Shape, Surface, Wall};
use crate::narrow::{SurfaceMeeting, wall_contact};
use crate::space::{Domain, Path};

/// Ways and distances are taken to be longer by this share, which is far more than rounding.
const GENEROUS: f64 = 1.0 + 1e-9;

/// Of paths that begin so many edges away from the box, nothing is foreseen.
const FAR: f64 = 4.0;

/// The surfaces that particles of a species do not ignore.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Obstacles<const D: usize> {
    /// Where planes are, and their numbers, in the order of where they are. \[axis\]
    planes: [Vec<(f64, u16)>; D],
    /// The numbers of the others.
    others: Vec<u16>,
}

impl<const D: usize> Obstacles<D> {
    pub(super) fn of(surfaces: &[Surface<D>], manners: &[Manner]) -> Self {
        let mut obstacles =
            Self { planes: std::array::from_fn(|_| Vec::new()), others: Vec::new() };
        for ((number, surface), manner) in (0..).zip(surfaces).zip(manners) {
            match surface.shape {
                _ if *manner == Manner::Ignore => {}
                Shape::Plane { axis, at } => obstacles.planes[axis].push((at, number)),
                _ => obstacles.others.push(number),
            }
        }
        for planes in &mut obstacles.planes {
            planes.sort_by(|a, b| a.0.total_cmp(&b.0));
        }
        obstacles
    }

    /// Calls `look` for each surface to which a path may come as near as `margin` \[length\] before `end`, in any
    /// order, and perhaps for others.
    #[inline]
    fn within_reach(
        &self,
        surfaces: &[Surface<D>],
        domain: &Domain<D>,
        (path, margin, end): (&Path<D>, f64, f64),
        mut look: impl FnMut(u16),
    ) {
        let lasting = (end - path.since) * GENEROUS;
        let margin = margin * GENEROUS + domain.rounding();
        for (k, planes) in self.planes.iter().enumerate() {
            let (x, travel) = (path.position[k], path.velocity[k] * lasting);
            let span = [x + travel.min(0.0) - margin, x + travel.max(0.0) + margin];
            let period = domain.is_periodic(k).then_some(domain.edges()[k]);
            let is_near = x.abs() < FAR * domain.edges()[k];
            planes_within(planes, span, period, is_near, &mut look);
        }
        if self.others.is_empty() {
            return;
        }
        let reach = margin + path.velocity.norm() * lasting;
        for &number in &self.others {
            let shape = &surfaces[usize::from(number)].shape;
            if !shape.is_farther_than(reach, domain, path.position) {
                look(number);
            }
        }
    }
}

/// Calls `look` for each plane of which an image is within `span`, and perhaps for others.
#[inline]
fn planes_within(
    planes: &[(f64, u16)],
    [low, high]: [f64; 2],
    period: Option<f64>,
    is_near: bool,
    look: &mut impl FnMut(u16),
) {
    let (Some(&(first, _)), Some(&(last, _))) = (planes.first(), planes.last()) else { return };
    // What is not a number is not less, either.
    let is_part = high - low < period.unwrap_or(f64::INFINITY);
    if !(is_part && is_near) {
        return planes.iter().for_each(|&(_, number)| look(number));
    }
    let mut from = |low: f64, high: f64| {
        let start = planes.partition_point(|&(at, _)| at < low);
        let within = planes[start..].iter().take_while(|&&(at, _)| at <= high);
        within.for_each(|&(_, number)| look(number));
    };
    from(low, high);
    let Some(period) = period else { return };
    let (mut below, mut above) = (high - period, low + period);
    while below >= first {
        from(below - (high - low), below);
        below -= period;
    }
    while above <= last {
        from(above, above + (high - low));
        above += period;
    }
}

impl<const D: usize> Environment<D> {
    /// What a particle of `species` on a path meets first before `end`, and when. Of two met
    /// at once, the one that stands first in [`Wall`].
    #[inline]
    pub fn first_wall(
        &self,
        domain: &Domain<D>,
        species: u16,
        path: &Path<D>,
        end: f64,
    ) -> Option<(f64, Wall)> {
        let mut first = wall_contact(domain, path, end).map(|met| (met.time, Wall::Face(met.face)));
        let Some(obstacles) = self.obstacles.get(usize::from(species)) else { return first };
        let mut take = |time: f64, wall: Wall| {
            let is_earlier =
                |so_far: (f64, Wall)| time < so_far.0 || (time == so_far.0 && wall < so_far.1);
            if first.is_none_or(is_earlier) {
                first = Some((time, wall));
            }
        };
        // No species comes nearer to any surface.
        let margin = path.radius.max(Self::skin(domain));
        obstacles.within_reach(&self.surfaces, domain, (path, margin, end), |surface| {
            if let Some(met) = self.meeting(domain, species, surface, path, end) {
                take(met.time, Wall::Surface(surface));
            }
        });
        if let Some(time) = self.anchor(species).and_then(|anchor| anchor.turns_at(domain, path)) {
            take(time, Wall::Turn);
        }
        first
    }

    /// How a particle of `species` on a path meets a surface before `end`, if it does and
    /// interacts.
    pub fn meeting(
        &self,
        domain: &Domain<D>,
        species: u16,
        surface: u16,
        path: &Path<D>,
        end: f64,
    ) -> Option<SurfaceMeeting<D>> {
        let manner = self.manner(species, surface);
        if manner == Manner::Ignore {
            return None;
        }
        let margin = Self::margin(domain, manner, path.radius);
        self.surfaces[surface as usize].shape.met_by(domain, path, margin, end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::environment::Permeability;
    use crate::narrow::{Ends, Rod};
    use crate::random::{Purpose, Random};
    use crate::space::Vector;

    /// What a path meets first, found by looking at every surface.
    fn first_of_all<const D: usize>(
        environment: &Environment<D>,
        domain: &Domain<D>,
        species: u16,
        path: &Path<D>,
    ) -> Option<(f64, Wall)> {
        let surfaces = (0..environment.surfaces().len() as u16).filter_map(|n| {
            Some((environment.meeting(domain, species, n, path, 1.0)?.time, Wall::Surface(n)))
        });
        let face = wall_contact(domain, path, 1.0).map(|met| (met.time, Wall::Face(met.face)));
        surfaces.chain(face).reduce(|a, b| if b.0 < a.0 { b } else { a })
    }

    /// 20 000 paths of all lengths among surfaces of all shapes; how many of them meet one.
    fn those_within_reach_are_enough<const D: usize>(periodic: [bool; D]) {
        let domain = Domain::new(std::array::from_fn(|k| 20.0 + k as f64), periodic);
        let random = Random::new(9);
        let middle = Vector::from_fn(|k| 0.5 * domain.edges()[k]);
        let mut shapes = vec![
            Shape::Ball { centre: middle, radius: 7.0 },
            Shape::Ball { centre: middle * 0.3, radius: 2.0 },
        ];
        // Two at one place, two on the same point of a periodic axis, and one alone on its axis.
        for at in [3.0, 8.0, 8.0, 17.5, 0.0, domain.edges()[0]] {
            shapes.push(Shape::Plane { axis: 0, at });
        }
        shapes.push(Shape::Plane { axis: D - 1, at: 5.0 });
        if D > 1 {
            for (ends, radius) in [(Ends::Round, 3.0), (Ends::Flat, 4.0), (Ends::Open, 1.5)] {
                let rod = Rod { axis: 0, half: 4.0, radius, ends };
                shapes.push(Shape::Rod { centre: middle * 1.2, rod });
            }
        }
        let surfaces: Vec<_> =
            shapes.into_iter().map(|shape| Surface { name: String::new(), shape }).collect();
        let count = surfaces.len();
        let permeable = Manner::Permeate(Permeability::both_ways(1.0));
        let every_third =
            |n: usize| if n.is_multiple_of(3) { Manner::Ignore } else { Manner::Reflect };
        let manners = vec![
            vec![Manner::Reflect; count],
            vec![permeable; count],
            (0..count).map(every_third).collect(),
        ];
        let environment = Environment::new(surfaces, manners, vec![None; 3]);
        let mut met = 0;
        for case in 0..20_000 {
            let draw = |k: u64| random.uniform(Purpose::Placement, [case, k, 0, 0]);
            let far = [0.2, 3.0, 60.0][(3.0 * draw(0)) as usize];
            // Some begin outside of the box, as in mid-step.
            let position =
                Vector::from_fn(|k| domain.edges()[k] * (1.4 * draw(1 + k as u64) - 0.2));
            let velocity = Vector::from_fn(|k| far * (draw(4 + k as u64) - 0.5));
            let since = if draw(7) < 0.5 { 0.0 } else { draw(8) };
            let path = Path { position, velocity, since, radius: 2.0 * draw(9) };
            let species = (case % 3) as u16;
            let found = environment.first_wall(&domain, species, &path, 1.0);
            let bits = |(time, wall): (f64, Wall)| (time.to_bits(), wall);
            let expected = first_of_all(&environment, &domain, species, &path);
            assert_eq!(found.map(bits), expected.map(bits), "case {case}");
            met += usize::from(found.is_some_and(|(_, wall)| matches!(wall, Wall::Surface(_))));
        }
        assert!((4_000..19_000).contains(&met), "{met}");
    }

    #[test]
    fn what_is_come_upon_first_is_within_reach() {
        those_within_reach_are_enough([true]);
        those_within_reach_are_enough([false]);
        those_within_reach_are_enough([true, false]);
        those_within_reach_are_enough([true; 2]);
        those_within_reach_are_enough([true; 3]);
        those_within_reach_are_enough([false, true, false]);
    }

    #[test]
    fn of_a_row_of_planes_few_are_looked_at() {
        let surfaces: Vec<_> = (0..50)
            .map(|n| Surface {
                name: String::new(),
                shape: Shape::Plane { axis: 0, at: 2.0 * f64::from(n) },
            })
            .collect();
        let obstacles = Obstacles::<2>::of(&surfaces, &[Manner::Reflect; 50]);
        let domain = Domain::new([100.0; 2], [true; 2]);
        let looked_at = |x: f64, v: f64| {
            let path = Path {
                position: Vector([x, 5.0]),
                velocity: Vector([v, 1.0]),
                since: 0.0,
                radius: 0.5,
            };
            let mut numbers = Vec::new();
            obstacles.within_reach(&surfaces, &domain, (&path, 0.5, 1.0), |n| numbers.push(n));
            numbers
        };
        assert_eq!(looked_at(11.0, 0.3), []);
        assert_eq!(looked_at(11.0, 0.6), [6]);
        assert_eq!(looked_at(11.0, -4.0), [4, 5]);
        assert_eq!(looked_at(99.0, 0.6), [0]);
        assert_eq!(looked_at(0.2, -1.0), [0]);
        assert_eq!(looked_at(0.2, -3.0), [0, 49]);
        assert_eq!(looked_at(f64::NAN, 0.3).len(), 50);
        assert_eq!(looked_at(11.0, 300.0).len(), 50);
    }
}
