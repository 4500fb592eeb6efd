//! Those that are confined to surfaces among reactants and products: where they come to be, and how
//! they part.

use rand::RngExt;
use rand_distr::{Distribution, Exp1};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::StepError;
use super::diffusion::Diffusion;
use super::ground::Ground;
use super::part::Parting;
use super::reaction::{Attempt, Reaction, Refusal, with_room};
use super::system::{System, direction, normals};
use jostle_core::clusters::Part;
use jostle_core::environment::AnchorSurface;
use jostle_core::space::{Domain, Vector};

/// How often a direction is drawn in which one that parts from a surface finds room.
const TRIES: usize = 1000;

/// How often a push is corrected for the chords on which particles set off on a round surface. Each time leaves
/// some hundredths of the error.
pub(super) const CHORDS: usize = 4;

/// Which way a particle goes that gets onto a surface or comes off it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Sorbed {
    /// Onto a surface.
    On,
    /// Off a surface, by its number.
    Off {
        surface: u16,
        /// To the inner side.
        inside: bool,
    },
}

impl<const D: usize> System<D> {
    /// What of a vector the particle in `slot`, at `place`, can follow.
    pub(super) fn free_way(&self, slot: u32, place: Vector<D>, vector: Vector<D>) -> Vector<D> {
        match self.clusters.rigid_unit_of(&self.particles, slot) {
            Some(unit) => self.along_planes(&unit.members, vector),
            None => {
                let anchor = self.environment.anchor(self.particles.species[slot as usize]);
                anchor.map_or(vector, |anchor| anchor.tangential(&self.domain, place, vector))
            }
        }
    }

    /// Whether of two particles at these places each is on a side of the other's surface on which
    /// it is taken notice of.
    pub(super) fn face_each_other(&self, slots: [u32; 2], places: [Vector<D>; 2]) -> bool {
        let species = slots.map(|slot| self.particles.species[slot as usize]);
        [(0, 1), (1, 0)].into_iter().all(|(n, m)| {
            let radius = self.particles.radius[slots[m] as usize];
            let pair = [species[n], species[m]];
            self.environment.anchored_to(species[m]).is_some()
                || self.environment.is_seen(&self.domain, pair, radius, [places[n], places[m]])
        })
    }
}

impl<const D: usize> Reaction<'_, D> {
    /// Lets two touching particles, of which one is confined, fly apart along `normal`, from the
    /// first to the second: each with a velocity of its own Maxwell distribution along its surface,
    /// given that the relative velocity along the normal is that of pairs that part, a Rayleigh
    /// distribution.
    pub(super) fn fly_apart_along(
        &mut self,
        slots: [u32; 2],
        normal: Vector<D>,
        gives: [Vector<D>; 2],
    ) -> Result<(), StepError> {
        let diffusion =
            slots.map(|slot| self.engine.system.particles.diffusion_coefficient[slot as usize]);
        let drawn = [0, 1].map(|n| {
            let normals =
                normals(&mut self.generator) * self.engine.system.motion.step_length(diffusion[n]);
            self.engine.system.free_way(
                slots[n],
                self.engine.system.place_at(slots[n], self.time),
                normals,
            )
        });
        let exponential: f64 = Exp1.sample(&mut self.generator);
        let response: f64 = [0, 1].map(|n| diffusion[n] * gives[n].norm_squared()).iter().sum();
        let outgoing = self.engine.system.motion.step_length(response) * (2.0 * exponential).sqrt();
        let missing = outgoing - (drawn[1] - drawn[0]).dot(normal);
        let push = if response > 0.0 { missing / response } else { 0.0 };
        self.engine.set_off(slots[0], self.time, drawn[0] - gives[0] * (diffusion[0] * push))?;
        self.engine.set_off(slots[1], self.time, drawn[1] + gives[1] * (diffusion[1] * push))
    }

    /// Whether the particle in `slot` may become part of one of `product` at `place`.
    pub(super) fn gets_to(&self, slot: u32, place: Vector<D>, product: u16) -> bool {
        let system = &self.engine.system;
        let species = system.particles.species[slot as usize];
        system.ground().is_on_this_side(species, [system.place_at(slot, self.time), place], product)
    }

    /// Where a product of two touching particles sits: `share` of the way from the first to the
    /// second, but on the surface that it, or else one of the two, lives on.
    pub(super) fn place_of_joined(
        &self,
        product: u16,
        slots: [u32; 2],
        separation: Vector<D>,
        share: f64,
    ) -> Vector<D> {
        let system = &self.engine.system;
        let first = system.place_at(slots[0], self.time);
        let usual = first + separation * share;
        if !system.environment.has_anchors() {
            return usual;
        }
        let species = slots.map(|slot| system.particles.species[slot as usize]);
        let on = |n: usize| system.environment.anchor(species[n]).is_some();
        match (system.environment.anchor(product), on(0), on(1)) {
            (Some(_), true, false) => first,
            (Some(_), false, true) => first + separation,
            (Some(anchor), ..) => anchor.nearest(&system.domain, usual),
            // It leaves the surface, where the one was that is in space.
            (None, true, false) => first + separation,
            (None, false, true) => first,
            (None, true, true) => {
                let radius = system.species[product as usize].radius.unwrap_or(0.0);
                system.ground().docked(product, species[0], radius, (usual, true))
            }
            (None, false, false) => usual,
        }
    }
}

