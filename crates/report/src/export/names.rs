//! Names of species with states, as other programs take them.

use jostle_analysis::is_of;
use jostle_files::is_unseen;

/// The name of a species taken apart: `EGFR{bound,bare}` is the base `EGFR` in the states `bound`
/// and `bare`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Name {
    /// The name as it stands in the file.
    pub(super) whole: String,
    /// Without its states.
    pub(super) base: String,
    /// One word for each site; empty if the species has no states.
    pub(super) states: Vec<String>,
}

impl Name {
    pub(super) fn new(whole: &str) -> Self {
        let parts = whole.strip_suffix('}').and_then(|name| name.split_once('{'));
        let (base, states) = parts.unwrap_or((whole, ""));
        let states = states.split(',').filter(|word| !word.is_empty()).map(str::to_owned).collect();
        Self { whole: whole.to_owned(), base: base.to_owned(), states }
    }

    /// Without commas, braces and white space, for formats in which these mean something:
    /// `EGFR#bound_bare`, which Simularium reads as a type with two tags of state.
    pub(super) fn tagged(&self) -> String {
        let base = self.word(&self.base);
        if self.states.is_empty() { base } else { format!("{base}#{}", self.states_as_word()) }
    }

    /// Its states as one word for formats whose columns are apart by spaces; empty if there are
    /// none.
    pub(super) fn states_as_word(&self) -> String {
        let words: Vec<String> = self.states.iter().map(|state| self.word(state)).collect();
        words.join("_")
    }

    fn word(&self, text: &str) -> String {
        replaced(text, "#,{}\"\\")
    }

    /// The states, joined.
    pub(super) fn state(&self, between: &str) -> String {
        self.states.join(between)
    }

    /// Whether a user means this species: by its whole name, its base, or some of its states.
    pub(super) fn is_meant_by(&self, asked: &str) -> bool {
        is_of(&self.whole, asked)
    }
}

/// A molecule in BioNetGen's notation for formats whose columns are apart by spaces.
pub(super) fn molecule_as_word(text: &str) -> String {
    replaced(text, "\"\\")
}

/// A text with `_` in place of white space, what cannot be seen, and these characters.
fn replaced(text: &str, others: &str) -> String {
    let odd = |c: char| c.is_whitespace() || is_unseen(c) || others.contains(c);
    let word: String = text.chars().map(|c| if odd(c) { '_' } else { c }).collect();
    if word.is_empty() { "_".to_owned() } else { word }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_apart_into_base_and_states() {
        let name = Name::new("EGFR{bound,bare}");
        assert_eq!((name.base.as_str(), name.state(",").as_str()), ("EGFR", "bound,bare"));
        assert_eq!(name.tagged(), "EGFR#bound_bare");
        assert!(name.is_meant_by("EGFR") && name.is_meant_by("EGFR{bound,bare}"));
        assert!(name.is_meant_by("EGFR{bound}") && !name.is_meant_by("EGFR{free}"));
        assert_eq!(molecule_as_word("R 2(l!1,y~p)"), "R_2(l!1,y~p)");
        let plain = Name::new("β#2");
        assert_eq!((plain.tagged().as_str(), plain.states.len()), ("β_2", 0));
    }
}
