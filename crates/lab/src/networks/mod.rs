//! Models of rules, simulated one reaction at a time in a well-mixed volume: what models of particles
//! are compared with.
//!
//! Gillespie's direct method on molecules and bonds as they are, without a list of species. It is
//! meant to be plainly right and not fast: after each reaction, all ways in which patterns fit the
//! complexes that took part are found again.
//!
//! ```
//! let text = "
//! begin molecule types
//!     A(s~u~p)
//! end molecule types
//! begin seed species
//!     A(s~u) 100
//! end seed species
//! begin reaction rules
//!     A(s~u) <-> A(s~p) 2, 1
//! end reaction rules
//! begin observables
//!     Molecules P A(s~p)
//! end observables
//! ";
//! let network = jostle_model::bngl::read(text, "switch.bngl")?;
//! let mut cell = jostle_lab::networks::WellMixed::new(&network, 7);
//! cell.advance(100.0);
//! assert!((50..=83).contains(&cell.observed(0)));
//! # Ok::<(), jostle_model::Faults>(())
//! ```

mod embedding;
mod soup;
#[cfg(test)]
mod tests;
mod well_mixed;

pub use well_mixed::WellMixed;
