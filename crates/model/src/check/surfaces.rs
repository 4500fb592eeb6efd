//! Surfaces and those that meet them or live on them.

use std::collections::BTreeSet;

use crate::adsorption::touched;
use crate::measure::{self, rms_step};
use crate::surroundings::SurfaceModel;
use crate::walker::Reader;
use crate::{Model, PlacementMethod};
use jostle_core::clusters::Piece;
use jostle_core::environment::Form;
use jostle_core::environment::{Adsorption, Manner, absorption};
use jostle_core::narrow::{Ends, Rod};
use jostle_core::rules::{ContactRule, Fragmentation, TimedAction};
use jostle_core::space::mesh::Mesh;
use jostle_core::species::{Drift, Species};
use jostle_core::words::digits;

pub(super) fn check(model: &Model, reader: &Reader<'_>) {
    for surface in &model.surroundings().surfaces {
        manners(model, surface, reader);
    }
    for (s, species) in model.species.iter().enumerate() {
        if let Some(anchor) = model.surroundings().anchor(s as u16) {
            let surface = &model.surroundings().surfaces[anchor.surface as usize];
            moves_along(model, species, surface, reader);
        }
    }
    placed(model, reader);
    conversions(model, reader);
    partings(model, reader);
    bonds(model, reader);
    joined(model, reader);
}

/// Steps are short beside the radius of a closed surface, and no drift leads off it. On a cylinder without ends steps
/// may be of any length, and there may be a drift along it.
fn moves_along(model: &Model, species: &Species, surface: &SurfaceModel, reader: &Reader<'_>) {
    let is_along = |axis: usize| match species.drift {
        Drift::Still => true,
        Drift::Constant(velocity) => (0..3).all(|k| k == axis || velocity[k] == 0.0),
        Drift::Shear { .. } | Drift::Well { .. } => false,
    };
    let drifts = species.drift != Drift::Still;
    let own = |radius: f64| format!("its radius, {radius:?} nm");
    let (radius, of, no_drift) = match &surface.form {
        &Form::Ball { radius, .. } => (radius, own(radius), drifts.then_some("a sphere")),
        Form::Rod { rod, .. } if rod.ends == Ends::Open => {
            let across = "a cylinder but a `velocity` in the direction of its axis";
            (f64::INFINITY, String::new(), (!is_along(rod.axis)).then_some(across))
        }
        Form::Rod { rod, .. } => {
            (rod.radius, own(rod.radius), drifts.then_some("a cylinder with round ends"))
        }
        Form::Solid(mesh) => {
            meshed(model, species, (surface, &**mesh), reader);
            let radius = (mesh.surface() / (4.0 * std::f64::consts::PI)).sqrt();
            let alike = format!("{} nm, the radius of a sphere with its area", digits(radius, 4));
            (radius, alike, drifts.then_some("a mesh"))
        }
        Form::Outline(mesh) => {
            meshed(model, species, (surface, &**mesh), reader);
            let radius = mesh.surface() / std::f64::consts::TAU;
            let alike = format!("{} nm, the radius of a circle as long as it", digits(radius, 4));
            (radius, alike, drifts.then_some("a polygon"))
        }
        Form::Plane { .. } => return,
    };
    let step = rms_step(species.diffusion_coefficient.unwrap_or(0.0), model.run.timestep);
    if step > 0.1 * radius {
        reader.fault_at(
            "run.timestep",
            format!(
                "in {:?} us {} moves {step:.4} nm (rms per axis) along \"{}\", more than a tenth of {of}",
                model.run.timestep, species.name, surface.name
            ),
        );
    }
    if let Some(round) = no_drift {
        reader.fault_of_species(&species.name, "drift", format!("there is no drift along {round}"));
    }
}

/// The most edges of a mesh that are crossed in a step on average. Particles far out in the tail of the distribution of
/// steps, where facets are small, cross a hundred times as many, which is as often as a path may change.
const MOST_EDGES: f64 = 100.0;

/// A triangle of a mesh to live on is at least this high. \[longest edge of the box\]
const LEAST_HEIGHT: f64 = 1e-9;

