//! The populations that are measured, with the numbers that other programs are measured with:
//! particles that ignore each other, hard spheres and disks whose step is a part of their radius,
//! particles that bind.

use crate::bench::study::percent;
use crate::bench::{BenchError, crowd, rested};
use jostle_core::rules::{Action, ContactRule};
use jostle_model::potentials::{Energy, Potential};
use jostle_model::{Model, PlacementMethod, parse};

/// Particles in a cubic box, all alike.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Population {
    pub(super) dimension: usize,
    pub(super) particles: usize,
    /// None: they ignore each other.
    pub(super) packing: Option<f64>,
    /// The rms step along each axis. \[radii\]
    pub(super) step: f64,
    pub(super) ties: Ties,
}

/// How particles interact, besides keeping each other out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Ties {
    None,
    /// They attract each other by 1 kT up to 1.5 diameters.
    Wells,
    /// They are the beads of chains, each tethered to the next by 1.6 diameters.
    Chains,
}

/// Beads in a chain.
const CHAIN: usize = 20;

/// The rms step of a crowd along each axis. \[radii\]
const STEP: f64 = 0.1;

impl Population {
    /// Hard spheres or disks with steps of 0.1 radii.
    pub(super) const fn crowd(dimension: usize, particles: usize, packing: f64) -> Self {
        Self { dimension, particles, packing: Some(packing), step: STEP, ties: Ties::None }
    }

    /// Points in space.
    pub(super) const fn points(particles: usize) -> Self {
        Self { dimension: 3, particles, packing: None, step: STEP, ties: Ties::None }
    }

    /// What it is, but for how many.
    pub(super) fn name(&self) -> String {
        let particles = if self.dimension == 2 { "disks" } else { "spheres" };
        match self.packing {
            Some(packing) => {
                let ties = match self.ties {
                    Ties::None => "",
                    Ties::Wells => " in square wells",
                    Ties::Chains => " in chains of 20",
                };
                format!("{particles}{ties} at {}, step {} r", percent(packing), self.step)
            }
            None => "free diffusion".to_owned(),
        }
    }

    /// The model, in disorder: particles placed at random or, where these do not fit, in
    /// equilibrium.
    pub(super) fn model(&self) -> Result<Model, BenchError> {
        let Some(packing) = self.packing else { return points(self.particles) };
        if self.ties == Ties::Chains {
            return chains(self.particles, packing);
        }
        let mut model = disordered(self.dimension, self.particles, packing)?;
        model.run.timestep *= (self.step / STEP) * (self.step / STEP);
        if let (Ties::Wells, Some(radius)) = (self.ties, model.species[0].radius) {
            let between = [vec![0], vec![0]];
            let energy = Energy::Steps(vec![[3.0 * radius, -1.0]]);
            let well = Potential { name: "well".to_owned(), between, energy };
            model.brownian_mut().into_iter().for_each(|m| m.potentials.push(well.clone()));
        }
        Ok(model)
    }
}

/// A crowd of particles that are placed at random or, where these do not fit, in equilibrium.
fn disordered(dimension: usize, particles: usize, packing: f64) -> Result<Model, BenchError> {
    let model = crowd(dimension, particles, packing)?;
    if model
        .placement
        .iter()
        .all(|placement| matches!(placement.how, PlacementMethod::Random { .. }))
    {
        return Ok(model);
    }
    let rest = |model| if dimension == 2 { rested::<2>(model) } else { rested::<3>(model) };
    let copies = 1 << dimension;
    match particles.is_multiple_of(copies) && particles >= copies * FEW {
        true => Ok(doubled(rest(crowd(dimension, particles / copies, packing)?)?)),
        false => rest(model),
    }
}

/// So few particles are brought into equilibrium as they are. Of more, a part that fills half the
/// box along each axis is, and put beside itself: copies part ways with the first step.
const FEW: usize = 5000;

/// A periodic model and its images beside it, twice as long along each axis.
fn doubled(mut model: Model) -> Model {
    let (dimension, edges) = (model.space.dimension, model.space.edges);
    for placement in &mut model.placement {
        let PlacementMethod::Positions(places) = &mut placement.how else { continue };
        let one = std::mem::take(places);
        for copy in 0..1 << dimension {
            let shift = |k: usize| if k < dimension && copy >> k & 1 == 1 { edges[k] } else { 0.0 };
            places.extend(one.iter().map(|place| std::array::from_fn(|k| place[k] + shift(k))));
        }
    }
    model.space.edges[..dimension].iter_mut().for_each(|edge| *edge *= 2.0);
    model
}

