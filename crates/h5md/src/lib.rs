//! H5MD files: the only crate that depends on the HDF5 library. [`record`] writes them while a
//! model runs, [`reading`] opens them again, [`positions`] reads where particles are.

#[doc(hidden)]
pub mod claims;
mod contained;
mod locks;
pub mod positions;
pub mod reading;
pub mod record;
#[doc(hidden)]
pub mod texts;

#[doc(hidden)]
pub use hdf5;
