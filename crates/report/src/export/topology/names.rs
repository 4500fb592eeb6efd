//! Names with few letters.

/// Shortens names to so many letters, each still another than those of other names: what would be
/// the same gets a number at its end. Only ASCII letters, digits and `_`, `-`, `+` are left.
pub(super) fn short(names: &[String], letters: usize) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for (n, name) in names.iter().enumerate() {
        let same = names[..n].iter().position(|before| before == name);
        let word =
            same.map_or_else(|| fresh(name, letters, &found), |before| found[before].clone());
        found.push(word);
    }
    found
}

/// A short name that nobody has yet.
fn fresh(name: &str, letters: usize, taken: &[String]) -> String {
    let plain: String =
        name.chars().filter(|c| c.is_ascii_alphanumeric() || "_-+".contains(*c)).collect();
    let plain = if plain.is_empty() { "X" } else { &plain };
    let with = |end: &str| {
        let room = letters.saturating_sub(end.len());
        format!("{}{end}", &plain[..plain.len().min(room)])
    };
    let numbered = (2..).map(|n: u32| with(&n.to_string()));
    let mut tries = std::iter::once(with("")).chain(numbered);
    // There are far fewer species than numbers of so many digits.
    tries.find(|word| !taken.contains(word)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_names_are_still_different() {
        let names =
            ["Receptor", "EGFRfree", "EGFRbound", "EGFRbare", "Receptor", "Recept", "β", "A B"];
        let names: Vec<String> = names.map(str::to_owned).into();
        let found = short(&names, 5);
        assert_eq!(found, ["Recep", "EGFRf", "EGFRb", "EGFR2", "Recep", "Rece2", "X", "AB"]);
        assert_eq!(short(&names[1..4], 4), ["EGFR", "EGF2", "EGF3"]);
        let many: Vec<String> = (0..1000).map(|n| format!("species{n}")).collect();
        let found = short(&many, 4);
        let different: std::collections::BTreeSet<&String> = found.iter().collect();
        assert!(different.len() == 1000 && found.iter().all(|word| word.len() <= 4));
    }
}
