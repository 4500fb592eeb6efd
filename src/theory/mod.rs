//! Closed forms and exact references that runs are compared with.
//!
//! s = sqrt(2 D dt) is the rms relative step per axis of a pair, D = D_A + D_B; R the contact
//! distance; phi the share of the space that bodies fill.

mod coagulation;
mod encounter;
mod equilibrium;
mod networks;
mod polymers;
mod rk4;

pub use coagulation::{coagulated, coagulated_total, coagulation_time};
pub use encounter::{capture_time, collins_kimball, first_contact};
pub use equilibrium::{
    contact_value, contact_value_2d, contact_value_3d, contact_value_mixture_3d, contacts_per_body_and_step,
    pressure_factor,
};
pub use networks::{MichaelisMenten, bound_pairs, bound_twins, mean_and_variance};
pub use polymers::{Polymerisation, PolymerisationRun};
pub use rk4::rk4;
