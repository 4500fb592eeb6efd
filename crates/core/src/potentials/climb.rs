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

/// A smooth potential from contact to where it is cut off.
#[derive(Clone, Debug, PartialEq)]
pub struct Climb {
    smooth: SmoothPotential,
    /// From contact to the cut-off; between two of these the energy only rises, or only falls. \[nm\]
    ends: Vec<f64>,
    /// There; the last is that just inside of the cut-off. \[kT\]
    energies: Vec<f64>,
    /// At the ends of [`PARTS`] equal parts of the squared distance from contact to the cut-off: what a pair
    /// climbs on its way in from farther away, and on its way out from contact. \[kT\]
    climbed: Vec<[f64; 2]>,
    /// \[1/nm²\]
    parts: f64,
}

/// Parts of the way from contact to the cut-off for which it is known how much a pair climbs.
const PARTS: usize = 512;

/// Roundings of what is climbed are less than this, absolutely and in parts of all that can be climbed.
const SLACK: [f64; 2] = [1e-9, 1e-12];

/// A bounce of a pair, in the middle of nothing.
#[derive(Clone, Copy, Debug)]
pub struct Bounce<const D: usize> {
    /// When and where.
    pub met: FirstContact<D>,
    /// Whether the two were moving apart.
    pub outwards: bool,
}

