//! What is seen of a fluid in equilibrium, and the laws that it is held to.

use super::super::statistics::{add_waves, exact, mean_and_error, mean_of_blocks, means_of_blocks};
use super::super::{CheckError, Context, Finding, Findings};
use super::contact_log::{Log, Meeting};
use super::fluid::Fluid;
use super::pairs::{PairDistribution, bins, smallest_gap};
use jostle_brownian::Seed;
use jostle_core::space::Vector;

/// How many waves tell whether something is uniform.
const WAVES: usize = 5;
/// How many bins next to contact g(r) is extrapolated from, and how many there are in all.
const BINS: [usize; 2] = [10, 40];

/// What was seen from one start: a block for errors. Sums over all contacts.
#[derive(Clone)]
struct Block<const D: usize> {
    /// Contacts of each pairing.
    contacts: Vec<f64>,
    /// What the contacts add to P V / N k T.
    virial: f64,
    times: Vec<f64>,
    normals: Vec<f64>,
    impacts: Vec<f64>,
    /// Of each pairing.
    approaches: Vec<Vec<f64>>,
    /// Of each pairing.
    pairs: Vec<PairDistribution<D>>,
}

impl<const D: usize> Block<D> {
    fn new(fluid: &Fluid<D>) -> Self {
        let pairings = fluid.pairings();
        // Crowds change faster with the distance: the cubic term that the parabola lacks stays
        // below 0.1 % of g.
        let range = if fluid.phi > 0.3 { 0.05 } else { 0.1 };
        let far = bins(1.0 + range, 2.5, BINS[1] - BINS[0]).chain([2.5]);
        let bounds: Vec<f64> = bins(1.0, 1.0 + range, BINS[0]).chain(far).collect();
        Self {
            contacts: vec![0.0; pairings.len()],
            virial: 0.0,
            times: vec![0.0; WAVES],
            normals: vec![0.0; harmonics::<D>(Vector::ZERO).len()],
            impacts: vec![0.0; WAVES],
            approaches: vec![vec![0.0; WAVES]; pairings.len()],
            pairs: pairings
                .iter()
                .map(|&pair| PairDistribution::new(fluid, pair, bounds.clone()))
                .collect(),
        }
    }

    fn add(&mut self, meeting: &Meeting<D>, pairing: usize, distance: f64, width: f64) {
        self.contacts[pairing] += 1.0;
        self.virial += 2.0 * distance * meeting.approach / (width * width);
        add_waves(&mut self.times, meeting.time);
        for (sum, harmonic) in self.normals.iter_mut().zip(harmonics(meeting.normal)) {
            *sum += harmonic;
        }
        // The share of the cross-section that is hit closer to its middle.
        add_waves(&mut self.impacts, meeting.impact.powi(D as i32 - 1));
        // The share of slower approaches, by Rayleigh's distribution.
        let slower = -libm::expm1(-0.5 * (meeting.approach / width).powi(2));
        add_waves(&mut self.approaches[pairing], slower);
    }
}

/// Functions of a direction whose means over all directions are 0: circular harmonics up to the
/// fourth, spherical ones to the second and the fourth that has the symmetry of the box.
fn harmonics<const D: usize>(n: Vector<D>) -> Vec<f64> {
    let n = n.0;
    if D == 2 {
        let mut power = [1.0, 0.0];
        let turn = |_| {
            power = [power[0] * n[0] - power[1] * n[1], power[0] * n[1] + power[1] * n[0]];
            power
        };
        return (0..4).flat_map(turn).collect();
    }
    if D == 3 {
        let fourth = n.iter().map(|x| x.powi(4)).sum::<f64>() - 0.6;
        let even = [
            n[0] * n[0] - 1.0 / 3.0,
            n[1] * n[1] - 1.0 / 3.0,
            n[0] * n[1],
            n[1] * n[2],
            n[2] * n[0],
        ];
        return n.into_iter().chain(even).chain([fourth]).collect();
    }
    n.to_vec()
}

