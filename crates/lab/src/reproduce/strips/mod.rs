//! The counts and times of the web page that sorts the disks of a gas into strips ("Grouping the
//! particles", 2021), and what its way of finding contacts does to the rate of collisions.
//!
//! The page does not say how fast its particles are, what gravity is, or how long a step. Its
//! strips without gravity hold as many disks each; the number of comparisons in horizontal ones
//! tells the scale height.

pub mod bias;
pub mod counting;
mod scene;
mod tables;
mod times;

pub use times::{ARRANGEMENTS, SameContacts, Times};

use super::{Progress, ReproduceError, Sample, StudyReport};
use bias::{Gas, Rate};
use jostle_model::gas::Contact;
use scene::StripsScene;

/// What is to be run.
#[derive(Clone, Debug, PartialEq)]
pub struct StripsPlan {
    /// Independent uniform states that are counted.
    pub states: u64,
    /// Steps of atmospheres, before and while comparisons are counted.
    pub steps: [u64; 2],
    /// Steps in which the pairs that collide are compared.
    pub compared: u64,
    /// Rounds, and steps in a round of strips, in which times are taken.
    pub rounds: [u64; 2],
    /// Gases whose rates of collisions are measured.
    pub gases: Vec<Gas>,
    /// At these steps: the way at the mean speed, over the diameter.
    pub travels: Vec<f64>,
}

impl StripsPlan {
    /// Less than a minute, on an optimised build.
    pub fn full() -> Self {
        let dense = Gas { disks: 1000, packing: 0.2, collisions: 800.0 };
        let dilute = Gas { disks: 1000, packing: 0.01, collisions: 400.0 };
        Self {
            states: 400,
            steps: [15_000, 5_000],
            compared: 300,
            rounds: [5, 200],
            gases: vec![dense, dilute],
            travels: vec![0.4, 0.2, 0.1, 0.05, 0.025],
        }
    }

    /// Some seconds.
    pub fn quick() -> Self {
        Self {
            states: 40,
            steps: [3_000, 300],
            compared: 30,
            rounds: [2, 20],
            gases: vec![Gas { disks: 200, packing: 0.2, collisions: 400.0 }],
            travels: vec![0.4, 0.1],
        }
    }
}

/// Scale heights of the atmospheres: first those of an ideal gas that gives what the web page
/// counts. \[mm\]
pub const HEIGHTS: [f64; 5] = [335.0, 360.0, 385.0, 300.0, 270.0];

/// An atmosphere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Atmosphere {
    /// kT/mg at the start. \[mm\]
    pub height: f64,
    /// Comparisons in horizontal strips, of independent points.
    pub points: Sample,
    /// The same, of the disks that move, step by step.
    pub disks: Sample,
    /// Temperature at the end over that at the start: disks that make room for each other rise.
    pub warmth: f64,
}

/// The scale height at which times are taken. \[mm\]
const TIMED: f64 = 360.0;

/// What was found.
#[derive(Clone, Debug)]
pub struct StripsFindings {
    /// Comparisons among all pairs.
    pub naive: u64,
    /// Comparisons in vertical strips, of independent centres anywhere in the box.
    pub anywhere: Sample,
    /// The same, of centres a radius off the walls.
    pub inside: Sample,
    /// The same, of a moving gas without gravity, step by step.
    pub moving: Sample,
    /// In horizontal strips.
    pub atmospheres: Vec<Atmosphere>,
    /// What the arrangements find from the same states.
    pub same: SameContacts,
    /// Times in the atmosphere of 360 mm.
    pub times: [Times; 2],
    /// Rates of collisions: for each gas, of events first.
    pub rates: Vec<Vec<Rate>>,
}

impl StripsFindings {
    /// Tables.
    pub fn report(&self) -> StudyReport {
        StudyReport {
            title: "The strips of the disk gas (\"Grouping the particles\", 2021)".to_owned(),
            sections: tables::sections(self),
            drawings: Vec::new(),
        }
    }
}

/// Measures everything.
///
/// # Errors
/// If a run fails, or arrangements differ in what must be the same.
pub fn strips(plan: &StripsPlan, progress: Progress<'_>) -> Result<StripsFindings, ReproduceError> {
    progress("comparisons without gravity");
    let uniform = StripsScene::default().set("gravity.acceleration", "0 m/s^2");
    let one = uniform.clone().with(Contact::AfterMove).set("search.kind", "naive");
    let mut gas = one.gas()?;
    gas.step(&mut jostle_core::observe::NoObserver)?;
    let naive = gas.tally().comparisons;
    let anywhere = counting::uniform_states(plan.states, 0.0)?;
    let inside = counting::uniform_states(plan.states, 0.5 * scene::DIAMETER)?;
    let (moving, _) = counting::moving(&uniform, 0, plan.steps[1], plan.steps[1])?;
    let mut atmospheres = Vec::new();
    for height in HEIGHTS {
        progress(&format!("an atmosphere of scale height {height} mm"));
        let [settling, steps] = plan.steps;
        let points = counting::ideal_states(plan.states, height)?;
        let (disks, warmth) =
            counting::moving(&StripsScene::atmosphere(height), 1, settling, steps)?;
        atmospheres.push(Atmosphere { height, points, disks, warmth });
    }
    progress("times");
    let atmosphere = StripsScene::atmosphere(TIMED);
    let same = times::same_contacts(&atmosphere, plan.compared)?;
    let [rounds, steps] = plan.rounds;
    let times = [
        times::after_move(&atmosphere, rounds as usize, steps)?,
        times::exact(&atmosphere, rounds as usize, steps)?,
    ];
    let mut rates = Vec::new();
    for gas in &plan.gases {
        progress(&format!("collisions of {} disks that fill {} %", gas.disks, 100.0 * gas.packing));
        let mut found = vec![gas.rate(Contact::Events, 1.0)?];
        for contact in [Contact::Exact, Contact::AfterMove] {
            for &travel in &plan.travels {
                found.push(gas.rate(contact, travel)?);
            }
        }
        rates.push(found);
    }
    Ok(StripsFindings { naive, anywhere, inside, moving, atmospheres, same, times, rates })
}
