//! The radial distribution function g(r), in one, two and three dimensions, between walls as well.

mod among;
mod ideal;
mod pairs;
mod vessel;

use std::collections::BTreeMap;

use super::scope::{Scope, too_little};
use super::statistics::blocked;
use super::surfaces::surfaces;
use super::tables::{Cell, Table};
use among::Room;
use ideal::Axis;
use jostle_core::space::{Domain, Vector};
use jostle_core::words::length_text;
use jostle_h5md::reading::{ReadError, Reading, named_species_in, species_change};
use pairs::Still;
use vessel::Vessel;

/// At most this many frames are looked at, evenly chosen.
const MOST_FRAMES: usize = 200;
/// And at least so many, if there are, which is what errors by blocking need.
const FEWEST_FRAMES: usize = 20;
/// About so many neighbours are looked at, all particles and frames together.
const NEIGHBOURS: f64 = 1e8;
/// Unless told otherwise, one looks so many times the greatest radius far: what order there is, is
/// near contact.
const RADII: f64 = 20.0;
/// And no nearer than this, however many particles there are.
const FEWEST_RADII: f64 = 6.0;
/// Bins, unless a number is given.
const BINS: usize = 100;

/// g at one distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RdfPoint {
    /// The middle of the shell. \[nm\]
    pub distance: f64,
    /// Pairs in the shell over those of an ideal gas of as many particles in the same box; 0 where
    /// surfaces leave such a gas no pairs.
    pub g: f64,
    /// Its standard error, by blocking over frames.
    pub error: f64,
    /// How many pairs were counted.
    pub pairs: u64,
}

/// g(r) of two species.
#[derive(Clone, Debug, PartialEq)]
pub struct PairDistribution {
    /// The two; they may be the same.
    pub species: [String; 2],
    /// The distance of their centres at contact, if all particles of a species are of one radius.
    /// \[nm\]
    pub contact: Option<f64>,
    /// By distance.
    pub points: Vec<RdfPoint>,
}

/// Radial distribution functions of all pairs of species. Between walls, the ideal gas is that of
/// particles whose centres keep their radius off the walls, so that g = 1 for an ideal gas at any
/// distance: all pairs count, no origins are masked. Among surfaces, each keeps to the sides of
/// them on which any of its species is seen, or to the surface that it lives on; distances are
/// straight ones.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RadialDistribution {
    /// How many frames were looked at.
    pub frames: usize,
    /// In the order of the species.
    pub pairs: Vec<PairDistribution>,
}

impl PairDistribution {
    /// The first shell that lies beyond contact as a whole.
    pub fn at_contact(&self) -> Option<&RdfPoint> {
        let half = 0.5 * (self.points.get(1)?.distance - self.points[0].distance);
        let contact = self.contact?;
        self.points.iter().find(|point| point.distance - half >= contact * (1.0 - 1e-9))
    }

    /// Where g is greatest.
    pub fn peak(&self) -> Option<&RdfPoint> {
        self.points.iter().max_by(|a, b| a.g.total_cmp(&b.g))
    }
}

impl RadialDistribution {
    /// One row per pair: g at contact, where it is greatest, and at the end.
    pub fn summary(&self) -> Table {
        let mut table = Table::new(&[
            "species",
            "partner",
            "contact (nm)",
            "g there",
            "std. error",
            "greatest g",
            "at (nm)",
            "last g",
            "at the distance (nm)",
        ]);
        for pair in &self.pairs {
            let (contact, peak) = (pair.at_contact(), pair.peak());
            table.push(vec![
                Cell::from(pair.species[0].as_str()),
                pair.species[1].as_str().into(),
                pair.contact.into(),
                contact.map(|point| point.g).into(),
                contact.map(|point| point.error).into(),
                peak.map(|point| point.g).into(),
                peak.map(|point| point.distance).into(),
                pair.points.last().map(|point| point.g).into(),
                pair.points.last().map(|point| point.distance).into(),
            ]);
        }
        table
    }

