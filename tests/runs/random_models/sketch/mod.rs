//! Random models of every engine: their texts, and of Brownian ones what the laws have to know.

mod gas;
mod granular;
mod polygons;
mod rules;
mod schedule;
mod sites;
mod species;
mod surfaces;

use std::fmt::Write;

use jostle::model::schema::Engine;

use super::ways::Choices;
use jostle_lab::validate::random::Draws;
pub(crate) use rules::Rule;
pub(crate) use species::{Faces, Kind, Species};
pub(crate) use surfaces::{Manner, Surface};

/// A random model of any engine.
pub(crate) struct Draft {
    pub(crate) text: String,
    pub(crate) choices: Choices,
    /// What the laws have to know of a Brownian one.
    pub(crate) sketch: Option<Sketch>,
}

impl Draft {
    pub(crate) fn draw(engine: Engine, dice: &mut Draws) -> Self {
        let (text, choices) = match engine {
            Engine::Brownian => {
                let sketch = Sketch::draw(dice);
                let choices = Choices::Steps { dimension: sketch.dimension, is_brownian: true };
                return Self { text: sketch.text(), choices, sketch: Some(sketch) };
            }
            Engine::Granular => {
                let dimension = dice.weighed(&[(1, 1), (4, 2), (4, 3)]);
                (granular::draw(dice, dimension), Choices::Events { dimension })
            }
            Engine::Gas => match gas::draw(dice) {
                (text, "exact") => (text, Choices::Steps { dimension: 2, is_brownian: false }),
                (text, "events") => (text, Choices::Events { dimension: 2 }),
                (text, _) => (text, Choices::Nothing),
            },
            Engine::Polygons => (polygons::draw(dice), Choices::Threads),
        };
        Self { text, choices, sketch: None }
    }
}

/// A Brownian model.
#[derive(Clone, Debug)]
pub(crate) struct Sketch {
    pub(crate) dimension: usize,
    /// \[nm\]
    pub(crate) edges: Vec<f64>,
    pub(crate) periodic: Vec<bool>,
    /// \[µs\]
    pub(crate) timestep: f64,
    pub(crate) steps: usize,
    pub(crate) frame_every: usize,
    pub(crate) seed: usize,
    pub(crate) surfaces: Vec<Surface>,
    pub(crate) species: Vec<Species>,
    pub(crate) rules: Vec<Rule>,
    schedule: Vec<String>,
    mobility: Option<&'static str>,
    /// A few of one species that go to and fro between states of different size, and bind each
    /// other.
    flickers: bool,
}

const AXES: [&str; 3] = ["x", "y", "z"];

/// A box whose axes are periodic, or end at walls.
fn write_space(text: &mut String, edges: &[f64], periodic: &[bool]) {
    let word = |&periodic: &bool| if periodic { "periodic" } else { "reflecting" };
    let listed: Vec<&str> = periodic.iter().map(word).collect();
    writeln!(text, "[space]\ndimension = {}\nedges = {edges:?}", edges.len()).unwrap();
    writeln!(text, "boundary = {listed:?}").unwrap();
}

impl Sketch {
    pub(crate) fn draw(dice: &mut Draws) -> Self {
        let dimension = dice.weighed(&[(1, 1), (3, 2), (5, 3)]);
        let [shortest, longest] = [[60.0, 120.0], [24.0, 44.0], [15.0, 26.0]][dimension - 1];
        let mut sketch = Self {
            dimension,
            edges: (0..dimension).map(|_| dice.between(shortest, longest)).collect(),
            periodic: (0..dimension).map(|_| dice.chance(0.7)).collect(),
            timestep: 0.0,
            steps: dice.whole(50, 300),
            frame_every: 1,
            seed: dice.below(1_000_000),
            surfaces: Vec::new(),
            species: Vec::new(),
            rules: Vec::new(),
            schedule: Vec::new(),
            mobility: None,
            flickers: dice.chance(0.1),
        };
        // There is a frame at the end.
        sketch.frame_every = dice.weighed(&[(4, 1), (1, 2), (1, 3)]);
        sketch.steps -= sketch.steps % sketch.frame_every;
        sketch.draw_surfaces(dice);
        sketch.draw_species(dice);
        sketch.choose_timestep(dice);
        sketch.draw_manners(dice);
        sketch.draw_drifts(dice);
        sketch.draw_rules(dice);
        sketch.restrain_bonded();
        sketch.keep_absorbed();
        sketch.draw_schedule(dice);
        sketch.draw_mobility(dice);
        sketch
    }

    /// The rms step per axis of the fastest is a tenth to half of the smallest radius.
    fn choose_timestep(&mut self, dice: &mut Draws) {
        let radii = self.kinds().into_iter().filter_map(|kind| kind.radius);
        let smallest = radii.fold(f64::INFINITY, f64::min);
        let curved = self.surfaces.iter().filter_map(Surface::radius);
        let step =
            (smallest * dice.between(0.1, 0.5)).min(0.09 * curved.fold(f64::INFINITY, f64::min));
        let exact = step * step / (2.0 * self.fastest());
        self.timestep = (exact * 1e6).floor() * 1e-6;
    }

    /// The largest diffusion coefficient. \[nm²/µs\]
    pub(crate) fn fastest(&self) -> f64 {
        let inside =
            self.surfaces.iter().flat_map(|surface| &surface.manners).filter_map(|(_, manner)| {
                if let Manner::Inside { diffusion, .. } = manner { Some(*diffusion) } else { None }
            });
        self.kinds().into_iter().filter_map(|kind| kind.diffusion).chain(inside).fold(0.1, f64::max)
    }

    /// How long it lasts. \[µs\]
    fn duration(&self) -> f64 {
        self.timestep * self.steps as f64
    }

    /// How far the drift carries a particle within a time at most. \[nm\]
    pub(crate) fn drift_within(&self, time: f64) -> f64 {
        let diagonal = self.edges.iter().map(|edge| edge * edge).sum::<f64>().sqrt();
        self.species.iter().map(|species| species.drift_speed(diagonal) * time).fold(0.0, f64::max)
    }

    fn draw_mobility(&mut self, dice: &mut Draws) {
        let laws = ["\"rouse\"", "\"immobile\"", "{ table = [1, 0.6, 0.5, 0.3] }", "\"stokes\""];
        let in_membrane = "{ saffman_delbruck = { length = \"100 nm\" } }";
        self.mobility = match dice.below(10) {
            n @ 0..4 => Some(laws[n]),
            4 if self.dimension == 2 => Some(in_membrane),
            _ => None,
        };
    }

    /// The model file.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        let line = &mut text;
        write_space(line, &self.edges, &self.periodic);
        writeln!(line, "[run]\ntimestep = {:.6}\nsteps = {}", self.timestep, self.steps).unwrap();
        writeln!(line, "seed = {}", self.seed).unwrap();
        for surface in &self.surfaces {
            surface.write(self.dimension, line);
        }
        for species in &self.species {
            species.write(self, line);
        }
        for rule in &self.rules {
            rule.write(self, line);
        }
        for entry in &self.schedule {
            writeln!(line, "[[schedule]]\n{entry}").unwrap();
        }
        if let Some(law) = self.mobility {
            writeln!(line, "[clusters]\nmobility = {law}").unwrap();
        }
        writeln!(line, "[output]\nprecision = \"double\"\nframe_every = {}", self.frame_every)
            .unwrap();
        text
    }
}
