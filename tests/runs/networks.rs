//! A model that is imported from BNGL, where diffusion is fast, against the same network in a
//! well-mixed cell.

use jostle::brownian::Brownian;
use jostle::model::bngl::{import, read};
use jostle::networks::WellMixed;
use jostle::observe::NoObserver;
use jostle::{model, run};

use crate::program::repository;

/// A thousand times as fast as the file says, in a fifth of its volume with a fifth of its
/// molecules; the fastest pair reacts at one twentieth of the rate at which it meets.
const GEOMETRY: &str = r#"
box = ["584.8 nm", "584.8 nm", "584.8 nm"]
time_step = "0.5 us"
until = "1 s"
time_unit = "ms"
default = { radius = "4 nm", diffusion = "1000 um^2/s" }
"#;

/// Molecules of one complex take up room around each other: with that, pairs of complexes are little
/// more than half as many. A well-mixed cell knows of no room.
const ROOMLESS: &str = r#"
[[rule]]
name = "through"
do = "pass"
on = ["*", "*"]
"#;

/// Times at which molecules are counted \[ms\]: every 5, from 40 on.
const FIRST: u32 = 8;
const COUNTS: u32 = 40;
const APART: u32 = 5;

/// Mean and standard error, from the means of eight stretches.
fn mean(values: &[f64]) -> (f64, f64) {
    let blocks: Vec<f64> = values
        .chunks(values.len() / 8)
        .map(|block| block.iter().sum::<f64>() / block.len() as f64)
        .collect();
    let n = blocks.len() as f64;
    let mean = blocks.iter().sum::<f64>() / n;
    let variance = blocks.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0);
    (mean, (variance / n).sqrt())
}

/// Receptors that pair up, adaptors, and kinases that phosphorylate each other in complexes of six:
/// paired receptors, receptors with adaptor, with kinase, and phosphorylated kinases, on average. With
/// 4 numbers and 5 standard errors from 8 blocks (Student), a false alarm comes once in 150 seeds;
/// the seeds are fixed.
#[test]
fn an_imported_network_is_that_of_the_well_mixed_cell() {
    let path = repository().join("models/bngl/receptor_kinase.bngl");
    let text = std::fs::read_to_string(path).unwrap().replace("n    100 ", "n    20 ");
    let network = read(&text, "receptor_kinase.bngl").unwrap();
    let mut cell = WellMixed::new(&network, 3);
    let names: Vec<&str> = network.observables.iter().map(|o| o.name.as_str()).collect();
    assert_eq!(names, ["RecDim", "Rec_A", "Rec_K", "KP"]);
    let mut expected = vec![Vec::new(); 4];
    for n in 0..16 * COUNTS {
        cell.advance(f64::from((FIRST + n) * APART));
        (0..4).for_each(|k| expected[k].push(cell.observed(k) as f64));
    }

    let found = import([&text, "receptor_kinase.bngl"], [GEOMETRY, "geometry.toml"]);
    let imported = found.unwrap_or_else(|_| panic!("it can be imported"));
    let text = imported.text + ROOMLESS;
    let model = model::parse(&text, "model", &[]).unwrap_or_else(|f| panic!("{f}"));
    let mut engine: Brownian<3> = run::engine(&model).expect("it starts");
    let sites = |name: &str| {
        let species = model.species.iter().position(|s| s.name == name).expect("a species");
        (species as u16, &model.species[species].sites)
    };
    let bit = |name: &str, site: &str| {
        let (species, sites) = sites(name);
        (species, sites.bound(sites.called(site).next().expect("a site")))
    };
    let (kinase, own) = sites("K");
    let phosphorylated = own.in_state(own.called("Y").next().expect("a site"), 1);
    let (adaptor, at_receptor) = bit("A", "r");
    let (_, at_kinase) = bit("A", "k");
    let wanted = [
        bit("R", "d"),
        bit("R", "a"),
        (adaptor, at_receptor | at_kinase),
        (kinase, phosphorylated),
    ];
    let mut measured = vec![Vec::new(); 4];
    for n in 0..FIRST + COUNTS {
        (0..APART * 2000).for_each(|_| engine.step(&mut NoObserver).expect("a step"));
        let p = engine.particles();
        for (values, (species, bits)) in measured.iter_mut().zip(wanted) {
            let fits = |i: &usize| p.species[*i] == species && p.sites[*i] & bits == bits;
            let count = (0..p.len()).filter(|i| p.alive[*i]).filter(fits).count();
            if n >= FIRST {
                values.push(count as f64);
            }
        }
    }
    for ((name, measured), expected) in names.iter().zip(&measured).zip(&expected) {
        let ((found, error), (well_mixed, own)) = (mean(measured), mean(expected));
        let z = (found - well_mixed) / error.hypot(own);
        println!(
            "{name}: {found:.2} ± {error:.2}, well mixed {well_mixed:.2} ± {own:.2}, z = {z:.2}"
        );
        assert!(z.abs() < 5.0, "{name}: {found} ± {error}, well mixed {well_mixed} ± {own}");
    }
}
