//! Chains and rings of bonded particles: how large and how stiff they are.

use std::collections::BTreeMap;

use super::scope::{Scope, too_little};
use super::statistics::{Estimate, blocked};
use super::tables::{Cell, Table};
use jostle_h5md::reading::{ReadError, Reading};

/// Bonds that all but continue each other, by the mean cosine, tell no persistence length.
const STRAIGHT: f64 = 1e-8;

/// How a molecule is bonded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PolymerShape {
    /// An unbranched chain.
    Chain,
    /// A chain that is closed.
    Ring,
}

impl PolymerShape {
    fn name(self) -> &'static str {
        match self {
            Self::Chain => "chain",
            Self::Ring => "ring",
        }
    }
}

/// The chains or rings of one number of beads. Averages are over molecules and frames, with errors
/// by blocking over frames.
#[derive(Clone, Debug, PartialEq)]
pub struct ChainStatistics {
    /// Chains or rings.
    pub shape: PolymerShape,
    /// How many beads each has.
    pub beads: usize,
    /// How many there are.
    pub number: Estimate,
    /// The mean square distance of the ends; none of rings. \[nm²\]
    pub end_to_end: Option<Estimate>,
    /// The mean square radius of gyration, all beads having the same weight. \[nm²\]
    pub gyration: Estimate,
    /// The mean length of a bond. \[nm\]
    pub bond: Estimate,
    /// The mean cosine of the angle between the vectors of successive bonds; none of rings and
    /// dimers.
    pub cosine: Option<Estimate>,
    /// -b/ln⟨cos⟩, b being the mean length of a bond; none where the mean cosine is not above 0, or
    /// the chains are straight. \[nm\]
    pub persistence: Option<Estimate>,
    /// How many there are, and the mean squares \[nm²\] of the distance of their ends and of the
    /// radius of gyration; NaN where there are none. \[frame\]
    pub series: Vec<(u64, [f64; 2])>,
}

/// The chains and rings of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Polymers {
    /// \[frame\], \[µs\]
    pub times: Vec<f64>,
    /// Chains before rings, by the number of beads.
    pub kinds: Vec<ChainStatistics>,
    /// How many molecules are branched, or go round a periodic box, per frame on average: they
    /// are neither chains nor rings.
    pub others: f64,
}

/// The square root of a mean square.
fn root(square: Estimate) -> Estimate {
    let mean = square.mean.sqrt();
    Estimate { mean, error: 0.5 * square.error / mean, ..square }
}

/// A number and its error in a table.
fn cells(one: Option<Estimate>) -> [Cell; 2] {
    [one.map(|one| one.mean).into(), one.map(|one| one.error).into()]
}

impl ChainStatistics {
    /// A row of numbers that each have an error.
    fn row(&self, numbers: [Option<Estimate>; 3]) -> Vec<Cell> {
        let names = [Cell::from(self.shape.name()), self.beads.into()];
        names.into_iter().chain(numbers.into_iter().flat_map(cells)).collect()
    }
}

impl Polymers {
    /// One row for each kind: how many there are, and how large they are.
    pub fn to_table(&self) -> Table {
        let mut table = Table::new(&[
            "shape",
            "beads",
            "number",
            "std. error",
            "rms end to end (nm)",
            "std. error of end to end (nm)",
            "radius of gyration (nm)",
            "std. error of radius (nm)",
        ]);
        for kind in &self.kinds {
            let sizes = [kind.end_to_end.map(root), Some(root(kind.gyration))];
            table.push(kind.row([Some(kind.number), sizes[0], sizes[1]]));
        }
        table
    }

    /// One row for each kind: mean squares, and the ratio of the two, which is 6 for long ideal
    /// chains.
    pub fn squares_to_table(&self) -> Table {
        let mut table = Table::new(&[
            "shape",
            "beads",
            "square end to end (nm²)",
            "std. error of end to end (nm²)",
            "square radius (nm²)",
            "std. error of radius (nm²)",
            "ratio",
        ]);
        for kind in &self.kinds {
            let mut row = kind.row([kind.end_to_end, Some(kind.gyration), None]);
            row.truncate(6);
            row.push(kind.end_to_end.map(|square| square.mean / kind.gyration.mean).into());
            table.push(row);
        }
        table
    }

