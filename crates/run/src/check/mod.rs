//! What a run of a model will be like, in words: what `jostle check` prints.

mod amounts;
mod expected;
mod first_steps;
mod gas;
mod granular;
mod polygons;
mod rules;
mod start;
mod surfaces;
mod threads;

use std::fmt;

pub use first_steps::forecast;

use crate::error::RunError;
use crate::forecast::{Forecast, Kind};
use jostle_core::output::LogLevel;
use jostle_core::words::{
    abridged, bytes_text, counted, digits, length_text, time_text, wall_text,
};
use jostle_files::paragraph;
use jostle_model::{EngineModel, Model, Warning, measure};

/// Says what a run of a model will be like, after trying a few steps of it.
///
/// # Errors
/// If the particles cannot be placed, or the engine cannot start.
pub fn check(model: &Model) -> Result<Check, RunError> {
    let forecast = forecast(model)?;
    let checked = match &model.engine {
        EngineModel::Brownian(_) => spheres(model, &forecast),
        EngineModel::Granular(granular) => granular::description(model, granular, &forecast),
        EngineModel::Polygons(polygons) => Description::plain(
            polygons::lines(model, polygons, &forecast),
            model.located_warnings(),
        ),
        EngineModel::Gas(gas) => {
            Description::plain(gas::lines(model, gas, &forecast), model.located_warnings())
        }
    };
    let Description { lines, sections, warnings, warn, fault } = checked;
    Ok(Check { title: model.title.clone(), lines, sections, warnings, warn, fault, forecast })
}

/// What is to be said of a model before it is run; written out, it is what `jostle check` prints.
#[derive(Clone, Debug)]
pub struct Check {
    title: String,
    /// Label and text of what concerns the whole model.
    pub lines: Vec<(&'static str, String)>,
    /// Headings, and below each the lines: how they begin, and how they go on.
    pub sections: Vec<(String, Vec<(String, String)>)>,
    /// What looks wrong.
    pub warnings: Vec<Warning>,
    /// What stands before each of these.
    warn: &'static str,
    /// Why the model cannot be run as it is.
    pub fault: Option<&'static str>,
    /// The figures behind it.
    pub forecast: Forecast,
}

impl fmt::Display for Check {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "{}\n", self.title)?;
        for (label, text) in &self.lines {
            write!(out, "{}", paragraph(&format!("  {label:<14}"), text))?;
        }
        for (heading, lines) in &self.sections {
            writeln!(out, "\n  {heading}")?;
            for (label, text) in lines {
                write!(out, "{}", paragraph(label, text))?;
            }
        }
        writeln!(out)?;
        let warnings = self.warnings.iter().map(|warning| warning.text.clone());
        for warning in abridged(warnings, "warnings") {
            write!(out, "{}", paragraph(&format!("  {:<14}", self.warn), &warning))?;
        }
        match (self.warnings.as_slice(), self.fault) {
            ([], None) => writeln!(out, "  Nothing looks wrong."),
            _ => Ok(()),
        }
    }
}

