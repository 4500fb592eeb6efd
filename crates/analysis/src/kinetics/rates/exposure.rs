//! Which particles could react, and for how long there were how many of them.

use std::collections::{BTreeMap, HashMap};

use super::super::super::replay::{Event, Memberships};
use super::super::integral::{Integral, TimeBins};
use super::{Order, candidates_of};
use jostle_h5md::reading::Reading;

/// Which particles could react. Species are numbers in the file, the lower first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Candidates {
    Nothing,
    One(i32),
    Bond([i32; 2]),
    Pair([i32; 2]),
}

impl Candidates {
    pub(super) fn pair(a: i32, b: i32) -> Self {
        Self::Pair([a.min(b), a.max(b)])
    }

    pub(super) fn order(self) -> Order {
        match self {
            Self::Nothing => Order::Zeroth,
            Self::One(_) | Self::Bond(_) => Order::First,
            Self::Pair(_) => Order::Second,
        }
    }

    pub(super) fn species(&self) -> &[i32] {
        match self {
            Self::Nothing => &[],
            Self::One(species) => std::slice::from_ref(species),
            Self::Bond(pair) | Self::Pair(pair) => pair,
        }
    }

    pub(super) fn name(self, reading: &Reading) -> String {
        let name = |species: i32| reading.species_name(i64::from(species));
        match self {
            Self::Nothing => "nothing".into(),
            Self::One(species) => name(species),
            Self::Bond([a, b]) => format!("bond {}-{}", name(a), name(b)),
            Self::Pair([a, b]) => format!("{} + {}", name(a), name(b)),
        }
    }
}

/// Numbers of particles, of pairs and of bonds, followed through the log.
pub(super) struct Exposure {
    bins: TimeBins,
    counts: Vec<i64>,
    ones: Vec<Integral>,
    /// Of the species `a <= b` at `a * species + b`, once there are any: of many species, few meet.
    pairs: Vec<Option<Box<Integral>>>,
    bonds: BTreeMap<[i32; 2], Integral>,
    /// The species at either end of each bond.
    ends: HashMap<[i64; 2], [i32; 2]>,
}

/// What [`Exposure`] comes to: integrals over time, bin by bin.
pub(super) struct Exposures {
    bins: TimeBins,
    ones: Vec<Vec<f64>>,
    /// By place, as in [`Exposure`].
    pairs: BTreeMap<usize, Vec<f64>>,
    bonds: BTreeMap<[i32; 2], Vec<f64>>,
}

impl Exposure {
    pub(super) fn new(state: &Memberships, species: usize, bins: TimeBins) -> Self {
        let mut new = Self {
            bins,
            counts: vec![0; species],
            ones: vec![Integral::new(&bins); species],
            pairs: std::iter::repeat_with(|| None).take(species * species).collect(),
            bonds: BTreeMap::new(),
            ends: HashMap::new(),
        };
        for (species, _) in state.species_of().values() {
            new.count(*species, 1);
        }
        (0..species).for_each(|s| new.renew(s, bins.from));
        for [a, b] in state.bonds() {
            new.join(state, [a as i64, b as i64], bins.from);
        }
        new
    }

    /// Which particles could have done what an event did; before it is taken in.
    pub(super) fn candidates(&self, event: &Event<'_>, in_time: bool) -> Option<Candidates> {
        candidates_of(event, in_time, |a, b| self.ends.get(&[a, b]).copied())
    }

    /// Follows an event, after which the state is as given.
    pub(super) fn take_in(&mut self, state: &Memberships, event: &Event<'_>, time: f64) {
        for party in event.reactants {
            self.count(party.species, -1);
        }
        for party in event.products {
            self.count(party.species, 1);
        }
        for party in event.reactants.iter().chain(event.products) {
            if let Ok(species) = usize::try_from(party.species) {
                self.renew(species, time);
            }
        }
        for bond in event.broken {
            self.part([bond.a, bond.b], time);
        }
        for bond in event.made {
            self.join(state, [bond.a, bond.b], time);
        }
        // Bonds whose ends have become others.
        for party in event.products {
            let id = party.id as u64;
            let partners: Vec<u64> = state.partners(id).collect();
            for partner in partners {
                let bond = [id.min(partner) as i64, id.max(partner) as i64];
                self.part(bond, time);
                self.join(state, bond, time);
            }
        }
    }

