//! Crowds of particles that live on a plane or a sphere: they are hard disks.

use std::f64::consts::PI;

use super::super::statistics::{exact, mean_of_blocks};
use super::super::world::{World, advance};
use super::super::{CheckError, Context, Findings, Picture};
use super::scene::with_anchor;
use jostle_brownian::Seed;
use jostle_core::environment::{Manner, Shape};
use jostle_core::search::Kind;
use jostle_core::space::{Domain, Vector};
use jostle_core::theory::{contact_value_virial, finite_size};

/// So many particles of diameter 1 and D = 1.
const SIDE: usize = 20;
const PARTICLES: usize = SIDE * SIDE;
/// The share of the surface that they cover.
const PHI: f64 = 0.3;
/// The rms step along an axis.
const STEP: f64 = 0.3;
/// Steps to forget the start, and of a block.
const MELTING: usize = 300;
const BLOCK: usize = 40;
/// How much larger what is common to the caps about two that touch is on a sphere, in units of the
/// square of the diameter over the radius: to first order, by counting points.
const CURVED: f64 = 0.1;
/// How far pairs are looked at, and in how many bins.
const FAR: f64 = 2.5;
const BINS: usize = 30;

/// A crowd somewhere.
struct SurfaceCrowd {
    name: &'static str,
    surface: Shape<3>,
    edges: [f64; 3],
    start: Vec<Seed<3>>,
    /// How much faster pairs come nearer to each other than on a plane at the same D.
    faster: f64,
    /// How often a pair is in touch, beside an ideal one.
    contact: f64,
    /// By what part of that it may be off.
    bias: f64,
}

/// What was seen of it.
struct CrowdSample {
    /// Contacts in a block, over those of theory.
    contacts: Vec<f64>,
    /// How many pairs there were in each bin.
    pairs: [f64; BINS],
    samples: f64,
    smallest_gap: f64,
}

fn area() -> f64 {
    0.25 * PI * PARTICLES as f64 / PHI
}

/// On a plane that ends nowhere.
fn on_a_plane() -> SurfaceCrowd {
    let edge = area().sqrt();
    let place = |n: usize| {
        Vector([(n % SIDE) as f64, (n / SIDE) as f64, 0.0].map(|x| x * edge / SIDE as f64))
    };
    let start =
        (0..PARTICLES).map(|n| Seed { species: 0, position: place(n) + Vector([0.0, 0.0, 2.0]) });
    SurfaceCrowd {
        name: "plane",
        surface: Shape::Plane { axis: 2, at: 2.0 },
        edges: [edge, edge, 4.0],
        start: start.collect(),
        faster: 1.0,
        contact: contact_value_virial::<2>(PHI),
        bias: 0.001,
    }
}

/// On a sphere of the same area. Distances are straight, so that a particle that is nearer than 1
/// is on a cap of area pi, as on a plane; the part that is common to those of two in touch is a
/// little larger.
fn on_a_sphere() -> SurfaceCrowd {
    let radius = (area() / (4.0 * PI)).sqrt();
    let middle = Vector([radius + 2.0; 3]);
    let golden = PI * (3.0 - 5.0_f64.sqrt());
    let place = |n: usize| {
        let z = 1.0 - (2 * n + 1) as f64 / PARTICLES as f64;
        let (sine, cosine) = libm::sincos(golden * n as f64);
        middle + Vector([(1.0 - z * z).sqrt() * cosine, (1.0 - z * z).sqrt() * sine, z]) * radius
    };
    let flat = contact_value_virial::<2>(PHI);
    let more = CURVED / (radius * radius);
    SurfaceCrowd {
        name: "sphere",
        surface: Shape::Ball { centre: middle, radius },
        edges: [2.0 * radius + 4.0; 3],
        start: (0..PARTICLES).map(|n| Seed { species: 0, position: place(n) }).collect(),
        // Along the chord between two in touch, by arcs that are as long as diffusion on the sphere
        // asks for.
        faster: (1.0 - 0.25 / (radius * radius)).sqrt() * (1.0 - (STEP / radius).powi(2) / 12.0),
        contact: 1.0 + (flat - 1.0) * (1.0 + more),
        bias: 0.001 + more * (flat - 1.0),
    }
}

