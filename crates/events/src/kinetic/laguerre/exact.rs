//! Signs of two determinants, exact for the coordinates and radii as they are in memory.
//!
//! A filter settles nearly all: the rounded determinant with a bound on its error. What it leaves
//! open is computed without any error, as sums of doubles that do not overlap (Dekker 1971;
//! Shewchuk 1997, Discrete Comput. Geom. 18, 305). Holds where no product underflows: lengths
//! between 1e-60 and 1e60, or zero.

use std::cmp::Ordering;

use jostle_core::space::Vector;

/// A disk at rest: its centre and its radius.
pub(super) type Circle = (Vector<2>, f64);

/// Whether a, b, c turn left (`Greater`), right, or not at all.
pub(super) fn turn(a: Vector<2>, b: Vector<2>, c: Vector<2>) -> Ordering {
    let (left, right) = ((a[0] - c[0]) * (b[1] - c[1]), (a[1] - c[1]) * (b[0] - c[0]));
    let determinant = left - right;
    // Shewchuk's bound, (3 + 16 u) u with u half an epsilon, rounded up.
    // Strict, so that a determinant of zero with a bound of zero is left to the exact sum.
    if determinant.abs() > 2.0 * f64::EPSILON * (left.abs() + right.abs()) {
        return sign(determinant);
    }
    let ([x, y], [p, q]) = (apart(a, c), apart(b, c));
    x.times(&q).minus(&y.times(&p)).sign()
}

/// Whether `d` comes closer than orthogonal to the circle that is orthogonal to a, b, c, which turn
/// left: `Greater` if so. With points: whether d is inside the circle through a, b and c.
pub(super) fn inside([a, b, c]: [Circle; 3], d: Circle) -> Ordering {
    if let Some(sign) = inside_by_filter([a, b, c], d) {
        return sign;
    }
    let [a, b, c] = [a, b, c].map(|disk| (apart(disk.0, d.0), power(disk, d)));
    let minor = |[x, y]: &[Sum; 2], [p, q]: &[Sum; 2]| x.times(q).minus(&y.times(p));
    let terms = [
        minor(&b.0, &c.0).times(&a.1),
        minor(&c.0, &a.0).times(&b.1),
        minor(&a.0, &b.0).times(&c.1),
    ];
    terms[0].plus(&terms[1]).plus(&terms[2]).sign()
}

/// The sign where rounding cannot change it.
fn inside_by_filter(abc: [Circle; 3], d: Circle) -> Option<Ordering> {
    let seen = abc.map(|(centre, radius)| {
        let at = centre - d.0;
        let (square, own, other) = (at.norm_squared(), radius * radius, d.1 * d.1);
        (at, square - own + other, square + own + other)
    });
    let (mut determinant, mut size) = (0.0, 0.0);
    for k in 0..3 {
        let ((p, ..), (q, ..)) = (seen[(k + 1) % 3], seen[(k + 2) % 3]);
        let (left, right) = (p[0] * q[1], p[1] * q[0]);
        determinant += (left - right) * seen[k].1;
        size += (left.abs() + right.abs()) * seen[k].2;
    }
    // At most 12 roundings lie between a coordinate and the sum: 12 half epsilons of the sum of all
    // absolute terms, here taken more than double.
    (determinant.abs() > 16.0 * f64::EPSILON * size).then(|| sign(determinant))
}

fn sign(x: f64) -> Ordering {
    x.partial_cmp(&0.0).unwrap_or(Ordering::Equal)
}

/// a - b, exactly.
fn apart(a: Vector<2>, b: Vector<2>) -> [Sum; 2] {
    [0, 1].map(|k| Sum::of(a[k]).minus(&Sum::of(b[k])))
}

/// |a - d|² - r² + R², exactly.
fn power(disk: Circle, d: Circle) -> Sum {
    let [x, y] = apart(disk.0, d.0);
    let square = |r: f64| Sum::of(r).times(&Sum::of(r));
    x.times(&x).plus(&y.times(&y)).minus(&square(disk.1)).plus(&square(d.1))
}

/// The exact sum of doubles that do not overlap, in ascending order of magnitude, none zero.
#[derive(Clone, Debug, Default)]
struct Sum(Vec<f64>);

impl Sum {
    fn of(x: f64) -> Self {
        let mut sum = Self::default();
        sum.add(x);
        sum
    }

    /// Adds one number: Shewchuk's Grow-Expansion, which keeps the parts apart.
    fn add(&mut self, x: f64) {
        let mut carried = x;
        let mut kept = 0;
        for k in 0..self.0.len() {
            let (high, low) = two_sum(carried, self.0[k]);
            carried = high;
            if low != 0.0 {
                self.0[kept] = low;
                kept += 1;
            }
        }
        self.0.truncate(kept);
        if carried != 0.0 {
            self.0.push(carried);
        }
    }

