//! The law of bounces: a smooth potential without shells.
//!
//! Along their paths, the energy that a pair climbs is added up: the rises of its potential, while
//! what it descends counts for nothing. Where the sum exceeds an exponential deviate with the mean kT,
//! the pair bounces as if it touched. So a path is followed without a bounce with the probability
//! exp(−climb), and in reverse with exp(−descent); the ratio of both is exp(−ΔU), and exp(−U) is
//! preserved whatever the length of a step (a bouncy particle sampler with a factor for each pair:
//! Peters and de With 2012, Phys. Rev. E 85, 026703; Bouchard-Côté, Vollmer and Doucet 2018,
//! J. Am. Stat. Assoc. 113, 855).
//!
//! Exponential deviates have no memory, so a pair may draw a new one whenever one of its paths has
//! changed. Nothing has to be stored, and what happens is a function of the two paths. Each image of a
//! pair has its own, and so has each potential of the pair.

use super::SmoothPotential;
use crate::narrow::{FirstContact, Flyby, directed, flybys};
use crate::space::{Domain, Path};

/// A smooth potential from contact to where it is cut off. Along paths its energy is tabulated, and linear between the points of
/// the table.
#[derive(Clone, Debug, PartialEq)]
pub struct Climb {
    smooth: SmoothPotential,
    contact: f64,
    range: f64,
    parts_per_nm: f64,
    /// At the ends of the parts: what a pair has climbed there on its way in from beyond the cut-off, and on
    /// its way out from contact. What the cut leaves is climbed on entering, or on leaving. \[kT\]
    climbed: Vec<[f64; 2]>,
    /// What is climbed on leaving. \[kT\]
    on_leaving: f64,
}

/// Parts of the way from contact to the cut-off. With as many, the lines are within 5e-5 of a Lennard-Jones potential
/// with a depth of 1 kT that is cut off at 2.5 diameters wherever it is below 0 kT, and its second virial coefficient
/// changes by 5e-6 of itself; and they fit into the innermost cache. The energy and its inverse without tables took a
/// quarter of the time of a step.
const PARTS: usize = 2048;

/// The ways in and out, as indices.
const IN: usize = 0;
const OUT: usize = 1;

/// A bounce of a pair, in the middle of nothing.
#[derive(Clone, Copy, Debug)]
pub struct Bounce<const D: usize> {
    /// When and where.
    pub met: FirstContact<D>,
    /// Whether the two were moving apart.
    pub outwards: bool,
}

/// A part of the way of two that fly by each other, on which one of them only comes nearer to a sphere around
/// the other, or only moves away from it. It may have no length.
#[derive(Clone, Copy, Debug)]
struct Leg {
    /// Distances from the sphere at both ends. \[nm\]
    from: f64,
    to: f64,
    /// Whether it moves away.
    parts: bool,
    /// The radius of the sphere, and 1 outside of it or -1 inside.
    sphere: (f64, f64),
    /// Whether it moves away from the centre.
    outwards: bool,
}

impl Leg {
    /// Of two that are nearest to each other at `turn`, with the distance `nearest` of their centres.
    #[inline]
    fn of_pair<const D: usize>(flyby: &Flyby<D>, [turn, nearest]: [f64; 2]) -> [Self; 2] {
        // Nothing is calculated twice where the two only part, or only come nearer.
        let at = |time: f64| if time == turn { nearest } else { flyby.distance_at(time) };
        let leg =
            |from, to, outwards| Self { from, to, parts: outwards, sphere: (0.0, 1.0), outwards };
        [leg(at(0.0), nearest, false), leg(nearest, at(flyby.lasts), true)]
    }

    /// Beside a sphere with this radius around one of the two; one of radius 0 is its centre. Where the way goes
    /// through the sphere, it comes nearer on the one side and moves away on the other.
    fn beside<const D: usize>(flyby: &Flyby<D>, radius: f64) -> [Self; 4] {
        let turn = flyby.nearest_at();
        let legs = Self::of_pair(flyby, [turn, flyby.distance_at(turn)]);
        let beyond = |leg: Self| Self {
            from: leg.from.max(radius) - radius,
            to: leg.to.max(radius) - radius,
            sphere: (radius, 1.0),
            ..leg
        };
        let within = |leg: Self| Self {
            from: radius - leg.from.min(radius),
            to: radius - leg.to.min(radius),
            parts: !leg.parts,
            sphere: (radius, -1.0),
            ..leg
        };
        [beyond(legs[0]), within(legs[0]), within(legs[1]), beyond(legs[1])]
    }

