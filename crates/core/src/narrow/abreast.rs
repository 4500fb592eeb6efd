//! When one particle in flight touches each of many: some at a time, in vector lanes.

use multiversion::multiversion;

use super::{Images, flight_contact};
use crate::space::{Domain, Flight, Flights, to_whole};

/// How many are looked at together.
const LANES: usize = 8;

/// Flights side by side.
struct Abreast<const D: usize> {
    position: [[f64; LANES]; D],
    velocity: [[f64; LANES]; D],
    since: [f64; LANES],
    radius: [f64; LANES],
}

impl<const D: usize> Abreast<D> {
    fn new() -> Self {
        let (position, velocity) = ([[0.0; LANES]; D], [[0.0; LANES]; D]);
        Self { position, velocity, since: [0.0; LANES], radius: [0.0; LANES] }
    }

    #[inline(always)]
    fn put(&mut self, lane: usize, flight: &Flight<D>) {
        for k in 0..D {
            self.position[k][lane] = flight.position[k];
            self.velocity[k][lane] = flight.velocity[k];
        }
        self.since[lane] = flight.since;
        self.radius[lane] = flight.radius;
    }
}

/// Appends to `times` when particle `i` touches each of `others`: what [`flight_contact`] says, to
/// the bit.
#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq+avx512bw", "x86_64+avx2"))]
pub fn flight_contacts<const D: usize>(
    flights: &Flights<'_, D>,
    i: u32,
    others: &[u32],
    now: f64,
    images: Images,
    times: &mut Vec<f64>,
) {
    let one = &flights.all[i as usize];
    let mut lanes = Abreast::new();
    for some in others.chunks(LANES) {
        for (lane, &j) in some.iter().enumerate() {
            lanes.put(lane, &flights.all[j as usize]);
        }
        // Lanes beyond the last hold flights of earlier ones, or none. They are worked out with the
        // others, which costs nothing, and left out here.
        let (contacts, unclear) = contacts(flights, one, &lanes, now, images);
        times.extend_from_slice(&contacts[..some.len()]);
        if unclear {
            let first = times.len() - some.len();
            for (time, &j) in times[first..].iter_mut().zip(some).filter(|(time, _)| time.is_nan())
            {
                *time = flight_contact(flights, i.min(j), i.max(j), now, images);
            }
        }
    }
}

/// For each lane when it touches `one`, by the steps of [`flight_contact`], one for one. Not a
/// number where another image than the nearest may be met, and whether there are such lanes.
#[inline(always)]
fn contacts<const D: usize>(
    flights: &Flights<'_, D>,
    one: &Flight<D>,
    lanes: &Abreast<D>,
    now: f64,
    images: Images,
) -> ([f64; LANES], bool) {
    let (domain, g) = (flights.domain, flights.acceleration);
    let mut origin = [0.0; LANES];
    let mut distance = [0.0; LANES];
    for n in 0..LANES {
        origin[n] = if one.since > lanes.since[n] { one.since } else { lanes.since[n] };
        distance[n] = one.radius + lanes.radius[n];
    }
    let mut b = [0.0; LANES];
    let mut square = [0.0; LANES];
    let mut speed = [0.0; LANES];
    let mut room = [f64::INFINITY; LANES];
    for k in 0..D {
        let (period, inverse) = period(domain, k);
        for n in 0..LANES {
            let [t, u] = [origin[n] - one.since, origin[n] - lanes.since[n]];
            let x = one.position[k] + one.velocity[k] * t + g[k] * (0.5 * t * t);
            let y = lanes.position[k][n] + lanes.velocity[k][n] * u + g[k] * (0.5 * u * u);
            let v = (lanes.velocity[k][n] + g[k] * u) - (one.velocity[k] + g[k] * t);
            let apart = y - x;
            let seen = apart + v * (now - origin[n]);
            let periods = to_whole(seen * inverse);
            let start = apart - periods * period;
            b[n] += start * v;
            square[n] += start * start;
            speed[n] += v * v;
            if period > 0.0 {
                let tie = if images == Images::Nearest { 1e-9 * period } else { distance[n] };
                let left = 0.5 * period - (seen - periods * period).abs() - tie;
                room[n] = if left < room[n] { left } else { room[n] };
            }
        }
    }
    let mut times = [0.0; LANES];
    let mut unclear = false;
    for n in 0..LANES {
        let c = square[n] - distance[n] * distance[n];
        let c = if c > 0.0 { c } else { 0.0 };
        let discriminant = b[n] * b[n] - speed[n] * c;
        let meets = (b[n] < 0.0) & (discriminant >= 0.0);
        let time = origin[n] + c / (discriminant.sqrt() - b[n]);
        times[n] = if meets { time } else { f64::INFINITY };
        times[n] = if room[n] <= 0.0 { f64::NAN } else { times[n] };
        unclear |= room[n] <= 0.0;
    }
    (times, unclear)
}

/// Along an axis with walls both factors are 0, and nothing is taken off.
#[inline(always)]
fn period<const D: usize>(domain: &Domain<D>, k: usize) -> (f64, f64) {
    if domain.is_periodic(k) { (domain.edges()[k], domain.inverse()[k]) } else { (0.0, 0.0) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Purpose, Random};
    use crate::space::Vector;

    /// 400 crowds of 60 in boxes of which some are small, on parabolas of which many are long, and
    /// some of which start together: 23 600 pairs.
    #[test]
    fn many_at_a_time_touch_when_they_do_one_by_one() {
        let random = Random::new(21);
        let (mut meetings, mut unclear) = (0, 0);
        for case in 0..400 {
            let draw = |n: u64, k: u64| random.uniform(Purpose::Placement, [case, n, k, 0]);
            let edge = [3.0, 9.0, 30.0][(draw(0, 0) * 3.0) as usize];
            let domain = Domain::new([edge; 3], [true, draw(0, 1) < 0.5, draw(0, 2) < 0.5]);
            let gravity = if draw(0, 3) < 0.5 { 0.0 } else { -0.3 };
            let flight = |n: u64| Flight {
                position: Vector::from_fn(|k| edge * draw(n, 4 + k as u64)),
                velocity: Vector::from_fn(|k| 4.0 * draw(n, 7 + k as u64) - 2.0),
                since: (4.0 * draw(n, 10)).floor(),
                radius: 0.2 + 0.4 * draw(n, 11),
            };
            let all: Vec<_> = (0..60).map(flight).collect();
            let acceleration = Vector([0.0, 0.0, gravity]);
            let flights = Flights { domain: &domain, acceleration, all: &all };
            let i = (60.0 * draw(0, 12)) as u32;
            let others: Vec<u32> = (0..60).filter(|&j| j != i).collect();
            for images in [Images::Nearest, Images::Near] {
                let mut times = vec![-1.0];
                flight_contacts(&flights, i, &others, 3.0, images, &mut times);
                assert_eq!(times.len(), 60);
                for (&j, &time) in others.iter().zip(&times[1..]) {
                    let alone = flight_contact(&flights, i.min(j), i.max(j), 3.0, images);
                    assert_eq!(time.to_bits(), alone.to_bits(), "case {case}: {i}, {j}");
                    meetings += usize::from(time < f64::INFINITY);
                }
                let apart = |j: u32| flights.at(j, 3.0) - flights.at(i, 3.0);
                let far = |j: &&u32| 0.5 * edge - domain.nearest_image(apart(**j))[0].abs() < 0.4;
                unclear += others.iter().filter(far).count();
            }
        }
        assert!(meetings > 2_000 && unclear > 5_000, "{meetings}, {unclear}");
    }
}
