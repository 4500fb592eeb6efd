//! Molecules whose sites point somewhere bind in line, and part again: the smaller of two clusters is
//! moved so that the sites of the two particles that touch are in line, and back to somewhere within
//! the openings when their bond breaks. Either is refused if it would overlap something.
//!
//! The larger cluster stays where it is, or that which a surface holds. Both ways the same one is moved, and to places that are as
//! likely as those that it came from, so that the pair of moves is symmetric, dilute and in crowds
//! (see [`jostle_core::docking`]). If both particles live on one plane, either cluster may be moved, along the plane
//! and about its normal.

use super::reaction::{Reaction, Refusal, with_room};
use super::shells::Among;
use super::sites::Molecules;
use super::system::System;
use super::touch::Touch;
use jostle_core::clusters::Unit;
use jostle_core::docking::{Docking, DockingMove, LARGEST_OVERLAP, SiteDirection, Torsion};
use jostle_core::environment::AnchorSurface;
use jostle_core::planted::{Fault, planted};
use jostle_core::rules::BondGeometry;
use jostle_core::search::Broad;
use jostle_core::sites::Complex;
use jostle_core::space::{Orientation, Vector};
use rand::RngExt;

/// Particles of one cluster may overlap by this share of their distance: those that could close a
/// ring touch but for rounding, which adds up over many turns of the cluster.
const ROUNDING: f64 = 1e-9;

/// Two particles that touch, or are bonded, and the cluster of each; the first of them stays where
/// it is.
struct Pairing {
    ends: [u32; 2],
    sites: [u8; 2],
    clusters: [Vec<u32>; 2],
}

/// How a particle was before it was moved.
pub(super) struct Pose<const D: usize> {
    slot: u32,
    /// Where its path begins, how it moves and from when on.
    path: (Vector<D>, Vector<D>, f64),
    orientation: Orientation,
}

impl<const D: usize> Pose<D> {
    fn of(system: &System<D>, slot: u32) -> Self {
        let (p, i) = (&system.particles, slot as usize);
        let path = (p.position[i], p.velocity[i], p.since[i]);
        Self { slot, path, orientation: p.orientation[i] }
    }
}

impl Pairing {
    /// The larger cluster comes first; of two alike, that of the lower identity. One that a surface
    /// holds comes before one that moves freely, however large the two are. `ends` come in the order
    /// of their identities.
    fn new<const D: usize>(
        system: &System<D>,
        ends: [u32; 2],
        sites: [u8; 2],
        clusters: [Vec<u32>; 2],
    ) -> Self {
        let [a, b] = clusters;
        let rank = |cluster: &[u32]| (Molecules(system).is_held(cluster), cluster.len());
        // Strictly, so that of two alike the first stays. It has to be the same one when they bind
        // and when they part, or the two moves would not be each other's reverse; so this goes by
        // surfaces, sizes and identities, which both ways have in common.
        match rank(&a) < rank(&b) {
            true => {
                Self { ends: [ends[1], ends[0]], sites: [sites[1], sites[0]], clusters: [b, a] }
            }
            false => Self { ends, sites, clusters: [a, b] },
        }
    }

    /// How the two face each other at `time`.
    fn docking<const D: usize>(
        &self,
        system: &System<D>,
        time: f64,
        geometry: BondGeometry,
    ) -> Docking {
        let places = self.ends.map(|slot| system.place_at(slot, time));
        Molecules(system).docking(self.ends, places, self.sites, geometry.torsion)
    }

    /// Whether the second cluster, at these places, overlaps the first by at most this share of the
    /// distance at contact. The two that are bonded touch.
    fn stays_apart<const D: usize>(
        &self,
        system: &System<D>,
        places: &[Vector<D>],
        overlap: f64,
        time: f64,
    ) -> bool {
        let Self { ends: [stays, goes], clusters: [fixed, members], .. } = self;
        let (radius, species) = (&system.particles.radius, &system.particles.species);
        fixed.iter().all(|&other| {
            let there = system.place_at(other, time);
            members.iter().zip(places).all(|(&member, &place)| {
                let [i, j] = [member as usize, other as usize];
                let least = (radius[i] + radius[j]) * (1.0 - overlap);
                (other, member) == (*stays, *goes)
                    || system.domain.nearest_image(there - place).norm_squared() >= least * least
                    || system.book.pass(species[i], species[j])
            })
        })
    }

    /// The energy of the second cluster but for that of the two that are bonded. \[kT\]
    fn energy<const D: usize>(&self, among: &mut Among<'_, D>, time: f64) -> f64 {
        let Self { ends: [stays, goes], clusters: [_, members], .. } = self;
        let with = |member, other| (member, other) != (*goes, *stays);
        among.energy(members, time, with) + among.energy_in_regions(members, time)
    }
}

