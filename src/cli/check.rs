//! `jostle check`.

use std::io::Write;

use super::{Failure, ModelArguments};
use crate::run::{Forecast, PairForecast, forecast, time_text};

/// The command line of `jostle check`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    model: ModelArguments,
}

pub(super) fn carry_out(arguments: Arguments) -> Result<(), Failure> {
    let model = arguments.model.load()?;
    let forecast = forecast(&model)?;
    let mut out = std::io::stdout().lock();
    let time = time_text(model.timestep * model.steps as f64);
    writeln!(
        out,
        "{}: {} bodies, {} steps of {} = {time}",
        model.title,
        forecast.bodies,
        model.steps,
        time_text(model.timestep)
    )?;
    write_lengths(&mut out, &forecast)?;
    for pair in &forecast.pairs {
        write_pair(&mut out, pair)?;
    }
    writeln!(out, "  search              {}", forecast.search)?;
    writeln!(out, "  contacts            about {:.3} per step", forecast.contacts_per_step)?;
    writeln!(
        out,
        "  memory, file        about {:.0} MB and {:.1} MB ({} frames)",
        forecast.memory / 1e6,
        forecast.file / 1e6,
        forecast.frames
    )?;
    let warnings = model.warnings();
    for warning in &warnings {
        writeln!(out, "  WARNING             {warning}")?;
    }
    let unreachable = forecast.pairs.iter().filter(|pair| pair.probability.is_err()).count();
    if unreachable > 0 {
        return Err(Failure::Error(
            format!("{unreachable} rule(s) cannot have the rate asked for at this time step").into(),
        ));
    }
    if warnings.is_empty() {
        writeln!(out, "  nothing looks wrong")?;
    }
    Ok(())
}

fn write_lengths(out: &mut impl Write, forecast: &Forecast) -> std::io::Result<()> {
    let (step, species) = &forecast.step_length;
    let radius = forecast.smallest_radius;
    writeln!(
        out,
        "  step length         {step:.4} nm rms per axis ({species}), {:.3} of the smallest radius ({radius} nm)",
        step / radius
    )?;
    writeln!(out, "  packing fraction    {:.3} %", 100.0 * forecast.packing_fraction)
}

fn write_pair(out: &mut impl Write, pair: &PairForecast) -> std::io::Result<()> {
    let [a, b] = &pair.species;
    write!(out, "  {:<19} {a} + {b}: ", pair.rule)?;
    match &pair.probability {
        Ok(p) => write!(out, "probability {p:.4e} per contact, s/R = {:.3}", pair.step_over_distance)?,
        Err(why) => write!(out, "NOT POSSIBLE: {why}")?,
    }
    if let Some(correction) = pair.unbinding_correction {
        write!(out, ", k_d'/k_d = {correction:.4}")?;
    }
    if let Some(largest) = pair.largest_timestep {
        write!(out, ", possible up to a time step of {}", time_text(largest))?;
    }
    writeln!(out)
}
