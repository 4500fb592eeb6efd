//! The outlook against closed forms: exponential decay and growth, equilibrium, what comes by the
//! clock.

use super::*;

fn model(rules: &str, count: usize, run: &str) -> Model {
    let text = format!(
        "[space]\ndimension = 3\nedges = \"1 um\"\n[run]\n{run}\n\
         [[species]]\nname = \"A\"\nradius = \"1 nm\"\ndiffusion = \"10 um^2/s\"\ncount = {count}\n\
         [[species]]\nname = \"B\"\nradius = \"1 nm\"\ndiffusion = \"10 um^2/s\"\ncount = 0\n{rules}"
    );
    jostle_model::parse(&text, "model.toml", &[]).unwrap_or_else(|faults| panic!("{faults}"))
}

fn of(model: &Model, count: usize) -> Outlook {
    outlook(model, &[count, 0], 1e7)
}

const RUN: &str = "timestep = \"10 ns\"\nsteps = 1000";

#[test]
fn decay_and_growth_are_exponential() {
    let decay = "[[rule]]\nname = \"r\"\ndo = \"convert\"\non = \"A\"\nproducts = [\"B\"]\nrate = \"0.1 /us\"\n";
    let model_of_decay = model(decay, 1000, RUN);
    let found = of(&model_of_decay, 1000);
    let left = 1000.0 * libm::exp(-1.0);
    assert!((found.last[0] - left).abs() < 0.02 * 1000.0, "{:?}", found.last);
    assert!((found.last[0] + found.last[1] - 1000.0).abs() < 1e-6);
    assert!((found.events[0] - (1000.0 - left)).abs() < 20.0, "{:?}", found.events);
    let growth = decay.replace("[\"B\"]", "[\"A\", \"A\"]").replace("0.1 /us", "0.5 /us");
    let found = of(&model(&growth, 10, RUN), 10);
    assert!((libm::log(found.last[0] / 10.0) - 5.0).abs() < 0.25, "{:?}", found.last);
    let fast = growth.replace("0.5 /us", "20 /us");
    let found = of(&model(&fast, 10, RUN), 10);
    // ln(1e6) / 20 us, if there were room; they crowd each other out a little.
    assert!(found.outgrows.is_some_and(|time| (0.65..0.9).contains(&time)), "{:?}", found.outgrows);
}

#[test]
fn binding_comes_to_its_equilibrium_however_stiff() {
    let rule = |on: &str, off: &str| {
        format!(
            "[[rule]]\nname = \"r\"\non = [\"A\", \"A\"]\ndo = \"bind\"\nmerge = \"coalesce\"\nproduct = \"B\"\n\
             {on}\n{off}\n"
        )
    };
    // K = k_a/k_d = k_on/k_off = 1e6 nm^3: [B] = K [A]^2/2. Diffusion limits k_on to 503 nm^3/us.
    for (on, off) in [
        ("rate = \"10 nm^3/us\"", "unbind = \"1e-5 /us\""),
        ("rate = \"100 nm^3/us\"", "unbind = \"1e-4 /us\""),
        ("k_on = \"400 nm^3/us\"", "k_off = \"4e-4 /us\""),
    ] {
        let model = model(&rule(on, off), 1000, "timestep = \"1 ns\"\nuntil = \"1 s\"");
        let found = of(&model, 1000);
        let [a, b] = [found.last[0], found.last[1]];
        assert!((a + 2.0 * b - 1000.0).abs() < 1e-3, "{a} {b}");
        assert!((b / (1e6 * a * a / 2.0 / 1e9) - 1.0).abs() < 0.1, "{a} {b}");
    }
}

