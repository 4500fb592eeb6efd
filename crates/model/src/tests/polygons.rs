//! Models of polygons: what keys mean, and that a model written out in full is the same model.

use super::*;
use crate::polygons::{Form, Shape, cast};
use jostle_core::parameters::polygons::Drive;
use jostle_core::space::Vector;

const BASE: &str = "[space]\ndimension = 2\nedges = '100 mm'\nboundary = 'reflecting'\n[run]\nengine = 'polygons'\n\
                    timestep = 'auto'\nuntil = '10 ms'\n[contact]\nstiffness = '1e5 N/m'\n[[species]]\nname = 'tile'\n\
                    shape = { regular = 6, radius = '3 mm' }\ndensity = '5000 kg/m^2'\ncount = 5\n";

fn read(text: &str) -> Model {
    parse(text, "test", &[]).unwrap_or_else(|faults| panic!("{faults}"))
}

fn with(more: &str) -> Model {
    read(&format!("{BASE}{more}"))
}

#[test]
fn every_model_written_out_in_full_is_the_same_model() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let mut count = 0;
    for name in [
        "hopper_polygons",
        "pile_polygons",
        "drum_polygons",
        "shear_cell",
        "biaxial_box",
        "falling_letters",
    ] {
        let model = load(&folder.join(format!("{name}.toml")), &[])
            .unwrap_or_else(|faults| panic!("{faults}"));
        let mut again = read(&model.source.resolved);
        assert_eq!(again.source.resolved, model.source.resolved, "{name}");
        again.source = model.source.clone();
        assert_eq!(again, model, "{name}");
        count += 1;
    }
    assert_eq!(count, 6);
}

#[test]
fn a_box_has_a_wall_at_every_side_that_neither_closes_nor_is_open() {
    let names = |space: &str| {
        let model = read(&BASE.replace("boundary = 'reflecting'", space));
        let cast = cast(&model, model.polygons().unwrap());
        cast.names.join(" ")
    };
    assert_eq!(names("boundary = 'reflecting'"), "left right bottom top");
    assert_eq!(names("boundary = ['periodic', 'reflecting']"), "bottom top");
    assert_eq!(names("boundary = 'reflecting'\nwalls = ['bottom', 'left']"), "left bottom");
    assert_eq!(names("boundary = 'reflecting'\nwalls = false"), "");
    assert_eq!(names("boundary = 'periodic'"), "");
}

/// The walls stand outside the faces, thicker than any body is wide, and reach beyond the corners.
#[test]
fn the_walls_of_the_box_stand_outside_it() {
    let model = with("");
    let cast = cast(&model, model.polygons().unwrap());
    for (wall, (axis, side)) in cast.walls.iter().zip([(0, 0), (0, 1), (1, 0), (1, 1)]) {
        let pose = jostle_core::space::Pose::new(wall.position, wall.angle);
        let bounds = cast.outlines[wall.outline as usize].bounds(&pose, &mut [0; 4]);
        let face = [0.0, 100e6][side];
        assert_eq!(bounds[axis][1 - side], face);
        assert!((bounds[axis][1] - bounds[axis][0] - 6e6).abs() < 1.0, "{bounds:?}");
        assert!(bounds[1 - axis][0] < -5e6 && bounds[1 - axis][1] > 105e6);
    }
}

#[test]
fn gravity_points_down_or_along_a_vector_and_is_turned() {
    let gravity = |text: &str| with(&format!("[gravity]\n{text}\n")).polygons().unwrap().gravity;
    assert_eq!(gravity("acceleration = '10 m/s^2'"), Vector([0.0, -0.01]));
    assert_eq!(gravity("acceleration = ['3 m/s^2', '0 m/s^2']"), Vector([0.003, 0.0]));
    let turned = gravity("acceleration = '10 m/s^2'\nangle = '30 deg'");
    assert!((turned - Vector([0.005, -0.01 * 0.75_f64.sqrt()])).norm() < 1e-17);
}

