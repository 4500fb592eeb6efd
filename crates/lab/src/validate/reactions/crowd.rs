//! Binding in a crowd of hard spheres, against Widom insertion into the same crowd.

use std::f64::consts::PI;

use super::super::statistics::{mean_and_error, ratio_of_blocks};
use super::super::world::{World, lattice};
use super::super::{CheckError, Context, Findings, Picture};
use super::dice::Dice;
use super::ledger::{Ledger, blocks};
use super::lone_pair::Bind;
use jostle_brownian::Seed;
use jostle_core::potentials::{Potentials, StepPotential};
use jostle_core::rules::Chance;
use jostle_core::rules::rates::ReactingPair;
use jostle_core::search::Kind;
use jostle_core::space::{Domain, Vector};
use jostle_core::species::MobilityLaw;

/// Inert spheres of diameter 1 that share the box with one A and one B of the same size.
const INERT: usize = 10;
/// Of all twelve.
const PACKING_FRACTION: f64 = 0.2;
/// The time bound over the time free, in an empty box that is all free.
const DILUTE: f64 = 0.1;
/// Where the well of A and B ends, if they attract each other, and how deep it is. \[kT\]
const WELL: [f64; 2] = [1.5, 1.2];

fn edge() -> f64 {
    ((INERT + 2) as f64 * PI / 6.0 / PACKING_FRACTION).cbrt()
}

/// Inert spheres in equilibrium, by Metropolis moves.
struct MetropolisCrowd {
    domain: Domain<3>,
    places: Vec<Vector<3>>,
    dice: Dice,
}

impl MetropolisCrowd {
    fn new(seed: u64) -> Self {
        let domain = Domain::new([edge(); 3], [true; 3]);
        let places = lattice(edge(), INERT).into_iter().take(INERT).collect();
        Self { domain, places, dice: Dice::new(seed) }
    }

    fn sweep(&mut self) {
        for i in 0..INERT {
            let step = Vector::from_fn(|_| 0.6 * (self.dice.uniform() - 0.5));
            let to = self.domain.wrap(self.places[i] + step).0;
            if self.is_free(to, 1.0, i) {
                self.places[i] = to;
            }
        }
    }

    /// Whether no particle, but perhaps `except`, has its centre within `distance` of `place`.
    fn is_free(&self, place: Vector<3>, distance: f64, except: usize) -> bool {
        let far = |other: Vector<3>| {
            self.domain.nearest_image(other - place).norm_squared() >= distance * distance
        };
        self.places.iter().enumerate().all(|(j, &other)| j == except || far(other))
    }

    /// Of `trials` places: the shares at which there is room for the sphere that a pair becomes,
    /// for a pair in touch, and (of all pairs of places) for two spheres at once, without and with
    /// the weight exp(−U) of the well.
    fn room(&mut self, trials: usize) -> [f64; 4] {
        let (mut sphere, mut touching) = (0.0, 0.0);
        let mut free = Vec::new();
        for _ in 0..trials {
            let place = self.dice.place(edge());
            sphere += f64::from(self.is_free(place, 0.5 + 0.5 * 2_f64.cbrt(), INERT));
            if self.is_free(place, 1.0, INERT) {
                free.push(place);
                let other = place + self.dice.direction();
                touching += f64::from(self.is_free(other, 1.0, INERT));
            }
        }
        let (mut pairs, mut weighted) = (0.0, 0.0);
        for (n, place) in free.iter().enumerate() {
            for other in &free[..n] {
                let squared = self.domain.nearest_image(*place - *other).norm_squared();
                if squared >= 1.0 {
                    pairs += 1.0;
                    weighted += if squared < WELL[0] * WELL[0] { libm::exp(WELL[1]) } else { 1.0 };
                }
            }
        }
        let all = trials as f64;
        let of_pairs = 0.5 * all * (all - 1.0);
        [sphere / all, touching / all, pairs / of_pairs, weighted / of_pairs]
    }
}

