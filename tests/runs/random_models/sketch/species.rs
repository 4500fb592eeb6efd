//! What there is in a random model: radii, diffusion, states, drift, where they live.

use std::fmt::Write;

use super::sites::SITES;
use super::{AXES, Sketch};
use jostle_lab::validate::random::Draws;

/// On which side of its surface a species is found by others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Faces {
    Both,
    Inside,
    Outside,
}

/// What drives a species.
#[derive(Clone, Debug)]
enum Drift {
    Velocity(Vec<f64>),
    Shear { rate: f64, along: usize, across: usize },
    Well { centre: Vec<f64>, relaxation: f64 },
}

/// A species, with one state or two.
#[derive(Clone, Debug)]
pub(crate) struct Species {
    pub(crate) name: &'static str,
    /// Of each state, or one entry for a species without states. None: it arises only by
    /// coalescence.
    particles: Vec<Option<[f64; 2]>>,
    pub(crate) anchor: Option<usize>,
    faces: Faces,
    /// The side of the first surface on which it begins.
    begins: Option<&'static str>,
    pub(super) count: usize,
    drift: Option<Drift>,
    pub(crate) has_sites: bool,
}

/// A species in one of its states, as files name it.
#[derive(Clone, Debug)]
pub(crate) struct Kind {
    pub(crate) name: String,
    pub(crate) species: usize,
    pub(crate) state: usize,
    pub(crate) radius: Option<f64>,
    pub(crate) diffusion: Option<f64>,
    pub(crate) anchor: Option<usize>,
    pub(crate) faces: Faces,
}

pub(crate) const STATES: [&str; 2] = ["x", "y"];
const NAMES: [&str; 4] = ["A", "B", "D", "E"];
/// What arises by coalescence only.
const GROWN: &str = "C";
/// What has sites.
const MOLECULE: &str = "M";

impl Species {
    pub(crate) fn has_states(&self) -> bool {
        self.particles.len() > 1
    }

    pub(crate) fn is_grown(&self) -> bool {
        self.particles[0].is_none()
    }

    pub(crate) fn moves(&self) -> bool {
        self.particles.iter().flatten().all(|particle| particle[1] > 0.0)
    }

    /// \[nm/µs\]
    pub(super) fn drift_speed(&self, diagonal: f64) -> f64 {
        match &self.drift {
            None => 0.0,
            Some(Drift::Velocity(velocity)) => velocity.iter().map(|v| v * v).sum::<f64>().sqrt(),
            Some(Drift::Shear { rate, .. }) => rate * diagonal,
            Some(Drift::Well { relaxation, .. }) => diagonal / relaxation,
        }
    }

    pub(super) fn write(&self, sketch: &Sketch, text: &mut String) {
        writeln!(text, "[[species]]\nname = \"{}\"", self.name).unwrap();
        if let Some([radius, diffusion]) = self.particles[0] {
            // Every third number is packed, and not thrown: without a draw, so that seeds keep their models.
            let count = match self.count {
                n if n > 0 && n % 3 == 0 => format!("placement = {{ packed = {n} }}"),
                n => format!("count = {n}"),
            };
            writeln!(text, "radius = {radius:?}\ndiffusion = {diffusion:?}\n{count}").unwrap();
        }
        if let [_, Some([radius, diffusion])] = self.particles[..] {
            writeln!(text, "states = [\"x\", \"y\"]").unwrap();
            writeln!(
                text,
                "state = {{ y = {{ radius = {radius:?}, diffusion = {diffusion:?} }} }}"
            )
            .unwrap();
        }
        if self.has_sites {
            writeln!(text, "sites = {SITES}").unwrap();
        }
        if let Some(anchor) = self.anchor {
            writeln!(text, "on = \"{}\"", sketch.surfaces[anchor].name).unwrap();
        }
        match self.faces {
            Faces::Both => {}
            Faces::Inside => writeln!(text, "faces = \"inside\"").unwrap(),
            Faces::Outside => writeln!(text, "faces = \"outside\"").unwrap(),
        }
        if let Some(side) = self.begins {
            writeln!(text, "{side} = \"{}\"", sketch.surfaces[0].name).unwrap();
        }
        match &self.drift {
            None => {}
            Some(Drift::Velocity(v)) => writeln!(text, "drift = {{ velocity = {v:?} }}").unwrap(),
            Some(Drift::Shear { rate, along, across }) => {
                let [along, across] = [AXES[*along], AXES[*across]];
                let shear = format!(
                    "{{ rate = \"{rate:?} /us\", along = \"{along}\", across = \"{across}\" }}"
                );
                writeln!(text, "drift = {{ shear = {shear} }}").unwrap();
            }
            Some(Drift::Well { centre, relaxation }) => {
                let well = format!("{{ centre = {centre:?}, relaxation = \"{relaxation:?} us\" }}");
                writeln!(text, "drift = {{ well = {well} }}").unwrap();
            }
        }
    }
}

impl Sketch {
    /// All species in all states, in the order of the file.
    pub(crate) fn kinds(&self) -> Vec<Kind> {
        let mut kinds = Vec::new();
        for (n, species) in self.species.iter().enumerate() {
            for (state, particle) in species.particles.iter().enumerate() {
                let name = match species.has_states() {
                    true => format!("{}{{{}}}", species.name, STATES[state]),
                    false => species.name.to_owned(),
                };
                let [radius, diffusion] =
                    [particle.map(|particle| particle[0]), particle.map(|particle| particle[1])];
                let (anchor, faces) = (species.anchor, species.faces);
                kinds.push(Kind { name, species: n, state, radius, diffusion, anchor, faces });
            }
        }
        kinds
    }

