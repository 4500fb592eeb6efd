//! What `jostle check` says of a disk gas.

use super::box_in_words;
use crate::{Forecast, Kind};
use jostle_core::words::{bytes_text, counted, digits, length_text, time_text, wall_text};
use jostle_model::Model;
use jostle_model::gas::{Contact, GasModel};

/// Label and text.
pub(super) fn lines(
    model: &Model,
    gas: &GasModel,
    forecast: &Forecast,
) -> Vec<(&'static str, String)> {
    let disks = |(species, Kind { name, count, .. }): (u16, &Kind)| {
        let height = gas.scale_height(species).map_or(String::new(), |height| {
            format!(": under gravity their density falls by e every {}", length_text(height))
        });
        format!("{count} {name}{height}")
    };
    let mut list = vec![("box", box_in_words(model))];
    let kinds = (0..).zip(&forecast.particles);
    list.push(("disks", kinds.map(disks).collect::<Vec<_>>().join("\n")));
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
    let (step, frames) = (time_text(model.run.timestep), super::frames_in_words(model));
    let time = format!("{length}: {steps} steps of {step}, {frames}");
    list.push(("time", time));
    let travel = digits(gas.travel(model), 2);
    list.push(("step length", format!("{travel} of the smallest diameter at a typical speed")));
    let rate = gas.granular.collision_rate(model, forecast.packing_fraction);
    if let Some(rate) = rate.filter(|_| gas.variance(0).is_some()) {
        let rate = digits(rate * 1e6, 3);
        list.push((
            "collisions",
            format!(
                "a disk would meet another {rate} times per second if all were spread evenly (Enskog)"
            ),
        ));
    }
    list.push(("search", forecast.search.clone()));
    if let Some((pace, whole)) = forecast.pace.zip(forecast.run_time) {
        let (whole, tried) = (wall_text(whole), counted(pace.steps as u64, "step"));
        let (step, met) = (digits(1e3 * pace.step, 2), digits(forecast.contacts_per_step, 3));
        list.push((
            "run time",
            format!("about {whole}, at {step} ms and {met} collisions per step ({tried} tried)"),
        ));
    }
    list.push(("memory", format!("about {}", bytes_text(forecast.memory))));
    list
}