/// K_eff/K, with standard errors, for a pair that becomes a sphere of its volume, for one joined by a
/// bond, and for one joined by a bond in a [`WELL`]: the room for the product over that for A and B
/// apart.
fn by_insertion(context: &Context) -> [(f64, f64); 3] {
    let mut crowd = MetropolisCrowd::new(context.seed(1));
    (0..1000).for_each(|_| crowd.sweep());
    let sums: Vec<[f64; 4]> = (0..50)
        .map(|_| {
            let mut sum = [0.0; 4];
            for _ in 0..context.either(400, 8000) {
                (0..3).for_each(|_| crowd.sweep());
                let room = crowd.room(60);
                sum = [0, 1, 2, 3].map(|n| sum[n] + room[n]);
            }
            sum
        })
        .collect();
    [(0, 2, 1.0), (1, 2, 1.0), (1, 3, libm::exp(WELL[1]))].map(|(product, apart, weight)| {
        let total = |n: usize| sums.iter().map(|block| block[n]).sum::<f64>();
        let ratio = total(product) / total(apart);
        let left: Vec<f64> =
            sums.iter().map(|block| block[product] - ratio * block[apart]).collect();
        let error = mean_and_error(&left).1 * left.len() as f64 / total(apart);
        (weight * ratio, weight * error)
    })
}

/// How long one A and one B among inert spheres are bound and free.
fn measured(
    (action, attracts): (Bind, bool),
    p: f64,
    s: f64,
    cycles: u64,
    seed: u64,
) -> Result<Vec<[f64; 2]>, CheckError> {
    let timestep = 0.5 * s * s;
    let rate =
        p * ReactingPair::new(3, 1.0, 1.0)?.contact_rate(timestep) / (DILUTE * edge().powi(3));
    let mut world = World::<3>::periodic(edge()).timestep(timestep).seed(seed).search(Kind::Naive);
    world = world
        .species(0.5, 0.3)
        .species(0.5, 0.7)
        .species(0.5 * 2_f64.cbrt(), 0.4)
        .species(0.5, 0.5);
    world = world.rules(action.reversibly(Chance::Probability(p), rate));
    world.mobility = MobilityLaw::Rouse;
    if attracts {
        let well = StepPotential::new(vec![WELL[0]], vec![-WELL[1]]);
        let radii = [Some(0.5), Some(0.5), None, Some(0.5)];
        world.potentials = Potentials::new(&radii, [([0, 1], &well)]);
    }
    let kinds = [0, 1].into_iter().chain(std::iter::repeat_n(3, INERT));
    let places = lattice(edge(), INERT + 2);
    let particles: Vec<_> =
        kinds.zip(places).map(|(species, position)| Seed { species, position }).collect();
    let mut engine = world.with(&particles)?;
    let mut ledger = Ledger::default();
    while engine.tally().unbound <= cycles {
        engine.step(&mut ledger)?;
    }
    Ok(ledger.cycles())
}

/// At 20 % packing a pair binds three times as often as in an empty box if it becomes one sphere,
/// and nearly twice as often if it forms a dimer; attraction adds its own factor.
pub(super) fn equilibrium(context: &Context) -> Result<Findings, CheckError> {
    let mut findings = Findings::default();
    let kinds = [
        (Bind::Coalesce, false, Bind::Coalesce.name().to_owned()),
        (Bind::Bond, false, Bind::Bond.name().to_owned()),
        (Bind::Bond, true, format!("{} in a well of {} kT", Bind::Bond.name(), WELL[1])),
    ];
    let mut picture =
        Picture::new("K in a crowd of 20 % packing", "rms step over contact distance", "K_eff/K");
    for (n, ((action, attracts, name), (factor, error))) in
        (0..).zip(kinds.into_iter().zip(by_insertion(context)))
    {
        let mut points = Vec::new();
        for (p, s) in [(0.5, 0.3), (1.0, 1.0)] {
            let cycles = context.either(3000, 60_000);
            let seed = context.seed(10 * n + (10.0 * s) as u64);
            let rows = measured((action, attracts), p, s, cycles, seed)?;
            let rows: Vec<_> =
                blocks(&rows, cycles as usize / 50).iter().map(|[b, f]| [b / DILUTE, *f]).collect();
            let what = format!("K_eff/K, {name}, p = {p}, s = {s} R");
            let finding = ratio_of_blocks(&what, &rows, factor).beside_measured(error);
            points.push(([s, finding.measured], finding.error));
            findings.add(finding);
        }
        let (points, errors) = points.into_iter().unzip();
        let line = vec![[0.3, factor], [1.0, factor]];
        picture = picture.theory(&format!("{name}, by insertion"), line);
        picture = picture.measured(&name, points, errors);
    }
    findings.show(picture);
    Ok(findings)
}