    /// One row for each kind: bonds, and how far their direction persists.
    pub fn bonds_to_table(&self) -> Table {
        let mut table = Table::new(&[
            "shape",
            "beads",
            "bond length (nm)",
            "std. error (nm)",
            "mean cosine",
            "std. error of cosine",
            "persistence length (nm)",
            "std. error of persistence (nm)",
        ]);
        for kind in &self.kinds {
            table.push(kind.row([Some(kind.bond), kind.cosine, kind.persistence]));
        }
        table
    }

    /// One row per frame and kind that is there.
    pub fn series_to_table(&self) -> Table {
        let mut table = Table::new(&[
            "time (µs)",
            "shape",
            "beads",
            "number",
            "square end to end (nm²)",
            "square radius (nm²)",
        ]);
        for (frame, time) in self.times.iter().enumerate() {
            for kind in self.kinds.iter().filter(|kind| kind.series[frame].0 > 0) {
                let (number, [end_to_end, gyration]) = kind.series[frame];
                table.push(vec![
                    Cell::from(*time),
                    kind.shape.name().into(),
                    kind.beads.into(),
                    number.into(),
                    kind.end_to_end.map(|_| end_to_end).into(),
                    gyration.into(),
                ]);
            }
        }
        table
    }
}

/// Sums over the chains or rings of one kind in a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct ChainSums {
    number: u64,
    /// \[nm²\]
    end_to_end: f64,
    /// \[nm²\]
    gyration: f64,
    /// The mean length of the bonds of each. \[nm\]
    bond: f64,
    /// The mean cosine of each between successive bonds.
    cosine: f64,
}

impl ChainSums {
    /// Adds a molecule with its beads at these places \[nm\], which are unwrapped, and in order.
    fn add(&mut self, shape: PolymerShape, places: &[[f64; 3]]) {
        let beads = places.len() as f64;
        let mean: [f64; 3] =
            std::array::from_fn(|k| places.iter().map(|place| place[k]).sum::<f64>() / beads);
        let squares = places.iter().map(|place| square(less(*place, mean)));
        self.number += 1;
        self.gyration += squares.sum::<f64>() / beads;
        let mut bonds: Vec<_> = places.windows(2).map(|pair| less(pair[1], pair[0])).collect();
        if let (PolymerShape::Ring, [first, .., last]) = (shape, places) {
            bonds.push(less(*first, *last));
        }
        let lengths: Vec<f64> = bonds.iter().map(|bond| square(*bond).sqrt()).collect();
        self.bond += lengths.iter().sum::<f64>() / lengths.len() as f64;
        if let (PolymerShape::Chain, [first, .., last]) = (shape, places) {
            self.end_to_end += square(less(*last, *first));
        }
        if shape == PolymerShape::Chain && bonds.len() > 1 {
            let cosines = bonds.windows(2).zip(lengths.windows(2)).map(|(bonds, lengths)| {
                let product: f64 = (0..3).map(|k| bonds[0][k] * bonds[1][k]).sum();
                product / (lengths[0] * lengths[1])
            });
            self.cosine += cosines.sum::<f64>() / (bonds.len() - 1) as f64;
        }
    }

    /// The mean of something that is summed up.
    fn mean(&self, sum: f64) -> f64 {
        sum / self.number as f64
    }
}

fn less(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|k| a[k] - b[k])
}

fn square(v: [f64; 3]) -> f64 {
    v.iter().map(|x| x * x).sum()
}

