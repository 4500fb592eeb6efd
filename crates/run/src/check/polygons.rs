//! What `jostle check` says of a polygon model.

use super::{box_in_words, mass_text, threads};
use crate::{Forecast, Kind};
use jostle_core::words::{bytes_text, counted, digits, length_text, time_text, wall_text};
use jostle_model::Model;
use jostle_model::polygons::{PolygonModel, cast};
use jostle_polygons::{HeadOn, NormalLaw};

/// Label and text.
pub(super) fn lines(
    model: &Model,
    polygons: &PolygonModel,
    forecast: &Forecast,
) -> Vec<(&'static str, String)> {
    let percent = digits(100.0 * forecast.packing_fraction, 3);
    let cast = cast(model, polygons);
    let body = |(species, kind): (u16, &Kind)| body_in_words(kind, cast.corners(species));
    let bodies: Vec<_> = (0..).zip(&forecast.particles).map(body).collect();
    let mut list = vec![
        ("box", format!("{}; {}", box_in_words(model), counted(cast.walls.len() as u64, "wall"))),
        ("particles", bodies.join("\n")),
        ("packing", format!("particles fill {percent} % of the area")),
        ("contacts", law_in_words(polygons)),
    ];
    list.extend(restitution_in_words(model, polygons).map(|text| ("restitution", text)));
    let (step, steps) = (model.run.timestep, model.run.steps);
    let whole = time_text(step * steps as f64);
    list.push(("time", format!("{whole}: {steps} steps of {}", time_text(step))));
    let lasts = polygons.longest_timestep(&model.placement, model.run.seed, 1.0);
    if lasts.is_finite() {
        let contact = digits(lasts / step, 3);
        let text = format!(
            "of the two lightest particles lasts {}, {contact} steps (30 at least; \"auto\" takes 50)",
            time_text(lasts)
        );
        list.push(("a contact", text));
    }
    list.push(("search", forecast.search.clone()));
    if let Some((pace, whole)) = forecast.pace.zip(forecast.run_time) {
        let (tried, per_step) = (counted(pace.steps as u64, "step"), digits(1e6 * pace.step, 2));
        let text = format!(
            "about {}, at {per_step} µs per step ({tried} tried, with {} at the end; more contacts take longer)",
            wall_text(whole),
            counted(forecast.contacts_per_step as u64, "contact")
        );
        list.push(("run time", text));
    }
    list.extend(threads::in_words(&forecast.threads).map(|text| ("threads", text)));
    list.push(("memory", format!("about {}", bytes_text(forecast.memory))));
    let [frames_size, forces_size] = forecast.file.unwrap_or_default();
    let size = bytes_text(frames_size + forces_size);
    let forces = match forces_size {
        0.0 => String::new(),
        size => format!(", {} of it for contact forces", bytes_text(size)),
    };
    let frames = super::frames_in_words(model);
    list.push(("file", format!("about {size}: {frames}{forces}")));
    list
}

fn body_in_words(kind: &Kind, corners: [usize; 2]) -> String {
    let range = |[least, largest]: [String; 2]| match least == largest {
        true => least,
        false => format!("{least} to {largest}"),
    };
    let corners = match corners {
        [0, 0] => "disks".to_owned(),
        [least, largest] => format!("{} corners", range([least.to_string(), largest.to_string()])),
    };
    format!(
        "{} {}: {corners}, {} from the centroid to the farthest point, {} together",
        kind.count,
        kind.name,
        range(kind.size.map(length_text)),
        mass_text(kind.mass)
    )
}

/// What damping comes to.
fn restitution_in_words(model: &Model, polygons: &PolygonModel) -> Option<String> {
    let [area, mass] = polygons.mean_body(&model.placement)?;
    let at = |encounter: HeadOn| {
        // 1 m/s is 1000 nm/µs.
        let speeds = [(10.0, "10 mm/s"), (100.0, "0.1 m/s"), (1000.0, "1 m/s")];
        let all = speeds.map(|(speed, text)| {
            format!("{} at {text}", digits(encounter.restitution(&polygons.law, speed), 2))
        });
        all.join(", ")
    };
    let there = model.placement.iter().filter(|placement| placement.count() > 0);
    let species = there.map(|placement| placement.species).min()?;
    let name = &model.species[species as usize].name;
    let pair = at(HeadOn::of_two(area, mass));
    let wall = at(HeadOn::with_wall(area, mass));
    Some(format!(
        "of two disks as large and heavy as {name} on average: {pair}\nof one and a wall: {wall}\n(corners are softer, \
         flush faces harder)"
    ))
}

fn law_in_words(polygons: &PolygonModel) -> String {
    let law = &polygons.law;
    let normal = match law.normal {
        NormalLaw::Gradient => "the gradient of an energy of the overlap's area (Feng and Owen)",
        NormalLaw::Area => "in proportion to the overlap's area (Tillemans and Herrmann)",
    };
    let rolling = match law.rolling > 0.0 {
        true => format!(", rolling friction {}", digits(law.rolling, 3)),
        false => String::new(),
    };
    // 1 N/m is 1e-12 kg/µs².
    format!(
        "{normal}; stiffness {} N/m, damping {}, friction {}, {} with walls{rolling}",
        digits(law.stiffness * 1e12, 4),
        digits(law.damping, 3),
        digits(law.friction, 3),
        digits(law.wall_friction, 3)
    )
}
