//! What is to be expected of a run: how often each rule applies, how many particles there will be,
//! and how much room each species has.

use crate::{Forecast, Kind};
use jostle_core::rules::{Observable, ScheduledAction, TimedAction};
use jostle_core::sites::SitePattern;
use jostle_core::words::{abridged, column_width, counted, digits, time_text};
use jostle_model::templates::is_of_molecules;
use jostle_model::{Model, Warning, measure, spread};

/// Fewer events than this are none, as likely as not.
const SELDOM: f64 = 0.5;
/// From so many times as many particles on, or as a thousand of them, a run is said to grow.
const GROWTH: f64 = 10.0;

/// The room and the concentration of each species at the start.
pub(super) fn concentrations(model: &Model, forecast: &Forecast) -> String {
    let width = column_width(forecast.particles.iter().map(|kind| &kind.name));
    let line = |(s, Kind { name, count, .. }): (usize, &Kind)| {
        let (dimension, room) =
            (model.dimension_of([s as u16; 2]), measure::room_of(model, s as u16));
        let (extent, density) = match dimension {
            1 => (format!("{} µm", digits(room * 1e-3, 4)), per(*count, room * 1e-3, "µm")),
            2 => (format!("{} µm²", digits(room * 1e-6, 4)), per(*count, room * 1e-6, "µm²")),
            3 => (format!("{} µm³", digits(room * 1e-9, 4)), molar(*count as f64 / room)),
            _ => return format!("{name:<width$}  a point"),
        };
        format!("{name:<width$}  {count} in {extent}: {density}")
    };
    abridged(forecast.particles.iter().enumerate().map(line), "species").join("\n")
}

fn per(count: usize, room: f64, unit: &str) -> String {
    format!("{} per {unit}", digits(count as f64 / room, 4))
}

/// A number per volume \[1/nm³\] as a concentration.
fn molar(density: f64) -> String {
    // One per nm³ is 1/0.6022 mol/l.
    let nanomolar = density / 0.602_214_076 * 1e9;
    match nanomolar {
        c if c >= 1e6 => format!("{} mM", digits(c * 1e-6, 4)),
        c if c >= 1e3 => format!("{} µM", digits(c * 1e-3, 4)),
        c => format!("{} nM", digits(c, 4)),
    }
}

