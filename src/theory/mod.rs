//! Closed forms that runs are compared with.
//!
//! s = sqrt(2 D dt) is the rms relative step per axis of a pair, D = D_A + D_B; R the contact
//! distance; phi the share of the space that bodies fill.

mod encounter;
mod equilibrium;

pub use encounter::{capture_time, collins_kimball, first_contact};
pub use equilibrium::{
    contact_value, contact_value_2d, contact_value_3d, contact_value_mixture_3d, contacts_per_body_and_step,
    pressure_factor,
};
