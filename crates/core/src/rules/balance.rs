//! Detailed balance: whether the equilibrium constants of reversible reactions agree round every
//! loop (Wegscheider 1901).
//!
//! If a chain of reactions ends where it began, the product of their equilibrium constants must be
//! 1, or the reactions run round in equilibrium forever, which takes a source of energy. That may
//! be meant (an enzyme driven by ATP), but often it is a slip.

use std::fmt;

/// Beyond this |ln(product)| a loop counts as inconsistent: constants are typed with a few digits
/// and computed with fifteen.
pub const TOLERANCE: f64 = 1e-6;

/// A reaction that goes both ways.
#[derive(Clone, Debug, PartialEq)]
pub struct Reversible {
    /// Appears in the report.
    pub name: String,
    /// Species on the left; one that takes part twice stands twice.
    pub reactants: Vec<u16>,
    /// Species on the right.
    pub products: Vec<u16>,
    /// K, the rate constant forwards over that backwards, each as the rules have it: a reaction of
    /// A + A of rate constant k takes place k n²/2 times per volume and time. In units of nm and
    /// number, whatever they come to. Reactions whose K is not a positive number go one way only,
    /// and are left out.
    pub constant: f64,
}

impl Reversible {
    /// ln of the product of the concentrations on the right over that on the left in equilibrium.
    ///
    /// In equilibrium the numbers of events both ways are equal, and m particles of one species
    /// meet n^m/m! times the rate constant, so this is K with m! of each species on the right over
    /// m! of each on the left: \[A2\]/\[A\]² = K/2 for A + A <-> A2.
    fn log_constant(&self) -> f64 {
        let ways = |side: &[u16]| -> f64 {
            // each further particle of a species multiplies by its number
            let nth = |n: usize| 1 + side[..n].iter().filter(|&&s| s == side[n]).count();
            (0..side.len()).map(|n| nth(n) as f64).product()
        };
        libm::log(self.constant * ways(&self.products) / ways(&self.reactants))
    }
}

/// A loop of reactions whose constants contradict each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Loop {
    /// The reactions, by name, and how many times each is passed: forwards if above zero, backwards
    /// if below. The first goes forwards.
    pub passes: Vec<(String, i128)>,
    /// What the product of the constants comes to; it should be 1. To divide the K of a reaction
    /// that is passed once, forwards, by it (backwards: to multiply) puts the loop right.
    pub factor: f64,
}

impl fmt::Display for Loop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, (name, times)) in self.passes.iter().enumerate() {
            let comma = if n > 0 { ", " } else { "" };
            let back = if *times < 0 { " backwards" } else { "" };
            match times.unsigned_abs() {
                1 => write!(f, "{comma}{name}{back}")?,
                many => write!(f, "{comma}{many} times {name}{back}")?,
            }
        }
        Ok(())
    }
}

/// The loops, out of a smallest set from which all others follow, round which the equilibrium
/// constants multiply to something else than 1. Empty if detailed balance can hold. Of the many
/// such sets one with short loops is taken.
pub fn inconsistent_loops(reactions: &[Reversible]) -> Vec<Loop> {
    let reactions: Vec<&Reversible> =
        reactions.iter().filter(|r| r.constant.is_finite() && r.constant > 0.0).collect();
    let mut cycles = cycles(&reactions);
    shorten(&mut cycles);
    cycles.iter().filter_map(|cycle| contradiction(cycle, &reactions)).collect()
}

fn contradiction(cycle: &[i128], reactions: &[&Reversible]) -> Option<Loop> {
    let passed = || reactions.iter().zip(cycle).filter(|(_, times)| **times != 0);
    let log: f64 = passed().map(|(reaction, &times)| times as f64 * reaction.log_constant()).sum();
    (log.abs() > TOLERANCE).then(|| Loop {
        passes: passed().map(|(reaction, &times)| (reaction.name.clone(), times)).collect(),
        factor: libm::exp(log),
    })
}

/// Whole numbers: a combination of reactions.
type Combination = Vec<i128>;

/// A basis of the combinations of reactions that change nothing: how many times each reaction is
/// passed, and which way. Exact Gaussian elimination of the stoichiometric matrix, one reaction
/// after the other: each that depends on those before it closes one cycle.
fn cycles(reactions: &[&Reversible]) -> Vec<Combination> {
    let species = reactions.iter().flat_map(|r| r.reactants.iter().chain(&r.products));
    let species = species.max().map_or(0, |&most| most as usize + 1);
    // (its first species, what it changes followed by how it is combined)
    let mut pivots: Vec<(usize, Combination)> = Vec::new();
    let mut cycles = Vec::new();
    for (n, reaction) in reactions.iter().enumerate() {
        let mut row = vec![0; species + reactions.len()];
        reaction.reactants.iter().for_each(|&s| row[s as usize] -= 1);
        reaction.products.iter().for_each(|&s| row[s as usize] += 1);
        row[species + n] = 1;
        let reduced = pivots.iter().try_fold(row, |row, (at, pivot)| eliminate(row, pivot, *at));
        // beyond 128 bits no particle could read the loop either
        let Some(row) = reduced else { continue };
        match row[..species].iter().position(|&change| change != 0) {
            Some(first) => pivots.push((first, row)),
            None => cycles.push(row[species..].to_vec()),
        }
    }
    cycles
}

