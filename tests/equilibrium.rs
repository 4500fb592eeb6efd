//! Fluids of hard spheres and disks in equilibrium: no overlap, the structure, and the laws that their
//! contacts obey, which hold at any time step since bodies bounce elastically with masses 1/D.

mod common;

use std::f64::consts::{FRAC_PI_2, PI};

use common::fluid::{Fluid, Kind, Log, Meeting, PairDistribution};
use common::{Measured, World, advance, is_uniform, on_lattice, prove, unwrapped};
use jostle::brownian::Seed;
use jostle::observe::View;
use jostle::space::Domain;

/// How many starts, independent of each other, a fluid is watched from; each is one block for errors.
const STARTS: usize = 80;

/// What was seen of a fluid.
struct Seen<'a, const D: usize> {
    fluid: &'a Fluid<D>,
    step: f64,
    /// Steps from each start.
    steps: usize,
    /// Contacts from each start.
    meetings: Vec<Vec<Meeting<D>>>,
    /// The contact value of the pair distribution, from each start.
    contact_value: Vec<f64>,
}

/// Watches a fluid in steps of width `step` until it has had about `contacts` contacts.
fn watch<'a, const D: usize>(
    fluid: &'a Fluid<D>,
    starts: &[Vec<Seed<D>>],
    step: f64,
    contacts: f64,
) -> Seen<'a, D> {
    let mut seen = Seen { step, steps: 0, meetings: Vec::new(), contact_value: Vec::new(), fluid };
    seen.steps = (contacts / starts.len() as f64 / seen.expected_per_step()) as usize + 1;
    let every = (seen.steps / 5).max(1);
    for (n, start) in starts.iter().enumerate() {
        let mut engine = fluid.world(step).seed(1000 + n as u64).with(start);
        let mut log = Log::new(&fluid.kinds, &engine.view());
        let mut pairs = PairDistribution::new(0.1);
        for k in 1..=seen.steps {
            engine.step(&mut log).unwrap();
            if k % every == 0 {
                pairs.sample(&engine.view());
            }
        }
        assert_eq!(engine.tally().late, 0, "no contact is found too late");
        assert!(log.worst < 1.0, "the log replays everybody's path: {:e}", log.worst);
        seen.meetings.push(log.meetings);
        seen.contact_value.push(pairs.at_contact(fluid));
    }
    seen
}

impl<const D: usize> Seen<'_, D> {
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
        let surface = [2.0, 2.0 * PI * r, 4.0 * PI * r * r][D - 1];
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
            self.mean(&format!("normal along axis {k}, mean square"), 1.0 / D as f64, |m| {
                m.normal[k].powi(2)
            });
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
            let virial =
                |m: &Meeting<D>| 2.0 * self.distance(m.kinds) * m.approach / self.width(m.kinds).powi(2);
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

/// Equal bodies, at two time steps whose widths differ tenfold.
fn equals<const D: usize>(phi: f64, contacts: f64) {
    let fluid = Fluid::<D>::of_equals(phi);
    let starts = fluid.equilibrated(STARTS);
    for step in [0.1, 0.01] {
        let seen = watch(&fluid, &starts, step, contacts);
        seen.counts_are_right(0.0);
        seen.times_are_uniform();
        seen.approaches_are_rayleigh();
        seen.pressure_is_right();
        if D > 1 {
            seen.normals_are_isotropic();
            seen.impact_parameters_are_uniform();
            seen.contact_value_is_right();
        }
    }
}

#[test]
fn rods_at_half_filling() {
    prove("rods at 50 %", || equals::<1>(0.5, 1e5));
}

#[test]
fn spheres_at_ten_percent() {
    prove("spheres at 10 %", || {
        equals::<3>(0.1, 1e5);
    });
}

#[test]
fn spheres_at_thirty_percent() {
    prove("spheres at 30 %", || {
        equals::<3>(0.3, 3e5);
    });
}

#[test]
fn disks_at_twenty_percent() {
    prove("disks at 20 %", || {
        equals::<2>(0.2, 1e5);
    });
}

#[test]
fn disks_at_forty_percent() {
    prove("disks at 40 %", || {
        equals::<2>(0.4, 3e5);
    });
}

/// Two kinds of bodies at two time steps.
fn mixture<const D: usize>(phi: f64, kinds: [Kind; 2], steps: [f64; 2], bias: f64) {
    let fluid = Fluid::<D>::new(phi, &kinds);
    let starts = fluid.equilibrated(STARTS);
    for step in steps {
        let seen = watch(&fluid, &starts, step, 2e5);
        seen.counts_are_right(bias);
        seen.times_are_uniform();
        seen.normals_are_isotropic();
        seen.impact_parameters_are_uniform();
        seen.approaches_are_rayleigh();
    }
}

/// Equal spheres have the same structure whatever their diffusion coefficients are.
#[test]
fn spheres_that_diffuse_25_times_slower_than_others() {
    let kinds = [Kind { radius: 0.5, diffusion: 1.0 }, Kind { radius: 0.5, diffusion: 0.04 }];
    prove("unequal D", || mixture::<3>(0.3, kinds, [0.2, 0.02], 0.0));
}

