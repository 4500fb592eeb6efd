//! The genealogy of clusters: which merged into which, which fell apart into which, from the log
//! alone.

mod graph;

use std::collections::{BTreeMap, BTreeSet};

use super::replay::{self, Memberships};
use super::tables::{Cell, Table};
use jostle_core::observe::ChangeKind;
use jostle_h5md::reading::ReadError;
use jostle_h5md::reading::Reading;

/// The life of a cluster, from when its identity comes up to when it goes. A particle that is alone
/// is a cluster of its own; when it is set free again, that is another life of the same identity.
#[derive(Clone, Debug, PartialEq)]
pub struct Life {
    /// The cluster's identity.
    pub cluster: u64,
    /// When it came to be; 0 if it was there at the start. \[µs\]
    pub born: f64,
    /// When it ceased to be, if it did. \[µs\]
    pub died: Option<f64>,
    /// How many particles it held at first, those inside coalesced ones counted one by one.
    pub size: u32,
    /// How many it held at most.
    pub largest: u32,
    /// What it held at first: how many particles of each species, by name.
    pub composition: BTreeMap<String, u32>,
}

/// One life led to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Descent {
    /// The earlier life, a place in [`Genealogy::lives`].
    pub parent: usize,
    /// The later one, or the one that continued.
    pub child: usize,
    /// When. \[µs\]
    pub time: f64,
    /// What happened.
    pub kind: ChangeKind,
    /// The rule's number.
    pub rule: u16,
}

/// The merge and split tree of all clusters.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Genealogy {
    /// All lives, in the order of their births.
    pub lives: Vec<Life>,
    /// Which came of which, in the order of time.
    pub descents: Vec<Descent>,
    /// The names of the rules.
    pub rules: Vec<String>,
}

/// The genealogy of all clusters in a file.
///
/// # Errors
/// If there is no frame, the file cannot be read, or the log contradicts itself.
pub fn genealogy(reading: &Reading) -> Result<Genealogy, ReadError> {
    let mut state = replay::first(reading)?;
    let timestep = reading.timestep();
    let mut tree = Genealogy { rules: reading.rules()?, ..Genealogy::default() };
    let mut present = BTreeMap::new();
    let at_first: BTreeSet<u64> = state.cluster_of().values().copied().collect();
    for cluster in at_first {
        let life = tree.begin(&state, reading, cluster, 0.0);
        present.insert(cluster, life);
    }
    replay::follow(reading, &mut state, u64::MAX, |state, event| {
        let time = (event.row.step as f64 + event.row.time) * timestep;
        let (before, after) = (as_ids(event.before), as_ids(event.after));
        let parents: Vec<(u64, usize)> =
            before.iter().filter_map(|id| Some((*id, *present.get(id)?))).collect();
        for (id, life) in parents.iter().filter(|(id, _)| !after.contains(id)) {
            tree.lives[*life].died = Some(time);
            present.remove(id);
        }
        for cluster in after {
            let continues = before.contains(&cluster);
            let child = match present.get(&cluster) {
                Some(&life) => life,
                None => {
                    let life = tree.begin(state, reading, cluster, time);
                    present.insert(cluster, life);
                    life
                }
            };
            let size = state.size(cluster) as u32;
            tree.lives[child].largest = tree.lives[child].largest.max(size);
            // What continued is not the parent of what it lost, unless that is new.
            let from = parents
                .iter()
                .filter(|(id, life)| *life != child && !(continues && present.contains_key(id)));
            let descents = from.map(|(_, parent)| Descent {
                parent: *parent,
                child,
                time,
                kind: event.kind,
                rule: event.row.rule,
            });
            tree.descents.extend(descents);
        }
    })?;
    Ok(tree)
}

fn as_ids(rows: &[i64]) -> Vec<u64> {
    rows.iter().map(|&id| id as u64).collect()
}

