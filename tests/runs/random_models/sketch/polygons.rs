//! A random model of polygons: grains in a box, with walls that stand, move and open.

use std::fmt::Write;

use jostle_lab::validate::random::Draws;

/// Its text.
pub(super) fn draw(dice: &mut Draws) -> String {
    let mut text = String::new();
    let edges = [dice.between(50.0, 90.0), dice.between(60.0, 120.0)];
    let periodic = [dice.chance(0.4), dice.chance(0.2)];
    writeln!(text, "[units]\nlength = \"mm\"\ntime = \"ms\"").unwrap();
    super::write_space(&mut text, &edges, &periodic);
    writeln!(text, "[run]\nengine = \"polygons\"\ntimestep = \"auto\"").unwrap();
    writeln!(text, "steps = {}", dice.whole(300, 2000)).unwrap();
    writeln!(text, "seed = {}", dice.below(1_000_000)).unwrap();
    if dice.chance(0.7) {
        writeln!(text, "[gravity]\nacceleration = \"9.81 m/s^2\"").unwrap();
        writeln!(text, "angle = \"{:?} deg\"", dice.between(-30.0, 30.0)).unwrap();
    }
    writeln!(text, "[contact]\nstiffness = \"{:?} N/m\"", dice.between(1.0, 4.0) * 1e6).unwrap();
    writeln!(text, "law = \"{}\"", dice.weighed(&[(3, "gradient"), (1, "area")])).unwrap();
    writeln!(text, "damping = {:?}", dice.between(0.0, 0.8)).unwrap();
    writeln!(text, "friction = {:?}", dice.between(0.0, 0.8)).unwrap();
    if dice.chance(0.3) {
        writeln!(text, "wall_friction = {:?}", dice.between(0.0, 0.8)).unwrap();
        writeln!(text, "rolling_friction = {:?}", dice.between(0.0, 0.3)).unwrap();
    }
    let species = dice.whole(1, 3);
    for name in &["A", "B", "D"][..species] {
        write_grains(&mut text, dice, name);
    }
    if dice.chance(0.6) {
        write_wall(&mut text, dice, edges);
    }
    let frame_every = dice.whole(10, 60);
    writeln!(text, "[output]\nprecision = \"double\"\nframe_every = {frame_every}").unwrap();
    text
}

fn write_grains(text: &mut String, dice: &mut Draws, name: &str) {
    let size = dice.between(1.5, 3.0);
    let shape = match dice.below(5) {
        0 => format!("regular = {}, radius = {size:?}", dice.whole(3, 8)),
        1 => format!("rectangle = [{:?}, {size:?}]", 1.5 * size),
        2 => format!("ellipse = [{size:?}, {:?}], sides = {}", 0.6 * size, dice.whole(8, 24)),
        3 => format!("disk = {size:?}"),
        _ => format!("random = [4, 8], radius = [{:?}, {size:?}], aspect = 0.7", 0.7 * size),
    };
    writeln!(text, "[[species]]\nname = \"{name}\"\nshape = {{ {shape} }}").unwrap();
    writeln!(text, "density = \"{:?} kg/m^2\"", dice.between(2000.0, 8000.0)).unwrap();
    if dice.chance(0.7) {
        writeln!(text, "angle = \"random\"").unwrap();
    }
    match dice.below(3) {
        0 => {}
        1 => writeln!(text, "velocity = [{:?}, 0.1]", dice.between(-0.5, 0.5)).unwrap(),
        _ => writeln!(text, "speed = \"{:?} m/s\"", dice.between(0.1, 1.0)).unwrap(),
    }
    if dice.chance(0.3) {
        writeln!(text, "angular_velocity = \"{:?} Hz\"", dice.between(1.0, 10.0)).unwrap();
    }
    writeln!(text, "count = {}", dice.whole(3, 25)).unwrap();
}

/// In the middle of the box, or near its floor.
fn write_wall(text: &mut String, dice: &mut Draws, [width, height]: [f64; 2]) {
    let [x, y] = [0.5 * width, 0.4 * height];
    let rest = match dice.below(5) {
        0 => format!("shape = {{ regular = 6, radius = 5.0 }}\nposition = [{x:?}, {y:?}]"),
        1 => format!(
            "shape = {{ regular = 5, radius = 5.0 }}\nposition = [{x:?}, {y:?}]\n\
             drive = {{ rotation = \"{:?} rpm\" }}",
            dice.between(10.0, 120.0)
        ),
        2 => format!(
            "rectangle = [[{:?}, 2.0], [{:?}, 6.0]]\n\
             drive = {{ oscillation = [0.0, 1.0], frequency = \"{:?} Hz\" }}",
            x - 8.0,
            x + 8.0,
            dice.between(5.0, 40.0)
        ),
        3 => format!(
            "segment = [[{:?}, {y:?}], [{:?}, {y:?}]]\nthickness = 4.0\nopens_at = {:?}",
            0.2 * width,
            0.8 * width,
            dice.between(0.5, 5.0)
        ),
        _ => format!(
            "rectangle = [[{:?}, {:?}], [{:?}, {:?}]]\n\
             drive = {{ force = [\"0 N\", \"-{:?} N\"], mass = \"1 kg\" }}",
            0.3 * width,
            0.9 * height,
            0.7 * width,
            0.9 * height + 4.0,
            dice.between(1.0, 20.0)
        ),
    };
    writeln!(text, "[[wall]]\nname = \"obstacle\"\n{rest}").unwrap();
}
