//! `jostle import`.

use std::path::Path;
use std::process::Command;

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
        "abc.bngl:11:1: there is no compartment `EC`: the file declares none",
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

/// Plays BioNetGen: in each of the runs that are asked for there are as many A as its environment says.
const PLAYED: &str = "my $n = 0;
open(my $in, '<', $ARGV[0]) or die;
while (my $line = <$in>) {
    next unless $line =~ /suffix=>\"(run\\d+)\",t_start=>0,t_end=>0.001,n_steps=>4/;
    open(my $out, '>', \"model_$1.gdat\") or die;
    print $out \"#  time  At\\n\";
    print $out \"$_ $ENV{NUMBER}\\n\" for 0 .. 4;
}
";

#[test]
fn a_model_is_compared_with_bionetgen_if_there_is_one() {
    let dir = tempfile::tempdir().unwrap();
    let observed = "begin observables\nMolecules At A()\nend observables\nbegin reaction rules";
    let still = BNGL.replace("begin reaction rules", observed).replace("kp 1e-3", "kp 1e-30");
    write(dir.path(), "abc.bngl", &still);
    write(dir.path(), "g.toml", GEOMETRY);
    let run = |with: &[(&str, &str)]| {
        let mut program = Command::new(env!("CARGO_BIN_EXE_jostle"));
        program.args(["import", "abc.bngl", "--geometry", "g.toml", "--check", "3"]);
        program.env_remove("BNGPATH").envs(with.iter().copied()).current_dir(dir.path());
        let done = program.output().unwrap();
        let [out, err] = [done.stdout, done.stderr].map(|text| String::from_utf8(text).unwrap());
        (done.status.code(), out, err)
    };
    let (code, out, err) = run(&[("PATH", "")]);
    assert_eq!((code, out.as_str()), (Some(1), ""), "{err}");
    assert!(err.contains("BioNetGen is not found: `pip install bionetgen`"), "{err}");
    write(dir.path(), "BNG2.pl", PLAYED);
    let folder = dir.path().to_str().unwrap();
    let (code, out, err) = run(&[("BNGPATH", folder), ("NUMBER", "60")]);
    assert_eq!(code, Some(0), "{out}{err}");
    assert!(out.contains("4 numbers, largest |z| 0.00"), "{out}");
    let (code, out, err) = run(&[("BNGPATH", folder), ("NUMBER", "50")]);
    assert_eq!(code, Some(1), "{out}{err}");
    assert!(out.contains("60.00 ± 0.00") && out.contains("50.00 ± 0.00"), "{out}");
}

/// What a rate follows is counted by patterns, of which the forecast knows the species only.
#[test]
fn what_follows_a_pattern_is_not_forecast() {
    let dir = tempfile::tempdir().unwrap();
    let text = "begin molecule types\nS(y~u~p)\nP()\nQ()\nend molecule types\nbegin seed species\nS(y~u) 40\nP() 30\n\
                end seed species\nbegin observables\nMolecules Sp S(y~p)\nMolecules Pt P()\nend observables\n\
                begin reaction rules\nfollows: P() -> Q() 100*Sp\nknown: S(y~u) -> S(y~p) 10*Pt\n\
                end reaction rules\n";
    write(dir.path(), "m.bngl", text);
    write(dir.path(), "g.toml", &(GEOMETRY.to_owned() + "until = \"1 ms\"\n"));
    let import = ["import", "m.bngl", "--geometry", "g.toml", "--out", "m.toml"];
    jostle(dir.path(), &import).succeeds();
    let said = jostle(dir.path(), &["check", "m.toml"]).succeeds().out;
    let line = |name: &str| said.lines().rfind(|line| line.trim_start().starts_with(name));
    let line = |name: &str| line(name).unwrap_or_else(|| panic!("{said}"));
    assert!(line("follows  ").contains("not known: its rate follows `Sp`"), "{said}");
    assert!(line("known  ").contains("about"), "{said}");
    assert!(!line("known  ").contains("not known"), "{said}");
    assert!(!said.contains("30 Q at the end"), "{said}");
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
