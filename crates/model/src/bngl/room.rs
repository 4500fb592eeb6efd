//! What molecules without room cannot do so fast as a BNGL file asks, and what room changes.

use std::collections::BTreeMap;

use jostle_core::rules::MeetingPair;

use super::geometry::Geometry;
use super::{Network, OneWay, kinds, orders};
use crate::notation::{Link, Mention, Molecule};

/// How near to a reaction at every contact rate constants may come.
const NEARLY_ALL: f64 = 0.999;

/// What of the rate constants of two partners can be carried out, where molecules take no room.
#[derive(Debug, Default)]
pub(super) struct Limits {
    /// By which factor the intrinsic constants of two partners are smaller, so that all together do
    /// not need more than a reaction at every contact.
    shares: BTreeMap<Competing, f64>,
}

/// Two partners, whichever comes first, and the compartment in which they meet.
type Competing = ([String; 2], Option<usize>);

/// The partners of a rule.
fn pair_of(way: &OneWay) -> Competing {
    let mut names = orders::partners(way).map(str::to_owned);
    names.sort_unstable();
    (names, way.within)
}

/// The intrinsic constant for a macroscopic one, and the largest at this time step. On a membrane, where
/// there are no others, constants are intrinsic. \[nm³/µs, nm²/µs\]
fn intrinsic(pair: &MeetingPair, k_on: f64, geometry: &Geometry) -> Option<[f64; 2]> {
    let most = NEARLY_ALL * pair.intrinsic_rate(1.0, geometry.time_step.value).ok()?;
    let k_a = match pair.dimension() {
        3 => pair.intrinsic_from_macroscopic(k_on).unwrap_or(f64::INFINITY),
        _ => k_on,
    };
    Some([k_a.min(most), most])
}

/// The macroscopic constant for an intrinsic one.
fn macroscopic(pair: &MeetingPair, k_a: f64) -> Option<f64> {
    if pair.dimension() == 3 { pair.macroscopic_from_intrinsic(k_a) } else { Some(k_a) }
}

impl Limits {
    /// Those of rules for two partners, each with its macroscopic rate constant \[nm³/µs\].
    pub(super) fn new<'n>(
        network: &Network,
        geometry: &Geometry,
        rules: impl Iterator<Item = (&'n OneWay, f64)>,
    ) -> Self {
        let mut sums: BTreeMap<Competing, [f64; 2]> = BTreeMap::new();
        for (way, k_on) in rules {
            let found = geometry.pair(network, way);
            let Some([k_a, most]) = found.and_then(|pair| intrinsic(&pair, k_on, geometry)) else {
                continue;
            };
            let sum = sums.entry(pair_of(way)).or_insert([0.0, most]);
            sum[0] += k_a * orders::possibilities(network, way);
        }
        let share = |[sum, most]: [f64; 2]| (most / sum).min(1.0);
        Self { shares: sums.into_iter().map(|(pair, sum)| (pair, share(sum))).collect() }
    }

    /// The largest rate constant that a rule can have if no other is for the same two. \[nm³/µs\]
    pub(super) fn most(way: &OneWay, network: &Network, geometry: &Geometry) -> Option<f64> {
        let pair = geometry.pair(network, way)?;
        let [_, most] = intrinsic(&pair, 0.0, geometry)?;
        macroscopic(&pair, most / orders::possibilities(network, way))
    }

    /// How much of a rate constant \[nm³/µs\] can be carried out.
    pub(super) fn carried_out(
        &self,
        way: &OneWay,
        k_on: f64,
        (network, geometry): (&Network, &Geometry),
    ) -> f64 {
        let Some(share) = self.shares.get(&pair_of(way)) else { return k_on };
        let found = geometry.pair(network, way).and_then(|pair| {
            let [k_a, _] = intrinsic(&pair, k_on, geometry)?;
            macroscopic(&pair, k_a * share)
        });
        // What can be carried out in full is not rounded.
        found.filter(|found| *found < k_on * (1.0 - 1e-9)).unwrap_or(k_on)
    }
}

/// What room changes in a rule for two partners: molecules that are bound hide others.
pub(super) fn hidden(network: &Network, geometry: &Geometry, way: &OneWay) -> Option<String> {
    let molecules: Vec<&Molecule> = way.reactants.iter().flatten().collect();
    let [first, second] = orders::partners(way);
    let both = [(first, second), (second, first)];
    let mut told: Vec<String> = Vec::new();
    for (name, other) in both.into_iter().take(if first == second { 1 } else { 2 }) {
        let declared = network.molecule_type(name)?;
        let touched = molecules.iter().find(|molecule| molecule.name == name)?;
        let can_bind = declared.sites.iter().filter(|site| kinds::binds(network, name, &site.name));
        let is_free = |mention: &&Mention| {
            mention.bond == Link::Free && kinds::binds(network, name, &mention.name)
        };
        let free = touched.sites.iter().filter(is_free).count();
        let neighbours = can_bind.count().saturating_sub(free);
        if neighbours == 0 {
            continue;
        }
        let [own, partner] = [name, other].map(|name| geometry.stature(network, name));
        let share = hidden_share(own?.radius.value, partner?.radius.value);
        let molecules = if neighbours == 1 { "a molecule" } else { "each molecule" };
        told.push(format!(
            "{molecules} that {name} has bound hides about {:.0} % of it from {other}",
            share * 100.0
        ));
    }
    (!told.is_empty()).then(|| {
        format!(
            "{}; the rate constant is taken over as that of single spheres",
            told.join(", and ")
        )
    })
}

/// The share of a sphere of radius `own` that one like it, bound to it, hides from a partner.
fn hidden_share(own: f64, partner: f64) -> f64 {
    (1.0 - own / (own + partner)) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_neighbour_hides_a_quarter_of_a_sphere_from_one_like_it() {
        assert!((hidden_share(2.0, 2.0) - 0.25).abs() < 1e-12);
        // From points it hides what it touches, one point.
        assert!(hidden_share(2.0, 0.0).abs() < 1e-12);
        assert!(hidden_share(1.0, 1e9) > 0.49);
    }
}
