//! Faults that lie between the sections of a disk gas.

use crate::gas::{Contact, GasModel};
use crate::walker::Reader;
use crate::{Model, measure};
use jostle_core::search::Kind;
use jostle_core::words::{length_text, time_text};

use super::granular;

pub(super) fn check(model: &Model, gas: &GasModel, reader: &Reader<'_>) {
    if model.space.dimension != 2 {
        let found = model.space.dimension;
        reader.fault_at(
            "space.dimension",
            format!("found {found}, but disks move in a plane: the dimension must be 2"),
        );
        return;
    }
    granular::sizes(model, reader);
    granular::periods(model, reader);
    super::packing::check(model, reader);
    timestep(model, gas, reader);
    match gas.contact {
        Contact::Exact => cells(model, gas, reader),
        Contact::AfterMove => after_move(model, gas, reader),
        Contact::Events => granular::search(model, &gas.granular, reader),
    }
}

/// How far the fastest species gets in a step. \[nm\]
fn travel(model: &Model, gas: &GasModel) -> f64 {
    gas.typical_speed(model) * model.run.timestep
}

/// No particle jumps over another, nor through half the box.
fn timestep(model: &Model, gas: &GasModel, reader: &Reader<'_>) {
    let smallest = 2.0 * measure::smallest_radius(model).unwrap_or(f64::INFINITY);
    let shortest =
        model.space.edges[..model.space.dimension].iter().copied().fold(f64::INFINITY, f64::min);
    let (limit, what) = match gas.contact {
        Contact::Events => return,
        Contact::AfterMove => {
            (smallest, "the smallest diameter, so pairs would jump through each other")
        }
        Contact::Exact => (0.1 * shortest, "a tenth of the shortest edge"),
    };
    let travel = travel(model, gas);
    if travel > limit {
        reader.fault_at(
            "run.timestep",
            format!(
                "in {} a disk goes {} at a typical speed, more than {what}; use at most {}; {} (a \
                 twentieth of the smallest diameter) is a good start",
                time_text(model.run.timestep),
                length_text(travel),
                measure::time(model.run.timestep * limit / travel),
                measure::time(model.run.timestep * 0.05 * smallest / travel)
            ),
        );
    }
}

/// More strips than so many take memory and time for nothing.
const MOST_STRIPS: f64 = 1e7;

/// The page's algorithm has walls, and strips that miss no particle.
fn after_move(model: &Model, gas: &GasModel, reader: &Reader<'_>) {
    if model.space.periodic[..2].contains(&true) {
        reader.fault_at(
            "space.boundary",
            "overlaps after the move are searched for in strips that end at walls: boundary = \"reflecting\" \
             (`contact = \"exact\"` and \"events\" support periodic boxes)",
        );
    }
    let least = 2.0 * measure::largest_radius(model).unwrap_or(0.0);
    let width = gas.search.cell_size.unwrap_or(least);
    let edge = model.space.edges[gas.search.axis.min(1)];
    if gas.search.kind != Kind::Naive && width >= least && edge > MOST_STRIPS * width {
        reader.fault_at(
            "search.cell_size",
            format!(
                "there would be {1:.3e} strips with a width of {0}, and each step goes through all of them: use at least \
                 {2}, or `kind = \"naive\"`",
                length_text(width),
                edge / width,
                length_text(edge / MOST_STRIPS)
            ),
        );
    }
    if let (Some(width), Kind::Slices) = (gas.search.cell_size, gas.search.kind)
        && width < least
    {
        reader.fault_at(
            "search.cell_size",
            format!(
                "strips with a width of {} miss pairs that touch: at least the largest diameter, {}, is needed",
                length_text(width),
                length_text(least)
            ),
        );
    }
}

/// The cells that the file asks for are right for most disks in most steps.
fn cells(model: &Model, gas: &GasModel, reader: &Reader<'_>) {
    let Some(size) = gas.search.cell_size.filter(|_| gas.search.kind != Kind::Levels) else {
        return;
    };
    let least = 2.0 * (measure::largest_radius(model).unwrap_or(0.0) + travel(model, gas));
    if size < least {
        reader.fault_at(
            "search.cell_size",
            format!(
                "a cell of {} is narrower than a disk plus its path in a step on either side: at least {} is needed",
                length_text(size),
                length_text(measure::round_up(least))
            ),
        );
    }
}