/// `row` combined with `other` such that entry `at` vanishes, in lowest terms; None if a number
/// gets too large. `row` is multiplied with something else than 0, so that it can be replaced.
fn eliminate(row: Combination, other: &Combination, at: usize) -> Option<Combination> {
    if row[at] == 0 {
        return Some(row);
    }
    let shared = gcd(row[at], other[at]);
    let (p, q) = (other[at] / shared, row[at] / shared);
    let entry = |(a, b): (&i128, &i128)| a.checked_mul(p)?.checked_sub(b.checked_mul(q)?);
    let combined = row.iter().zip(other).map(entry).collect::<Option<Combination>>()?;
    let common = combined.iter().fold(0, |common, &entry| gcd(common, entry)).max(1);
    Some(combined.iter().map(|entry| entry / common).collect())
}

fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// Makes the cycles short: as long as one gets shorter by taking out a reaction that it has in
/// common with another, it is replaced by what is left of both. Then each goes forwards through its
/// first.
fn shorten(cycles: &mut [Combination]) {
    let length = |cycle: &Combination| cycle.iter().filter(|times| **times != 0).count();
    let mut changed = true;
    while changed {
        changed = false;
        for i in 0..cycles.len() {
            for j in (0..cycles.len()).filter(|&j| j != i) {
                let shared =
                    (0..cycles[i].len()).filter(|&r| cycles[i][r] != 0 && cycles[j][r] != 0);
                let joined = shared.filter_map(|r| eliminate(cycles[i].clone(), &cycles[j], r));
                if let Some(short) =
                    joined.min_by_key(length).filter(|c| length(c) < length(&cycles[i]))
                {
                    cycles[i] = short;
                    changed = true;
                }
            }
        }
    }
    for cycle in cycles {
        if cycle.iter().find(|times| **times != 0).is_some_and(|&first| first < 0) {
            cycle.iter_mut().for_each(|times| *times = -*times);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reaction(name: &str, reactants: &[u16], products: &[u16], constant: f64) -> Reversible {
        let (reactants, products) = (reactants.to_vec(), products.to_vec());
        Reversible { name: name.into(), reactants, products, constant }
    }

    fn assert_one(found: &[Loop], text: &str, factor: f64) {
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].to_string(), text);
        assert!((found[0].factor / factor - 1.0).abs() < 1e-12, "{}", found[0].factor);
    }

    #[test]
    fn a_triangle() {
        let triangle = |last: f64| {
            vec![
                reaction("ab", &[0], &[1], 2.0),
                reaction("bc", &[1], &[2], 3.0),
                reaction("ca", &[2], &[0], last),
            ]
        };
        assert_eq!(inconsistent_loops(&triangle(1.0 / 6.0)), []);
        assert_one(&inconsistent_loops(&triangle(1.0)), "ab, bc, ca", 6.0);
        // as exact as constants are typed, not more
        assert_eq!(inconsistent_loops(&triangle((1.0 + 1e-7) / 6.0)), []);
        assert_eq!(inconsistent_loops(&triangle((1.0 + 1e-5) / 6.0)).len(), 1);
        // one way only: no loop to go round in equilibrium
        assert_eq!(inconsistent_loops(&triangle(f64::INFINITY)), []);
        assert_eq!(inconsistent_loops(&triangle(0.0)), []);
        // the same reaction from the other side
        let mut turned = triangle(1.0);
        turned[2] = reaction("ac", &[0], &[2], 12.0);
        assert_one(&inconsistent_loops(&turned), "ab, bc, ac backwards", 0.5);
    }

    /// A + B <-> AB, A + B* <-> AB*, B <-> B*, AB <-> AB*.
    #[test]
    fn a_thermodynamic_box() {
        let [a, b, b_star, ab, ab_star] = [0, 1, 2, 3, 4];
        let square = |turn: f64| {
            vec![
                reaction("bind", &[a, b], &[ab], 1e4),
                reaction("bind*", &[b_star, a], &[ab_star], 1e6),
                reaction("switch", &[b], &[b_star], 0.01),
                reaction("switch bound", &[ab], &[ab_star], turn),
            ]
        };
        assert_eq!(inconsistent_loops(&square(1.0)), []);
        let found = inconsistent_loops(&square(0.01));
        assert_one(&found, "bind, bind* backwards, switch backwards, switch bound", 0.01);
    }

    /// Two boxes side by side, in an order in which the second loop first comes out as both
    /// together.
    #[test]
    fn short_loops_are_preferred() {
        let ladder = |rung: f64| {
            vec![
                reaction("top 1", &[0], &[1], 1.0),
                reaction("top 2", &[1], &[2], 1.0),
                reaction("bottom 1", &[3], &[4], 1.0),
                reaction("bottom 2", &[4], &[5], 1.0),
                reaction("left", &[0], &[3], 1.0),
                reaction("right", &[2], &[5], 1.0),
                reaction("middle", &[1], &[4], rung),
            ]
        };
        assert_eq!(inconsistent_loops(&ladder(1.0)), []);
        let all = inconsistent_loops(&ladder(2.0));
        assert_eq!(all.len(), 2);
        assert!(all.iter().all(|found| found.passes.len() == 4), "{all:?}");
    }

    /// A and B differ by a label only, and so do the pairs A A, A B, B B: every pair binds alike.
    /// Then \[AA\]/\[A\]² = K/2 but \[AB\]/\[A\]\[B\] = K, and AB + AB <-> AA + BB has K = 1/2.
    #[test]
    fn like_with_like() {
        let [a, b, aa, ab, bb] = [0, 1, 2, 3, 4];
        let labels = |swap: f64| {
            vec![
                reaction("aa", &[a, a], &[aa], 50.0),
                reaction("ab", &[a, b], &[ab], 50.0),
                reaction("bb", &[b, b], &[bb], 50.0),
                reaction("swap", &[ab, ab], &[aa, bb], swap),
            ]
        };
        assert_eq!(inconsistent_loops(&labels(0.5)), []);
        let found = inconsistent_loops(&labels(1.0));
        assert_one(&found, "aa, 2 times ab backwards, bb, swap backwards", 0.5);
    }

    /// A + A <-> A2 at k and k_d against A + A <-> A2 by another way: both count alike. And a
    /// template, A + P <-> P + P, against A <-> P: \[P\]/\[A\] = 2 K.
    #[test]
    fn the_same_change_by_two_ways() {
        let ways = |other| {
            vec![reaction("one", &[0, 0], &[1], 3.0), reaction("other", &[0, 0], &[1], other)]
        };
        assert_eq!(inconsistent_loops(&ways(3.0)), []);
        assert_one(&inconsistent_loops(&ways(4.0)), "one, other backwards", 0.75);
        let template =
            |k| vec![reaction("fold", &[0], &[1], 5.0), reaction("seed", &[0, 1], &[1, 1], k)];
        assert_eq!(inconsistent_loops(&template(2.5)), []);
        assert_one(&inconsistent_loops(&template(5.0)), "fold, seed backwards", 0.5);
    }

    /// What changes nothing by itself must have K = 1.
    #[test]
    fn a_loop_of_one() {
        let exchange = |k| vec![reaction("exchange", &[0, 1], &[1, 0], k)];
        assert_eq!(inconsistent_loops(&exchange(1.0)), []);
        assert_one(&inconsistent_loops(&exchange(2.0)), "exchange", 2.0);
    }

    #[test]
    fn without_loops_everything_goes() {
        assert_eq!(inconsistent_loops(&[]), []);
        let chain: Vec<_> =
            (0..20).map(|n| reaction("next", &[n], &[n + 1], 10f64.powi(n as i32 - 10))).collect();
        assert_eq!(inconsistent_loops(&chain), []);
    }

    /// Constants that follow from energies agree round every loop, in a network with all pairs.
    #[test]
    fn energies_give_consistent_constants() {
        let energy = [0.3, -2.0, 5.5, 1.25, -7.0, 0.0, 3.0];
        let mut all = Vec::new();
        for i in 0..7_u16 {
            for j in 0..i {
                let k = libm::exp(energy[i as usize] - energy[j as usize]);
                all.push(reaction(&format!("{i}{j}"), &[i], &[j], k));
            }
        }
        assert_eq!(inconsistent_loops(&all), []);
        // 21 reactions, 6 independent: 15 loops, each a triangle
        let references: Vec<&Reversible> = all.iter().collect();
        let mut basis = cycles(&references);
        shorten(&mut basis);
        assert_eq!(basis.len(), 15);
        assert!(basis.iter().all(|cycle| cycle.iter().filter(|times| **times != 0).count() == 3));
        // one wrong constant stands in every loop that is found
        all[3].constant *= 2.0;
        let found = inconsistent_loops(&all);
        assert!(!found.is_empty());
        assert!(found.iter().all(|l| l.passes.iter().any(|(name, _)| *name == all[3].name)));
    }
}
