//! Outlines never overlap, nor stick in walls; they are turned and move as asked.

use super::*;
use crate::parse;
use jostle_core::narrow::polygons::{FeatureCounters, Meeting, Tracked, meet};
use jostle_core::space::Pose;

fn model(space: &str, rest: &str) -> Model {
    let text = format!(
        "[space]\ndimension = 2\n{space}\n[run]\nengine = 'polygons'\ntimestep = 'auto'\nuntil = '1 ms'\n\
         [contact]\nstiffness = '1e5 N/m'\n{rest}"
    );
    parse(&text, "test", &[]).unwrap_or_else(|faults| panic!("{faults}"))
}

fn placed(model: &Model) -> Cast {
    place_polygons(model, model.polygons().unwrap()).unwrap_or_else(|error| panic!("{error}"))
}

/// How many pairs overlap, walls among them.
fn overlaps(model: &Model, cast: &Cast) -> usize {
    let domain = Domain::new(
        [model.space.edges[0], model.space.edges[1]],
        [model.space.periodic[0], model.space.periodic[1]],
    );
    let solids = cast.solids.iter().map(|solid| (solid.outline, solid.position, solid.angle));
    let walls = cast.walls.iter().map(|wall| (wall.outline, wall.position, wall.angle));
    let all: Vec<_> = solids.chain(walls).collect();
    let mut count = 0;
    for (n, one) in all.iter().enumerate().take(cast.solids.len()) {
        for other in &all[n + 1..] {
            let apart = domain.nearest_image(other.1 - one.1);
            let poses = [Pose::new(Vector::ZERO, one.2), Pose::new(apart, other.2)];
            let outlines = [one.0, other.0].map(|outline| &cast.outlines[outline as usize]);
            let met = meet(
                (outlines[0], &poses[0]),
                (outlines[1], &poses[1]),
                &mut Tracked::default(),
                &mut FeatureCounters::default(),
            );
            count +=
                usize::from(matches!(met, Meeting::Overlapping(overlap) if overlap.area > 1.0));
        }
    }
    count
}

const GRAINS: &str = "[[species]]\nname = 'grain'\ndensity = '5000 kg/m^2'\nangle = 'random'\n\
                      shape = { random = [3, 8], radius = ['2 mm', '4 mm'], aspect = 0.5 }\n";

#[test]
fn random_places_are_free_between_walls_and_around_the_box() {
    let wedge = "[[wall]]\nname = 'wedge'\ncorners = [['20 mm', '0 mm'], ['80 mm', '0 mm'], ['50 mm', '40 mm']]\n";
    for boundary in ["'reflecting'", "'periodic'", "['periodic', 'reflecting']"] {
        let model = model(
            &format!("edges = '100 mm'\nboundary = {boundary}"),
            &format!("{GRAINS}count = 100\n{wedge}"),
        );
        let cast = placed(&model);
        assert_eq!((cast.solids.len(), overlaps(&model, &cast)), (100, 0), "{boundary}");
        let same = placed(&model);
        assert!(cast.solids.iter().zip(&same.solids).all(|(a, b)| a.position == b.position));
    }
}

/// Squares of one direction fill 0.45 of the box: bounding circles alone, which have 1.57 times
/// their area, would have to fill 0.71, far beyond what random placement reaches.
#[test]
fn outlines_and_not_their_circles_decide_which_fit() {
    let tile = "[[species]]\nname = 'tile'\ndensity = '1 kg/m^2'\nshape = { rectangle = ['5 mm', '5 mm'] }\n\
                count = 180\n";
    let model = model("edges = '100 mm'\nboundary = 'periodic'", tile);
    let cast = placed(&model);
    assert_eq!((cast.solids.len(), overlaps(&model, &cast)), (180, 0));
}

#[test]
fn lattices_and_random_bodies_keep_to_their_regions() {
    let rest = format!(
        "{GRAINS}placement = {{ lattice = 30 }}\nregion = {{ from = ['10 mm', '10 mm'], to = ['90 mm', '60 mm'] }}\n\
         [[species]]\nname = 'coin'\ndensity = '1 kg/m^2'\nshape = {{ disk = '2 mm' }}\ncount = 20\n\
         region = {{ from = ['5 mm', '70 mm'], to = ['95 mm', '95 mm'] }}\n"
    );
    let model = model("edges = '100 mm'\nboundary = 'reflecting'", &rest);
    let cast = placed(&model);
    assert_eq!(overlaps(&model, &cast), 0);
    let inside = |n: usize, low: f64, high: f64| {
        let y = cast.solids[n].position[1];
        (low..=high).contains(&y)
    };
    assert!((0..30).all(|n| inside(n, 10e6, 60e6)) && (30..50).all(|n| inside(n, 70e6, 95e6)));
}

#[test]
fn bodies_are_turned_and_move_as_asked() {
    let rest = "[[species]]\nname = 'a'\ndensity = '1 kg/m^2'\nshape = { regular = 5, radius = '1 mm' }\n\
                speed = '3 mm/s'\nangular_velocity = '2 Hz'\nangle = '90 deg'\nplacement = { lattice = 2000 }\n\
                [[species]]\nname = 'b'\ndensity = '1 kg/m^2'\nshape = { disk = '1 mm' }\n\
                placement = { positions = [['1 mm', '399 mm', '30 deg'], ['5 mm', '399 mm']] }\n";
    let model = model("edges = ['400 mm', '400 mm']\nboundary = 'reflecting'", rest);
    let cast = placed(&model);
    let mean = cast.solids[..2000].iter().map(|solid| solid.velocity.norm()).sum::<f64>() / 2000.0;
    // A speed in a plane has a standard deviation of 0.523 means: 0.0117 of it for 2000; 4.5 sigma.
    assert!((mean / 3.0 - 1.0).abs() < 4.5 * 0.0117, "{mean}");
    let turn = std::f64::consts::TAU;
    assert!(cast.solids[..2000].iter().all(|solid| solid.angle == 0.25 * turn));
    assert!(
        cast.solids[..2000]
            .iter()
            .all(|solid| (solid.angular_velocity - 2e-6 * turn).abs() < 1e-18)
    );
    assert!(
        (cast.solids[2000].angle - turn / 12.0).abs() < 1e-15 && cast.solids[2001].angle == 0.0
    );
}

#[test]
fn a_picture_is_read_from_its_upper_left_and_stands_on_its_lower_left() {
    let rest = "[[species]]\nname = 'tile'\ndensity = '1 kg/m^2'\nshape = { rectangle = ['5 mm', '5 mm'] }\n\
                [species.placement]\ncorner = ['10 mm', '20 mm']\npitch = '6 mm'\npicture = ['# #', '.#']\n";
    let cast = placed(&model("edges = '100 mm'\nboundary = 'reflecting'", rest));
    let places: Vec<_> = cast.solids.iter().map(|solid| solid.position.0).collect();
    assert_eq!(places, [[10e6, 26e6], [22e6, 26e6], [16e6, 20e6]]);
}