#[test]
fn one_pair_binds_once_and_coalesced_particles_break_at_their_joints() {
    let bond = "[[rule]]\nname = \"r\"\non = [\"A\", \"B\"]\ndo = \"bind\"\nmerge = \"bond\"\nrate = \"200 nm^3/us\"\n";
    let long = "timestep = \"10 ns\"\nuntil = \"1000 s\"";
    let found = outlook(&model(bond, 1, long), &[1, 1], 1e7);
    assert!((found.events[0] - 1.0).abs() < 0.02, "{:?}", found.events);
    let join = "[[rule]]\nname = \"r\"\non = [\"A\", \"A\"]\ndo = \"bind\"\nmerge = \"coalesce\"\nproduct = \"A\"\n\
                rate = \"100 nm^3/us\"\n[[rule]]\nname = \"cut\"\ndo = \"fragment\"\non = \"A\"\nrate = \"0.1 /us\"\n";
    // Pieces A and joints J: A + J = 1000, and in equilibrium k A²/2V = J/(10 µs).
    let found = of(&model(join, 1000, "timestep = \"1 ns\"\nuntil = \"10 ms\""), 1000);
    let k = 100.0 / (1.0 + 100.0 / (4.0 * std::f64::consts::PI * 20.0 * 2.0));
    let a = found.last[0];
    assert!((0.5 * k * a * a / 1e9 / (0.1 * (1000.0 - a)) - 1.0).abs() < 0.05, "{a}");
    assert!(found.events[1] > 100.0, "{:?}", found.events);
}

#[test]
fn head_to_tail_two_of_a_species_bind_twice_as_often() {
    let bonds = |ends: [&str; 2]| {
        let [a, b] = ends;
        let rule = format!(
            "sites = [{{ name = \"h\" }}, {{ name = \"t\" }}]\n[[rule]]\nname = \"r\"\n\
             reaction = \"B({a}) + B({b}) -> B({a}!1).B({b}!1)\"\nrate = \"10 nm^3/us\"\n"
        );
        outlook(&model(&rule, 0, RUN), &[0, 1000], 1e7).events[0]
    };
    // k n²/2 of the same site, k n² of different ones.
    let same = bonds(["h", "h"]);
    assert!((same / (1e-8 * 1e6 / 2.0 * 10.0) - 1.0).abs() < 0.1, "{same}");
    assert!((bonds(["h", "t"]) / same - 2.0).abs() < 0.02, "{same}");
}

#[test]
fn the_schedule_and_windows_count() {
    let rules = "[[rule]]\nname = \"r\"\ndo = \"create\"\nproduct = \"A\"\nrate = \"1e-9 /nm^3/us\"\n\
                 during = [[\"2 us\", \"4 us\"]]\n\
                 [[schedule]]\nname = \"more\"\nat = \"5 us\"\nadd = { species = \"B\", count = 7 }\n";
    let found = of(&model(rules, 0, RUN), 0);
    assert!(
        (found.last[0] - 2.0).abs() < 0.01 && (found.last[1] - 7.0).abs() < 1e-9,
        "{:?}",
        found.last
    );
    assert!((found.events[0] - 2.0).abs() < 0.01);
}

/// Where there are many numbers, a step is the one that a matrix of all of them would say.
#[test]
fn a_step_of_many_numbers_is_that_of_a_few() {
    let rules = "[[rule]]\nname = \"b\"\non = [\"A\", \"B\"]\ndo = \"bind\"\nmerge = \"bond\"\nmax_bonds = 2\n\
                 rate = \"100 nm^3/us\"\nunbind = \"0.1 /us\"\n\
                 [[rule]]\nname = \"c\"\ndo = \"convert\"\non = \"A\"\nproducts = [\"B\", \"B\"]\nrate = \"3 /us\"\n\
                 [[rule]]\nname = \"d\"\ndo = \"convert\"\non = [\"B\", \"B\"]\nproducts = [\"A\", \"B\"]\n\
                 rate = \"50 nm^3/us\"\n[[rule]]\nname = \"e\"\ndo = \"decay\"\non = \"B\"\nrate = \"9 /us\"\n";
    let model = model(rules, 700, RUN);
    let mut run = Run::of(&model, &[700, 300]);
    for step in [1e-3, 0.02, 1.0, 1e3] {
        let rates = run.rates(&run.numbers);
        let (few, many) = (run.change(step, &rates), run.change_of_many(step, &rates).unwrap());
        for (few, many) in few.iter().zip(&many) {
            assert!((few - many).abs() < 1e-3 * (1.0 + few.abs()), "{step}: {few} {many}");
        }
        let part = if step < 0.1 { 1.0 } else { 0.0 };
        run.numbers.iter_mut().zip(&many).for_each(|(number, by)| *number += part * by);
    }
}