    fn count(&mut self, species: i32, by: i64) {
        let place = usize::try_from(species).ok().and_then(|s| self.counts.get_mut(s));
        if let Some(count) = place {
            *count += by;
        }
    }

    /// Takes up the present number of a species.
    fn renew(&mut self, species: usize, time: f64) {
        let all = self.counts.len();
        let Some(&own) = self.counts.get(species) else {
            return;
        };
        self.ones[species].set(&self.bins, time, own as f64);
        for (other, &count) in self.counts.iter().enumerate() {
            let place = species.min(other) * all + species.max(other);
            let pairs = if other == species { own * (own - 1) / 2 } else { own * count };
            let known = &mut self.pairs[place];
            if pairs != 0 || known.is_some() {
                let known = known.get_or_insert_with(|| Box::new(Integral::new(&self.bins)));
                known.set(&self.bins, time, pairs as f64);
            }
        }
    }

    fn join(&mut self, state: &Memberships, bond: [i64; 2], time: f64) {
        let species = |id: i64| state.species_of().get(&(id as u64)).map(|particle| particle.0);
        if let [Some(a), Some(b)] = bond.map(species) {
            self.ends.insert(bond, [a.min(b), a.max(b)]);
            self.shift([a.min(b), a.max(b)], time, 1.0);
        }
    }

    fn part(&mut self, bond: [i64; 2], time: f64) {
        if let Some(pair) = self.ends.remove(&bond) {
            self.shift(pair, time, -1.0);
        }
    }

    fn shift(&mut self, pair: [i32; 2], time: f64, by: f64) {
        let bins = self.bins;
        let bonds = self.bonds.entry(pair).or_insert_with(|| Integral::new(&bins));
        bonds.set(&bins, time, bonds.value() + by);
    }

    pub(super) fn finish(self) -> Exposures {
        let bins = self.bins;
        let pairs = self.pairs.into_iter().enumerate();
        Exposures {
            bins,
            ones: self.ones.into_iter().map(|one| one.finish(&bins)).collect(),
            pairs: pairs.filter_map(|(place, one)| Some((place, one?.finish(&bins)))).collect(),
            bonds: self.bonds.into_iter().map(|(pair, one)| (pair, one.finish(&bins))).collect(),
        }
    }
}

impl Exposures {
    /// All that were there at some time, and nothing, of which particles may come.
    pub(super) fn candidates(&self) -> impl Iterator<Item = Candidates> {
        let species = self.ones.len();
        let is_there = |parts: &[f64]| parts.iter().any(|part| *part > 0.0);
        let ones = (0..species).filter(move |&s| is_there(&self.ones[s]));
        let pairs = self.pairs.iter().filter(move |(_, parts)| is_there(parts));
        std::iter::once(Candidates::Nothing)
            .chain(ones.map(|s| Candidates::One(s as i32)))
            .chain(self.bonds.keys().map(|&pair| Candidates::Bond(pair)))
            .chain(pairs.map(move |(place, _)| {
                Candidates::pair((place / species) as i32, (place % species) as i32)
            }))
    }

    /// Of each bin, where candidates have so much room. \[µs\], for pairs \[µs/nm^d\], for nothing
    /// \[µs nm^d\]
    pub(super) fn of(&self, candidates: Candidates, room: f64) -> Vec<f64> {
        let none = || vec![0.0; self.bins.count];
        let species = self.ones.len();
        match candidates {
            Candidates::Nothing => {
                let each = (self.bins.to - self.bins.from) / self.bins.count as f64;
                vec![each * room; self.bins.count]
            }
            Candidates::One(s) => self.ones.get(s as usize).cloned().unwrap_or_else(none),
            Candidates::Bond(pair) => self.bonds.get(&pair).cloned().unwrap_or_else(none),
            Candidates::Pair([a, b]) => {
                let within = |s: i32| usize::try_from(s).ok().filter(|&s| s < species);
                let place = within(a).zip(within(b)).map(|(a, b)| a * species + b);
                let pairs = place.and_then(|place| self.pairs.get(&place).cloned());
                let pairs = pairs.unwrap_or_else(none);
                pairs.into_iter().map(|sum| sum / room).collect()
            }
        }
    }
}
