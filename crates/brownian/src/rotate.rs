//! Rigid units turn, at the end of the step: each proposes a rotation, and turns if it overlaps no
//! particle then, and no member gets through a surface that stops it. Since proposals there and
//! back are as likely, the equilibrium stays exact; how fast units turn in a crowd converges as the
//! time step shrinks.

use super::Brownian;
use super::system::{System, normals};
use jostle_core::clusters::{Rotation, centre_of_friction, rotational_diffusion};
use jostle_core::random::Purpose;
use jostle_core::search::Broad;
use jostle_core::space::Vector;

/// Where the path of a member began before its unit turned.
struct Former<const D: usize> {
    slot: u32,
    position: Vector<D>,
    since: f64,
}

impl<const D: usize> Brownian<D> {
    /// Lets all units turn, in the order of their identities, each among the others as they are.
    pub(super) fn turn_units(&mut self) {
        if D == 1 {
            return;
        }
        let mut units: Vec<(u64, u32)> = (0u32..)
            .zip(&self.system.clusters.units)
            .filter_map(|(number, unit)| Some((unit.as_ref()?.id, number)))
            .collect();
        units.sort_unstable();
        for (id, number) in units {
            self.turn(id, number);
        }
    }

    fn turn(&mut self, id: u64, number: u32) {
        let offsets = self.system.layout(number);
        let unit = self.system.clusters.unit(number);
        let members = unit.members.clone();
        let pieces = self.system.pieces(&members);
        let centre = centre_of_friction(&offsets, &pieces);
        let offsets: Vec<Vector<D>> = offsets.into_iter().map(|offset| offset - centre).collect();
        let turning = rotational_diffusion(&offsets, &pieces, unit.diffusion_coefficient);
        if turning <= 0.0 {
            return;
        }
        let reach = |(offset, piece): (&Vector<D>, &jostle_core::clusters::Piece)| {
            offset.norm() + piece.radius
        };
        let extent = offsets.iter().zip(&pieces).map(reach).fold(0.0, f64::max);
        let edges = self.system.domain.edges();
        if (0..D).any(|k| self.system.domain.is_periodic(k) && 2.0 * extent > edges[k]) {
            self.tally.too_wide_to_turn += 1;
            return;
        }
        let width = (2.0 * turning * self.system.clock.timestep).sqrt();
        let draw =
            |step| normals(&mut self.system.random.generator(Purpose::Rotation, [step, id, 0, 0]));
        let normals = self.system.motion.sum_of_draws(self.system.clock.step, draw);
        let mut angles = [0.0; 3];
        (0..Rotation::<D>::ANGLES).for_each(|k| angles[k] = width * normals[k]);
        if !self.system.stay_in_plane(&members, &mut angles) {
            return;
        }
        let rotation = Rotation::<D>::new(angles);
        let moves: Vec<Vector<D>> =
            offsets.iter().map(|&offset| rotation.apply(offset) - offset).collect();
        self.tally.rotations[0] += 1;
        let former = put(&mut self.system, &members, &moves);
        self.take_up(&members);
        let passes = |(&member, &shift): (&u32, &Vector<D>)| {
            let (species, to) =
                (self.system.particles.species[member as usize], self.system.place_at(member, 1.0));
            self.system.ground().is_on_this_side(species, [to - shift, to], species)
        };
        let free = members.iter().zip(&moves).all(passes);
        if free && members.iter().all(|&member| self.fits(member, 1.0, &members)) {
            self.tally.rotations[1] += 1;
        } else {
            put_back(&mut self.system, &former);
            self.take_up(&members);
        }
    }

    fn take_up(&mut self, slots: &[u32]) {
        let paths = self.system.paths();
        slots.iter().for_each(|&slot| self.search.update(slot, &paths));
    }
}

impl<const D: usize> System<D> {
    /// Where the members of a unit are at the end of the step, relative to the first: bond by bond,
    /// so that it does not matter whether they are on either side of a periodic face. \[member\]
    fn layout(&self, number: u32) -> Vec<Vector<D>> {
        let unit = self.clusters.unit(number);
        let mut offsets = vec![Vector::ZERO; unit.members.len()];
        for [from, to] in unit.tree(&self.particles).outwards() {
            let [a, b] = [from, to].map(|member| self.place_at(unit.members[member], 1.0));
            offsets[to] = offsets[from] + self.domain.nearest_image(b - a);
        }
        offsets
    }
}

/// Puts members elsewhere at the end of the step.
fn put<const D: usize>(
    system: &mut System<D>,
    members: &[u32],
    moves: &[Vector<D>],
) -> Vec<Former<D>> {
    let mut former = Vec::with_capacity(members.len());
    for (&slot, &shift) in members.iter().zip(moves) {
        let place = system.place_at(slot, 1.0) + shift;
        let (p, i) = (&mut system.particles, slot as usize);
        former.push(Former { slot, position: p.position[i], since: p.since[i] });
        (p.position[i], p.since[i]) = (place, 1.0);
    }
    former
}

fn put_back<const D: usize>(system: &mut System<D>, former: &[Former<D>]) {
    for Former { slot, position, since } in former {
        let (p, i) = (&mut system.particles, *slot as usize);
        (p.position[i], p.since[i]) = (*position, *since);
    }
}
