//! The energy that particles have by attraction and repulsion, of pairs and beside surfaces, and how many
//! neighbours each has in the shells of a potential.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use toml::Value;

use super::field_energy::{FieldColumns, FieldEnergy, WIDTH, fields_of};
use super::near::count_pairs;
use super::running::Running;
use super::scope::{Scope, too_little};
use super::statistics::{Estimate, each};
use super::surfaces::model_of;
use super::tables::{Cell, Table};
use jostle_core::potentials::{Potentials, StepPotential};
use jostle_core::rules::{Scheduled, ScheduledAction};
use jostle_core::space::{Domain, Vector};
use jostle_files::with_room;
use jostle_h5md::reading::{ReadError, Reading, are_tethered, potentials};

/// A shell of the potential of two species.
#[derive(Clone, Debug, PartialEq)]
pub struct Shell {
    /// From the distance of contact, or from the end of the shell before, to its own end. \[nm\]
    pub range: [f64; 2],
    /// Of a pair in it. \[kT\]
    pub energy: f64,
    /// How many pairs are in it.
    pub pairs: Estimate,
    /// How many particles of the second species one of the first has in it; 0 in a frame without
    /// any of the first.
    pub neighbours: Estimate,
}

/// The pairs of two species that have a potential.
#[derive(Clone, Debug, PartialEq)]
pub struct PairEnergy {
    /// The two species.
    pub species: [String; 2],
    /// From contact outwards.
    pub shells: Vec<Shell>,
    /// Of all these pairs together. \[kT\]
    pub energy: Estimate,
    /// The same, divided by the number of particles of all species that have a potential. \[kT\]
    pub per_particle: Estimate,
}

/// The potential energy of a run: of pairs, and of particles beside surfaces. Averages are over frames, with
/// errors by blocking. Two particles of one rigid cluster do not count as a pair: they do not move relative to each
/// other.
#[derive(Clone, Debug, PartialEq)]
pub struct PotentialEnergy {
    /// \[frame\], \[µs\]
    pub times: Vec<f64>,
    /// How many particles there are of all species that have a potential. \[frame\]
    pub particles: Vec<u64>,
    /// Of all pairs, and of all particles beside surfaces. \[frame\], \[kT\]
    pub energy: Vec<[f64; 2]>,
    /// The mean of the sum of both. \[kT\]
    pub total: Estimate,
    /// The mean of the same, divided by the number of particles. \[kT\]
    pub per_particle: Estimate,
    /// Pairs of species, in their order.
    pub pairs: Vec<PairEnergy>,
    /// Species beside surfaces, in the order of the potentials.
    pub fields: Vec<FieldEnergy>,
}

impl PotentialEnergy {
    /// The energy of a frame. \[kT\]
    pub fn total_in(&self, frame: usize) -> f64 {
        self.energy[frame].iter().sum()
    }

    /// The energy of a frame divided by the number of particles; 0 if there are none. \[kT\]
    pub fn per_particle_in(&self, frame: usize) -> f64 {
        each(self.total_in(frame), self.particles[frame])
    }

    /// One row for all together, one for each pair of species, and one for each species beside a surface.
    pub fn to_table(&self) -> Table {
        let mut table = Table::new(&[
            "species",
            "partner",
            "energy (kT)",
            "std. error (kT)",
            "per particle (kT)",
            "std. error per particle (kT)",
        ]);
        let all = (["all", "all"], [self.total, self.per_particle]);
        let pairs = self.pairs.iter().map(|pair| {
            (pair.species.each_ref().map(String::as_str), [pair.energy, pair.per_particle])
        });
        let fields = self
            .fields
            .iter()
            .map(|field| ([&*field.species, &*field.surface], [field.energy, field.per_particle]));
        let parts = pairs.chain(fields);
        for ([species, partner], [energy, per_particle]) in std::iter::once(all).chain(parts) {
            table.push(vec![
                Cell::from(species),
                partner.into(),
                energy.mean.into(),
                energy.error.into(),
                per_particle.mean.into(),
                per_particle.error.into(),
            ]);
        }
        table
    }

