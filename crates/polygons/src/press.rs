//! Which particles touch, and with what force: the closest features or the overlap of each pair,
//! and the law.

use super::balance::Flows;
use super::contacts::{Contact, Load};
use super::law::{Pair, Push, push, rub, tangent};
use super::rows::{Make, Row};
use super::skin::SURE;
use super::{Polygons, RunFault, chunks};
use jostle_core::narrow::polygons::{FeatureCounters, Meeting, Overlap, meet};
use jostle_core::observe::Against;
use jostle_core::parameters::polygons::ForceLaw;
use jostle_core::space::{Domain, Outline, Pose, Vector, cross};

/// So many pairs are one piece of work, and with fewer one thread does all.
const CHUNK: [usize; 2] = [64, 256];
/// From an overlap of so much of the smaller one's area on, the law does not press apart what it
/// should.
const DEEP: f64 = 0.5;
/// Distances are this uncertain. \[sum of the two circumradii\]
const ROUNDING: f64 = 1e-10;

/// What was found in one piece of work.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Findings {
    flows: Flows,
    features: FeatureCounters,
    touching: u64,
    skipped: u64,
    /// The first pair that overlaps too far: its place in the chunk, and how much of the smaller
    /// one.
    deep: Option<([u32; 2], f64)>,
}

/// What resists rolling in a contact.
#[derive(Clone, Copy, Debug, Default)]
struct Roll {
    /// On the first. \[kg nm²/µs²\]
    torque: f64,
    /// In the spring. \[kg nm²/µs²\]
    energy: f64,
}

/// What contacts are made from.
struct Scene<'a> {
    domain: &'a Domain<2>,
    outlines: &'a [Outline],
    rows: &'a [Row],
    makes: &'a [Make],
    law: &'a ForceLaw,
    dt: f64,
}

impl Polygons {
    /// Finds the forces of all pairs where the prediction led, and enters into the record what they
    /// do.
    pub(super) fn press(&mut self) -> Result<(), RunFault> {
        let dt = self.clock.timestep;
        let scene = Scene {
            domain: &self.domain,
            outlines: &self.outlines,
            rows: &self.rows,
            makes: &self.makes,
            law: &self.law,
            dt,
        };
        let contacts = &mut self.contacts;
        self.findings.resize(contacts.list.len().div_ceil(CHUNK[0]), Findings::default());
        let work = |list: &mut [Contact], loads: &mut [Load], found: &mut Findings| {
            *found = Findings::default();
            for (contact, load) in list.iter_mut().zip(loads) {
                scene.look(contact, load, found);
            }
        };
        chunks::find(&mut contacts.list, &mut contacts.loads, &mut self.findings, CHUNK, work);
        let mut all = Findings::default();
        for found in &self.findings {
            all.flows += &found.flows;
            all.features += found.features;
            all.touching += found.touching;
            all.skipped += found.skipped;
            all.deep = all.deep.or(found.deep);
        }
        self.accounts.pass(&all.flows, dt);
        self.tally.contacts = all.touching;
        self.tally.contact_steps += all.touching;
        self.tally.skipped += all.skipped;
        self.tally.features += all.features;
        match all.deep {
            Some((pair, part)) => Err(self.too_deep(pair, part)),
            None => Ok(()),
        }
    }

    fn too_deep(&self, [body, other]: [u32; 2], part: f64) -> RunFault {
        RunFault::Deep { body, against: self.against(other), part, time: self.end_of_step() }
    }

    /// A particle that stands in a row.
    pub(super) fn against(&self, row: u32) -> Against {
        match (row as usize).checked_sub(self.motion.len()) {
            Some(wall) => Against::Wall(wall as u32),
            None => Against::Body(u64::from(row)),
        }
    }
}