/// Ten particles per µm³ that ignore each other: *D* = 1 µm²/s, steps of 0.1 ms.
pub(super) fn points(particles: usize) -> Result<Model, BenchError> {
    let edge = libm::cbrt(particles as f64 / 10.0);
    let mut model = parse(
        &format!(
            r#"
            title = "{particles} particles that ignore each other"
            [space]
            dimension = 3
            edges = "{edge} um"
            [run]
            timestep = "0.1 ms"
            steps = 1
            [[species]]
            name = "point"
            radius = "10 nm"
            diffusion = "1 um^2/s"
            count = {particles}
            [output]
            log = "none"
            "#
        ),
        "bench",
        &[],
    )?;
    if let Some(brownian) = model.brownian_mut() {
        brownian.rules.contact.push(ContactRule::plain("free", [0, 0], Action::Ignore));
    }
    Ok(model)
}

/// Spheres in flexible chains, with steps of 0.1 radii.
fn chains(particles: usize, packing: f64) -> Result<Model, BenchError> {
    let volume = particles as f64 * jostle_core::space::ball_volume(3, 1.0) / packing;
    Ok(parse(
        &format!(
            r#"
title = "chains of tethered spheres"
[space]
dimension = 3
edges = "{} nm"
[run]
timestep = "1 ns"
steps = 1
[[species]]
name = "Bead"
radius = "1 nm"
diffusion = "5 um^2/s"
[[molecule]]
name = "Chain"
chain = {{ species = "Bead", length = {CHAIN} }}
tether = "3.2 nm"
count = {}
[output]
log = "none"
"#,
            libm::cbrt(volume),
            particles / CHAIN,
        ),
        "bench",
        &[],
    )?)
}

/// Spheres at 10 % in a box 100 times longer than wide.
pub(super) fn slab(particles: usize) -> Result<Model, BenchError> {
    let mut model = crowd(3, particles, 0.1)?;
    let width = libm::cbrt(model.space.edges.iter().product::<f64>() / 100.0);
    model.space.edges = [100.0 * width, width, width];
    "a slab 100 times longer than wide".clone_into(&mut model.title);
    Ok(model)
}

/// How two disks become one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Merge {
    /// One disk of the same radius and half the diffusion coefficient.
    Coalesce,
    /// Both stay, side by side, and find no third.
    Bond,
}

impl Merge {
    /// In a model file: the species of the product, and how the rule binds.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Coalesce => (
                "[[species]]\nname = \"A2\"\nradius = \"1 nm\"\ndiffusion = \"2.5 um^2/s\"",
                "merge = \"coalesce\"\nproduct = \"A2\"",
            ),
            Self::Bond => ("", "merge = \"bond\"\nmax_bonds = 1"),
        }
    }
}

/// Disks that fill 5 % of a plane, move 0.1 radii per step and bind in pairs whenever two meet.
pub(super) fn binding_disks(particles: usize, merge: Merge) -> Result<Model, BenchError> {
    let edge = (particles as f64 * jostle_core::space::ball_volume(2, 1.0) / 0.05).sqrt();
    let (product, how) = merge.words();
    Ok(parse(
        &format!(
            r#"
title = "disks that bind"
[space]
dimension = 2
edges = "{edge} nm"
[run]
timestep = "1 ns"
steps = 1
[[species]]
name = "A"
radius = "1 nm"
diffusion = "5 um^2/s"
count = {particles}
{product}
[[rule]]
name = "pair"
on = ["A", "A"]
do = "bind"
{how}
probability = 1
[output]
log = "none"
"#
        ),
        "bench",
        &[],
    )?)
}

/// Receptors as in `egfr_clustering.toml`, all with EGF, at the same density. They form chains, all
/// apart at first: with the rate constants of that model or, if `at_once`, whenever two meet.
pub(super) fn receptors(particles: usize, at_once: bool) -> Result<Model, BenchError> {
    let how = if at_once { "probability = 1" } else { "rate = \"0.28 um^2/s\"\nunbind = \"5 /s\"" };
    gathering(particles, "", &format!("on = [\"EGFR\", \"EGFR\"]\nmax_bonds = 2\n{how}"))
}

