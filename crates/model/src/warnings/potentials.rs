//! Where the equilibrium of a potential is exact, and the kinetics are not.

use crate::Model;
use crate::measure::rms_step;
use crate::potentials::SurfacePotential;
use crate::together::by_pair;
use jostle_core::rules::Chance;
use jostle_core::words::digits;

use super::Warning;

/// Binding at contact is calibrated for a potential that is flat over so many steps.
const FLAT: f64 = 3.0;

/// Or for one that changes by so much in a step. \[kT\]
const FLAT_ENOUGH: f64 = 0.1;

/// By so much they may be slower.
const TOLERATED: f64 = 0.2;

pub(super) fn warnings(model: &Model) -> Vec<Warning> {
    let mut list = Vec::new();
    let rules = by_pair(model.rules());
    for potential in model.potentials() {
        let key = format!("potential.{}", potential.name);
        let (mut is_coarse, mut is_steep) = (false, false);
        for pair in potential.pairs() {
            let [a, b] = pair.map(|s| &model.species[usize::from(s)]);
            let diffusion = [a, b].map(|species| species.diffusion_coefficient.unwrap_or(0.0));
            let step = rms_step(diffusion.iter().sum(), model.run.timestep);
            let contact = model.contact_distance(pair);
            let reacts = rules.of(pair[0], pair[1]).iter().any(|(number, _)| {
                let rule = &model.rules().contact[usize::from(*number)];
                rule.action.reacts() && !matches!(rule.chance, Chance::Probability(_))
            });
            if let Some(climb) = potential.energy.climb(contact) {
                let slower = climb.slower(step, model.dimension_of(pair));
                if slower > TOLERATED && !is_coarse {
                    is_coarse = true;
                    list.push(Warning::of(&key, format!(
                        "{} and {} move {} nm relative to each other in a step (rms per axis), and their potential is so \
                         steep that they drift and diffuse relative to each other some {} % too slowly where it acts: the \
                         equilibrium is exact all the same; `law = \"shells\"`, or a time step of {}, would halve that",
                        a.name,
                        b.name,
                        digits(step, 3),
                        digits(100.0 * slower.min(1.0), 2),
                        crate::measure::time(0.25 * model.run.timestep)
                    )));
                }
                let change = step * climb.slope(contact);
                if reacts && change > FLAT_ENOUGH && !is_steep {
                    is_steep = true;
                    list.push(Warning::of(&key, format!(
                        "{} and {} react at contact, where the energy changes by {} kT within a step ({} nm): the rate \
                         constant is that of a potential that is flat so near; a shorter time step would do",
                        a.name,
                        b.name,
                        digits(change, 2),
                        digits(step, 3)
                    )));
                }
                continue;
            }
            let stepped = potential.energy.stepped(contact, model.dimension_of(pair));
            let starts = std::iter::once(contact).chain(stepped.edges().iter().copied());
            let widths = starts.zip(stepped.edges()).map(|(from, to)| to - from);
            let narrowest = widths.fold(f64::INFINITY, f64::min);
            if step > narrowest && !is_coarse {
                is_coarse = true;
                list.push(Warning::of(&key, format!(
                    "{} and {} move {} nm relative to each other in a step (rms per axis), and the narrowest shell is {} nm \
                     wide: the equilibrium is exact all the same, but particles get in and out too fast; {} would \
                     make the step half as long as that shell",
                    a.name,
                    b.name,
                    digits(step, 3),
                    digits(narrowest, 3),
                    crate::measure::time(model.run.timestep * (0.5 * narrowest / step).powi(2))
                )));
            }
            let first = stepped.edges()[0] - contact;
            if reacts && first < FLAT * step && !is_steep {
                is_steep = true;
                list.push(Warning::of(&key, format!(
                    "{} and {} react at contact, and the energy changes {} nm from there, less than three steps ({} nm): \
                     the rate constant is that of a potential that is flat so near; a shorter time step or a wider \
                     first shell would do",
                    a.name,
                    b.name,
                    digits(first, 3),
                    digits(FLAT * step, 3)
                )));
            }
        }
    }
    for potential in model.surface_potentials() {
        list.extend(too_slow_beside(model, potential));
    }
    list
}

/// Where particles are much too slow beside a surface.
fn too_slow_beside(model: &Model, potential: &SurfacePotential) -> Option<Warning> {
    potential.species.iter().find_map(|&s| {
        let (species, slower) = (&model.species[usize::from(s)], model.slower_beside(potential, s)?);
        let diffusion = species.diffusion_coefficient?;
        (slower > TOLERATED).then(|| {
            Warning::of(
                &format!("potential.{}", potential.name),
                format!(
                    "{} moves {} nm in a step (rms per axis), and the potential is so steep that it drifts and diffuses some \
                     {} % too slowly where that acts: the equilibrium is exact all the same; a time step of {} would halve \
                     that",
                    species.name,
                    digits(rms_step(diffusion, model.run.timestep), 3),
                    digits(100.0 * slower.min(1.0), 2),
                    crate::measure::time(0.25 * model.run.timestep)
                ),
            )
        })
    })
}
