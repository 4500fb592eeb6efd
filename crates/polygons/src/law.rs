//! The force of an overlap: what presses two outlines apart, and friction.

use serde::{Deserialize, Serialize};

use jostle_core::narrow::polygons::Overlap;
use jostle_core::parameters::polygons::{ForceLaw, NormalLaw, SPIN};
use jostle_core::planted::{Fault, planted};
use jostle_core::space::{Vector, cross};

/// The spring of Cundall and Strack (1979): how far the two surfaces have been sheared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Spring {
    /// Along the contact's tangent, so that it turns with the contact. \[nm\]
    pub(super) stretch: f64,
    /// At the last look. \[nm/µs\]
    pub(super) velocity: f64,
}

/// What a pair's force depends on besides the overlap.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    /// `1/r1 + 1/r2`; a wall has none. \[1/nm\]
    pub(super) curvature: f64,
    /// `1/m1 + 1/m2`; a wall has none. \[1/kg\]
    pub(super) inverse_mass: f64,
    /// The coefficient of friction.
    pub(super) friction: f64,
}

/// The normal part of a contact's force, and where it acts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Push {
    /// Out of the first. \[1\]
    pub(super) normal: Vector<2>,
    /// From the first's centroid. \[nm\]
    pub(super) arm: Vector<2>,
    /// Presses the two apart; never negative. \[kg nm/µs²\]
    pub(super) force: f64,
    /// What is stored, if the law is conservative. \[kg nm²/µs²\]
    pub(super) energy: f64,
    /// What the force without damping takes up. \[kg nm²/µs³\]
    pub(super) storing: f64,
}

/// The normal force. `velocity(arm)` is that of the first's material at `arm` less that of the
/// second's, and `turning` the first's angular velocity less the second's. None if the overlap
/// has no direction.
#[inline]
pub(super) fn push(
    law: &ForceLaw,
    pair: &Pair,
    overlap: &Overlap,
    velocity: impl Fn(Vector<2>) -> Vector<2>,
    turning: f64,
) -> Option<Push> {
    let chord = overlap.gradient.norm();
    if chord * chord <= LEAST_CHORD * overlap.area || !chord.is_finite() {
        return None;
    }
    let normal = overlap.gradient * (1.0 / chord);
    // On the line along which the area's gradient acts, beside the centroid.
    let aside = cross(overlap.centroid, normal) - overlap.moment / chord;
    let on_chord = overlap.centroid + tangent(normal) * aside;
    let inverse_length = 0.25 * pair.curvature;
    let damping = law.damping * (law.stiffness / pair.inverse_mass).sqrt() * inverse_length * chord;
    // The elastic force, and how fast the damping force grows with the velocity.
    let (at, elastic, drag, energy) = match law.normal {
        NormalLaw::Gradient => {
            let factor = law.stiffness * inverse_length * inverse_length * overlap.area;
            (
                on_chord,
                factor * chord,
                damping * inverse_length * chord,
                0.5 * factor * overlap.area,
            )
        }
        NormalLaw::Area => {
            (overlap.centroid, law.stiffness * inverse_length * overlap.area, damping, 0.0)
        }
    };
    let force = (elastic + drag * velocity(on_chord).dot(normal)).max(0.0);
    let arm = at + tangent(normal) * shift(drag * turning, chord, force);
    let storing = elastic * velocity(at).dot(normal);
    Some(Push { normal, arm, force, energy, storing })
}

/// The tangential force, where the first's surface moves past the other's at `velocity` and the
/// normal force is `normal`. Below its limit the spring follows the surfaces; beyond it they
/// slide.
#[inline]
pub(super) fn rub(
    law: &ForceLaw,
    pair: &Pair,
    spring: &mut Spring,
    velocity: f64,
    normal: f64,
    dt: f64,
) -> Rub {
    let stiffness = law.tangential * law.stiffness;
    let drag = law.damping * (stiffness / (SPIN * pair.inverse_mass)).sqrt();
    let trial = spring.stretch + 0.5 * (spring.velocity + velocity) * dt;
    let wanted = -(stiffness * trial + drag * velocity);
    let friction = if planted(Fault::FrictionTwice) { 2.0 * pair.friction } else { pair.friction };
    let limit = friction * normal;
    let sliding = wanted.abs() > limit;
    let mut rub = Rub { force: wanted, energy: 0.0, sliding };
    spring.velocity = velocity;
    spring.stretch = trial;
    if sliding {
        rub.force = limit.copysign(wanted);
        // What the dashpot leaves to the spring.
        // Not `clamp`, which takes no NaN: a body that is lost is told of a step later.
        let rest = (rub.force + drag * velocity).min(limit).max(-limit);
        spring.stretch = if stiffness > 0.0 { -rest / stiffness } else { 0.0 };
    }
    rub.energy = 0.5 * stiffness * spring.stretch * spring.stretch;
    rub
}

/// The tangential part of a contact's force.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rub {
    /// On the first, along [`tangent`] of the normal. \[kg nm/µs²\]
    pub(super) force: f64,
    /// In the spring. \[kg nm²/µs²\]
    pub(super) energy: f64,
    /// Whether friction is at its limit.
    pub(super) sliding: bool,
}

/// How far along the tangent damping moves the normal force off its place, where faces turn against
/// each other: damping is spread over the chord, and stronger where they close in faster. Without
/// that, two faces that lie on each other could rock for ever, since their overlap's area stays the
/// same. The force stays within the chord, which is to say that it pulls nowhere. \[nm\]
#[inline]
fn shift(drag: f64, chord: f64, force: f64) -> f64 {
    if force > 0.0 {
        (-drag * chord * chord / (12.0 * force)).min(0.5 * chord).max(-0.5 * chord)
    } else {
        0.0
    }
}

/// A chord shorter than this part of the overlap's own size is no direction. \[area\]
const LEAST_CHORD: f64 = 1e-6;

/// The normal turned by a quarter, counter-clockwise.
#[inline]
pub(super) fn tangent(normal: Vector<2>) -> Vector<2> {
    Vector([-normal[1], normal[0]])
}
