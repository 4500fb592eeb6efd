//! The nearest known word to a mistyped one.

use strsim::osa_distance;

/// What is longer is no slip of the fingers. \[bytes\]
const LONGEST_SLIP: usize = 100;

/// The candidate that takes the fewest edits (insert, drop, replace, swap neighbours) to become
/// `word`, if that is few enough for a slip of the fingers.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if word.len() > LONGEST_SLIP {
        return None;
    }
    let most = (word.chars().count() / 3).max(1) + 1;
    let typed = word.to_lowercase();
    candidates
        .into_iter()
        .map(|candidate| (osa_distance(&typed, &candidate.to_lowercase()), candidate))
        .filter(|(edits, candidate)| *edits <= most && *edits < candidate.chars().count().max(2))
        .min_by_key(|(edits, candidate)| (*edits, std::cmp::Reverse(common_start(word, candidate))))
        .map(|(_, candidate)| candidate)
}

/// How many characters at the start are the same: of two slips, that further on is the likelier.
fn common_start(a: &str, b: &str) -> usize {
    a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_find_their_word_and_strangers_find_none() {
        let keys = ["radius", "diffusion", "count", "drift"];
        assert_eq!(nearest("raduis", keys), Some("radius"));
        assert_eq!(nearest("Radius", keys), Some("radius"));
        assert_eq!(nearest("difusion", keys), Some("diffusion"));
        assert_eq!(nearest("temperature", keys), None);
        assert_eq!(nearest("rat", ["at", "rate"]), Some("rate"));
    }
}
