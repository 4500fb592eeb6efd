//! Faults that lie between the sections of a model: what cannot fit, cannot be resolved in time, or
//! contradicts itself. A value that is faulty by itself is NaN here and passes every comparison.

use crate::rules::rates::{RateError, ReactingPair};
use crate::rules::{Action, Chance};
use crate::species::{Drift, Species};

use super::measure::{ball, enclosed, is_exclusive, longest_step, packing_fraction, rms_step};
use super::walker::Reader;
use super::{Model, measure};

/// Notes everything in `reader`.
pub(super) fn check(model: &Model, reader: &Reader<'_>) {
    sizes(model, reader);
    products(model, reader);
    pairs(model, reader);
    rates(model, reader);
    timestep(model, reader);
    packing(model, reader);
    cells(model, reader);
}

fn key(species: &Species, key: &str) -> String {
    format!("species.{}.{key}", species.name)
}

/// Every edge holds the largest body.
fn sizes(model: &Model, reader: &Reader<'_>) {
    for k in 0..model.dimension {
        let too_large = |s: &&Species| s.radius.is_some_and(|r| 2.0 * r > model.edges[k]);
        for species in model.species.iter().filter(too_large) {
            reader.fault_at(
                "space.edges",
                format!(
                    "the edge along {} is {:?} nm, less than the diameter of {}, {:?} nm",
                    ["x", "y", "z"][k],
                    model.edges[k],
                    species.name,
                    2.0 * species.radius.unwrap_or(f64::NAN)
                ),
            );
        }
    }
}

/// Only what arises by coalescence may leave its size and mobility open, and it starts with none.
fn products(model: &Model, reader: &Reader<'_>) {
    for (n, species) in model.species.iter().enumerate() {
        let arises = model.rules.produces(n as u16);
        let placed = model.placement.iter().any(|p| p.species as usize == n);
        let open = [
            ("radius", "2.5 nm", species.radius),
            ("diffusion", "0.05 um^2/s", species.diffusion_coefficient),
        ];
        for (name, example, value) in open {
            if value.is_some() || (arises && !placed) {
                continue;
            }
            let why = if arises {
                "may be left out only if none is there at the start"
            } else {
                "may be left out only for a species that arises by coalescence"
            };
            reader.fault_at(
                &key(species, name),
                format!("`{name}` is missing, for example `{name} = \"{example}\"`; it {why}"),
            );
        }
    }
}

/// Rules of one pair of species do not contradict each other, and can apply.
fn pairs(model: &Model, reader: &Reader<'_>) {
    for (n, rule) in model.rules.contact.iter().enumerate() {
        let [a, b] = rule.species;
        let fault = |message: String| reader.fault_at(&format!("rule.{}", rule.name), message);
        let of_pair: Vec<_> = model.rules.between(a, b).collect();
        let diffusion = |s: u16| model.species[s as usize].diffusion_coefficient;
        if matches!(rule.chance, Chance::Intrinsic(_))
            && diffusion(a) == Some(0.0)
            && diffusion(b) == Some(0.0)
        {
            fault("no rate can hold between species that do not diffuse: give `probability`".into());
        }
        // Reported once, at the later rule.
        let earlier = || of_pair.iter().filter(|(number, _)| (*number as usize) < n);
        let is_certain = |action| matches!(action, Action::Pass | Action::Ignore | Action::Bounce);
        if let Some((_, other)) =
            earlier().find(|(_, other)| is_certain(rule.action) || is_certain(other.action))
        {
            fault(format!(
                "contradicts rule \"{}\" for the same two species: a pass or a bounce happens at \
                 every contact (pairs bounce wherever no rule applies)",
                other.name
            ));
            continue;
        }
        let p = |chance| match chance {
            Chance::Probability(p) => Some(p),
            Chance::Intrinsic(_) => None,
        };
        if let Some((_, other)) =
            earlier().find(|(_, other)| p(rule.chance).is_some() != p(other.chance).is_some())
        {
            fault(format!(
                "one of this and rule \"{}\" has a rate and the other a probability, for the same \
                 two species: give both in the same way",
                other.name
            ));
        } else {
            let before: f64 = earlier().filter_map(|(_, other)| p(other.chance)).sum();
            let sum = before + p(rule.chance).unwrap_or(0.0);
            if sum > 1.0 + 1e-12 && before <= 1.0 + 1e-12 {
                fault(format!(
                    "with this rule the probabilities at a contact of these two species add up to \
                     {sum}, more than 1"
                ));
            }
        }
    }
}