/// The averages over all molecules of a kind, of sums over those of each frame.
fn averaged((shape, beads): (PolymerShape, usize), frames: &[ChainSums]) -> ChainStatistics {
    let numbers: Vec<f64> = frames.iter().map(|sums| sums.number as f64).collect();
    let number = blocked(&numbers);
    let mean = |of: &dyn Fn(&ChainSums) -> f64| {
        frames.iter().map(of).sum::<f64>() / numbers.iter().sum::<f64>()
    };
    // The error of a ratio of two averages is, to first order, that of the average of this.
    let ratio = |of: &dyn Fn(&ChainSums) -> f64| {
        let mean = mean(of);
        let left = frames.iter().map(|sums| (of(sums) - mean * sums.number as f64) / number.mean);
        Estimate { mean, ..blocked(&left.collect::<Vec<f64>>()) }
    };
    let bond = ratio(&|sums| sums.bond);
    let is_chain = shape == PolymerShape::Chain;
    let cosine = (is_chain && beads > 2).then(|| ratio(&|sums| sums.cosine));
    let persistence = cosine.filter(|cos| cos.mean > 0.0 && cos.mean < 1.0 - STRAIGHT).map(|cos| {
        let log = libm::log(cos.mean);
        // By how much it is longer if the means are those of a frame, to first order.
        let [per_bond, per_cosine] = [-1.0 / log, bond.mean / (cos.mean * log * log)];
        let change = ratio(&|sums| per_bond * sums.bond + per_cosine * sums.cosine);
        Estimate { mean: -bond.mean / log, ..change }
    });
    ChainStatistics {
        shape,
        beads,
        number,
        end_to_end: is_chain.then(|| ratio(&|sums| sums.end_to_end)),
        gyration: ratio(&|sums| sums.gyration),
        bond,
        cosine,
        persistence,
        series: frames
            .iter()
            .map(|sums| (sums.number, [sums.end_to_end, sums.gyration].map(|sum| sums.mean(sum))))
            .collect(),
    }
}

/// Bonded particles, in order along their bonds.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Traced {
    Polymer(PolymerShape, Vec<u32>),
    Branched,
}

/// All molecules of two and more particles, by the bonds between `slots` slots.
fn traced(slots: usize, bonds: &[[u32; 2]]) -> Vec<Traced> {
    let mut partners: Vec<Vec<u32>> = vec![Vec::new(); slots];
    for [a, b] in bonds.iter().copied().filter(|[a, b]| a != b) {
        // Two molecules may be bonded at several sites.
        if !partners[a as usize].contains(&b) {
            partners[a as usize].push(b);
            partners[b as usize].push(a);
        }
    }
    let mut reached = vec![false; slots];
    let mut found = Vec::new();
    for start in (0..slots as u32).filter(|&slot| !partners[slot as usize].is_empty()) {
        if reached[start as usize] {
            continue;
        }
        let mut members = vec![start];
        reached[start as usize] = true;
        let mut next = 0;
        while let Some(&one) = members.get(next) {
            for &other in &partners[one as usize] {
                if !std::mem::replace(&mut reached[other as usize], true) {
                    members.push(other);
                }
            }
            next += 1;
        }
        found.push(in_order(&members, &partners));
    }
    found
}

/// The members of a molecule in order along its bonds, from the end in the lower slot, or in a ring
/// from the lowest slot.
fn in_order(members: &[u32], partners: &[Vec<u32>]) -> Traced {
    if members.iter().any(|&one| partners[one as usize].len() > 2) {
        return Traced::Branched;
    }
    let end = members.iter().copied().filter(|&one| partners[one as usize].len() == 1).min();
    let shape = if end.is_some() { PolymerShape::Chain } else { PolymerShape::Ring };
    let mut order = Vec::with_capacity(members.len());
    let mut at = end.unwrap_or(members[0]);
    let mut before = None;
    while order.len() < members.len() {
        order.push(at);
        let onwards = partners[at as usize].iter().copied().find(|&one| Some(one) != before);
        before = Some(at);
        at = onwards.unwrap_or(at);
    }
    Traced::Polymer(shape, order)
}

/// A box whose periodic axes have edges \[nm\], and the others none.
type Edges = [Option<f64>; 3];

/// The places of the beads of a molecule, each at the image that is nearest to the one before it;
/// none of a ring that goes round the box, and is nowhere closed.
fn unwrapped(
    edges: &Edges,
    shape: PolymerShape,
    places: impl Iterator<Item = [f64; 3]>,
) -> Option<Vec<[f64; 3]>> {
    let mut path: Vec<[f64; 3]> = Vec::new();
    let nearest = |from: [f64; 3], to: [f64; 3]| {
        std::array::from_fn(|k| {
            let turns = edges[k].map_or(0.0, |edge| edge * libm::round((to[k] - from[k]) / edge));
            to[k] - turns
        })
    };
    for place in places {
        let place = path.last().map_or(place, |last| nearest(*last, place));
        path.push(place);
    }
    if let (PolymerShape::Ring, [first, .., last]) = (shape, path.as_slice()) {
        let gap = less(nearest(*last, *first), *first);
        if square(gap) > 0.0 {
            return None;
        }
    }
    Some(path)
}

