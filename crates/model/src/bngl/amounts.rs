//! How many molecules there are at the start.

use super::geometry::{Amounts, Geometry};
use super::lines::Slip;
use super::rates::number;
use super::{Network, SeedSpecies};

/// The most molecules of one species that can be numbered.
const MOST: f64 = u32::MAX as f64 - 1.0;
/// What is rounded by less is not worth saying.
const NOTABLE: f64 = 1e-2;

/// Makes numbers of molecules of all amounts; what cannot be taken over, and what is rounded.
pub(super) fn check(
    network: &mut Network,
    geometry: Option<&Geometry>,
    slips: &mut Vec<Slip>,
    notes: &mut Vec<Slip>,
) {
    let unit = geometry.map_or(Amounts::Molecules, |geometry| geometry.amounts);
    for seed in &mut network.seeds {
        let SeedSpecies { count, spot, .. } = seed;
        let given = *count;
        if let (Amounts::Molar { molar, .. }, Some(geometry)) = (unit, geometry) {
            *count = given * molar * geometry.per_molar();
        }
        if *count > MOST {
            slips.push(Slip::new(*spot, format!(
                "{} molecules are too many: at most {MOST} can be followed; give fewer in a smaller box",
                number(*count)
            )));
            continue;
        }
        let whole = count.round();
        match unit {
            Amounts::Molecules if *count != whole => {
                let hint = if whole == 0.0 { CONCENTRATIONS } else { "" };
                let text = format!("{count} molecules are rounded to {whole}{hint}");
                notes.push(Slip::new(*spot, text));
            }
            Amounts::Molar { word, .. } if (*count - whole).abs() > NOTABLE * *count => {
                let text = format!(
                    "{given} {word} are {} molecules in this box, rounded to {whole}",
                    number(*count)
                );
                notes.push(Slip::new(*spot, text));
            }
            _ => {}
        }
        *count = whole;
    }
}

const CONCENTRATIONS: &str = ": if amounts are concentrations in this file, say so in the geometry file, for example `units = \"uM\"`";