    /// One row per pair and distance.
    pub fn to_table(&self) -> Table {
        let mut table =
            Table::new(&["species", "partner", "distance (nm)", "g", "std. error", "pairs"]);
        for pair in &self.pairs {
            for point in &pair.points {
                table.push(vec![
                    Cell::from(pair.species[0].as_str()),
                    pair.species[1].as_str().into(),
                    point.distance.into(),
                    point.g.into(),
                    point.error.into(),
                    point.pairs.into(),
                ]);
            }
        }
        table
    }
}

/// Measures g(r) in shells of equal width up to `farthest` \[nm\], at most half the shortest edge;
/// if none is given, as far as is quick. One frame is held in memory at a time.
///
/// # Errors
/// If there are no pairs within the scope, `farthest` is too far, or the file cannot be read.
pub fn radial_distribution(
    reading: &Reading,
    scope: &Scope,
    bins: Option<usize>,
    farthest: Option<f64>,
) -> Result<RadialDistribution, ReadError> {
    match reading.dimension() {
        1 => measure::<1>(reading, scope, bins, farthest),
        2 => measure::<2>(reading, scope, bins, farthest),
        _ => measure::<3>(reading, scope, bins, farthest),
    }
}

fn measure<const D: usize>(
    reading: &Reading,
    scope: &Scope,
    bins: Option<usize>,
    farthest: Option<f64>,
) -> Result<RadialDistribution, ReadError> {
    let frames = scope.frames(reading, 1)?;
    let (first, last) = (Vessel::of(reading, frames.start)?, Vessel::of(reading, frames.end - 1)?);
    let particles = Selection::<D>::of(reading, scope, frames.start)?;
    let most = [(frames.start, &first), (frames.end - 1, &last)]
        .into_iter()
        .map(|(frame, vessel)| Ok(particles.look(reading, frame, vessel)?.0.len()))
        .collect::<Result<Vec<usize>, ReadError>>()?;
    let most = most.into_iter().fold(0, usize::max);
    let room = [half(reading, frames.clone(), &first)?, first.volume()];
    let farthest = reach::<D>(reading, farthest, most, room)?;
    let quick = NEIGHBOURS / neighbours::<D>(first.volume(), most, farthest);
    let count = frames.len().min((quick as usize).clamp(FEWEST_FRAMES, MOST_FRAMES));
    let chosen = |n: usize| frames.start + n * (frames.len() - 1) / (count - 1).max(1);
    let bins = bins.unwrap_or(BINS);
    let kinds = particles.species.len();
    let mut rooms = particles.rooms(reading, &first)?;
    let mut vessels = Vec::new();
    let mut counts = Vec::with_capacity(count);
    let mut numbers = Vec::with_capacity(count);
    for frame in (0..count).map(chosen) {
        let vessel = Vessel::of(reading, frame)?;
        let (position, kind) = particles.look(reading, frame, &vessel)?;
        let mut of_kind = vec![0u64; kinds];
        kind.iter().for_each(|&k| of_kind[k as usize] += 1);
        if !rooms.is_empty() {
            position.iter().zip(&kind).for_each(|(&place, &k)| rooms[k as usize].see(place));
        }
        let still =
            Still { vessel: &vessel, position: &position, kind: &kind, kinds, farthest, bins };
        let counted = still.count();
        if vessels.is_empty() || reading.boxes().change() {
            vessels.push(vessel);
        }
        // Of many kinds, most pairs are of kinds that never come near each other.
        let seen = counted.into_iter().enumerate().filter(|(_, counts)| !counts.is_empty());
        counts.push(seen.collect::<BTreeMap<usize, Vec<u64>>>());
        numbers.push(of_kind);
    }
    let rooms: Vec<_> = rooms.into_iter().map(Room::measured).collect();
    let mut pairs = Vec::new();
    // Of many kinds, most pairs have the same room: without surfaces, it is found once for all of them.
    let mut shares = BTreeMap::new();
    for a in 0..kinds {
        for b in a..kinds {
            // How many pairs of these two there are. [frame]
            let all: Vec<f64> = numbers.iter().map(|n| pairs_of(n[a], n[b], a == b)).collect();
            if all.iter().sum::<f64>() > 0.0 {
                let of = |frame: usize, bin: usize| {
                    counts[frame].get(&(a * kinds + b)).map_or(0.0, |counts| counts[bin] as f64)
                };
                let margins = particles.margins([a, b]);
                if !rooms.is_empty() || !shares.contains_key(&margins) {
                    let edge = |bin: usize| farthest * bin as f64 / bins as f64;
                    let mut of_frames = Vec::new();
                    for vessel in &vessels {
                        let share = particles.ideal(reading, vessel, &rooms, [a, b])?;
                        let all = (0..bins).map(|bin| share(edge(bin), edge(bin + 1)));
                        of_frames.push(all.collect::<Vec<f64>>());
                    }
                    shares.insert(margins, of_frames);
                }
                let shares = &shares[&margins];
                // Of a box that changes, each frame has its own.
                let share = |frame: usize, bin: usize| shares[frame.min(shares.len() - 1)][bin];
                let shells = Shells { farthest, bins };
                pairs.push(particles.normalise(reading, [a, b], &all, of, share, shells));
            }
        }
    }
    if pairs.is_empty() {
        return Err(too_little(
            reading,
            "a distance needs two particles, and no frame has them".into(),
        ));
    }
    Ok(RadialDistribution { frames: count, pairs })
}