impl SurfaceCrowd {
    fn contacts_per_step(&self) -> f64 {
        let n = PARTICLES as f64;
        let g = self.contact * (1.0 - finite_size::<2>(PHI, n));
        // The contact line times the mean approach, s/sqrt(2 pi) of both; n^2/2 pairs as g counts
        // them.
        let swept = 2.0 * PI * self.faster * 2.0_f64.sqrt() * STEP / (2.0 * PI).sqrt();
        0.5 * n * n * swept * g / area()
    }

    fn watch(&self, seed: u64, blocks: usize) -> Result<CrowdSample, CheckError> {
        let domain = Domain::new(self.edges, [true; 3]);
        let world = World { domain: domain.clone(), ..World::<3>::periodic(1.0) };
        let world =
            world.timestep(0.5 * STEP * STEP).species(0.5, 1.0).search(Kind::Cubic).seed(seed);
        let mut engine =
            with_anchor(world, &self.surface, &[true], Manner::Ignore).with(&self.start)?;
        advance(&mut engine, MELTING)?;
        let mut seen = CrowdSample {
            contacts: Vec::new(),
            pairs: [0.0; BINS],
            samples: 0.0,
            smallest_gap: f64::INFINITY,
        };
        for _ in 0..blocks {
            let before = engine.tally().contacts;
            advance(&mut engine, BLOCK)?;
            let contacts = (engine.tally().contacts - before) as f64;
            seen.contacts.push(contacts / (BLOCK as f64 * self.contacts_per_step()));
            seen.look(&domain, &engine.particles().position);
        }
        Ok(seen)
    }
}

impl CrowdSample {
    fn look(&mut self, domain: &Domain<3>, places: &[Vector<3>]) {
        self.samples += 1.0;
        for (n, a) in places.iter().enumerate() {
            for b in &places[..n] {
                let apart = domain.nearest_image(*a - *b).norm();
                self.smallest_gap = self.smallest_gap.min(apart - 1.0);
                let bin = (apart - 1.0) / (FAR - 1.0) * BINS as f64;
                if (0.0..BINS as f64).contains(&bin) {
                    self.pairs[bin as usize] += 1.0;
                }
            }
        }
    }

    /// g(r). Rings have the same area on a sphere, if distances are straight.
    fn pair_distribution(&self) -> Vec<[f64; 2]> {
        let width = (FAR - 1.0) / BINS as f64;
        let ideal = 0.5 * (PARTICLES * PARTICLES) as f64 * self.samples / area();
        let bins = self.pairs.iter().enumerate();
        let point = |(k, pairs): (usize, &f64)| {
            let r = 1.0 + (k as f64 + 0.5) * width;
            [r, pairs / (ideal * 2.0 * PI * r * width)]
        };
        bins.map(point).collect()
    }
}

pub(super) fn disks(context: &Context) -> Result<Findings, CheckError> {
    let mut findings = Findings::default();
    let mut picture = Picture::new("Crowds that live on surfaces", "r / diameter", "g(r)");
    for (n, crowd) in (0..).zip([on_a_plane(), on_a_sphere()]) {
        let seen = crowd.watch(context.seed(n), context.either(40, 800))?;
        let what = format!("{}, phi = {PHI}, s = {STEP}", crowd.name);
        let finding =
            mean_of_blocks(&format!("{what}: contacts over those of theory"), &seen.contacts, 1.0);
        findings.add(finding.with_bias(crowd.bias / crowd.contact));
        let overlap = (-seen.smallest_gap).max(0.0);
        findings.add(exact(&format!("{what}: deepest overlap"), overlap, 0.0, 1e-12));
        picture = picture.measured(crowd.name, seen.pair_distribution(), Vec::new());
    }
    let touch = contact_value_virial::<2>(PHI);
    findings.show(picture.theory("contact value of disks", vec![[0.95, touch], [1.0, touch]]));
    Ok(findings)
}
