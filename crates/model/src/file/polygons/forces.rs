//! `[gravity]` and `[contact]`: what moves polygons.

use crate::walker::{Item, Section};
use jostle_core::parameters::polygons::{ForceLaw, NormalLaw};
use jostle_core::space::Vector;

/// Down by so much, or along any vector, turned by `angle` counter-clockwise: a box on an incline.
pub(super) fn gravity(root: &Section<'_>) -> Vector<2> {
    let section = root.table("gravity");
    let constant = section.get("acceleration").and_then(|item| {
        if item.is_list() {
            let [x, y, _] = item.components(2)?;
            return Some(Vector([x, y]));
        }
        Some(Vector([0.0, -item.not_negative()?]))
    });
    let turned = section.get("angle").and_then(|item| item.quantity());
    section.finish();
    let down = constant.unwrap_or(Vector::ZERO);
    let Some(angle) = turned else {
        return down;
    };
    let (sine, cosine) = (libm::sin(angle), libm::cos(angle));
    Vector([cosine * down[0] - sine * down[1], sine * down[0] + cosine * down[1]])
}

/// How much of the speed contacts take, if the file does not say.
const DAMPING: f64 = 0.5;
/// Of polygons among themselves, if the file does not say.
const FRICTION: f64 = 0.5;
/// Tangential over normal stiffness, if the file does not say.
const TANGENTIAL: f64 = 2.0 / 7.0;

pub(super) fn law(root: &Section<'_>) -> ForceLaw {
    let section = root.table("contact");
    let normal = section.get("law").and_then(|item| item.word_by(NormalLaw::parse));
    let stiffness = section.require("stiffness").and_then(|item| item.positive());
    let friction = number(&section, "friction", FRICTION);
    let law = ForceLaw {
        normal: normal.unwrap_or(NormalLaw::Gradient),
        stiffness: stiffness.unwrap_or(f64::NAN),
        damping: number(&section, "damping", DAMPING),
        friction,
        wall_friction: number(&section, "wall_friction", friction),
        tangential: number(&section, "tangential_stiffness", TANGENTIAL),
    };
    section.finish();
    law
}

fn number(section: &Section<'_>, key: &'static str, usual: f64) -> f64 {
    section.get(key).map_or(usual, |item| not_negative(&item))
}

/// A plain number of zero or more.
pub(super) fn not_negative(item: &Item<'_>) -> f64 {
    item.not_negative().unwrap_or(f64::NAN)
}
