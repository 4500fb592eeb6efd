//! Structs whose fields are keys of a section. What stands here is all that reading and writing
//! them takes: the schema says the rest.

use jostle_core::parameters::granular::Material;
use jostle_core::parameters::polygons::ForceLaw;
use jostle_core::search;

use super::resolved::TableText;
use crate::Run;
use crate::walker::Section;

/// A struct whose fields are keys of a section.
pub(super) trait Keys {
    /// The values that the section has for its keys; other fields have no meaning yet.
    fn read(section: &Section<'_>) -> Self;

    /// Writes the keys of the section that the engine of the model has.
    fn write(&self, lines: &mut TableText);
}

/// Fields in the order in which they are written, each with its key where that is called
/// something else.
macro_rules! keys {
    ($($Struct:ty { $($field:ident $(: $key:literal)?),* $(, ..$rest:expr)? })*) => {
        $(impl Keys for $Struct {
            fn read(section: &Section<'_>) -> Self {
                Self { $($field: section.setting(keys!(@ $field $($key)?)),)* $(..$rest)? }
            }

            fn write(&self, lines: &mut TableText) {
                $(lines.set(keys!(@ $field $($key)?), &self.$field);)*
            }
        })*
    };
    (@ $field:ident) => { stringify!($field) };
    (@ $field:ident $key:literal) => { $key };
}

keys! {
    Run { seed, memory, keep_checkpoint, threads, ..Self::default() }
    search::Settings { kind, relink, listing, axis, pruning, resize, cell_size }
    Material { youngs_modulus, poissons_ratio, density, yield_pressure, heat_capacity }
    ForceLaw {
        normal: "law", stiffness, damping, friction, wall_friction, tangential: "tangential_stiffness",
        rolling: "rolling_friction"
    }
}