/// The place of each slot's species among those that are looked at.
fn kinds(species: &[usize], slots: Vec<Option<usize>>) -> Vec<Option<u16>> {
    let place = |s: usize| species.iter().position(|&one| one == s).map(|n| n as u16);
    slots.into_iter().map(|s| place(s?)).collect()
}

fn pairs_of(a: u64, b: u64, same: bool) -> f64 {
    if same { 0.5 * a as f64 * (a as f64 - 1.0) } else { a as f64 * b as f64 }
}

/// How many neighbours all particles have together in so much room, within a distance. \[nm\]
fn neighbours<const D: usize>(volume: f64, particles: usize, distance: f64) -> f64 {
    let each = particles as f64 / volume * ball::<D>(distance);
    (particles as f64 * each).max(1.0)
}

/// What a ball of this radius holds. \[nm^d\]
fn ball<const D: usize>(radius: f64) -> f64 {
    let unit_ball = [2.0, std::f64::consts::PI, 4.0 / 3.0 * std::f64::consts::PI][D - 1];
    unit_ball * radius.powi(D as i32)
}

/// Half the least width of the box in any frame that is looked at. \[nm\]
fn half<const D: usize>(
    reading: &Reading,
    frames: std::ops::Range<usize>,
    first: &Vessel<D>,
) -> Result<f64, ReadError> {
    if !reading.boxes().change() {
        return Ok(first.half());
    }
    frames
        .map(|frame| Ok(Vessel::<D>::of(reading, frame)?.half()))
        .try_fold(f64::INFINITY, |least, half: Result<f64, ReadError>| Ok(least.min(half?)))
}

/// How far to look in a box of which half the least width and the volume are given. \[nm\]
fn reach<const D: usize>(
    reading: &Reading,
    asked: Option<f64>,
    particles: usize,
    [half, volume]: [f64; 2],
) -> Result<f64, ReadError> {
    if let Some(asked) = asked {
        if asked.is_nan() || asked > half * (1.0 + 1e-9) || asked <= 0.0 {
            let reason = format!(
                "a distance above 0 and up to {}, half the shortest edge, is needed",
                length_text(half)
            );
            return Err(too_little(reading, reason));
        }
        return Ok(asked.min(half));
    }
    let widest = reading.radii_or_points()?.into_iter().fold(0.0, f64::max);
    let wished = if widest > 0.0 { (RADII * widest).min(half) } else { half };
    let all = FEWEST_FRAMES as f64 * neighbours::<D>(volume, particles, wished);
    let shorter = libm::pow((NEIGHBOURS / all).min(1.0), 1.0 / D as f64);
    Ok((wished * shorter).max(FEWEST_RADII * widest).min(half))
}