    /// One row for each shell of each pair of species, counted from 1.
    pub fn shells_to_table(&self) -> Table {
        let mut table = Table::new(&[
            "species",
            "partner",
            "shell",
            "from (nm)",
            "to (nm)",
            "energy (kT)",
            "pairs",
            "std. error",
            "neighbours",
            "std. error of neighbours",
        ]);
        for pair in &self.pairs {
            for (n, shell) in pair.shells.iter().enumerate() {
                table.push(vec![
                    Cell::from(pair.species[0].as_str()),
                    pair.species[1].as_str().into(),
                    (n as i64 + 1).into(),
                    shell.range[0].into(),
                    shell.range[1].into(),
                    shell.energy.into(),
                    shell.pairs.mean.into(),
                    shell.pairs.error.into(),
                    shell.neighbours.mean.into(),
                    shell.neighbours.error.into(),
                ]);
            }
        }
        table
    }

    /// One row per frame.
    pub fn series_to_table(&self) -> Table {
        let mut table = Table::new(&[
            "time (µs)",
            "particles",
            "energy (kT)",
            "per particle (kT)",
            "pairs (kT)",
            "beside surfaces (kT)",
        ]);
        for (frame, time) in self.times.iter().enumerate() {
            let [pairs, fields] = self.energy[frame];
            table.push(vec![
                Cell::from(*time),
                self.particles[frame].into(),
                self.total_in(frame).into(),
                self.per_particle_in(frame).into(),
                pairs.into(),
                fields.into(),
            ]);
        }
        table
    }
}

/// Whether a file is that of a Brownian run, whose particles may attract and repel each other.
pub fn is_brownian(reading: &Reading) -> bool {
    let engine = "parameters/engine";
    reading.is_ours()
        && reading.has(engine)
        && reading.text(engine).is_ok_and(|word| word == "brownian")
}

/// Measures the energy of the potentials of a Brownian run, of pairs and beside surfaces, and counts the
/// neighbours in the shells of those of pairs, in every frame of the scope, one frame in memory at a time. All
/// species count.
///
/// # Errors
/// If the model has no potentials, there is no frame within the scope, or the file cannot be read.
pub fn potential_energy(reading: &Reading, scope: &Scope) -> Result<PotentialEnergy, ReadError> {
    match reading.dimension() {
        1 => measure::<1>(reading, scope),
        2 => measure::<2>(reading, scope),
        _ => measure::<3>(reading, scope),
    }
}

/// Why there are no potentials in a file.
fn absent(reading: &Reading) -> ReadError {
    let model = reading.model().map(|(_, resolved)| resolved).unwrap_or_default();
    let said = with_room(|| {
        toml::from_str(&model).is_ok_and(|table: toml::Table| {
            table.get("potential").and_then(Value::as_array).is_some_and(|list| !list.is_empty())
        })
    });
    let reason = match said.unwrap_or(false) {
        true => {
            "an earlier version wrote it, without the potentials in shells (/parameters/potentials): \
             run the model again"
        }
        false => {
            "the particles of a Brownian run have an energy only if its model has a [[potential]], which \
             this one does not"
        }
    };
    too_little(reading, reason.to_owned())
}

/// Two species with a potential, and where their numbers are in a row of numbers: pairs in each
/// shell, then neighbours in each, then the energy and the energy per particle.
struct PairColumns<'a> {
    species: [u16; 2],
    potential: &'a StepPotential,
    first: usize,
}

impl PairColumns<'_> {
    fn shells(&self) -> usize {
        self.potential.edges().len()
    }

    /// Enters what was counted in each shell in a row, for these potentials, of which some may be switched
    /// off. `count` are the particles of each species,
    /// `particles` those of all that have a potential. Returns the energy. \[kT\]
    fn enter(
        &self,
        potentials: &Potentials,
        counts: &[u64],
        count: &[u64],
        particles: u64,
        row: &mut [f64],
    ) -> f64 {
        let present = potentials.of(self.species[0], self.species[1]);
        let [a, b] = self.species.map(usize::from);
        let ends = if a == b { 2.0 } else { 1.0 };
        let mut energy = 0.0;
        for (shell, &pairs) in counts.iter().enumerate() {
            row[self.first + shell] = pairs as f64;
            row[self.first + self.shells() + shell] = each(ends * pairs as f64, count[a]);
            energy += pairs as f64 * present.map_or(0.0, |one| one.in_shell(shell));
        }
        let sums = self.first + 2 * self.shells();
        row[sums] = energy;
        row[sums + 1] = each(energy, particles);
        energy
    }

    /// What the averages of all rows say of these two; `radius` is that of each species. \[nm\]
    fn averaged(&self, reading: &Reading, all: &[Estimate], radius: &[f64]) -> PairEnergy {
        let edges = self.potential.edges();
        let contact = self.species.iter().map(|s| radius[usize::from(*s)]).sum();
        let shell = |n: usize| Shell {
            range: [if n == 0 { contact } else { edges[n - 1] }, edges[n]],
            energy: self.potential.in_shell(n),
            pairs: all[self.first + n],
            neighbours: all[self.first + self.shells() + n],
        };
        let sums = self.first + 2 * self.shells();
        PairEnergy {
            species: self.species.map(|s| reading.species_name(i64::from(s))),
            shells: (0..self.shells()).map(shell).collect(),
            energy: all[sums],
            per_particle: all[sums + 1],
        }
    }
}

