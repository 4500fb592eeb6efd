//! Fluids of hard spheres and disks in equilibrium: no overlap, the structure, and the laws that their
//! contacts obey, which hold at any time step since bodies bounce elastically with masses 1/D.

mod common;

use std::f64::consts::{FRAC_PI_2, PI};

use common::fluid::{Fluid, Kind, Log, Meeting, PairDistribution};
use common::{Measured, Timed, World, advance, follows, is_uniform, mean_of, on_lattice, unwrapped};
use jostle::brownian::Brownian;
use jostle::observe::{Nobody, View};

/// How many starts are independent of each other; each is one block for errors.
const STARTS: usize = 40;

/// What was seen of a fluid.
struct Seen<const D: usize> {
    fluid: Fluid<D>,
    step: f64,
    /// Steps from each start.
    steps: usize,
    /// Contacts from each start.
    meetings: Vec<Vec<Meeting<D>>>,
    /// The contact value of the pair distribution, from each start.
    contact_value: Vec<f64>,
}

/// Watches a fluid in steps of width `step` until it has had about `contacts` contacts.
fn watch<const D: usize>(fluid: Fluid<D>, step: f64, contacts: f64) -> Seen<D> {
    let mut seen = Seen { step, steps: 0, meetings: Vec::new(), contact_value: Vec::new(), fluid };
    seen.steps = (contacts / STARTS as f64 / seen.expected_per_step()) as usize + 1;
    let every = (seen.steps / 10).max(1);
    for (n, start) in seen.fluid.equilibrated(STARTS).iter().enumerate() {
        let mut engine = seen.fluid.world(step).seed(1000 + n as u64).with(start);
        let mut log = Log::new(&seen.fluid.kinds, &engine.view());
        let mut pairs = PairDistribution::new(0.1);
        for k in 0..seen.steps {
            engine.step(&mut log).unwrap();
            if k % every == 0 {
                pairs.sample(&engine.view());
            }
        }
        assert_eq!(engine.tally().late, 0, "no contact is found too late");
        assert!(log.worst < 1e-9, "the log replays everybody's path: {:e}", log.worst);
        seen.meetings.push(log.meetings);
        seen.contact_value.push(pairs.at_contact(&seen.fluid));
    }
    seen
}

impl<const D: usize> Seen<D> {
    /// All pairs of kinds.
    fn pairings(&self) -> Vec<[usize; 2]> {
        let kinds = self.fluid.kinds.len();
        (0..kinds).flat_map(|a| (a..kinds).map(move |b| [a, b])).collect()
    }

    /// The width s per axis of the relative steps of a pair.
    fn width(&self, [a, b]: [usize; 2]) -> f64 {
        let diffusion = self.fluid.kinds[a].diffusion + self.fluid.kinds[b].diffusion;
        self.step * diffusion.sqrt()
    }

    /// How far apart the centres of a pair are at contact.
    fn distance(&self, [a, b]: [usize; 2]) -> f64 {
        self.fluid.kinds[a].radius + self.fluid.kinds[b].radius
    }

    /// Contacts per step of a pair of kinds: pairs times contact volume times contact value over
    /// volume. The contact volume is the surface at contact times the mean approach s / sqrt(2 pi).
    fn expected(&self, kinds: [usize; 2]) -> f64 {
        let r = self.distance(kinds);
        let surface = if D == 2 { 2.0 * PI * r } else { 4.0 * PI * r * r };
        let contact_volume = surface * self.width(kinds) / (2.0 * PI).sqrt();
        self.fluid.pairs(kinds) * contact_volume * self.fluid.contact_value(kinds) / self.fluid.volume()
    }

    fn expected_per_step(&self) -> f64 {
        self.pairings().into_iter().map(|kinds| self.expected(kinds)).sum()
    }

    /// Holds the mean of `quantity` over the contacts, each start a block, to the `expected` one.
    fn mean(&self, what: &str, expected: f64, quantity: impl Fn(&Meeting<D>) -> f64) {
        self.mean_of_pair(what, None, expected, quantity);
    }

    fn mean_of_pair(
        &self,
        what: &str,
        kinds: Option<[usize; 2]>,
        expected: f64,
        quantity: impl Fn(&Meeting<D>) -> f64,
    ) {
        let of_start = |meetings: &Vec<Meeting<D>>| {
            let chosen: Vec<f64> =
                meetings.iter().filter(|m| kinds.is_none_or(|k| m.kinds == k)).map(&quantity).collect();
            chosen.iter().sum::<f64>() / chosen.len() as f64
        };
        let blocks: Vec<f64> = self.meetings.iter().map(of_start).collect();
        Measured::of_blocks(&blocks).agrees(&format!("{} {what}", self.name()), expected);
    }

    fn name(&self) -> String {
        format!("{D}D phi {} s {}:", self.fluid.phi, self.step)
    }