/// The same with two sites that are alike, and one that has states, in place of a largest number of
/// bonds: a pair has four possibilities, so that each is a quarter as likely.
pub(super) fn receptors_with_sites(particles: usize) -> Result<Model, BenchError> {
    let sites =
        r#"sites = [{ name = "d" }, { name = "d" }, { name = "Y1068", states = ["u", "p"] }]"#;
    let rule = r#"on = ["EGFR(d)", "EGFR(d)"]
at = ["d", "d"]
rate = "0.07 um^2/s"
unbind = "5 /s""#;
    gathering(particles, sites, rule)
}

/// Receptors with these lines of their species and their rule.
fn gathering(particles: usize, species: &str, rule: &str) -> Result<Model, BenchError> {
    let edge = (particles as f64 / 717.0).sqrt();
    Ok(parse(
        &format!(
            r#"
title = "receptors gather"
[space]
dimension = 2
edges = "{edge} um"
[run]
timestep = "1 us"
steps = 1
[[species]]
name = "EGFR"
radius = "2.5 nm"
diffusion = "0.05 um^2/s"
count = {particles}
{species}
[clusters]
mobility = "rouse"
[[rule]]
name = "dimerise"
do = "bind"
merge = "bond"
{rule}
[output]
log = "none"
"#
        ),
        "bench",
        &[],
    )?)
}

/// Spheres at 10 % that pair and part.
pub(super) fn pairing_spheres(particles: usize, merge: Merge) -> Result<Model, BenchError> {
    let edge = libm::cbrt(particles as f64 * jostle_core::space::ball_volume(3, 1.0) / 0.1);
    let (product, how) = merge.words();
    Ok(parse(
        &format!(
            r#"
title = "spheres that pair and part"
[space]
dimension = 3
edges = "{edge} nm"
[run]
timestep = "1 ns"
steps = 1
[[species]]
name = "A"
radius = "1 nm"
diffusion = "5 um^2/s"
count = {particles}
{product}
[[rule]]
name = "pair"
on = ["A", "A"]
do = "bind"
{how}
probability = 0.01
unbind = "2 /us"
[output]
log = "none"
"#
        ),
        "bench",
        &[],
    )?)
}

/// A + B <-> C, all apart at first, in such a volume that half of the `each` A and B are bound in
/// the end (the dissociation constant is 5 per µm³, and equilibrium comes in 0.7 s, 700 steps). All
/// else passes through each other.
pub(super) fn reversible(each: usize) -> Result<Model, BenchError> {
    let edge = libm::cbrt(0.5 * each as f64 / 5.0);
    let species = [("A", each), ("B", each), ("C", 0)].map(|(name, count)| {
        format!(
            "[[species]]\nname = \"{name}\"\nradius = \"15 nm\"\ndiffusion = \"10 um^2/s\"\ncount = {count}\n"
        )
    });
    let species = species.concat();
    Ok(parse(
        &format!(
            r#"
title = "A + B <-> C"
[space]
dimension = 3
edges = "{edge} um"
[run]
timestep = "1 ms"
steps = 1
{species}
[[rule]]
name = "bind"
on = ["A", "B"]
do = "bind"
merge = "coalesce"
product = "C"
k_on = "0.1 um^3/s"
k_off = "0.5 /s"
[[rule]]
name = "apart"
do = "ignore"
cases = [
    {{ on = ["A", "A"] }}, {{ on = ["B", "B"] }}, {{ on = ["C", "C"] }},
    {{ on = ["A", "C"] }}, {{ on = ["B", "C"] }},
]
[output]
log = "none"
"#
        ),
        "bench",
        &[],
    )?)
}

/// Particles of `psi_prion.toml`, in a box three times as long.
pub(super) const PRIONS: usize = 27 * 360;