/// The particles of a frame that have a potential, with others or beside a surface.
struct Attracted<const D: usize> {
    position: Vec<Vector<D>>,
    species: Vec<u16>,
    /// That of the rigid cluster, if it is part of one.
    cluster: Vec<Option<i64>>,
    /// How many there are of each species.
    count: Vec<u64>,
}

impl<const D: usize> Attracted<D> {
    /// `species` are those of the slots, where they have a potential; `tethered` says of each species
    /// whether its clusters are flexible.
    fn of_frame(
        reading: &Reading,
        domain: &Domain<D>,
        species: &[Option<u16>],
        tethered: &[bool],
        frame: usize,
    ) -> Result<Self, ReadError> {
        let data = reading.frame_data(frame..frame + 1, 0..species.len())?;
        let at = reading.positions(frame..frame + 1, 0..species.len())?;
        let mut these = Self {
            position: Vec::new(),
            species: Vec::new(),
            cluster: Vec::new(),
            count: vec![0; reading.species().len()],
        };
        for (slot, species) in species.iter().enumerate() {
            if let Some(species) = species.filter(|_| data.id[[0, slot]] >= 0) {
                // Numbers in single precision may lie on the far face, which is the near one.
                these.position.push(domain.wrap(Vector::from_fn(|k| at[[0, slot, k]])).0);
                these.species.push(species);
                let is_rigid = !tethered[usize::from(species)];
                these.cluster.push(is_rigid.then(|| data.cluster[[0, slot]]));
                these.count[usize::from(species)] += 1;
            }
        }
        Ok(these)
    }