    /// When it is at this distance from the sphere, counted from the start.
    #[inline]
    fn comes_to<const D: usize>(&self, flyby: &Flyby<D>, distance: f64) -> f64 {
        let (radius, side) = self.sphere;
        flyby.comes_to(radius + side * distance, self.outwards)
    }
}

/// At the cut-off, a pair is so many roundings of the box from it at most.
const ROUNDINGS: f64 = 8.0;

impl Climb {
    /// For particles that touch at `contact`, up to `cutoff`. \[nm\]
    pub fn new(smooth: SmoothPotential, contact: f64, cutoff: f64) -> Self {
        let width = (cutoff - contact) / PARTS as f64;
        let energies: Vec<f64> =
            (0..=PARTS).map(|n| smooth.energy(contact + width * n as f64)).collect();
        let cut = energies[PARTS];
        let mut climbed = vec![[0.0; 2]; PARTS + 1];
        climbed[PARTS][IN] = cut.max(0.0);
        for n in (0..PARTS).rev() {
            climbed[n][IN] = climbed[n + 1][IN] + (energies[n] - energies[n + 1]).max(0.0);
        }
        for n in 0..PARTS {
            climbed[n + 1][OUT] = climbed[n][OUT] + (energies[n + 1] - energies[n]).max(0.0);
        }
        let parts_per_nm = 1.0 / width;
        Self { smooth, contact, range: cutoff, parts_per_nm, climbed, on_leaving: (-cut).max(0.0) }
    }

    /// Beyond this distance there is no energy. \[nm\]
    #[inline]
    pub fn range(&self) -> f64 {
        self.range
    }

    /// The energy at a distance; nearer than contact, that at contact. \[kT\]
    pub fn energy(&self, r: f64) -> f64 {
        if r >= self.range { 0.0 } else { self.smooth.energy(r.max(self.contact)) }
    }

    /// How steep it is there: the size of the slope. \[kT/nm\]
    pub fn slope(&self, r: f64) -> f64 {
        let h = 1e-6 * r;
        if r + h >= self.range {
            return 0.0;
        }
        (self.smooth.energy(r + h) - self.smooth.energy(r)).abs() / h
    }

    /// By which share a pair whose distance changes by `step` in a step, rms, drifts and diffuses more
    /// slowly than it should: the mean over all places within the range, weighted with exp(−U).
    pub fn slower(&self, step: f64, dimension: usize) -> f64 {
        // 4/(3 √(2π)): of steps v > 0 up a slope f, a share f v bounces, which takes 2/3 off its square
        // on average.
        const FACTOR: f64 = 0.532;
        const INTERVALS: usize = 2000;
        let width = (self.range - self.contact) / INTERVALS as f64;
        let (mut slope, mut weight) = (0.0, 0.0);
        for n in 0..INTERVALS {
            let r = self.contact + width * (n as f64 + 0.5);
            let share = libm::pow(r, dimension as f64 - 1.0) * libm::exp(-self.energy(r));
            slope += share * self.slope(r);
            weight += share;
        }
        if weight > 0.0 { FACTOR * step * slope / weight } else { 0.0 }
    }

    /// What has been climbed at a distance within the range on the way in or out. \[kT\]
    #[inline]
    fn at(&self, r: f64, way: usize) -> f64 {
        let place = ((r - self.contact) * self.parts_per_nm).clamp(0.0, PARTS as f64);
        let n = (place as usize).min(PARTS - 1);
        let [near, far] = [self.climbed[n][way], self.climbed[n + 1][way]];
        near + (far - near) * (place - n as f64)
    }

    /// What has been climbed at the start and at the end of a leg. Right at the cut-off, a particle is on the side
    /// that it moves to. \[kT\]
    #[inline]
    fn along(&self, leg: &Leg, slack: f64) -> [f64; 2] {
        let Leg { from, to, parts, .. } = *leg;
        if parts {
            if from >= self.range - slack {
                return [0.0; 2];
            }
            let all = self.climbed[PARTS][OUT] + self.on_leaving;
            [self.at(from, OUT), if to < self.range { self.at(to, OUT) } else { all }]
        } else if from > self.range + slack {
            [0.0, if to < self.range { self.at(to, IN) } else { 0.0 }]
        } else {
            [self.at(from, IN), self.at(to, IN)]
        }
    }