impl<const D: usize> Molecules<'_, D> {
    /// Whether a surface holds any of these particles.
    fn is_held(&self, slots: &[u32]) -> bool {
        let environment = &self.0.environment;
        let anchor = |&slot: &u32| environment.anchored_to(self.species(slot)).is_some();
        environment.has_anchors() && slots.iter().any(anchor)
    }

    /// Whether surfaces leave these particles free to be moved as one: if there are any, all of them are
    /// planes across the axis that the move is `about`.
    fn can_be_carried(&self, slots: &[u32], about: Option<usize>) -> bool {
        let environment = &self.0.environment;
        // In two dimensions planes are lines, and no axis that they are across is the third.
        let follows = |&slot: &u32| match environment.anchor(self.species(slot)) {
            None => true,
            Some(AnchorSurface::Plane { axis, .. }) => about == Some(*axis),
            Some(_) => false,
        };
        !environment.has_anchors() || slots.iter().all(follows)
    }

    /// Where a site of the particle in `slot` points, in space.
    fn direction(&self, slot: u32, site: u8) -> Option<SiteDirection> {
        let direction = self.sites_of(self.species(slot)).direction(site)?;
        Some(direction.turned(self.0.particles.orientation[slot as usize]))
    }

    /// How two particles at these places, which touch, face each other with these sites.
    pub(super) fn docking(
        &self,
        slots: [u32; 2],
        places: [Vector<D>; 2],
        sites: [u8; 2],
        torsion: Option<Torsion>,
    ) -> Docking {
        let apart = self.0.domain.nearest_image(places[1] - places[0]).in_space();
        let [first, second] = slots.map(|slot| self.0.environment.turns_about(self.species(slot)));
        Docking {
            line: apart * (1.0 / apart.norm()),
            sites: [0, 1].map(|n| self.direction(slots[n], sites[n])),
            torsion,
            about: first.filter(|_| first == second),
        }
    }

    /// How the molecules stand to each other that contact rule `rule` binds at these sites, if they
    /// are moved when they bind.
    fn snaps(&self, rule: u16, slots: [u32; 2], sites: [u8; 2]) -> Option<BondGeometry> {
        let geometry = self.0.book.rules().contact.get(rule as usize)?.geometry;
        let is_directed = |n: usize| self.direction(slots[n], sites[n]).is_some();
        (geometry.snap && (is_directed(0) || is_directed(1))).then_some(geometry)
    }

    /// Where particles that move with the one in `slot` are, as that sees them. \[nm\]
    fn offsets_from(&self, slot: u32, members: &[u32], time: f64) -> Vec<Vector<D>> {
        let system = self.0;
        let Some(unit) = system.clusters.rigid_unit_of(&system.particles, slot) else {
            return vec![Vector::ZERO; members.len()];
        };
        let mut all = Vec::new();
        system.lay_out(unit, time, &mut all);
        let at = |slot: u32| {
            let n = unit.members.iter().position(|&member| member == slot);
            n.map_or(Vector::ZERO, |n| all[n])
        };
        // Laid out along the bonds: in a small box the nearest image of a far member may be another
        // one than that which is bonded to it.
        let own = at(slot);
        members.iter().map(|&member| at(member) - own).collect()
    }
}

