//! Files of all three ways hold velocities, masses and the energy balance, and every command works
//! with them.

use jostle::analysis::open;

use crate::program::{folder, jostle, repository};

const WAYS: [&str; 3] = ["exact", "after_move", "events"];

fn model() -> String {
    repository().join("models/disk_gas.toml").display().to_string()
}

#[test]
fn all_three_ways_start_alike_and_keep_the_energy() {
    let dir = folder();
    let model = model();
    for way in WAYS {
        let contact = format!("run.contact={way}");
        let out = format!("{way}.h5md");
        let set =
            ["--set", &contact, "--set", "output.log=all", "--set", "output.precision=double"];
        let run = ["run", &model, "--out", &out, "--until", "40 ms"];
        let said = jostle(dir.path(), &[&run[..], &set].concat()).succeeds().out;
        assert!(said.contains("between disks") && said.contains("kinetic"), "{said}");
        let said = jostle(dir.path(), &["check", &model, "--set", &contact]).succeeds().out;
        assert!(
            said.contains("scale height") || said.contains("falls by e every 359.998 mm"),
            "{said}"
        );
        let said = jostle(dir.path(), &["info", &out]).succeeds().out;
        assert!(said.contains("600 mm with walls"), "{said}");
        let said = jostle(dir.path(), &["analyse", &out, "energy"]).succeeds().out;
        assert!(said.contains("kinetic"), "{said}");
        jostle(dir.path(), &["contacts", &out]).succeeds();
        jostle(dir.path(), &["report", &out, "--out", &format!("{way}.html")]).succeeds();
        jostle(dir.path(), &["snapshot", &out, "--out", &format!("{way}.png")]).succeeds();
        let said = jostle(dir.path(), &["rerun", &out]).succeeds().out;
        assert!(said.contains("equal, to the bit"), "{said}");
        let reading = open(&dir.path().join(&out)).unwrap();
        assert_eq!(reading.frames(), 3);
        assert!(reading.is_gas() && !reading.is_granular());
    }
    let hashes = WAYS
        .map(|way| open(&dir.path().join(format!("{way}.h5md"))).unwrap().state_hashes().unwrap());
    assert!(hashes.iter().all(|one| one[0] == hashes[0][0]), "the same start: {hashes:?}");
    assert_ne!(hashes[0][2], hashes[1][2]);
}

#[test]
fn what_makes_no_sense_is_said_before_the_run() {
    let dir = folder();
    let model = model();
    let set = |set: &[&str]| {
        let pairs: Vec<&str> = set.iter().flat_map(|pair| ["--set", pair]).collect();
        let done = jostle(dir.path(), &[&["check", &model][..], &pairs].concat());
        done.fails().to_owned()
    };
    let said = set(&["run.contact=after_move", "search.kind=slices", "search.cell_size=3 mm"]);
    assert!(said.contains("at least the largest diameter, 4 mm"), "{said}");
    let said = set(&["run.contact=after_move", "space.boundary=periodic"]);
    assert!(said.contains("end at walls"), "{said}");
    let said = set(&["run.contact=after_move", "run.timestep=5 ms"]);
    assert!(said.contains("use at most 4 ms"), "{said}");
    let said = set(&["run.contact=events", "search.kind=slices"]);
    assert!(said.contains("works with the time steps of a Brownian model"), "{said}");
    let narrow = ["run.contact=after_move", "search.axis=y", "search.kind=slices"];
    let pairs: Vec<&str> = narrow.iter().flat_map(|pair| ["--set", pair]).collect();
    let said = jostle(dir.path(), &[&["check", &model][..], &pairs].concat()).succeeds().out;
    assert!(said.contains("1500 horizontal ones"), "{said}");
}
