//! The options that say on which sides of surfaces.

use super::rows::{Row, Takes};
use crate::surfaces::{Beside, Which};

/// A question that can be restricted to sides of surfaces.
pub(super) trait HasSides {
    /// On all of these sides.
    fn sides(&mut self) -> &mut Vec<Beside>;
}

fn add(options: &mut impl HasSides, which: Which, name: &str) -> Result<(), String> {
    options.sides().push(Beside { which, surface: name.to_owned() });
    Ok(())
}

/// The names of these options.
pub(super) const SIDES: [&str; 4] =
    [Which::Inside.name(), Which::Outside.name(), Which::Above.name(), Which::Below.name()];

/// On which sides of surfaces: on all of these.
pub(super) const fn rows<T: HasSides>() -> [Row<T>; 4] {
    const SURFACE: (Takes, &str) = (Takes::Many, "SURFACE");
    let [inside, outside, above, below] = SIDES;
    [
        Row::new(
            inside,
            SURFACE,
            "Inside this closed surface of the model, by name; can be repeated",
            |to, name| add(to, Which::Inside, name),
        ),
        Row::new(outside, SURFACE, "Outside this closed surface", |to, name| {
            add(to, Which::Outside, name)
        }),
        Row::new(
            above,
            SURFACE,
            "Above this plane: at higher coordinates along its axis",
            |to, name| add(to, Which::Above, name),
        ),
        Row::new(below, SURFACE, "Below this plane", |to, name| add(to, Which::Below, name)),
    ]
}
