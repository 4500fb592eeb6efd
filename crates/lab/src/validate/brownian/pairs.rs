//! How particles stand to each other: the pair distribution, and whether any overlap.

use super::super::statistics::worse;
use super::fluid::{Fluid, ball};
use jostle_core::observe::View;
use jostle_core::space::Vector;

/// Counts the pairs of two components of a fluid by their distance.
#[derive(Clone)]
pub(super) struct PairDistribution<const D: usize> {
    components: [usize; 2],
    /// How far apart their centres are at contact.
    contact: f64,
    /// Where bins begin, and where the last one ends, in units of that.
    bounds: Vec<f64>,
    counts: Vec<f64>,
    samples: f64,
}

impl<const D: usize> PairDistribution<D> {
    pub(super) fn new(fluid: &Fluid<D>, components: [usize; 2], bounds: Vec<f64>) -> Self {
        let counts = vec![0.0; bounds.len() - 1];
        Self { components, contact: fluid.distance(components), bounds, counts, samples: 0.0 }
    }

    pub(super) fn sample(&mut self, view: &View<'_, D>) {
        let (x, species) = (&view.particles.position, &view.particles.species);
        let [first, second] = self.components.map(|component| component as u16);
        let farthest = self.bounds[self.bounds.len() - 1].powi(2);
        for i in (0..x.len()).filter(|&i| species[i] == first) {
            // Pairs of one component are counted once.
            let end = if first == second { i } else { x.len() };
            for j in (0..end).filter(|&j| species[j] == second) {
                let apart = view.domain.nearest_image(x[j] - x[i]).norm_squared();
                let squared = apart / (self.contact * self.contact);
                if squared < farthest {
                    // Rounding may have put a pair that touches below the first bound.
                    let bin =
                        self.bounds.partition_point(|&bound| bound * bound <= squared).max(1) - 1;
                    self.counts[bin] += 1.0;
                }
            }
        }
        self.samples += 1.0;
    }

    /// The distribution, relative to pairs without interaction, by bins.
    pub(super) fn values(&self, fluid: &Fluid<D>) -> Vec<f64> {
        let density = self.samples * fluid.pairs(self.components) / fluid.volume();
        let sphere = |bound: f64| ball::<D>(bound * self.contact);
        let shells = self.bounds.windows(2).map(|w| sphere(w[1]) - sphere(w[0]));
        self.counts.iter().zip(shells).map(|(n, shell)| n / (density * shell)).collect()
    }

    /// The middles of the bins.
    pub(super) fn centres(&self) -> Vec<f64> {
        self.bounds.windows(2).map(|w| 0.5 * (w[0] + w[1])).collect()
    }

    /// The parabola through the first `bins` bins, which are of one width, at contact.
    pub(super) fn at_contact(&self, fluid: &Fluid<D>, bins: usize) -> f64 {
        let values = self.values(fluid);
        extrapolated((0..bins).map(|bin| ((bin as f64 + 0.5) / bins as f64, values[bin])))
    }
}

/// `count` bins from `from` to `to`; the last bound is left out.
pub(super) fn bins(from: f64, to: f64, count: usize) -> impl Iterator<Item = f64> {
    (0..count).map(move |k| from + (to - from) * k as f64 / count as f64)
}

/// The parabola through the points (x, y), x within 0..1, by least squares, at x = 0.
fn extrapolated(points: impl Iterator<Item = (f64, f64)>) -> f64 {
    let (mut power, mut right) = ([0.0; 5], [0.0; 3]);
    for (x, y) in points {
        (0..5).for_each(|k| power[k] += x.powi(k as i32));
        (0..3).for_each(|k| right[k] += y * x.powi(k as i32));
    }
    let [p0, p1, p2, p3, p4] = power;
    // Cramer's rule for the constant term.
    let determinant = |a: f64, b: f64, c: f64| {
        a * (p2 * p4 - p3 * p3) - p1 * (b * p4 - p3 * c) + p2 * (b * p3 - p2 * c)
    };
    determinant(right[0], right[1], right[2]) / determinant(p0, p1, p2)
}

/// The smallest distance between any two surfaces, and between any surface and a wall; negative if
/// they overlap.
pub(super) fn smallest_gap<const D: usize>(view: &View<'_, D>) -> f64 {
    let (p, edges) = (view.particles, view.domain.edges());
    let mut smallest = f64::INFINITY;
    for i in 0..p.len() {
        let at: Vector<D> = p.position[i];
        for j in 0..i {
            let apart = view.domain.nearest_image(p.position[j] - at).norm_squared();
            let contact = p.radius[i] + p.radius[j];
            // Only near ones are worth a root.
            if apart < 4.0 * contact * contact {
                smallest = -worse(-smallest, contact - apart.sqrt());
            }
        }
        for k in (0..D).filter(|&k| !view.domain.is_periodic(k)) {
            smallest = -worse(-smallest, p.radius[i] - at[k].min(edges[k] - at[k]));
        }
    }
    smallest
}

#[cfg(test)]
mod tests {
    use super::*;
    use jostle_brownian::Seed;
    use jostle_core::search::Kind;

    #[test]
    fn a_parabola_is_extrapolated_exactly() {
        let points =
            (0..10).map(|k| (f64::from(k) + 0.5) / 10.0).map(|x| (x, 2.0 - 3.0 * x + 5.0 * x * x));
        assert!((extrapolated(points) - 2.0).abs() < 1e-12);
    }

    #[test]
    fn pairs_are_counted_by_their_distance_and_gaps_by_the_nearest() {
        let fluid = Fluid::<1> { particles: 3, ..Fluid::of_equals(0.3, Kind::Naive) };
        let places = [0.5, 2.0, 9.5].map(|x| Seed { species: 0, position: Vector([x]) });
        let engine = fluid.world(0.1).with(&places).unwrap();
        let mut pairs = PairDistribution::new(&fluid, [0, 0], vec![1.0, 1.2, 1.4, 1.6, 3.0]);
        pairs.sample(&engine.view());
        // Distances 1 (across the end of the ring), 1.5 and 2.5; three pairs in a ring of 10.
        let ideal = |width: f64| 1.0 / (3.0 * 2.0 * width / 10.0);
        for (found, expected) in
            pairs.values(&fluid).into_iter().zip([ideal(0.2), 0.0, ideal(0.2), ideal(1.4)])
        {
            assert!((found - expected).abs() < 1e-9, "{found} {expected}");
        }
        assert!(smallest_gap(&engine.view()).abs() < 1e-12);
    }
}
