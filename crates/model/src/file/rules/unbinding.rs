//! How fast what a rule has bound falls apart: the intrinsic rate, the macroscopic one, or K_D.

use crate::units::Wanted;
use crate::walker::{Item, Section};
use jostle_core::rules::{Chance, ContactRule};

use super::super::Context;
use super::timed;

/// The keys of a bind rule that say it.
pub(super) const OF_BIND: [&str; 3] = ["unbind", "k_off", "K_D"];
/// Those of an unbind rule.
pub(super) const OF_UNBIND: [&str; 3] = ["rate", "k_off", "K_D"];

/// The rate at which what `of` has bound falls apart \[1/µs\]: k_off if that is given by k_on, else
/// k_d. The bind rule is None if it has faults of its own.
pub(super) fn rate(
    section: &Section<'_>,
    context: &Context<'_>,
    keys: [&'static str; 3],
    of: Option<&ContactRule>,
) -> Option<f64> {
    let given = keys.map(|key| section.get(key));
    let found: Vec<&str> =
        keys.into_iter().zip(&given).filter(|(_, item)| item.is_some()).map(|g| g.0).collect();
    if let [first, second, ..] = found.as_slice() {
        section
            .fault(format!("both `{first}` and `{second}` set how fast it dissociates: keep one"));
        return None;
    }
    match given {
        // Beside `k_on` that is a fault, which is told with numbers once sizes are known.
        [Some(item), ..] => timed::rate(&item),
        [_, Some(item), _] => k_off(&item, context, keys[0], of),
        [.., Some(item)] => from_constant(&item, context, of?),
        _ => None,
    }
}

/// `k_off`, which goes with `k_on`.
fn k_off(
    item: &Item<'_>,
    context: &Context<'_>,
    key: &str,
    of: Option<&ContactRule>,
) -> Option<f64> {
    let rate = timed::rate(item);
    let beside = match of?.chance {
        Chance::Macroscopic(_) => return rate,
        Chance::Intrinsic(_) => "`rate`",
        Chance::Probability(_) => "`probability`",
    };
    let why = match dimension(context, of?) {
        3 => "belongs with `k_on`: both are macroscopic".to_owned(),
        n => {
            let word = ["one dimension", "two dimensions"][n - 1];
            format!("is macroscopic, and in {word} there are no macroscopic rate constants")
        }
    };
    item.fault(format!(
        "`k_off` {why}; this binding is given by its {beside}, so give the intrinsic rate k_d: `{key} = \"0.1 \
         /s\"`"
    ));
    None
}

/// `K_D`, times the rate constant of binding.
fn from_constant(item: &Item<'_>, context: &Context<'_>, of: &ContactRule) -> Option<f64> {
    // K_D = k_d/k_a = k_off/k_on: the ratio is the same for both kinds of constants.
    let constant = item.positive_as(&Wanted::concentration(dimension(context, of)));
    let (Chance::Intrinsic(k) | Chance::Macroscopic(k)) = of.chance else {
        item.fault(
            "`K_D` needs a rate constant of binding, `k_on` or `rate`: with a probability there is none",
        );
        return None;
    };
    let mut alike = of.cases.iter().map(|case| of.is_for_alike(case));
    let first = alike.next()?;
    if alike.any(|other| other != first) {
        item.fault(
            "some of these pairs are two that are alike, for which K_D means [A]^2/[A2] = 2 k_off/k_on, and some \
             are not: give the rate",
        );
        return None;
    }
    // Two that are alike meet half as often as their number squared says.
    Some(constant? * k * if first { 0.5 } else { 1.0 })
}

fn dimension(context: &Context<'_>, of: &ContactRule) -> usize {
    of.cases.first().map_or(context.dimension, |case| context.dimension_of(case.species))
}
