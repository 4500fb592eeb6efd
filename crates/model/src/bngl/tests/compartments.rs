//! Compartments: one is the box, several are volumes in it with membranes between them.

use super::*;

fn in_compartments(block: &str, rules: &str) -> String {
    let block = format!("begin compartments\n{block}\nend compartments\n");
    with_rule(rules).replace("begin reaction", &format!("{block}begin reaction"))
}

/// Two of a kind react at k/V, molecules come at k V, and all else is as without.
#[test]
fn one_volume_is_the_box() {
    let rules =
        "R1: @c:A(b) + B(a)@c <-> @c::A(b!1).B(a!1)@c k, 1\n0 -> X()@c 6\nA@c(s~u) -> A@c(s~p) 2";
    let found = imported(&in_compartments("c 3 2*k  # fl", rules), GEOMETRY).unwrap();
    for key in [
        "reaction = \"A(b) + B(a) <-> A(b!1).B(a!1)\"\nk_on = \"301107038 /M/s\"\nk_off = \"1 /s\"",
        "reaction = \"0 -> X()\"\nrate = \"0.012 /um^3/s\"",
        "reaction = \"A(s~u) -> A(s~p)\"\nrate = \"2 /s\"",
    ] {
        let key = key.replace("301107038", "3.01107038e8");
        assert!(found.text.contains(&key), "{key}:\n{}", found.text);
    }
    assert!(
        found.notes[0].starts_with("m.bngl:14:1: the compartment `c` is the box"),
        "{:?}",
        found.notes
    );
    assert!(imported(&in_compartments("", "X() -> 0 1"), GEOMETRY).is_ok());
    let molar = GEOMETRY.replace("until", "rates = '/M/s'\nuntil");
    let said = imported(&in_compartments("c 3 2", "X() -> 0 1"), &molar).unwrap_err().to_string();
    assert!(said.contains("g.toml: the BNGL file has a compartment"), "{said}");
}

#[test]
fn what_is_wrong_with_compartments_is_told_by_line() {
    for (block, said) in [
        ("c 2 1", "there is no volume among the compartments"),
        (
            "c 4 1",
            "m.bngl:14:3: found \"4\" where the dimension, 3 (a volume) or 2 (a membrane), of",
        ),
        ("c 3 )", "m.bngl:14:5: "),
        ("c 3 1 d", "m.bngl:14:1: there is no compartment `d`"),
        ("c 3 1\nc 3 2", "m.bngl:15:1: `c` has already been declared"),
        ("c 3 1 d\nd 2 1 c", "`c` is inside itself"),
        ("c 3 0\nd 3 1", "the size of `c` is 0"),
        ("c 3 x", "there is no parameter `x`"),
        ("c 3 1\nd 3 1", "m.bngl:21:1: in which compartment this `X` is is missing, as in `X@c`"),
    ] {
        let text =
            in_compartments(block, "X() -> 0 1") + "begin seed species\nX() 3\nend seed species\n";
        let found = imported(&text, GEOMETRY).unwrap_err().to_string();
        assert!(found.contains(said), "{block}: {found}");
    }
    let stray = imported(&with_rule("A(b)@PM -> A(b)@PM 1"), GEOMETRY).unwrap_err().to_string();
    assert!(stray.contains("there is no compartment `PM`: the file declares none"), "{stray}");
}

/// A cell with a nucleus: E outside, R on the membrane, F within; T gets into the nucleus and out.
fn cell(rules: &str) -> String {
    format!(
        "begin compartments\nEC 3 6\nPM 2 0.5 EC\nCP 3 3 PM\nNM 2 0.1 CP\nNU 3 1 NM\nend compartments\n\
         begin molecule types\nE(r)\nR(e,d,f)\nF(r,s~u~p)\nT()\nM()\nG()\nend molecule types\n\
         begin seed species\nE(r)@EC 10\n@PM:R(e,d,f) 20\nF(r,s~u)@CP 30\nT()@CP 5\nT()@NU 4\nG()@NU 2\n\
         end seed species\nbegin reaction rules\n{rules}\nend reaction rules\n"
    )
}