impl Scene<'_> {
    /// Looks at a pair, unless the two cannot have met yet.
    #[inline]
    fn look(&self, contact: &mut Contact, load: &mut Load, found: &mut Findings) {
        let [a, b] = contact.pair.map(|row| &self.rows[row as usize]);
        let travelled = a.travelled + b.travelled;
        if travelled < contact.asleep {
            found.skipped += 1;
            return;
        }
        let [make_a, make_b] = contact.pair.map(|row| &self.makes[row as usize]);
        let [outline_a, outline_b] =
            [make_a, make_b].map(|make| &self.outlines[make.outline as usize]);
        // Seen from the first, so that rounding does not depend on where the two are.
        let apart = self.domain.nearest_image(b.pose.position - a.pose.position);
        let pose_a = Pose { position: Vector::ZERO, turn: a.pose.turn };
        let pose_b = Pose { position: apart, turn: b.pose.turn };
        let tracked = &mut contact.tracked;
        match meet((outline_a, &pose_a), (outline_b, &pose_b), tracked, &mut found.features) {
            Meeting::Apart(distance) => {
                let sure = SURE * distance - ROUNDING * (make_a.reach + make_b.reach);
                // Where sums of paths have become too coarse for the distance the pair is looked at
                // anyway.
                contact.asleep = if sure > 1e-12 * travelled { travelled + sure } else { 0.0 };
                contact.touching = false;
                contact.spring = Default::default();
                contact.rolling = Default::default();
            }
            Meeting::Overlapping(overlap) => self.touch(contact, load, &overlap, apart, found),
        }
    }

    /// The force of a pair that overlaps; `apart` leads from the one centroid to the other.
    #[inline]
    fn touch(
        &self,
        contact: &mut Contact,
        load: &mut Load,
        overlap: &Overlap,
        apart: Vector<2>,
        found: &mut Findings,
    ) {
        let [a, b] = contact.pair.map(|row| &self.rows[row as usize]);
        let [make_a, make_b] = contact.pair.map(|row| &self.makes[row as usize]);
        let pair = Pair {
            curvature: make_a.curvature + make_b.curvature,
            inverse_mass: make_a.inverse_mass + make_b.inverse_mass,
            friction: make_b.friction,
        };
        let moving = |arm: Vector<2>| a.velocity_at(arm) - b.velocity_at(arm - apart);
        let smaller = make_a.area.min(make_b.area);
        contact.asleep = 0.0;
        contact.touching = true;
        let turning = a.angular_velocity - b.angular_velocity;
        let push = push(self.law, &pair, overlap, moving, turning)
            .filter(|_| overlap.area <= DEEP * smaller);
        let Some(Push { normal, arm, force, energy, storing }) = push else {
            *load = Load::default();
            found.deep = found.deep.or(Some((contact.pair, overlap.area / smaller)));
            return;
        };
        let past = moving(arm);
        let (closing, sliding) = (past.dot(normal), past.dot(tangent(normal)));
        let rub = rub(self.law, &pair, &mut contact.spring, sliding, force, self.dt);
        let total = tangent(normal) * rub.force - normal * force;
        let roll = self.roll(contact, &pair, turning, force);
        *load = Load {
            force: total,
            torque: [cross(arm, total) + roll.torque, -cross(arm - apart, total) - roll.torque],
            arm,
            normal,
            overlap: overlap.area,
            energy,
            sliding: rub.sliding,
        };
        found.touching += 1;
        let flows = &mut found.flows;
        flows.damped += force * closing - storing;
        flows.pressed += if self.law.is_conservative() { 0.0 } else { storing };
        flows.rubbed -= rub.force * sliding + roll.torque * turning;
        flows.springs += rub.energy + roll.energy;
        flows.overlaps += energy;
        if make_b.inverse_mass == 0.0 {
            flows.walls += total.dot(b.velocity_at(arm - apart)) + roll.torque * b.angular_velocity;
        }
    }

    /// What resists rolling: friction between surfaces that move past each other as those of two wheels
    /// of the reduced radius do which turn against each other.
    #[inline]
    fn roll(&self, contact: &mut Contact, pair: &Pair, turning: f64, normal: f64) -> Roll {
        if self.law.rolling == 0.0 {
            return Roll::default();
        }
        let radius = 1.0 / pair.curvature;
        let pair = Pair { friction: self.law.rolling, ..*pair };
        let rub = rub(self.law, &pair, &mut contact.rolling, radius * turning, normal, self.dt);
        Roll { torque: radius * rub.force, energy: rub.energy }
    }
}
