//! The network of contact forces: how many touch, how hard, in which directions, and which
//! particles slide.

use super::super::running::Running;
use super::super::scope::Scope;
use super::super::statistics::{Estimate, blocked};
use super::super::tables::{Cell, Table};
use super::principal;
use jostle_core::observe::Against;
use jostle_h5md::reading::ReadError;
use jostle_h5md::reading::{LoggedForce, Reading};

/// How far the distribution of normal forces goes, in units of their mean.
const FARTHEST: f64 = 10.0;

/// The network in one frame. What contacts are needed for is NaN where there are none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetworkAt {
    /// How many contacts between bodies carry a force.
    pub contacts: usize,
    /// How many contacts with walls do.
    pub wall_contacts: usize,
    /// How many contacts a body has on average, walls included.
    pub coordination: f64,
    /// The share of bodies that touch no particle.
    pub free: f64,
    /// The mean normal force between bodies. \[N\]
    pub mean: f64,
    /// The greatest. \[N\]
    pub greatest: f64,
    /// How evenly contacts share the load: (sum of f)²/(n sum of f²), 1 if all carry the same.
    pub participation: f64,
    /// The share of contacts, walls included, whose friction has reached its limit.
    pub sliding: f64,
    /// The mean of tangential over normal force, walls included: how much friction is in use.
    pub mobilisation: f64,
    /// How unevenly the normals of contacts between bodies are spread: a in the density
    /// (1 + a cos 2(θ - θ₀))/2π.
    pub fabric: f64,
    /// The same, each contact counted by its normal force.
    pub force_fabric: f64,
    /// θ₀ of the latter. \[degrees\] from the x axis
    pub direction: f64,
}

/// The force of all bodies together on a wall.
#[derive(Clone, Debug, PartialEq)]
pub struct WallForce {
    /// The wall.
    pub name: String,
    /// Along x and y. \[N\]
    pub force: [Estimate; 2],
    /// How many contacts, on average.
    pub contacts: f64,
}

/// The network over time.
#[derive(Clone, Debug, PartialEq)]
pub struct ForceNetwork {
    /// \[µs\]
    pub times: Vec<f64>,
    /// Frame by frame.
    pub frames: Vec<NetworkAt>,
    /// The edges of the bins of normal force between bodies over its mean in the frame.
    pub edges: Vec<f64>,
    /// The probability density in each bin.
    pub density: Vec<Estimate>,
    /// The share of contacts beyond the last edge.
    pub beyond: f64,
    /// In the order of the walls.
    pub walls: Vec<WallForce>,
}

/// Measures the network of forces in the frames of the scope; a contact counts if one of its bodies
/// is of the species of the scope.
///
/// # Errors
/// If the file has no forces, there is no frame within the scope, or the file cannot be read.
pub fn forces(reading: &Reading, scope: &Scope, bins: usize) -> Result<ForceNetwork, ReadError> {
    let wanted = super::bodies(reading, scope)?;
    let frames = scope.frames(reading, 1)?;
    let names = reading.shapes()?.map_or_else(Vec::new, |shapes| shapes.walls);
    let bins = bins.max(1);
    let edges: Vec<f64> = (0..=bins).map(|n| FARTHEST * n as f64 / bins as f64).collect();
    // The last one is for those beyond all bins.
    let mut density = Running::new(bins + 1);
    let mut walls = Running::new(3 * names.len());
    let mut found = Vec::new();
    for frame in frames.clone() {
        let mut all = reading.forces(frame)?;
        all.retain(|force| involves(force, &wanted));
        let at = network(&all, &wanted);
        if at.contacts > 0 && at.mean > 0.0 {
            density.push(&histogram(&all, at, bins));
        }
        walls.push(&on_walls(&all, names.len()));
        found.push(at);
    }
    let mut density = density.estimates();
    let beyond = density.pop().map_or(0.0, |last| last.mean);
    let on_walls = walls.estimates();
    let wall = |(k, wall): (usize, &jostle_h5md::record::WallShape)| WallForce {
        name: wall.name.clone(),
        force: [on_walls[3 * k], on_walls[3 * k + 1]],
        contacts: on_walls[3 * k + 2].mean,
    };
    let walls = names.iter().enumerate().map(wall).collect();
    Ok(ForceNetwork {
        times: reading.times()?[frames].to_vec(),
        frames: found,
        edges,
        density,
        beyond,
        walls,
    })
}

/// The bodies of a contact, by identity.
fn parties(force: &LoggedForce) -> impl Iterator<Item = usize> {
    let other = match force.against {
        Against::Body(id) => Some(id as usize),
        Against::Wall(_) => None,
    };
    usize::try_from(force.body).ok().into_iter().chain(other)
}