/// Measures chains and rings of particles that are bonded to each other in every frame of the scope,
/// one frame in memory at a time. Only particles of the species of the scope and bonds between them
/// are looked at.
///
/// # Errors
/// If there is no chain or ring, no frame within the scope, or the file cannot be read.
pub fn polymers(reading: &Reading, scope: &Scope) -> Result<Polymers, ReadError> {
    let wanted = scope.species(reading)?;
    let frames = scope.frames(reading, 1)?;
    let count = frames.len();
    let meant: Vec<bool> = match scope.species.is_empty() {
        true => vec![true; reading.slots()],
        false => {
            let named = reading.named_species()?.into_iter();
            named.map(|species| species.is_some_and(|s| wanted[s])).collect()
        }
    };
    let (edges, periodic) = (reading.box_edges()?, reading.periodic()?);
    let edges: Edges = std::array::from_fn(|k| periodic[k].then_some(edges[k]));
    let times = reading.times()?[frames.clone()].to_vec();
    let mut kinds: BTreeMap<(PolymerShape, usize), Vec<ChainSums>> = BTreeMap::new();
    let mut others = 0u64;
    for (row, frame) in frames.enumerate() {
        let bonds = bonds(reading, frame, &meant)?;
        if bonds.is_empty() {
            continue;
        }
        let at = reading.positions(frame..frame + 1, 0..reading.slots())?;
        let place = |slot: u32| std::array::from_fn(|k| at[[0, slot as usize, k]]);
        for molecule in traced(reading.slots(), &bonds) {
            let whole = match &molecule {
                Traced::Polymer(shape, beads) => {
                    unwrapped(&edges, *shape, beads.iter().copied().map(place))
                        .map(|path| (*shape, path))
                }
                Traced::Branched => None,
            };
            let Some((shape, path)) = whole else {
                others += 1;
                continue;
            };
            let sums = kinds.entry((shape, path.len()));
            let sums = sums.or_insert_with(|| vec![ChainSums::default(); count]);
            sums[row].add(shape, &path);
        }
    }
    let others = others as f64 / count as f64;
    if kinds.is_empty() {
        let reason = match others > 0.0 {
            true => {
                "all molecules are branched or go round the box: there are no chains and no closed rings \
                 (--species leaves other particles and their bonds out)"
            }
            false => "no particles that are looked at are bonded to each other",
        };
        return Err(too_little(reading, reason.to_owned()));
    }
    let kinds = kinds.iter().map(|(kind, sums)| averaged(*kind, sums)).collect();
    Ok(Polymers { times, kinds, others })
}

/// The bonds of a frame between slots that are meant.
fn bonds(reading: &Reading, frame: usize, meant: &[bool]) -> Result<Vec<[u32; 2]>, ReadError> {
    let listed = reading.bonds(frame)?;
    if listed.is_empty() {
        return Ok(Vec::new());
    }
    let ids = reading.identities(frame..frame + 1, 0..reading.slots())?;
    let there = |slot: i32| {
        let slot = usize::try_from(slot).ok().filter(|&slot| slot < meant.len())?;
        (ids[[0, slot]] >= 0).then_some(slot as u32)
    };
    let ends = |[a, b]: [i32; 2]| Some([there(a)?, there(b)?]);
    let bonds: Option<Vec<[u32; 2]>> = listed.into_iter().map(ends).collect();
    let lost = || reading.damaged("connectivity/bonds", "a bond holds an empty slot");
    let mut bonds = bonds.ok_or_else(lost)?;
    bonds.retain(|bond| bond.iter().all(|&slot| meant[slot as usize]));
    Ok(bonds)
}

#[cfg(test)]
mod tests;
