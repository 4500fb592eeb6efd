//! Association and dissociation rates, from the log of changes and from which particles could have
//! reacted.

mod exposure;

use std::collections::BTreeMap;

use super::super::replay::{self, Event};
use super::super::scope::Scope;
use super::super::surfaces::{SURFACES, model_with};
use super::super::tables::{Cell, Table};
use super::integral::TimeBins;
use super::poisson::PoissonRate;
use exposure::{Candidates, Exposure};
use jostle_core::observe::ChangeKind;
use jostle_core::space::Groups;
use jostle_h5md::reading::ReadError;
use jostle_h5md::reading::Reading;
use jostle_model::{Model, measure, spread};

/// How many have to come together for a reaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Order {
    /// None: particles come out of nothing. Constants are per volume and time \[nm^-d µs^-1\].
    Zeroth,
    /// One particle, or one bond. Constants are per time \[µs^-1\].
    First,
    /// Two particles. Constants are volumes per time \[nm^d µs^-1\], d being one less where both
    /// live on one surface. Of two of a kind, k is that of dn/dt = -k n² for A + A → nothing, as in
    /// the model: k n²/2 reactions per volume and time.
    Second,
}

/// Events and exposure within a stretch of time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RateBin {
    /// The middle of the stretch. \[µs\]
    pub time: f64,
    /// What happened in it.
    pub rate: PoissonRate,
}

/// How fast a rule works on the species that it is for.
#[derive(Clone, Debug, PartialEq)]
pub struct Rate {
    /// The rule.
    pub rule: String,
    /// What happened: bonded, coalesced, ...
    pub kind: ChangeKind,
    /// Which particles could react: `A + B`, `A`, the bond `A-B`, or nothing.
    pub of: String,
    /// How many have to come together.
    pub order: Order,
    /// In how many dimensions: 1, 2 or 3, and one less on a surface.
    pub dimension: usize,
    /// Events over exposure: the rate constant. Of two particles, the exposure is the integral over
    /// time of N_A N_B/V, for two of a kind of N (N - 1)/(2 V); of one, of N; of none, of V, which
    /// is the box, or for two the room that the sides of surfaces leave them that their species
    /// say, or the surface that they live on.
    pub rate: PoissonRate,
    /// The same over time.
    pub bins: Vec<RateBin>,
}

/// Apparent rate constants: all particles of the species count as candidates, whether or not the
/// rule's conditions (sizes, free bonds, windows of time) hold for them. Intervals are exact for
/// independent events.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rates {
    /// By rule, then by species.
    pub entries: Vec<Rate>,
    /// For how long there was what could have reacted, whether or not anything did.
    pub exposures: Vec<Exposed>,
    /// Pairs, as [`Rate::of`], whose constants are not those of two that are spread evenly, each with what keeps
    /// them from that: they meet more often, or less often, than their numbers and their room say.
    pub uneven: Vec<[String; 2]>,
}

/// For how long there was what could have reacted. Rates of several runs are pooled with it: a run
/// without an event has an exposure, too.
#[derive(Clone, Debug, PartialEq)]
pub struct Exposed {
    /// What: as [`Rate::of`].
    pub of: String,
    /// The unit of rate constants: that of events over exposure.
    pub unit: &'static str,
    /// The middle of each stretch of time \[µs\], and the exposure in it.
    pub bins: Vec<[f64; 2]>,
}

/// What nm and µs are multiplied by in constants of this order, and the unit that comes out.
fn unit_of(order: Order, dimension: usize) -> (f64, &'static str) {
    match (order, dimension) {
        (Order::First, _) => (1e6, "/s"),
        (Order::Second, 1) => (1.0, "nm/us"),
        (Order::Second, 2) => (1.0, "nm^2/us"),
        (Order::Second, _) => (1.0, Rates::UNIT_OF_VOLUME),
        (Order::Zeroth, 1) => (1e9, "/um/s"),
        (Order::Zeroth, 2) => (1e12, "/um^2/s"),
        (Order::Zeroth, _) => (1e15, "/um^3/s"),
    }
}

impl Rate {
    /// What nm and µs are multiplied by, and the unit that comes out.
    pub fn unit(&self) -> (f64, &'static str) {
        unit_of(self.order, self.dimension)
    }
}

