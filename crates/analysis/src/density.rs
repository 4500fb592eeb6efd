//! Where particles are: profiles along an axis or from the middle, and maps. Of those that live on
//! a surface, per area of it.

mod areas;

use super::running::Running;
use super::scope::{Scope, too_little};
use super::statistics::Estimate;
use super::surfaces::surfaces;
use super::tables::{Cell, Table};
use areas::SpeciesArea;
use jostle_h5md::reading::{ReadError, Reading, named_species_in, species_change};

/// Bins of all species together, at most.
const MOST_CELLS: usize = 1_000_000;

/// What the density is a function of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Along {
    /// The coordinate along an axis, 0 to 2.
    Axis(usize),
    /// The distance from the middle of the box, up to half the shortest edge.
    Radius,
    /// x and y.
    Map,
}

/// The density in one bin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DensityBin {
    /// The middle of the bin: the coordinate, or the distance; of a map x and y. \[nm\]
    pub at: [f64; 2],
    /// Particles per volume, of those that live on a surface per area of it, with the error by
    /// blocking over frames \[nm^-d\]; NaN where a bin has nothing of their surface.
    pub density: Estimate,
}

/// The density of a species.
#[derive(Clone, Debug, PartialEq)]
pub struct SpeciesDensity {
    /// The species.
    pub species: String,
    /// The dimension of the room that it is in: that of the box, or one less on a surface.
    pub dimension: usize,
    /// How many particles the bins hold, on average.
    pub particles: f64,
    /// How much room they have in the bins. \[nm^d\]
    pub room: f64,
    /// Bin by bin; of a map, x by x for each y.
    pub bins: Vec<DensityBin>,
}

/// Densities by species.
#[derive(Clone, Debug, PartialEq)]
pub struct Density {
    /// What they are a function of.
    pub along: Along,
    /// 1, 2 or 3.
    pub dimension: usize,
    /// In the order of the species.
    pub species: Vec<SpeciesDensity>,
}

impl SpeciesDensity {
    /// What nm^-d is multiplied by for people to read it, and the unit that comes out.
    pub fn unit(&self) -> (f64, &'static str) {
        match self.dimension {
            0 => (1.0, "particles"),
            1 => (1e3, "/µm"),
            2 => (1e6, "/µm²"),
            // One per nm³ is 1.66 mol/l.
            _ => (1e24 / 6.022_140_76e23 * 1e6, "µM"),
        }
    }

    /// The bins that have room for it.
    fn rooms(&self) -> impl Iterator<Item = &DensityBin> + Clone {
        self.bins.iter().filter(|bin| !bin.density.mean.is_nan())
    }
}

impl Density {
    /// The unit that all species have; none if some live on a surface and others do not.
    fn common_unit(&self) -> Option<&'static str> {
        let mut units = self.species.iter().map(|one| one.unit().1);
        let first = units.next()?;
        units.all(|unit| unit == first).then_some(first)
    }

    /// Names of columns of densities: with their unit, or with a column for it at the end.
    fn heads(&self, names: &[&str]) -> Vec<String> {
        match self.common_unit() {
            Some(unit) => names.iter().map(|name| format!("{name} ({unit})")).collect(),
            None => names.iter().copied().chain(["unit"]).map(str::to_owned).collect(),
        }
    }

    /// What stands in the column of the unit, if there is one.
    fn unit_cell(&self, one: &SpeciesDensity) -> Option<Cell> {
        self.common_unit().is_none().then(|| Cell::from(one.unit().1))
    }

    /// One row per species: the mean over all its room, and the bins that hold least and most.
    pub fn summary(&self) -> Table {
        let heads =
            self.heads(&["mean", "least", "std. error of least", "most", "std. error of most"]);
        let columns: Vec<&str> =
            std::iter::once("species").chain(heads.iter().map(String::as_str)).collect();
        let mut table = Table::new(&columns);
        for one in &self.species {
            let (factor, rooms) = (one.unit().0, one.rooms());
            let mean = one.particles / one.room;
            let by_density =
                |a: &&DensityBin, b: &&DensityBin| a.density.mean.total_cmp(&b.density.mean);
            let ends = [rooms.clone().min_by(by_density), rooms.max_by(by_density)];
            let mut row = vec![Cell::from(one.species.as_str()), Cell::from(mean * factor)];
            for end in ends {
                row.push(end.map(|bin| bin.density.mean * factor).into());
                row.push(end.map(|bin| bin.density.error * factor).into());
            }
            row.extend(self.unit_cell(one));
            table.push(row);
        }
        table
    }

    /// One row per species and bin.
    pub fn to_table(&self) -> Table {
        let heads = self.heads(&["density", "std. error"]);
        let places: &[&str] = match self.along {
            Along::Axis(axis) => &[["x (nm)", "y (nm)", "z (nm)"][axis.min(2)]],
            Along::Radius => &["distance (nm)"],
            Along::Map => &["x (nm)", "y (nm)"],
        };
        let heads: Vec<&str> = heads.iter().map(String::as_str).collect();
        let mut table = Table::new(&[&["species"], places, &heads].concat());
        for one in &self.species {
            let (factor, _) = one.unit();
            for bin in &one.bins {
                let mut row = vec![Cell::from(one.species.as_str())];
                row.extend(bin.at[..places.len()].iter().map(|&x| Cell::from(x)));
                row.extend([bin.density.mean, bin.density.error].map(|x| Cell::from(x * factor)));
                row.extend(self.unit_cell(one));
                table.push(row);
            }
        }
        table
    }
}

