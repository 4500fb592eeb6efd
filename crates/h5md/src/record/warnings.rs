//! What a run warns of: that its results are not quite those of its model.
//!
//! In the file these are numbers, and become words when they are read. They depend on nothing but the
//! model: what concerns only the machine, such as a checkpoint that could not be written, is not
//! among them.

use std::collections::HashSet;

use hdf5::H5Type;
use jostle_core::words::digits;

use super::schema::NO_RULE;

/// What a run warned of, at its end. It counts from the start of the first run of the file.
#[derive(H5Type, Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct WarningRow {
    /// The step that the run ended at.
    pub step: i64,
    /// In how many cases something went wrong.
    pub count: u64,
    /// Of how many.
    pub of: u64,
    /// The rule, a number in `/parameters/rules`, or [`NO_RULE`].
    pub rule: u16,
    /// A code of `/runs/warning_codes`.
    pub code: u8,
}

/// What a [`WarningRow`] warns of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum WarningCode {
    /// A rule often found no space for what it makes.
    NoSpace = 0,
    /// At some contacts no probability gave the rate that the rule asks for.
    ShortOfRate = 1,
    /// At some contacts no probability gave clusters the permeability of the surface.
    TooPermeable = 2,
}

impl WarningCode {
    /// All codes, in the order of their numbers.
    pub const ALL: [Self; 3] = [Self::NoSpace, Self::ShortOfRate, Self::TooPermeable];

    /// The word for it in files.
    pub fn name(self) -> &'static str {
        ["no space", "short of rate", "too permeable"][self as usize]
    }
}

impl WarningRow {
    /// At step `step`, a rule has found no space in so many of all cases in which it was due.
    pub fn no_space(step: u64, rule: u16, [count, of]: [u64; 2]) -> Self {
        Self { step: step as i64, count, of, rule, code: WarningCode::NoSpace as u8 }
    }

    /// At step `step`, reactions at so many of all contacts have fallen short of their rate.
    pub fn short_of_rate(step: u64, [count, of]: [u64; 2]) -> Self {
        Self { step: step as i64, count, of, rule: NO_RULE, code: WarningCode::ShortOfRate as u8 }
    }

    /// At step `step`, clusters have gone unhindered through permeable surfaces at so many of all
    /// contacts with surfaces.
    pub fn too_permeable(step: u64, [count, of]: [u64; 2]) -> Self {
        Self { step: step as i64, count, of, rule: NO_RULE, code: WarningCode::TooPermeable as u8 }
    }

    /// In words, for users; `rules` are those of the file. None if a later version made it.
    pub fn text(&self, rules: &[String]) -> Option<String> {
        let code = WarningCode::ALL.get(usize::from(self.code))?;
        Some(match code {
            WarningCode::NoSpace => self.no_space_text(rules),
            WarningCode::ShortOfRate => format!(
                "at {} contacts even a reaction with probability 1 would have been slower than the \
                 rate of the rule, because clusters have become larger or slower: use a shorter time step",
                self.count
            ),
            WarningCode::TooPermeable => format!(
                "at {} contacts clusters went through a permeable surface as if it were not there, because \
                 they are too slow for the permeability to be had at this time step: use a shorter one",
                self.count
            ),
        })
    }

    fn no_space_text(&self, rules: &[String]) -> String {
        let name = rules.get(usize::from(self.rule)).map_or("?", String::as_str);
        let share = digits(100.0 * self.count as f64 / self.of.max(1) as f64, 2);
        format!(
            "\"{name}\" found no space in {share} % of the cases in which it was due, and so is slower than \
             it should be by that amount: where only reactions matter, `interactions = \"reactive\"` lets \
             particles without a potential pass through each other; otherwise use fewer or smaller ones, a \
             larger box, or a product no larger than its reactants"
        )
    }
}

/// The last of those that warn of the same, since it counts what the others did as well.
pub(crate) fn latest(mut rows: Vec<WarningRow>) -> Vec<WarningRow> {
    let mut known = HashSet::new();
    rows.reverse();
    rows.retain(|row| known.insert((row.code, row.rule)));
    rows.reverse();
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_places_in_the_list() {
        for (n, code) in WarningCode::ALL.into_iter().enumerate() {
            assert_eq!(code as usize, n);
        }
    }

    #[test]
    fn the_last_of_those_that_warn_of_the_same_counts() {
        let [bind, grow] =
            [0, 1].map(|rule| move |step| WarningRow::no_space(step, rule, [3, 100]));
        let short = |step| WarningRow::short_of_rate(step, [7, 1000]);
        let rows = vec![bind(10), short(10), grow(10), short(20), bind(30)];
        assert_eq!(latest(rows), [grow(10), short(20), bind(30)]);
    }

    #[test]
    fn words_name_rules_and_are_none_for_unknown_codes() {
        let rules = ["bind".to_owned(), "grow".to_owned()];
        let row = WarningRow::no_space(10, 1, [3, 40]);
        let said = row.text(&rules).unwrap();
        assert!(said.starts_with("\"grow\" found no space in 7.5 % of"), "{said}");
        // As a damaged file may have it.
        let beyond = WarningRow { rule: 9, of: 0, ..row };
        assert!(beyond.text(&rules).unwrap().starts_with("\"?\" found no space"));
        assert_eq!(WarningRow { code: 200, ..row }.text(&rules), None);
    }
}
