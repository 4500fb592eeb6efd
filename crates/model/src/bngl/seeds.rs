//! Seed species: what is there at the start.

use super::expression::Expression;
use super::lines::{Cursor, Slip, Spot};
use super::patterns::{self, ReadPattern};
use super::values::Values;
use super::{MoleculeType, Network, SeedSpecies};
use crate::notation::{Link, Mention, Molecule};

/// A seed species whose number has no value yet.
#[derive(Debug)]
pub(super) struct SeedLine {
    pub(super) pattern: ReadPattern,
    count: (Expression, Spot),
}

/// Reads a seed species: `EGFR(l,Y1068~u) 100`.
pub(super) fn read(mut cursor: Cursor<'_>) -> Result<SeedLine, Slip> {
    cursor.skip_index();
    let pattern = patterns::read(&mut cursor)?;
    if cursor.is_at_end() {
        return Err(cursor.slip("how many there are of it is missing"));
    }
    let spot = cursor.spot();
    let count = (Expression::read(&mut cursor)?, spot);
    cursor.expect_end()?;
    Ok(SeedLine { pattern, count })
}

impl SeedLine {
    /// The species with its number.
    pub(super) fn resolve(
        self,
        types: &[MoleculeType],
        values: &mut Values,
    ) -> Result<SeedSpecies, Slip> {
        let Self { pattern: ReadPattern { molecules, spot, .. }, count } = self;
        let slip = |message| Slip::new(spot, message);
        if let Some(message) = patterns::misfit(&molecules, types) {
            return Err(slip(message));
        }
        if let Some(message) = molecules.iter().find_map(|molecule| incomplete(molecule, types)) {
            return Err(slip(message));
        }
        let number = values.of(&count.0)?;
        if number < 0.0 {
            return Err(Slip::new(
                count.1,
                format!("there are {number} of it: a number of zero or more is needed"),
            ));
        }
        Ok(SeedSpecies { molecules, count: number, spot })
    }
}

/// Sets how many there are of a species at the start, or how many more.
pub(super) fn change(
    network: &mut Network,
    pattern: ReadPattern,
    number: f64,
    is_more: bool,
) -> Result<(), Slip> {
    let ReadPattern { molecules, spot, .. } = pattern;
    let slip = |message| Slip::new(spot, message);
    let types = &network.types;
    let wrong = patterns::misfit(&molecules, types)
        .or_else(|| molecules.iter().find_map(|molecule| incomplete(molecule, types)));
    if let Some(message) = wrong {
        return Err(slip(message));
    }
    let wanted = in_order(types, &molecules);
    let mut alike = network.seeds.iter().enumerate();
    let known = alike.find(|(_, seed)| in_order(types, &seed.molecules) == wanted).map(|(n, _)| n);
    let before = known.map_or(0.0, |n| network.seeds[n].count);
    let count = if is_more { before + number } else { number };
    if count < 0.0 {
        return Err(slip(format!(
            "there would be {count} of it: a number of zero or more is needed"
        )));
    }
    match known {
        Some(n) => network.seeds[n].count = count,
        None => network.seeds.push(SeedSpecies { molecules, count, spot }),
    }
    Ok(())
}

/// The molecules of a complex, each with its sites in the order of its type.
fn in_order(types: &[MoleculeType], molecules: &[Molecule]) -> Vec<Molecule> {
    let ordered = |molecule: &Molecule| {
        let declared = types.iter().find(|known| known.name == molecule.name);
        declared.map_or_else(|| molecule.clone(), |declared| declared.ordered(molecule))
    };
    molecules.iter().map(ordered).collect()
}

/// What is missing where a molecule is to be made of what is written, if anything.
pub(super) fn incomplete(molecule: &Molecule, types: &[MoleculeType]) -> Option<String> {
    let declared = types.iter().find(|known| known.name == molecule.name)?;
    let named = |name: &str| molecule.sites.iter().filter(|site| site.name == *name).count();
    if let Some(site) =
        declared.sites.iter().find(|site| named(&site.name) < declared.alike(&site.name))
    {
        return Some(format!(
            "site `{}` of `{}` is missing: a molecule that is to be made is written with all of its sites",
            site.name, molecule.name
        ));
    }
    let states = |mention: &Mention| {
        declared.sites.iter().any(|site| site.name == mention.name && !site.states.is_empty())
    };
    molecule.sites.iter().find_map(|site| {
        if matches!(site.bond, Link::Bound | Link::Either) {
            return Some(format!("`{site}` does not say what is bound to it"));
        }
        (states(site) && site.states.is_empty())
            .then(|| format!("the state of site `{}` of `{}` is missing", site.name, molecule.name))
    })
}