/// A thousand species that turn into each other in a ring: as fast as it is told, and nothing is
/// lost.
#[test]
fn a_thousand_species_take_no_time() {
    const COUNT: usize = 1000;
    let mut text = format!("[space]\ndimension = 3\nedges = \"1 um\"\n[run]\n{RUN}\n");
    for n in 0..COUNT {
        text += &format!(
            "[[species]]\nname = \"S{n}\"\nradius = \"1 nm\"\ndiffusion = \"10 um^2/s\"\ncount = {}\n\
             [[rule]]\nname = \"r{n}\"\ndo = \"convert\"\non = \"S{n}\"\nproducts = [\"S{}\"]\nrate = \"0.1 /us\"\n",
            n % 7,
            (n + 1) % COUNT
        );
    }
    let model =
        jostle_model::parse(&text, "m.toml", &[]).unwrap_or_else(|faults| panic!("{faults}"));
    let count: Vec<usize> = (0..COUNT).map(|n| n % 7).collect();
    let found = outlook(&model, &count, 1e7);
    let all = count.iter().sum::<usize>() as f64;
    assert!((found.last.iter().sum::<f64>() / all - 1.0).abs() < 1e-9);
    // After 10 us one of each has moved on, on average.
    let expected = |n: usize| -> f64 {
        let poisson = (0..60).map(|k| libm::exp(-1.0 - libm::lgamma(f64::from(k) + 1.0)));
        poisson.enumerate().map(|(k, p)| p * count[(n + COUNT - k) % COUNT] as f64).sum()
    };
    for n in [0, 1, 500, 999] {
        assert!(
            (found.last[n] - expected(n)).abs() < 0.15,
            "{n}: {} {}",
            found.last[n],
            expected(n)
        );
    }
}

/// As much gets onto a surface as its constant says: K A/(V + K A), with the way there by diffusion or without.
#[test]
fn adsorption_comes_to_its_equilibrium() {
    let surface = "[[surface]]\nname = \"floor\"\nplane = { axis = \"z\", at = \"500 nm\" }\n\
                   species = { A = { absorb = \"100 um/s\", becomes = \"B\" } }\n\
                   [[rule]]\nname = \"off\"\nreaction = \"B -> A\"\nrate = \"200 /s\"\n";
    let text = "[space]\ndimension = 3\nedges = \"1 um\"\n[run]\ntimestep = \"1 us\"\nuntil = \"1 s\"\n\
                [[species]]\nname = \"A\"\nradius = \"1 nm\"\ndiffusion = \"10 um^2/s\"\ncount = 1000\n\
                [[species]]\nname = \"B\"\nradius = \"1 nm\"\ndiffusion = \"1 um^2/s\"\non = \"floor\"\n";
    let text = text.to_owned() + surface;
    let model = jostle_model::parse(&text, "model.toml", &[]).unwrap_or_else(|f| panic!("{f}"));
    let found = of(&model, 1000);
    // K is 500 nm, and the surface has two sides of 1 µm² in 1 µm³.
    assert!((found.last[1] / 500.0 - 1.0).abs() < 0.02, "{:?}", found.last);
    assert!(found.events[0] > 1000.0 && found.events.len() == 2, "{:?}", found.events);
}

/// Of 300 sites as many are taken as Langmuir says, n/(300 - n) = K A/300 (1000 - n)/V.
#[test]
fn sites_are_taken_as_far_as_their_equilibrium() {
    let text = "[space]\ndimension = 3\nedges = \"1 um\"\n[run]\ntimestep = \"1 us\"\nuntil = \"1 s\"\n\
                [[species]]\nname = \"A\"\nradius = \"1 nm\"\ndiffusion = \"10 um^2/s\"\ncount = 1000\n\
                [[species]]\nname = \"B\"\nradius = \"1 nm\"\ndiffusion = \"1 um^2/s\"\non = \"floor\"\n\
                [[surface]]\nname = \"floor\"\nplane = { axis = \"z\", at = \"500 nm\" }\nsites = 300\n\
                species = { A = { absorb = \"100 um/s\", becomes = \"B\" } }\n\
                [[rule]]\nname = \"off\"\nreaction = \"B -> A\"\nrate = \"200 /s\"\n";
    let model = jostle_model::parse(text, "model.toml", &[]).unwrap_or_else(|f| panic!("{f}"));
    let found = of(&model, 1000);
    // K is 500 nm, and the surface has two sides of 1 µm² in 1 µm³.
    let taken = found.last[1];
    let law = (300.0 - taken) * (1000.0 - taken) / 300.0;
    assert!((taken / law - 1.0).abs() < 0.02, "{:?}, {law}", found.last);
}
