//! What the rules amount to, in words.

use crate::{Forecast, Odds, PairForecast, TetherForecast, tether_forecasts};
use jostle_core::potentials::StepPotential;
use jostle_core::rules::{
    Case, Chance, Cut, Division, Scheduled, ScheduledAction, TimedAction, TimedRule,
};
use jostle_core::words::{MOST_LISTED, concentration, digits, time_text};
use jostle_model::molecule_text::MoleculeText;
use jostle_model::potentials::{Energy, Law, Potential, SurfacePotential};
use jostle_model::templates::is_of_molecules;
use jostle_model::{Model, measure};

/// Label and text.
type Lines = Vec<(&'static str, String)>;

/// From which share on shells change an energy by so much that more of them are proposed.
const NEAR: f64 = 0.01;

/// All potentials, reactions at contact, rules in time and entries of the schedule: heading and lines.
pub(super) fn all(model: &Model, forecast: &Forecast) -> Vec<(String, Lines)> {
    let contact = forecast.pairs.iter().map(|pair| {
        let lines = pair_lines(pair, pair.dimension);
        (format!("rule {}", pair.rule), lines)
    });
    let tethers = tether_forecasts(model);
    let tethers =
        tethers.iter().map(|tether| (format!("rule {}", tether.rule), tether_lines(tether)));
    // What undoes a binding stands with it.
    let alone = |rule: &&TimedRule| match &rule.action {
        TimedAction::Unbind { of, cut: Cut::Any, .. } => {
            of.len() > 1
                || breaks_molecule(model, of)
                || of.iter().any(|&of| !model.rules().reverses(rule, of))
        }
        TimedAction::Unbind { .. }
        | TimedAction::Convert { .. }
        | TimedAction::Create { .. }
        | TimedAction::Fragment { .. } => true,
    };
    let timed = model.rules().timed.iter().filter(alone);
    let timed = timed.map(|rule| {
        (format!("rule {}", rule.name), vec![("in time", timed_in_words(model, rule))])
    });
    let schedule = model.rules().schedule.iter().map(|entry| {
        (format!("schedule {}", entry.name), vec![("by clock", scheduled_in_words(model, entry))])
    });
    let potentials = model.potentials().iter().filter_map(|one| potential_lines(model, one));
    let beside = model.surface_potentials().iter().map(|one| beside_lines(model, one));
    let mut all =
        potentials.chain(beside).chain(contact).chain(tethers).chain(timed).chain(schedule);
    let mut listed: Vec<_> = all.by_ref().take(MOST_LISTED).collect();
    let more = all.count();
    if more > 0 {
        listed.push((format!("and {more} more"), Vec::new()));
    }
    listed
}

/// Whether the bonds of a rule are those of a molecule of several spheres.
fn breaks_molecule(model: &Model, of: &[u16]) -> bool {
    let contact = |of: &u16| model.rules().contact.get(usize::from(*of));
    of.iter().filter_map(contact).any(is_of_molecules)
}

/// The rate, rate constant or probability of rule `number`.
fn rate_of(model: &Model, number: u16) -> f64 {
    match model.rules().contact.get(number as usize).map(|rule| rule.chance) {
        Some(Chance::Intrinsic(x) | Chance::Macroscopic(x) | Chance::Probability(x)) => x,
        None => model.rules().timed_rule(number).map_or(f64::NAN, |rule| rule.rate),
    }
}

/// How many names are listed before the rest is only counted.
const MOST_NAMES: usize = 3;

/// A list, cut short.
fn some(names: &[String], what: &str) -> String {
    match names.len().checked_sub(MOST_NAMES) {
        Some(more) if more > 0 => {
            format!("{} and {more} more {what}", names[..MOST_NAMES].join(", "))
        }
        _ => names.join(", "),
    }
}

fn between(pairs: &[[String; 2]]) -> String {
    let names: Vec<_> = pairs.iter().map(|[a, b]| format!("{a} and {b}")).collect();
    some(&names, "pairs")
}

fn timed_in_words(model: &Model, rule: &TimedRule) -> String {
    let text = MoleculeText::new(&model.species);
    let name = |s: u16| model.species[s as usize].name.clone();
    let list =
        |species: Vec<u16>| some(&species.into_iter().map(name).collect::<Vec<_>>(), "species");
    let (per_second, wait) = (digits(rule.rate * 1e6, 4), time_text(1.0 / rule.rate));
    let there = if rule.region.is_some() { " in the region" } else { "" };
    let each =
        |of: String| format!("{per_second} /s for each {of}{there}, after {wait} on average");
    match &rule.action {
        TimedAction::Unbind { cut: Cut::All, .. } => each("cluster that it has bound".to_owned()),
        TimedAction::Unbind { ends, .. } if !ends.is_empty() => {
            let bonds: Vec<_> = ends.iter().map(|case| text.of_bond(case)).collect();
            let change =
                if ends.iter().any(Case::changes_states) { ", with a change of state" } else { "" };
            each(format!("first bond of {}{change}", some(&bonds, "complexes")))
        }
        TimedAction::Unbind { of, cut: Cut::Any, .. } => {
            let names = of.iter().map(|&of| model.rules().name(of).to_owned());
            each(format!("bond of {}", some(&names.collect::<Vec<_>>(), "rules")))
        }
        TimedAction::Unbind { .. } => each("bond at an end".to_owned()),
        TimedAction::Convert { cases } => {
            let of = |case| {
                let [name] = text.of_case(case);
                name
            };
            let what = if cases.iter().all(Case::is_of_species) { "species" } else { "patterns" };
            each(some(&cases.iter().map(of).collect::<Vec<_>>(), what))
        }
        TimedAction::Fragment { species, .. } => each(format!("bond of {}", list(species.clone()))),
        TimedAction::Create { species, .. } => {
            let all = model.room_for(*species, rule.region.as_ref()) * rule.rate;
            let part = rule.region.is_some() && model.surroundings().anchor(*species).is_some();
            let of_all = if part { ", if the region had all of its surface" } else { "" };
            let held = held(model, rule, *species).unwrap_or_default();
            format!(
                "one {} every {} on average{of_all}{held}",
                name(*species),
                time_text(1.0 / all)
            )
        }
    }
}

/// What creation and removal of a species in the same place hold together, if both are there.
fn held(model: &Model, creation: &TimedRule, species: u16) -> Option<String> {
    let removes = |case: &Case<1>| {
        case.species == [species] && case.products.is_empty() && case.is_of_species()
    };
    let goes_with = |rule: &&TimedRule| {
        rule.action.conversions().iter().any(removes)
            && (&rule.region, &rule.windows, &rule.size)
                == (&creation.region, &creation.windows, &creation.size)
    };
    let removal = model.rules().timed.iter().find(goes_with)?;
    let density = creation.rate / removal.rate;
    let number = digits(density * model.room_for(species, creation.region.as_ref()), 4);
    let held = match model.dimension_of([species; 2]) {
        3 => format!("{}, {number} on average", concentration(density)),
        _ => format!("{number} on average"),
    };
    let diffusion = model.species[usize::from(species)].diffusion_coefficient.unwrap_or(0.0);
    let depth = creation.region.as_ref().map_or_else(String::new, |_| {
        // So far a particle gets before it is replaced.
        let depth = digits((diffusion / removal.rate).sqrt(), 3);
        format!("; within about {depth} nm of the edge of the region it follows what is beyond")
    });
    Some(format!(", which holds {held}, together with rule {}{depth}", removal.name))
}

fn scheduled_in_words(model: &Model, entry: &Scheduled) -> String {
    let rule = |number: u16| model.rules().name(number);
    let what = match &entry.action {
        ScheduledAction::SetRate { rule: number, rate } => {
            let share = digits(rate / rate_of(model, *number), 4);
            format!(
                "sets the rate of rule {} to {share} times its value in the model",
                rule(*number)
            )
        }
        ScheduledAction::Scale { rule: number, rate, factor } => {
            let share = digits(rate / rate_of(model, *number), 4);
            let times = if share == "1" { String::new() } else { format!("{share} times ") };
            format!(
                "sets the rate of rule {} to {times}its value in the model, times {}",
                rule(*number),
                factor.text
            )
        }
        ScheduledAction::Switch { rule: number, on: true } => {
            format!("switches rule {} on", rule(*number))
        }
        ScheduledAction::Switch { rule: number, on: false } => {
            format!("switches rule {} off", rule(*number))
        }
        ScheduledAction::SwitchPotential { potential, on } => {
            let name = &model.potentials()[usize::from(*potential)].name;
            format!("switches potential {name} {}", if *on { "on" } else { "off" })
        }
        ScheduledAction::Add { species, sites, count, .. } => {
            format!("adds {count} {}", MoleculeText::new(&model.species).particle(*species, *sites))
        }
        ScheduledAction::Divide(Division::Keep(p)) => {
            format!("divides the cell: each cluster stays with probability {}", digits(*p, 4))
        }
        ScheduledAction::Divide(Division::Volume { fraction, axis }) => {
            let axis = ["x", "y", "z"][*axis];
            format!(
                "divides the cell: particles in the first {} along {axis} stay",
                digits(*fraction, 4)
            )
        }
    };
    let every =
        entry.every.map_or(String::new(), |every| format!(", and then every {}", time_text(every)));
    format!("at {}{every}: {what}", time_text(entry.at))
}

/// What a reaction at contact amounts to for the pairs for which it is the same.
fn pair_lines(pair: &PairForecast, dimension: usize) -> Lines {
    let mut list = vec![("between", between(&pair.pairs))];
    let Some(odds) = &pair.odds else {
        let text = "not known: the size or the mobility of one of them depends on what it is made of, or neither moves";
        list.push(("probability", text.into()));
        return list;
    };
    let p = match &odds.probability {
        Ok(p) => format!("{} at each contact", digits(*p, 4)),
        Err(why) => format!("NOT POSSIBLE: {why}"),
    };
    match pair.chance {
        Chance::Intrinsic(k_a) => {
            let k_on = odds.macroscopic.map_or(String::new(), |k_on| {
                format!(
                    ", which gives k_on = {} between single particles{}",
                    rate_in_words(k_on, dimension),
                    if odds.energy == 0.0 { "" } else { " without the potential" }
                )
            });
            list.push(("rate", format!("k_a = {}{k_on}", rate_in_words(k_a, dimension))));
            list.push(("probability", format!("{p}, at this time step")));
        }
        Chance::Macroscopic(k_on) => {
            let k_a = odds.rate.map_or(String::new(), |k_a| {
                format!(", for which k_a = {}", rate_in_words(k_a, dimension))
            });
            list.push(("rate", format!("k_on = {}{k_a}", rate_in_words(k_on, dimension))));
            list.push(("probability", format!("{p}, at this time step")));
        }
        Chance::Probability(_) => {
            let rate = odds.rate.map_or(String::new(), |k_a| {
                let k_a = rate_in_words(k_a, dimension);
                format!(
                    ". At this step it amounts to k_a = {k_a}; `rate` would keep that at any step"
                )
            });
            list.push((
                "probability",
                format!("{p}. A probability is tied to the time step: with half the step, the rate is different{rate}"),
            ));
        }
    }
    list.push(("calibration", calibration_in_words(odds)));
    list.extend(pair.unbinding.map(|rate| ("unbinding", unbinding_in_words(pair, rate, odds))));
    list.extend(
        pair.unbinding.and_then(|rate| Some(("constant", constant_in_words(pair, rate, odds)?))),
    );
    list
}

/// A potential in shells, as its first pair of species of known size has it.
fn potential_lines(model: &Model, potential: &Potential) -> Option<(String, Lines)> {
    let pairs = potential.pairs();
    // A species that only arises by coalescence has no radius of its own.
    let first = *pairs.iter().find(|pair| model.contact_distance(**pair).is_finite())?;
    let names = pairs.iter().map(|pair| pair.map(|s| model.species[usize::from(s)].name.clone()));
    let (contact, dimension) = (model.contact_distance(first), model.dimension_of(first));
    let stepped = potential.energy.stepped(contact, dimension);
    let shell = |(n, to): (usize, &f64)| {
        format!("{} kT to {} nm", digits(stepped.in_shell(n), 4), digits(*to, 4))
    };
    let shells: Vec<_> = stepped.edges().iter().enumerate().map(shell).collect();
    let unit = ["nm", "nm²", "nm³"][dimension - 1];
    let virial = |potential: &StepPotential| digits(potential.second_virial(contact, dimension), 4);
    let kept = match potential.energy {
        Energy::Smooth { law: Law::Shells(_), .. } => ", as that of the smooth potential",
        Energy::Steps(_) | Energy::Smooth { law: Law::Bounces, .. } => "",
    };
    let law = match potential.energy.climb(contact) {
        None => ("shells", shells.join(", ")),
        Some(climb) => {
            let diffusion = first.map(|s| model.species[usize::from(s)].diffusion_coefficient);
            let diffusion: f64 = diffusion.into_iter().flatten().sum();
            let step = measure::rms_step(diffusion, model.run.timestep);
            let slower = 100.0 * climb.slower(step, dimension);
            let text = format!(
                "pairs bounce by the energy that they climb, {} kT at contact, up to {} nm; where it acts, they drift \
                 and diffuse relative to each other more slowly by some {} %, in proportion to the length of a step",
                digits(climb.energy(contact), 4),
                digits(climb.range(), 4),
                digits(slower, 2)
            );
            ("law", text)
        }
    };
    let hard = virial(&StepPotential::new(Vec::new(), Vec::new()));
    let lowered = potential.energy.lowered_by_shells(contact, dimension, NEAR);
    let lowered = lowered.map(|(share, enough)| {
        let way = if share < 0.0 { "higher" } else { "lower" };
        let percent = digits(100.0 * share.abs(), 2);
        let remedy = match enough {
            _ if share.abs() <= NEAR => String::new(),
            Some(shells) => format!(
                "; `shells = {shells}` brings it within {} %, and takes more time",
                digits(100.0 * NEAR, 2)
            ),
            None => "; more of them come nearer to it, and take more time".to_owned(),
        };
        (
            "energy",
            format!(
                "at low density {percent} % {way} than that of the smooth potential, because of the shells{remedy}"
            ),
        )
    });
    let mut lines = vec![
        ("between", between(&names.collect::<Vec<_>>())),
        law,
        (
            "virial",
            format!("B2 = {} {unit}{kept}; {hard} {unit} of hard spheres", virial(&stepped)),
        ),
    ];
    lines.extend(lowered);
    Some((format!("potential {}", potential.name), lines))
}

/// What a potential beside surfaces amounts to.
fn beside_lines(model: &Model, potential: &SurfacePotential) -> (String, Lines) {
    let name = |s: &u16| model.species[usize::from(*s)].name.clone();
    let names: Vec<_> = potential.species.iter().map(name).collect();
    let surfaces: Vec<_> = potential.beside.iter().map(|(name, _)| name.clone()).collect();
    let first = potential.species.iter().find_map(|&s| {
        let radius = model.species[usize::from(s)].radius?;
        Some((potential.climb(radius).energy(radius), model.slower_beside(potential, s)?))
    });
    let text = first.map_or_else(String::new, |(energy, slower)| {
        format!(
            "particles bounce by the energy that they climb, {} kT at the surface, up to {} nm from it; where it acts, they \
             drift and diffuse more slowly by some {} %, in proportion to the length of a step",
            digits(energy, 4),
            digits(potential.cutoff, 4),
            digits(100.0 * slower, 2)
        )
    });
    let between = format!("{} and {}", some(&names, "species"), some(&surfaces, "surfaces"));
    (format!("potential {}", potential.name), vec![("between", between), ("law", text)])
}

/// What a rule that tethers particles amounts to.
fn tether_lines(tether: &TetherForecast) -> Lines {
    let per_second = |rate: f64| format!("{} /s", digits(rate * 1e6, 4));
    let k_a = rate_in_words(tether.k_a, tether.dimension);
    let mut list = vec![
        ("between", between(&tether.pairs)),
        ("rate", format!("k_a = {k_a}")),
        (
            "tether",
            format!(
                "while their centres are within {} nm of each other, a pair becomes tethered at {}",
                digits(tether.length, 6),
                per_second(tether.rate)
            ),
        ),
    ];
    if let Some(rate) = tether.unbinding {
        let alike = tether.pairs.first().is_some_and(|[a, b]| a == b);
        let constant = rate / tether.k_a * if alike { 2.0 } else { 1.0 };
        let (twice, value) =
            (if alike { "2 " } else { "" }, constant_text(tether.dimension, constant));
        list.push(("unbinding", format!("k_d = {}", per_second(rate))));
        list.push(("constant", format!("K_D = {twice}k_d/k_a = {value}, at any time step")));
    }
    list
}

/// A dissociation constant \[1/nm^d\].
fn constant_text(dimension: usize, constant: f64) -> String {
    match dimension {
        1 => format!("{} /µm", digits(constant * 1e3, 4)),
        2 => format!("{} /µm²", digits(constant * 1e6, 4)),
        _ => concentration(constant),
    }
}

/// A rate constant \[nm^d/µs\] in the units that people use.
fn rate_in_words(k: f64, dimension: usize) -> String {
    let k = |factor: f64| digits(k * factor, 4);
    match dimension {
        1 => format!("{} nm/µs", k(1.0)),
        2 => format!("{} µm²/s", k(1.0)),
        // 1 nm³/µs times Avogadro's number
        _ => format!("{} nm³/µs = {} /M/s", k(1.0), k(6.022_140_76e5)),
    }
}

fn calibration_in_words(odds: &Odds) -> String {
    let Odds { step_over_distance: ratio, calibrated_up_to: limit, .. } = odds;
    let range = match limit.is_finite() {
        true => format!("rates are calibrated up to {}", digits(*limit, 3)),
        false => "rates are calibrated at any length".to_owned(),
    };
    let left = if ratio > limit { "OUTSIDE: " } else { "" };
    let longest = odds.largest_timestep.map_or(String::new(), |largest| {
        format!("; this rate is possible up to a time step of {}", time_text(rounded_down(largest)))
    });
    format!(
        "{left}a step of the pair is {} of its contact distance, {range}{longest}",
        digits(*ratio, 3)
    )
}

/// To three digits, never up.
fn rounded_down(x: f64) -> f64 {
    let digit = libm::pow(10.0, libm::floor(libm::log10(x)) - 2.0);
    libm::floor(x / digit) * digit
}

/// A `rate` of unbinding \[1/µs\], which is of the kind that the pair's chance is of.
fn unbinding_in_words(pair: &PairForecast, rate: f64, odds: &Odds) -> String {
    let per_second = |rate: f64| format!("{} /s", digits(rate * 1e6, 4));
    let Some(k_a) = odds.rate else {
        return format!("k_d = {}, used as given", per_second(rate));
    };
    // K = k_a/k_d = k_on/k_off
    let (k_d, k_off) = match (pair.chance, odds.macroscopic) {
        (Chance::Macroscopic(k_on), _) => (rate * k_a / k_on, Some(rate)),
        (_, k_on) => (rate, k_on.map(|k_on| rate * k_on / k_a)),
    };
    let k_off = k_off.map_or(String::new(), |k_off| format!("k_off = {}: ", per_second(k_off)));
    let carried_out = match odds.unbinding_correction {
        1.0 => "used as given".to_owned(),
        ratio => format!("carried out with k_d'/k_d = {}", digits(ratio, 4)),
    };
    format!("{k_off}k_d = {}, {carried_out}", per_second(k_d))
}

/// The equilibrium constant that holds at any time step, if rate constants say it.
fn constant_in_words(pair: &PairForecast, rate: f64, odds: &Odds) -> Option<String> {
    let (forth, what) = match pair.chance {
        Chance::Macroscopic(k_on) => (k_on, "k_off/k_on"),
        Chance::Intrinsic(_) => {
            (odds.rate?, if pair.dimension == 3 { "k_off/k_on" } else { "k_d/k_a" })
        }
        Chance::Probability(_) => return None,
    };
    // Of two of a kind, [A]^2/[A2].
    let alike = pair.pairs.first().is_some_and(|[a, b]| a == b);
    let constant = rate / forth * if alike { 2.0 } else { 1.0 } * libm::exp(odds.energy);
    let value = constant_text(pair.dimension, constant);
    let twice = if alike { "2 " } else { "" };
    let boltzmann = match odds.energy {
        0.0 => String::new(),
        energy => format!(" exp({})", digits(energy, 4)),
    };
    Some(format!("K_D = {twice}{what}{boltzmann} = {value}, at any time step"))
}
