//! Molecules whose number is held fixed, `$X()`: what a rule takes of them, it gives back.

use super::MoleculeType;
use super::lines::Slip;
use super::patterns::ReadPattern;
use crate::notation::Molecule;

/// Molecules without sites whose numbers are held fixed.
#[derive(Default)]
pub(super) struct Fixed(Vec<String>);

/// What is said where there is no place for it.
pub(super) const OF_SEEDS: &str = "a fixed number of molecules ($) is possible for seed species without sites: write a \
                                   rule that makes the others and one that takes them away";

impl Fixed {
    /// Holds the number of a seed species fixed, if it says so.
    pub(super) fn hold(&mut self, seed: &ReadPattern, types: &[MoleculeType]) -> Result<(), Slip> {
        let has_none =
            |name: &str| types.iter().any(|known| known.name == name && known.sites.is_empty());
        match seed.molecules.as_slice() {
            _ if !seed.is_fixed => Ok(()),
            [molecule] if has_none(&molecule.name) => {
                self.0.push(molecule.name.clone());
                Ok(())
            }
            _ => Err(Slip::new(seed.spot, OF_SEEDS)),
        }
    }

    /// Whether there are none.
    pub(super) fn are_none(&self) -> bool {
        self.0.is_empty()
    }

    /// What a rule makes of `from`, if of these molecules as many are there as before.
    pub(super) fn keep(&self, from: &[Vec<Molecule>], to: &[Vec<Molecule>]) -> Vec<Vec<Molecule>> {
        let is_fixed = |pattern: &&Vec<Molecule>| matches!(pattern.as_slice(), [one] if self.0.contains(&one.name));
        let kept = from.iter().filter(is_fixed);
        kept.chain(to.iter().filter(|pattern| !is_fixed(pattern))).cloned().collect()
    }
}
