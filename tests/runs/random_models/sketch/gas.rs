//! A random disk gas.

use std::fmt::Write;

use jostle_lab::validate::random::Draws;

/// Its text, and how it finds contacts.
pub(super) fn draw(dice: &mut Draws) -> (String, &'static str) {
    let mut text = String::new();
    let contact = dice.pick(&["exact", "after_move", "events"]);
    let edges = [dice.between(60.0, 120.0), dice.between(60.0, 200.0)];
    let periodic = [dice.chance(0.4), dice.chance(0.4)];
    writeln!(text, "[units]\nlength = \"mm\"\ntime = \"ms\"").unwrap();
    super::write_space(&mut text, &edges, &periodic);
    let steps = dice.whole(40, 250);
    writeln!(text, "[run]\nengine = \"gas\"\ncontact = \"{contact}\"").unwrap();
    writeln!(text, "timestep = {:?}\nsteps = {steps}", dice.between(0.05, 0.5)).unwrap();
    writeln!(text, "seed = {}", dice.below(1_000_000)).unwrap();
    if dice.chance(0.5) {
        writeln!(text, "[gravity]\nacceleration = \"{:?} m/s^2\"", dice.between(0.5, 9.81))
            .unwrap();
        writeln!(text, "start = \"{}\"", dice.pick(&["atmosphere", "uniform"])).unwrap();
    }
    if contact == "after_move" {
        // Which search it is decides the order of the collisions.
        writeln!(text, "[search]\nkind = \"{}\"", dice.pick(&["slices", "naive"])).unwrap();
    }
    let species = dice.whole(1, 3);
    for name in &["A", "B", "D"][..species] {
        writeln!(text, "[[species]]\nname = \"{name}\"").unwrap();
        writeln!(text, "radius = {:?}", dice.between(0.5, 2.5)).unwrap();
        writeln!(text, "mass = \"{:?} g\"", dice.between(0.2, 3.0)).unwrap();
        match dice.chance(0.2) {
            true => {
                let velocity = [dice.between(-1.0, 1.0), dice.between(-1.0, 1.0)];
                writeln!(text, "velocity = {velocity:?}").unwrap();
            }
            false => writeln!(text, "speed = \"{:?} m/s\"", dice.between(0.2, 1.5)).unwrap(),
        }
        writeln!(text, "count = {}", dice.whole(5, 80)).unwrap();
    }
    let frame_every = dice.pick(&[1, 2, 5]);
    writeln!(text, "[output]\nprecision = \"double\"\nframe_every = {frame_every}").unwrap();
    (text, contact)
}
