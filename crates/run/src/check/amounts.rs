//! Numbers of particles that follow from concentrations, in words.

use jostle_core::words::digits;
use jostle_model::{Model, measure};

/// Each concentration that the model asks for, and the number that it comes to.
pub(super) fn in_words(model: &Model) -> impl Iterator<Item = String> {
    model.placement.iter().enumerate().filter_map(|(n, placement)| {
        let asked = placement.asked?;
        let dimension = model.dimension_of([placement.species; 2]);
        let room = measure::room_of(model, placement.species);
        let molecule = model.molecules().iter().find(|molecule| molecule.placement == n);
        let name = match molecule {
            Some(molecule) => &molecule.name,
            None => &model.species[placement.species as usize].name,
        };
        let how = match asked.poisson {
            true => format!("drawn with seed {} from a Poisson distribution about", model.run.seed),
            false => "rounded from".to_owned(),
        };
        Some(format!(
            "{} {name}, {how} {}: {} in {}",
            placement.count(),
            digits(asked.per_room * room, 6),
            concentration(asked.per_room, dimension),
            extent(room, dimension)
        ))
    })
}

/// A number per volume \[nm^-3\], area \[nm^-2\] or length \[nm^-1\] in a unit that suits it.
fn concentration(per_room: f64, dimension: usize) -> String {
    if dimension < 3 {
        let per_um = per_room * [1e3, 1e6][dimension - 1];
        return format!("{} {}", digits(per_um, 4), ["/µm", "/µm²"][dimension - 1]);
    }
    /// Molecules per nm³ at 1 M.
    const MOLAR: f64 = 0.602_214_076;
    let molar = per_room / MOLAR;
    let (factor, unit) = match molar {
        c if c >= 1e-3 => (1e3, "mM"),
        c if c >= 1e-6 => (1e6, "µM"),
        _ => (1e9, "nM"),
    };
    format!("{} {unit}", digits(molar * factor, 4))
}

/// A volume, area or length in a unit that suits cells.
fn extent(room: f64, dimension: usize) -> String {
    let (per_nm, unit) = [(1e-3, "µm"), (1e-6, "µm²"), (1e-9, "µm³")][dimension - 1];
    format!("{} {unit}", digits(room * per_nm, 4))
}
