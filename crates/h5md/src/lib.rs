//! H5MD files of jostle: the only crate that writes HDF5. [`record`] writes them while a model
//! runs, [`positions`] reads where particles are.

#[doc(hidden)]
pub mod claims;
pub mod positions;
pub mod reading;
pub mod record;
#[doc(hidden)]
pub mod texts;

#[doc(hidden)]
pub use hdf5;