/// Some probability gives each rate at this time step, as far as the sizes of the two are known.
fn rates(model: &Model, reader: &Reader<'_>) {
    for rule in &model.rules.contact {
        let [a, b] = rule.species;
        let [first, second] = [a, b].map(|s| &model.species[s as usize]);
        let sum = |x: Option<f64>, y: Option<f64>| x.zip(y).map(|(x, y)| x + y);
        let distance = sum(first.radius, second.radius);
        let diffusion = sum(first.diffusion_coefficient, second.diffusion_coefficient);
        let (Some(distance), Some(diffusion)) = (distance, diffusion) else { continue };
        let (Chance::Intrinsic(_), Some(rate)) = (rule.chance, model.rules.total_rate(a, b)) else {
            continue;
        };
        // What is not positive here is a fault of its own.
        let Ok(pair) = ReactingPair::new(model.dimension, distance, diffusion) else { continue };
        let (why, largest) = match pair.probability(rate, model.timestep) {
            Err(RateError::TimestepTooLong { largest, .. }) => {
                ("a reaction at every contact would be slower than this", largest)
            }
            Err(RateError::OutsideCalibration { largest, .. }) => {
                ("the step is longer than rates are calibrated for", largest)
            }
            _ => continue,
        };
        let longest = pair.largest_timestep(rate).map_or(largest, |most| most.min(largest));
        reader.fault_at(
            &format!("rule.{}.rate", rule.name),
            format!(
                "in {:?} us {} and {} move {:.3} of their contact distance (rms per axis), and {why}: \
                 the time step may be at most {}",
                model.timestep,
                first.name,
                second.name,
                pair.step_width(model.timestep) / distance,
                measure::time(longest)
            ),
        );
    }
}

/// Steps are short against what they must resolve.
fn timestep(model: &Model, reader: &Reader<'_>) {
    let edges = &model.edges[..model.dimension];
    let shortest = edges.iter().copied().fold(f64::INFINITY, f64::min);
    let smallest = measure::smallest_radius(model).unwrap_or(f64::INFINITY);
    for (n, species) in model.species.iter().enumerate() {
        let Some(diffusion) = species.diffusion_coefficient else {
            continue;
        };
        let step = rms_step(diffusion, model.timestep);
        let radius = if is_exclusive(model, n as u16) { smallest } else { f64::INFINITY };
        let (limit, what) = if shortest / 10.0 < 10.0 * radius {
            (shortest / 10.0, format!("a tenth of the shortest edge, {shortest:?} nm"))
        } else {
            (10.0 * radius, format!("ten times the smallest radius, {radius:?} nm"))
        };
        if step > limit {
            reader.fault_at(
                "run.timestep",
                format!(
                    "in {:?} us {} moves {step:.4} nm (rms per axis), more than {what}; at most {} \
                     makes sense, and {} (rms step 0.1 of the smallest radius) is a good start",
                    model.timestep,
                    species.name,
                    measure::time(limit * limit / (2.0 * diffusion)),
                    measure::time((0.1 * smallest.min(shortest)).powi(2) / (2.0 * diffusion)),
                ),
            );
        }
        if let Drift::Well { relaxation, .. } = species.drift
            && model.timestep >= relaxation
        {
            reader.fault_at(
                &key(species, "drift.well.relaxation"),
                format!(
                    "the well relaxes in {relaxation:?} us, no longer than a time step, {:?} us",
                    model.timestep
                ),
            );
        }
    }
}

/// What is asked for could fit at all.
fn packing(model: &Model, reader: &Reader<'_>) {
    let (most, name) =
        [(1.0, "rods on a line"), (0.9069, "disks in a plane"), (0.7405, "spheres")][model.dimension - 1];
    let phi = packing_fraction(model);
    if phi > most {
        let bodies: Vec<_> = model
            .placement
            .iter()
            .map(|p| {
                let species = &model.species[p.species as usize];
                format!("species.{}", species.name)
            })
            .collect();
        // The species that takes most room bears the blame.
        let room = |p: &super::Placement| {
            p.count() as f64 * ball(model.dimension, model.species[p.species as usize].radius.unwrap_or(0.0))
        };
        let largest = (0..bodies.len())
            .max_by(|&a, &b| room(&model.placement[a]).total_cmp(&room(&model.placement[b])));
        if let Some(largest) = largest {
            reader.fault_at(
                &bodies[largest],
                format!(
                    "the bodies would fill {phi:.4} of the box ({}), but {name} of one size fill at \
                     most {most}: fewer bodies, smaller ones or a larger box",
                    enclosed(model)
                ),
            );
        }
    }
}

/// The cells that the file asks for are right for most bodies in most steps (Result 1).
fn cells(model: &Model, reader: &Reader<'_>) {
    let Some(size) = model.search.cell_size else {
        return;
    };
    let radius = measure::largest_radius(model).unwrap_or(0.0);
    let step = longest_step(model);
    let least = 2.0 * (radius + step);
    if size < least {
        reader.fault_at(
            "search.cell_size",
            format!(
                "half a cell, {:?} nm, less the largest radius, {radius:?} nm, leaves {:.4} nm, but \
                 the fastest species moves {step:.4} nm (rms) in a step: at least {} nm is needed \
                 (Result 1: no body may travel farther than half a cell less its radius)",
                size / 2.0,
                size / 2.0 - radius,
                measure::round_up(least)
            ),
        );
    }
}