/// Shells of equal width.
#[derive(Clone, Copy)]
struct Shells {
    /// \[nm\]
    farthest: f64,
    bins: usize,
}

/// The particles that are looked at.
struct Selection<const D: usize> {
    periodic: [bool; D],
    /// The species that are looked at.
    species: Vec<usize>,
    /// The place of each slot's species in that list, unless species change in time.
    kind: Option<Vec<Option<u16>>>,
    /// The mean and the least and greatest radius of each. \[nm\]
    radius: Vec<[f64; 3]>,
}

impl<const D: usize> Selection<D> {
    fn of(reading: &Reading, scope: &Scope, frame: usize) -> Result<Self, ReadError> {
        let wanted = scope.species(reading)?;
        let slots = named_species_in(reading, frame)?;
        let changing = species_change(reading);
        let there = |s: usize| changing || slots.contains(&Some(s));
        let species: Vec<usize> = (0..wanted.len()).filter(|&s| wanted[s] && there(s)).collect();
        let kind = kinds(&species, slots);
        let radii = reading.radii_or_points()?;
        let of_kind = |n: usize| {
            // A particle that changes its species may be of any.
            let is_of = move |k: &Option<u16>| changing || *k == Some(n as u16);
            let all = || kind.iter().zip(&radii).filter(move |(k, _)| is_of(k)).map(|(_, r)| *r);
            let mean = all().sum::<f64>() / all().count().max(1) as f64;
            [mean, all().fold(f64::INFINITY, f64::min), all().fold(0.0, f64::max)]
        };
        let radius = (0..species.len()).map(of_kind).collect();
        let periodic = reading.periodic()?;
        let periodic = std::array::from_fn(|k| periodic[k]);
        Ok(Self { periodic, species, kind: (!changing).then_some(kind), radius })
    }

    /// Where particles are in a frame: places and kinds.
    fn look(
        &self,
        reading: &Reading,
        frame: usize,
        vessel: &Vessel<D>,
    ) -> Result<(Vec<Vector<D>>, Vec<u16>), ReadError> {
        let id = reading.identities(frame..frame + 1, 0..reading.slots())?;
        let position = reading.positions(frame..frame + 1, 0..reading.slots())?;
        let now = match &self.kind {
            Some(_) => None,
            None => Some(kinds(&self.species, named_species_in(reading, frame)?)),
        };
        let kind = self.kind.as_ref().or(now.as_ref());
        let of = |slot: usize| kind.and_then(|kind| kind.get(slot).copied().flatten());
        let here = (0..reading.slots()).filter(|&slot| id[[0, slot]] >= 0);
        let known = here.filter_map(|slot| Some((slot, of(slot)?)));
        let place = |slot: usize| vessel.wrap(Vector::from_fn(|k| position[[0, slot, k]]));
        Ok(known.map(|(slot, kind)| (place(slot), kind)).unzip())
    }

    /// The room of each kind, if there are surfaces, which only our own files have.
    fn rooms(&self, reading: &Reading, vessel: &Vessel<D>) -> Result<Vec<Room<D>>, ReadError> {
        let surfaces = surfaces(reading)?;
        let Some(domain) = vessel.domain().filter(|_| !surfaces.surroundings.is_empty()) else {
            return Ok(Vec::new());
        };
        let room =
            |n: usize| Room::of(&surfaces, domain, self.species[n] as u16, self.radius[n][0]);
        Ok((0..self.species.len()).map(room).collect())
    }

    /// What the room of two kinds depends on where there are no surfaces: how far they keep from walls.
    fn margins(&self, kinds: [usize; 2]) -> [u64; 2] {
        let has_walls = self.periodic.contains(&false);
        let mut margins =
            kinds.map(|kind| if has_walls { self.radius[kind][0].to_bits() } else { 0 });
        margins.sort_unstable();
        margins
    }

