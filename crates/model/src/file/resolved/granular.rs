//! A granular model written out in full, in nm, µs, kg and K.

use std::fmt::Write;

use crate::Model;
use crate::granular::{
    Balls, CollisionLaw, GranularModel, MassLaw, Motion, RestitutionModel, Shape, Viscosity,
};
use jostle_events::granular::TrajectoryClock;
use jostle_events::granular::restitution::Material;
use jostle_events::granular::tc::ContactTime;

use super::{axis, list, placement, quoted, space, written};

/// Everything behind the title.
pub(super) fn resolved(model: &Model, granular: &GranularModel) -> String {
    let mut text = space(model);
    let shape = match granular.shape {
        Shape::Box => "box",
        Shape::Cylinder => "cylinder",
    };
    let _ =
        write!(text, "shape = \"{shape}\"\n{}{}", run(model, granular), forces(model, granular));
    text += &collisions(&granular.collisions);
    text += &material(&granular.material);
    for (n, balls) in granular.balls.iter().enumerate() {
        text += &species(model, n, balls);
    }
    text + &written(model, &format!("every = \"{:?} us\"", model.run.timestep))
}

fn run(model: &Model, granular: &GranularModel) -> String {
    let until = model.run.duration();
    let trajectory = granular.trajectory.map_or_else(String::new, |events| {
        let clock = match events.clock {
            TrajectoryClock::Grid => "grid",
            TrajectoryClock::Reset => "reset",
        };
        format!("trajectory_every = \"{:?} us\"\ntrajectory_clock = \"{clock}\"\n", events.every)
    });
    let kind = granular.search.map_or("auto", |kind| kind.name());
    format!(
        "\n[run]\nengine = \"granular\"\nuntil = \"{until:?} us\"\nseed = {}\n{trajectory}\n[search]\nkind = \
         \"{kind}\"\n",
        model.run.seed
    )
}

fn forces(model: &Model, granular: &GranularModel) -> String {
    let d = model.space.dimension;
    let gravity = &granular.gravity;
    let mut text =
        format!("\n[gravity]\nacceleration = {}\n", list(&gravity.acceleration[..d], "nm/us^2"));
    if let Some(driven) = &gravity.driven {
        text += &wave([driven.amplitude, driven.frequency, driven.phase], "nm/us^2");
    }
    if let Some(shaking) = &granular.shaking {
        let wave = wave([shaking.amplitude, shaking.frequency, shaking.phase], "nm");
        let _ = write!(text, "\n[shaking]\naxis = \"{}\"\n{wave}", axis(shaking.axis));
    }
    let _ = write!(text, "\n[drag]\nrate = \"{:?} /us\"\n", granular.drag);
    if let Some(field) = &granular.field {
        let centre = list(&field.centre[..d], "nm");
        let _ = write!(text, "\n[field]\ncentre = {centre}\nrate = \"{:?} /us\"\n", field.rate);
    }
    text
}

fn wave([amplitude, frequency, phase]: [f64; 3], unit: &str) -> String {
    format!(
        "amplitude = \"{amplitude:?} {unit}\"\nfrequency = \"{frequency:?} /us\"\nphase = {phase:?}\n"
    )
}

fn collisions(law: &CollisionLaw) -> String {
    let restitution = match law.restitution {
        RestitutionModel::Elastic => "restitution = \"elastic\"".to_owned(),
        RestitutionModel::Plastic => "restitution = \"plastic\"".to_owned(),
        RestitutionModel::Constant(e) => format!("restitution = \"constant\"\ncoefficient = {e:?}"),
        RestitutionModel::Viscoelastic(Viscosity::Constant(time)) => {
            format!("restitution = \"viscoelastic\"\nconstant_A = \"{time:?} us\"")
        }
        RestitutionModel::Viscoelastic(Viscosity::Reference { coefficient, speed, radius }) => {
            format!(
                "restitution = \"viscoelastic\"\nreference = {{ coefficient = {coefficient:?}, speed = \"{speed:?} \
             nm/us\", radius = \"{radius:?} nm\" }}"
            )
        }
    };
    let tc = match law.contact_time {
        ContactTime::Hertz => "auto".to_owned(),
        ContactTime::None => "none".to_owned(),
        ContactTime::Constant(time) => format!("{time:?} us"),
    };
    format!("\n[collisions]\n{restitution}\ntc = \"{tc}\"\n")
}

fn material(material: &Material) -> String {
    let Material { youngs_modulus, poissons_ratio, density, yield_pressure, heat_capacity } =
        material;
    format!(
        "\n[material]\nyoungs_modulus = \"{youngs_modulus:?} kg/nm/us^2\"\npoissons_ratio = {poissons_ratio:?}\n\
         density = \"{density:?} kg/nm^3\"\nyield_pressure = \"{yield_pressure:?} kg/nm/us^2\"\n\
         heat_capacity = \"{heat_capacity:?} nm^2/us^2/K\"\n"
    )
}

fn species(model: &Model, n: usize, balls: &Balls) -> String {
    let radius = match balls.radius {
        [low, high] if low == high => format!("\"{low:?} nm\""),
        ends => list(&ends, "nm"),
    };
    let mass = match balls.mass {
        MassLaw::Given(mass) => format!("mass = \"{mass:?} kg\""),
        MassLaw::Volume { density } => {
            format!("density = \"{density:?} kg/nm^3\"\nmass_law = \"volume\"")
        }
        MassLaw::Area { density } => {
            format!("density = \"{density:?} kg/nm^3\"\nmass_law = \"area\"")
        }
    };
    let motion = match &balls.motion {
        Motion::Rest => String::new(),
        Motion::Alike(velocity) => {
            format!("velocity = {}\n", list(&velocity[..model.space.dimension], "nm/us"))
        }
        Motion::Maxwell(speed) => format!("speed = \"{speed:?} nm/us\"\n"),
    };
    format!(
        "\n[[species]]\nname = {}\nradius = {radius}\n{mass}\n{motion}{}\n",
        quoted(&model.species[n].name),
        placement(model, n)
    )
}