/// So many particles as in `psi_prion.toml` that comes along, at the same densities.
pub(super) fn prions(particles: usize) -> Result<Model, BenchError> {
    const TEXT: &str = include_str!("../../../models/psi_prion.toml");
    let times = particles as f64 / 360.0;
    let count = |one: f64| (one * times).round();
    let set = |key: &str, value: String| (key.to_owned(), value);
    let (soluble, prion) = (count(300.0), count(20.0));
    let overrides = [
        set("space.edges", format!("\"{} nm\"", 150.0 * libm::cbrt(times))),
        set("species.Sup35.count", format!("{{ soluble = {soluble}, prion = {prion} }}")),
        set("species.Hsp104.count", count(40.0).to_string()),
    ];
    Ok(parse(TEXT, "psi_prion", &overrides)?)
}

/// Molecules with a head and a tail as in `ring_hexamer.toml` that comes along, at the same density.
pub(super) fn hexamers(particles: usize) -> Result<Model, BenchError> {
    const TEXT: &str = include_str!("../../../models/ring_hexamer.toml");
    let edge = 100.0 * libm::cbrt(particles as f64 / 200.0);
    let overrides = [
        ("space.edges".to_owned(), format!("\"{edge} nm\"")),
        ("species.M.count".to_owned(), particles.to_string()),
    ];
    Ok(parse(TEXT, "ring_hexamer", &overrides)?)
}

/// Of the model that comes along.
pub(super) fn michaelis_menten() -> Result<Model, BenchError> {
    const TEXT: &str = include_str!("../../../models/michaelis_menten.toml");
    Ok(parse(TEXT, "michaelis_menten", &[])?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::scene::none_overlaps;
    use jostle_model::measure;
    use jostle_run::engine;

    #[test]
    fn populations_are_what_they_are_called() {
        let rms = |model: &Model| {
            measure::rms_step(model.species[0].diffusion_coefficient.unwrap(), model.run.timestep)
        };
        for (step, packing) in [(0.1, 0.01), (0.1, 0.3), (0.02, 0.3)] {
            let population = Population { step, ..Population::crowd(3, 60, packing) };
            let model = population.model().unwrap();
            assert!((measure::packing_fraction(&model) - packing).abs() < 1e-9);
            assert!((rms(&model) - step).abs() < 1e-12, "{}", population.name());
        }
        // (2 D dt)^(1/2) of 1 µm²/s and 0.1 ms.
        let points = Population::points(100).model().unwrap();
        assert!((rms(&points) - 14.142).abs() < 1e-3);
        assert!((points.space.edges[0] - 2154.4).abs() < 0.1);
        assert_eq!(Population::crowd(2, 5, 0.4).name(), "disks at 40 %, step 0.1 r");
    }

    #[test]
    fn a_large_crowd_is_made_of_copies_that_do_not_overlap() {
        let population = Population::crowd(2, 4 * FEW, 0.4);
        let model = population.model().unwrap();
        assert!((measure::packing_fraction(&model) - 0.4).abs() < 1e-9);
        let engine = engine::<2>(&model).unwrap();
        assert_eq!(engine.particles().len(), 4 * FEW);
        assert!(none_overlaps::<2>(&model, &engine).unwrap());
    }

    #[test]
    fn a_slab_is_as_full_as_its_cube() {
        let model = slab(200).unwrap();
        assert!((measure::packing_fraction(&model) - 0.1).abs() < 1e-9);
        assert!((model.space.edges[0] / model.space.edges[2] - 100.0).abs() < 1e-9);
    }

    #[test]
    fn those_that_bind_are_as_many_and_as_far_apart_as_they_should_be() {
        for merge in [Merge::Coalesce, Merge::Bond] {
            let model = binding_disks(50, merge).unwrap();
            assert!((measure::packing_fraction(&model) - 0.05).abs() < 1e-9);
        }
        let model = reversible(40).unwrap();
        assert_eq!(model.placement.iter().map(|p| p.count()).sum::<usize>(), 80);
        assert!(
            (model.space.edges.iter().product::<f64>() - 4e9).abs() < 1.0,
            "20 of each are free in 4 µm³"
        );
        assert_eq!(michaelis_menten().unwrap().run.steps, 10_000);
        let (one, more) = (prions(360).unwrap(), prions(8 * 360).unwrap());
        assert_eq!(more.placement.iter().map(|p| p.count()).sum::<usize>(), 2880);
        let packing = [&one, &more].map(measure::packing_fraction);
        assert!((packing[0] / packing[1] - 1.0).abs() < 1e-6, "{packing:?}");
    }
}
