//! Macroscopic constants of pairs with a potential. `k_on` and `K_D` are calibrated for pairs without
//! one, so they are refused with a message that gives the intrinsic constants that mean the same.

use std::f64::consts::PI;

use crate::Model;
use crate::together::{intrinsic, reacting_pair};
use crate::walker::Reader;
use jostle_core::potentials::StepPotential;
use jostle_core::rules::{Chance, ContactRule};
use jostle_core::words::digits;

/// Notes such constants in `reader`.
pub(super) fn check(model: &Model, reader: &Reader<'_>) {
    let potentials = model.stepped_potentials();
    let rules = model.rules();
    let reacting = (0..).zip(&rules.contact).filter(|(_, rule)| rule.action.reacts());
    for (number, rule) in reacting {
        // The two of a tether meet where it begins.
        if rule.tether.is_some() {
            continue;
        }
        let found = rule.cases.iter().find_map(|case| {
            let [a, b] = case.species;
            Some((case, potentials.of(a, b)?))
        });
        let Some((case, potential)) = found else { continue };
        let names = case.species.map(|s| &*model.species[usize::from(s)].name);
        let energy = model.energy_at_contact(case.species);
        let whose = format!(
            "{} and {} have a potential, {} kT at contact",
            names[0],
            names[1],
            digits(energy, 4)
        );
        if matches!(rule.chance, Chance::Macroscopic(_)) {
            let instead = in_potential(model, rule, case.species, potential);
            reader.fault_at(
                &format!("rule.{}.k_on", rule.name),
                format!("`k_on` is for pairs without a potential, but {whose}: {instead}"),
            );
            continue;
        }
        // It stands in the rule that binds, or in one that undoes it.
        let undoing = rules.undoing(number).map(|(_, undoing)| &undoing.name);
        let keys =
            std::iter::once(&rule.name).chain(undoing).map(|name| format!("rule.{name}.K_D"));
        for k_d in keys.filter(|key| energy != 0.0 && reader.has(key)) {
            let alike = if rule.is_for_alike(case) { "/2" } else { "" };
            reader.fault_at(
                &k_d,
                format!(
                    "`K_D` is for pairs without a potential, but {whose}, which makes binding exp(-U) = {} times as \
                     frequent: give `unbind` as `rate` x K_D{alike} x {}; or leave the potential out",
                    digits(libm::exp(-energy), 4),
                    digits(libm::exp(-energy), 4)
                ),
            );
        }
    }
}

/// The intrinsic constant that gives `k_on` in a potential, by Debye (1942): 1/k_on = 1/(k_a exp(-U)) +
/// 1/k_D, with U at contact and 1/k_D the integral of exp(U)/(4 pi D r^2) from contact outwards.
fn in_potential(
    model: &Model,
    rule: &ContactRule,
    [a, b]: [u16; 2],
    potential: &StepPotential,
) -> String {
    let leave = "leave the potential out";
    let Chance::Macroscopic(k_on) = rule.chance else { return leave.to_owned() };
    let Some(pair) = reacting_pair(model, a, b).filter(|pair| pair.dimension() == 3) else {
        return leave.to_owned();
    };
    let contact = model.contact_distance([a, b]);
    let diffusion = pair.step_width(1.0).powi(2) / 2.0;
    let (mut integral, mut from) = (0.0, contact);
    for (shell, &edge) in potential.edges().iter().enumerate() {
        integral += libm::exp(potential.in_shell(shell)) * (1.0 / from - 1.0 / edge);
        from = edge;
    }
    integral += 1.0 / from;
    let most = pair.exposed * 4.0 * PI * diffusion / integral;
    if k_on >= most {
        return format!(
            "in this potential diffusion brings together at most {} nm^3/us, so k_on cannot be {} nm^3/us",
            digits(most, 4),
            digits(k_on, 4)
        );
    }
    let bare = match intrinsic(rule.chance, &pair) {
        Some(Ok(k_a)) => format!(" (without it, {} nm^3/us)", digits(k_a, 4)),
        _ => String::new(),
    };
    let escapes = 1.0 - k_on / most;
    let rate = k_on / escapes * libm::exp(model.energy_at_contact([a, b]));
    format!(
        "give `rate = \"{} nm^3/us\"`, with which k_on in this potential is what was typed{bare}, and for the way back \
         `unbind` as k_off x {}; or {leave}",
        digits(rate, 6),
        digits(1.0 / escapes, 4)
    )
}