/// A mesh that particles live on ends within a periodic box, so that it is known where on it they are; rounding cannot
/// take them across a whole facet, and they do not cross too many in a step.
fn meshed<const D: usize>(
    model: &Model,
    species: &Species,
    (surface, mesh): (&SurfaceModel, &Mesh<D>),
    reader: &Reader<'_>,
) {
    let fault = |text: String| {
        reader.fault_of_species(&species.name, "on", format!("\"{}\" {text}", surface.name));
    };
    let edges = &model.space.edges;
    let [low, high] = mesh.bounds();
    let fills =
        |&k: &usize| model.space.periodic[k] && high[k] - low[k] > edges[k] * (1.0 - LEAST_HEIGHT);
    if let Some(k) = (0..D).find(fills) {
        fault(format!(
            "goes through the whole box along {}, a periodic axis, and touches its own image: to live on, a mesh has \
             to be shorter than the box",
            ["x", "y", "z"][k]
        ));
    }
    let least = LEAST_HEIGHT * edges.iter().fold(0.0, |a, &b| f64::max(a, b));
    let thinnest = mesh.thinnest();
    if thinnest < least {
        let what = if D == 2 { "a side that is" } else { "a triangle with a height of" };
        fault(format!(
            "has {what} {} nm, which is too small to live on in a box of this size: at least {} nm are needed",
            digits(thinnest, 3),
            digits(least, 3)
        ));
    }
    let step = rms_step(species.diffusion_coefficient.unwrap_or(0.0), model.run.timestep);
    // Of ways in all directions (Crofton); in 2D, of those to and fro.
    let crossed = match D {
        2 => step * (2.0 / std::f64::consts::PI).sqrt() * mesh.ridges() / mesh.surface(),
        _ => {
            let way = step * (std::f64::consts::PI / 2.0).sqrt();
            way * 2.0 / std::f64::consts::PI * mesh.ridges() / mesh.surface()
        }
    };
    if crossed > MOST_EDGES {
        reader.fault_at(
            "run.timestep",
            format!(
                "in {:?} us {} crosses {} edges of \"{}\" on average, and can cross at most {MOST_EDGES}: the time \
                 step, or the number of facets, has to be smaller",
                model.run.timestep,
                species.name,
                digits(crossed, 3),
                surface.name
            ),
        );
    }
}

/// No lattice fits a surface, and every particle has room.
fn placed(model: &Model, reader: &Reader<'_>) {
    for placement in &model.placement {
        let name = &model.species[placement.species as usize].name;
        if matches!(placement.how, PlacementMethod::Lattice { .. })
            && model.surroundings().anchor(placement.species).is_some()
        {
            reader.fault_of_species(
                name,
                "placement",
                "particles on a surface are placed at random (`count`) or at given positions, not on a lattice",
            );
        }
    }
}

/// No particle comes to live on a surface but where a particle lives on it.
fn conversions(model: &Model, reader: &Reader<'_>) {
    let anchor = |s: u16| model.surroundings().anchor(s).map(|anchor| anchor.surface);
    let reported = |rule: &str, from: &[u16], made: &[u16]| {
        for &product in made {
            let Some(surface) = anchor(product) else { continue };
            if from.iter().any(|&s| anchor(s) == Some(surface)) {
                continue;
            }
            let names: Vec<_> =
                from.iter().map(|&s| model.species[s as usize].name.as_str()).collect();
            reader.fault_at(
                &format!("rule.{rule}"),
                format!(
                    "{} lives on \"{}\", but {} can be far from it: to get there, a particle has to meet one that \
                     lives there",
                    model.species[product as usize].name,
                    model.surroundings().surfaces[surface as usize].name,
                    names.join(" and "),
                ),
            );
        }
    };
    for rule in &model.rules().contact {
        for case in &rule.cases {
            reported(&rule.name, &case.species, &case.products);
        }
    }
    for rule in &model.rules().timed {
        for case in rule.action.conversions() {
            reported(&rule.name, &case.species, &case.products);
        }
    }
}

/// No particle is released onto a surface that the particle it comes out of does not live on.
fn partings(model: &Model, reader: &Reader<'_>) {
    for rule in &model.rules().timed {
        match &rule.action {
            TimedAction::Unbind { of, .. } => {
                // An unbinding whose binding is at fault itself has none.
                let undone = of.iter().filter_map(|&of| model.rules().contact.get(of as usize));
                for bound in undone.filter(|bound| bound.action.effect().merges) {
                    for case in &bound.cases {
                        case.products.iter().for_each(|&whole| {
                            let names = [&bound.name, &rule.name].map(String::as_str);
                            comes_out(model, reader, names, whole, &case.species);
                        });
                    }
                }
            }
            TimedAction::Fragment { species, how } => {
                species.iter().for_each(|&whole| pieces(model, reader, &rule.name, whole, *how));
            }
            TimedAction::Convert { .. } | TimedAction::Create { .. } => {}
        }
    }
    for rule in &model.rules().contact {
        let Some(how) = rule.action.effect().cuts else { continue };
        rule.cases.iter().for_each(|case| pieces(model, reader, &rule.name, case.species[1], how));
    }
}