    fn plus(&self, other: &Self) -> Self {
        let mut sum = self.clone();
        other.0.iter().for_each(|part| sum.add(*part));
        sum
    }

    fn minus(&self, other: &Self) -> Self {
        let mut sum = self.clone();
        other.0.iter().for_each(|part| sum.add(-part));
        sum
    }

    fn times(&self, other: &Self) -> Self {
        let mut product = Self::default();
        for a in &self.0 {
            for b in &other.0 {
                let (high, low) = two_product(*a, *b);
                product.add(low);
                product.add(high);
            }
        }
        product
    }

    /// That of the largest part, which outweighs all others together.
    fn sign(&self) -> Ordering {
        sign(self.0.last().copied().unwrap_or(0.0))
    }
}

/// a + b as the rounded sum and its error (Knuth).
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let of_b = sum - a;
    let of_a = sum - of_b;
    (sum, (a - of_a) + (b - of_b))
}

/// a b as the rounded product and its error (Dekker, Veltkamp).
// A fused multiplication would give the error at once; the tidy tests forbid `mul_add`.
fn two_product(a: f64, b: f64) -> (f64, f64) {
    let product = a * b;
    let ((a_high, a_low), (b_high, b_low)) = (halves(a), halves(b));
    let error = a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low);
    (product, error)
}

/// `a` as the sum of two numbers of at most 26 bits.
fn halves(a: f64) -> (f64, f64) {
    // 2^27 + 1, for the 53 bits of a double.
    let spread = 134_217_729.0 * a;
    let high = spread - (spread - a);
    (high, a - high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use jostle_core::random::{Purpose, Random};

    #[test]
    fn sums_and_products_are_exact() {
        let tiny = f64::EPSILON * 0.25;
        let one_and = Sum::of(1.0).plus(&Sum::of(tiny));
        assert_eq!(one_and.minus(&Sum::of(1.0)).0, vec![tiny]);
        // (1 + e)² - 1 - 2 e = e².
        let rest = one_and.times(&one_and).minus(&Sum::of(1.0)).minus(&Sum::of(2.0 * tiny));
        assert_eq!(rest.0, vec![tiny * tiny]);
        assert_eq!(one_and.minus(&one_and).sign(), Ordering::Equal);
    }

    /// 2000 triples and quadruples of large integers, on a line or a circle but for at most one
    /// unit in a coordinate or a squared radius, against arithmetic in integers.
    #[test]
    fn signs_are_those_of_integer_arithmetic() {
        let random = Random::new(17);
        let mut draws = (0..).map(|k| random.uniform(Purpose::Placement, [k, 0, 0, 0]));
        let mut below = |n: i128| draws.next().map_or(0, |u| (u * n as f64) as i128);
        let rays = [[3, 4], [4, 3], [5, 0], [0, 5], [-3, 4], [-4, -3], [3, -4], [0, -5]];
        let mut seen = [[0, 0], [0, 0]];
        for _ in 0..2000 {
            let centre = [below(1 << 20), below(1 << 20)];
            let all: [[i128; 3]; 4] = std::array::from_fn(|_| {
                let ray = rays[below(8) as usize];
                [centre[0] + (ray[0] << 24), centre[1] + (ray[1] << 24), below(8) / 7]
            });
            let [a, b, c, d] = all.map(|[x, y, r]| (Vector([x as f64, y as f64]), r as f64));
            let apart = |i: usize, k: usize| all[i][k] - all[3][k];
            let cross = |i: usize, j: usize| apart(i, 0) * apart(j, 1) - apart(i, 1) * apart(j, 0);
            let power = |i: usize| {
                apart(i, 0).pow(2) + apart(i, 1).pow(2) - all[i][2].pow(2) + all[3][2].pow(2)
            };
            let exact = cross(1, 2) * power(0) + cross(2, 0) * power(1) + cross(0, 1) * power(2);
            assert_eq!(inside([a, b, c], d), exact.cmp(&0), "{all:?}");
            seen[0][usize::from(exact == 0)] += 1;

            // On a line with a and b, or one unit beside it.
            let along = below(1 << 20);
            let beside = below(3) - 1;
            let [x, y] = [0, 1].map(|k| all[0][k] + along * (all[1][k] - all[0][k]));
            let c = Vector([(x + beside) as f64, y as f64]);
            let exact = -beside * (all[1][1] - all[0][1]);
            assert_eq!(turn(a.0, b.0, c), exact.cmp(&0));
            seen[1][usize::from(exact == 0)] += 1;
        }
        assert!(seen.as_flattened().iter().all(|count| *count > 400), "{seen:?}");
    }
}