/// How often each rule applies, if all is well mixed; nothing without rules.
pub(super) fn events(model: &Model, forecast: &Forecast) -> Option<String> {
    let names = model.rules().names();
    let width = column_width(&names);
    let has_sizes = |number: usize| {
        let Some(rule) = model.rules().contact.get(number) else { return true };
        let radius = |s: u16| model.species[s as usize].radius.is_some();
        rule.cases.iter().any(|case| case.species.iter().all(|&s| radius(s)))
    };
    let known = |number: usize| {
        has_sizes(number)
            && follows(model, number).is_none()
            && unevenly_spread(model, number).is_none()
    };
    let unsettled = unsettled(model, &known);
    let fragments = |number: usize| {
        let timed = model.rules().timed_rule(number as u16);
        timed.is_some_and(|rule| rule.action.cuts().is_some())
    };
    let reacts = |number: usize| {
        let contact = model.rules().contact.get(number);
        model.rules().reacts(number as u16) && !contact.is_some_and(is_of_molecules)
    };
    let reacting = (0..names.len()).filter(|&number| reacts(number));
    let entries = model.rules().schedule.iter().map(|entry| entry.action.adds().is_some());
    let counted: Vec<bool> = entries.collect();
    let first = model.rules().first_scheduled() as usize;
    let lines = reacting.filter(|&n| n < first || counted[n - first]).map(|number| {
        let expected = forecast.outlook.events[number];
        let (followed, unevenly) = (follows(model, number), unevenly_spread(model, number));
        let text = match expected {
            _ if !has_sizes(number) => {
                "not known: sizes depend on what the particles are made of".to_owned()
            }
            _ if followed.is_some() => format!(
                "not known: its rate follows `{}`, which counts some molecules of a species only",
                followed.unwrap_or_default()
            ),
            _ if unevenly.is_some() => format!(
                "not known: its particles are not spread evenly, because of {}",
                unevenly.unwrap_or_default()
            ),
            x if (x == 0.0 || fragments(number) || follows_any(model))
                && reactants(model, number).any(|s| unsettled[s as usize]) =>
            {
                "not known: it depends on a rule whose rate is not known".to_owned()
            }
            0.0 => "never".to_owned(),
            x if x < SELDOM => {
                format!("about {} times: this run is too short to see it", digits(x, 2))
            }
            // The forecast takes all molecules of a species for those that the rule asks for.
            x if asks_for_more(model, number) => format!("at most about {} times", digits(x, 2)),
            x => format!("about {} times", digits(x, 2)),
        };
        format!("{:<width$}  {text}", names[number])
    });
    let lines = abridged(lines, "rules");
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// What keeps the particles that a rule is for from being spread evenly, where it counts how they are spread: they
/// have to meet, or to be in some place.
fn unevenly_spread(model: &Model, number: usize) -> Option<String> {
    let rules = model.rules();
    if let Some(rule) = rules.contact.get(number) {
        return rule.cases.iter().find_map(|case| match rule.region {
            Some(_) => case.species.iter().find_map(|&s| spread::uneven(model, s)),
            None => spread::uneven_pair(model, case.species),
        });
    }
    let timed = rules.timed_rule(number as u16).filter(|rule| rule.region.is_some())?;
    timed.action.conversions().iter().find_map(|case| spread::uneven(model, case.species[0]))
}

/// The species that a rule is for, if it is not one of the schedule.
fn reactants(model: &Model, number: usize) -> impl Iterator<Item = u16> {
    let contact = model.rules().contact.get(number);
    let timed = model.rules().timed_rule(number as u16).map(|rule| &rule.action);
    let at_contact = contact.into_iter().flat_map(|rule| &rule.cases).flat_map(|case| case.species);
    let converted = timed.into_iter().flat_map(TimedAction::conversions);
    let cut = timed.and_then(TimedAction::cuts).map_or(&[][..], |(species, _)| species);
    at_contact.chain(converted.map(|case| case.species[0])).chain(cut.iter().copied())
}

/// Which species rules whose rates are not known may make, themselves or by way of other rules.
fn unsettled(model: &Model, known: &impl Fn(usize) -> bool) -> Vec<bool> {
    let rules = model.rules();
    let mut found = vec![false; model.species.len()];
    loop {
        let before = found.clone();
        for (number, rule) in rules.contact.iter().enumerate() {
            for case in &rule.cases {
                if !known(number) || case.species.iter().any(|&s| found[s as usize]) {
                    case.products.iter().for_each(|&s| found[s as usize] = true);
                }
            }
        }
        for (n, rule) in rules.timed.iter().enumerate() {
            let is_known = known(rules.first_timed() as usize + n);
            let cases = rule.action.conversions().iter();
            for case in cases.filter(|case| !is_known || before[case.species[0] as usize]) {
                found[case.species[0] as usize] |= !is_known;
                case.products.iter().for_each(|&s| found[s as usize] = true);
            }
            if let (TimedAction::Create { species, .. }, false) = (&rule.action, is_known) {
                found[*species as usize] = true;
            }
        }
        if found == before {
            return found;
        }
    }
}

/// The observable that the rate of a rule follows of which the forecast does not know how many there are,
/// since it counts only some molecules of its species.
fn follows(model: &Model, number: usize) -> Option<&str> {
    let rules = model.rules();
    let factors = rules.schedule.iter().filter_map(|entry| {
        let ScheduledAction::Scale { rule, factor, .. } = &entry.action else { return None };
        (usize::from(*rule) == number).then_some(factor)
    });
    let is_part = |observable: &Observable| {
        let is_narrow = |pattern: &SitePattern| pattern.mask != 0 || !pattern.attached.is_empty();
        observable.of_clusters || observable.ways.iter().any(|(_, pattern)| is_narrow(pattern))
    };
    let known = |n: usize| (n as u16, &rules.observables[n]);
    factors.into_iter().find_map(|factor| {
        let all = (0..rules.observables.len()).map(known);
        let mut parts = all.filter(|(n, one)| factor.formula.depends_on(*n) && is_part(one));
        parts.next().map(|(_, one)| one.name.as_str())
    })
}

/// Whether there is such a rule.
fn follows_any(model: &Model) -> bool {
    (0..model.rules().len()).any(|number| follows(model, number).is_some())
}

/// Whether a rule asks for bonds or states of sites that molecules do not have at first.
fn asks_for_more(model: &Model, number: usize) -> bool {
    let asks = |pattern: Option<&SitePattern>| pattern.is_some_and(|pattern| pattern.value != 0);
    if let Some(rule) = model.rules().contact.get(number) {
        return rule.cases.iter().any(|case| asks(case.pattern(0)) || asks(case.pattern(1)));
    }
    let timed = model.rules().timed_rule(number as u16);
    let mut cases = timed.into_iter().flat_map(|rule| rule.action.conversions());
    cases.any(|case| asks(case.pattern(0)))
}

/// How many particles there are at the end, if that is another number.
pub(super) fn later(model: &Model, forecast: &Forecast) -> Option<String> {
    let changes = forecast.particles.iter().zip(&forecast.outlook.last);
    let mut changes =
        changes.map(|(kind, last)| (last - kind.count as f64).abs() / (kind.count as f64 + 1.0));
    if forecast.outlook.outgrows.is_some() || !changes.any(|change| change > 0.05) {
        return None;
    }
    let unsettled = unsettled(model, &|number| follows(model, number).is_none());
    let each = model.species.iter().zip(&forecast.outlook.last).zip(unsettled);
    let each = each.map(|((species, last), is_open)| match is_open {
        true => format!("? {}", species.name),
        false => format!("{} {}", digits(*last, 2), species.name),
    });
    let each = abridged(each, "species");
    Some(format!("about {} at the end, if all is well mixed", each.join(", ")))
}

/// What looks wrong with it.
pub(super) fn warnings(model: &Model, forecast: &Forecast) -> Vec<Warning> {
    let first: usize = forecast.particles.iter().map(|kind| kind.count).sum();
    let end = model.run.duration();
    let mut list = Vec::new();
    let most = forecast.outlook.most();
    if let Some(time) = forecast.outlook.outgrows {
        list.push(Warning::of_all(format!(
            "particles multiply: after about {} of {} there are {} from {first}, more than this machine has memory for; \
             the estimates of run time, memory and file size hold until then",
            time_text(time),
            time_text(end),
            digits(most, 2)
        )));
    } else if most > GROWTH * first.max(1000) as f64 {
        list.push(Warning::of_all(format!(
            "particles multiply: up to about {} at a time, from {first} at the start",
            digits(most, 2)
        )));
    }
    if forecast.pace.is_none() {
        list.push(Warning::of_all("not known: the first step takes longer than a second"));
    }
    if let Some(entry) = crowded(model, forecast) {
        list.push(entry);
    }
    list
}

/// Particles that the schedule adds again and again, and that can find no room.
fn crowded(model: &Model, forecast: &Forecast) -> Option<Warning> {
    let last = &forecast.outlook.last;
    let fills = |s: usize| {
        let (d, radius) =
            (model.dimension_of([s as u16; 2]), model.species[s].radius.unwrap_or(0.0));
        last[s] * jostle_core::space::ball_volume(d, radius) / measure::room_of(model, s as u16)
    };
    let full =
        (0..last.len()).find(|&s| fills(s) > 0.5 && !model.rules().pass(s as u16, s as u16))?;
    let adds = model.rules().schedule.iter().any(|entry| entry.action.adds() == Some(full as u16));
    adds.then(|| {
        let count = counted(last[full] as u64, "particle");
        let name = &model.species[full].name;
        Warning::of_species(
            name,
            format!(
                "{name}: {count} by the end would fill the box, and there will be no space for many of them"
            ),
        )
    })
}