/// The same of a particle that is cut.
fn pieces(model: &Model, reader: &Reader<'_>, rule: &str, whole: u16, how: Fragmentation) {
    let mut inside = held_by(model, whole);
    inside.extend(how.dissolved);
    comes_out(model, reader, [rule, rule], whole, &inside);
}

/// Species of all particles that one of species `whole` may be made of.
fn held_by(model: &Model, whole: u16) -> Vec<u16> {
    let kin = |a: u16, b: u16| {
        model.species[a as usize].declared_name() == model.species[b as usize].declared_name()
    };
    let merging = model.rules().contact.iter().filter(|rule| rule.action.effect().merges);
    let cases: Vec<_> = merging.flat_map(|rule| &rule.cases).collect();
    let (mut held, mut open) = (Vec::new(), vec![whole]);
    while let Some(particle) = open.pop() {
        let made =
            cases.iter().filter(|case| case.products.iter().any(|&product| kin(product, particle)));
        for part in made.flat_map(|case| case.species) {
            if !held.contains(&part) {
                held.push(part);
                open.push(part);
            }
        }
    }
    held
}

/// Notes at the first of two rules, which binds, that the second lets a particle go which may be
/// far from its surface.
fn comes_out(
    model: &Model,
    reader: &Reader<'_>,
    [at, lets_go]: [&str; 2],
    whole: u16,
    parts: &[u16],
) {
    let anchor = |s: u16| model.surroundings().anchor(s).map(|anchor| anchor.surface);
    let mut said = Vec::new();
    for &part in parts {
        let Some(surface) =
            anchor(part).filter(|_| anchor(part) != anchor(whole) && !said.contains(&part))
        else {
            continue;
        };
        said.push(part);
        let [part, whole] = [part, whole].map(|s| &model.species[s as usize].name);
        let surface = &model.surroundings().surfaces[surface as usize].name;
        reader.fault_at(
            &format!("rule.{at}"),
            format!(
                "{part} lives on \"{surface}\", but {whole} does not, and can be far from it when \"{lets_go}\" \
                 releases {part}: either {whole} must live there as well (`on = \"{surface}\"`), or \
                 \"{lets_go}\" is not possible"
            ),
        );
    }
}

/// What happens at a surface can be had at this time step, and happens to single particles.
fn manners(model: &Model, surface: &SurfaceModel, reader: &Reader<'_>) {
    let key = format!("surface.{}", surface.name);
    for (s, &manner) in surface.manners.iter().enumerate() {
        let species = &model.species[s];
        let Some(diffusion) = species.diffusion_coefficient.filter(|&d| d > 0.0) else { continue };
        let chance = match manner {
            Manner::Absorb { rate } => absorption(rate, diffusion, model.run.timestep),
            Manner::Permeate(permeability) => {
                permeability.passage(diffusion, model.run.timestep).map(|[p, q]| p.max(q))
            }
            Manner::Adsorb(Adsorption { rate, permeability, .. }) => {
                let rate = rate * highest_share(model, surface, s as u16);
                absorption(rate + 2.0 * permeability, diffusion, model.run.timestep)
            }
            _ => continue,
        };
        if let Err(error) = chance {
            let longest = measure::time(error.longest);
            reader.fault_at(
                &key,
                format!(
                    "a time step of {:?} us is too long for {} to have {:?} nm/us there: the time step can be at \
                     most {longest}",
                    error.timestep, species.name, error.rate
                ),
            );
        } else if let Some(longest) = longest_around(model, surface, s as u16)
            && longest < model.run.timestep
        {
            reader.fault_at(
                &key,
                format!(
                    "in a time step of {:?} us {} moves too far for the curvature of the surface: its rate would be \
                     wrong by more than 2 %; the time step can be at most {}",
                    model.run.timestep,
                    species.name,
                    measure::time(longest)
                ),
            );
        }
    }
}

/// How much faster than on the whole of a surface particles of a species get onto it, at most: see
/// [`jostle_core::environment::Environment::manner_at`].
fn highest_share(model: &Model, surface: &SurfaceModel, species: u16) -> f64 {
    let Form::Rod { rod, .. } = surface.form else { return 1.0 };
    let manner = surface.manners[usize::from(species)];
    let own = model.species[usize::from(species)].radius.unwrap_or(0.0);
    let margin = if manner.is_by_centre() { 0.0 } else { own };
    let ways = touched(model, surface, species).into_iter().zip([-margin, margin]);
    let ways = ways.filter(|(area, _)| *area > 0.0).flat_map(|(_, more)| {
        [true, false].map(|is_end| rod.evenness(model.space.dimension, is_end, more))
    });
    ways.fold(1.0, f64::max)
}