/// How space is divided.
struct Bins {
    along: Along,
    count: usize,
    dimension: usize,
    edges: [f64; 3],
}

impl Bins {
    fn shortest_half(&self) -> f64 {
        self.edges[..self.dimension].iter().fold(f64::INFINITY, |a, &b| a.min(0.5 * b))
    }

    fn len(&self) -> usize {
        if self.along == Along::Map { self.count * self.count } else { self.count }
    }

    /// The bin that a point is in.
    fn of(&self, point: [f64; 3]) -> Option<usize> {
        let share = |x: f64| ((x * self.count as f64) as usize).min(self.count - 1);
        let along = |k: usize| share((point[k] / self.edges[k]).max(0.0));
        match self.along {
            Along::Axis(k) => Some(along(k)),
            Along::Map => Some(along(1) * self.count + along(0)),
            Along::Radius => {
                let square: f64 =
                    (0..self.dimension).map(|k| (point[k] - 0.5 * self.edges[k]).powi(2)).sum();
                let r = square.sqrt() / self.shortest_half();
                (r < 1.0).then(|| share(r))
            }
        }
    }

    fn middle(&self, bin: usize) -> [f64; 2] {
        let place = |n: usize, length: f64| (n as f64 + 0.5) / self.count as f64 * length;
        match self.along {
            Along::Axis(k) => [place(bin, self.edges[k]), 0.0],
            Along::Radius => [place(bin, self.shortest_half()), 0.0],
            Along::Map => {
                [place(bin % self.count, self.edges[0]), place(bin / self.count, self.edges[1])]
            }
        }
    }

    /// \[nm^d\]
    fn volume(&self, bin: usize) -> f64 {
        let box_volume: f64 = self.edges[..self.dimension].iter().product();
        if self.along != Along::Radius {
            return box_volume / self.len() as f64;
        }
        let ball = |n: usize| {
            let r = n as f64 / self.count as f64 * self.shortest_half();
            let unit =
                [2.0, std::f64::consts::PI, 4.0 / 3.0 * std::f64::consts::PI][self.dimension - 1];
            unit * r.powi(self.dimension as i32)
        };
        ball(bin + 1) - ball(bin)
    }
}

