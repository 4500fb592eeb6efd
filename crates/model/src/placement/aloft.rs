//! Disks of a gas at random: anywhere alike, or as high as the atmosphere reaches.

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::random::somewhere;
use jostle_core::space::{Domain, Vector};

/// A place in the box, each as likely as Boltzmann's factor exp(-m g h / k T) says, whose logarithm
/// has this slope along each axis \[1/nm\].
pub(super) fn aloft<const D: usize>(
    slope: impl Fn(usize) -> f64,
    domain: &Domain<D>,
    radius: f64,
    random: &mut Xoshiro256PlusPlus,
) -> Vector<D> {
    let mut place = somewhere(domain, radius, random);
    for k in (0..D).filter(|&k| !domain.is_periodic(k)) {
        let slope = slope(k);
        if slope != 0.0 {
            let [low, high] = [radius, domain.edges()[k] - radius];
            let above = exponential(slope.abs(), (high - low).max(0.0), random.random());
            place[k] = if slope < 0.0 { low + above } else { high - above };
        }
    }
    place
}

/// The quantile `u` of the exponential distribution of this rate, cut off at `length`.
fn exponential(rate: f64, length: f64, u: f64) -> f64 {
    (-libm::log1p(u * libm::expm1(-rate * length)) / rate).min(length)
}

#[cfg(test)]
mod tests {
    use super::exponential;

    #[test]
    fn quantiles_of_the_cut_exponential() {
        assert_eq!(exponential(0.1, 50.0, 0.0), 0.0);
        assert!((exponential(0.1, 50.0, 1.0) - 50.0).abs() < 1e-9);
        // Half of all lie below ln 2 where the cut is far away, below the middle where it is near.
        assert!((exponential(1.0, 1e3, 0.5) - std::f64::consts::LN_2).abs() < 1e-15);
        assert!((exponential(1e-9, 2.0, 0.5) - 1.0).abs() < 1e-6);
    }
}