    /// How likely two particles of these kinds are to be between two distances apart, in an ideal
    /// gas.
    fn ideal<'a>(
        &'a self,
        reading: &Reading,
        vessel: &Vessel<D>,
        rooms: &'a [Room<D>],
        [a, b]: [usize; 2],
    ) -> Result<Box<dyn Fn(f64, f64) -> f64 + 'a>, ReadError> {
        let nowhere = |kind: usize, between: &str| {
            let name = reading.species_name(self.species[kind] as i64);
            too_little(reading, format!("there is no room between the {between} for {name}"))
        };
        if let Some(kind) =
            [a, b].into_iter().find(|&kind| rooms.get(kind).is_some_and(Room::is_empty))
        {
            return Err(nowhere(kind, "surfaces"));
        }
        if !rooms.is_empty() {
            return Ok(rooms[a].shares(&rooms[b]));
        }
        let volume = vessel.volume();
        let Some(edges) = vessel.domain().filter(|domain| domain.has_walls()).map(Domain::edges)
        else {
            // Where all edges are periodic, a particle may be anywhere around another.
            return Ok(Box::new(move |from, to| (ball::<D>(to) - ball::<D>(from)) / volume));
        };
        let room = |k: usize, kind: usize| edges[k] - 2.0 * self.radius[kind][0];
        let open = (0..D).filter(|&k| !self.periodic[k]);
        let none = |room: f64| room.is_nan() || room <= 0.0;
        if let Some((_, kind)) =
            open.flat_map(|k| [(k, a), (k, b)]).find(|&(k, kind)| none(room(k, kind)))
        {
            return Err(nowhere(kind, "walls"));
        }
        let axis = |k: usize| match self.periodic[k] {
            true => Axis::Closed(edges[k]),
            false => Axis::Open([room(k, a), room(k, b)]),
        };
        let axes: Vec<Axis> = (0..D).map(axis).collect();
        Ok(Box::new(move |from, to| ideal::share(&axes, from, to)))
    }

    /// g from the counts `of(frame, bin)`, where there are `all[frame]` pairs, and from the
    /// `share(frame, bin)` of the pairs of an ideal gas.
    fn normalise(
        &self,
        reading: &Reading,
        [a, b]: [usize; 2],
        all: &[f64],
        of: impl Fn(usize, usize) -> f64,
        share: impl Fn(usize, usize) -> f64,
        Shells { farthest, bins }: Shells,
    ) -> PairDistribution {
        let edge = |bin: usize| farthest * bin as f64 / bins as f64;
        let point = |bin: usize| {
            let distance = 0.5 * (edge(bin) + edge(bin + 1));
            // How many pairs of an ideal gas there would be. [frame]
            let ideal: Vec<f64> =
                all.iter().enumerate().map(|(frame, all)| all * share(frame, bin)).collect();
            let mean = ideal.iter().sum::<f64>() / ideal.len() as f64;
            if mean == 0.0 {
                return RdfPoint { distance, g: 0.0, error: 0.0, pairs: 0 };
            }
            let pairs: f64 = (0..all.len()).map(|frame| of(frame, bin)).sum();
            let g = pairs / (mean * all.len() as f64);
            // The ratio of two averages: to first order, the average of this.
            let series = ideal.iter().enumerate();
            let series = series.map(|(frame, ideal)| (of(frame, bin) - g * ideal) / mean);
            let error = blocked(&series.collect::<Vec<f64>>()).error;
            RdfPoint { distance, g, error, pairs: pairs as u64 }
        };
        let alike = |kind: usize| {
            self.radius[kind][1] == self.radius[kind][2] && self.radius[kind][0] > 0.0
        };
        let name = |kind: usize| reading.species_name(self.species[kind] as i64);
        PairDistribution {
            species: [name(a), name(b)],
            contact: (alike(a) && alike(b)).then(|| self.radius[a][0] + self.radius[b][0]),
            points: (0..bins).map(point).collect(),
        }
    }
}
