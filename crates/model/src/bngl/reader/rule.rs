//! Rules with what they change and their rates.

use super::FileReader;
use crate::bngl::changes::{self, Changes, between};
use crate::bngl::lines::Slip;
use crate::bngl::patterns::{self, ReadPattern};
use crate::bngl::places::Whereabouts;
use crate::bngl::rule_lines::RuleLine;
use crate::bngl::seeds::incomplete;
use crate::bngl::symmetry::symmetry;
use crate::bngl::{NetworkRule, OneWay, fixed, labels};

impl FileReader {
    pub(super) fn rule(
        &mut self,
        line: RuleLine,
        number: usize,
        place: Whereabouts,
    ) -> Result<NetworkRule, Slip> {
        let RuleLine { label, spot, sides, rates, is_total, delete_molecules } = line;
        for placed in sides.iter().flatten() {
            if let Some(message) = patterns::misfit(&placed.molecules, &self.found.network.types) {
                return Err(Slip::new(placed.spot, message));
            }
            if placed.once {
                self.once(placed)?;
            }
            if placed.is_fixed {
                return Err(Slip::new(placed.spot, fixed::OF_SEEDS));
            }
        }
        let labels = [labels::of_side(&sides[0]), labels::of_side(&sides[1])];
        let [mut left, right] =
            sides.map(|side| side.into_iter().map(|placed| placed.molecules).collect::<Vec<_>>());
        if rates.len() == 1 {
            let added = changes::complete(&mut left, &right, &self.found.network.types);
            self.found.completed.extend(added.into_iter().map(|site| (site, spot)));
        }
        let wrong = changes::pairing(&left, &right)
            .map(|pairing| labels::misfit([&labels[0], &labels[1]], [&left, &right], &pairing));
        if let Some(message) = wrong.unwrap_or_else(Some) {
            return Err(Slip::new(spot, message));
        }
        let mut ways = Vec::new();
        let directions = [(&left, &right), (&right, &left)];
        let ways_written = rates.into_iter().zip(directions).zip(place.within);
        for ((rate_written, (from, to)), within) in ways_written {
            let to = &self.fixed.keep(from, to);
            let changes = match self.fixed.are_none() || from != to {
                true => between(from, to).map_err(|message| Slip::new(spot, message))?,
                false => Changes::default(),
            };
            let types = &self.found.network.types;
            let new = changes.created.iter().flatten();
            if let Some(message) = new.into_iter().find_map(|new| incomplete(new, types)) {
                return Err(Slip::new(spot, message));
            }
            let network = &mut self.found.network;
            let size = within.map(|n| network.compartments[n].size).or(network.volume);
            let size = size.unwrap_or(1.0);
            let (rate, law) =
                rate_written.resolve(&mut self.values, network, from, is_total, size)?;
            let Some(symmetry) = symmetry(from, &changes) else {
                return Err(Slip::new(
                    spot,
                    "the patterns of this rule fit themselves in too many ways to be counted: write smaller ones",
                ));
            };
            ways.push(OneWay {
                reactants: from.clone(),
                products: to.clone(),
                changes,
                symmetry,
                rate,
                law,
                rate_text: rate_written.text,
                within,
                region: place.region,
            });
        }
        let mut ways = ways.into_iter();
        let Some(forth) = ways.next() else {
            return Err(Slip::new(spot, "the rate constant of the rule is missing"));
        };
        let name = label.filter(|label| !label.is_empty()).unwrap_or_else(|| format!("R{number}"));
        Ok(NetworkRule { name, forth, back: ways.next(), delete_molecules, spot })
    }

    /// A pattern that is to fit each complex once only, which makes no difference where it cannot
    /// fit one in several ways.
    fn once(&mut self, placed: &ReadPattern) -> Result<(), Slip> {
        let alike = placed.molecules.iter().any(|molecule| {
            let declared = self.found.network.molecule_type(&molecule.name);
            declared.is_some_and(|declared| {
                declared.sites.iter().any(|site| declared.alike(&site.name) > 1)
            })
        });
        if alike {
            return Err(Slip::new(
                placed.spot,
                "{MatchOnce} is not possible for molecules with several sites of one name: write the pattern so \
                 that it fits in one way",
            ));
        }
        let text = "{MatchOnce} is left out: a pattern that fits a complex in several ways counts as often";
        self.found.notes.push(Slip::new(placed.spot, text));
        Ok(())
    }
}
