//! Types whose values are read from a key, and written, by what the schema says of it alone.

use jostle_core::output::LogLevel;
use jostle_core::parameters::Scheduler;
use jostle_core::parameters::granular::{Shaken, TrajectoryClock};
use jostle_core::parameters::polygons::NormalLaw;
use jostle_core::search::{Listing, Relink};
use jostle_core::words::memory_size;

use super::Item;
use crate::gas::Contact;
use crate::granular::Enclosure;
use crate::schema::{Engine, Key, Type};
use crate::units::Wanted;

/// A type of values of the file.
pub(crate) trait Setting: Sized {
    /// What stands in for a value that is faulty or missing; if there is nothing, the default or the
    /// example of the schema does.
    const FAULTY: Option<Self> = None;

    /// What a value of the file means; what is wrong with it is noted.
    fn read(item: &Item<'_>) -> Option<Self>;

    /// The value of a key as TOML; none where it is left out, or written by hand.
    fn written(&self, _row: &Key) -> Option<String> {
        None
    }
}

/// Quantities, and amounts of memory.
impl Setting for f64 {
    const FAULTY: Option<Self> = Some(Self::NAN);

    fn read(item: &Item<'_>) -> Option<Self> {
        if let Type::Memory = item.takes {
            let text = item.text()?;
            return memory_size(text)
                .map_err(|why| item.fault(format!("found \"{text}\": {why}")))
                .ok();
        }
        item.quantity()
    }

    fn written(&self, row: &Key) -> Option<String> {
        Some(match row.takes.quantity() {
            Some(wanted) => quantity(*self, wanted),
            None => format!("\"{self} B\""),
        })
    }
}

impl Setting for bool {
    fn read(item: &Item<'_>) -> Option<Self> {
        item.boolean()
    }

    fn written(&self, _: &Key) -> Option<String> {
        Some(self.to_string())
    }
}

/// Whole numbers; those of 64 bits where all of them are right.
impl Setting for u64 {
    fn read(item: &Item<'_>) -> Option<Self> {
        match *item.takes {
            Type::Whole(0) => item.whole_of_64_bits(),
            Type::UpTo(least, most, otherwise) => item.whole(least).filter(|number| {
                if *number > most {
                    item.fault(format!("found {number}{otherwise}"));
                }
                *number <= most
            }),
            _ => item.whole(item.takes.least().unwrap_or(0)),
        }
    }

    fn written(&self, _: &Key) -> Option<String> {
        Some(self.to_string())
    }
}

/// Whole numbers, and axes.
impl Setting for usize {
    fn read(item: &Item<'_>) -> Option<Self> {
        match item.takes.words() {
            [] => u64::read(item).and_then(|number| Self::try_from(number).ok()),
            _ => item.axis(),
        }
    }

    fn written(&self, row: &Key) -> Option<String> {
        Some(match row.takes.words().get(*self) {
            Some(axis) => format!("\"{axis}\""),
            None => self.to_string(),
        })
    }
}

/// What need not be there.
impl<T: Setting> Setting for Option<T> {
    const FAULTY: Option<Self> = Some(None);

    fn read(item: &Item<'_>) -> Option<Self> {
        T::read(item).map(Some)
    }

    fn written(&self, row: &Key) -> Option<String> {
        self.as_ref()?.written(row)
    }
}

/// Words of the schema.
macro_rules! words {
    ($($Enum:ident),*) => {
        $(impl Setting for $Enum {
            fn read(item: &Item<'_>) -> Option<Self> {
                item.word_by(Self::parse)
            }

            fn written(&self, _: &Key) -> Option<String> {
                Some(format!("\"{}\"", self.name()))
            }
        })*
    };
}

words!(
    Contact,
    Enclosure,
    Engine,
    Listing,
    LogLevel,
    NormalLaw,
    Relink,
    Scheduler,
    Shaken,
    TrajectoryClock
);

/// A quantity in nm, µs, kg, K, rad and kT, in the digits that read back bit by bit.
pub(crate) fn quantity(value: f64, wanted: &Wanted) -> String {
    match wanted.dimension.internal_unit().as_str() {
        "" => format!("{value:?}"),
        unit => format!("\"{value:?} {unit}\""),
    }
}
