//! `jostle import`.

use std::path::Path;

use crate::program::{jostle, repository};

/// Plain chemistry, which every model can do.
const BNGL: &str = "begin model\nbegin parameters\nkp 1e-3\nend parameters\nbegin molecule types\nA()\nB()\nC()\n\
                    end molecule types\nbegin seed species\nA() 60\nB() 50\nend seed species\n\
                    begin reaction rules\nbind: A() + B() <-> C() kp, 0.5*2\nend reaction rules\nend model\n\
                    simulate({method=>\"ssa\",t_end=>1e-3,n_steps=>10})\n";

const GEOMETRY: &str = "box = [\"1 um\", \"1 um\", \"1 um\"]\ntime_step = \"1 us\"\n\
                        default = { radius = \"4 nm\", diffusion = \"10 um^2/s\" }\n";

fn write(dir: &Path, name: &str, text: &str) {
    std::fs::write(dir.join(name), text).unwrap();
}

#[test]
fn a_bngl_file_becomes_a_model_that_runs() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), "abc.bngl", BNGL);
    write(dir.path(), "abc_geometry.toml", GEOMETRY);
    let import = ["import", "abc.bngl", "--geometry", "abc_geometry.toml"];
    let done = jostle(dir.path(), &import).succeeds();
    assert_eq!(
        done.err,
        "note: abc.bngl:18:1: `simulate` is left out: only the model is taken over\n"
    );
    assert!(
        done.out
            .contains("reaction = \"A + B <-> C\"\nk_on = \"602214.076 /M/s\"\nk_off = \"1 /s\"\n")
    );
    assert!(done.out.contains("until = \"0.001 s\""), "{}", done.out);

    let output = [&import[..], &["--output", "abc.toml"]].concat();
    assert_eq!(jostle(dir.path(), &output).succeeds().out, "");
    let written = std::fs::read_to_string(dir.path().join("abc.toml")).unwrap();
    assert_eq!(written, done.out);
    jostle(dir.path(), &["run", "abc.toml", "--quiet"]).succeeds();

    let again = jostle(dir.path(), &output);
    assert_eq!(again.code, Some(1), "{}", again.err);
    assert!(again.err.contains("already exists"), "{}", again.err);
    jostle(dir.path(), &[&output[..], &["--force"]].concat()).succeeds();
}

#[test]
fn what_cannot_be_taken_over_is_told_at_once_and_nothing_is_written() {
    let dir = tempfile::tempdir().unwrap();
    let wrong = BNGL.replace("kp, 0.5*2", "kq, 0.5*2").replace("A() 60", "A()@EC 60");
    write(dir.path(), "abc.bngl", &wrong);
    write(dir.path(), "g.toml", &GEOMETRY.replace("time_step", "timestep"));
    let done =
        jostle(dir.path(), &["import", "abc.bngl", "--geometry", "g.toml", "--out", "abc.toml"]);
    assert_eq!(done.code, Some(2), "{}", done.err);
    for said in [
        "abc.bngl:11:4: compartments are not taken over",
        "abc.bngl:15:25: there is no parameter `kq`; did you mean `kp`?",
        "g.toml:2: timestep: this key is not known; did you mean `time_step`?",
    ] {
        assert!(done.err.contains(said), "{said} is missing in\n{}", done.err);
    }
    assert!(!dir.path().join("abc.toml").exists());
    let none = jostle(dir.path(), &["import", "none.bngl", "--geometry", "g.toml"]);
    assert_eq!(none.code, Some(1));
    assert!(none.err.contains("none.bngl cannot be read"), "{}", none.err);
}

#[test]
fn the_models_that_come_with_it_are_imported() {
    let models = repository().join("models/bngl");
    for (name, rules) in [("egfr_net", 23), ("receptor_kinase", 8), ("trivalent_ligand", 3)] {
        let file = format!("{name}.bngl");
        let geometry = format!("{name}_geometry.toml");
        let done = jostle(&models, &["import", &file, "--geometry", &geometry]).succeeds();
        assert_eq!(done.out.matches("[[rule]]").count(), rules, "{}", done.out);
        assert_eq!(done.err, "");
    }
}
