//! Models in several compartments that are imported from BNGL, where diffusion is fast, against the same
//! networks in well-mixed compartments.

use jostle::brownian::Brownian;
use jostle::model::bngl::read;
use jostle::observe::NoObserver;
use jostle::run;
use jostle_lab::networks::WellMixed;

use super::networks::{Kind, agree, blocked, imported};
use crate::program::nightly;

/// Ligands outside bind receptors of the membrane, which pair up and bind substrates from within; pairs
/// modify these. Cargo gets into the nucleus twice as easily as out of it, and ends there what genes make.
const CELL: &str = "
begin compartments
    EC 3 6
    PM 2 0.5 EC
    CP 3 3 PM
    NM 2 0.1 CP
    NU 3 1 NM
end compartments
begin molecule types
    E(r)
    R(e,d,f)
    F(r,s~u~p)
    T()
    G()
    M()
end molecule types
begin seed species
    E(r)@EC 30
    @PM:R(e,d,f) 20
    F(r,s~u)@CP 40
    T()@CP 60
    T()@NU 0
    G()@NU 2
    M()@NU 0
end seed species
begin observables
    Molecules RE R(e!+)
    Molecules RR R(d!+)
    Molecules RF R(f!+)
    Molecules Fp F(s~p)
    Molecules Tn T()@NU
    Molecules Mt M()
end observables
begin reaction rules
    E(r)@EC + R(e)@PM <-> E(r!1)@EC.R(e!1)@PM 0.3, 1
    R(d) + R(d) <-> R(d!1).R(d!1) 0.025, 0.5
    R(f) + F(r) <-> R(f!1).F(r!1) 0.15, 1
    R(d!+,f!1).F(r!1,s~u) -> R(d!+,f!1).F(r!1,s~p) 1
    F(s~p) -> F(s~u) 0.3
    T()@CP <-> T()@NU 0.6, 0.3
    G() -> G() + M()@NU 12
    M() + T() -> T() 0.02
    M() -> 0 0.2
end reaction rules
";

/// Each compartment is mixed in some microseconds, and pairs meet much faster than they bind.
const BOX: &str = r#"
box = ["60 nm", "60 nm", "200 nm"]
time_step = "0.15 us"
until = "1 s"
time_unit = "ms"
default = { radius = "0.5 nm", diffusion = "50 um^2/s" }

[species]
R = { diffusion = "30 um^2/s" }
T = { radius = "0.25 nm" }
M = { radius = "0.25 nm" }
"#;

/// Where the nucleus begins. \[nm\]
const NUCLEUS: f64 = 180.0;

/// Between which times numbers are counted. \[ms\]
const APART: u32 = 1;
const FIRST: u32 = 6;

/// With 6 numbers and 5 standard errors from 8 blocks (Student), a false alarm comes once in 100 seeds;
/// the seeds are fixed.
#[test]
fn compartments_are_as_well_mixed_ones() {
    let network = read(CELL, "cell.bngl").unwrap_or_else(|faults| panic!("{faults}"));
    let names: Vec<&str> = network.observables.iter().map(|one| one.name.as_str()).collect();
    let counts = if nightly() { 800 } else { 24 };
    let mut expected = vec![Vec::new(); names.len()];
    for seed in 0..16 {
        let mut cell = WellMixed::new(&network, seed);
        for n in 0..counts {
            cell.advance(f64::from((FIRST + n) * APART));
            expected.iter_mut().enumerate().for_each(|(k, all)| all.push(cell.observed(k) as f64));
        }
    }
    let model = imported(CELL, "cell.bngl", BOX);
    let mut engine: Brownian<3> = run::engine(&model).expect("it starts");
    let kind = |name, bound: &[&str], second| Kind::of(&model, name, bound, second);
    let kinds = [
        kind("R", &["e"], None),
        kind("R", &["d"], None),
        kind("R", &["f"], None),
        kind("F", &[], Some("s")),
        kind("T", &[], None),
        kind("M", &[], None),
    ];
    let cargo = model.species.iter().position(|one| one.name == "T").expect("cargo") as u16;
    let mut measured = vec![Vec::new(); names.len()];
    for n in 0..FIRST + counts {
        (0..APART * 6667).for_each(|_| engine.step(&mut NoObserver).expect("a step"));
        if n < FIRST {
            continue;
        }
        kinds.iter().zip(&mut measured).for_each(|(kind, all)| all.push(kind.count(&engine)));
        let p = engine.particles();
        let is_in = |i: &usize| p.species[*i] == cargo && p.position[*i][2] > NUCLEUS;
        *measured[4].last_mut().expect("a count") =
            (0..p.len()).filter(|i| p.alive[*i]).filter(is_in).count() as f64;
    }
    for ((name, measured), expected) in names.iter().zip(&measured).zip(&expected) {
        agree(name, blocked(measured), blocked(expected));
    }
}
