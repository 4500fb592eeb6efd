//! Faults that lie between the sections of a polygon model.

use crate::Model;
use crate::measure::{enclosed, time};
use crate::polygons::{Cast, PolygonModel, cast};
use crate::walker::Reader;
use jostle_core::parameters::polygons::{Drive, LEAST_PERIOD, STEPS_PER_CONTACT};
use jostle_core::space::{Pose, Vector};
use jostle_core::words::length_text;

pub(super) fn check(model: &Model, polygons: &PolygonModel, reader: &Reader<'_>) {
    if model.space.dimension != 2 {
        reader.fault_at(
            "space.dimension",
            format!("polygons need two dimensions: `dimension = 2`, not {}", model.space.dimension),
        );
        return;
    }
    let cast = Cast::of_bodies(model, polygons);
    timestep(model, polygons, reader);
    periods(model, &cast, reader);
    walls_round_the_box(model, polygons, &cast, reader);
    packing(model, &cast, reader);
    masses(model, &cast, reader);
}

/// Contacts are followed in small steps.
fn timestep(model: &Model, polygons: &PolygonModel, reader: &Reader<'_>) {
    let longest = polygons.longest_timestep(&model.placement, model.run.seed, STEPS_PER_CONTACT);
    if model.run.timestep <= longest || model.run.timestep.is_nan() || longest.is_nan() {
        return;
    }
    reader.fault_at(
        "run.timestep",
        format!(
            "a contact of the two lightest particles changes within {} and takes at least {STEPS_PER_CONTACT} steps to \
             follow: use at most {}, or `timestep = \"auto\"` (a softer `stiffness` under `[contact]` allows longer \
             steps, by its square root; so does less `damping`, if that is above 1)",
            time(longest * STEPS_PER_CONTACT),
            time(longest)
        ),
    );
}

/// A body touches no other and not itself over two faces at a time.
fn periods(model: &Model, cast: &Cast, reader: &Reader<'_>) {
    let reach = cast.largest_reach();
    for k in (0..2).filter(|&k| model.space.periodic[k]) {
        let least = LEAST_PERIOD * reach;
        if model.space.edges[k] < least {
            reader.fault_at(
                "space.edges",
                format!(
                    "the box is periodic along {}, so its edge must be at least {}, since the largest \
                     particle is {} across; it is {}",
                    ["x", "y"][k],
                    length_text(least),
                    length_text(2.0 * reach),
                    length_text(model.space.edges[k])
                ),
            );
        }
    }
}

/// A body meets the image of a wall whose centroid is nearest: the wall has to be short enough for
/// no other to matter, or to reach round the box on both sides.
fn walls_round_the_box(model: &Model, polygons: &PolygonModel, bodies: &Cast, reader: &Reader<'_>) {
    let reach = bodies.largest_reach();
    if !model.space.periodic[..2].contains(&true) || !reach.is_finite() {
        return;
    }
    let all = cast(model, polygons);
    for (wall, name) in all.walls.iter().zip(&all.names) {
        let outline = &all.outlines[wall.outline as usize];
        let sides = match wall.drive {
            Drive::Rotation { .. } => [[-outline.circumradius(), outline.circumradius()]; 2],
            _ => outline.bounds(&Pose::new(Vector::ZERO, wall.angle), &mut [0; 4]),
        };
        for k in (0..2).filter(|&k| model.space.periodic[k]) {
            let extents = [-sides[k][0], sides[k][1]];
            let [short, long] =
                [0.5 * model.space.edges[k] - reach, 0.5 * model.space.edges[k] + reach];
            if extents.iter().all(|&x| x <= short) || extents.iter().all(|&x| x >= long) {
                continue;
            }
            reader.fault_at(
                "space.boundary",
                format!(
                    "the box is periodic along {}, and the wall \"{name}\" extends {} and {} to the two sides of its \
                     centroid: it must be at most {} to either side, or, to close round the box, at least {} to \
                     both",
                    ["x", "y"][k],
                    length_text(extents[0]),
                    length_text(extents[1]),
                    length_text(short.max(0.0)),
                    length_text(long)
                ),
            );
        }
    }
}

/// What is asked for could fit at all.
fn packing(model: &Model, cast: &Cast, reader: &Reader<'_>) {
    let area = |species: u16| -> f64 {
        let own = (0..cast.solids.len()).filter(|&n| cast.solids[n].species == species);
        own.map(|n| cast.area(n)).sum()
    };
    let areas: Vec<f64> = (0..model.species.len() as u16).map(area).collect();
    let share = areas.iter().sum::<f64>() / (model.space.edges[0] * model.space.edges[1]);
    let largest = (0..areas.len()).max_by(|&a, &b| areas[a].total_cmp(&areas[b]));
    if let (Some(largest), true) = (largest, share > 1.0) {
        reader.fault_of_species(
            &model.species[largest].name,
            "",
            format!(
                "the particles would fill {share:.4} times the box ({}): use fewer or smaller ones, or a larger box",
                enclosed(model)
            ),
        );
    }
}

/// Every body has a mass that can be distinguished from zero.
fn masses(model: &Model, cast: &Cast, reader: &Reader<'_>) {
    for (number, species) in model.species.iter().enumerate() {
        let own = (0..cast.solids.len()).filter(|&n| cast.solids[n].species as usize == number);
        let odd =
            own.map(|n| cast.mass(n)).find(|mass| *mass < f64::MIN_POSITIVE || mass.is_infinite());
        if let Some(mass) = odd {
            reader.fault_of_species(
                &species.name,
                "density",
                format!("a particle would have a mass of {mass:?} kg"),
            );
        }
    }
}