/// What is said of a model by its engine.
struct Description {
    lines: Vec<(&'static str, String)>,
    sections: Vec<(String, Vec<(String, String)>)>,
    warnings: Vec<Warning>,
    warn: &'static str,
    fault: Option<&'static str>,
}

impl Description {
    /// Of a model in which nothing but collisions happens.
    fn plain(lines: Vec<(&'static str, String)>, warnings: Vec<Warning>) -> Self {
        Self { lines, sections: Vec::new(), warnings, warn: "NOTE", fault: None }
    }
}

fn spheres(model: &Model, forecast: &Forecast) -> Description {
    let mut warnings = model.located_warnings();
    warnings.extend(expected::warnings(model, forecast));
    let named = |(heading, lines): (_, Vec<_>)| {
        let lines = lines.into_iter().map(|(label, text)| (format!("    {label:<12}"), text));
        (heading, lines.collect())
    };
    let mut sections: Vec<_> = rules::all(model, forecast).into_iter().map(named).collect();
    if let Some(events) = expected::events(model, forecast) {
        let heading =
            "expected in this run, if all is well mixed; rebinding at once is not counted";
        sections.push((heading.to_owned(), vec![("    ".to_owned(), events)]));
    }
    let odds = forecast.pairs.iter().filter_map(|pair| pair.odds.as_ref());
    let unreachable = odds.filter(|odds| odds.probability.is_err()).count() > 0;
    let fault = unreachable.then_some("a rule cannot reach its rate at this time step");
    Description { lines: lines(model, forecast), sections, warnings, warn: "WARNING", fault }
}

/// What concerns the whole model: label and text.
fn lines(model: &Model, forecast: &Forecast) -> Vec<(&'static str, String)> {
    let mut list = vec![("box", box_in_words(model))];
    list.extend(surfaces::in_words(model).map(|text| ("surface", text)));
    list.push(("particles", particles_in_words(forecast)));
    list.extend(amounts::in_words(model).map(|text| ("count", text)));
    list.extend(start::in_words(model).into_iter().map(|text| ("start", text)));
    list.extend(expected::later(model, forecast).map(|text| ("later", text)));
    list.push(("room", expected::concentrations(model, forecast)));
    let (length, steps) = (time_text(model.run.duration()), model.run.steps);
    list.push(("time", format!("{length}: {steps} steps of {}", time_text(model.run.timestep))));
    let (step, species) = step_length(model);
    let radius = measure::smallest_radius(model).unwrap_or(f64::NAN);
    list.push((
        "step length",
        format!(
            "{} nm (rms per axis, {species}), {} of the smallest radius, {radius} nm{}",
            digits(step, 3),
            digits(step / radius, 2),
            if step > radius {
                ": longer than the radius, which is correct only where particles are far apart"
            } else {
                ""
            }
        ),
    ));
    let what = ["length", "area", "volume"][model.space.dimension - 1];
    let percent = digits(100.0 * forecast.packing_fraction, 3);
    let of = match model.surroundings().is_empty() {
        true => format!("{percent} % of the {what}"),
        false => format!("{percent} % of the {what} or surface available to them"),
    };
    list.push(("packing", format!("particles that exclude each other fill {of}")));
    list.push(("search", forecast.search.clone()));
    list.push(("contacts", contacts_in_words(model, forecast)));
    if forecast.edges_per_particle > 0.0 {
        let each = digits(forecast.edges_per_particle, 2);
        let text = format!(
            "each particle comes to an edge of a potential, a bounce in it, or the end of a tether {each} times per step"
        );
        list.push(("edges", text));
    }
    if let Some(pace) = forecast.pace {
        let tried = counted(pace.steps as u64, "step");
        let whole = wall_text(forecast.run_time.unwrap_or(pace.step * model.run.steps as f64));
        let step = digits(1e3 * pace.step, 2);
        list.push(("run time", format!("about {whole}, at {step} ms per step ({tried} tried)")));
    }
    list.extend(threads::in_words(&forecast.threads).map(|text| ("threads", text)));
    list.push(("memory", format!("about {}", bytes_text(forecast.memory))));
    let [frames_size, contacts_size] = forecast.file.unwrap_or_default();
    let contacts = if model.output.log == LogLevel::All { contacts_size } else { 0.0 };
    let size = bytes_text(frames_size + contacts);
    list.push(("file", format!("about {size}: {}", frames_in_words(model))));
    list
}

/// How many frames there are, how far apart they are, and what comes after the last of them.
fn frames_in_words(model: &Model) -> String {
    let (steps, every) = (model.run.steps, model.output.frame_every);
    let time = |steps: u64| time_text(model.run.timestep * steps as f64);
    let frames = counted(steps / every + 1, "frame");
    let rest = match steps % every {
        0 => String::new(),
        rest => format!(", the last of them {} before the end", time(rest)),
    };
    format!("{frames}, one every {}{rest}", time(every))
}

/// The rms step per axis of the fastest species \[nm\], and its name.
fn step_length(model: &Model) -> (f64, &str) {
    let lengths = model.species.iter().filter_map(|s| {
        Some((measure::rms_step(s.diffusion_coefficient?, model.run.timestep), s.name.as_str()))
    });
    lengths.max_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or_default()
}

fn mass_text(kilograms: f64) -> String {
    match kilograms {
        m if m >= 1.0 => format!("{} kg", digits(m, 4)),
        m if m >= 1e-3 => format!("{} g", digits(m * 1e3, 4)),
        m => format!("{} mg", digits(m * 1e6, 4)),
    }
}

fn box_in_words(model: &Model) -> String {
    let axes = model.space.edges.iter().zip(model.space.periodic).take(model.space.dimension);
    let axes = axes.map(|(edge, periodic)| {
        format!("{} {}", length_text(*edge), if periodic { "periodic" } else { "with walls" })
    });
    axes.collect::<Vec<_>>().join(" x ")
}

fn particles_in_words(forecast: &Forecast) -> String {
    let all: usize = forecast.particles.iter().map(|kind| kind.count).sum();
    match forecast.particles.as_slice() {
        [Kind { name, count, .. }] => format!("{count} {name}"),
        several => {
            let each = several.iter().map(|kind| format!("{} {}", kind.count, kind.name));
            format!("{all}: {}", abridged(each, "species").join(", "))
        }
    }
}

/// How many contacts to expect, and what it costs to log them all.
fn contacts_in_words(model: &Model, forecast: &Forecast) -> String {
    let parts = [
        (forecast.contacts_per_step, "between particles"),
        (forecast.wall_contacts_per_step, "with walls"),
    ];
    let per_step: f64 = parts.iter().map(|(count, _)| count).sum();
    if per_step == 0.0 {
        return "none".to_owned();
    }
    let parts = parts.iter().filter(|(count, _)| *count > 0.0);
    let parts: Vec<String> =
        parts.map(|(count, partner)| format!("{} per step {partner}", digits(*count, 3))).collect();
    let [_, size] = forecast.file.unwrap_or_default();
    let all = bytes_text(size);
    let per_time = bytes_text(size / model.run.duration() * 1e3);
    let pace = forecast.pace.map_or(String::new(), |pace| {
        let rate = size / (pace.step * model.run.steps as f64);
        format!(", {} per second of running", bytes_text(rate))
    });
    let logged = match model.output.log == LogLevel::All {
        true => "the log of them all takes",
        false => "a log of them all (log = \"all\") would take",
    };
    format!(
        "about {}, {} in all; {logged} {all} ({per_time} per ms of model \
         time{pace})",
        parts.join(" and "),
        digits(per_step * model.run.steps as f64, 2),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_after_the_last_frame_is_told() {
        let frames = |every: &str| {
            let text = format!(
                "space = {{ dimension = 1, edges = \"1 um\" }}\nrun = {{ timestep = \"16 ns\", until = \"10 us\" }}\n\
                 [[species]]\nname = \"A\"\nradius = \"1 nm\"\ndiffusion = \"1 um^2/s\"\n[output]\nevery = \"{every}\"\n"
            );
            frames_in_words(&jostle_model::parse(&text, "test", &[]).unwrap())
        };
        assert_eq!(frames("2 us"), "6 frames, one every 2 µs");
        assert_eq!(
            frames("3 us"),
            "4 frames, one every 3.008 µs, the last of them 976 ns before the end"
        );
    }
}
