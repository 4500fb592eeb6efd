//! What is compared between levels, and how it is measured.

use super::estimate::{distances, values};
use super::replica::Replica;
use super::{Estimate, Row};
use jostle_brownian::Brownian;
use jostle_core::clusters::Unit;
use jostle_core::rules::Action;
use jostle_core::space::Vector;
use jostle_core::species::Drift;
use jostle_model::Model;

/// A number that a state has.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Observable {
    /// How many particles of a species there are.
    Count(u16),
    /// How many clusters there are, lone particles counted in.
    Clusters,
    /// How many bonds there are.
    Bonds,
    /// The mean squared displacement since the start of the particles of a species, along an axis
    /// or the mean of all, over 2 t.
    Spread(u16, Option<usize>),
}

/// What is compared in a model.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Observables {
    all: Vec<Observable>,
    species: Vec<String>,
    /// The species of which there are particles at the start.
    walkers: Vec<u16>,
}

/// Where every particle was: the particles of the start are numbered from 0.
pub(super) struct StartPlaces<const D: usize>(Vec<(u16, Vector<D>)>);

/// A state, as far as it is compared.
pub(super) struct ComparedState<const D: usize> {
    time: f64,
    /// \[species\]
    counts: Vec<usize>,
    clusters: usize,
    bonds: usize,
    /// Where the particles of the start are without periodic wrap, if they are what they were.
    places: Vec<Option<Vector<D>>>,
}

impl<const D: usize> StartPlaces<D> {
    pub(super) fn of(engine: &Brownian<D>) -> Self {
        let species = |slot: u32| engine.particles().species[slot as usize];
        let slots = engine.particles().slots_by_id();
        Self(slots.into_iter().map(|slot| (species(slot), place(engine, slot))).collect())
    }

    /// The mean of something over the particles of a species that have it.
    fn mean(&self, species: u16, of: impl Fn(usize, Vector<D>) -> Option<f64>) -> f64 {
        let all = self.0.iter().enumerate().filter(|(_, (kind, _))| *kind == species);
        let found = all.filter_map(|(id, (_, from))| of(id, *from));
        let (sum, count) = found.fold((0.0, 0u64), |(sum, count), x| (sum + x, count + 1));
        sum / count as f64
    }
}

/// Where a particle is without periodic wrap.
fn place<const D: usize>(engine: &Brownian<D>, slot: u32) -> Vector<D> {
    engine.view().unwrapped(slot as usize)
}

impl<const D: usize> ComparedState<D> {
    pub(super) fn of(engine: &Brownian<D>, start: &StartPlaces<D>) -> Self {
        let (p, clusters) = (engine.particles(), engine.clusters());
        let mut counts = Vec::new();
        let mut places = vec![None; start.0.len()];
        let slots = p.slots_by_id();
        for &slot in &slots {
            let (species, id) = (p.species[slot as usize], p.id[slot as usize] as usize);
            if counts.len() <= species as usize {
                counts.resize(species as usize + 1, 0);
            }
            counts[species as usize] += 1;
            if start.0.get(id).is_some_and(|(first, _)| *first == species) {
                places[id] = Some(place(engine, slot));
            }
        }
        let bonds = clusters.bonds().count();
        let bonded = |unit: &Unit| unit.members.len() - 1;
        let joined: usize = clusters.units.iter().flatten().map(bonded).sum();
        Self { time: engine.clock().time(), counts, clusters: slots.len() - joined, bonds, places }
    }
}

impl Observable {
    fn of<const D: usize>(self, scene: &ComparedState<D>, start: &StartPlaces<D>) -> f64 {
        match self {
            Self::Count(species) => scene.counts.get(species as usize).copied().unwrap_or(0) as f64,
            Self::Clusters => scene.clusters as f64,
            Self::Bonds => scene.bonds as f64,
            Self::Spread(species, axis) => {
                let square = |id: usize, from: Vector<D>| {
                    let way = scene.places[id]? - from;
                    Some(axis.map_or_else(|| way.norm_squared() / D as f64, |k| way[k] * way[k]))
                };
                start.mean(species, square) / (2.0 * scene.time)
            }
        }
    }

    fn name(self, species: &[String]) -> String {
        match self {
            Self::Count(s) => format!("number of {}", species[s as usize]),
            Self::Clusters => "clusters, lone particles counted in".to_owned(),
            Self::Bonds => "bonds".to_owned(),
            Self::Spread(s, None) => format!("msd/2dt of {} (µm²/s)", species[s as usize]),
            Self::Spread(s, Some(k)) => {
                format!("msd/2t of {} along {} (µm²/s)", species[s as usize], ["x", "y", "z"][k])
            }
        }
    }
}