    pub(super) fn draw_species(&mut self, dice: &mut Draws) {
        let some = if self.flickers { 1 } else { dice.weighed(&[(1, 1), (3, 2), (3, 3), (1, 4)]) };
        let share = dice.between(0.05, [0.3, 0.25, 0.14][self.dimension - 1]) / some as f64;
        for name in &NAMES[..some] {
            let particle = Self::draw_particle(dice);
            let anchor = self.draw_anchor(dice);
            let mut species = Species {
                name,
                particles: vec![Some(particle)],
                anchor,
                faces: Faces::Both,
                begins: None,
                count: 0,
                drift: None,
                has_sites: false,
            };
            if anchor.is_some() && dice.chance(0.2) {
                species.faces = dice.pick(&[Faces::Inside, Faces::Outside]);
            }
            if self.flickers || dice.chance(0.4) {
                let other = Self::draw_particle(dice);
                let diffusion = if particle[1] == 0.0 { 0.0 } else { other[1].max(1.0) };
                species
                    .particles
                    .push(Some([if dice.chance(0.1) { particle[0] } else { other[0] }, diffusion]));
            }
            if anchor.is_none() && dice.chance(0.3) {
                species.begins = self.surfaces.first().map(|surface| surface.some_side(dice));
            }
            species.count = self.count_for(&species, share).min(120 / some);
            if self.flickers {
                species.count = species.count.clamp(8, 20);
            } else if dice.chance(0.12) {
                species.count = 0;
            }
            self.species.push(species);
        }
        if !self.flickers && dice.chance(0.35) {
            let species = Species {
                name: GROWN,
                particles: vec![None],
                anchor: None,
                faces: Faces::Both,
                begins: None,
                count: 0,
                drift: None,
                has_sites: false,
            };
            self.species.push(species);
        }
        self.draw_molecules(share);
    }

    /// Molecules with sites, in some models. Those are drawn by themselves, so that seeds keep their models otherwise.
    fn draw_molecules(&mut self, share: f64) {
        let mut dice = Draws::new(self.seed as u64);
        if self.flickers || !dice.chance(0.3) {
            return;
        }
        let mut species = Species {
            name: MOLECULE,
            particles: vec![Some(Self::draw_particle(&mut dice))],
            anchor: None,
            faces: Faces::Both,
            begins: None,
            count: 0,
            drift: None,
            has_sites: true,
        };
        species.count = self.count_for(&species, share).min(40);
        self.species.push(species);
    }

    /// A radius and a diffusion coefficient.
    fn draw_particle(dice: &mut Draws) -> [f64; 2] {
        let diffusion =
            if dice.chance(0.06) { 0.0 } else { dice.pick(&[1.0, 2.0, 5.0, 10.0, 20.0]) };
        [dice.pick(&[0.8, 1.0, 1.2, 1.5, 1.8]), diffusion]
    }

    fn draw_anchor(&self, dice: &mut Draws) -> Option<usize> {
        if self.dimension == 1 {
            return None;
        }
        let anchors: Vec<usize> =
            (0..self.surfaces.len()).filter(|&n| self.surfaces[n].is_anchor()).collect();
        (!anchors.is_empty() && dice.chance(0.5)).then(|| dice.pick(&anchors))
    }

    /// How many particles take up a share of the room.
    fn count_for(&self, species: &Species, share: f64) -> usize {
        let [radius, _] = species.particles[0].unwrap_or_default();
        let (room, each) = match (species.anchor, self.dimension) {
            (Some(anchor), 3) => (self.surfaces[anchor].area(&self.edges), 3.2 * radius * radius),
            (Some(anchor), _) => (self.surfaces[anchor].area(&self.edges), 2.0 * radius),
            (None, 3) => (self.edges.iter().product(), 4.2 * radius * radius * radius),
            (None, 2) => (self.edges.iter().product(), 3.2 * radius * radius),
            (None, _) => (self.edges[0], 2.0 * radius),
        };
        let share = share
            * match species.begins {
                Some("inside") => 0.05,
                Some("below" | "above") => 0.4,
                _ => 1.0,
            };
        ((share * room / each) as usize).max(1)
    }

    pub(super) fn draw_drifts(&mut self, dice: &mut Draws) {
        let (dimension, step) = (self.dimension, self.timestep);
        let periodic = self.periodic.clone();
        for n in 0..self.species.len() {
            let species = &self.species[n];
            if species.is_grown()
                || species.anchor.is_some()
                || !species.moves()
                || !dice.chance(0.12)
            {
                continue;
            }
            // At most a fifth of a radius a step.
            let speed = 0.16 / step;
            let drift = match dice.below(3) {
                0 => Drift::Velocity(
                    (0..dimension).map(|_| dice.between(-0.5, 0.5) * speed).collect(),
                ),
                1 if dimension > 1 && periodic[0] && !periodic[1] => Drift::Shear {
                    rate: dice.between(0.1, 1.0) * speed / self.edges[1],
                    along: 0,
                    across: 1,
                },
                _ if periodic.iter().all(|&periodic| !periodic) => Drift::Well {
                    centre: self.edges.iter().map(|edge| (edge * 500.0).round() / 1000.0).collect(),
                    relaxation: dice.between(20.0, 200.0) * step,
                },
                _ => continue,
            };
            self.species[n].drift = Some(drift);
        }
    }
}
