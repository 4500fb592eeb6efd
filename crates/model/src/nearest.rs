//! The nearest known word to a mistyped one.

/// What is longer is no slip of the fingers. \[bytes\]
const LONGEST_SLIP: usize = 100;

/// The candidate that takes the fewest edits (insert, drop, replace, swap neighbours) to become
/// `word`, if that is few enough for a slip of the fingers.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if word.len() > LONGEST_SLIP {
        return None;
    }
    let most = (word.chars().count() / 3).max(1) + 1;
    candidates
        .into_iter()
        .map(|candidate| (distance(word, candidate), candidate))
        .filter(|(edits, candidate)| *edits <= most && *edits < candidate.chars().count().max(2))
        .min_by_key(|(edits, candidate)| (*edits, std::cmp::Reverse(common_start(word, candidate))))
        .map(|(_, candidate)| candidate)
}

/// How many characters at the start are the same: of two slips, that further on is the likelier.
fn common_start(a: &str, b: &str) -> usize {
    a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count()
}

/// The edit distance with swaps of neighbours (optimal string alignment).
fn distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.to_lowercase().chars().collect();
    let b: Vec<char> = b.to_lowercase().chars().collect();
    let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            table[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
                let replace = table[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                let edit = replace.min(table[i - 1][j] + 1).min(table[i][j - 1] + 1);
                if swapped { edit.min(table[i - 2][j - 2] + 1) } else { edit }
            };
        }
    }
    table[a.len()][b.len()]
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