fn involves(force: &LoggedForce, wanted: &[bool]) -> bool {
    parties(force).any(|id| wanted.get(id).copied().unwrap_or(false))
}

fn between_bodies(force: &&LoggedForce) -> bool {
    matches!(force.against, Against::Body(_))
}

fn network(all: &[LoggedForce], wanted: &[bool]) -> NetworkAt {
    let inner = || all.iter().filter(between_bodies);
    let count = inner().count() as f64;
    let sum = |of: &dyn Fn(&LoggedForce) -> f64| inner().map(of).sum::<f64>();
    let total = sum(&LoggedForce::pressing);
    let squares = sum(&|force| force.pressing() * force.pressing());
    let mut touching = vec![0u32; wanted.len()];
    for id in all.iter().flat_map(parties) {
        if let Some(number) = touching.get_mut(id) {
            *number += 1;
        }
    }
    let meant =
        || touching.iter().zip(wanted).filter(|(_, wanted)| **wanted).map(|(number, _)| *number);
    let bodies = meant().count() as f64;
    let spread = |weight: &dyn Fn(&LoggedForce) -> f64| {
        let part =
            |a: usize, b: usize| sum(&|force| weight(force) * force.normal[a] * force.normal[b]);
        principal([part(0, 0), part(0, 1), part(1, 0), part(1, 1)].map(|x| x / sum(weight)))
    };
    let [even, weighted] = [spread(&|_| 1.0), spread(&LoggedForce::pressing)];
    let each = all.len() as f64;
    // Of two that part, damping may have cut the normal force to nothing.
    let loaded = || all.iter().filter(|force| force.pressing() > 0.0);
    NetworkAt {
        contacts: count as usize,
        wall_contacts: all.len() - count as usize,
        coordination: meant().map(f64::from).sum::<f64>() / bodies,
        free: meant().filter(|&number| number == 0).count() as f64 / bodies,
        mean: total / count,
        greatest: inner().map(LoggedForce::pressing).fold(f64::NAN, f64::max),
        participation: total * total / (count * squares),
        sliding: all.iter().filter(|force| force.sliding).count() as f64 / each,
        mobilisation: loaded().map(|force| force.tangential() / force.pressing()).sum::<f64>()
            / loaded().count() as f64,
        // The principal values of the mean of n n differ by a/2.
        fabric: 4.0 * even.deviator,
        force_fabric: 4.0 * weighted.deviator,
        direction: weighted.direction,
    }
}

/// The probability density of the normal forces between bodies over their mean, and the share
/// beyond.
fn histogram(all: &[LoggedForce], at: NetworkAt, bins: usize) -> Vec<f64> {
    let mut row = vec![0.0; bins + 1];
    let width = FARTHEST / bins as f64;
    for force in all.iter().filter(between_bodies) {
        let bin = (force.pressing() / at.mean / width).max(0.0) as usize;
        row[bin.min(bins)] += 1.0 / at.contacts as f64;
    }
    row[..bins].iter_mut().for_each(|share| *share /= width);
    row
}

/// Of each wall: the force on it along x and y, and the number of contacts.
fn on_walls(all: &[LoggedForce], count: usize) -> Vec<f64> {
    let mut row = vec![0.0; 3 * count];
    for force in all {
        let Against::Wall(wall) = force.against else { continue };
        if let Some([x, y, contacts]) = row.chunks_exact_mut(3).nth(wall as usize) {
            *x -= force.force[0];
            *y -= force.force[1];
            *contacts += 1.0;
        }
    }
    row
}

