//! `jostle check`.

use std::io::Write;

use super::{Failure, ModelArguments};
use crate::model::Model;
use crate::rules::Chance;
use crate::run::text::{bytes_text, counted, digits, paragraph, time_text, wall_text};
use crate::run::{Forecast, Odds, PairForecast, forecast};

/// The command line of `jostle check`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    model: ModelArguments,
}

pub(super) fn carry_out(arguments: Arguments) -> Result<(), Failure> {
    let model = arguments.model.load()?;
    let forecast = forecast(&model)?;
    let warnings = model.warnings();
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}\n", model.title)?;
    for (label, text) in lines(&model, &forecast) {
        write!(out, "{}", paragraph(&format!("  {label:<14}"), &text))?;
    }
    for pair in &forecast.pairs {
        writeln!(out, "\n  rule {}", pair.rule)?;
        for (label, text) in rule_lines(pair, model.dimension) {
            write!(out, "{}", paragraph(&format!("    {label:<12}"), &text))?;
        }
    }
    writeln!(out)?;
    for warning in &warnings {
        write!(out, "{}", paragraph("  WARNING       ", warning))?;
    }
    let unreachable = forecast.pairs.iter().filter_map(|pair| pair.odds.as_ref());
    if unreachable.filter(|odds| odds.probability.is_err()).count() > 0 {
        return Err(Failure::Error("a rule cannot have the rate asked for at this time step".into()));
    }
    if warnings.is_empty() {
        writeln!(out, "  Nothing looks wrong.")?;
    }
    Ok(())
}

/// What concerns the whole model: label and text.
fn lines(model: &Model, forecast: &Forecast) -> Vec<(&'static str, String)> {
    let mut list = vec![("box", box_in_words(model)), ("bodies", bodies_in_words(forecast))];
    let (length, steps) = (time_text(model.timestep * model.steps as f64), model.steps);
    list.push(("time", format!("{length}: {steps} steps of {}", time_text(model.timestep))));
    let (step, species) = &forecast.step_length;
    let radius = forecast.smallest_radius;
    list.push((
        "step length",
        format!(
            "{} nm (rms per axis, {species}), {} of the smallest radius, {radius} nm",
            digits(*step, 3),
            digits(step / radius, 2)
        ),
    ));
    let what = ["length", "area", "volume"][model.dimension - 1];
    let percent = digits(100.0 * forecast.packing_fraction, 3);
    list.push(("packing", format!("bodies that keep each other out fill {percent} % of the {what}")));
    list.push(("search", forecast.search.clone()));
    list.push(("contacts", contacts_in_words(model, forecast)));
    if let Some(pace) = forecast.pace {
        let tried = counted(pace.steps, "step");
        let whole = wall_text(pace.step * model.steps as f64);
        let step = digits(1e3 * pace.step, 2);
        list.push(("run time", format!("about {whole}, at {step} ms per step ({tried} tried)")));
    }
    list.push(("memory", format!("about {}", bytes_text(forecast.memory))));
    let contacts = if forecast.logs_all { forecast.contacts_size } else { 0.0 };
    let size = bytes_text(forecast.frames_size + contacts);
    let every = time_text(model.timestep * model.output.frame_every as f64);
    let frames = counted(forecast.frames, "frame");
    list.push(("file", format!("about {size}: {frames}, one every {every}")));
    list
}

fn box_in_words(model: &Model) -> String {
    let axes = model.edges.iter().zip(model.periodic).take(model.dimension);
    let axes = axes.map(|(edge, periodic)| {
        format!("{} nm {}", digits(*edge, 6), if periodic { "periodic" } else { "with walls" })
    });
    axes.collect::<Vec<_>>().join(" x ")
}

fn bodies_in_words(forecast: &Forecast) -> String {
    let all: usize = forecast.bodies.iter().map(|(_, count)| count).sum();
    match forecast.bodies.as_slice() {
        [(name, count)] => format!("{count} {name}"),
        several => {
            let each: Vec<_> = several.iter().map(|(name, count)| format!("{count} {name}")).collect();
            format!("{all}: {}", each.join(", "))
        }
    }
}

