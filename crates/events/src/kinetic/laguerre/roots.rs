//! When a polynomial in time falls below zero.
//!
//! Between two turning points a polynomial is monotone, so that it has a zero there exactly if its
//! signs differ; the turning points are the zeros of its derivative, and so on down to a quadratic.
//! No zero is passed over, whatever lies close to it, and each is found within a bracket that never
//! opens.

/// How many coefficients a polynomial has, most of them zero.
pub const TERMS: usize = 6;

/// Relative sizes of Newton's last step: for a zero that is asked for, and for a turning point,
/// where the value changes only by the square of what it is wrong.
const PRECISE: f64 = 1e-9;
const ROUGH: f64 = 1e-6;

/// Coefficients by powers of the time.
pub type Polynomial = [f64; TERMS];

/// The value at `t`.
#[inline]
pub fn value(p: &Polynomial, t: f64) -> f64 {
    p.iter().rev().fold(0.0, |sum, c| sum * t + c)
}

/// The first time t >= 0 at which `p` goes from above (or at) zero to below; 0 if it is below zero
/// now, infinity if it never falls. To touch zero from above is not to fall.
#[inline]
pub fn first_fall(p: &Polynomial) -> f64 {
    if p[0] < 0.0 {
        return 0.0;
    }
    // Descartes: without a change of sign there is no positive root. The common case.
    if p[1..].iter().all(|c| *c >= 0.0) {
        return f64::INFINITY;
    }
    if sign_now(p) < 0.0 {
        return 0.0;
    }
    crossings(p, degree(p), PRECISE).as_slice().first().copied().unwrap_or(f64::INFINITY)
}

/// A time up to which `p` certainly does not fall, at little cost: the positive terms may be left
/// out, and before each of the m negative ones has grown to p(0)/m all together have not.
#[inline]
pub(super) fn cannot_fall_before(p: &Polynomial) -> f64 {
    let negative = p[1..].iter().filter(|c| **c < 0.0).count();
    if negative == 0 {
        return f64::INFINITY;
    }
    let share = p[0].max(0.0) / negative as f64;
    let mut bound = f64::INFINITY;
    for (k, c) in p.iter().enumerate().skip(1).filter(|(_, c)| **c < 0.0) {
        let power = share / -c;
        bound = bound.min(match k {
            1 => power,
            2 => power.sqrt(),
            3 => libm::cbrt(power),
            4 => power.sqrt().sqrt(),
            _ => libm::pow(power, 1.0 / k as f64),
        });
    }
    // Below by more than these roots are rounded.
    bound * (1.0 - 1e-12)
}

/// The sign just after time 0.
fn sign_now(p: &Polynomial) -> f64 {
    p.iter().copied().find(|c| *c != 0.0).unwrap_or(0.0)
}

fn degree(p: &Polynomial) -> usize {
    p.iter().rposition(|c| *c != 0.0).unwrap_or(0)
}

/// A few times in ascending order.
#[derive(Clone, Copy, Default)]
struct RootTimes {
    all: [f64; TERMS],
    count: usize,
}

impl RootTimes {
    fn push(&mut self, time: f64) {
        self.all[self.count] = time;
        self.count += 1;
    }

    fn as_slice(&self) -> &[f64] {
        &self.all[..self.count]
    }
}

/// The times after 0 at which `p` changes its sign.
fn crossings(p: &Polynomial, degree: usize, close: f64) -> RootTimes {
    let mut times = RootTimes::default();
    match degree {
        0 => {}
        1 if -p[0] / p[1] > 0.0 => times.push(-p[0] / p[1]),
        1 => {}
        2 => quadratic(p, &mut times),
        _ => between_turns(p, degree, close, &mut times),
    }
    times
}

/// The crossings of c + b t + a t² after 0, without cancellation.
fn quadratic(p: &Polynomial, times: &mut RootTimes) {
    let [c, b, a, ..] = *p;
    let discriminant = b * b - 4.0 * a * c;
    // A double root touches zero without crossing it.
    if discriminant <= 0.0 {
        return;
    }
    let far = -0.5 * (b + discriminant.sqrt().copysign(b));
    let (one, other) = (far / a, c / far);
    for time in [one.min(other), one.max(other)] {
        if time > 0.0 && time.is_finite() {
            times.push(time);
        }
    }
}

/// The crossings of a polynomial of degree 3 or more.
fn between_turns(p: &Polynomial, top: usize, close: f64, times: &mut RootTimes) {
    let mut slope = [0.0; TERMS];
    for k in 1..=top {
        slope[k - 1] = k as f64 * p[k];
    }
    let mut above = sign_now(p) > 0.0;
    let mut from = 0.0;
    for &turn in crossings(&slope, degree(&slope), ROUGH).as_slice() {
        if certainly_above(p, turn).is_some_and(|it_is| it_is != above) {
            times.push(bracketed(p, [from, turn], !above, close));
            above = !above;
        }
        from = turn;
    }
    // After the last turning point the leading term decides; one more zero lies there if its sign
    // is not the present one.
    let falls_or_rises_for_good = (p[top] > 0.0) != above;
    if let Some(end) = falls_or_rises_for_good.then(|| far_end(p, from, !above)).flatten() {
        times.push(bracketed(p, [from, end], !above, close));
    }
}

/// Whether `p` is above or below zero at `t`; nothing where rounding decides, as where it only
/// touches zero.
fn certainly_above(p: &Polynomial, t: f64) -> Option<bool> {
    let (v, size) = p.iter().rev().fold((0.0, 0.0), |(v, size), c| (v * t + c, size * t + c.abs()));
    (v.abs() > 8.0 * f64::EPSILON * size).then_some(v > 0.0)
}

/// A time after `from` at which the sign of `p` is the one that it has for good.
fn far_end(p: &Polynomial, from: f64, above: bool) -> Option<f64> {
    let mut step = match from > 0.0 {
        true => from,
        false if p[0] != 0.0 && p[1] != 0.0 => (p[0] / p[1]).abs(),
        false => 1.0,
    };
    loop {
        let v = value(p, from + step);
        if !v.is_finite() {
            // Beyond all times that can be distinguished.
            return None;
        }
        if (v > 0.0) == above && v != 0.0 {
            return Some(from + step);
        }
        step *= 8.0;
    }
}

/// The one zero within a bracket, where `p` rises or falls through: Newton's method, with bisection
/// wherever it would leave the bracket and every fourth time, so that the bracket always shrinks.
fn bracketed(p: &Polynomial, [mut low, mut high]: [f64; 2], rising: bool, close: f64) -> f64 {
    let mut t = 0.5 * (low + high);
    for round in 1..400 {
        let (v, slope) = value_and_slope(p, t);
        if (v > 0.0) == rising {
            high = t;
        } else {
            low = t;
        }
        // With a slope of zero this is infinite or not a number, and the comparisons below fail.
        let newton = t - v / slope;
        if newton > low && newton < high && round % 4 != 0 {
            // The error of the next step is about the square of this one.
            if (newton - t).abs() <= close * t {
                return newton;
            }
            t = newton;
        } else {
            t = 0.5 * (low + high);
            if high - low <= 2.0 * f64::EPSILON * high {
                return t;
            }
        }
    }
    high
}

#[inline]
fn value_and_slope(p: &Polynomial, t: f64) -> (f64, f64) {
    p.iter().rev().fold((0.0, 0.0), |(v, slope), c| (v * t + c, slope * t + v))
}
