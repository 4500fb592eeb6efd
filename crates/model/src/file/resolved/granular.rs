//! A granular model written out in full, in nm, µs, kg and K.

use crate::Model;
use crate::granular::{
    Balls, CollisionLaw, GranularModel, MassLaw, Motion, RestitutionModel, Viscosity,
};
use jostle_core::parameters::granular::ContactTime;

use super::writer::{ModelText, TableText};
use super::{axis, output, placement, write_space};
use crate::file::keys::Keys;

/// The whole model.
pub(super) fn resolved(model: &Model, granular: &GranularModel, mut file: ModelText) -> ModelText {
    file.add("space", |space| {
        write_space(space, model);
        space.word("shape", granular.shape.name());
    });
    file.add("run", |lines| run(lines, model, granular));
    file.add("search", |search| {
        search.word("kind", granular.search.map_or("auto", |kind| kind.name()));
    });
    forces(&mut file, model, granular);
    file.add("collisions", |lines| collisions(lines, &granular.collisions));
    file.add("material", |lines| granular.material.write(lines));
    for (n, balls) in granular.balls.iter().enumerate() {
        file.add("species", |lines| species(lines, model, n, balls));
    }
    file.add("output", |lines| {
        lines.set("every", &model.run.timestep);
        output(lines, model);
    });
    file
}

fn run(lines: &mut TableText, model: &Model, granular: &GranularModel) {
    lines.word("engine", "granular");
    // Rounded up to whole frames by the reader, which finds the same number again.
    lines.quantity("until", model.run.timestep * model.run.steps as f64);
    model.run.write(lines);
    if let Some(events) = granular.trajectory {
        lines.quantity("trajectory_every", events.every);
        lines.word("trajectory_clock", events.clock.name());
    }
}

fn forces(file: &mut ModelText, model: &Model, granular: &GranularModel) {
    let d = model.space.dimension;
    let gravity = &granular.gravity;
    file.add("gravity", |lines| {
        lines.quantities("acceleration", &gravity.acceleration[..d]);
        if let Some(driven) = &gravity.driven {
            wave(lines, [driven.amplitude, driven.frequency, driven.phase]);
        }
    });
    if let Some(shaking) = &granular.shaking {
        file.add("shaking", |lines| {
            lines.set("walls", &shaking.walls);
            lines.word("axis", axis(shaking.axis));
            wave(lines, [shaking.amplitude, shaking.frequency, shaking.phase]);
        });
    }
    file.add("drag", |lines| lines.quantity("rate", granular.drag));
    if let Some(field) = &granular.field {
        file.add("field", |lines| {
            lines.quantities("centre", &field.centre[..d]);
            lines.quantity("rate", field.rate);
        });
    }
}

fn wave(lines: &mut TableText, [amplitude, frequency, phase]: [f64; 3]) {
    lines.quantity("amplitude", amplitude);
    lines.quantity("frequency", frequency);
    lines.quantity("phase", phase);
}

fn collisions(lines: &mut TableText, law: &CollisionLaw) {
    match law.restitution {
        RestitutionModel::Elastic => lines.word("restitution", "elastic"),
        RestitutionModel::Plastic => lines.word("restitution", "plastic"),
        RestitutionModel::Constant(e) => {
            lines.word("restitution", "constant");
            lines.quantity("coefficient", e);
        }
        RestitutionModel::Viscoelastic(viscosity) => {
            lines.word("restitution", "viscoelastic");
            match viscosity {
                Viscosity::Constant(time) => lines.quantity("constant_A", time),
                Viscosity::Reference { coefficient, speed, radius } => {
                    lines.table("reference", |reference| {
                        reference.quantity("coefficient", coefficient);
                        reference.quantity("speed", speed);
                        reference.quantity("radius", radius);
                    });
                }
            }
        }
    }
    match law.contact_time {
        ContactTime::Hertz => lines.word("tc", "auto"),
        ContactTime::None => lines.word("tc", "none"),
        ContactTime::Constant(time) => lines.quantity("tc", time),
    }
}

fn species(lines: &mut TableText, model: &Model, n: usize, balls: &Balls) {
    lines.text("name", &model.species[n].name);
    match balls.radius {
        [low, high] if low == high => lines.quantity("radius", low),
        ends => lines.quantities("radius", &ends),
    }
    match balls.mass {
        MassLaw::Given(mass) => lines.quantity("mass", mass),
        MassLaw::Volume { density } => {
            lines.quantity("density", density);
            lines.word("mass_law", "volume");
        }
        MassLaw::Area { density } => {
            lines.quantity("density", density);
            lines.word("mass_law", "area");
        }
    }
    motion(lines, &balls.motion, model.space.dimension);
    placement(lines, model, n);
}

/// How particles with momentum move at the start.
pub(super) fn motion(lines: &mut TableText, motion: &Motion, d: usize) {
    match motion {
        Motion::Rest => {}
        Motion::Alike(velocity) => lines.quantities("velocity", &velocity[..d]),
        Motion::Maxwell(speed) => lines.quantity("speed", *speed),
    }
}
