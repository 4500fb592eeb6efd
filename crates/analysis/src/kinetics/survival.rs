//! How long bonds hold, and how long particles stay what they are.

use std::collections::{BTreeMap, HashMap};

use super::super::replay::{self, Event, Memberships};
use super::super::scope::Scope;
use super::super::tables::{Cell, Table};
use super::survival_curve::{Observed, SurvivalCurve, ages, curves, summaries};
use jostle_h5md::reading::ReadError;
use jostle_h5md::reading::Reading;

/// What lasts: a species, or the bond between two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Lasting {
    /// A particle stays of its species: until it is converted, bound into another particle, or
    /// vanishes.
    Particle(i32),
    /// A bond holds between particles that were of these species when it was made.
    Bond([i32; 2]),
}

/// How long something lasts.
#[derive(Clone, Debug, PartialEq)]
pub struct Survivor {
    /// What: a species, or `bond A-B`, after what the two were when it was made.
    pub of: String,
    /// The share that lasts longer; ages in µs.
    pub curve: SurvivalCurve,
}

/// How long particles stay of their species, and bonds hold.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Survivals {
    /// Species first, then bonds.
    pub entries: Vec<Survivor>,
    /// Species that nothing happened to: only when pooled with other runs do they say anything.
    pub unchanged: Vec<Survivor>,
}

impl Survivals {
    fn curves(&self) -> impl Iterator<Item = (Cell, &SurvivalCurve)> {
        self.entries.iter().map(|one| (Cell::from(one.of.as_str()), &one.curve))
    }

    /// One row per species and kind of bond.
    pub fn to_table(&self) -> Table {
        summaries("of", self.curves())
    }

    /// One row per species or kind of bond, and age at which one ended.
    pub fn curves_to_table(&self) -> Table {
        curves("of", self.curves())
    }

    /// One row per species or kind of bond, and age at which one was first seen, ended, or was last
    /// seen.
    pub fn ages_to_table(&self) -> Table {
        let unchanged = self.unchanged.iter().map(|one| (Cell::from(one.of.as_str()), &one.curve));
        ages("of", self.curves().chain(unchanged))
    }
}

/// Which particles are there, since when.
#[derive(Default)]
struct Present {
    particles: HashMap<i64, (i32, f64)>,
    bonds: HashMap<[i64; 2], ([i32; 2], f64)>,
}

/// Measures how long particles stay of their species and bonds hold, from the log of changes. What
/// is still there at the end is censored; what was there at the start counts from then on. Ages
/// above `longest` \[µs\] are not looked at. 24 bytes for each life are held in memory.
///
/// # Errors
/// If there is no frame, a species is unknown, or the file cannot be read.
pub fn survival(
    reading: &Reading,
    scope: &Scope,
    longest: Option<f64>,
) -> Result<Survivals, ReadError> {
    let window = scope.window(reading)?;
    let wanted = scope.species(reading)?;
    let start = reading.times()?[0];
    let timestep = reading.timestep();
    let mut lives: BTreeMap<Lasting, Vec<Observed>> = BTreeMap::new();
    let mut enter = |what: Lasting, since: f64, ended: Option<f64>| {
        if let Some(life) = Observed::through(window, since, ended) {
            lives.entry(what).or_default().push(life);
        }
    };
    let mut state = replay::first(reading)?;
    let mut present = Present::at_first(&state, start);
    let last_step = ((window[1] / timestep).ceil() as u64).saturating_add(1);
    replay::follow(reading, &mut state, last_step, |state, event| {
        let time = event.time(timestep);
        if time <= window[1] {
            present.follow(state, event, time, &mut |what, since| enter(what, since, Some(time)));
        }
    })?;
    for (species, since) in present.particles.into_values() {
        enter(Lasting::Particle(species), since, None);
    }
    for (pair, since) in present.bonds.into_values() {
        enter(Lasting::Bond(pair), since, None);
    }
    let is_wanted = |s: i32| usize::try_from(s).ok().and_then(|s| wanted.get(s)) == Some(&true);
    let name = |s: i32| reading.species_name(i64::from(s));
    let mut found = Survivals::default();
    for (what, lives) in lives {
        let of = match what {
            Lasting::Particle(s) if is_wanted(s) => name(s),
            Lasting::Bond([a, b]) if is_wanted(a) && is_wanted(b) => {
                format!("bond {}-{}", name(a), name(b))
            }
            _ => continue,
        };
        let curve = SurvivalCurve::of(&lives, longest);
        let is_said = curve.rate.events > 0 || matches!(what, Lasting::Bond(_));
        let list = if is_said { &mut found.entries } else { &mut found.unchanged };
        list.push(Survivor { of, curve });
    }
    Ok(found)
}

impl Present {
    fn at_first(state: &Memberships, start: f64) -> Self {
        let mut new = Self::default();
        for (&id, &(species, _)) in state.species_of() {
            new.particles.insert(id as i64, (species, start));
        }
        for [a, b] in state.bonds() {
            new.join(state, [a as i64, b as i64], start);
        }
        new
    }

    fn join(&mut self, state: &Memberships, bond: [i64; 2], time: f64) {
        let species = |id: i64| state.species_of().get(&(id as u64)).map(|particle| particle.0);
        if let [Some(a), Some(b)] = bond.map(species) {
            self.bonds.insert(bond, ([a.min(b), a.max(b)], time));
        }
    }

    /// Follows an event, after which the state is as given; tells of what ended.
    fn follow(
        &mut self,
        state: &Memberships,
        event: &Event<'_>,
        time: f64,
        end: &mut dyn FnMut(Lasting, f64),
    ) {
        let stays = |id: i64, species: i32| {
            event.products.iter().any(|product| (product.id, product.species) == (id, species))
        };
        for party in event.reactants.iter().filter(|party| !stays(party.id, party.species)) {
            if let Some((species, since)) = self.particles.remove(&party.id) {
                end(Lasting::Particle(species), since);
            }
        }
        for party in event.products {
            self.particles.entry(party.id).or_insert((party.species, time));
        }
        for bond in event.broken {
            if let Some((pair, since)) = self.bonds.remove(&[bond.a, bond.b]) {
                end(Lasting::Bond(pair), since);
            }
        }
        for bond in event.made {
            self.join(state, [bond.a, bond.b], time);
        }
    }
}