    /// Contacts per step, of each pair of kinds, in units of the expected number.
    fn counts_are_right(&self, bias: f64) {
        for kinds in self.pairings() {
            let in_theory = self.expected(kinds) * self.steps as f64;
            let of_start = |meetings: &Vec<Meeting<D>>| {
                meetings.iter().filter(|m| m.kinds == kinds).count() as f64 / in_theory
            };
            let blocks: Vec<f64> = self.meetings.iter().map(of_start).collect();
            let name = format!("{} contacts of kinds {kinds:?} over theory", self.name());
            Measured::of_blocks(&blocks).agrees_within(&name, 1.0, bias);
        }
    }

    fn times_are_uniform(&self) {
        self.mean("<t>", 1.0 / 2.0, |m| m.time);
        self.mean("<t^2>", 1.0 / 3.0, |m| m.time * m.time);
        let mut counts = [0; 20];
        self.meetings.iter().flatten().for_each(|m| counts[((m.time * 20.0) as usize).min(19)] += 1);
        is_uniform(&format!("{} times of contact", self.name()), &counts);
    }

    fn normals_are_isotropic(&self) {
        for k in 0..D {
            self.mean(&format!("normal along axis {k}, mean"), 0.0, |m| m.normal[k]);
            self.mean(&format!("normal along axis {k}, mean square"), 1.0 / D as f64, |m| m.normal[k].powi(2));
            let next = (k + 1) % D;
            self.mean(&format!("normal, axes {k} and {next}"), 0.0, |m| m.normal[k] * m.normal[next]);
        }
        let fourth = 3.0 / (D * (D + 2)) as f64;
        self.mean("normal along axis 0, mean fourth power", fourth, |m| m.normal[0].powi(4));
    }

    /// All points of the cross-section are hit alike.
    fn impact_parameters_are_uniform(&self) {
        let share = |m: &Meeting<D>| m.impact.powi(D as i32 - 1);
        self.mean("share of the cross-section inside the impact, mean", 1.0 / 2.0, share);
        self.mean("the same, mean square", 1.0 / 3.0, |m| share(m).powi(2));
    }

    /// Rayleigh: f(v) = (v / s^2) exp(-v^2 / 2 s^2) for each pair of kinds.
    fn approaches_are_rayleigh(&self) {
        for kinds in self.pairings() {
            let s = self.width(kinds);
            let mean = |power: i32, expected: f64| {
                let name = format!("approach of {kinds:?}, power {power}");
                self.mean_of_pair(&name, Some(kinds), expected, |m| (m.approach / s).powi(power));
            };
            mean(1, FRAC_PI_2.sqrt());
            mean(2, 2.0);
            mean(4, 8.0);
        }
    }

    /// Z = 1 + sum of 2 sigma v / s^2 over the contacts / (d N steps): the virial theorem.
    fn pressure_is_right(&self) {
        let of_start = |meetings: &Vec<Meeting<D>>| {
            let virial = |m: &Meeting<D>| 2.0 * self.distance(m.kinds) * m.approach / self.width(m.kinds).powi(2);
            let sum: f64 = meetings.iter().map(virial).sum();
            1.0 + sum / (D * self.fluid.bodies * self.steps) as f64
        };
        let blocks: Vec<f64> = self.meetings.iter().map(of_start).collect();
        let name = format!("{} pressure P V / N k T", self.name());
        Measured::of_blocks(&blocks).agrees(&name, self.fluid.compressibility_factor());
    }

    fn contact_value_is_right(&self) {
        let name = format!("{} contact value of g(r)", self.name());
        Measured::of_blocks(&self.contact_value).agrees(&name, self.fluid.contact_value([0, 0]));
    }
}

/// Equal bodies at two time steps whose widths differ tenfold.
fn equals<const D: usize>(phi: f64, contacts: f64) {
    for step in [0.1, 0.01] {
        let seen = watch(Fluid::<D>::of_equals(phi), step, contacts);
        seen.counts_are_right(0.0);
        seen.times_are_uniform();
        seen.normals_are_isotropic();
        seen.impact_parameters_are_uniform();
        seen.approaches_are_rayleigh();
        seen.pressure_is_right();
        seen.contact_value_is_right();
    }
}

#[test]
fn spheres_at_ten_percent() {
    let _timed = Timed::new("spheres at 10 %");
    equals::<3>(0.1, 1e5);
}

#[test]
fn spheres_at_thirty_percent() {
    let _timed = Timed::new("spheres at 30 %");
    equals::<3>(0.3, 3e5);
}

#[test]
fn disks_at_twenty_percent() {
    let _timed = Timed::new("disks at 20 %");
    equals::<2>(0.2, 1e5);
}

#[test]
fn disks_at_forty_percent() {
    let _timed = Timed::new("disks at 40 %");
    equals::<2>(0.4, 3e5);
}