const BOX: &str = "
box = ['100 nm', '100 nm', '1000 nm']
time_step = '10 ns'
until = '1 ms'
default = { radius = '1 nm', diffusion = '10 um^2/s' }
";

/// Volumes are as 6 : 3 : 1 in the box of 0.01 µm³, so that concentrations are 1000 times those of the
/// file: two in a volume react at k/1000 µm³/s. On a membrane of 0.01 µm² it is k/V times this.
#[test]
fn volumes_are_layers_if_there_are_bonds_on_membranes() {
    let rules = "E(r) + R(e) <-> E(r!1).R(e!1) 0.1, 1\nR(d) + R(d) <-> R(d!1).R(d!1) 0.01, 2\n\
                 @PM:R(f).R(d!+) + F(r,s~u)@CP <-> R(f!1)@PM.F(r!1,s~u)@CP 0.1, 3\n\
                 R(f) + F(r,s~u) <-> R(f!1).F(r!1,s~u) 0.1, 3\n\
                 R(d!1).R(d!1,f!2).F(r!2,s~u) -> R(d!1).R(d!1,f!2).F(r!2,s~p) 5\n\
                 F(s~p) -> F(s~u) 4\nT()@CP <-> T()@NU 7, 2\nG() -> G() + M()@NU 1\nM() -> 0 1\n0 -> E(r)@EC 12";
    let rules =
        rules.replace("@PM:R(f).R(d!+) + F(r,s~u)@CP <-> R(f!1)@PM.F(r!1,s~u)@CP 0.1, 3\n", "");
    let found = imported(&cell(&rules), BOX).unwrap_or_else(|faults| panic!("{faults}"));
    for part in [
        "boundary = [\"periodic\", \"periodic\", \"reflecting\"]",
        "name = \"PM\"\nplane = { axis = \"z\", at = \"600 nm\" }\n",
        "name = \"NM\"\nplane = { axis = \"z\", at = \"900 nm\" }\n\
         species = { \"T\" = { permeability = \"2.1 um/s\", permeability_outwards = \"0.2 um/s\" } }",
        "sites = [{ name = \"r\" }]\nbelow = \"PM\"\n",
        "above = \"PM\"\nbelow = \"NM\"\n",
        "on = \"PM\"\n",
        "reaction = \"E(r) + R(e) <-> E(r!1).R(e!1)\"\nk_on = \"60221.4076 /M/s\"\nk_off = \"1 /s\"\n",
        "reaction = \"R(d) + R(d) <-> R(d!1).R(d!1)\"\nrate = \"0.0002 um^2/s\"\nunbind = \"2 /s\"\n",
        "reaction = \"F(s~p) -> F(s~u)\"\nrate = \"4 /s\"\n",
        "reaction = \"0 -> E(r)\"\nrate = \"12000 /um^3/s\"\nregion = { below = \"PM\" }\n",
        "add = { species = \"T\", count = 5, region = { above = \"PM\", below = \"NM\" } }",
        "add = { species = \"T\", count = 4, region = { above = \"NM\" } }",
    ] {
        assert!(found.text.contains(part), "{part}:\n{}", found.text);
    }
    assert!(!found.text.contains('@'), "{}", found.text);
    assert!(!found.text.contains("faces"), "{}", found.text);
    let of_one = cell("E(r) + R(e) <-> E(r!1).R(e!1) 0.1, 1");
    let found = imported(&of_one, BOX).unwrap();
    assert!(found.text.contains("on = \"PM\"\nfaces = \"below\"\n"), "{}", found.text);
    // Round, bonds on membranes are not possible.
    let round = BOX.replace("until", "compartments = 'spheres'\nuntil");
    let said = imported(&of_one, &round).unwrap_err().to_string();
    assert!(said.contains("R lives on a membrane and has bonds"), "{said}");
}