    /// How many pairs there are in each shell, by the place of their species in `pairs`.
    fn shells(
        &self,
        domain: &Domain<D>,
        pairs: &[PairColumns<'_>],
        place_of: &HashMap<[u16; 2], usize>,
    ) -> Vec<Vec<u64>> {
        if pairs.is_empty() {
            return Vec::new();
        }
        let farthest = pairs.iter().map(|pair| pair.potential.range()).fold(0.0, f64::max);
        count_pairs(domain, &self.position, farthest, pairs.len(), |counts, [i, j]| {
            if self.cluster[i].is_some() && self.cluster[i] == self.cluster[j] {
                return;
            }
            let [a, b] = [self.species[i], self.species[j]];
            let Some(&place) = place_of.get(&[a.min(b), a.max(b)]) else { return };
            let edges = pairs[place].potential.edges();
            let distance = domain.nearest_image(self.position[j] - self.position[i]).norm();
            let shell = edges.partition_point(|edge| *edge <= distance);
            if shell < edges.len() {
                counts[place].resize(edges.len(), 0);
                counts[place][shell] += 1;
            }
        })
    }
}

fn measure<const D: usize>(reading: &Reading, scope: &Scope) -> Result<PotentialEnergy, ReadError> {
    let mut fields: Vec<FieldColumns<D>> = fields_of(reading)?;
    let potentials = match potentials(reading)? {
        Some(potentials) => potentials,
        None if fields.is_empty() => return Err(absent(reading)),
        None => Potentials::default(),
    };
    let frames = scope.frames(reading, 1)?;
    let concerned = potentials.pairs().flat_map(|(pair, _)| pair);
    let concerned: BTreeSet<u16> = concerned.chain(fields.iter().map(|one| one.species)).collect();
    let species = reading.slot_species()?.into_iter().map(|s| u16::try_from(s).ok());
    let species: Vec<Option<u16>> = species.map(|s| s.filter(|s| concerned.contains(s))).collect();
    // Of many species, most pairs may never be there.
    let present: BTreeSet<u16> = species.iter().copied().flatten().collect();
    let mut pairs: Vec<PairColumns<'_>> = Vec::new();
    let mut width = 2;
    for (species, potential) in potentials.pairs() {
        if species.iter().all(|s| present.contains(s)) {
            pairs.push(PairColumns { species, potential, first: width });
            width += 2 * potential.edges().len() + 2;
        }
    }
    fields.retain(|one| present.contains(&one.species));
    for one in &mut fields {
        one.first = width;
        width += WIDTH;
    }
    if pairs.is_empty() && fields.is_empty() {
        let reason = "there are no two particles that have a potential, and none that has one beside a surface";
        return Err(too_little(reading, reason.to_owned()));
    }
    let place_of = pairs.iter().enumerate().map(|(place, pair)| (pair.species, place)).collect();
    let domain = domain::<D>(reading, &pairs)?;
    let tethered = are_tethered(reading)?;
    let mut running = Running::new(width);
    let (mut particles, mut energy) = (Vec::new(), Vec::new());
    let times = reading.times()?;
    let mut switches = Switches::of(reading, &potentials)?;
    for frame in frames.clone() {
        let present = switches.at(times[frame]);
        let these = Attracted::of_frame(reading, &domain, &species, &tethered, frame)?;
        let number = these.count.iter().sum();
        let mut row = vec![0.0; width];
        let mut sums = [0.0; 2];
        for (pair, counts) in pairs.iter().zip(these.shells(&domain, &pairs, &place_of)) {
            sums[0] += pair.enter(present, &counts, &these.count, number, &mut row);
        }
        for one in &fields {
            sums[1] += one.enter(&domain, &these.species, &these.position, number, &mut row);
        }
        row[0] = sums.iter().sum();
        row[1] = each(row[0], number);
        running.push(&row);
        particles.push(number);
        energy.push(sums);
    }
    let all = running.estimates();
    let radius = reading.species_data()?.into_iter().map(|one| one.radius.unwrap_or(0.0));
    let radius: Vec<f64> = radius.collect();
    Ok(PotentialEnergy {
        times: times[frames].to_vec(),
        particles,
        energy,
        total: all[0],
        per_particle: all[1],
        pairs: pairs.iter().map(|pair| pair.averaged(reading, &all, &radius)).collect(),
        fields: fields.iter().map(|one| one.averaged(reading, &all)).collect(),
    })
}

/// The potentials as the schedule of the model switches them.
struct Switches {
    potentials: Potentials,
    schedule: Vec<Scheduled>,
}

impl Switches {
    /// `plain` are the potentials of the file, if the schedule leaves them alone.
    fn of(reading: &Reading, plain: &Potentials) -> Result<Self, ReadError> {
        let (_, resolved) = reading.model()?;
        if !resolved.contains("switch_o") {
            return Ok(Self { potentials: plain.clone(), schedule: Vec::new() });
        }
        let model = model_of(reading, &resolved)?;
        if model.species.len() != reading.species().len() {
            let reason = "the model's species are not those of the frames";
            return Err(reading.damaged("parameters/resolved", reason));
        }
        let schedule = model.rules().schedule.clone();
        Ok(Self { potentials: model.stepped_potentials(), schedule })
    }

    /// At `time`, which is no earlier than it was. \[µs\]
    fn at(&mut self, time: f64) -> &Potentials {
        let mut last: BTreeMap<u16, (f64, usize, bool)> = BTreeMap::new();
        for (n, Scheduled { at, every, action, .. }) in self.schedule.iter().enumerate() {
            if let ScheduledAction::SwitchPotential { potential, on } = action
                && *at <= time
            {
                let again = every.map_or(0.0, |every| ((time - at) / every).floor() * every);
                let entry = (at + again, n, *on);
                let known = last.entry(*potential).or_insert(entry);
                if (known.0, known.1) < (entry.0, entry.1) {
                    *known = entry;
                }
            }
        }
        for (number, (_, _, on)) in last {
            self.potentials.switch(number, on);
        }
        &self.potentials
    }
}

/// The box, in which no potential meets its own image.
fn domain<const D: usize>(
    reading: &Reading,
    pairs: &[PairColumns<'_>],
) -> Result<Domain<D>, ReadError> {
    let (edges, periodic) = (reading.box_edges()?, reading.periodic()?);
    let farthest = pairs.iter().map(|pair| pair.potential.range()).fold(0.0, f64::max);
    if (0..D).any(|k| periodic[k] && 2.0 * farthest > edges[k]) {
        let why = "a potential reaches farther than half an edge of the box";
        return Err(reading.damaged("parameters/potentials", why));
    }
    Ok(Domain::new(std::array::from_fn(|k| edges[k]), std::array::from_fn(|k| periodic[k])))
}