/// What was seen of a fluid at one time step.
pub(super) struct Sampled<'a, const D: usize> {
    fluid: &'a Fluid<D>,
    /// The rms step of a particle with D = 1 along an axis.
    pub(super) step: f64,
    /// Steps from each start.
    steps: usize,
    blocks: Vec<Block<D>>,
    late: u64,
    worst: f64,
    smallest_gap: f64,
}

impl<'a, const D: usize> Sampled<'a, D> {
    /// Watches a fluid for `steps` steps of width `step` from each of these starts.
    pub(super) fn watch(
        context: &Context,
        fluid: &'a Fluid<D>,
        starts: &[Vec<Seed<D>>],
        step: f64,
        steps: usize,
    ) -> Result<Self, CheckError> {
        let mut seen = Self {
            fluid,
            step,
            steps,
            blocks: Vec::new(),
            late: 0,
            worst: 0.0,
            smallest_gap: f64::INFINITY,
        };
        for (number, start) in starts.iter().enumerate() {
            // Other numbers for every fluid, step and start.
            let key =
                step.to_bits() ^ fluid.phi.to_bits().rotate_left(20) ^ (fluid.search as u64) << 8;
            seen.follow(start, context.seed(key ^ (number as u64) << 32 ^ D as u64))?;
        }
        Ok(seen)
    }

    fn follow(&mut self, start: &[Seed<D>], seed: u64) -> Result<(), CheckError> {
        let (fluid, step) = (self.fluid, self.step);
        let pairings = fluid.pairings();
        let sizes: Vec<[f64; 2]> =
            pairings.iter().map(|&pair| [fluid.distance(pair), fluid.width(pair, step)]).collect();
        let mut engine = fluid.world(step).seed(seed).with(start)?;
        let (mut block, mut pairs) = (Block::new(fluid), Block::new(fluid).pairs);
        let mut log = Log::new(&fluid.components, &engine.view(), |meeting: &Meeting<D>| {
            let pairing = pairings.iter().position(|&pair| pair == meeting.components).unwrap_or(0);
            block.add(meeting, pairing, sizes[pairing][0], sizes[pairing][1]);
        });
        let every = (self.steps / 4).max(1);
        for k in 1..=self.steps {
            engine.step(&mut log)?;
            if k % every == 0 {
                pairs.iter_mut().for_each(|pairs| pairs.sample(&engine.view()));
            }
        }
        self.worst = if log.worst.is_nan() { log.worst } else { self.worst.max(log.worst) };
        self.late += engine.tally().late;
        self.smallest_gap = self.smallest_gap.min(smallest_gap(&engine.view()));
        self.blocks.push(Block { pairs, ..block });
        Ok(())
    }

    fn name(&self) -> String {
        format!("{}, s {}:", self.fluid.name(), self.step)
    }

    /// All laws of the log, and the contact value of g(r); `bias` is the share by which the contact
    /// value of theory may be off.
    pub(super) fn judge(&self, bias: f64, findings: &mut Findings) {
        self.contacts_are_as_many(bias, findings);
        let mut zero_on_average = |what: &str, rows: &dyn Fn(&Block<D>) -> Vec<f64>| {
            let rows: Vec<Vec<f64>> = self.blocks.iter().map(rows).collect();
            let expected = vec![0.0; rows[0].len()];
            findings.add(means_of_blocks(&format!("{} {what}", self.name()), &rows, &expected));
        };
        zero_on_average("times uniform in the step", &|block| block.times.clone());
        if D > 1 {
            zero_on_average("normals isotropic", &|block| block.normals.clone());
            zero_on_average("impacts uniform over the cross-section", &|block| {
                block.impacts.clone()
            });
        }
        for (k, pairing) in self.fluid.pairings().into_iter().enumerate() {
            let what = format!(
                "approaches of {} beside Rayleigh's distribution",
                self.pairing_name(pairing)
            );
            zero_on_average(&what, &|block| block.approaches[k].clone());
        }
        if self.fluid.components.iter().all(|component| component.radius == 0.5) {
            findings.add(self.pressure(bias));
        }
        for (k, pairing) in self.fluid.pairings().into_iter().enumerate() {
            findings.add(self.contact_value(k, pairing, bias));
        }
        findings.add(exact(
            &format!("{} contacts found late", self.name()),
            self.late as f64,
            0.0,
            0.5,
        ));
        let what =
            format!("{} paths beside those that the log tells of, in roundings", self.name());
        findings.add(exact(&what, self.worst, 0.0, 1.0));
        let overlap = (-self.smallest_gap).max(0.0);
        let what = format!("{} deepest overlap at the end", self.name());
        findings.add(exact(&what, overlap, 0.0, rounding(self.fluid)));
    }

