//! What looks wrong with a disk gas.

use crate::gas::{Contact, GasModel};
use crate::{Model, measure};
use jostle_core::words::digits;

use super::{Warning, granular};

/// Above this share of the smallest diameter a step of collisions after the move is coarse.
const COARSE: f64 = 0.1;

pub(super) fn warnings(model: &Model, gas: &GasModel) -> Vec<Warning> {
    let mut list = Vec::new();
    granular::falling(model, &gas.granular, &mut list);
    granular::stillness(model, &gas.granular, &mut list);
    granular::density(model, &mut list);
    let share = gas.travel(model);
    if gas.contact == Contact::AfterMove && share > COARSE {
        list.push(Warning::of("run.timestep", format!(
            "a disk moves {} of the smallest diameter in a step: overlaps are noticed late, and grazing ones \
             not at all, so the collision rate is too low by about that fraction; {} would make it a twentieth",
            digits(share, 2),
            measure::time(model.run.timestep * 0.05 / share)
        )));
    }
    list
}
