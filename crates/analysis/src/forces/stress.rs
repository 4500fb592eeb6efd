//! The stress that contacts carry, over time and along an axis.

use super::super::density::Along;
use super::super::kinetics::Place;
use super::super::running::Running;
use super::super::scope::{Scope, too_little};
use super::super::statistics::{Estimate, blocked};
use super::super::tables::{Cell, Table};
use super::{Principal, principal};
use jostle_core::observe::Against;
use jostle_h5md::reading::ReadError;
use jostle_h5md::reading::Reading;

/// From N/nm, which forces times lengths over areas come in, to N/m.
const PER_METRE: f64 = 1e9;

/// The stress of a region over time, and along an axis. In a plane it is a force per length
/// \[N/m\]; compression is positive.
#[derive(Clone, Debug, PartialEq)]
pub struct Stress {
    /// \[µs\]
    pub times: Vec<f64>,
    /// xx, xy, yx, yy in each frame; the first axis is that of the force. \[N/m\]
    pub frames: Vec<[f64; 4]>,
    /// Of the region. \[nm²\]
    pub area: f64,
    /// If one was asked for.
    pub profile: Option<StressProfile>,
}

/// The stress along an axis.
#[derive(Clone, Debug, PartialEq)]
pub struct StressProfile {
    /// 0 for x, 1 for y.
    pub axis: usize,
    /// From low to high.
    pub bins: Vec<StressBin>,
}

/// The stress of the bodies whose centroids lie in a bin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StressBin {
    /// Its middle. \[nm\]
    pub at: f64,
    /// xx, xy, yx, yy. \[N/m\]
    pub stress: [Estimate; 4],
}

/// A part of the box, divided along an axis.
struct Region {
    /// \[nm\]
    low: [f64; 2],
    high: [f64; 2],
    axis: usize,
    bins: usize,
}

impl Region {
    fn of(
        reading: &Reading,
        place: &Place,
        along: Option<(Along, usize)>,
    ) -> Result<Self, ReadError> {
        let edges = reading.box_edges()?;
        let range = |k: usize| place.ranges[k].unwrap_or([0.0, f64::INFINITY]);
        let low = [0, 1].map(|k| range(k)[0].max(0.0));
        let high = [0, 1].map(|k| range(k)[1].min(edges[k]));
        if (0..2).any(|k| low[k] >= high[k]) {
            return Err(too_little(reading, "the place is outside the box".into()));
        }
        let (axis, bins) = match along {
            None => (0, 1),
            Some((Along::Axis(axis @ 0..2), bins)) => (axis, bins.max(1)),
            Some(_) => {
                return Err(too_little(reading, "stress is measured along x or along y".into()));
            }
        };
        Ok(Self { low, high, axis, bins })
    }

    fn area(&self) -> f64 {
        (self.high[0] - self.low[0]) * (self.high[1] - self.low[1])
    }

    /// The bin that a place is in, if it is in the region.
    fn bin(&self, place: [f64; 2]) -> Option<usize> {
        let within = (0..2).all(|k| self.low[k] <= place[k] && place[k] <= self.high[k]);
        let share =
            (place[self.axis] - self.low[self.axis]) / (self.high[self.axis] - self.low[self.axis]);
        within.then_some(((share * self.bins as f64) as usize).min(self.bins - 1))
    }

    fn middle(&self, bin: usize) -> f64 {
        let width = (self.high[self.axis] - self.low[self.axis]) / self.bins as f64;
        self.low[self.axis] + (bin as f64 + 0.5) * width
    }
}

/// Measures the stress that contacts carry in the frames of the scope: minus the sum over the
/// bodies in a place, and over their contacts, of force times arm, over the area of the place
/// (Weber, Bull. Liaison Ponts Chauss. 20, 1966; Bagi, Mech. Mater. 22, 165, 1996). A body belongs
/// where its centroid is, with all that it carries. Accelerations and what bodies carry along as
/// they move are left out.
///
/// # Errors
/// If the file has no forces, the place is not in the box, the axis is neither x nor y, there is no
/// frame within the scope, or the file cannot be read.
pub fn stress(
    reading: &Reading,
    scope: &Scope,
    place: &Place,
    along: Option<(Along, usize)>,
) -> Result<Stress, ReadError> {
    let wanted = super::bodies(reading, scope)?;
    let frames = scope.frames(reading, 1)?;
    let region = Region::of(reading, place, along)?;
    let periods = periods(reading)?;
    let area = region.area() / PER_METRE;
    let mut running = Running::new(4 * region.bins);
    let mut found = Vec::new();
    for frame in frames.clone() {
        let mut bins = vec![[0.0; 4]; region.bins];
        let places = super::places(reading, frame)?;
        let carried = carried(reading, frame, &places, periods)?;
        for (id, tensor) in carried.iter().enumerate().filter(|(id, _)| wanted[*id]) {
            if let Some(bin) = region.bin(places[id]) {
                bins[bin].iter_mut().zip(tensor).for_each(|(sum, part)| *sum += part);
            }
        }
        let total = |k: usize| bins.iter().map(|bin| bin[k]).sum::<f64>() / area;
        found.push([0, 1, 2, 3].map(total));
        let each = area / region.bins as f64;
        running.push(&bins.iter().flatten().map(|part| part / each).collect::<Vec<f64>>());
    }
    let estimates = running.estimates();
    let bin = |n: usize| StressBin {
        at: region.middle(n),
        stress: [0, 1, 2, 3].map(|k| estimates[4 * n + k]),
    };
    let profile = along
        .map(|_| StressProfile { axis: region.axis, bins: (0..region.bins).map(bin).collect() });
    Ok(Stress {
        times: reading.times()?[frames].to_vec(),
        frames: found,
        area: region.area(),
        profile,
    })
}

