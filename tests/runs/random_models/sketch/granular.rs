//! A random granular model: balls in a box or a cylinder, which fall, are shaken and slowed down.

use std::fmt::Write;

use super::AXES;
use jostle_lab::validate::random::Draws;

/// Its text.
pub(super) fn draw(dice: &mut Draws, dimension: usize) -> String {
    let mut text = String::new();
    let shortest = [200.0, 40.0, 28.0][dimension - 1];
    let mut edges: Vec<f64> =
        (0..dimension).map(|_| dice.between(shortest, 1.6 * shortest)).collect();
    let in_cylinder = dimension == 3 && dice.chance(0.25);
    let periodic: Vec<bool> = (0..dimension).map(|_| !in_cylinder && dice.chance(0.4)).collect();
    if in_cylinder {
        edges[1] = edges[0];
    }
    writeln!(text, "[units]\nlength = \"mm\"\ntime = \"ms\"").unwrap();
    super::write_space(&mut text, &edges, &periodic);
    if in_cylinder {
        writeln!(text, "shape = \"cylinder\"").unwrap();
    }
    let pulls = dice.chance(0.5);
    let [drags, traps, sways] = [0.3, 0.2, 0.3].map(|probability| dice.chance(probability));
    writeln!(text, "[run]\nengine = \"granular\"").unwrap();
    writeln!(text, "until = {:?}\nseed = {}", dice.between(50.0, 300.0), dice.below(1_000_000))
        .unwrap();
    if drags || traps || (pulls && sways) {
        let clock = dice.pick(&["grid", "reset"]);
        let every = dice.between(0.5, 5.0);
        writeln!(text, "trajectory_every = {every:?}\ntrajectory_clock = \"{clock}\"").unwrap();
    }
    if pulls {
        writeln!(text, "[gravity]\nacceleration = \"9.81 m/s^2\"").unwrap();
        if sways {
            writeln!(text, "amplitude = \"{:?} m/s^2\"", dice.between(1.0, 5.0)).unwrap();
            writeln!(text, "frequency = \"{:?} Hz\"", dice.between(5.0, 40.0)).unwrap();
        }
    }
    let walled: Vec<usize> = (0..dimension).filter(|&axis| !periodic[axis]).collect();
    if !walled.is_empty() && dice.chance(0.4) {
        let axis = if in_cylinder { 2 } else { dice.pick(&walled) };
        writeln!(text, "[shaking]\naxis = \"{}\"", AXES[axis]).unwrap();
        writeln!(text, "walls = \"{}\"", dice.pick(&["all", "lower", "upper"])).unwrap();
        writeln!(text, "amplitude = {:?}", dice.between(1.0, 5.0)).unwrap();
        writeln!(text, "frequency = \"{:?} Hz\"", dice.between(5.0, 30.0)).unwrap();
    }
    if drags {
        writeln!(text, "[drag]\nrate = \"{:?} /s\"", dice.between(0.5, 5.0)).unwrap();
    }
    if traps {
        let centre: Vec<f64> = edges.iter().map(|edge| 0.5 * edge).collect();
        writeln!(text, "[field]\ncentre = {centre:?}\nrate = \"{:?} /s\"", dice.between(1.0, 8.0))
            .unwrap();
    }
    write_collisions(&mut text, dice);
    let species = dice.whole(1, 3);
    for name in &["A", "B", "D"][..species] {
        write_balls(&mut text, dice, name, dimension);
    }
    writeln!(text, "[output]\nprecision = \"double\"\nframes = {}", dice.whole(10, 60)).unwrap();
    text
}

/// Without a contact time, balls that lose energy could collide infinitely often in a finite time.
fn write_collisions(text: &mut String, dice: &mut Draws) {
    let restitution = dice.pick(&["viscoelastic", "constant", "plastic", "elastic"]);
    writeln!(text, "[collisions]\nrestitution = \"{restitution}\"").unwrap();
    if restitution == "constant" {
        writeln!(text, "coefficient = {:?}", dice.between(0.5, 0.99)).unwrap();
    }
    match dice.below(3) {
        0 if restitution == "elastic" => writeln!(text, "tc = \"none\"").unwrap(),
        1 => writeln!(text, "tc = \"{:?} us\"", dice.between(5.0, 50.0)).unwrap(),
        _ => {}
    }
}

fn write_balls(text: &mut String, dice: &mut Draws, name: &str, dimension: usize) {
    writeln!(text, "[[species]]\nname = \"{name}\"").unwrap();
    let radius = dice.between(0.8, 2.5);
    match dice.chance(0.3) {
        true => writeln!(text, "radius = [{:?}, {:?}]", 0.5 * radius, radius).unwrap(),
        false => writeln!(text, "radius = {radius:?}").unwrap(),
    }
    if dimension == 2 && dice.chance(0.3) {
        writeln!(text, "mass_law = \"area\"").unwrap();
    }
    match dice.below(5) {
        0 => {}
        1 => {
            let velocity: Vec<f64> = (0..dimension).map(|_| dice.between(-1.0, 1.0)).collect();
            writeln!(text, "velocity = {velocity:?}").unwrap();
        }
        _ => writeln!(text, "speed = \"{:?} m/s\"", dice.between(0.2, 2.0)).unwrap(),
    }
    let most = [8, 25, 40][dimension - 1];
    match dice.whole(2, most) {
        n if n % 3 == 0 => writeln!(text, "placement = {{ packed = {n} }}").unwrap(),
        n => writeln!(text, "count = {n}").unwrap(),
    }
}
