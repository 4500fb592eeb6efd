//! The virial: what contacts and edges add to the pressure.
//!
//! Within a step particles move as those of a gas do that have the masses 1/(2 D Δt) and the
//! temperature 1, and at any moment of it their places and velocities have the distribution of
//! equilibrium. So the virial theorem holds for steps of any length: with *N* particles or rigid
//! clusters in a volume *V* in *d* dimensions,
//!
//! P V = N kT + ⟨Σ J R⟩ / d,
//!
//! the sum being over all contacts and edges of a step, J the momentum that two give each other, and R
//! the distance of their centres along it. A contact counts as a bounce whatever comes of it: what
//! binds takes up half of the momentum, and what unbinds gives back as much, since each is the reverse of the
//! other.

use super::shells::Encounters;
use super::touch::{Approach, Touch};
use jostle_core::space::Path;

/// Parts of a kT step in which the sum is kept. Integers give the same sum in any order, so that it
/// does not depend on threads and structures, even if it overflows. Each term is rounded by half a part at
/// most, up or down at random; a contact adds some 4 r/s kT steps for radii r and rms steps s.
const PARTS: f64 = 1024.0;

/// Turns the sum into kT steps.
pub(super) fn in_kt_steps(sum: i64) -> f64 {
    sum as f64 / PARTS
}

impl<const D: usize> Encounters<'_, D> {
    /// What an event adds to the sum, if the momentum passed on is 2 Δt times less than `impulse`
    /// \[nm per step, over nm²/µs\]. `path` knows the present paths of all that move with the two.
    #[inline]
    pub(super) fn virial(
        &self,
        pair: &Approach<D>,
        touch: &Touch<D>,
        impulse: f64,
        path: impl Fn(u32) -> Path<D>,
    ) -> i64 {
        // Any point of a rigid cluster will do as its centre: this takes its first member.
        let [to_first, to_other_first] = [0, 1].map(|n| {
            let first = self.0.together(&pair.slots[n])[0];
            (first != pair.slots[n]).then(|| {
                let here = pair.paths[n].at(touch.time);
                self.0.domain.nearest_image(path(first).at(touch.time) - here)
            })
        });
        let mut apart = touch.separation;
        apart += to_other_first.unwrap_or_default();
        apart -= to_first.unwrap_or_default();
        let along = apart.dot(touch.normal());
        (PARTS * along * impulse / (2.0 * self.0.clock.timestep)).round() as i64
    }
}
