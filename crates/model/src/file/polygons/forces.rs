//! `[gravity]` and `[contact]`: what moves polygons.

use super::super::keys::Keys;
use crate::walker::Section;
use jostle_core::parameters::polygons::ForceLaw;
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

/// Tangential over normal stiffness, if the file does not say.
const TANGENTIAL: f64 = 2.0 / 7.0;

pub(super) fn law(root: &Section<'_>) -> ForceLaw {
    let section = root.table("contact");
    let mut law = ForceLaw::read(&section);
    if !section.has("wall_friction") {
        law.wall_friction = law.friction;
    }
    if !section.has("tangential_stiffness") {
        law.tangential = TANGENTIAL;
    }
    section.finish();
    law
}
