//! The `[[wall]]` tables.

use std::collections::BTreeSet;
use std::f64::consts::{PI, TAU};

use crate::polygons::{Barrier, Form, SIDES, regular_corners};
use crate::units::{Quantity, Wanted};
use crate::walker::{Item, Section};
use jostle_core::parameters::polygons::Drive;
use jostle_core::space::Vector;

use super::super::particles;
use super::shapes::{FAULTY, corners, count, point, shape};

pub(super) fn walls(root: &Section<'_>) -> Vec<Barrier> {
    // The sides of the box are walls as well.
    let mut names: BTreeSet<String> = SIDES.iter().map(|&side| side.to_owned()).collect();
    let mut walls = Vec::new();
    for section in root.tables("wall") {
        let name = match section.require("name") {
            Some(item) => particles::name(&item, &names),
            None => String::new(),
        };
        names.insert(name.clone());
        walls.extend(wall(&section, &name));
        section.finish();
    }
    walls
}

/// The walls of one table: more than one if it is a ring, or has copies.
fn wall(section: &Section<'_>, name: &str) -> Vec<Barrier> {
    let (forms, centre) = forms(section);
    let forms = copies(section, forms);
    let drive = section.get("drive").and_then(|item| drive(&item, centre));
    let (friction, opens_at) = (section.setting("friction"), section.setting("opens_at"));
    let several = forms.len() > 1;
    let one = |(n, form): (usize, Form)| Barrier {
        name: if several { format!("{name}_{}", n + 1) } else { name.to_owned() },
        form,
        drive: drive.unwrap_or(Drive::Fixed),
        friction,
        opens_at,
    };
    forms.into_iter().enumerate().map(one).collect()
}

const ONE_OF: &str = "exactly one of `corners = [[..], ..]`, `rectangle = [[left, bottom], [right, top]]`, \
                      `segment = [[..], [..]]`, `ring = { .. }` and `shape = { .. }` is needed";

/// What the table draws, and the centre about which it would turn.
fn forms(section: &Section<'_>) -> (Vec<Form>, Option<[f64; 2]>) {
    let keys = ["corners", "rectangle", "segment", "ring", "shape"].map(|key| section.get(key));
    let thickness = section.get("thickness");
    let (position, angle) = (section.get("position"), section.get("angle"));
    if let (Some(item), None) = (&thickness, &keys[2]) {
        item.fault("only a `segment` needs a thickness here (a ring has its own)");
    }
    for item in [&position, &angle].into_iter().flatten().filter(|_| keys[4].is_none()) {
        item.fault(
            "only a `shape` needs this: the position of other walls is given by their corners",
        );
    }
    let drawn = match &keys {
        [Some(item), None, None, None, None] => corners(item),
        [None, Some(item), None, None, None] => rectangle(item),
        [None, None, Some(item), None, None] => segment(item, section, thickness.as_ref()),
        [None, None, None, Some(item), None] => {
            let (pieces, centre) = ring(item).unwrap_or_default();
            return (pieces, Some(centre));
        }
        [None, None, None, None, Some(item)] => {
            let shape = shape(item);
            if shape.varies() {
                item.fault("a wall has one shape; `random` is for particles");
            }
            if position.is_none() {
                section.fault(
                    "a wall with a `shape` needs a position: `position = [\"10 mm\", \"20 mm\"]`",
                );
            }
            let position = position.and_then(|item| point(&item)).unwrap_or([f64::NAN; 2]);
            let angle = angle.and_then(|item| item.quantity()).unwrap_or(0.0);
            return (vec![Form::Shape { shape, position, angle }], Some(position));
        }
        _ => {
            section.fault(ONE_OF);
            None
        }
    };
    let none = Form::Shape { shape: FAULTY, position: [f64::NAN; 2], angle: 0.0 };
    (vec![drawn.map_or(none, Form::Corners)], None)
}

/// Upright, from corner to corner.
fn rectangle(item: &Item<'_>) -> Option<Vec<[f64; 2]>> {
    let ends = item.per_axis(2)?.iter().map(point).collect::<Option<Vec<_>>>()?;
    let [[left, bottom], [right, top]] = [ends[0], ends[1]];
    if left >= right || bottom >= top {
        item.fault("a rectangle goes from its lower left to its upper right corner");
        return None;
    }
    Some(vec![[left, bottom], [right, bottom], [right, top], [left, top]])
}

/// A beam whose middle line goes from the one place to the other.
fn segment(
    item: &Item<'_>,
    section: &Section<'_>,
    thickness: Option<&Item<'_>>,
) -> Option<Vec<[f64; 2]>> {
    let Some(thickness) = thickness else {
        section.fault("a segment needs a thickness, for example `thickness = \"4 mm\"`");
        return None;
    };
    let half = 0.5 * thickness.quantity()?;
    let ends = item.per_axis(2)?.iter().map(point).collect::<Option<Vec<_>>>()?;
    let along = Vector(ends[1]) - Vector(ends[0]);
    let length = along.norm();
    if length == 0.0 {
        item.fault("the two ends of a segment must be different");
        return None;
    }
    let out = Vector([along[1], -along[0]]) * (half / length);
    let (from, to) = (Vector(ends[0]), Vector(ends[1]));
    Some([from + out, to + out, to - out, from - out].map(|corner| corner.0).to_vec())
}