/// The cost of the finite step at a surface is taken to be that of a plane, 0.5826 s/D. If H is the sum of
/// the surface's curvatures, the true cost is larger by this times H s²/D, for particles inside and for
/// those outside. This was measured with spheres of radius R and κ = D/R: at s = R it takes 15 % (inside)
/// and 17 % (outside) too long until a particle is absorbed, at s = 0.42 R and 0.35 R it takes 2 %.
const CURVATURE: [f64; 2] = [1.0 / 15.0, 1.0 / 6.0];
/// The error of a rate at a round surface is no larger.
const TOLERANCE: f64 = 0.02;

/// The longest time step at which a round surface absorbs particles of a species at its rate. The error
/// of the cost of the step is compared with what the surface and the way there cost together, 1/κ + g R/D.
/// \[µs\]
fn longest_around(model: &Model, surface: &SurfaceModel, species: u16) -> Option<f64> {
    let (Manner::Absorb { rate } | Manner::Adsorb(Adsorption { rate, .. })) =
        surface.manners[usize::from(species)]
    else {
        return None;
    };
    let kind = &model.species[usize::from(species)];
    let (diffusion, own) = (kind.diffusion_coefficient?, kind.radius?);
    let curved = match surface.form {
        Form::Ball { .. } => model.space.dimension - 1,
        Form::Rod { .. } => 1,
        Form::Plane { .. } | Form::Solid(_) | Form::Outline(_) => 0,
    };
    let (Form::Ball { radius, .. } | Form::Rod { rod: Rod { radius, .. }, .. }) = surface.form
    else {
        return None;
    };
    if curved == 0 || rate == f64::INFINITY {
        return None;
    }
    let number = model.surroundings().surfaces.iter().position(|one| one.name == surface.name)?;
    let kept = model.surroundings().sides(species).iter();
    let kept = kept.filter(|side| usize::from(side.surface) == number).map(|side| side.inside);
    let sides: Vec<bool> = kept.collect();
    // From the mean time within a sphere, R/3κ + R²/15D, or a cylinder, R/2κ + R²/8D; and around them.
    let hollow = [0.25, 0.2][curved - 1];
    let longest = |inside: bool| {
        let [within, without] = CURVATURE;
        let (radius, way, cost) = match inside {
            true => (radius - own, hollow, within),
            false => (radius + own, 1.0, without),
        };
        let whole = diffusion / rate + way * radius;
        TOLERANCE * whole * radius / (cost * curved as f64) / (2.0 * diffusion)
    };
    let all = if sides.is_empty() { vec![true, false] } else { sides };
    // None are inside of what is smaller than they are.
    all.into_iter().filter(|inside| !inside || radius > own).map(longest).reduce(f64::min)
}

/// Two on one mesh are not joined by a tether, nor are two on a polygon at all: how many ways they have to meet differs
/// from place to place near its edges, and where they are set free does not follow that.
fn joined(model: &Model, reader: &Reader<'_>) {
    let home = |s: u16| Some(model.surroundings().anchor(s)?.surface);
    for rule in &model.rules().contact {
        let is_rigid = rule.action.effect().makes_bond && rule.tether.is_none();
        if is_rigid || !(rule.action.effect().merges || rule.tether.is_some()) {
            continue;
        }
        let shared = rule.cases.iter().find_map(|case| {
            let [first, second] = case.species.map(home);
            first.filter(|_| first == second).map(|surface| (case.species, surface))
        });
        let Some((both, surface)) = shared else { continue };
        let surface = &model.surroundings().surfaces[usize::from(surface)];
        let why = match surface.form {
            Form::Solid(_) if rule.tether.is_some() => {
                "a mesh, where particles cannot be tethered; `merge = \"coalesce\"` is possible"
            }
            Form::Outline(_) => {
                "a polygon, where particles cannot be joined; rules that name their products are possible"
            }
            _ => continue,
        };
        let [first, second] = both.map(|s| &model.species[usize::from(s)].name);
        reader.fault_at(
            &format!("rule.{}", rule.name),
            format!("{first} and {second} live on \"{}\", {why}", surface.name),
        );
    }
}

