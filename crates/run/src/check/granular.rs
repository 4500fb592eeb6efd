//! What `jostle check` says of a granular model.

use super::{Description, box_in_words, mass_text};
use crate::{Forecast, Kind};
use jostle_core::parameters::granular::Shaken;
use jostle_core::words::{bytes_text, counted, digits, length_text, time_text, wall_text};
use jostle_events::granular::tc::ContactTime;
use jostle_model::granular::{Enclosure, GranularModel, RestitutionModel};
use jostle_model::{Model, Warning};

/// One nm/µs is a millimetre per second.
fn speed_text(speed: f64) -> String {
    if speed >= 100.0 {
        format!("{} m/s", digits(speed / 1e3, 3))
    } else {
        format!("{} mm/s", digits(speed, 3))
    }
}

pub(super) fn description(
    model: &Model,
    granular: &GranularModel,
    forecast: &Forecast,
) -> Description {
    let mut warnings = model.located_warnings();
    warnings.extend(yields(model, granular).map(|text| Warning::of("collisions", text)));
    Description::plain(lines(model, granular, forecast), warnings)
}

/// Where impacts are harder than the theory of elastic contact allows for.
fn yields(model: &Model, granular: &GranularModel) -> Option<String> {
    let yields = |s| granular.material.yield_speed(&granular.like_balls(s));
    let softest = (0..granular.balls.len()).map(yields).fold(f64::INFINITY, f64::min);
    let speed = granular.typical_speed(model);
    let elastic = matches!(granular.collisions.restitution, RestitutionModel::Viscoelastic(_));
    if !elastic || speed <= softest {
        return None;
    }
    Some(format!(
        "impacts of {} and more are above {}, where the material begins to yield: real ones lose more than \
         viscoelastic balls do (`restitution = \"plastic\"` is the other extreme)",
        speed_text(speed),
        speed_text(softest)
    ))
}

fn lines(
    model: &Model,
    granular: &GranularModel,
    forecast: &Forecast,
) -> Vec<(&'static str, String)> {
    let shape = if granular.shape == Enclosure::Cylinder { ", an upright cylinder" } else { "" };
    let mut list = vec![("box", box_in_words(model) + shape)];
    list.push((
        "balls",
        forecast.particles.iter().map(ball_in_words).collect::<Vec<_>>().join("\n"),
    ));
    let what = ["length", "area", "volume"][model.space.dimension - 1];
    let percent = digits(100.0 * forecast.packing_fraction, 3);
    list.push(("packing", format!("balls fill {percent} % of the {what}")));
    let until = time_text(model.run.duration());
    let frames = counted(model.run.steps + 1, "frame");
    list.push(("time", format!("{until}: {frames}, one every {}", time_text(model.run.timestep))));
    if let Some(shaking) = &granular.shaking {
        let (largest, strength) = (shaking.largest_acceleration(), granular.gravity.strength());
        let gamma = match strength > 0.0 {
            true => format!(", {} times gravity", digits(largest / strength, 3)),
            false => String::new(),
        };
        list.push((
            "shaking",
            format!(
                "{}along {}, {} either way, {} Hz: walls of up to {}, an acceleration of up to {} m/s^2{gamma}",
                match shaking.walls {
                    Shaken::All => String::new(),
                    one => format!("the {} wall alone, ", one.name()),
                },
                ["x", "y", "z"][shaking.axis],
                length_text(shaking.amplitude),
                digits(shaking.frequency * 1e6, 4),
                speed_text(shaking.largest_speed()),
                digits(largest * 1e3, 3)
            ),
        ));
    }
    list.push(("impacts", impacts_in_words(model, granular, forecast)));
    if let Some(rate) = granular.collision_rate(model, forecast.packing_fraction) {
        let text = format!(
            "a ball meets another {} times per second at first (Enskog)",
            digits(rate * 1e6, 3)
        );
        list.push(("collisions", text));
    }
    list.push(("search", forecast.search.clone()));
    if let Some((pace, whole)) = forecast.pace.zip(forecast.run_time) {
        let met = forecast.contacts_per_step + forecast.wall_contacts_per_step;
        let (whole, collisions) = (wall_text(whole), digits(met * model.run.steps as f64, 2));
        let tried = format!("{} output intervals", digits(pace.steps, 2));
        list.push(("run time", format!("about {whole}, {collisions} collisions ({tried} tried)")));
    }
    list.push(("memory", format!("about {}", bytes_text(forecast.memory))));
    list
}

fn ball_in_words(kind: &Kind) -> String {
    let [least, largest] = kind.size;
    let radius = match least < largest {
        true => format!("{} to {}", length_text(least), length_text(largest)),
        false => length_text(largest),
    };
    format!("{} {}, radius {radius}, {} together", kind.count, kind.name, mass_text(kind.mass))
}

fn impacts_in_words(model: &Model, granular: &GranularModel, forecast: &Forecast) -> String {
    let tc = match granular.collisions.contact_time {
        _ if granular.collisions.restitution == RestitutionModel::Elastic => {
            "no contact loses energy".to_owned()
        }
        ContactTime::Hertz => "contacts that follow each other faster lose nothing".to_owned(),
        ContactTime::None => "every contact loses energy".to_owned(),
        ContactTime::Constant(time) => format!("contacts within {} lose nothing", time_text(time)),
    };
    let speed = granular.typical_speed(model);
    let (material, restitution) = (&granular.material, granular.collisions.restitution);
    let law = restitution.law(material);
    let line = |(s, kind): (usize, &Kind)| {
        let pair = granular.like_balls(s);
        format!(
            "{} on {} at {}: {} of the speed is left, the contact lasts {} µs; yield begins at {}",
            kind.name,
            kind.name,
            speed_text(speed),
            digits(law.of(material, &pair, speed), 4),
            digits(material.hertz(&pair, speed).duration, 3),
            speed_text(material.yield_speed(&pair))
        )
    };
    let kinds = forecast.particles.iter().enumerate();
    let mut all: Vec<_> = kinds.filter(|(_, kind)| kind.count > 0).map(line).collect();
    if speed == 0.0 {
        all = vec!["nothing moves at first".to_owned()];
    }
    all.push(tc);
    all.join("\n")
}
