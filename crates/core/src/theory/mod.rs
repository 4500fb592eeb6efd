//! Closed forms and exact references that runs are compared with.
//!
//! s = sqrt(2 D dt) is the rms relative step per axis of a pair, D = D_A + D_B; R the contact
//! distance; phi the share of the space that particles fill.

mod coagulation;
mod encounter;
mod equilibrium;
mod first_passage;
mod fluids;
mod networks;
mod polymers;
mod rk4;
mod single_file;
mod structure;

pub use coagulation::{coagulated, coagulated_total, coagulation_time};
pub use encounter::{capture_time, collins_kimball, first_contact};
pub use equilibrium::{
    contact_value, contact_value_2d, contact_value_3d, contact_value_mixture_3d,
    contacts_per_particle_and_step, pressure_factor,
};
pub use first_passage::{encounters, late_capture_time, mean_absorption_time, mean_capture_time};
pub use fluids::{
    collision_rate, contact_value_mixture, contact_value_virial, fluid_pressure, meeting_rate,
};
pub use networks::{MichaelisMenten, bound_pairs, bound_twins, mean_and_variance};
pub use polymers::{Polymerisation, PolymerisationRun};
pub use rk4::rk4;
pub use single_file::{single_file, single_file_limit};
pub use structure::{dilute_disks, finite_size, percus_yevick, rods_on_a_ring};