    /// Where this much has been climbed on a leg on which it is. \[nm\]
    fn place(&self, target: f64, leg: &Leg) -> f64 {
        let way = if leg.parts { OUT } else { IN };
        let is_before = |climbed: &[f64; 2]| match leg.parts {
            true => climbed[OUT] < target,
            false => climbed[IN] >= target,
        };
        // The whole of a part is on one side of it, or it is within the part.
        let ends = [leg.from, leg.to].map(|r| (r - self.contact) * self.parts_per_nm);
        let first = (ends[0].min(ends[1]) as usize).min(PARTS);
        let last = (ends[0].max(ends[1]) as usize).min(PARTS - 1) + 1;
        let after = first + self.climbed[first..=last].partition_point(is_before);
        if after > PARTS {
            return self.range;
        }
        let before = after.saturating_sub(1);
        let [near, far] = [self.climbed[before][way], self.climbed[after][way]];
        let share = if near == far { 0.0 } else { (target - near) / (far - near) };
        let r = self.contact + (before as f64 + share) / self.parts_per_nm;
        let [near, far] = [leg.from.min(leg.to), leg.from.max(leg.to)].map(|r| r.min(self.range));
        r.clamp(near, far)
    }

    /// When all that a pair may climb has been climbed on these legs, if it is, and whether the two were moving apart.
    /// `uniform` draws a number in [0, 1), if there is anything to climb.
    #[inline]
    fn bounce<const D: usize>(
        &self,
        legs: &[Leg],
        flyby: &Flyby<D>,
        slack: f64,
        uniform: impl FnOnce() -> f64,
    ) -> Option<(f64, bool)> {
        let rise = |leg: &Leg| {
            let [start, end] = self.along(leg, slack);
            (end - start).max(0.0)
        };
        let all: f64 = legs.iter().map(rise).sum();
        if all <= 0.0 {
            return None;
        }
        let drawn = uniform();
        // An exponential deviate is −ln(1 − u), which is u at least. Most pairs may climb more than they can.
        if drawn >= all {
            return None;
        }
        self.bounce_after(-libm::log1p(-drawn), legs, flyby, slack)
    }

    /// The same for a pair that may climb `left`. \[kT\]
    fn bounce_after<const D: usize>(
        &self,
        mut left: f64,
        legs: &[Leg],
        flyby: &Flyby<D>,
        slack: f64,
    ) -> Option<(f64, bool)> {
        legs.iter().find_map(|leg| {
            let [start, end] = self.along(leg, slack);
            if end - start > left {
                let place = self.place(start + left, leg);
                return Some((leg.comes_to(flyby, place), leg.parts));
            }
            left -= (end - start).max(0.0);
            None
        })
    }

    /// When a particle that flies by the centre of a sphere of this radius, which stays where it is, has climbed
    /// as much as it may, the potential being one of the distance from the sphere. \[window time\]
    pub fn bounce_beside<const D: usize>(
        &self,
        radius: f64,
        flyby: &Flyby<D>,
        rounding: f64,
        uniform: impl FnOnce() -> f64,
    ) -> Option<f64> {
        let legs = Leg::beside(flyby, radius);
        let (time, _) = self.bounce(&legs, flyby, ROUNDINGS * rounding, uniform)?;
        Some(flyby.origin + time)
    }
}

/// When two particles on these paths, the one with the lower identity first, bounce because of one of
/// these potentials, before `end`: of all images, whichever is first. `draws` makes what draws, for one
/// image, a number in [0, 1) for each potential by which there is something to climb.
#[inline]
pub fn next_bounce<'a, const D: usize, Draw: FnMut() -> f64>(
    domain: &Domain<D>,
    [a, b]: [&Path<D>; 2],
    climbs: impl Iterator<Item = &'a Climb> + Clone,
    end: f64,
    draws: impl Fn([i64; D]) -> Draw,
) -> Option<Bounce<D>> {
    let range = climbs.clone().map(Climb::range).fold(0.0, f64::max);
    let slack = ROUNDINGS * domain.rounding();
    let mut first: Option<Bounce<D>> = None;
    flybys(domain, a, b, range, end, |flyby| {
        let turn = flyby.nearest_at();
        let squared = flyby.squared_at(turn);
        if squared >= range * range {
            return;
        }
        let legs = Leg::of_pair(flyby, [turn, squared.sqrt()]);
        let mut draw = None;
        for climb in climbs.clone() {
            let uniform = || draw.get_or_insert_with(|| draws(flyby.image))();
            let Some((time, outwards)) = climb.bounce(&legs, flyby, slack, uniform) else {
                continue;
            };
            if first.is_none_or(|first| flyby.origin + time < first.met.time) {
                let separation = directed(flyby.separation + flyby.approach * time, flyby.approach);
                let met = FirstContact { time: flyby.origin + time, separation };
                first = Some(Bounce { met, outwards });
            }
        }
    });
    first
}

