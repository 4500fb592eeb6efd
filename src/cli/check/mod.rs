//! `jostle check`.

mod amounts;
mod expected;
mod gas;
mod granular;
mod polygons;
mod rules;
mod surfaces;

use std::io::Write;

use super::{Failure, ModelArguments};
use crate::model::Model;
use crate::run::{Forecast, forecast};
use crate::words::{bytes_text, counted, digits, length_text, paragraph, time_text, wall_text};

/// The command line of `jostle check`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    model: ModelArguments,
}

pub(super) fn carry_out(arguments: Arguments) -> Result<(), Failure> {
    let model = arguments.model.load()?;
    told(&model).map_err(|failure| arguments.model.located(failure, &model))
}

fn told(model: &Model) -> Result<(), Failure> {
    if let Some(granular) = model.granular() {
        return granular::carry_out(model, granular);
    }
    if let Some(polygons) = model.polygons() {
        return polygons::carry_out(model, polygons);
    }
    if let Some(gas) = model.gas() {
        return gas::carry_out(model, gas);
    }
    let forecast = forecast(model)?;
    let mut warnings = model.warnings();
    warnings.extend(expected::warnings(model, &forecast));
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}\n", model.title)?;
    for (label, text) in lines(model, &forecast) {
        write!(out, "{}", paragraph(&format!("  {label:<14}"), &text))?;
    }
    for (heading, lines) in rules::all(model, &forecast) {
        writeln!(out, "\n  {heading}")?;
        for (label, text) in lines {
            write!(out, "{}", paragraph(&format!("    {label:<12}"), &text))?;
        }
    }
    if let Some(events) = expected::events(model, &forecast) {
        writeln!(out, "\n  expected in this run, if all is well mixed")?;
        write!(out, "{}", paragraph("    ", &events))?;
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
    let mut list = vec![("box", box_in_words(model))];
    list.extend(surfaces::in_words(model).map(|text| ("surface", text)));
    list.push(("bodies", bodies_in_words(forecast)));
    list.extend(amounts::in_words(model).map(|text| ("count", text)));
    list.extend(expected::later(model, forecast).map(|text| ("later", text)));
    list.push(("room", expected::concentrations(model, forecast)));
    let (length, steps) = (time_text(model.timestep * model.steps as f64), model.steps);
    list.push(("time", format!("{length}: {steps} steps of {}", time_text(model.timestep))));
    let (step, species) = &forecast.step_length;
    let radius = forecast.smallest_radius;
    list.push((
        "step length",
        format!(
            "{} nm (rms per axis, {species}), {} of the smallest radius, {radius} nm{}",
            digits(*step, 3),
            digits(step / radius, 2),
            if *step > radius {
                ": longer than that, which is right only where bodies are far apart"
            } else {
                ""
            }
        ),
    ));
    let what = ["length", "area", "volume"][model.dimension - 1];
    let percent = digits(100.0 * forecast.packing_fraction, 3);
    let of = match model.surroundings.is_empty() {
        true => format!("{percent} % of the {what}"),
        false => format!("{percent} % of the {what} or the surface that they have"),
    };
    list.push(("packing", format!("bodies that keep each other out fill {of}")));
    list.push(("search", forecast.search.clone()));
    list.push(("contacts", contacts_in_words(model, forecast)));
    if let Some(pace) = forecast.pace {
        let tried = counted(pace.steps, "step");
        let whole = wall_text(forecast.run_time.unwrap_or(pace.step * model.steps as f64));
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

fn mass_text(kilograms: f64) -> String {
    match kilograms {
        m if m >= 1.0 => format!("{} kg", digits(m, 4)),
        m if m >= 1e-3 => format!("{} g", digits(m * 1e3, 4)),
        m => format!("{} mg", digits(m * 1e6, 4)),
    }
}

fn box_in_words(model: &Model) -> String {
    let axes = model.edges.iter().zip(model.periodic).take(model.dimension);
    let axes = axes.map(|(edge, periodic)| {
        format!("{} {}", length_text(*edge), if periodic { "periodic" } else { "with walls" })
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
    let parts =
        [(forecast.contacts_per_step, "between bodies"), (forecast.wall_contacts_per_step, "with walls")];
    let per_step: f64 = parts.iter().map(|(count, _)| count).sum();
    if per_step == 0.0 {
        return "none".to_owned();
    }
    let parts = parts.iter().filter(|(count, _)| *count > 0.0);
    let parts: Vec<String> =
        parts.map(|(count, whom)| format!("{} per step {whom}", digits(*count, 3))).collect();
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
        "about {}, {} in all; {logged} {all} ({per_time} per ms of model \
         time{pace})",
        parts.join(" and "),
        digits(per_step * model.steps as f64, 2),
    )
}

/// Tells what a model will do, line by line, and what looks wrong.
fn tell(model: &Model, lines: Vec<(&str, String)>, warnings: &[String]) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}\n", model.title)?;
    for (label, text) in lines {
        write!(out, "{}", paragraph(&format!("  {label:<14}"), &text))?;
    }
    writeln!(out)?;
    for warning in warnings {
        write!(out, "{}", paragraph("  NOTE          ", warning))?;
    }
    if warnings.is_empty() {
        writeln!(out, "  Nothing looks wrong.")?;
    }
    Ok(())
}
