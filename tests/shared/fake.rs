//! A world that moves, binds and breaks by decree: what recorders see of an engine, without one.

// Each test program compiles this file for itself and uses a part of it.
#![allow(dead_code, unreachable_pub)]

use std::path::Path;

use jostle::clusters::{Assembly, Bond, Clusters, Part, Unit, Whole};
use jostle::model::{LogLevel, Output, Source};
use jostle::observe::{
    Change, ChangeKind, Clock, Contact, Observer, Outcome, Partner, Party, View,
};
use jostle::particles::{ALONE, Particle, Particles};
use jostle::record::{Header, Recorder};
use jostle::space::{Domain, Face, Vector};
use jostle::species::{Drift, Species};

/// \[µs\]
pub const TIMESTEP: f64 = 0.25;
/// \[nm\]
pub const EDGES: [f64; 3] = [100.0, 80.0, 60.0];
/// Of the species `ligand` and `receptor`. \[nm²/µs\]
pub const DIFFUSION: [f64; 2] = [2.0, 0.5];
const RADII: [f64; 3] = [1.0, 2.0, 2.5];
const NO_BONDS: [&[Bond]; 2] = [&[], &[]];

/// Particles of the species ligand (0), receptor (1) and complex (2, arises by coalescence).
pub struct World<const D: usize> {
    pub particles: Particles<D>,
    pub clusters: Clusters,
    pub domain: Domain<D>,
    pub clock: Clock,
    next_id: u64,
    random: u64,
}

impl<const D: usize> World<D> {
    /// `count` particles, ligands and receptors in turn.
    pub fn new(count: usize) -> Self {
        let domain = Domain::new(std::array::from_fn(|k| EDGES[k]), [true; D]);
        let mut world = Self {
            particles: Particles::default(),
            clusters: Clusters::default(),
            domain,
            clock: Clock { step: 0, timestep: TIMESTEP },
            next_id: count as u64,
            random: 1,
        };
        for id in 0..count as u64 {
            let position = Vector::from_fn(|k| EDGES[k] * world.uniform());
            let species = (id % 2) as u16;
            world.push(id, species, position);
        }
        world
    }