/// The edge of each axis that closes on itself. \[nm\]
fn periods(reading: &Reading) -> Result<[Option<f64>; 2], ReadError> {
    let (edges, closed) = (reading.box_edges()?, reading.periodic()?);
    Ok([0, 1].map(|k| closed[k].then_some(edges[k])))
}

/// Minus the sum of force times arm over the contacts of each body, by identity. \[N nm\]
fn carried(
    reading: &Reading,
    frame: usize,
    places: &[[f64; 2]],
    periods: [Option<f64>; 2],
) -> Result<Vec<[f64; 4]>, ReadError> {
    let mut tensors = vec![[0.0; 4]; places.len()];
    let mut add = |id: usize, force: [f64; 2], arm: [f64; 2]| {
        if let Some(tensor) = tensors.get_mut(id) {
            (0..4).for_each(|k| tensor[k] -= force[k / 2] * arm[k % 2]);
        }
    };
    for force in reading.forces(frame)? {
        let body = force.body.max(0) as usize;
        add(body, force.force, force.arm);
        let Against::Body(other) = force.against else { continue };
        let (Some(here), Some(there)) = (places.get(body), places.get(other as usize)) else {
            continue;
        };
        // From the other's centroid, the short way round.
        let arm = [0, 1].map(|k| {
            let straight = here[k] + force.arm[k] - there[k];
            periods[k].map_or(straight, |edge| straight - edge * (straight / edge).round())
        });
        add(other as usize, force.force.map(|f| -f), arm);
    }
    Ok(tensors)
}

/// A measure of a tensor, by its name.
type StressQuantity = (&'static str, fn([f64; 4]) -> f64);

/// What is told of a stress.
const ENTRIES: [StressQuantity; 7] = [
    ("stress xx (N/m)", |s| s[0]),
    ("stress xy (N/m)", |s| s[1]),
    ("stress yx (N/m)", |s| s[2]),
    ("stress yy (N/m)", |s| s[3]),
    ("pressure (N/m)", |s| principal(s).mean),
    ("deviator (N/m)", |s| principal(s).deviator),
    ("deviator over pressure", |s| principal(s).deviator / principal(s).mean),
];

/// What the direction of the greater principal stress is called.
const DIRECTION: &str = "principal direction (degrees)";

impl Stress {
    /// Averaged over the frames: xx, xy, yx, yy. \[N/m\]
    pub fn mean(&self) -> [f64; 4] {
        [0, 1, 2, 3]
            .map(|k| self.frames.iter().map(|s| s[k]).sum::<f64>() / self.frames.len() as f64)
    }

    /// Of the averaged tensor.
    pub fn principal(&self) -> Principal {
        principal(self.mean())
    }

    /// One row for each measure: its average with the error by blocking, its value of the averaged
    /// tensor, and how it changed.
    pub fn to_table(&self) -> Table {
        let mut table =
            Table::new(&["quantity", "mean", "std. error", "of the mean tensor", "first", "last"]);
        let [first, last] =
            [self.frames.first(), self.frames.last()].map(Option::<&[f64; 4]>::copied);
        for (name, of) in ENTRIES {
            let values: Vec<f64> =
                self.frames.iter().map(|&s| of(s)).filter(|x| x.is_finite()).collect();
            let mean = blocked(&values);
            let numbers = [
                Some(mean.mean),
                Some(mean.error),
                Some(of(self.mean())),
                first.map(of),
                last.map(of),
            ];
            table.push(std::iter::once(Cell::from(name)).chain(numbers.map(Cell::from)).collect());
        }
        // Directions have no mean: 89 and -89 degrees are neighbours.
        let direction = |s: Option<[f64; 4]>| Cell::from(s.map(|s| principal(s).direction));
        let mean = direction(Some(self.mean()));
        table.push(vec![
            DIRECTION.into(),
            Cell::Missing,
            Cell::Missing,
            mean,
            direction(first),
            direction(last),
        ]);
        table
    }

    /// One row per frame.
    pub fn series_to_table(&self) -> Table {
        let heads = ENTRIES.map(|(name, _)| name);
        let heads: Vec<&str> =
            std::iter::once("time (µs)").chain(heads).chain([DIRECTION]).collect();
        let mut table = Table::new(&heads);
        for (&time, &stress) in self.times.iter().zip(&self.frames) {
            let mut row = vec![Cell::from(time)];
            row.extend(ENTRIES.map(|(_, of)| Cell::from(of(stress))));
            row.push(principal(stress).direction.into());
            table.push(row);
        }
        table
    }
}

impl StressProfile {
    /// One row for each bin.
    pub fn to_table(&self) -> Table {
        let place = ["x (nm)", "y (nm)"][self.axis];
        let mut heads = vec![place.to_owned()];
        for (name, _) in &ENTRIES[..4] {
            heads.push((*name).to_owned());
            heads.push(format!("std. error {}", name.trim_start_matches("stress ")));
        }
        heads.push("pressure (N/m)".into());
        let mut table = Table { columns: heads, rows: Vec::new() };
        for StressBin { at, stress } in &self.bins {
            let mut row = vec![Cell::from(*at)];
            row.extend(stress.iter().flat_map(|part| [part.mean, part.error]).map(Cell::from));
            row.push(principal(stress.map(|part| part.mean)).mean.into());
            table.push(row);
        }
        table
    }
}
