//! A polygon model written out in full, in nm, µs, kg and rad.

use std::fmt::Write;

use crate::granular::Motion;
use crate::polygons::{Barrier, Bodies, Form, PolygonModel, SIDES, Shape, Turned};
use crate::{How, LogLevel, Model, Output};
use jostle_polygons::{Drive, ForceLaw, NormalLaw};

use super::{list, placement, quoted, space};

/// Everything behind the title.
pub(super) fn resolved(model: &Model, polygons: &PolygonModel) -> String {
    let walls: Vec<_> =
        (0..4).filter(|&side| polygons.sides[side]).map(|side| quoted(SIDES[side])).collect();
    let mut text = format!("{}walls = [{}]\n", space(model), walls.join(", "));
    text += &run(model);
    let _ = write!(text, "\n[gravity]\nacceleration = {}\n", list(&polygons.gravity.0, "nm/us^2"));
    text += &contact(&polygons.law);
    for (n, bodies) in polygons.bodies.iter().enumerate() {
        text += &species(model, n, bodies);
    }
    polygons.walls.iter().for_each(|barrier| text += &wall(barrier));
    text + &output(model)
}

fn output(model: &Model) -> String {
    let Output { frame_every, log, single_precision, compress, .. } = &model.output;
    let log = if *log == LogLevel::All { "all" } else { "none" };
    let precision = if *single_precision { "single" } else { "double" };
    format!(
        "\n[output]\nframe_every = {frame_every}\nlog = \"{log}\"\nprecision = \"{precision}\"\ncompress = \
         {compress}\n"
    )
}

fn run(model: &Model) -> String {
    let threads = model.run.threads.map_or_else(String::new, |n| format!("threads = {n}\n"));
    format!(
        "\n[run]\nengine = \"polygons\"\ntimestep = \"{:?} us\"\nsteps = {}\nseed = {}\n{threads}\n[search]\nkind = \
         \"sweep\"\n",
        model.run.timestep, model.run.steps, model.run.seed
    )
}

fn contact(law: &ForceLaw) -> String {
    let normal = match law.normal {
        NormalLaw::Gradient => "gradient",
        NormalLaw::Area => "area",
    };
    format!(
        "\n[contact]\nlaw = \"{normal}\"\nstiffness = \"{:?} kg/us^2\"\ndamping = {:?}\nfriction = {:?}\n\
         wall_friction = {:?}\ntangential_stiffness = {:?}\n",
        law.stiffness, law.damping, law.friction, law.wall_friction, law.tangential
    )
}

fn shape(shape: &Shape) -> String {
    let inside = match shape {
        Shape::Corners(corners) => format!("corners = {corners:?}"),
        Shape::Regular { corners, radius } => format!("regular = {corners}, radius = {radius:?}"),
        Shape::Rectangle(size) => format!("rectangle = {size:?}"),
        Shape::Ellipse { semi_axes, corners } => {
            format!("ellipse = {semi_axes:?}, sides = {corners}")
        }
        Shape::Disk(radius) => format!("disk = {radius:?}"),
        Shape::Random { corners, radius, aspect } => {
            format!("random = {corners:?}, radius = {radius:?}, aspect = {aspect:?}")
        }
    };
    format!("{{ {inside} }}")
}

fn species(model: &Model, n: usize, bodies: &Bodies) -> String {
    let mut text = format!(
        "\n[[species]]\nname = {}\nshape = {}\ndensity = \"{:?} kg/nm^2\"\n",
        quoted(&model.species[n].name),
        shape(&bodies.shape),
        bodies.density
    );
    match &bodies.motion {
        Motion::Rest => {}
        Motion::Alike([x, y, _]) => {
            let _ = writeln!(text, "velocity = {}", list(&[*x, *y], "nm/us"));
        }
        Motion::Maxwell(speed) => {
            let _ = writeln!(text, "speed = \"{speed:?} nm/us\"");
        }
    }
    let _ = writeln!(text, "angular_velocity = \"{:?} rad/us\"", bodies.angular_velocity);
    if let Some(region) = &bodies.region {
        let _ = writeln!(
            text,
            "region = {{ from = {:?}, to = {:?} }}",
            &region.from[..2],
            &region.to[..2]
        );
    }
    text + &placed(model, n, &bodies.turned)
}

/// Where the bodies are, and how they are turned.
fn placed(model: &Model, n: usize, turned: &Turned) -> String {
    let how = model.placement.iter().find(|p| p.species as usize == n).map(|p| &p.how);
    match (turned, how) {
        (Turned::Each(angles), Some(How::Positions(places))) => {
            let row = |([x, y, _], angle): (&[f64; 3], &f64)| format!("[{x:?}, {y:?}, {angle:?}]");
            let rows: Vec<_> = places.iter().zip(angles).map(row).collect();
            format!("placement = {{ positions = [\n{}\n] }}\n", rows.join(",\n"))
        }
        (Turned::Random, _) => format!("angle = \"random\"\n{}\n", placement(model, n)),
        (Turned::By(angle), _) => format!("angle = {angle:?}\n{}\n", placement(model, n)),
        (Turned::Each(_), _) => format!("{}\n", placement(model, n)),
    }
}

fn wall(barrier: &Barrier) -> String {
    let mut text = format!("\n[[wall]]\nname = {}\n", quoted(&barrier.name));
    let _ = match &barrier.form {
        Form::Corners(corners) => writeln!(text, "corners = {corners:?}"),
        Form::Shape { shape: given, position, angle } => {
            writeln!(text, "shape = {}\nposition = {position:?}\nangle = {angle:?}", shape(given))
        }
    };
    if let Some(drive) = drive(&barrier.drive) {
        let _ = writeln!(text, "drive = {{ {drive} }}");
    }
    if let Some(friction) = barrier.friction {
        let _ = writeln!(text, "friction = {friction:?}");
    }
    if let Some(time) = barrier.opens_at {
        let _ = writeln!(text, "opens_at = \"{time:?} us\"");
    }
    text
}

fn drive(drive: &Drive) -> Option<String> {
    Some(match drive {
        Drive::Fixed => return None,
        Drive::Velocity(velocity) => format!("velocity = {}", list(&velocity.0, "nm/us")),
        Drive::Rotation { centre, angular_velocity } => {
            format!("rotation = \"{angular_velocity:?} rad/us\", centre = {:?}", centre.0)
        }
        Drive::Oscillation { amplitude, frequency, phase } => {
            format!(
                "oscillation = {:?}, frequency = \"{frequency:?} /us\", phase = {phase:?}",
                amplitude.0
            )
        }
        Drive::Force { force, mass } => {
            format!("force = {}, mass = \"{mass:?} kg\"", list(&force.0, "kg nm/us^2"))
        }
    })
}