impl Genealogy {
    fn begin(&mut self, state: &Memberships, reading: &Reading, cluster: u64, born: f64) -> usize {
        let mut composition = BTreeMap::new();
        for (species, _) in state.members(cluster).filter_map(|id| state.species_of().get(&id)) {
            *composition.entry(reading.species_name(i64::from(*species))).or_default() += 1;
        }
        let size = state.size(cluster) as u32;
        self.lives.push(Life { cluster, born, died: None, size, largest: size, composition });
        self.lives.len() - 1
    }

    /// Only what is related to a life of `cluster`: its ancestors, its descendants and itself.
    pub fn related_to(&self, cluster: u64) -> Self {
        let own = (0..self.lives.len()).filter(|&n| self.lives[n].cluster == cluster);
        let mut kept: BTreeSet<usize> = own.collect();
        let (mut up, mut down) = (kept.clone(), kept.clone());
        for descent in &self.descents {
            if down.contains(&descent.parent) {
                down.insert(descent.child);
            }
        }
        for descent in self.descents.iter().rev() {
            if up.contains(&descent.child) {
                up.insert(descent.parent);
            }
        }
        kept.extend(up.into_iter().chain(down));
        self.restricted(|n| kept.contains(&n))
    }

    /// Only clusters that held `least` particles or more at some time, and what is between them.
    pub fn of_size(&self, least: u32) -> Self {
        self.restricted(|n| self.lives[n].largest >= least)
    }

    /// Only lives that led to others or came of others.
    pub fn eventful(&self) -> Self {
        let involved: BTreeSet<usize> =
            self.descents.iter().flat_map(|d| [d.parent, d.child]).collect();
        self.restricted(|n| involved.contains(&n))
    }

    fn restricted(&self, keeps: impl Fn(usize) -> bool) -> Self {
        let mut place = vec![None; self.lives.len()];
        let mut lives = Vec::new();
        for (n, life) in self.lives.iter().enumerate().filter(|(n, _)| keeps(*n)) {
            place[n] = Some(lives.len());
            lives.push(life.clone());
        }
        let kept = self.descents.iter().filter_map(|descent| {
            Some(Descent {
                parent: place[descent.parent]?,
                child: place[descent.child]?,
                ..*descent
            })
        });
        Self { lives, descents: kept.collect(), rules: self.rules.clone() }
    }

    /// One row for each life.
    pub fn to_table(&self) -> Table {
        let columns = [
            "cluster",
            "born (µs)",
            "died (µs)",
            "size",
            "largest",
            "parents",
            "children",
            "particles",
        ];
        let mut table = Table::new(&columns);
        let mut related = vec![[0u32; 2]; self.lives.len()];
        for descent in &self.descents {
            related[descent.child][0] += 1;
            related[descent.parent][1] += 1;
        }
        for (life, [parents, children]) in self.lives.iter().zip(related) {
            table.push(vec![
                Cell::from(life.cluster),
                life.born.into(),
                life.died.into(),
                life.size.into(),
                life.largest.into(),
                parents.into(),
                children.into(),
                life.particles().into(),
            ]);
        }
        table
    }

    /// One row for each descent: the rows of the two lives in [`to_table`](Self::to_table), when,
    /// what happened and by which rule.
    pub fn descents_to_table(&self) -> Table {
        let mut table = Table::new(&["parent", "child", "time (µs)", "kind", "rule"]);
        for descent in &self.descents {
            table.push(vec![
                descent.parent.into(),
                descent.child.into(),
                descent.time.into(),
                descent.kind.name().into(),
                self.rule(descent.rule).into(),
            ]);
        }
        table
    }
}

impl Life {
    /// What it held at first, in words: `2 EGFR{bound}, 1 Grb2`.
    pub fn particles(&self) -> String {
        let words: Vec<String> =
            self.composition.iter().map(|(name, n)| format!("{n} {name}")).collect();
        words.join(", ")
    }
}