/// How many contacts to expect, and what it costs to log them all.
fn contacts_in_words(model: &Model, forecast: &Forecast) -> String {
    let per_step = forecast.contacts_per_step;
    if per_step == 0.0 {
        return "none between bodies".to_owned();
    }
    let all = bytes_text(forecast.contacts_size);
    let per_time = bytes_text(forecast.contacts_size / (model.timestep * model.steps as f64) * 1e3);
    let pace = forecast.pace.map_or(String::new(), |pace| {
        let rate = forecast.contacts_size / (pace.step * model.steps as f64);
        format!(", {} per second that it runs", bytes_text(rate))
    });
    let logged = match forecast.logs_all {
        true => "the log of them all takes",
        false => "a log of them all (log = \"all\") would take",
    };
    format!(
        "about {} per step between bodies, {} in all; {logged} {all} ({per_time} per ms of model \
         time{pace})",
        digits(per_step, 3),
        digits(per_step * model.steps as f64, 2),
    )
}

/// What one rule for binding amounts to: label and text.
fn rule_lines(pair: &PairForecast, dimension: usize) -> Vec<(&'static str, String)> {
    let [a, b] = &pair.species;
    let mut list = vec![("between", format!("{a} and {b}"))];
    let Some(odds) = &pair.odds else {
        let text = "not known yet: the size or the mobility of one of them follows from what it is made of";
        list.push(("probability", text.into()));
        return list;
    };
    let p = match &odds.probability {
        Ok(p) => format!("{} at each contact", digits(*p, 4)),
        Err(why) => format!("NOT POSSIBLE: {why}"),
    };
    match pair.chance {
        Chance::Intrinsic(k_a) => {
            list.push(("rate", format!("k_a = {}", rate_in_words(k_a, dimension))));
            list.push(("probability", format!("{p}, at this time step")));
        }
        Chance::Probability(_) => {
            let rate = odds.rate.map_or(String::new(), |k_a| {
                let k_a = rate_in_words(k_a, dimension);
                format!(". At this one it amounts to k_a = {k_a}; `rate` would hold it at every step")
            });
            list.push((
                "probability",
                format!("{p}. A bare probability is tied to the time step: half the step, other rate{rate}"),
            ));
        }
    }
    list.push(("calibration", calibration_in_words(odds)));
    list.extend(pair.unbinding.iter().map(|k_d| ("unbinding", unbinding_in_words(*k_d, odds, dimension))));
    list
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
        format!("; this rate can be had up to a time step of {}", time_text(rounded_down(largest)))
    });
    format!("{left}a step of the pair is {} of its contact distance, {range}{longest}", digits(*ratio, 3))
}

/// To three digits, never up.
fn rounded_down(x: f64) -> f64 {
    let digit = libm::pow(10.0, libm::floor(libm::log10(x)) - 2.0);
    libm::floor(x / digit) * digit
}

fn unbinding_in_words(k_d: f64, odds: &Odds, dimension: usize) -> String {
    let per_second = digits(k_d * 1e6, 4);
    let ratio = odds.unbinding_correction;
    match odds.rate {
        Some(k_a) if ratio != 1.0 => format!(
            "k_d = {per_second} /s, carried out with k_d'/k_d = {}, so that K = k_a/k_d = {} holds",
            digits(ratio, 4),
            equilibrium_in_words(k_a / k_d, dimension)
        ),
        _ => format!("k_d = {per_second} /s, taken as it stands"),
    }
}

/// An equilibrium constant \[nm^d\].
fn equilibrium_in_words(constant: f64, dimension: usize) -> String {
    let constant_in = |factor: f64| digits(constant * factor, 4);
    match dimension {
        1 => format!("{} nm", constant_in(1.0)),
        2 => format!("{} µm²", constant_in(1e-6)),
        _ => format!("{} nm³ = {} /M", constant_in(1.0), constant_in(0.602_214_076)),
    }
}