#[cfg(test)]
mod tests {
    use super::super::{EnergyShape, FORMS};
    use super::*;
    use crate::space::Vector;

    /// How far the lines are from a potential, where it is a few kT. \[kT\]
    const LINES: f64 = 5e-4;

    fn climb(name: &str, given: &[f64]) -> Climb {
        let form = FORMS.iter().find(|form| form.name == name).unwrap();
        let mut given: Vec<_> = given.iter().copied().map(Some).collect();
        given.resize(form.parameters.len(), None);
        Climb::new(EnergyShape::Form(form, given).from_contact(2.0), 2.0, 6.0)
    }

    /// What is drawn by a pair that may climb so much.
    fn drawn(left: f64) -> f64 {
        -libm::expm1(-left)
    }

    /// When two in line, `apart` from each other, bounce, the second moving with `velocity`.
    fn in_line(climb: &Climb, apart: f64, velocity: f64, left: f64) -> Option<(f64, bool)> {
        let domain = Domain::new([30.0; 2], [true; 2]);
        let path = |x: f64, velocity: f64| Path {
            position: Vector([x, 1.0]),
            velocity: Vector([velocity, 0.0]),
            since: 0.0,
            radius: 1.0,
        };
        let (one, other) = (path(29.0, 0.0), path(29.0 + apart, velocity));
        let climbs = std::iter::once(climb);
        let bounce = next_bounce(&domain, [&one, &other], climbs, 1.0, |_| move || drawn(left))?;
        Some((bounce.met.time, bounce.outwards))
    }

    /// Flybys of all kinds, by potentials with turns and cuts, beside what many small rises of the energy add up to.
    #[test]
    fn a_pair_bounces_where_its_rises_add_up_to_what_it_may_climb() {
        const SHORT: usize = 4000;
        let random = crate::random::Random::new(5);
        let mut bounces = 0;
        for (kind, climb) in [
            climb("yukawa", &[3.0, 2.0]),
            climb("yukawa", &[-3.0, 1.0]),
            climb("morse", &[2.0, 0.5, 4.0]),
            climb("lennard_jones", &[1.0, 2.2]),
        ]
        .iter()
        .enumerate()
        {
            for case in 0..300 {
                let draw = |k: u64| {
                    let key = [kind as u64, case, k, 0];
                    random.uniform(crate::random::Purpose::Placement, key)
                };
                let flyby = Flyby {
                    origin: 0.0,
                    lasts: 0.2 + draw(0),
                    image: [0; 2],
                    separation: Vector([2.0 + 6.0 * draw(1), 0.0]),
                    approach: Vector([8.0 * draw(2) - 6.0, 2.0 * draw(3)]),
                };
                if flyby.distance_at(flyby.nearest_at()) < 2.0 {
                    continue;
                }
                let left = -0.5 * libm::log(1.0 - draw(4));
                let energy = |n: usize| {
                    climb.energy(flyby.distance_at(flyby.lasts * n as f64 / SHORT as f64))
                };
                let climbed = |until: usize| {
                    (0..until).map(|n| (energy(n + 1) - energy(n)).max(0.0)).sum::<f64>()
                };
                let turn = flyby.nearest_at();
                let legs = Leg::of_pair(&flyby, [turn, flyby.distance_at(turn)]);
                match climb.bounce(&legs, &flyby, 1e-13, || drawn(left)) {
                    Some((time, _)) => {
                        bounces += 1;
                        let after = (time / flyby.lasts * SHORT as f64).ceil() as usize;
                        let [before, after] = [after.saturating_sub(2), after + 1].map(climbed);
                        assert!(
                            before - 1e-3 < left && left < after + 1e-3,
                            "{kind} {case}: {left} within {before} to {after}"
                        );
                    }
                    None => assert!(climbed(SHORT) < left + 1e-3, "{kind} {case}"),
                }
            }
        }
        assert!(bounces > 150, "{bounces}");
    }

