//! Rings that cannot close: molecules of one species that bind head to tail in fixed directions make
//! a chain whose shape is known, and it may never come back to where it began.

use jostle_core::docking::{Docking, LARGEST_OVERLAP, SiteDirection, Torsion};
use jostle_core::rules::{Case, Closure, ContactRule};
use jostle_core::space::{Orientation, Vector};

use super::Warning;
use crate::{Model, measure};

/// Longer chains are not followed.
const LONGEST: usize = 100;

/// A sentence for each rule that has a rate of closing rings and only makes chains that do not
/// close.
pub(super) fn warnings(model: &Model) -> Vec<Warning> {
    let of = |rule: &ContactRule| {
        let closure = rule.geometry.closure?;
        let chains: Option<Vec<Chain>> =
            rule.cases.iter().map(|case| Chain::of(model, rule, case)).collect();
        // Where the shape of one of them is not known, rings may well close.
        let best = chains?
            .iter()
            .filter_map(|chain| chain.best_ring(closure))
            .min_by(|a, b| a.1.total_cmp(&b.1));
        if best.is_some_and(|(_, misfit)| misfit <= closure.tolerance) {
            return None;
        }
        let nearest = best.map_or_else(
            || "each meets itself first".to_owned(),
            |(count, misfit)| {
                format!("that of {count} comes nearest, and misses by {}", measure::angle(misfit))
            },
        );
        Some(Warning::of_rule(
            &rule.name,
            format!(
                "rule \"{}\" closes no ring: of the chains that its sites make, none of up to {LONGEST} molecules \
                 comes back to its beginning within the tolerance of {}; {nearest}",
                rule.name,
                measure::angle(closure.tolerance)
            ),
        ))
    };
    model.rules().contact.iter().filter_map(of).collect()
}

/// Molecules each of which binds the next with its one site, at the other's other site.
struct Chain {
    sites: [SiteDirection; 2],
    torsion: Option<Torsion>,
    /// The axis of the first molecule about which alone all turn, if there is one.
    about: Option<usize>,
}

impl Chain {
    /// The chain that a case makes; none, if its shape is not known: if the two are not of one
    /// species, if the same site of both binds, or if the torsion is left open.
    fn of(model: &Model, rule: &ContactRule, case: &Case<2>) -> Option<Self> {
        let ([a, b], [from, to]) = (case.species, case.joins()?);
        let torsion = rule.geometry.torsion;
        let dimension = model.space.dimension;
        let met = model.surroundings().encounter(dimension, &model.species, a, b);
        let about = (met.dimension(dimension) == 2).then_some(2);
        let is_known = a == b && rule.geometry.snap && (torsion.is_some() || about.is_some());
        let sites = &model.species[a as usize].sites;
        // Two that bind by the same site leave no site for a third.
        (is_known && from != to)
            .then(|| {
                let sites = [sites.direction(from)?, sites.direction(to)?];
                Some(Self { sites, torsion, about })
            })
            .flatten()
    }

    fn docking(&self, line: Vector<3>, sites: [Option<SiteDirection>; 2]) -> Docking {
        Docking { line, sites, torsion: self.torsion, about: self.about }
    }

    /// How many molecules make the ring that comes nearest to closing, and by how much it misses:
    /// an angle \[rad\], or a gap as a share of the distance at contact.
    fn best_ring(&self, closure: Closure) -> Option<(usize, f64)> {
        let [head, tail] = self.sites;
        let overlap = closure.tolerance.min(LARGEST_OVERLAP);
        // In units of the distance at contact.
        let mut chain = vec![(Vector::<3>([0.0; 3]), Orientation::NONE)];
        let mut best: Option<(usize, f64)> = None;
        while chain.len() < LONGEST {
            let (place, turned) = chain[chain.len() - 1];
            let sites = [Some(head.turned(turned)), Some(tail)];
            let line = sites[0].map_or(Vector([0.0; 3]), |site| site.axis);
            let next = self.docking(line, sites).docked();
            let (position, orientation) = (place + line, next.turn);
            let meets =
                |(other, _): &(Vector<3>, Orientation)| (*other - position).norm() < 1.0 - overlap;
            if chain[..chain.len() - 1].iter().any(meets) {
                break;
            }
            chain.push((position, orientation));
            let back = chain[0].0 - position;
            if chain.len() > 2 && back.norm() < 1.5 {
                let sites = [Some(head.turned(orientation)), Some(tail)];
                let line = back * (1.0 / back.norm());
                let misfit = self.docking(line, sites).misfit().max((back.norm() - 1.0).abs());
                if best.is_none_or(|(_, least)| misfit < least) {
                    best = Some((chain.len(), misfit));
                }
            }
        }
        best
    }
}