    fn uniform(&mut self) -> f64 {
        self.random =
            self.random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.random >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Twelve uniform numbers stand in for a Gaussian of variance 1.
    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.uniform()).sum::<f64>() - 6.0
    }

    fn push(&mut self, id: u64, species: u16, position: Vector<D>) -> u32 {
        self.particles.push(Particle {
            sites: 0,
            position,
            velocity: Vector::ZERO,
            since: 0.0,
            radius: RADII[species as usize],
            diffusion_coefficient: DIFFUSION.get(species as usize).copied().unwrap_or(0.4),
            species,
            id,
            image: [0; D],
        })
    }

    /// The place in memory of a particle.
    pub fn slot(&self, id: u64) -> usize {
        let found = self.particles.id.iter().position(|&i| i == id);
        found.expect("the particle exists")
    }

    pub fn view(&self) -> View<'_, D> {
        View::new(self.clock, &self.domain, &self.particles, &self.clusters)
    }

    /// Every particle diffuses for a step, then lies elsewhere in memory, then the observer hears.
    pub fn step(&mut self, observer: &mut dyn Observer<D>) {
        for i in 0..self.particles.len() {
            let sigma = (2.0 * self.particles.diffusion_coefficient[i] * TIMESTEP).sqrt();
            let moved = Vector::from_fn(|k| self.particles.position[i][k] + sigma * self.normal());
            let (position, periods) = self.domain.wrap(moved);
            self.particles.position[i] = position;
            for k in 0..D {
                self.particles.image[i][k] += periods[k];
            }
        }
        self.shuffle();
        self.clock.step += 1;
        observer.step(&self.view()).expect("the step is written");
    }

    /// Turns the order in memory by one place.
    fn shuffle(&mut self) {
        let count = self.particles.len() as u32;
        let new_slot: Vec<u32> = (0..count).map(|i| (i + 1) % count).collect();
        self.particles.renumber(&new_slot);
        for unit in self.clusters.units.iter_mut().flatten() {
            for member in &mut unit.members {
                *member = new_slot[*member as usize];
            }
        }
    }

    fn party(&self, id: u64) -> Party {
        let i = self.slot(id);
        let size = self.clusters.size_among(&self.particles, &[i as u32]);
        let place = self.view().unwrapped(i);
        Party {
            id,
            species: self.particles.species[i],
            sites: self.particles.sites[i],
            radius: self.particles.radius[i],
            size,
            unwrapped: std::array::from_fn(|k| if k < D { place[k] } else { 0.0 }),
        }
    }

    fn remove(&mut self, ids: &[u64]) {
        let mut next = 0;
        let new_slot: Vec<u32> = (self.particles.id.iter())
            .map(|id| {
                next += u32::from(!ids.contains(id));
                if ids.contains(id) { u32::MAX } else { next - 1 }
            })
            .collect();
        self.particles.renumber(&new_slot);
        for unit in self.clusters.units.iter_mut().flatten() {
            for member in &mut unit.members {
                *member = new_slot[*member as usize];
            }
        }
    }

    fn tell(
        &self,
        observer: &mut dyn Observer<D>,
        kind: ChangeKind,
        rule: u16,
        parties: [&[Party]; 2],
        clusters: [&[u64]; 2],
        bonds: [&[Bond]; 2],
    ) {
        let change = Change {
            step: self.clock.step,
            time: 0.5,
            subdivision: 3,
            kind,
            rule,
            place: Vector::from_fn(|k| k as f64 + 0.5),
            reactants: parties[0],
            products: parties[1],
            bonds_broken: bonds[0],
            bonds_made: bonds[1],
            clusters_before: clusters[0],
            clusters_after: clusters[1],
        };
        observer.change(&change).expect("the change is written");
    }

    /// Two particles become one, of species 2.
    pub fn coalesce(&mut self, a: u64, b: u64, observer: &mut dyn Observer<D>) -> u64 {
        let parties = [self.party(a), self.party(b)];
        let position = self.particles.position[self.slot(a)];
        let parts = [a, b].map(|id| Assembly {
            particle: self.part(id),
            whole: self.clusters.wholes.remove(&id),
        });
        self.remove(&[a, b]);
        let id = self.next_id;
        self.next_id += 1;
        self.push(id, 2, position);
        let whole = Whole::of_pair(self.part(id), parts, 0);
        self.clusters.wholes.insert(id, whole);
        let product = [self.party(id)];
        self.tell(
            observer,
            ChangeKind::Coalesced,
            0,
            [&parties, &product],
            [&[a, b], &[id]],
            NO_BONDS,
        );
        id
    }

    fn part(&self, id: u64) -> Part {
        let Party { species, radius, .. } = self.party(id);
        let diffusion_coefficient = self.particles.diffusion_coefficient[self.slot(id)];
        Part { id, species, radius, diffusion_coefficient, ahead: [0; 3] }
    }

    /// A coalesced particle falls apart.
    pub fn split(&mut self, id: u64, observer: &mut dyn Observer<D>) {
        let before = [self.party(id)];
        let position = self.particles.position[self.slot(id)];
        let whole = self.clusters.wholes.remove(&id).expect("it is a coalesced particle");
        self.remove(&[id]);
        let parts = whole.split().expect("it is made of two");
        let ids = [0, 1].map(|n| parts[n].particle.id);
        for Assembly { particle, whole } in parts {
            self.push(particle.id, particle.species, position);
            if let Some(inner) = whole {
                self.clusters.wholes.insert(particle.id, inner);
            }
        }
        let after = ids.map(|id| self.party(id));
        self.tell(observer, ChangeKind::Split, 2, [&before, &after], [&[id], &ids], NO_BONDS);
    }

    /// The particles of the unit that a particle belongs to, and their bonds; itself if it is
    /// alone.
    fn unit(&mut self, id: u64) -> (u64, Vec<u64>, Vec<Bond>) {
        match self.particles.unit[self.slot(id)] {
            ALONE => (id, vec![id], Vec::new()),
            place => {
                let unit = self.clusters.units[place as usize].take().expect("the unit exists");
                let ids = unit.members.iter().map(|&i| self.particles.id[i as usize]);
                (unit.id, ids.collect(), unit.bonds)
            }
        }
    }

    /// Makes a unit of particles, or sets a single one free. Returns its identity.
    fn join(&mut self, mut ids: Vec<u64>, bonds: Vec<Bond>) -> u64 {
        ids.sort_unstable();
        if let [id] = ids[..] {
            let i = self.slot(id);
            self.particles.unit[i] = ALONE;
            return id;
        }
        let id = self.next_id;
        self.next_id += 1;
        let place = self.clusters.units.len() as u32;
        let members: Vec<u32> = ids.iter().map(|&id| self.slot(id) as u32).collect();
        for &member in &members {
            self.particles.unit[member as usize] = place;
        }
        let unit = Unit::new(id, members, bonds, 0.1, &self.particles);
        self.clusters.units.push(Some(unit));
        id
    }

    /// A bond is made.
    pub fn bond(&mut self, a: u64, b: u64, observer: &mut dyn Observer<D>) {
        let parties = [self.party(a), self.party(b)];
        let (cluster_a, mut ids, mut bonds) = self.unit(a);
        let (cluster_b, others, more) = self.unit(b);
        ids.extend(others);
        bonds.extend(more);
        bonds.push(Bond::new([a, b], 1));
        let after = self.join(ids, bonds);
        let clusters: [&[u64]; 2] = [&[cluster_a, cluster_b], &[after]];
        let made = [Bond::new([a, b], 1)];
        self.tell(observer, ChangeKind::Bonded, 1, [&parties, &parties], clusters, [&[], &made]);
    }

    /// A bond breaks.
    pub fn unbond(&mut self, a: u64, b: u64, observer: &mut dyn Observer<D>) {
        let parties = [self.party(a), self.party(b)];
        let (before, _, mut bonds) = self.unit(a);
        bonds.retain(|bond| bond.ids != [a.min(b), a.max(b)]);
        let mut after = [a, b].map(|start| {
            let mut ids = vec![start];
            let mut done = 0;
            while done < ids.len() {
                let id = ids[done];
                done += 1;
                for bond in bonds.iter().filter(|bond| bond.ids.contains(&id)) {
                    let other = if bond.ids[0] == id { bond.ids[1] } else { bond.ids[0] };
                    if !ids.contains(&other) {
                        ids.push(other);
                    }
                }
            }
            let of = |bond: &&Bond| ids.contains(&bond.ids[0]);
            let own = bonds.iter().filter(of).copied().collect();
            (ids.iter().copied().min(), self.join(ids, own))
        });
        after.sort_unstable();
        let after = after.map(|(_, cluster)| cluster);
        let broken = [Bond::new([a, b], 1)];
        let clusters: [&[u64]; 2] = [&[before], &after];
        self.tell(
            observer,
            ChangeKind::Unbonded,
            3,
            [&parties, &parties],
            clusters,
            [&broken, &[]],
        );
    }

    /// A contact of particles `a` and `b`.
    pub fn touch(&self, a: u64, b: u64, outcome: Outcome, observer: &mut dyn Observer<D>) {
        let partner = Partner::Particle { id: b, species: self.party(b).species };
        self.contact(a, partner, outcome, observer);
    }

    /// A contact of particle `a` with the lower face of the last axis.
    pub fn hit_wall(&self, a: u64, observer: &mut dyn Observer<D>) {
        let face = Face { axis: D as u8 - 1, upper: false };
        self.contact(a, Partner::Wall(face), Outcome::Bounced, observer);
    }

    fn contact(&self, a: u64, partner: Partner, outcome: Outcome, observer: &mut dyn Observer<D>) {
        let contact = Contact {
            step: self.clock.step,
            time: 0.75,
            subdivision: 1,
            id: a,
            species: self.party(a).species,
            place: Vector::from_fn(|k| 1.5 + k as f64),
            normal: Vector::from_fn(|k| if k == 0 { -1.0 } else { 0.0 }),
            approach: 5.0,
            outcome,
            rule: (outcome == Outcome::Bound).then_some(1),
            ..Contact::bounce(partner)
        };
        observer.contact(&contact).expect("the contact is written");
    }

    pub fn recorder(&self, path: &Path, output: Output) -> Recorder<D> {
        let header = header::<D>(self.particles.len(), output);
        Recorder::create(path, &header, false).expect("the file is made")
    }
}

/// A frame every step, all contacts.
pub fn output() -> Output {
    Output { log: LogLevel::All, compress: false, ..Output::default() }
}

pub fn header<const D: usize>(particles: usize, output: Output) -> Header {
    let species = |k: usize, name: &str| Species {
        name: name.into(),
        radius: (k < 2).then_some(RADII[k]),
        diffusion_coefficient: DIFFUSION.get(k).copied(),
        drift: Drift::Still,
        sites: Default::default(),
    };
    Header {
        title: "a world by decree".into(),
        author: "nobody".into(),
        edges: EDGES,
        periodic: [true; 3],
        species: vec![species(0, "ligand"), species(1, "receptor"), species(2, "complex")],
        rules: ["merge", "hold", "fall apart", "let go"].map(String::from).into(),
        output,
        timestep: TIMESTEP,
        seed: 42,
        particles,
        search: "none: contacts are made up".into(),
        figures: vec!["contacts".into()],
        source: Source {
            text: "title = \"µ\"\n".into(),
            overrides: vec![("seed".into(), "42".into())],
            resolved: "seed = 42\n".into(),
            ..Source::default()
        },
        ..Header::default()
    }
}