/// Bonded particles move as one: straight, and all on the same side.
fn bonds(model: &Model, reader: &Reader<'_>) {
    let is_rigid = |rule: &ContactRule| rule.action.effect().makes_bond && rule.tether.is_none();
    for (number, rule) in
        model.rules().contact.iter().enumerate().filter(|(_, rule)| is_rigid(rule))
    {
        let first = model.bonds().iter().filter(|bond| bond.rule == Some(number as u16));
        let in_molecule = model.molecules().iter().filter(|molecule| molecule.name == rule.name);
        let in_molecule = in_molecule.flat_map(|molecule| &molecule.spheres).map(|s| s.species);
        // Those on surfaces are refused as such.
        let in_molecule = in_molecule.filter(|&s| model.surroundings().anchor(s).is_none());
        pairs_go_through(model, rule, reader);
        let first: BTreeSet<u16> = first
            .flat_map(|bond| bond.ends.map(|(species, _)| species))
            .chain(in_molecule)
            .collect();
        let cases: Vec<u16> = rule.cases.iter().flat_map(|case| case.species).collect();
        let others = first.into_iter().filter(|s| !cases.contains(s));
        for s in cases.iter().copied().chain(others) {
            let name = &model.species[s as usize].name;
            let anchor = model.surroundings().anchor(s);
            let anchor =
                anchor.map(|anchor| &model.surroundings().surfaces[anchor.surface as usize]);
            let round = anchor.and_then(|surface| match surface.form {
                Form::Ball { .. } => Some((&surface.name, "a sphere")),
                Form::Rod { .. } => Some((&surface.name, "a cylinder")),
                Form::Solid(_) => Some((&surface.name, "a mesh")),
                Form::Outline(_) => Some((&surface.name, "a polygon")),
                Form::Plane { .. } => None,
            });
            if let Some((surface, round)) = round {
                reader.fault_at(
                    &format!("rule.{}", rule.name),
                    format!(
                        "{name} lives on \"{surface}\", {round}, where particles cannot be joined by bonds; \
                         `merge = \"coalesce\"` is possible"
                    ),
                );
            }
            for surface in &model.surroundings().surfaces {
                let why = match surface.manners[s as usize] {
                    Manner::Absorb { .. } | Manner::Adsorb(_) => {
                        "a member of a rigid cluster cannot be absorbed; it can \"reflect\" from a surface, \
                         \"ignore\" it, or have a `permeability` or a `diffusion` and an `affinity` there"
                    }
                    Manner::Cross(crossing)
                        if rule.docks(&model.species) && crossing.inside != crossing.outside =>
                    {
                        "two that are moved when they bind (`direction`) cannot have another D in a region; \
                         an `affinity` is possible, or a `permeability`"
                    }
                    _ => continue,
                };
                reader.fault_at(
                    &format!("surface.{}", surface.name),
                    format!("{name} can be bonded (rule \"{}\"), and {why}", rule.name),
                );
            }
        }
    }
}

/// Pairs of what a rule bonds are slower than single particles, and go through permeable surfaces as
/// often as they should only at shorter time steps.
fn pairs_go_through(model: &Model, rule: &ContactRule, reader: &Reader<'_>) {
    let Some(brownian) = model.brownian() else { return };
    for case in &rule.cases {
        let pieces = case.species.map(|s| {
            let species = &model.species[usize::from(s)];
            let (diffusion, radius) = (species.diffusion_coefficient, species.radius);
            Piece { diffusion_coefficient: diffusion.unwrap_or(0.0), radius: radius.unwrap_or(0.0) }
        });
        let diffusion = brownian.mobility.diffusion_coefficient(&pieces, model.space.dimension);
        let alone = pieces.map(|piece| piece.diffusion_coefficient);
        if diffusion <= 0.0 || alone.contains(&0.0) {
            continue;
        }
        for surface in &model.surroundings().surfaces {
            let too_long = case.species.iter().zip(alone).find_map(|(&s, alone)| {
                let Manner::Permeate(permeability) = surface.manners[usize::from(s)] else {
                    return None;
                };
                let can = |d: f64| permeability.passage(d, model.run.timestep);
                can(alone).ok().and(can(diffusion).err()).map(|error| (s, error))
            });
            let Some((s, error)) = too_long else { continue };
            let names = case.species.map(|s| model.species[usize::from(s)].name.as_str());
            reader.fault_at(
                &format!("surface.{}", surface.name),
                format!(
                    "a pair of {} and {} (rule \"{}\") diffuses with {diffusion:?} nm^2/us, for which a time step of \
                     {:?} us is too long for {} to have {:?} nm/us there: it can be at most {}",
                    names[0],
                    names[1],
                    rule.name,
                    error.timestep,
                    model.species[usize::from(s)].name,
                    error.rate,
                    measure::time(error.longest)
                ),
            );
        }
    }
}