/// The contact values of mixtures are exact to second order in the packing fraction only; for equal
/// bodies the neglected terms make 0.2 % at this one.
#[test]
fn small_and_large_spheres() {
    let kinds = [Kind { radius: 0.5, diffusion: 1.0 }, Kind { radius: 0.3, diffusion: 5.0 / 3.0 }];
    prove("small and large spheres", || mixture::<3>(0.2, kinds, [0.1, 0.01], 0.002));
}

#[test]
fn small_and_large_disks() {
    let kinds = [Kind { radius: 0.5, diffusion: 1.0 }, Kind { radius: 0.3, diffusion: 5.0 / 3.0 }];
    prove("small and large disks", || mixture::<2>(0.3, kinds, [0.1, 0.01], 0.002));
}

/// The smallest distance between any two surfaces, and between any surface and a wall.
fn smallest_gap<const D: usize>(view: &View<'_, D>) -> f64 {
    let (p, edges) = (view.particles, view.domain.edges());
    let mut smallest = f64::INFINITY;
    for i in 0..p.len() {
        for j in 0..i {
            let apart = view.domain.nearest_image(p.position[j] - p.position[i]).norm();
            smallest = smallest.min(apart - p.radius[i] - p.radius[j]);
        }
        for k in (0..D).filter(|&k| !view.domain.is_periodic(k)) {
            let x = p.position[i][k];
            smallest = smallest.min(x - p.radius[i]).min(edges[k] - p.radius[i] - x);
        }
    }
    smallest
}

/// Runs a fluid and looks for overlap after every step.
fn never_overlaps<const D: usize>(fluid: &Fluid<D>, world: World<D>, steps: usize) {
    let mut engine = world.with(&on_lattice(fluid.edge(), fluid.bodies, fluid.kinds.len()));
    let mut smallest = f64::INFINITY;
    for _ in 0..steps {
        advance(&mut engine, 1);
        smallest = smallest.min(smallest_gap(&engine.view()));
    }
    println!("  {D}D phi {}: smallest gap {smallest:.1e} in {:?}", fluid.phi, engine.tally());
    // Diameters are 1. Coordinates have the precision of the largest one.
    let rounding = 1e-12 + 8.0 * f64::EPSILON * fluid.edge();
    assert!(smallest > -rounding, "{D}D: bodies overlap by {:e}", -smallest);
    assert_eq!(engine.tally().late, 0, "no contact is found too late");
}

#[test]
fn bodies_never_overlap() {
    prove("no overlap", || {
        let spheres = Fluid::<3>::of_equals(0.3);
        never_overlaps(&spheres, spheres.world(0.1), 1000);
        let disks = Fluid::<2>::of_equals(0.4);
        never_overlaps(&disks, disks.world(0.1), 2000);
        never_overlaps(&disks, disks.world(0.01), 2000);
        let mixed = Fluid::<3>::new(
            0.25,
            &[Kind { radius: 0.5, diffusion: 0.1 }, Kind { radius: 0.25, diffusion: 2.0 }],
        );
        let mut closed = mixed.world(0.2);
        closed.domain = Domain::new([mixed.edge(); 3], [false; 3]);
        never_overlaps(&mixed, closed, 500);
    });
}

/// The mean squared displacement becomes linear within about one diameter^2 / D0; from then on D / D0 is
/// 1 - 2 phi to first order, in 2D and 3D. Terms of second order, and steps of a fifth of a diameter,
/// together make less than 1 % at phi = 0.1 (0.793 to 0.808 with an independent program, at four steps).
#[test]
fn crowding_slows_down_long_time_self_diffusion() {
    prove("long-time self-diffusion", || {
        let fluid = Fluid::<3>::of_equals(0.1);
        let (step, times) = (0.2_f64, 600);
        let steps_per_time = (2.0 / (step * step)).round() as usize;
        let mut engine = fluid.world(step).seed(5).with(&fluid.equilibrated(1)[0]);
        let mut path = vec![unwrapped(&engine)];
        for _ in 0..times {
            advance(&mut engine, steps_per_time);
            path.push(unwrapped(&engine));
        }
        let squared = |from: usize, lag: usize| {
            let moved =
                path[from + lag].iter().zip(&path[from]).map(|(now, then)| (*now - *then).norm_squared());
            moved.sum::<f64>() / fluid.bodies as f64
        };
        let slope = |from: usize| (squared(from, 6) - squared(from, 2)) / (6.0 * 4.0);
        // No two blocks share any motion.
        let blocks: Vec<f64> =
            (0..times / 12).map(|n| (12 * n..12 * n + 6).map(slope).sum::<f64>() / 6.0).collect();
        let measured = Measured::of_blocks(&blocks);
        measured.agrees_within("D/D0 at phi = 0.1, 1 - 2 phi", 0.8, 0.01 * 0.8);
        assert!((measured.value - 0.8).abs() < 0.03 * 0.8, "{measured:?}");
    });
}
