//! Whether particles are in the box.

use rayon::prelude::*;

use super::{Hardness, SelfCheckFault, Subject};
use jostle_core::observe::View;
use jostle_core::parameters::granular::Shaking;

/// Lengths below this share of a radius are rounding.
pub(super) const ROUNDING: f64 = 1e-9;

/// Particles handled as one piece of work.
pub(super) const CHUNK: usize = 4096;

const AXES: [&str; 3] = ["x", "y", "z"];

/// Finds a particle that is where there is no room for it.
pub(super) fn check<const D: usize>(
    view: &View<'_, D>,
    subject: &Subject<D>,
) -> Result<(), SelfCheckFault> {
    let p = view.particles;
    let room = Room::of(view, subject);
    let all = (0..p.len()).into_par_iter().with_min_len(CHUNK);
    let found =
        all.filter(|&i| p.alive[i] && !room.holds(p.species[i], p.position[i], p.radius[i]));
    // The same one whatever the number of threads.
    found.min_by_key(|&i| p.id[i]).map_or(Ok(()), |i| Err(room.complaint(view, i)))
}

/// Finds one of these, which are alive, that is where there is no room for it.
pub(super) fn check_some<const D: usize>(
    view: &View<'_, D>,
    subject: &Subject<D>,
    slots: &[u32],
) -> Result<(), SelfCheckFault> {
    let p = view.particles;
    let room = Room::of(view, subject);
    let all = slots.iter().map(|&slot| slot as usize);
    let found = all.filter(|&i| !room.holds(p.species[i], p.position[i], p.radius[i]));
    found.min_by_key(|&i| p.id[i]).map_or(Ok(()), |i| Err(room.complaint(view, i)))
}

/// Where particles may be.
struct Room<const D: usize> {
    /// By how much a centre keeps away from each face, in radii, and where the faces are.
    low: [[f64; 2]; D],
    high: [[f64; 2]; D],
    /// Half the width of a cylinder.
    round: Option<f64>,
    /// The axis along which particles of a species may stick out. \[species\]
    flat: Vec<Option<usize>>,
    rounding: f64,
}

impl<const D: usize> Room<D> {
    fn of(view: &View<'_, D>, subject: &Subject<D>) -> Self {
        let edges = view.domain.edges();
        // Those that give way press into walls.
        let keep = if subject.hardness == Hardness::Soft { 0.0 } else { 1.0 };
        let moved = |k: usize, upper: usize| {
            let moves = |shaking: &Shaking| shaking.axis == k && shaking.moves(upper == 1);
            let shaking = subject.shaking.filter(moves);
            shaking.map_or(0.0, |shaking| shaking.at(view.clock.time()).offset)
        };
        let face = |k: usize, upper: usize, at: f64| match (
            view.domain.is_periodic(k),
            subject.walls[k][upper],
        ) {
            (true, _) => [0.0, at],
            (false, true) => [keep, at + moved(k, upper)],
            (false, false) => [0.0, if upper == 0 { f64::NEG_INFINITY } else { f64::INFINITY }],
        };
        Self {
            low: std::array::from_fn(|k| face(k, 0, 0.0)),
            high: std::array::from_fn(|k| face(k, 1, edges[k])),
            round: subject.cylinder.then(|| 0.5 * edges[0]),
            flat: subject.flat.clone(),
            rounding: 64.0 * view.domain.rounding(),
        }
    }

    /// How far a coordinate is beyond what is allowed.
    fn beyond(&self, k: usize, x: f64, radius: f64) -> f64 {
        let ([low, floor], [high, ceiling]) = (self.low[k], self.high[k]);
        (floor + low * radius - x).max(x - (ceiling - high * radius))
    }

    fn beyond_round(&self, position: jostle_core::space::Vector<D>, radius: f64) -> f64 {
        self.round.map_or(f64::NEG_INFINITY, |half| {
            let [x, y] = [position[0] - half, position[1] - half];
            (x * x + y * y).sqrt() - (half - radius)
        })
    }

    fn holds(&self, species: u16, position: jostle_core::space::Vector<D>, radius: f64) -> bool {
        let flat = self.flat.get(species as usize).copied().flatten();
        let room = self.rounding + ROUNDING * radius;
        // Not the same as beyond: that would let pass what is not a number.
        (0..D).all(|k| {
            self.beyond(k, position[k], if flat == Some(k) { 0.0 } else { radius }) <= room
        }) && position.is_finite()
            && self.beyond_round(position, radius) <= room
    }

    fn complaint(&self, view: &View<'_, D>, i: usize) -> SelfCheckFault {
        let (p, step) = (view.particles, view.clock.step);
        let (id, position, radius) = (p.id[i], p.position[i], p.radius[i]);
        if !position.is_finite() {
            return SelfCheckFault::Nowhere { step, id };
        }
        let flat = (0..D).map(|k| (self.beyond(k, position[k], radius), AXES[k]));
        let round = (self.beyond_round(position, radius), "the radius of the cylinder");
        let worst = flat.chain([round]).max_by(|a, b| a.0.total_cmp(&b.0));
        let (by, axis) = worst.unwrap_or_default();
        SelfCheckFault::Outside { step, id, axis, by, place: position.0.to_vec() }
    }
}