/// A part of the way of two that fly by each other, on which one of them only comes nearer to a sphere around
/// the other, or only moves away from it.
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
    /// The legs of a flyby in their order; a sphere of radius 0 is its centre.
    #[inline]
    fn of<const D: usize>(flyby: &Flyby<D>, radius: f64) -> [Option<Self>; 4] {
        let turn = flyby.nearest_at();
        let nearest = flyby.distance_at(turn);
        let way_in = (turn > 0.0).then(|| [flyby.distance_at(0.0), nearest]);
        let way_out = (turn < flyby.lasts).then(|| [nearest, flyby.distance_at(flyby.lasts)]);
        let leg = |[from, to]: [f64; 2], side: f64, outwards: bool| Self {
            from: (from - radius).abs(),
            to: (to - radius).abs(),
            parts: outwards == (side > 0.0),
            sphere: (radius, side),
            outwards,
        };
        // Where it goes through the sphere, it comes nearer on the one side and moves away on the other.
        let beyond = |way: Option<[f64; 2]>, outwards: bool| {
            let way = way.filter(|[from, to]| from.max(*to) > radius || radius == 0.0)?;
            Some(leg(way.map(|at| at.max(radius)), 1.0, outwards))
        };
        let within = |way: Option<[f64; 2]>, outwards: bool| {
            let way = way.filter(|[from, to]| from.min(*to) < radius)?;
            Some(leg(way.map(|at| at.min(radius)), -1.0, outwards))
        };
        [beyond(way_in, false), within(way_in, false), within(way_out, true), beyond(way_out, true)]
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
        let mut ends = smooth.turns();
        ends.retain(|turn| contact < *turn && *turn < cutoff);
        ends.extend([contact, cutoff]);
        ends.sort_unstable_by(f64::total_cmp);
        ends.dedup();
        let energies = ends.iter().map(|r| smooth.energy(*r)).collect();
        let mut this = Self { smooth, ends, energies, climbed: Vec::new(), parts: 0.0 };
        this.measure();
        this
    }

    /// Works out how much is climbed on the way.
    fn measure(&mut self) {
        let (contact, range) = (self.ends[0], self.range());
        let width = (range * range - contact * contact) / PARTS as f64;
        let node = |n: usize| (contact * contact + width * n as f64).sqrt();
        let rise =
            |from: f64, to: f64| (self.smooth.energy(to) - self.smooth.energy(from)).max(0.0);
        let mut climbed = vec![[0.0; 2]; PARTS + 1];
        for n in 0..PARTS {
            // Between turns, the energy only rises or only falls.
            let [from, to] = [node(n), node(n + 1)];
            let turns = self.ends.iter().copied().filter(|turn| from < *turn && *turn < to);
            let way: Vec<f64> = std::iter::once(from).chain(turns).chain([to]).collect();
            climbed[n][0] = way.windows(2).map(|two| rise(two[1], two[0])).sum();
            let out: f64 = way.windows(2).map(|two| rise(two[0], two[1])).sum();
            climbed[n + 1][1] = climbed[n][1] + out;
        }
        // What the cut leaves is climbed on entering, or on leaving.
        let cut = self.energies[self.energies.len() - 1];
        climbed[PARTS][0] = cut.max(0.0);
        (0..PARTS).rev().for_each(|n| climbed[n][0] += climbed[n + 1][0]);
        climbed[PARTS][1] += (-cut).max(0.0);
        (self.climbed, self.parts) = (climbed, 1.0 / width);
    }

    /// At least as much as a pair climbs that flies by; nothing if it descends all the way. \[kT\]
    #[inline]
    fn most<const D: usize>(&self, flyby: &Flyby<D>) -> f64 {
        let turn = flyby.nearest_at();
        let part = |time: f64| {
            let squared = (flyby.separation + flyby.approach * time).norm_squared();
            (squared - self.ends[0] * self.ends[0]) * self.parts
        };
        // Rounded to the ends of parts between which there is more to be climbed.
        let nearer = |part: f64| ((part * (1.0 - 1e-9)) as usize).min(PARTS);
        let farther = |part: f64| ((part * (1.0 + 1e-9)).ceil() as usize).min(PARTS);
        let nearest = nearer(part(turn));
        let mut most = 0.0;
        if turn > 0.0 {
            // From the cut-off, or from beyond, the cut itself may have to be climbed.
            let from = match farther(part(0.0)) {
                PARTS => 0.0,
                from => self.climbed[from][0],
            };
            most += self.climbed[nearest][0] - from;
        }
        if turn < flyby.lasts {
            most += self.climbed[farther(part(flyby.lasts))][1] - self.climbed[nearest][1];
        }
        let all = self.climbed[0][0] + self.climbed[PARTS][1];
        if most > 0.0 { most + SLACK[0] + SLACK[1] * all } else { 0.0 }
    }

    /// Beyond this distance there is no energy. \[nm\]
    #[inline]
    pub fn range(&self) -> f64 {
        self.ends.last().copied().unwrap_or(0.0)
    }

    /// The energy at a distance; nearer than contact, that at contact. \[kT\]
    pub fn energy(&self, r: f64) -> f64 {
        if r >= self.range() { 0.0 } else { self.smooth.energy(r.max(self.ends[0])) }
    }

    /// How steep it is there: the size of the slope. \[kT/nm\]
    pub fn slope(&self, r: f64) -> f64 {
        let h = 1e-6 * r;
        if r + h >= self.range() {
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
        let width = (self.range() - self.ends[0]) / INTERVALS as f64;
        let (mut slope, mut weight) = (0.0, 0.0);
        for n in 0..INTERVALS {
            let r = self.ends[0] + width * (n as f64 + 0.5);
            let share = libm::pow(r, dimension as f64 - 1.0) * libm::exp(-self.energy(r));
            slope += share * self.slope(r);
            weight += share;
        }
        if weight > 0.0 { FACTOR * step * slope / weight } else { 0.0 }
    }

    /// When a pair that flies by bounces that may climb `left`, and whether it does so outwards; counted
    /// from the start.
    fn bounce<const D: usize>(
        &self,
        flyby: &Flyby<D>,
        slack: f64,
        mut left: f64,
    ) -> Option<(f64, bool)> {
        self.over(Leg::of(flyby, 0.0), flyby, slack, &mut left)
    }

    /// When a particle that flies by the centre of a sphere of this radius, which stays where it is, has climbed
    /// as much as it may, the potential being one of the distance from the sphere. \[window time\]
    pub fn bounce_beside<const D: usize>(
        &self,
        radius: f64,
        flyby: &Flyby<D>,
        rounding: f64,
        deviate: impl FnOnce() -> f64,
    ) -> Option<f64> {
        let legs = Leg::of(flyby, radius);
        // No number is drawn for a particle that does not come near.
        let is_near = |leg: &Leg| leg.from.min(leg.to) < self.range();
        if !legs.iter().flatten().any(is_near) {
            return None;
        }
        let (time, _) = self.over(legs, flyby, ROUNDINGS * rounding, &mut deviate())?;
        Some(flyby.origin + time)
    }

    /// When all that is left has been climbed on these legs, if it is, and whether the two were moving apart.
    #[inline]
    fn over<const D: usize>(
        &self,
        legs: [Option<Leg>; 4],
        flyby: &Flyby<D>,
        mut slack: f64,
        left: &mut f64,
    ) -> Option<(f64, bool)> {
        legs.iter().flatten().find_map(|leg| {
            // Only where a path begins, rounding decides where it is.
            let bounce = self.along(leg, std::mem::take(&mut slack), left)?;
            Some((leg.comes_to(flyby, bounce), leg.parts))
        })
    }

    /// At which distance all that is left has been climbed on a leg, if it is.
    fn along(&self, leg: &Leg, slack: f64, left: &mut f64) -> Option<f64> {
        let range = self.range();
        let Leg { from, to, parts, .. } = *leg;
        // Right at the cut-off, a particle is on the side that it moves to.
        let is_inside = match (from - range).abs() <= slack {
            true => !parts,
            false => from < range,
        };
        match parts {
            true => {
                if is_inside {
                    self.outwards(from, to, left)
                } else {
                    None
                }
            }
            false if !is_inside && to >= range => None,
            false => self.inwards(from.min(range), to, !is_inside, left),
        }
    }

    /// Where a pair has climbed all that is left on its way in.
    fn inwards(&self, from: f64, to: f64, enters: bool, left: &mut f64) -> Option<f64> {
        let last = self.ends.len() - 1;
        if enters && exceeds(self.energies[last], left) {
            return Some(self.range());
        }
        (0..last).rev().find_map(|n| {
            let ends = [self.ends[n + 1].min(from), self.ends[n].max(to)];
            if ends[0] > ends[1] { self.piece(n, ends, left) } else { None }
        })
    }

    /// The same on its way out.
    fn outwards(&self, from: f64, to: f64, left: &mut f64) -> Option<f64> {
        let last = self.ends.len() - 1;
        let within = (0..last).find_map(|n| {
            let ends = [self.ends[n].max(from), self.ends[n + 1].min(to)];
            if ends[0] < ends[1] { self.piece(n, ends, left) } else { None }
        });
        within.or_else(|| {
            (to >= self.range() && exceeds(-self.energies[last], left)).then(|| self.range())
        })
    }

    /// Where on its way from one distance to another, between two ends, it has climbed what is left.
    fn piece(&self, n: usize, [from, to]: [f64; 2], left: &mut f64) -> Option<f64> {
        // At its ends the energy is known.
        let at = |r: f64| match [n, n + 1].into_iter().find(|&n| self.ends[n] == r) {
            Some(n) => self.energies[n],
            None => self.smooth.energy(r),
        };
        let [start, end] = [at(from), at(to)];
        let target = start + *left;
        exceeds(end - start, left).then(|| self.where_it_is(target, [from, start], [to, end]))
    }

    /// Where the energy is `target`, between a distance at which it is lower and one at which it is
    /// higher: by the rule of false position, halved where one end stays (Illinois).
    fn where_it_is(&self, target: f64, mut low: [f64; 2], mut high: [f64; 2]) -> f64 {
        const MOST: usize = 100;
        let close = |low: f64, high: f64| (high - low).abs() <= 1e-12 * low.abs();
        low[1] -= target;
        high[1] -= target;
        let mut r = high[0];
        for n in 0..MOST {
            if close(low[0], high[0]) {
                break;
            }
            // Where the energy is very steep, halves of the interval get on faster.
            r = match n % 3 {
                2 => 0.5 * (low[0] + high[0]),
                _ => low[0] - low[1] * (high[0] - low[0]) / (high[1] - low[1]),
            };
            let off = self.smooth.energy(r) - target;
            if off == 0.0 {
                break;
            }
            if off < 0.0 {
                low = [r, off];
                high[1] *= 0.5;
            } else {
                high = [r, off];
                low[1] *= 0.5;
            }
        }
        r
    }
}

