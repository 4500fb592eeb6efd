//! How often disks collide, by way of finding contacts and by time step.

use super::scene::{DIAMETER, SPEED, StripsScene};
use crate::reproduce::{ReproduceError, Sample};
use jostle_core::engine::Engine;
use jostle_core::observe::NoObserver;
use jostle_model::gas::Contact;

/// So many stretches are counted, one after the other.
const BLOCKS: u64 = 20;
/// Before anything is counted, in mean free flights of a disk.
const SETTLING: f64 = 10.0;

/// What is to be measured of a uniform gas.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gas {
    /// How many disks.
    pub disks: usize,
    /// The share of the square box that they fill.
    pub packing: f64,
    /// How often each disk collides, about, while collisions are counted.
    pub collisions: f64,
}

/// How often disks collide.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rate {
    /// The share of the box that disks fill.
    pub packing: f64,
    /// How contacts are found.
    pub contact: Contact,
    /// The way of a disk in a step at the mean speed, over its diameter.
    pub travel: f64,
    /// Collisions of two disks per disk and mean time that a disk takes for its own diameter: its
    /// mean, and the standard deviation of one of the stretches.
    pub rate: Sample,
}

impl Rate {
    /// The standard error of the mean.
    pub fn error(&self) -> f64 {
        self.rate.deviation / (self.rate.runs as f64).sqrt()
    }

    /// How much larger it is than another, as a share of it, and the standard error of that.
    pub fn above(&self, other: &Self) -> [f64; 2] {
        let ratio = self.rate.mean / other.rate.mean;
        let errors = [self, other].map(|one| one.error() / one.rate.mean);
        [ratio - 1.0, ratio * errors.iter().map(|e| e * e).sum::<f64>().sqrt()]
    }
}

impl Gas {
    fn scene(&self) -> StripsScene {
        let area =
            self.disks as f64 * std::f64::consts::PI * 0.25 * DIAMETER * DIAMETER / self.packing;
        StripsScene::uniform(self.disks, [area.sqrt(); 2])
    }

    /// A rough time between two collisions of a disk. \[ms\]
    fn flight(&self) -> f64 {
        // Ideal: 2 n sigma sqrt(2) v, with n = packing / (pi sigma²/4); Enskog's factor in 2D.
        let contact_value = jostle_core::theory::contact_value_2d(self.packing);
        let per_length =
            8.0 * std::f64::consts::SQRT_2 * self.packing / (std::f64::consts::PI * DIAMETER);
        1.0 / (per_length * contact_value * SPEED)
    }

    /// Counts the collisions at steps in which a disk of the mean speed goes `travel` diameters.
    ///
    /// # Errors
    /// If the run fails.
    pub fn rate(&self, contact: Contact, travel: f64) -> Result<Rate, ReproduceError> {
        let step = travel * DIAMETER / SPEED;
        let scene = self.scene().with(contact).step(step).fast_cells(contact);
        let rate = match contact {
            Contact::Exact => self.measured(step, scene.exact()?, |engine| engine.tally().contacts),
            Contact::AfterMove => {
                self.measured(step, scene.gas()?, |engine| engine.tally().collisions)
            }
            Contact::Events => {
                self.measured(step, scene.events()?, |engine| engine.tally().collisions)
            }
        }?;
        Ok(Rate { packing: self.packing, contact, travel, rate })
    }

    /// Collisions per disk and mean time that a disk takes for its own diameter, in an engine of
    /// such steps, which counts them.
    fn measured<E: Engine<2>>(
        &self,
        step: f64,
        mut engine: E,
        collisions: impl Fn(&E) -> u64,
    ) -> Result<Sample, ReproduceError>
    where
        ReproduceError: From<E::Error>,
    {
        // The time that a half of the disks' collisions takes; both of a pair collide.
        let block = self.flight() * self.collisions / BLOCKS as f64;
        let steps = (block / step).ceil().max(1.0) as u64;
        let settling = (SETTLING * self.flight() / step).ceil() as u64;
        let mut done = 0;
        let mut resume = |engine: &mut E, steps: u64| {
            done += steps;
            while engine.clock().step < done {
                engine.advance(&mut NoObserver)?;
            }
            Ok::<(), E::Error>(())
        };
        resume(&mut engine, settling)?;
        let mut rates = Vec::new();
        for _ in 0..BLOCKS {
            let before = collisions(&engine);
            resume(&mut engine, steps)?;
            let met = 2.0 * (collisions(&engine) - before) as f64;
            let time = steps as f64 * step * SPEED / DIAMETER;
            rates.push(met / (self.disks as f64 * time));
        }
        Ok(Sample::of(rates))
    }
}