/// A quantity of the network, by its name.
type NetworkQuantity = (&'static str, fn(&NetworkAt) -> f64);

/// What is told of the network.
const ENTRIES: [NetworkQuantity; 12] = [
    ("contacts", |at| at.contacts as f64),
    ("wall contacts", |at| at.wall_contacts as f64),
    ("coordination number", |at| at.coordination),
    ("share of free particles", |at| at.free),
    ("mean normal force (N)", |at| at.mean),
    ("greatest normal force (N)", |at| at.greatest),
    ("participation", |at| at.participation),
    ("share sliding", |at| at.sliding),
    ("friction in use", |at| at.mobilisation),
    ("fabric anisotropy", |at| at.fabric),
    ("force anisotropy", |at| at.force_fabric),
    ("force direction (degrees)", |at| at.direction),
];

impl ForceNetwork {
    /// The average of a quantity over the frames that have it, with the error by blocking.
    pub fn mean(&self, of: impl Fn(&NetworkAt) -> f64) -> Estimate {
        blocked(&self.frames.iter().map(of).filter(|x| x.is_finite()).collect::<Vec<f64>>())
    }

    /// One row for each quantity: its average with the error by blocking, and how it changed.
    pub fn to_table(&self) -> Table {
        let mut table = Table::new(&["quantity", "mean", "std. error", "first", "last"]);
        for (name, of) in ENTRIES {
            // Directions have no mean: 89 and -89 degrees are neighbours.
            let mean = if name.contains("direction") { None } else { Some(self.mean(of)) };
            table.push(vec![
                name.into(),
                mean.map(|mean| mean.mean).into(),
                mean.map(|mean| mean.error).into(),
                self.frames.first().map(of).into(),
                self.frames.last().map(of).into(),
            ]);
        }
        table
    }

    /// One row per frame.
    pub fn series_to_table(&self) -> Table {
        let heads: Vec<&str> =
            std::iter::once("time (µs)").chain(ENTRIES.map(|(name, _)| name)).collect();
        let mut table = Table::new(&heads);
        for (time, at) in self.times.iter().zip(&self.frames) {
            let mut row = vec![Cell::from(*time)];
            row.extend(ENTRIES.map(|(_, of)| Cell::from(of(at))));
            table.push(row);
        }
        table
    }

    /// One row for each bin of the distribution of normal forces.
    pub fn distribution_to_table(&self) -> Table {
        let mut table = Table::new(&["force over mean from", "to", "density", "std. error"]);
        for (ends, density) in self.edges.windows(2).zip(&self.density) {
            table.push(vec![
                ends[0].into(),
                ends[1].into(),
                density.mean.into(),
                density.error.into(),
            ]);
        }
        table
    }

    /// One row for each wall.
    pub fn walls_to_table(&self) -> Table {
        let heads = [
            "wall",
            "force x (N)",
            "std. error x (N)",
            "force y (N)",
            "std. error y (N)",
            "contacts",
        ];
        let mut table = Table::new(&heads);
        for WallForce { name, force: [x, y], contacts } in &self.walls {
            let numbers = [x.mean, x.error, y.mean, y.error, *contacts];
            table.push(
                std::iter::once(Cell::from(name.as_str())).chain(numbers.map(Cell::from)).collect(),
            );
        }
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pressed(body: i64, against: Against, force: f64, angle: f64) -> LoggedForce {
        let normal = [libm::cos(angle), libm::sin(angle)];
        LoggedForce {
            body,
            against,
            arm: normal,
            force: normal.map(|n| -force * n),
            normal,
            overlap: 0.0,
            sliding: false,
        }
    }

    #[test]
    fn two_bodies_side_by_side_have_one_contact_each_and_all_their_fabric_along_it() {
        let all = [pressed(0, Against::Body(1), 2.0, 0.0)];
        let at = network(&all, &[true; 4]);
        assert_eq!((at.contacts, at.wall_contacts, at.coordination, at.free), (1, 0, 0.5, 0.5));
        assert_eq!((at.mean, at.participation, at.mobilisation), (2.0, 1.0, 0.0));
        assert_eq!((at.fabric, at.force_fabric, at.direction), (2.0, 2.0, 0.0));
    }

    #[test]
    fn contacts_all_round_have_no_fabric_until_forces_give_them_one() {
        let turn = std::f64::consts::TAU / 8.0;
        let hard = |k: u64| if k.is_multiple_of(4) { 3.0 } else { 1.0 };
        let all: Vec<LoggedForce> =
            (0..8).map(|k| pressed(0, Against::Body(1 + k), hard(k), turn * k as f64)).collect();
        let at = network(&all, &[true; 9]);
        assert!(at.fabric < 1e-12 && at.direction.abs() < 1e-9, "{at:?}");
        // Of the weight 12, 8 lie along x and 4 along y; a is twice the difference of the shares.
        assert!((at.force_fabric - 2.0 * (8.0 - 4.0) / 12.0).abs() < 1e-12, "{at:?}");
        assert!((at.participation - 144.0 / (8.0 * 24.0)).abs() < 1e-12, "{at:?}");
    }

    #[test]
    fn walls_feel_the_opposite_of_what_bodies_feel() {
        let all = [pressed(0, Against::Wall(1), 5.0, -std::f64::consts::FRAC_PI_2)];
        let row = on_walls(&all, 2);
        assert!(row[4] == -5.0 && row[5] == 1.0 && row[..3] == [0.0; 3], "{row:?}");
    }
}