impl Rates {
    /// One row per rule and species.
    pub fn to_table(&self) -> Table {
        let columns = ["rule", "of", "events", "k", "k low", "k high", "unit", "k (/M/s)"];
        let mut table = Table::new(&columns);
        for one in &self.entries {
            let (factor, unit) = one.unit();
            let [low, high] = one.rate.interval().map(|k| k * factor);
            let molar = one.order == Order::Second && one.dimension == 3;
            table.push(vec![
                Cell::from(one.rule.as_str()),
                one.of.as_str().into(),
                one.rate.events.into(),
                (one.rate.rate() * factor).into(),
                low.into(),
                high.into(),
                unit.into(),
                molar.then(|| one.rate.rate() * Self::PER_MOLAR_SECOND).into(),
            ]);
        }
        table
    }

    /// One row per rule, species and bin of time.
    pub fn bins_to_table(&self) -> Table {
        let columns = ["rule", "of", "time (µs)", "events", "k", "k low", "k high", "unit"];
        let mut table = Table::new(&columns);
        for one in &self.entries {
            let (factor, unit) = one.unit();
            for bin in &one.bins {
                let [low, high] = bin.rate.interval().map(|k| k * factor);
                table.push(vec![
                    Cell::from(one.rule.as_str()),
                    one.of.as_str().into(),
                    bin.time.into(),
                    bin.rate.events.into(),
                    (bin.rate.rate() * factor).into(),
                    low.into(),
                    high.into(),
                    unit.into(),
                ]);
            }
        }
        table
    }
}

impl Rates {
    /// One nm³/µs in 1/(M s).
    pub const PER_MOLAR_SECOND: f64 = 6.022_140_76e5;

    /// The unit of constants that [`PER_MOLAR_SECOND`](Self::PER_MOLAR_SECOND) converts.
    pub const UNIT_OF_VOLUME: &str = "nm^3/us";

    /// The heads of [`exposures_to_table`](Self::exposures_to_table).
    pub const EXPOSURES: [&str; 4] = ["of", "unit", "time (µs)", "exposure"];

    /// One row for each kind of candidates and bin of time. Events over exposure are constants in
    /// the unit that is given.
    pub fn exposures_to_table(&self) -> Table {
        let mut table = Table::new(&Self::EXPOSURES);
        for one in &self.exposures {
            for [time, exposure] in &one.bins {
                table.push(vec![
                    one.of.as_str().into(),
                    one.unit.into(),
                    (*time).into(),
                    (*exposure).into(),
                ]);
            }
        }
        table
    }
}

/// What tells one rate from another.
type RateKey = (u16, ChangeKind, Candidates);

/// Measures how fast each rule works, from the log of changes, in `bins` stretches of time. Of a
/// cut at contact, only the particle that is cut counts, which is what the log has. Divisions of
/// the cell are left out.
///
/// # Errors
/// If there is no frame, a species is unknown, or the file cannot be read.
pub fn rates(reading: &Reading, scope: &Scope, bins: usize) -> Result<Rates, ReadError> {
    let [from, to] = scope.window(reading)?;
    let wanted = scope.species(reading)?;
    let bins = TimeBins { from, to, count: bins.max(1) };
    let timestep = reading.timestep();
    let mut state = replay::first(reading)?;
    let mut exposure = Exposure::new(&state, wanted.len(), bins);
    let model = model_with(reading, &[SURFACES, "[[potential]]"])?;
    let first_timed = model.as_ref().map_or(u16::MAX, |model| model.rules().first_timed());
    let mut events: BTreeMap<RateKey, Vec<u64>> = BTreeMap::new();
    let last_step = ((to / timestep).ceil() as u64).saturating_add(1);
    replay::follow(reading, &mut state, last_step, |state, event| {
        let time = event.time(timestep);
        if time > to {
            return;
        }
        let in_time = event.row.rule >= first_timed;
        if let (Some(candidates), Some(bin)) = (exposure.candidates(event, in_time), bins.of(time))
        {
            let key = (event.row.rule, event.kind, candidates);
            events.entry(key).or_insert_with(|| vec![0; bins.count])[bin] += 1;
        }
        exposure.take_in(state, event, time);
    })?;
    let names = reading.rules()?;
    let exposures = exposure.finish();
    let model = model.as_ref().map(|model| (model, measure::meeting(model)));
    let room = |candidates| match (candidates, &model) {
        (Candidates::Pair([a, b]), Some((model, meeting))) => {
            let pair = [a as u16, b as u16];
            let room = shared_room(model, meeting, pair).unwrap_or_else(|| reading.volume());
            (room, model.dimension_of(pair).max(1))
        }
        _ => (reading.volume(), reading.dimension()),
    };
    let is_wanted = |candidates: Candidates| {
        candidates.species().iter().all(|&s| wanted.get(s as usize) != Some(&false))
    };
    let middle = |n: usize| 0.5 * (bins.edge(n) + bins.edge(n + 1));
    let uneven = exposures.candidates().filter_map(|candidates| match (candidates, &model) {
        (Candidates::Pair([a, b]), Some((model, _))) if is_wanted(candidates) => {
            let why = spread::uneven_pair(model, [a as u16, b as u16])?;
            Some([candidates.name(reading), why])
        }
        _ => None,
    });
    let uneven = uneven.collect();
    let mut exposed = Vec::new();
    for candidates in exposures.candidates().filter(|one| is_wanted(*one)) {
        let (room, dimension) = room(candidates);
        let (factor, unit) = unit_of(candidates.order(), dimension);
        let parts = exposures.of(candidates, room);
        let parts = parts.iter().enumerate().map(|(n, part)| [middle(n), part / factor]);
        exposed.push(Exposed { of: candidates.name(reading), unit, bins: parts.collect() });
    }
    let mut entries = Vec::new();
    for ((rule, kind, candidates), counts) in events {
        if !is_wanted(candidates) {
            continue;
        }
        let (room, dimension) = room(candidates);
        let parts = exposures.of(candidates, room);
        let bin = |n: usize| RateBin {
            time: middle(n),
            rate: PoissonRate { events: counts[n], exposure: parts[n] },
        };
        entries.push(Rate {
            rule: names.get(rule as usize).cloned().unwrap_or_else(|| format!("rule {rule}")),
            kind,
            of: candidates.name(reading),
            order: candidates.order(),
            dimension,
            rate: PoissonRate { events: counts.iter().sum(), exposure: parts.iter().sum() },
            bins: (0..bins.count).map(bin).collect(),
        });
    }
    Ok(Rates { entries, exposures: exposed, uneven })
}