/// The velocity of one that is confined after it has bounced off something with this normal: it comes off at the
/// rate at which it came, with its speed.
pub(super) fn bounced_along<const D: usize>(
    (domain, anchor): (&Domain<D>, &AnchorSurface<D>),
    place: Vector<D>,
    velocity: Vector<D>,
    normal: Vector<D>,
    time: f64,
) -> Vector<D> {
    let (rate, speed) = (velocity.dot(normal), velocity.norm());
    let along = anchor.tangential(domain, place, normal);
    let gives = along.norm_squared().max(f64::MIN_POSITIVE);
    let mut velocity = velocity - along * (2.0 * rate / gives);
    if anchor.is_round() {
        // A push too little or too much by what the new chord itself changes.
        for _ in 0..CHORDS {
            velocity = velocity * (speed / velocity.norm().max(f64::MIN_POSITIVE));
            let off = anchor.steer(domain, place, velocity, time).dot(normal);
            velocity -= along * ((off + rate) / gives);
        }
    }
    velocity
}

/// Two that touch on one mesh and are to be joined.
pub(super) struct MeshJoining<'r, 'a, const D: usize>(pub(super) &'r mut Reaction<'a, D>);

impl<const D: usize> MeshJoining<'_, '_, D> {
    /// At which of two touching particles their product sits, if all live on one mesh: at the second with a probability of
    /// `share`, which is how far it is from the first towards the second elsewhere. A point between the two would be off the
    /// mesh, and the places nearest to such points are not uniform near an edge.
    pub(super) fn joins_at(&mut self, product: u16, slots: [u32; 2], share: f64) -> Option<usize> {
        let system = &self.0.engine.system;
        let ground = system.ground();
        let species = slots.map(|slot| system.particles.species[slot as usize]);
        let anchor = system.environment.anchor(product)?;
        let is_shared = species.iter().all(|&one| ground.live_together(one, product));
        (D == 3 && anchor.is_mesh() && is_shared)
            .then(|| usize::from(self.0.generator.random::<f64>() < share))
    }

    /// Whether two that touch on a mesh may be joined where the first of them is. Where they have more ways to meet than
    /// in a plane, so many fewer are joined; where they have fewer, so many fewer are set free
    /// ([`Ground::parting_places`]). So the two are in balance everywhere.
    pub(super) fn may_join(&mut self, [stays, other]: [u32; 2]) -> Attempt {
        let system = &self.0.engine.system;
        let p = &system.particles;
        let [i, j] = [stays as usize, other as usize];
        let anchor = system.environment.anchor(p.species[i]);
        let anchor = anchor.filter(|_| system.ground().live_together(p.species[i], p.species[j]));
        let ways = anchor.and_then(|anchor| {
            let diffusion = [stays, other].map(|slot| Diffusion(system).free(slot));
            let place = system.place_at(stays, self.0.time);
            anchor.ways(&system.domain, place, p.radius[i] + p.radius[j], diffusion)
        });
        match ways.map(|ways| ways.many()) {
            Some(many) if self.0.generator.random::<f64>() * many >= 1.0 => Err(Refusal::Declined),
            _ => Ok(()),
        }
    }
}