    /// Past each other within one path, down into the well and up again.
    #[test]
    fn a_pair_that_flies_by_bounces_on_its_way_out() {
        let well = climb("morse", &[2.0, 0.5, 3.0]);
        let domain = Domain::new([40.0; 2], [true; 2]);
        let path = |place: [f64; 2], velocity: f64| Path {
            position: Vector(place),
            velocity: Vector([velocity, 0.0]),
            since: 0.0,
            radius: 1.0,
        };
        let (one, other) = (path([20.0, 20.0], 0.0), path([15.0, 23.0], 12.0));
        for left in [0.1, 0.5, 1.9] {
            let climbs = std::iter::once(&well);
            let bounce = next_bounce(&domain, [&one, &other], climbs, 1.0, |_| move || drawn(left));
            let Bounce { met, outwards } = bounce.unwrap();
            let apart = (other.at(met.time) - one.position).norm();
            assert!(outwards && met.time > 5.0 / 12.0, "{left} {}", met.time);
            assert!((well.energy(apart) + 2.0 - left).abs() < LINES, "{left} {apart}");
        }
    }

    #[test]
    fn a_pair_bounces_where_it_has_climbed_what_it_may() {
        let well = climb("morse", &[2.0, 0.5, 4.0]);
        // In and out again: up the inner side, but not the outer one.
        for left in [0.3, 1.5, 5.0, 30.0] {
            let (time, outwards) = in_line(&well, 4.0, -1.9, left).unwrap_or((1.0, false));
            let climbed = well.energy(4.0 - 1.9 * time) + 2.0;
            assert!(!outwards && (climbed - left.min(climbed)).abs() < LINES, "{time} {climbed}");
        }
        let (time, outwards) = in_line(&well, 4.0, 1.5, 1.0).unwrap();
        assert!(outwards && (well.energy(4.0 + 1.5 * time) + 1.0).abs() < LINES);
        assert_eq!(in_line(&well, 5.5, -1.0, 0.001), None, "it only descends");
        assert_eq!(in_line(&well, 4.0, 0.0, 0.001), None, "it rests");
    }

    /// A cut leaves a step, which is climbed in one direction only, and at which a pair is on the side
    /// that it moves to.
    #[test]
    fn what_a_cut_leaves_is_climbed_at_the_cut() {
        let repels = climb("yukawa", &[3.0, 2.0]);
        let jump = repels.smooth.energy(6.0);
        assert_eq!(in_line(&repels, 8.0, -4.0, 0.5 * jump), Some((0.5, false)));
        let (time, _) = in_line(&repels, 8.0, -4.0, 1.5 * jump).unwrap();
        assert!(time > 0.5 && (repels.energy(8.0 - 4.0 * time) - 1.5 * jump).abs() < LINES);
        for off in [0.0, 1e-15, -1e-15] {
            assert_eq!(in_line(&repels, 6.0 + off, 1.0, 1e-9), None);
        }
        let attracts = climb("yukawa", &[-3.0, 2.0]);
        assert_eq!(in_line(&attracts, 6.0, -1.0, 1e-9), None);
        let step = attracts.smooth.energy(5.0) - attracts.smooth.energy(6.0);
        assert_eq!(in_line(&attracts, 5.0, 4.0, -step + 0.5 * jump), Some((0.25, true)));
        assert_eq!(in_line(&attracts, 5.0, 4.0, -step + 1.5 * jump), None);
    }

    /// A flight past one image to the next: each may climb as much.
    #[test]
    fn each_image_has_a_climb_of_its_own() {
        let repels = climb("gaussian", &[2.0, 1.0, 0.0]);
        let domain = Domain::new([30.0; 2], [true; 2]);
        let path = |y: f64, velocity: f64| Path {
            position: Vector([1.0, y]),
            velocity: Vector([velocity, 0.0]),
            since: 0.25,
            radius: 1.0,
        };
        let (one, other) = (path(1.0, 0.0), path(4.0, 120.0));
        let images = std::cell::RefCell::new(Vec::new());
        let climbs = std::iter::once(&repels);
        let bounce = next_bounce(&domain, [&one, &other], climbs, 1.0, |image| {
            images.borrow_mut().push(image);
            move || drawn(if image == [-2, 0] { 0.01 } else { 9.0 })
        });
        // It only descends from the one that is nearest at the start.
        assert_eq!(*images.borrow(), [[-3, 0], [-2, 0], [-1, 0]]);
        let met = bounce.unwrap().met;
        assert!(met.time > 0.25 + 54.0 / 120.0 && met.time < 0.25 + 0.5);
    }
}