#[test]
fn turning_is_reported_in_turns_or_in_angles() {
    let speed = |text: &str| {
        let more = format!(
            "[[wall]]\nname = 'w'\nrectangle = [['40 mm', '40 mm'], ['60 mm', '60 mm']]\n\
                            drive = {{ rotation = '{text}', centre = ['50 mm', '50 mm'] }}\n"
        );
        match with(&more).polygons().unwrap().walls[0].drive {
            Drive::Rotation { angular_velocity, .. } => angular_velocity,
            _ => f64::NAN,
        }
    };
    let turn = std::f64::consts::TAU * 1e-6;
    for (text, expected) in [
        ("60 rpm", turn),
        ("1 Hz", turn),
        ("2 rad/s", 2e-6),
        ("-360 deg/s", -turn),
        ("1 kHz", 1e3 * turn),
    ] {
        assert!((speed(text) - expected).abs() < 1e-12 * expected.abs(), "{text}");
    }
}

#[test]
fn rings_and_copies_are_many_walls_that_do_not_overlap() {
    let model = with(
        "[[wall]]\nname = 'drum'\nring = { corners = 12, radius = '30 mm', thickness = '4 mm', \
         centre = ['50 mm', '50 mm'] }\ndrive = { rotation = '10 rpm' }\n\
         [[wall]]\nname = 'tooth'\ncorners = [['0 mm', '0 mm'], ['2 mm', '0 mm'], ['1 mm', '2 mm']]\n\
         copies = { count = 3, step = ['10 mm', '1 mm'] }\n",
    );
    let walls = &model.polygons().unwrap().walls;
    assert_eq!(
        (walls.len(), walls[11].name.as_str(), walls[14].name.as_str()),
        (15, "drum_12", "tooth_3")
    );
    let centre = |wall: usize| match walls[wall].drive {
        Drive::Rotation { centre, .. } => centre,
        _ => Vector::ZERO,
    };
    assert!((0..12).all(|wall| centre(wall) == Vector([50e6; 2])));
    assert_eq!(walls[14].form, Form::Corners(vec![[20e6, 2e6], [22e6, 2e6], [21e6, 4e6]]));
    let cast = cast(&model, model.polygons().unwrap());
    let area: f64 =
        (4..16).map(|wall| cast.outlines[cast.walls[wall].outline as usize].area()).sum();
    // Between two regular polygons of 12 corners, 4 mm apart along their faces.
    let inner = 30e6 * (std::f64::consts::PI / 12.0).cos();
    let expected =
        12.0 * (std::f64::consts::PI / 12.0).tan() * ((inner + 4e6).powi(2) - inner.powi(2));
    assert!((area / expected - 1.0).abs() < 1e-12, "{area} {expected}");
}

#[test]
fn drawn_outlines_are_as_large_and_as_cornered_as_asked() {
    let model = read(&BASE.replace(
        "{ regular = 6, radius = '3 mm' }\ndensity = '5000 kg/m^2'\ncount = 5",
        "{ random = [5, 8], radius = ['2 mm', '3 mm'], aspect = 0.5 }\ndensity = '5000 kg/m^2'\ncount = 60",
    ));
    assert!(matches!(model.polygons().unwrap().bodies[0].shape, Shape::Random { .. }));
    let cast = cast(&model, model.polygons().unwrap());
    let mut seen = std::collections::BTreeSet::new();
    for solid in 0..60 {
        let polygon = cast.outlines[cast.solids[solid].outline as usize].polygon().unwrap();
        seen.insert(polygon.corners().len());
        // The longer semi-axis is at most 4 mm; the centroid of few corners is off the ellipse's
        // centre.
        assert!((1.5e6..5e6).contains(&polygon.circumradius()), "{}", polygon.circumradius());
    }
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), [5, 6, 7, 8]);
}

#[test]
fn the_time_step_follows_the_shortest_contact() {
    let model = with("");
    let contact = model.polygons().unwrap().longest_timestep(&model.placement, model.run.seed, 1.0);
    let steps = contact / model.run.timestep;
    assert!((50.0..56.0).contains(&steps), "{steps}");
    assert_eq!(model.run.steps, (10e3 / model.run.timestep * (1.0 - 1e-12)).ceil() as u64);
}
