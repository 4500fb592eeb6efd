//! What `jostle check` says of a disk gas.

use super::{Description, box_in_words};
use crate::cli::Failure;
use crate::model::Model;
use crate::model::gas::{Contact, GasModel};
use crate::run::{GasForecast, gas_forecast};
use crate::words::{bytes_text, counted, digits, length_text, time_text, wall_text};

pub(super) fn description(model: &Model, gas: &GasModel) -> Result<Description, Failure> {
    let forecast = gas_forecast(model, gas)?;
    Ok(Description::plain(lines(model, gas, &forecast), model.warnings()))
}

fn lines(model: &Model, gas: &GasModel, forecast: &GasForecast) -> Vec<(&'static str, String)> {
    let disks = |(name, count, height): &(String, usize, Option<f64>)| {
        let height = height.map_or(String::new(), |height| {
            format!(": under gravity their density falls by e every {}", length_text(height))
        });
        format!("{count} {name}{height}")
    };
    let mut list = vec![("box", box_in_words(model))];
    list.push(("disks", forecast.disks.iter().map(disks).collect::<Vec<_>>().join("\n")));
    list.push((
        "packing",
        format!("disks fill {} % of the area", digits(100.0 * forecast.packing_fraction, 3)),
    ));
    list.push((
        "contacts",
        match gas.contact {
            Contact::Exact => "exact: each at its moment within the step",
            Contact::AfterMove => {
                "after_move: disks that overlap and approach each other at the end of a step collide then"
            }
            Contact::Events => "events: the engine goes from one to the next; steps only determine when frames \
                are written",
        }
        .to_owned(),
    ));
    let (length, steps) = (time_text(model.run.duration()), model.run.steps);
    let frames = counted(model.run.steps / model.output.frame_every + 1, "frame");
    let time = format!("{length}: {steps} steps of {}, {frames}", time_text(model.run.timestep));
    list.push(("time", time));
    let travel = digits(forecast.travel, 2);
    list.push(("step length", format!("{travel} of the smallest diameter at a typical speed")));
    if let Some(rate) = forecast.collision_rate {
        let rate = digits(rate * 1e6, 3);
        list.push((
            "collisions",
            format!(
                "a disk would meet another {rate} times per second if all were spread evenly (Enskog)"
            ),
        ));
    }
    list.push(("search", forecast.search.clone()));
    if let Some((tried, step, met)) = forecast.pace {
        let whole = wall_text(step * model.run.steps as f64);
        let tried = counted(tried, "step");
        let (step, met) = (digits(1e3 * step, 2), digits(met, 3));
        list.push((
            "run time",
            format!("about {whole}, at {step} ms and {met} collisions per step ({tried} tried)"),
        ));
    }
    list.push(("memory", format!("about {}", bytes_text(forecast.memory))));
    list
}
