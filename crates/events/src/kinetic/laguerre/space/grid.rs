//! Signs of two determinants of spheres at rest, exact for places that are whole numbers.
//!
//! In the plane the signs are exact for the coordinates as they are in memory (`exact`). In space
//! sums of doubles would have thousands of terms; so places are put on a grid finer than their own
//! rounding, and whole numbers of 320 bits hold every product. A filter settles nearly all signs
//! before.

use std::cmp::Ordering;

use jostle_core::space::Vector;

/// A sphere at rest: its centre and its radius.
pub(in super::super) type Sphere = (Vector<3>, f64);

/// Coordinates are below two to this power, differences below twice that. Then the determinant of
/// five spheres is below 2^292.
const BITS: i32 = 56;

const TWO_TO_64: f64 = 18_446_744_073_709_551_616.0;

/// A sphere on the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spot {
    pub(super) at: [i64; 3],
    pub(super) radius: i64,
}

/// The spheres on the finest grid that holds all of them.
pub(super) fn on_grid(spheres: &[Sphere]) -> Vec<Spot> {
    let largest = spheres.iter().fold(f64::MIN_POSITIVE, |most, (at, radius)| {
        at.0.iter().fold(most.max(*radius), |most, x| most.max(x.abs()))
    });
    let scale = libm::scalbn(1.0, BITS - 1 - libm::ilogb(largest));
    let whole = |x: f64| (x * scale) as i64;
    spheres
        .iter()
        .map(|(at, radius)| Spot { at: at.0.map(whole), radius: whole(*radius) })
        .collect()
}

/// On which side of the triangle a, b, c the centre of `d` lies: `Greater` if the four are
/// positively oriented, (b - a) · (c - a) × (d - a) > 0.
pub(super) fn orientation([a, b, c, d]: [&Spot; 4]) -> Ordering {
    let seen = [b, c, d].map(|spot| apart(spot, a));
    let [p, q, r] = seen.map(|x| x.map(|x| x as f64));
    let (mut sum, mut size) = (0.0, 0.0);
    for k in 0..3 {
        let (l, m) = ((k + 1) % 3, (k + 2) % 3);
        let (left, right) = (p[l] * q[m], p[m] * q[l]);
        sum += (left - right) * r[k];
        size += (left.abs() + right.abs()) * r[k].abs();
    }
    // Ten roundings at most lie between a difference and the sum.
    match sum.abs() > 16.0 * f64::EPSILON * size {
        true => sign(sum),
        false => volume([a, b, c, d]).sign(),
    }
}

/// Whether `e` comes closer than orthogonal to the sphere that is orthogonal to a, b, c, d, which
/// are positively oriented: then `Less`.
pub(super) fn power([a, b, c, d]: [&Spot; 4], e: &Spot) -> Ordering {
    let seen = [b, c, d, e].map(|spot| apart(spot, a));
    if let Some(sign) = power_by_filter(&seen, [b, c, d, e].map(|spot| spot.radius), a.radius) {
        return sign;
    }
    let w = [b, c, d, e].map(|spot| {
        let radii = i128::from(a.radius - spot.radius) * i128::from(a.radius + spot.radius);
        apart(spot, a).iter().map(|&x| i128::from(x) * i128::from(x)).sum::<i128>() + radii
    });
    let [b, c, d, e] = seen;
    let minors = [[c, d, e], [b, d, e], [b, c, e], [b, c, d]];
    let mut sum = Wide::of(0);
    for (k, minor) in minors.iter().enumerate() {
        let term = wide_volume(minor).times(&Wide::of(w[k]));
        sum = if k % 2 == 0 { sum.minus(&term) } else { sum.plus(&term) };
    }
    sum.sign()
}

/// Six times the volume of a, b, c, d, for sums.
pub(super) fn volume([a, b, c, d]: [&Spot; 4]) -> Wide {
    wide_volume(&[b, c, d].map(|spot| apart(spot, a)))
}