/// Measures the density of each species in `count` bins (of a map, along either axis), one frame in
/// memory at a time. Centres count. The density of those that live on a surface is per area of it,
/// in bins that have a part of it.
///
/// # Errors
/// If the box has no such axis, there are more than a million bins in all, there is no frame within
/// the scope, or the file cannot be read.
pub fn density(
    reading: &Reading,
    scope: &Scope,
    along: Along,
    count: usize,
) -> Result<Density, ReadError> {
    let dimension = reading.dimension();
    let needed = match along {
        Along::Axis(axis) => axis + 1,
        Along::Radius => 1,
        Along::Map => 2,
    };
    if needed > dimension {
        let reason = format!("the box has {dimension} axes, and {needed} would be needed");
        return Err(too_little(reading, reason));
    }
    let frames = scope.frames(reading, 1)?;
    let wanted = scope.species(reading)?;
    let species = named_species_in(reading, frames.start)?;
    let edges = reading.box_edges()?;
    let periodic = match reading.is_ours() {
        true => [false; 3],
        // Others may store particles outside the box that they are periodic in.
        false => reading.periodic()?,
    };
    let bins = Bins { along, count: count.max(1), dimension, edges };
    let shown: Vec<usize> = (0..wanted.len())
        .filter(|&s| wanted[s] && (species_change(reading) || species.contains(&Some(s))))
        .collect();
    let width = bins.len();
    if shown.len() * width > MOST_CELLS {
        let [bins, species] = [width, shown.len()];
        let reason = format!(
            "{bins} bins for each of {species} species are too many: at most {MOST_CELLS} in all are measured \
             (--bins, --species)"
        );
        return Err(too_little(reading, reason));
    }
    let around = surfaces(reading)?;
    let rooms: Vec<SpeciesArea> =
        shown.iter().map(|&s| SpeciesArea::of(&around, s as u16, &bins)).collect();
    let mut running = Running::new(shown.len() * width);
    let mut counts = vec![0.0; shown.len() * width];
    for frame in frames {
        counts.fill(0.0);
        let id = reading.identities(frame..frame + 1, 0..reading.slots())?;
        let species = match species_change(reading) {
            true => &named_species_in(reading, frame)?,
            false => &species,
        };
        let position = reading.positions(frame..frame + 1, 0..reading.slots())?;
        for slot in (0..reading.slots()).filter(|&slot| id[[0, slot]] >= 0) {
            let place = species[slot].and_then(|s| shown.iter().position(|&one| one == s));
            let point = [0, 1, 2].map(|k| match periodic[k] {
                true => position[[0, slot, k]].rem_euclid(bins.edges[k]),
                false => position[[0, slot, k]],
            });
            if let Some(place) = place
                && let Some(bin) = bins.of(rooms[place].put(point))
            {
                counts[place * width + bin] += 1.0;
            }
        }
        running.push(&counts);
    }
    let estimates = running.estimates();
    let bin = |place: usize, n: usize| {
        let (found, volume) = (estimates[place * width + n], rooms[place].extent(n));
        let density = Estimate { mean: found.mean / volume, error: found.error / volume, ..found };
        DensityBin { at: bins.middle(n), density }
    };
    let of = |(place, &s): (usize, &usize)| SpeciesDensity {
        species: reading.species_name(s as i64),
        dimension: rooms[place].dimension,
        room: rooms[place].whole(),
        particles: (0..width).map(|n| estimates[place * width + n].mean).sum(),
        bins: (0..width).map(|n| bin(place, n)).collect(),
    };
    Ok(Density { along, dimension, species: shown.iter().enumerate().map(of).collect() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_fill_the_box_and_know_their_points() {
        for along in [Along::Axis(1), Along::Map, Along::Radius] {
            let bins = Bins { along, count: 5, dimension: 2, edges: [10.0, 20.0, 1.0] };
            for n in 0..bins.len() {
                let [x, y] = bins.middle(n);
                let point = match along {
                    Along::Axis(_) => [1.0, x, 0.0],
                    Along::Map => [x, y, 0.0],
                    Along::Radius => [5.0 + 0.6 * x, 10.0 - 0.8 * x, 0.0],
                };
                assert_eq!(bins.of(point), Some(n), "{along:?}");
            }
            let volume: f64 = (0..bins.len()).map(|n| bins.volume(n)).sum();
            let whole = if along == Along::Radius { std::f64::consts::PI * 25.0 } else { 200.0 };
            assert!((volume - whole).abs() < 1e-9, "{along:?} {volume}");
        }
        let bins = Bins { along: Along::Axis(0), count: 5, dimension: 1, edges: [10.0; 3] };
        assert_eq!([bins.of([10.0, 0.0, 0.0]), bins.of([-1e-7, 0.0, 0.0])], [Some(4), Some(0)]);
    }
}