impl<const D: usize> Reaction<'_, D> {
    /// Brings the sites of two that touch in line, if their bond asks for that. Returns whether it
    /// has moved anything.
    pub(super) fn dock(&mut self, touch: &Touch<D>, sites: [u8; 2]) -> Result<bool, Refusal> {
        let system = &self.engine.system;
        let Some(geometry) = Molecules(system).snaps(self.rule, touch.slots, sites) else {
            return Ok(false);
        };
        let clusters = touch.slots.map(|slot| system.clusters.moving_with(&system.particles, slot));
        let pairing = Pairing::new(system, touch.slots, sites, clusters);
        let docking = pairing.docking(&self.engine.system, self.time, geometry);
        let tolerated = geometry.closure.map_or(0.0, |closure| closure.tolerance);
        let overlap = tolerated.clamp(ROUNDING, LARGEST_OVERLAP);
        // Within a unit nothing moves, so an overlap that a ring needs to close does no harm there.
        self.carry(&pairing, &docking, docking.docked(), overlap).map(|_| true)
    }

    /// The reverse of docking: moves the smaller of the two pieces that are left when a bond of
    /// `unit` breaks. Returns how its particles were before.
    pub(super) fn undock(
        &mut self,
        unit: &Unit,
        bond: usize,
        pieces: [Vec<u32>; 2],
    ) -> Result<Vec<Pose<D>>, Refusal> {
        let system = &self.engine.system;
        let bond = unit.bonds[bond];
        let ends = bond.ids.map(|id| unit.member(&system.particles, id));
        let Some(geometry) = Molecules(system).snaps(bond.rule, ends, bond.sites) else {
            return Ok(Vec::new());
        };
        if planted(Fault::PartInLine) {
            return Ok(Vec::new());
        }
        let pairing = Pairing::new(system, ends, bond.sites, pieces);
        let docking = pairing.docking(&self.engine.system, self.time, geometry);
        let moved = docking.parted(|| self.generator.random::<f64>());
        // No overlap is tolerated of what is set free: the two would start inside each other.
        self.carry(&pairing, &docking, moved, 0.0)
    }

    /// Puts particles back as they were before they were moved.
    pub(super) fn put_back(&mut self, poses: &[Pose<D>]) {
        for pose in poses {
            self.put(pose.slot, pose.path);
            self.engine.system.particles.orientation[pose.slot as usize] = pose.orientation;
        }
    }

    /// Moves the second cluster, and returns how its particles were before. It stays if it does not fit,
    /// that is if it would overlap the first by more than a share `overlap` of the distance at contact,
    /// or anything else; or if detailed balance is against it.
    fn carry(
        &mut self,
        pairing: &Pairing,
        docking: &Docking,
        moved: DockingMove,
        overlap: f64,
    ) -> Result<Vec<Pose<D>>, Refusal> {
        let Pairing { ends: [stays, goes], clusters: [fixed, members], .. } = pairing;
        let system = &self.engine.system;
        let distance = [*stays, *goes].map(|slot| system.particles.radius[slot as usize]);
        let shift = (moved.line - docking.line) * (distance[0] + distance[1]);
        let centre = system.place_at(*goes, self.time) + Vector::of_space(shift);
        let offsets = Molecules(system).offsets_from(*goes, members, self.time);
        let turned = |offset: &Vector<D>| Vector::of_space(moved.turn.apply(offset.in_space()));
        let mut places: Vec<Vector<D>> =
            offsets.iter().map(|offset| centre + turned(offset)).collect();
        if let Some(axis) = docking.about.filter(|&axis| axis < D) {
            // Along the plane, without the rounding of what is across it.
            for (place, &member) in places.iter_mut().zip(members) {
                place[axis] = system.place_at(member, self.time)[axis];
            }
        }
        // Each on the straight way from where it was, so that no member is carried through a
        // membrane.
        let is_free = members.iter().zip(&places).all(|(&member, &place)| {
            let species = system.particles.species[member as usize];
            let former = system.place_at(member, self.time);
            system.ground().is_on_this_side(species, [former, place], species)
        });
        // Of a held cluster and a free one the held one stays. If this one is held, both are, and it can go
        // along a plane only.
        if !Molecules(system).can_be_carried(members, docking.about)
            || !is_free
            || !pairing.stays_apart(system, &places, overlap, self.time)
        {
            return Err(Refusal::NoRoom);
        }
        let before = pairing.energy(&mut Among(self.engine), self.time);
        let former: Vec<_> =
            members.iter().map(|&member| Pose::of(&self.engine.system, member)).collect();
        for (&member, &place) in members.iter().zip(&places) {
            // At rest for the moment: whatever follows, a bond, a parting or going back, gives them
            // their velocities.
            self.put(member, (place, Vector::ZERO, self.time));
        }
        // The two clusters have been compared with each other above; here it is about third
        // particles.
        let others = [fixed.as_slice(), members].concat();
        let fits = members.iter().all(|&member| self.engine.fits(member, self.time, &others));
        let attempt = with_room(fits)
            .and_then(|()| self.accept(|among, time| pairing.energy(among, time) - before));
        if let Err(refusal) = attempt {
            self.put_back(&former);
            return Err(refusal);
        }
        // Not before it is certain: neither room nor energy depends on how a sphere is turned.
        for &member in members {
            let orientation: &mut Orientation =
                &mut self.engine.system.particles.orientation[member as usize];
            *orientation = orientation.turned(moved.turn);
        }
        Ok(former)
    }

    fn put(&mut self, slot: u32, (position, velocity, since): (Vector<D>, Vector<D>, f64)) {
        let (p, i) = (&mut self.engine.system.particles, slot as usize);
        (p.position[i], p.velocity[i], p.since[i]) = (position, velocity, since);
        self.engine.search.update(slot, &self.engine.system.paths());
    }
}