    fn pairing_name(&self, [a, b]: [usize; 2]) -> String {
        if self.fluid.components.len() == 1 {
            "pairs".into()
        } else {
            format!("components {a} and {b}")
        }
    }

    fn contacts_are_as_many(&self, bias: f64, findings: &mut Findings) {
        for (k, pairing) in self.fluid.pairings().into_iter().enumerate() {
            let in_theory = self.fluid.contacts_per_step(pairing, self.step) * self.steps as f64;
            let blocks: Vec<f64> =
                self.blocks.iter().map(|block| block.contacts[k] / in_theory).collect();
            let what =
                format!("{} contacts of {} / theory", self.name(), self.pairing_name(pairing));
            findings.add(mean_of_blocks(&what, &blocks, 1.0).with_bias(bias));
        }
    }

    /// The virial theorem.
    fn pressure(&self, bias: f64) -> Finding {
        let z =
            |block: &Block<D>| 1.0 + block.virial / (D * self.fluid.particles * self.steps) as f64;
        let blocks: Vec<f64> = self.blocks.iter().map(z).collect();
        let expected = self.fluid.compressibility_factor();
        let what = format!("{} P V / N k T from the log", self.name());
        mean_of_blocks(&what, &blocks, expected).with_bias(bias * (expected - 1.0))
    }

    fn contact_value(&self, k: usize, pairing: [usize; 2], bias: f64) -> Finding {
        let value = |block: &Block<D>| block.pairs[k].at_contact(self.fluid, BINS[0]);
        let blocks: Vec<f64> = self.blocks.iter().map(value).collect();
        let expected = self.fluid.contact_value(pairing);
        let what =
            format!("{} contact value of g(r) of {}", self.name(), self.pairing_name(pairing));
        mean_of_blocks(&what, &blocks, expected).with_bias((bias + 0.001) * expected)
    }

    /// g(r) of the first component by bins, and its standard errors.
    pub(super) fn pair_distribution(&self) -> (Vec<[f64; 2]>, Vec<f64>) {
        let values: Vec<Vec<f64>> =
            self.blocks.iter().map(|block| block.pairs[0].values(self.fluid)).collect();
        let centres = self.blocks[0].pairs[0].centres();
        let of_bin = |bin: usize| {
            mean_and_error(&values.iter().map(|values| values[bin]).collect::<Vec<_>>())
        };
        centres
            .into_iter()
            .enumerate()
            .map(|(bin, r)| (of_bin(bin), r))
            .map(|((g, error), r)| ([r, g], error))
            .unzip()
    }

    /// Contacts per particle and step, and what theory says.
    pub(super) fn contacts_per_particle(&self) -> [f64; 2] {
        let all: f64 = self.blocks.iter().flat_map(|block| &block.contacts).sum();
        let theory: f64 = self
            .fluid
            .pairings()
            .into_iter()
            .map(|pair| self.fluid.contacts_per_step(pair, self.step))
            .sum();
        // Each contact is one of two particles.
        let share = 2.0 / self.fluid.particles as f64;
        [all / (self.steps * self.blocks.len()) as f64 * share, theory * share]
    }
}

/// How far particles may overlap by rounding. Diameters are of order 1; coordinates have the
/// precision of the largest.
pub(super) fn rounding<const D: usize>(fluid: &Fluid<D>) -> f64 {
    1e-12 + 8.0 * f64::EPSILON * fluid.edge()
}
