//! Code that is compiled once for one, two and three dimensions, in the crate that it belongs to.
//!
//! A function that is generic over the dimension is compiled again in every crate that calls it,
//! which for an engine takes half a minute each time. The entries of an engine therefore stand in a
//! table of function pointers, one table for each number of dimensions, and callers look the table
//! up. That costs a few nanoseconds per call: enter at a step or at a set-up, not at an event.

use std::any::Any;

/// The one of the three `tables` that is a `T`, which names its number of dimensions.
///
/// # Panics
/// If none is: there are models in one, two and three dimensions only.
pub fn of_dimension<T: Any>(tables: [&'static (dyn Any + Send + Sync); 3]) -> &'static T {
    let found = tables.into_iter().find_map(|table| table.downcast_ref());
    found.expect("space has one, two or three dimensions")
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Table<const D: usize>(usize);

    #[test]
    fn the_table_of_the_dimension_is_found() {
        static TABLES: (Table<1>, Table<2>, Table<3>) = (Table(10), Table(20), Table(30));
        fn entry<const D: usize>() -> usize {
            of_dimension::<Table<D>>([&TABLES.0, &TABLES.1, &TABLES.2]).0
        }
        assert_eq!([entry::<1>(), entry::<2>(), entry::<3>()], [10, 20, 30]);
    }
}
