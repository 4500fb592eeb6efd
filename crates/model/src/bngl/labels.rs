//! Labels, `A%1(b%x)`: which molecules and sites on the two sides of a rule belong together.

use super::changes::Pairing;
use super::patterns::ReadPattern;
use crate::notation::Molecule;

/// What labels there are, by the places of molecules, and of sites in molecules.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Labels {
    molecules: Vec<(usize, String)>,
    sites: Vec<((usize, usize), String)>,
}

/// The pattern at the start of a text without its labels.
#[derive(Debug)]
pub(super) struct Unlabelled {
    pub(super) text: String,
    pub(super) labels: Labels,
    /// In which compartments molecules are, by their places.
    pub(super) places: Vec<(usize, String)>,
    /// Where each of its bytes stands in the text.
    origins: Vec<usize>,
    /// Where the pattern ends there.
    end: usize,
}

impl Unlabelled {
    /// Takes the labels out of the pattern at the start of a text.
    pub(super) fn of(text: &str) -> Self {
        let (mut clean, mut labels, mut origins) = (String::new(), Labels::default(), Vec::new());
        let (mut depth, mut molecule, mut site) = (0usize, 0, 0);
        let mut end = text.len();
        let mut skipped = 0;
        let mut places = Vec::new();
        for (at, c) in text.char_indices() {
            if at < skipped {
                continue;
            }
            match c {
                '(' => (depth, site) = (depth + 1, 0),
                ')' => depth = depth.saturating_sub(1),
                '.' if depth == 0 => molecule += 1,
                ',' if depth == 1 => site += 1,
                '%' | '@' => {
                    let behind = &text[at + 1..];
                    let is_part = |c: char| c.is_alphanumeric() || c == '_';
                    let length = behind.find(|c| !is_part(c)).unwrap_or(behind.len());
                    let label = behind[..length].to_owned();
                    skipped = at + 1 + length;
                    match depth {
                        _ if c == '@' => places.push((molecule, label)),
                        0 => labels.molecules.push((molecule, label)),
                        _ => labels.sites.push(((molecule, site), label)),
                    }
                    continue;
                }
                c if depth == 0 && !c.is_alphanumeric() && c != '_' => {
                    end = at;
                    break;
                }
                _ => {}
            }
            clean.push(c);
            origins.extend(at..at + c.len_utf8());
        }
        Self { text: clean, labels, places, origins, end }
    }

    /// How many bytes of the text the first `length` are without labels.
    pub(super) fn with_labels(&self, length: usize) -> usize {
        self.origins.get(length).copied().unwrap_or(self.end)
    }
}

/// The labels of all patterns of a side of a rule.
pub(super) fn of_side(side: &[ReadPattern]) -> Labels {
    let mut all = Labels::default();
    let mut first = 0;
    for ReadPattern { molecules, labels, .. } in side {
        let own = labels.molecules.iter().map(|(n, label)| (first + n, label.clone()));
        all.molecules.extend(own);
        let own = labels.sites.iter().map(|((n, site), label)| ((first + n, *site), label.clone()));
        all.sites.extend(own);
        first += molecules.len();
    }
    all
}

/// What is wrong if labels join other molecules or sites than `pairing` does.
pub(super) fn misfit(
    [left, right]: [&Labels; 2],
    sides: [&[Vec<Molecule>]; 2],
    pairing: &[Pairing],
) -> Option<String> {
    let name = |side: usize, n: usize| Some(&sides[side].iter().flatten().nth(n)?.name);
    let is_same = |before: usize, after: usize| name(0, before) == name(1, after);
    let of_molecules = right.molecules.iter().find(|(after, label)| {
        left.molecules.iter().any(|(before, other)| {
            let joined = pairing.get(*after).and_then(|found| Some(found.as_ref()?.0));
            label == other && is_same(*before, *after) && joined != Some(*before)
        })
    });
    let of_sites = || {
        right.sites.iter().find(|((after, site), label)| {
            left.sites.iter().any(|((before, own), other)| {
                let joined = pairing.get(*after).and_then(|found| found.as_ref());
                let is_joined = joined.is_some_and(|(n, sites)| {
                    n == before && sites.get(*site).is_some_and(|at| at == own)
                });
                label == other && is_same(*before, *after) && !is_joined
            })
        })
    };
    let label = of_molecules.map(|(_, label)| label).or_else(|| Some(&of_sites()?.1))?;
    Some(format!(
        "label `{label}` joins what stands in another order on the two sides: write molecules, and sites of one name, \
         in the same order on both"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_taken_out_and_places_stay() {
        for (text, clean, behind) in [
            ("A%1(b%x!1,c).B(a!1)%2 + C 1", "A(b!1,c).B(a!1)", " + C 1"),
            ("A(s~u%q)", "A(s~u)", ""),
            ("A+B", "A", "+B"),
        ] {
            let found = Unlabelled::of(text);
            assert_eq!(found.text, clean);
            assert_eq!(&text[found.with_labels(clean.len())..], behind);
        }
        let Labels { molecules, sites } = Unlabelled::of("A%1(b%x!1,c).B(e,a%y!1)%2").labels;
        assert_eq!(molecules, [(0, "1".to_owned()), (1, "2".to_owned())]);
        assert_eq!(sites, [((0, 0), "x".to_owned()), ((1, 1), "y".to_owned())]);
        assert_eq!(Unlabelled::of("A%1(b%x!1)").with_labels(1), 3);
    }
}