/// The room in which two species meet, if they are among those that do. \[nm^d\]
fn shared_room(model: &Model, meeting: &Groups, [a, b]: [u16; 2]) -> Option<f64> {
    measure::host(model, meeting, a, b).map(|host| measure::room_of(model, host))
}

/// Which particles could have done what an event did, by a rule in time or at contact.
fn candidates_of(
    event: &Event<'_>,
    in_time: bool,
    bond: impl Fn(i64, i64) -> Option<[i32; 2]>,
) -> Option<Candidates> {
    use ChangeKind::{
        Bonded, Coalesced, Converted, Created, Divided, Fragmented, Refused, Split, Unbonded,
    };
    let [first, second] = [0, 1].map(|n| event.reactants.get(n).map(|party| party.species));
    Some(match event.kind {
        Refused | Divided => return None,
        Created => Candidates::Nothing,
        Unbonded | Fragmented if !event.broken.is_empty() => {
            Candidates::Bond(bond(event.broken[0].a, event.broken[0].b)?)
        }
        Split | Fragmented | Unbonded => Candidates::One(first?),
        // What changes or goes in time comes first, then what is bound to it and does, too.
        Bonded | Coalesced | Converted | ChangeKind::Vanished => {
            match second.filter(|_| !in_time) {
                Some(second) => Candidates::pair(first?, second),
                None => Candidates::One(first?),
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_has_the_room_that_surfaces_leave_where_they_cut_each_other() {
        let text = r#"
space = { dimension = 3, edges = ["40 um", "20 um", "20 um"], boundary = "reflecting" }
run = { timestep = "1 ns", steps = 1 }
[[surface]]
name = "ball"
sphere = { centre = ["10 um", "10 um", "10 um"], radius = "5 um" }
[[surface]]
name = "cut"
plane = { axis = "x", at = "5.5 um" }
meets = "ignore"
[[species]]
name = "A"
radius = "1 nm"
diffusion = "100 um^2/s"
count = 10
inside = "ball"
below = "cut"
[[species]]
name = "B"
radius = "1 nm"
diffusion = "100 um^2/s"
count = 10
inside = "ball"
below = "cut"
"#;
        let model = jostle_model::parse(text, "cap.toml", &[]).unwrap();
        let room = shared_room(&model, &measure::meeting(&model), [0, 1]).unwrap();
        // What is cut off is 0.5 um high.
        let cap = std::f64::consts::PI * 500.0 * 500.0 * (5000.0 - 500.0 / 3.0);
        assert!((room / cap - 1.0).abs() < 1e-4, "{room} instead of {cap}");
    }
}
