//! A polygon model written out in full, in nm, µs, kg and rad. Bare lengths are in nm: there is no
//! `[units]`.

use crate::polygons::{Barrier, Bodies, Form, PolygonModel, SIDES, Shape, Turned};
use crate::{Model, PlacementMethod};
use jostle_core::parameters::polygons::Drive;

use super::writer::{ModelText, TableText, stacked};
use super::{granular, output, placement, stepping, write_space};
use crate::file::keys::Keys;

/// The whole model.
pub(super) fn resolved(model: &Model, polygons: &PolygonModel, mut file: ModelText) -> ModelText {
    file.add("space", |space| {
        write_space(space, model);
        let sides = (0..4).filter(|&side| polygons.sides[side]);
        space.texts("walls", sides.map(|side| SIDES[side]));
    });
    file.add("run", |run| {
        run.word("engine", "polygons");
        stepping(run, model);
    });
    file.add("search", |search| search.word("kind", "sweep"));
    file.add("gravity", |gravity| gravity.quantities("acceleration", &polygons.gravity.0));
    file.add("contact", |lines| polygons.law.write(lines));
    for (n, bodies) in polygons.bodies.iter().enumerate() {
        file.add("species", |lines| species(lines, model, n, bodies));
    }
    for barrier in &polygons.walls {
        file.add("wall", |lines| wall(lines, barrier));
    }
    file.add("output", |lines| output(lines, model));
    file
}

fn shape(lines: &mut TableText, shape: &Shape) {
    lines.table("shape", |lines| match shape {
        Shape::Corners(corners) => lines.put("corners", format!("{corners:?}")),
        Shape::Regular { corners, radius } => {
            lines.put("regular", corners);
            lines.put("radius", format!("{radius:?}"));
        }
        Shape::Rectangle(size) => lines.put("rectangle", format!("{size:?}")),
        Shape::Ellipse { semi_axes, corners } => {
            lines.put("ellipse", format!("{semi_axes:?}"));
            lines.put("sides", corners);
        }
        Shape::Disk(radius) => lines.put("disk", format!("{radius:?}")),
        Shape::Random { corners, radius, aspect } => {
            lines.put("random", format!("{corners:?}"));
            lines.put("radius", format!("{radius:?}"));
            lines.quantity("aspect", *aspect);
        }
    });
}

fn species(lines: &mut TableText, model: &Model, n: usize, bodies: &Bodies) {
    lines.text("name", &model.species[n].name);
    shape(lines, &bodies.shape);
    lines.quantity("density", bodies.density);
    granular::motion(lines, &bodies.motion, 2);
    lines.quantity("angular_velocity", bodies.angular_velocity);
    if let Some(region) = &bodies.region {
        lines.table("region", |lines| {
            lines.put("from", format!("{:?}", &region.from[..2]));
            lines.put("to", format!("{:?}", &region.to[..2]));
        });
    }
    placed(lines, model, n, &bodies.turned);
}

/// Where the bodies are, and how they are turned.
fn placed(lines: &mut TableText, model: &Model, n: usize, turned: &Turned) {
    let how = model.placement.iter().find(|p| p.species as usize == n).map(|p| &p.how);
    match (turned, how) {
        (Turned::Each(angles), Some(PlacementMethod::Positions(places))) => {
            let row = |([x, y, _], angle): (&[f64; 3], &f64)| {
                format!("[{x:?}, {y:?}, \"{angle:?} rad\"]")
            };
            let rows: Vec<_> = places.iter().zip(angles).map(row).collect();
            return lines.table("placement", |lines| lines.put("positions", stacked(&rows)));
        }
        (Turned::Random, _) => lines.word("angle", "random"),
        (Turned::By(angle), _) => lines.quantity("angle", *angle),
        (Turned::Each(_), _) => {}
    }
    placement(lines, model, n);
}

fn wall(lines: &mut TableText, barrier: &Barrier) {
    lines.text("name", &barrier.name);
    match &barrier.form {
        Form::Corners(corners) => lines.put("corners", format!("{corners:?}")),
        Form::Shape { shape: given, position, angle } => {
            shape(lines, given);
            lines.put("position", format!("{position:?}"));
            lines.quantity("angle", *angle);
        }
    }
    drive(lines, &barrier.drive);
    lines.quantity_if_any("friction", barrier.friction);
    lines.quantity_if_any("opens_at", barrier.opens_at);
}

fn drive(lines: &mut TableText, drive: &Drive) {
    if *drive == Drive::Fixed {
        return;
    }
    lines.table("drive", |lines| match drive {
        Drive::Fixed => {}
        Drive::Velocity(velocity) => lines.quantities("velocity", &velocity.0),
        Drive::Rotation { centre, angular_velocity } => {
            lines.quantity("rotation", *angular_velocity);
            lines.put("centre", format!("{:?}", centre.0));
        }
        Drive::Oscillation { amplitude, frequency, phase } => {
            lines.put("oscillation", format!("{:?}", amplitude.0));
            lines.quantity("frequency", *frequency);
            lines.quantity("phase", *phase);
        }
        Drive::Force { force, mass } => {
            lines.quantities("force", &force.0);
            lines.quantity("mass", *mass);
        }
    });
}
