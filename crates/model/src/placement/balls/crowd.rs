//! The balls placed so far, and how far it is from anywhere to the nearest of them and to the
//! walls.

use super::super::grid::Grid;
use super::{Ball, GAP, Model};
use crate::granular::{Enclosure, GranularModel};
use crate::{Placement, measure};
use jostle_core::space::{Domain, Vector};

pub(super) struct Crowd<const D: usize> {
    domain: Domain<D>,
    grid: Grid<D>,
    balls: Vec<Ball<D>>,
    /// The largest radius that any may have. \[nm\]
    largest: f64,
    /// Whether the walls across the last axis are a cylinder.
    cylinder: bool,
    /// Of the container. \[nm^D\]
    volume: f64,
}

impl<const D: usize> Crowd<D> {
    pub(super) fn new(model: &Model, granular: &GranularModel, domain: &Domain<D>) -> Self {
        let count = model.placement.iter().map(Placement::count).sum();
        let largest = granular.balls.iter().map(|balls| balls.radius[1]).fold(0.0, f64::max);
        Self {
            domain: domain.clone(),
            grid: Grid::new(domain, 2.0 * largest, count),
            balls: Vec::with_capacity(count),
            largest,
            cylinder: granular.shape == Enclosure::Cylinder,
            volume: measure::volume(model),
        }
    }

    pub(super) fn add(&mut self, ball: Ball<D>) {
        self.grid.add(ball.position);
        self.balls.push(ball);
    }

    pub(super) fn into_balls(self) -> Vec<Ball<D>> {
        self.balls
    }

    /// The distance to the nearest wall; negative outside. \[nm\]
    pub(super) fn to_wall(&self, place: Vector<D>) -> f64 {
        let edges = self.domain.edges();
        let mut least = f64::INFINITY;
        for k in (0..D).filter(|&k| !self.domain.is_periodic(k)) {
            least = least.min(place[k]).min(edges[k] - place[k]);
        }
        if self.cylinder {
            let from_axis = |k: usize| place[k] - 0.5 * edges[k];
            let squared: f64 = (0..D - 1).map(|k| from_axis(k) * from_axis(k)).sum();
            least = least.min(0.5 * edges[0] - squared.sqrt());
        }
        least
    }

    /// The nearest place at which a ball of this radius does not reach through a wall; none if the
    /// container is too narrow for it.
    pub(super) fn brought_back(&self, place: Vector<D>, radius: f64) -> Option<Vector<D>> {
        let edges = self.domain.edges();
        let mut place = self.domain.wrap(place).0;
        for k in (0..D).filter(|&k| !self.domain.is_periodic(k)) {
            place[k] = place[k].max(radius).min(edges[k] - radius);
        }
        if self.cylinder {
            let from_axis: [f64; D] =
                std::array::from_fn(|k| if k < D - 1 { place[k] - 0.5 * edges[k] } else { 0.0 });
            let away = from_axis.iter().map(|x| x * x).sum::<f64>().sqrt();
            let most = (0.5 * edges[0] - radius) * (1.0 - GAP);
            if away > most {
                (0..D - 1).for_each(|k| place[k] = 0.5 * edges[k] + from_axis[k] * (most / away));
            }
        }
        (self.to_wall(place) >= radius * (1.0 - GAP)).then_some(place)
    }

    /// The balls placed so far.
    pub(super) fn balls(&self) -> &[Ball<D>] {
        &self.balls
    }

    /// A ball that `ball` would be closer to than touching plus a relative `gap`: its place in the
    /// list.
    pub(super) fn overlapping(&self, ball: &Ball<D>, gap: f64) -> Option<usize> {
        let reach = (ball.radius + self.largest) * (1.0 + gap);
        let mut found = None;
        self.grid.each_within(&self.domain, ball.position, reach, &mut |other, squared| {
            let contact = (ball.radius + self.balls[other].radius) * (1.0 + gap);
            let overlaps = squared < contact * contact;
            if overlaps {
                found = Some(other);
            }
            overlaps
        });
        found
    }

    /// The ball in a place of the list, and its number among those of its species, from 0.
    pub(super) fn numbered(&self, place: usize) -> (Ball<D>, usize) {
        let ball = self.balls[place];
        (ball, self.balls[..place].iter().filter(|other| other.species == ball.species).count())
    }

    /// How far it is to the nearest ball or wall, if that is not farther than `most`. \[nm\]
    pub(super) fn room(&self, place: Vector<D>, most: f64) -> f64 {
        let mut room = self.to_wall(place).min(most);
        self.grid.each_within(&self.domain, place, most + self.largest, &mut |other, squared| {
            room = room.min(squared.sqrt() - self.balls[other].radius);
            false
        });
        room
    }

    /// The share of the container that balls of these radii fill.
    pub(super) fn filled_by(&self, radii: impl Iterator<Item = f64>) -> f64 {
        radii.fold(0.0, |sum, radius| sum + jostle_core::space::ball_volume(D, radius))
            / self.volume
    }

    /// The share of the container that is filled.
    pub(super) fn packing_fraction(&self) -> f64 {
        self.filled_by(self.balls.iter().map(|ball| ball.radius))
    }
}
