//! `[gravity]` and `[contact]`: what moves polygons.

use super::super::keys::Keys;
use crate::Placement;
use crate::polygons::PolygonModel;
use crate::walker::{Item, Section};
use jostle_core::parameters::polygons::{ForceLaw, HeadOn};
use jostle_core::space::Vector;

/// Down by so much, or along any vector, turned by `angle` counter-clockwise: a box on an incline.
pub(super) fn gravity(root: &Section<'_>) -> Vector<2> {
    let section = root.table("gravity");
    let constant = section.get("acceleration").and_then(|item| {
        if item.is_list() {
            let [x, y, _] = item.components(2)?;
            return Some(Vector([x, y]));
        }
        Some(Vector([0.0, -item.quantity()?]))
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
/// Tangential over normal stiffness, if the file does not say.
const TANGENTIAL: f64 = 2.0 / 7.0;

/// What two disks keep of their speed, instead of a damping.
pub(super) struct Rebound<'a> {
    item: Item<'a>,
    coefficient: f64,
    /// \[nm/µs\]
    speed: f64,
}

impl Rebound<'_> {
    /// The damping that follows for disks with the mean area and mass of the first species.
    pub(super) fn damping(&self, polygons: &PolygonModel, placement: &[Placement]) -> f64 {
        let body = polygons.mean_body(placement).filter(|_| polygons.law.stiffness > 0.0);
        let Some([area, mass]) = body else { return DAMPING };
        let encounter = HeadOn::of_two(area, mass);
        let damping = encounter.damping(&polygons.law, self.coefficient, self.speed);
        damping.unwrap_or_else(|| {
            self.item.fault("no damping takes up so much; write a higher coefficient or speed");
            DAMPING
        })
    }
}

fn rebound<'a>(item: Item<'a>) -> Option<Rebound<'a>> {
    let section = item.section()?;
    let coefficient = section.require("coefficient").and_then(|item| {
        let value = item.quantity()?;
        if value > 0.0 && value < 1.0 {
            return Some(value);
        }
        item.fault("it must be above 0 and below 1; damping = 0 takes up nothing");
        None
    });
    let speed: Option<f64> = section.setting("speed");
    section.finish();
    Some(Rebound { item, coefficient: coefficient?, speed: speed? })
}

/// What contacts do, and the restitution from which their damping is still to follow.
pub(super) fn law<'a>(root: &Section<'a>) -> (ForceLaw, Option<Rebound<'a>>) {
    let section = root.table("contact");
    let given = section.get("restitution");
    if section.has("damping")
        && let Some(item) = &given
    {
        item.fault("`damping` is given, too; write one of the two");
    }
    let rebound = given.and_then(rebound);
    let mut law = ForceLaw::read(&section);
    if !section.has("damping") {
        law.damping = DAMPING;
    }
    if !section.has("wall_friction") {
        law.wall_friction = law.friction;
    }
    if !section.has("tangential_stiffness") {
        law.tangential = TANGENTIAL;
    }
    section.finish();
    (law, rebound)
}