/// Complexes are there at the start if all of their molecules stay in one volume.
#[test]
fn complexes_of_one_volume_are_there_at_the_start() {
    let with = |seed: &str, rule: &str| {
        cell(rule).replace("E(r)@EC 10\n", &format!("E(r)@EC 10\n{seed} 3\n"))
    };
    let text = with("@EC:E(r!1).E(r!1)", "E(r) + E(r) <-> E(r!1).E(r!1) 0.1, 1");
    let found = imported(&text, BOX).unwrap_or_else(|faults| panic!("{faults}"));
    let complex = "name = \"complex\"\ncomplex = \"E(r!1).E(r!1)\"\ncount = 3\n";
    assert!(found.text.contains(complex), "{}", found.text);
    let text = with("@PM:R(d!1,e,f).R(d!1,e,f)", "R(d) + R(d) <-> R(d!1).R(d!1) 0.1, 1");
    let said = imported(&text, BOX).unwrap_err().to_string();
    assert!(said.contains("of molecules that stay in one volume"), "{said}");
}

/// Of 0.001 µm³ one tenth is within the inner membrane, and four tenths within the outer one.
#[test]
fn volumes_are_spheres_else() {
    let rules = "T() + G() -> M() + G() 2\nT()@CP -> T()@NU 7\nR(e) -> R(e) 1\nE() + F(s~u) -> E() + F(s~p) 1";
    let text = cell(rules).replace("F(r,s~u)@CP 30", "F(r,s~u)@EC 30");
    let geometry = BOX.replace("'1000 nm'", "'100 nm'");
    let found = imported(&text, &geometry).unwrap_or_else(|faults| panic!("{faults}"));
    // The permeability is 7 /s 0.0003 µm³ / 4π (0.02879 µm)².
    for part in [
        "sphere = { centre = [\"50 nm\", \"50 nm\", \"50 nm\"], radius = \"45.7078",
        "species = { \"T\" = { permeability = \"0.20",
        "permeability_outwards = \"0 um/s\"",
        "inside = \"NM\"\n",
        "outside = \"PM\"\n",
        "add = { species = \"T\", count = 5, region = { inside = \"PM\", outside = \"NM\" } }",
    ] {
        assert!(found.text.contains(part), "{part}:\n{}", found.text);
    }
}

#[test]
fn what_particles_cannot_do_in_compartments_is_refused() {
    for (rules, said) in [
        ("E(r)@EC + F(r)@CP -> E(r)@EC + F(r)@CP 1", "EC and CP, and never meet"),
        ("F(r)@CP -> F(r)@EC 1", "lets molecules through one by one"),
        ("T()@NU -> T()@EC 1", "there is no membrane between"),
        ("R(e)@PM -> R(e)@NM 1", "`R` is on PM and on NM"),
        ("T()@PM -> 0 1", "`T` is in a volume elsewhere and on the membrane `PM` here"),
        ("R(e) -> R(e) + M()@CP 1", "on which side is not clear"),
        ("T() -> R(e,d,f) 1", "R lives on the membrane PM"),
        ("T()@XX -> 0 1", "there is no compartment `XX`; there are EC, PM, CP, NM, NU"),
        ("G() + M()@CP -> G() 1", "are in different volumes, CP and NU"),
    ] {
        let rules = format!("F(r) + R(f) <-> F(r!1).R(f!1) 1e-3, 1\n{rules}");
        let found = imported(&cell(&rules), BOX).unwrap_err().to_string();
        assert!(found.contains(said), "{rules}: {found}");
        assert!(found.starts_with("m.bngl:2"), "{found}");
    }
    let flat = BOX.replace(", '1000 nm'", "");
    let said = imported(&cell("T() -> 0 1"), &flat).unwrap_err().to_string();
    assert!(said.contains("several compartments need a box with three edges"), "{said}");
    let far = "begin compartments\nA 3 1\nM 2 1 A\nB 3 1 M\nN 2 1 A\nC 3 1 N\nO 2 1 A\nD 3 1 O\nend compartments\n\
               begin seed species\nX()@A 1\nend seed species\nbegin reaction rules\nX() -> 0 1\nend reaction rules\n";
    let said = imported(far, BOX).unwrap_err().to_string();
    assert!(said.contains("in spheres: what is in `A` is too wide"), "{said}");
    assert!(said.contains("in layers: `A` is beside more than two"), "{said}");
}