/// Takes a rise off what is left, or says that it is more than that.
#[inline]
fn exceeds(rise: f64, left: &mut f64) -> bool {
    if rise > *left {
        return true;
    }
    *left -= rise.max(0.0);
    false
}

/// When two particles on these paths, the one with the lower identity first, bounce because of one of
/// these potentials, before `end`: of all images, whichever is first. `deviates` makes what draws, for one
/// image, how much energy it may climb by each potential in turn.
#[inline]
pub fn next_bounce<'a, const D: usize, Draw: FnMut() -> f64>(
    domain: &Domain<D>,
    [a, b]: [&Path<D>; 2],
    climbs: impl Iterator<Item = &'a Climb> + Clone,
    end: f64,
    mut deviates: impl FnMut([i64; D]) -> Draw,
) -> Option<Bounce<D>> {
    let range = climbs.clone().map(Climb::range).fold(0.0, f64::max);
    let mut first: Option<Bounce<D>> = None;
    flybys(domain, a, b, range, end, |flyby| {
        if flyby.distance_at(flyby.nearest_at()) >= range {
            return;
        }
        // No number is drawn for the half that only descends.
        if climbs.clone().all(|climb| climb.most(flyby) <= 0.0) {
            return;
        }
        let mut deviate = deviates(flyby.image);
        let slack = ROUNDINGS * domain.rounding();
        for climb in climbs.clone() {
            let left = deviate();
            // Most pairs may climb much more than they can, which is quickly seen.
            if left > climb.most(flyby) {
                continue;
            }
            let Some((time, outwards)) = climb.bounce(flyby, slack, left) else { continue };
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

    fn climb(name: &str, given: &[f64]) -> Climb {
        let form = FORMS.iter().find(|form| form.name == name).unwrap();
        let mut given: Vec<_> = given.iter().copied().map(Some).collect();
        given.resize(form.parameters.len(), None);
        Climb::new(EnergyShape::Form(form, given).from_contact(2.0), 2.0, 6.0)
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
        let bounce = next_bounce(&domain, [&one, &other], climbs, 1.0, |_| move || left)?;
        Some((bounce.met.time, bounce.outwards))
    }

    /// Flybys of all kinds, by potentials with turns and cuts: where the quick look says that a pair does not
    /// climb as much, it does not bounce, and it seldom says too little.
    #[test]
    fn a_pair_that_bounces_is_not_passed_over() {
        let random = crate::random::Random::new(5);
        let (mut bounces, mut vain) = (0, 0);
        for (kind, climb) in [
            climb("yukawa", &[3.0, 2.0]),
            climb("yukawa", &[-3.0, 1.0]),
            climb("morse", &[2.0, 0.5, 4.0]),
            climb("lennard_jones", &[1.0, 2.2]),
        ]
        .iter()
        .enumerate()
        {
            for case in 0..4000 {
                let draw = |k: u64| {
                    let key = [kind as u64, case, k, 0];
                    random.uniform(crate::random::Purpose::Placement, key)
                };
                let flyby = Flyby {
                    origin: 0.0,
                    lasts: draw(0),
                    image: [0; 2],
                    separation: Vector([2.0 + 6.0 * draw(1), 0.0]),
                    approach: Vector([8.0 * draw(2) - 6.0, 2.0 * draw(3)]),
                };
                if flyby.distance_at(flyby.nearest_at()) < 2.0 {
                    continue;
                }
                let left = -libm::log(1.0 - draw(4));
                let bounces_here = climb.bounce(&flyby, 1e-13, left).is_some();
                assert!(!bounces_here || left <= climb.most(&flyby), "{kind} {case}");
                bounces += u32::from(bounces_here);
                vain += u32::from(!bounces_here && left <= climb.most(&flyby));
            }
        }
        assert!(bounces > 1000 && vain < bounces / 10, "{bounces} {vain}");
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
            let bounce = next_bounce(&domain, [&one, &other], climbs, 1.0, |_| move || left);
            let Bounce { met, outwards } = bounce.unwrap();
            let apart = (other.at(met.time) - one.position).norm();
            assert!(outwards && met.time > 5.0 / 12.0, "{left} {}", met.time);
            assert!((well.energy(apart) + 2.0 - left).abs() < 1e-9, "{left} {apart}");
        }
    }

    #[test]
    fn a_pair_bounces_where_it_has_climbed_what_it_may() {
        let well = climb("morse", &[2.0, 0.5, 4.0]);
        // In and out again: up the inner side, but not the outer one.
        for left in [0.3, 1.5, 5.0, 30.0] {
            let (time, outwards) = in_line(&well, 4.0, -1.9, left).unwrap_or((1.0, false));
            let climbed = well.energy(4.0 - 1.9 * time) + 2.0;
            assert!(!outwards && (climbed - left.min(climbed)).abs() < 1e-9, "{time} {climbed}");
        }
        let (time, outwards) = in_line(&well, 4.0, 1.5, 1.0).unwrap();
        assert!(outwards && (well.energy(4.0 + 1.5 * time) + 1.0).abs() < 1e-9);
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
        assert!(time > 0.5 && (repels.energy(8.0 - 4.0 * time) - 1.5 * jump).abs() < 1e-9);
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
        let mut images = Vec::new();
        let climbs = std::iter::once(&repels);
        let bounce = next_bounce(&domain, [&one, &other], climbs, 1.0, |image| {
            images.push(image);
            move || if image == [-2, 0] { 0.01 } else { 9.0 }
        });
        // It only descends from the one that is nearest at the start.
        assert_eq!(images, [[-3, 0], [-2, 0], [-1, 0]]);
        let met = bounce.unwrap().met;
        assert!(met.time > 0.25 + 54.0 / 120.0 && met.time < 0.25 + 0.5);
    }
}