fn power_by_filter(seen: &[[i64; 3]; 4], radii: [i64; 4], own: i64) -> Option<Ordering> {
    let seen = seen.map(|x| x.map(|x| x as f64));
    let own = own as f64;
    let cross = |a: usize, b: usize, k: usize| {
        let (l, m) = ((k + 1) % 3, (k + 2) % 3);
        let (left, right) = (seen[a][l] * seen[b][m], seen[a][m] * seen[b][l]);
        (left - right, left.abs() + right.abs())
    };
    // Of the first two and of the last two rows; the others follow by expansion.
    let first: [_; 3] = std::array::from_fn(|k| cross(0, 1, k));
    let last: [_; 3] = std::array::from_fn(|k| cross(2, 3, k));
    let (mut sum, mut size) = (0.0, 0.0);
    for (row, pair) in [(0, &last), (1, &last), (2, &first), (3, &first)] {
        // The row that the pair is completed by, and whose w the minor is multiplied with.
        let other = row ^ 1;
        let (mut minor, mut spread) = (0.0, 0.0);
        for k in 0..3 {
            minor += pair[k].0 * seen[other][k];
            spread += pair[k].1 * seen[other][k].abs();
        }
        let radius = radii[row] as f64;
        let square: f64 = seen[row].iter().map(|x| x * x).sum();
        let w = square + (own - radius) * (own + radius);
        let term = minor * w;
        sum += if row % 2 == 0 { -term } else { term };
        size += spread * (square + own * own + radius * radius);
    }
    // At most 16 roundings lie between a difference and the sum.
    (sum.abs() > 24.0 * f64::EPSILON * size).then(|| sign(sum))
}

fn sign(x: f64) -> Ordering {
    x.partial_cmp(&0.0).unwrap_or(Ordering::Equal)
}

fn apart(a: &Spot, b: &Spot) -> [i64; 3] {
    std::array::from_fn(|k| a.at[k] - b.at[k])
}

fn wide_volume(rows: &[[i64; 3]; 3]) -> Wide {
    let [p, q, r] = rows.map(|x| x.map(i128::from));
    let mut sum = Wide::of(0);
    for k in 0..3 {
        let (l, m) = ((k + 1) % 3, (k + 2) % 3);
        let minor = p[l] * q[m] - p[m] * q[l];
        sum = sum.plus(&Wide::of(minor).times(&Wide::of(r[k])));
    }
    sum
}

/// A whole number of 320 bits, negative ones by the complement of two, lowest part first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wide([u64; 5]);

impl Wide {
    pub(super) fn of(x: i128) -> Self {
        let above = if x < 0 { u64::MAX } else { 0 };
        Self([x as u64, (x >> 64) as u64, above, above, above])
    }

    pub(super) fn plus(&self, other: &Self) -> Self {
        let mut carry = 0;
        Self(std::array::from_fn(|k| {
            let sum = u128::from(self.0[k]) + u128::from(other.0[k]) + carry;
            carry = sum >> 64;
            sum as u64
        }))
    }

    pub(super) fn minus(&self, other: &Self) -> Self {
        // -x = !x + 1.
        self.plus(&Self(other.0.map(|part| !part))).plus(&Self::of(1))
    }

    /// The lowest 320 bits, which are all of a product that fits.
    fn times(&self, other: &Self) -> Self {
        let mut product = [0; 5];
        for i in 0..5 {
            let mut carry = 0;
            for j in 0..5 - i {
                let sum = u128::from(self.0[i]) * u128::from(other.0[j])
                    + u128::from(product[i + j])
                    + carry;
                product[i + j] = sum as u64;
                carry = sum >> 64;
            }
        }
        Self(product)
    }

    /// About as large.
    pub(super) fn rough(&self) -> f64 {
        if self.sign() == Ordering::Less {
            return -Self::of(0).minus(self).rough();
        }
        self.0.iter().rev().fold(0.0, |sum, &part| sum * TWO_TO_64 + part as f64)
    }