impl Observables {
    /// Those that a model can have.
    pub(super) fn of(model: &Model) -> Self {
        let species: Vec<String> = model.species.iter().map(|s| s.name.clone()).collect();
        let kinds = 0..species.len() as u16;
        let starts = |s: &u16| model.placement.iter().any(|p| p.species == *s && p.count() > 0);
        let walkers: Vec<u16> = kinds.clone().filter(starts).collect();
        let changes = (0..model.rules().len() as u16).any(|rule| model.rules().reacts(rule));
        let merges =
            |wanted: Action| model.rules().contact.iter().any(|rule| rule.action == wanted);
        let mut all = Vec::new();
        if changes {
            all.extend(kinds.map(Observable::Count));
        }
        if merges(Action::Bond) {
            all.extend([Observable::Clusters, Observable::Bonds]);
        }
        for &s in &walkers {
            match directed(model) {
                true => {
                    all.extend((0..model.space.dimension).map(|k| Observable::Spread(s, Some(k))))
                }
                false => all.push(Observable::Spread(s, None)),
            }
        }
        Self { all, species, walkers }
    }

    /// Nothing measured so far.
    pub(super) fn empty(&self, levels: usize) -> Replica {
        Replica {
            values: vec![vec![[0.0; 2]; levels]; self.all.len()],
            apart: vec![vec![[0.0; 2]; levels - 1]; self.walkers.len()],
            short_of_rate: Vec::new(),
        }
    }

    /// Looks at all levels at one time.
    pub(super) fn look<const D: usize>(
        &self,
        scenes: &[ComparedState<D>],
        start: &StartPlaces<D>,
        replica: &mut Replica,
    ) {
        let add = |[end, sum]: &mut [f64; 2], value| (*end, *sum) = (value, *sum + value);
        for (observable, found) in self.all.iter().zip(&mut replica.values) {
            for (scene, found) in scenes.iter().zip(found) {
                add(found, observable.of(scene, start));
            }
        }
        for (&species, found) in self.walkers.iter().zip(&mut replica.apart) {
            for (pair, found) in scenes.windows(2).zip(found) {
                let apart =
                    |id: usize, _| Some((pair[0].places[id]? - pair[1].places[id]?).norm_squared());
                add(found, start.mean(species, apart));
            }
        }
    }

    /// What the replicas say of each.
    pub(super) fn rows(&self, replicas: &[Replica]) -> Vec<Row> {
        let mut rows = Vec::new();
        for average in [false, true] {
            let pick =
                |found: &Vec<[f64; 2]>| found.iter().map(|x| x[usize::from(average)]).collect();
            for (n, observable) in self.all.iter().enumerate() {
                let samples: Vec<Vec<f64>> = replicas.iter().map(|r| pick(&r.values[n])).collect();
                let (values, changes, verdict) = values(&samples);
                rows.push(Row {
                    what: observable.name(&self.species),
                    average,
                    values,
                    changes,
                    verdict,
                });
            }
            for (n, &s) in self.walkers.iter().enumerate() {
                let samples: Vec<Vec<f64>> = replicas.iter().map(|r| pick(&r.apart[n])).collect();
                let (changes, verdict): (Vec<Estimate>, _) = distances(&samples);
                let what = format!("rms distance of paths of {} (nm)", self.species[s as usize]);
                rows.push(Row { what, average, values: Vec::new(), changes, verdict });
            }
        }
        rows
    }

    /// What has to be known to read the numbers.
    pub(super) fn notes(&self, model: &Model, replicas: &[Replica]) -> Vec<String> {
        let mut notes = Vec::new();
        if (0..model.rules().len() as u16).any(|rule| model.rules().reacts(rule)) {
            notes.push(
                "reactions share no noise but the source of their uniforms: the fate of a contact is keyed by \
                 its moment, which differs from level to level, so that after the first differing reaction \
                 counts scatter between levels nearly as between replicas. More replicas narrow their errors"
                    .to_owned(),
            );
        }
        let meets = !jostle_model::measure::meeting(model).is_none();
        if meets || model.space.periodic[..model.space.dimension].contains(&false) {
            notes.push(
                "particles that meet each other or a wall are turned back at other moments at each level, and the \
                 noise of later steps is not turned with them: paths part there, and come together as steps \
                 become shorter, even where averages are the same at every step"
                    .to_owned(),
            );
        }
        let short: u64 = replicas.iter().flat_map(|r| &r.short_of_rate).sum();
        if short > 0 {
            notes.push(format!(
                "at {short} contacts not even a certain reaction could give the rate that the rule asks for"
            ));
        }
        notes
    }
}

/// Whether one direction differs from another.
fn directed(model: &Model) -> bool {
    let edges = &model.space.edges[..model.space.dimension];
    let periodic = &model.space.periodic[..model.space.dimension];
    model.species.iter().any(|s| s.drift != Drift::Still)
        || edges.iter().any(|edge| *edge != edges[0])
        || periodic.iter().any(|p| *p != periodic[0])
}