impl<const D: usize> Ground<'_, D> {
    /// Whether a particle of `species` may go over from the first place to the second in a
    /// reaction: whether no surface stands between them that he could not get through, but that on
    /// which `other`, with which he is or was one, lives.
    pub(super) fn is_on_this_side(&self, species: u16, way: [Vector<D>; 2], other: u16) -> bool {
        !self.environment.separates(self.domain, species, way, self.environment.anchored_to(other))
    }

    /// Where a product that continues a particle of `species` at `place` sits: on its own surface,
    /// or as far from that of the other as it has to be, on the side that this faces or else on the given one.
    pub(super) fn docked(
        &self,
        product: u16,
        species: u16,
        radius: f64,
        (place, inside): (Vector<D>, bool),
    ) -> Vector<D> {
        if self.environment.anchored_to(product) == self.environment.anchored_to(species) {
            return place;
        }
        match self.environment.anchor(product) {
            Some(anchor) => anchor.nearest(self.domain, place),
            None => self.environment.lifted(self.domain, product, species, radius, (place, inside)),
        }
    }

    /// A place at `distance` from `centre` in a random direction, for one of `species`; none if
    /// that lives on a surface which is farther away. A centre on a curved surface is off it in
    /// mid-step, since paths are chords.
    pub(super) fn beside(
        &self,
        species: u16,
        centre: Vector<D>,
        distance: f64,
        generator: &mut Xoshiro256PlusPlus,
    ) -> Option<Vector<D>> {
        let towards = direction(generator);
        match self.environment.anchor(species) {
            None => Some(centre + towards * distance),
            Some(anchor) => anchor.reach(self.domain, centre, towards, distance),
        }
    }

    /// Whether two species live on one surface, or both in space.
    pub(super) fn live_together(&self, a: u16, b: u16) -> bool {
        self.environment.anchored_to(a) == self.environment.anchored_to(b)
    }

    /// Whether one of `species` may come out of a particle of species `whole`: it lives in space,
    /// or on the surface that this lives on. Any other surface may be far away.
    pub(super) fn may_come_out_of(&self, species: u16, whole: u16) -> bool {
        self.environment.anchored_to(species).is_none() || self.live_together(species, whole)
    }

    /// Where two particles go that would sit at these places nearer to each other than `distance`:
    /// each gives way by its share of what is missing, along its surface if it is confined to one;
    /// one without a share stays. If there is no way apart they are where they were.
    pub(super) fn moved_apart(
        &self,
        species: [u16; 2],
        places: [Vector<D>; 2],
        distance: f64,
        shares: [f64; 2],
    ) -> [Vector<D>; 2] {
        let domain = self.domain;
        let apart = domain.nearest_image(places[1] - places[0]);
        let anchors = species.map(|s| self.environment.anchor(s));
        if let ([Some(anchor), Some(_)], true) =
            (anchors, self.live_together(species[0], species[1]))
        {
            let around = match shares {
                [0.0, _] => places[0],
                [_, 0.0] => places[1],
                [first, _] => anchor.nearest(domain, places[0] + apart * first),
            };
            return anchor.apart(domain, around, apart, distance, shares);
        }
        let near = apart.norm();
        let give_way = |n: usize| shares[n] > 0.0 && anchors[n].is_none();
        let share = match [give_way(0), give_way(1)] {
            [true, true] => Some(shares),
            [true, false] => Some([1.0, 0.0]),
            [false, true] => Some([0.0, 1.0]),
            [false, false] => None,
        };
        let mut moved = places;
        if let Some([first, second]) = share.filter(|_| near > 0.0) {
            let missing = apart * ((distance - near) / near);
            moved[0] -= missing * first;
            moved[1] += missing * second;
            return moved;
        }
        let confined = if shares[0] > 0.0 { 0 } else { 1 };
        let (from, away) = (places[1 - confined], if confined == 0 { apart * -1.0 } else { apart });
        let reached =
            anchors[confined].and_then(|anchor| anchor.reach(domain, from, away, distance));
        moved[confined] = reached.unwrap_or(places[confined]);
        moved
    }

    /// Where the two parts of a particle at `place` appear that falls apart, in contact; `host` is
    /// the one, if any, that stays where it is. There may be no room on the side of the surface to
    /// which one is confined. Those that are confined live where the particle does
    /// ([`Brownian::may_come_out_of`]).
    ///
    /// Directions are as likely as pairs come from there: the mean step towards each other is that
    /// of D_free + D_confined (1 - n_z²), as in [`jostle_core::rules::Encounter`].
    pub(super) fn parting_places(
        &self,
        place: Vector<D>,
        parts: &[Part; 2],
        host: Option<usize>,
        generator: &mut Xoshiro256PlusPlus,
    ) -> Result<[Vector<D>; 2], Refusal> {
        let distance = parts[0].radius + parts[1].radius;
        let diffusion = [0, 1].map(|n| parts[n].diffusion_coefficient);
        let anchors = [0, 1].map(|n| self.environment.anchor(parts[n].species));
        match anchors {
            [None, None] => {
                let normal = direction(generator);
                Ok(match host {
                    Some(0) => [place, place + normal * distance],
                    Some(_) => [place - normal * distance, place],
                    None => Parting { normal, diffusion }.places(place, distance),
                })
            }
            [Some(first), Some(_)] => {
                let share = super::system::share(diffusion);
                if first.is_mesh() {
                    let stays =
                        host.unwrap_or_else(|| usize::from(generator.random::<f64>() < share));
                    let both = [diffusion[stays], diffusion[1 - stays]];
                    if let Some(ways) = first.ways(self.domain, place, distance, both) {
                        if generator.random::<f64>() >= ways.many() {
                            return Err(Refusal::Declined);
                        }
                        let other = ways.one(|| generator.random()).ok_or(Refusal::Declined)?;
                        return Ok(if stays == 0 { [place, other] } else { [other, place] });
                    }
                }
                let towards = direction(generator);
                let shares = match host {
                    Some(0) => [0.0, 1.0],
                    Some(_) => [1.0, 0.0],
                    None => [share, 1.0 - share],
                };
                Ok(first.apart(self.domain, place, towards, distance, shares))
            }
            _ => {
                let confined = usize::from(anchors[0].is_none());
                let free = 1 - confined;
                let surface = self.environment.anchored_to(parts[confined].species);
                let (anchor, surface) = anchors[confined].zip(surface).ok_or(Refusal::NoRoom)?;
                // A host stays where it is, which on a round surface may be on a chord just below.
                let at = if host.is_some() { place } else { anchor.nearest(self.domain, place) };
                let most = (diffusion[free] + diffusion[confined]).sqrt();
                let part = &parts[free];
                for _ in 0..TRIES {
                    let normal = direction(generator);
                    let along = anchor.tangential(self.domain, at, normal).norm_squared();
                    let width = (diffusion[free] + diffusion[confined] * along).sqrt();
                    let there = at + normal * distance;
                    if generator.random::<f64>() * most > width {
                        continue;
                    }
                    let host = parts[confined].species;
                    let both = [host, part.species];
                    let is_seen =
                        self.environment.is_seen(self.domain, both, part.radius, [at, there])
                            && !anchor.is_behind_face(self.domain, there)
                            && !self.environment.sticks_in(
                                surface,
                                self.domain,
                                part.species,
                                there,
                                part.radius,
                            );
                    if !is_seen {
                        // A rod or a mesh shows less of a particle in some places than in others: fewer come to it
                        // there, and as many fewer leave it.
                        let places = [at, there];
                        if self.environment.could_face(self.domain, both, part.radius, places) {
                            return Err(Refusal::Declined);
                        }
                        continue;
                    }
                    // What the own surface forbids is not there for pairs that come, either, and so is in the rate
                    // constant. Walls and other surfaces refuse, as they keep away those that would come: if another
                    // direction were drawn, unbinding near a wall would have no reverse.
                    let is_free = self.is_clear(part.species, there, part.radius);
                    let places = if confined == 0 { [at, there] } else { [there, at] };
                    return with_room(is_free).map(|()| places);
                }
                Err(Refusal::NoRoom)
            }
        }
    }
}