    pub(super) fn sign(&self) -> Ordering {
        match (self.0[4] as i64).cmp(&0) {
            Ordering::Equal if self.0 == [0; 5] => Ordering::Equal,
            Ordering::Less => Ordering::Less,
            _ => Ordering::Greater,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jostle_core::random::{Purpose, Random};

    #[test]
    fn wide_numbers_calculate_as_others_do() {
        let random = Random::new(3);
        for n in 0..2000 {
            let draw = |k| {
                let u = random.uniform(Purpose::Placement, [n, k, 0, 0]) - 0.5;
                (u * libm::exp2((n % 60) as f64)) as i128
            };
            let (a, b, c) = (draw(0), draw(1), draw(2));
            let wide = Wide::of(a).times(&Wide::of(b)).minus(&Wide::of(c)).plus(&Wide::of(a));
            assert_eq!(wide, Wide::of(a * b - c + a));
            assert_eq!(wide.sign(), (a * b - c + a).cmp(&0));
        }
        // (2^100)³ = 2^300 and back.
        let large = Wide::of(1 << 100);
        let cube = large.times(&large).times(&large);
        assert_eq!(cube.0, [0, 0, 0, 0, 1 << 44]);
        assert_eq!(cube.minus(&cube), Wide::of(0));
        assert_eq!(Wide::of(0).minus(&large).rough(), -libm::exp2(100.0));
        assert_eq!(Wide::of(0).minus(&cube).sign(), Ordering::Less);
    }

    /// The twelve rays (±3, ±4, 0) and so on to a sphere of radius 5.
    fn ray(k: usize) -> [i64; 3] {
        let mut ray = [0; 3];
        ray[k % 3] = if (k / 3).is_multiple_of(2) { 3 } else { -3 };
        ray[(k + 1) % 3] = if k / 6 == 0 { 4 } else { -4 };
        ray
    }

    /// 2000 quintuples on a sphere but for at most one unit, 2000 quadruples in a plane but for at
    /// most one unit, against wide numbers throughout. The filter leaves none of these to chance.
    #[test]
    fn signs_do_not_depend_on_the_filter() {
        let random = Random::new(18);
        let mut draws = (0..).map(|k| random.uniform(Purpose::Placement, [k, 0, 0, 0]));
        let mut below = |n: i64| draws.next().map_or(0, |u| (u * n as f64) as i64);
        let mut seen = [[0, 0, 0], [0, 0, 0]];
        for _ in 0..2000 {
            let centre = [below(1 << 50), below(1 << 50), below(1 << 50)];
            let shift = below(50);
            let spots: [Spot; 5] = std::array::from_fn(|_| {
                let ray = ray(below(12) as usize);
                let at = std::array::from_fn(|k| centre[k] + (ray[k] << shift) + below(8) / 7);
                Spot { at, radius: 3 }
            });
            let [a, b, c, d, e] = &spots;
            // Along the last row first: all from the other end of the list.
            let w = |spot: &Spot| {
                Wide::of(apart(spot, e).iter().map(|&x| i128::from(x) * i128::from(x)).sum())
            };
            let sum = [(a, [b, d, c]), (b, [a, c, d]), (c, [a, d, b]), (d, [a, b, c])]
                .iter()
                .fold(Wide::of(0), |sum, (spot, [p, q, r])| {
                    sum.plus(&w(spot).times(&volume([e, p, q, r])))
                });
            assert_eq!(power([a, b, c, d], e), sum.sign(), "{spots:?}");
            seen[0][(sum.sign() as i8 + 1) as usize] += 1;

            let along = [below(1 << 4), below(1 << 4)];
            let beside = below(3) - 1;
            let mut at: [i64; 3] = std::array::from_fn(|k| {
                a.at[k] + along[0] * (b.at[k] - a.at[k]) / 16 * 16 + along[1] * (c.at[k] - a.at[k])
            });
            at[2] += beside;
            let d = Spot { at, radius: 0 };
            let exact = volume([a, b, c, &d]).sign();
            assert_eq!(orientation([a, b, c, &d]), exact);
            seen[1][(exact as i8 + 1) as usize] += 1;
        }
        assert!(seen.iter().all(|signs| signs.iter().all(|count| *count > 100)), "{seen:?}");
    }
}