/// A hollow regular polygon of convex pieces, whose inner corners are `radius` from the centre.
fn ring(item: &Item<'_>) -> Option<(Vec<Form>, [f64; 2])> {
    let section = item.section()?;
    let corners = section.require("corners").and_then(|item| count(&item));
    let [radius, thickness]: [Option<f64>; 2] =
        ["radius", "thickness"].map(|key| section.setting(key));
    let centre = section.require("centre").and_then(|item| point(&item));
    section.finish();
    let (corners, radius, thickness, centre) = (corners?, radius?, thickness?, centre?);
    let at = |radius: f64| -> Vec<[f64; 2]> {
        let all = regular_corners(corners, radius).into_iter();
        all.map(|[x, y]| [centre[0] + x, centre[1] + y]).collect()
    };
    // So thick along its faces.
    let (inner, outer) = (at(radius), at(radius + thickness / libm::cos(PI / corners as f64)));
    let piece = |k: usize| {
        let next = (k + 1) % corners;
        Form::Corners(vec![outer[k], outer[next], inner[next], inner[k]])
    };
    Some(((0..corners).map(piece).collect(), centre))
}

/// `copies = { count = 20, step = ["10 mm", "0 mm"] }`: the wall itself, and others, each a step
/// on.
fn copies(section: &Section<'_>, forms: Vec<Form>) -> Vec<Form> {
    let Some(asked) = section.get("copies").and_then(|item| item.section()) else {
        return forms;
    };
    let count: Option<u64> = asked.setting("count");
    let step = asked.require("step").and_then(|item| point(&item));
    asked.finish();
    let (Some(count), Some(step)) = (count, step) else {
        return forms;
    };
    let moved = |form: &Form, n: f64| {
        let at = |[x, y]: [f64; 2]| [x + n * step[0], y + n * step[1]];
        match form {
            Form::Corners(corners) => {
                Form::Corners(corners.iter().map(|&corner| at(corner)).collect())
            }
            Form::Shape { shape, position, angle } => {
                Form::Shape { shape: shape.clone(), position: at(*position), angle: *angle }
            }
        }
    };
    let copy = |n: u64| forms.iter().map(move |form| moved(form, n as f64)).collect::<Vec<_>>();
    (0..count).flat_map(copy).collect()
}

const ONE_DRIVE: &str = "exactly one of `velocity = [..]`, `rotation = \"10 rpm\"`, `oscillation = [..]` and \
                         `force = [..]` is needed";

fn drive(item: &Item<'_>, own_centre: Option<[f64; 2]>) -> Option<Drive> {
    let section = item.section()?;
    let vector = |item: &Item<'_>| item.components(2).map(|[x, y, _]| Vector([x, y]));
    let found = match section.only(["velocity", "rotation", "oscillation", "force"]) {
        Some(("velocity", item)) => vector(&item).map(Drive::Velocity),
        Some(("rotation", item)) => {
            let centre = section.get("centre").map_or(own_centre, |item| point(&item));
            if centre.is_none() {
                section
                    .fault("a wall that rotates needs a centre: `centre = [\"60 mm\", \"60 mm\"]`");
            }
            let angular_velocity = turning(&item);
            // Both are read before either is missed.
            (|| {
                Some(Drive::Rotation {
                    centre: Vector(centre?),
                    angular_velocity: angular_velocity?,
                })
            })()
        }
        Some(("oscillation", item)) => {
            let amplitude = vector(&item);
            let frequency: Option<f64> = section.needed("frequency");
            let phase = section.setting("phase");
            (|| Some(Drive::Oscillation { amplitude: amplitude?, frequency: frequency?, phase }))()
        }
        Some(("force", item)) => {
            let force = vector(&item);
            if force == Some(Vector::ZERO) {
                item.fault(
                    "a wall moves along the direction of its force, so the force must not be zero",
                );
            }
            let mass: Option<f64> = section.needed("mass");
            (|| Some(Drive::Force { force: force?, mass: mass? }))()
        }
        _ => {
            item.fault(ONE_DRIVE);
            None
        }
    };
    section.finish();
    found
}

/// An angular velocity: `10 rpm` and `2 Hz` count whole turns, `1 rad/s` and `90 deg/s` do not.
/// \[rad/µs\]
pub(super) fn turning(item: &Item<'_>) -> Option<f64> {
    let text = if item.is_text() { item.text().unwrap_or_default() } else { "" };
    if text.contains("Hz") {
        return item.quantity_as(&Wanted::FREQUENCY).map(|turns| turns * TAU);
    }
    if let Some(Ok(Quantity { number, unit: None })) = text.strip_suffix("rpm").map(Quantity::parse)
    {
        return Some(number * TAU / MINUTE);
    }
    item.quantity()
}

/// \[µs\]
const MINUTE: f64 = 60e6;
